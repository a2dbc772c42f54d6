"""Linear programs over the rationals: a solver proposes a basis, exact arithmetic disposes.

HiGHS only hints at a basis. The basis is solved again in rationals, moved by exact pivots if it is
not optimal, and returned when primal and dual feasibility hold exactly. Nothing else is returned.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import highspy
import numpy as np
import scipy.sparse
from flint import fmpq, fmpz

from provedp.theory.numbers import Number, flint_rational, rational
from provedp.verify.solvers.linear_programs import highs
from provedp.verify.solvers.linear_programs.pivoting import MAX_PIVOTS, optimal_basis
from provedp.verify.solvers.linear_programs.tableau import Basis, Tableau, UndecidedError, WholeRow

__all__ = [
    "Basis",
    "InfeasibleError",
    "LinearProgram",
    "Optimum",
    "UnboundedError",
    "UndecidedError",
    "solve",
]

Row = Mapping[int, Number]

TOLERANCES = (1e-7, 1e-10)  # of HiGHS: its default, then the tightest that it accepts


@dataclass(frozen=True)
class LinearProgram:
    """Maximise c·x subject to A x ≤ b, E x = f and x_j ≥ 0 for every column j that is not free.

    Parameters
    ----------
    columns
        Number of columns, at least 1.
    objective
        c, as a mapping from column to coefficient.
    at_most
        Rows of A, each a mapping from column to coefficient, with its bound.
    equal
        Rows of E, each with its right-hand side.
    free
        Columns without a sign.
    """

    columns: int
    objective: Row
    at_most: Sequence[tuple[Row, Number]] = ()
    equal: Sequence[tuple[Row, Number]] = ()
    free: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Optimum:
    """An optimum that exact primal and dual points attain: value = c·primal = (b, f)·dual.

    `dual` has one multiplier for each row, first those of `at_most` (all ≥ 0), then `equal`.
    """

    value: Fraction
    primal: tuple[Fraction, ...]
    dual: tuple[Fraction, ...]


class InfeasibleError(ValueError):
    """No x meets the constraints, as `multipliers` prove.

    They are ≥ 0 on `at_most`, and multipliers·(A, E) ≥ 0 (= 0 on free columns) while
    multipliers·(b, f) < 0.
    """

    def __init__(self, multipliers: tuple[Fraction, ...]) -> None:
        super().__init__("The linear program has no feasible point.")
        self.multipliers = multipliers


class UnboundedError(ValueError):
    """The objective has no bound: it grows along `ray` from the feasible `point`."""

    def __init__(self, point: tuple[Fraction, ...], ray: tuple[Fraction, ...]) -> None:
        super().__init__("The linear program is unbounded.")
        self.point = point
        self.ray = ray


def solve(program: LinearProgram, pivots: int = MAX_PIVOTS, guess: Basis | None = None) -> Optimum:
    """Return the exact optimum of a linear program.

    Parameters
    ----------
    program
        Coefficients may be integers, fractions, flint rationals or floats (taken exactly).
    pivots
        Most exact steps from the solver's basis to the optimum.
    guess
        A basis that takes the place of the solver's.

    Returns
    -------
    The optimum with exactly feasible primal and dual points of equal value.

    Raises
    ------
    ValueError
        If a row names a column that does not exist.
    InfeasibleError, UnboundedError
        With their exact certificates.
    UndecidedError
        If the exact pivots run out.

    >>> solve(LinearProgram(2, {0: 1, 1: 1}, at_most=[({0: 2, 1: 1}, 2), ({1: 3}, 2)])).value
    Fraction(4, 3)
    """
    if guess is not None:
        tableau, factors = _tableau(program)
        return _optimum(tableau, factors, optimal_basis(tableau, guess, pivots))
    optimum = _attempted(program, pivots)
    if optimum is None:
        raise UnboundedError(_feasible_point(program), _ray(program))
    return optimum


def _attempted(program: LinearProgram, pivots: int) -> Optimum | None:
    """Return the optimum, or None if the solver finds none at any tolerance."""
    tableau, factors = _tableau(program)
    failure = None
    for tolerance in TOLERANCES:
        status, basis = _hint(tableau, factors, tolerance)
        if status != highspy.HighsModelStatus.kOptimal:
            continue
        try:
            return _optimum(tableau, factors, optimal_basis(tableau, basis, pivots))
        except UndecidedError as error:
            failure = error
    if failure is not None:
        raise failure
    return None


def _surely(program: LinearProgram) -> Optimum:
    """Return the optimum of a program that has one; raise `UndecidedError` if none is found."""
    optimum = _attempted(program, MAX_PIVOTS)
    if optimum is None:
        raise UndecidedError("The solver finds no optimum, but the program has one.")
    return optimum


def _tableau(program: LinearProgram) -> tuple[Tableau, list[fmpz]]:
    """Return the program with integer rows, and the factors that made them so."""
    pairs = [*program.at_most, *program.equal]
    for row in (*(row for row, _ in pairs), program.objective):
        for column in row:
            if not 0 <= column < program.columns:
                raise ValueError(f"A row of the program names column {column}, which is absent.")
    scaled = [_whole(row) for row, _ in pairs]
    factors = [factor for _, factor in scaled]
    bounds = [flint_rational(bound) * f for (_, bound), f in zip(pairs, factors, strict=True)]
    objective = {j: flint_rational(value) for j, value in program.objective.items()}
    rows = [row for row, _ in scaled]
    inequalities = len(program.at_most)
    tableau = Tableau(program.columns, objective, rows, bounds, inequalities, program.free)
    return tableau, factors


def _whole(row: Row) -> tuple[WholeRow, fmpz]:
    exact = {j: flint_rational(value) for j, value in row.items() if value != 0}
    factor = fmpz(math.lcm(*(int(value.q) for value in exact.values())))
    return {j: value.p * (factor // value.q) for j, value in exact.items()}, factor


def _optimum(tableau: Tableau, factors: list[fmpz], basis: Basis) -> Optimum:
    primal, dual = tableau.primal(basis), tableau.dual(basis)
    value = tableau.value(primal)
    bound = sum((y * b for y, b in zip(dual, tableau.bounds, strict=True)), start=fmpq(0))
    if not (tableau.admits(primal) and tableau.prices_out(dual) and value == bound):
        raise UndecidedError("The exact points of the final basis fail their check.")
    unscaled = (rational(y * factor) for y, factor in zip(dual, factors, strict=True))
    return Optimum(rational(value), tuple(map(rational, primal)), tuple(unscaled))


def _hint(
    tableau: Tableau, factors: list[fmpz], tolerance: float
) -> tuple[highspy.HighsModelStatus, Basis]:
    """Return HiGHS' verdict and its last basis, as basic columns and binding rows."""
    solver = highs.solver(
        primal_feasibility_tolerance=tolerance, dual_feasibility_tolerance=tolerance
    )
    solver.passModel(_float_model(tableau, factors))
    solver.run()
    basis = solver.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    columns = [j for j, status in enumerate(basis.col_status) if status == basic]
    rows = [i for i, status in enumerate(basis.row_status) if status != basic]
    return solver.getModelStatus(), Basis(tuple(columns), tuple(rows))


def _float_model(tableau: Tableau, factors: list[fmpz]) -> highspy.HighsLp:
    rows = [
        {j: _float(fmpq(value, factor)) for j, value in row.items()}
        for row, factor in zip(tableau.rows, factors, strict=True)
    ]
    entries = [(i, j, value) for i, row in enumerate(rows) for j, value in row.items()]
    i, j, values = zip(*entries, strict=True) if entries else ((), (), ())
    shape = (len(tableau.rows), tableau.columns)
    sparse = scipy.sparse.csr_matrix((values, (i, j)), shape=shape)
    upper = np.array([_float(b / f) for b, f in zip(tableau.bounds, factors, strict=True)])
    lower = upper.copy()
    lower[: tableau.inequalities] = -np.inf
    signs = np.array([-np.inf if j in tableau.free else 0.0 for j in range(shape[1])])
    objective = np.array([_float(tableau.objective.get(j, 0)) for j in range(shape[1])])
    return highs.packed(objective, sparse, (lower, upper), signs)


def _float(value: Number) -> float:
    return float(rational(value))


def _feasible_point(program: LinearProgram) -> tuple[Fraction, ...]:
    """Return a feasible point; raise `InfeasibleError` if the least violation is positive."""
    width = program.columns
    relaxed, extra = [], width
    for row, bound in program.at_most:
        relaxed.append(({**row, extra: -1}, bound))
        extra += 1
    for row, bound in program.equal:
        above = ({**row, extra: -1}, bound)
        below = ({**{j: -value for j, value in row.items()}, extra: -1}, -bound)
        relaxed += [above, below]
        extra += 1
    cost = dict.fromkeys(range(width, extra), -1)
    optimum = _surely(LinearProgram(extra, cost, relaxed, free=program.free))
    if optimum.value == 0:
        return optimum.primal[:width]
    count = len(program.at_most)
    halves = optimum.dual[count:]
    signed = tuple(up - down for up, down in zip(halves[::2], halves[1::2], strict=True))
    raise InfeasibleError((*optimum.dual[:count], *signed))


def _ray(program: LinearProgram) -> tuple[Fraction, ...]:
    """Return a direction of growth that keeps a feasible point feasible."""
    at_most = [(row, 0) for row, _ in program.at_most] + [(program.objective, 1)]
    equal = [(row, 0) for row, _ in program.equal]
    ray = LinearProgram(program.columns, program.objective, at_most, equal, program.free)
    optimum = _surely(ray)
    if optimum.value == 0:
        raise UndecidedError("The solver finds no optimum, but the program has one.")
    return optimum.primal
