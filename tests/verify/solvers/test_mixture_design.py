"""The design problems: linear programs against brute force, exact runs, and the search along ε₀."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from provedp.mechanisms.mixture.published.alternation import Budget, output_costs, play
from provedp.mechanisms.mixture.published.component import components, expected_costs
from provedp.theory.mixture import (
    LabelledData,
    column_deviation,
    column_lower,
    column_upper,
    grid_gamma,
    least_smoothing,
    neighbour_histograms,
    smoothed_delta,
    smoothed_ratio,
    weight_column,
)
from provedp.theory.numbers import ball
from provedp.verify.claims.mixture.instances.scalar_runs import (
    aligned,
    chosen_place,
    mean_share,
    run,
)
from provedp.verify.solvers.mixture.design_problem import design_optimum, zero_is_optimal_margin
from provedp.verify.solvers.mixture.weight_programs import (
    full_weight_optimum,
    reduced_weight_optimum,
)

repeat = settings(derandomize=True, deadline=None, max_examples=25)
COSTS = st.lists(st.integers(-6, 6), min_size=2, max_size=5)
RATIOS = st.fractions(1, 8, max_denominator=6)
PAIR = ["-1", "0", "1/2", "1", "2", "5/2", "3", "4"]
TRIPLE = [*PAIR, "5", "11/2", "13/2", "7"]


def on_a_line(points, classes):
    labels = [i // 4 for i in range(4 * classes)]
    return LabelledData([[F(x)] for x in points], labels, classes)


def some_data(seed, dimension=2):
    rng = np.random.default_rng(seed)
    counts = rng.integers(5, 12, size=rng.integers(2, 4))
    labels = np.repeat(np.arange(len(counts)), counts)
    points = rng.normal(size=(len(labels), dimension)) + labels[:, None]
    return LabelledData(points, labels.tolist(), len(counts))


@repeat
@given(COSTS, RATIOS)
def test_reduced_program_by_another_solver(costs, k):
    size = len(costs)
    a, b = [], []
    for i, j in itertools.product(range(size), range(1, size)):
        for left, right in ((0, j), (j, 0)):
            row = np.zeros(size * size)
            row[i * size + left], row[i * size + right] = 1, -float(k)
            a.append(row)
            b.append(0)
    sums = [np.kron(np.eye(size)[i], np.ones(size)) for i in range(size)]
    sums += [np.kron(np.ones(size), np.eye(size)[j]) for j in range(size)]
    objective = np.zeros(size * size)
    objective[::size] = costs
    solved = linprog(objective, A_ub=a, b_ub=b, A_eq=sums, b_eq=np.ones(2 * size))
    found = reduced_weight_optimum(costs, k)
    assert float(found) == pytest.approx(solved.fun, abs=1e-7)
    column = weight_column(costs, k)
    assert found == sum(c * p for c, p in zip(costs, column, strict=True))
    assert reduced_weight_optimum(costs, k, balanced=False) == min(costs)


@repeat
@given(COSTS, RATIOS)
def test_full_program_is_solved_by_one_row(costs, k):
    assert full_weight_optimum(costs, [1], k) == min(costs)


@repeat
@given(st.integers(1, 12), RATIOS, st.data())
def test_columns_stay_near_the_uniform_one(s, k, data):
    low, high = column_lower(s, k), column_upper(s, k)
    costs = data.draw(st.lists(st.integers(-5, 5), min_size=s + 1, max_size=s + 1))
    column = weight_column(costs, k)
    distance = sum(max(p - F(1, s + 1), 0) for p in column)
    assert distance <= column_deviation(s, k) <= (k - 1) / (k + 1)
    assert all(low <= p <= high for p in column)


def test_two_runs_of_two_classes_by_hand():
    data = on_a_line(PAIR, 2)
    first, second = (run(d, 3 * ball(2).log(), F(2)) for d in (data, data.flipped(3, 1)))
    # Each run alone by hand: s = 2 and s = 1 with ratio 2.
    assert first.order == ((4, 4), (3, 5), (5, 3))
    assert first.law == {(4, 4): F(1, 2), (3, 5): F(3, 10), (5, 3): F(1, 5)}
    assert second.law == {(3, 5): F(2, 3), (4, 4): F(1, 3)}
    pair = aligned(first, second)
    assert pair.outputs == 7
    assert smoothed_ratio(pair.p, pair.q, F(1, 1000), 7) == F(6998, 5)
    assert smoothed_delta(pair.p, pair.q, F(1, 1000), 7, F(8)) == F(497, 2500)
    assert least_smoothing(pair.p, pair.q, 7, F(2)) == F(7, 12)


def test_two_runs_of_three_classes():
    # Computed by other means from the same data.
    data = on_a_line(TRIPLE, 3)
    first, second = (run(d, 3 * ball(2).log(), F(2)) for d in (data, data.flipped(3, 1)))
    order = [(3, 5, 4), (4, 5, 3), (3, 4, 5), (4, 4, 4), (5, 4, 3), (4, 3, 5), (5, 3, 4)]
    assert list(first.order) == order
    assert list(second.order) == [(3, 6, 3), (3, 5, 4), (3, 4, 5), (4, 5, 3), (4, 4, 4)]
    pair = aligned(first, second)
    assert smoothed_ratio(pair.p, pair.q, F(1, 1000), 55) == 18316
    assert smoothed_delta(pair.p, pair.q, F(1, 1000), 55, F(2)) == F(738497, 2860000)
    assert smoothed_delta(pair.q, pair.p, F(1, 1000), 55, F(2)) == F(9157, 27500)
    assert smoothed_delta(pair.q, pair.p, F(1, 1000), 55, F(8)) == F(4577, 13750)
    assert least_smoothing(pair.p, pair.q, 55, F(2)) == F(55, 58)


@repeat
@given(st.integers(0, 10**6))
def test_exact_and_floating_runs_agree(seed):
    data = some_data(seed, dimension=1)
    exact = LabelledData([[F(float(x))] for x in data.points[:, 0]], data.labels, data.classes)
    certified = run(exact, F(1), ball(F(1, 3)).exp())
    parts = components(data, 0.0, "all", expected_costs)
    played = play(parts, certified.outputs, Budget(1.0, 2e-5), 1 / 3)
    assert [n.cost for n in played.noises] == pytest.approx(
        [float(c) for c in certified.class_costs], rel=1e-9
    )
    assert played.objective == pytest.approx(float(certified.objective(F(1, 1000))), rel=1e-9)
    for k, noise in enumerate(played.noises):
        place = chosen_place(exact, k, F(1), F(1, 3))
        assert noise.gamma == pytest.approx(
            float(grid_gamma(1, F(1, 3), data.counts[k], place, 10))
        )
        assert noise.epsilon == pytest.approx(float(mean_share(place) * F(1, 3)))
    prices = output_costs(certified.outputs, [n.cost for n in played.noises])
    assert prices == pytest.approx([float(g) for g in certified.costs], rel=1e-9)


def test_runs_want_one_feature():
    with pytest.raises(ValueError, match="one feature"):
        run(LabelledData([[1, 2]] * 8, [0] * 4 + [1] * 4, 2), F(1), F(2))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 6.0])
def test_nothing_for_the_weights_is_optimal_where_the_margin_says_so(seed, epsilon):
    parts = components(some_data(seed, dimension=1), 0.0, "all", expected_costs)
    budget = Budget(epsilon, 1e-5)
    found = design_optimum(parts, budget)
    assert found.margin == zero_is_optimal_margin(parts, budget)
    assert found.margin > 0
    assert found.weights == 0.0
    counts = tuple(part.count for part in parts)
    outputs = (counts, *neighbour_histograms(counts))
    start = play(parts, outputs, budget, 0.0)
    assert found.objective == start.objective < found.published
    for share in (0.02, 0.3, 0.7):
        assert play(parts, outputs, budget, share * epsilon).objective > start.objective
    # The two steps of the proof: costs grow at least like ε/(ε − ε₀), columns stay near uniform.
    later = play(parts, outputs, budget, 0.4 * epsilon)
    for a, b in zip(start.noises, later.noises, strict=True):
        assert b.cost >= a.cost / 0.6
    spread = np.maximum(later.column - 1 / len(outputs), 0).sum()
    assert spread <= math.tanh(0.2 * epsilon) + 1e-12
