"""Which mechanism a release of modes uses, and what it can find: by public numbers alone.

The reference is one normal mode that is 3/4 of a bandwidth wide in all coordinates. Of it are
known: its height in the estimate for each record, how far noise moves it, and how far the nodes of
binned counts do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction as Q
from math import exp, pi, prod, sqrt

from provedp.mechanisms.exact.gaussian_budget import gaussian_budget
from provedp.mechanisms.modes.private.bins import (
    MOST_COLUMNS,
    MOST_NODES,
    BinAxis,
    bins_noise,
    bits_of,
    node_count,
)
from provedp.mechanisms.modes.private.field import (
    Axis,
    Coordinate,
    Widened,
    field_deviation,
    has_room,
)

PITCHES = (1.0, 1.05, 1.1, 1.15, 1.2, 1.25)  # bandwidths between two nodes
PITCH = 1.1  # where the number of records is not known
TAILS = 1.12  # geometric noise makes as many false peaks as Gaussian noise so much larger
WIDTH = 0.75  # bandwidths: standard deviation of the reference
SHARES = 4  # the reference holds n/4 records where the number of modes is not known
WIDER = 1.25  # bandwidths of the estimate in which peaks are looked for, if noise is large:
CLEAR = 12.0  # deviations of the noise at the top of the reference, where it is small


@dataclass(frozen=True)
class Layout:
    """An estimate before its noise is drawn: its coordinates, and the noise at each knot."""

    axes: tuple[Coordinate, ...]
    deviation: float
    rate: float | None = None

    def widened(self, factor: float) -> "Layout":
        """Return the estimate with `factor` ≥ 1 times the bandwidth."""
        axes = tuple(Widened(axis, factor) for axis in self.axes)
        return Layout(axes, self.deviation, self.rate)

    @property
    def height_noise(self) -> float:
        """Standard deviation of the noise of the estimate, in records for one unit of volume."""
        squares = (sqrt(pi) * axis.smoothing / axis.spacing for axis in self.axes)
        return self.deviation * prod(axis.unit for axis in self.axes) * sqrt(prod(squares))

    @property
    def height(self) -> float:
        """Height of the reference for one record."""
        return prod(1 / (axis.bandwidth * sqrt(2 * pi * (1 + WIDTH**2))) for axis in self.axes)

    @property
    def displacement(self) -> float:
        """Root mean square of how far noise moves a reference of one record, in bandwidths.

        In each coordinate it is the slope of the noise, √(1/2) of its height over b, by the
        curvature height/(h² (1 + WIDTH²)).
        """
        squares = (0.5 / (axis.smoothing / axis.bandwidth) ** 2 for axis in self.axes)
        return (1 + WIDTH**2) * self.height_noise / self.height * sqrt(sum(squares))

    @property
    def aliasing(self) -> float:
        """Root mean square of how far nodes move the reference without noise, in bandwidths."""
        return sqrt(sum(_aliasing(axis) ** 2 for axis in self.axes if isinstance(axis, BinAxis)))

    def error(self, records: float) -> float:
        """Return the mean squared distance, in squared bandwidths, that a reference moves."""
        return (self.displacement / records) ** 2 + self.aliasing**2


def _aliasing(axis: BinAxis) -> float:
    """Return the displacement by the first harmonic of the nodes, on the mean over their places."""
    frequency = 2 * pi * axis.bandwidth / axis.spacing
    binned = WIDTH**2 + (axis.spacing / axis.bandwidth) ** 2 / 6
    smoothed = (axis.smoothing / axis.bandwidth) ** 2
    damped = exp(-(frequency**2) * smoothed * binned / (2 * (smoothed + binned)))
    return sqrt(2) * frequency * binned * damped


def bin_axes(axes: Sequence[Axis], pitch: float) -> tuple[BinAxis, ...]:
    """Return the coordinates of binned counts whose nodes are at most `pitch` bandwidths apart."""
    return tuple(BinAxis(axis.low, axis.high, axis.bandwidth, pitch) for axis in axes)


def bins_have_room(axes: Sequence[Axis]) -> bool:
    """Return whether some pitch has few enough nodes."""
    return len(axes) <= MOST_COLUMNS and any(True for _ in _pitches(axes))


def _pitches(axes: Sequence[Axis]) -> Iterator[float]:
    return (pitch for pitch in PITCHES if node_count(bin_axes(axes, pitch)) <= MOST_NODES)


def bins_layout(axes: Sequence[Axis], adjacency: str, ratio: Q, records: float | None) -> Layout:
    """Return the binned counts that move a reference of so many records least."""
    noise, whole = bins_noise(len(axes), adjacency, ratio), 2.0 ** (bits_of(len(axes)) * len(axes))
    found = {
        pitch: Layout(bin_axes(axes, pitch), noise.deviation / whole, noise.rate * whole)
        for pitch in _pitches(axes)
    }
    if records is None:
        return found[min(found, key=lambda pitch: abs(pitch - PITCH))]
    return min(found.values(), key=lambda layout: layout.error(max(records, 1.0)))


def field_layout(axes: Sequence[Axis], adjacency: str, ratio: Q, delta: Q) -> Layout:
    """Return the field with noise of the whole budget."""
    return Layout(tuple(axes), field_deviation(axes, adjacency, gaussian_budget(ratio, delta)))


def best_method(axes: Sequence[Axis], adjacency: str, ratio: Q, delta: Q) -> str:
    """Return the method whose noise moves a peak least, of those that have room.

    The number of records is not used: it changes all displacements alike. Binned counts are taken
    at their largest pitch, and their noise for TAILS times what it is.
    """
    noise = {}
    if bins_have_room(axes):
        noise["bins"] = TAILS * bins_layout(axes, adjacency, ratio, 1.0).displacement
    if delta > 0 and has_room(axes):
        noise["field"] = field_layout(axes, adjacency, ratio, delta).displacement
    return min(noise, key=lambda method: noise[method]) if noise else "local"


def reach_of(layout: Layout, records: float | None) -> float:
    """Return in how many bandwidths peaks are looked for, if the reference has so many records."""
    clear = records is not None and layout.height * records >= CLEAR * layout.height_noise
    return 1.0 if clear else WIDER
