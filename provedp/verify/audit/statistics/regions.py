"""Joint confidence regions of the probabilities of an event on two data sets.

Let U and V be the one-sided p-values that exact binomial tests give to a low P(A) and to a high
Q(A). They are independent (given the counts of the other side, if these are folded) and at most as
small as uniform ones, so that z = Φ⁻¹(1 − ·) of them is at most as large as a normal variable:

    P(z_U cos θ + z_V sin θ > r for some θ of an arc in [0, π/2]) ≤ Φ(−r) + |arc|/(2π) e^(−r²/2).

The direction θ is that of statements P(A) − k Q(A) ≥ …, about one k; the arc is chosen beforehand
for a range of them. The region is what no θ excludes, and neither z_U nor z_V by itself at a far
smaller error. Between two neighbouring points of its border the corner (least P(A), greatest Q(A))
is the worst point. So the region is inside the union of finitely many quadrants, and what holds at
every corner holds with the confidence of the region: for all k, also those outside the range.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from provedp.theory.arrays import Floats
from provedp.theory.domain import check_argument, reals
from provedp.verify.accounting.roots import root
from provedp.verify.audit.statistics.exact_test import CONFIDENCE, INVERSE_ROUNDING, Counts

ANGLES = 128  # points on the arc …
STEPS = 256  # … and on each of the lines that go on from it
FAR_SHARE = 0.01  # of the error, for z_U by itself and for z_V
FARTHEST = 37.0  # Φ(−37) is about the least float
NARROWEST = 0.1  # distance from an axis that counts as none: there a count may have few values
QUARTER = math.pi / 2
PRIOR = 0.5  # runs added to counts that an arc is chosen from


@dataclass(frozen=True)
class ConfidenceRegion:
    """Corners of which the true point (Q(A), P(A)) is above and to the left of at least one.

    Attributes
    ----------
    p, q
        Their P(A) and Q(A).
    """

    p: Floats
    q: Floats


def region(
    counts: Counts, error: float, arc: tuple[float, float] = (0.0, QUARTER)
) -> ConfidenceRegion:
    """Return a region that misses the truth with probability at most `error`.

    Parameters
    ----------
    counts
        Of an event that was fixed before they were known. Folded ones are about the probabilities
        of success and of failure: the averages of both directions.
    error
        In (0, 1).
    arc
        The directions in which the region is narrow, 0 ≤ low ≤ high ≤ π/2, fixed beforehand.

    Raises
    ------
    ValueError
        If the error or the arc is outside its range.

    >>> corners = region(Counts(600, 1000, 200, 1000), 0.05)
    >>> bool(corners.p.max() < 0.62), bool(corners.q.min() > 0.18)
    (True, True)
    """
    check_argument("region", "error", CONFIDENCE, error)
    low = check_argument("region", "arc", reals(0, QUARTER), arc[0])
    high = check_argument("region", "arc", reals(low, QUARTER), arc[1])
    low = 0.0 if low < NARROWEST else low
    high = QUARTER if high > QUARTER - NARROWEST else high
    far = -float(special.ndtri(FAR_SHARE * error)) * (1 + 1e-10)
    z_u, z_v = _border(radius_of((1 - 2 * FAR_SHARE) * error, high - low), low, high, far)
    u, v = special.ndtr(-z_u[:-1]), special.ndtr(-z_v[1:])
    p = _lower(counts.x, counts.n, u)
    if counts.folded:
        # The failures among the runs that are no successes.
        return ConfidenceRegion(p, _upper(counts.y, counts.m - counts.x, v) * (1 - p))
    return ConfidenceRegion(p, _upper(counts.y, counts.m, v))


def _border(radius: float, low: float, high: float, far: float) -> tuple[Floats, Floats]:
    """Return points (z_U, z_V) on the border of the region, z_U descending and z_V ascending."""
    angles = np.linspace(low, high, ANGLES + 1)
    z_u, z_v = radius * np.cos(angles), radius * np.sin(angles)
    if low > 0:
        before = np.linspace(far, z_u[0], STEPS, endpoint=False)
        z_u = np.concatenate([before, z_u])
        z_v = np.concatenate([(radius - before * math.cos(low)) / math.sin(low), z_v])
    if high < QUARTER:
        after = np.linspace(far, z_v[-1], STEPS, endpoint=False)[::-1]
        z_v = np.concatenate([z_v, after])
        z_u = np.concatenate([z_u, (radius - after * math.sin(high)) / math.cos(high)])
    return z_u, z_v


def radius_of(error: float, arc: float = QUARTER) -> float:
    """Return r with Φ(−r) + arc/(2π) e^(−r²/2) at most `error`.

    >>> r = radius_of(0.05)
    >>> round(float(math.exp(-r * r / 2) / 4 + special.ndtr(-r)), 9)
    0.05
    """

    def excess(r: float) -> float:
        chance = float(special.ndtr(-r)) + arc / (2 * math.pi) * math.exp(-r * r / 2)
        return math.log(chance) - math.log(error)

    if excess(0.0) <= 0:
        return 0.0
    radius = root(excess, 0.0, FARTHEST, xtol=1e-12)
    return radius * (1 + 1e-10)


def arc_for(counts: Counts, least: float, most: float) -> tuple[float, float]:
    """Return the directions of P(A) − k Q(A) for k from `least` to `most`.

    Parameters
    ----------
    counts
        Of earlier runs, from which the spreads of both probabilities are guessed.
    least, most
        Positive, in this order.
    """
    p = (counts.x + PRIOR) / (counts.n + 2 * PRIOR)
    q = (counts.y + PRIOR) / (counts.m + 2 * PRIOR)
    spread_p, spread_q, share = math.sqrt(p * (1 - p) / counts.n), 0.0, 0.0
    if counts.folded:
        # Q(A) = share (1 − P(A)), so that P(A) − k Q(A) = (1 + k share) P(A) − k share.
        share = min(q / (1 - p), 1 - PRIOR / counts.n)
        spread_q = math.sqrt(share * (1 - share) * (1 - p) / counts.n)
    else:
        spread_q = math.sqrt(q * (1 - q) / counts.m)
    low, high = (math.atan2(k * spread_q, (1 + k * share) * spread_p) for k in (least, most))
    return low, high


def _lower(x: int, n: int, levels: Floats) -> Floats:
    """Return lower ends of Clopper–Pearson intervals with these errors."""
    if x == 0:
        return np.zeros_like(levels)
    return np.asarray(special.betaincinv(x, n - x + 1, levels) / INVERSE_ROUNDING)


def _upper(y: int, m: int, levels: Floats) -> Floats:
    """Return upper ends."""
    if y == m:
        return np.ones_like(levels)
    ends = special.betainccinv(y + 1, m - y, levels) * INVERSE_ROUNDING
    return np.asarray(np.minimum(1.0, ends))
