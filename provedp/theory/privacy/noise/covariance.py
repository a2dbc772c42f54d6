"""Covariance matrices: which are refused, and in which direction they fail."""

from dataclasses import dataclass
from typing import Any

from flint import arb

from provedp.theory.domain import SquareMatrix, require
from provedp.theory.matrices import Matrix, entries, inverse, matrix
from provedp.theory.numbers import Field, Number, ball, certainly, common_field


@dataclass(frozen=True)
class Covariance(SquareMatrix):
    """Symmetric positive definite matrices; floats are read as the dyadic numbers they are."""

    def read(self, value: Any) -> Matrix:
        """Return `value` as a matrix; one that is not definite is refused with a direction."""
        result = super().read(value)
        exact = exact_entries(result)
        for i in range(len(exact)):
            for j in range(i):
                where = f"different entries in row {i + 1}, column {j + 1} and vice versa"
                require(_may_be_equal(exact[i, j], exact[j, i]), where)
        for size in range(len(exact)):
            _require_variance(exact[: size + 1, : size + 1])
        return result

    def __str__(self) -> str:
        return "a symmetric positive definite matrix"


def exact_entries(values: Matrix) -> Matrix:
    """Return a matrix or vector of floats as the fractions they are, any other as it is."""
    if common_field(entries(values)) is not Field.FLOAT:
        return values
    return matrix(values.reshape(len(values), -1), Field.RATIONAL).reshape(values.shape)


def _may_be_equal(left: Number, right: Number) -> bool:
    return left.overlaps(ball(right)) if isinstance(left, arb) else bool(left == right)


def _require_variance(block: Matrix) -> None:
    """Require a positive variance in the direction uncorrelated with the coordinates before it.

    The smaller leading blocks are positive definite; so is this one if that variance is positive.
    """
    *others, last = range(len(block))
    if others:
        solved = inverse(block[:last, :last]) @ block[:last, last]
        variance = block[last, last] - block[last, :last] @ solved
        direction = [*(-solved), 1]
    else:
        variance, direction = block[0, 0], [1]
    shown = ", ".join(f"{float(part):.6g}" for part in direction)
    require(
        certainly(variance > 0), f"a matrix of variance {variance} in the direction ({shown}, 0, …)"
    )
