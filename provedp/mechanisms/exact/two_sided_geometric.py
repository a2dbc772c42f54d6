"""Two-sided geometric noise on integers, drawn exactly: what pure ε needs."""

from collections.abc import Iterable
from fractions import Fraction
from math import log1p, sqrt

from flint import arb, ctx

from provedp.mechanisms.exact.sampling import ByteSource, random_bits
from provedp.theory.numbers import ball

__all__ = ["TwoSidedGeometric"]

FIRST_BITS = 128  # of a uniform number; more are drawn until the rounding is decided
MORE_BITS = 64
GUARD = 64  # bits of working precision beyond those of the uniform number and of the ratio


class TwoSidedGeometric:
    """Draws n with probability (k − 1)/(k + 1) k^(−|n|), with exactly that law.

    One step of an integer changes the probability of any result by the factor k at most: noise on
    integers that one record moves by S in all costs k^S. Of a uniform number V and a fair sign, |n|
    is ⌊ln(V (1 + 1/k)/2)/ln(1/k)⌋: it is at least n ≥ 1 where V ≤ 2 k^(−n)/(1 + 1/k). The bits of V
    are drawn until ball arithmetic decides the floor; how many does not depend on the integer.

    `added_to` is where mechanisms let integers meet this noise, so that `verify.spending` sees
    every one.

    Parameters
    ----------
    ratio
        k > 1.

    Source: Ghosh, Roughgarden and Sundararajan, "Universally utility-maximizing privacy mechanisms"
    (2009), for the law.

    >>> noise = TwoSidedGeometric(Fraction(3, 2))
    >>> all(abs(step) < 300 for step in noise.added_to([0] * 5))
    True
    """

    def __init__(self, ratio: Fraction):
        if not ratio > 1:
            raise ValueError(f"TwoSidedGeometric: 'ratio' must be above 1; got {ratio}.")
        self.ratio = Fraction(ratio)
        self._guard = GUARD + 2 * self.ratio.numerator.bit_length()
        self._constants: dict[int, tuple[arb, arb]] = {}

    @property
    def deviation(self) -> float:
        """Standard deviation √(2k)/(k − 1)."""
        return sqrt(2 * float(self.ratio)) / float(self.ratio - 1)

    @property
    def rate(self) -> float:
        """γ = ln k."""
        return log1p(float(self.ratio - 1))

    def draw(self, rng: ByteSource | None = None) -> int:
        """Return one draw: secret without `rng`, else replayable."""
        drawn = random_bits(FIRST_BITS, rng)
        bits, uniform = FIRST_BITS - 1, drawn >> 1
        while (size := self._size(uniform, bits)) is None:
            uniform = (uniform << MORE_BITS) | random_bits(MORE_BITS, rng)
            bits += MORE_BITS
        return -size if drawn & 1 else size

    def added_to(self, exact: Iterable[int], rng: ByteSource | None = None) -> list[int]:
        """Return integers, each with a draw of its own added."""
        return [int(value) + self.draw(rng) for value in exact]

    def _size(self, uniform: int, bits: int) -> int | None:
        """Return |n| for all V in [uniform, uniform + 1] · 2^(−bits), if it is one number."""
        with ctx.workprec(bits + self._guard):
            scale, rate = self._at(bits)
            found = (scale - arb(2 * uniform + 1, 1).log()) / rate
            whole = found.floor().unique_fmpz() if found.is_finite() else None
        return None if whole is None else int(whole)

    def _at(self, bits: int) -> tuple[arb, arb]:
        """Return ln(2^(bits + 1) · 2/(1 + 1/k)) and ln k."""
        if bits not in self._constants:
            k = ball(self.ratio)
            self._constants[bits] = (arb(2) ** (bits + 2) * k / (k + 1)).log(), k.log()
        return self._constants[bits]
