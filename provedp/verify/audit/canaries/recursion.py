"""The recursion of Mahloujifar, Melis and Chaudhuri: right guesses under a trade-off curve.

Let p_i be the chance of i right guesses, R_i = Σ_{l ≥ i} (l/m) p_l and H_i = Σ_{l ≥ i} ((r − l)/m)
p_l. "Guess j is right, and more than i are" has a chance of at most g of what it has with the coin
of j turned over, where it reads "guess j is wrong, and i or more are right": averaged over j and
the coins, R_{i+1} ≤ g(H_i), g concave. So P(V ≥ v) = τ forces mass below v, level by level; if it
comes to more than there is, τ is too much. Only upper sets are used: the bound is not tight.
"""

import math
from collections.abc import Callable

from scipy import special

from provedp.verify.accounting.roots import root

SMALLEST = 1e-290
ROUNDING = 1e-7  # of log τ: the recursion in floats is stable, as the tests compare with balls


def recursion_p_value(canaries: int, guesses: int, right: int, mu: float) -> float:
    """Return an upper bound on the chance, under μ-Gaussian DP, of so many right guesses."""
    whole = guesses / canaries

    def excess(log_tau: float) -> float:
        return total(canaries, guesses, right, math.exp(log_tau), mu) - whole

    low, high = math.log(SMALLEST), 0.0
    if excess(high) < 0:
        return 1.0
    if excess(low) >= 0:
        return SMALLEST
    return min(1.0, math.exp(root(excess, low, high, xtol=ROUNDING / 4) + ROUNDING))


def recursion_refutes(canaries: int, guesses: int, right: int, mu: float, alpha: float) -> bool:
    """Return whether that p-value is at most alpha."""
    tau = alpha * math.exp(-ROUNDING)
    return total(canaries, guesses, right, tau, mu) >= guesses / canaries


def total(canaries: int, guesses: int, right: int, tau: float, mu: float) -> float:
    """Return the least R + H there is if P(V ≥ v) = τ; above r/m it cannot be."""
    inverse = _inverse(mu)
    upper, lower = tau * right / canaries, tau * (guesses - right) / canaries
    for i in range(right - 1, -1, -1):
        needed = max(lower, inverse(upper))
        if needed == lower:
            break  # nothing is forced further down, either
        upper = min(1.0, upper + i / (guesses - i) * (needed - lower))
        lower = needed
    return upper + lower


def _inverse(mu: float) -> Callable[[float], float]:
    """Return g⁻¹, g(x) = Φ(Φ⁻¹(x) + μ)."""
    return lambda x: float(special.ndtr(special.ndtri(x) - mu))
