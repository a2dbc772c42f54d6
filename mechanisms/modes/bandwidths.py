"""Bandwidths that the modes paper uses. The first depends on the data, and is not private."""

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def silverman_bandwidth(points: Floats) -> float:
    """Return h with h² = (2/d) tr(Σ̂) (4/((2d + 1) n))^(2/(d + 4)), from n ≥ 2 points in R^d.

    >>> round(silverman_bandwidth(np.array([[0.0], [1.0], [2.0]])), 6)
    1.202482
    """
    n, d = points.shape
    variance = float(points.var(axis=0, ddof=1).sum())
    return math.sqrt(2 / d * variance) * math.pow(4 / ((2 * d + 1) * n), 1 / (d + 4))


def rate_bandwidth(records: int, dimension: int) -> float:
    """Return (log n / n)^(1/(d + 6)), the bandwidth of Section 5.1.

    >>> round(rate_bandwidth(1000, 2), 6)
    0.536929
    """
    return math.pow(math.log(records) / records, 1 / (dimension + 6))
