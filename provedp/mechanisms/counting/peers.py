"""Other private releases of a count with consistent output, all with δ = 0."""

import functools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, final

from flint import arb, ctx

from provedp.mechanisms.counting.base import CountMechanism
from provedp.mechanisms.exact.geometric import CappedGeometric, Geometric, working_precision
from provedp.mechanisms.exact.inversion import Inversion
from provedp.mechanisms.exact.sampling import ByteSource, uniform_below
from provedp.theory.counting import (
    exponential_mechanism_matrix,
    exponential_total,
    geometric_entry,
    laplace_entry,
    randomized_response_matrix,
    response_entry,
    rounded_laplace_matrix,
    truncated_geometric_matrix,
)
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number, ball, rational


class _PureCountMechanism(CountMechanism):
    """A mechanism with δ = 0."""

    def __init__(self, m: int, epsilon: Any, first: int = 0):
        super().__init__(m, epsilon, 0, first)

    def _nearest(self, place: int) -> int:
        return min(max(place, 0), self.m - 1)


@final
class TruncatedGeometric(_PureCountMechanism):
    """Two-sided geometric noise, then the nearest possible count.

    The noise is drawn, in a cost of the bits of m and of k, and does not depend on the count.

    Parameters
    ----------
    m, epsilon, first
        As for `CountMechanism`.

    Source: reference [11] of the counting paper.

    >>> TruncatedGeometric(8, "ln(2)").worst_case_error
    Fraction(2, 3)
    """

    claim = "counting.truncated_geometric_is_private"

    def _matrix(self) -> Matrix:
        return truncated_geometric_matrix(self.m, self.ratio)

    def _error(self, root: Number) -> Number:
        return 1 - geometric_entry(root, 0, at_end=self.m == 2)

    def _drawn(self, row: int, rng: ByteSource | None) -> int:
        """Return row + d with probability k/(k + 1) and row − d − 1 else, or the nearest column."""
        numerator, denominator = self.ratio.as_integer_ratio()
        backwards = uniform_below(numerator + denominator, rng) < denominator
        distance = self._distances.draw(rng)
        return self._nearest(row - distance - 1 if backwards else row + distance)

    @functools.cached_property
    def _distances(self) -> CappedGeometric:
        return CappedGeometric(self.ratio, self.m - 1)


@final
class RandomizedResponse(_PureCountMechanism):
    """The true count with the largest probability that privacy allows, else any other one.

    Its law protects any two counts from each other, not only neighbouring ones. One uniform integer
    is drawn, which does not depend on the count.

    Parameters
    ----------
    m, epsilon, first
        As for `CountMechanism`.

    >>> RandomizedResponse(8, "ln(2)").worst_case_error
    Fraction(7, 9)
    """

    claim = "counting.randomized_response_is_private"

    def _matrix(self) -> Matrix:
        return randomized_response_matrix(self.m, self.ratio)

    def _error(self, root: Number) -> Number:
        return 1 - response_entry(self.m, root, same=True)

    def _drawn(self, row: int, rng: ByteSource | None) -> int:
        """Return the row with weight k, and each other one with weight 1."""
        same, other = self.ratio.as_integer_ratio()
        beyond = uniform_below(same + other * (self.m - 1), rng) - same
        return (row + max(0, 1 + beyond // other)) % self.m


@final
class RoundedLaplace(_PureCountMechanism):
    """Laplace noise of scale 1/ε, then the nearest possible count, drawn from its exact law.

    The law needs r = e^(ε/2) to be rational: `ratio` is r² with 2 ln r ≤ ε. The noise is drawn, in
    a cost of the bits of m and of k, and does not depend on the count.

    Parameters
    ----------
    m, epsilon, first
        As for `CountMechanism`.

    >>> RoundedLaplace(8, "ln(4)").worst_case_error
    Fraction(1, 2)
    """

    claim = "counting.rounded_laplace_is_private"
    roots = 2

    def _matrix(self) -> Matrix:
        return rounded_laplace_matrix(self.m, self._root)

    def _error(self, root: Number) -> Number:
        return 1 - laplace_entry(root, 0, at_end=self.m == 2)

    def _drawn(self, row: int, rng: ByteSource | None) -> int:
        """Return the row, or with probability 1/r the column nearest to row ± (d + 1)."""
        moved = uniform_below(self._root.numerator, rng) < self._root.denominator
        sign = 1 - 2 * uniform_below(2, rng)
        return self._nearest(row + sign * moved * (1 + self._distances.draw(rng)))

    @functools.cached_property
    def _distances(self) -> CappedGeometric:
        return CappedGeometric(self.ratio, self.m - 1)


@final
class ExponentialMechanism(_PureCountMechanism):
    """Exponential mechanism with the utility −|released − true|.

    The law needs r = e^(ε/2) to be rational: `ratio` is r² with 2 ln r ≤ ε. A draw tries steps from
    the count until one leads to a possible count. Fewer lead out of the range from its middle than
    from its ends, by a factor below 2: so many more are refused there that a try is accepted with
    the same probability for every count.

    Parameters
    ----------
    m, epsilon, first
        As for `CountMechanism`.

    Source: reference [17] of the counting paper.

    >>> ExponentialMechanism(3, "ln(4)").worst_case_error
    Fraction(1, 2)
    """

    claim = "counting.exponential_mechanism_is_private"
    roots = 2

    def _matrix(self) -> Matrix:
        return exponential_mechanism_matrix(self.m, self._root)

    def _error(self, root: Number) -> Number:
        return 1 - 1 / exponential_total(self.m, root, (self.m + 1) // 2)

    def _drawn(self, row: int, rng: ByteSource | None) -> int:
        """Return the column of one draw, without the law."""
        if self.ratio == 1:
            return uniform_below(self.m, rng)
        kept = _AsAtTheEnd(self._root, self.m, row)
        return self.accepted(lambda: self._column(row, kept, rng))

    def _column(self, row: int, kept: "_AsAtTheEnd", rng: ByteSource | None) -> int | None:
        """Return row + d with weight r^(−d), row − d − 1 with weight r^(−d − 1), or None."""
        numerator, denominator = self._root.as_integer_ratio()
        backwards = uniform_below(numerator + denominator, rng) < denominator
        distance, refused = self._distances.draw(rng), kept.draw(rng)
        column = row - distance - 1 if backwards else row + distance
        return None if refused or not 0 <= column < self.m else column

    @functools.cached_property
    def _distances(self) -> Geometric:
        return Geometric(self._root, (self.m - 1).bit_length())


class _AsAtTheEnd(Inversion):
    """Draws 0 with the probability that steps from a row have at the end, over their own.

    That of leading to a column is `exponential_total`, over what does not depend on the row.
    """

    def __init__(self, root: Fraction, m: int, row: int):
        self._root, self._m, self._row = root, m, row
        super().__init__()

    def cuts(self, bits: int) -> Sequence[arb]:
        """Return the probability of 0."""
        with ctx.workprec(working_precision(bits, self._root, self._m)):
            return [ball(self._share(ball(self._root)))]

    def probabilities(self) -> list[Fraction]:
        """Return both probabilities."""
        share = rational(self._share(self._root))
        return [share, 1 - share]

    def _share(self, root: Number) -> Number:
        end, here = (exponential_total(self._m, root, i) for i in (1, self._row + 1))
        return end / here
