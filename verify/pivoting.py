"""Exact simplex steps: from a hinted basis of a rational linear program to an optimal one.

Ties go to the lowest index (Bland), so the steps cannot cycle.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from flint import fmpq

from provedp.verify.tableau import ZERO, Basis, Move, SparseRow, Tableau, UndecidedError, solved

MAX_PIVOTS = 500  # a useful hint is a few pivots away from the optimum

Pivot = Callable[[Tableau, Basis, Move], Basis]


def optimal_basis(tableau: Tableau, hint: Basis) -> Basis:
    """Return a basis whose primal and dual points are both feasible.

    The objective is first changed so that the hint is dual feasible. Dual pivots then reach a
    feasible point, and primal pivots lead from there to the optimum of the true objective.

    Raises
    ------
    UndecidedError
        If the hint is singular or not square, or the pivots run out.
    """
    if len(hint.columns) != len(hint.rows):
        raise UndecidedError("The hinted basis is not square.")
    easier = replace(tableau, objective=_objective_that_prices_out(tableau, hint))
    feasible = _pivoted(
        easier, hint, lambda basis: tableau.violations(tableau.primal(basis)), dual_pivot
    )
    return _pivoted(
        tableau, feasible, lambda basis: tableau.gains(tableau.dual(basis)), primal_pivot
    )


def _pivoted(
    tableau: Tableau, basis: Basis, faults: Callable[[Basis], list[Move]], pivot: Pivot
) -> Basis:
    for _ in range(MAX_PIVOTS):
        found = faults(basis)
        if not found:
            return basis
        basis = pivot(tableau, basis, found[0])
    raise UndecidedError(f"No optimal basis within {MAX_PIVOTS} exact pivots.")


def _objective_that_prices_out(tableau: Tableau, basis: Basis) -> SparseRow:
    """Return an objective at which no variable improves: each gain is charged to its variable."""
    objective = dict(tableau.objective)
    for gain in tableau.gains(tableau.dual(basis)):
        charge = {gain.index: gain.amount} if gain.is_column else tableau.rows[gain.index]
        factor = fmpq(1) if gain.is_column else -gain.amount
        for column, value in charge.items():
            objective[column] = objective.get(column, ZERO) - factor * value
    return objective


def primal_pivot(tableau: Tableau, basis: Basis, entering: Move) -> Basis:
    """Let a variable enter that improves the objective; the first one to reach its bound leaves.

    Raises
    ------
    UndecidedError
        If none does: the program is unbounded.
    """
    step = _direction(tableau, basis, entering)
    point = tableau.primal(basis)
    limits = [
        (point[j] / -step[j], Move(True, j, ZERO))
        for j in basis.columns
        if step[j] < 0 and j not in tableau.free
    ]
    binding = set(basis.rows)
    for i, (row, slack) in enumerate(zip(tableau.rows, tableau.slacks(point), strict=True)):
        rate = sum((value * step[j] for j, value in row.items()), start=ZERO)
        if i not in binding and (rate > 0 or (rate != 0 and i >= tableau.inequalities)):
            limits.append((slack / rate, Move(False, i, ZERO)))
    return _exchanged(basis, entering, _first(limits, "The program is unbounded."))


def _direction(tableau: Tableau, basis: Basis, entering: Move) -> list[fmpq]:
    """Return the change of all columns per unit of the entering variable."""
    change = [ZERO] * tableau.columns
    if entering.is_column:
        sign = fmpq(1 if entering.amount > 0 else -1)
        change[entering.index] = sign
        right = [-sign * tableau.rows[i].get(entering.index, ZERO) for i in basis.rows]
    else:
        right = [fmpq(-1 if i == entering.index else 0) for i in basis.rows]
    for j, value in zip(basis.columns, solved(tableau.block(basis), right), strict=True):
        change[j] = value
    return change


def dual_pivot(tableau: Tableau, basis: Basis, leaving: Move) -> Basis:
    """Let a violated variable leave; the one that costs the objective least enters.

    Raises
    ------
    UndecidedError
        If none can enter: the program has no feasible point.
    """
    multipliers = tableau.dual(basis)
    prices = tableau.prices(multipliers)
    sign = 1 if leaving.amount < 0 else -1
    limits = []
    for candidate in _rates(tableau, basis, leaving):
        rate = sign * candidate.amount
        if candidate.is_column and candidate.index in tableau.free:
            rate = abs(rate)
        if rate > 0:
            source = prices if candidate.is_column else multipliers
            limits.append((source[candidate.index] / rate, candidate))
    return _exchanged(basis, _first(limits, "The program has no feasible point."), leaving)


def _rates(tableau: Tableau, basis: Basis, leaving: Move) -> Iterable[Move]:
    """Yield each non-basic variable with the change of the leaving one per unit of it."""
    own = {} if leaving.is_column else tableau.rows[leaving.index]
    if leaving.is_column:
        right = [fmpq(1 if j == leaving.index else 0) for j in basis.columns]
    else:
        right = [-own.get(j, ZERO) for j in basis.columns]
    weights = solved(tableau.block(basis).transpose(), right)
    rates = [-own.get(j, ZERO) for j in range(tableau.columns)]
    for i, weight in zip(basis.rows, weights, strict=True):
        for j, value in tableau.rows[i].items():
            rates[j] -= weight * value
    basic = set(basis.columns)
    yield from (Move(True, j, rate) for j, rate in enumerate(rates) if j not in basic)
    for i, weight in zip(basis.rows, weights, strict=True):
        if i < tableau.inequalities:
            yield Move(False, i, -weight)


def _first(limits: list[tuple[fmpq, Move]], complaint: str) -> Move:
    if not limits:
        raise UndecidedError(complaint)
    return min(limits, key=lambda limit: (limit[0], not limit[1].is_column, limit[1].index))[1]


def _exchanged(basis: Basis, entering: Move, leaving: Move) -> Basis:
    columns, rows = set(basis.columns), set(basis.rows)
    (columns.add if entering.is_column else rows.remove)(entering.index)
    (columns.remove if leaving.is_column else rows.add)(leaving.index)
    return Basis(tuple(sorted(columns)), tuple(sorted(rows)))
