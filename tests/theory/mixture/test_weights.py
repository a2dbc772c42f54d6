"""Class weights: values by hand, vertices of the bounded simplex, and brute force over outputs."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
import sympy
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.theory.mixture import (
    column_lower,
    column_upper,
    exponential_weight_law,
    filled_column,
    flip_distance,
    histogram_set,
    least_smoothing,
    neighbour_histograms,
    other_columns,
    output_cost,
    smoothed,
    smoothed_delta,
    smoothed_ratio,
    weight_column,
)
from provedp.theory.privacy import hockey_stick

repeat = settings(derandomize=True, deadline=None, max_examples=60)
RATIOS = st.fractions(1, 20, max_denominator=12)
COSTS = st.lists(st.fractions(-5, 5, max_denominator=6), min_size=1, max_size=6)
LAWS = st.lists(st.integers(0, 9), min_size=3, max_size=5).filter(any)


@pytest.mark.parametrize(
    ("costs", "k", "column", "others", "objective"),
    [
        ([3, 1, 2], 2, "1/5 1/2 3/10", "2/5 1/4 7/20", "17/10"),
        ([1, 1, 0, 1], 3, "3/10 1/10 1/2 1/10", "7/30 3/10 1/6 3/10", "1/2"),
        ([2, 1], 4, "1/5 4/5", "4/5 1/5", "6/5"),
    ],
)
def test_columns_by_hand(costs, k, column, others, objective):
    found = weight_column(costs, k)
    assert list(found) == [F(text) for text in column.split()]
    assert list(other_columns(found)) == [F(text) for text in others.split()]
    assert sum(c * p for c, p in zip(costs, found, strict=True)) == F(objective)


def test_no_neighbours_and_no_budget():
    assert list(weight_column([4], 2)) == [1]
    assert list(weight_column([3, 1, 2], 1)) == [F(1, 3)] * 3


@repeat
@given(COSTS, RATIOS)
def test_no_vertex_of_the_bounded_simplex_is_cheaper(costs, k):
    s = len(costs) - 1
    low, high = 1 / (1 + s * k), k / (k + s)
    found = weight_column(costs, k)
    assert sum(found) == 1
    assert all(low <= p <= high for p in found)
    # At a vertex all entries but one are at an end.
    vertices = []
    for ends in itertools.product((low, high), repeat=s):
        rest = 1 - sum(ends)
        if low <= rest <= high:
            vertices += [(*ends[:i], rest, *ends[i:]) for i in range(s + 1)]
    best = min(sum(c * p for c, p in zip(costs, v, strict=True)) for v in vertices)
    assert sum(c * p for c, p in zip(costs, found, strict=True)) == best


@repeat
@given(COSTS.filter(lambda costs: len(costs) > 1), RATIOS)
def test_the_completed_matrix_is_doubly_stochastic_and_within_the_ratio(costs, k):
    column = weight_column(costs, k)
    others = other_columns(column)
    s = len(costs) - 1
    assert all(a + s * b == 1 for a, b in zip(column, others, strict=True))
    assert sum(others) == 1
    assert all(b <= k * a and a <= k * b for a, b in zip(column, others, strict=True))


@repeat
@given(COSTS, RATIOS)
def test_other_fields_agree(costs, k):
    exact = weight_column(costs, k)
    floats = weight_column([float(c) for c in costs], float(k))
    order = [
        sorted(range(len(costs)), key=lambda i: (values[i], i))
        for values in (costs, [float(c) for c in costs])
    ]
    assert order[0] == order[1]
    assert floats == pytest.approx(exact.astype(float), abs=1e-12)
    symbolic = weight_column([sympy.Rational(c.numerator, c.denominator) for c in costs], k)
    assert [F(int(p.p), int(p.q)) for p in symbolic] == list(exact)


def test_undecided_orders_are_refused():
    with pytest.raises(ValueError, match="order of the costs"):
        weight_column([arb(1, 0.1), arb(1, 0.1)], 2)
    with pytest.raises(ValueError, match="order of the costs"):
        weight_column(sympy.symbols("a b"), 2)
    assert len(weight_column([arb(1), arb(1)], 2)) == 2


def test_ends_and_filling():
    assert (column_lower(3, F(2)), column_upper(3, F(2))) == (F(1, 7), F(2, 5))
    assert filled_column(3, F(2)) == [F(2, 5), F(11, 35), F(1, 7), F(1, 7)]
    k = sympy.Symbol("k", positive=True)
    s = sympy.Symbol("s", integer=True, positive=True)
    assert sympy.simplify(column_upper(s, k) - 1 / (1 + s / k)) == 0
    assert sympy.simplify(column_lower(s, k) - 1 / (1 + s * k)) == 0


def law_of(weights):
    return [F(w, sum(weights)) for w in weights]


@repeat
@given(LAWS, LAWS, st.fractions(F(1, 50), 1, max_denominator=50), RATIOS, st.integers(5, 30))
def test_smoothed_laws_by_brute_force(p, q, smoothing, k, outputs):
    size = min(len(p), len(q))
    if not any(p[:size]) or not any(q[:size]):
        return
    p, q = law_of(p[:size]), law_of(q[:size])
    full = [
        [(1 - smoothing) * x + smoothing / outputs for x in (*law, *([F(0)] * (outputs - size)))]
        for law in (p, q)
    ]
    assert [smoothed(x, smoothing, outputs) for x in p] == full[0][:size]
    ratios = [max(a / b, b / a) for a, b in zip(*full, strict=True)]
    assert smoothed_ratio(p, q, smoothing, outputs) == max(ratios)
    assert smoothed_delta(p, q, smoothing, outputs, k) == hockey_stick(*full, k)
    least = least_smoothing(p, q, outputs, k)
    assert (smoothing >= least) == (max(ratios) <= k)
    if 0 < least:
        assert smoothed_ratio(p, q, least, outputs) == k


def test_two_runs_by_hand():
    p, q = [F(1, 2), F(3, 10), F(1, 5)], [F(1, 3), F(2, 3), F(0)]
    assert smoothed_ratio(p, q, F(1, 1000), 7) == F(6998, 5)
    assert smoothed_delta(p, q, F(1, 1000), 7, F(2)) == F(1747, 8750)
    assert smoothed_delta(p, q, F(1, 1000), 7, F(8)) == F(497, 2500)
    assert least_smoothing(p, q, 7, F(2)) == F(7, 12)
    assert least_smoothing(p, p, 7, F(1)) == 0
    assert least_smoothing(p, q, 7, F(1)) == 1


def test_cost_by_hand():
    found = output_cost([3, 5], [4, 4], [F(1, 2), F(2)])
    truth = 3 / 8 * (math.log(3 / 4) + 0.5) + 5 / 8 * (math.log(5 / 4) + 2)
    assert float(found) == pytest.approx(truth, rel=1e-14)
    assert found.rad() < 1e-12


@pytest.mark.parametrize(("n", "classes"), [(6, 2), (7, 3), (9, 3)])
@pytest.mark.parametrize("root", [F(1), F(3, 2), F(4)])
def test_the_fixed_channel_is_private_for_every_pair(n, classes, root):
    every = histogram_set(n, classes)
    law = {m: list(exponential_weight_law(list(m), root)) for m in every}
    for m in every:
        assert sum(law[m]) == 1
        largest = max(law[m])
        assert law[m][every.index(m)] == largest
        for other in every:
            if flip_distance(list(m), list(other)) == 1:
                pairs = zip(law[m], law[other], strict=True)
                assert all(a <= root**2 * b for a, b in pairs)
        if min(m) > 2:
            assert {flip_distance(list(m), list(o)) for o in neighbour_histograms(m)} <= {1}


def test_the_fixed_channel_over_other_fields():
    exact = exponential_weight_law([2, 3, 1], F(3, 2)).astype(float)
    assert exponential_weight_law([2, 3, 1], 1.5) == pytest.approx(exact)
    assert [float(p) for p in exponential_weight_law([2, 3, 1], arb(1.5))] == pytest.approx(exact)


NAN = float("nan")
BAD = [
    lambda: weight_column([1, 2], F(1, 2)),
    lambda: weight_column([1.0, NAN], 2),
    lambda: weight_column([], 2),
    lambda: weight_column([1, 2], NAN),
    lambda: column_lower(-1, 2),
    lambda: filled_column(2.5, 2),
    lambda: other_columns([F(1)]),
    lambda: other_columns([F(1, 2), F(1, 3)]),
    lambda: output_cost([1, 2], [1, 2], [1]),
    lambda: output_cost([0, 2], [1, 1], [1, 1]),
    lambda: smoothed(F(3, 2), F(1, 2), 3),
    lambda: smoothed(F(1, 2), F(3, 2), 3),
    lambda: smoothed(F(1, 2), F(1, 2), 0),
    lambda: smoothed_ratio([F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)], 0, 3),
    lambda: smoothed_ratio([F(1, 2), F(1, 2)], [F(1, 3), F(1, 3), F(1, 3)], F(1, 2), 3),
    lambda: smoothed_delta([F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)], F(1, 2), 1, 2),
    lambda: least_smoothing([F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)], 3, F(1, 2)),
    lambda: flip_distance([1, 2], [1, 3]),
    lambda: flip_distance([1, 2], [1, 1, 1]),
    lambda: exponential_weight_law([0, 2], 2),
    lambda: exponential_weight_law([1, 2], F(1, 2)),
]


@pytest.mark.parametrize("call", BAD)
def test_bad_arguments_are_refused(call):
    with pytest.raises(ValueError):
        call()


def test_rows_of_floats_need_not_be_exact():
    p = np.array([0.1, 0.2, 0.7])
    assert smoothed_delta(p, p, 0.1, 5, 1.0) == 0
