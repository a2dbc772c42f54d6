"""Pairs of data sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Pair:
    """Two data sets that the claim calls adjacent."""

    first: Any
    second: Any
    name: str = ""


def as_pairs(given: Any) -> list[Pair]:
    """Return one pair (first, second), a `Pair`, or a sequence of these, as a list.

    A tuple of two is one pair; a list is a list of pairs.

    >>> as_pairs((0, 1))
    [Pair(first=0, second=1, name='')]
    """
    if isinstance(given, Pair):
        return [given]
    if isinstance(given, tuple) and len(given) == 2:
        return [Pair(*given)]
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) == 0:
        raise ValueError(
            "The 'pairs' parameter must be a tuple (first, second) or a list of them."
            f" Got {given!r} instead."
        )
    return [pair if isinstance(pair, Pair) else Pair(*pair) for pair in given]


def listed_data(pairs: Sequence[Pair]) -> tuple[Any, ...]:
    """Return all data sets, those of pair j at 2j and 2j + 1."""
    return tuple(data for pair in pairs for data in (pair.first, pair.second))
