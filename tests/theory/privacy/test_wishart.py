"""Wishart noise: simulation of matrices, quadrature, and closed forms for small degrees."""

import math
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, kstest, wishart

from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    chi_square_delta,
    constant_ratio_delta,
    gaussian_mixture_delta,
    gaussian_sigma,
    support_loss_delta,
    wishart_degrees,
    wishart_delta,
    wishart_least_degree_delta,
    wishart_scale,
    zcdp,
)
from provedp.theory.privacy.functions import gamma_lower, gamma_upper

FALSE_ALARM = 1e-4  # per Kolmogorov-Smirnov test, with fixed seeds
DRAWS = 20_000
SAMPLING = 5 * 0.5 / math.sqrt(DRAWS)  # five standard deviations of a frequency
QUADRATURE = 1e-12

repeat = settings(derandomize=True, deadline=None, max_examples=40)


def excess(degrees, shift, epsilon, direction):
    """∫ (p − k q)⁺ for χ²_m and χ²_m + c by quadrature, cut where a fine grid changes sign."""
    with mpmath.workdps(25):
        half = mpmath.mpf(degrees) / 2
        norm = 2**half * mpmath.gamma(half)

        def density(x):
            return x ** (half - 1) * mpmath.exp(-x / 2) / norm if x > 0 else mpmath.mpf(0)

        def gap(x):
            first, second = density(x), density(x - shift)
            if direction == "onto":
                first, second = second, first
            return first - mpmath.exp(epsilon) * second

        grid = [mpmath.mpf(shift) + (mpmath.mpf(j) / 400) ** 5 * 200 for j in range(1, 401)]
        signs = [gap(x) > 0 for x in grid]
        cuts = [
            mpmath.findroot(gap, (grid[j], grid[j + 1]), solver="anderson")
            for j in range(399)
            if signs[j] != signs[j + 1]
        ]
        ends = [mpmath.mpf(0), mpmath.mpf(shift), *cuts, grid[-1] + 100]
        total = mpmath.mpf(0)
        for low, high in zip(ends, ends[1:], strict=False):
            if gap((low + high) / 2) > 0:
                total += mpmath.quad(gap, mpmath.linspace(low, high, 9))
        return float(total)


CASES = [
    (3.0, 1.0, 0.5),
    (3.0, 4.0, 0.5),
    (5.5, 4.0, 0.25),
    (10.0, 3.0, 0.0),
    (34.0, 1.0, 1.0),
    (2.0, 3.0, 0.75),
    (2.25, 2.0, 0.25),
]


@pytest.mark.parametrize("direction", ["from", "onto"])
@pytest.mark.parametrize(("degrees", "shift", "epsilon"), CASES)
def test_chi_square_delta_is_the_integral_of_the_excess(degrees, shift, epsilon, direction):
    truth = excess(degrees, shift, epsilon, direction)
    found = chi_square_delta(degrees, shift, epsilon, direction)
    assert abs(found - truth) < QUADRATURE
    certified = chi_square_delta(F(degrees), F(shift), F(epsilon), direction)
    assert abs(certified - found) < 1e-14
    assert certified.rad() < 1e-15


def test_four_degrees_by_hand():
    # F̄₄(x) = e^(−x/2)(1 + x/2); for ε = 0 and c = 2 the densities cross at x = 2/(1 − 1/e).
    x = 2 / (1 - math.exp(-1))
    truth = (1 - math.exp(-x / 2) * (1 + x / 2)) - (1 - math.exp(1 - x / 2) * (x / 2))
    assert chi_square_delta(4.0, 2.0, 0.0, "from") == pytest.approx(truth, rel=1e-13)
    assert chi_square_delta(4.0, 2.0, 0.0, "onto") == pytest.approx(truth, rel=1e-13)


@pytest.mark.parametrize(("dimension", "degrees"), [(2, 3), (2, 6), (3, 5), (4, 9)])
def test_the_sufficient_statistic_is_chi_square_and_shifts(dimension, degrees):
    rng = np.random.default_rng(20250101 + 10 * dimension + degrees)
    scale = np.diag(np.arange(1.0, dimension + 1)) + 0.5
    v = rng.normal(size=dimension)
    shift = v @ np.linalg.solve(scale, v)
    noise = wishart(degrees, scale).rvs(DRAWS, random_state=rng).reshape(-1, dimension, dimension)
    law = chi2(degrees - dimension + 1).cdf
    for moved, expected in [(noise, law), (noise + np.outer(v, v), lambda x: law(x - shift))]:
        inverted = np.linalg.solve(moved, np.broadcast_to(v[:, None], (DRAWS, dimension, 1)))
        statistic = shift / np.squeeze(v @ inverted)
        assert kstest(statistic, expected).pvalue > FALSE_ALARM


def test_delta_is_what_the_densities_of_matrices_give():
    # E (1 − k q(W)/p(W))⁺ over matrices W ~ P, with densities from scipy and no reduction.
    dimension, degrees, epsilon = 3, 7, 0.25
    rng = np.random.default_rng(7)
    scale, v = np.diag([1.0, 2.0, 0.5]), np.array([1.0, 1.0, 0.25])
    law = wishart(degrees, scale)
    gains = []
    for noise in law.rvs(DRAWS // 4, random_state=rng):
        moved = noise - np.outer(v, v)
        inside = np.linalg.eigvalsh(moved)[0] > 0
        ratio = math.exp(law.logpdf(moved) - law.logpdf(noise)) if inside else 0.0
        gains.append(max(0.0, 1 - math.exp(epsilon) * ratio))
    shift = float(v @ np.linalg.solve(scale, v))
    found = wishart_delta(dimension, float(degrees), shift, epsilon, "from")
    assert abs(np.mean(gains) - found) < 2 * SAMPLING


@repeat
@given(
    st.fractions(F(2), F(12), max_denominator=4),
    st.fractions(F(1, 4), F(6), max_denominator=4),
    st.fractions(F(0), F(2), max_denominator=4),
    st.fractions(F(1, 4), F(3), max_denominator=4),
)
def test_delta_falls_with_degrees_and_epsilon_and_grows_with_the_shift(m, c, epsilon, more):
    found = chi_square_delta(m, c, epsilon)
    assert not chi_square_delta(m + more, c, epsilon) > found
    assert not chi_square_delta(m, c, epsilon + more) > found
    assert not chi_square_delta(m, c + more, epsilon) < found


def test_least_degrees_are_a_loss_of_support():
    for k in (1.0, 2.0, 30.0):
        found = wishart_delta(3, 4.0, 0.5, math.log(k))
        assert found == pytest.approx(1 - math.exp(-0.25), rel=1e-14)
        assert found == pytest.approx(support_loss_delta(k, math.exp(-0.25)), rel=1e-14)
    assert abs(chi_square_delta(2 + 1e-9, 0.5, 1.0) - (1 - math.exp(-0.25))) < 1e-8


def test_a_ball_at_the_end_of_the_support_is_bounded():
    found = chi_square_delta(arb(5), arb(2), arb(1, 1e-6), "onto")
    assert found.contains(0)
    assert found.rad() < 1e-5


TARGETS = [(1, 1e-5, 1, 1, 34), (F(1, 10), 1e-5, 1, 3, 608), (1, 1e-5, 1, 10, 43)]


@pytest.mark.parametrize(("epsilon", "delta", "shift", "dimension", "known"), TARGETS)
def test_degrees_are_least(epsilon, delta, shift, dimension, known):
    found = wishart_degrees(epsilon, delta, shift, dimension)
    assert (found.value, found.neighbour) == (known, known - 1)
    with ctx.workprec(300):
        assert found.delta_at_value <= ball(delta) < found.delta_at_neighbour
    free = float(known - dimension + 1)
    assert chi_square_delta(free, float(shift), float(epsilon)) < delta
    assert chi_square_delta(free - 1, float(shift), float(epsilon)) > delta


def test_least_degrees_that_meet_the_target_have_no_neighbour():
    found = wishart_degrees(1, F(1, 2), F(1, 2), 3)
    assert (found.value, found.neighbour, found.delta_at_neighbour) == (4, None, None)


@pytest.mark.parametrize(("dimension", "degrees"), [(1, 2), (3, 36), (3, 36.5), (2, 500)])
def test_scale_is_least(dimension, degrees):
    found = wishart_scale(F(1, 2), F(1, 10**5), 4, dimension, degrees)
    assert found.neighbour == math.nextafter(found.value, 0)
    with ctx.workprec(300):
        target = ball(F(1, 10**5))
        assert found.delta_at_value <= target < found.delta_at_neighbour
        for scale, holds in [(found.value, True), (found.neighbour, False)]:
            delta = wishart_delta(dimension, ball(degrees), 4 / ball(scale), ball(F(1, 2)))
            assert (delta <= target) is holds


def test_many_degrees_approach_gaussian_noise():
    # χ²_m has the standard deviation √(2m); skewness √(8/m) is what keeps the two apart.
    sigma = gaussian_sigma(F(1, 20), 1e-5, 1).value
    degrees = wishart_degrees(F(1, 20), 1e-5, 1, 1).value
    assert 1 < math.sqrt(2 * degrees) / sigma < 1.1


@pytest.mark.parametrize("formula", [wishart_degrees, wishart_scale])
def test_wishart_noise_cannot_be_pure(formula):
    with pytest.raises(ValueError, match="never gives δ = 0"):
        formula(1, 0, 1, 1, *([5] if formula is wishart_scale else []))


@pytest.mark.parametrize(
    "call",
    [
        lambda k: chi_square_delta(k, 1, 1),
        lambda k: gaussian_mixture_delta(k, 0, F(1, 2), 2),
        lambda k: zcdp([k, 1 - k], [F(1, 2), F(1, 2)]),
    ],
)
def test_symbols_are_refused_where_only_numbers_have_a_value(call):
    with pytest.raises(ValueError, match="for numbers only"):
        call(sympy.Symbol("k", positive=True))


def test_too_few_degrees_are_refused():
    with pytest.raises(ValueError, match=r"'degrees' parameter .* range \[4, inf\). Got 3"):
        wishart_delta(3, 3, 1, 1)


SHIFTS = [
    ([[1, 0], [0, 0]], [[1, 0], [0, 1]], 1.0),
    ([[F(1, 2), F(1, 4)], [F(1, 4), F(1, 2)]], [[2, 0], [0, 1]], 1.5),
    ([[1, 0], [0, 1]], [[1, 0], [0, 1]], 3.0),
]


@pytest.mark.parametrize(("shift", "scale", "k"), SHIFTS)
def test_a_semidefinite_shift_has_an_exact_loss(shift, scale, k):
    trace = np.trace(np.linalg.solve(np.array(scale, float), np.array(shift, float)))
    lost = wishart_least_degree_delta(shift, scale, F(k))
    assert abs(lost - (1 - math.exp(-trace / 2))) < 1e-14
    back = wishart_least_degree_delta(-np.array(shift), scale, F(k))
    assert abs(back - max(0.0, 1 - k * math.exp(-trace / 2))) < 1e-14


@pytest.mark.parametrize("k", [1.0, 1.25])
def test_an_indefinite_shift_is_bracketed(k):
    shift, scale = np.array([[0.5, 0.25], [0.25, -0.5]]), np.diag([1.0, 2.0])
    noise = wishart(3, scale).rvs(DRAWS, random_state=np.random.default_rng(3))
    overlap = np.mean(np.linalg.eigvalsh(noise - shift)[:, 0] > 0)
    ratio = math.exp(-np.trace(np.linalg.solve(scale, shift)) / 2)
    truth = 1 - overlap * min(1, k / ratio)
    found = wishart_least_degree_delta(shift, scale, k)
    assert float(found.lower()) - SAMPLING < truth < float(found.upper()) + SAMPLING
    assert found.rad() < 0.2


def test_shifts_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="symmetric and of the size"):
        wishart_least_degree_delta([[0, 1], [0, 0]], np.eye(2), 1)
    with pytest.raises(ValueError, match="symmetric and of the size"):
        wishart_least_degree_delta([[1]], np.eye(2), 1)
    with pytest.raises(ValueError, match="'scale' parameter.*variance 0"):
        wishart_least_degree_delta(np.eye(2), np.ones((2, 2)), 1)


def test_constant_ratio_by_enumeration():
    p, q, k = [F(1, 2), F(1, 2), F(0)], [F(0), F(1, 4), F(3, 4)], F(3, 2)
    truth = sum(max(a - k * b, F(0)) for a, b in zip(p, q, strict=True))
    assert constant_ratio_delta(F(2), F(1, 2), k) == truth


@pytest.mark.parametrize("shape", [1.0, 2.5, 18.0, 302.5, 5000.0])
@pytest.mark.parametrize("part", [0.25, 0.75, 0.95, 1.0, 1.05, 1.5])
def test_incomplete_gamma_functions(shape, part):
    with mpmath.workdps(30):
        truth = mpmath.gammainc(shape, 0, shape * part, regularized=True)
        rest = mpmath.gammainc(shape, shape * part, regularized=True)
    with ctx.workprec(128):
        lower, upper = (
            gamma_lower(arb(shape), arb(shape * part)),
            gamma_upper(arb(shape), arb(shape * part)),
        )
        assert abs(lower + upper - 1) < 1e-25
        assert abs(lower / arb(mpmath.nstr(truth, 25)) - 1) < 1e-18
        assert abs(upper / arb(mpmath.nstr(rest, 25)) - 1) < 1e-18
    assert gamma_lower(shape, shape * part) == pytest.approx(float(truth), rel=1e-10)
    assert gamma_upper(shape, shape * part) == pytest.approx(float(rest), rel=1e-10)
