"""One step from each peak, by the records around it: a second release, with δ = 0.

Around each peak is a cube of its own. A record in it, at t bandwidths from the peak, adds the
point nearest to t/c of those whose coordinates have absolute values of sum 1 at most: far from the
peak that is one unit along the coordinate in which it is farthest, and near it t/c. This is the
slope of a kernel, a tent in the maximum norm that is rounded by the softness c at its top; so the
step leads towards a mode of the estimate with that kernel. The cube is such that skewness moves
the modes of both kernels nearly alike, or ends half way to the nearest other peak.

The slope is known to one number for each coordinate, with noise for a move of 2 records in all:
binned counts have such noise at every node, of which several matter for the slope at a peak.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction as Q
from functools import lru_cache
from math import sqrt

import numpy as np
from scipy.stats import qmc

from provedp.mechanisms.exact.parameters import root_below
from provedp.mechanisms.exact.sampling import ByteSource
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.mechanisms.modes.private.field import Axis
from provedp.theory.arrays import Floats, Integers
from provedp.theory.modes import bins_sensitivity
from provedp.theory.numbers import rational

PART_BITS = 12  # of the parts of a record
WHOLE = 1 << PART_BITS
NARROWER = 0.9  # than the cube on which a tent has variance 1
LONGEST = 1.0  # bandwidths of a step in each coordinate
NORMALS = 1 << 11  # points by which expectations under a normal law are computed


@dataclass(frozen=True)
class StepRule:
    """How the budget is divided, and how soft the kernel's top is.

    Parameters
    ----------
    share
        Share of ε for the steps.
    softness
        c, in bandwidths.
    """

    share: Q
    softness: float

    def parts(self, ratio: Q) -> tuple[Q, Q]:
        """Return e^ε of what comes before, and of the steps; their product is `ratio`."""
        before = 1 - self.share
        first = root_below(ratio, before.denominator) ** before.numerator
        return first, ratio / first


def half_side(columns: int) -> float:
    """Return the half side R, in bandwidths, of the cube around a peak that is far from others.

    With k(t) = R − max |tᵢ| a coordinate has the variance R² (d + 1)/(3(d + 3)), and R is 9/10 of
    that for variance 1. Then the modes of this kernel and of the Gaussian one of a density with
    skewness γ and standard deviation s bandwidths differ, to first order, by less than γ/18 of a
    bandwidth in a coordinate, for s from 0.6 to 1, c up to 1 and d up to 2, and by less than γ/9
    for d = 5.
    """
    return NARROWER * sqrt(3 * (columns + 3) / (columns + 1))


def within(points: Floats) -> Floats:
    """Return the nearest points (rows) with Σ |tᵢ| ≤ 1."""
    sizes = np.abs(points)
    ordered = -np.sort(-sizes, axis=1)
    cuts = (np.cumsum(ordered, axis=1) - 1) / np.arange(1, points.shape[1] + 1)
    last = np.maximum((ordered > cuts).sum(axis=1), 1) - 1
    cut = np.maximum(np.take_along_axis(cuts, last[:, None], axis=1), 0)
    found: Floats = np.sign(points) * np.maximum(sizes - cut, 0)
    return found


def step_noise(adjacency: str, ratio: Q) -> TwoSidedGeometric:
    """Return noise on parts of records with which the steps cost ln(ratio) at most, and δ = 0."""
    return TwoSidedGeometric(root_below(ratio, int(rational(bins_sensitivity(adjacency, WHOLE)))))


def half_sides(places: Floats, widths: Floats) -> Floats:
    """Return the half side of the cube around each place, in bandwidths: no two cubes meet."""
    scaled = places / widths
    gaps = np.abs(scaled[:, None] - scaled).max(axis=2)
    np.fill_diagonal(gaps, np.inf)
    found: Floats = np.minimum(gaps.min(axis=1, initial=np.inf) / 2, half_side(places.shape[1]))
    return found


def slopes(points: Floats, places: Floats, widths: Floats, softness: float) -> Integers:
    """Return what all records add around each place, a k × d array of integer parts.

    Those of one record have absolute values of sum WHOLE at most, at one place alone: parts are
    cut towards zero.
    """
    sides = half_sides(places, widths)
    left = np.ones(len(points), dtype=bool)
    found = np.zeros(places.shape, dtype=np.int64)
    for k, (place, side) in enumerate(zip(places, sides, strict=True)):
        scaled = (points - place) / widths
        inside = left & (np.abs(scaled).max(axis=1) < side)
        left &= ~inside
        parts = np.trunc(within(scaled[inside] / softness) * WHOLE)
        found[k] = parts.astype(np.int64).sum(axis=0)
    return found


def release_slopes(
    points: Floats,
    places: Floats,
    axes: Sequence[Axis],
    softness: float,
    noise: TwoSidedGeometric,
    rng: ByteSource | None,
) -> Floats:
    """Return the noisy slopes at k public places, in records; exact ones are integers of parts."""
    box = np.array([(axis.low, axis.high) for axis in axes])
    widths = np.array([axis.bandwidth for axis in axes])
    exact = slopes(np.clip(points, *box.T), places, widths, softness)
    noisy = noise.added_to(exact.ravel().tolist(), rng)
    return np.array([float(value) for value in noisy]).reshape(places.shape) / WHOLE


@lru_cache(maxsize=4096)
def slope_of_normal(
    columns: int, side: float, softness: float, width: float
) -> tuple[float, float]:
    """Return the slope's fall for one bandwidth, and its mean square, for one record.

    Both are for one coordinate, of a record that is normal around the place with standard deviation
    `width` in bandwidths: E[ψᵢ tᵢ]/width² by Stein's identity, and E[ψᵢ²].
    """
    points = width * _normals(columns)
    parts = within(points / softness) * (np.abs(points).max(axis=1) < side)[:, None]
    return float((parts * points).mean()) / width**2, float((parts**2).mean())


@lru_cache(maxsize=16)
def _normals(columns: int) -> Floats:
    mean = np.zeros(columns)
    found: Floats = qmc.MultivariateNormalQMC(mean, seed=0).random(NORMALS)
    return found
