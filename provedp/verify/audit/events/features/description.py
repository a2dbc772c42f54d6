"""What a token says about all outputs that have it, and which numbers of a row belong to what.

A feature is a kind, the path of a part of the output, and an argument: ("key", "output", "a") is
whether the output has the key a. It is constant given the token, or a function of the row.
"""

import json
from dataclasses import dataclass, field

import numpy as np

from provedp.theory.arrays import Floats

Feature = tuple[str, str, str]  # a kind, the path of a part of the output, an argument

COUNTED = {"type", "is", "key", "count", "at", "end", "char", "word", "word at", "shape", "normal",
           "nan", "inf", "-inf", "-0"}  # fmt: skip
QUESTIONS = {"type", "is", "key", "at", "end", "word at", "shape", "normal", "nan", "inf", "-inf",
             "-0"}  # fmt: skip
OF_GROUPS = ("sum", "max", "min", "distinct", "rises")
SPECIAL = ("nan", "inf", "-inf", "-0")
LARGEST = 1e300


@dataclass(frozen=True)
class Item:
    """An element of a sequence or a row of a table: its token, and the columns of its numbers."""

    token: str
    columns: tuple[int, ...]


@dataclass
class Description:
    """Features of all outputs of one token.

    Attributes
    ----------
    constants
        Those that the token decides.
    columns
        Those that are a number of the row, and which.
    groups
        For the path of a sequence of numbers, their columns.
    items
        For the path of a sequence or table, its elements that have numbers.
    rests
        For the path of an integer that is not exact as a float, what it has beyond that.
    """

    constants: dict[Feature, float] = field(default_factory=dict)
    columns: dict[Feature, int] = field(default_factory=dict)
    groups: dict[str, list[int]] = field(default_factory=dict)
    items: dict[str, list[Item]] = field(default_factory=dict)
    rests: dict[str, float] = field(default_factory=dict)

    def of(self, feature: Feature, numbers: Floats) -> Floats | float:
        """Return a feature of outputs whose numbers are given, one value for all if it is constant.

        What an output lacks is 0 times there, and missing (NaN) as a value.
        """
        constant = self.constants.get(feature)
        kind, path, argument = feature
        if kind == "count" and path in self.items:
            return (constant or 0.0) + counts(self.items[path], argument, numbers)
        if constant is not None:
            return constant
        if feature in self.columns:
            return np.asarray(numbers[:, self.columns[feature]])
        if kind == "offset":
            return self._offset(path, float(argument), numbers)
        if kind in SPECIAL and (column := self.columns.get(("value", path, ""))) is not None:
            return special(kind, numbers[:, column])
        if kind in OF_GROUPS and path in self.groups:
            return of_group(kind, numbers[:, self.groups[path]])
        return absence(feature)

    def _offset(self, path: str, centre: float, numbers: Floats) -> Floats | float:
        """Return an integer less another, exact if they are near: its place in their order."""
        if (column := self.columns.get(("value", path, ""))) is None:
            return np.nan
        near = np.clip(numbers[:, column], -LARGEST, LARGEST)
        return np.asarray((near - centre) + np.clip(self.rests.get(path, 0.0), -LARGEST, LARGEST))

    @property
    def is_constant(self) -> bool:
        """Whether the token decides all features."""
        return not (self.columns or self.groups or self.items)


def absence(feature: Feature) -> float:
    """Return what an output without this feature has: 0 times, or a missing value.

    >>> absence(("key", "output", "a")), absence(("value", "output", ""))
    (0.0, nan)
    """
    return 0.0 if feature[0] in COUNTED else np.nan


def special(kind: str, values: Floats) -> Floats:
    """Return which values are NaN, ∞, −∞ or −0.

    >>> special("-0", np.array([0.0, -0.0])).tolist()
    [0.0, 1.0]
    """
    if kind == "nan":
        marks = np.isnan(values)
    elif kind == "-0":
        marks = (values == 0) & np.signbit(values)
    else:
        marks = values == float(kind)
    return np.asarray(marks, dtype=np.float64)


def of_group(kind: str, values: Floats) -> Floats:
    """Return a function of the numbers of a sequence, row by row.

    >>> of_group("distinct", np.array([[1.0, 2.0, 1.0]])).tolist()
    [2.0]
    """
    if values.shape[1] == 0:
        return np.full(len(values), np.nan)
    known = np.clip(np.nan_to_num(values, nan=0.0), -LARGEST, LARGEST)
    if kind == "distinct":
        found = 1.0 + np.count_nonzero(np.diff(np.sort(known, 1), axis=1), axis=1)
    elif kind == "rises":
        found = np.count_nonzero(np.diff(known, axis=1) > 0, axis=1).astype(np.float64)
    elif kind == "sum":
        found = np.clip((known / values.shape[1]).sum(1) * values.shape[1], -LARGEST, LARGEST)
    else:
        found = known.max(1) if kind == "max" else known.min(1)
    return np.asarray(found)


def counts(items: list[Item], argument: str, numbers: Floats) -> Floats:
    """Return how often an element, given by `argument_of`, is among the items of each output."""
    token, wanted = json.loads(argument)
    total = np.zeros(len(numbers))
    for item in items:
        if item.token == token and len(item.columns) == len(wanted):
            total += (numbers[:, list(item.columns)] == wanted).all(1)
    return total


def argument_of(token: str, numbers: list[float]) -> str:
    r"""Return an element as the argument of a feature.

    >>> argument_of('"a"', [])
    '["\\"a\\"", []]'
    """
    return json.dumps([token, numbers])
