"""A rational linear program and the exact points of its bases.

A basis is a set of basic columns and an equally large set of binding rows. All other columns are
zero and all other rows have basic slacks, so each linear system has the size of that small block.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat, fmpz

SparseRow = dict[int, fmpq]
WholeRow = dict[int, fmpz]
ZERO = fmpq(0)


class UndecidedError(ArithmeticError):
    """The exact method gave up; nothing is claimed about the program."""


@dataclass(frozen=True)
class Basis:
    """Basic columns and binding rows, both ascending and of equal number."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Move:
    """A variable (a column, or the slack of a row) and the amount by which it is off."""

    is_column: bool
    index: int
    amount: fmpq


@dataclass(frozen=True)
class Tableau:
    """Maximise objective·x over rows·x ≤ bounds (the first `inequalities`) or = bounds.

    Rows are integers, which makes the products with long rationals much cheaper.
    """

    columns: int
    objective: SparseRow
    rows: list[WholeRow]
    bounds: list[fmpq]
    inequalities: int
    free: frozenset[int]

    def block(self, basis: Basis) -> fmpq_mat:
        """Return the coefficients of the basic columns in the binding rows."""
        entries = [fmpq(self.rows[i].get(j, 0)) for i in basis.rows for j in basis.columns]
        return fmpq_mat(len(basis.rows), len(basis.columns), entries)

    def primal(self, basis: Basis) -> list[fmpq]:
        """Return x, zero outside the basic columns."""
        right = [self.bounds[i] for i in basis.rows]
        return _scattered(solved(self.block(basis), right), basis.columns, self.columns)

    def dual(self, basis: Basis) -> list[fmpq]:
        """Return the multipliers of the rows, zero on rows that do not bind."""
        right = [self.objective.get(j, ZERO) for j in basis.columns]
        solution = solved(self.block(basis).transpose(), right)
        return _scattered(solution, basis.rows, len(self.rows))

    def value(self, x: Sequence[fmpq]) -> fmpq:
        """Return the objective at x."""
        return sum((c * x[j] for j, c in self.objective.items()), start=ZERO)

    def slacks(self, x: Sequence[fmpq]) -> list[fmpq]:
        """Return bounds − rows·x."""
        products = self.products(x)
        return [bound - value for bound, value in zip(self.bounds, products, strict=True)]

    def products(self, x: Sequence[fmpq]) -> list[fmpq]:
        """Return rows·x."""
        whole, unit = _cleared(x)
        return [
            fmpq(sum((value * whole[j] for j, value in row.items()), start=fmpz(0)), unit)
            for row in self.rows
        ]

    def combination(self, y: Sequence[fmpq]) -> list[fmpq]:
        """Return rowsᵀ·y."""
        whole, unit = _cleared(y)
        totals = [fmpz(0)] * self.columns
        for multiplier, row in zip(whole, self.rows, strict=True):
            if multiplier != 0:
                for j, value in row.items():
                    totals[j] += multiplier * value
        return [fmpq(total, unit) for total in totals]

    def prices(self, y: Sequence[fmpq]) -> list[fmpq]:
        """Return rowsᵀ·y − objective: how much each column loses at the multipliers y."""
        totals = self.combination(y)
        return [total - self.objective.get(j, ZERO) for j, total in enumerate(totals)]

    def admits(self, x: Sequence[fmpq]) -> bool:
        """Return whether x is feasible."""
        return not self.violations(x)

    def violations(self, x: Sequence[fmpq]) -> list[Move]:
        """Return the columns below zero and the rows beyond their bounds."""
        slacks = self.slacks(x)
        low = [Move(True, j, x[j]) for j in range(self.columns) if x[j] < 0 and j not in self.free]
        for i, slack in enumerate(slacks):
            if slack < 0 or (slack > 0 and i >= self.inequalities):
                low.append(Move(False, i, slack))
        return low

    def gains(self, y: Sequence[fmpq]) -> list[Move]:
        """Return the columns and rows that would improve the objective if they moved."""
        prices = self.prices(y)
        moves = [
            Move(True, j, -price)
            for j, price in enumerate(prices)
            if price < 0 or (price > 0 and j in self.free)
        ]
        rows = [Move(False, i, -y[i]) for i in range(self.inequalities) if y[i] < 0]
        return moves + rows

    def prices_out(self, y: Sequence[fmpq]) -> bool:
        """Return whether y is dual feasible."""
        return not self.gains(y)


def solved(block: fmpq_mat, right: Sequence[fmpq]) -> list[fmpq]:
    """Return the solution of a square system.

    Raises
    ------
    UndecidedError
        If the block is singular.
    """
    if not right:
        return []
    try:
        solution: list[fmpq] = block.solve(fmpq_mat(len(right), 1, list(right))).entries()
    except ZeroDivisionError:
        raise UndecidedError("The basis is singular.") from None
    return solution


def _cleared(values: Sequence[fmpq]) -> tuple[list[fmpz], fmpz]:
    """Return integers and their common denominator."""
    whole, unit = fmpq_mat(1, len(values), list(values)).numer_denom()
    return whole.entries(), unit


def _scattered(values: Sequence[fmpq], places: Sequence[int], size: int) -> list[fmpq]:
    result = [ZERO] * size
    for place, value in zip(places, values, strict=True):
        result[place] = value
    return result
