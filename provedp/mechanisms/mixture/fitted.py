"""What can be done with a released mixture, in the words of scikit-learn."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted

from provedp.mechanisms.mixture.gaussian_mixture import LabelledMixture
from provedp.theory.arrays import Floats


class FittedMixture(DensityMixin, BaseEstimator):  # type: ignore[misc]  # sklearn has no types
    """An estimator whose `fit` keeps the `LabelledMixture` that it releases in `mixture_`."""

    mixture_: LabelledMixture
    random_state: Any

    def sample(self, n_samples: int = 1) -> tuple[Floats, NDArray[Any]]:
        """Return draws from what was released, records and labels: they cost no more privacy."""
        check_is_fitted(self)
        return self.mixture_.sample(n_samples, self._source_of_samples())

    def score_samples(self, X: ArrayLike) -> Floats:
        """Return the log-density of each row of X."""
        check_is_fitted(self)
        return self.mixture_.score_samples(X)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return the mean log-density of the rows of X."""
        return float(self.score_samples(X).mean())

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label of the largest posterior probability for each row of X."""
        check_is_fitted(self)
        return self.mixture_.predict(X)

    def _source_of_samples(self) -> np.random.Generator:
        return np.random.default_rng(self.random_state)
