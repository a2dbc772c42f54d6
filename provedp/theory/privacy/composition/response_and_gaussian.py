"""Randomised response together with Gaussian noise: a discrete and a continuous release at once."""

from flint import arb, ctx

from provedp.theory.domain import domain, reals
from provedp.theory.numbers import Number, ball, rational
from provedp.theory.privacy.calibration import (
    EPSILON,
    GAUSSIAN_DELTA,
    SENSITIVITY,
    Calibration,
    Exact,
    calibrated_float,
)
from provedp.theory.privacy.functions import exp, log, normal_cdf, transcendental
from provedp.theory.privacy.noise.gaussian import GUARD_BITS, SHIFT
from provedp.theory.privacy.noise.least_gaussian import gaussian_sigma

__all__ = ["response_and_gaussian_delta", "response_and_gaussian_sigma"]


@domain(k=reals(1), mu=SHIFT, epsilon=reals(0))
def response_and_gaussian_delta(k: Number, mu: Number, epsilon: Number) -> Number:
    """Privacy profile of a (ln k, 0)-private release and Gaussian noise, both about the same data.

    δ(ε) = (k δ_μ(ε − ln k) + δ_μ(ε + ln k))/(k + 1),
    δ_μ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ)

    Every (ln k, 0)-private release is randomised response with ratio k, post-processed; its two
    answers shift the privacy loss by ln k and −ln k, with probabilities k/(k + 1) and 1/(k + 1).

    Parameters
    ----------
    k
        Ratio of the first release.

    Returns
    -------
    δ, attained by randomised response: a float for floats (absolute error about 1e-16), a ball for
    balls and exact numbers, an expression for symbols.

    Source: ours.

    >>> round(response_and_gaussian_delta(1.0, 1.0, 1.0), 12) == round(0.126936737506644, 12)
    True
    """
    with ctx.workprec(ctx.prec + GUARD_BITS):
        ratio, shift, level = (transcendental(value) for value in (k, mu, epsilon))
        step = log(ratio)
        delta = ratio * _profile(shift, level - step) + _profile(shift, level + step)
        delta = delta / (ratio + 1)
    return +delta if isinstance(delta, arb) else delta


def _profile(mu: Number, level: Number) -> Number:
    """Return δ_μ at any real ε; at negative ones the release's total variation counts more."""
    return normal_cdf(mu / 2 - level / mu) - exp(level) * normal_cdf(-mu / 2 - level / mu)


@domain(k=Exact(1, upward=True), epsilon=EPSILON, delta=GAUSSIAN_DELTA, sensitivity=SENSITIVITY)
def response_and_gaussian_sigma(
    k: Number, epsilon: Number, delta: Number, sensitivity: Number = 1
) -> Calibration:
    """Least Gaussian noise beside a (ln k, 0)-private release for a joint target (ε, δ).

    min {σ : δ(ε) ≤ δ for ratio k and μ = sensitivity/σ}

    Parameters
    ----------
    k
        Ratio of the first release, at least 1 and below e^ε.
    epsilon, delta, sensitivity
        As for `gaussian_sigma`.

    Returns
    -------
    The least float σ that is certified to meet the target, and the next smaller one, which is not.

    Raises
    ------
    ValueError
        If ln k ≥ ε.

    Source: ours.

    >>> response_and_gaussian_sigma(1, 1, 1e-5).value == gaussian_sigma(1, 1e-5).value
    True
    """
    with ctx.workprec(128):
        left = ball(epsilon) - ball(k).log()
        if not left > 0:
            raise ValueError(
                f"response_and_gaussian_sigma: 'k' must be below e^ε = e^{epsilon}; got {k}."
            )

    def delta_at(sigma: float) -> arb:
        mu = ball(sensitivity) / ball(sigma)
        return ball(response_and_gaussian_delta(ball(k), mu, ball(epsilon)))

    guess = gaussian_sigma(rational(epsilon), delta, sensitivity).value
    return calibrated_float(delta_at, rational(delta), guess, +1)
