"""The optimal consistent release of a count, for any number of counts."""

import functools
from fractions import Fraction
from typing import final

from provedp.mechanisms.counting.base import CountMechanism
from provedp.mechanisms.exact.geometric import Geometric
from provedp.mechanisms.exact.sampling import ByteSource, uniform_below
from provedp.theory.counting import alpha_closed_form, error, release_matrix
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number, ball


@final
class OptimalCount(CountMechanism):
    """The canonical optimal release P*: no consistent private one has a smaller worst-case error.

    A draw follows the law without writing it down: with probability δ the count itself, else a step
    around the circle of counts whose length is geometric. Its cost depends on the bits of m and of
    k alone; the random numbers that it takes are the same for every count, and the same in number,
    but for tries that are refused, for every step.

    Parameters
    ----------
    m, epsilon, delta, first
        As for `CountMechanism`. `law` writes m² fractions; a release does not need them.

    Source: counting paper, Theorem 1.

    >>> mechanism = OptimalCount(8, "ln(2)")
    >>> mechanism.ratio, mechanism.worst_case_error
    (Fraction(2, 1), Fraction(29, 45))
    """

    claim = "counting.canonical_release_is_private"

    def _matrix(self) -> Matrix:
        return release_matrix(self.m, self.ratio, self.delta)

    def _error(self, root: Number) -> Number:
        if isinstance(root, Fraction):
            return error(self.m, root, self.delta)
        return ball(1 - self.delta) * (1 - alpha_closed_form(self.m, root))

    def _drawn(self, row: int, rng: ByteSource | None) -> int:
        """Return the column of one draw, without the law; the step is drawn in any case."""
        revealed = uniform_below(self.delta.denominator, rng) < self.delta.numerator
        step = self.accepted(lambda: self._step(rng))
        return row if revealed else (row + step) % self.m

    def _step(self, rng: ByteSource | None) -> int | None:
        """Return ±d with probability proportional to k^(−d), every place once; None if refused.

        Backwards, d + 1 is a factor 1/k less likely than d forwards, for d ∈ {0, …, ⌈m/2⌉ − 1};
        if m is odd, the last place is the same both ways, and backwards it is refused.
        """
        if self.ratio == 1:
            return uniform_below(self.m, rng)
        numerator, denominator = self.ratio.as_integer_ratio()
        backwards = uniform_below(numerator + denominator, rng) < denominator
        distance = self._distances.draw(rng)
        places = self.m // 2 if backwards else (self.m + 1) // 2
        if distance >= places:
            return None
        return -distance - 1 if backwards else distance

    @functools.cached_property
    def _distances(self) -> Geometric:
        return Geometric(self.ratio, ((self.m - 1) // 2).bit_length())
