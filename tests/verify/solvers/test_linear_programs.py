import math
from fractions import Fraction as Q

import highspy
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.verify.solvers.channel.optimum import least_error_behind
from provedp.verify.solvers.linear_programs import highs
from provedp.verify.solvers.linear_programs.pivoting import optimal_basis
from provedp.verify.solvers.linear_programs.rational import (
    InfeasibleError,
    LinearProgram,
    UnboundedError,
    UndecidedError,
    solve,
)
from provedp.verify.solvers.linear_programs.tableau import Basis, Tableau

COEFFICIENTS = st.integers(-4, 4) | st.fractions(-3, 3, max_denominator=5)


@st.composite
def programs(draw):
    columns = draw(st.integers(1, 4))
    row = st.fixed_dictionaries({j: COEFFICIENTS for j in range(columns)})
    rows = st.lists(st.tuples(row, COEFFICIENTS), max_size=4)
    free = frozenset(draw(st.sets(st.integers(0, columns - 1), max_size=1)))
    equal = draw(st.lists(st.tuples(row, COEFFICIENTS), max_size=2))
    return LinearProgram(columns, draw(row), draw(rows), equal, free)


def value(row, point):
    return sum(coefficient * point[j] for j, coefficient in row.items())


def is_feasible(program, point, scale=1):
    return (
        all(x >= 0 for j, x in enumerate(point) if j not in program.free)
        and all(value(row, point) <= scale * bound for row, bound in program.at_most)
        and all(value(row, point) == scale * bound for row, bound in program.equal)
    )


def combination(program, multipliers):
    rows = [row for row, _ in (*program.at_most, *program.equal)]
    return [
        sum(y * row.get(j, 0) for y, row in zip(multipliers, rows, strict=True))
        for j in range(program.columns)
    ]


def bound(program, multipliers):
    pairs = (*program.at_most, *program.equal)
    return sum(y * right for y, (_, right) in zip(multipliers, pairs, strict=True))


def check_optimum(program, best):
    assert is_feasible(program, best.primal)
    assert all(y >= 0 for y in best.dual[: len(program.at_most)])
    for j, total in enumerate(combination(program, best.dual)):
        price = total - program.objective.get(j, 0)
        assert price == 0 if j in program.free else price >= 0
    assert best.value == value(program.objective, best.primal) == bound(program, best.dual)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(programs())
def test_every_answer_carries_its_proof(program):
    try:
        check_optimum(program, solve(program))
    except InfeasibleError as error:
        assert all(y >= 0 for y in error.multipliers[: len(program.at_most)])
        assert bound(program, error.multipliers) < 0
        for j, total in enumerate(combination(program, error.multipliers)):
            assert total == 0 if j in program.free else total >= 0
    except UnboundedError as error:
        assert is_feasible(program, error.point)
        assert is_feasible(program, error.ray, scale=0)
        assert value(program.objective, error.ray) > 0


def test_differences_below_every_float_tolerance_are_seen():
    tiny = Q(1, 10**30)
    program = LinearProgram(2, {0: 1, 1: 1 + tiny}, [({0: 1, 1: 1}, 1), ({1: 1}, Q(1, 3))])
    best = solve(program)
    assert best.value == 1 + tiny / 3
    assert best.primal == (Q(2, 3), Q(1, 3))


def test_a_bound_that_a_float_cannot_hold_is_met():
    bound = Q(1, 3) + Q(1, 10**40)
    assert solve(LinearProgram(1, {0: 1}, [({0: 1}, bound), ({0: 3}, 1)])).value == Q(1, 3)


def test_a_gap_below_every_float_tolerance_is_infeasible():
    program = LinearProgram(1, {0: 1}, [({0: 1}, 1)], [({0: 1}, 1 + Q(1, 10**30))])
    with pytest.raises((InfeasibleError, UndecidedError)):
        solve(program)


def test_the_worst_hint_is_repaired():
    rows = [{0: 2, 1: 1}, {0: 1, 1: 3}]
    tableau = Tableau(2, {0: fmpq(1), 1: fmpq(1)}, rows, [fmpq(4), fmpq(6)], 2, frozenset())
    assert optimal_basis(tableau, Basis((), ())) == Basis((0, 1), (0, 1))


def test_pivots_are_limited():
    tableau = Tableau(1, {0: fmpq(1)}, [{0: 1}], [fmpq(1)], 1, frozenset())
    with pytest.raises(UndecidedError, match="exact pivots"):
        optimal_basis(tableau, Basis((), ()), pivots=0)


def test_a_singular_hint_is_undecided():
    tableau = Tableau(2, {0: fmpq(1)}, [{0: 1, 1: 1}, {0: 1, 1: 1}], [fmpq(1)] * 2, 2, frozenset())
    with pytest.raises(UndecidedError, match="singular"):
        optimal_basis(tableau, Basis((0, 1), (0, 1)))


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match="column 7"):
        solve(LinearProgram(2, {0: 1}, [({7: 1}, 1)]))


class Broken:
    """HiGHS with another verdict, and other numbers, than it found."""

    def __init__(self, inner, status, number):
        self.inner, self.status, self.number = inner, status, number

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def getModelStatus(self):
        return self.status or self.inner.getModelStatus()

    def getSolution(self):
        found = self.inner.getSolution()
        if self.number is not None:
            found.col_value = [self.number] * len(found.col_value)
            found.row_dual = [self.number] * len(found.row_dual)
        return found


STATUSES = ["kInfeasible", "kUnbounded", "kModelError", "kSolveError", "kTimeLimit", "kUnknown"]
FAULTS = [
    *((getattr(highspy.HighsModelStatus, name), None) for name in STATUSES),
    (None, math.nan),
    (None, math.inf),
    (highspy.HighsModelStatus.kInfeasible, math.nan),
]


@pytest.fixture(params=FAULTS, ids=str)
def fault(request, monkeypatch):
    made = highs.solver
    monkeypatch.setattr(highs, "solver", lambda **options: Broken(made(**options), *request.param))
    return request.param


def test_a_solver_that_finds_nothing_decides_nothing(fault):
    program = LinearProgram(2, {0: 1, 1: 1}, at_most=[({0: 2, 1: 1}, 2), ({1: 3}, 2)])
    if fault[0] is None:  # only the basis is asked for
        assert solve(program).value == Q(4, 3)
        return
    with pytest.raises(UndecidedError):
        solve(program)


def channel_of(m):
    return [[Q(3, 4) if i == j else Q(1, 4 * (m - 1)) for j in range(m)] for i in range(m)]


@pytest.fixture(scope="module")
def sound():
    """Brackets by the solver as it is."""
    return {m: least_error_behind(channel_of(m), Q(5), Q(1, 100)) for m in (4, 5, 10)}


@pytest.mark.parametrize("m", [4, 5, 10])
def test_a_channel_is_undecided_or_enclosed_when_the_solver_fails(sound, fault, m):
    try:
        found = least_error_behind(channel_of(m), Q(5), Q(1, 100))
    except UndecidedError:
        return
    assert found.lower <= sound[m].upper
    assert sound[m].lower <= found.upper
