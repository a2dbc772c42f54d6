"""Cholesky, block by block, of matrices whose blocks touch their neighbours alone."""

import numpy as np
from scipy.linalg import blas, lapack

from provedp.theory.arrays import Floats

__all__ = ["BlockTridiagonal", "SingularError"]

FIRST_LIFT, LARGEST_LIFT = 1e-13, 1e-4  # of a diagonal that rounding has made indefinite


class SingularError(ArithmeticError):
    """A matrix that rounding has made far from positive definite."""


class BlockTridiagonal:
    """The factor of a symmetric positive definite matrix.

    Parameters
    ----------
    diagonal
        Blocks on the diagonal, n × d × d.
    below
        Blocks below them, (n − 1) × d × d: block i stands in block row i + 1, block column i.

    Raises
    ------
    SingularError
        If a pivot is negative beyond what rounding explains.
    """

    def __init__(self, diagonal: Floats, below: Floats):
        self._factors: list[Floats] = []
        self._links: list[Floats] = []
        for index, block in enumerate(diagonal):
            rest = block.T  # column-major, as LAPACK reads it; the block is symmetric
            if index > 0:
                link = blas.dtrsm(1.0, self._factors[-1], below[index - 1].T, lower=1)
                self._links.append(link)
                rest = blas.dsyrk(-1.0, link, beta=1.0, c=rest, trans=1, lower=1)
            self._factors.append(_factor(rest, np.diag(block)))

    def solve(self, right: Floats) -> Floats:
        """Return the solution of a system; `right` and it are n × d."""
        forward: list[Floats] = []
        for index, factor in enumerate(self._factors):
            rest = right[index]
            if index > 0:
                rest = rest - self._links[index - 1].T @ forward[-1]
            forward.append(blas.dtrsv(factor, rest, lower=1))
        solution = np.empty_like(right)
        for index in reversed(range(len(forward))):
            rest = forward[index]
            if index + 1 < len(forward):
                rest = rest - self._links[index] @ solution[index + 1]
            solution[index] = blas.dtrsv(self._factors[index], rest, lower=1, trans=1)
        return solution


def _factor(block: Floats, scale: Floats) -> Floats:
    factor, fault = lapack.dpotrf(block, lower=1, clean=0)
    lift = FIRST_LIFT
    while fault:
        if lift > LARGEST_LIFT:
            raise SingularError("A block is not positive definite.")
        factor, fault = lapack.dpotrf(block + np.diag(lift * scale), lower=1, clean=0)
        lift *= 30
    return np.asarray(factor)
