"""Divergences of finite distributions against all events, all tests and dense grids."""

import itertools
import math
import random
import time
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from provedp.theory.counting import release_matrix
from provedp.theory.matrices import matrix
from provedp.theory.numbers import Field, ball, ball_contains
from provedp.theory.privacy import (
    hockey_stick,
    path_delta,
    path_profile,
    privacy_profile,
    renyi_divergence,
    renyi_power_sum,
    trade_off,
    worst_event,
    worst_path_event,
    zcdp,
)

ROUNDING = 1e-12  # of a dozen float operations on numbers below one
LP_TOLERANCE = 1e-7  # HiGHS's own feasibility tolerance
BUDGET = 10  # seconds for an exact 1000 × 1000 matrix

P = [F(1, 2), F(1, 3), F(1, 6), F(0)]
Q = [F(1, 5), F(1, 5), F(2, 5), F(1, 5)]

laws = st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any)
laws = laws.map(lambda found: [F(w, sum(found)) for w in found])
ratios = st.fractions(F(0), F(4), max_denominator=9)
repeat = settings(derandomize=True, deadline=None, max_examples=100)


def events(size):
    return itertools.chain.from_iterable(
        itertools.combinations(range(size), count) for count in range(size + 1)
    )


def gain(p, q, k, event):
    return sum((p[j] - k * q[j] for j in event), start=F(0))


def interpolated(corners, x):
    for (x0, y0), (x1, y1) in itertools.pairwise(corners):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return corners[-1][1]


@repeat
@given(laws, laws, ratios)
def test_worst_event_attains_the_largest_gain(p, q, k):
    found = worst_event(p, q, k)
    assert found.delta == hockey_stick(p, q, k) == max(gain(p, q, k, e) for e in events(4))
    assert gain(p, q, k, found.outcomes) == found.delta


@repeat
@given(laws, laws, ratios)
def test_fields_agree(p, q, k):
    exact = hockey_stick(p, q, k)
    flint = hockey_stick([fmpq(x.numerator, x.denominator) for x in p], q, k)
    assert isinstance(flint, fmpq)
    assert (flint.p, flint.q) == exact.as_integer_ratio()
    certified = hockey_stick([ball(x) for x in p], q, k)
    assert ball_contains(certified, exact)
    assert certified.rad() < ROUNDING
    assert abs(hockey_stick(np.array(p, float), q, k) - float(exact)) < ROUNDING


@repeat
@given(laws, laws, ratios)
def test_profile_interpolates_the_divergence(p, q, k):
    assert interpolated(privacy_profile(p, q), k) == hockey_stick(p, q, k)


def test_profile_ends_with_what_the_other_law_excludes():
    assert privacy_profile(Q, P)[-1] == (F(12, 5), F(1, 5))
    assert privacy_profile(P, Q) == [
        (0, 1),
        (F(5, 12), F(5, 6) - F(5, 12) * F(2, 5)),
        (F(5, 3), F(1, 6)),
        (F(5, 2), 0),
    ]


@repeat
@given(laws, laws)
def test_trade_off_is_convex_and_dual_to_the_profile(p, q):
    corners = trade_off(p, q)
    slopes = [(b1 - b0) / (a1 - a0) for (a0, b0), (a1, b1) in itertools.pairwise(corners)]
    assert slopes == sorted(slopes)
    # E_k(q ‖ p) = 1 − min (k α + β)
    for k in (F(1, 2), F(1), F(5, 2)):
        assert hockey_stick(q, p, k) == 1 - min(k * alpha + beta for alpha, beta in corners)


@pytest.mark.parametrize("alpha", [F(1, 10), F(1, 3), F(3, 5), F(9, 10)])
def test_trade_off_is_the_least_error_of_any_test(alpha):
    best = linprog(
        [-float(x) for x in Q], A_ub=[[float(x) for x in P]], b_ub=[float(alpha)], bounds=(0, 1)
    )
    assert abs(1 + best.fun - float(interpolated(trade_off(P, Q), alpha))) < LP_TOLERANCE


def test_trade_off_of_floats():
    exact = trade_off(P, Q)
    found = trade_off(np.array(P, float), np.array(Q, float))
    assert np.allclose(np.array(found), np.array(exact, float), atol=ROUNDING)


def test_order_of_balls_is_not_guessed():
    with pytest.raises(ValueError, match="exact numbers and floats"):
        trade_off([arb(0.5), arb(0.5)], [arb(0.25), arb(0.75)])


@pytest.mark.parametrize("order", [2, 3, 7])
def test_renyi_divergence_is_the_power_mean(order):
    with mpmath.workdps(40):
        pairs = [(mpmath.mpf(a.numerator) / a.denominator, b) for a, b in zip(P, Q, strict=True)]
        total = mpmath.fsum(
            a**order * (mpmath.mpf(b.numerator) / b.denominator) ** (1 - order) for a, b in pairs
        )
        truth = mpmath.log(total) / (order - 1)
        found = renyi_divergence(P, Q, order)
        assert abs(mpmath.mpf(str(found.mid().str(30, radius=False))) - truth) < 1e-14
    assert renyi_power_sum(P, Q, order) == sum(
        a**order / b ** (order - 1) for a, b in zip(P, Q, strict=True)
    )
    assert found.rad() < 1e-14
    assert abs(renyi_divergence(np.array(P, float), Q, order) - float(truth)) < ROUNDING


@pytest.mark.parametrize("formula", [lambda p, q: renyi_divergence(p, q, 2), zcdp])
def test_an_outcome_that_the_other_law_excludes_is_named(formula):
    with pytest.raises(ValueError, match="outcome 4 has probability 1/5 under p"):
        formula(Q, P)


LAWS = [
    (P, Q),
    ([F(1, 1000), F(999, 1000)], [F(1, 2), F(1, 2)]),
    ([F(9, 10), F(1, 10)], [F(999, 1000), F(1, 1000)]),
    ([F(1, 2), F(1, 2)], [F(49, 100), F(51, 100)]),
]


@pytest.mark.parametrize(("p", "q"), LAWS)
def test_zcdp_is_the_supremum_on_a_grid(p, q):
    orders = 1 + np.exp(np.linspace(-12, 8, 4001))
    pairs = [(float(a), math.log(a / b)) for a, b in zip(p, q, strict=True) if a > 0]
    slack = 0.0
    for order in orders:
        if (order - 1) * max(loss for _, loss in pairs) < 600:
            total = sum(a * math.exp((order - 1) * loss) for a, loss in pairs)
            slack = max(slack, math.log(total) / (order - 1) / order)
    found = zcdp(p, q)
    assert float(found.lower()) <= slack * (1 + 1e-3)
    assert float(found.upper()) >= slack * (1 - 1e-9)
    assert found.rad() < 2e-4 * found.mid()


def test_zcdp_of_equal_laws_is_zero_and_of_pure_privacy_at_most_half_its_square():
    assert zcdp([0.5, 0.5], [0.5, 0.5]) == 0
    assert zcdp([F(1, 3), F(2, 3)], [F(1, 3), F(2, 3)]) == 0
    assert zcdp([0.1, 0.9], [0.1, 0.9]) == 0
    third = [arb(1) / 3, 1 - arb(1) / 3]
    assert zcdp(third, third).upper() < 1e-10
    epsilon = math.log(3)
    assert float(zcdp([F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]).upper()) <= epsilon**2 / 2


ROWS = [P, Q, [F(1, 4)] * 4, [F(1, 10), F(1, 10), F(3, 10), F(1, 2)]]


@pytest.mark.parametrize("k", [F(1), F(3, 2), F(7, 3)])
def test_worst_path_event_is_the_worst_of_all(k):
    found = worst_path_event(ROWS, k)
    neighbours = [(a, a + 1) for a in range(3)] + [(a + 1, a) for a in range(3)]
    best = max(gain(ROWS[a], ROWS[b], k, e) for a, b in neighbours for e in events(4))
    a, b = found.pair
    assert abs(a - b) == 1
    assert gain(ROWS[a], ROWS[b], k, found.outcomes) == found.delta == best == path_delta(ROWS, k)


def test_path_profile_is_path_delta():
    ks = [F(1), F(3, 2), F(2)]
    assert path_profile(ROWS, ks) == [path_delta(ROWS, k) for k in ks]
    with pytest.raises(ValueError, match="at least 0"):
        path_profile(ROWS, [F(-1)])


def test_a_path_of_balls_and_of_floats_agrees():
    exact = worst_path_event(ROWS, F(3, 2))
    certified = worst_path_event(matrix(ROWS, Field.BALL), F(3, 2))
    assert (certified.pair, certified.outcomes) == (exact.pair, exact.outcomes)
    assert ball_contains(certified.delta, exact.delta)
    floats = worst_path_event(np.array(ROWS, float), 1.5)
    assert (floats.pair, floats.outcomes) == (exact.pair, exact.outcomes)
    assert abs(floats.delta - float(exact.delta)) < ROUNDING


def test_one_row_has_no_neighbours():
    assert path_delta([P], F(2)) == 0
    with pytest.raises(ValueError, match="no neighbouring rows"):
        worst_path_event([P], F(2))


@pytest.mark.parametrize("formula", [hockey_stick, worst_event])
def test_supports_of_different_length_are_refused(formula):
    with pytest.raises(ValueError, match="3 and 2 outcomes"):
        formula([F(1, 3)] * 3, [F(1, 2)] * 2, F(2))


def test_rows_of_the_optimal_release_are_exactly_private_at_257_counts():
    rows = release_matrix(257, F(3, 2), 0)
    assert path_delta(rows, F(3, 2)) == 0
    assert path_delta(rows, F(149, 100)) > 0


@pytest.mark.slow
def test_an_exact_matrix_of_a_thousand_rows_takes_seconds():
    draw = random.Random(1)
    weights = [[draw.randrange(1, 10**6) for _ in range(1000)] for _ in range(1000)]
    rows = [[F(w, total) for w in row] for row in weights for total in [sum(row)]]
    start = time.process_time()
    found = worst_path_event(rows, F(3, 2))
    assert time.process_time() - start < BUDGET
    a, b = found.pair
    assert gain(rows[a], rows[b], F(3, 2), found.outcomes) == found.delta
    assert abs(path_delta(np.array(rows, float), 1.5) - float(found.delta)) < 1e-9
