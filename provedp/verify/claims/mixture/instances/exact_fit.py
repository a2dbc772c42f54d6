"""The mixture that is fitted to Iris, in exact decimals."""

import functools
from dataclasses import dataclass
from fractions import Fraction as Q
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from provedp.theory import mixture
from provedp.theory.matrices import fmpq_matrix
from provedp.verify.claims.mixture.instances.iris import exact_iris

__all__ = ["FittedIris", "as_column", "fitted_iris", "quadratic_form", "times", "trace"]


@dataclass(frozen=True)
class FittedIris:
    """Parameters (2) of Iris, κ = 0.

    Attributes
    ----------
    centre, spread
        Mean of all records, and the diagonal matrix of their features' variances.
    means, covariances, counts
        Of the classes.
    widest
        For each class the largest ΔᵀΣ⁻¹Δ over all admissible flips.
    """

    centre: fmpq_mat
    spread: fmpq_mat
    means: tuple[fmpq_mat, ...]
    covariances: tuple[fmpq_mat, ...]
    counts: tuple[int, ...]
    widest: tuple[Any, ...]


@functools.cache
def fitted_iris() -> FittedIris:
    """Return the parameters in exact decimals."""
    data = exact_iris()
    points = np.asarray(data.points, dtype=object)
    centre = points.sum(axis=0) / Q(len(points))
    variances = ((points - centre) ** 2).sum(axis=0) / Q(len(points))
    covariances = tuple(fmpq_matrix(c) for c in mixture.class_covariances(data, Q(0)))
    widest = []
    for k, covariance in enumerate(covariances):
        inverse = covariance.inv()
        moves = mixture.mean_displacements(data, k, "all")
        widest.append(max(quadratic_form(inverse, as_column(move)) for move in moves))
    spread = fmpq_mat(4, 4)
    for place, variance in enumerate(variances):
        spread[place, place] = fmpq(*variance.as_integer_ratio())
    means = tuple(as_column(mean) for mean in mixture.class_means(data))
    return FittedIris(as_column(centre), spread, means, covariances, data.counts, tuple(widest))


def as_column(vector: Any) -> fmpq_mat:
    """Return a vector as a matrix of one column."""
    return fmpq_matrix(np.array([list(vector)], dtype=object)).transpose()


def times(matrix: fmpq_mat, factor: Q) -> fmpq_mat:
    """Return a multiple of a matrix."""
    return matrix * fmpq(*factor.as_integer_ratio())


def quadratic_form(matrix: fmpq_mat, vector: fmpq_mat) -> Any:
    """Return vᵀMv."""
    return (vector.transpose() * matrix * vector)[0, 0]


def trace(matrix: fmpq_mat) -> Any:
    """Return the trace of a matrix."""
    return sum((matrix[i, i] for i in range(1, matrix.nrows())), start=matrix[0, 0])
