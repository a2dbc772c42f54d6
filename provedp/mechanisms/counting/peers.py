"""Other private releases of a count with consistent output, all with δ = 0."""

from typing import Any, final

from provedp.mechanisms.counting.base import CountMechanism
from provedp.theory.counting import (
    exponential_mechanism_matrix,
    randomized_response_matrix,
    rounded_laplace_matrix,
    truncated_geometric_matrix,
)
from provedp.theory.matrices import Matrix


class _PureCountMechanism(CountMechanism):
    """A mechanism with δ = 0."""

    def __init__(self, m: int, epsilon: Any, first: int = 0):
        super().__init__(m, epsilon, 0, first)


@final
class TruncatedGeometric(_PureCountMechanism):
    """Two-sided geometric noise, then the nearest possible count.

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


@final
class RandomizedResponse(_PureCountMechanism):
    """The true count with the largest probability that privacy allows, else any other one.

    Its law protects any two counts from each other, not only neighbouring ones.

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


@final
class RoundedLaplace(_PureCountMechanism):
    """Laplace noise of scale 1/ε, then the nearest possible count, drawn from its exact law.

    The law needs r = e^(ε/2) to be rational: `ratio` is r² with 2 ln r ≤ ε.

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


@final
class ExponentialMechanism(_PureCountMechanism):
    """Exponential mechanism with the utility −|released − true|.

    The law needs r = e^(ε/2) to be rational: `ratio` is r² with 2 ln r ≤ ε.

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
