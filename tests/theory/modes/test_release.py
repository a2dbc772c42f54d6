"""Calibration, pools of starts, initialisation, rates, minibatches and regression."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
import sympy
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.theory import modes

repeat = settings(derandomize=True, deadline=None, max_examples=40)

KNOWN = [  # ε, δ, n, m, T: ε_iter and ε*
    (1.0, 1e-6, 1000, 145, 7, 0.0350826482113405555, 0.220133809773319696),
    (0.5, 1e-6, 5000, 588, 9, 0.0154699937501286814, 0.124489698546027473),
]


@pytest.mark.parametrize(("epsilon", "delta", "n", "m", "rounds", "small", "whole"), KNOWN)
def test_budgets_of_a_round(epsilon, delta, n, m, rounds, small, whole):
    budget = (epsilon, delta, n, m, rounds)
    assert modes.iteration_epsilon(*budget) == pytest.approx(small, rel=1e-12)
    assert modes.round_epsilon(*budget) == pytest.approx(whole, rel=1e-12)
    assert modes.round_delta(*budget) == pytest.approx(n * delta / 2 / m / rounds, rel=1e-15)


def test_noise_scales_are_those_found_elsewhere():
    first, second = (1.0, 1e-6, 1000, 145, 7), (0.5, 1e-6, 5000, 588, 9)
    single = modes.score_sensitivity(0.5, 2, 0.3, 0.05)
    assert modes.noise_scale(single, *first) == pytest.approx(31.2512402935614919, rel=1e-12)
    joint = modes.joint_sensitivity(0.5, 2, 0.3, 0.05)
    assert modes.noise_scale(joint, *first) == pytest.approx(66.0463612119287132, rel=1e-12)
    single = modes.score_sensitivity(0.3, 1, 1.0, 0.02)
    assert modes.noise_scale(single, *second) == pytest.approx(513.973965467829718, rel=1e-12)


@repeat
@given(st.floats(0.01, 100), st.integers(1, 500), st.integers(1, 500), st.integers(1, 30))
def test_iteration_budget_is_a_minimum(epsilon, m, more, rounds):
    n = m + more
    found = modes.iteration_epsilon(epsilon, 1e-5, n, m, rounds)
    caps = [
        math.log1p((math.e - 1) * m / n),
        epsilon / (2 * math.sqrt(2 * rounds * math.log(2e5))),
        math.sqrt(epsilon / 4 / rounds),
    ]
    assert found == pytest.approx(min(caps), rel=1e-12)


BOUNDS = {"CE1": 1.0114199631784193, "CE3": 1.0221731377000066, "CE6": 1.2581570258016740}
TWENTIETHS = [str(i / 20) for i in range(-60, 61)]
EXAMPLES = {  # A, p_floor, m, X, starts, the move in units of the noise
    "CE1": ("0.015", "0.5", 16, "1", ["0", "0.08"], "0.1550839804469999903379049"),
    "CE2": ("0.024", "0.5", 10, "0.93", ["-0.1324", "0", "0.1324"], "0.2644530189317353002582053"),
    "CE3": (
        "0.09",
        "50",
        8,
        "0.95",
        [str(i / 20) for i in range(-60, 61)],
        "0.003040902584678888077612189",
    ),
    "CE6": ("0.008", "0.5", 30, "1", ["-0.1", "0", "0.1"], "0.1013612874791361623655059"),
    "CE7": ("0.0562", "2", 9, "0.8267", ["-0.1266", "0", "0.1266"], "0.15836433110465494420"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_moves_of_a_pool_are_those_found_elsewhere(name):
    clip, floor, m, record, places, known = EXAMPLES[name]
    order = 3 if name == "CE7" else 1
    starts = [[F(place)] for place in places]
    with ctx.workprec(200):
        first, second = (
            modes.stabilised_score(
                starts, [[F(0)]] * (m - 1) + [[sign * F(record)]], F(1), F(clip), F(floor), order
            )
            for sign in (1, -1)
        )
        found = modes.pool_shift(first - second, starts, F(1))
        assert abs(found / arb(known) - 1) < 1e-14
        if name in BOUNDS:
            bound = modes.joint_sensitivity(F(1), 1, F(clip), F(floor)) / m
            assert abs(found / bound - arb(str(BOUNDS[name]))) < 1e-14


@repeat
@given(st.integers(2, 6), st.integers(1, 3), st.floats(0.3, 2), st.randoms())
def test_pool_shift_is_a_sum_over_coordinates(k, d, h, random):
    rng = np.random.default_rng(random.randrange(2**32))
    points, change = rng.normal(size=(k, d)), rng.normal(size=(k, d))
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    correlation = np.exp(-gaps / h)
    truth = sum(change[:, j] @ np.linalg.solve(correlation, change[:, j]) for j in range(d))
    assert modes.pool_correlation(points, h) == pytest.approx(correlation, rel=1e-12)
    assert modes.pool_shift(change, points, h) == pytest.approx(math.sqrt(truth), rel=1e-8)


def test_pools_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="1 moves for 2 starts"):
        modes.pool_shift([[1.0]], [[0.0], [1.0]], 1.0)
    with pytest.raises(ValueError, match="singular"):
        modes.pool_shift([[1.0], [2.0]], [[0.0], [0.0]], 1.0)


LAW = {
    (0, 2): 0.1405441252214495,
    (0, 3): 0.1405441252214495,
    (1, 3): 0.2810882504428991,
    (2, 0): 0.2189117495571009,
    (3, 0): 0.1094558747785505,
    (3, 1): 0.1094558747785505,
}
LINE = [[0], [1], [2], [3]]


def test_law_of_the_draws_is_the_one_found_elsewhere():
    counts = modes.dap_counts(LINE, [[0], [F(1, 5)], [3]], 1)
    assert counts == (2, 2, 1, 1)
    law = modes.dap_law(counts, LINE, 2, 1, math.exp(0.25))
    assert law == pytest.approx(LAW, abs=1e-14)
    other = modes.dap_law((1, 1, 2, 2), LINE, 2, 1, math.exp(0.25))
    assert math.log(modes.dap_ratio(law, other)) == pytest.approx(0.25, rel=1e-12)


@repeat
@given(
    st.lists(st.integers(0, 3), min_size=2, max_size=4),
    st.integers(1, 3),
    st.integers(0, 3),
    st.fractions(1, 3, max_denominator=4),
)
def test_law_of_the_draws_by_recursion(counts, draws, reach, ratio):
    places = [[i] for i in range(len(counts))]
    law = modes.dap_law(counts, places, draws, reach, ratio)

    def chance(sequence):
        active, total = set(range(len(counts))), F(1)
        for j in sequence:
            active = active or set(range(len(counts)))
            if j not in active:
                return F(0)
            total *= ratio ** counts[j] / sum(ratio ** counts[i] for i in active)
            active = {i for i in active if abs(i - j) > reach}
        return total

    everything = itertools.product(range(len(counts)), repeat=draws)
    direct = {sequence: chance(sequence) for sequence in everything}
    assert law == {sequence: p for sequence, p in direct.items() if p}


def test_budget_factor():
    assert modes.dap_budget_factor(3) == F(2, 3)
    assert [modes.dap_budget_factor(4, epochs) for epochs in (1, 2, 4)] == [F(5, 8), F(3, 4), F(1)]
    with pytest.raises(ValueError, match="'epochs'"):
        modes.dap_budget_factor(2, 3)


@repeat
@given(st.lists(st.fractions(-3, 3, max_denominator=3), min_size=2, max_size=5), st.integers(1, 4))
def test_second_moment_over_all_minibatches(values, m):
    if m > len(values):
        m = len(values)
    batches = list(itertools.combinations(values, m))
    truth = sum((sum(batch) / m) ** 2 for batch in batches) / F(len(batches))
    assert modes.minibatch_second_moment([[value] for value in values], m) == truth


def test_rates_for_smoothness_three_in_two_dimensions_by_hand():
    # h⁴ = v/h⁴ gives h = v^(1/8), error v^(1/2); h⁴ = a/h⁶ gives h = a^(1/10), error a^(2/5).
    assert modes.bandwidth_exponent(2, 3) == F(1, 8)
    assert modes.bandwidth_exponent(2, 3, True) == F(1, 10)
    assert (modes.error_exponent(2, 3), modes.error_exponent(2, 3, True)) == (F(1, 2), F(2, 5))
    assert modes.lower_bound_exponents(2, 3) == (F(1, 2), F(4, 5))
    assert tuple(modes.threshold_exponents(2, 3)) == (F(-3, 8), F(-5, 8))


@repeat
@given(st.integers(1, 5), st.floats(2.1, 9), st.floats(1e-9, 1e-3))
def test_sampling_bandwidth_is_best_up_to_a_constant(d, beta, sampling):
    best = sampling ** modes.bandwidth_exponent(d, beta)
    found = modes.local_error(best, d, beta, sampling, 0.0)
    others = [modes.local_error(best * 2.0**i, d, beta, sampling, 0.0) for i in range(-8, 9)]
    assert found <= 2 * min(others) * (1 + 1e-9)


def test_rates_take_symbols():
    d = sympy.Symbol("d", integer=True, positive=True)
    assert modes.bandwidth_exponent(d, 3) == 1 / (d + 6)


def test_public_bandwidth():
    truth = (math.log(1000) / 1000) ** (1 / 8)
    assert float(modes.public_bandwidth(1000, 2).mid()) == pytest.approx(truth, rel=1e-14)


def test_pair_of_clipped_updates_found_elsewhere():
    first, second = ([F(-1), F(2)], [F(2), F(2)])
    with ctx.workprec(80):
        moved = modes.clipped_share_update(second, F(1, 2), 1) - modes.clipped_share_update(
            first, F(1, 2), 1
        )
        assert abs(moved - arb("2.99258213053009568")) < 1e-17


@repeat
@given(
    st.lists(st.floats(-5, 5), min_size=1, max_size=6),
    st.floats(-5, 5),
    st.floats(0.2, 3),
    st.floats(0.1, 3),
)
def test_updates_move_within_their_bounds(offsets, replaced, h, clip):
    other = [replaced, *offsets[1:]]
    moved = modes.clipped_share_update(offsets, h, clip) - modes.clipped_share_update(
        other, h, clip
    )
    assert abs(moved) <= modes.clipped_share_sensitivity(clip, len(offsets)) * (1 + 1e-12)
    moved = modes.shift_numerator(offsets, h) - modes.shift_numerator(other, h)
    assert abs(moved) <= modes.response_sum_sensitivity(h, len(offsets)) * (1 + 1e-12)


@repeat
@given(st.integers(1, 6), st.integers(1, 3), st.floats(0.2, 3), st.randoms())
def test_density_estimates_are_sums(k, d, h, random):
    rng = np.random.default_rng(random.randrange(2**32))
    points, data = rng.normal(size=(k, d)), rng.normal(size=(7, d))
    for point, below, slope in zip(
        points, modes.density(points, data, h), modes.density_gradient(points, data, h), strict=True
    ):
        scaled = (point - data) / h
        weights = np.exp(-(scaled**2).sum(axis=1) / 2) / (2 * math.pi) ** (d / 2)
        assert below == pytest.approx(weights.mean() / h**d, rel=1e-12)
        truth = -(weights[:, None] * scaled).mean(axis=0) / h ** (d + 1)
        assert slope == pytest.approx(truth, rel=1e-10, abs=1e-14)


def test_balls_enclose_floats():
    points, data = [[F(1, 4), F(-1)], [F(2), F(0)]], [[F(0), F(0)], [F(1), F(1, 2)]]
    with ctx.workprec(100):
        exact = modes.stabilised_score(points, data, F(3, 4), F(1, 10), F(1, 20))
    floats = modes.stabilised_score(np.array(points, float), np.array(data, float), 0.75, 0.1, 0.05)
    for one, other in zip(exact.ravel(), floats.ravel(), strict=True):
        assert abs(one - other) < 1e-14


BAD = [
    (modes.iteration_epsilon, (0, 1e-6, 10, 5, 2), "'epsilon'"),
    (modes.iteration_epsilon, (1, 0, 10, 5, 2), "'delta'"),
    (modes.iteration_epsilon, (1, 1e-6, 10, 11, 2), "'m'"),
    (modes.noise_scale, (1, 1, 0.9, 100, 1, 1), "no value"),
    (modes.noise_scale, (math.nan, 1, 1e-6, 10, 5, 2), "'sensitivity'"),
    (modes.round_delta, (1, 2, 10, 5, 2), "'delta'"),
    (modes.dap_law, ([1], LINE, 1, 1, 2), "1 counts for 4"),
    (modes.dap_law, ([1, 1, 1, -1], LINE, 1, 1, 2), "'counts'"),
    (modes.dap_law, ([1, 1, 1, 1], LINE, 20, 1, 2), "too many"),
    (modes.dap_law, ([1, 1, 1, 1], LINE, 1, 1, 0), "'ratio'"),
    (modes.dap_counts, ([[0, 1]], [[0]], 1), "'candidates'"),
    (modes.dap_counts, ([[0]], [[0]], -1), "'radius'"),
    (modes.dap_ratio, ({0: 1}, {1: 1}), "different outcomes"),
    (modes.minibatch_second_moment, ([[0]], 1), "needs 2 or more"),
    (modes.minibatch_second_moment, ([[0], [1]], 3), "A minibatch of 3"),
    (modes.bandwidth_exponent, (2, 1), "'beta'"),
    (modes.local_error, (0, 1, 3, 1, 1), "'h'"),
    (modes.public_bandwidth, (1, 2), "'n'"),
    (modes.clipped_share_update, ([math.nan], 1.0, 1.0), "'offsets'"),
    (modes.clipped_share_sensitivity, (0, 3), "'clip'"),
    (modes.pool_correlation, ([[0.0]], 0.0), "'h'"),
    (modes.pool_correlation, ([[0.0], [math.inf]], 1.0), "'points'"),
]


@pytest.mark.parametrize(("formula", "arguments", "name"), BAD)
def test_bad_arguments_are_refused(formula, arguments, name):
    with pytest.raises(ValueError, match=name):
        formula(*arguments)
