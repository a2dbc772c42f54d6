"""How likely an audit would have refuted a claim that is wrong by a given factor."""

import math

import numpy as np
from scipy import special

from provedp.verify.audit.bounds import Counts
from provedp.verify.audit.notions import Claim

HALVINGS = 80


def power_against(factor: float, counts: Counts, claim: Claim, confidence: float) -> float:
    """Return about the probability of a refutation if the true level were `factor` times the claim.

    The event keeps its probability on the data set where it is likely; on the other it has the
    least one that the true level allows. Normal approximation.

    Parameters
    ----------
    factor
        True level over the claimed one, above 1.
    counts
        Of the event; of them only x/n and the numbers of runs are used.
    claim
        The claim.
    confidence
        Of the test.
    """
    p = (counts.x + 0.5) / (counts.n + 1)
    q = _least(claim.at(factor * claim.level), p)
    z = float(special.ndtri(confidence))
    border = float(claim.most(np.array([q]))[0])
    gap = p - border
    slope = (float(claim.most(np.array([q * 1.001 + 1e-12]))[0]) - border) / (q * 0.001 + 1e-12)
    spread = math.sqrt(p * (1 - p) / counts.n + slope**2 * q * (1 - q) / counts.m + 1e-300)
    return float(special.ndtr(gap / spread - z))


def _least(claim: Claim, p: float) -> float:
    """Return the least q for which the claim allows p."""
    low, high = 0.0, p
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if float(claim.most(np.array([middle]))[0]) < p:
            low = middle
        else:
            high = middle
    return high
