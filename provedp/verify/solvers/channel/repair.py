"""From floating-point points to exact ones: rounding, and mixing with a constant release."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import fmpz_mat

from provedp.theory.arrays import Floats
from provedp.theory.matrices import Matrix, matrix
from provedp.verify.solvers.channel.bracket import Dual, Problem
from provedp.verify.solvers.channel.folding import Approximation
from provedp.verify.solvers.linear_programs.tableau import UndecidedError

__all__ = [
    "cleared_channel",
    "distribution",
    "private_mixture",
    "rational_dual",
    "rounded_rows",
    "snapped",
]

BITS = 128  # of the grid for rounded numbers, far finer than a float near one

Whole = list[list[int]]


def rational_dual(point: Approximation) -> Dual:
    """Return clipped, normalised multipliers; any such numbers are dual feasible."""
    multipliers = {(a + 1, b + 1): _on_grid(row) for (a, b), row in point.multipliers.items()}
    return _dual(_on_grid(point.weights), multipliers)


def snapped(dual: Dual) -> Dual:
    """Return multipliers on the grid, none of them larger by more than the rounding of y."""
    multipliers = {pair: [_floor(value) for value in row] for pair, row in dual.multipliers.items()}
    return _dual([_floor(value) for value in dual.weights], multipliers)


def _floor(value: Fraction) -> int:
    return (value.numerator << BITS) // value.denominator


def _dual(weights: list[int], multipliers: dict[tuple[int, int], list[int]]) -> Dual:
    rows = {
        pair: tuple(Fraction(value, 1 << BITS) for value in row)
        for pair, row in multipliers.items()
    }
    return Dual(tuple(Fraction(value, 1 << BITS) for value in distribution(weights)), rows)


def rounded_rows(mechanism: Floats) -> Whole:
    """Return a nearly stochastic matrix as a stochastic one, in units of 2^(−BITS)."""
    return [distribution(_on_grid(row)) for row in mechanism]


def _on_grid(values: Floats) -> list[int]:
    # Scaling a float by a power of two is exact.
    return [int(math.ldexp(max(value, 0.0), BITS)) for value in values.tolist()]


def distribution(values: Sequence[int]) -> list[int]:
    """Return numbers ≥ 0, not all zero, scaled to the sum 2^BITS; the largest takes the rounding.

    Raises
    ------
    UndecidedError
        If all are zero.
    """
    total = sum(values)
    if total == 0:
        raise UndecidedError("A row of the approximate optimum is zero.")
    scaled = [(value << BITS) // total for value in values]
    largest = max(range(len(scaled)), key=scaled.__getitem__)
    scaled[largest] += (1 << BITS) - sum(scaled)
    return scaled


def private_mixture(rows: Whole, problem: Problem) -> Matrix:
    """Return (1 − s) P + s U with the least s in {0, 2^(−BITS), …, 1/2, 1} that makes it private.

    U is uniform, so the rows of UT are equal and lose nothing against each other: each excess
    Q_aj − k Q_bj shrinks by the factor 1 − s and then by s (k − 1) times the mean of column j.

    Parameters
    ----------
    rows
        P in units of 2^(−BITS), rows of sum 2^BITS.
    problem
        The channel T, k and δ.

    Returns
    -------
    A row-stochastic matrix of fractions; its product with T is private.
    """
    gaps, means, budget = _gaps(rows, problem)

    def private(exponent: int) -> bool:
        """Return whether s = 2^(−exponent) is enough."""
        keep, lift = (1 << exponent) - 1, 1 << BITS
        limit = budget << exponent
        return all(
            sum(gap for gap in _mixed(row, means, keep, lift) if gap > 0) <= limit for row in gaps
        )

    if all(sum(gap for gap in row if gap > 0) <= budget for row in gaps):
        return matrix([[Fraction(value, 1 << BITS) for value in row] for row in rows])
    enough, too_little = 0, BITS + 1
    while too_little - enough > 1:
        middle = (enough + too_little) // 2
        enough, too_little = (middle, too_little) if private(middle) else (enough, middle)
    return _mixture(rows, enough)


def _mixed(row: Sequence[int], means: Sequence[int], keep: int, lift: int) -> list[int]:
    return [keep * gap - lift * mean for gap, mean in zip(row, means, strict=True)]


def _mixture(rows: Whole, exponent: int) -> Matrix:
    size = len(rows)
    keep, scale = ((1 << exponent) - 1) * size, size << (BITS + exponent)
    return matrix([[Fraction(keep * value + (1 << BITS), scale) for value in row] for row in rows])


def _gaps(rows: Whole, problem: Problem) -> tuple[Whole, list[int], int]:
    """Return M (Q_aj − k Q_bj), (k − 1) M times the column means of T, and M δ, as integers.

    The unit of gaps and budget is 1/(2^BITS D), that of the means 1/D, with D the common
    denominator of k, δ and T.
    """
    size = len(rows)
    identity = [[int(i == j) for j in range(size)] for i in range(size)]
    sent, scale = (identity, 1) if problem.channel is None else cleared_channel(problem.channel)
    outputs = np.array((fmpz_mat(rows) * fmpz_mat(sent)).tolist(), dtype=object)
    over = problem.k.numerator * problem.delta.denominator
    under = problem.k.denominator * problem.delta.denominator
    upper, lower = outputs[:-1], outputs[1:]
    gaps = np.vstack([under * upper - over * lower, under * lower - over * upper])
    means = [(over - under) * sum(column) for column in zip(*sent, strict=True)]
    budget = problem.delta.numerator * problem.k.denominator * (scale << BITS) * size
    return [[size * int(gap) for gap in row] for row in gaps.tolist()], means, budget


def cleared_channel(channel: Matrix) -> tuple[Whole, int]:
    """Return the entries of a rational matrix as integers over their common denominator."""
    scale = math.lcm(*(entry.denominator for entry in channel.ravel()))
    whole = [
        [entry.numerator * (scale // entry.denominator) for entry in row]
        for row in channel.tolist()
    ]
    return whole, scale
