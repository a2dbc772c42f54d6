"""The mixture that is fitted without privacy."""

import numpy as np

from provedp.mechanisms.mixture.gaussian_mixture import LabelledMixture
from provedp.theory.mixture import LabelledData, class_covariances, class_means, class_weights

__all__ = ["fitted_mixture"]


def fitted_mixture(data: LabelledData, ridge: float = 0.0) -> LabelledMixture:
    """Return the mixture with the parameters (2) of the data, κ = `ridge`, in floats."""
    return LabelledMixture(
        tuple(range(data.classes)),
        np.asarray(class_weights(data), dtype=np.float64),
        np.asarray(class_means(data), dtype=np.float64),
        np.stack([np.asarray(c, dtype=np.float64) for c in class_covariances(data, ridge)]),
    )
