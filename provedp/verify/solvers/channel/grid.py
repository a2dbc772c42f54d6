"""Points as integers over common denominators, checked exactly by flint.

The formulas are those of `verify.solvers.check`, whose checker reads what is found here again with
the standard library alone.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt
from flint import fmpz_mat

from provedp.theory.matrices import Matrix
from provedp.verify.solvers.channel.bracket import Bracket, Dual, Problem, Whole, mirrored
from provedp.verify.solvers.check import CertificateError

__all__ = [
    "GridDual",
    "GridPoints",
    "GridRelease",
    "Objects",
    "attained",
    "excesses",
    "grid_bracket",
    "integers",
    "proved",
]

Objects = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class GridRelease:
    """P = rows / unit."""

    rows: Whole
    unit: int

    @cached_property
    def matrix(self) -> Matrix:
        """Return P as fractions."""
        rows = [[Fraction(value, self.unit) for value in row] for row in self.rows]
        return np.array(rows, dtype=object)


@dataclass(frozen=True, eq=False)
class GridDual:
    """y = weights / unit and μ_abj = multipliers[a, b][j] / unit, a and b counted from 1."""

    weights: list[int]
    multipliers: dict[tuple[int, int], list[int]]
    unit: int

    @cached_property
    def fractions(self) -> Dual:
        """Return the multipliers as fractions."""
        rows = {pair: self._over(row) for pair, row in self.multipliers.items()}
        return Dual(self._over(self.weights), rows)

    def _over(self, values: list[int]) -> tuple[Fraction, ...]:
        return tuple(Fraction(value, self.unit) for value in values)


@dataclass(frozen=True, eq=False)
class GridPoints:
    """Both points; their fractions are made when they are asked for."""

    release: GridRelease
    bound: GridDual

    @property
    def primal(self) -> Matrix:
        """Return the row-stochastic matrix P."""
        return self.release.matrix

    @property
    def dual(self) -> Dual:
        """Return the multipliers."""
        return self.bound.fractions


def grid_bracket(
    problem: Problem, release: GridRelease, bound: GridDual, decided_by: str
) -> Bracket:
    """Return the bracket that both points prove behind the channel of the problem.

    Raises
    ------
    CertificateError
        If P is not stochastic or PT not private, or the multipliers are not feasible.
    """
    points = GridPoints(release, bound)
    return Bracket(proved(problem, bound), attained(problem, release), points, decided_by)


def attained(problem: Problem, release: GridRelease) -> Fraction:
    """Return the worst-case error of PT.

    Raises
    ------
    CertificateError
        If P is not stochastic or PT not private.
    """
    for row in _enough_rows(problem, release):
        _require(min(row) >= 0 and sum(row) == release.unit, "A row of P is no distribution.")
    gaps, diagonal, unit = excesses(problem, release)
    totals = np.maximum(gaps, 0).sum(axis=1)
    budget = problem.delta.numerator * unit
    _require(max(totals) * problem.delta.denominator <= budget, "The release exceeds delta.")
    return 1 - Fraction(min(diagonal) * problem.k.denominator, unit)


def excesses(problem: Problem, release: GridRelease) -> tuple[Objects, list[int], int]:
    """Return Q_aj − k Q_bj for neighbours a, b, then Q_ii, and the unit of the former.

    Q_ii has the unit divided by the denominator of k. Rows (a, a + 1) come first, then (a + 1, a).
    If P and T read the same backwards, what is the mirror image of something else is left out.
    """
    rows = _enough_rows(problem, release)
    k, outputs = problem.k, integers(fmpz_mat(rows) * problem.sent)
    over, under = outputs * k.numerator, outputs * k.denominator
    gaps = np.vstack([under[:-1] - over[1:], under[1:] - over[:-1]])
    unit = release.unit * problem.cleared[1] * k.denominator
    return gaps, outputs.diagonal().tolist(), unit


def _enough_rows(problem: Problem, release: GridRelease) -> Whole:
    """Return the rows of P; only the first ones, the middle pair included, if they are mirrored."""
    rows = release.rows
    return rows[: len(rows) // 2 + 1] if problem.mirrored and mirrored(rows) else rows


def proved(problem: Problem, bound: GridDual) -> Fraction:
    """Return the lower bound on the error that y and μ prove.

    Raises
    ------
    CertificateError
        If y is no distribution or μ has a negative entry or joins what are no neighbours.
    """
    size, k = len(bound.weights), problem.k
    distributed = min(bound.weights) >= 0 and sum(bound.weights) == bound.unit
    _require(distributed, "y is not a distribution.")
    earned, paid = np.zeros((2, size, size), dtype=object)
    for (a, b), row in bound.multipliers.items():
        neighbours = abs(a - b) == 1 and min(a, b) >= 1 and max(a, b) <= size
        _require(neighbours, "mu joins rows that are no neighbours.")
        _require(len(row) == size and min(row) >= 0, "mu has a negative entry.")
        values = np.array(row, dtype=object)
        paid[a - 1] += values
        earned[b - 1] += values
    gains = k.numerator * earned - k.denominator * paid
    gains[np.arange(size), np.arange(size)] += k.denominator * np.array(bound.weights, dtype=object)
    prices = integers(fmpz_mat(gains.tolist()) * problem.sent.transpose())
    total = Fraction(sum(map(max, prices.tolist())), problem.cleared[1] * k.denominator)
    largest = sum(max(row) for row in bound.multipliers.values())
    return 1 - (total + problem.delta * largest) / bound.unit


def integers(values: fmpz_mat) -> Objects:
    """Return the entries of a matrix as Python's integers."""
    return np.array([[int(entry) for entry in row] for row in values.tolist()], dtype=object)


def _require(condition: bool, complaint: str) -> None:
    if not condition:
        raise CertificateError(complaint)
