"""Figure 2 of the modes paper: the Gaussian kernel and one of order 4, on the four corners.

The paper compares two private programs. Of the one with order 4 it gives neither clip nor step,
and the bound (5) from which its noise would follow is infinite for this kernel, so what is compared
here is what the kernels can do without noise, at the same bandwidth, as in the paper: the rate
(log n/n)^(1/(d + 2β)) of (11) with β = 4, which comes without a factor.
"""

from collections.abc import Iterator

import numpy as np
from scipy.ndimage import maximum_filter
from sklearn.base import clone

from provedp.experiments.modes.peaks import private_peaks
from provedp.theory import modes
from provedp.theory.arrays import Floats
from provedp.verify.claims.modes.instances.runs import (
    Row,
    errors,
    mean_and_error,
    released,
    true_privacy,
)
from provedp.verify.claims.modes.instances.samples import SIZES, Sample, four_corners
from provedp.verify.claims.modes.instances.settings import CORNERS_CODE

EPSILONS = (0.2, 0.5, 1.0, 2.0)
ORDER = 4
NODES = 241  # of the grid on each side of the box; its spacing is 0.05
LEAST = 0.5  # of the highest maximum: four equal peaks have equal heights


def figure2(seeds: int) -> Iterator[Row]:
    """Four corners: error of the modes for two kernels against n and ε."""
    for records in SIZES:
        sample = four_corners(records)
        kernels = {
            **kernel_columns(sample, "gaussian", None),
            **kernel_columns(sample, "order4", legendre()),
        }
        for epsilon in EPSILONS:
            model = clone(CORNERS_CODE).set_params(epsilon=epsilon)
            runs = released(model, sample.points, range(42, 42 + seeds))
            yield {
                "records": records,
                "epsilon": epsilon,
                "published": mean_and_error(errors(sample, runs)),
                **true_privacy(model, sample.points),
                **private_peaks(sample, epsilon, seeds),
                **kernels,
            }


def kernel_columns(sample: Sample, name: str, coefficients: Floats | None) -> Row:
    """Return the error (14) of a kernel's maxima, their number, and the error for each true mode.

    (14) divides by the number of maxima if that is larger, so that many of them make it small.
    """
    records = len(sample.points)
    h = (np.log(records) / records) ** (1 / (2 + 2 * ORDER))
    found = density_peaks(sample.points, sample.box, h, coefficients)
    error, true = errors(sample, [found])[0], len(sample.reference)
    return {
        f"{name}_kernel": error,
        f"{name}_maxima": len(found),
        f"{name}_per_mode": error * max(len(found), true) / true,
    }


def legendre() -> Floats:
    """Return the coefficients of the Legendre kernel of order 4, as floats."""
    return np.array([float(entry) for entry in modes.legendre_kernel_polynomial(ORDER)])


def density_peaks(
    points: Floats,
    box: tuple[tuple[float, float], ...],
    h: float,
    coefficients: Floats | None = None,
) -> Floats:
    """Return where a kernel density estimate has its high maxima, on a grid.

    The kernel is the product of polynomials on [−1, 1] with these `coefficients`, or Gaussian.
    """
    axes = [np.linspace(low, high, NODES) for low, high in box]
    sides = [
        _kernel((axis[:, None] - points[:, column]) / h, coefficients)
        for column, axis in enumerate(axes)
    ]
    height = sides[0] @ sides[1].T
    top = (height == maximum_filter(height, size=5)) & (height >= LEAST * height.max())
    first, second = np.nonzero(top)
    return np.column_stack([axes[0][first], axes[1][second]])


def _kernel(u: Floats, coefficients: Floats | None) -> Floats:
    if coefficients is None:
        gaussian: Floats = np.exp(-(u**2) / 2)
        return gaussian
    inside = np.clip(u, -1, 1)
    values = np.polynomial.polynomial.polyval(inside, coefficients)
    return np.where(np.abs(u) <= 1, values, 0.0)
