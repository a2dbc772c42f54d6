"""Neighbouring data and pools of starts on which the scores move in many directions at once."""

from dataclasses import dataclass
from fractions import Fraction

from provedp.theory import modes
from provedp.theory.numbers import Number

Q = Fraction


@dataclass(frozen=True)
class Pool:
    """m − 1 records at 0, one that moves, and starts, all on the first axis of d dimensions."""

    m: int
    clip: Fraction
    floor: Fraction
    record: Fraction
    other: Fraction
    starts: tuple[Fraction, ...]
    d: int = 1
    order: int = 1

    def points(self) -> list[list[Fraction]]:
        """Return the starts as points."""
        return [self._on_axis(start) for start in self.starts]

    def data(self, last: Fraction) -> list[list[Fraction]]:
        """Return the records, the last one at this place."""
        return [self._on_axis(Q(0))] * (self.m - 1) + [self._on_axis(last)]

    def score_shift(self) -> Number:
        """Return how far the scores move in units of the noise of correlation K, at h = 1."""
        first, second = (
            modes.stabilised_score(
                self.points(), self.data(last), Q(1), self.clip, self.floor, self.order
            )
            for last in (self.record, self.other)
        )
        return modes.pool_shift(first - second, self.points(), Q(1))

    def part_shifts(self) -> tuple[Number, Number]:
        """Return how far the density and its gradient move, each in units of K, at h = 1."""
        points, before, after = self.points(), self.data(self.record), self.data(self.other)
        rises = modes.density(points, before, Q(1), self.order)
        rises = rises - modes.density(points, after, Q(1), self.order)
        padded = [[rise] + [0 * rise] * (self.d - 1) for rise in rises]
        slopes = modes.density_gradient(points, before, Q(1), self.order)
        slopes = slopes - modes.density_gradient(points, after, Q(1), self.order)
        return modes.pool_shift(padded, points, Q(1)), modes.pool_shift(slopes, points, Q(1))

    def _on_axis(self, place: Fraction) -> list[Fraction]:
        return [place] + [Q(0)] * (self.d - 1)


def symmetric(gap: Fraction) -> tuple[Fraction, ...]:
    """Return three starts: 0 and one at this distance on either side."""
    return (-gap, Q(0), gap)


STEEPEST = {1: Q(2419707245, 10**10), 2: Q(965323526, 10**10), 3: Q(385108382, 10**10)}  # ≈ G_K
SADDLE = Q(12131, 10**4)  # 2 e^(−1/2): from there on the clip saturates at 2 e^(−1/2)/m


def saturated(m: int, d: int = 1, gap: Fraction | None = None) -> Pool:
    """Return a pool whose middle score flips from A/p_floor to −A/p_floor while others stay."""
    place = SADDLE / m if gap is None else gap
    return Pool(m, STEEPEST[d] / m, Q(1, 2), Q(1), Q(-1), symmetric(place), d)


FEWEST_STARTS = Pool(10, Q(24, 1000), Q(1, 2), Q(93, 100), Q(-93, 100), symmetric(Q(1324, 10**4)))
FEWEST_RECORDS = Pool(
    8, Q(9, 100), Q(50), Q(95, 100), Q(-95, 100), tuple(Q(i, 20) for i in range(-60, 61))
)
