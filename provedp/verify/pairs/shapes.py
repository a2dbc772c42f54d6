"""Records of other kinds than numbers, made from patterns of numbers: rows, texts, (X, y).

What a mechanism takes is not known beforehand, so that each pattern is offered in one shape after
the other until one is taken. Further ones would be data that the claim may not be about: the sum of
numbers in [0, 1] moves by 1, that of rows of two such numbers by 2.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from provedp.verify.pairs.adjacency import require_adjacent
from provedp.verify.pairs.pair import Pair, are_equal
from provedp.verify.pairs.patterns import known_patterns

RECORDS = ("replace-one", "add-remove")
WORDS = ("a", "b", "", "a much longer text, with a comma")

Shape = Callable[[list[float]], Any]


def shapes(adjacency: str, low: float | None, high: float | None) -> Iterator[list[Pair]]:
    """Yield the pairs of each shape, the most common shapes first.

    Parameters
    ----------
    adjacency
        As for `known_patterns`, or 'label'.
    low, high
        The range of a number in a record; both None if any number is a record.

    Raises
    ------
    ValueError
        If there are no patterns for this adjacency.
    """
    if adjacency == "label":
        ends = 0.0 if low is None else low, 1.0 if high is None else high
        yield _labels(_labelled(low, high), ends)
        yield _labels(lambda data: _tagged(data, ends[0]), ends)
        return
    numbers = known_patterns(adjacency, low, high)
    yield numbers
    yield _shaped(numbers, "array", _array, adjacency)
    if adjacency in RECORDS:
        yield _shaped(numbers, "rows", _rows, adjacency)
        yield _shaped(numbers, "table", _table, adjacency)
        yield _shaped(numbers, "(X, y)", _labelled(low, high), adjacency)
        yield _shaped(numbers, "texts", _texts(numbers), adjacency)


def _shaped(pairs: list[Pair], name: str, shape: Shape, adjacency: str) -> list[Pair]:
    """Return the pairs of lists of numbers in another shape, those that stay different."""
    found = []
    for pair in pairs:
        if not isinstance(pair.first, list):
            continue
        made = Pair(shape(pair.first), shape(pair.second), f"{name}: {pair.name}")
        if are_equal(made):
            continue
        require_adjacent(made.first, made.second, adjacency)
        found.append(made)
    return found


def _array(data: list[float]) -> Any:
    return np.array(data, dtype=np.float64)


def _rows(data: list[float]) -> list[list[float]]:
    return [[value, value] for value in data]


def _table(data: list[float]) -> Any:
    return np.array(_rows(data), dtype=np.float64).reshape(len(data), 2)


def _texts(pairs: list[Pair]) -> Shape:
    numbers = sorted(
        {value for pair in pairs for data in (pair.first, pair.second) for value in data}
    )
    words = {number: WORDS[index % len(WORDS)] for index, number in enumerate(numbers)}
    return lambda data: [words[value] for value in data]


def _labelled(low: float | None, high: float | None) -> Shape:
    """Return the shape (X, y): one feature, and a label that says in which half it is."""
    middle = ((0.0 if low is None else low) + (1.0 if high is None else high)) / 2

    def shape(data: list[float]) -> Any:
        features = np.array(data, dtype=np.float64).reshape(-1, 1)
        return features, (features[:, 0] > middle).astype(np.int64)

    return shape


def _tagged(data: list[float], least: float) -> list[list[Any]]:
    return [[value, int(value > least)] for value in data]


def _labels(shape: Shape, ends: tuple[float, float]) -> list[Pair]:
    """Return pairs of labelled data of which one label differs."""
    found = []
    for size in (2, 5):
        data = shape([ends[index % 2] for index in range(size)])
        other = shape([ends[index % 2] for index in range(size)])
        if isinstance(other, tuple):
            other[1][0] = 1 - other[1][0]
        else:
            other[0][-1] = 1 - other[0][-1]
        found.append(Pair(data, other, f"the first label of {size}"))
    return found
