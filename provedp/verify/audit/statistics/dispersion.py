"""Whether groups of runs are as alike as independent runs of one law are.

A table has a row for each group and a column for each kind of outcome. Given the shares of all
rows together, Pearson's X² has known first moments; its law is taken to be a gamma law with these.
Groups may be as small as a run: only the sum over all of them has to be near to such a law.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from provedp.theory.arrays import Floats

Integers = NDArray[np.intp]

LEAST_SUM = 10.0  # expected runs of a column; rarer ones are joined
LEAST_MEAN = 2.0  # expected X² below which nothing is tested
LEAST_LOG_MASS = -30.0  # of the most even table, above which the lower tail is not tested
BINS = 8


def dispersion_p_values(*tables: Integers) -> tuple[float, float]:
    """Return the p-values of too much and of too little difference between the rows of tables.

    Parameters
    ----------
    tables
        Of shape (groups, kinds): how many runs of each group are of each kind. The groups of one
        table have a law in common.

    Returns
    -------
    Upper and lower tail probabilities; (1, 1) if there is too little to compare. They are about
    right where counts are large, and too large where they are small.

    >>> alike, apart = np.full((50, 2), 50), np.array([[90, 10], [10, 90]] * 10)
    >>> dispersion_p_values(apart)[0] < 1e-100, dispersion_p_values(alike)[1] < 1e-10
    (True, True)
    """
    parts = [part for part in map(_part, tables) if part is not None]
    if not parts:
        return 1.0, 1.0
    statistic, mean, variance, third, log_mass = (sum(each) for each in zip(*parts, strict=True))
    if mean < LEAST_MEAN and max(map(len, tables)) > 2:
        return 1.0, 1.0
    below = float(special.gammainc(mean**2 / variance, statistic * mean / variance))
    if log_mass > LEAST_LOG_MASS:
        below = 1.0  # counts this small may well be as even as they can be
    shape = 4 * variance**3 / third**2
    at = shape + math.sqrt(shape) * (statistic - mean) / math.sqrt(variance)
    return float(special.gammaincc(shape, max(at, 0.0))), below


def _part(table: Integers) -> tuple[float, float, float, float, float] | None:
    """Return X² of a table, its moments, and the log-mass of the most even one."""
    table = np.asarray(table)
    table = _joined(table[table.sum(axis=1) > 0])
    rows, kinds = table.shape
    if rows < 2 or kinds < 2:
        return None
    sizes, sums = table.sum(axis=1, dtype=float), table.sum(axis=0, dtype=float)
    total = float(sizes.sum())
    expected = np.outer(sizes, sums) / total
    statistic = float(np.sum((table - expected) ** 2 / expected))
    return statistic, *_moments(sizes, sums / total), _log_mass(sizes, sums / total)


def _joined(table: Integers) -> Integers:
    """Join columns that are rare, until none is or there are only two."""
    table = table[:, np.argsort(table.sum(axis=0), kind="stable")]
    while table.shape[1] > 2 and table[:, 0].sum() < LEAST_SUM:
        table = np.column_stack([table[:, 0] + table[:, 1], table[:, 2:]])
        table = table[:, np.argsort(table.sum(axis=0), kind="stable")]
    return table if table[:, 0].sum() >= LEAST_SUM else table[:, :0]


def _log_mass(sizes: Floats, shares: Floats) -> float:
    """Return about the logarithm of the probability that each count is the one expected."""
    spreads = np.sqrt(np.outer(sizes, shares * (1 - shares)))
    rest = np.log(np.maximum(1.0, math.sqrt(2 * math.pi) * spreads))
    return -float(np.sum(rest)) * (len(shares) - 1) / len(shares) * (1 - 1 / len(sizes))


def _moments(sizes: Floats, shares: Floats) -> tuple[float, float, float]:
    """Return the mean and the second and third central moment of X².

    The mean and the variance are those of multinomial rows, each less the part that the estimated
    shares take away; the third moment adds what counts with Poisson's law would have.
    """
    rows, free, inverse = len(sizes), len(shares) - 1, float(np.sum(1 / shares))
    total = float(sizes.sum())
    degrees = (rows - 1) * free
    mean = degrees * total / (total - 1)
    kinds = len(shares)
    excess = (inverse - kinds**2 - 2 * kinds + 2) * (float(np.sum(1 / sizes)) - rows**2 / total)
    variance = max(2 * degrees + excess, 1e-2 * degrees)
    sparse = float(np.sum(1 / sizes)) * (inverse - kinds), float(np.sum(1 / sizes**2))
    third = 8 * degrees + 22 * sparse[0] + sparse[1] * float(np.sum(1 / shares**2))
    return mean, variance, max(third, 8 * degrees)


def binned(values: Floats) -> Integers:
    """Return the bin of each value: each different one if they are few, else between quantiles.

    >>> binned(np.array([-np.inf, 0.0, np.inf, -np.inf])).tolist()
    [0, 1, 2, 0]
    """
    different, indices = np.unique(values, return_inverse=True)
    if len(different) <= BINS:
        return np.asarray(indices)
    # Values that were found, not numbers between two of them, which infinite ones have not.
    edges = np.unique(np.sort(values)[len(values) * np.arange(1, BINS) // BINS])
    return np.asarray(np.searchsorted(edges, values, side="right"))


def table_of(groups: Integers, kinds: Integers) -> Integers:
    """Return how many runs of each group are of each kind, both numbered from 0."""
    columns = int(kinds.max(initial=0)) + 1
    flat = np.bincount(groups * columns + kinds, minlength=(int(groups.max()) + 1) * columns)
    return np.asarray(flat.reshape(-1, columns))


def shared_outcomes_p_value(outcomes: Integers, groups: Integers) -> float:
    """Return the p-value of outcomes that come again, but never in another group.

    If runs are independent, the second run with an outcome is in the group of the first one with
    the probability that two runs are; that all further ones are there, too, is no more likely.
    """
    order = np.argsort(outcomes, kind="stable")
    sorted_outcomes, sorted_groups = outcomes[order], groups[order]
    starts = np.flatnonzero(np.r_[True, sorted_outcomes[1:] != sorted_outcomes[:-1]])
    sizes = np.diff(np.r_[starts, len(order)])
    lowest = np.minimum.reduceat(sorted_groups, starts)
    highest = np.maximum.reduceat(sorted_groups, starts)
    repeated = sizes > 1
    together = int(np.count_nonzero(repeated & (lowest == highest)))
    if together == 0:
        return 1.0
    counts = np.bincount(groups).astype(float)
    runs = counts.sum()
    chance = float(np.sum(counts * (counts - 1)) / (runs * (runs - 1)))
    tried = int(np.count_nonzero(repeated))
    if chance >= 1:
        return 1.0
    return float(special.bdtrc(together - 1, tried, chance))
