"""A noisy histogram of the cells that records occupy, for boxes with too many cells to list."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction as Q
from math import ceil

import numpy as np
from flint import arb, ctx

from provedp.mechanisms.exact.gaussian_budget import root_above
from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.exact.sampling import ByteSource
from provedp.mechanisms.modes.private.field import Axis
from provedp.theory.arrays import Floats, Integers
from provedp.theory.mixture import histogram_cost
from provedp.theory.modes import threshold_delta
from provedp.theory.numbers import ball, rational

SIDE = 2.0  # bandwidths of a cell
COUNT_STEPS = 1 << 10  # of the lattice of noisy counts
EIGHTH = Q(1, 8)  # steps of a threshold, in deviations
BITS = 128


@dataclass(frozen=True)
class CellNoise:
    """Noise on the counts of occupied cells, and the least noisy count that is released."""

    deviation: Q
    threshold: int  # on the lattice of counts

    def cost(self, adjacency: str) -> Q:
        """Return μ² of the counts."""
        return rational(histogram_cost(adjacency, (COUNT_STEPS / self.deviation) ** 2))

    def delta(self, ratio: Q) -> arb:
        """Return what the threshold adds to δ; rounding takes half a step off it."""
        with ctx.workprec(BITS):
            level = ball((self.threshold - Q(1, 2)) / self.deviation)
            return ball(threshold_delta(ball(ratio), level))


def cell_noise(adjacency: str, budget: Q, ratio: Q, delta: Q) -> CellNoise:
    """Return noise whose μ² is at most `budget` and a threshold that adds at most `delta`."""
    whole = rational(histogram_cost(adjacency, Q(COUNT_STEPS**2)))
    deviation = root_above(whole / budget)
    level = EIGHTH
    with ctx.workprec(BITS):
        while not threshold_delta(ball(ratio), ball(level)) <= ball(delta):
            level += EIGHTH
    return CellNoise(deviation, ceil(level * deviation) + 1)


def release_cells(
    points: Floats, axes: Sequence[Axis], noise: CellNoise, rng: ByteSource | None
) -> tuple[Floats, Floats]:
    """Return the centres of the cells whose noisy counts reach the threshold, and these counts.

    The highest come first. How many numbers are drawn depends on the records; no number that is
    returned does but through the noise.
    """
    sides = np.array([SIDE * axis.bandwidth for axis in axes])
    low = np.array([axis.low for axis in axes])
    high = np.array([axis.high for axis in axes])
    places = [
        np.floor((np.clip(column, a, b) - a) / side).astype(np.int64)
        for column, a, b, side in zip(points.T, low, high, sides, strict=True)
    ]
    exact = {cell: count * COUNT_STEPS for cell, count in _occupied(places)}
    noisy = RoundedGaussian(noise.deviation).added_to_occupied(exact, noise.threshold, rng)
    order = sorted(noisy, key=lambda cell: (-noisy[cell], cell))
    centres = low + (np.array(order, dtype=np.float64).reshape(-1, len(axes)) + 0.5) * sides
    heights = np.array([noisy[cell] / COUNT_STEPS for cell in order])
    return np.minimum(centres, high), heights


def _occupied(places: Sequence[Integers]) -> list[tuple[tuple[int, ...], int]]:
    """Return the cells with records, in the order of their coordinates, and how many there are."""
    if len(places[0]) == 0:
        return []
    codes = np.zeros(len(places[0]), dtype=np.int64)
    for column in places:
        codes = codes * (int(column.max()) + 1) + column
        if codes.max() > len(codes):  # few of the codes are there: number these alone
            codes = np.unique(codes, return_inverse=True)[1]
    counts = np.bincount(codes)
    occupied = np.flatnonzero(counts)
    one = np.empty(len(counts), dtype=np.intp)
    one[codes] = np.arange(len(codes))
    found = np.stack([column[one[occupied]] for column in places], axis=1)
    return list(zip(map(tuple, found.tolist()), counts[occupied].tolist(), strict=True))
