"""Records of the random mixture of Section V-A."""

import functools

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from provedp.theory.arrays import Floats
from provedp.theory.mixture import LabelledData

__all__ = ["REACH", "synthetic_data", "synthetic_records"]

REACH = 10.0  # means of the mixture are in [−10, 10]^d


def synthetic_records(
    seed: int, records: int = 1000, dimension: int = 3, classes: int = 5
) -> tuple[Floats, NDArray[np.int64]]:
    """Return features (N × d) and labels from a random mixture as in Section V-A.

    Weights are uniform on the simplex, means on [−10, 10]^d, covariances Wishart with d + 1 degrees
    of freedom. As the paper's formulas need invertible covariances, weights are drawn again until
    every class has at least d + 2 records.
    """
    rng = np.random.default_rng(seed)
    means = rng.uniform(-REACH, REACH, (classes, dimension))
    scale = stats.wishart(dimension + 1, np.eye(dimension))
    covariances = np.reshape(scale.rvs(classes, random_state=rng), (classes, dimension, dimension))
    labels = np.zeros(0, dtype=np.int64)
    while np.bincount(labels, minlength=classes).min() < dimension + 2:
        labels = rng.choice(classes, records, p=rng.dirichlet(np.ones(classes)))
    factors = np.linalg.cholesky(covariances)
    noise = rng.standard_normal((records, dimension))
    return means[labels] + np.einsum("nij,nj->ni", factors[labels], noise), labels


@functools.cache
def synthetic_data(
    seed: int, records: int = 1000, dimension: int = 3, classes: int = 5
) -> LabelledData:
    """Return the records of `synthetic_records` as labelled data."""
    features, labels = synthetic_records(seed, records, dimension, classes)
    return LabelledData(features, labels.tolist(), classes)
