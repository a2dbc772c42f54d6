"""The least Gaussian noise for a target, exactly, and how far the classical formula may be used."""

import math

from flint import arb

from provedp.theory.domain import domain, reals
from provedp.theory.numbers import Number, ball, rational
from provedp.theory.privacy.calibration import (
    EPSILON,
    GAUSSIAN_DELTA,
    SENSITIVITY,
    Calibration,
    Exact,
    calibrated_float,
    log_of,
    solution,
)
from provedp.theory.privacy.functions import log, sqrt, transcendental
from provedp.theory.privacy.noise.gaussian import (
    OPEN_UNIT,
    SHIFT,
    gaussian_delta,
    gaussian_log_delta,
)

__all__ = ["classical_epsilon_limit", "classical_sigma", "gaussian_sigma"]

WIDEST = (1e-150, 1e150)  # range in which a guess for μ or ε is sought


@domain(epsilon=EPSILON, delta=GAUSSIAN_DELTA, sensitivity=SENSITIVITY)
def gaussian_sigma(epsilon: Number, delta: Number, sensitivity: Number = 1) -> Calibration:
    """Least standard deviation of Gaussian noise for a target (ε, δ).

    min {σ : δ(ε) ≤ δ at μ = sensitivity/σ}

    Parameters
    ----------
    epsilon
        ε in nats. Floats are the dyadic numbers they are; of a ball, the end on the side of
        privacy counts.
    delta
        δ, likewise.
    sensitivity
        Largest ℓ₂ distance between the answers for adjacent inputs, likewise.

    Returns
    -------
    The least float σ that meets the target and its δ, and the next smaller float, which does not:
    both are certified.

    Source: Balle and Wang, Improving the Gaussian Mechanism for Differential Privacy, Theorem 9.

    >>> gaussian_sigma(1, 1e-5).value
    3.730631634815942
    """
    return least_sigma_of_rounds(epsilon, delta, sensitivity, 1)


def least_sigma_of_rounds(
    epsilon: Number, delta: Number, sensitivity: Number, rounds: int
) -> Calibration:
    """Return the least σ for several rounds: one with √rounds times the sensitivity."""

    def delta_at(sigma: float) -> arb:
        shift = ball(sensitivity) * ball(rounds).sqrt() / ball(sigma)
        return ball(gaussian_delta(shift, ball(epsilon)))

    aim = log_of(delta)
    level = float(epsilon)
    mu = solution(lambda mu: float(gaussian_log_delta(mu, level)) - aim, *WIDEST)
    start = float(sensitivity) * math.sqrt(rounds) / mu
    return calibrated_float(delta_at, rational(delta), start, +1)


@domain(epsilon=reals(0, open_low=True), delta=OPEN_UNIT, sensitivity=SHIFT, constant=reals(1))
def classical_sigma(
    epsilon: Number, delta: Number, sensitivity: Number, constant: Number
) -> Number:
    """Standard deviation of the classical Gaussian mechanism.

    σ = sensitivity √(2 ln(c/δ)) / ε

    Parameters
    ----------
    epsilon
        ε in nats. The formula is private up to `classical_epsilon_limit` and no further.
    sensitivity
        Largest ℓ₂ distance between the answers for adjacent inputs.
    constant
        c ≥ 1: 5/4 in the modes paper; in the mixture paper 2, also as 4 with δ/2 for the target.

    Returns
    -------
    σ, fields as for `gaussian_delta`.

    Source: Dwork and Roth, Theorem A.1 (c = 5/4, ε < 1); modes paper, eq. (9); mixture paper, (10)
    and (33).

    >>> round(classical_sigma(1.0, 1e-5, 1.0, 1.25), 6)
    4.844805
    """
    return transcendental(sensitivity) * sqrt(2 * log(constant / delta)) / transcendental(epsilon)


@domain(delta=GAUSSIAN_DELTA, constant=Exact(1))
def classical_epsilon_limit(delta: Number, constant: Number) -> Calibration:
    """Largest ε for which the classical Gaussian mechanism keeps its promise.

    max {ε : Φ(ε/(2r) − r) − e^ε Φ(−ε/(2r) − r) ≤ δ}, r = √(2 ln(c/δ))

    The left side increases with ε, since its derivative is φ(r − ε/(2r)) (1/r − R(r + ε/(2r))) with
    Mills' ratio R(x) < 1/x: the promise is kept for every ε up to the limit and for none beyond.

    Parameters
    ----------
    delta
        The target δ, as for `gaussian_sigma`.
    constant
        c, as for `classical_sigma`.

    Returns
    -------
    The largest float ε that is certified to be allowed, and the next one, which is not.

    Source: ours.

    >>> classical_epsilon_limit(1e-5, 2).value
    9.39132146219354
    """

    def delta_at(epsilon: float) -> arb:
        root = (2 * (ball(constant) / ball(delta)).log()).sqrt()
        return ball(gaussian_delta(ball(epsilon) / root, ball(epsilon)))

    aim = log_of(delta)
    root = math.sqrt(2 * (log_of(constant) - aim))
    guess = solution(lambda level: float(gaussian_log_delta(level / root, level)) - aim, *WIDEST)
    return calibrated_float(delta_at, rational(delta), guess, -1)
