"""Gaussian noise: where the classical formula holds, and the least noise that does."""

import math
from types import SimpleNamespace

from provedp.theory import privacy
from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import BALLE_WANG

DELTAS = tuple(Q(1, 10**digits) for digits in range(2, 10))
CONSTANTS = (Q(5, 4), Q(2), Q(4))


def _delta_of(sigma: Number, epsilon: Q) -> arb:
    return ball(privacy.gaussian_delta(1 / sigma, ball(epsilon)))


@ours(
    Source(None, "the classical Gaussian mechanism", "σ = √(2 ln(c/δ))/ε"),
    formula=privacy.classical_sigma,
)
@refuted(bits=128, epsilon=Q(10), delta=Q(1, 10**5), constant=Q(5, 4))
def classical_gaussian_is_private_for_every_epsilon(
    sigma: Formula, epsilon: Q, delta: Q, constant: Q
) -> Finding:
    """With σ = √(2 ln(c/δ))/ε for sensitivity 1, Gaussian noise is (ε, δ)-private for every ε >
    0: its exact δ, Φ(1/(2σ) − εσ) − e^ε Φ(−1/(2σ) − εσ), is at most δ.
    """
    noise = sigma(ball(epsilon), ball(delta), arb(1), ball(constant))
    return at_most(_delta_of(noise, epsilon), ball(delta))


def half_the_noise(epsilon: arb, delta: arb, sensitivity: arb, constant: arb) -> arb:
    """Return σ/2."""
    return ball(privacy.classical_sigma(epsilon, delta, sensitivity, constant) / 2)


@repairs(
    classical_gaussian_is_private_for_every_epsilon,
    formula=privacy.classical_sigma,
    mutants=(half_the_noise,),
)
@certified(bits=128, part=range(16), delta=DELTAS, constant=CONSTANTS)
def classical_gaussian_is_private_up_to_one(
    sigma: Formula, part: int, delta: Q, constant: Q
) -> Finding:
    """With c = 5/4, 2 or 4 it is (ε, δ)-private for every ε in (0, 1] and δ = 10⁻² … 10⁻⁹: with
    s = εσ = √(2 ln(c/δ)), which does not depend on ε, its δ is Φ(ε/(2s) − s) − e^ε Φ(−ε/(2s) − s),
    bounded by ball arithmetic on 16 intervals that cover [0, 1].
    """
    level = arb(part).union(arb(part + 1)) / 16
    scale = sigma(arb(1), ball(delta), arb(1), ball(constant))
    end = ball(Q(part + 1, 16))
    shift = level / (2 * scale)
    spent = normal_cdf(shift - scale) - level.exp() * normal_cdf(-shift - scale)
    return all_of(
        less(0, scale),
        at_most(spent, ball(delta)),
        close(scale**2, 2 * (ball(constant) / ball(delta)).log(), tolerance=1e-30),
        close(sigma(end, ball(delta), arb(1), ball(constant)) * end, scale, tolerance=1e-30),
    )


def one_percent_above(delta: Q, constant: Q) -> Any:
    """Return a limit that is one percent too large."""
    return SimpleNamespace(value=privacy.classical_epsilon_limit(delta, constant).value * 1.01)


def one_percent_below(delta: Q, constant: Q) -> Any:
    """Return a limit that is one percent too small."""
    return SimpleNamespace(value=privacy.classical_epsilon_limit(delta, constant).value * 0.99)


@ours(
    Source(None, "the classical Gaussian mechanism", "σ = √(2 ln(c/δ))/ε"),
    formula=privacy.classical_epsilon_limit,
    mutants=(one_percent_above, one_percent_below),
)
@certified(bits=128, delta=DELTAS, constant=CONSTANTS)
def classical_gaussian_has_a_largest_epsilon(limit: Formula, delta: Q, constant: Q) -> Finding:
    """For each c and δ = 10⁻² … 10⁻⁹ there is an ε up to which the classical formula keeps its
    promise: it does at this float and not at the next.
    """
    last = as_dyadic(limit(delta, constant).value)
    positive = less(0, last)
    if not positive.holds:
        return positive
    beyond = as_dyadic(math.nextafter(float(last), math.inf))
    noise = [
        privacy.classical_sigma(ball(level), ball(delta), arb(1), ball(constant))
        for level in (last, beyond)
    ]
    return all_of(
        positive,
        at_most(_delta_of(noise[0], last), ball(delta)),
        less(ball(delta), _delta_of(noise[1], beyond)),
    )


def slightly_less_noise(epsilon: Q, delta: Q, sensitivity: Q) -> Any:
    """Return σ less a ten-thousandth."""
    return SimpleNamespace(value=privacy.gaussian_sigma(epsilon, delta, sensitivity).value * 0.9999)


@ours(
    Source(BALLE_WANG, "Theorem 8"), formula=privacy.gaussian_sigma, mutants=(slightly_less_noise,)
)
@certified(
    bits=128,
    epsilon=(Q(1, 10), Q(1), Q(8)),
    delta=(Q(1, 100), Q(1, 10**5), Q(1, 10**9)),
    sensitivity=(Q(1), Q(7, 3)),
)
def gaussian_noise_is_least(sigma: Formula, epsilon: Q, delta: Q, sensitivity: Q) -> Finding:
    """The calibrated σ is private and the next smaller float is not."""
    value = sigma(epsilon, delta, sensitivity).value
    positive = less(0, as_dyadic(value))
    if not positive.holds:
        return positive
    smaller = math.nextafter(value, 0.0)
    noise = [ball(as_dyadic(each)) / ball(sensitivity) for each in (value, smaller)]
    return all_of(
        positive,
        at_most(_delta_of(noise[0], epsilon), ball(delta)),
        less(ball(delta), _delta_of(noise[1], epsilon)),
    )


def a_fifth_more_noise(epsilon: Q, delta: Q, sensitivity: Q) -> Any:
    """Return 6σ/5."""
    return SimpleNamespace(value=privacy.gaussian_sigma(epsilon, delta, sensitivity).value * 1.2)


@ours(
    Source(None, "the classical Gaussian mechanism", "c = 5/4"),
    formula=privacy.gaussian_sigma,
    mutants=(a_fifth_more_noise,),
)
@certified(bits=128, epsilon=(Q(1, 10), Q(1, 2), Q(1)), delta=DELTAS)
def classical_noise_is_more_than_needed(sigma: Formula, epsilon: Q, delta: Q) -> Finding:
    """For ε = 1/10, 1/2, 1 and δ = 10⁻² … 10⁻⁹ the least σ (`gaussian_noise_is_least`) is at least
    a tenth below the classical one.
    """
    classical = privacy.classical_sigma(ball(epsilon), ball(delta), arb(1), ball(Q(5, 4)))
    least = ball(as_dyadic(sigma(epsilon, delta, Q(1)).value))
    return all_of(
        at_most(least, classical * 9 / 10), gaussian_noise_is_least(sigma, epsilon, delta, Q(1))
    )
