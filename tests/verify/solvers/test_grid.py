"""Points held as integers prove what the checker reads in their fractions."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provedp.theory.channels import psk_matrix
from provedp.theory.counting import error, release_matrix
from provedp.theory.matrices import Matrix, matrix
from provedp.verify.solvers.channel.bracket import Problem, mirrored
from provedp.verify.solvers.channel.canonical import canonical_dual, canonical_dual_on_grid
from provedp.verify.solvers.channel.grid import (
    GridDual,
    GridRelease,
    attained,
    grid_bracket,
    proved,
)
from provedp.verify.solvers.channel.interior_point import interior_point
from provedp.verify.solvers.channel.repair import (
    BITS,
    private_mixture,
    rational_dual,
    rounded_rows,
    unfolded,
)
from provedp.verify.solvers.check import CertificateError, check_dual, check_primal


def rows_of(values: list[list[int]]) -> Matrix:
    return matrix([[F(value, sum(row)) for value in row] for row in values])


def keying(size: int, decibels: float) -> Matrix:
    return rows_of([[int(2**40 * x) for x in row] for row in psk_matrix(size, decibels).tolist()])


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    size = draw(st.integers(2, 5))
    entries = st.lists(st.integers(0, 6), min_size=size, max_size=size).filter(any)
    rows = draw(st.lists(entries, min_size=size, max_size=size))
    if draw(st.booleans()):
        rows = unfolded(rows, size)
        middle = rows[size // 2]
        rows[size // 2] = (
            [a + b for a, b in zip(middle, middle[::-1], strict=True)] if size % 2 else middle
        )
    k, delta = (
        draw(st.sampled_from([F(1), F(11, 10), F(3)])),
        draw(st.sampled_from([F(0), F(1, 9)])),
    )
    return Problem(rows_of(rows), k, delta)


@given(problems(), st.data())
def test_bounds_are_those_of_the_checker(problem: Problem, data: st.DataObject) -> None:
    size = len(problem.floats)
    numbers = st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)
    half = data.draw(st.lists(numbers, min_size=size, max_size=size))
    rows = rounded_rows(np.array(half, dtype=float) / np.sum(half, axis=1, keepdims=True))
    if data.draw(st.booleans()):
        rows = unfolded(rows, size)
        rows[size // 2] = [(1 << BITS) // size] * size if size % 2 else rows[size // 2]
        rows[size // 2][size // 2] += (1 << BITS) - sum(rows[size // 2])
    channel = problem.channel.tolist()
    release = private_mixture(rows, problem)
    upper = check_primal(release.matrix.tolist(), problem.k, problem.delta, channel)
    assert attained(problem, release) == upper
    pairs = [(a, b) for a in range(1, size + 1) for b in (a - 1, a + 1) if 1 <= b <= size]
    multipliers = {pair: data.draw(numbers) for pair in data.draw(st.sets(st.sampled_from(pairs)))}
    weights = data.draw(numbers)
    dual = GridDual(weights, multipliers, sum(weights))
    lower = check_dual(
        dual.fractions.weights, dual.fractions.multipliers, problem.k, problem.delta, channel
    )
    assert proved(problem, dual) == lower
    assert grid_bracket(problem, release, dual, "").gap == upper - lower


@given(problems())
def test_the_mixture_is_the_least_that_is_private(problem: Problem) -> None:
    size = len(problem.floats)
    rows = [[(1 << BITS) * int(i == j) for j in range(size)] for i in range(size)]
    release = private_mixture(rows, problem)
    share = 1 - F(release.rows[0][0] - release.rows[0][1], release.unit)  # the uniform part
    assert share == 0 or share.numerator == 1
    if 0 < share < 1 and share.denominator < 1 << BITS:
        half = share / 2
        less = [
            [(1 - half) * F(int(i == j)) + half / size for j in range(size)] for i in range(size)
        ]
        with pytest.raises(CertificateError):
            check_primal(less, problem.k, problem.delta, problem.channel.tolist())
    if share == 0:
        check_primal(release.matrix.tolist(), problem.k, problem.delta, problem.channel.tolist())


IDENTITY = [[4, 0, 0], [0, 4, 0], [0, 0, 4]]
PROBLEM = Problem(keying(3, 5.0), F(2), F(1, 10))


@pytest.mark.parametrize(
    ("rows", "unit"),
    [
        ([[5, -1, 0], [2, 0, 2], [0, -1, 5]], 4),  # negative
        ([[4, 0, 0], [1, 1, 1], [0, 0, 4]], 4),  # no sum of one, in the middle
        ([[2, 1, 1], [2, 1, 1], [1, 1, 1]], 4),  # nor in the last row
        (IDENTITY, 4),  # not private
    ],
)
def test_what_is_no_private_release_is_refused(rows: list[list[int]], unit: int) -> None:
    with pytest.raises(CertificateError):
        attained(PROBLEM, GridRelease(rows, unit))


@pytest.mark.parametrize("size", [3, 4, 7, 8])
def test_a_fault_in_any_pair_of_rows_is_found(size: int) -> None:
    """Also where channel and release are mirrored, and at the middle pair."""
    problem = Problem(keying(size, 30.0), F(3, 2), F(1, 1000))
    assert problem.mirrored
    for row in range((size + 1) // 2):
        rows = [[2] * size for _ in range(size)]
        rows[row] = [2 * size, *[0] * (size - 1)]
        rows[-1 - row] = rows[row][::-1]
        if 2 * row == size - 1:
            rows[row] = [size, *[0] * (size - 2), size]
        assert mirrored(rows)
        with pytest.raises(CertificateError):
            attained(problem, GridRelease(rows, 2 * size))


def test_a_fault_of_the_middle_pair_alone_is_found() -> None:
    problem = Problem(keying(4, 30.0), F(3, 2), F(1, 1000))
    rows = [[8, 4, 2, 2], [8, 4, 2, 2], [2, 2, 4, 8], [2, 2, 4, 8]]
    with pytest.raises(CertificateError):
        attained(problem, GridRelease(rows, 16))


@pytest.mark.parametrize(
    "dual",
    [
        GridDual([1, 1, 1], {}, 4),
        GridDual([5, -1, 0], {}, 4),
        GridDual([1, 2, 1], {(1, 3): [0, 0, 0]}, 4),
        GridDual([1, 2, 1], {(0, 1): [0, 0, 0]}, 4),
        GridDual([1, 2, 1], {(3, 4): [0, 0, 0]}, 4),
        GridDual([1, 2, 1], {(1, 2): [0, 0, -1]}, 4),
        GridDual([1, 2, 1], {(1, 2): [0, 0]}, 4),
    ],
)
def test_what_are_no_multipliers_is_refused(dual: GridDual) -> None:
    with pytest.raises(CertificateError):
        proved(PROBLEM, dual)


@pytest.mark.parametrize("size", [2, 5, 8])
def test_canonical_multipliers_on_the_grid_are_those_of_the_closed_form(size: int) -> None:
    exact, near = canonical_dual(size, F(5, 3)), canonical_dual_on_grid(size, F(5, 3)).fractions
    assert near.multipliers.keys() == exact.multipliers.keys()
    for pair, row in exact.multipliers.items():
        for value, close in zip(row, near.multipliers[pair], strict=True):
            assert 0 <= value - close < F(1, 1 << BITS)
    for value, close in zip(exact.weights, near.weights, strict=True):
        assert abs(value - close) < F(2 * size, 1 << BITS)


@pytest.mark.parametrize("size", [4, 5])
def test_rows_are_unfolded(size: int) -> None:
    whole = release_matrix(size, F(2), F(0)).tolist()
    assert unfolded(whole[: (size + 1) // 2], size) == whole
    assert mirrored(whole)
    whole[0][0] += 1
    assert not mirrored(whole)


@pytest.mark.parametrize("delta", [F(0), F(1, 10**6), F(1, 20)])
@pytest.mark.parametrize(("decibels", "epsilon"), [(30.0, 8.0), (25.0, 4.0), (20.0, 4.0)])
def test_a_reach_loses_next_to_nothing(decibels: float, epsilon: float, delta: F) -> None:
    channel = keying(24, decibels)
    problem = Problem(channel, F(np.exp(epsilon)), delta)
    request = problem.floats, float(problem.k), float(delta)
    found = []
    for reach in (8, None):
        point = interior_point(*request, mirrored=True, reach=reach)
        assert point is not None
        release = private_mixture(rounded_rows(point.mechanism), problem)
        found.append(grid_bracket(problem, release, rational_dual(point), ""))
    near, far = found
    assert near.gap <= F(1, 10**9) and far.gap <= F(1, 10**9)
    assert near.lower <= far.upper and far.lower <= near.upper


@pytest.mark.parametrize("rows", [[[9, 1], [7, 3]], [[7, 3], [9, 1]]])
def test_neighbours_are_compared_in_both_orders(rows: list[list[int]]) -> None:
    """(7, 3) − 3/2 (9, 1) leaves 3/20 at the second output; the other order leaves nothing."""
    unit = matrix([[F(1), F(0)], [F(0), F(1)]])
    assert attained(Problem(unit, F(3, 2), F(3, 20)), GridRelease(rows, 10)) > 0
    with pytest.raises(CertificateError, match="exceeds delta"):
        attained(Problem(unit, F(3, 2), F(1, 7)), GridRelease(rows, 10))


def test_a_negative_entry_is_refused_where_all_is_private() -> None:
    equal = [[5, -1, 0]] * 3  # exceeds itself times 2 by 1/4
    with pytest.raises(CertificateError, match="no distribution"):
        attained(Problem(keying(3, 5.0), F(2), F(1, 2)), GridRelease(equal, 4))


def test_the_budget_is_used_before_anything_is_mixed_in() -> None:
    """At M = 2 and P = I the excess is 1 − s − s (k − 1)/2, at most 9/10 for s = 1/8 only."""
    unit = matrix([[F(1), F(0)], [F(0), F(1)]])
    rows = [[1 << BITS, 0], [0, 1 << BITS]]
    release = private_mixture(rows, Problem(unit, F(11, 10), F(9, 10)))
    assert release.matrix.tolist() == [[F(15, 16), F(1, 16)], [F(1, 16), F(15, 16)]]


@pytest.mark.parametrize("size", [2, 5, 8])
def test_canonical_multipliers_on_the_grid_prove_the_closed_error(size: int) -> None:
    unit = matrix([[F(int(i == j)) for j in range(size)] for i in range(size)])
    lower = proved(Problem(unit, F(5, 3), F(1, 7)), canonical_dual_on_grid(size, F(5, 3)))
    assert 0 <= error(size, F(5, 3), F(1, 7)) - lower < F(1, 10**30)
