"""Sets of points in d dimensions, one per row, and elementwise functions on them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from flint import arb

from provedp.theory.domain import read_matrix, require
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Field, Number, common_field, maximum
from provedp.theory.privacy.functions import exp, sqrt


@dataclass(frozen=True)
class Points:
    """Matrices of finite numbers, one point per row; `apart` as in `domain.Reals`."""

    apart: bool = False

    def read(self, value: Any) -> Matrix:
        """Return `value` as a matrix; floats are checked all at once."""
        if isinstance(value, np.ndarray) and value.dtype == np.float64:
            require(value.ndim == 2, f"an array of {value.ndim} dimensions")
            require(min(value.shape) >= 1, "a matrix of shape {}×{}".format(*value.shape))
            require(bool(np.isfinite(value).all()), "an entry that is not finite")
            return value
        return read_matrix(value)

    def __str__(self) -> str:
        return "a matrix of finite numbers, one point per row"


def same_dimension(name: str, first: Matrix, second: Matrix) -> None:
    """Refuse two sets of points in spaces of different dimension."""
    if first.shape[1] != second.shape[1]:
        raise ValueError(
            f"The '{name}' parameter must hold points of {second.shape[1]} coordinates. "
            f"Got {first.shape[1]} instead."
        )


def analytic(values: Matrix) -> Matrix:
    """Return floats, balls and symbols as they are, and exact numbers as balls."""
    field = common_field(values.ravel()[:1])
    return matrix(values, Field.BALL) if field <= Field.FLINT else values


def pi_of(field: Field) -> Number:
    """Return π as a number of `field`; as a ball for exact ones."""
    if field is Field.FLOAT:
        return float(np.pi)
    return sympy.pi if field is Field.SYMBOL else arb.pi()


def exp_of(values: Matrix) -> Matrix:
    """Return e^x of every entry."""
    return _each(values, np.exp, exp)


def sqrt_of(values: Matrix) -> Matrix:
    """Return √x of every entry."""
    return _each(values, np.sqrt, sqrt)


def larger(values: Matrix, least: Number) -> Matrix:
    """Return max(x, least) of every entry."""
    return _each(values, lambda x: np.maximum(x, float(least)), lambda x: maximum(x, least))


def _each(values: Matrix, of_floats: Callable[..., Any], of_number: Callable[..., Any]) -> Matrix:
    if values.dtype == np.float64:
        floats: Matrix = of_floats(values)
        return floats
    objects: Matrix = np.frompyfunc(of_number, 1, 1)(values)
    return objects
