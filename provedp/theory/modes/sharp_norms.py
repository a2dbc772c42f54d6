"""How far one replaced record moves a kernel estimate, as a function: the sharp norms."""

from functools import lru_cache

from flint import arb, ctx

from provedp.theory.domain import domain
from provedp.theory.modes.kernel_norms import DIMENSION, correlation, correlation_slope

__all__ = ["density_sensitivity", "gradient_sensitivity"]

STEP = 0.125  # of the search for the first stationary point, beside correlations of width 1
GUARD_BITS = 64
BISECTION_BITS = 24  # beyond half the precision: the value there is flat


@domain(d=DIMENSION)
def density_sensitivity(d: int) -> arb:
    """Norm of the move of m h^d p̂ by one replaced record, at the worst distance.

    D₀ = √(2 (I₀ − min_a ρ₀(a))) < 2√I₀, for the Gaussian kernel

    Returns
    -------
    D₀ at the first stationary distance, a ball.

    Source: ours, in the place of 2√I₀ in the modes paper's Lemma 3.

    >>> density_sensitivity(1)
    [0.668055340713167 +/- 5.88e-16]
    """
    return _sensitivity(d, 0)


@domain(d=DIMENSION)
def gradient_sensitivity(d: int) -> arb:
    """Norm of the move of m h^(d+1) ∇p̂ by one replaced record, at the worst distance.

    D₁ = √(2 (I₁ − min_a ρ₁(a))) < 2√I₁, for the Gaussian kernel

    Returns
    -------
    D₁ at the first stationary distance, a ball.

    Source: ours, in the place of 2√I₁ in the modes paper's Lemma 3.

    >>> gradient_sensitivity(1)
    [0.731457721063011 +/- 1.21e-16]
    """
    return _sensitivity(d, 1)


def stationary_distance(d: int, power: int) -> arb:
    """Return the first a > 0 at which ρ has a minimum: its slope is below 0 before, above after."""
    low = STEP
    while not correlation_slope(d, arb(low + STEP), power) > 0:
        low += STEP
    left, right = arb(low), arb(low + STEP)
    for _ in range(ctx.prec // 2 + BISECTION_BITS):
        middle = ((left + right) / 2).mid()
        slope = correlation_slope(d, middle, power)
        if slope > 0:
            right = middle
        elif slope < 0:
            left = middle
        else:
            break
    return left.union(right)


def _sensitivity(d: int, power: int) -> arb:
    return +_sensitivity_to(ctx.prec + GUARD_BITS, d, power)


@lru_cache(maxsize=256)
def _sensitivity_to(bits: int, d: int, power: int) -> arb:
    """Return √(2 (ρ(0) − ρ(a))) at the stationary a, at a working precision of so many bits."""
    with ctx.workprec(bits):
        distance = stationary_distance(d, power)
        return (2 * (correlation(d, arb(0), power) - _flat(d, distance, power))).sqrt()


def _flat(d: int, distance: arb, power: int) -> arb:
    """Return ρ on an interval: its middle, and the slope's range times the radius."""
    middle = arb(distance.mid())
    return correlation(d, middle, power) + correlation_slope(d, distance, power) * (
        distance - middle
    )
