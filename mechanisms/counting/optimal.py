"""The optimal consistent release of a count."""

from typing import final

from provedp.mechanisms.counting.base import CountMechanism
from provedp.theory.counting import release_matrix
from provedp.theory.matrices import Matrix


@final
class OptimalCount(CountMechanism):
    """The canonical optimal release P*: no consistent private one has a smaller worst-case error.

    Parameters
    ----------
    m, epsilon, delta, first
        As for `CountMechanism`.

    Source: counting paper, Theorem 1.

    >>> mechanism = OptimalCount(8, "ln(2)")
    >>> mechanism.ratio, mechanism.worst_case_error
    (Fraction(2, 1), Fraction(29, 45))
    """

    claim = "counting.canonical_release_is_private"

    def _matrix(self) -> Matrix:
        return release_matrix(self.m, self.ratio, self.delta)
