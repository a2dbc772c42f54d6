"""Several numbers of guesses at once: the k highest and k lowest scores, for nested k.

Given the scores, right guesses are below independent ones with chance e^ε/(1 + e^ε), jointly in
any order that the scores fix. So whatever increases with them is as large as found with at most the
chance that it has for independent guesses, which a recursion over nested counts gives for the
greatest of the lower bounds that each V_k has by itself: no union bound is paid. δ > 0 adds
`bounds.slack` to it.
"""

import numpy as np
from scipy import special, stats

from provedp.theory.arrays import Floats
from provedp.verify.audit.statistics.exact_test import clopper_pearson, outward, upper_tail

SHRINK = 0.8  # of one number of guesses to the next smaller one
MOST = 24  # numbers of guesses
FAIR = 0.5  # the chance of a right guess at level 0
NEAR = 1 + 1e-9  # tails as near as this count as equal, on the side that refutes less


def nested_sizes(canaries: int) -> tuple[int, ...]:
    """Return nested k, increasing up to half of the canaries.

    >>> nested_sizes(20)
    (1, 2, 3, 4, 5, 6, 8, 10)
    """
    sizes = {round(canaries // 2 * SHRINK**i) for i in range(MOST)}
    return tuple(sorted(k for k in sizes if k >= 1))


def nested_bounds(
    sizes: tuple[int, ...], right: tuple[int, ...], alone: float
) -> tuple[int, ...] | None:
    """Return for each k the right guesses that are as extreme as what was found, of 2k guesses.

    Extreme is a great lower bound on the level, by any k with an error of `alone`. That depends on
    no level that is tested, so the chance of what is as extreme increases with the level. None if
    no k says anything.
    """
    chances = [clopper_pearson(v, 2 * k, alone)[0] for k, v in zip(sizes, right, strict=True)]
    greatest = max(chances)
    if greatest <= FAIR:
        return None
    return tuple(_first_within(2 * k, greatest, alone * NEAR) for k in sizes)


def nested_p_value(sizes: tuple[int, ...], bounds: tuple[int, ...] | None, epsilon: float) -> float:
    """Return an upper bound on the chance that a bound is reached for any k, if δ = 0.

    Parameters
    ----------
    sizes
        The k, increasing: 2k guesses each.
    bounds
        What `nested_bounds` returned.
    epsilon
        The level.
    """
    if bounds is None:
        return 1.0
    chance = float(special.expit(epsilon))
    joint = _crossing([2 * k for k in sizes], list(bounds), chance)
    return outward(joint, 2 * sizes[-1])


def _first_within(guesses: int, chance: float, tail: float) -> int:
    """Return the least number of right guesses whose tail is at most this."""
    first = int(stats.binom.isf(tail, guesses, chance)) + 1
    while first > 1 and upper_tail(first - 1, guesses, chance) <= tail:
        first -= 1
    while first <= guesses and upper_tail(first, guesses, chance) > tail:
        first += 1
    return first


def _crossing(guesses: list[int], bounds: list[int], chance: float) -> float:
    """Return the chance that the right guesses reach a bound at any of the nested numbers."""
    crossed, masses, before = 0.0, np.ones(1), 0
    for made, bound in zip(guesses, bounds, strict=True):
        masses = np.convolve(masses, _masses(made - before, chance))
        crossed += float(np.sum(masses[bound:]))
        masses, before = masses[:bound], made
    return crossed


def _masses(n: int, chance: float) -> Floats:
    return np.asarray(stats.binom.pmf(np.arange(n + 1), n, chance))
