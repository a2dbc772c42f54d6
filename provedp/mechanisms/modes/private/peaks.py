"""Local maxima of a released field: where they are, how high, and how certain."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter

from provedp.mechanisms.modes.private.certainty import FALSE_PEAK_RATE, certain, noise_reach
from provedp.mechanisms.modes.private.field import Coordinate, Field
from provedp.theory.arrays import Floats

STEPS_PER_BANDWIDTH = 2  # of the grid on which maxima are looked for
ASCENT_STEPS = 200
SETTLED = 1e-4  # bandwidths
APART = 1.5  # bandwidths between two peaks
CERTAIN = 4.0  # noise deviations above zero of a peak whose number is not known
FLOOR = 0.5  # noise deviations: below, the step of the ascent does not grow
MOST_STARTS = 200  # the highest maxima: all that is lower is far below them
FOR_EACH = 16  # of them for each mode that is asked for


@dataclass(frozen=True, eq=False)
class Peaks:
    """Peaks of a field, the highest first.

    Parameters
    ----------
    places
        k × d array.
    heights
        The intensity at each: records for one unit of volume.
    deviations
        Standard deviation of the noise in each height.
    sure
        Whether the noise cannot explain each, but for a false-peak rate.
    """

    places: Floats
    heights: Floats
    deviations: Floats
    sure: NDArray[np.bool_]

    def split(self, count: int | None) -> tuple["Peaks", "Peaks"]:
        """Return the `count` highest, and the others; all are the highest if it is None."""
        first, last = (slice(0, count), slice(len(self.places) if count is None else count, None))
        return self._at(first), self._at(last)

    def _at(self, some: slice) -> "Peaks":
        return Peaks(self.places[some], self.heights[some], self.deviations[some], self.sure[some])


def peaks_of(
    field: Field, count: int | None, reach: float = 1.0, rate: float = FALSE_PEAK_RATE
) -> Peaks:
    """Return the `count` highest peaks that are apart, or all that the noise does not explain.

    Where noise is large, a wider estimate tells better which peaks are of the data.

    Parameters
    ----------
    field
        What was released.
    count
        Number of peaks; None: all above the noise.
    reach
        Bandwidths of the estimate in which peaks are looked for, and compared; then each ascends
        on the estimate of one bandwidth.
    rate
        False-peak rate of the peaks that are marked as sure.
    """
    wide = field.widened(reach)
    grid = grid_of(wide.axes)
    values = wide.on_grid(grid)
    most = MOST_STARTS if count is None else max(MOST_STARTS // 2, FOR_EACH * count)
    places = ascend(field, _highest(values, grid, most))
    heights, deviations = wide.intensity(places), wide.noise_deviation(places)
    chosen: list[int] = []
    for index in np.argsort(-heights, kind="stable"):
        enough = len(chosen) == count
        faint = count is None and heights[index] < CERTAIN * deviations[index]
        if enough or faint:
            break
        if _is_apart(field, places[index], places[chosen]):
            chosen.append(int(index))
    found = places[chosen].reshape(-1, len(grid))
    sure = certain(values, grid, found, noise_reach(wide, grid, rate))
    heights = field.intensity(found)
    order = np.argsort(-heights, kind="stable")
    found = found[order]
    return Peaks(found, heights[order], field.noise_deviation(found), sure[order])


def ascend(field: Field, starts: Floats) -> Floats:
    """Return where mean-shift steps x + h² ∇p̂/p̂ lead from the starts (rows), inside the box.

    Where p̂ is hardly above its noise, it is taken for FLOOR deviations of it.
    """
    widths = np.array([axis.bandwidth for axis in field.axes])
    low, high = _box(field)
    places = np.clip(starts, low, high)
    moving = np.arange(len(places))
    for _ in range(ASCENT_STEPS):
        here = places[moving]
        least = FLOOR * field.noise_deviation(here)
        height = np.maximum(field.intensity(here), np.maximum(least, np.finfo(float).tiny))
        step = np.clip(widths**2 * field.gradient(here) / height[:, None], -widths, widths)
        moved = np.clip(here + step, low, high)
        places[moving] = moved
        moving = moving[(np.abs(moved - here) > SETTLED * widths).any(axis=1)]
        if len(moving) == 0:
            break
    return places


def grid_of(axes: Sequence[Coordinate]) -> list[Floats]:
    """Return the coordinates of the grid in the box on which maxima are looked for."""
    return [
        np.linspace(
            axis.low,
            axis.high,
            2 + int(STEPS_PER_BANDWIDTH * (axis.high - axis.low) / axis.bandwidth),
        )
        for axis in axes
    ]


def _highest(values: Floats, grid: Sequence[Floats], most: int) -> Floats:
    """Return the `most` highest points of the grid that are not lower than their neighbours."""
    found = np.argwhere(values >= maximum_filter(values, size=3, mode="nearest"))
    order = np.argsort(-values[tuple(found.T)], kind="stable")[:most]
    return np.stack([each[found[order, i]] for i, each in enumerate(grid)], axis=1)


def _is_apart(field: Field, place: Floats, others: Floats) -> bool:
    widths = np.array([axis.bandwidth for axis in field.axes])
    distances = np.linalg.norm((others - place) / widths, axis=1)
    return bool((distances > APART).all())


def _box(field: Field) -> tuple[Floats, Floats]:
    ends = np.array([(axis.low, axis.high) for axis in field.axes])
    return ends[:, 0], ends[:, 1]
