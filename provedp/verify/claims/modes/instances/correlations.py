"""Where two records' kernels are least correlated: at the stationary distance, in balls."""

from flint import arb

from provedp.theory.modes.kernel_norms import (
    correlation,
    correlation_slope,
    correlation_slope_of_slope,
)
from provedp.theory.modes.sharp_norms import stationary_distance
from provedp.theory.numbers import dyadic

NEAR = arb(1) / 40  # where the curvature at the stationary distance decides
DEPTH = 14  # halvings of an interval before it is given up


def intervals_left(d: int, power: int) -> int:
    """Return 0 if ρ(a) ≥ ρ(c) for all a ≥ 0, c the first stationary distance.

    Else the number of unit intervals that hold a place where that is open; 1 if c is no minimum.
    Beyond the last interval |ρ(a)| ≤ B/a² decides. On an interval of radius s about x, ρ ≥ ρ(x) −
    |ρ′(x)| s − M₂ s²/2; within r of c, ρ ≥ ρ(c) + (ρ″(c) − M₃ r/3) (a − c)²/2. M₂ is ρ's next
    moment at 0, and M₃² at most the product of the next two, by Cauchy–Schwarz.
    """
    centre = stationary_distance(d, power)
    least = correlation(d, arb(centre.mid()), power)
    second = correlation(d, arb(0), power + 1)
    third = (second * correlation(d, arb(0), power + 2)).sqrt()
    if not (least < 0 and correlation_slope_of_slope(d, centre, power) > third * NEAR / 3):
        return 1
    last = int(dyadic((beyond(d, power) / -least).sqrt().upper())) + 1

    def open_parts(low: arb, high: arb, depth: int) -> int:
        middle, radius = ((low + high) / 2).mid(), (high - low) / 2
        if abs(middle - centre) + radius < NEAR:
            return 0
        slope = abs(correlation_slope(d, arb(middle), power))
        loss = slope * radius + second * radius**2 / 2
        if correlation(d, arb(middle), power) - loss > least:
            return 0
        if depth == 0:
            return 1
        left = open_parts(low, arb(middle), depth - 1)
        return left or open_parts(arb(middle), high, depth - 1)

    return sum(open_parts(arb(unit), arb(unit + 1), DEPTH) for unit in range(last))


def beyond(d: int, power: int) -> arb:
    """Return B with |ρ(a)| ≤ B/a²: the integral of |Δw| over t, for ρ the transform of w.

    w = s^q e^(−s) (1 + s)^p with s = ‖t‖², p = (d + 1)/2, q at most 1, and Δw = 4s w″ + 2d w′; the
    derivatives of e^(−s)(1 + s)^p are at most it times 1 + p and 1 + 2p + p|p − 1|.
    """
    half = arb(d + 1) / 2
    once, twice = 1 + half, 1 + 2 * half + half * abs(half - 1)
    total = 4 * twice * correlation(d, arb(0), power + 1) + 2 * d * once * correlation(
        d, arb(0), power
    )
    if power == 1:
        total += (8 * once) * correlation(d, arb(0), 1) + 2 * d * correlation(d, arb(0), 0)
    return total
