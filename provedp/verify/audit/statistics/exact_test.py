"""An exact unconditional test of a privacy claim from the counts of an event, and its inversion.

Under the claim, P(A) ≤ h(Q(A)) with h concave and increasing (see `notions`). The p-value is the
greatest probability, over all (P(A), Q(A)) that the claim allows, of counts at least as extreme as
those found (Berger and Boos: over a confidence set of Q(A), whose error is added). Counts are
extreme in the order of the level that the lower end of P(A) and the upper end of Q(A) need. It does
not depend on the level tested, so that the p-value increases with that level and can be inverted.

Two designs:

- two samples: x of n runs on one data set and y of m on the other;
- folded: each run's data set is drawn by a fair coin, and a run is a success if its output is in
  the event of its own data set, a failure if in the other's. Averaging the claim over both
  directions gives P(success) ≤ h(P(failure)), because h is concave.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from provedp.theory.arrays import Floats
from provedp.theory.domain import Objects, check_argument, integers, reals
from provedp.verify.accounting.roots import root
from provedp.verify.notions.notions import PrivacyNotion

NUISANCE_SHARE = 0.01  # part of the level spent on the confidence set of the nuisance
NUISANCE = 1e-5  # that part of a p-value by itself
USUAL_ERROR = 0.05
ORDER_QUANTILE = 1.645 / math.sqrt(2)  # least one of the two ends that order the counts
CELLS = 256  # between the grid points of the nuisance, where the bound is attained or below
SPREADS = 6.5  # standard deviations beyond which the mass of a count is bounded as a whole
BLOCK = 20_000  # binomial tails that are computed at a time,
NEAR = 4  # their means at most about so many largest standard deviations apart
ROUNDING = 1 + 1e-8  # relative error of the binomial probabilities, with room to spare
INVERSE_ROUNDING = 1 + 1e-11  # that of the inverse of the beta function
UNDERFLOW = 1e-290
HIGHEST = 35.0  # levels beyond are not looked for
ATTEMPTS = 40  # p-values per bound, at most; the first of them by Newton's method
ACCURACY = 2e-4  # how much higher a bound might be, relative to it if it is above 1
NEWTON = 5
FEW = 200  # counts that are enough for a smooth p-value
CONFIDENCE = reals(0, 1, open_low=True, open_high=True)


@dataclass(frozen=True)
class Counts:
    """`x` of `n` and `y` of `m` runs; `folded`: x successes and y failures among n = m runs."""

    x: int
    n: int
    y: int
    m: int
    folded: bool = False

    def __post_init__(self) -> None:
        for name, count, runs in (("x", self.x, self.n), ("y", self.y, self.m)):
            check_argument("Counts", name, integers(0, runs), count)
            check_argument("Counts", "n" if name == "x" else "m", integers(1), runs)
        if self.folded and (self.n != self.m or self.x + self.y > self.n):
            raise ValueError(
                "Folded counts need one number of runs, at least as many as successes and failures."
                f" Got {self} instead."
            )


COUNTS = Objects("counts of an event", kinds=(Counts,))
NOTION = Objects("a notion of privacy", attributes=("level", "pure"))


def p_value(
    counts: Counts, claim: PrivacyNotion, share: float = NUISANCE, error: float = USUAL_ERROR
) -> float:
    """Return an upper bound on the probability, under the claim, of counts at least as extreme.

    Parameters
    ----------
    counts
        What was found.
    claim
        The null hypothesis.
    share
        The error of the confidence set of the nuisance, which is part of the p-value.
    error
        The level of the test that the order of the counts is made for; valid for all others.

    Returns
    -------
    A p-value, valid for all P(A) and Q(A): at most as small as u with probability at most u.

    >>> from provedp.verify.notions.notions import ApproximateDP
    >>> counts = Counts(600, 1000, 200, 1000)
    >>> p_value(counts, ApproximateDP(1.0)) < 0.1 < p_value(counts, ApproximateDP(1.1))
    True
    """
    check_argument("p_value", "counts", COUNTS, counts)
    check_argument("p_value", "claim", NOTION, claim)
    if counts.folded and claim.pure:
        informative, odds = counts.x + counts.y, math.exp(claim.level)
        return outward(upper_tail(counts.x, informative, odds / (1 + odds)), informative)
    order = _order(counts, claim, error)
    if order.level <= 0:
        return 1.0
    cells = _cells(counts, share)
    largest = float(np.max(order.tails(claim, cells[:-1], cells[1:])))
    return min(1.0, outward(largest, max(counts.n, counts.m)) + share)


def lower_bound(counts: Counts, claim: PrivacyNotion, confidence: float = 0.95) -> float:
    """Return a lower confidence bound on the level of the claim (ε at δ, μ, …); 0 says nothing.

    The claimed level itself is not used, so that the bound does not depend on it.

    Parameters
    ----------
    counts
        What was found.
    claim
        The notion, and δ or the order where it has one.
    confidence
        Of the bound; it is exceeded by the truth with at least this probability.

    Returns
    -------
    A level whose `p_value` was found to be at most 1 − confidence, and every lower one's is, too;
    some level that is 2·10⁻⁴ higher (relative to it above 1) has a greater p-value. So the bound
    increases with x and decreases with y, up to this error.

    Raises
    ------
    ValueError
        If the confidence is not between 0 and 1.

    >>> from provedp.verify.notions.notions import ApproximateDP
    >>> 0.98 < lower_bound(Counts(600, 1000, 200, 1000), ApproximateDP(1.0)) < math.log(3)
    True
    """
    check_argument("lower_bound", "counts", COUNTS, counts)
    check_argument("lower_bound", "claim", NOTION, claim)
    check_argument("lower_bound", "confidence", CONFIDENCE, confidence)
    alpha = 1 - confidence
    if counts.folded and claim.pure:
        return _conditional_bound(counts, alpha)
    share = NUISANCE_SHARE * alpha
    order = _order(counts, claim, alpha)
    if order.level <= 0:
        return 0.0
    level, slope = _approximate_level(order, claim, share, alpha - share)

    def excess(level: float) -> float:
        p = p_value(counts, claim.at(level), share, alpha)
        return normal_quantile(p) - normal_quantile(alpha)

    return _greatest_below(excess, level, slope)


def _greatest_below(excess: Callable[[float], float], guess: float, slope: float) -> float:
    """Return a level with an excess of at most 0, and `ACCURACY` below one with a greater one.

    The excess increases; its steps are small, or large where counts are few. Newton's method comes
    first, then halves of the interval that is left.
    """
    proven, failed, level = 0.0, math.inf, min(guess, HIGHEST)
    for attempt in range(ATTEMPTS):
        above = excess(level)
        if above <= 0:
            proven = max(proven, level)
        else:
            failed = min(failed, level)
        gap = ACCURACY * max(1.0, proven)
        if proven >= HIGHEST or failed - proven <= gap or failed == 0:
            break
        step = 1.1 * abs(above) / slope + gap / 2
        level += step if above <= 0 else -step
        if attempt >= NEWTON and failed < math.inf or not proven < level < failed:
            level = (proven + failed) / 2 if failed < math.inf else min(2 * proven + gap, HIGHEST)
        level = min(level, HIGHEST)
    return float(proven)


def clopper_pearson(x: int, n: int, alpha: float) -> tuple[float, float]:
    """Return the ends of the Clopper–Pearson interval with error `alpha` on each side."""
    low = float(special.betaincinv(x, n - x + 1, alpha)) if x > 0 else 0.0
    high = float(special.betaincinv(x + 1, n - x, 1 - alpha)) if x < n else 1.0
    return max(0.0, low / INVERSE_ROUNDING), min(1.0, high * INVERSE_ROUNDING)


@dataclass(frozen=True)
class RejectionRegion:
    """The counts that need at least a level: x ≥ `least` for each y; `counts` are near to it."""

    counts: Counts
    level: float
    y: Floats
    least: Floats
    logs: Floats

    def tails(self, claim: PrivacyNotion, low: Floats, high: Floats) -> Floats:
        """Bound their probability for all P(A) ≤ h(Q(A)), low ≤ Q(A) ≤ high, cell by cell.

        It increases with P(A) and decreases with Q(A), so that the corner bounds it.
        """
        p = claim.most(high)
        if self.counts.folded:
            p = np.minimum(p, 1 - low)
        spread, width = math.sqrt(self.counts.n), self.counts.n * float(np.ptp(p)) + 1
        step = max(1, int(min(BLOCK / (len(self.y) + spread), NEAR * spread / width * len(p))))
        parts = [
            self.probabilities(p[i : i + step], low[i : i + step]) for i in range(0, len(low), step)
        ]
        return np.concatenate(parts)

    def probabilities(self, p: Floats, q: Floats) -> Floats:
        """Return its probability where P(A) = p and Q(A) = q, at points that are near together."""
        c = self.counts
        spreads = SPREADS * np.sqrt(c.m * q * (1 - q)) + 12
        ends = [float(np.min(c.m * q - spreads)), float(np.max(c.m * q + spreads))]
        first, last = np.searchsorted(self.y, ends)
        if first == last:
            return np.ones(len(q))
        y, least = self.y[None, first:last], self.least[None, first:last]
        q, p = q[:, None], p[:, None]
        logs = self.logs[None, first:last] + special.xlogy(y, q) + special.xlog1py(c.m - y, -q)
        tails = _rest_tails(least, c.n - y, p / (1 - q)) if c.folded else _tails(least[0], c.n, p)
        inside = np.sum(np.exp(logs) * tails, axis=1)
        below = special.bdtr(y[0, 0] - 1, c.m, q[:, 0]) if y[0, 0] > 0 else 0.0
        above = special.bdtrc(y[0, -1], c.m, q[:, 0]) if y[0, -1] < c.m else 0.0
        return np.asarray(inside + below + above)


def order_quantile(error: float) -> float:
    """Return the quantile of the two ends that order the counts, for a test of this level.

    With narrow intervals at small errors, a low y by chance beside a low x would count as extreme,
    and no counts would be refuted.
    """
    return max(ORDER_QUANTILE, -normal_quantile(error) / math.sqrt(2))


def _order(counts: Counts, claim: PrivacyNotion, error: float) -> RejectionRegion:
    """Return the region of counts at least as extreme; nothing in it if p̂ is below q̂."""
    z = order_quantile(error)
    p_low = wilson(counts.x, counts.n, -z)
    q_high = wilson(counts.y, counts.m, z)
    level = float(claim.least_level(np.array([p_low]), np.array([q_high]))[0])
    if level <= 0:
        return RejectionRegion(counts, 0.0, np.zeros(0), np.zeros(0), np.zeros(0))
    region = region_of_level(counts, claim, level, error)
    least = region.least.copy()
    here = region.y <= counts.y
    least[here] = np.minimum(least[here], counts.x)  # whatever the rounding
    return replace(region, least=least)


def region_of_level(
    counts: Counts, claim: PrivacyNotion, level: float, error: float
) -> RejectionRegion:
    """Return the counts whose ends need at least a level, for all y that are not far from `counts`.

    The ends are those of Wilson's intervals: the lower one of P(A), the upper one of Q(A).
    """
    z, n = order_quantile(error), counts.n
    low, high = clopper_pearson(counts.y, counts.m, 1e-13)
    spreads = [SPREADS * math.sqrt(counts.m * q * (1 - q)) + 12 for q in (low, high)]
    first = max(0, math.floor(counts.m * low - spreads[0]))
    last = min(counts.m, math.ceil(counts.m * high + spreads[1]))
    y = np.arange(first, last + 1, dtype=float)
    bound = claim.at(min(level, HIGHEST)).most(_wilson(y, counts.m, z))
    exact = n * bound + z * np.sqrt(n * bound * (1 - bound))
    least = np.ceil(exact - 1e-6 * math.sqrt(n))
    least[bound >= n / (n + z * z)] = n + 1
    least = np.maximum.accumulate(np.clip(least, 0, n + 1))
    return RejectionRegion(counts, level, y, least, _binomials(y, counts.m))


def nuisance_points(counts: Counts, share: float) -> Floats:
    """Return some points of the confidence set of Q(A): few where p-values are smooth in it."""
    return _cells(counts, share)[CELLS // 16 :: CELLS // (8 if counts.y > FEW else 64)]


def _cells(counts: Counts, share: float) -> Floats:
    """Return grid points from end to end of the confidence set of Q(A)."""
    low, high = clopper_pearson(counts.y, counts.m, share / 2)
    angles = np.linspace(math.asin(math.sqrt(low)), math.asin(math.sqrt(high)), CELLS + 1)
    cells: Floats = np.sin(angles) ** 2
    cells[0], cells[-1] = low, high
    return cells


def _approximate_level(
    order: RejectionRegion, claim: PrivacyNotion, share: float, alpha: float
) -> tuple[float, float]:
    """Return about the level where the p-value is alpha, and the slope of its normal quantile."""
    points = nuisance_points(order.counts, share)

    def excess(level: float) -> float:
        largest = float(np.max(order.tails(claim.at(level), points, points)))
        return normal_quantile(largest) - normal_quantile(alpha)

    if excess(0.0) >= 0:
        return 0.0, math.inf
    level = crossing(excess, order.level, 1e-5)
    step = 0.01 * level
    return level, max((excess(level) - excess(level - step)) / step, 1e-3)


def crossing(function: Callable[[float], float], guess: float, error: float) -> float:
    """Return where an increasing function of levels reaches 0, or an end of [0, HIGHEST]."""
    low, high = 0.8 * guess, min(1.1 * guess, HIGHEST)
    while low > 0 and function(low) > 0:
        low, high = (low / 2 if low > 1e-3 else 0.0), low
    while function(high) < 0:
        if high >= HIGHEST:
            return HIGHEST
        low, high = high, min(HIGHEST, 1.5 * high)
    return low if function(low) > 0 else root(function, low, high, xtol=error)


def normal_quantile(probability: float) -> float:
    """Return the normal quantile, in which p-values are nearly linear in the level."""
    return float(special.ndtri(min(max(probability, UNDERFLOW), 1 - 1e-16)))


def _conditional_bound(counts: Counts, alpha: float) -> float:
    """Bound ε from the successes among successes and failures: their odds are at most e^ε."""
    informative = counts.x + counts.y
    if informative == 0:
        return 0.0
    share = clopper_pearson(counts.x, informative, alpha)[0]
    return math.log(share / (1 - share)) if share > 0.5 else 0.0


def wilson(x: float, n: int, z: float) -> float:
    """Return the end of the Wilson interval with quantile z: the upper one if z > 0."""
    return float(_wilson(np.array([x], dtype=float), n, z)[0])


def _wilson(x: Floats, n: int, z: float) -> Floats:
    share = x / n
    spread = np.sqrt(np.maximum(share * (1 - share) / n + z * z / (4 * n * n), 0.0))
    end = (share + z * z / (2 * n) + z * spread) / (1 + z * z / n)
    return np.asarray(np.clip(end, 0.0, 1.0))


def _rest_tails(least: Floats, runs: Floats, chance: Floats) -> Floats:
    """Return P(X ≥ least) for X binomial, element by element."""
    usual = (least > 0) & (least <= runs)
    a, b = np.where(usual, least, 1.0), np.where(usual, runs - least + 1, 1.0)
    tails = special.betainc(a, b, np.minimum(1.0, chance))
    return np.where(usual, tails, (least <= 0).astype(np.float64))


def _tails(least: Floats, runs: int, chance: Floats) -> Floats:
    """Bound P(X ≥ least), X binomial, for a row of `least` and a column of near chances.

    The masses near the means are added up; those beyond are bounded as a whole.
    """
    spread = SPREADS * np.sqrt(runs * chance * (1 - chance)) + 12
    first = max(0, math.floor(np.min(runs * chance - spread)))
    last = min(runs, math.ceil(np.max(runs * chance + spread)))
    x = np.arange(first, last + 1, dtype=np.float64)
    masses = np.exp(
        _binomials(x, runs) + special.xlogy(x, chance) + special.xlog1py(runs - x, -chance)
    )
    beyond = special.bdtrc(last, runs, chance) if last < runs else np.zeros_like(chance)
    masses = np.hstack([masses, beyond, np.zeros_like(chance)])
    upper = np.cumsum(masses[:, ::-1], axis=1)[:, ::-1]
    upper[:, 0] = 1.0
    indices = np.clip(least - first, 0, last + 1 - first + (least > runs)).astype(np.intp)
    return np.asarray(upper[:, indices])


def _binomials(x: Floats, n: int) -> Floats:
    """Return the logarithms of the binomial coefficients."""
    return np.asarray(special.gammaln(n + 1) - special.gammaln(x + 1) - special.gammaln(n - x + 1))


def upper_tail(x: int, n: int, chance: float) -> float:
    """Return P(X ≥ x) for X binomial."""
    return float(_rest_tails(np.array([float(x)]), np.array([float(n)]), np.array([chance]))[0])


def outward(probability: float, runs: int) -> float:
    """Return an upper end of a probability computed from logarithms as large as runs · ln(runs)."""
    rounding = ROUNDING + 1e-14 * runs * math.log(runs + 1)
    return min(1.0, probability * rounding + UNDERFLOW)
