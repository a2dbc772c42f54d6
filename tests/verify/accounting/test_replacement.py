"""Brackets for sampling with replacement, and of finite laws against their exact products."""

import math
from collections.abc import Callable
from fractions import Fraction as F

import numpy as np
import pytest
from flint import ctx
from scipy import integrate, special

from provedp.theory.privacy import exact_composition_delta, replacement_gaussian_delta
from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.dominating_pairs import GaussianPair
from provedp.verify.accounting.record_copies import DisclosedCopies
from provedp.verify.accounting.releases import (
    Finite,
    FixedSizeSampledGaussian,
    Gaussian,
    SampledWithReplacementGaussian,
)
from provedp.verify.accounting.tilting import Composed


@pytest.mark.parametrize("rounds", [1, 10])
def test_one_draw_is_a_sample_of_one_without_replacement(rounds: int) -> None:
    with_replacement = compose([(SampledWithReplacementGaussian(1.2, 1, 8), rounds)])
    without = compose([(FixedSizeSampledGaussian(1.2, F(1, 8)), rounds)])
    for epsilon in (0.0, 0.5, 2.0):
        found, known = with_replacement.delta(epsilon), without.delta(epsilon)
        assert found == pytest.approx(known, rel=1e-5, abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 5.0])
def test_a_single_record_is_drawn_every_time(epsilon: float) -> None:
    lower, upper = compose([(SampledWithReplacementGaussian(F(1, 2), 3, 1), 4)]).delta(epsilon)
    exact = compose([(Gaussian(F(3, 2)), 4)]).delta(epsilon)
    assert lower <= exact[0] <= exact[1] <= upper
    assert upper - lower <= 1e-6 * upper


@pytest.mark.parametrize(("mu", "draws", "size"), [(1.3, 5, 20), (0.4, 12, 4), (2.0, 2, 2)])
def test_the_dominating_pair_has_the_profile_of_the_theorem(
    mu: float, draws: int, size: int
) -> None:
    found = Composed([(DisclosedCopies(mu, draws, F(1, size)).up(1e-4), 1)], True)
    for k in (1.0, 1.2, 4.0):
        with ctx.workprec(128):
            exact = float(replacement_gaussian_delta(mu, draws, F(1, size), F(k)))
        assert 0 <= found.delta(math.log(k)) - exact <= 1e-7
        mirrored = 1 - 1 / k + exact / k
        assert 0 <= found.delta(-math.log(k)) - mirrored <= 1e-7


def mixture(points: np.ndarray, step: float, draws: int, size: int) -> np.ndarray:
    q = 1 / size
    weights = [math.comb(draws, j) * q**j * (1 - q) ** (draws - j) for j in range(draws + 1)]
    densities = [np.exp(-((points - j * step) ** 2) / 2) for j in range(draws + 1)]
    mixed: np.ndarray = np.tensordot(weights, densities, 1) / math.sqrt(2 * math.pi)
    return mixed


@pytest.mark.parametrize("epsilon", [0.2, 1.5])
def test_two_rounds_by_integration(epsilon: float) -> None:
    mu, draws, size, k = 1.0, 4, 10, math.exp(epsilon)
    points = np.linspace(-10, 14, 3001)
    attained = 0.0
    for a, b in ((mu, 0.0), (0.0, mu), (mu / 2, -mu / 2)):
        p, q = mixture(points, a, draws, size), mixture(points, b, draws, size)
        gaps = np.maximum(np.outer(p, p) - k * np.outer(q, q), 0.0)
        area = integrate.simpson(integrate.simpson(gaps, x=points), x=points)
        attained = max(attained, float(area))
    lower, upper = compose([(SampledWithReplacementGaussian(mu, draws, size), 2)]).delta(epsilon)
    assert attained - 2e-6 <= lower <= attained + 2e-6  # of Simpson's rule across a kink
    assert lower < upper


def test_a_bracket_of_one_round_and_how_epsilon_inverts_it() -> None:
    found = compose([(SampledWithReplacementGaussian(F(1, 2), 20, 200), 1)])
    assert found.grid is None
    lower, upper = found.epsilon(1e-6)
    assert 0 < lower < upper
    assert found.delta(upper)[1] <= 1e-6 < found.delta(lower)[0]


def test_more_draws_and_rounds_cost_more() -> None:
    few, many = (SampledWithReplacementGaussian(0.7, draws, 50) for draws in (5, 10))
    fewer, more = (compose([(event, 6)]).delta(0.5) for event in (few, many))
    longer = compose([(few, 9)]).delta(0.5)
    for low, high in ((fewer, more), (fewer, longer)):
        assert low[0] < high[0]
        assert low[1] < high[1]


@pytest.mark.parametrize("k", [F(1), F(3, 2), F(10)])
@pytest.mark.parametrize("rounds", [1, 3, 25])
def test_exact_products_lie_in_the_bracket(rounds: int, k: F) -> None:
    p, q = [F(1, 2), F(1, 3), F(1, 6), F(0)], [F(1, 5), F(1, 4), F(9, 20), F(1, 10)]
    both = [(p, q)] * rounds, [(q, p)] * rounds
    exact = max(exact_composition_delta(pairs, k) for pairs in both)
    lower, upper = compose([(Finite(p, q), rounds)]).delta(math.log(k))
    assert lower - 1e-15 <= float(exact) <= upper + 1e-15  # ln k is rounded
    assert upper - lower <= 5e-3


def test_an_attack_on_a_sum_stays_below_the_upper_end() -> None:
    # 400000 releases about records at 0 and one at μ, or all at 0; half-line at 1 (Hoeffding).
    mu, draws, size, trials, epsilon = 1.0, 6, 12, 400_000, 0.5
    rng = np.random.default_rng(20)
    present = rng.binomial(draws, 1 / size, trials) * mu + rng.standard_normal(trials)
    slack = math.sqrt(math.log(1e9) / (2 * trials))  # with probability 1 − 1e-9
    advantage = np.mean(present > 1) - math.exp(epsilon) * special.ndtr(-1.0) - slack
    upper = compose([(SampledWithReplacementGaussian(mu, draws, size), 1)]).delta(epsilon)[1]
    assert 0 < advantage <= upper


@pytest.mark.parametrize(
    ("attempt", "complaint"),
    [
        (lambda: SampledWithReplacementGaussian(0, 2, 3), "'mu' parameter"),
        (lambda: SampledWithReplacementGaussian(math.inf, 2, 3), "'mu' parameter"),
        (lambda: SampledWithReplacementGaussian(1, 0, 3), "'draws' parameter"),
        (lambda: SampledWithReplacementGaussian(1, 1.5, 3), "'draws' parameter"),
        (lambda: SampledWithReplacementGaussian(1, 49, 3), r"range \[1, 48\]"),
        (lambda: SampledWithReplacementGaussian(1, 2, 0), "'size' parameter"),
        (lambda: SampledWithReplacementGaussian(1, 2, "3"), "'size' parameter"),
    ],
)
def test_wrong_requests(attempt: Callable[[], object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        attempt()


@pytest.mark.parametrize(
    ("shift", "rate"), [(1.0, 1.0), (2.0, 0.3), (10.0, 0.01), (40.0, 0.01), (100.0, 0.5)]
)
def test_losses_of_pairs_far_apart_are_found_again(shift: float, rate: float) -> None:
    """From about 38 deviations on, e^(−a²/2) is 0 in floats."""
    pair = GaussianPair(shift, -shift, rate)
    losses = np.array([-3.0, -0.01, 0.0, 1e-6, 0.01, 0.5, 3.0])
    found = [pair.loss(x) for x in pair.where(losses)]
    np.testing.assert_allclose(found, losses, atol=1e-8, rtol=1e-6)


@pytest.mark.parametrize("shift", [1.1e6, 1e300, float("inf")])
def test_noise_far_below_the_sensitivity_is_refused(shift: float) -> None:
    with pytest.raises(ValueError, match="at most 1e\\+06 standard deviations"):
        GaussianPair(shift, 0.0, 0.01)
