"""Which mechanism a release of modes uses, and what it can find: by public numbers alone.

The reference is one normal mode that is 3/4 of a bandwidth wide in all coordinates. Of it are
known: its height in the estimate for each record, and how far noise, the draw of its records and
the nodes of binned counts move it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as Q
from functools import lru_cache
from itertools import product
from math import pi, prod, sqrt

import numpy as np

from provedp.mechanisms.exact.gaussian_budget import gaussian_budget
from provedp.mechanisms.modes.private.bins import (
    CELLS,
    LINEAR,
    MOST_COLUMNS,
    MOST_NODES,
    ORDERS,
    BinAxis,
    bins_noise,
    node_count,
    one_record,
)
from provedp.mechanisms.modes.private.field import (
    Axis,
    Coordinate,
    Widened,
    field_deviation,
    has_room,
)
from provedp.theory.arrays import Floats

PITCHES = (1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.45, 1.5)  # bandwidths between nodes
PITCH = 1.1  # where the number of records is not known
WIDE_PITCH = 1.25  # of cells by which binned counts are compared with other methods
TAILS = 1.12  # geometric noise makes as many false peaks as Gaussian noise so much larger
WIDTH = 0.75  # bandwidths: standard deviation of the reference
WIDTHS = (0.6, 0.7, 0.8, 0.9)  # of references by which grids are compared,
NARROW_WIDTHS = (0.4, 0.5, 0.6)  # and where modes that overlap are to be told apart
SHARES = 4  # the reference holds n/4 records where the number of modes is not known
WIDER = 1.25  # bandwidths of the estimate in which peaks are looked for, if noise is large
REACH, FREQUENCIES = 9.0, 401  # of kernel deviations, and in how many steps, for transforms
CLEAR = 6.0  # deviations of the noise at the top of the reference, below which it is large


@dataclass(frozen=True)
class Layout:
    """An estimate before its noise is drawn: its coordinates, and the noise at each knot."""

    axes: tuple[Coordinate, ...]
    deviation: float
    rate: float | None = None
    width: float = WIDTH

    def widened(self, factor: float) -> "Layout":
        """Return the estimate with `factor` ≥ 1 times the bandwidth."""
        axes = tuple(Widened(axis, factor) for axis in self.axes)
        return replace(self, axes=axes)

    @property
    def height_noise(self) -> float:
        """Standard deviation of the noise of the estimate, in records for one unit of volume."""
        squares = (sqrt(pi) * axis.smoothing / axis.spacing for axis in self.axes)
        return self.deviation * prod(axis.unit for axis in self.axes) * sqrt(prod(squares))

    @property
    def height(self) -> float:
        """Height of the reference for one record."""
        return prod(1 / (axis.bandwidth * sqrt(2 * pi * (1 + self.width**2))) for axis in self.axes)

    @property
    def displacement(self) -> float:
        """Root mean square of how far noise moves a reference of one record, in bandwidths.

        In each coordinate it is the slope of the noise, √(1/2) of its height over b, by the
        curvature height/(h² (1 + WIDTH²)).
        """
        squares = (0.5 / (axis.smoothing / axis.bandwidth) ** 2 for axis in self.axes)
        return (1 + self.width**2) * self.height_noise / self.height * sqrt(sum(squares))

    @property
    def aliasing(self) -> float:
        """Root mean square of how far nodes move the reference without noise, in bandwidths."""
        return sqrt(
            sum(
                _aliasing(axis.spacing / axis.bandwidth, axis.order, self.width) ** 2
                for axis in self.axes
                if isinstance(axis, BinAxis)
            )
        )

    @property
    def sampling(self) -> float:
        """Mean squared distance by which one record moves its reference, in squared bandwidths.

        That of the slope, E[u² K(u)²]/k⁴ in its coordinate and E[K(u)²] in the others, by the
        square of the curvature. A cell forgets where in it a record is.
        """
        moments = [_moments(axis, self.width) for axis in self.axes]
        heights = prod(height for height, _ in moments)
        slopes = sum(slope / height for height, slope in moments)
        return heights * slopes * (1 + self.width**2) ** (len(self.axes) + 2)

    def error(self, records: float, weight: float = 1.0) -> float:
        """Return the mean squared distance, in squared bandwidths, that a reference moves.

        Noise is taken for `weight` times what it is.
        """
        noise = (weight * self.displacement / records) ** 2
        return noise + self.sampling / records + self.aliasing**2

    def mean_error(self, records: float, widths: Sequence[float]) -> float:
        """Return the mean of errors over references, with noise of weight TAILS."""
        each = [replace(self, width=width).error(records, TAILS) for width in widths]
        return sum(each) / len(each)


def _moments(axis: Coordinate, width: float) -> tuple[float, float]:
    """Return E[K(u)²] and E[u² K(u)²]/k⁴ for a record u of the reference, but for 2π."""
    square, variance = 1.0, width**2
    if isinstance(axis, BinAxis) and axis.order == CELLS:
        square = (axis.smoothing / axis.bandwidth) ** 2
        variance += 1 - square
    spread = 1 + 2 * variance / square
    return 1 / sqrt(spread) / square, variance / square**3 / spread**1.5


@lru_cache(maxsize=4096)
def _aliasing(spacing: float, order: int, width: float) -> float:
    """Return the displacement by the first harmonic of the nodes, on the mean over their places.

    A harmonic of frequency Ω = 2πh/s adds a slope ∫ u K(u) f(u + Ω) du to the reference's curvature
    ∫ u² K(u) f(u) du, where K and f are the transforms of the kernel and of the binned reference,
    that of a cell or of linear binning in it.
    """
    kernel = sqrt(1 - order * spacing**2 / 12)
    places = np.linspace(-REACH / kernel, REACH / kernel, FREQUENCIES)
    smoothing = np.exp(-((places * kernel) ** 2) / 2)

    def binned(frequency: Floats) -> Floats:
        shape = np.sinc(frequency * spacing / (2 * pi)) ** order
        return np.exp(-((frequency * width) ** 2) / 2) * shape

    slope = (places * smoothing * binned(places + 2 * pi / spacing)).sum()
    return float(sqrt(2) * abs(slope) / (places**2 * smoothing * binned(places)).sum())


def bin_axes(axes: Sequence[Axis], pitch: float, order: int) -> tuple[BinAxis, ...]:
    """Return the coordinates of binned counts whose nodes are at most `pitch` bandwidths apart."""
    return tuple(BinAxis(axis.low, axis.high, axis.bandwidth, pitch, order) for axis in axes)


def bins_have_room(axes: Sequence[Axis]) -> bool:
    """Return whether some grid has few enough nodes."""
    return len(axes) <= MOST_COLUMNS and any(True for _ in _grids(axes))


def _grids(axes: Sequence[Axis]) -> Iterator[tuple[float, int]]:
    """Yield the pitches and orders of grids that have few enough nodes."""
    return (
        (pitch, order)
        for pitch, order in product(PITCHES, ORDERS)
        if node_count(bin_axes(axes, pitch, order)) <= MOST_NODES
    )


def bins_grid(axes: Sequence[Axis], adjacency: str, ratio: Q, pitch: float, order: int) -> Layout:
    """Return the binned counts on one grid."""
    noise, whole = bins_noise(len(axes), adjacency, ratio), one_record(len(axes))
    return Layout(bin_axes(axes, pitch, order), noise.deviation / whole, noise.rate * whole)


def bins_layout(
    axes: Sequence[Axis],
    adjacency: str,
    ratio: Q,
    records: float | None,
    widths: Sequence[float] = WIDTHS,
) -> Layout:
    """Return the binned counts that move references of so many records least.

    Of all grids that with the least mean error over references of these widths.
    """
    if records is None:
        return bins_grid(axes, adjacency, ratio, *_nearest(_grids(axes), PITCH, LINEAR))
    held = max(records, 1.0)
    found = bins_layouts(axes, adjacency, ratio)
    return min(found, key=lambda layout: layout.mean_error(held, widths))


def bins_layouts(axes: Sequence[Axis], adjacency: str, ratio: Q) -> list[Layout]:
    """Return the binned counts on each grid that has few enough nodes."""
    return [bins_grid(axes, adjacency, ratio, *grid) for grid in _grids(axes)]


def _nearest(grids: Iterable[tuple[float, int]], pitch: float, order: int) -> tuple[float, int]:
    """Return the grid of the nearest pitch, of this order if there is the choice."""
    return min(grids, key=lambda grid: (abs(grid[0] - pitch), grid[1] != order))


def field_layout(axes: Sequence[Axis], adjacency: str, ratio: Q, delta: Q) -> Layout:
    """Return the field with noise of the whole budget."""
    return Layout(tuple(axes), field_deviation(axes, adjacency, gaussian_budget(ratio, delta)))


def best_method(axes: Sequence[Axis], adjacency: str, ratio: Q, delta: Q) -> str:
    """Return the method whose noise moves a peak least, of those that have room.

    The number of records is not used: it changes all displacements alike. Binned counts are taken
    in wide cells, and their noise for TAILS times what it is.
    """
    noise = {}
    if bins_have_room(axes):
        wide = bins_grid(axes, adjacency, ratio, *_nearest(_grids(axes), WIDE_PITCH, CELLS))
        noise["bins"] = TAILS * wide.displacement
    if delta > 0 and has_room(axes):
        noise["field"] = field_layout(axes, adjacency, ratio, delta).displacement
    return min(noise, key=lambda method: noise[method]) if noise else "local"


def reach_of(layout: Layout, records: float | None) -> float:
    """Return in how many bandwidths peaks are looked for, if the reference has so many records.

    A wider estimate has fewer peaks of noise, and merges modes that overlap.
    """
    if records is None or layout.height * records >= CLEAR * layout.height_noise:
        return 1.0
    return WIDER
