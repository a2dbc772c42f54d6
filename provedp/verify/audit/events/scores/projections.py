"""Scores of wide outputs: their most telling coordinates and projections of all of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.scores.score import Score
from provedp.verify.audit.targets.outputs import Batch, batch_of_array

WIDE = 64  # numbers from which an output is looked at through projections
TOP = 24  # coordinates that are kept
PROJECTED = 4096  # coordinates, the most telling ones, that are projected
SOLVED = 512  # those among which correlations are allowed for
BLOCK = 1 << 20  # numbers that are looked at at once
LARGEST = 1e70  # of a number: variances have squares
CHANCE = 2.0  # standard errors below which a difference of means counts as 0
RIDGE = 1e-3
FIXED = ("sum", "sum of squares", "largest", "smallest")
PLACE = re.compile(r"output\[(\d+)\]")


@dataclass(frozen=True)
class Projected(Score):
    """A score of a few coordinates of a wide output, of projections and of its size.

    Attributes
    ----------
    top
        The coordinates.
    columns, weights
        Coordinates and their weights in each projection.
    inner
        The score of the vector of projections, sum, sum of squares, maximum and minimum of all
        numbers, and the coordinates `top`. Missing numbers count as 0.
    """

    kind: ClassVar[str] = "projected"
    top: tuple[int, ...]
    columns: tuple[int, ...]
    weights: tuple[tuple[float, ...], ...]
    inner: Score

    def of(self, batch: Batch) -> Floats:
        """Return the score of the projections."""
        return self.inner.of(Projection(self.top, self.columns, self.weights)(batch))

    def words(self, threshold: float, above: bool) -> str:
        """Say it with the names of the projections."""
        names = [f"projection {place} of {len(self.columns)} coordinates of output"
                 for place in range(len(self.weights))]  # fmt: skip
        names += [f"the {name} of output" for name in FIXED]
        names += [f"output[{place}]" for place in self.top]
        return PLACE.sub(lambda match: names[int(match[1])], self.inner.words(threshold, above))

    def record(self) -> dict[str, Any]:
        """Return the score as JSON data."""
        return {**super().record(), "inner": self.inner.record()}


@dataclass(frozen=True)
class Projection:
    """What makes short vectors of wide outputs, and scores of outputs from scores of such."""

    top: tuple[int, ...]
    columns: tuple[int, ...]
    weights: tuple[tuple[float, ...], ...]

    def __call__(self, batch: Batch) -> Batch:
        """Return the vectors."""
        width = batch.numbers.shape[1]
        weights = np.zeros((width, len(self.weights)))
        known = np.array([c < width for c in self.columns], dtype=bool)
        weights[np.array(self.columns, dtype=int)[known]] = np.array(self.weights).T[known]
        top = [place for place in self.top if place < width]
        table = np.full((len(batch), len(self.weights) + len(FIXED) + len(self.top)), np.nan)
        for rows, x in _blocks(batch):
            clean = _filled(x)
            sizes = (clean.sum(1), (clean * clean).sum(1), clean.max(1), clean.min(1))
            here = [clean @ weights, np.column_stack(sizes), x[:, top]]
            table[rows, : sum(part.shape[1] for part in here)] = np.hstack(here)
        return batch_of_array(np.clip(table, -LARGEST, LARGEST))

    def score(self, inner: Score) -> Score:
        """Return a score of vectors as one of outputs."""
        return Projected(self.top, self.columns, self.weights, inner)


def is_wide(first: Batch, second: Batch) -> bool:
    """Return whether outputs have so many numbers that they are looked at through projections."""
    return bool(min(first.numbers.shape[1], second.numbers.shape[1]) > WIDE)


def fit_projection(first: Batch, second: Batch) -> Projection:
    """Return the projection on the difference of means, with and without correlations."""
    width = min(first.numbers.shape[1], second.numbers.shape[1])
    (mean, variance), (other, other_variance) = (_moments(x, width) for x in (first, second))
    n, m = max(1, len(first)), max(1, len(second))
    error = np.sqrt(variance / n + other_variance / m)
    gap = mean - other
    telling = _ratio(np.abs(gap), error)
    spread = _ratio(
        np.abs(variance - other_variance), np.sqrt(2 * variance**2 / n + 2 * other_variance**2 / m)
    )
    order = np.argsort(-np.maximum(telling, spread), kind="stable")
    columns = np.sort(np.argsort(-telling, kind="stable")[:PROJECTED])
    within = (variance + other_variance)[columns] / 2
    straight = _ratio(gap[columns], within)
    weights = [straight, np.where(telling[columns] > CHANCE, straight, 0.0)]
    if len(columns) <= SOLVED and min(n, m) > len(columns):
        weights.append(_uncorrelated(first, second, columns, gap))
    return Projection(
        tuple(order[:TOP].tolist()),
        tuple(columns.tolist()),
        tuple(tuple(w.tolist()) for w in weights),
    )


def _uncorrelated(first: Batch, second: Batch, columns: Any, gap: Floats) -> Floats:
    """Return the direction in which means differ most, measured by the noise along it."""
    parts = [_filled(batch.numbers[:, columns]) for batch in (first, second)]
    covariance = sum(np.cov(part, rowvar=False) for part in parts) / 2
    scales = np.sqrt(np.diag(covariance))
    scales = np.where(scales > 0, scales, 1.0)
    correlation = covariance / scales[:, None] / scales[None, :]
    np.fill_diagonal(correlation, 1 + RIDGE)
    return np.asarray(np.linalg.solve(correlation, gap[columns] / scales) / scales)


def _moments(batch: Batch, width: int) -> tuple[Floats, Floats]:
    """Return means and variances of the first coordinates, in bounded memory."""
    centre = _filled(batch.numbers[:1, :width])
    centre = centre[0] if len(centre) else np.zeros(width)
    total, squares = np.zeros(width), np.zeros(width)
    for _, x in _blocks(batch):
        moved = _filled(x[:, :width]) - centre
        total += moved.sum(0)
        squares += (moved * moved).sum(0)
    runs = max(1, len(batch))
    mean = total / runs
    return centre + mean, np.maximum(squares / runs - mean * mean, 0.0)


def _blocks(batch: Batch) -> Iterator[tuple[slice, Floats]]:
    size = max(1, BLOCK // max(1, batch.numbers.shape[1]))
    for start in range(0, len(batch), size):
        rows = slice(start, start + size)
        yield rows, batch.numbers[rows]


def _filled(x: Floats) -> Floats:
    return np.clip(np.nan_to_num(x, nan=0.0, posinf=LARGEST, neginf=-LARGEST), -LARGEST, LARGEST)


def _ratio(x: Floats, y: Floats) -> Floats:
    """Return x/y, large where y alone is 0."""
    large = np.where(x == 0, 0.0, np.sign(x) * LARGEST)
    with np.errstate(over="ignore"):
        return np.asarray(np.clip(np.divide(x, y, out=large, where=y > 0), -LARGEST, LARGEST))
