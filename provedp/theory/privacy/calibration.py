"""Least amounts of noise: certified to meet a target, with how close the next smaller one is."""

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from provedp.theory.domain import Reals
from provedp.theory.numbers import Number, ball, dyadic, rational

FIRST_BITS = 128  # of working precision: decides all but near ties
MOST_BITS = 1 << 14  # after which two numbers are taken for equal, and a target for missed

LARGEST = 10**12  # ε, sensitivity or shift: far beyond use, and within the range of floats
SHARP_BITS = 48  # relative accuracy of the δ that is returned

DeltaAt = Callable[[Any], arb]


@dataclass(frozen=True)
class Exact(Reals):
    """Real numbers that are read exactly; of a ball, the end on the side of privacy counts."""

    upward: bool = False

    def read(self, value: Any) -> Fraction:
        """Return `value` as a fraction."""
        inside = super().read(value)
        if isinstance(inside, arb):
            return dyadic(inside.upper() if self.upward else inside.lower())
        return rational(inside)


@dataclass(frozen=True)
class PositiveDelta(Exact):
    """Values of δ in (0, 1), and why 0 is not among them."""

    low: Number | None = 0
    high: Number | None = 1
    open_low: bool = True
    open_high: bool = True
    reason: str = ""

    def __str__(self) -> str:
        return f"{super().__str__()} ({self.reason})"


EPSILON = Exact(0, LARGEST)
DELTA = Exact(0, 1, open_high=True)
GAUSSIAN_DELTA = PositiveDelta(reason="no Gaussian noise gives δ = 0")
SENSITIVITY = Exact(0, LARGEST, open_low=True, upward=True)


@dataclass(frozen=True, eq=False)
class Calibration:
    """The least noise that meets a target (ε, δ), and proof that the next smaller one does not.

    Parameters
    ----------
    value
        The number that was sought: an integer, or a float (a dyadic number).
    delta_at_value
        Ball that contains the exact δ at `value`; all of it is at most the target.
    neighbour
        The next number on the side of less privacy; None at the end of the range.
    delta_at_neighbour
        Ball that contains the exact δ there; all of it exceeds the target. None at the end.
    """

    value: Any
    delta_at_value: arb
    neighbour: Any
    delta_at_neighbour: arb | None


def calibrated_float(delta_at: DeltaAt, target: Fraction, guess: float, sign: int) -> Calibration:
    """Return the positive float nearest to breaking the target, for δ monotone in it.

    Parameters
    ----------
    delta_at
        Float ↦ ball that contains δ there, at flint's current precision.
    target
        The δ that must not be exceeded.
    guess
        Where to start.
    sign
        +1 if larger floats are more private, −1 if smaller ones are.

    Raises
    ------
    ValueError
        If no positive float meets the target.
    """
    best = _edge(lambda place: _meets(delta_at, _float(place), target), _place(guess), sign)
    value, other = _float(best), _float(best - sign)
    return Calibration(
        value, _sharp(delta_at, value, target), other, _sharp(delta_at, other, target)
    )


def calibrated_integer(delta_at: DeltaAt, target: Fraction, guess: int, low: int) -> Calibration:
    """Return the least integer ≥ low that meets the target, for δ that falls with it."""
    if _meets(delta_at, low, target):
        return Calibration(low, _sharp(delta_at, low, target), None, None)
    best = _edge(lambda value: value > low and _meets(delta_at, value, target), guess, 1)
    return Calibration(
        best, _sharp(delta_at, best, target), best - 1, _sharp(delta_at, best - 1, target)
    )


def solution(increasing: Callable[[float], float], low: float, high: float) -> float:
    """Return where an increasing function of floats changes sign, for a guess, by bisection.

    The bisection is of the logarithm: 0 < low < high.
    """
    for _ in range(BISECTIONS):
        middle = math.sqrt(low) * math.sqrt(high)
        low, high = (low, middle) if increasing(middle) > 0 else (middle, high)
    return low


BISECTIONS = 70  # an interval of 1e±300 shrinks below the rounding of a float


def log_of(value: Number) -> float:
    """Return ln of a positive number, also of fractions too small for a float."""
    return float(ball(value).log().mid())


def _meets(delta_at: DeltaAt, value: Any, target: Fraction) -> bool:
    """Return whether δ is certainly at most the target; a tie that no precision decides is not."""
    bits = FIRST_BITS
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            delta, bound = delta_at(value), ball(target)
            if delta <= bound:
                return True
            if delta > bound:
                return False
        bits *= 2
    return False


def _sharp(delta_at: DeltaAt, value: Any, target: Fraction) -> arb:
    """Return δ with at least the digits that a float has and that tell it from the target."""
    bits = FIRST_BITS
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            delta = delta_at(value)
            decided = not delta.overlaps(ball(target))
        if delta.is_exact() or (decided and delta.rel_accuracy_bits() >= SHARP_BITS):
            break
        bits *= 2
    return delta


def _edge(private: Callable[[int], bool], guess: int, sign: int) -> int:
    """Return the place that is private and whose neighbour against `sign` is not."""
    good, step = guess, 1
    while not private(good):
        good, step = good + sign * step, 2 * step
    bad, step = good - sign, 1
    while private(bad):
        good, bad, step = bad, bad - sign * step, 2 * step
    while abs(good - bad) > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if private(middle) else (good, middle)
    return good


def _place(value: float) -> int:
    """Return the rank of a positive float among the positive floats."""
    rank: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return rank


def _float(place: int) -> float:
    if not 0 < place < _place(math.inf):
        raise ValueError("No positive float meets the target.")
    value: float = struct.unpack("<d", struct.pack("<q", place))[0]
    return value
