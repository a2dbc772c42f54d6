"""Labelled data for the mixture experiments: Iris, the paper's synthetic mixture, digits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import PCA

from provedp.mechanisms.mixture.gaussian_mixture import LabelledMixture
from provedp.theory.arrays import Floats
from provedp.theory.mixture import LabelledData
from provedp.verify.claims.mixture.instances.fitted import fitted_mixture
from provedp.verify.claims.mixture.instances.synthetic import REACH, synthetic_records

IRIS_BOUND = 4.0  # public bound on the length of a standardised record
VARIANCE_FLOOR = 0.05  # public: Wishart matrices with d + 1 degrees of freedom are seldom thinner
PUBLIC_DIGITS = 600
TEST_DIGITS = 597


@dataclass(frozen=True, eq=False)
class Labelled:
    """Features, labels 0 … K − 1, and what is public: a bound, and a floor for variances."""

    name: str
    features: Floats
    labels: NDArray[np.int64]
    classes: int
    bound: float
    floor: float | None = None

    def fitted(self, ridge: float = 0.0) -> LabelledMixture:
        """Return the mixture that is fitted without privacy, eq. (2)."""
        data = LabelledData(self.features, self.labels.tolist(), self.classes)
        return fitted_mixture(data, ridge)


def iris() -> Labelled:
    """Return Iris, each feature with mean 0 and variance 1, as in Section V-B."""
    features, labels = load_iris(return_X_y=True)
    standard = (features - features.mean(axis=0)) / features.std(axis=0)
    return Labelled("Iris", standard, labels, 3, IRIS_BOUND)


def synthetic(seed: int, records: int = 1000, dimension: int = 3, classes: int = 5) -> Labelled:
    """Return data from a random mixture as in Section V-A; the public bound is 10 √d + 2."""
    features, labels = synthetic_records(seed, records, dimension, classes)
    bound = REACH * float(np.sqrt(dimension)) + 2
    return Labelled("synthetic", features, labels, classes, bound, VARIANCE_FLOOR)


@dataclass(frozen=True, eq=False)
class Digits:
    """Digits in a few coordinates, with public images (unlabelled) that the coordinates are from.

    `location`, `shape` and `train.bound` are computed from the public images alone.
    """

    train: Labelled
    test_features: Floats
    test_labels: NDArray[np.int64]
    location: Floats
    shape: Floats


def digits(components: int = 10) -> Digits:
    """Return scikit-learn's 8 × 8 digits: 600 public images for PCA, 600 private, 597 for tests.

    Records are scaled by the public images' standard deviations; the bound is the length that
    nineteen of twenty public images are within.
    """
    images, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(images))
    public, private, test = np.split(order, [PUBLIC_DIGITS, len(order) - TEST_DIGITS])
    pca = PCA(components, svd_solver="full").fit(images[public])
    known = pca.transform(images[public])
    shape = np.diag(known.var(axis=0))
    location = known.mean(axis=0)
    lengths = np.linalg.norm((known - location) / known.std(axis=0), axis=1)
    bound = float(np.quantile(lengths, 0.95))
    train = Labelled("digits", pca.transform(images[private]), labels[private], 10, bound)
    return Digits(train, pca.transform(images[test]), labels[test], location, shape)
