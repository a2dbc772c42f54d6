"""Bets on the runs of one pair, each batch on an event that was learned from all batches before."""

import math
from dataclasses import dataclass, field

import numpy as np

from provedp.verify.audit.events.learning import Event, candidates
from provedp.verify.audit.events.thresholds import models
from provedp.verify.audit.notions.notions import Floats, PrivacyNotion
from provedp.verify.audit.statistics.betting import Line, Wealth, best_stakes, line_above
from provedp.verify.audit.targets.outputs import Batch, joined

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
    expected: tuple[float, float] = (0.0, 0.0)
    runs: int = 0
    counted: tuple[int, int, int] = (0, 0, 0)
    _past: list[tuple[Batch, Batch]] = field(default_factory=list)
    _size: int = 0
    _learned_at: int = 0

    def __post_init__(self) -> None:
        self.wealth = Wealth(self.claim)

    def see(self, first: Batch, second: Batch) -> None:
        """Settle the bets on a batch, then learn from it."""
        size = len(first) + len(second)
        if self.event is not None:
            success, failure = outcome_counts(self.event, first, second)
            self.wealth.bet(success, failure, size)
            s, f, n = self.counted
            self.counted = (s + success, f + failure, n + size)
        self.runs += size
        if self._size < self.kept:
            self._past.append((first, second))
            self._size += first.numbers.size + second.numbers.size
        if self._past and (self.event is None or self.runs >= RELEARN * self._learned_at):
            self._learn()
            self._learned_at = self.runs

    def _learn(self) -> None:
        first, second = (joined([pair[side] for pair in self._past]) for side in (0, 1))
        if min(len(first), len(second)) < 4:
            return
        found = best_bet(first, second, self.claim, self.channel)
        self.event, self.growth, success, failure = found
        self.expected = (success, failure)
        self.wealth.expect(success, failure)

    def resume(self, event: Event, success: float, failure: float) -> None:
        """Go on with an event that was learned before."""
        self.event, self.expected = event, (success, failure)
        self._learned_at = self.runs
        self.wealth.expect(success, failure)


def outcome_counts(event: Event, first: Batch, second: Batch) -> tuple[int, int]:
    """Return the successes and failures among runs on the first and on the second data set."""
    (first_s, first_t), (second_s, second_t) = event.sides(first), event.sides(second)
    return first_s + second_t, second_s + first_t


def best_bet(
    first: Batch, second: Batch, claim: PrivacyNotion, channel: str
) -> tuple[Event, float, float, float]:
    """Return the event on which the wealth should grow fastest, how fast, and its probabilities."""
    found = [
        (score, *_best_cuts(p, q, claim)) for score, p, q in candidates(first, second, channel)
    ]
    if not found:
        raise ValueError("The outputs hold nothing that this channel looks at.")
    score, growth, high, low, success, failure = max(found, key=lambda each: each[1])
    return Event(score, high, low), growth, success, failure


def _best_cuts(
    p: Floats, q: Floats, claim: PrivacyNotion
) -> tuple[float, float | None, float | None, float, float]:
    """Return growth, thresholds, success and failure of the best event of a score."""
    runs = len(p) + len(q)
    cuts = _cuts(np.unique(np.concatenate([p, q])), runs)
    first, second = np.sort(p), np.sort(q)
    above = [(len(x) - np.searchsorted(x, cuts)) / runs for x in (first, second)]
    below = [np.searchsorted(x, cuts, side="right") / runs for x in (first, second)]
    found = [_best_of(cuts, [*above, *below], claim, runs, 1.0)]
    for points, masses in models(first, second):
        halves = [mass[::SPARSE] / 2 for mass in masses]
        found.append(_best_of(points[::SPARSE], halves, claim, runs, FITTED))
    return max(found, key=lambda each: each[0])


def _best_of(
    cuts: Floats, masses: list[Floats], claim: PrivacyNotion, runs: int, caution: float
) -> tuple[float, float | None, float | None, float, float]:
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
    high, low = (None if np.isnan(ends[place]) else float(ends[place]) for place in (i, j))
    return float(growth[i, j]), high, low, float(s[i, j]), float(f[i, j])


def _cuts(pooled: Floats, runs: int) -> Floats:
    """Return thresholds: quantiles of different scores, after enough runs many near the ends."""
    last = len(pooled) - 1
    if runs <= FEW:
        return np.asarray(pooled[np.unique(np.linspace(0, last, FEWER_CUTS).astype(int))])
    deep = np.geomspace(1, max(2, last / CUTS), DEEP_CUTS).astype(int)
    places = np.concatenate([np.linspace(0, last, CUTS).astype(int), deep, last - deep])
    return np.asarray(pooled[np.unique(np.clip(places, 0, last))])


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
