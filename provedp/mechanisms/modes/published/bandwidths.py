"""Bandwidths that the modes paper uses. Silverman's depend on the data, and are not private."""

import math

import numpy as np

from provedp.theory.arrays import Floats


def silverman_bandwidth(points: Floats) -> float:
    """Return h with h² = (2/d) tr(Σ̂) (4/((2d + 1) n))^(2/(d + 4)), from n ≥ 2 points in R^d.

    >>> round(silverman_bandwidth(np.array([[0.0], [1.0], [2.0]])), 6)
    1.202482
    """
    n, d = points.shape
    variance = float(points.var(axis=0, ddof=1).sum())
    return math.sqrt(2 / d * variance) * math.pow(4 / ((2 * d + 1) * n), 1 / (d + 4))


def silverman_line_bandwidth(values: Floats) -> float:
    """Return h = 0.9 min(s, IQR/1.34) n^(−1/5) for n ≥ 2 numbers.

    >>> round(silverman_line_bandwidth(np.arange(32.0)), 6)
    4.221374
    """
    low, high = np.quantile(values, [0.25, 0.75])
    spread = min(float(values.std(ddof=1)), float(high - low) / 1.34)
    return 0.9 * spread * math.pow(len(values), -1 / 5)


def rate_bandwidth(records: int, dimension: int) -> float:
    """Return (log n / n)^(1/(d + 6)), the bandwidth of Section 5.1.

    >>> round(rate_bandwidth(1000, 2), 6)
    0.536929
    """
    return math.pow(math.log(records) / records, 1 / (dimension + 6))
