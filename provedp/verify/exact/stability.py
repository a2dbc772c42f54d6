"""Audits of maps without randomness: the sensitivity that is claimed against what occurs."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provedp.theory.domain import Objects, check_argument
from provedp.theory.numbers import rational
from provedp.verify.pairs.adjacency import records_of
from provedp.verify.pairs.pair import Pair

PAIRS = Objects("pairs of data sets", kinds=(Pair,))


@dataclass(frozen=True)
class StabilityResult:
    """What a stability audit found.

    Attributes
    ----------
    refuted
        Whether some pair moves the map further than claimed.
    claimed, found
        The sensitivity claimed, and the largest distance found, exact for integers and fractions.
    pair
        The pair for which it was found.
    pairs
        How many pairs were tried.
    """

    refuted: bool
    claimed: Any
    found: Any
    pair: Pair
    pairs: int


def audit_stability(
    function: Callable[[Any], Any],
    pairs: Sequence[Pair],
    claimed: Any,
    distance: Callable[[Any, Any], Any] | str = "l1",
) -> StabilityResult:
    """Compare the claimed sensitivity of a map without randomness with distances that occur.

    Parameters
    ----------
    function
        The map.
    pairs
        Adjacent inputs; to be searched, draw many (`drawn_pairs`, `known_patterns`).
    claimed
        The greatest distance that two outputs of adjacent inputs are said to have.
    distance
        'l1', 'l2', 'linf', 'symmetric' (records in one output only, counted), or a function. Except
        for l2, numbers count as exactly what they are: no rounding hides or makes an excess.

    Raises
    ------
    ValueError
        If no pair is given, or the map is not deterministic.

    >>> pairs = [Pair([1, 2, 3], [1, 2, 9]), Pair([5], [4])]
    >>> audit_stability(max, pairs, 5).found
    Fraction(6, 1)
    """
    if not isinstance(pairs, Sequence) or not pairs:
        raise ValueError("The 'pairs' parameter must hold at least one pair.")
    for pair in pairs:
        check_argument("audit_stability", "pairs", PAIRS, pair)
    measure = _measure(distance)
    moved = [_moved(function, measure, pair) for pair in pairs]
    worst = max(range(len(pairs)), key=moved.__getitem__)
    return StabilityResult(moved[worst] > claimed, claimed, moved[worst], pairs[worst], len(pairs))


def _measure(distance: Callable[[Any, Any], Any] | str) -> Callable[[Any, Any], Any]:
    if not isinstance(distance, str):
        return distance
    if distance not in DISTANCES:
        raise ValueError(
            f"The 'distance' parameter must be one of {', '.join(map(repr, DISTANCES))}, or a"
            f" function. Got {distance!r} instead."
        )
    return DISTANCES[distance]


def _moved(function: Callable[[Any], Any], measure: Callable[[Any, Any], Any], pair: Pair) -> Any:
    """Return the distance of the outputs on a pair."""
    first, second = function(pair.first), function(pair.second)
    if measure(first, function(pair.first)) != 0:
        raise ValueError("The map gives different outputs for the same input.")
    return measure(first, second)


def _numbers(value: Any) -> list[Fraction]:
    flat = np.ravel(np.asarray(value, dtype=object)).tolist()
    return [rational(x) for x in flat]


def _gaps(first: Any, second: Any) -> list[Fraction]:
    own, other = _numbers(first), _numbers(second)
    if len(own) != len(other):
        raise ValueError(f"The outputs have {len(own)} and {len(other)} numbers.")
    return [abs(a - b) for a, b in zip(own, other, strict=True)]


def _l1(first: Any, second: Any) -> Fraction:
    return sum(_gaps(first, second), Fraction(0))


def _l2(first: Any, second: Any) -> float:
    return math.sqrt(sum(gap * gap for gap in _gaps(first, second)))


def _linf(first: Any, second: Any) -> Fraction:
    return max(_gaps(first, second), default=Fraction(0))


def _symmetric(first: Any, second: Any) -> int:
    own, other = Counter(records_of(first)), Counter(records_of(second))
    return sum((own - other).values()) + sum((other - own).values())


DISTANCES: dict[str, Callable[[Any, Any], Any]] = {
    "l1": _l1,
    "l2": _l2,
    "linf": _linf,
    "symmetric": _symmetric,
}
