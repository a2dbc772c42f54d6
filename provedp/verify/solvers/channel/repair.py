"""From floating-point points to exact ones: rounding, and mixing with a constant release."""

import math
from collections.abc import Sequence

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.solvers.channel.bracket import Problem, Whole
from provedp.verify.solvers.channel.folding import Approximation
from provedp.verify.solvers.channel.grid import GridDual, GridRelease, Objects, excesses
from provedp.verify.solvers.linear_programs.tableau import UndecidedError

__all__ = ["BITS", "distribution", "private_mixture", "rational_dual", "rounded_rows", "unfolded"]

BITS = 128  # of the grid for rounded numbers, far finer than a float near one


def rational_dual(point: Approximation) -> GridDual:
    """Return clipped, normalised multipliers; any such numbers are dual feasible."""
    multipliers = {(a + 1, b + 1): _on_grid(row) for (a, b), row in point.multipliers.items()}
    return GridDual(distribution(_on_grid(point.weights)), multipliers, 1 << BITS)


def rounded_rows(mechanism: Floats) -> Whole:
    """Return a nearly stochastic matrix as a stochastic one, in units of 2^(−BITS)."""
    return [distribution(_on_grid(row)) for row in mechanism]


def unfolded(first: Whole, size: int) -> Whole:
    """Return all rows of a matrix that reads the same backwards, from its first half."""
    return [*first[: (size + 1) // 2], *(row[::-1] for row in reversed(first[: size // 2]))]


def _on_grid(values: Floats) -> list[int]:
    # Scaling a float by a power of two is exact.
    return [int(math.ldexp(value, BITS)) if value > 0 else 0 for value in values.tolist()]


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


def private_mixture(rows: Whole, problem: Problem) -> GridRelease:
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
    A row-stochastic matrix; its product with T is private.
    """
    size, k, sent = len(rows), problem.k, problem.cleared[0]
    exact = GridRelease(rows, 1 << BITS)
    gaps, _, unit = excesses(problem, exact)
    budget = problem.delta.numerator * unit * size
    losses = np.maximum(gaps, 0) * size  # what is not positive stays so
    losses = losses[losses.sum(axis=1) * problem.delta.denominator > budget]
    if not len(losses):
        return exact
    lifts = np.array([sum(column) for column in zip(*sent, strict=True)], dtype=object)
    lifts *= (k.numerator - k.denominator) << BITS

    def private(exponent: int) -> bool:
        """Return whether s = 2^(−exponent) is enough."""
        left = np.maximum(((1 << exponent) - 1) * losses - lifts, 0).sum(axis=1)
        return bool(max(left) * problem.delta.denominator <= budget << exponent)

    enough = _exponent_without_loss(losses, lifts)
    too_little = BITS + 1 if problem.delta else enough + 1
    while too_little - enough > 1:
        middle = (enough + too_little) // 2
        enough, too_little = (middle, too_little) if private(middle) else (enough, middle)
    return _mixture(rows, enough)


def _exponent_without_loss(losses: Objects, lifts: Objects) -> int:
    """Return the largest e ≤ BITS with (2^e − 1) loss ≤ lift for all losses."""
    rows, columns = losses.nonzero()
    ratios = lifts[columns] // losses[rows, columns]
    return min(BITS, (int(min(ratios)) + 1).bit_length() - 1)


def _mixture(rows: Whole, exponent: int) -> GridRelease:
    size = len(rows)
    keep, uniform = ((1 << exponent) - 1) * size, 1 << BITS
    mixed = [[keep * value + uniform for value in row] for row in rows]
    return GridRelease(mixed, size << (BITS + exponent))
