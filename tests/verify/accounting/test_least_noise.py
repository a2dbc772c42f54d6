"""The least Gaussian noise for rational sensitivities: δ by mpmath, at the float and below it."""

import math
from fractions import Fraction as Q

import mpmath
import pytest

from provedp.verify.accounting.least_noise import Request, least_gaussian_noise


def profile(request: Request, sigma: float) -> mpmath.mpf:
    """Return δ(ε) of T rounds, or of one on a sample, with 60 digits."""
    with mpmath.workdps(60):
        epsilon, rate = mpmath.mpf(str(request.epsilon)), 1
        if request.rate is not None:
            rate = mpmath.mpf(request.rate.numerator) / request.rate.denominator
            epsilon = mpmath.log(1 + (mpmath.e**epsilon - 1) / rate)
        reach = mpmath.mpf(request.sensitivity.numerator) / request.sensitivity.denominator
        mu = reach * mpmath.sqrt(request.rounds) / mpmath.mpf(sigma)
        near = mpmath.ncdf(mu / 2 - epsilon / mu)
        return rate * (near - mpmath.e**epsilon * mpmath.ncdf(-mu / 2 - epsilon / mu))


REQUESTS = [
    Request(1, Q(1, 10**9), sensitivity, rounds, rate)
    for sensitivity in (Q(1), Q(1, 3), Q(3, 10), Q(7, 3), Q(11, 10))
    for rounds, rate in ((1, None), (3, None), (9, None), (1, Q(1, 7)))
]


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
def test_the_float_meets_the_target_and_the_next_smaller_does_not(request_: Request) -> None:
    found = least_gaussian_noise(request_)
    with mpmath.workdps(60):
        target = mpmath.mpf(10) ** -9
        assert profile(request_, found.sigma) <= target
        assert profile(request_, math.nextafter(found.sigma, 0)) > target
    assert found.is_least
