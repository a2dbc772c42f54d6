"""From noisy moments to a mixture: centres, radii and covariances that noise cannot spoil.

Everything here sees released numbers and public ones only.
"""

import numpy as np

from provedp.theory.arrays import Floats

GRID = 256  # points of the prior for an eigenvalue
COMMON_WIDTH = 1.0  # of the logarithms of the common eigenvalues, about their mean
CLASS_WIDTH = 0.7  # of those of a class, about the common ones
PRIOR_REACH = 0.5  # of the bound: root mean square length of a class mean before anything is seen


def within(points: Floats, radius: float) -> Floats:
    """Return points (rows), those outside the ball moved to its surface."""
    lengths = np.linalg.norm(points, axis=1)
    inside: Floats = points * np.minimum(1, radius / np.maximum(lengths, radius))[:, None]
    return inside


def sizes(noisy: Floats, records: int | None) -> Floats:
    """Return class sizes that sum to the number of records, if that is public.

    No class is taken for smaller than a tenth of the average one: its sums would be divided by
    what is mostly noise.
    """
    total = float(records) if records is not None else max(float(noisy.sum()), 1.0)
    raised = np.maximum(noisy, total / len(noisy) / 10)
    found: Floats = raised * (total / raised.sum())
    return found


def updated(
    centres: Floats, uncertainty: Floats, transforms: Floats, shifts: Floats, deviations: Floats
) -> tuple[Floats, Floats]:
    """Return posterior means and covariances of centres, for noisy shifts seen through A.

    Parameters
    ----------
    centres
        K × d prior means.
    uncertainty
        K × d × d prior covariances P.
    transforms
        K × d × d invertible matrices A.
    shifts
        K × d: A (true centre − prior mean), with noise.
    deviations
        K standard deviations s of the noise, in each coordinate.

    Returns
    -------
    c + G A⁻¹ shift and (I − G) P, with G = P (P + s² (AᵀA)⁻¹)⁻¹.
    """
    inverses = np.linalg.inv(transforms)
    noise = (inverses @ np.swapaxes(inverses, 1, 2)) * deviations[:, None, None] ** 2
    gains = uncertainty @ np.linalg.inv(uncertainty + noise)
    moved = centres + np.einsum("kij,kjl,kl->ki", gains, inverses, shifts)
    left = uncertainty - gains @ uncertainty
    return moved, (left + np.swapaxes(left, 1, 2)) / 2


def radius_of(cells: Floats, largest: float, tail: float) -> float:
    """Return the least radius of a histogram of distances outside which `tail` of it lies.

    Cell j ends at `largest` 2^(−j/2) and holds what is nearer, down to the next cell.
    """
    outside = np.cumsum(cells)
    allowed = tail * max(float(outside[-1]), 1.0)
    dropped = int(np.argmax(outside > allowed))
    shrink: float = 2.0 ** (-dropped / 2)
    return largest * shrink


def eigenvalue_means(
    noisy: Floats, deviation: float, low: float, high: float, harmonic: bool
) -> Floats:
    """Return posterior means of eigenvalues that were seen with Gaussian noise.

    The prior is log-uniform on [low, high]. The harmonic mean is the value at which the expected
    ½(λ̃/λ − 1 − ln(λ̃/λ)), the divergence from the true to the released direction, is least; the
    arithmetic one does that for λ/λ̃.

    Parameters
    ----------
    noisy
        Array of eigenvalues.
    deviation
        Standard deviation of the noise, positive.
    low, high
        Ends of the prior, 0 < low ≤ high.
    harmonic
        Which mean.
    """
    grid = np.geomspace(low, high, GRID)
    logs = -((noisy[:, None] - grid) ** 2) / (2 * deviation**2)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    total = weights.sum(axis=1)
    found: Floats = total / (weights / grid).sum(axis=1) if harmonic else weights @ grid / total
    return found


def unseen_eigenvalue(low: float, high: float, harmonic: bool) -> float:
    """Return the mean of the prior, for a release without second moments."""
    return float(eigenvalue_means(np.zeros(1), np.inf, low, high, harmonic)[0])


def covariance(noisy: Floats, deviation: float, low: float, high: float, harmonic: bool) -> Floats:
    """Return a positive definite matrix for a noisy one, eigenvalue by eigenvalue.

    Parameters
    ----------
    noisy
        Symmetric d × d matrix.
    deviation
        Standard deviation of its noise in the Frobenius norm: that of a diagonal entry. The root
        mean square of the noise's eigenvalues is √((d + 1)/2) times that.
    low, high
        Public bounds on eigenvalues.
    harmonic
        As for `eigenvalue_means`.
    """
    values, vectors = np.linalg.eigh(noisy)
    spread = deviation * np.sqrt((len(noisy) + 1) / 2)
    means = eigenvalue_means(values, spread, low, high, harmonic)
    found: Floats = (vectors * means) @ vectors.T
    return found


def common_covariance(noisy: Floats, deviation: float, low: float, high: float) -> Floats:
    """Return a positive definite matrix for a noisy one whose eigenvalues are alike.

    Their prior is log-normal about the mean eigenvalue, which has less noise than each of them.
    """
    size = len(noisy)
    mean = float(np.trace(noisy)) / size
    middle = eigenvalue_means(np.array([mean]), deviation / np.sqrt(size), low, high, False)[0]
    return near(noisy, deviation, middle * np.eye(size), width=COMMON_WIDTH)


def near(noisy: Floats, deviation: float, common: Floats, width: float = CLASS_WIDTH) -> Floats:
    """Return a covariance that is the common one as far as noise hides what it is.

    In coordinates where the common one is the identity, eigenvalues have a log-normal prior about
    1 with standard deviation `width`.
    """
    values, vectors = np.linalg.eigh(common)
    root = (vectors * np.sqrt(values)) @ vectors.T
    whiten = (vectors / np.sqrt(values)) @ vectors.T
    seen, axes = np.linalg.eigh(whiten @ noisy @ whiten)
    spread = deviation * float(np.mean(1 / values)) * np.sqrt((len(noisy) + 1) / 2)
    grid = np.exp(np.linspace(-4 * width, 4 * width, GRID))
    prior = np.log(grid) ** 2 / (2 * width**2)
    logs = -((seen[:, None] - grid) ** 2) / (2 * spread**2) - prior
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    means = weights @ grid / weights.sum(axis=1)
    found: Floats = root @ ((axes * means) @ axes.T) @ root
    return (found + found.T) / 2


def whitener(noisy: Floats, deviation: float) -> Floats:
    """Return A with A (noisy + deviation · I) Aᵀ = I, where negative eigenvalues count as 0."""
    values, vectors = np.linalg.eigh(noisy)
    found: Floats = (vectors / np.sqrt(np.maximum(values, 0) + deviation)) @ vectors.T
    return found


def limited(matrix: Floats, low: float, high: float) -> Floats:
    """Return a symmetric matrix with its eigenvalues moved into [low, high]."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    found: Floats = (vectors * np.clip(values, low, high)) @ vectors.T
    return (found + found.T) / 2
