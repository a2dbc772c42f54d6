"""The published release: its numbers by other routes, its fixed point, its warning, its draws."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import kstest, wishart
from sklearn.base import clone
from sklearn.datasets import load_iris

from provedp.mechanisms.mixture.published.alternation import (
    Budget,
    alternate,
    output_costs,
    uniform_cost,
)
from provedp.mechanisms.mixture.published.component import ReusedDraws, components, expected_costs
from provedp.mechanisms.mixture.published.release import PublishedMixture, labelled
from provedp.mechanisms.published import RefutedGuaranteeWarning
from provedp.theory.mixture import LabelledData, histogram_set, neighbour_histograms
from provedp.theory.privacy import Mechanism

repeat = settings(derandomize=True, deadline=None, max_examples=25)
FALSE_ALARM = 1e-4  # per Kolmogorov–Smirnov test, with fixed seeds
X, Y = load_iris(return_X_y=True)
X = (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.fixture(scope="module")
def iris():
    return components(labelled(X, Y)[1], 0.0, "all", expected_costs)


def quietly(function, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefutedGuaranteeWarning)
        return function(*args, **kwargs)


def some_data(seed, dimension=2):
    rng = np.random.default_rng(seed)
    counts = rng.integers(5, 12, size=rng.integers(2, 5))
    labels = np.repeat(np.arange(len(counts)), counts)
    points = rng.normal(size=(len(labels), dimension)) + labels[:, None]
    return LabelledData(points, labels.tolist(), len(counts))


def test_prices_of_the_means_on_iris(iris):
    # Semidefinite programs solved by other means, duality gap below 1e-14.
    truth = [0.5725832701086, 0.1059375524932, 0.1248562247931]
    assert [part.price for part in iris] == pytest.approx(truth, rel=1e-8)
    narrow = components(labelled(X, Y)[1], 0.0, "removals", expected_costs)
    truth = [0.01855126564346, 0.01510630462378, 0.01714206860428]
    assert [part.price for part in narrow] == pytest.approx(truth, rel=1e-8)


@repeat
@given(st.integers(0, 10**6))
def test_shapes_cover_every_displacement(seed):
    data = some_data(seed)
    for k, part in enumerate(components(data, 0.1, "all", expected_costs)):
        assert part.price == pytest.approx(np.trace(np.linalg.solve(part.covariance, part.shape)))
        mean = data.members(k).mean(axis=0)
        for n, label in enumerate(data.labels):
            if k == label or data.counts[label] > 3:
                other = k + 1 if k == 0 else 0
                moved = data.flipped(n, other if k == label else k)
                step = mean - moved.members(k).mean(axis=0)
                assert step @ np.linalg.solve(part.shape, step) <= 1 + 1e-9


@repeat
@given(st.integers(0, 10**6), st.floats(0.2, 5), st.floats(0.0, 0.9))
def test_the_budget_of_the_weights_stays_where_it_starts(seed, epsilon, share):
    parts = components(some_data(seed), 0.1, "all", ReusedDraws(50, np.random.default_rng(seed)))
    found = alternate(parts, Budget(epsilon, 1e-5, start=share * epsilon))
    assert len(found.rounds) == 2
    for played in found.rounds:
        assert abs(played.weights - share * epsilon) < 1e-14 * max(1, epsilon)
        assert played.objective == pytest.approx(found.rounds[0].objective, rel=1e-12)


def test_objectives_on_iris_by_starting_point(iris):
    # Computed by other means, with quasi-Monte Carlo of relative error below 1e-4.
    truth = {0.05: 85.1, 0.1: 92.1, 0.2: 109.8, 1 / 3: 145.0, 0.5: 224.4, 0.8: 952.0}
    for share, value in truth.items():
        found = alternate(iris, Budget(1.0, 2e-5, start=share))
        assert found.last.objective == pytest.approx(value, abs=0.06)
    assert found.outputs[0] == (50, 50, 50)


@pytest.mark.parametrize(("epsilon", "value"), [(0.5, None), (1.0, 143.98), (5.0, None)])
def test_the_best_gamma_of_all_is_a_little_better(iris, epsilon, value):
    coarse, fine, every = (
        alternate(iris, Budget(epsilon, 2e-5, grid=grid)).last.objective for grid in (10, 400, None)
    )
    assert every <= fine <= coarse
    assert every == pytest.approx(fine, rel=1e-4)
    if value is not None:  # computed by other means
        assert every == pytest.approx(value, abs=0.03)


def test_monte_carlo_comes_near_expected_values():
    data = some_data(5)
    sampled = components(data, 0.1, "all", ReusedDraws(20_000, np.random.default_rng(1)))
    exact = components(data, 0.1, "all", expected_costs)
    for a, b in zip(sampled, exact, strict=True):
        found = a.costs(a.covariance, [2.0, 9.0])
        assert found == pytest.approx(b.costs(b.covariance, [2.0, 9.0]), rel=0.05)


def test_objective_is_the_sum_over_all_histograms():
    data = some_data(4)
    parts = components(data, 0.1, "all", expected_costs)
    budget = Budget(1.0, 1e-5, smoothing=0.3)
    found = alternate(parts, budget)
    counts = found.outputs[0]
    costs = [noise.cost for noise in found.last.noises]
    everything = histogram_set(sum(counts), len(counts))
    law = dict.fromkeys(everything, budget.smoothing / len(everything))
    for output, p in zip(found.outputs, found.last.column, strict=True):
        law[output] += (1 - budget.smoothing) * p
    truth = sum(
        p
        * sum(
            m / data.size * (math.log(m / n) + c) for m, n, c in zip(o, counts, costs, strict=True)
        )
        for o, p in law.items()
    )
    assert found.last.objective == pytest.approx(truth, rel=1e-12)
    assert uniform_cost(counts, costs) == pytest.approx(
        np.mean([output_costs((counts, o), costs)[1] for o in everything])
    )


def test_the_column_is_the_optimum_of_a_linear_program(iris):
    found = alternate(iris, Budget(1.0, 2e-5))
    prices = output_costs(found.outputs, [n.cost for n in found.last.noises])
    s, k = len(prices) - 1, math.exp(1 / 3)
    solved = linprog(
        prices, A_eq=[[1] * (s + 1)], b_eq=[1], bounds=[(1 / (1 + s * k), k / (k + s))]
    )
    assert found.last.column @ prices == pytest.approx(solved.fun, rel=1e-9)
    # The true histogram is less likely than in a uniform draw.
    assert found.last.column[0] < 1 / (s + 1)


def test_a_mechanism_without_a_guarantee():
    model = PublishedMixture("1/2", "1e-6")
    assert isinstance(model, Mechanism)
    assert model.guarantee is None
    assert model.claimed.epsilon == "1/2"
    assert float(model.claimed.ratio) == pytest.approx(math.exp(0.5))
    assert clone(model).get_params() == model.get_params()
    with pytest.warns(RefutedGuaranteeWarning, match=model.refuted_by[0]):
        model.fit(X, Y)
    with pytest.warns(RefutedGuaranteeWarning, match="not to protect anyone"):
        model.release((X, Y), 3)


def test_fit_repeats_and_serves_as_an_estimator():
    names = np.array(["setosa", "versicolor", "virginica"])[Y]
    model = quietly(PublishedMixture(20.0, random_state=7).fit, X, names)
    again = quietly(PublishedMixture(20.0, random_state=7).fit, X, names)
    assert model.mixture_.to_json() == again.mixture_.to_json()
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert np.mean(model.predict(X) == names) > 0.6
    assert model.score(X) == pytest.approx(model.score_samples(X).mean())
    features, labels = model.sample(12)
    assert features.shape == (12, 4)
    assert set(labels) <= set(names)
    assert (model.sample(12)[0] != features).all()
    assert (again.sample(12)[0] == features).all()
    counts = model.weights_ * 150
    assert counts == pytest.approx(np.round(counts), abs=1e-9)


def test_draws_follow_their_laws():
    data = some_data(8)
    labels = np.array(data.labels)
    model = PublishedMixture(1.0, 1e-5, smoothing=0.3, ridge=0.1, divergence="expected")
    rng = np.random.default_rng(11)
    design = model._design(data.points, labels, rng)
    found = [design.draw(rng) for _ in range(1500)]
    parts = components(data, 0.1, "all", expected_costs)
    last = alternate(parts, Budget(1.0, 1e-5, smoothing=0.3)).last
    noise = last.noises[0]
    steps = np.stack([m.means[0] for m in found]) - data.members(0).mean(axis=0)
    factor = np.linalg.cholesky(noise.covariance)
    for white in np.linalg.solve(factor, steps.T):
        assert kstest(white, "norm").pvalue > FALSE_ALARM
    traces = [np.trace(m.covariances[0] - parts[0].covariance) for m in found]
    other = wishart(3, np.eye(2) / noise.gamma).rvs(4000, random_state=5)
    assert kstest(traces, np.trace(other, axis1=1, axis2=2)).pvalue > FALSE_ALARM
    outputs = (data.counts, *neighbour_histograms(data.counts))
    seen = [tuple(np.round(m.weights * data.size).astype(int)) for m in found]
    far = sum(counts not in outputs for counts in seen)
    everything = len(histogram_set(data.size, data.classes))
    expected = 0.3 * (1 - len(outputs) / everything)
    assert far / 1500 == pytest.approx(expected, abs=5 * math.sqrt(0.25 / 1500))


PARAMETERS = [
    ("epsilon", 0),
    ("epsilon", -1.0),
    ("epsilon", math.nan),
    ("delta", 0),
    ("delta", 1.0),
    ("smoothing", 0.0),
    ("smoothing", math.nan),
    ("grid", 0),
    ("rounds", 0),
    ("start", 1.0),
    ("start", -0.1),
    ("ridge", -1.0),
    ("flips", "some"),
    ("divergence", "none"),
    ("draws", 0),
]


@pytest.mark.parametrize(("name", "value"), PARAMETERS)
def test_bad_parameters_are_named(name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        quietly(PublishedMixture(**{"epsilon": 1.0, name: value}).fit, X, Y)


DATA = [
    (X[:, 0], Y, "'points'"),
    (np.where(X > 2, np.nan, X), Y, "'points'.* nan"),
    (X[:10], Y, "'labels'"),
    (X, Y[:, None], "'y'"),
    (X, Y + 0.5, "'y'"),
    (X, np.zeros(150, int), "at least two classes"),
    (X, np.where(np.arange(150) < 2, 5, Y), "at least 3 records. Got 2 in class 3"),
]


@pytest.mark.parametrize(("features", "labels", "message"), DATA)
def test_bad_data_are_named(features, labels, message):
    with pytest.raises(ValueError, match=message):
        quietly(PublishedMixture().fit, features, labels)


def test_singular_covariances_need_a_ridge():
    flat = np.column_stack([X[:, 0], X[:, 0]])
    with pytest.raises(ValueError, match="positive 'ridge' is needed"):
        quietly(PublishedMixture().fit, flat, Y)
    quietly(PublishedMixture(ridge=0.01, draws=10).fit, flat, Y)
