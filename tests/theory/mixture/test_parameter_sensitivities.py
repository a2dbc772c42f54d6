"""Sensitivities of fitted parameters against random flips, and what class sizes tell."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import laplace, norm

from provedp.theory.mixture import (
    LabelledData,
    admissible_flips,
    class_covariances,
    class_means,
    class_size_delta,
    class_size_laplace_delta,
    class_weights,
    covariance_sensitivity,
    leave_sensitivity,
    mean_sensitivity,
    weight_sensitivity,
)

repeat = settings(derandomize=True, deadline=None, max_examples=40)
SLACK = 1e-9


def corners(seed: int) -> LabelledData:
    """Return records on the sphere of radius 2, many of them opposite to each other."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(3, 7, size=rng.integers(2, 4))
    labels = np.repeat(np.arange(len(counts)), counts)
    unit = rng.normal(size=rng.integers(1, 5))
    points = rng.choice([-1.0, 1.0], size=(len(labels), 1)) * unit
    points += rng.choice([0.0, 0.3]) * rng.normal(size=points.shape)
    points *= 2 / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-9)
    return LabelledData(points, labels.tolist(), len(counts))


@repeat
@given(st.integers(0, 10**6))
def test_no_flip_moves_a_parameter_farther(seed):
    data = corners(seed)
    size, upper = data.dimension, np.triu_indices(data.dimension)
    for record, label in admissible_flips(data):
        other = data.flipped(record, label)
        step = (class_weights(data) - class_weights(other)).astype(float)
        assert np.abs(step).sum() == pytest.approx(float(weight_sensitivity(data.size, 1)))
        assert np.linalg.norm(step) == pytest.approx(float(weight_sensitivity(data.size, 2)))
        sigmas = zip(class_covariances(data), class_covariances(other), strict=True)
        moved = [(a - b).astype(float) for a, b in sigmas]
        for k in (data.labels[record], label):
            count = max(data.counts[k], other.counts[k])
            mean = (class_means(data)[k] - class_means(other)[k]).astype(float)
            entries = moved[k][upper]
            for norm_, steps, largest in (
                (1, mean, mean_sensitivity),
                (2, mean, mean_sensitivity),
                (1, entries, covariance_sensitivity),
                (2, entries, covariance_sensitivity),
                (2, moved[k].ravel(), covariance_sensitivity),
            ):
                length = np.linalg.norm(steps, norm_)
                assert length <= largest(2.0, count, size, norm_) + SLACK


def test_sensitivities_by_hand():
    # {−1, 1, 1, 1}: mean 1/2 and variance 1; without −1 they are 1 and 0.
    assert mean_sensitivity(F(1), 4, 1, 2) == F(1, 2) == leave_sensitivity(F(1), 4)
    assert covariance_sensitivity(F(1), 4, 1, 2) == 1
    assert mean_sensitivity(3.0, 6, 9, 1) == pytest.approx(3.0)
    assert covariance_sensitivity(F(3), 6, 9, 1) == 30
    assert weight_sensitivity(10, 1) == F(1, 5)


def test_three_records_would_move_an_l1_norm_farther():
    # Why the sizes start at four: for N = 3 the two traces add up to more than 4B²/N.
    kept, gone = np.array([[2.0, 0.0], [0.0, 2.0]]), np.array([[-math.sqrt(2), -math.sqrt(2)]])
    step = np.cov(np.vstack([kept, gone]).T) - np.cov(kept.T)
    assert np.abs(np.linalg.eigvalsh(step)).sum() > 4 * 4 / 3
    with pytest.raises(ValueError, match="count"):
        covariance_sensitivity(2.0, 3, 2, 1)


def gap(law, epsilon, count):
    """Integrate (q − k p)⁺ for scales N/(N − 1) and 1 on the half-line."""

    def excess(x):
        return max(law.pdf(x, scale=count / (count - 1)) - math.exp(epsilon) * law.pdf(x), 0)

    low = 0.0
    while excess(low) == 0:
        low += 0.01
    return 2 * quad(excess, max(low - 0.01, 0), low + 60, points=[low], limit=200)[0]


@pytest.mark.parametrize(("noise", "law"), [("laplace", laplace), ("gaussian", norm)])
@pytest.mark.parametrize("count", [2, 4, 9])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 1.0])
def test_one_entry_by_quadrature(noise, law, count, epsilon):
    expected = gap(law, epsilon, count)
    assert class_size_delta(noise, epsilon, count, 1) == pytest.approx(expected, rel=1e-6)
    if noise == "laplace":
        found = class_size_laplace_delta(math.exp(epsilon), count)
        assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("noise", "law"), [("laplace", laplace), ("gaussian", norm)])
def test_many_entries_by_sampling(noise, law):
    draws = law.rvs(size=(40_000, 12), random_state=4) * 14 / 13
    wide, narrow = law.logpdf(draws, scale=14 / 13).sum(axis=1), law.logpdf(draws).sum(axis=1)
    excess = np.maximum(1 - np.exp(0.3 + narrow - wide), 0)
    bound = 5 * excess.std() / math.sqrt(len(excess))  # one false alarm in a million
    assert class_size_delta(noise, 0.3, 14, 12) == pytest.approx(excess.mean(), abs=bound)


def test_balls_contain_the_floats():
    ball = class_size_delta("gaussian", F(1), 14, 12)
    assert float(ball.mid()) == pytest.approx(class_size_delta("gaussian", 1.0, 14, 12), rel=1e-12)
    assert class_size_laplace_delta(F(1), 2) == F(1, 4)


@pytest.mark.parametrize(
    ("formula", "given", "named"),
    [
        (weight_sensitivity, (1, 1), "size"),
        (weight_sensitivity, (10, 3), "norm"),
        (mean_sensitivity, (0, 4, 1, 1), "bound"),
        (mean_sensitivity, (math.nan, 4, 1, 1), "bound"),
        (mean_sensitivity, (1, 3, 1, 1), "count"),
        (mean_sensitivity, (1, 4.5, 1, 1), "count"),
        (covariance_sensitivity, (1, 4, 0, 1), "dimension"),
        (covariance_sensitivity, (math.inf, 4, 1, 1), "bound"),
        (class_size_laplace_delta, (0.5, 4), "k"),
        (class_size_laplace_delta, (2, 1), "count"),
        (class_size_delta, ("cauchy", 1, 4, 1), "noise"),
        (class_size_delta, ("laplace", -1, 4, 1), "epsilon"),
        (class_size_delta, ("laplace", 1, 4, 0), "entries"),
    ],
)
def test_bad_input(formula, given, named):
    with pytest.raises(ValueError, match=f"'{named}' parameter"):
        formula(*given)
