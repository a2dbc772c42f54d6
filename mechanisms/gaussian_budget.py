"""The squared Gaussian budget that a target (ε, δ) allows, exactly and rounded towards privacy."""

from fractions import Fraction as Q
from math import isqrt

from flint import arb, ctx

from provedp.theory.numbers import ball
from provedp.theory.privacy import gaussian_sigma, response_and_gaussian_sigma

BITS = 128
ROOT_STEPS = 1 << 20  # of the lattice of standard deviations


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
