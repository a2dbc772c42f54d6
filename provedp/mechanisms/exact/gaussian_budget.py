"""The squared Gaussian budget that a target (ε, δ) allows, exactly and rounded towards privacy."""

from fractions import Fraction as Q
from math import isqrt
from typing import Any

from flint import arb, ctx

from provedp.mechanisms.exact.parameters import delta_below, ratio_below
from provedp.theory.numbers import ball
from provedp.theory.privacy import gaussian_sigma, response_and_gaussian_sigma

BITS = 128
LEAST_EPSILON = Q(1, 10**9)
ROOT_STEPS = 1 << 20  # of the lattice of standard deviations


def gaussian_target(name: str, epsilon: Any, delta: Any) -> tuple[Q, Q]:
    """Return the ratio and the δ of a target that Gaussian noise can meet.

    Raises
    ------
    ValueError
        If ε or δ is outside its range; `name` says whose they are.

    >>> gaussian_target("a release", "ln(2)", "1e-3")
    (Fraction(2, 1), Fraction(1, 1000))
    """
    ratio, exact = noise_target(name, epsilon, delta)
    if exact == 0:
        raise ValueError(f"{name}: 'delta' must be in (0, 1): no Gaussian noise gives δ = 0.")
    return ratio, exact


def noise_target(name: str, epsilon: Any, delta: Any) -> tuple[Q, Q]:
    """Return the ratio and the δ of a target that some noise can meet, δ = 0 included.

    Raises
    ------
    ValueError
        If ε or δ is outside its range; `name` says whose they are.
    """
    ratio, exact = ratio_below(epsilon, name), delta_below(delta, name)
    if ratio <= 1 + LEAST_EPSILON:
        least = float(LEAST_EPSILON)
        raise ValueError(f"{name}: 'epsilon' must be positive, above {least}; got {epsilon}.")
    return ratio, exact


def gaussian_budget(ratio: Q, delta: Q) -> Q:
    """Return μ² such that Gaussian noise of that much is (ln ratio, δ)-private.

    >>> float(gaussian_budget(Q(3), Q(1, 10**5))) < 0.09
    True
    """
    return 1 / Q(gaussian_sigma(_logarithm(ratio), delta).value) ** 2


def budget_beside_channel(ratio: Q, delta: Q, channel: Q) -> Q:
    """Return μ² such that noise of that much beside a (ln channel, 0)-private release is, too."""
    return 1 / Q(response_and_gaussian_sigma(channel, _logarithm(ratio), delta).value) ** 2


def root_above(square: Q) -> Q:
    """Return a fraction whose square is at least `square`, and hardly more."""
    scaled = -(-square * ROOT_STEPS**2 // 1)
    return Q(isqrt(scaled - 1) + 1, ROOT_STEPS)


def _logarithm(ratio: Q) -> arb:
    with ctx.workprec(BITS):
        return ball(ratio).log()
