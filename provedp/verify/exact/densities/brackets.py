"""∫ (p − k q)⁺ between certified ends: where the sign is decided, and bounds where it is not."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from provedp.theory.numbers import dyadic
from provedp.theory.privacy.functions import sqrt
from provedp.verify.accounting.composition import float_below
from provedp.verify.exact.densities.cells import TOLERANCE, Cell

SQUARES = 4  # halvings between bounds by squares
MOST_CELLS = 50_000


@dataclass(frozen=True)
class Bracket:
    """What is known of ∫ (p − k q)⁺ for one order of two laws."""

    lower: Fraction
    upper: Fraction
    intervals: tuple[tuple[float, float], ...]


@dataclass(frozen=True, order=True)
class Undecided:
    """A cell on which the sign of p − k q is not known; those with the widest bounds come first.

    `least` and `most` bound the integral of the positive part, `order_key` is their difference,
    negated, and `count` breaks ties.
    """

    order_key: float
    count: int
    depth: int
    least: float
    most: float
    cell: Cell = field(compare=False)


@dataclass
class SignSearch:
    """The sign of p − k q, cell by cell."""

    k: arb
    width: float
    strict: bool
    positive: list[Cell] = field(default_factory=list)
    undecided: list[Undecided] = field(default_factory=list)
    count: int = 0

    def look_at(self, cell: Cell, depth: int = 0) -> None:
        """Decide the sign on a cell, or bound what it adds."""
        self.count += 1
        gap = cell.range_of_gap(self.k)
        if gap > 0:
            self.positive.append(cell)
        elif not gap <= 0:
            least, most = 0.0, _at_most_one(cell.length * gap.nonnegative_part())
            if depth % SQUARES == 0 and most > self.width:
                least, most = self._from_squares(cell, most)
            undecided = Undecided(least - most, self.count, depth, least, most, cell)
            heapq.heappush(self.undecided, undecided)

    def _from_squares(self, cell: Cell, most: float) -> tuple[float, float]:
        """Bound ∫ f⁺ = ∫ (f + |f|)/2, from below by ∫ f, from above by (∫ |f|)² ≤ length ∫ f².

        This is sharp where f is 0 throughout, and nearly so where it is nearly constant.
        """
        gap, small = cell.gap(self.k), self.width * TOLERANCE
        total = cell.integral(gap, small)
        squares = cell.integral(lambda z, analytic: gap(z, analytic) ** 2, small * small)
        if not total.is_finite():
            return 0.0, most
        least = max(0.0, float_below(total))
        return least, min(most, _at_most_one((total + sqrt(cell.length * squares)) / 2))

    def refine(self) -> None:
        """Halve cells until the bounds of the undecided ones are as close as the width.

        If `strict`, until there are none, or some cell is positive.
        """
        while self._slack() > self._goal() and self.count < MOST_CELLS:
            widest = heapq.heappop(self.undecided)
            for half in widest.cell.halves():
                self.look_at(half, widest.depth + 1)

    def _goal(self) -> float:
        return 0.0 if self.strict and not self.positive else self.width

    def _slack(self) -> float:
        return -self.undecided[0].order_key * len(self.undecided) if self.undecided else 0.0

    def intervals(self) -> list[Cell]:
        """Return the intervals on which the sign is positive, cut at breaks only."""
        merged: list[Cell] = []
        for cell in sorted(self.positive, key=lambda cell: cell.low):
            if merged and merged[-1].continues_in(cell):
                merged.append(Cell(merged.pop().low, cell.high, cell.p, cell.q))
            else:
                merged.append(cell)
        return merged


def bracket(cells: Sequence[Cell], k: arb, outside: arb, width: float, delta: Fraction) -> Bracket:
    """Return the bracket of ∫ (p − k q)⁺ for the laws (p, q) of the cells.

    Parameters
    ----------
    cells
        All that is looked at.
    k
        A ball with e^ε.
    outside
        A ball with the mass of p elsewhere.
    width
        Of the bracket that is aimed at.
    delta
        The claim: at 0, no cell may stay undecided.
    """
    # Without tails, a claim of δ = 0 can be proved: no cell may be left.
    search = SignSearch(k, width / 4, strict=delta == 0 and outside == 0)
    for cell in cells:
        search.look_at(cell)
    search.refine()
    inside, rest = search.intervals(), search.undecided
    total = sum((each.integral(each.gap(k), width * TOLERANCE) for each in inside), start=arb(0))
    least = sum((arb(each.least) for each in rest), start=total)
    most = sum((arb(each.most) for each in rest), start=total + outside)
    event = [*inside, *(each.cell for each in rest if each.least > 0)]
    return Bracket(
        lower=max(Fraction(0), dyadic(least.lower())),
        upper=dyadic(most.upper()),
        intervals=_joined(sorted((float(each.low), float(each.high)) for each in event)),
    )


def _joined(intervals: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return intervals with those that touch made one."""
    joined: list[tuple[float, float]] = []
    for low, high in intervals:
        if joined and joined[-1][1] == low:
            low = joined.pop()[0]
        joined.append((low, high))
    return tuple(joined)


def _at_most_one(value: arb) -> float:
    """Return a float that is at least a non-negative number, or 1: no law has more mass."""
    return min(1.0, -float_below(-value)) if value.is_finite() else 1.0
