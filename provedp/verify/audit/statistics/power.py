"""How likely an audit would have refuted a claim that is wrong by a given factor."""

import math

import numpy as np
from scipy import special

from provedp.theory.domain import check_argument
from provedp.verify.audit.statistics.exact_test import (
    CONFIDENCE,
    HIGHEST,
    NUISANCE_SHARE,
    Counts,
    crossing,
    normal_quantile,
    nuisance_points,
    p_value,
    region_of_level,
)
from provedp.verify.notions.notions import PrivacyNotion

ROUNDS, POINTS = 9, 33  # of the search for the least probability
BORDER_ERROR = 1e-4  # of the level that counts need
USUAL_POWER = 0.9
FIRST_FACTOR, HALVINGS = 1.02, 5  # of the search for a factor
TOTALS = 400  # numbers of informative runs that are averaged over


def power_against(factor: float, counts: Counts, claim: PrivacyNotion, confidence: float) -> float:
    """Return about the probability of a refutation if the true level were `factor` times the claim.

    The event keeps its probability where it is likely; in the other data set it has the least one
    that the true level allows. The probability is summed from binomial laws over the counts that
    the test calls more extreme than a border. Only that border is approximate: it is that of the
    expected y, and its grid of the nuisance is coarse. Against simulations of the whole decision
    the error was below 0.03, rare events and δ > 0 included; folded claims on μ, ρ and divergences
    were simulated less often.

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
    if claim.level >= HIGHEST:
        return 0.0  # no bound is looked for there
    p = (counts.x + 0.5) / (counts.n + 1)
    q = _least(claim.at(min(factor * claim.level, HIGHEST)), p)
    if counts.folded:
        p, q = _within_one(p, q)
    if counts.folded and claim.pure:
        return _conditional_power(p, q, counts.n, claim.level, 1 - confidence)
    return _two_sample_power(p, q, counts, claim, 1 - confidence)


def found_from(
    counts: Counts, claim: PrivacyNotion, confidence: float, power: float = USUAL_POWER
) -> float:
    """Return about the least factor of the claim at which `power_against` reaches `power`.

    Infinite if no level that is looked for does. The claimed level must be above 0.
    """
    check_argument("found_from", "power", CONFIDENCE, power)

    def enough(factor: float) -> bool:
        return power_against(factor, counts, claim, confidence) >= power

    low, high = 1.0, FIRST_FACTOR
    while not enough(high):
        if claim.level * high >= HIGHEST:
            return math.inf
        low, high = high, high**2
    for _ in range(HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def rarest_event(claim: PrivacyNotion, runs: int, confidence: float) -> float:
    """Return the least probability of an event that could refute a claim with probability 1/2.

    The event has this probability on one data set and never happens on the other, which no (ε, 0)
    allows. It is the smaller one of what the two designs of the test need, of which that for events
    on one side is fit for it; 1 if there is none.

    Parameters
    ----------
    claim, confidence
        Of the test.
    runs
        That are counted, per data set.

    >>> from provedp.verify.notions.notions import ApproximateDP
    >>> round(rarest_event(ApproximateDP(1.0), 100_000, 0.95) * 100_000, 2)  # 7 against 0 refute
    6.67
    """
    found = [1.0]
    for folded, size in ((False, runs), (True, 2 * runs)):
        least = _least_count(claim, size, confidence, folded)
        if least <= runs:
            found.append(float(special.betaincinv(least, runs - least + 1, 0.5)))
    return min(found)


def _least_count(claim: PrivacyNotion, size: int, confidence: float, folded: bool) -> int:
    """Return the least x for which x against 0 of `size` refutes; size + 1 if none does."""
    alpha = 1 - confidence

    def refutes(x: int) -> bool:
        counts = Counts(x, size, 0, size, folded)
        return p_value(counts, claim, NUISANCE_SHARE * alpha, alpha) <= alpha

    low, high = 0, 1
    while not refutes(high):
        if high == size:
            return size + 1
        low, high = high, min(2 * high, size)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if refutes(middle) else (middle, high)
    return high


def _least(claim: PrivacyNotion, p: float) -> float:
    """Return the least q for which the claim allows p."""
    low, high = 0.0, p
    for _ in range(ROUNDS):
        points = np.linspace(low, high, POINTS)
        enough = claim.most(points) >= p
        index = int(np.argmax(enough)) if enough.any() else POINTS - 1
        low, high = float(points[max(0, index - 1)]), float(points[index])
    return high


def _within_one(p: float, q: float) -> tuple[float, float]:
    """Return probabilities of a success and a failure, which exclude each other."""
    total = max(1.0, p + q)
    return p / total, q / total


def _two_sample_power(
    p: float, q: float, counts: Counts, claim: PrivacyNotion, alpha: float
) -> float:
    """Return the probability of counts beyond the level at which the p-value is alpha."""
    share = NUISANCE_SHARE * alpha
    near = Counts(0, counts.n, round(counts.m * q), counts.m, counts.folded)
    points = nuisance_points(near, share)

    def shortage(level: float) -> float:
        tails = region_of_level(near, claim, level, alpha).tails(claim, points, points)
        return normal_quantile(alpha - share) - normal_quantile(float(np.max(tails)))

    border = crossing(shortage, max(claim.level, 0.05), BORDER_ERROR)
    border += 2 * BORDER_ERROR  # the p-value has steps: beyond the last one
    region = region_of_level(near, claim, border, alpha)
    return min(1.0, float(region.probabilities(np.array([p]), np.array([q]))[0]))


def _conditional_power(p: float, q: float, runs: int, epsilon: float, alpha: float) -> float:
    """Return the power of the binomial test of the successes among successes and failures."""
    slices = (np.arange(TOTALS) + 0.5) / TOTALS
    totals = np.ceil(special.bdtrik(slices, runs, min(1.0, p + q)))
    totals = np.clip(totals, 0, runs).astype(np.int64)
    some = np.maximum(totals, 1)
    most = np.ceil(special.bdtrik(1 - alpha, some, 1 / (1 + math.exp(-epsilon))))
    tails = special.bdtrc(most, some, p / (p + q))
    return float(np.mean(np.where(most < totals, tails, 0.0)))
