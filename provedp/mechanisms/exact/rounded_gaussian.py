"""Gaussian noise on integers, drawn exactly: the normal law, rounded to the nearest integer."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

from flint import arb, ctx

from provedp.mechanisms.exact.sampling import ByteSource, random_bits
from provedp.theory.numbers import ball

__all__ = ["RoundedGaussian"]

FIRST_BITS = 128  # of a uniform number; more are drawn until the rounding is decided
MORE_BITS = 64
GUARD = 64  # bits of working precision beyond those of the uniform number and of σ

Group = TypeVar("Group")


class RoundedGaussian:
    """Draws ⌊σ Z + ½⌋ for a standard normal Z, with exactly that law.

    For an integer x, x + ⌊σZ + ½⌋ = ⌊x + σZ + ½⌋ is a function of x + σZ: adding this noise to
    integers is Gaussian noise, post-processed, and has the privacy of Gaussian noise. Z is the
    quantile of a uniform number whose bits are drawn until all quantiles that are still possible
    round to one integer, which ball arithmetic decides; how many are drawn does not depend on x.

    `added_to` and `added_to_occupied` are where mechanisms let numbers meet Gaussian noise, so that
    `verify.spending` sees every one.

    Parameters
    ----------
    sigma
        σ > 0.

    Source: ours.

    >>> noise = RoundedGaussian(Fraction(3))
    >>> all(abs(step) < 60 for step in noise.added_to([0] * 5))
    True
    """

    def __init__(self, sigma: Fraction):
        if not sigma > 0:
            raise ValueError(f"RoundedGaussian: 'sigma' must be a positive number; got {sigma}.")
        self.sigma = Fraction(sigma)
        self._guard = GUARD + max(0, int(self.sigma).bit_length())

    def draw(self, rng: ByteSource | None = None) -> int:
        """Return one draw: secret without `rng`, else replayable."""
        bits, uniform = FIRST_BITS, random_bits(FIRST_BITS, rng)
        while (found := self._rounded(uniform, bits)) is None:
            uniform = (uniform << MORE_BITS) | random_bits(MORE_BITS, rng)
            bits += MORE_BITS
        return found

    def added_to(self, exact: Iterable[int], rng: ByteSource | None = None) -> list[int]:
        """Return integers, each with a draw of its own added."""
        return [int(value) + self.draw(rng) for value in exact]

    def added_to_occupied(
        self, counts: Mapping[Group, int], least: int, rng: ByteSource | None = None
    ) -> dict[Group, int]:
        """Return the noisy counts of groups with records, those alone that are at least `least`.

        How many are drawn depends on which groups hold records: what `least` adds to δ pays for it.
        """
        noisy = {group: int(count) + self.draw(rng) for group, count in counts.items()}
        return {group: count for group, count in noisy.items() if count >= least}

    def _rounded(self, uniform: int, bits: int) -> int | None:
        """Return the integer for all numbers in [uniform, uniform + 1] · 2^(−bits), if it is one.

        The quantile at u is √2 erf⁻¹(2u − 1).
        """
        with ctx.workprec(bits + self._guard):
            middle = arb(2 * uniform + 1 - (1 << bits)) * arb(2) ** -bits
            possible = arb(middle, arb(2) ** -bits)
            normal = arb(2).sqrt() * possible.erfinv()
            whole = (ball(self.sigma) * normal + ball(Fraction(1, 2))).floor().unique_fmpz()
        return None if whole is None else int(whole)
