"""Rényi divergences of releases against integrals and sums, and totals with claims beside them."""

import math
from collections.abc import Callable
from fractions import Fraction as F
from itertools import permutations

import numpy as np
import pytest
from flint import arb, ctx
from scipy import integrate, stats

import provedp
from provedp.theory.privacy import gaussian_delta
from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.discrete_releases import DiscreteGaussian, Geometric, Guaranteed
from provedp.verify.accounting.finite_mechanisms import FiniteMechanism
from provedp.verify.accounting.laplace import Laplace
from provedp.verify.accounting.releases import (
    Finite,
    FixedSizeSampledGaussian,
    Gaussian,
    PoissonReplacedGaussian,
    PoissonSampledGaussian,
    SampledWithReplacementGaussian,
)
from provedp.verify.accounting.renyi_claims import RenyiClaim
from provedp.verify.accounting.renyi_curves import Event, Total, renyi_bound

P, Q, R = [F(1, 2), F(1, 3), F(1, 6)], [F(1, 5), F(1, 4), F(11, 20)], [F(1, 3), F(1, 3), F(1, 3)]


def bound(release: Event, order: float) -> float:
    with ctx.workprec(200):
        found = renyi_bound(release, order)
        assert found is not None
        return float(found)


def integral(p: Callable[[float], float], q: Callable[[float], float], order: float) -> float:
    def term(x: float) -> float:
        return math.exp(order * math.log(p(x)) + (1 - order) * math.log(q(x)))

    pieces = [-25, 0, 0.7, 1.3, 5, 12, 30]
    found = sum(
        integrate.quad(term, low, high, epsabs=0, epsrel=1e-11, limit=200)[0]
        for low, high in zip(pieces, pieces[1:], strict=False)
    )
    return math.log(found) / (order - 1)


def summed(p: list[F], q: list[F], order: float) -> float:
    terms = (float(a) ** order * float(b) ** (1 - order) for a, b in zip(p, q, strict=True))
    return math.log(math.fsum(terms)) / (order - 1)


@pytest.mark.parametrize("order", [1.3, 2.0, 5.0, 11.5])
def test_noise_on_all_records_by_integration(order: float) -> None:
    normal = stats.norm.pdf
    found = integral(lambda x: normal(x - 0.7), normal, order)
    assert bound(Gaussian(F(7, 10)), order) == pytest.approx(found, rel=1e-9)
    laplace = stats.laplace.pdf
    found = integral(lambda x: laplace(x - 0.7), laplace, order)
    assert bound(Laplace(F(7, 10)), order) == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize("order", [1.5, 2.0, 3.0, 7.0])
@pytest.mark.parametrize("rate", [0.05, 0.4])
def test_poisson_samples_by_integration(order: float, rate: float) -> None:
    def mixed(x: float) -> float:
        return float((1 - rate) * stats.norm.pdf(x) + rate * stats.norm.pdf(x - 0.7))

    removed = integral(mixed, stats.norm.pdf, order)
    added = integral(stats.norm.pdf, mixed, order)
    found = bound(PoissonSampledGaussian(F(7, 10), F(str(rate))), order)
    assert max(removed, added) <= found * (1 + 1e-9)
    if order == int(order):
        assert found == pytest.approx(removed, rel=1e-8)


@pytest.mark.parametrize("rate", [0.02, 0.3])
def test_samples_of_fixed_size_by_sums_over_the_plane(rate: float) -> None:
    x, y = np.meshgrid(np.arange(-9, 10, 0.05), np.arange(-9, 10, 0.05))

    def mixed(a: complex) -> np.ndarray:
        squares = ((x, y), (x - a.real, y - a.imag))
        first, second = (np.exp(-(u * u + v * v) / 2) / (2 * math.pi) for u, v in squares)
        return np.asarray((1 - rate) * first + rate * second)

    corner = np.exp(1j * math.pi / 3)
    for order in (2.0, 2.5, 4.0, 8.0):
        most = bound(FixedSizeSampledGaussian(1, F(str(rate))), order)
        for a, b in ((1, 0), (0, 1), (1, corner), (0.5, -0.5)):
            p, q = mixed(complex(a)), mixed(complex(b))
            exact = math.log(float((p**order * q ** (1 - order)).sum()) * 0.0025) / (order - 1)
            assert exact <= most * (1 + 1e-9)
        assert most <= order / 2  # that of noise on all records


@pytest.mark.parametrize("order", [1.3, 2.0, 6.0])
def test_laws_over_few_outcomes_by_sums(order: float) -> None:
    both = max(summed(P, Q, order), summed(Q, P, order))
    assert bound(Finite(P, Q), order) == pytest.approx(both, rel=1e-12)
    largest = max(summed(a, b, order) for a, b in permutations((P, Q, R), 2))
    assert bound(FiniteMechanism([P, Q, R]), order) == pytest.approx(largest, rel=1e-12)
    assert bound(FiniteMechanism([R, Q, P]), order) == pytest.approx(largest, rel=1e-12)
    pure = summed([F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)], order)
    assert bound(Guaranteed(F(3), 0), order) == pytest.approx(pure, rel=1e-12)
    noise = [F(2, 3) ** abs(k) for k in range(-60, 61)]
    moved = [F(2, 3) ** abs(k - 4) for k in range(-60, 61)]
    total = sum(noise, F(0))
    exact = summed([w / total for w in noise], [w / total for w in moved], order)
    assert bound(Geometric(F(2, 3), 4), order) == pytest.approx(exact, rel=1e-8)
    weights = np.exp(-(np.arange(-60, 61) ** 2) / 8.0)
    shifted = np.exp(-((np.arange(-60, 61) - 3) ** 2) / 8.0)
    seen = (weights > 1e-60) & (shifted > 1e-60)
    p, q = weights[seen] / weights.sum(), shifted[seen] / weights.sum()
    exact = math.log(float((p**order * q ** (1 - order)).sum())) / (order - 1)
    assert exact <= bound(DiscreteGaussian(2, 3), order) <= exact * 1.01


def test_gaussian_noise_and_a_claim_that_noise_attains() -> None:
    parts = [{"rho": "1/8"}, {"noise": "gaussian", "sigma": 2, "times": 3}]
    for epsilon in ("1/2", "2"):
        found = provedp.account({"releases": parts}, epsilon=epsilon)
        exact = float(gaussian_delta(1.0, float(F(epsilon))))  # 1/4 + 3/4
        assert found.delta is not None
        assert found.delta[0] == pytest.approx(exact, rel=1e-12)
        assert found.delta[0] < found.delta[1]
        alone = provedp.account({"releases": [{"rho": "1/2"}]}, epsilon=epsilon)
        assert alone.delta is not None
        assert found.delta[1] == pytest.approx(alone.delta[1], rel=1e-3)
    assert "Gaussian noise for the claims of zCDP" in found.arithmetic


def test_the_lower_end_beside_a_claim_of_one_order_is_that_of_the_others() -> None:
    claim = {"order": 8, "divergence": "1/4"}
    found = provedp.account({"releases": [claim, {"noise": "gaussian", "sigma": 1}]}, delta="1e-5")
    others = compose([(Gaussian(F(1)), 1)]).epsilon(F(1, 10**5))
    assert found.epsilon is not None
    assert found.epsilon[0] == others[0] < found.epsilon[1]
    assert "the other releases alone" in found.arithmetic
    claims = provedp.account({"releases": [{"order": 8, "divergence": "17/4"}]}, delta="1e-5")
    assert claims.epsilon is not None  # 8/2 + 1/4 at order 8
    assert found.epsilon[1] == pytest.approx(claims.epsilon[1], rel=1e-9)


def test_probabilities_that_all_is_disclosed_are_split_off() -> None:
    claim = (RenyiClaim(rho=F(1, 10)), 1, "a claim")
    pure = Total([claim, (Guaranteed(F(2), 0), 3, "")]).upper(F(3))
    split = Total([claim, (Guaranteed(F(2), F(1, 100)), 3, "")]).upper(F(3))
    kept = 0.99**3
    assert split == pytest.approx(1 - kept + kept * pure, rel=1e-12)


def test_totals_are_not_below_what_is_attained() -> None:
    claim = (RenyiClaim(rho=F(1, 50)), 1, "")
    noise = Gaussian((arb(1) / 25).sqrt())
    for other, rounds in ((PoissonSampledGaussian(1, F(1, 50)), 200), (Laplace(F(1, 5)), 5)):
        total = Total([claim, (other, rounds, "")])
        attained = compose([(other, rounds), (noise, 1)])
        for epsilon in (0.3, 1.0, 2.0):
            assert attained.delta(epsilon)[0] <= total.upper(epsilon) <= 1
    assert total.upper(1.0) < 0.05


@pytest.mark.parametrize(
    "release",
    [
        PoissonReplacedGaussian(1, F(1, 10)),
        SampledWithReplacementGaussian(1, 2, 10),
        Finite([F(1), F(0)], [F(1, 2), F(1, 2)]),
    ],
)
def test_what_has_no_bound_is_refused_by_name(release: Event) -> None:
    with pytest.raises(ValueError, match="no bound on the Rényi divergences of 3 × this noise"):
        Total([(RenyiClaim(rho=F(1, 50)), 1, "a claim"), (release, 3, "3 × this noise")])


def test_claims_without_a_common_order_are_refused() -> None:
    claims = [(RenyiClaim({8.0: F(1)}), 1, ""), (RenyiClaim({9.0: F(1)}), 1, "")]
    with pytest.raises(ValueError, match="no order in common"):
        Total([*claims, (Gaussian(F(1)), 1, "")])
