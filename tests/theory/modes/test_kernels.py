"""Kernels, their norms and sensitivities: quadrature, other closed forms, known values."""

import math
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import eval_legendre

from provedp.theory import modes
from provedp.theory.modes.kernel_norms import correlation_slope, correlation_slope_of_slope
from provedp.theory.numbers import ball

repeat = settings(derandomize=True, deadline=None, max_examples=30)

NORMS = {  # I₀, I₁ of the Gaussian kernel, by other formulas
    1: ("0.211571093830408608", "0.17630924485867384"),
    2: ("0.0388617921297750882", "0.0709578361499549"),
    3: ("0.00692224628326494061", "0.019761896647385395"),
}


def radial_integral(d, distance, power):
    """(2π)^(−d) ∫ cos(t·a) ‖t‖^(2q) e^(−‖t‖²) (1 + ‖t‖²)^((d+1)/2)/c_d dt by Bessel quadrature."""
    with mpmath.workdps(25):
        half = mpmath.mpf(d) / 2
        c = 2**d * mpmath.pi ** (half - mpmath.mpf(1) / 2) * mpmath.gamma(half + mpmath.mpf(1) / 2)
        a = mpmath.mpf(distance)

        def inner(r):
            mean = mpmath.hyp0f1(half, -((r * a) ** 2) / 4)  # of cos over directions
            weight = r ** (d - 1 + 2 * power) * mpmath.exp(-r * r)
            return mean * weight * (1 + r * r) ** ((mpmath.mpf(d) + 1) / 2)

        area = 2 * mpmath.pi**half / mpmath.gamma(half)
        total = mpmath.quad(inner, [0, 1, 2, 4, 8, 12])
        return float(area * total / c / (2 * mpmath.pi) ** d)


@pytest.mark.parametrize("d", NORMS)
def test_norms_are_those_of_other_formulas(d):
    density, gradient = NORMS[d]
    with ctx.workprec(100):
        assert abs(modes.density_norm_squared(d) / arb(density) - 1) < 1e-15
        assert abs(modes.gradient_norm_squared(d) / arb(gradient) - 1) < 1e-12


@pytest.mark.parametrize("d", [1, 2, 4, 5, 7])
@pytest.mark.parametrize("distance", [0, 0.5, 3, 6.25])
def test_correlations_are_the_integrals(d, distance):
    for power, formula in ((0, modes.density_correlation), (1, modes.gradient_correlation)):
        truth = radial_integral(d, distance, power)
        scale = radial_integral(d, 0, power)
        assert abs(float(formula(d, distance).mid()) - truth) < 1e-12 * scale


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("power", [0, 1])
def test_slopes_of_correlations_are_differences(d, power):
    with ctx.workprec(200):
        step, place = arb(1) / 2**40, arb(F(5, 3).numerator) / 3
        formula = (modes.density_correlation, modes.gradient_correlation)[power]
        rise = (formula(d, place + step) - formula(d, place - step)) / (2 * step)
        assert abs(rise - correlation_slope(d, place, power)) < 1e-20
        bend = correlation_slope(d, place + step, power) - correlation_slope(d, place - step, power)
        assert abs(bend / (2 * step) - correlation_slope_of_slope(d, place, power)) < 1e-20


def test_sharp_norms_are_those_found_elsewhere():
    with ctx.workprec(80):
        assert abs(modes.gradient_sensitivity(1) / arb("0.731457721063011014") - 1) < 1e-17
        assert abs(modes.density_sensitivity(2) / arb("0.285969879039495") - 1) < 1e-14
        assert abs(modes.density_sensitivity(1) - arb("0.668055340713")) < 1e-12
        assert abs(modes.gradient_sensitivity(3) - arb("0.207765742532")) < 1e-12


def test_sharp_norm_on_a_line_by_hand():
    # ρ₀ = (3/2 − y) e^(−y)/(4√π) with y = a²/4 is least at y = 5/2.
    least = -math.exp(-2.5) / (4 * math.sqrt(math.pi))
    truth = math.sqrt(2 * (3 / (8 * math.sqrt(math.pi)) - least))
    assert float(modes.density_sensitivity(1).mid()) == pytest.approx(truth, rel=1e-14)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_no_pair_on_a_grid_is_farther(d):
    for norm, sharp, formula in (
        (modes.density_norm_squared, modes.density_sensitivity, modes.density_correlation),
        (modes.gradient_norm_squared, modes.gradient_sensitivity, modes.gradient_correlation),
    ):
        for step in range(1, 60):
            assert not 2 * (norm(d) - formula(d, F(step, 6))) > sharp(d) ** 2


LINE_NORMS = {  # of (3 − u²)/2 φ and (15 − 10u² + u⁴)/8 φ, times √π
    (3, 0): F(109, 128),
    (3, 1): F(383, 256),
    (5, 0): F(11635, 8192),
    (5, 1): F(63917, 16384),
}


@pytest.mark.parametrize(("order", "power"), LINE_NORMS)
def test_norms_of_higher_order(order, power):
    assert modes.line_norm_squared(order, power) == LINE_NORMS[order, power]


@pytest.mark.parametrize("d", [1])
def test_line_norms_include_the_gaussian_one(d):
    with ctx.workprec(80):
        for power, norm in (
            (0, modes.density_norm_squared(d)),
            (1, modes.gradient_norm_squared(d)),
        ):
            assert abs(norm * arb.pi().sqrt() - ball(modes.line_norm_squared(1, power))) < 1e-20


@pytest.mark.parametrize("order", range(1, 10))
def test_kernel_moments_are_integrals(order):
    nodes, weights = np.polynomial.hermite_e.hermegauss(30)  # exact for these polynomials
    even = [float(c) for c in modes.kernel_polynomial(order)]
    values = sum(c * nodes ** (2 * s) for s, c in enumerate(even))
    for power in range(order + 4):
        terms = weights * values * nodes**power / math.sqrt(2 * math.pi)
        found = float(modes.kernel_moment(power, order))
        assert terms.sum() == pytest.approx(found, abs=1e-13 * np.abs(terms).sum())


def test_kernel_of_order_five_by_hand():
    assert modes.kernel_polynomial(4) == (F(15, 8), F(-10, 8), F(1, 8))
    assert modes.kernel([1.0], 5) == pytest.approx(6 / 8 * math.exp(-0.5) / math.sqrt(2 * math.pi))


@repeat
@given(st.lists(st.floats(-3, 3), min_size=1, max_size=3), st.integers(1, 6))
def test_kernel_gradient_is_a_difference(u, order):
    step = 1e-6
    found = modes.kernel_gradient(u, order)
    for j in range(len(u)):
        ends = [[x + sign * step * (i == j) for i, x in enumerate(u)] for sign in (1, -1)]
        rise = (modes.kernel(ends[0], order) - modes.kernel(ends[1], order)) / (2 * step)
        assert abs(float(found[j]) - float(rise)) < 1e-7


def test_gaussian_kernel_is_bounded_by_its_constants():
    rng = np.random.default_rng(5)
    for d in (1, 2, 4):
        top, steep = float(modes.kernel_bound(d).mid()), float(modes.kernel_gradient_bound(d).mid())
        for u in rng.normal(size=(200, d)):
            assert modes.kernel(u) <= top
            assert np.linalg.norm(modes.kernel_gradient(u)) <= steep * (1 + 1e-12)
        axis = np.eye(d)[0]
        assert np.linalg.norm(modes.kernel_gradient(axis)) == pytest.approx(steep, rel=1e-14)


@pytest.mark.parametrize("order", [1, 2, 4, 7])
def test_legendre_kernel_is_the_sum_of_polynomials(order):
    for u in (-0.9, 0.0, 0.3, 1.0):
        truth = sum((j + 0.5) * eval_legendre(j, 0) * eval_legendre(j, u) for j in range(order + 1))
        found = sum(float(c) * u**i for i, c in enumerate(modes.legendre_kernel_polynomial(order)))
        assert found == pytest.approx(truth, abs=1e-12)


def test_score_sensitivities_are_those_found_elsewhere():
    assert modes.score_sensitivity(0.5, 2, 0.3, 0.05) == pytest.approx(
        183.679098209836773, rel=1e-13
    )
    assert modes.joint_sensitivity(0.3, 1, 1.0, 0.02) == pytest.approx(
        11501.3599182018852, rel=1e-13
    )
    exact = modes.score_sensitivity(F(1, 2), 2, F(3, 10), F(1, 20))
    assert abs(exact - arb("183.679098209836773")) < 1e-12


@repeat
@given(st.floats(0.2, 3), st.integers(1, 3), st.floats(0.01, 5), st.floats(0.01, 2))
def test_sharp_score_sensitivity_is_the_supremum_over_pairs(h, d, clip, floor):
    slope, value = 1 / (floor * h ** (d + 1)), clip / (floor**2 * h**d)
    top = (2 * math.pi) ** (-d / 2)
    places = np.linspace(0, 8, 801)
    weight = top * np.exp(-(places**2) / 2)
    best = (weight * (slope * places - value)).max() + (weight * (slope * places + value)).max()
    found = modes.sharp_score_sensitivity(h, d, clip, floor)
    # The far distance τ + √(τ² + 1) may be beyond the grid, where its part is below 1e-12.
    assert best <= found * (1 + 1e-9)
    assert found <= best * (1 + 1e-3)
    assert found < modes.score_sensitivity(h, d, clip, floor)


@repeat
@given(st.integers(1, 3), st.floats(0.3, 2), st.floats(0.01, 1), st.floats(0.02, 1), st.randoms())
def test_scores_move_less_than_the_sharp_bound(d, h, clip, floor, random):
    rng = np.random.default_rng(random.randrange(2**32))
    n = int(rng.integers(1, 12))
    data = rng.normal(size=(n, d))
    other = data.copy()
    other[0] = 2 * rng.normal(size=d)
    points = rng.normal(size=(20, d))
    moves = modes.stabilised_score(points, data, h, clip, floor) - modes.stabilised_score(
        points, other, h, clip, floor
    )
    bound = modes.sharp_score_sensitivity(h, d, clip, floor) / n
    assert np.linalg.norm(moves, axis=1).max() <= bound * (1 + 1e-12)


@pytest.mark.parametrize("balance", [0.1, 1.0, 7.0])
def test_linear_release_splits_one_budget(balance):
    density, gradient = modes.linear_release_scales(0.5, 2, 10, balance)
    first = float(modes.density_sensitivity(2).mid()) / (10 * 0.25) / density
    second = float(modes.gradient_sensitivity(2).mid()) / (10 * 0.125) / gradient
    assert first**2 + second**2 == pytest.approx(1, rel=1e-13)


@repeat
@given(st.floats(0.2, 3), st.floats(0.01, 5), st.floats(0.01, 2), st.floats(0.1, 10))
def test_balance_is_best(h, clip, floor, factor):
    def variance(balance):
        density, gradient = modes.linear_release_scales(h, 1, 1, balance)
        return (gradient / floor) ** 2 + (clip * density / floor**2) ** 2

    best = modes.linear_release_balance(h, 1, clip, floor)
    assert variance(best) <= variance(best * factor) * (1 + 1e-12)


BAD = [
    (modes.score_sensitivity, (0, 1, 1, 1), "'h'"),
    (modes.score_sensitivity, (1, 0, 1, 1), "'d'"),
    (modes.sharp_score_sensitivity, (1, 1, -1, 1), "'clip'"),
    (modes.joint_sensitivity, (1, 1, 1, math.nan), "'floor'"),
    (modes.joint_sensitivity, (math.inf, 1, 1, 1), "'h'"),
    (modes.density_norm_squared, (0,), "'d'"),
    (modes.gradient_sensitivity, (65,), "'d'"),
    (modes.density_correlation, (1, -1), "'distance'"),
    (modes.kernel, ([math.nan],), "'u'"),
    (modes.kernel_polynomial, (0,), "'order'"),
    (modes.linear_release_scales, (1, 1, 1, 0), "'balance'"),
    (modes.line_norm_squared, (1, 2), "'power'"),
    (modes.stabilised_score, ([[0.0]], [[0.0]], 1.0, 0.0, 1.0), "'clip'"),
    (modes.density, ([[0.0]], np.array([[math.inf]]), 1.0), "'data'"),
    (modes.density, ([[0.0, 1.0]], [[0.0]], 1.0), "'points'"),
    (modes.density, (np.zeros(3), [[0.0]], 1.0), "'points'"),
]


@pytest.mark.parametrize(("formula", "arguments", "name"), BAD)
def test_bad_arguments_are_refused(formula, arguments, name):
    with pytest.raises(ValueError, match=name):
        formula(*arguments)
