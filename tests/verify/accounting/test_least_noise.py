"""The least Gaussian noise for rational sensitivities: δ by mpmath, at the float and below it."""

import math
from fractions import Fraction as Q

import mpmath
import pytest
from flint import arb, ctx

from provedp.verify.accounting import least_noise
from provedp.verify.accounting.composition import Accounted
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


def test_least_is_what_the_next_float_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    request = Request(Q(1), Q(1, 10**9), Q(1, 3))
    found = least_gaussian_noise(request)
    assert (found.sigma, found.is_least) == (1.8317553857460989, True)
    above = math.nextafter(found.sigma, 9)
    monkeypatch.setattr(least_noise, "_on_all", lambda request: above)
    assert not least_gaussian_noise(request).is_least


def test_least_for_a_ball_is_least_for_all_that_it_stands_for() -> None:
    with ctx.workprec(200):
        narrow = arb(1.5).log()
    assert least_gaussian_noise(Request(narrow, Q(1, 10**6), Q(1))).is_least
    wide = arb(1.5).log()  # at 53 bits
    assert not least_gaussian_noise(Request(wide, Q(1, 10**6), Q(1))).is_least


def test_sampling_without_a_share_is_refused() -> None:
    for sampling in ("poisson", "with-replacement"):
        with pytest.raises(ValueError, match="needs a share"):
            Request(1, Q(1, 10**5), 1, sampling=sampling)


SAMPLED = [
    Request(Q(1, 3), Q(1, 20), Q(3, 2), 8, Q(1, 100), "poisson"),
    Request(Q(1), Q(1, 10**5), Q(1), 1000, Q(1, 100), "poisson"),
    Request(Q(1), Q(1, 10**12), Q(1), 10_000, Q(33, 100_000), "poisson"),
    Request(Q(1), Q(1, 10**20), Q(1), 100, Q(1, 10), "poisson"),
    Request(Q(1), Q(1, 10**5), Q(1), 1000, Q(1, 100)),
    Request(Q(0), Q(1, 10**5), Q(1), 30, Q(1, 100), "poisson"),
]


@pytest.mark.parametrize("request_", SAMPLED, ids=str)
def test_noise_for_samples_meets_the_target_and_little_less_does_not(
    request_: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []
    accounted = Request.accounted

    def counted(self: Request, sigma: float, coarser: int = 1) -> Accounted:
        tried.append(sigma)
        return accounted(self, sigma, coarser)

    monkeypatch.setattr(Request, "accounted", counted)
    found = least_gaussian_noise(request_)
    assert len(tried) <= 24  # each of them composes the losses
    assert found.delta[1] <= request_.delta
    less = accounted(request_, found.sigma * (1 - 1e-5)).delta(request_.epsilon)
    assert less[1] > request_.delta
    assert not found.is_least
