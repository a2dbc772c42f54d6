"""Optimal releases of a count that are singular, exactly."""

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from provedp.theory.counting.release import COUNTS
from provedp.theory.domain import domain
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import rational
from provedp.verify.solvers.channel.bracket import RationalReals
from provedp.verify.solvers.channel.programs import Row, Rows, face_columns, face_program
from provedp.verify.solvers.linear_programs.rational import solve

__all__ = ["optimum_with_kernel", "rank_deficient_optimum"]

RATIO = RationalReals(1)
SLACK = RationalReals(0, 1, open_high=True)
DENOMINATORS = (1, 2, 3, 4, 6, 12, 60)  # of the directions that are tried, from simple to fine


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def optimum_with_kernel(
    m: int, k: Fraction, delta: Fraction, kernel: Sequence[int | Fraction]
) -> Matrix:
    """An optimal release P with P v = 0.

    Parameters
    ----------
    kernel
        v: m rationals, not all zero.

    Returns
    -------
    An m × m matrix of fractions, singular.

    Raises
    ------
    InfeasibleError
        If there is no such release; the error carries the proof.

    Source: ours, against a wider form of the counting paper's Theorem 1, statement 4.

    >>> print(*optimum_with_kernel(3, 1, Fraction(1, 4), [1, -1, 1])[0])
    1/2 1/2 0
    """
    vector = [rational(value) for value in kernel]
    if len(vector) != m or not any(vector):
        raise ValueError(f"The 'kernel' parameter must be {m} numbers, not all 0. Got {kernel}.")
    zeros: Rows = [({i * m + j: value for j, value in enumerate(vector)}, 0) for i in range(m)]
    primal = solve(face_program(m, k, delta, {}, zeros)).primal
    return matrix([primal[i * m : (i + 1) * m] for i in range(m)])


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def rank_deficient_optimum(
    m: int, k: Fraction, delta: Fraction, rng: np.random.Generator, starts: int = 6, steps: int = 24
) -> Matrix | None:
    """Search for an optimal release that is singular, exactly.

    From a random direction v, alternately take the optimal P with the least Σ_i |[Pv]_i| and
    for v a rational direction near the one that P shrinks most.

    Parameters
    ----------
    rng
        Source of the random starts.
    starts, steps
        Number of starts, and of steps from each.

    Returns
    -------
    A singular m × m matrix of fractions; None if the search finds none, which proves nothing.

    Source: ours, for the counting paper's Theorem 1, statement 4.

    >>> found = rank_deficient_optimum(3, 1, Fraction(1, 4), np.random.default_rng(1))
    >>> int(np.linalg.matrix_rank(found.astype(float)))
    2
    """
    for _ in range(starts):
        direction = rng.standard_normal(m)
        for denominator in itertools.islice(itertools.cycle(DENOMINATORS), steps):
            found, size = _least_image(m, k, delta, _simple(direction, denominator))
            if size == 0:
                return found
            direction = np.linalg.svd(found.astype(float))[2][-1]
    return None


def _simple(direction: npt.NDArray[np.float64], denominator: int) -> list[Fraction]:
    """Return a multiple of the direction in multiples of 1/denominator, its largest entry 1."""
    largest = direction[np.argmax(np.abs(direction))]
    return [Fraction(round(value * denominator), denominator) for value in direction / largest]


def _least_image(
    m: int, k: Fraction, delta: Fraction, kernel: list[Fraction]
) -> tuple[Matrix, Fraction]:
    """Return the optimal P with the least Σ_i |[Pv]_i|, and that sum."""
    first = face_columns(m, delta)
    images: Rows = []
    for i in range(m):
        row: Row = {i * m + j: value for j, value in enumerate(kernel)}
        images.append(({**row, first + 2 * i: -1, first + 2 * i + 1: 1}, 0))
    cost = dict.fromkeys(range(first, first + 2 * m), -1)
    optimum = solve(face_program(m, k, delta, cost, images, 2 * m))
    return matrix([optimum.primal[i * m : (i + 1) * m] for i in range(m)]), -optimum.value
