"""Discrete Gaussian noise and Gaussian noise on a sample: profiles, and noise that is too small."""

import math
from types import SimpleNamespace

from provedp.theory import privacy
from provedp.theory.numbers import dyadic
from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import CANONNE

WIDTH = 1e-30  # of a comparison of balls at that precision
DISCRETE = Source(CANONNE, "discrete Gaussian noise")
FAR = 40  # standard deviations at which a sum is cut: e^(−800) < 10⁻³⁴⁷


def _tail(sigma: arb, first: int) -> arb:
    """Return Σ_{x ≥ first} e^(−x²/(2σ²)), cut far out, with a bound on the rest."""
    last = max(first, 0) + int(dyadic((FAR * sigma).upper()))
    weights = [(-(arb(x) ** 2) / (2 * sigma**2)).exp() for x in range(first, last + 1)]
    rest = (-(arb(last + 1) ** 2) / (2 * sigma**2)).exp() * (1 + 2 * sigma**2)
    return sum(weights, start=arb(0).union(rest))


@ours(
    Source(CANONNE, "Theorem 7", "discrete Gaussian noise"), formula=privacy.discrete_gaussian_delta
)
@certified(bits=128, sigma=(Q(1), Q(5, 2), Q(6)), epsilon=(Q(0), Q(1, 3), Q(1)), shift=(1, 2, 5))
def discrete_gaussian_profile_is_a_difference_of_tails(
    profile: Formula, sigma: Q, epsilon: Q, shift: int
) -> Finding:
    """δ = P(X > εσ²/Δ − Δ/2) − e^ε P(X > εσ²/Δ + Δ/2) for discrete Gaussian X; the sum of the
    weights over all integers is the theta function θ₃ at i/(2πσ²).
    """
    width, level = ball(sigma), ball(epsilon)
    ends = [math.floor(epsilon * sigma**2 / shift + side * Q(shift, 2)) + 1 for side in (-1, 1)]
    near, far = (_tail(width, end) for end in ends)
    total = acb.modular_theta(acb(0), acb(0, 1 / (2 * arb.pi() * width**2)))[2].real
    found = profile(width, level, shift)
    return close(found, (near - level.exp() * far) / total, tolerance=WIDTH)


@ours(DISCRETE, formula=privacy.gaussian_sigma)
@refuted(bits=128, epsilon=Q(1), delta=Q(1, 10**5))
def least_sigma_serves_integers(sigma: Formula, epsilon: Q, delta: Q) -> Finding:
    """The least σ for which Gaussian noise on values one apart is (ε, δ)-private makes discrete
    Gaussian noise so. (At ε = 1, δ = 10⁻⁵ it has δ = 1.0346 · 10⁻⁵.)
    """
    noise = ball(as_dyadic(sigma(epsilon, delta).value))
    return at_most(privacy.discrete_gaussian_delta(noise, ball(epsilon)), ball(delta))


def one_percent_more(epsilon: Q, delta: Q) -> Any:
    """Return 1.01 σ."""
    return SimpleNamespace(
        value=as_dyadic(privacy.gaussian_sigma(epsilon, delta).value) * Q(101, 100)
    )


def a_tenth_less(epsilon: Q, delta: Q) -> Any:
    """Return 0.9 σ."""
    return SimpleNamespace(value=as_dyadic(privacy.gaussian_sigma(epsilon, delta).value) * Q(9, 10))


@repairs(least_sigma_serves_integers, formula=one_percent_more, mutants=(a_tenth_less,))
@certified(epsilon=(Q(1, 10), Q(1, 2), Q(1)), delta=(Q(1, 100), Q(1, 10**5), Q(1, 10**9)))
def one_percent_more_serves_integers(sigma: Formula, epsilon: Q, delta: Q) -> Finding:
    """One percent more does, for these ε and δ. (Rounding Gaussian noise does without more:
    `rounded_noise_on_integers_is_gaussian_noise`.)
    """
    return least_sigma_serves_integers(sigma, epsilon, delta)


@ours(Source(None, "Gaussian noise that is too small"), formula=privacy.gaussian_delta)
@certified(
    bits=128,
    cases=[
        {"sigma": Q("1.8653"), "low": Q("2.154697"), "high": Q("2.154698")},
        {"sigma": Q("0.4845"), "low": Q("10.393365"), "high": Q("10.393367")},
        {"sigma": Q(1), "low": Q("4.377178"), "high": Q("4.377179")},
        {"sigma": Q("3.7306"), "low": Q("1.000009"), "high": Q("1.00001")},
    ],
)
def gaussian_noise_has_this_epsilon(profile: Formula, sigma: Q, low: Q, high: Q) -> Finding:
    """At δ = 10⁻⁵ and for values one apart, half of σ = 3.7306 has ε = 2.1547, the classical
    formula for ε = 10 (σ = 0.4845) has 10.3934, σ = 1 has 4.3772, and 3.7306 itself a little more
    than 1.
    """
    mu, delta = 1 / ball(sigma), ball(Q(1, 10**5))
    return all_of(less(delta, profile(mu, ball(low))), less(profile(mu, ball(high)), delta))


@ours(Source(None, "Gaussian noise on a sample"), formula=privacy.subsampled_gaussian_delta)
@certified(bits=128, rate=(Q(1, 10), Q(1, 2), Q(1)), k=(Q(1), Q(3, 2), Q(5)), mu=(Q(1, 2), Q(1)))
def sampled_gaussian_profile_is_the_largest_gap(profile: Formula, rate: Q, k: Q, mu: Q) -> Finding:
    """No half-line separates (1 − q) N(0, 1) + q N(μ, 1) from N(0, 1) by more than the closed form,
    and the one from ln(1 + (k − 1)/q)/μ + μ/2 on does by as much.
    """
    q, level, shift = ball(rate), ball(k), ball(mu)
    found = profile(shift, q, level, "removed")

    def gap(end: arb) -> arb:
        here = (1 - q) * normal_cdf(-end) + q * normal_cdf(shift - end)
        return here - level * normal_cdf(-end)

    best = (1 + (level - 1) / q).log() / shift + shift / 2
    others = [gap(best + arb(step) / 5) for step in range(-30, 31) if step]
    return all_of(
        close(found, gap(best), tolerance=WIDTH),
        *(less(other, found) for other in others),
    )


@ours(Source(None, "Gaussian noise on a sample"), formula=privacy.subsampled_gaussian_delta)
@certified(bits=128)
def sampled_gaussian_at_a_tenth(profile: Formula) -> Finding:
    """At δ = 10⁻⁵, σ = 1 and records that are in the sample with probability 1/10, the least ε for
    one record added or removed is 1.68454…, so that 1.6845 is too little.
    """
    low, high = (ball(Q(end)).exp() for end in ("1.684543", "1.684545"))
    delta, tenth = ball(Q(1, 10**5)), ball(Q(1, 10))
    return all_of(
        less(delta, profile(arb(1), tenth, low)), less(profile(arb(1), tenth, high), delta)
    )


@ours(Source(None, "the noise for a sample", "on all records"))
@refuted(bits=128, rate=Q(1))
def sampling_may_be_left_out(rate: Q) -> Finding:
    """Gaussian noise with σ = 1 on all records is (1.6846, 10⁻⁵)-private as on a sample of a tenth.
    (It has ε = 4.3772.)
    """
    spent = privacy.subsampled_gaussian_delta(arb(1), ball(rate), ball(Q("1.6846")).exp())
    return at_most(spent, ball(Q(1, 10**5)))


@repairs(sampling_may_be_left_out)
@certified(rate=(Q(1, 100), Q(1, 20), Q(1, 10)))
def sampling_may_not_be_left_out(rate: Q) -> Finding:
    """It is on a sample that has each record with probability 1/10 or less."""
    return sampling_may_be_left_out(rate)
