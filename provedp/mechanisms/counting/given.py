"""A release of a count by a matrix that is checked to be private before anything is released."""

from collections.abc import Iterable
from typing import Any

from provedp.mechanisms.counting.base import CountMechanism
from provedp.mechanisms.exact.parameters import ExactStochasticMatrix
from provedp.theory.domain import argument_error, check_argument
from provedp.theory.matrices import Matrix
from provedp.theory.privacy import Adjacency, Guarantee, hockey_stick


class MatrixRelease(CountMechanism):
    """Releases output j for count i with the probability P_ij of a matrix.

    The matrix is refused unless it is (ln k, δ)-private for all neighbours, which is decided
    exactly; then a draw takes as many comparisons as the number of counts has bits.

    Parameters
    ----------
    matrix
        Square stochastic matrix; row i is the law for count first + i. Floats are read as the
        dyadic numbers they are, and rows then divided by their exact sums.
    epsilon, delta, first
        As for `CountMechanism`.
    edges
        Pairs of neighbouring counts, numbered from 1; None: counts that differ by one. Every count
        must be in one: it would not be protected otherwise.

    Source: ours.

    >>> from fractions import Fraction as F
    >>> MatrixRelease([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], "ln(2)").worst_case_error
    Fraction(1, 3)
    """

    claim = "counting.matrix_release_is_private"

    def __init__(
        self,
        matrix: Any,
        epsilon: Any,
        delta: Any = 0,
        *,
        edges: Iterable[tuple[int, int]] | None = None,
        first: int = 0,
    ):
        name = type(self).__name__
        self._given: Matrix = check_argument(name, "matrix", ExactStochasticMatrix(), matrix)
        super().__init__(len(self._given), epsilon, delta, first)
        listed = [(i, i + 1) for i in range(1, self.m)] if edges is None else list(edges)
        self.edges = tuple(_edge(name, edge, self.m) for edge in listed)
        missing = set(range(1, self.m + 1)).difference(*self.edges)
        if missing:
            allowed = "pairs of neighbours in which every count is"
            raise argument_error(name, "edges", allowed, f"none with count {min(missing)}")
        for a, b in self.edges:
            for one, two in ((a, b), (b, a)):
                needed = hockey_stick(self._given[one - 1], self._given[two - 1], self.ratio)
                if needed > self.delta:
                    sought = f"private for ε = {self.epsilon} and δ = {self.delta}"
                    found = f"rows {one} and {two}, which need δ ≥ {float(needed):.6g}"
                    raise argument_error(name, "matrix", sought, found)

    def _matrix(self) -> Matrix:
        return self._given

    @property
    def guarantee(self) -> Guarantee:
        """What is promised, and the claim that proves it."""
        path = all(abs(a - b) == 1 for a, b in self.edges)
        return Guarantee(
            ratio=self.ratio,
            epsilon=self.epsilon,
            delta=self.delta,
            adjacency=Adjacency.NEIGHBOURING_COUNTS if path else Adjacency.JOINED_COUNTS,
            claim=self.claim,
        )


def _edge(where: str, edge: Any, m: int) -> tuple[int, int]:
    ends = tuple(edge) if isinstance(edge, (tuple, list)) else ()
    inside = len(ends) == 2 and all(type(end) is int and 1 <= end <= m for end in ends)
    if not inside or ends[0] == ends[1]:
        raise argument_error(where, "edges", f"pairs of two counts from 1 to {m}", repr(edge))
    return int(ends[0]), int(ends[1])
