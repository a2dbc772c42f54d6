"""What the modes paper's releases have in common: a refuted promise, and points for modes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from provedp.mechanisms.modes.published.merging import merge_to, merge_within
from provedp.mechanisms.published import PublishedMechanism
from provedp.theory.arrays import Floats
from provedp.theory.domain import Range, argument_error, check_argument, integers, reals
from provedp.theory.privacy import Adjacency

POSITIVE = reals(0, open_low=True)
SHARE = reals(0, 1, open_low=True, open_high=True)
PART = reals(0, 1, open_low=True)
COUNT = integers(1)
LEAST = 3  # records: log n must exceed 1


@dataclass(frozen=True, eq=False)
class Trail:
    """From the starts over where they ascended to, to the merged modes."""

    starts: Floats
    ascended: Floats
    modes: Floats


class PublishedRelease(PublishedMechanism, BaseEstimator):  # type: ignore[misc]
    """A release whose published (ε, δ) is refuted: `guarantee` is None and `fit` warns."""

    adjacency_claimed = Adjacency.REPLACE_ONE
    random_state: Any

    def _budget(self) -> tuple[float, float]:
        """Return ε and δ, both positive, as floats."""
        name, promised = type(self).__name__, self.claimed
        named = isinstance(self.epsilon, str)
        epsilon = math.log(promised.ratio) if named else float(self.epsilon)
        check_argument(name, "epsilon", POSITIVE, epsilon)
        check_argument(name, "delta", SHARE, float(promised.delta))
        return epsilon, float(promised.delta)

    def _check(self, ranges: Mapping[str, Range]) -> None:
        """Check the named parameters; None stands for a default where it is allowed."""
        for parameter, allowed in ranges.items():
            value = getattr(self, parameter)
            if value is not None:
                check_argument(type(self).__name__, parameter, allowed, value)


class PublishedModesBase(PublishedRelease):
    """A published release of modes.

    Attributes
    ----------
    modes_
        The released modes, one in each row.
    starts_, ascended_
        The starts and where they ascended to, before merging.
    """

    counted = "modes"  # which parameter holds the number of modes, if it is known

    def release(self, data: ArrayLike, rng: Any = None) -> Floats:
        """Release modes of n × d `data` with the randomness of `rng`.

        Raises
        ------
        ValueError
            If a parameter or the data are outside their range.
        """
        self._warn()
        return self._trail(read_points("release", "data", data), np.random.default_rng(rng)).modes

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Release modes of n × d records X and keep them in `modes_`.

        Raises
        ------
        ValueError
            If a parameter or the data are outside their range.
        """
        self._warn()
        points = read_points("fit", "X", X)
        trail = self._trail(points, np.random.default_rng(self.random_state))
        self.modes_, self.starts_, self.ascended_ = trail.modes, trail.starts, trail.ascended
        self.n_features_in_ = points.shape[1]
        return self

    def _trail(self, points: Floats, rng: np.random.Generator) -> Trail:
        raise NotImplementedError

    def _merged(self, ascended: Floats, radius: float) -> Floats:
        count = getattr(self, self.counted)
        return merge_within(ascended, radius) if count is None else merge_to(ascended, count)


class ModalClusters(ClusterMixin, PublishedModesBase):  # type: ignore[misc]
    """Clusters around released modes; labels are computed from them and not released."""

    counted = "clusters"

    @property
    def cluster_centers_(self) -> Floats:
        """The released modes."""
        check_is_fitted(self)
        return self.modes_

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return the place of the nearest released mode for each row of X."""
        points = read_points("predict", "X", X, least=1)
        nearest: NDArray[np.intp] = cdist(points, self.cluster_centers_).argmin(axis=1)
        return nearest

    def fit_predict(self, X: ArrayLike, y: Any = None, **kwargs: Any) -> NDArray[np.intp]:
        """Release modes of X and return the place of the nearest one for each row."""
        return self.fit(X).predict(X)


def read_points(where: str, name: str, value: ArrayLike, least: int = LEAST) -> Floats:
    """Return records as an n × d array of finite floats.

    Raises
    ------
    ValueError
        If they are no such array, or fewer than `least`.
    """
    points = np.asarray(value, dtype=np.float64)
    if points.ndim != 2 or len(points) < least or points.shape[1] < 1:
        got = f"an array of shape {points.shape}"
    elif not np.isfinite(points).all():
        row, column = np.argwhere(~np.isfinite(points))[0]
        got = f"{points[row, column]} in row {row + 1}, column {column + 1}"
    else:
        return points
    allowed = f"an n × d array of finite numbers with n ≥ {least}"
    raise argument_error(where, name, allowed, got)


def minibatch(share: float, records: int) -> int:
    """Return the size of a minibatch that is a share of the records, at least 1.

    >>> minibatch(0.1, 705), minibatch(0.01, 9)
    (70, 1)
    """
    return max(1, round(share * records))


def times_log(factor: float, records: int) -> int:
    """Return ⌈factor · log n⌉."""
    return math.ceil(factor * math.log(records))
