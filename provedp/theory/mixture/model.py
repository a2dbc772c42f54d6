"""The mixture that is fitted to labelled data, its neighbours, and how a flip moves the means."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from provedp.theory.domain import (
    Choice,
    OutsideError,
    Reals,
    check_argument,
    integers,
    read_matrix,
    reals,
    require,
)
from provedp.theory.matrices import Matrix, identity, matrix
from provedp.theory.numbers import Number, common_field

__all__ = [
    "LabelledData",
    "admissible_flips",
    "class_covariances",
    "class_means",
    "class_weights",
    "mean_displacements",
]

LEAST = 3  # records of a class, in the data and in every neighbour: N_k > 2
FLIPS = Choice(("all", "removals"))
RIDGE: Reals = reals(0)


@dataclass(frozen=True)
class _Table:
    """Matrices of finite numbers."""

    def read(self, value: Any) -> Matrix:
        if not (isinstance(value, np.ndarray) and value.dtype == np.float64 and value.ndim == 2):
            return read_matrix(value)
        require(value.size > 0, "an array of shape {}×{}".format(*value.shape))
        finite = np.isfinite(value)  # all at once: read_matrix looks at entries one by one
        if not finite.all():
            row, column = np.argwhere(~finite)[0]
            require(False, f"{value[row, column]} in row {row + 1}, column {column + 1}")
        return value

    def __str__(self) -> str:
        return "an N × d array of finite numbers (a row for each record)"


@dataclass(frozen=True)
class _Labels:
    """Lists of labels 0, …, K − 1, one for each record."""

    size: int
    classes: int

    def read(self, value: Any) -> tuple[int, ...]:
        allowed = integers(0, self.classes - 1)
        found = []
        for index, label in enumerate(value):
            try:
                found.append(allowed.read(label))
            except (OutsideError, TypeError, OverflowError):
                raise OutsideError(f"{label} for record {index}") from None
        require(len(found) == self.size, f"{len(found)} labels")
        return tuple(found)

    def __str__(self) -> str:
        return f"a label in 0, …, {self.classes - 1} for each of the {self.size} records"


@dataclass(frozen=True, eq=False)
class LabelledData:
    """N records with d features each, over one number field, and a label for each.

    Parameters
    ----------
    points
        N × d array of finite numbers, a row for each record.
    labels
        N labels in 0, …, K − 1.
    classes
        Number of classes K, at least 1. Classes may be empty.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    >>> data = LabelledData([[1], [2], [4]], [0, 0, 1], 2)
    >>> data.counts, data.flipped(0, 1).counts
    ((2, 1), (1, 2))
    """

    points: Matrix
    labels: tuple[int, ...]
    classes: int

    def __post_init__(self) -> None:
        where = "mixture.LabelledData"
        points = check_argument(where, "points", _Table(), self.points)
        classes = check_argument(where, "classes", integers(1), self.classes)
        labels = check_argument(where, "labels", _Labels(len(points), classes), self.labels)
        object.__setattr__(self, "points", matrix(points))
        object.__setattr__(self, "classes", classes)
        object.__setattr__(self, "labels", labels)

    @property
    def size(self) -> int:
        """Number of records N."""
        return len(self.labels)

    @property
    def dimension(self) -> int:
        """Number of features d."""
        return int(self.points.shape[1])

    @functools.cached_property
    def counts(self) -> tuple[int, ...]:
        """Numbers of records N_1, …, N_K of the classes."""
        return tuple(np.bincount(self.labels, minlength=self.classes).tolist())

    def members(self, k: int) -> Matrix:
        """Return the records of class k as rows."""
        chosen: Matrix = self.points[np.asarray(self.labels) == k]
        return chosen

    def flipped(self, record: int, label: int) -> "LabelledData":
        """Return the data with another label for one record, both counted from 0."""
        where = "mixture.LabelledData.flipped"
        n = check_argument(where, "record", integers(0, self.size - 1), record)
        k = check_argument(where, "label", integers(0, self.classes - 1), label)
        return LabelledData(self.points, (*self.labels[:n], k, *self.labels[n + 1 :]), self.classes)

    def require_members(self, least: int = LEAST) -> None:
        """Raise `ValueError` unless every class has at least so many records."""
        short = [k for k, count in enumerate(self.counts) if count < least]
        if short:
            raise ValueError(
                f"Every class must have at least {least} records. "
                f"Got {self.counts[short[0]]} in class {short[0]} instead."
            )


def class_weights(data: LabelledData) -> Matrix:
    """Shares of the classes, as fractions: π_k = N_k/N.

    Source: mixture paper, eq. (2a).

    >>> [str(weight) for weight in class_weights(LabelledData([[1], [2], [4]], [0, 0, 1], 2))]
    ['2/3', '1/3']
    """
    whole = matrix([data.counts])[0]
    weights: Matrix = whole / data.size
    return weights


def class_means(data: LabelledData) -> Matrix:
    """Means of the classes: μ_k = (1/N_k) Σ_{y_n = k} x_n, as the rows of a K × d array.

    Raises
    ------
    ValueError
        If a class has no records.

    Source: mixture paper, eq. (2b).

    >>> [str(mean[0]) for mean in class_means(LabelledData([[1], [2], [4]], [0, 0, 1], 2))]
    ['3/2', '4']
    """
    data.require_members(1)
    return np.stack([data.members(k).sum(axis=0) / data.counts[k] for k in range(data.classes)])


def class_covariances(data: LabelledData, ridge: Number = 0) -> list[Matrix]:
    """Sample covariances of the classes.

    Σ_k = (1/(N_k − 1)) Σ_{y_n = k} (x_n − μ_k)(x_n − μ_k)ᵀ + κ I

    Parameters
    ----------
    data
        Every class has at least two records.
    ridge
        κ ≥ 0.

    Returns
    -------
    K matrices of shape d × d, positive semidefinite, and definite if κ > 0.

    Raises
    ------
    ValueError
        If a class has fewer than two records, or κ is negative.

    Source: mixture paper, eq. (2c).

    >>> [[str(entry) for entry in row] for row in class_covariances(
    ...     LabelledData([[1, 0], [2, 1], [3, 5]], [0, 0, 0], 1))[0]]
    [['1', '5/2'], ['5/2', '7']]
    """
    data.require_members(2)
    kappa = check_argument("mixture.class_covariances", "ridge", RIDGE, ridge)
    field = common_field([*data.points.ravel()[:1].tolist(), kappa])
    diagonal = identity(data.dimension, field) * matrix([[kappa]], field)[0, 0]
    found = []
    for k, mean in enumerate(class_means(data)):
        centred = data.members(k) - mean
        scatter = centred.T @ centred / (data.counts[k] - 1)
        found.append(matrix(scatter, field) + diagonal)
    return found


def admissible_flips(data: LabelledData, least: int = LEAST) -> list[tuple[int, int]]:
    """Pairs (record, new label) whose flip leaves at least `least` records in every class.

    Raises
    ------
    ValueError
        If a class has fewer than that before any flip: such data have no admissible neighbour.

    Source: mixture paper, Section II (N_k > 2 at both ends) and Definition 1.

    >>> admissible_flips(LabelledData([[1]] * 7, [0, 0, 0, 0, 1, 1, 1], 2))
    [(0, 1), (1, 1), (2, 1), (3, 1)]
    """
    data.require_members(least)
    return [
        (n, k)
        for n, label in enumerate(data.labels)
        if data.counts[label] > least
        for k in range(data.classes)
        if k != label
    ]


def mean_displacements(data: LabelledData, k: int, flips: str = "all") -> Matrix:
    """What admissible flips do to the mean of class k: the distinct μ_k(D) − μ_k(D′).

    A record x that leaves moves it by (x − μ_k)/(N_k − 1), one that joins by −(x − μ_k)/(N_k + 1);
    where a record goes to or comes from does not matter, so there are at most N of them.

    Parameters
    ----------
    data
        Every class has at least three records.
    k
        The class, counted from 0.
    flips
        "all", or "removals" for the narrow reading of (10), k′ ≠ k with k the class of the record.

    Returns
    -------
    An array with d columns and a row for each record that can leave or join, in the data's order;
    without rows if none can.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Source: mixture paper, eq. (10), (25).

    >>> data = LabelledData([[0], [0], [0], [4], [1], [2], [3]], [0, 0, 0, 0, 1, 1, 1], 2)
    >>> [str(row[0]) for row in mean_displacements(data, 0)]
    ['-1/3', '-1/3', '-1/3', '1']
    """
    where = "mixture.mean_displacements"
    own = check_argument(where, "k", integers(0, data.classes - 1), k)
    both = check_argument(where, "flips", FLIPS, flips) == "all"
    data.require_members()
    count = data.counts[own]
    steps = data.points - data.members(own).sum(axis=0) / count
    labels = np.asarray(data.labels)
    movable = np.asarray(data.counts)[labels] > LEAST
    steps[labels == own] /= count - 1
    steps[labels != own] /= -(count + 1)
    found: Matrix = steps[movable & ((labels == own) | both)]
    return found
