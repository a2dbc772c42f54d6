"""Expected divergence of a released Gaussian: hand-derived closed forms, quadrature, simulation."""

import math
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import wishart

from provedp.theory.estimate import CERTIFIED, SAMPLED
from provedp.theory.mixture import (
    expected_kl,
    expected_kl_for_gammas,
    isotropic_log_determinant,
    laguerre_coefficients,
    log_determinant_expectation,
    log_determinant_expectations,
    scalar_expected_kl,
)
from provedp.theory.mixture.wishart_shapes import (
    radial_rule,
    sampled_log_determinants,
    shape_factors,
)

repeat = settings(derandomize=True, deadline=None, max_examples=10)

# e^a Σ c_j E_j(a) + e^(2a) Σ c'_j E_j(2a), derived by hand for small dimensions.
CLOSED_FORMS = {
    1: ({1: 1}, {}),
    2: ({2: 2}, {1: 2}),
    3: ({1: 1, 2: -2, 3: 4}, {1: 2, 2: 2, 3: 2}),
    4: ({2: 4, 3: -8, 4: 8}, {1: 4, 3: 4, 5: 4}),
    5: (
        {1: 1, 2: -4, 3: 16, 4: -24, 5: 16},
        {1: 4, 2: 4, 3: 4, 4: -6, 5: 14, 6: -10, 7: 10},
    ),
}


@pytest.mark.parametrize("dimension", CLOSED_FORMS)
def test_coefficients_are_those_of_the_closed_forms(dimension):
    found = laguerre_coefficients(dimension)
    for part, expected in zip(found, CLOSED_FORMS[dimension], strict=True):
        assert {j: c for j, c in enumerate(part, 1) if c != 0} == expected


@pytest.mark.parametrize("dimension", [1, 2, 3, 7, 8, 20, 45])
def test_coefficients_count_the_eigenvalues(dimension):
    # For a → 0, E_1 ~ −ln a and every E_j (j ≥ 2) stays bounded: d eigenvalues, each −ln a.
    single, double = laguerre_coefficients(dimension)
    assert single[0] + (double[0] if double else 0) == dimension


ISOTROPIC = [
    (2, 4, "0.96737683224922133"),
    (3, 5, "1.5124049718311533"),
    (4, 10, "1.4301194884070073"),
    (12, 20, "5.1896652429134628"),
]


@pytest.mark.parametrize(("dimension", "precision", "value"), ISOTROPIC)
def test_isotropic_values(dimension, precision, value):
    with ctx.workprec(100):
        found = isotropic_log_determinant(dimension, F(precision))
        assert abs(found - arb(value)) < 1e-16
    assert isotropic_log_determinant(dimension, float(precision)) == pytest.approx(float(value))


def test_three_eigenvalues_by_direct_integration():
    # E Σ ln(1 + x_i/a) against the joint density |Δ(x)| e^(−Σx), by Gauss–Laguerre in the gaps.
    nodes, weights = np.polynomial.laguerre.laggauss(60)
    a, total, norm = 1.25, 0.0, 0.0
    for third, w3 in zip(nodes, weights, strict=True):
        # x3 < x2 < x1 with gaps: 3 x3 + 2 g2 + g1 in the exponent.
        low = third / 3
        for gap, w2 in zip(nodes, weights, strict=True):
            middle = low + gap / 2
            high = middle + nodes
            density = w3 * w2 * weights * (gap / 2) * nodes * (gap / 2 + nodes)
            logs = np.log1p(low / a) + np.log1p(middle / a) + np.log1p(high / a)
            total += float(density @ logs)
            norm += float(density.sum())
    assert isotropic_log_determinant(3, 2 * a) == pytest.approx(total / norm, rel=1e-9)


@pytest.mark.parametrize("dimension", [1, 2, 6, 30])
@pytest.mark.parametrize("precision", [1e-9, 1e9, 1e200])
def test_extreme_noise_keeps_its_digits(dimension, precision):
    found = isotropic_log_determinant(dimension, arb(precision))
    assert found.rel_accuracy_bits() > 45
    if precision > 1:  # small noise: E ln |I + W| ≈ E tr W = d(d + 1)/γσ²
        assert abs(found * precision / (dimension * (dimension + 1)) - 1) < 1e-7


def test_a_wide_ball_is_enclosed():
    found = isotropic_log_determinant(5, arb(4, 0.5))
    for inside in (3.5, 4.0, 4.5):
        assert found.contains(isotropic_log_determinant(5, arb(inside)))
    assert found.rad() < 0.4


# ½ (Γ⁻¹/σ² + 2/(γσ²) − e^a E₁(a)), a = γσ²/2
LINE = [
    ("1", "2", "0.5", "0.45182631883840296"),
    ("0.25", "8", "0.1", "0.40182631883840296"),
    ("3", "10", "0", "0.0019731937796287124"),
]


@pytest.mark.parametrize(("variance", "gamma", "noise", "value"), LINE)
def test_the_line(variance, gamma, noise, value):
    exact = [F(variance), F(gamma), F(noise)]
    for found in (
        scalar_expected_kl(*exact),
        expected_kl([[exact[0]]], exact[1], [[exact[2]]]).value,
    ):
        assert abs(found - arb(value)) < 1e-15
    assert scalar_expected_kl(*map(float, exact)) == pytest.approx(float(value), abs=1e-15)


def test_the_line_by_quadrature():
    with mpmath.workdps(25):
        mean = mpmath.quad(
            lambda x: mpmath.log(1 + x / mpmath.mpf("1.8")) * mpmath.exp(-x / 2) / 2,
            [0, 2, 10, 50, 200],
        )
    truth = (0.2 / 0.9 + 2 / 1.8 - float(mean)) / 2
    assert scalar_expected_kl(0.9, 2.0, 0.2) == pytest.approx(truth, rel=1e-13)


def planar_by_bartlett(first, second):
    """E ln |I + LV| for L = diag, by a two-dimensional integral over the Bartlett factor."""
    z, wz = np.polynomial.hermite_e.hermegauss(120)
    with mpmath.workdps(20):

        def inner(v):
            v = float(v)
            c = 1 + first * z**2 / (1 + second * v)
            tail = [float(mpmath.exp(x) * mpmath.e1(x)) for x in c / (2 * first)]
            return float(wz @ (np.log(c) + tail)) / math.sqrt(2 * math.pi)

        def density(v):
            return mpmath.sqrt(v) * mpmath.exp(-v / 2) / mpmath.sqrt(2 * mpmath.pi)

        return float(
            mpmath.quad(
                lambda r: 2 * r * density(r * r) * (mpmath.log(1 + second * r * r) + inner(r * r)),
                [0, 1, 3, 9],
            )
        )


@pytest.mark.parametrize(("first", "second"), [(1 / 3, 1 / 12), (0.5, 0.4), (0.05, 0.01)])
def test_the_plane_by_another_integral(first, second):
    found = log_determinant_expectation([[1 / first, 0.0], [0.0, 1 / second]], 1.0)
    assert found.method == CERTIFIED
    assert float(found.value) == pytest.approx(planar_by_bartlett(first, second), rel=1e-8)


def test_the_plane_value():
    with ctx.workprec(90):
        found = expected_kl([[1, 0], [0, 4]], 3, [[0, 0], [0, 0]])
        assert abs(found.value - arb("0.22119337713499075")) < 1e-17
    assert found.error < 1e-20


def test_the_plane_meets_the_closed_form_near_the_identity():
    near = log_determinant_expectation([[F(1), F(1, 10**12)], [F(1, 10**12), F(1)]], F(4)).value
    assert abs(near - isotropic_log_determinant(2, F(4))) < 1e-12
    small = log_determinant_expectation([[1, F(1, 10**30)], [F(1, 10**30), 1]], F(1, 10**6)).value
    assert abs(small - isotropic_log_determinant(2, F(1, 10**6))) < 1e-12


@repeat
@given(
    st.tuples(*[st.floats(-1, 1)] * 3),
    st.floats(0.05, 20),
    st.floats(-3, 3),
)
def test_only_eigenvalues_count(entries, gamma, angle):
    a, b, c = entries
    factor = np.array([[1 + abs(a), 0], [b, 1 + abs(c)]])
    covariance = factor @ factor.T
    low, high = np.linalg.eigvalsh(covariance)
    plain = log_determinant_expectation([[low, 0.0], [0.0, high]], gamma)
    turned = log_determinant_expectation(covariance, gamma)
    assert float(turned.value) == pytest.approx(float(plain.value), rel=1e-11)


@pytest.mark.parametrize(("dimension", "precision"), [(3, 5), (4, 10), (12, 20), (20, 3), (30, 1)])
def test_sampling_meets_the_closed_form(dimension, precision):
    truth = isotropic_log_determinant(dimension, float(precision))
    for seed in range(4):
        found = sampled_log_determinants(np.ones(dimension), np.array([float(precision)]), seed)[0]
        assert found.method == SAMPLED
        assert abs(found.value - truth) < found.error < 2e-3 * truth


def test_sampling_meets_the_plane():
    eigenvalues = np.array([0.5, 4.0])
    gammas = np.array([0.1, 1.0, 10.0])
    sampled = sampled_log_determinants(eigenvalues, gammas)
    truths = log_determinant_expectations(np.diag(eigenvalues), gammas)
    for found, truth in zip(sampled, truths, strict=True):
        assert abs(found.value - float(truth.value)) < found.error < 2e-2


def test_intervals_cover():
    # At 99.9 %, none of forty independent intervals should miss (probability 0.04).
    truth = isotropic_log_determinant(5, 2.0)
    found = [sampled_log_determinants(np.ones(5), np.array([2.0]), seed)[0] for seed in range(40)]
    assert all(abs(e.value - truth) <= e.error for e in found)
    errors = np.array([e.value - truth for e in found])
    assert abs(errors.mean()) < 4 * errors.std() / math.sqrt(len(errors))


def test_sampling_meets_simulated_matrices():
    rng = np.random.default_rng(11)
    factor = rng.normal(size=(3, 5))
    covariance = factor @ factor.T / 5
    gamma, noise = 6.0, np.diag([0.1, 0.2, 0.3])
    draws = wishart(4, np.eye(3) / gamma).rvs(40_000, random_state=rng)
    inverse = np.linalg.inv(covariance)
    logs = np.linalg.slogdet(np.eye(3) + inverse @ draws)[1]
    traces = np.einsum("ij,nji->n", inverse, draws)
    values = (np.trace(inverse @ noise) + traces - logs) / 2
    found = expected_kl(covariance, gamma, noise)
    assert abs(found.value - values.mean()) < 5 * values.std() / 200 + found.error
    assert found.error < 0.05 * values.std() / 200 * 5


def equivalent(eigenvalues, gamma):
    """The deterministic equivalent of random matrix theory, with its real-case correction."""
    a = 1 / (eigenvalues * gamma)
    n = len(a) + 1
    t = brentq(lambda t: np.sum(a / (1 + n * a / (1 + t))) - t, 0, a.sum(), xtol=1e-14)
    x = n * a / (1 + t)
    correction = np.log1p(-n * np.sum((a / (1 + x)) ** 2) / (1 + t) ** 2) / 2
    return np.log1p(x).sum() + n * np.log1p(t) - n * t / (1 + t) + correction


@pytest.mark.parametrize("gamma", [5.0, 50.0])
def test_large_dimensions_meet_random_matrix_theory(gamma):
    assert isotropic_log_determinant(60, gamma) == pytest.approx(
        equivalent(np.ones(60), gamma), abs=0.02
    )
    eigenvalues = np.linspace(0.5, 3, 40)
    found = log_determinant_expectation(np.diag(eigenvalues), gamma)
    assert abs(found.value - equivalent(eigenvalues, gamma)) < 0.02 + found.error


@pytest.mark.parametrize("shape", [3, 6, 10, 78, 820])
def test_the_radial_rule_errs_as_it_says(shape):
    rule = radial_rule(shape)
    assert rule.weights.sum() == pytest.approx(1)
    for a in np.geomspace(1e-9, 1e4, 27):
        with ctx.workprec(200):
            ball = arb(a)
            terms = (ball.expint(arb(j)) for j in range(1, shape + 1))
            exact = float((ball.exp() * sum(terms, start=arb(0))).mid())
        excess = float(rule.weights @ np.log1p(rule.nodes / a)) - exact
        assert -1e-13 * (1 + exact) < excess <= rule.excess + 1e-13 * (1 + exact)
    assert rule.excess < (1e-3 if shape < 6 else 5e-8)


def test_shapes_have_unit_trace_and_do_not_move():
    shapes = shape_factors(4, 16, 1)
    assert np.einsum("rnij,rnij->rn", shapes, shapes) == pytest.approx(1)
    assert not shapes.flags.writeable
    assert (np.triu(shapes, 1) == 0).all()


def test_a_grid_gives_what_single_calls_give():
    covariance = np.diag([1.0, 2.0, 5.0])
    gammas, noise = [0.5, 3.0, 40.0], np.eye(3)
    together = expected_kl_for_gammas(covariance, gammas, noise)
    for gamma, found in zip(gammas, together, strict=True):
        assert found.value == expected_kl(covariance, gamma, noise).value


@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_the_covariance_cost_falls_to_zero_and_is_convex(size):
    covariance = np.diag(np.arange(1.0, size + 1)) + 0.25
    gammas = np.arange(1.0, 40.0, 2.0)
    found = expected_kl_for_gammas(covariance, gammas, np.zeros((size, size)))
    costs = np.array([float(e.value) for e in found])
    assert (np.diff(costs) < 0).all()
    assert (np.diff(costs, 2) > 0).all()
    far = expected_kl(covariance, 1e7, np.zeros((size, size)))
    assert 0 <= float(far.value) + far.error < 1e-6


@repeat
@given(
    st.integers(1, 4),
    st.floats(0.1, 30),
    st.lists(st.floats(0.2, 5), min_size=4, max_size=4),
    st.integers(0, 1000),
)
def test_jensen_and_scaling(size, gamma, eigenvalues, seed):
    # ln |·| is concave, so E ln |I + W| ≤ ln |I + E W|; and (Σ, γ) ~ (cΣ, γ/c).
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(size, size)))[0]
    roots = np.array(eigenvalues[:size])
    covariance = turn @ np.diag(roots) @ turn.T
    covariance = (covariance + covariance.T) / 2
    found = log_determinant_expectation(covariance, gamma)
    upper = np.log1p((size + 1) / (gamma * roots)).sum()
    assert 0 < float(found.value) - found.error < upper
    scaled = log_determinant_expectation(4 * covariance, gamma / 4)
    assert float(scaled.value) == pytest.approx(float(found.value), rel=1e-9)


BAD = [
    (dict(covariance=[[0.0]]), "'covariance'.*not positive definite"),
    (dict(covariance=[[F(1), F(2)], [F(2), F(1)]]), "'covariance'.*not positive definite"),
    (dict(covariance=[[1, 2], [0, 1]]), "'covariance'.*not symmetric"),
    (dict(covariance=[[1, math.nan], [0, 1]]), "'covariance'.*nan"),
    (dict(covariance=[[1, 2]]), "'covariance'.*shape 1×2"),
    (dict(gamma=0), r"'gamma' .* range \(0, inf\). Got 0"),
    (dict(gamma=-1.0), "'gamma'.*Got -1"),
    (dict(gamma=math.inf), "'gamma'.*Got inf"),
    (dict(noise_covariance=[[-1]]), "'noise_covariance'.*not positive semidefinite"),
    (dict(noise_covariance=[[-1e-3, 0.0], [0.0, 1.0]]), "'noise_covariance'.*semidefinite"),
    (dict(noise_covariance=[[1, 0], [0, 1]]), "'noise_covariance'.*2×2"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_arguments(change, message):
    arguments = {"covariance": [[1]], "gamma": 1, "noise_covariance": [[0]]} | change
    with pytest.raises(ValueError, match=message):
        expected_kl(**arguments)


@pytest.mark.parametrize("gammas", [[], [1, 0], [math.nan]])
def test_bad_grids(gammas):
    with pytest.raises(ValueError, match="'gammas'"):
        log_determinant_expectations([[1]], gammas)


@pytest.mark.parametrize("arguments", [(0, 1), (101, 1), (2, 0), (2, -1.0)])
def test_bad_isotropic_arguments(arguments):
    with pytest.raises(ValueError, match="parameter of mixture.isotropic_log_determinant"):
        isotropic_log_determinant(*arguments)


def test_semidefinite_noise_up_to_rounding():
    v = np.array([0.1, 0.3, 0.7])
    found = expected_kl(np.diag([1.0, 2.0, 3.0]), 5.0, np.outer(v, v))
    without = expected_kl(np.diag([1.0, 2.0, 3.0]), 5.0, np.zeros((3, 3)))
    gap = (0.01 / 1 + 0.09 / 2 + 0.49 / 3) / 2
    assert found.value - without.value == pytest.approx(gap, rel=1e-9)


def test_balls_that_reach_a_singular_matrix_are_refused():
    for wide in ([[arb(1, 2)]], [[arb(1, 2), arb(0)], [arb(0), arb(1)]]):
        with pytest.raises(ValueError, match="no bound|singular"):
            log_determinant_expectation(wide, 1)
    with pytest.raises(ValueError, match="singular in floating point"):
        log_determinant_expectation(np.diag([F(1), F(2), F(1, 10**400)]), 1)


def test_balls_of_a_covariance_are_enclosed():
    wide = [[arb(1, 1e-3), arb(0.25)], [arb(0.25), arb(2)]]
    found = expected_kl(wide, 3, [[arb(0)] * 2] * 2)
    for corner in (0.9995, 1.0, 1.0005):
        inside = expected_kl([[corner, 0.25], [0.25, 2.0]], 3.0, np.zeros((2, 2))).value
        assert found.value.contains(inside)
    assert found.error < 0.1


def test_symbols_are_refused():
    with pytest.raises(ValueError, match="'covariance'.*symbolic"):
        expected_kl([[sympy.Symbol("s", positive=True)]], 1, [[0]])
