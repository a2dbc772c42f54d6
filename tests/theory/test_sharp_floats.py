"""Floats of balls: small values keep their digits, and what stays wide is refused."""

import mpmath
import pytest
from flint import arb

from provedp.theory.privacy import (
    discrete_gaussian_delta,
    gaussian_mixture_delta,
    replacement_gaussian_attained,
    replacement_gaussian_delta,
)
from provedp.theory.sharp_floats import NotSharpError, sharp_float


def test_a_ball_that_stays_wide_is_refused() -> None:
    with pytest.raises(NotSharpError, match="a ball"):
        sharp_float(lambda: arb(0, 1))
    assert sharp_float(lambda: (arb(1) / 3) - (arb(1) / 3)) == 0.0


def discrete_gaussian(sigma: int, epsilon: int) -> mpmath.mpf:
    """Return δ against a shift of 1 by its definition, with 300 digits."""
    with mpmath.workdps(300):
        weight = {x: mpmath.exp(-mpmath.mpf(x * x) / (2 * sigma**2)) for x in range(-60, 61)}
        k = mpmath.exp(epsilon)
        gaps = (weight[x] - k * weight[x + 1] for x in range(-60, 60))
        return mpmath.fsum(gap for gap in gaps if gap > 0) / mpmath.fsum(weight.values())


@pytest.mark.parametrize(("sigma", "epsilon"), [(1, 20), (1, 10), (2, 9), (1, 1)])
def test_small_values_of_the_discrete_gaussian(sigma: int, epsilon: int) -> None:
    found = discrete_gaussian_delta(float(sigma), float(epsilon))
    assert found == pytest.approx(float(discrete_gaussian(sigma, epsilon)), rel=1e-14)


def test_small_values_of_mixtures_and_samples() -> None:
    with mpmath.workdps(200):
        # One draw is a mixture with weight q: q (Φ(μ/2 − c/μ) − e^c Φ(−μ/2 − c/μ)).
        inner = mpmath.log(1 + (mpmath.mpf(10) ** 13 - 1) * 100)
        tail = mpmath.ncdf(0.5 - inner) - mpmath.exp(inner) * mpmath.ncdf(-0.5 - inner)
        exact = float(tail / 100)
    assert 0 < exact < 1e-200
    for found in (
        replacement_gaussian_delta(1.0, 1, 0.01, 1e13),
        replacement_gaussian_attained(1.0, 1, 0.01, 1e13),
        gaussian_mixture_delta(1.0, 0.0, 0.01, 1e13),
    ):
        assert found == pytest.approx(exact, rel=1e-9)  # 0.01 is a float
