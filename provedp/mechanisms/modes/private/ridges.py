"""Modes of the last coordinate of a field, for given others."""

import numpy as np

from provedp.mechanisms.modes.private.field import Field
from provedp.theory.arrays import Floats

GRID = 200  # places of the response that are compared
CERTAIN = 2.0  # noise deviations above zero of a branch beyond the first


def ridges(field: Field, features: Floats, count: int) -> Floats:
    """Return the `count` highest maxima of y ↦ p̂(x, y) for each row x, nan where there are fewer.

    Between places of a grid the maximum of the parabola through three of them is taken. A branch
    beyond the first must exceed its noise.
    """
    axis = field.axes[-1]
    places = np.linspace(axis.low, axis.high, GRID)
    found = np.full((len(features), count), np.nan)
    for row, feature in enumerate(features):
        points = np.column_stack([np.tile(feature, (GRID, 1)), places])
        heights = field.intensity(points)
        certain = CERTAIN * field.noise_deviation(points)
        for branch, index in enumerate(_maxima(heights)[:count]):
            if branch == 0 or heights[index] > certain[index]:
                found[row, branch] = _vertex(places, heights, index)
    return found


def _maxima(heights: Floats) -> list[int]:
    """Return the local maxima, the highest first."""
    padded = np.concatenate([[-np.inf], heights, [-np.inf]])
    inside = (padded[1:-1] >= padded[:-2]) & (padded[1:-1] > padded[2:])
    places = np.flatnonzero(inside)
    return [int(place) for place in places[np.argsort(-heights[places], kind="stable")]]


def _vertex(places: Floats, heights: Floats, index: int) -> float:
    if not 0 < index < len(places) - 1:
        return float(places[index])
    left, middle, right = heights[index - 1 : index + 2]
    bend = left - 2 * middle + right
    shift = 0.0 if bend >= 0 else (left - right) / (2 * bend)
    return float(places[index] + shift * (places[1] - places[0]))
