"""Histograms of N labels over K classes: all of them, and those one record away."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import sympy
from flint import arb

from provedp.theory.domain import domain, integers, require
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Number, is_finite, rational

__all__ = [
    "add_one_histograms",
    "admissible_flip_count",
    "histogram_set",
    "histograms",
    "neighbour_histogram_count",
    "neighbour_histograms",
    "remove_one_histograms",
    "uniform_count_law",
]

Histogram = tuple[int, ...]
LEAST = 3  # records of a class at both ends of an admissible pair


@dataclass(frozen=True)
class ClassCounts:
    """Numbers of records of two classes or more, each at least `least`."""

    least: int

    def read(self, value: Any) -> Matrix:
        """Return `value` as a vector of whole fractions."""
        counts = [_exact(count) for count in value]
        require(len(counts) >= 2, f"{len(counts)} counts")
        for index, count in enumerate(counts, start=1):
            require(count.denominator == 1 and count >= self.least, f"{count} in place {index}")
        vector: Matrix = matrix([counts])[0]
        return vector

    def __str__(self) -> str:
        return f"a list of at least two integers, each in the range [{self.least}, inf)"


@domain(n=integers(1), classes=integers(2))
def histograms(n: int, classes: int) -> int:
    """Number of histograms of n labels in which every class occurs.

    |S| = C(N − 1, K − 1)

    Parameters
    ----------
    n
        Number of records N.
    classes
        Number of classes K.

    Returns
    -------
    The number of vectors of K positive integers of sum N.

    Source: mixture paper, eq. (3), by stars and bars.

    >>> histograms(150, 3)
    11026
    """
    return math.comb(n - 1, classes - 1)


@domain(n=integers(1), classes=integers(2))
def histogram_set(n: int, classes: int) -> list[Histogram]:
    """All histograms of n labels in which every class occurs, in lexicographic order.

    S = {(N_1, …, N_K) : N_k ≥ 1, Σ N_k = N}

    Parameters
    ----------
    n, classes
        As for `histograms`.

    Returns
    -------
    The `histograms(n, classes)` tuples of K positive integers of sum N.

    Source: mixture paper, eq. (3), times N.

    >>> histogram_set(4, 2)
    [(1, 3), (2, 2), (3, 1)]
    """
    return [
        tuple(b - a for a, b in zip((0, *bars), (*bars, n), strict=True))
        for bars in combinations(range(1, n), classes - 1)
    ]


@domain(counts=ClassCounts(LEAST))
def neighbour_histograms(counts: Matrix) -> list[Histogram]:
    """Histograms that an admissible flip of one label can lead to.

    S′ = {m : m = n − e_s + e_t, s ≠ t, m_k > 2 for all k}

    Parameters
    ----------
    counts
        N_1, …, N_K, each at least 3.

    Returns
    -------
    At most K(K − 1) tuples, by source s and then by destination t.

    Source: mixture paper, eq. (16), times N.

    >>> neighbour_histograms([4, 3, 3])
    [(3, 4, 3), (3, 3, 4)]
    """
    whole = as_histogram(counts)
    return [
        _moved(_moved(whole, source, -1), to, +1)
        for source, count in enumerate(whole)
        if count > LEAST
        for to in range(len(whole))
        if to != source
    ]


@domain(counts=ClassCounts(LEAST))
def neighbour_histogram_count(counts: Matrix) -> int:
    """Number of histograms that an admissible flip can lead to.

    |S′| = (K − 1) · #{k : N_k ≥ 4}

    Parameters
    ----------
    counts
        N_1, …, N_K, each at least 3.

    Returns
    -------
    The number; K(K − 1) exactly if all counts are at least 4, and 0 if all are 3.

    Source: ours; the mixture paper has the bound K(K − 1).

    >>> neighbour_histogram_count([4, 3, 3])
    2
    """
    return (len(counts) - 1) * sum(1 for count in counts if count > LEAST)


@domain(counts=ClassCounts(LEAST))
def admissible_flip_count(counts: Matrix) -> int:
    """Number of data sets that differ from one in one label and are admissible.

    (K − 1) · Σ_{k : N_k ≥ 4} N_k

    Parameters
    ----------
    counts
        N_1, …, N_K, each at least 3.

    Returns
    -------
    The number, at most N(K − 1).

    Source: ours; the mixture paper, Section III-A, has the bound N(K − 1).

    >>> admissible_flip_count([4, 3, 3])
    8
    """
    return (len(counts) - 1) * sum(count for count in as_histogram(counts) if count > LEAST)


@domain(counts=ClassCounts(LEAST))
def remove_one_histograms(counts: Matrix) -> list[Histogram]:
    """Histograms of the data without one record, of N − 1 labels, with more than two of each.

    {m : m = n − e_s, m_k > 2 for all k}

    Parameters
    ----------
    counts
        N_1, …, N_K, each at least 3.

    Returns
    -------
    At most K tuples, one for each class with at least four records.

    Source: mixture paper, eq. (31), times N − 1.

    >>> remove_one_histograms([4, 3])
    [(3, 3)]
    """
    whole = as_histogram(counts)
    return [_moved(whole, source, -1) for source, count in enumerate(whole) if count > LEAST]


@domain(counts=ClassCounts(LEAST))
def add_one_histograms(counts: Matrix) -> list[Histogram]:
    """Histograms of the data with one record more, of N + 1 labels.

    {m : m = n + e_t}

    Parameters
    ----------
    counts
        N_1, …, N_K, each at least 3.

    Returns
    -------
    K tuples.

    Source: mixture paper, Section IV-C, 'Adding one bounded data point', times N + 1.

    >>> add_one_histograms([4, 3])
    [(5, 3), (4, 4)]
    """
    whole = as_histogram(counts)
    return [_moved(whole, to, +1) for to in range(len(whole))]


@domain(n=integers(2), classes=integers(2))
def uniform_count_law(n: int, classes: int) -> list[Fraction]:
    """Law of one class's count when every histogram of the set is as likely as any other.

    P(N_k = m) = C(N − m − 1, K − 2)/C(N − 1, K − 1), m = 1, …, N − 1

    Parameters
    ----------
    n, classes
        As for `histograms`, with n at least `classes`.

    Returns
    -------
    N − 1 fractions of sum 1, the same for every class; its mean is N/K.

    Raises
    ------
    ValueError
        If there are fewer records than classes.

    Source: ours; what eq. (17) of the mixture paper mixes in.

    >>> [str(p) for p in uniform_count_law(4, 3)]
    ['2/3', '1/3', '0']
    """
    if n < classes:
        raise ValueError(f"{classes} classes need at least as many records. Got {n} instead.")
    total = math.comb(n - 1, classes - 1)
    return [Fraction(math.comb(n - m - 1, classes - 2), total) for m in range(1, n)]


def as_histogram(counts: Iterable[Number]) -> Histogram:
    """Return whole numbers of any field as integers."""
    return tuple(
        int(count.fmpz()) if isinstance(count, arb) else int(rational(count)) for count in counts
    )


def _exact(count: Number) -> Fraction:
    """Return a number as a fraction; a ball or symbol must be an integer."""
    require(is_finite(count), f"{count}")
    if isinstance(count, arb):
        require(count.is_integer(), f"{count}")
        return rational(count.fmpz())
    if isinstance(count, sympy.Expr):
        require(isinstance(count, sympy.Integer), f"{count}")
    return rational(count)


def _moved(counts: Histogram, k: int, step: int) -> Histogram:
    return (*counts[:k], counts[k] + step, *counts[k + 1 :])
