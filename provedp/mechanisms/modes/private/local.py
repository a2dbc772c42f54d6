"""Modes in any dimension: occupied cells first, then noisy means of the balls around them."""

from collections.abc import Sequence
from fractions import Fraction as Q
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from provedp.mechanisms.exact.sampling import ByteSource
from provedp.mechanisms.mixture.private.lattice import FEATURE_BITS, RADIUS, Frame, on_lattice
from provedp.mechanisms.mixture.private.moments import release_moments
from provedp.mechanisms.mixture.private.plan import Noise, known, noise_for
from provedp.mechanisms.modes.private.certainty import FALSE_PEAK_RATE
from provedp.mechanisms.modes.private.field import Axis
from provedp.mechanisms.modes.private.peaks import Peaks
from provedp.mechanisms.modes.private.sparse import (
    COUNT_STEPS,
    CellNoise,
    cell_noise,
    release_cells,
)
from provedp.theory.arrays import Floats

THRESHOLD_SHARE = Q(1, 4)  # of δ
CELLS_SHARE = Q(2, 5)  # of μ²
ROUNDS = (Q(1, 10), Q(1, 5), Q(3, 10))  # of μ², for noisy means
COUNT_PART = Q(1, 4)  # of a round, for the number of records in a ball
REACH = 2.0  # bandwidths: radius of a ball
APART = 3.0  # bandwidths between two places: nearer ones would share the records of one mode
MOST_STARTS = 200
BLOCK = 1 << 14  # records that are compared with all centres at a time: they stay in a cache
SHIFT = 4  # bits that differences are cut by, so that squares stay exact


def release_local(
    points: Floats,
    axes: Sequence[Axis],
    count: int | None,
    ratio: Q,
    delta: Q,
    adjacency: str,
    budget: Q,
    rng: ByteSource | None,
) -> tuple[Peaks, tuple[CellNoise, tuple[Noise, ...]]]:
    """Return modes with noisy counts for heights, and the noise of all steps.

    Parameters
    ----------
    points
        N × d floats.
    axes
        Box and bandwidth of each coordinate.
    count
        Number of modes, or None: all starts.
    ratio, delta, adjacency
        The target; a quarter of δ is for the threshold.
    budget
        μ² of all steps, within what the rest of δ allows.
    rng
        A source of bytes, or None for secret noise.
    """
    cells = cell_noise(adjacency, budget * CELLS_SHARE, ratio, delta * THRESHOLD_SHARE)
    centres, heights = release_cells(points, axes, cells, rng)
    rounds = tuple(_round_noise(adjacency, budget * part) for part in ROUNDS)
    scaled = _Scaled(points, axes)
    found = _peaks(centres, heights, float(cells.deviation) / COUNT_STEPS)
    for noise in rounds:
        # Starts that one mode attracts become one before its records are divided among them again.
        found = scaled.moved(_apart(found, axes, MOST_STARTS).places, noise, rng)
    found = _apart(found, axes, MOST_STARTS if count is None else count)
    return found, (cells, rounds)


def _round_noise(adjacency: str, budget: Q) -> Noise:
    return noise_for(adjacency, budget * COUNT_PART, budget * (1 - COUNT_PART), Q(0))


def _apart(peaks: Peaks, axes: Sequence[Axis], count: int) -> Peaks:
    """Return the `count` highest peaks that are apart from higher ones."""
    widths = np.array([axis.bandwidth for axis in axes])
    chosen: list[int] = []
    for index in np.argsort(-peaks.heights, kind="stable"):
        if len(chosen) == count:
            break
        gaps = np.linalg.norm((peaks.places[chosen] - peaks.places[index]) / widths, axis=1)
        if (gaps > APART).all():
            chosen.append(int(index))
    places = peaks.places[chosen].reshape(-1, len(axes))
    return Peaks(places, peaks.heights[chosen], peaks.deviations[chosen], peaks.sure[chosen])


def _peaks(places: Floats, counts: Floats, deviation: float) -> Peaks:
    """Return peaks with noisy counts; sure are those whose balls or cells hold records.

    By a union bound over as many places as there can be.
    """
    reach = deviation * sqrt(2 * log(2 * MOST_STARTS / FALSE_PEAK_RATE))
    return Peaks(places, counts, np.full(len(counts), deviation), counts > reach)


class _Scaled:
    """The records in bandwidths from the middle of the box, on a lattice."""

    def __init__(self, points: Floats, axes: Sequence[Axis]):
        self.low = np.array([axis.low for axis in axes])
        self.high = np.array([axis.high for axis in axes])
        self.widths = np.array([axis.bandwidth for axis in axes])
        self.middle = (self.low + self.high) / 2
        self.reach = float(((self.high - self.low) / (2 * self.widths)).max())
        self.points = self._lattice(np.clip(points, self.low, self.high))

    def _lattice(self, points: Floats) -> Floats:
        return on_lattice((points - self.middle) / self.widths, self.reach)

    def moved(self, places: Floats, noise: Noise, rng: ByteSource | None) -> Peaks:
        """Return the noisy means of the balls around places, with their noisy counts."""
        step = self.reach / 2.0**FEATURE_BITS
        centres = self._lattice(places)
        transform = np.eye(len(self.widths)) * (step * RADIUS / REACH)
        members = self._members(centres, (REACH / step) ** 2)
        parts = [
            Frame.of(transform, centre).apply(self.points[np.flatnonzero(members == k)])
            for k, centre in enumerate(centres)
        ]
        found = release_moments(parts, noise, rng)
        counts = np.array([each.count or 0.0 for each in found])
        deviation = float(known(noise.count)) / COUNT_STEPS
        divisors = np.maximum(counts, deviation)
        shifts = np.array([each.first for each in found]).reshape(places.shape)
        moved = places + self.widths * REACH * shifts / divisors[:, None]
        inside = np.clip(moved, self.low, self.high)
        return _peaks(inside, counts, deviation)

    def _members(self, centres: Floats, limit: float) -> NDArray[np.int16]:
        """Return the nearest centre within a squared distance of each record, or −1; exactly."""
        least = np.full(len(self.points), np.trunc(limit / 4.0**SHIFT))
        members = np.full(len(self.points), -1, dtype=np.int16)
        for start in range(0, len(self.points), BLOCK):
            block = slice(start, start + BLOCK)
            columns = self.points[block].T.copy()
            for k, centre in enumerate(centres):
                squares = _squares(columns, centre)
                np.copyto(members[block], k, where=squares < least[block])
                np.minimum(least[block], squares, out=least[block])
        return members


def _squares(columns: Floats, centre: Floats) -> Floats:
    """Return squared distances from a centre, in lattice steps of 2^SHIFT; exact integers."""
    total = np.zeros(columns.shape[1])
    for column, middle in zip(columns, centre, strict=True):
        difference = column - middle
        difference *= 2.0**-SHIFT
        np.trunc(difference, out=difference)
        difference *= difference
        total += difference
    return total
