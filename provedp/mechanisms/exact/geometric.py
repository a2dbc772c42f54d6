"""Geometric noise, drawn exactly digit by digit, in a time that does not depend on its scale."""

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, ctx

from provedp.mechanisms.exact.inversion import GUARD, Inversion
from provedp.mechanisms.exact.sampling import ByteSource
from provedp.theory.numbers import ball

__all__ = ["CappedGeometric", "Geometric", "GeometricDigit", "IsBeyond", "working_precision"]

DIGIT_BITS = 8  # of a digit: a table of 255 numbers


class GeometricDigit(Inversion):
    """Draws c ∈ {0, …, size − 1} with probability proportional to k^(−unit·c).

    F(c) = (1 − k^(−unit·c)) / (1 − k^(−unit·size))

    Parameters
    ----------
    ratio
        k > 1.
    unit, size
        Positive integers; the number of passes is the same for all c if `size` is a power of two.
    """

    def __init__(self, ratio: Fraction, unit: int, size: int):
        self._ratio, self._unit, self._size = ratio, unit, size
        super().__init__()

    def cuts(self, bits: int) -> Sequence[arb]:
        """Return F(1), …, F(size − 1)."""
        with ctx.workprec(working_precision(bits, self._ratio, self._unit * self._size)):
            step = ball(self._ratio) ** -self._unit
            whole = 1 - step**self._size
            return [(1 - step**place) / whole for place in range(1, self._size)]

    def probabilities(self) -> list[Fraction]:
        """Return k^(−unit·c) over their sum."""
        step = 1 / self._ratio**self._unit
        weights = [step**place for place in range(self._size)]
        return [weight / sum(weights) for weight in weights]


class IsBeyond(Inversion):
    """Draws 1 with probability k^(−steps), that of a geometric number from `steps` on, and else 0.

    Parameters
    ----------
    ratio
        k > 1.
    steps
        An integer ≥ 0.
    """

    def __init__(self, ratio: Fraction, steps: int):
        self._ratio, self._steps = ratio, steps
        super().__init__()

    def cuts(self, bits: int) -> Sequence[arb]:
        """Return 1 − k^(−steps)."""
        with ctx.workprec(working_precision(bits, self._ratio, self._steps)):
            return [1 - ball(self._ratio) ** -self._steps]

    def probabilities(self) -> list[Fraction]:
        """Return both probabilities."""
        beyond = 1 / self._ratio**self._steps
        return [1 - beyond, beyond]


class Geometric:
    """Draws d ∈ {0, …, 2^bits − 1} with probability proportional to k^(−d).

    k^(−d) is the product of k^(−unit·c) over the digits c of d, so that digits are independent, and
    each is drawn by inversion. A draw takes one word of random bits and as many comparisons as a
    digit has bits, for each digit: ⌈bits/8⌉ words, whatever k is and whatever is drawn. More words
    are drawn with probability below 2^(−53) a digit. What its time tells is on the page of running
    times.

    Parameters
    ----------
    ratio
        k > 1.
    bits
        At least 0.

    Source: ours, after Canonne, Kamath and Steinke, "The discrete Gaussian for differential
    privacy" (NeurIPS 2020), whose digits are of one bit.

    >>> Geometric(Fraction(3, 2), 0).draw()
    0
    """

    def __init__(self, ratio: Fraction, bits: int):
        starts = range(0, bits, DIGIT_BITS)
        widths = [min(DIGIT_BITS, bits - start) for start in starts]
        self._digits = [
            (start, GeometricDigit(ratio, 1 << start, 1 << width))
            for start, width in zip(starts, widths, strict=True)
        ]

    def draw(self, rng: ByteSource | None = None) -> int:
        """Return one draw: secret without `rng`, else replayable."""
        drawn = 0
        for start, digit in self._digits:
            drawn |= digit.draw(rng) << start
        return drawn


class CappedGeometric:
    """Draws min(D, cap) for D ≥ 0 with P(D = d) = (1 − 1/k) k^(−d), and cap for k = 1.

    D is at least the next power of two with a probability of its own, and a `Geometric` number
    else; both are drawn in any case, so that a draw takes one word more than that.

    Parameters
    ----------
    ratio
        k ≥ 1.
    cap
        At least 0.

    >>> CappedGeometric(Fraction(1), 7).draw()
    7
    """

    def __init__(self, ratio: Fraction, cap: int):
        self._cap, self._unbounded, bits = cap, ratio == 1, cap.bit_length()
        if not self._unbounded:
            self._beyond, self._below = IsBeyond(ratio, 1 << bits), Geometric(ratio, bits)

    def draw(self, rng: ByteSource | None = None) -> int:
        """Return one draw: secret without `rng`, else replayable."""
        if self._unbounded:
            return self._cap
        beyond, below = self._beyond.draw(rng), self._below.draw(rng)
        return max(beyond * self._cap, min(below, self._cap))


def working_precision(bits: int, ratio: Fraction, exponent: int) -> int:
    """Return bits that outlast what 1 − k^(−n) loses for k near 1, and a power for a large n."""
    return bits + GUARD + 2 * ratio.numerator.bit_length() + exponent.bit_length()
