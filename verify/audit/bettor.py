"""Bets on the runs of one pair, each batch on an event that was learned from all batches before."""

from dataclasses import dataclass, field

import numpy as np

from provedp.verify.audit.betting import Wealth, best_stakes, line_above
from provedp.verify.audit.events import Event, candidates
from provedp.verify.audit.notions import Claim, Floats
from provedp.verify.audit.outputs import Batch, joined
from provedp.verify.audit.scores import Score

FIRST_BATCH = 16
GROWTH = 0.12  # size of a batch over all runs before it
LEAST_BATCH = 4
LARGEST_BATCH = 20_000
RELEARN = 1.1  # growth of the number of runs after which the event is learned again
CUTS, FEWER_CUTS = 40, 10  # thresholds that are tried, the latter after few runs
FEW = 200
SHRUNK = 2.0  # runs added to successes and to failures when their probabilities are estimated


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

    claim: Claim
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
    first: Batch, second: Batch, claim: Claim, channel: str
) -> tuple[Event, float, float, float]:
    """Return the event on which the wealth should grow fastest, how fast, and its probabilities."""
    best: tuple[float, Score, float | None, float | None, float, float] | None = None
    for score, p, q in candidates(first, second, channel):
        growth, high, low, success, failure = _best_cuts(p, q, claim)
        if best is None or growth > best[0]:
            best = (growth, score, high, low, success, failure)
    assert best is not None
    growth, score, high, low, success, failure = best
    return Event(score, high, low), growth, success, failure


def _best_cuts(
    p: Floats, q: Floats, claim: Claim
) -> tuple[float, float | None, float | None, float, float]:
    """Return growth, thresholds, success and failure of the best event of a score."""
    pooled = np.unique(np.concatenate([p, q]))
    runs = len(p) + len(q)
    many = CUTS if runs > FEW else FEWER_CUTS
    cuts = pooled[np.unique(np.linspace(0, len(pooled) - 1, many).astype(int))]
    above = [np.searchsorted(np.sort(x), cuts) for x in (p, q)]
    below = [np.searchsorted(np.sort(x), cuts, side="right") for x in (p, q)]
    success = _table(len(p) - above[0], below[1])
    failure = _table(len(q) - above[1], below[0])
    s, f = (success + SHRUNK) / (runs + 2 * SHRUNK), (failure + SHRUNK) / (runs + 2 * SHRUNK)
    line = line_above(claim, float(np.median(f)))
    growth = best_stakes(s.ravel(), f.ravel(), line)[1].reshape(s.shape)
    ends = np.append(cuts, np.nan)
    growth[:-1, :-1][cuts[:, None] <= cuts[None, :]] = -np.inf
    i, j = divmod(int(np.argmax(growth)), len(ends))
    high, low = (None if np.isnan(ends[place]) else float(ends[place]) for place in (i, j))
    return float(growth[i, j]), high, low, float(s[i, j]), float(f[i, j])


def _table(first: Floats, second: Floats) -> Floats:
    """Return the sums for all pairs of thresholds; the last row and column leave one out."""
    table: Floats = np.add.outer(np.append(first, 0), np.append(second, 0)).astype(np.float64)
    return table
