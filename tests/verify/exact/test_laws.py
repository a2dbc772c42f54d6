"""Exact audits of laws with a known profile, and of finite laws against every notion."""

import math
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.releases import Finite, Gaussian, PoissonSampledGaussian
from provedp.verify.audit import (
    ApproximateDP,
    GaussianDP,
    RenyiDP,
    ZeroConcentratedDP,
    audit_density,
    audit_finite,
    audit_law,
    audit_matrix,
)
from provedp.verify.exact.densities.density import gaussian, laplace
from provedp.verify.exact.laws import GaussianLaws, Geometric, Laplace, ResponseAndGaussian

PERMUTE_AND_FLIP = [["1/2", "1/2"], ["0.932", "0.068"]]
weights = st.lists(st.integers(1, 9), min_size=3, max_size=3)


def test_laplace_is_private_exactly_at_its_distance() -> None:
    assert audit_law(Laplace(1), 1).refuted is False
    assert audit_law(Laplace(F(1, 3)), F(1, 3)).refuted is False
    assert audit_law(Laplace(1), 1 - 2**-52).refuted is True
    assert audit_law(Laplace(2), 1).delta_lower == pytest.approx(-math.expm1(-0.5), abs=1e-15)


def test_geometric_noise_from_its_probabilities() -> None:
    """Δ = 2, r = 1/2: two-sided sums over a long range."""
    reach = np.arange(-200, 203)
    p, q = (0.5 ** np.abs(reach - centre) / 3 for centre in (0, 2))
    for epsilon in (0.0, 0.5, 1.0):
        truth = float(np.maximum(p - math.exp(epsilon) * q, 0).sum())
        result = audit_law(Geometric(F(1, 2), 2), epsilon, "1/2")
        assert result.delta_lower == pytest.approx(truth, abs=1e-14)
        assert result.delta_upper == pytest.approx(truth, abs=1e-14)


def test_sampled_gaussian_and_the_same_without_a_sample() -> None:
    for law, truth in ((PoissonSampledGaussian(1, F(1, 10)), 1.6845), (Gaussian(1), 4.377)):
        assert audit_law(law, truth - 0.001, 1e-5).refuted is True
        assert audit_law(law, truth + 0.001, 1e-5).refuted is False


def test_several_rounds_are_decided_outside_their_bracket_alone() -> None:
    law = compose([(PoissonSampledGaussian(1, F(1, 5)), 10)])
    low, high = law.epsilon(1e-5)
    assert audit_law(law, low - 0.01, 1e-5).refuted is True
    assert audit_law(law, high + 0.01, 1e-5).refuted is False
    narrow = sum(law.delta(3)) / 2
    assert audit_law(law, 3, narrow).refuted is None


def test_response_and_gaussian_by_two_shifted_profiles() -> None:
    """The answer shifts the loss by ± ln 3, with probabilities 3/4 and 1/4."""

    def profile(level: float) -> float:
        return float(stats.norm.cdf(0.5 - level) - math.exp(level) * stats.norm.cdf(-0.5 - level))

    truth = 0.75 * profile(1 - math.log(3)) + 0.25 * profile(1 + math.log(3))
    result = audit_law(ResponseAndGaussian(3, 1), 1, "1/2")
    assert result.delta_lower == pytest.approx(truth, abs=1e-14)
    assert result.refuted is False


def test_gaussians_of_two_variances_as_densities() -> None:
    result = audit_law(GaussianLaws([0.0], [[1.0]], [[4.0]]), 0.25, 0.1)
    same = audit_density(gaussian(1), gaussian(2), F(1, 4), F(1, 10))
    assert result.refuted is same.refuted is True
    assert same.delta_lower <= result.delta_upper
    assert result.delta_lower <= same.delta_upper


def test_finite_release_as_a_matrix() -> None:
    rows = [[F(2, 3), F(1, 3)], [F(1, 4), F(3, 4)]]
    law = Finite(*rows)
    for epsilon in (0, F(1, 2), 1):
        decided = audit_matrix(rows, epsilon, F(1, 10))
        assert audit_law(law, epsilon, F(1, 10)).refuted is decided.refuted


def test_laplace_as_a_law_and_as_two_densities() -> None:
    for epsilon in (0, F(1, 2), F(5, 4)):
        closed = audit_law(Laplace(2), epsilon, "1/3")
        found = audit_density(laplace(F(1, 2)), laplace(F(1, 2), 1), epsilon, "1/3")
        assert closed.refuted is found.refuted
        assert found.delta_lower <= closed.delta_upper
        assert closed.delta_lower <= found.delta_upper


def test_renyi_of_order_two_by_hand() -> None:
    """ln(0.25/0.932 + 0.25/0.068): above 1 = 2 ρ, so that ρ = 1/2 is refuted, too."""
    truth = math.log(0.25 / 0.932 + 0.25 / 0.068)
    result = audit_finite(PERMUTE_AND_FLIP, RenyiDP(divergence=1.0, order=2))
    assert (result.refuted, result.pair) == (True, (0, 1))
    assert result.level_lower == pytest.approx(truth, abs=1e-14)
    assert audit_finite(PERMUTE_AND_FLIP, RenyiDP(divergence=1.4, order=2)).refuted is False
    assert audit_finite(PERMUTE_AND_FLIP, ZeroConcentratedDP(0.5)).refuted is True


def test_renyi_of_an_order_between_integers() -> None:
    p, q = np.array([0.5, 0.5]), np.array([0.932, 0.068])
    truth = math.log(float(np.sum(p**2.5 * q**-1.5))) / 1.5
    result = audit_finite(PERMUTE_AND_FLIP, RenyiDP(divergence=1.0, order=2.5))
    assert result.level_lower == pytest.approx(truth, abs=1e-14)
    assert result.level_upper == pytest.approx(truth, abs=1e-14)


def test_rho_by_a_search_over_orders() -> None:
    def negative(order: float, p: Any, q: Any) -> float:
        return -math.log(float(np.sum(p**order * q ** (1 - order)))) / (order - 1) / order

    p, q = np.array([0.5, 0.5]), np.array([0.932, 0.068])
    truth = max(
        -optimize.minimize_scalar(negative, bounds=(1.0001, 60), args=each, method="bounded").fun
        for each in ((p, q), (q, p))
    )
    result = audit_finite(PERMUTE_AND_FLIP, ZeroConcentratedDP(0.5))
    assert result.level_lower <= truth + 1e-9
    assert truth <= result.level_upper
    assert result.level_upper - result.level_lower < 1e-3 * truth


@given(weights, weights)
def test_mu_is_the_largest_over_events(first: list[int], second: list[int]) -> None:
    """Brute force over all events of both orders; the corners of T are such events."""
    p, q = ([F(w, sum(row)) for w in row] for row in (first, second))
    truth = 0.0
    for chosen in range(1, 7):
        event = [i for i in range(3) if chosen >> i & 1]
        a, b = (float(sum(law[i] for i in event)) for law in (p, q))
        truth = max(truth, float(stats.norm.ppf(a) - stats.norm.ppf(b)))
    result = audit_finite([p, q], GaussianDP(1.0))
    assert result.level_lower == pytest.approx(truth, abs=1e-9)
    assert result.level_lower <= result.level_upper <= result.level_lower + 1e-12
    assert result.refuted is (truth > 1)


@given(weights, weights, st.integers(0, 5))
def test_epsilon_at_delta_is_where_the_matrix_audit_changes(
    first: list[int], second: list[int], tenths: int
) -> None:
    rows = [[F(w, sum(row)) for w in row] for row in (first, second)]
    delta = F(tenths, 10)
    result = audit_finite(rows, ApproximateDP(0.0, float(delta)))
    assert not audit_matrix(rows, result.level_upper + 1e-12, delta).refuted
    if result.level_lower > 1e-9:
        assert audit_matrix(rows, result.level_lower - 1e-9, delta).refuted


def test_outcomes_of_one_law_alone_are_infinite() -> None:
    rows = [["1/2", "1/2", "0"], ["0", "1/2", "1/2"]]
    for claim in (
        ApproximateDP(5.0, 0.25),
        GaussianDP(5.0),
        RenyiDP(5.0, 3),
        ZeroConcentratedDP(5.0),
    ):
        result = audit_finite(rows, claim)
        assert (result.refuted, result.level_lower) == (True, math.inf)
    assert audit_finite(rows, ApproximateDP(0.0, 0.5)).refuted is False


def test_equal_laws_have_level_zero() -> None:
    rows = [["1/3", "2/3"], ["1/3", "2/3"]]
    for claim in (ApproximateDP(0.0), GaussianDP(0.0), RenyiDP(0.0, 2), ZeroConcentratedDP(0.0)):
        assert (audit_finite(rows, claim).refuted, audit_finite(rows, claim).level_upper) == (
            False,
            0.0,
        )


@pytest.mark.parametrize(
    "call",
    [
        lambda: audit_law(Laplace(1), -1),
        lambda: audit_law(Laplace(1), math.inf),
        lambda: audit_law(Laplace(1), 1, 1),
        lambda: Laplace(0),
        lambda: Geometric(1),
        lambda: Geometric(F(1, 2), 0),
        lambda: ResponseAndGaussian(F(1, 2), 1),
        lambda: ResponseAndGaussian(2, 0),
        lambda: audit_finite([["1/2", "1/4"], ["1/2", "1/2"]], GaussianDP(1.0)),
        lambda: audit_finite([["1/2", "1/2"]], GaussianDP(1.0)),
        lambda: audit_finite(PERMUTE_AND_FLIP, GaussianDP(1.0), [(0, 2)]),
        lambda: audit_finite(PERMUTE_AND_FLIP, GaussianDP(1.0), [(-1, 0)]),
        lambda: audit_finite(PERMUTE_AND_FLIP, "1"),  # type: ignore[arg-type]
    ],
)
def test_bad_requests(call: Any) -> None:
    with pytest.raises(ValueError, match="parameter"):
        call()
