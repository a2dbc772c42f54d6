"""The thresholds of a score that promise the highest bound, from samples of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from provedp.theory.arrays import Floats
from provedp.verify.audit.statistics.exact_test import ORDER_QUANTILE
from provedp.verify.notions.notions import PrivacyNotion

PESSIMISM = (2.0, 0.8)  # standard errors by which estimates from the sample are discounted
HOPE = 1e-3
MANY = 160  # thresholds that are tried in each direction
FITS = 0.02  # p-value below which a fitted family is dropped
DEPTHS = np.array([3, 10, 30, 100])  # order statistics whose place in the tails is checked
LARGEST = 1e100  # beyond which no family is fitted
SOME = 200  # runs below which no family is fitted

Tail = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Thresholds:
    """S = {score ≥ high} and its mirror image {score ≤ low}; None leaves one out."""

    high: float | None
    low: float | None
    level: float


def best_thresholds(first: Floats, second: Floats, claim: PrivacyNotion, runs: int) -> Thresholds:
    """Return the thresholds with the highest bound to be expected from `runs` runs per data set.

    Parameters
    ----------
    first, second
        The scores of runs on the two data sets.
    claim
        Whose level is bounded.
    runs
        Runs per data set that will be counted.
    """
    choices = [_empirical(first, second, claim, runs)]
    choices += [_best(*model, None, claim, runs) for model in models(first, second)]
    return max(choices, key=lambda thresholds: thresholds.level)


def _empirical(first: Floats, second: Floats, claim: PrivacyNotion, runs: int) -> Thresholds:
    ordered = np.sort(first), np.sort(second)
    pooled = np.sort(np.concatenate(ordered), kind="stable")  # merges what is sorted
    size = len(pooled)
    deep = np.unique(np.geomspace(1, size / 4, 40).astype(int))
    indices = np.concatenate(
        [deep - 1, size - deep, np.linspace(0, size - 1, MANY - 80).astype(int)]
    )
    cuts = np.unique(pooled[indices])
    if len(cuts) > 1:
        cuts = np.unique(np.concatenate([cuts, [math.nextafter(ordered[0][-1], math.inf)]]))

    def above(sample: Floats) -> Floats:
        return np.asarray((len(sample) - np.searchsorted(sample, cuts)) / len(sample))

    def below(sample: Floats) -> Floats:
        return np.asarray(np.searchsorted(sample, cuts, side="right") / len(sample))

    sizes = (len(first), len(second))
    masses = [above(each) for each in ordered] + [below(each) for each in ordered]
    return _best(cuts, masses, sizes, claim, runs)


def models(first: Floats, second: Floats) -> list[tuple[Floats, list[Floats]]]:
    """Return thresholds and their masses under fitted families that the samples do not reject.

    The masses are those above a threshold on the first and the second data set, then those below.
    """
    if min(len(first), len(second)) < SOME or not all(map(_has_moments, (first, second))):
        return []
    normal = (np.mean(first), np.mean(second)), (_deviation(first) + _deviation(second)) / 2
    medians = np.median(first), np.median(second)
    laplace = medians, (_mean_deviation(first) + _mean_deviation(second)) / 2
    fitted = [_fitted(first, second, *normal, special.ndtr)]
    fitted.append(_fitted(first, second, *laplace, _laplace))
    return [model for model in fitted if model is not None]


def _fitted(
    first: Floats, second: Floats, centres: tuple[Any, Any], scale: float, lower: Tail
) -> tuple[Floats, list[Floats]] | None:
    """Return thresholds and masses under a family of location and scale, unless rejected."""
    if not scale > 0:
        return None
    moved = [(x - centre) / scale for x, centre in zip((first, second), centres, strict=True)]
    if not all(_fits_well(np.sort(x), lower) for x in moved):
        return None
    grid = np.linspace(min(centres) - 9 * scale, max(centres) + 9 * scale, 2 * MANY)
    cuts = np.unique(np.concatenate([grid, centres]))
    above = [lower((centre - cuts) / scale) for centre in centres]
    below = [lower((cuts - centre) / scale) for centre in centres]
    return cuts, above + below


def _fits_well(x: Floats, lower: Tail) -> bool:
    """Return whether neither the body nor the ends of an ordered sample speak against a law."""
    if _kolmogorov(lower(x)) < FITS:
        return False
    deep = DEPTHS[DEPTHS < len(x) / 4]
    low, high = special.gammaincinv(deep, FITS / 4), special.gammaincinv(deep, 1 - FITS / 4)
    ends = len(x) * lower(x[deep - 1]), len(x) * lower(-x[len(x) - deep])
    return all(bool(np.all((low <= end) & (end <= high))) for end in ends)


def _kolmogorov(uniform: Floats) -> float:
    """Return about the p-value of Kolmogorov's test of an ordered sample (Stephens 1970)."""
    n = len(uniform)
    steps = np.arange(n + 1) / n
    gap = max(float(np.max(steps[1:] - uniform)), float(np.max(uniform - steps[:-1])))
    return float(special.kolmogorov((math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n)) * gap))


def _has_moments(x: Floats) -> bool:
    """Return whether sums of squares of these numbers are finite."""
    return bool(np.all(np.abs(x) < LARGEST))


def _deviation(x: Floats) -> float:
    return float(np.std(x))


def _mean_deviation(x: Floats) -> float:
    return float(np.mean(np.abs(x - np.median(x))))


def _laplace(x: Floats) -> Floats:
    half = np.exp(-np.abs(x)) / 2
    return np.asarray(np.where(x < 0, half, 1 - half))


def _best(
    cuts: Floats,
    masses: list[Floats],
    sizes: tuple[int, int] | None,
    claim: PrivacyNotion,
    runs: int,
) -> Thresholds:
    """Choose among one-sided events of both directions and folded ones."""
    p_above, q_above, p_below, q_below = masses
    own, other = sizes or (0, 0)
    one = _level(p_above, q_above, own, other, claim, runs)
    two = _level(q_below, p_below, other, own, claim, runs)
    i, j = int(np.argmax(one)), int(np.argmax(two))
    choices = [
        Thresholds(float(cuts[i]), None, float(one[i])),
        Thresholds(None, float(cuts[j]), float(two[j])),
    ]
    success = (p_above[:, None] + q_below[None, :]) / 2
    failure = (q_above[:, None] + p_below[None, :]) / 2
    apart = cuts[:, None] > cuts[None, :]
    level = np.where(
        apart, _level(success, failure, own + other, own + other, claim, 2 * runs), 0.0
    )
    i, j = divmod(int(np.argmax(level)), level.shape[1])
    choices.append(Thresholds(float(cuts[i]), float(cuts[j]), float(level[i, j])))
    return max(choices, key=lambda choice: choice.level)


def _level(
    p: Floats, q: Floats, p_size: int, q_size: int, claim: PrivacyNotion, runs: int
) -> Floats:
    """Return the bound to be expected, with estimates discounted for the size of their sample.

    A small part of the bound with a lesser discount decides where the other is zero everywhere.
    """
    if not p_size:
        return _bound(p, q, claim, runs)
    careful, hopeful = (
        _bound(_end(p, p_size, -z), _end(q, q_size, z), claim, runs) for z in PESSIMISM
    )
    return np.asarray(careful + HOPE * hopeful)


def _bound(p: Floats, q: Floats, claim: PrivacyNotion, runs: int) -> Floats:
    z = ORDER_QUANTILE
    return np.asarray(claim.least_level(_end(p, runs, -z), _end(q, runs, z)))


def _end(share: Floats, n: int, z: float) -> Floats:
    spread = np.sqrt(np.maximum(share * (1 - share) / n + z * z / (4 * n * n), 0.0))
    end = (share + z * z / (2 * n) + z * spread) / (1 + z * z / n)
    return np.asarray(np.clip(end, 0.0, 1.0))
