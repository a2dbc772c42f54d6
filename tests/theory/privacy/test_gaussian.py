"""Gaussian noise against quadrature, grids and other formulas for the same number."""

import itertools
import math
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, ncx2, norm

from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    classical_epsilon_limit,
    classical_sigma,
    gaussian_delta,
    gaussian_log_delta,
    gaussian_pair_delta,
    gaussian_renyi,
    gaussian_sigma,
    gaussian_trade_off,
    gaussian_zcdp,
    mahalanobis_shift,
)

QUADRATURE = 1e-25  # of mpmath at 40 digits, with a margin
FLOAT_ERROR = 1e-15  # times |ln δ| + 1 + 1/μ + ε/μ², as stated
GRID_ERROR = 2e-6  # of a two-dimensional midpoint sum of kinked functions
LAST_BITS = 1e-14  # of balls at 53 bits

MUS = [F(1, 100), F(1, 3), F(1), F(4), F(30)]
EPSILONS = [F(0), F(1, 2), F(40)]
repeat = settings(derandomize=True, deadline=None, max_examples=25)


def number(value):
    return mpmath.mpf(value.numerator) / value.denominator


def integral(mu, epsilon):
    """∫ (p − k q)⁺ for p = N(μ, 1), q = N(0, 1), from where it begins, in units of its size."""
    start = epsilon / mu + mu / 2
    near = abs(start - mu)
    size = mpmath.npdf(near)
    ends = [start + step / (1 + near) for step in (0, 1, 3, 6, 12, 25, 50, 100, 200)]
    if start < mu:
        ends = [start, *(mu + step for step in (-8, -3, 0, 3, 8, 20) if mu + step > start)]

    def gap(x):
        return (mpmath.npdf(x - mu) - mpmath.exp(epsilon) * mpmath.npdf(x)) / size

    return size * mpmath.quad(gap, ends)


@pytest.mark.parametrize(("mu", "epsilon"), list(itertools.product(MUS, EPSILONS)))
def test_delta_is_the_integral_of_the_excess(mu, epsilon):
    with mpmath.workdps(60):
        truth = integral(number(mu), number(epsilon))
        digits = mpmath.nstr(truth, 45)
    with ctx.workprec(400):
        found = gaussian_delta(mu, epsilon)
        assert abs(found / arb(digits) - 1) < QUADRATURE
    error = FLOAT_ERROR * (abs(float(mpmath.log(truth))) + 1 + 1 / mu + epsilon / mu**2)
    logarithm = gaussian_log_delta(float(mu), float(epsilon))
    assert abs(logarithm - float(mpmath.log(truth))) <= error
    assert gaussian_delta(float(mu), float(epsilon)) == math.exp(logarithm)


def test_balls_are_narrow_and_contain_the_floats():
    for mu, epsilon in itertools.product([0.3, 1.0, 4.0], [0.0, 0.5, 3.0]):
        certified = gaussian_delta(arb(mu), arb(epsilon))
        assert certified.rad() < LAST_BITS * certified.mid()
        error = FLOAT_ERROR * 100
        assert abs(certified - gaussian_delta(mu, epsilon)) < error * certified.mid()


def test_logarithm_reaches_where_floats_end():
    assert gaussian_delta(0.01, 1.0) == 0.0
    with ctx.workprec(300):
        truth = gaussian_delta(arb(0.01), arb(1)).log()
    assert abs(float(truth.mid()) - gaussian_log_delta(0.01, 1.0)) < 1e-9
    assert gaussian_log_delta(1e-12, 1.0) == -math.inf


def test_delta_of_symbols_is_the_formula():
    mu, epsilon = sympy.symbols("mu epsilon", positive=True)
    expression = gaussian_delta(mu, epsilon)
    assert abs(float(expression.subs({mu: 1, epsilon: 1})) - 0.12693673750664) < 1e-13
    slope = sympy.diff(expression, epsilon) + sympy.exp(epsilon) * sympy.erfc(
        (epsilon / mu + mu / 2) / sympy.sqrt(2)
    ) / sympy.Integer(2)
    assert sympy.simplify(slope.subs({mu: 2, epsilon: 3})) == 0


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.5, 0.99])
def test_trade_off_is_a_threshold_test(alpha):
    truth = norm.cdf(norm.isf(alpha), loc=1.5)
    assert gaussian_trade_off(1.5, alpha) == pytest.approx(truth, rel=1e-12)
    certified = gaussian_trade_off(arb(1.5), arb(alpha))
    assert abs(certified - truth) < 1e-12
    assert certified.rad() < LAST_BITS


@pytest.mark.parametrize("mu", [F(1, 2), F(2)])
def test_delta_is_dual_to_the_trade_off(mu):
    # E_k = max over α of 1 − f(α) − k α, by a fine grid of α.
    for k in (1.0, 1.5, 4.0):
        alphas = norm.sf(np.linspace(-8, 12, 20001))
        best = np.max(1 - norm.cdf(norm.isf(alphas), loc=float(mu)) - k * alphas)
        assert gaussian_delta(float(mu), math.log(k)) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("order", [2, F(3, 2), 5])
def test_renyi_divergence_is_the_integral(order):
    with mpmath.workdps(30):
        power = number(F(order))

        def density(x):
            return mpmath.npdf(x) ** power * mpmath.npdf(x - 0.75) ** (1 - power)

        total = mpmath.quad(density, [-40, -10, -3, 0, 3, 10, 40])
        truth = mpmath.log(total) / (power - 1)
    exact = gaussian_renyi(F(3, 4), order)
    assert abs(truth - number(exact)) < 1e-20
    assert exact <= gaussian_zcdp(F(3, 4)) * order


def test_shift_is_measured_in_the_direction_of_the_noise():
    covariance = [[F(2), F(1)], [F(1), F(3)]]
    # (1, 2) Σ⁻¹ (1, 2)ᵀ = (3·1 − 2·1·2 + 2·4)/5 = 7/5
    found = mahalanobis_shift([F(1), F(2)], covariance)
    assert abs(found**2 - ball(F(7, 5))) < LAST_BITS
    assert mahalanobis_shift(np.array([1.0, 2.0]), covariance) == pytest.approx(math.sqrt(1.4))


@pytest.mark.parametrize(
    ("covariance", "piece"),
    [
        ([[1, 2], [2, 4]], "variance 0 in the direction (-2, 1, 0, …)"),
        ([[1.0, 0.0], [0.0, 0.0]], "variance 0 in the direction (-0, 1, 0, …)"),
        ([[0, 0], [0, 1]], "variance 0 in the direction (1, 0, …)"),
        ([[1, 2], [2, 1]], "variance -3 in the direction (-2, 1, 0, …)"),
        ([[1, 2], [3, 9]], "different entries in row 2, column 1"),
        ([[arb(1, 2), 0], [0, 1]], "in the direction (1, 0, …)"),
    ],
)
def test_covariances_that_are_not_definite_are_refused_with_a_direction(covariance, piece):
    with pytest.raises(ValueError) as caught:
        mahalanobis_shift([1, 1], covariance)
    assert "must be a symmetric positive definite matrix" in str(caught.value)
    assert piece.replace("-0,", "0,") in str(caught.value).replace("-0,", "0,")


TARGETS = [
    (1, 1e-5, 1, "3.7306316348159417998"),
    (F(1, 10), F(1, 10**9), 1, None),
    (0, F(1, 1000), 2, None),
    (10, 1e-5, 1, None),
    (1, F(1, 10**400), 1, None),
    (200, 0.5, F(1, 3), None),
]


@pytest.mark.parametrize(("epsilon", "delta", "sensitivity", "known"), TARGETS)
def test_sigma_meets_the_target_and_the_next_smaller_one_does_not(
    epsilon, delta, sensitivity, known
):
    found = gaussian_sigma(epsilon, delta, sensitivity)
    assert found.neighbour == math.nextafter(found.value, 0)
    with ctx.workprec(2000):
        assert found.delta_at_value <= ball(delta) < found.delta_at_neighbour
        mu = ball(sensitivity) / ball(found.value)
        again = gaussian_delta(mu, ball(epsilon))
        assert again <= ball(delta)
        assert found.delta_at_value.overlaps(again)
    if known is not None:
        assert float(known) == pytest.approx(found.value, rel=1e-15)


def test_sigma_is_the_root_that_another_library_finds():
    with mpmath.workdps(40):
        delta = number(F(1e-5))

        def excess(sigma):
            return integral(1 / sigma, mpmath.mpf(1)) - delta

        root = mpmath.findroot(excess, (3.7, 3.75), solver="anderson", tol=1e-30)
        assert found_between(gaussian_sigma(1, 1e-5), root)


def found_between(calibration, root):
    return calibration.neighbour < root <= calibration.value


def test_a_ball_counts_at_its_private_end():
    wide = gaussian_sigma(arb(1, 0.01), 1e-5, 1).value
    assert gaussian_sigma(0.99, 1e-5, 1).value <= wide < gaussian_sigma(0.98, 1e-5, 1).value


@pytest.mark.parametrize("delta", [0, 0.0, F(0)])
def test_gaussian_noise_cannot_be_pure(delta):
    with pytest.raises(ValueError, match=r"no Gaussian noise gives δ = 0\)\. Got 0"):
        gaussian_sigma(1, delta, 1)


@pytest.mark.parametrize("sensitivity", [0, -1, math.nan, math.inf])
def test_sensitivity_must_be_positive(sensitivity):
    with pytest.raises(ValueError, match="'sensitivity' parameter of privacy.gaussian_sigma"):
        gaussian_sigma(1, 1e-5, sensitivity)


def test_no_shift_and_no_noise_are_refused():
    with pytest.raises(ValueError, match="'mu' parameter"):
        gaussian_delta(0, 1)
    with pytest.raises(ValueError, match="'mu' parameter"):
        gaussian_delta(math.inf, 1)  # σ = 0


def test_classical_sigma_by_hand():
    assert classical_sigma(1.0, 1e-5, 2.0, 1.25) == pytest.approx(
        2 * math.sqrt(2 * math.log(125000)), rel=1e-15
    )
    certified = classical_sigma(F(1, 2), F(1, 10**5), 1, 2)
    assert abs(certified - 2 * math.sqrt(2 * math.log(200000))) < 1e-13


# Largest ε for δ = 10⁻², …, 10⁻⁹, first digits.
LIMITS = {
    F(5, 4): "6.7718 7.4634 7.9909 8.4197 8.7820 9.0964 9.3743 9.6236",
    F(2): "7.9064 8.5124 8.9926 9.3913 9.7327 10.0317 10.2979 10.5379",
    F(4): "9.6477 10.1174 10.5206 10.8693 11.1758 11.4488 11.6950 11.9193",
}


@pytest.mark.parametrize(
    ("constant", "place"), list(itertools.product(LIMITS, range(8))), ids=lambda x: str(x)
)
def test_classical_formula_holds_up_to_its_limit_and_no_further(constant, place):
    delta = F(1, 10 ** (place + 2))
    found = classical_epsilon_limit(delta, constant)
    assert found.neighbour == math.nextafter(found.value, math.inf)
    with ctx.workprec(300):
        assert found.delta_at_value <= ball(delta) < found.delta_at_neighbour
    digits = LIMITS[constant].split()[place]
    assert 0 <= found.value - float(digits) < 1.01e-4
    for factor, holds in [(0.05, True), (0.5, True), (0.999, True), (1.001, False), (2, False)]:
        epsilon = ball(found.value * factor)
        sigma = classical_sigma(epsilon, ball(delta), arb(1), ball(constant))
        assert (gaussian_delta(1 / sigma, epsilon) <= ball(delta)) is holds


def test_classical_limit_for_half_of_the_target():
    # ln(4/δ) with the target δ/2 is the constant 2: 9.39132 for δ = 2e-5, as found by other means.
    assert classical_epsilon_limit(F(1, 10**5), 2).value == pytest.approx(9.39132, abs=5e-6)


# ---- different covariances


def excess_in_one_dimension(shift, first, second, epsilon):
    """∫ (p − k q)⁺ between the roots of ln(p/q) = ε, a parabola through three of its values."""
    with mpmath.workdps(30):
        one, other, level = mpmath.sqrt(first), mpmath.sqrt(second), mpmath.mpf(epsilon)

        def gap(x):
            return (
                mpmath.log(mpmath.npdf(x, 0, one))
                - mpmath.log(mpmath.npdf(x, shift, other))
                - level
            )

        def excess(x):
            return mpmath.npdf(x, 0, one) - mpmath.exp(level) * mpmath.npdf(x, shift, other)

        down, middle, up = gap(-1), gap(0), gap(1)
        roots = mpmath.polyroots([(down + up) / 2 - middle, (up - down) / 2, middle])
        cuts = sorted(mpmath.re(root) for root in roots if abs(mpmath.im(root)) < 1e-20)
        ends = [mpmath.mpf(-60), *cuts, mpmath.mpf(60)]
        pieces = [mpmath.linspace(a, b, 13) for a, b in itertools.pairwise(ends)]
        return mpmath.fsum(mpmath.quad(excess, piece) for piece in pieces if gap(piece[6]) > 0)


CASES = list(
    itertools.product(
        [0.0, 0.75], [(1.0, 4.0), (4.0, 1.0), (1.0, 0.875), (1.0, 1.125)], [0.0, 0.5, 2.0]
    )
)


@pytest.mark.parametrize(("shift", "variances", "epsilon"), CASES)
def test_one_dimension_is_the_integral_of_the_excess(shift, variances, epsilon):
    first, second = variances
    truth = excess_in_one_dimension(shift, first, second, epsilon)
    found = gaussian_pair_delta([shift], [[first]], [[second]], epsilon)
    assert found.rad() <= LAST_BITS * max(found.mid(), arb(1e-3))
    assert abs(found - float(truth)) < 1e-14


@pytest.mark.parametrize("epsilon", [F(0), F(1, 2), F(2)])
@pytest.mark.parametrize(("first", "second"), [(F(1), F(4)), (F(4), F(1)), (F(1), F(9, 10))])
@pytest.mark.parametrize("shift", [F(0), F(3, 4)])
def test_a_coordinate_without_information_changes_nothing(shift, first, second, epsilon):
    alone = gaussian_pair_delta([shift], [[first]], [[second]], epsilon)
    joint = gaussian_pair_delta([shift, 0], [[first, 0], [0, 2]], [[second, 0], [0, 2]], epsilon)
    assert abs(alone - joint) <= 1e-15
    assert joint.rad() < LAST_BITS


@pytest.mark.parametrize("epsilon", [0.25, 1.0, 3.0])
@pytest.mark.parametrize("variance", [0.5, 0.9, 1.25, 3.0])
@pytest.mark.parametrize("dimension", [2, 5, 30])
def test_isotropic_laws_differ_by_a_ball(dimension, variance, epsilon):
    # ln(p/q) depends on |x − centre|² alone, which is noncentral chi-square under both laws.
    shift = np.full(dimension, 0.25)
    centre = shift / (1 - variance)
    under_p = ncx2(dimension, np.sum(centre**2))
    under_q = ncx2(dimension, np.sum((centre - shift) ** 2) / variance)
    # −|x|² + |x − Δ|²/v = −(1 − 1/v) |x − centre|² + |Δ|²/(v − 1) must exceed 2ε − d ln v.
    level = dimension * math.log(variance) - 2 * epsilon + np.sum(shift**2) / (variance - 1)
    radius = level * variance / (variance - 1)
    pick = "cdf" if variance > 1 else "sf"
    truth = getattr(under_p, pick)(radius) - math.exp(epsilon) * getattr(under_q, pick)(
        radius / variance
    )
    found = gaussian_pair_delta(shift, np.eye(dimension), variance * np.eye(dimension), epsilon)
    assert abs(found - truth) < 1e-10
    assert found.rad() < LAST_BITS


GENERAL = [
    ([1.0, 0.5], [[1, 0.25], [0.25, 2]], [[1.5, -0.25], [-0.25, 1]], 0.5),
    ([0.0, 0.0], [[1, 0], [0, 1]], [[2, 0], [0, 0.5]], 0.25),
    ([1.0, 1.0], [[1, 0], [0, 1]], [[1, 0], [0, 1.5]], 1.0),
    ([0.0, 1.0], [[2, 1], [1, 2]], [[1, 0], [0, 1]], 1.0),
]


@pytest.mark.parametrize(("shift", "first", "second", "epsilon"), GENERAL)
def test_two_dimensions_are_a_sum_over_a_grid(shift, first, second, epsilon):
    line = np.linspace(-12, 12, 2401)
    points = np.stack(np.meshgrid(line, line, indexing="ij"), -1)
    p, q = multivariate_normal([0, 0], first).pdf(points), multivariate_normal(shift, second)
    truth = np.maximum(p - math.exp(epsilon) * q.pdf(points), 0).sum() * 0.01**2
    found = gaussian_pair_delta(shift, first, second, epsilon)
    assert abs(found - truth) < GRID_ERROR
    assert found.rad() < LAST_BITS


def test_nearly_equal_covariances_approach_equal_ones():
    equal = gaussian_delta(math.hypot(0.3, 0.2), 1.0)
    previous = math.inf
    for step in (1e-2, 1e-4, 1e-6, 1e-8):
        found = gaussian_pair_delta([0.3, 0.2], np.eye(2), np.diag([1 + step, 1.0]), 1.0)
        assert found.rad() < LAST_BITS
        distance = abs(float(found.mid()) - equal)
        assert distance < min(previous, step)
        previous = distance
    assert abs(gaussian_pair_delta([0.3, 0.2], np.eye(2), np.eye(2), 1.0) - equal) < 1e-13
    assert gaussian_pair_delta([0, 0], np.eye(2), np.eye(2), 1.0) == 0


@repeat
@given(
    st.lists(st.integers(-8, 8), min_size=2, max_size=2),
    st.integers(1, 20),
    st.integers(1, 20),
    st.integers(-4, 4),
)
def test_a_change_of_coordinates_changes_nothing(shift, one, other, slant):
    first, second = np.diag([F(one, 4), F(1)]), np.diag([F(2), F(other, 4)])
    move = np.array([F(part, 4) for part in shift])
    change = np.array([[F(1), F(slant, 2)], [F(0), F(1)]])
    plain = gaussian_pair_delta(move, first, second, F(1, 2))
    moved = gaussian_pair_delta(
        change @ move, change @ first @ change.T, change @ second @ change.T, F(1, 2)
    )
    assert plain.overlaps(moved)
    assert plain.rad() < LAST_BITS


def test_very_small_divergences_keep_their_digits():
    found = gaussian_pair_delta([0.3, 0.2], np.eye(2), np.diag([1.25, 1.0]), 5.0)
    assert found < 1e-50
    assert found.rel_accuracy_bits() >= 40


def test_pairs_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="Sizes differ: 1, 2 and 2"):
        gaussian_pair_delta([1], np.eye(2), np.eye(2), 1)
    with pytest.raises(ValueError, match="'second' parameter.*variance 0"):
        gaussian_pair_delta([1, 1], np.eye(2), [[1, 1], [1, 1]], 1)
    with pytest.raises(ValueError, match="exact numbers or floats"):
        gaussian_pair_delta([arb(1), arb(1)], np.eye(2), np.eye(2), 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shift", "first", "second", "epsilon"),
    [
        ([0.225, 0.00125, -0.05], [155.0, 0.0263, 0.657], [62.0, 0.01052, 0.2628], 5.0),
        ([102.125, 0.0], [5.0, 0.7], [0.38, 0.0532], 1.0),
        ([-5.2, -19.0], [0.0373, 0.624], [0.00223, 0.037304], 0.0),
        ([0.002, 0.3], [6e-6, 0.54], [0.004, 3.5e-5], 1.0),
    ],
)
def test_far_apart_and_nearly_proportional_laws_stay_sharp(shift, first, second, epsilon):
    found = gaussian_pair_delta(shift, np.diag(first), np.diag(second), epsilon)
    assert found.rad() < 1e-9
    assert 0 < found.mid() < 1 + 1e-9
    swapped = [shift[::-1], np.diag(first[::-1]), np.diag(second[::-1])]
    assert found.overlaps(gaussian_pair_delta(*swapped, epsilon))
