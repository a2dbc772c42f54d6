"""Exact simplex steps: from a hinted basis of a rational linear program to an optimal one.

Ties go to the lowest index (Bland), so the steps cannot cycle.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from flint import fmpq

from provedp.verify.solvers.linear_programs.tableau import (
    ZERO,
    Basis,
    Move,
    SparseRow,
    Tableau,
    UndecidedError,
    solved,
)

MAX_PIVOTS = 500  # a useful hint is a few pivots away from the optimum

Pivot = Callable[[Tableau, Basis, Move], Basis]


def optimal_basis(tableau: Tableau, hint: Basis, pivots: int = MAX_PIVOTS) -> Basis:
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

    def violations(basis: Basis) -> list[Move]:
        return tableau.violations(tableau.primal(basis))

    def gains(basis: Basis) -> list[Move]:
        return tableau.gains(tableau.dual(basis))

    feasible, left = _pivoted(easier, hint, violations, dual_pivot, pivots)
    return _pivoted(tableau, feasible, gains, primal_pivot, left)[0]


def _pivoted(
    tableau: Tableau, basis: Basis, faults: Callable[[Basis], list[Move]], pivot: Pivot, pivots: int
) -> tuple[Basis, int]:
    """Pivot on the first fault until there is none; return the basis and the pivots left."""
    for left in range(pivots, -1, -1):
        found = faults(basis)
        if not found:
            return basis, left
        basis = pivot(tableau, basis, found[0])
    raise UndecidedError("No optimal basis within the allowed number of exact pivots.")


def _objective_that_prices_out(tableau: Tableau, basis: Basis) -> SparseRow:
    """Return an objective at which no variable improves: each gain is charged to its variable."""
    objective = dict(tableau.objective)
    for gain in tableau.gains(tableau.dual(basis)):
        if gain.is_column:
            objective[gain.index] = objective.get(gain.index, ZERO) - gain.amount
            continue
        for column, value in tableau.rows[gain.index].items():
            objective[column] = objective.get(column, ZERO) + gain.amount * value
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
    rates = tableau.products(step)
    for i, (rate, slack) in enumerate(zip(rates, tableau.slacks(point), strict=True)):
        if i not in binding and (rate > 0 or (rate != 0 and i >= tableau.inequalities)):
            limits.append((slack / rate, Move(False, i, ZERO)))
    return _exchanged(basis, entering, _first(limits, "The program is unbounded."))


def _direction(tableau: Tableau, basis: Basis, entering: Move) -> list[fmpq]:
    """Return the change of all columns per unit of the entering variable."""
    change = [ZERO] * tableau.columns
    if entering.is_column:
        sign = fmpq(1 if entering.amount > 0 else -1)
        change[entering.index] = sign
        right = [-sign * tableau.rows[i].get(entering.index, 0) for i in basis.rows]
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
        right = [fmpq(-own.get(j, 0)) for j in basis.columns]
    weights = solved(tableau.block(basis).transpose(), right)
    spread = [ZERO] * len(tableau.rows)
    for i, weight in zip(basis.rows, weights, strict=True):
        spread[i] = weight
    rates = [-own.get(j, 0) - total for j, total in enumerate(tableau.combination(spread))]
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
