"""The squared Gaussian budget that a target (ε, δ) allows, exactly and rounded towards privacy."""

from fractions import Fraction as Q

from flint import arb, ctx

from provedp.mechanisms.parameters import ratio_below
from provedp.theory.numbers import ball
from provedp.theory.privacy import gaussian_sigma, response_and_gaussian_sigma

BITS = 128
SHARE_DIGITS = 10**6  # ε of the weight channel is a multiple of 10⁻⁶


def gaussian_budget(ratio: Q, delta: Q) -> Q:
    """Return μ² such that Gaussian noise of that much is (ln ratio, δ)-private.

    >>> float(gaussian_budget(Q(3), Q(1, 10**5))) < 0.09
    True
    """
    return 1 / Q(gaussian_sigma(_logarithm(ratio), delta).value) ** 2


def budget_beside_channel(ratio: Q, delta: Q, channel: Q) -> Q:
    """Return μ² such that noise of that much beside a (ln channel, 0)-private release is, too."""
    return 1 / Q(response_and_gaussian_sigma(channel, _logarithm(ratio), delta).value) ** 2


def channel_ratio(budget: Q, share: Q) -> Q:
    """Return the ratio of a count whose noise varies as that of a Gaussian of μ² = share · budget.

    The optimal count varies by about 2/ε², the Gaussian count by 2/(share · budget).
    """
    with ctx.workprec(BITS):
        root = float((ball(share) * ball(budget)).sqrt().mid())
    return ratio_below(Q(max(1, int(root * SHARE_DIGITS)), SHARE_DIGITS))


def _logarithm(ratio: Q) -> arb:
    with ctx.workprec(BITS):
        return ball(ratio).log()
