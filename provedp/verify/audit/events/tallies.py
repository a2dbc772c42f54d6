"""What was counted in runs on both data sets of a pair."""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]


class Sides(NamedTuple):
    """How many runs have outputs that speak for the first data set, and for the second."""

    first: int
    second: int


class Marks(NamedTuple):
    """Which of some runs have outputs that speak for the first data set, and for the second."""

    first: Bools
    second: Bools


@dataclass(frozen=True)
class Tally:
    """How many runs there were, and how many of them have each of some events.

    Attributes
    ----------
    runs
        On the first and on the second data set.
    on_first, on_second
        Of the runs on that data set, those that speak for either, event by event.

    >>> one = Tally((3, 2), (Sides(2, 0),), (Sides(1, 1),))
    >>> (one + Tally((1, 0), (Sides(1, 0),), (Sides(0, 0),))).record()
    [4, 2, 3, 0, 1, 1]
    """

    runs: tuple[int, int]
    on_first: tuple[Sides, ...] = ()
    on_second: tuple[Sides, ...] = ()

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            (self.runs[0] + other.runs[0], self.runs[1] + other.runs[1]),
            _added(self.on_first, other.on_first),
            _added(self.on_second, other.on_second),
        )

    def record(self) -> list[int]:
        """Return it as JSON data: the runs, all counts on the first data set, all on the second."""
        return [*self.runs, *(count for sides in self.on_first + self.on_second for count in sides)]

    @classmethod
    def from_record(cls, record: Sequence[int]) -> Self:
        """Return what `record` wrote.

        Raises
        ------
        ValueError
            If it is something else.
        """
        n, m, *counts = map(operator.index, record)
        sides = [Sides(*each) for each in zip(counts[::2], counts[1::2], strict=True)]
        events, rest = divmod(len(sides), 2)
        if rest:
            raise ValueError(f"{len(sides)} counts are not those of two data sets")
        return cls((n, m), tuple(sides[:events]), tuple(sides[events:]))


def total(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of at least one tally."""
    return reduce(operator.add, tallies)


def _added(first: tuple[Sides, ...], second: tuple[Sides, ...]) -> tuple[Sides, ...]:
    return tuple(
        Sides(a.first + b.first, a.second + b.second) for a, b in zip(first, second, strict=True)
    )
