"""Pairs to try when none is given: patterns on which mechanisms are known to fail; shrinking."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from provedp.theory.domain import Objects, check_argument
from provedp.verify.pairs.adjacency import (
    CHECKS,
    NORMS,
    kind_and_radius,
    radius_of,
    require_adjacent,
)
from provedp.verify.pairs.pair import Pair

SIZES = (1, 2, 5)  # vectors and numbers of records
FAR = 1e6  # a record outside every reasonable bound
TRIES = 200


PAIR = Objects("a pair of data sets", kinds=(Pair,))


def known_patterns(
    adjacency: str, low: float | None = None, high: float | None = None
) -> list[Pair]:
    """Return pairs of numbers or lists of numbers that are adjacent and known to be hard.

    All entries apart by one in the same or in alternating directions, one entry only, halves in
    opposite directions (vectors); an empty set, a constant one, one record at either end of the
    range, or far away if there is none (records); consecutive counts.

    Parameters
    ----------
    adjacency
        As in `require_adjacent`, except 'label' and 'any'.
    low, high
        The range of a record, in which all of them are; without one, most are in [0, 1] and some
        far outside.

    Raises
    ------
    ValueError
        If there are no patterns for this adjacency.

    >>> [pair.name for pair in known_patterns("neighbouring-counts")]
    ['counts 0 and 1', 'counts 1 and 2', 'counts 10 and 11']
    """
    kind, radius = kind_and_radius(adjacency)
    if kind == "neighbouring-counts":
        return [Pair(n, n + 1, f"counts {n} and {n + 1}") for n in (0, 1, 10)]
    if kind in NORMS:
        pairs = list(_vectors(NORMS[kind], radius_of(radius, adjacency)))
    elif kind in ("replace-one", "add-remove"):
        pairs = list(_record_sets(kind, low, high))
    else:
        raise ValueError(
            "The 'adjacency' parameter must be one of"
            f" {', '.join((*(name for name in CHECKS if name != 'label'), *NORMS))} for a search."
            f" Got {adjacency!r} instead."
        )
    for pair in pairs:
        require_adjacent(pair.first, pair.second, adjacency)
    return pairs


def _vectors(order: float, radius: float) -> Iterator[Pair]:
    yield Pair(0.0, radius, "a number")
    for size in SIZES[1:]:
        signs = {
            "all up": np.ones(size),
            "alternating": np.where(np.arange(size) % 2 == 0, 1.0, -1.0),
            "halves": np.where(np.arange(size) < size // 2, 1.0, -1.0),
            "one": np.eye(size)[0],
            "one up, rest down": np.where(np.arange(size) == 0, 1.0, -1.0),
        }
        for name, sign in signs.items():
            step = radius * sign / np.linalg.norm(sign, order)
            for base in (0.0, 1.0):
                start = np.full(size, base)
                yield Pair(start.tolist(), (start + step).tolist(), f"{name}, {size} from {base:g}")


def _record_sets(kind: str, least: float | None, most: float | None) -> Iterator[Pair]:
    low, high = 0.0 if least is None else least, 1.0 if most is None else most
    outside = (FAR, -FAR) if least is None and most is None else ()
    for size in SIZES:
        for fill in (low, high, (low + high) / 2):
            start = [fill] * size
            for value in (low, high, *outside):
                if kind == "add-remove":
                    yield Pair(start, [*start, value], f"{value:g} added to {size} of {fill:g}")
                elif value != fill:
                    changed = [value, *start[1:]]
                    yield Pair(start, changed, f"{value:g} for one of {size} of {fill:g}")
    if kind == "add-remove":
        yield Pair([], [low], "nobody, and one")
        yield Pair([], [high], "nobody, and one at the top")


def shrunk(
    pair: Pair,
    adjacency: str,
    fails: Callable[[Pair], bool],
    simple: tuple[float, float] = (0, 1),
) -> Pair:
    """Return a smaller adjacent pair that still fails: fewer records, rounder numbers.

    Parameters
    ----------
    pair
        One that fails.
    adjacency
        Which all pairs tried must have.
    fails
        Whether a pair fails; called at most 200 times.
    simple
        The numbers that others are replaced by; all that the pair holds is kept or one of them.
    """
    check_argument("shrunk", "pair", PAIR, pair)
    kind_and_radius(adjacency)
    tries = 0
    smaller_fails = True
    while smaller_fails and tries < TRIES:
        smaller_fails = False
        for smaller in _smaller(pair, simple):
            tries += 1
            if _adjacent(smaller, adjacency) and fails(smaller):
                pair, smaller_fails = smaller, True
                break
            if tries >= TRIES:
                break
    return pair


def _adjacent(pair: Pair, adjacency: str) -> bool:
    try:
        require_adjacent(pair.first, pair.second, adjacency)
    except ValueError:
        return False
    return bool(repr(pair.first) != repr(pair.second))


def _smaller(pair: Pair, simple: tuple[float, float]) -> Iterator[Pair]:
    """Yield pairs with one place left out of both, and with one number made simpler in both."""
    if isinstance(pair.first, list) and isinstance(pair.second, list):
        for index in range(min(len(pair.first), len(pair.second))):
            left = [copy.deepcopy(data) for data in (pair.first, pair.second)]
            for data in left:
                del data[index]
            yield Pair(left[0], left[1], "shrunk")
    for simpler in simple:
        yield from _simplified(pair, simpler, simple)


def _simplified(pair: Pair, value: float, simple: tuple[float, float]) -> Iterator[Pair]:
    if not (isinstance(pair.first, list) and isinstance(pair.second, list)):
        return
    for index in range(max(len(pair.first), len(pair.second))):
        sides = [copy.deepcopy(data) for data in (pair.first, pair.second)]
        changed = False
        for data in sides:
            if (
                index < len(data)
                and isinstance(data[index], (int, float))
                and _longer(data[index], value, simple)
            ):
                data[index] = type(data[index])(value)
                changed = True
        if changed:
            yield Pair(sides[0], sides[1], "shrunk")


def _longer(number: Any, value: float, simple: tuple[float, float]) -> bool:
    return bool(number not in simple or (value == simple[0] and number == simple[1]))
