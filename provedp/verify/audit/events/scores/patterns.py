"""Scores of mixed outputs: which coordinates hold a marker, and what the others say then."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.scores.histograms import atoms_of, fit_merged, log_ratio
from provedp.verify.audit.events.scores.score import Bins, Score, outcomes
from provedp.verify.audit.targets.outputs import Batch

MOST = 64  # patterns that have a score of their own
FEWEST = 10  # runs in which a pattern must have come up
LOOKED_AT = 4000  # runs from which it is seen whether there are markers
MIXED = (0.02, 0.98)  # shares of markers among the numbers that make them worth a score


@dataclass(frozen=True)
class Patterns(Score):
    """The log-ratio of a pattern, and those of the coordinates that are free in it.

    Attributes
    ----------
    atoms
        For each coordinate, the values that are markers.
    names
        The patterns: tokens, and for each coordinate 0 if it is free, the number of its marker
        from 1 on, or −1 if it is missing.
    constants
        The log-ratios of their frequencies; other patterns have 0.
    edges, values
        For each pattern and coordinate, as of `Bins`.
    """

    kind: ClassVar[str] = "patterns"
    atoms: tuple[tuple[float, ...], ...]
    names: tuple[str, ...]
    constants: tuple[float, ...]
    edges: tuple[tuple[tuple[float, ...], ...], ...]
    values: tuple[tuple[tuple[float, ...], ...], ...]

    def of(self, batch: Batch) -> Floats:
        """Return the sums."""
        total = np.zeros(len(batch))
        names, indices = outcomes(_marked(batch, self.atoms))
        known = {name: index for index, name in enumerate(self.names)}
        for index, name in enumerate(names):
            if name in known:
                rows = np.flatnonzero(indices == index)
                total[rows] = self._within(batch.rows(rows), known[name])
        return total

    def _within(self, batch: Batch, pattern: int) -> Floats:
        total = np.full(len(batch), self.constants[pattern])
        parts = zip(self.edges[pattern], self.values[pattern], strict=True)
        for index, (edges, values) in enumerate(parts):
            if edges:
                total += Bins(index, edges, values).of(batch)
        return total

    def words(self, threshold: float, above: bool) -> str:
        """Name the sum."""
        return (
            f"a learned log-ratio, given which of {len(self.names)} patterns of markers it is,"
            f" {'>=' if above else '<='} {threshold:.6g}"
        )


def has_patterns(batch: Batch) -> bool:
    """Return whether some numbers are markers or missing and others are not."""
    few = batch.rows(slice(0, LOOKED_AT))
    marks = _marked(few, _atoms(few, few)).numbers
    return bool(MIXED[0] < np.mean(marks != 0) < MIXED[1])


def fit_patterns(first: Batch, second: Batch) -> Patterns:
    """Return the log-ratios of the most frequent patterns and, merged, of numbers inside them."""
    atoms = _atoms(first, second)
    none = first.rows(slice(0)), second.rows(slice(0))
    names: dict[str, tuple[Batch, Batch]] = {}
    for name, rows in _by_pattern(first, atoms):
        names[name] = rows, none[1]
    for name, rows in _by_pattern(second, atoms):
        names[name] = names.get(name, none)[0], rows
    often = sorted(names, key=lambda name: -sum(map(len, names[name])))[:MOST]
    kept = [name for name in often if sum(map(len, names[name])) >= FEWEST]
    counts = np.array([[len(part) for part in names[name]] for name in kept], dtype=np.float64)
    ratios = log_ratio(counts.reshape(-1, 2).T, len(first), len(second))
    width = range(len(atoms))
    bins = [[_inside(*names[name], index) for index in width] for name in kept]
    return Patterns(
        atoms,
        tuple(kept),
        tuple(ratios.tolist()),
        tuple(tuple(part.edges for part in parts) for parts in bins),
        tuple(tuple(part.values for part in parts) for parts in bins),
    )


def _by_pattern(batch: Batch, atoms: tuple[tuple[float, ...], ...]) -> Iterator[tuple[str, Batch]]:
    """Yield each pattern and its runs."""
    names, indices = outcomes(_marked(batch, atoms))
    for index, name in enumerate(names):
        yield name, batch.rows(indices == index)


def _inside(first: Batch, second: Batch, index: int) -> Bins:
    """Return the log-ratios of a coordinate in one pattern, if it came up on both data sets."""
    if min(len(first), len(second)) == 0:
        return Bins(index, (), (0.0,), False)
    return fit_merged(first, second, index)


def _atoms(first: Batch, second: Batch) -> tuple[tuple[float, ...], ...]:
    width = max(first.numbers.shape[1], second.numbers.shape[1])
    atoms = []
    for index in range(width):
        parts = [b.numbers[:, index] for b in (first, second) if index < b.numbers.shape[1]]
        atoms.append(tuple(atoms_of(np.concatenate(parts)).tolist()))
    return tuple(atoms)


def _marked(batch: Batch, atoms: tuple[tuple[float, ...], ...]) -> Batch:
    """Return outputs with 0 for free numbers, numbers for markers and −1 for missing ones."""
    marks = np.full((len(batch), len(atoms)), -1.0)
    for index, values in enumerate(atoms[: batch.numbers.shape[1]]):
        column = batch.numbers[:, index]
        marks[:, index] = np.where(np.isnan(column), -1.0, 0.0)
        for number, value in enumerate(values, start=1):
            marks[column == value, index] = number
    return Batch(marks, batch.codes, batch.tokens)
