"""Scores: functions of an output whose extreme values make up an event.

A score is high where the first data set of a pair is more likely and low where the second is. Every
score can be written as JSON and read back, so that an event can be replayed elsewhere.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from provedp.theory.arrays import Floats
from provedp.verify.audit.targets.outputs import Batch
from provedp.verify.audit.targets.shown import shown
from provedp.verify.tagged_records import record_of

MISSING = np.finfo(np.float64).max  # stands for NaN, which equals nothing
SHOWN = 6  # outcomes of an event that are listed
LONGEST = 60  # characters of one


class Score(ABC):
    """A function of an output; each kind is a dataclass of JSON data, tuples and dicts of them."""

    kind: ClassVar[str]

    @abstractmethod
    def of(self, batch: Batch) -> Floats:
        """Return the score of each run."""

    @abstractmethod
    def words(self, threshold: float, above: bool) -> str:
        """Say which outputs have a score ≥ the threshold (≤ if not `above`)."""

    def record(self) -> dict[str, Any]:
        """Return the score as JSON data."""
        return record_of(self)


@dataclass(frozen=True)
class Coordinate(Score):
    """A number of the output, a missing one counting as −∞, or its negative."""

    kind: ClassVar[str] = "coordinate"
    index: int
    sign: int = 1
    single: bool = True

    def of(self, batch: Batch) -> Floats:
        """Return the number."""
        if self.index >= batch.numbers.shape[1]:
            return np.full(len(batch), -np.inf * self.sign)
        values = batch.numbers[:, self.index]
        return np.asarray(self.sign * np.where(np.isnan(values), -np.inf, values))

    def words(self, threshold: float, above: bool) -> str:
        """Say it as an inequality."""
        name = "output" if self.single else f"output[{self.index}]"
        upwards = above == (self.sign > 0)
        if not upwards and self.sign * threshold == -math.inf:
            return f"{name} is -inf, NaN or no number"
        return f"{name} {'>=' if upwards else '<='} {self.sign * threshold:.6g}"


@dataclass(frozen=True)
class Histogram(Score):
    """A number for each outcome that was seen, and one for all others."""

    kind: ClassVar[str] = "histogram"
    entries: dict[str, float]
    other: float

    def of(self, batch: Batch) -> Floats:
        """Return the entry of each outcome."""
        names, indices = outcomes(batch)
        values = np.array([self.entries.get(name, self.other) for name in names])
        scores: Floats = values[indices]
        return scores

    def words(self, threshold: float, above: bool) -> str:
        """List the outcomes, or those that are not among them."""

        def inside(value: float) -> bool:
            return value >= threshold if above else value <= threshold

        rest = inside(self.other)
        listed = [name for name, value in self.entries.items() if inside(value) != rest]
        if not listed:
            return "any output" if rest else "no output"
        several = f", … ({len(listed)} in all)" if len(listed) > SHOWN else ""
        outputs = ", ".join(cut(in_words(name)) for name in sorted(listed)[:SHOWN])
        return f"output {'not ' if rest else ''}in {{{outputs}{several}}}"


@dataclass(frozen=True)
class Bins(Score):
    """A number for each interval between consecutive edges of one coordinate."""

    kind: ClassVar[str] = "bins"
    index: int
    edges: tuple[float, ...]
    values: tuple[float, ...]
    single: bool = True

    def of(self, batch: Batch) -> Floats:
        """Return the value of the interval [edge, next edge); missing numbers are before all."""
        column = Coordinate(self.index).of(batch)
        return np.array(self.values)[np.searchsorted(self.edges, column, side="right")]

    def words(self, threshold: float, above: bool) -> str:
        """List the intervals."""
        values = np.array(self.values)
        inside = values >= threshold if above else values <= threshold
        ends = (-math.inf, *self.edges, math.inf)
        parts: list[list[float]] = []
        for low, high, chosen in zip(ends[:-1], ends[1:], inside, strict=True):
            if chosen and parts and parts[-1][1] == low:
                parts[-1][1] = high
            elif chosen:
                parts.append([low, high])
        name = "output" if self.single else f"output[{self.index}]"
        listed = " or ".join(_interval(low, high) for low, high in parts[:SHOWN])
        return f"{name} in {listed}" + (" or …" if len(parts) > SHOWN else "")


@dataclass(frozen=True)
class Additive(Score):
    """The sum of a number for the interval of each coordinate."""

    kind: ClassVar[str] = "additive"
    edges: tuple[tuple[float, ...], ...]
    values: tuple[tuple[float, ...], ...]

    def of(self, batch: Batch) -> Floats:
        """Return the sums."""
        total = np.zeros(len(batch))
        for index, (edges, values) in enumerate(zip(self.edges, self.values, strict=True)):
            total += Bins(index, edges, values).of(batch)
        return total

    def words(self, threshold: float, above: bool) -> str:
        """Name the sum."""
        comparison = ">=" if above else "<="
        return (
            f"the sum over {len(self.edges)} coordinates of learned log-ratios"
            f" {comparison} {threshold:.6g}"
        )


def _interval(low: float, high: float) -> str:
    if high == math.nextafter(low, math.inf):
        return f"{{{low:.6g}}}"
    return f"[{low:.6g}, {high:.6g})"


def outcomes(batch: Batch) -> tuple[list[str], NDArray[np.intp]]:
    """Return the different outputs as names, and for each run the index of its own."""
    firsts, indices = distinct(batch)
    chosen = batch.rows(firsts)
    named = zip(chosen.codes.tolist(), chosen.numbers.tolist(), strict=True)
    return [outcome(batch.tokens[code], numbers) for code, numbers in named], indices


def distinct(batch: Batch) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return a run for each different output, and for each run the index of its own output."""
    filled = np.where(np.isnan(batch.numbers), MISSING, batch.numbers)
    rows = [filled.view(np.int64)]  # so that 0 and -0 differ
    if len(batch.tokens) > 1 or filled.shape[1] == 0:
        rows.append(batch.codes[:, None].astype(np.int64))
    joint = np.ascontiguousarray(np.hstack(rows) if len(rows) > 1 else rows[0])
    width = joint.shape[1]
    keys = joint[:, 0] if width == 1 else joint.view(np.dtype((np.void, 8 * width)))[:, 0]
    _, firsts, indices = np.unique(keys, return_index=True, return_inverse=True)
    return firsts, indices.reshape(-1)


def outcome(token: str, numbers: list[float]) -> str:
    """Return the name of an output: its token and its numbers, without what pads them.

    >>> outcome('{"list":0,"n":2}', [1.0, 0.5]), outcome("null", [math.nan])
    ('{"list":0,"n":2} [1.0, 0.5]', 'null []')
    """
    last = len(numbers)
    while last and numbers[last - 1] != numbers[last - 1]:
        last -= 1
    return f"{token} {numbers[:last]!r}"


def cut(text: str) -> str:
    """Return the beginning of a text that is too long for a list.

    >>> cut("a" * 100)[-2:]
    'a…'
    """
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def in_words(name: str) -> str:
    """Return the output of a name legibly.

    >>> in_words('{"list":0,"n":2} [1.0, 0.5]')
    '[1.0, 0.5]'
    """
    token, _, numbers = name.rpartition(" [")
    return shown(token, [float(each) for each in numbers[:-1].split(",") if each])
