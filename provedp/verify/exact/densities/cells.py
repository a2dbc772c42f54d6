"""Two densities on a finite part of the line, cut into cells without breaks."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import acb, arb

from provedp.theory.numbers import ball, certainly
from provedp.verify.exact.densities.density import Density, Function, integral

TOLERANCE = 1e-6  # of an integral, as a part of the width
POINTS = 8  # in a cell at which a density is looked at first
MOST_DOUBLINGS = 256  # of the range that holds all but a small part of both laws


@dataclass(frozen=True)
class Cell:
    """An interval without breaks, and what both densities are there; None stands for 0."""

    low: Fraction
    high: Fraction
    p: Function | None
    q: Function | None

    @property
    def length(self) -> arb:
        """Its length."""
        return ball(self.high - self.low)

    def halves(self) -> Iterator["Cell"]:
        """Yield the lower and the upper half."""
        middle = (self.low + self.high) / 2
        yield Cell(self.low, middle, self.p, self.q)
        yield Cell(middle, self.high, self.p, self.q)

    def continues_in(self, other: "Cell") -> bool:
        """Return whether the other one follows, with the same functions."""
        return self.high == other.low and self.p is other.p and self.q is other.q

    def gap(self, k: arb) -> Function:
        """Return p − k q."""
        p, q = self.p, self.q
        return lambda z, analytic: _value(p, z, analytic) - k * _value(q, z, analytic)

    def range_of_gap(self, k: arb) -> arb:
        """Return a ball with all values of p − k q."""
        whole = acb(ball(self.low).union(ball(self.high)))
        return self.gap(k)(whole, False).real

    def integral(self, function: Function, tolerance: float) -> arb:
        """Return a ball with the integral of a function over the cell."""
        return integral(function, ball(self.low), ball(self.high), tolerance)


def _require_no_negative(function: Function, low: Fraction, high: Fraction) -> None:
    """Look at a few points; an error of the function is its own here, not that of the integral."""
    for step in range(1, 2 * POINTS, 2):
        point = low + (high - low) * step / (2 * POINTS)
        value = function(acb(ball(point)), False).real
        if certainly(value < 0):
            raise ValueError(f"A density must not be negative. Got {value} at {float(point):g}.")


def _value(function: Function | None, z: acb, analytic: bool) -> acb:
    return acb(0) if function is None else function(z, analytic)


class Line:
    """A finite part of the line that holds all but a small part of both laws, cut into cells."""

    def __init__(self, first: Density, second: Density, width: float):
        self._laws, self._width = (first, second), width
        self._masses = [arb(0), arb(0)]
        self.cells: list[Cell] = []
        breaks = sorted(first.breaks | second.breaks) or [Fraction(0)]
        for low, high in pairwise(breaks):
            self._add(low, high)
        ends = [end for law in self._laws for end in law.ends]
        reach = Fraction(0)
        for doubling in range(MOST_DOUBLINGS):
            if math.inf not in map(abs, ends) or all(map(self._is_whole, self._masses)):
                break
            inner, reach = reach, Fraction(2**doubling)
            if -math.inf in ends:
                self._add(breaks[0] - reach, breaks[0] - inner)
            if math.inf in ends:
                self._add(breaks[-1] + inner, breaks[-1] + reach)
        for name, mass in zip(("first", "second"), self._masses, strict=True):
            self._require_whole(name, mass)
        self.cells.sort(key=lambda cell: cell.low)

    @property
    def swapped(self) -> list[Cell]:
        """The cells with the laws in the other order."""
        return [Cell(cell.low, cell.high, cell.q, cell.p) for cell in self.cells]

    def outside(self, law: int) -> arb:
        """Return a ball with the mass of a law outside the cells."""
        if math.inf not in map(abs, self._laws[law].ends):
            return arb(0)
        return (1 - self._masses[law]).nonnegative_part()

    def _add(self, low: Fraction, high: Fraction) -> None:
        p, q = (law.function_on(low, high) for law in self._laws)
        cell = Cell(low, high, p, q)
        self.cells.append(cell)
        for law, function in enumerate((p, q)):
            if function is not None:
                _require_no_negative(function, low, high)
                self._masses[law] += cell.integral(function, self._width * TOLERANCE)

    def _is_whole(self, mass: arb) -> bool:
        return certainly(1 - mass <= arb(self._width / 8))

    def _require_whole(self, name: str, mass: arb) -> None:
        if certainly(mass > 1) or not self._is_whole(mass):
            reach = f"[{float(self.cells[0].low):g}, {float(self.cells[-1].high):g}]"
            raise ValueError(
                f"The '{name}' parameter of audit_density must be a density that integrates to 1."
                f" Got a mass of {mass} in {reach} instead."
            )
