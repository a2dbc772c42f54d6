"""The optimal consistent release of a count, for any number of counts."""

import functools
from fractions import Fraction
from typing import final

from provedp.mechanisms.counting.base import CountMechanism
from provedp.mechanisms.exact.sampling import ByteSource, uniform_below
from provedp.theory.counting import error, release_matrix
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import rational


@final
class OptimalCount(CountMechanism):
    """The canonical optimal release P*: no consistent private one has a smaller worst-case error.

    A draw follows the law without writing it down: with probability δ the count itself, else a step
    around the circle of counts whose length is geometric. It takes about 1/ε random numbers, and
    how many does not depend on the count.

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

    @functools.cached_property
    def worst_case_error(self) -> Fraction:
        """The exact largest probability, over all counts, that what arrives is not the count."""
        return rational(error(self.m, self.ratio, self.delta))

    def noisy(self, row: int, rng: ByteSource | None) -> int:
        """Return one draw from a row of the law, without the law."""
        if uniform_below(self.delta.denominator, rng) < self.delta.numerator:
            return self.first + row
        return self.first + (row + self._step(rng)) % self.m

    def _step(self, rng: ByteSource | None) -> int:
        """Return ±d with probability proportional to k^(−d), every place once."""
        if self.ratio == 1:
            return uniform_below(self.m, rng)
        while (step := self.tried(rng)) is None:
            pass
        return step

    def tried(self, rng: ByteSource | None) -> int | None:
        """Return a step, or None where the try is refused and another one follows."""
        distance = self._geometric(rng)
        backwards = uniform_below(2, rng) == 1
        # There is one way to distance 0, and to m/2 if m is even: its other sign is refused.
        one_way = distance == 0 or 2 * distance == self.m
        if 2 * distance > self.m or (backwards and one_way):
            return None
        return -distance if backwards else distance

    def _geometric(self, rng: ByteSource | None) -> int:
        """Return d with probability proportional to k^(−d), or ⌊m/2⌋ + 1 for all larger ones."""
        distance = 0
        while 2 * distance <= self.m and self._goes_on(rng):
            distance += 1
        return distance

    def _goes_on(self, rng: ByteSource | None) -> bool:
        """Return true with probability 1/k."""
        return uniform_below(self.ratio.numerator, rng) < self.ratio.denominator
