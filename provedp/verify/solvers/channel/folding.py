"""Points of the program behind a channel, of which only half the rows need be kept.

If the channel reads the same backwards, averaging P with its mirror image costs nothing, so that
the last rows of P are the first ones, reversed.
"""

from dataclasses import dataclass

import numpy as np

from provedp.theory.arrays import Floats

__all__ = ["Approximation", "Folding", "Pair"]

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Approximation:
    """Floating-point points: P (M × M), y (M) and μ_abj by ordered pair (a, b), from 0."""

    mechanism: Floats
    weights: Floats
    multipliers: dict[Pair, Floats]


@dataclass(frozen=True)
class Folding:
    """Which rows of P are kept.

    Parameters
    ----------
    size
        M, the number of rows.
    rows
        How many are kept: all, or the first half, the middle one included.
    """

    size: int
    rows: int

    @classmethod
    def of(cls, size: int, *, mirrored: bool) -> "Folding":
        """Keep half of the rows if the channel is mirrored."""
        return cls(size, (size + 1) // 2 if mirrored else size)

    @property
    def pairs(self) -> list[Pair]:
        """The ordered pairs of neighbours whose constraints imply the others."""
        pairs = [pair for a in range(self.rows - 1) for pair in ((a, a + 1), (a + 1, a))]
        if self.rows == self.size:
            return pairs
        middle = (self.rows - 1, self.rows)
        # For even M the other order of the middle pair is its mirror image.
        return [*pairs, middle] if self.size % 2 == 0 else [*pairs, middle, middle[::-1]]

    def place(self, row: int) -> tuple[int, bool]:
        """Return the kept row that stands for a row, and whether it is read backwards."""
        return (row, False) if row < self.rows else (self.size - 1 - row, True)

    def unfolded(self, kept: Floats) -> Floats:
        """Return all rows of P."""
        return np.vstack([kept, kept[: self.size - self.rows][::-1, ::-1]])

    def approximation(
        self, kept: Floats, weights: Floats, multipliers: dict[Pair, Floats]
    ) -> Approximation:
        """Return whole points from the kept rows, their y and the μ of `pairs`."""
        whole = np.zeros(self.size)
        whole[: self.rows] = weights
        if self.rows == self.size:
            return Approximation(kept, whole, multipliers)
        return Approximation(
            self.unfolded(kept), (whole + whole[::-1]) / 2, self._averaged(multipliers)
        )

    def _averaged(self, multipliers: dict[Pair, Floats]) -> dict[Pair, Floats]:
        """Return the average of multipliers and their mirror image."""
        last = self.size - 1
        result: dict[Pair, Floats] = {}
        for (a, b), row in multipliers.items():
            for pair, values in (((a, b), row), ((last - a, last - b), row[::-1])):
                result[pair] = result.get(pair, np.zeros(self.size)) + values / 2
        return result
