"""Matrices over any number field, as numpy arrays: float64 for floats, objects otherwise."""

import functools
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import numpy.typing as npt
import sympy

from provedp.theory.numbers import (
    Field,
    Number,
    common_field,
    flint_rational,
    lift,
    minimum,
    rational,
)

Matrix = npt.NDArray[Any]

ROW_SUM_TOLERANCE = 1e-9  # rows of floats: far above rounding, far below a wrong entry


def entries(values: Matrix) -> Iterable[Number]:
    """Return the entries of `values`, one by one."""
    return values.ravel().tolist() if values.dtype == np.float64 else values.ravel()


def matrix(rows: Any, field: Field | None = None) -> Matrix:
    """Return rows of numbers as an array over one field (their common one unless given).

    Raises
    ------
    ValueError
        If the rows are not equally long or there are none.
    """
    if isinstance(rows, np.ndarray) and rows.dtype == np.float64 and rows.size:
        if field in (None, Field.FLOAT):
            return rows
    table = rows if isinstance(rows, np.ndarray) else _table(rows)
    if table.size == 0:
        raise ValueError("rows of different or no length")
    target = common_field(table.ravel()) if field is None else field
    if target is Field.FLOAT:
        return np.array(table, dtype=np.float64)
    lifted = np.empty(table.shape, dtype=object)
    flat = table.ravel().tolist()
    done = target is Field.RATIONAL and set(map(type, flat)) == {Fraction}
    lifted.ravel()[:] = flat if done else [lift(entry, target) for entry in table.ravel()]
    return lifted


def _table(rows: Any) -> Matrix:
    listed = [list(row) for row in rows]
    widths = {len(row) for row in listed}
    if len(widths) != 1 or 0 in widths:
        raise ValueError("rows of different or no length")
    table = np.empty((len(listed), widths.pop()), dtype=object)
    for index, row in enumerate(listed):
        table[index, :] = row
    return table


def over_common_denominator(row: Iterable[Number]) -> tuple[list[int], int]:
    """Return exact numbers as integers over one positive denominator, the least one.

    >>> from fractions import Fraction as F
    >>> over_common_denominator([F(1, 2), F(1, 3), F(0)])
    ([3, 2, 0], 6)
    """
    exact = [rational(entry) for entry in row]
    below = [entry.denominator for entry in exact]
    denominator = math.lcm(*set(below))
    whole = [entry.numerator * (denominator // q) for entry, q in zip(exact, below, strict=True)]
    return whole, denominator


def identity(size: int, field: Field) -> Matrix:
    """Return the identity matrix over `field`."""
    return matrix([[int(i == j) for j in range(size)] for i in range(size)], field)


def circulant(first_row: list[Number]) -> Matrix:
    """Return the matrix whose entry (i, j) is first_row[(j − i) mod M]."""
    size = len(first_row)
    shift = (np.arange(size)[None, :] - np.arange(size)[:, None]) % size
    row = matrix([first_row])[0]
    result: Matrix = row[shift]
    return result


def product(left: Matrix, right: Matrix) -> Matrix:
    """Return left · right for matrices over one field; rationals are multiplied by flint."""
    if common_field(left.ravel()[:1]) > Field.FLINT:
        result: Matrix = left @ right
        return result
    exact = _of_flint(fmpq_matrix(left) * fmpq_matrix(right))
    return matrix(exact, common_field(left.ravel()[:1]))


def least_diagonal(values: Matrix) -> Number:
    """Return the least diagonal entry of a matrix (γ)."""
    diagonal: list[Number] = np.diagonal(values).tolist()
    return functools.reduce(minimum, diagonal)


def inverse(values: Matrix) -> Matrix:
    """Return the inverse of a square matrix over its field.

    Raises
    ------
    ValueError
        If the matrix is singular (a float one: numerically; a ball one: not certainly invertible).
    """
    field = common_field(values.ravel()[:1])
    try:
        return _INVERSES[field](values)
    except (
        ZeroDivisionError,
        np.linalg.LinAlgError,
        sympy.matrices.exceptions.NonInvertibleMatrixError,
    ):
        raise ValueError("a singular matrix has no inverse") from None


def fmpq_matrix(values: Matrix) -> flint.fmpq_mat:
    """Return exact entries as a flint matrix."""
    rows, columns = values.shape
    return flint.fmpq_mat(rows, columns, [flint_rational(entry) for entry in values.ravel()])


def _of_flint(values: Any) -> Matrix:
    return matrix(values.tolist())


def _rational_inverse(values: Matrix) -> Matrix:
    return matrix(_of_flint(fmpq_matrix(values).inv()), Field.RATIONAL)


def _float_inverse(values: Matrix) -> Matrix:
    inverted: Matrix = np.linalg.inv(values)
    return inverted


def _ball_inverse(values: Matrix) -> Matrix:
    rows, columns = values.shape
    return _of_flint(flint.arb_mat(rows, columns, list(values.ravel())).inv())


def _symbolic_inverse(values: Matrix) -> Matrix:
    return matrix(sympy.Matrix(values.tolist()).inv().tolist())


_INVERSES: dict[Field, Callable[[Matrix], Matrix]] = {
    Field.RATIONAL: _rational_inverse,
    Field.FLINT: lambda values: _of_flint(fmpq_matrix(values).inv()),
    Field.FLOAT: _float_inverse,
    Field.BALL: _ball_inverse,
    Field.SYMBOL: _symbolic_inverse,
}
