"""The least Wishart noise for a target, certified."""

from flint import arb

from provedp.theory.domain import domain, integers
from provedp.theory.numbers import Number, ball, rational
from provedp.theory.privacy.calibration import (
    EPSILON,
    SENSITIVITY,
    Calibration,
    Exact,
    PositiveDelta,
    calibrated_float,
    calibrated_integer,
    log_of,
    solution,
)
from provedp.theory.privacy.noise.gaussian import gaussian_log_delta
from provedp.theory.privacy.noise.least_gaussian import WIDEST
from provedp.theory.privacy.noise.wishart import chi_square_delta, wishart_delta

__all__ = ["wishart_degrees", "wishart_scale"]

WISHART_DELTA = PositiveDelta(reason="noise whose support moves with the data never gives δ = 0")


@domain(epsilon=EPSILON, delta=WISHART_DELTA, shift=SENSITIVITY, dimension=integers(1))
def wishart_degrees(epsilon: Number, delta: Number, shift: Number, dimension: int) -> Calibration:
    """Least integer degrees of freedom of Wishart noise for a target (ε, δ).

    min {ν ≥ d + 1 : δ(ε) ≤ δ for χ²_(ν−d+1) against a shift c}

    Parameters
    ----------
    epsilon
        ε in nats. Floats are the dyadic numbers they are; of a ball, the end on the side of
        privacy counts.
    delta
        δ, likewise.
    shift
        The largest c = vᵀ V⁻¹ v over adjacent inputs, likewise (see `wishart_delta`).

    Returns
    -------
    The least ν that meets the target and its δ, and ν − 1, which does not: both are certified.

    Source: ours.

    >>> wishart_degrees(1, 1e-5, 1, 1).value, wishart_degrees(1, 1e-5, 1, 3).value
    (34, 36)
    """

    def delta_at(degrees: int) -> arb:
        return ball(wishart_delta(dimension, degrees, ball(shift), ball(epsilon)))

    aim, level = log_of(delta), float(epsilon)
    mu = solution(lambda mu: float(gaussian_log_delta(mu, level)) - aim, *WIDEST)
    guess = dimension + 1 + int((float(shift) / mu) ** 2 / 2)
    return calibrated_integer(delta_at, rational(delta), guess, dimension + 1)


@domain(
    epsilon=EPSILON,
    delta=WISHART_DELTA,
    square=SENSITIVITY,
    dimension=integers(1),
    degrees=Exact(2),
)
def wishart_scale(
    epsilon: Number, delta: Number, square: Number, dimension: int, degrees: Number
) -> Calibration:
    """Least scale of Wishart noise of given degrees of freedom for a target (ε, δ).

    min {s : δ(ε) ≤ δ for s W_d(I, ν) against a rank-one shift v vᵀ with ‖v‖² ≤ square}

    Parameters
    ----------
    epsilon
        ε in nats. Floats are the dyadic numbers they are; of a ball, the end on the side of
        privacy counts.
    delta
        δ, likewise.
    square
        The largest ‖v‖² over adjacent inputs, likewise.
    degrees
        ν ≥ d + 1.

    Returns
    -------
    The least float s that meets the target and its δ, and the next smaller float, which does not:
    both are certified.

    Source: ours.

    >>> wishart_scale(1, 1e-5, 1, 3, 36).value < 1 < wishart_scale(1, 1e-5, 1, 3, 35).value
    True
    """

    def delta_at(scale: float) -> arb:
        shift = ball(square) / ball(scale)
        return ball(wishart_delta(dimension, ball(degrees), shift, ball(epsilon)))

    free, level, aim = float(degrees) - dimension + 1, float(epsilon), float(delta)
    shift = solution(lambda c: float(chi_square_delta(max(free, 2.0), c, level)) - aim, *WIDEST)
    return calibrated_float(delta_at, rational(delta), float(square) / shift, +1)
