"""Mean shift with a Gaussian kernel, in all coordinates or in the response alone: not private."""

import numpy as np
from scipy.spatial.distance import cdist

from provedp.theory.arrays import Floats

BLOCK = 1 << 22  # distances that are kept at once


def mean_shift(points: Floats, starts: Floats, bandwidth: float, rounds: int) -> Floats:
    """Return where `rounds` steps of mean shift lead from each start.

    x ← Σ_i w_i X_i / Σ_i w_i, w_i = exp(−‖X_i − x‖²/(2h²)); a start without neighbours stays.

    Parameters
    ----------
    points
        The records X_i, n × d.
    starts
        k × d.
    bandwidth
        h > 0.
    rounds
        Number of steps.

    >>> mean_shift(np.array([[0.0], [1.0]]), np.array([[0.2]]), 5.0, 40).round(9).tolist()
    [[0.5]]
    """
    return _shifted(points, starts, points, starts, bandwidth, rounds)


def partial_mean_shift(
    records: tuple[Floats, Floats], starts: tuple[Floats, Floats], bandwidth: float, rounds: int
) -> Floats:
    """Return the responses that `rounds` steps in the response lead to from each start.

    y ← Σ_i w_i Y_i / Σ_i w_i, w_i = exp(−((X_i − x)² + (Y_i − y)²)/(2h²)); x stays.

    Parameters
    ----------
    records
        Predictors X_i and responses Y_i.
    starts
        Predictors x and responses y.
    bandwidth
        h > 0.
    rounds
        Number of steps.

    Source: reference [16] of the modes paper.

    >>> records = np.array([0.0, 0.0, 9.0]), np.array([1.0, 2.0, 50.0])
    >>> partial_mean_shift(records, (np.array([0.0]), np.array([1.2])), 1.5, 60).round(9).tolist()
    [1.5]
    """
    points, places = np.column_stack(records), np.column_stack(starts)
    return _shifted(points, places, points[:, 1:], places[:, 1:], bandwidth, rounds)[:, 0]


def _shifted(
    points: Floats, places: Floats, values: Floats, current: Floats, h: float, rounds: int
) -> Floats:
    """Move the last coordinates of each place, `current`, to the weighted means of `values`."""
    fixed = places.shape[1] - current.shape[1]
    size = max(1, BLOCK // len(points))
    found = current.copy()
    for block in range(0, len(places), size):
        part = slice(block, block + size)
        for _ in range(rounds):
            here = np.hstack([places[part, :fixed], found[part]])
            weights = np.exp(-cdist(here, points, "sqeuclidean") / (2 * h * h))
            total = weights.sum(axis=1, keepdims=True)
            means = weights @ values / np.where(total > 0, total, 1)
            found[part] = np.where(total > 0, means, found[part])
    return found
