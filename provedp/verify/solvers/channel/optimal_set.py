"""The set of optimal releases of a count, explored exactly: {P private, p_ii ≥ 1 − p_e*}."""

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from provedp.theory.counting import release_matrix
from provedp.theory.counting.release import COUNTS
from provedp.theory.domain import domain, integers
from provedp.theory.matrices import Matrix, matrix
from provedp.verify.solvers.channel.bracket import RationalReals
from provedp.verify.solvers.channel.programs import Row, face_program
from provedp.verify.solvers.channel.singular import optimum_with_kernel, rank_deficient_optimum
from provedp.verify.solvers.linear_programs.rational import solve

__all__ = [
    "optimum_with_kernel",
    "rank_deficient_optimum",
    "entry_range",
    "forced",
    "is_unique",
    "prefix_range",
    "radius",
    "sample_optimal",
]

RATIO = RationalReals(1)
SLACK = RationalReals(0, 1, open_high=True)
INDEX = integers(1)

Range = tuple[Fraction, Fraction]

WEIGHTS = 1000  # random objectives have integer coefficients in [−WEIGHTS, WEIGHTS]


def _optimum(m: int, k: Fraction, delta: Fraction, objective: Row) -> Matrix:
    primal = solve(face_program(m, k, delta, objective)).primal
    return matrix([primal[i * m : (i + 1) * m] for i in range(m)])


def _range(m: int, k: Fraction, delta: Fraction, columns: Iterable[int]) -> Range:
    """Return the least and the largest sum of some entries."""
    up = dict.fromkeys(columns, 1)
    down = dict.fromkeys(up, -1)
    low = -solve(face_program(m, k, delta, down)).value
    return low, solve(face_program(m, k, delta, up)).value


def _require_index(m: int, **indices: int) -> None:
    for name, value in indices.items():
        if value > m:
            raise ValueError(f"The '{name}' parameter must be an integer in [1, {m}]. Got {value}.")


@domain(m=COUNTS, k=RATIO, delta=SLACK, i=INDEX, j=INDEX)
def entry_range(m: int, k: Fraction, delta: Fraction, i: int, j: int) -> Range:
    """Least and largest value of p_ij over all optimal releases, exactly.

    Parameters
    ----------
    i, j
        Row and column, from 1.

    Returns
    -------
    Two rationals; both are attained.

    Source: ours, for the counting paper's P_opt.

    >>> entry_range(3, 2, 0, 1, 3)
    (Fraction(1, 8), Fraction(1, 4))
    """
    _require_index(m, i=i, j=j)
    return _range(m, k, delta, [(i - 1) * m + j - 1])


@domain(m=COUNTS, k=RATIO, delta=SLACK, i=INDEX)
def prefix_range(m: int, k: Fraction, delta: Fraction, i: int) -> Range:
    """Least and largest value of p_i1 + … + p_ii over all optimal releases, exactly.

    Parameters
    ----------
    i
        Row, from 1.

    Returns
    -------
    Two rationals; both are attained.

    Source: counting paper, Theorem 1, eq. (13).

    >>> prefix_range(3, 2, 0, 2)
    (Fraction(3, 4), Fraction(3, 4))
    """
    _require_index(m, i=i)
    return _range(m, k, delta, range((i - 1) * m, (i - 1) * m + i))


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def radius(m: int, k: Fraction, delta: Fraction) -> Fraction:
    """Largest max-norm distance of an optimal release from P* (Δ_M), exactly.

    Parameters
    ----------
    m
        Number of counts; about m² linear programs are solved.

    Returns
    -------
    A rational, attained by an optimal release.

    Source: counting paper, Definition 1.

    >>> radius(4, 2, 0)
    Fraction(1, 6)
    """
    canonical = release_matrix(m, k, delta)
    distances = [Fraction(0)]
    for i, j in _half(m):
        low, high = _range(m, k, delta, [i * m + j])
        distances += [canonical[i, j] - low, high - canonical[i, j]]
    return max(distances)


def _half(m: int) -> list[tuple[int, int]]:
    """Return one of each two entries, from 0, that are mirror images of each other."""
    places = [(i, j) for i in range(m) for j in range(m)]
    return places[: (m * m + 1) // 2]


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def forced(m: int, k: Fraction, delta: Fraction) -> frozenset[tuple[int, int]]:
    """Entries that all optimal releases share, exactly.

    Returns
    -------
    A set of pairs (i, j), counted from 1.

    Source: counting paper, Theorem 1, statement 3.

    >>> sorted(set((i, j) for i in (1, 2, 3) for j in (1, 2, 3)) - forced(3, 2, 0))
    [(1, 2), (1, 3), (3, 1), (3, 2)]
    """
    shared = set()
    for i, j in _half(m):
        low, high = _range(m, k, delta, [i * m + j])
        if low == high:
            shared |= {(i + 1, j + 1), (m - i, m - j)}
    return frozenset(shared)


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def is_unique(m: int, k: Fraction, delta: Fraction) -> bool:
    """Return whether P* is the only optimal release.

    Source: counting paper, Theorem 1, statement 2.

    >>> is_unique(2, 2, 0), is_unique(3, 2, 0), is_unique(3, 1, 0)
    (True, False, True)
    """
    ranges = (_range(m, k, delta, [i * m + j]) for i, j in _half(m))
    return all(low == high for low, high in ranges)


@domain(m=COUNTS, k=RATIO, delta=SLACK, vertices=integers(1))
def sample_optimal(
    m: int, k: Fraction, delta: Fraction, rng: np.random.Generator, vertices: int = 1
) -> Matrix:
    """Draw an optimal release: a random mixture of vertices of the optimal set, exactly.

    Parameters
    ----------
    rng
        Source of the random objectives and weights.
    vertices
        Number of vertices that are mixed.

    Returns
    -------
    An m × m matrix of fractions.

    Source: ours.

    >>> sample_optimal(2, 2, 0, np.random.default_rng(1)).tolist()
    [[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]]
    """
    weights = [int(weight) for weight in rng.integers(1, WEIGHTS, size=vertices)]
    total = matrix([[Fraction(0)] * m] * m)
    for weight in weights:
        objective = rng.integers(-WEIGHTS, WEIGHTS + 1, size=m * m)
        point = _optimum(m, k, delta, {j: int(value) for j, value in enumerate(objective)})
        total = total + point * Fraction(weight, sum(weights))
    return total
