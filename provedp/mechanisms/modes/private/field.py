"""A density estimate, released once with Gaussian noise: everything else is a function of it.

The Gaussian kernel of bandwidth h is that of bandwidth b = h/√2 after itself. So the counts of a
fine lattice are smoothed with bandwidth b onto knots, Gaussian noise is added there, and smoothing
with b again gives the estimate at every point: with the noise that a single ball count would have,
since one record moves the knots by a vector of length ‖K_b‖, and ‖K_b‖² = K_h(0) is what it adds to
the estimate at its own place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction as Q
from math import ceil, pi, prod, sqrt
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from provedp.mechanisms.exact.gaussian_budget import root_above
from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.exact.sampling import ByteSource
from provedp.theory.arrays import Floats, Integers
from provedp.theory.modes import field_cost
from provedp.theory.numbers import rational

CELLS = 6  # of the lattice of records, for one bandwidth
MARGIN = 3.0  # smoothing bandwidths beyond the box
RECORD_BITS = 26
MOST_AT_ONCE = 1 << RECORD_BITS  # records whose sums fit into 64-bit integers
WEIGHT_BITS = 20
TOTAL_BITS = 62
MOST_CELLS = 1 << 25
MOST_KNOTS = 50_000  # noise is drawn for each


@dataclass(frozen=True, eq=False)
class Axis:
    """One coordinate: the lattice that records are rounded to, and the knots of the noise."""

    low: float
    high: float
    bandwidth: float

    @property
    def smoothing(self) -> float:
        """Bandwidth b of either half of the kernel."""
        return self.bandwidth / sqrt(2)

    @property
    def cell_count(self) -> int:
        """Number of places that records are rounded to."""
        return max(2, 1 + ceil(CELLS * (self.high - self.low) / self.bandwidth))

    @property
    def knot_count(self) -> int:
        """Number of places where noise is added."""
        return 1 + ceil((self.high - self.low) / self.smoothing + 2 * MARGIN)

    @property
    def cells(self) -> Floats:
        """Places that records are rounded to."""
        return np.linspace(self.low, self.high, self.cell_count)

    @property
    def knots(self) -> Floats:
        """Places where noise is added, at most b apart."""
        margin = MARGIN * self.smoothing
        return np.linspace(self.low - margin, self.high + margin, self.knot_count)

    @property
    def spacing(self) -> float:
        """Distance of neighbouring knots."""
        knots = self.knots
        return float(knots[1] - knots[0])

    @property
    def unit(self) -> float:
        """Factor of a knot's smoothed value in records for one unit of length."""
        return self.spacing / (sqrt(pi) * self.smoothing * sqrt(2 * pi) * self.bandwidth)

    def weights(self, bits: int) -> Integers:
        """Return the knots × cells matrix of 2^bits e^(−(t − c)²/(2b²)), as integers."""
        scaled = (self.knots[:, None] - self.cells) / self.smoothing
        return np.rint(np.ldexp(np.exp(-(scaled**2) / 2), bits)).astype(np.int64)

    def places(self, values: Floats) -> NDArray[np.intp]:
        """Return the cell of each value; values outside the box are moved to its nearest end."""
        last = self.cell_count - 1
        inside = np.clip(values, self.low, self.high)
        return np.rint((inside - self.low) / (self.high - self.low) * last).astype(np.intp)


class Coordinate(Protocol):
    """One coordinate of a released estimate: the knots of the noise, and how they are smoothed."""

    @property
    def low(self) -> float:
        """Left end of the box."""
        ...

    @property
    def high(self) -> float:
        """Right end of the box."""
        ...

    @property
    def bandwidth(self) -> float:
        """Bandwidth of the estimate."""
        ...

    @property
    def smoothing(self) -> float:
        """Bandwidth with which the values at the knots are smoothed."""
        ...

    @property
    def spacing(self) -> float:
        """Distance of neighbouring knots."""
        ...

    @property
    def knots(self) -> Floats:
        """Places of the values."""
        ...

    @property
    def unit(self) -> float:
        """Factor of a knot's smoothed value in records for one unit of length."""
        ...


@dataclass(frozen=True)
class Widened:
    """A coordinate whose estimate has `factor` times the bandwidth: the values stay."""

    axis: Coordinate
    factor: float

    @property
    def low(self) -> float:
        """Left end of the box."""
        return self.axis.low

    @property
    def high(self) -> float:
        """Right end of the box."""
        return self.axis.high

    @property
    def bandwidth(self) -> float:
        """Bandwidth of the wider estimate."""
        return self.factor * self.axis.bandwidth

    @property
    def smoothing(self) -> float:
        """Bandwidth with which the values at the knots are smoothed."""
        more = (self.factor**2 - 1) * self.axis.bandwidth**2
        return sqrt(self.axis.smoothing**2 + more)

    @property
    def spacing(self) -> float:
        """Distance of neighbouring knots."""
        return self.axis.spacing

    @property
    def knots(self) -> Floats:
        """Places of the values."""
        return self.axis.knots

    @property
    def unit(self) -> float:
        """Factor of a knot's smoothed value: a wider kernel is as much lower."""
        return self.axis.unit * self.axis.smoothing / self.smoothing


@dataclass(frozen=True, eq=False)
class Field:
    """A released density estimate: noisy values at knots, and how they are smoothed.

    Parameters
    ----------
    axes
        The coordinates.
    values
        Noisy sums at the knots.
    deviation
        Standard deviation of the noise at each knot.
    rate
        γ of two-sided geometric noise, whose probabilities fall by e^(−γ) for one record; None for
        Gaussian noise.
    """

    axes: tuple[Coordinate, ...]
    values: Floats
    deviation: float
    rate: float | None = None

    def widened(self, factor: float) -> "Field":
        """Return the estimate with `factor` ≥ 1 times the bandwidth."""
        if factor == 1:
            return self
        axes = tuple(Widened(axis, factor) for axis in self.axes)
        return Field(axes, self.values, self.deviation, self.rate)

    @property
    def scale(self) -> float:
        """Factor that turns smoothed values into records for one unit of volume."""
        return prod(axis.unit for axis in self.axes)

    def intensity(self, points: Floats) -> Floats:
        """Return n p̂(x), the expected number of records in a unit of volume, for each row x."""
        return self._smoothed(self._factors(points))

    def gradient(self, points: Floats) -> Floats:
        """Return n ∇p̂(x), a row for each row x."""
        factors = self._factors(points)
        slopes = [
            factor * (axis.knots - points[:, [i]]) / axis.smoothing**2
            for i, (axis, factor) in enumerate(zip(self.axes, factors, strict=True))
        ]
        parts = [
            self._smoothed([slopes[i] if i == j else factor for j, factor in enumerate(factors)])
            for i in range(len(self.axes))
        ]
        return np.stack(parts, axis=1)

    def noise_deviation(self, points: Floats) -> Floats:
        """Return the standard deviation of the noise in `intensity`, for each row x."""
        squares = [(factor**2).sum(axis=1) for factor in self._factors(points)]
        found: Floats = self.scale * self.deviation * np.sqrt(np.prod(squares, axis=0))
        return found

    def on_grid(self, places: Sequence[Floats]) -> Floats:
        """Return the intensity at all points of a grid with these coordinates."""
        found = self.values
        for axis, coordinates in zip(self.axes, places, strict=True):
            scaled = (coordinates[:, None] - axis.knots) / axis.smoothing
            found = np.moveaxis(np.tensordot(np.exp(-(scaled**2) / 2), found, (1, 0)), 0, -1)
        grid: Floats = self.scale * found
        return grid

    def _factors(self, points: Floats) -> list[Floats]:
        return [
            np.exp(-(((points[:, [i]] - axis.knots) / axis.smoothing) ** 2) / 2)
            for i, axis in enumerate(self.axes)
        ]

    def _smoothed(self, factors: Sequence[Floats]) -> Floats:
        """Return Σ values · factors, one number for each row."""
        found = np.tensordot(factors[0], self.values, (1, 0))
        for factor in factors[1:]:
            found = np.einsum("kj,kj...->k...", factor, found)
        smoothed: Floats = self.scale * found
        return smoothed


@dataclass(frozen=True, eq=False)
class FieldNoise:
    """Noise of a field on its lattice of integers, and the weights that it was measured by.

    `length` is the largest squared length of what one record adds to the knots; there is one matrix
    of weights for each coordinate, with `bits` bits behind the point.
    """

    deviation: Q
    length: Q
    bits: int
    weights: tuple[Integers, ...]

    def cost(self, adjacency: str) -> Q:
        """Return μ² of the release."""
        return rational(field_cost(adjacency, self.length / self.deviation**2))


def has_room(axes: Sequence[Axis]) -> bool:
    """Return whether a field over these coordinates is small enough to be computed."""
    knots = prod(axis.knot_count for axis in axes)
    return knots <= MOST_KNOTS and prod(axis.cell_count for axis in axes) <= MOST_CELLS


def require_room(axes: Sequence[Axis], way_out: str) -> None:
    """Raise `ValueError` if a field over these coordinates has no room; say what to choose."""
    if not has_room(axes):
        raise ValueError(
            f"'bandwidth': the box needs more than {MOST_KNOTS} knots; choose {way_out}."
        )


def field_noise(axes: Sequence[Axis], adjacency: str, budget: Q) -> FieldNoise:
    """Return noise whose μ² is at most `budget`.

    Raises
    ------
    ValueError
        If the box holds more bandwidths than can be computed with.
    """
    require_room(axes, "a larger bandwidth, fewer columns or the local method")
    bits = min(WEIGHT_BITS, (TOTAL_BITS - RECORD_BITS) // len(axes))
    weights = tuple(axis.weights(bits) for axis in axes)
    lengths = [int((each.astype(object) ** 2).sum(axis=0).max()) for each in weights]
    length = Q(prod(lengths))
    whole = rational(field_cost(adjacency, length))
    return FieldNoise(root_above(whole / budget), length, bits, weights)


def field_deviation(axes: Sequence[Axis], adjacency: str, budget: Q) -> float:
    """Return the standard deviation of the noise at a knot that a field of this μ² has."""
    noise = field_noise(axes, adjacency, budget)
    return float(noise.deviation) / 2.0 ** (noise.bits * len(axes))


def release_field(
    points: Floats, axes: Sequence[Axis], noise: FieldNoise, rng: ByteSource | None
) -> Field:
    """Release the field of N × d points; sums are exact integers, and so is the noise."""
    exact = _sums(points[:MOST_AT_ONCE], axes, noise.weights)
    for start in range(MOST_AT_ONCE, len(points), MOST_AT_ONCE):
        part = _sums(points[start : start + MOST_AT_ONCE], axes, noise.weights)
        exact = exact.astype(object) + part
    noisy = RoundedGaussian(noise.deviation).added_to(exact.ravel(), rng)
    one = 2.0 ** (noise.bits * len(axes))
    values = np.array([float(value) for value in noisy]).reshape(exact.shape) / one
    return Field(tuple(axes), values, float(noise.deviation) / one)


def _sums(points: Floats, axes: Sequence[Axis], weights: Sequence[Integers]) -> Integers:
    shape = tuple(axis.cell_count for axis in axes)
    places = [axis.places(points[:, i]) for i, axis in enumerate(axes)]
    flat = np.ravel_multi_index(places, shape)
    found: Integers = np.bincount(flat, minlength=prod(shape)).reshape(shape).astype(np.int64)
    for each in weights:
        found = np.moveaxis(np.tensordot(each, found, (1, 0)), 0, -1)
    return found
