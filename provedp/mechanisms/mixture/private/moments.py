"""Counts, sums and second moments of the classes, with exact Gaussian noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction as Q

import numpy as np

from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.exact.sampling import ByteSource
from provedp.mechanisms.mixture.private.lattice import (
    RADIUS,
    RADIUS_BITS,
    first_moments,
    second_moments,
)
from provedp.mechanisms.mixture.private.plan import COUNT_STEPS, Noise, known
from provedp.theory.arrays import Floats

CELLS = 24  # of the histogram of distances: radii fall by √2 from cell to cell


@dataclass(frozen=True, eq=False)
class NoisyMoments:
    """What was released about one class; lengths are in units of the ball's radius.

    Parameters
    ----------
    count
        Noisy number of records, or None.
    first
        Noisy sum, d numbers.
    second
        Noisy d × d sum of z zᵀ, or None.
    """

    count: float | None
    first: Floats
    second: Floats | None


def release_moments(
    points: Sequence[Floats], noise: Noise, rng: ByteSource | None
) -> list[NoisyMoments]:
    """Release the moments of each class's points: integers in the ball (rows), as floats."""
    return [_release(part, noise, rng) for part in points]


def release_distances(points: Sequence[Floats], noise: Noise, rng: ByteSource | None) -> Floats:
    """Release how many points, of all classes together, lie in each shell of the ball.

    Cell j holds the points with 2^(−(j+1)/2) < ‖z‖/R ≤ 2^(−j/2), the last one all that are nearer.
    """
    squares = np.concatenate([(part * part).sum(axis=1) for part in points])
    mantissa, exponent = np.frexp(np.maximum(squares, 1.0))
    upper = exponent - (mantissa == 0.5)  # ⌈log₂‖z‖²⌉, exactly
    cells = np.minimum(2 * RADIUS_BITS - upper, CELLS - 1)
    counts = np.bincount(cells, minlength=CELLS)
    return _noisy(counts * COUNT_STEPS, noise.count, rng) / COUNT_STEPS


def release_counts(counts: Sequence[int], noise: Noise, rng: ByteSource | None) -> list[float]:
    """Release the class sizes alone."""
    return [
        float(x) / COUNT_STEPS for x in _noisy(np.array(counts) * COUNT_STEPS, noise.count, rng)
    ]


def release_pooled(points: Sequence[Floats], noise: Noise, rng: ByteSource | None) -> Floats:
    """Release Σ z zᵀ over the points of all classes, or its trace as a 1 × 1 matrix.

    Lengths are in units of the ball's radius.
    """
    together = np.concatenate(points)
    if noise.square is None:
        return _noisy_matrix(together, noise, rng) / RADIUS**2
    trace = np.array([np.trace(second_moments(together))], dtype=object)
    return _noisy(trace, noise.square, rng)[:, None] / RADIUS**2


def _release(points: Floats, noise: Noise, rng: ByteSource | None) -> NoisyMoments:
    count = None
    if noise.count is not None:
        (count,) = release_counts([len(points)], noise, rng)
    sums = first_moments(points)
    first = _noisy(sums, noise.first, rng) / RADIUS
    second = None if noise.second is None else _noisy_matrix(points, noise, rng) / RADIUS**2
    return NoisyMoments(count, first, second)


def _noisy_matrix(points: Floats, noise: Noise, rng: ByteSource | None) -> Floats:
    exact = second_moments(points)
    upper = np.triu_indices(len(exact), 1)
    diagonal = _noisy(np.diag(exact), noise.second, rng)
    across = _noisy(exact[upper], noise.across, rng)
    found = np.diag(diagonal)
    found[upper] = across
    found.T[upper] = across
    return found


def _noisy(exact: np.ndarray, deviation: Q | None, rng: ByteSource | None) -> Floats:
    """Return integers with rounded Gaussian noise, as floats (rounding what is released)."""
    noisy = RoundedGaussian(known(deviation)).added_to(exact, rng)
    return np.array([float(value) for value in noisy])
