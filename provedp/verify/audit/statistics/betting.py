"""An anytime-valid test of a privacy claim: wealth that cannot be expected to grow if it holds.

Each run, its data set drawn by a fair coin, is a success (probability s), a failure (f) or neither.
Under the claim s ≤ h(f) with h concave, so s ≤ a f + b for each line a f + b above h, and

    1 + λ (1[success] − a 1[failure] − b),  0 ≤ λ ≤ 1/(a + b)

has an expectation of at most 1. The product over runs, each with an event, a line and a λ chosen
before it, exceeds 1/α at any time with probability at most α (Ville). The same runs are bet on
against a whole grid of levels, which gives a lower bound that holds at all times at once.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provedp.theory.arrays import Floats
from provedp.theory.domain import check_argument, reals
from provedp.verify.notions.notions import ApproximateDP, PrivacyNotion

STAKES = np.linspace(0.0, 0.98, 50)  # of the largest λ
SHRUNK = 1.0  # runs added to each of success and failure when they are estimated
STEP = 1e-3  # relative distance of the points where a line touches
ROUNDING = 1e-8


@dataclass(frozen=True)
class Line:
    """s ≤ slope · f + offset for all events that the claim allows."""

    slope: float
    offset: float


def line_above(claim: PrivacyNotion, failure: float) -> Line:
    """Return a line above h that nearly touches it where f = `failure`.

    For (ε, δ) it is the claim itself. Otherwise it goes through two points of h, which is concave
    and therefore below it outside; between them the chord on their left, prolonged, bounds h.
    """
    if isinstance(claim, ApproximateDP):
        return Line(math.exp(claim.level), claim.delta)
    at = min(max(failure, 1e-9), 0.9)
    points = at * (1 + STEP * np.array([-2.0, -1.0, 1.0]))
    h = claim.most(points)
    left = (h[1] - h[0]) / (points[1] - points[0])
    slope = (h[2] - h[1]) / (points[2] - points[1])
    gap = max(0.0, h[1] + left * (points[2] - points[1]) - h[2])
    offset = h[1] - slope * points[1] + gap + ROUNDING * h[2]
    return Line(float(slope), max(0.0, float(offset)))


def best_stakes(success: Floats, failure: Floats, line: Line) -> tuple[Floats, Floats]:
    """Return each λ with the greatest expected logarithm of the growth, and that logarithm."""
    stakes = STAKES / (line.slope + line.offset)
    wins, losses, rests = factors(line, stakes)
    neither = 1 - success - failure
    growth = np.outer(success, wins) + np.outer(failure, losses) + np.outer(neither, rests)
    return stakes[np.argmax(growth, axis=1)], growth.max(axis=1)


def factors(line: Line, stakes: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the logarithms of the growth by a success, by a failure, and by neither."""
    return (
        np.log1p(stakes * (1 - line.offset)),
        np.log1p(-stakes * (line.slope + line.offset)),
        np.log1p(-stakes * line.offset),
    )


class Wealth:
    """Logarithms of the wealth against a grid of levels, the claimed one among them.

    >>> from provedp.verify.notions.notions import ApproximateDP
    >>> wealth = Wealth(ApproximateDP(1.0))
    >>> wealth.expect(success=0.5, failure=0.07)
    >>> wealth.bet(successes=60, failures=5, runs=120)
    >>> wealth.refuted(0.05), wealth.lower_bound(0.05) > 1
    (True, True)
    """

    def __init__(self, claim: PrivacyNotion, logs: Sequence[float] | None = None):
        level = claim.level
        spread = np.concatenate([np.linspace(0, 1, 21), np.linspace(1, 2, 41)[1:], [2.5, 3, 4, 6]])
        self.levels: Floats = spread * level if level > 0 else np.linspace(0, 3, 61)
        self.claimed = 20 if level > 0 else 0
        self._claims = [claim.at(float(min(each, 35.0))) for each in self.levels]
        self._claims[self.claimed] = claim
        self.logs: Floats = np.zeros(len(self.levels)) if logs is None else np.array(logs)
        self.peaks: Floats = self.logs.copy()
        self._bets: list[tuple[Line, float]] = [(Line(1.0, 0.0), 0.0)] * len(self.levels)

    def expect(self, success: float, failure: float) -> None:
        """Choose all further stakes for these probabilities."""
        check_argument("Wealth.expect", "success", reals(0, 1), success)
        check_argument("Wealth.expect", "failure", reals(0, 1), failure)
        lines = [line_above(claim, failure) for claim in self._claims]
        self._bets = [
            (line, float(best_stakes(np.array([success]), np.array([failure]), line)[0][0]))
            for line in lines
        ]

    def bet(self, successes: int, failures: int, runs: int) -> None:
        """Multiply the wealth by the outcome of runs."""
        rest = runs - successes - failures
        for index, (line, stake) in enumerate(self._bets):
            win, loss, neither = (float(each[0]) for each in factors(line, np.array([stake])))
            self.logs[index] += successes * win + failures * loss + rest * neither
        self.peaks = np.maximum(self.peaks, self.logs)

    def refuted(self, alpha: float) -> bool:
        """Return whether the wealth against the claim ever reached 1/α."""
        return bool(self.peaks[self.claimed] >= -math.log(alpha))

    def lower_bound(self, alpha: float) -> float:
        """Return the highest level such that it and all lower ones are refuted; 0 says nothing."""
        reached = self.peaks >= -math.log(alpha)
        count = int(np.argmin(reached)) if not reached.all() else len(reached)
        return float(self.levels[count - 1]) if count else 0.0
