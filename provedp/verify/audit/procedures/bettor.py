"""Bets on the runs of one pair, each batch on an event that was learned from all batches before."""

import math
from dataclasses import dataclass, field
from operator import index
from typing import Any, NamedTuple, Self

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.event import Event, event_from
from provedp.verify.audit.events.learning import candidates
from provedp.verify.audit.events.thresholds import models
from provedp.verify.audit.statistics.betting import Line, Wealth, best_stakes, line_above
from provedp.verify.audit.targets.outputs import Batch, joined
from provedp.verify.notions.notions import PrivacyNotion

FIRST_BATCH = 16
GROWTH = 0.06  # size of a batch over all runs before it
LEAST_BATCH = 4
LARGEST_BATCH = 20_000
RELEARN = 1.1  # growth of the number of runs after which the event is learned again
CUTS, FEWER_CUTS = 30, 10  # thresholds that are tried, the latter after few runs
DEEP_CUTS = 12  # further ones near each end
FEW = 200
SPARSE = 8  # of the thresholds of a fitted family one in so many is tried
FITTED = 0.5  # share of the discount for estimates from a fitted family
SHRUNK = 2.0  # runs added to successes and to failures when their probabilities are estimated
CAUTION = (0.25, 0.5)  # standard errors of a discount: the first after 100 runs, and more by the
# second for each factor of 10, as ever more events are chosen from


def batch_size(before: int) -> int:
    """Return the size of the next batch, after so many runs."""
    if before == 0:
        return FIRST_BATCH
    return max(LEAST_BATCH, min(LARGEST_BATCH, int(GROWTH * before)))


class Chances(NamedTuple):
    """Probabilities of a success and of a failure."""

    success: float
    failure: float


class Outcomes(NamedTuple):
    """Successes and failures among runs."""

    successes: int
    failures: int
    runs: int


@dataclass(frozen=True)
class Bet:
    """What to bet on: an event, how fast the wealth should grow, and its probabilities."""

    event: Event
    growth: float
    chances: Chances


@dataclass(frozen=True)
class Cut:
    """Thresholds of a score (None leaves a side out), the growth to be expected, the chances."""

    growth: float
    high: float | None
    low: float | None
    chances: Chances


@dataclass(frozen=True)
class BettorState:
    """What is kept of a bettor: what was learned and counted, but no outputs."""

    logs: tuple[float, ...]
    event: Event | None
    expected: Chances
    growth: float
    runs: int
    counted: Outcomes

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "logs": list(self.logs),
            "event": None if self.event is None else self.event.record(),
            "expected": list(self.expected),
            "growth": self.growth,
            "runs": self.runs,
            "counted": list(self.counted),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Return what `record` wrote."""
        return cls(
            tuple(record["logs"]),
            None if record["event"] is None else event_from(record["event"]),
            Chances(*record["expected"]),
            record["growth"],
            index(record["runs"]),
            Outcomes(*record["counted"]),
        )


@dataclass
class Bettor:
    """Bets on one pair.

    Attributes
    ----------
    claim, channel
        What is tested, and from which features of the outputs.
    kept
        How many numbers of outputs are remembered to learn from.
    """

    claim: PrivacyNotion
    channel: str
    kept: int
    event: Event | None = None
    growth: float = 0.0
    expected: Chances = Chances(0.0, 0.0)
    runs: int = 0
    counted: Outcomes = Outcomes(0, 0, 0)
    _past: list[tuple[Batch, Batch]] = field(default_factory=list)
    _size: int = 0
    _learned_at: int = 0

    def __post_init__(self) -> None:
        self.wealth = Wealth(self.claim)

    def see(self, first: Batch, second: Batch) -> None:
        """Settle the bets on a batch, then learn from it."""
        size = len(first) + len(second)
        if self.event is not None:
            self._settle(outcomes_of(self.event, first, second))
        self.runs += size
        if self._size < self.kept:
            self._past.append((first, second))
            self._size += first.size + second.size
        if self._past and (self.event is None or self.runs >= RELEARN * self._learned_at):
            self._learn()
            self._learned_at = self.runs

    @property
    def state(self) -> BettorState:
        """What is kept of it."""
        return BettorState(
            tuple(self.wealth.logs.tolist()),
            self.event,
            self.expected,
            self.growth,
            self.runs,
            self.counted,
        )

    def resume(self, state: BettorState) -> None:
        """Go on from a state; only what was learned is kept in it, not the outputs."""
        self.wealth.logs = np.array(state.logs)
        self.growth, self.runs, self.counted = state.growth, state.runs, state.counted
        if state.event is not None:
            self._expect(state.event, state.expected)
            self._learned_at = self.runs

    def _settle(self, outcomes: Outcomes) -> None:
        self.wealth.bet(*outcomes)
        self.counted = Outcomes(*map(sum, zip(self.counted, outcomes, strict=True)))

    def _learn(self) -> None:
        first, second = (joined([pair[side] for pair in self._past]) for side in (0, 1))
        if min(len(first), len(second)) < 4:
            return
        bet = best_bet(first, second, self.claim, self.channel)
        self.growth = bet.growth
        self._expect(bet.event, bet.chances)

    def _expect(self, event: Event, chances: Chances) -> None:
        self.event, self.expected = event, chances
        self.wealth.expect(chances.success, chances.failure)


def outcomes_of(event: Event, first: Batch, second: Batch) -> Outcomes:
    """Return the successes and failures among runs on the first and on the second data set."""
    own, other = event.sides(first), event.sides(second)
    return Outcomes(own.first + other.second, other.first + own.second, len(first) + len(second))


def best_bet(first: Batch, second: Batch, claim: PrivacyNotion, channel: str) -> Bet:
    """Return the event on which the wealth should grow fastest."""
    cuts = [(score, _best_cut(p, q, claim)) for score, p, q in candidates(first, second, channel)]
    if not cuts:
        raise ValueError("The outputs hold nothing that this channel looks at.")
    score, cut = max(cuts, key=lambda each: each[1].growth)
    return Bet(Event(score, cut.high, cut.low), cut.growth, cut.chances)


def _best_cut(p: Floats, q: Floats, claim: PrivacyNotion) -> Cut:
    """Return the best thresholds of a score, from samples of it."""
    runs = len(p) + len(q)
    cuts = _cuts(np.unique(np.concatenate([p, q])), runs)
    first, second = np.sort(p), np.sort(q)
    above = [(len(x) - np.searchsorted(x, cuts)) / runs for x in (first, second)]
    below = [np.searchsorted(x, cuts, side="right") / runs for x in (first, second)]
    best = [_best_of(cuts, [*above, *below], claim, runs, 1.0)]
    for points, masses in models(first, second):
        halves = [mass[::SPARSE] / 2 for mass in masses]
        best.append(_best_of(points[::SPARSE], halves, claim, runs, FITTED))
    return max(best, key=lambda cut: cut.growth)


def _best_of(
    cuts: Floats, masses: list[Floats], claim: PrivacyNotion, runs: int, caution: float
) -> Cut:
    """Return the same among thresholds, from the shares of all runs beyond each of them."""
    p_above, q_above, p_below, q_below = masses
    s, f = (
        (table * runs + SHRUNK) / (runs + 2 * SHRUNK)
        for table in (_table(p_above, q_below), _table(q_above, p_below))
    )
    line = line_above(claim, float(np.median(f)))
    s, f = _discounted(s, f, line, runs, caution)
    growth = best_stakes(s.ravel(), f.ravel(), line)[1].reshape(s.shape)
    ends = np.append(cuts, np.nan)
    growth[:-1, :-1][cuts[:, None] <= cuts[None, :]] = -np.inf
    i, j = divmod(int(np.argmax(growth)), len(ends))
    high, low = (None if np.isnan(end) else float(end) for end in (ends[i], ends[j]))
    return Cut(float(growth[i, j]), high, low, Chances(float(s[i, j]), float(f[i, j])))


def _cuts(pooled: Floats, runs: int) -> Floats:
    """Return thresholds: quantiles of different scores, after enough runs many near the ends."""
    last = len(pooled) - 1
    if runs <= FEW:
        return np.asarray(pooled[np.unique(np.linspace(0, last, FEWER_CUTS).astype(int))])
    deep = np.geomspace(1, max(2, last / CUTS), DEEP_CUTS).astype(int)
    indices = np.concatenate([np.linspace(0, last, CUTS).astype(int), deep, last - deep])
    return np.asarray(pooled[np.unique(np.clip(indices, 0, last))])


def _discounted(
    success: Floats, failure: Floats, line: Line, runs: int, caution: float
) -> tuple[Floats, Floats]:
    """Return the least favourable probabilities within some standard errors of the estimates.

    They are chosen among many, and a stake that is too high loses more than one too low.
    """
    both = line.slope * success * failure
    along = success * (1 - success) + both, line.slope * failure * (1 - failure) + success * failure
    caution *= max(0.0, CAUTION[0] + CAUTION[1] * math.log10(runs / 100))
    spread = np.sqrt(along[0] + line.slope * along[1]) * math.sqrt(runs) / max(caution, 1e-9)
    lower = np.maximum(success - along[0] / np.maximum(spread, 1e-300), 0.0)
    upper = np.minimum(failure + along[1] / np.maximum(spread, 1e-300), 1 - lower)
    return lower, upper


def _table(first: Floats, second: Floats) -> Floats:
    """Return the sums for all pairs of thresholds; the last row and column leave one out."""
    table: Floats = np.add.outer(np.append(first, 0), np.append(second, 0)).astype(np.float64)
    return table
