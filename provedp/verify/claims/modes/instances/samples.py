"""Data of the modes paper's experiments, with seeds that give back its tables, and public boxes.

Boxes are round numbers around what a generator can give; records outside are moved to them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits, make_blobs
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from provedp.theory.arrays import Floats

SIZES = (700, 1000, 2000, 5000)
FIRST_SEED = 42
CORNERS = np.array([(3.0, 3.0), (3.0, -3.0), (-3.0, 3.0), (-3.0, -3.0)])
PEAKS = np.array([(0.0, 0.0), (6.0, 0.0), (-6.0, 0.0), (0.0, 6.0), (0.0, -6.0)])
FREEDOM, SCALES = (15, 6, 10, 8, 20), (0.1, 0.9, 1.3, 1.0, 0.4)
BLOB_CENTRES = np.array([(-2.0, -2.0), (-2.0, 2.0), (2.0, -2.0), (2.0, 2.0)])
BLOB_SPREAD = 1.2
DIGIT_COMPONENTS, DIGIT_SEED = 6, 41
REGRESSION_SEED = 50_000_000
NOISE, STEP_NOISE = 0.15, 0.2
STEPS = (((0.0, 0.5), 3.0), ((0.4, 0.7), 2.0), ((0.6, 1.0), 1.0))  # where, and the mode there


@dataclass(frozen=True, eq=False)
class Sample:
    """Points, the modes or class means that are looked for, a public box, and labels if any.

    Where the reference has more coordinates than the points, `lift` takes points there.
    """

    points: Floats
    reference: Floats
    box: tuple[tuple[float, float], ...]
    labels: NDArray[np.int64] | None = None
    lift: Callable[[Floats], Floats] | None = None


@dataclass(frozen=True, eq=False)
class Curves:
    """Predictors and responses, the modes of the response at a predictor, and a public box."""

    predictors: Floats
    responses: Floats
    modes: Callable[[float], Floats]
    box: tuple[tuple[float, float], ...]


def four_corners(records: int) -> Sample:
    """Return n/4 points from each of four unit normal laws, Section 3.1."""
    rng = np.random.default_rng(FIRST_SEED + SIZES.index(records))
    identity = np.eye(2)
    parts = [rng.multivariate_normal(mean, identity, records // 4) for mean in CORNERS]
    return Sample(np.vstack(parts), CORNERS, ((-6.0, 6.0),) * 2)


def five_peaks(records: int) -> Sample:
    """Return n/5 points from each of five laws of Student's kind, Section 5.3.1."""
    rng = np.random.default_rng(FIRST_SEED + SIZES.index(records))
    laws = zip(PEAKS, FREEDOM, SCALES, strict=True)
    parts = [
        rng.standard_t(freedom, (records // 5, 2)) * scale + mean for mean, freedom, scale in laws
    ]
    return Sample(np.vstack(parts), PEAKS, ((-9.0, 9.0),) * 2)


def blobs(records: int, seed: int) -> Sample:
    """Return standardised points around four centres, Section 5.5.1; the reference: class means."""
    points, labels = make_blobs(
        records, centers=BLOB_CENTRES, cluster_std=BLOB_SPREAD, random_state=seed
    )
    standard = StandardScaler().fit_transform(points)
    return Sample(standard, class_centres(standard, labels), ((-2.5, 2.5),) * 2, labels)


def digits() -> Sample:
    """Return 8 × 8 digits in six principal components of the standardised pixels, Appendix B.4.

    The reference is the mean of each digit over standardised pixels.
    """
    images, labels = load_digits(return_X_y=True)
    standard = StandardScaler().fit_transform(images)
    pca = PCA(DIGIT_COMPONENTS, random_state=DIGIT_SEED)
    points = pca.fit_transform(standard)
    reference, box = class_centres(standard, labels), ((-8.0, 8.0),) * DIGIT_COMPONENTS
    return Sample(points, reference, box, labels, pca.inverse_transform)


def class_centres(points: Floats, labels: NDArray[np.int64]) -> Floats:
    """Return the mean of each class."""
    return np.array([points[labels == label].mean(axis=0) for label in np.unique(labels)])


def regression_seed(records: int, epsilon: float, run: int) -> int:
    """Return the seed of one run's data in Tables 4 and 5."""
    return REGRESSION_SEED + 100_000 * records + 1000 * int(10 * epsilon) + run


def sinusoid(records: int, seed: int) -> Curves:
    """Return two noisy sine curves a distance of 1.5 apart, Section 5.4.1."""
    rng = np.random.default_rng(seed)
    sizes = (records // 2, records - records // 2)
    places = [rng.uniform(0, 1, size) for size in sizes]
    noise = [rng.normal(0, NOISE, size) for size in sizes]
    upper, lower = (sinusoid_modes(x) for x in places)
    responses = np.concatenate([upper[1] + noise[0], lower[0] + noise[1]])
    return Curves(np.concatenate(places), responses, sinusoid_modes, ((0.0, 1.0), (-1.0, 2.5)))


def sinusoid_modes(place: float | Floats) -> Floats:
    """Return the lower and the upper mode."""
    lower = 0.5 * np.sin(3 * np.pi * np.asarray(place))
    return np.array([lower, 1.5 + lower])


def steps(records: int, seed: int) -> Curves:
    """Return three overlapping levels with noise, Appendix B.2."""
    rng = np.random.default_rng(seed)
    third = records // 3
    sizes = (third, third, records - 2 * third)
    places = [rng.uniform(*where, size) for (where, _), size in zip(STEPS, sizes, strict=True)]
    responses = [
        rng.normal(level, STEP_NOISE, size) for (_, level), size in zip(STEPS, sizes, strict=True)
    ]
    box = ((0.0, 1.0), (0.0, 4.0))
    return Curves(np.concatenate(places), np.concatenate(responses), step_modes, box)


def step_modes(place: float) -> Floats:
    """Return the levels at one predictor."""
    return np.array([level for (low, high), level in STEPS if low <= place <= high])
