"""A density estimate with pure ε: binned counts with two-sided geometric noise.

Each record is counted in its cell, or shared out among the 2^d nodes around it: in integer parts
whose sum is the same for all records. So one record moves the counts by that sum in all, or twice
that where it is replaced, and noise in units of one part hides it with δ = 0. Cells of side s add
a variance of s²/12 to each coordinate, and linear binning at nodes s apart one of s²/6; the kernel
that smooths the noisy counts is as much shorter, so that the estimate has the bandwidth that was
asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction as Q
from itertools import product
from math import ceil, pi, prod, sqrt

import numpy as np

from provedp.mechanisms.exact.parameters import root_below
from provedp.mechanisms.exact.refinable_geometric import Refinable, RefinableGeometric
from provedp.mechanisms.exact.sampling import ByteSource
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.mechanisms.modes.private.field import MOST_AT_ONCE, Field
from provedp.theory.arrays import Floats, Integers
from provedp.theory.modes import bins_sensitivity
from provedp.theory.numbers import rational

MOST_NODES = 50_000  # noise is drawn for each
MOST_COLUMNS = 8  # a record is shared out among 2^d nodes
BITS = 12  # of a record's parts: sums of 2^26 records are exact in floats
AXIS_BITS = 10
CELLS, LINEAR = ORDERS = (1, 2)  # of the B-splines by which records are counted


@dataclass(frozen=True)
class BinAxis:
    """One coordinate: nodes over the box, at most `pitch` bandwidths apart.

    A record is counted at them by a B-spline of an order: 1, in the cell around a node, or 2, by
    linear binning.
    """

    low: float
    high: float
    bandwidth: float
    pitch: float
    order: int = LINEAR

    @property
    def steps(self) -> int:
        """Number of cells, or of steps from node to node."""
        return max(1, ceil((self.high - self.low) / (self.pitch * self.bandwidth)))

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return self.steps + self.order - 1

    @property
    def knots(self) -> Floats:
        """The nodes: middles of cells, or from one end of the box to the other."""
        if self.order == LINEAR:
            return np.linspace(self.low, self.high, self.node_count)
        half = self.spacing / 2
        return np.linspace(self.low + half, self.high - half, self.steps)

    @property
    def spacing(self) -> float:
        """Distance of neighbouring nodes."""
        return (self.high - self.low) / self.steps

    @property
    def smoothing(self) -> float:
        """Bandwidth of the kernel, short of the variance that binning has."""
        return sqrt(self.bandwidth**2 - self.order * self.spacing**2 / 12)

    @property
    def unit(self) -> float:
        """Factor of a node's smoothed count in records for one unit of length."""
        return 1 / (sqrt(2 * pi) * self.smoothing)

    def parts(self, values: Floats, bits: int) -> tuple[Integers, Integers]:
        """Return the node at or left of each value, and how many of 2^bits parts go to the next.

        In cells it is the node of the cell, and none do. Values outside the box are moved to its
        nearest end.
        """
        inside = (np.clip(values, self.low, self.high) - self.low) / (self.high - self.low)
        if self.order == CELLS:
            nodes = np.minimum(np.floor(inside * self.steps), self.steps - 1).astype(np.int64)
            return nodes, np.zeros_like(nodes)
        places = np.rint(inside * (self.steps << bits)).astype(np.int64)
        nodes = np.minimum(places >> bits, self.steps - 1)
        return nodes, places - (nodes << bits)


def node_count(axes: Sequence[BinAxis]) -> int:
    """Return how many noisy counts there are."""
    return prod(axis.node_count for axis in axes)


def bits_of(columns: int) -> int:
    """Return the bits of a record's parts along each of so many coordinates."""
    return min(AXIS_BITS, BITS // columns)


def one_record(columns: int) -> float:
    """Return the parts of one record."""
    return 2.0 ** (bits_of(columns) * columns)


def bins_noise(columns: int, adjacency: str, ratio: Q) -> TwoSidedGeometric:
    """Return noise on parts of records with which the counts have ln(ratio) at most, and δ = 0."""
    whole = 1 << bits_of(columns) * columns
    return TwoSidedGeometric(root_below(ratio, int(rational(bins_sensitivity(adjacency, whole)))))


def release_bins(
    points: Floats, axes: Sequence[BinAxis], noise: TwoSidedGeometric, rng: ByteSource | None
) -> Field:
    """Return the noisy counts of N × d points as a field; counts are exact integers of parts."""
    return _field(axes, noise.added_to(_counts(points, axes), rng), noise)


@dataclass(frozen=True, eq=False)
class RefinableBins:
    """Noisy counts of which a part of the noise can be taken off, if that is paid for."""

    axes: Sequence[BinAxis]
    noise: RefinableGeometric
    counts: Refinable

    @property
    def first(self) -> Field:
        """The counts with the noise of the first ratio."""
        return _field(self.axes, self.counts.noisy, self.noise.first)

    def refine(self) -> Field:
        """Return the counts with the noise of the last ratio."""
        return _field(self.axes, self.counts.refine(), self.noise.last)


def release_refinable_bins(
    points: Floats, axes: Sequence[BinAxis], noise: RefinableGeometric, rng: ByteSource | None
) -> RefinableBins:
    """Return the noisy counts of N × d points, to be refined or not."""
    return RefinableBins(axes, noise, noise.added_to(_counts(points, axes), rng))


def _counts(points: Floats, axes: Sequence[BinAxis]) -> list[int]:
    exact = np.zeros(node_count(axes), dtype=object)
    for start in range(0, len(points), MOST_AT_ONCE):
        exact += binned(points[start : start + MOST_AT_ONCE], axes)
    found: list[int] = exact.tolist()
    return found


def _field(axes: Sequence[BinAxis], noisy: Sequence[int], noise: TwoSidedGeometric) -> Field:
    shape, whole = [axis.node_count for axis in axes], one_record(len(axes))
    values = np.array([float(value) for value in noisy]).reshape(shape) / whole
    return Field(tuple(axes), values, noise.deviation / whole, noise.rate * whole)


def binned(points: Floats, axes: Sequence[BinAxis]) -> Integers:
    """Return how many parts of at most 2^26 records each node has, flat."""
    bits, shape = bits_of(len(axes)), tuple(axis.node_count for axis in axes)
    found = np.zeros(prod(shape))
    sides = [axis.parts(points[:, i], bits) for i, axis in enumerate(axes)]
    for corner in product(*(range(axis.order) for axis in axes)):
        nodes, parts = np.zeros(len(points), dtype=np.int64), np.ones(len(points))
        for right, (left, part), count in zip(corner, sides, shape, strict=True):
            nodes = nodes * count + left + right
            parts *= part if right else (1 << bits) - part
        found += np.bincount(nodes, weights=parts, minlength=len(found))
    return found.astype(np.int64)
