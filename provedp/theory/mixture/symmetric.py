"""Symmetric positive definite and semidefinite matrices as arguments."""

from dataclasses import dataclass
from typing import Any

import flint
import numpy as np
from flint import arb, fmpq

from provedp.theory.domain import SquareMatrix, require
from provedp.theory.matrices import Matrix, entries, fmpq_matrix
from provedp.theory.numbers import Field, Number, ball, common_field

SLACK = 1e-9  # of the largest eigenvalue: what rounding may do to a semidefinite matrix of floats


@dataclass(frozen=True)
class Definite(SquareMatrix):
    """Symmetric matrices with positive eigenvalues (or none negative, if `semi`).

    Exact numbers are decided exactly and balls by what is certain; floats by their eigenvalues, a
    semidefinite one up to rounding.
    """

    semi: bool = False

    def read(self, value: Any) -> Matrix:
        """Return `value` as a matrix."""
        result = super().read(value)
        field = common_field(entries(result))
        require(field < Field.SYMBOL, "a symbolic matrix")
        require(_is_symmetric(result), "a matrix that is not symmetric")
        inside = self._of_floats(result) if field is Field.FLOAT else self._of_signs(result)
        require(inside, f"a matrix that is not positive {'semi' if self.semi else ''}definite")
        return result

    def __str__(self) -> str:
        return f"a symmetric positive {'semi' if self.semi else ''}definite matrix"

    def _of_floats(self, values: Matrix) -> bool:
        roots = np.linalg.eigvalsh(values)
        return bool(roots[0] >= -SLACK * abs(roots[-1]) if self.semi else roots[0] > 0)

    def _of_signs(self, values: Matrix) -> bool:
        """Decide by det(x + A) = Π (x + λ), which has positive coefficients if all λ are."""
        signed = [(-1) ** k * c for k, c in enumerate(reversed(_characteristic(values)))]
        return not any(c < 0 if self.semi else c <= 0 for c in signed)


def ball_matrix(values: Matrix) -> flint.arb_mat:
    """Return a matrix of numbers as a flint matrix of balls."""
    rows, columns = values.shape
    return flint.arb_mat(rows, columns, [ball(entry) for entry in entries(values)])


def trace_of_quotient(denominator: Matrix, numerator: Matrix) -> arb:
    """Return tr(A⁻¹ B) as a ball.

    Raises
    ------
    ValueError
        If A cannot be inverted at flint's current precision.
    """
    try:
        quotient = ball_matrix(denominator).solve(ball_matrix(numerator))
    except ZeroDivisionError:
        raise ValueError("a matrix too near to a singular one at this precision") from None
    return sum((quotient[i, i] for i in range(quotient.nrows())), start=arb(0))


def _is_symmetric(values: Matrix) -> bool:
    pairs = zip(values.ravel(), values.T.ravel(), strict=True)
    return all(_may_be_equal(a, b) for a, b in pairs)


def _may_be_equal(left: Number, right: Number) -> bool:
    return left.overlaps(ball(right)) if isinstance(left, arb) else bool(left == right)


def _characteristic(values: Matrix) -> list[fmpq] | list[arb]:
    exact = common_field(entries(values)) <= Field.FLINT
    polynomial = (fmpq_matrix(values) if exact else ball_matrix(values)).charpoly()
    coefficients: list[fmpq] | list[arb] = polynomial.coeffs()
    return coefficients
