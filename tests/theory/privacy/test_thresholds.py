"""Thresholds, rejection, local responses and discrete Gaussian noise against direct sums."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from provedp.theory.numbers import ball, ball_contains
from provedp.theory.privacy import (
    discrete_gaussian_delta,
    gaussian_delta,
    gaussian_threshold_delta,
    geometric_threshold_delta,
    k_ary_response_delta,
    laplace_threshold_delta,
    rappor_ratio,
    rejected_laplace_ratio,
    truncated_laplace_delta,
)


def test_threshold_deltas_are_tails():
    assert laplace_threshold_delta(0.5, 4.0) == pytest.approx(stats.laplace.sf(3, scale=2))
    assert gaussian_threshold_delta(2.0, 4.0) == pytest.approx(stats.norm.sf(1.5))
    r = 0.7
    mass = (1 - r) / (1 + r) * r ** np.abs(np.arange(-300, 301))
    assert geometric_threshold_delta(r, 4) == pytest.approx(mass[300 + 3 :].sum())
    assert ball_contains(geometric_threshold_delta(ball(F(1, 2)), 4), F(1, 12))


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.5, 8))
def test_rejected_laplace_is_the_greatest_ratio_of_densities(first, second, width):
    values = [first * width, second * width]
    x = np.linspace(0, width, 201)
    laws = []
    for value in values:
        low, high = stats.laplace.cdf([-value, width - value])
        laws.append(stats.laplace.pdf(x, loc=value) / (high - low))
    truth = max(np.max(laws[0] / laws[1]), np.max(laws[1] / laws[0]))
    found = rejected_laplace_ratio(*(math.exp(-v) for v in values), math.exp(-width))
    assert found == pytest.approx(truth, rel=1e-9)


def test_rejection_refuses_values_outside():
    with pytest.raises(ValueError, match=r"must lie in \[0, W\]"):
        rejected_laplace_ratio(F(1), F(1, 4), F(1, 2))
    with pytest.raises(ValueError, match="must lie"):
        rejected_laplace_ratio(F(1), F(1), F(1))


def test_truncated_laplace_is_the_excess_on_a_grid():
    scale, shift, bound, cells = 0.7, 1.0, 3.0, 40_000
    x = np.linspace(-bound, bound + shift, cells + 1)
    laws = []
    for centre in (0.0, shift):
        inside = np.clip(x, centre - bound, centre + bound)
        law = np.diff(stats.laplace.cdf(inside, centre, scale))
        laws.append(law / law.sum())
    truth = np.maximum(laws[1] - math.exp(shift / scale) * laws[0], 0).sum()
    found = truncated_laplace_delta(math.exp(shift / scale), math.exp(bound / scale))
    assert found == pytest.approx(truth, rel=1e-3)
    with pytest.raises(ValueError, match="must reach as far"):
        truncated_laplace_delta(F(3), F(2))


@pytest.mark.parametrize("size", [2, 5])
def test_k_ary_response_over_all_events(size):
    odds, k = F(7, 2), F(3, 2)
    laws = [[(odds if i == v else F(1)) / (odds + size - 1) for i in range(size)] for v in (0, 1)]
    gaps = [
        sum(laws[0][i] - k * laws[1][i] for i in event)
        for count in range(size + 1)
        for event in itertools.combinations(range(size), count)
    ]
    assert k_ary_response_delta(k, odds, size) == max(gaps)
    assert k_ary_response_delta(odds + 1, odds, size) == 0


def test_rappor_counts_both_sets_of_bits():
    assert rappor_ratio(4, F(19, 20)) == F(21, 19) ** 8


@pytest.mark.parametrize("sigma", [0.4, 1.0, 3.7306, 9.0])
@pytest.mark.parametrize("shift", [1, 2, 3])
def test_discrete_gaussian_is_the_sum_of_the_excess(sigma, shift):
    x = np.arange(-400, 401)
    law = np.exp(-(x**2) / (2 * sigma**2))
    law /= law.sum()
    for epsilon in (0.0, 0.5, 2.0):
        moved = np.zeros_like(law)
        moved[:-shift] = law[shift:]
        truth = np.maximum(law - math.exp(epsilon) * moved, 0).sum()
        assert discrete_gaussian_delta(sigma, epsilon, shift) == pytest.approx(truth, abs=1e-13)


def test_discrete_gaussian_is_certified_at_any_precision():
    low = discrete_gaussian_delta(F(5, 2), F(1))
    with ctx.workprec(300):
        high = discrete_gaussian_delta(F(5, 2), F(1))
    assert low.contains(arb(high.mid())) and high.rad() < 1e-60


def test_discrete_gaussian_comes_close_to_the_continuous_one():
    assert discrete_gaussian_delta(400.0, 0.001, 1) == pytest.approx(
        gaussian_delta(1 / 400, 0.001), rel=0.01
    )
