"""The recursion of Mahloujifar, Melis and Chaudhuri: right guesses under a trade-off curve.

Let p_i be the chance of i right guesses, R_i = Σ_{l ≥ i} (l/m) p_l and H_i = Σ_{l ≥ i} ((r − l)/m)
p_l. "Guess j is right, and more than i are" has a chance of at most g of what it has with the coin
of j turned over, where it reads "guess j is wrong, and i or more are right": averaged over j and
the coins, R_{i+1} ≤ g(H_i), g concave. So P(V ≥ v) = τ forces mass below v, level by level; if it
comes to more than there is, τ is too much. Only upper sets are used: the bound is not tight.
"""

import functools
import math
from collections.abc import Callable, Hashable
from typing import cast

import numpy as np
from scipy import special

from provedp.verify.accounting.roots import root
from provedp.verify.notions.notions import GaussianDP, PrivacyNotion
from provedp.verify.notions.profile import ProfileDP

SMALLEST = 1e-290
INWARD = 1 - 1e-8  # for the rounding of the slopes of the table
TABLE = np.geomspace(1e-14, 0.5, 1024)  # probabilities at which the curve of a claim is known
ROUNDING = 1e-7  # of log τ: the recursion in floats is stable, as the tests compare with balls


def recursion_p_value(canaries: int, guesses: int, right: int, claim: PrivacyNotion) -> float:
    """Return an upper bound on the chance, under a claim, of so many right guesses."""
    whole, inverse = guesses / canaries, inverse_of(claim)

    def excess(log_tau: float) -> float:
        return total(canaries, guesses, right, math.exp(log_tau), inverse) - whole

    low, high = math.log(SMALLEST), 0.0
    if excess(high) < 0:
        return 1.0
    if excess(low) >= 0:
        return SMALLEST
    return min(1.0, math.exp(root(excess, low, high, xtol=ROUNDING / 4) + ROUNDING))


def recursion_refutes(
    canaries: int, guesses: int, right: int, claim: PrivacyNotion, alpha: float
) -> bool:
    """Return whether that p-value is at most alpha."""
    tau = alpha * math.exp(-ROUNDING)
    return total(canaries, guesses, right, tau, inverse_of(claim)) >= guesses / canaries


def total(
    canaries: int, guesses: int, right: int, tau: float, inverse: Callable[[float], float]
) -> float:
    """Return the least R + H there is if P(V ≥ v) = τ; above r/m it cannot be."""
    upper, lower = tau * right / canaries, tau * (guesses - right) / canaries
    for i in range(right - 1, -1, -1):
        needed = max(lower, inverse(upper))
        if needed == lower:
            break  # nothing is forced further down, either
        upper = min(1.0, upper + i / (guesses - i) * (needed - lower))
        lower = needed
    return upper + lower


def inverse_of(claim: PrivacyNotion) -> Callable[[float], float]:
    """Return g⁻¹, or a lower bound on it, g(q) the most that an event of chance q may grow to.

    For a Gaussian g(q) = Φ(Φ⁻¹(q) + μ), for points of a profile the least of lines. The curves of
    Rényi claims are concave, too, since their (p, q) are a convex set: g⁻¹ is convex, and above the
    secants that end on either side of x.
    """
    if isinstance(claim, GaussianDP):
        return lambda x: float(special.ndtr(special.ndtri(x) - claim.mu))
    if isinstance(claim, ProfileDP):
        return claim.least_probability
    return _tabled(cast(Hashable, claim))


@functools.lru_cache(maxsize=16)
def _tabled(key: Hashable) -> Callable[[float], float]:
    """Return it from a table of the claim, which stays while its level is tried."""
    claim = cast(PrivacyNotion, key)
    places = np.concatenate(([0.0], TABLE, 1 - TABLE[-2::-1], [1.0]))
    grown = np.maximum.accumulate(claim.most(places))
    known = np.append(True, np.diff(grown) > 0)
    places, grown = places[known], grown[known]
    slopes = np.diff(places) / np.diff(grown)

    def inverse(x: float) -> float:
        j = min(max(int(np.searchsorted(grown, x)) - 1, 0), len(slopes) - 1)
        before = slopes[j - 1] if j > 0 else 0.0
        bounds = [places[j] + before * (x - grown[j])]
        if j + 1 < len(slopes):
            bounds.append(places[j + 1] - slopes[j + 1] * (grown[j + 1] - x))
        return float(max(bounds) * INWARD)

    return inverse
