"""Releasing a noisy count only beyond a threshold: what one user alone gives away.

A group without users is never released. With one user it is, with the probability below, which is
the δ that it costs at every ε.
"""

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Number
from provedp.theory.privacy.functions import exp, normal_cdf, transcendental
from provedp.theory.privacy.noise.laplace import DECAY

__all__ = ["gaussian_threshold_delta", "geometric_threshold_delta", "laplace_threshold_delta"]

POSITIVE = reals(0, open_low=True)
THRESHOLD = reals(1)


@domain(epsilon=POSITIVE, threshold=THRESHOLD)
def laplace_threshold_delta(epsilon: Number, threshold: Number) -> Number:
    """Probability that one user's group is released with Laplace noise.

    δ = e^(−ε(τ − 1))/2

    Parameters
    ----------
    epsilon
        ε, where the noise has scale 1/ε.
    threshold
        τ; a noisy count above it is released.

    Returns
    -------
    δ: a float for floats, an expression for symbols, else a ball.

    Source: Korolova, Kenthapadi, Mishra and Ntoulas, Releasing Search Queries and Clicks Privately.

    >>> round(laplace_threshold_delta(1.0, 7.214608098422191), 12)
    0.001
    """
    return exp(transcendental(epsilon) * (1 - transcendental(threshold))) / 2


@domain(decay=DECAY, least=integers(1))
def geometric_threshold_delta(decay: Number, least: int) -> Number:
    """Probability that one user's group is released with two-sided geometric noise.

    δ = r^(t − 1)/(1 + r)

    Parameters
    ----------
    decay
        r: noise x has probability proportional to r^|x|.
    least
        t, the least noisy count that is released.

    Returns
    -------
    δ, over the field of the arguments.

    Source: ours, a geometric series.

    >>> from fractions import Fraction as F
    >>> geometric_threshold_delta(F(1, 2), 4)
    Fraction(1, 12)
    """
    return decay ** (least - 1) / (1 + decay)


@domain(sigma=POSITIVE, threshold=THRESHOLD)
def gaussian_threshold_delta(sigma: Number, threshold: Number) -> Number:
    """Probability that one user's group is released with Gaussian noise.

    δ = Φ(−(τ − 1)/σ)

    Parameters
    ----------
    sigma
        Standard deviation.
    threshold
        τ; a noisy count above it is released.

    Returns
    -------
    δ: a float for floats, an expression for symbols, else a ball.

    Source: ours, from the definition.

    >>> gaussian_threshold_delta(3.0, 1.0)
    0.5
    """
    return normal_cdf((1 - transcendental(threshold)) / transcendental(sigma))
