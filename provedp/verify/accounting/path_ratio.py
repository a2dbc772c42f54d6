"""The whole privacy profile of a mechanism on consecutive inputs, inverted exactly."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from provedp.theory.domain import StochasticMatrix, check_argument, reals
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Field, Number, rational
from provedp.theory.privacy.testing import privacy_profile

WHERE = "privacy.least_path_ratio"
DELTA = reals(0, 1, open_high=True)


def least_path_ratio(mechanism: Matrix, delta: Number) -> Fraction | None:
    """Return the least k ≥ 1 for which a mechanism on consecutive inputs is (ln k, δ)-private.

    Parameters
    ----------
    mechanism
        Row-stochastic matrix of exact numbers; row i is the law of the output for input i.
    delta
        δ in [0, 1), exact.

    Returns
    -------
    k, or None if some output has a probability above δ for one row and 0 for its neighbour.

    Raises
    ------
    ValueError
        If the matrix is not row-stochastic or has one row, or δ is outside its range.

    >>> str(least_path_ratio([[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]],
    ...     Fraction(1, 6)))
    '3/2'
    """
    rows = check_argument(WHERE, "mechanism", StochasticMatrix(square=False), mechanism)
    check_argument(WHERE, "delta", DELTA, delta)
    if len(rows) < 2:
        raise ValueError("A matrix with one row has no neighbouring rows.")
    exact = matrix(rows, Field.RATIONAL)
    ratios = [_least_ratio(p, q, rational(delta)) for p, q in _neighbours(exact)]
    known = [ratio for ratio in ratios if ratio is not None]
    return max(known) if len(known) == len(ratios) else None


def _neighbours(rows: Matrix) -> Iterable[tuple[Matrix, Matrix]]:
    for low, high in pairwise(rows):
        yield low, high
        yield high, low


def _least_ratio(p: Matrix, q: Matrix, delta: Fraction) -> Fraction | None:
    """Return the least k ≥ 1 with E_k(p ‖ q) ≤ δ, from the corners of the profile."""
    corners = privacy_profile(p, q)
    if corners[-1][1] > delta:
        return None
    for (left, high), (right, low) in pairwise(corners):
        if high > delta >= low:
            crossing = left + (high - delta) / (high - low) * (right - left)
            return max(Fraction(1), rational(crossing))
    return Fraction(1)
