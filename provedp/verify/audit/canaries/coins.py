"""The coins of canaries: drawn before a training, and looked at before they are believed."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from provedp.theory.domain import check_argument, integers, reals
from provedp.verify.audit.events.tallies import Bools

PROBABILITY = reals(0, 1, open_low=True, open_high=True)
RARE = 1e-6  # chance below which what fair coins show is not believed
QUESTION = 0.1  # chance below which exactly half of the canaries is asked about


def canary_coins(canaries: int, seed: int | None = None, inclusion: float = 0.5) -> Bools:
    """Return a coin for each canary: whether it goes into the training data.

    Parameters
    ----------
    canaries
        How many.
    seed
        Of the coins; from the system unless given. A seed that others know is no coin.
    inclusion
        The probability of "in".

    >>> canary_coins(6, seed=1).tolist()
    [False, False, True, False, True, True]
    """
    check_argument("canary_coins", "canaries", integers(1), canaries)
    check_argument("canary_coins", "inclusion", PROBABILITY, inclusion)
    drawn: Bools = np.random.default_rng(seed).random(canaries) < inclusion
    return drawn


def coins_of(included: Any) -> Bools:
    """Return the coins as Booleans.

    Raises
    ------
    ValueError
        If one is neither 0 nor 1.
    """
    given: NDArray[Any] = np.asarray(included)
    if given.ndim != 1 or given.dtype.kind not in "biuf" or not np.isin(given, (0, 1)).all():
        raise ValueError("The 'included' parameter must be a vector of 0 and 1, one per canary.")
    return given.astype(bool)


def require_coins(included: Bools, inclusion: float) -> None:
    """Raise `ValueError` if these cannot have been independent coins of that probability."""
    size, heads = len(included), int(included.sum())
    if heads in (0, size):
        raise ValueError(
            f"All {size} canaries are {'in' if heads else 'out'}: one run shows nothing unless each"
            " is in by a coin of its own."
        )
    if size >= 20 and (p := stats.binomtest(heads, size, inclusion).pvalue) < RARE:
        raise ValueError(
            f"{heads} of {size} canaries are in, which coins of probability {inclusion:g} give once"
            f" in {1 / max(p, 1e-300):.0e}: say with which they were drawn (--inclusion)."
        )
    pattern = next(_patterns(included, inclusion), None)
    if pattern is not None:
        raise ValueError(
            f"The coins of {size} canaries {pattern}: were they drawn independently? One run shows"
            " nothing about coins that determine each other. Rows of one coin have one 'unit'; if"
            " one of each two was drawn, they are one canary: --inclusion pairs with a 'unit'."
        )


def warnings_of(included: Bools, inclusion: float) -> list[str]:
    """Return what is strange about coins and may be chance."""
    size, heads = len(included), int(included.sum())
    if 2 * heads != size or inclusion != 0.5:
        return []
    chance = float(stats.binom.pmf(heads, size, 0.5))
    if chance > QUESTION:
        return []
    return [
        f"exactly half of the canaries are in (chance {chance:.2g}): half of a list drawn without"
        " replacement is no set of independent coins, and is not covered"
    ]


def _patterns(coins: Bools, inclusion: float) -> Iterator[str]:
    """Yield patterns that rule independent coins out."""
    size, half = len(coins), len(coins) // 2
    same = inclusion**2 + (1 - inclusion) ** 2
    few = math.ceil(math.log(RARE) / math.log(max(same, 1 - same)))  # agreements beyond chance
    exact = 2 * int(coins.sum()) == size and inclusion == 0.5
    if half >= few and size % 2 == 0:
        if np.all(coins[::2] != coins[1::2]):
            yield "have exactly one in of each two rows"
        if exact and np.all(coins[:half] == coins[0]):
            yield "are sorted, and exactly half are in"
        if np.all(coins[:half] != coins[half:]):
            yield "of the second half of the rows are those of the first half, turned over"
    for period in range(2, size - few - math.ceil(math.log2(size))):
        if np.array_equal(coins[period:], coins[:-period]) and len(set(coins[:period])) > 1:
            yield f"repeat after {period} rows"
            return
    changes = np.flatnonzero(coins[1:] != coins[:-1]) + 1
    block = math.gcd(size, *changes.tolist())
    if block > 1 and (1 / block) ** len(changes) < RARE:  # a sorted file has few changes
        yield f"come in blocks of {block} equal ones"
    equal = int(np.count_nonzero(coins[1::2] == coins[:-1:2]))
    if stats.binom.cdf(equal, len(coins[1::2]), same) < RARE:
        yield "alternate more than chance allows"
