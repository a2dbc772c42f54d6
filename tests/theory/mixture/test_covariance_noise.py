"""The published covariance noise, and noise in one direction: quadrature, simulation, by hand."""

import math
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wishart
from sklearn.datasets import load_iris

from provedp.theory.mixture import (
    covariance_epsilon,
    covariance_increase_delta,
    covariance_log_ratio,
    covariance_noise_delta,
    covariance_overlap,
    shifted_exponential_delta,
    singular_gaussian_delta_lower,
    singular_gaussian_variance,
)

DRAWS = 20_000
SAMPLING = 5 * 0.5 / math.sqrt(DRAWS)  # five standard deviations of a frequency


def exponentials_by_quadrature(gap, first, second, k):
    """∫ (p − k q)⁺ on a grid cut at the starts and at sign changes."""
    with mpmath.workdps(20):

        def gain(x):
            p = first * mpmath.exp(-first * x) if x >= 0 else 0
            q = second * mpmath.exp(-second * (x - gap)) if x >= gap else 0
            return max(p - k * q, mpmath.mpf(0))

        start = max(gap, 0.0)
        cuts = sorted({min(gap, 0.0), 0.0, start, *np.linspace(start, start + 60 / first, 400)})
        return float(mpmath.quad(gain, cuts))


@pytest.mark.parametrize(
    ("gap", "first", "second", "k"),
    [
        (-0.75, 0.4, 0.3, 1.35),
        (0.75, 0.3, 0.4, 1.35),
        (0.5, 0.4, 0.3, 1.0),
        (-0.5, 0.3, 0.4, 1.1),
        (-3.0, 1.0, 1.0, 1.5),
        (0.0, 2.0, 1.0, 1.5),
        (0.0, 1.0, 3.0, 2.0),
    ],
)
def test_shifted_exponentials_by_quadrature(gap, first, second, k):
    truth = exponentials_by_quadrature(gap, first, second, k)
    assert shifted_exponential_delta(gap, first, second, k) == pytest.approx(truth, abs=2e-4)
    exact = shifted_exponential_delta(F(gap), F(first), F(second), F(k))
    assert float(exact.mid()) == pytest.approx(shifted_exponential_delta(gap, first, second, k))


def test_different_rates_of_two_data_sets():
    # P = 1 + Exp(0.4), Q = 0.25 + Exp(0.3), ε = 0.3, both ways.
    k = math.exp(0.3)
    forth = shifted_exponential_delta(-0.75, 0.4, 0.3, k)
    back = shifted_exponential_delta(0.75, 0.3, 0.4, k)
    assert forth == pytest.approx(0.06448377022690004, abs=1e-15)
    assert back == pytest.approx(0.2189176483577434, abs=1e-15)


def test_balls_of_rates_that_overlap_are_refused():
    with pytest.raises(ValueError, match="order is not known"):
        shifted_exponential_delta(F(0), arb(1, 0.1), arb(1), F(1))


def test_seven_records():
    # Class {1, 1, 1, −1}: variance 1; class {1, 1, 1}: variance 0. γ = 2 · 4 ε′/3.
    assert covariance_epsilon(F(8, 3), 4) == 1
    assert covariance_log_ratio(F(-1), F(8, 3)) == F(4, 3)
    with ctx.workprec(100):
        gamma = arb(8) / 3 * arb(2).log()
        for epsilon in (0, 1, 30):
            found = covariance_increase_delta(F(1), gamma, F(epsilon), "from")
            assert abs(found - arb("0.60314973700795013")) < 1e-17
            assert abs(found - (1 - arb(2) ** (-arb(4) / 3))) < 1e-25
        back = covariance_increase_delta(F(1), gamma, F(1, 2), "onto")
        assert abs(back - (1 - (arb(0.5) - gamma / 2).exp())) < 1e-25
        assert covariance_increase_delta(F(1), gamma, F(2), "onto") == 0


@given(st.floats(0.1, 3), st.floats(0.1, 3), st.floats(0.1, 4), st.floats(0, 3), st.integers(0, 99))
def test_growth_in_any_dimension_is_growth_on_the_line(first, second, gamma, epsilon, seed):
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(2, 2)))[0]
    shift = turn @ np.diag([first, second]) @ turn.T
    shift = np.tril(shift) + np.tril(shift, -1).T
    found = covariance_noise_delta(shift, gamma, math.exp(epsilon))
    line = covariance_increase_delta(float(np.trace(shift)), gamma, epsilon, "from")
    assert float(found.mid()) == pytest.approx(line, abs=1e-9)
    equal_rates = shifted_exponential_delta(first, gamma / 2, gamma / 2, math.exp(epsilon))
    assert equal_rates == pytest.approx(covariance_increase_delta(first, gamma, epsilon, "from"))


SHIFTS = [np.diag([0.5, -0.8]), np.array([[0.3, 0.4], [0.4, -0.2]]), np.diag([0.4, -0.1, -0.2])]


@pytest.mark.parametrize("shift", SHIFTS)
def test_overlap_by_simulation(shift):
    size, gamma = len(shift), 3.0
    noise = wishart(size + 1, np.eye(size) / gamma).rvs(
        DRAWS, random_state=np.random.default_rng(2)
    )
    truth = np.mean(np.linalg.eigvalsh(noise - shift)[:, 0] > 0)
    found = covariance_overlap(shift, np.eye(size) / gamma)
    assert float(found.lower()) - SAMPLING < truth < float(found.upper()) + SAMPLING
    low = math.exp(-gamma * np.maximum(np.linalg.eigvalsh(shift), 0).sum() / 2)
    assert float(found.lower()) == pytest.approx(low, rel=1e-8)
    assert float(found.upper()) == pytest.approx(min(1, math.exp(-gamma * np.trace(shift) / 2)))


def standardised_iris_change(record):
    """Σ₀(D′) − Σ₀(D) when a record joins the first class, with features of variance one."""
    features, labels = load_iris(return_X_y=True)
    scaled = (features - features.mean(axis=0)) / features.std(axis=0)
    members = scaled[labels == 0]
    shift = np.cov(np.vstack([members, scaled[record]]).T) - np.cov(members.T)
    return np.tril(shift) + np.tril(shift, -1).T


def test_overlap_for_iris():
    # Record 118 joins class 0 at γ = 400/99, with bounds from the eigenvalues of E.
    shift, gamma = standardised_iris_change(118), 400 / 99
    roots = np.linalg.eigvalsh(shift)
    assert roots.sum() == pytest.approx(0.591360165492, abs=1e-12)
    assert roots[roots > 0].sum() == pytest.approx(0.6097769774066, abs=1e-12)
    found = covariance_overlap(shift, np.eye(4) / gamma)
    assert float(found.lower()) == pytest.approx(0.291745718946, abs=1e-9)
    assert float(found.upper()) == pytest.approx(0.302804771083, abs=1e-9)
    noise = wishart(5, np.eye(4) / gamma).rvs(DRAWS, random_state=np.random.default_rng(5))
    truth = np.mean(np.linalg.eigvalsh(noise - shift)[:, 0] > 0)
    assert float(found.lower()) - SAMPLING < truth < float(found.upper()) + SAMPLING
    delta = covariance_noise_delta(shift, gamma, math.exp(30))
    assert float(delta.lower()) == pytest.approx(0.697195228917, abs=1e-9)


def test_overlap_of_the_plane():
    # 0.603613188692954 by a one-dimensional integral over the conditional law of W₁₁.
    found = covariance_overlap([[F(1, 2), 0], [0, F(-4, 5)]], [[F(1, 3), 0], [0, F(1, 3)]])
    assert found.contains(arb("0.603613188692954"))


@pytest.mark.parametrize("k", [1.0, 1.5, 20.0])
def test_divergence_by_simulation(k):
    shift, gamma = np.diag([0.5, -0.8]), 3.0
    noise = wishart(3, np.eye(2) / gamma).rvs(DRAWS, random_state=np.random.default_rng(4))
    ratio = np.exp(gamma * np.trace(shift) / 2) * (np.linalg.eigvalsh(noise - shift)[:, 0] > 0)
    truth = np.maximum(1 - k * ratio, 0).mean()
    found = covariance_noise_delta(shift, gamma, k)
    assert float(found.lower()) - SAMPLING < truth < float(found.upper()) + SAMPLING


def test_one_direction_variance_by_hand():
    # M = 4: Γ(3/2) = √π/2 and Γ(2) = 1, so ψ = δ/2 and s = 4Δ²/(εδ).
    with ctx.workprec(100):
        found = singular_gaussian_variance(4, F(3), F(1, 2), F(1, 1000))
        assert abs(found - 4 * 9 * 2 * 1000) < 1e-20
    # M = 6: Γ(5/2) = 3√π/4 and Γ(3) = 2, so ψ = (3δ/8)^(1/2).
    assert singular_gaussian_variance(6, 1.0, 1.0, 2e-5) == pytest.approx(
        2 / math.sqrt(3 * 2e-5 / 8)
    )


@pytest.mark.parametrize(("dimension", "radius"), [(4, 0.57), (10, 0.77), (20, 0.86)])
def test_one_direction_noise_by_simulation(dimension, radius):
    variance = singular_gaussian_variance(dimension, 1.0, 1.0, 2e-5) / (400 if dimension < 5 else 1)
    rng = np.random.default_rng(dimension)
    sphere = rng.normal(size=(200_000, dimension))
    sphere /= np.linalg.norm(sphere, axis=1)[:, None]
    noise = np.sqrt(variance) * rng.normal(size=(200_000, 1)) * sphere
    answer = np.eye(dimension)[0]
    near = np.mean(np.linalg.norm(noise, axis=1) <= radius)
    far = np.mean(np.linalg.norm(noise - answer, axis=1) <= radius)
    sampling = 5 * (math.sqrt(near) + math.e * math.sqrt(far)) / math.sqrt(200_000)
    found = singular_gaussian_delta_lower(dimension, 1.0, variance, radius, 1.0)
    assert found < near - math.e * far + sampling
    # The bound on the far ball replaces it by its cone: exact up to the shell that is cut off.
    assert found > near - math.e * far - sampling - 0.05


def test_one_direction_noise_fields_agree():
    exact = singular_gaussian_delta_lower(10, F(1), F(41), F(3, 4), F(1))
    assert exact.rad() < 1e-12
    assert float(exact.mid()) == pytest.approx(
        singular_gaussian_delta_lower(10, 1.0, 41.0, 0.75, 1.0)
    )


BAD = [
    (covariance_increase_delta, (0, 1, 1), "'trace'"),
    (covariance_increase_delta, (1, 0, 1), "'gamma'"),
    (covariance_increase_delta, (1, 1, -1), "'epsilon'"),
    (covariance_increase_delta, (1, 1, 1, "up"), "'direction'"),
    (covariance_log_ratio, (math.nan, 1), "'trace'"),
    (covariance_noise_delta, ([[1, 0]], 1, 1), "'shift'"),
    (covariance_noise_delta, ([[0, 1], [0, 0]], 1, 1), "symmetric"),
    (covariance_noise_delta, ([[1]], -1, 1), "'gamma'"),
    (covariance_noise_delta, ([[1]], 1, F(1, 2)), "'k'"),
    (covariance_overlap, ([[1]], [[0]]), "'scale'"),
    (covariance_overlap, ([[1]], [[1, 0], [0, 1]]), "size"),
    (shifted_exponential_delta, (0, 0, 1, 1), "'first'"),
    (shifted_exponential_delta, (0, 1, math.inf, 1), "'second'"),
    (singular_gaussian_variance, (2, 1, 1, 0.1), "'dimension'"),
    (singular_gaussian_variance, (3, 1, 1, 0), "'delta'"),
    (singular_gaussian_variance, (3, 1, 0, 0.1), "'epsilon'"),
    (singular_gaussian_variance, (3, -1, 1, 0.1), "'sensitivity'"),
    (singular_gaussian_delta_lower, (4, 1, 1, 1, 1), "'radius'.*less than the distance 1"),
    (singular_gaussian_delta_lower, (4, 1, 0, F(1, 2), 1), "'variance'"),
]


@pytest.mark.parametrize(("formula", "arguments", "message"), BAD)
def test_bad_arguments(formula, arguments, message):
    with pytest.raises(ValueError, match=message):
        formula(*arguments)
