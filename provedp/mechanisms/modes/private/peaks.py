"""Local maxima of a released field: where they are, how high, and how certain."""

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import maximum_filter

from provedp.mechanisms.modes.private.field import Field
from provedp.theory.arrays import Floats

STEPS_PER_BANDWIDTH = 2  # of the grid on which maxima are looked for
ASCENT_STEPS = 200
SETTLED = 1e-4  # bandwidths
APART = 1.5  # bandwidths between two peaks
CERTAIN = 4.0  # noise deviations above zero of a peak whose number is not known
FLOOR = 0.5  # noise deviations: below, the step of the ascent does not grow


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
    """

    places: Floats
    heights: Floats
    deviations: Floats


def peaks_of(field: Field, count: int | None) -> Peaks:
    """Return the `count` highest peaks that are apart, or all that the noise does not explain."""
    starts = _maxima(field)
    places = ascend(field, starts)
    heights, deviations = field.intensity(places), field.noise_deviation(places)
    chosen: list[int] = []
    for index in np.argsort(-heights, kind="stable"):
        enough = len(chosen) == count
        faint = count is None and heights[index] < CERTAIN * deviations[index]
        if enough or faint:
            break
        if _is_apart(field, places[index], places[chosen]):
            chosen.append(int(index))
    return Peaks(places[chosen], heights[chosen], deviations[chosen])


def ascend(field: Field, starts: Floats) -> Floats:
    """Return where mean-shift steps x + h² ∇p̂/p̂ lead from the starts (rows), inside the box.

    Where p̂ is hardly above its noise, it is taken for FLOOR deviations of it.
    """
    squared = np.array([axis.bandwidth**2 for axis in field.axes])
    low, high = _box(field)
    places = np.clip(starts, low, high)
    for _ in range(ASCENT_STEPS):
        least = FLOOR * field.noise_deviation(places)
        height = np.maximum(field.intensity(places), np.maximum(least, np.finfo(float).tiny))
        step = squared * field.gradient(places) / height[:, None]
        step = np.clip(step, -np.sqrt(squared), np.sqrt(squared))
        moved = np.clip(places + step, low, high)
        settled = bool((np.abs(moved - places) <= SETTLED * np.sqrt(squared)).all())
        places = moved
        if settled:
            break
    return places


def _maxima(field: Field) -> Floats:
    """Return the points of a grid in the box that are not lower than their neighbours."""
    coordinates = []
    for axis in field.axes:
        count = 2 + int(STEPS_PER_BANDWIDTH * (axis.high - axis.low) / axis.bandwidth)
        coordinates.append(np.linspace(axis.low, axis.high, count))
    grid = field.on_grid(coordinates)
    found = np.argwhere(grid >= maximum_filter(grid, size=3, mode="nearest"))
    return np.stack([c[found[:, i]] for i, c in enumerate(coordinates)], axis=1)


def _is_apart(field: Field, place: Floats, others: Floats) -> bool:
    widths = np.array([axis.bandwidth for axis in field.axes])
    distances = np.linalg.norm((others - place) / widths, axis=1)
    return bool((distances > APART).all())


def _box(field: Field) -> tuple[Floats, Floats]:
    ends = np.array([(axis.low, axis.high) for axis in field.axes])
    return ends[:, 0], ends[:, 1]
