"""Randomised response beside Gaussian noise: against an integral over both, and its limits."""

import math
from fractions import Fraction as Q

import pytest
from flint import arb, ctx
from scipy import integrate, stats

from provedp.theory import privacy


def by_integration(k: float, mu: float, epsilon: float) -> float:
    """Return Σ ∫ (p φ(x − μ) − e^ε q φ(x))⁺ dx over the two answers."""
    total = 0.0
    for p, q in ((k / (k + 1), 1 / (k + 1)), (1 / (k + 1), k / (k + 1))):

        def gap(x: float, p: float = p, q: float = q) -> float:
            return max(0.0, p * stats.norm.pdf(x - mu) - math.exp(epsilon) * q * stats.norm.pdf(x))

        edge = (epsilon + math.log(q / p)) / mu + mu / 2
        total += integrate.quad(gap, edge, edge + 40, epsabs=1e-13, limit=400)[0]
    return total


@pytest.mark.parametrize("k", [1.0, 1.3, 4.0])
@pytest.mark.parametrize("mu", [0.3, 1.5])
@pytest.mark.parametrize("epsilon", [0.0, 0.7, 2.0])
def test_profile_is_the_integral(k: float, mu: float, epsilon: float) -> None:
    found = privacy.response_and_gaussian_delta(k, mu, epsilon)
    assert found == pytest.approx(by_integration(k, mu, epsilon), abs=1e-9)


def test_without_noise_the_response_is_left() -> None:
    """As μ → 0 the profile is that of randomised response, (k − e^ε)⁺/(k + 1)."""
    for epsilon in (0.0, 0.5, 2.0):
        found = privacy.response_and_gaussian_delta(3.0, 1e-3, epsilon)
        assert found == pytest.approx(max(0, 3 - math.exp(epsilon)) / 4, abs=1e-3)


def test_without_a_response_the_noise_is_that_of_gaussian_noise() -> None:
    for delta in (Q(1, 100), Q(1, 10**8)):
        beside = privacy.response_and_gaussian_sigma(1, Q(1, 2), delta, 3)
        assert beside.value == privacy.gaussian_sigma(Q(1, 2), delta, 3).value


def test_calibrated_noise_is_certified_on_both_sides() -> None:
    found = privacy.response_and_gaussian_sigma(Q(6, 5), 1, Q(1, 1000))
    with ctx.workprec(128):
        assert found.delta_at_value <= arb(1) / 1000
        assert found.delta_at_neighbour > arb(1) / 1000
    assert by_integration(1.2, 1 / found.value, 1.0) == pytest.approx(1e-3, rel=1e-6)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((Q(3), 1, Q(1, 100)), "'k' must be below"),
        ((Q(1, 2), 1, Q(1, 100)), "k"),
        ((Q(1), -1, Q(1, 100)), "epsilon"),
        ((Q(1), 1, 0), "delta"),
        ((Q(1), 1, Q(1, 100), 0), "sensitivity"),
        ((float("nan"), 1, Q(1, 100)), "k"),
    ],
)
def test_arguments_outside_their_range_are_named(arguments, named) -> None:
    with pytest.raises(ValueError, match=named):
        privacy.response_and_gaussian_sigma(*arguments)
