"""The nearest weights that a mixture may have."""

import numpy as np

from provedp.theory.arrays import Floats


def onto_simplex(point: Floats, least: float) -> Floats:
    """Return the nearest vector of sum 1 whose K entries are at least `least` < 1/K.

    >>> onto_simplex(np.array([0.9, 0.6, -0.2]), 0.1).round(9).tolist()
    [0.6, 0.3, 0.1]
    """
    room = 1 - len(point) * least
    falling = np.sort(point - least)[::-1]
    excess = (np.cumsum(falling) - room) / np.arange(1, len(point) + 1)
    shift = excess[np.flatnonzero(falling - excess >= 0)[-1]]
    parts = np.maximum(point - least - shift, 0)
    raised: Floats = least + parts * (room / parts.sum())  # the factor is one but for rounding
    return raised
