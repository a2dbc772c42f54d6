"""The linear program of a release, solved exactly: any neighbours, loss, δ and side conditions.

Columns: P_ij is column i N + j (from 0), then t if the worst case counts, then a slack for each
ordered pair of neighbours and output if δ > 0.
"""

from collections.abc import Mapping
from fractions import Fraction

from provedp.theory.numbers import Number
from provedp.verify.solvers.check import ReleaseDual, SideRow
from provedp.verify.solvers.linear_programs.rational import LinearProgram, Optimum, solve
from provedp.verify.solvers.release.problem import ReleaseBracket, ReleaseProblem, bracket

__all__ = ["exact", "release_program"]

Row = Mapping[int, Number]
Rows = list[tuple[Row, Number]]


def release_program(problem: ReleaseProblem) -> LinearProgram:
    """Return the program whose optimum is minus the least loss."""
    size = problem.counts * problem.outputs
    at_most, objective = _losses(problem)
    slack = size + (problem.prior is None)
    gaps, budgets, columns = _privacy(problem, slack)
    sides = problem.side_rows().values()
    inside = [_side(problem, row) for row in sides if not row.is_equation]
    equations = [_side(problem, row) for row in sides if row.is_equation]
    sums: Rows = [(dict.fromkeys(_row(problem, i), 1), 1) for i in range(problem.counts)]
    # t has no sign, so that the weights of the counts sum to one even if nothing is lost.
    free = frozenset({size} if problem.prior is None else ())
    rows = [*at_most, *gaps, *budgets, *inside]
    return LinearProgram(columns, objective, rows, [*sums, *equations], free)


def _row(problem: ReleaseProblem, i: int) -> range:
    return range(i * problem.outputs, (i + 1) * problem.outputs)


def _losses(problem: ReleaseProblem) -> tuple[Rows, Row]:
    """Return the rows loss_i ≤ t and the objective −t; or no rows and minus the mean loss."""
    places = [(i, list(_row(problem, i))) for i in range(problem.counts)]
    rows = {i: dict(zip(row, problem.loss[i], strict=True)) for i, row in places}
    if problem.prior is None:
        worst = problem.counts * problem.outputs
        return [({**row, worst: -1}, 0) for row in rows.values()], {worst: -1}
    weighted = {
        column: -problem.prior[i] * cost for i, row in rows.items() for column, cost in row.items()
    }
    return [], weighted


def _privacy(problem: ReleaseProblem, first: int) -> tuple[Rows, Rows, int]:
    """Return P_aj − k P_bj ≤ s_abj (or 0), the budgets Σ_j s_abj ≤ δ, and the number of columns."""
    gaps: Rows = []
    budgets: Rows = []
    for a, b in problem.pairs:
        pairs = zip(_row(problem, a - 1), _row(problem, b - 1), strict=True)
        for j, (mine, other) in enumerate(pairs):
            gap: dict[int, Number] = {mine: 1, other: -problem.k}
            gaps.append(({**gap, first + j: -1} if problem.delta else gap, 0))
        if problem.delta:
            slacks = range(first, first + problem.outputs)
            budgets.append((dict.fromkeys(slacks, 1), problem.delta))
            first += problem.outputs
    return gaps, budgets, first


def _side(problem: ReleaseProblem, row: SideRow) -> tuple[Row, Number]:
    terms = {(i - 1) * problem.outputs + j - 1: factor for i, j, factor in row.terms}
    return terms, row.bound


def dual_of(problem: ReleaseProblem, multipliers: tuple[Fraction, ...]) -> ReleaseDual:
    """Return the multipliers of `release_program` in the form that certificates have."""
    left = iter(multipliers)
    y = problem.prior or tuple(next(left) for _ in range(problem.counts))
    mu = {pair: [next(left) for _ in range(problem.outputs)] for pair in problem.pairs}
    if problem.delta:
        for _ in problem.pairs:
            next(left)
    sides = problem.side_rows()
    ordered = [key for key, row in sides.items() if not row.is_equation]
    nu = {key: next(left) for key in ordered}
    for _ in range(problem.counts):
        next(left)
    nu |= {key: next(left) for key, row in sides.items() if row.is_equation}
    used = {key: value for key, value in nu.items() if value}
    return ReleaseDual(y, {pair: row for pair, row in mu.items() if any(row)}, used)


def exact(problem: ReleaseProblem, pivots: int) -> ReleaseBracket:
    """Return the exact optimum with its certificate.

    Raises
    ------
    InfeasibleError
        If no private release keeps the side conditions.
    UndecidedError
        If the exact pivots run out.
    """
    optimum: Optimum = solve(release_program(problem), pivots)
    rows = [[optimum.primal[column] for column in _row(problem, i)] for i in range(problem.counts)]
    return bracket(problem, rows, dual_of(problem, optimum.dual), "linear program")
