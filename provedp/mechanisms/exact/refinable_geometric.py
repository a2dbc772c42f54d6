"""Two-sided geometric noise of which a part can be taken off later, at no more than its cost."""

from collections.abc import Iterable
from fractions import Fraction

from provedp.mechanisms.exact.sampling import ByteSource, uniform_below
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric

__all__ = ["RefinableGeometric", "Refinable"]


class Refinable:
    """Noisy integers, and the less noisy ones that they were made from.

    Parameters
    ----------
    noisy
        What may be seen now, at the first ratio.
    refined
        What may be seen too, if the last ratio is paid for both.
    """

    def __init__(self, noisy: list[int], refined: list[int]):
        self.noisy = noisy
        self._refined = refined

    def refine(self) -> list[int]:
        """Return the less noisy integers."""
        return list(self._refined)


class RefinableGeometric:
    """Two-sided geometric noise of a ratio k₁, which can become that of a ratio k ≥ k₁.

    Noise with P(n) ∝ k₁^(−|n|) is the sum of noise with P(n) ∝ k^(−|n|) and of a number that is 0
    with probability p = (k/k₁) ((k₁ − 1)/(k − 1))², and else has the first law: their generating
    functions are equal. So the noisier integers are a function of the others and of fresh coins,
    and both together cost what the others cost.

    Parameters
    ----------
    first
        k₁ > 1.
    last
        k ≥ k₁.

    Source: F. Koufogiannis, S. Han and G. J. Pappas, "Gradual release of sensitive data under
    differential privacy" (2016), for Laplace noise; the discrete law is ours.

    >>> seen = RefinableGeometric(Fraction(3, 2), Fraction(1000)).added_to([0] * 5)
    >>> len(seen.noisy), all(abs(step) < 30 for step in seen.refine())
    (5, True)
    """

    def __init__(self, first: Fraction, last: Fraction):
        if not last >= first:
            raise ValueError(f"RefinableGeometric: 'last' must be at least {first}; got {last}.")
        self.first, self.last = TwoSidedGeometric(first), TwoSidedGeometric(last)
        self.unchanged = last / first * ((first - 1) / (last - 1)) ** 2

    def added_to(self, exact: Iterable[int], rng: ByteSource | None = None) -> Refinable:
        """Return integers with noise, each with draws of its own."""
        refined = [int(value) + self.last.draw(rng) for value in exact]
        return Refinable([value + self._more(rng) for value in refined], refined)

    def _more(self, rng: ByteSource | None) -> int:
        # Drawn in any case: how many random numbers there are does not tell which stay.
        more = self.first.draw(rng)
        stays = uniform_below(self.unchanged.denominator, rng) < self.unchanged.numerator
        return 0 if stays else more
