"""What is spent against what is promised: profiles in balls, and the share of the allowance."""

from fractions import Fraction as Q
from functools import cache

from flint import arb, ctx

from provedp.theory.numbers import ball, dyadic, rational
from provedp.theory.privacy import (
    Guarantee,
    response_and_gaussian_delta,
    response_and_gaussian_sigma,
)
from provedp.verify.spending.meetings import BITS, Cost


def delta_spent(cost: Cost, ratio: Q) -> arb:
    """Return a δ with which releases of this cost are (ln ratio, δ)-private.

    All Gaussian noise is one release with μ² = Σ (change/σ)², all pure noise is one with the
    product of the ratios, and a threshold adds (1 + k) times its tail.
    """
    with ctx.workprec(BITS):
        k, pure = ball(ratio), ball(cost.ratio)
        if cost.square:
            joint = ball(response_and_gaussian_delta(pure, ball(cost.square).sqrt(), k.log()))
        else:
            joint = ball(max(Q(0), (cost.ratio - ratio) / (cost.ratio + 1)))
        return joint + (1 + k) * cost.tail


def keeps(cost: Cost, guarantee: Guarantee) -> bool | None:
    """Return whether a cost is within a promise; None if balls do not decide."""
    if cost.alone > 1:
        return False
    spent, allowed = delta_spent(cost, rational(guarantee.ratio)), ball(guarantee.delta)
    return True if spent <= allowed else False if spent > allowed else None


def share(cost: Cost, guarantee: Guarantee) -> Q:
    """Return Σ (change/σ)² over the largest that the promise allows beside the rest.

    Where δ = 0 is promised, it is the ε that was spent over that.
    """
    if guarantee.delta == 0:
        with ctx.workprec(BITS):
            return dyadic((ball(cost.ratio).log() / ball(guarantee.ratio).log()).lower())
    with ctx.workprec(BITS):
        left = dyadic((ball(guarantee.delta) - (1 + ball(guarantee.ratio)) * cost.tail).lower())
    return cost.square / _allowed(rational(guarantee.ratio), left, cost.ratio)


@cache
def _allowed(ratio: Q, delta: Q, pure: Q) -> Q:
    with ctx.workprec(BITS):
        epsilon = ball(ratio).log()
    return 1 / Q(response_and_gaussian_sigma(pure, epsilon, delta).value) ** 2
