"""How much of a budget a discrete release of one count takes."""

from fractions import Fraction as Q

from flint import ctx

from provedp.mechanisms.exact.parameters import ratio_below
from provedp.theory.numbers import ball

BITS = 128
SHARE_DIGITS = 10**6  # ε of the weight channel is a multiple of 10⁻⁶


def channel_ratio(budget: Q, share: Q) -> Q:
    """Return the ratio of a count whose noise varies as that of a Gaussian of μ² = share · budget.

    The optimal count varies by about 2/ε², the Gaussian count by 2/(share · budget).
    """
    with ctx.workprec(BITS):
        root = float((ball(share) * ball(budget)).sqrt().mid())
    return ratio_below(Q(max(1, int(root * SHARE_DIGITS)), SHARE_DIGITS))
