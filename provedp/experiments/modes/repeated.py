"""Figure 14 of the modes paper: where repeated runs put the modes of the five peaks."""

from collections.abc import Iterator

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import clone

from provedp.experiments.modes.peaks import private_modes, shifted_modes
from provedp.experiments.modes.settings import EPSILON
from provedp.theory.arrays import Floats
from provedp.verify.claims.modes.instances.runs import Row, released, true_privacy
from provedp.verify.claims.modes.instances.samples import FREEDOM, SCALES, five_peaks
from provedp.verify.claims.modes.instances.settings import PEAKS_CODE, peak_seeds

RECORDS = 2000  # the text does not name the figure's n; errors for this one are in Table 3
NEAR = 1.0  # a sixth of the distance of the outer modes from the middle one


def figure14(seeds: int) -> Iterator[Row]:
    """Five peaks: where repeated runs put the modes."""
    sample = five_peaks(RECORDS)
    model = clone(PEAKS_CODE).set_params(epsilon=EPSILON)
    runs = {
        "published": released(model, sample.points, peak_seeds(RECORDS, EPSILON, seeds)),
        "private": private_modes(sample, EPSILON, seeds),
        "mean_shift": [shifted_modes(sample.points)],
    }
    places = [nearest(found, sample.reference) for found in runs.values()]
    privacy = true_privacy(model, sample.points)
    for peak, mode in enumerate(sample.reference):
        row: Row = {
            "mode": f"({mode[0]:g}, {mode[1]:g})",
            "scale": SCALES[peak],
            "freedom": FREEDOM[peak],
            **privacy,
        }
        for name, gaps in zip(runs, places, strict=True):
            found = gaps[:, peak] <= NEAR
            row[f"{name}_found"] = float(found.mean())
            near = gaps[found, peak]
            row[f"{name}_distance"] = float(np.sqrt((near**2).mean())) if near.size else None
        for name, modes in runs.items():
            row[f"{name}_points"] = own_points(modes, sample.reference, peak)
        yield row


def nearest(runs: list[Floats], reference: Floats) -> Floats:
    """Return the distance from each true mode to the nearest released one, runs × modes."""
    far = np.full(len(reference), np.inf)
    return np.array([cdist(found, reference).min(axis=0) if len(found) else far for found in runs])


def own_points(runs: list[Floats], reference: Floats, peak: int) -> list[list[float]]:
    """Return the released modes, of all runs, that no other true mode is nearer to."""
    released_points = np.vstack(runs)
    own = cdist(released_points, reference).argmin(axis=1) == peak
    points: list[list[float]] = released_points[own].tolist()
    return points
