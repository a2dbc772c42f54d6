"""Which features tell two data sets apart, judged by runs that are learned from."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.features.description import (
    COUNTED,
    OF_GROUPS,
    QUESTIONS,
    SPECIAL,
    Description,
    Feature,
    argument_of,
    counts,
    special,
)
from provedp.verify.audit.events.features.reading import describe
from provedp.verify.audit.targets.outputs import Batch

RUNS = 4000  # on each data set that are looked at
MOST = 40  # features that are kept
FEWEST = 3  # runs in which something must come up
LISTED_RUNS = 500  # per token whose elements with numbers are listed
COLUMNS = 256  # of a sequence of numbers that are looked at one by one
LARGEST = 1e100


@dataclass
class Moments:
    """Of a feature on one data set: runs that have it, the sum, the sum of squares."""

    runs: float = 0.0
    sum: float = 0.0
    squares: float = 0.0

    def add(self, values: Floats | float, runs: int) -> None:
        """Add the values of so many runs, or one value that all of them have."""
        if isinstance(values, float):
            value = min(max(values, -LARGEST), LARGEST) if values == values else 0.0
            self.runs += runs
            self.sum += runs * value
            self.squares += runs * value * value
            return
        known = np.clip(values[~np.isnan(values)], -LARGEST, LARGEST)
        self.runs += len(known)
        self.sum += float(known.sum())
        self.squares += float((known * known).sum())

    def completed(self, runs: int) -> "Moments":
        """Return the same with 0 for the runs that do not have it."""
        return Moments(runs, self.sum, self.squares)

    @property
    def mean(self) -> float:
        """The mean."""
        return self.sum / max(self.runs, 1)

    @property
    def variance(self) -> float:
        """The variance."""
        return max(0.0, self.squares / max(self.runs, 1) - self.mean**2)


Table = dict[Feature, tuple[Moments, Moments]]


def by_token(batch: Batch) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Yield the tokens of a batch, and the runs that have each."""
    order = np.argsort(batch.codes, kind="stable")
    starts = np.flatnonzero(np.diff(batch.codes[order], prepend=-1))
    for rows in np.split(order, starts[1:]) if len(order) else []:
        yield batch.tokens[batch.codes[rows[0]]], rows


def telling_features(first: Batch, second: Batch) -> tuple[Feature, ...]:
    """Return the features whose laws differ most, judged by presence, mean and variance."""
    few = first.rows(slice(0, RUNS)), second.rows(slice(0, RUNS))
    table: Table = {}
    for side, batch in enumerate(few):
        for token, rows in by_token(batch):
            _add(table, side, describe(token), batch.numbers[rows])
    _add_offsets(table, few)
    runs = len(few[0]), len(few[1])
    scored: dict[tuple[float, ...], tuple[float, Feature]] = {}
    for feature, (own, other) in table.items():
        if own.runs + other.runs >= FEWEST:
            key = _key(own, other, feature[0] in COUNTED, runs)
            scored.setdefault(key, (_distance(own, other, feature, runs), feature))
    best = sorted(scored.values(), key=lambda each: (-each[0], each[1][0] not in QUESTIONS))
    return tuple(feature for distance, feature in best[:MOST] if distance > 0)


def _key(own: Moments, other: Moments, counted: bool, runs: tuple[int, int]) -> tuple[float, ...]:
    """Return what two features have in common that say the same: of these one is kept."""
    values = (own.runs, own.sum, own.squares, other.runs, other.sum, other.squares)
    return (*values, float(counted))


def _add(table: Table, side: int, found: Description, numbers: Floats) -> None:
    runs = len(numbers)
    for feature, value in found.constants.items():
        _moments(table, feature, side).add(value, runs)
    for feature in list(found.columns)[:COLUMNS]:
        values = numbers[:, found.columns[feature]]
        _moments(table, feature, side).add(values, runs)
        if not np.isfinite(values).all() or np.any((values == 0) & np.signbit(values)):
            for kind in SPECIAL:
                marks = special(kind, values)
                if marks.any():
                    _moments(table, (kind, feature[1], ""), side).add(marks[marks > 0], runs)
    for path in found.groups:
        for kind in OF_GROUPS:
            _moments(table, (kind, path, ""), side).add(found.of((kind, path, ""), numbers), runs)
    for path, items in found.items.items():
        some = numbers[:LISTED_RUNS]
        listed = Counter(
            argument_of(item.token, row[list(item.columns)].tolist())
            for row in some
            for item in items
        )
        for argument, times in listed.most_common(COLUMNS):
            if times >= FEWEST:
                values = counts(items, argument, numbers)
                moments = _moments(table, ("count", path, argument), side)
                moments.add(values[values > 0], runs)


def _add_offsets(table: Table, batches: tuple[Batch, Batch]) -> None:
    """Add the distances of integers that are not exact as floats from one of them."""
    centres: dict[str, float] = {}
    for side, batch in enumerate(batches):
        for token, rows in by_token(batch):
            found = describe(token) if '"long"' in token else Description()
            for path in found.rests:
                near = float(batch.numbers[rows[0], found.columns["value", path, ""]])
                feature = ("offset", path, repr(centres.setdefault(path, near)))
                if math.isfinite(near):
                    _moments(table, feature, side).add(
                        found.of(feature, batch.numbers[rows]), len(rows)
                    )


def _moments(table: Table, feature: Feature, side: int) -> Moments:
    return table.setdefault(feature, (Moments(), Moments()))[side]


def _distance(own: Moments, other: Moments, feature: Feature, runs: tuple[int, int]) -> float:
    """Return the greatest of some differences, in standard errors."""
    n, m = max(runs[0], 1), max(runs[1], 1)
    present = _gap(own.runs / n, other.runs / m, *_shares(own.runs + other.runs, n, m))
    if feature[0] in COUNTED:
        own, other = own.completed(n), other.completed(m)
    if min(own.runs, other.runs) < FEWEST:
        return present
    means = _gap(own.mean, other.mean, own.variance / own.runs, other.variance / other.runs)
    spreads = own.variance, other.variance
    errors = [2 * x * x / moments.runs for x, moments in zip(spreads, (own, other), strict=True)]
    return max(present, means, _gap(*spreads, *errors))


def _shares(total: float, n: int, m: int) -> tuple[float, float]:
    """Return the variances of two shares that are alike."""
    share = total / (n + m)
    return max(share * (1 - share), 0.0) / n, max(share * (1 - share), 0.0) / m


def _gap(a: float, b: float, variance: float, other: float) -> float:
    error = math.sqrt(variance + other)
    if not math.isfinite(error) or a == b:
        return 0.0
    return abs(a - b) / error if error > 0 else math.inf
