"""The bit-level channel: how fine the grid is on which an output lies.

Noise that is right as a real number can be wrong as a float: the grid of the possible outputs
depends on the data, and the last bits of one output tell the data sets apart. What is looked at is
the exponent of the lowest bit that is set, the number of significant bits, and exact equality. The
size of an output plays no part, so that nothing of the channel of values is found again here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.scores.score import Score
from provedp.verify.audit.targets.outputs import Batch

MANTISSA = 53
ZERO = 2000  # exponent of the lowest bit of 0, which is on every grid
NOT_FINITE = 3000
PRIOR = 0.5
ATOM = 3  # repetitions that make a value an atom


def lowest_bits(x: Floats) -> NDArray[np.int64]:
    """Return the exponent of the lowest set bit of each number.

    >>> lowest_bits(np.array([1.0, 0.75, 6.0, 0.1, 0.0]))
    array([   0,   -2,    1,  -55, 2000])
    """
    return _bits(x)[0]


def _bits(x: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the exponents of the lowest bits, and the numbers of significant bits."""
    finite = np.isfinite(x)
    fraction, exponent = np.frexp(np.where(finite, x, 0.0))
    whole = np.abs(np.ldexp(fraction, MANTISSA)).astype(np.int64)
    zeros = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    low = exponent.astype(np.int64) - MANTISSA + zeros
    low = np.where(whole == 0, ZERO, low)
    length = np.where(whole == 0, 0, MANTISSA - zeros)
    return np.where(finite, low, NOT_FINITE), np.where(finite, length, NOT_FINITE)


@dataclass(frozen=True)
class LowestBit(Score):
    """A number for each exponent of the lowest bit (or number of bits) of a coordinate."""

    kind: ClassVar[str] = "lowest bit"
    index: int
    feature: str
    places: tuple[int, ...]
    values: tuple[float, ...]

    def of(self, batch: Batch) -> Floats:
        """Return the value at the nearest exponent that was seen, from below."""
        seen = bit_feature(batch, self.index, self.feature)
        where = np.searchsorted(self.places, seen, side="right") - 1
        scores: Floats = np.array(self.values)[np.maximum(where, 0)]
        return scores

    def words(self, threshold: float, above: bool) -> str:
        """List the exponents."""
        inside = [
            exponent
            for exponent, value in zip(self.places, self.values, strict=True)
            if (value >= threshold if above else value <= threshold)
        ]
        name = "the lowest set bit" if self.feature == "grid" else "the number of significant bits"
        what = "2^e, e" if self.feature == "grid" else "it"
        return f"{name} of output[{self.index}] is {what} in {_ranges(inside)}"


def bit_feature(batch: Batch, index: int, feature: str) -> NDArray[np.int64]:
    """Return the feature 'grid' or 'length' of one coordinate."""
    column = (
        batch.numbers[:, index] if index < batch.numbers.shape[1] else np.full(len(batch), np.nan)
    )
    low, length = _bits(column)
    return low if feature == "grid" else length


def fit_lowest_bit(first: Batch, second: Batch, index: int, feature: str) -> LowestBit:
    """Return the logarithms of the ratios of frequencies."""
    seen = [bit_feature(batch, index, feature) for batch in (first, second)]
    exponents = np.unique(np.concatenate(seen))
    counts = [np.bincount(np.searchsorted(exponents, x), minlength=len(exponents)) for x in seen]
    scale = len(first) / max(1, len(second))
    values = np.log((counts[0] + PRIOR) / (counts[1] * scale + PRIOR))
    return LowestBit(index, feature, tuple(exponents.tolist()), tuple(values.tolist()))


@dataclass(frozen=True)
class Atoms(Score):
    """1 on values of a coordinate that one data set repeats, −1 on those of the other, else 0."""

    kind: ClassVar[str] = "atoms"
    index: int
    own: tuple[float, ...]
    other: tuple[float, ...]

    def of(self, batch: Batch) -> Floats:
        """Return 1, −1 or 0."""
        if self.index >= batch.numbers.shape[1]:
            return np.zeros(len(batch))
        column = batch.numbers[:, self.index]
        mine, theirs = np.isin(column, self.own), np.isin(column, self.other)
        return np.asarray(mine.astype(np.float64) - theirs.astype(np.float64))

    def words(self, threshold: float, above: bool) -> str:
        """List the values."""
        values = self.own if above else self.other
        return f"output[{self.index}] is exactly one of {{{', '.join(map(repr, values[:6]))}}}"


def fit_atoms(first: Batch, second: Batch, index: int) -> Atoms:
    """Return the values that come up at least thrice, on the side where they do so more often."""
    counts: list[dict[float, int]] = []
    for batch in (first, second):
        values, repeated = np.unique(batch.numbers[:, index], return_counts=True)
        counts.append(dict(zip(values.tolist(), repeated.tolist(), strict=True)))
    mine = [v for v, c in counts[0].items() if c >= ATOM and c > 2 * counts[1].get(v, 0)]
    theirs = [v for v, c in counts[1].items() if c >= ATOM and c > 2 * counts[0].get(v, 0)]
    return Atoms(index, tuple(mine), tuple(theirs))


def _ranges(integers: list[int]) -> str:
    """Return integers as ranges.

    >>> _ranges([1, 2, 3, 7])
    '{1..3, 7}'
    """
    parts: list[list[int]] = []
    for integer in integers:
        if parts and integer == parts[-1][1] + 1:
            parts[-1][1] = integer
        else:
            parts.append([integer, integer])
    shown = [f"{low}" if low == high else f"{low}..{high}" for low, high in parts]
    return "{" + ", ".join(shown[:8]) + (", …" if len(shown) > 8 else "") + "}"


def features(width: int) -> Iterator[tuple[int, str]]:
    """Yield the coordinates and features to look at."""
    for index in range(width):
        yield index, "grid"
        yield index, "length"
