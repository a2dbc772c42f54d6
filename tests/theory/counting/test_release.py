"""The optimal release and its peers: known values, five fields, linear programs, properties."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
import sympy
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import laplace

from provedp.theory import counting
from provedp.theory.matrices import matrix, product
from provedp.theory.numbers import Field, ball, ball_contains
from provedp.theory.privacy import hockey_stick, path_delta

FLOAT_ERROR = 1e-12  # rounding, for the moderate m and k used here
SOLVER_GAP = 1e-7  # feasibility tolerance of the simplex method
PROPERTY = settings(derandomize=True, deadline=None, max_examples=60)
COUNTS = st.integers(2, 9)
RATIOS = st.fractions(1, 20, max_denominator=12)
DELTAS = st.fractions(0, F(9, 10), max_denominator=20)


@pytest.mark.parametrize(
    ("m", "k", "known"),
    [
        (2, "2", "2/3"),
        (5, "11/10", "121/541"),
        (8, "2", "16/45"),
        (33, "11/10", "45949729863572161/764944327135015381"),
        (7, "1", "1/7"),
    ],
)
def test_alpha_has_its_known_values(m, k, known):
    assert counting.alpha(m, F(k)) == counting.alpha_closed_form(m, F(k)) == F(known)


@pytest.mark.parametrize(
    ("m", "k", "delta", "known"),
    [
        (4, "11/10", "1/10", "32/49"),
        (6, "3/2", "1/1000", "16983/23750"),
        (2, "1", "1/10", "9/20"),
        (40, "3/2", "1/3", "27883789448/52286037375"),
    ],
)
def test_error_has_its_known_values(m, k, delta, known):
    assert counting.error(m, F(k), F(delta)) == F(known)
    assert counting.diagonal(m, F(k), F(delta)) == 1 - F(known)


def test_error_at_epsilon_one():
    assert counting.error(8, math.e, 0.05) == pytest.approx(0.50279790858637202707, abs=1e-15)
    certified = counting.error(8, arb(1).exp(), ball(F(1, 20)))
    assert abs(certified - arb("0.50279790858637202707")) < 2e-15


def test_floats_and_balls_keep_their_digits_near_k_one():
    tiny = F(1, 2**40)
    exact = counting.error(8, 1 + tiny, 0)
    assert counting.error(8, float(1 + tiny), 0.0) == pytest.approx(float(exact), rel=1e-15)
    assert counting.error(8, arb(1, 1e-9), arb(0)).is_finite()
    with pytest.raises(ValueError, match="0/0"):
        counting.alpha_closed_form(8, arb(1, 1e-9))


def least_error(m, k, delta):
    """The paper's linear program with one constraint for each event, by a floating solver."""
    rows, limits = [], []
    for a, b in itertools.permutations(range(m), 2):
        if abs(a - b) != 1:
            continue
        for event in itertools.product([0, 1], repeat=m):
            row = np.zeros((m, m))
            row[a] += event
            row[b] -= k * np.array(event)
            rows.append([0.0, *row.ravel()])
            limits.append(delta)
    for i in range(m):
        row = np.zeros((m, m))
        row[i, i] = -1
        rows.append([1.0, *row.ravel()])
        limits.append(0.0)
    sums = [[0.0, *np.repeat(np.eye(m)[i], m)] for i in range(m)]
    found = linprog([-1.0] + [0.0] * m * m, rows, limits, sums, [1.0] * m, bounds=(0, 1))
    return 1 + found.fun


@pytest.mark.parametrize("m", [2, 3, 4, 5])
@pytest.mark.parametrize(("k", "delta"), [(1.0, 0.0), (1.5, 0.1), (3.0, 0.0), (6.0, 0.3)])
def test_error_is_the_optimum_of_the_linear_program(m, k, delta):
    assert counting.error(m, k, delta) == pytest.approx(least_error(m, k, delta), abs=SOLVER_GAP)


@PROPERTY
@given(COUNTS, RATIOS, DELTAS)
def test_release_is_a_private_symmetric_law_with_that_error(m, k, delta):
    release = counting.release_matrix(m, k, delta)
    assert all(sum(row) == 1 for row in release)
    assert (release == release.T).all()
    assert path_delta(release, k) == delta
    assert counting.worst_case_error(release) == counting.error(m, k, delta)
    off_diagonal = release[~np.eye(m, dtype=bool)]
    assert max(off_diagonal) == counting.entry_max(m, k, delta)
    assert min(off_diagonal) == counting.entry_min(m, k, delta)


@PROPERTY
@given(COUNTS, RATIOS, DELTAS)
def test_error_falls_with_k_and_delta_and_rises_with_m(m, k, delta):
    error = counting.error(m, k, delta)
    assert counting.error(m, k + F(1, 10), delta) < error
    assert counting.error(m, k, delta + F(1, 100)) < error
    assert counting.error(m + 1, k, delta) > error
    assert error < counting.error_limit(k, delta)


@pytest.mark.parametrize("k", [F(11, 10), F(2), F(9)])
def test_error_tends_to_its_limit(k):
    gap = counting.error_limit(k, F(1, 7)) - counting.error(601, k, F(1, 7))
    assert 0 < gap < F(1, 10**10)


def test_cyclic_distance_goes_the_short_way():
    assert [counting.cyclic_distance(6, 2, j) for j in range(1, 7)] == [1, 0, 1, 2, 3, 2]
    with pytest.raises(ValueError, match=r"'j' parameter.*\[1, 6\]. Got 7"):
        counting.cyclic_distance(6, 2, 7)


@pytest.mark.parametrize(("m", "known"), [(2, 4), (4, 10), (8, 28), (101, 2651)])
def test_number_of_forced_entries(m, known):
    assert counting.forced_count(m) == known == len(counting.forced_entries(m))


def test_dual_weights_are_a_certificate():
    assert counting.dual_weights(5, 2) == [F(1, 10), F(1, 5), F(2, 5), F(1, 5), F(1, 10)]
    for m, k in itertools.product((2, 3, 6, 9), (F(1), F(3, 2), F(4))):
        for row in {(m + 1) // 2, m // 2 + 1}:
            weights = counting.dual_weights(m, k, row)
            assert sum(weights) == 1
            assert weights[row - 1] == 1 - counting.error(m, k, 0)
            assert all(
                w == counting.alpha(m, k) / k ** abs(i - row + 1) for i, w in enumerate(weights)
            )
    with pytest.raises(ValueError, match="'row' parameter"):
        counting.dual_weights(5, 2, 6)


@pytest.mark.parametrize(
    ("m", "k", "delta", "upper", "radius"),
    [
        (4, "2", "0", "4/9", "1/6"),
        (4, "2", "1/20", "19/45", "47/240"),
        (3, "1", "1/20", "3/20", "1/20"),
        (4, "1", "1/10", "2/5", "1/5"),
    ],
)
def test_radius_bound_and_radius(m, k, delta, upper, radius):
    assert counting.radius_upper(m, F(k), F(delta)) == F(upper) >= F(radius)
    if m == 3:
        assert counting.radius_of_three(F(k), F(delta)) == F(radius)
    elif F(delta) == 0:
        assert counting.radius_of_four(F(k)) == F(radius)


def test_printed_radius_bound_needs_k_above_one():
    assert counting.radius_upper_as_printed(4, 2, F(1, 20)) == F(19, 45)
    with pytest.raises(ZeroDivisionError):
        counting.radius_upper_as_printed(4, 1, F(1, 20))


@pytest.mark.parametrize("m", range(2, 10))
def test_eigenvalues_are_those_of_the_kernel(m):
    kernel = [
        [0.3 ** counting.cyclic_distance(m, i, j) for j in range(1, m + 1)] for i in range(1, m + 1)
    ]
    expected = np.linalg.eigvalsh(kernel)
    assert sorted(counting.eigenvalues(m, 0.3)) == pytest.approx(expected, abs=FLOAT_ERROR)
    balls = counting.eigenvalues(m, ball(F(3, 10)))
    exact = counting.eigenvalues(m, F(3, 10))
    assert all(b.rad() < 1e-13 for b in balls)
    assert [float(b) for b in balls] == pytest.approx([float(e) for e in exact], abs=FLOAT_ERROR)


def test_printed_eigenvalues_fail_for_two_counts():
    # [[1, q], [q, 1]] has the eigenvalues 1 ± q.
    assert sorted(counting.eigenvalues(2, F(1, 2))) == [F(1, 2), F(3, 2)]
    assert F(5, 2) in counting.eigenvalues_as_printed(2, F(1, 2))


@PROPERTY
@given(RATIOS, DELTAS, st.fractions(0, 1, max_denominator=9), st.fractions(0, 1, max_denominator=9))
def test_family_of_three_is_optimal(k, delta, s, t):
    scaled = delta * (k + 2) / (1 - delta)
    low = max(1 - scaled, 0) / k
    u, v = low + s * (1 - low), low + t * (1 - low)
    release = counting.matrix_of_three(k, delta, u, v)
    assert all(sum(row) == 1 and min(row) >= 0 for row in release)
    assert path_delta(release, k) <= delta
    assert counting.worst_case_error(release) == counting.error(3, k, delta)
    exact = sympy.Matrix((release * (k + 2) / (1 - delta)).tolist()).det()
    assert counting.three_determinant(k, scaled, u, v) == F(int(exact.p), int(exact.q))


@PROPERTY
@given(RATIOS, *[st.fractions(0, 1, max_denominator=9)] * 4)
def test_family_of_four_is_optimal(k, a, b, c, d):
    x3, y3 = 1 / k + a * (k - 1 / k), 1 / k + b * (k - 1 / k)
    x2, y2 = 1 + c * (k**2 - 1), 1 + d * (k**2 - 1)
    if min(2 * k + 1 - x2 - x3, 2 * k + 1 - y2 - y3) < k:
        return
    release = counting.matrix_of_four(k, x2, x3, y2, y3)
    assert all(sum(row) == 1 for row in release)
    assert path_delta(release, k) == 0
    assert counting.worst_case_error(release) == counting.error(4, k, 0)


def test_example_is_a_private_optimal_release_without_full_rank():
    k = F(11, 10)
    example = counting.example_matrix(k)
    assert [sum(row) for row in example] == [1] * 5
    assert path_delta(example, k) == 0
    assert counting.worst_case_error(example) == counting.error(5, k, 0)
    assert [k * entry for entry in example[:, 0]] == example[:, 1].tolist()


PEERS = {
    "truncated_geometric": (counting.truncated_geometric_matrix, 1),
    "randomized_response": (counting.randomized_response_matrix, 1),
    "rounded_laplace": (counting.rounded_laplace_matrix, 2),
    "exponential_mechanism": (counting.exponential_mechanism_matrix, 2),
}


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("m", [2, 3, 4, 7, 12])
@pytest.mark.parametrize("root", [F(1), F(101, 100), F(3, 2), F(2), F(37, 5)])
def test_peers_are_private_and_do_not_beat_the_optimum(name, m, root):
    law, power = PEERS[name]
    rows, k = law(m, root), root**power
    assert all(sum(row) == 1 and min(row) >= 0 for row in rows)
    assert path_delta(rows, k) == 0
    assert counting.worst_case_error(rows) >= counting.error(m, k, 0)


def test_randomized_response_protects_all_pairs_and_is_tight():
    rows = counting.randomized_response_matrix(5, F(3))
    pairs = list(itertools.permutations(rows, 2))
    assert all(hockey_stick(p, q, F(3)) == 0 for p, q in pairs)
    assert all(hockey_stick(p, q, F(299, 100)) > 0 for p, q in pairs)


def test_geometric_law_by_hand():
    rows = counting.truncated_geometric_matrix(4, 3)
    expected = [["3/4", "1/6", "1/18", "1/36"], ["1/4", "1/2", "1/6", "1/12"]]
    assert [[str(p) for p in row] for row in rows[:2]] == expected
    assert (rows[::-1, ::-1] == rows).all()


@pytest.mark.parametrize(("m", "epsilon"), [(2, 0.3), (5, 1.0), (9, 2.5)])
def test_rounded_laplace_agrees_with_the_distribution_function(m, epsilon):
    ends = [-math.inf, *(j + 0.5 for j in range(m - 1)), math.inf]
    expected = [np.diff(laplace.cdf(ends, loc=i, scale=1 / epsilon)) for i in range(m)]
    assert counting.rounded_laplace_matrix(m, math.exp(epsilon / 2)) == pytest.approx(
        np.array(expected), abs=FLOAT_ERROR
    )


def test_exponential_mechanism_agrees_with_its_definition():
    scores = np.exp(-0.5 * 0.8 * np.abs(np.subtract.outer(np.arange(6), np.arange(6))))
    expected = scores / scores.sum(axis=1, keepdims=True)
    found = counting.exponential_mechanism_matrix(6, math.exp(0.4))
    assert found == pytest.approx(expected, abs=FLOAT_ERROR)


FIELDS = {
    Field.FLINT: lambda value: fmpq(value.numerator, value.denominator),
    Field.FLOAT: float,
    Field.BALL: ball,
    Field.SYMBOL: lambda value: sympy.Rational(value.numerator, value.denominator),
}
FORMULAS = {
    "alpha": (5, F(3, 2)),
    "alpha_closed_form": (6, F(3, 2)),
    "error": (7, F(3, 2), F(1, 9)),
    "error_limit": (F(3, 2), F(1, 9)),
    "release_matrix": (6, F(3, 2), F(1, 9)),
    "diagonal": (4, F(3, 2), F(1, 9)),
    "dual_weights": (6, F(3, 2)),
    "entry_max": (5, F(3, 2), F(1, 9)),
    "entry_min": (5, F(3, 2), F(1, 9)),
    "radius_upper": (5, F(3, 2), F(1, 99)),
    "radius_upper_as_printed": (5, F(3, 2), F(1, 99)),
    "radius_of_three": (F(3, 2), F(1, 99)),
    "radius_of_four": (F(3, 2),),
    "matrix_of_three": (F(3, 2), F(1, 99), F(9, 10), F(7, 9)),
    "matrix_of_four": (F(3, 2), F(9, 8), F(10, 9), F(11, 9), F(7, 6)),
    "three_determinant": (F(3, 2), F(1, 99), F(9, 10), F(7, 9)),
    "example_matrix": (F(11, 10),),
    "truncated_geometric_matrix": (5, F(3, 2)),
    "randomized_response_matrix": (5, F(3, 2)),
    "rounded_laplace_matrix": (5, F(3, 2)),
    "exponential_mechanism_matrix": (5, F(3, 2)),
}


def same(value, exact):
    """Whether a number of any field agrees with a fraction, balls by containment and width."""
    if isinstance(value, arb):
        return ball_contains(value, exact) and value.rad() < 1e-13
    if isinstance(value, float):
        return abs(value - exact) <= FLOAT_ERROR
    return F(int(value.p), int(value.q)) == exact


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("name", FORMULAS)
def test_one_formula_in_all_fields(field, name):
    formula, arguments = getattr(counting, name), FORMULAS[name]
    lifted = [FIELDS[field](x) if isinstance(x, F) else x for x in arguments]
    values = np.ravel(np.array(formula(*lifted), dtype=object))
    exact = np.ravel(np.array(formula(*arguments), dtype=object))
    assert len(values) == len(exact)
    assert all(same(left, right) for left, right in zip(values, exact, strict=True))


def test_formulas_over_symbols_hold_for_all_k():
    k, m = sympy.Symbol("k", positive=True), sympy.Symbol("m", integer=True, positive=True)
    for size in range(2, 9):
        difference = counting.alpha(size, k) - counting.alpha_closed_form(size, k)
        assert sympy.simplify(difference) == 0
        assert sympy.simplify(counting.error(m, k, 0).subs({m: size, k: 2})) == sympy.Rational(
            str(counting.error(size, F(2), 0))
        )


def test_path_delta_is_the_worst_event_over_neighbours():
    rows = [[F(1, 2), F(1, 3), F(1, 6)], [F(1, 6), F(1, 2), F(1, 3)], [F(1, 3), F(1, 3), F(1, 3)]]
    k = F(5, 4)
    worst = max(
        sum(p for p, inside in zip(rows[a], event, strict=True) if inside)
        - k * sum(q for q, inside in zip(rows[b], event, strict=True) if inside)
        for a, b in ((0, 1), (1, 0), (1, 2), (2, 1))
        for event in itertools.product((False, True), repeat=3)
    )
    assert path_delta(rows, k) == worst
    float_delta = path_delta(np.array(rows, float), float(k))
    assert float_delta == pytest.approx(float(worst), abs=FLOAT_ERROR)
    certified = path_delta(matrix(rows, Field.BALL), ball(k))
    assert ball_contains(certified, worst) and certified.rad() < 1e-14


def test_path_delta_looks_both_ways():
    fair, certain = [F(1, 2), F(1, 2)], [F(1), F(0)]
    assert path_delta([fair, certain], F(3, 2)) == F(1, 2)
    assert path_delta([certain, fair], F(3, 2)) == F(1, 2)


def test_post_processing_does_not_raise_delta():
    release = counting.release_matrix(3, F(2), F(1, 10))
    channel = matrix([[F(1, 2), F(1, 2), F(0)], [F(0), F(1, 3), F(2, 3)], [F(1), F(0), F(0)]])
    assert path_delta(product(release, channel), F(2)) <= F(1, 10)
