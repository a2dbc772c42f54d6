"""What r guesses about m coins, v of them right, say of the mechanism that was run once.

The number of guesses is fixed beforehand; which coins are guessed may depend on the output.

- (ε, δ): the exact bound, min(1, B + m δ B (1 − B)/(v b)) with B and b the tail and the mass of
  Bin(r, e^ε/(1 + e^ε)) at v: `provedp.theory.privacy.one_run_bound`, here in floats.
- other notions: the recursion over upper sets of `recursion`.
- several points of a profile: the least of the recursion and of the exact bounds at all points,
  each of which bounds the same chance, so that nothing is paid for their number.
- coins of another probability p: a guess "in" is right with odds e^ε p : 1 − p at most; with δ > 0
  the bound for increasing statistics, `slack`, is added.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from provedp.theory.arrays import Floats
from provedp.verify.audit.canaries.recursion import recursion_p_value, recursion_refutes
from provedp.verify.audit.statistics.exact_test import HIGHEST, outward, upper_tail
from provedp.verify.notions.notions import ApproximateDP, PrivacyNotion
from provedp.verify.notions.profile import ProfileDP

FAIR = 0.5
STEPS = 40  # halvings of an interval of levels
SERIES = 1 + 1e-9  # relative error of sums of up to 10⁶ ratios of binomial masses, with room


@dataclass(frozen=True)
class Guesses:
    """Guesses about coins.

    Parameters
    ----------
    canaries
        m, the coins that could have been guessed.
    said_in, said_out
        Guesses "in" and "out", r together.
    right
        v, those that were right.
    """

    canaries: int
    said_in: int
    said_out: int
    right: int

    def __post_init__(self) -> None:
        if not 0 <= self.right <= self.made <= self.canaries or min(self.made, self.canaries) < 1:
            raise ValueError(
                "There must be at least one guess, as many canaries as guesses, and as many guesses"
                f" as right ones. Got {self} instead."
            )

    @property
    def made(self) -> int:
        """How many."""
        return self.said_in + self.said_out

    def all_right(self) -> "Guesses":
        """Return the same guesses, all of them right."""
        return Guesses(self.canaries, self.said_in, self.said_out, self.made)


def p_value_of(guesses: Guesses, claim: PrivacyNotion, inclusion: float = FAIR) -> float:
    """Return an upper bound on the chance, under the claim, of so many right guesses.

    Raises
    ------
    ValueError
        If the notion has no bound for coins that are not fair.

    >>> round(p_value_of(Guesses(1000, 100, 100, 150), ApproximateDP(0.8, 1e-3)), 6)
    0.058645
    """
    require_notion(claim, inclusion)
    if guesses.right == 0:
        return 1.0
    if not isinstance(claim, ApproximateDP):
        p = recursion_p_value(guesses.canaries, guesses.made, guesses.right, claim)
        return min([p, *(p_value_of(guesses, each) for each in _points(claim))])
    if inclusion == FAIR:
        p = _exact(guesses, math.exp(claim.epsilon), claim.delta)
    else:
        p = _unequal_tail(guesses, claim.epsilon, inclusion)
        p += slack(guesses.canaries, claim, inclusion)
    return outward(p, guesses.made)


def require_notion(claim: PrivacyNotion, inclusion: float = FAIR) -> None:
    """Raise `ValueError` unless there is a bound from one run for a claim and these coins.

    For coins that are not fair there is one for claims of (ε, δ) alone.
    """
    if not isinstance(claim, ApproximateDP) and inclusion != FAIR:
        raise ValueError(
            f"A claim of {claim} needs coins of probability 1/2. Got inclusion {inclusion:g}."
        )


def slack(canaries: int, claim: ApproximateDP, inclusion: float = FAIR) -> float:
    """Return what δ adds to the chance of any increasing event of right guesses.

    m δ p (1 − p) (1/(p k + 1 − p) + 1/((1 − p) k + p)), which is m δ/(1 + k) for fair coins.
    """
    p, k = inclusion, math.exp(claim.epsilon)
    both = 1 / (p * k + 1 - p) + 1 / ((1 - p) * k + p)
    return canaries * claim.delta * p * (1 - p) * both


def is_refuted(
    guesses: Guesses, claim: PrivacyNotion, alpha: float, inclusion: float = FAIR
) -> bool:
    """Return whether the p-value is at most alpha; the recursion says it in one pass."""
    if not isinstance(claim, ApproximateDP) and guesses.right > 0:
        require_notion(claim, inclusion)
        if any(p_value_of(guesses, each) <= alpha for each in _points(claim)):
            return True
        return recursion_refutes(guesses.canaries, guesses.made, guesses.right, claim, alpha)
    return p_value_of(guesses, claim, inclusion) <= alpha


def _points(claim: PrivacyNotion) -> tuple[ApproximateDP, ...]:
    return claim.claims() if isinstance(claim, ProfileDP) else ()


def level_below(refuted: Callable[[float], bool]) -> float:
    """Return the end of the interval of levels from 0 on that are refuted; 0 says nothing.

    >>> round(level_below(lambda level: level / 10 <= 0.05), 9)
    0.5
    """
    if not refuted(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while refuted(high):
        if high >= HIGHEST:
            return HIGHEST
        low, high = high, min(2 * high, HIGHEST)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low


def lower_bound_of(
    guesses: Guesses, claim: PrivacyNotion, alpha: float, inclusion: float = FAIR
) -> float:
    """Return a lower confidence bound, with error alpha, on the level of the claim.

    >>> claim = ApproximateDP(1.0, 1e-5)
    >>> round(lower_bound_of(Guesses(1000, 100, 100, 150), claim, 0.05), 5)
    0.82106
    """
    return level_below(lambda level: is_refuted(guesses, claim.at(level), alpha, inclusion))


def _exact(guesses: Guesses, k: float, delta: float) -> float:
    """Return B + m δ B (1 − B)/(v b); one of the tails is divided by b term by term."""
    r, v = guesses.made, guesses.right
    tail = upper_tail(v, r, k / (1 + k))
    if delta == 0:
        return tail
    if v >= r * k / (1 + k):
        rest = float(special.betainc(r - v + 1, v, 1 / (1 + k)))  # 1 − B
        ratio = _upper_ratio(r, v, k) * rest
    else:
        ratio = _lower_ratio(r, v, k) * tail
    return min(1.0, tail + guesses.canaries * delta * ratio / v)


def _upper_ratio(r: int, v: int, k: float) -> float:
    """Return P[Bin ≥ v]/P[Bin = v], v no less than the mean."""
    i = np.arange(v, r, dtype=np.float64)
    return SERIES * (1 + float(np.sum(np.cumprod(k * (r - i) / (i + 1)))))


def _lower_ratio(r: int, v: int, k: float) -> float:
    """Return P[Bin < v]/P[Bin = v], v at most the mean."""
    i = np.arange(v, 0, -1, dtype=np.float64)
    return SERIES * float(np.sum(np.cumprod(i / (k * (r - i + 1)))))


def _unequal_tail(guesses: Guesses, epsilon: float, inclusion: float) -> float:
    """Return P[Bin(a, q_in) + Bin(b, q_out) ≥ v]."""
    odds = math.log(inclusion) - math.log1p(-inclusion)
    q_in, q_out = special.expit(epsilon + odds), special.expit(epsilon - odds)
    i = np.arange(guesses.said_in + 1, dtype=np.float64)
    masses = _masses(guesses.said_in, q_in)
    least, rest = guesses.right - i, guesses.said_out
    inside = (least > 0) & (least <= rest)
    a, b = np.where(inside, least, 1.0), np.where(inside, rest - least + 1, 1.0)
    tails = np.where(inside, special.betainc(a, b, q_out), least <= 0)
    return float(masses @ tails)


def _masses(n: int, chance: float) -> Floats:
    i = np.arange(n + 1, dtype=np.float64)
    logs = special.gammaln(n + 1) - special.gammaln(i + 1) - special.gammaln(n - i + 1)
    return np.asarray(np.exp(logs + special.xlogy(i, chance) + special.xlog1py(n - i, -chance)))
