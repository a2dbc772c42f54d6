"""Joint confidence regions of the probabilities of an event on two data sets.

Let U and V be the one-sided p-values that exact binomial tests give to a low P(A) and to a high
Q(A). They are independent (given the counts of the other side, if these are folded) and at most as
small as uniform ones, so that with z = Φ⁻¹(1 − ·)

    P(z_U⁺² + z_V⁺² > r²) ≤ e^(−r²/2)/4 + Φ(−r).

Where the sum is at most r², there is an angle with z_U ≤ r cos θ and z_V ≤ r sin θ. Between two
neighbouring angles the corner (least P(A), greatest Q(A)) is the worst point. So the region is
inside the union of finitely many quadrants, and a statement that holds at every corner, and then
for all smaller Q(A) and larger P(A), holds with the confidence of the region. No level, ε or δ
enters: statements about all of them hold at once.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from provedp.theory.domain import check_argument
from provedp.verify.audit.bounds import CONFIDENCE, INVERSE_ROUNDING, Counts
from provedp.verify.audit.notions import Floats

ANGLES = 256
FARTHEST = 40.0  # Φ(−40) is below the least float


@dataclass(frozen=True)
class Region:
    """Corners of which the true point (Q(A), P(A)) is above and to the left of at least one.

    Attributes
    ----------
    p, q
        Their P(A) and Q(A).
    """

    p: Floats
    q: Floats


def region(counts: Counts, error: float) -> Region:
    """Return a region that misses the truth with probability at most `error`.

    Parameters
    ----------
    counts
        Of an event that was fixed before they were known. Folded ones are about the probabilities
        of success and of failure: the averages of both directions.
    error
        In (0, 1).

    Raises
    ------
    ValueError
        If the error is outside its range.

    >>> corners = region(Counts(600, 1000, 200, 1000), 0.05)
    >>> bool(corners.p.max() < 0.61), bool(corners.q.min() > 0.19)
    (True, True)
    """
    check_argument("region", "error", CONFIDENCE, error)
    radius = radius_of(error)
    angles = np.linspace(0, math.pi / 2, ANGLES + 1)
    u = special.ndtr(-radius * np.cos(angles[:-1]))
    v = special.ndtr(-radius * np.sin(angles[1:]))
    q = _upper(counts.y, counts.m, v)
    if counts.folded:
        return Region(_lower(counts.x, counts.n - counts.y, u) * (1 - q), q)
    return Region(_lower(counts.x, counts.n, u), q)


def radius_of(error: float) -> float:
    """Return r with e^(−r²/2)/4 + Φ(−r) at most `error`.

    >>> r = radius_of(0.05)
    >>> round(float(math.exp(-r * r / 2) / 4 + special.ndtr(-r)), 9)
    0.05
    """

    def excess(r: float) -> float:
        return math.log(math.exp(-r * r / 2) / 4 + float(special.ndtr(-r))) - math.log(error)

    if excess(0.0) <= 0:
        return 0.0
    radius = float(optimize.brentq(excess, 0.0, FARTHEST - 3, xtol=1e-12))
    return radius * (1 + 1e-10)


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
