"""How far noise reaches anywhere on a grid, and which peaks it cannot explain."""

from collections.abc import Sequence
from math import inf, log, prod, sqrt
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label
from scipy.optimize import minimize_scalar

from provedp.mechanisms.modes.private.field import Coordinate
from provedp.theory.arrays import Floats

FALSE_PEAK_RATE = 0.05


class Noisy(Protocol):
    """Noise at knots, and how it is smoothed: a `Field`, or one that is planned."""

    @property
    def axes(self) -> tuple[Coordinate, ...]:
        """The coordinates."""
        ...

    @property
    def deviation(self) -> float:
        """Standard deviation of the noise at each knot."""
        ...

    @property
    def rate(self) -> float | None:
        """γ of two-sided geometric noise, None for Gaussian noise."""
        ...


def noise_reach(noise: Noisy, grid: Sequence[Floats], share: float = FALSE_PEAK_RATE) -> float:
    """Return t that |noise of the intensity| exceeds anywhere on the grid at most at a rate.

    A union bound over the |G| points of the grid, with L = ln(2|G|/share). The noise at a point is
    Σ aᵢ Xᵢ with ‖a‖² ≤ V and |aᵢ| ≤ A. For Gaussian X of deviation σ, t = σ √(2LV). Two-sided
    geometric X with ratio e^γ have E e^(sX) ≤ 1/(1 − (s/γ)²), and −ln(1 − z) ≤ (z/z₀)(−ln(1 − z₀))
    for 0 ≤ z ≤ z₀ < 1, so that t = min over u in (0, 1) of A/(γu) (L − (V/A²) ln(1 − u²)).
    """
    length = log(2 * prod(len(each) for each in grid) / share)
    largest = prod(axis.unit for axis in noise.axes)
    square = largest**2
    for axis, places in zip(noise.axes, grid, strict=True):
        weights = np.exp(-(((places[:, None] - axis.knots) / axis.smoothing) ** 2) / 2)
        largest *= float(weights.max())
        square *= float((weights**2).sum(axis=1).max())
    if noise.rate is None:
        return noise.deviation * sqrt(2 * length * square)
    return exponential_reach(largest / noise.rate, square / largest**2, length)


def exponential_reach(unit: float, number: float, length: float) -> float:
    """Return the least of (unit/u)(length − number ln(1 − u²)) over u in (0, 1)."""

    def reach(u: float) -> float:
        return unit / u * (length - number * log(1 - u * u)) if 0 < u < 1 else inf

    found: float = minimize_scalar(reach, bounds=(1e-9, 1 - 1e-9), method="bounded").fun
    return found


def certain(
    values: Floats, grid: Sequence[Floats], places: Floats, reach: float
) -> NDArray[np.bool_]:
    """Return which places belong to peaks that noise of at most `reach` cannot make.

    Let g be the top of the grid above a place, H its value, and C the part of the grid above
    H − 2 reach that is connected with g. If nothing in C is higher than H, the values without noise
    are at least H − reach at g and at most that all around C: C holds a local maximum of them.
    """
    tops = [_top(values, grid, place) for place in places]
    found = np.zeros(len(places), dtype=bool)
    around = np.ones((3,) * values.ndim)
    for i, top in enumerate(tops):
        level = float(values[top]) - 2 * reach
        if level <= 0 or top in tops[:i]:
            continue
        parts, _ = label(values > level, structure=around)
        found[i] = values[parts == parts[top]].max() <= values[top]
    return found


def _top(values: Floats, grid: Sequence[Floats], place: Floats) -> tuple[int, ...]:
    """Return where the way up along the grid ends that starts nearest to a place."""
    top = tuple(int(np.abs(each - x).argmin()) for each, x in zip(grid, place, strict=True))
    while True:
        low = [max(0, index - 1) for index in top]
        near = values[tuple(slice(a, i + 2) for a, i in zip(low, top, strict=True))]
        step = np.unravel_index(int(near.argmax()), near.shape)
        higher = tuple(a + int(s) for a, s in zip(low, step, strict=True))
        if values[higher] <= values[top]:
            return top
        top = higher
