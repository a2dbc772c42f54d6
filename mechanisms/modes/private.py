"""Modes, clusters and modal regression from one private density estimate."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin

from provedp.mechanisms.gaussian_budget import gaussian_budget
from provedp.mechanisms.modes.box import release_box
from provedp.mechanisms.modes.field import Field, Floats, field_noise, release_field
from provedp.mechanisms.modes.peaks import ascend, peaks_of
from provedp.mechanisms.modes.ridges import ridges
from provedp.mechanisms.modes.settings import (
    ADJACENCIES,
    BOX_SHARE,
    CLAIMS,
    Points,
    Settings,
    read_points,
    read_settings,
)
from provedp.mechanisms.sampling import ByteSource
from provedp.theory.domain import check_argument, integers
from provedp.theory.privacy import Guarantee

BOX_TAIL = 0.02  # of the records that a private box may cut off at either end of each feature


class FieldEstimator(BaseEstimator):  # type: ignore[misc]
    """What estimators from one private field have in common: the guarantee and the release.

    Attributes
    ----------
    field_
        The released `Field`; everything else that an estimator tells is a function of it.
    """

    epsilon: Any
    delta: Any
    random_state: Any

    @property
    def guarantee(self) -> Guarantee | None:
        """What is promised, and the claim that proves it; None if the noise is replayable."""
        return None if self.random_state is not None else self.claimed

    @property
    def claimed(self) -> Guarantee:
        """What is promised of secret noise."""
        settings = self._settings()
        return Guarantee(
            ratio=settings.ratio,
            epsilon=str(self.epsilon),
            delta=settings.delta,
            adjacency=ADJACENCIES[settings.adjacency],
            claim=CLAIMS[settings.adjacency],
        )

    def _settings(self) -> Settings:
        return read_settings(type(self).__name__, self.get_params(deep=False))

    def _release(self, X: Any, rng: ByteSource | None) -> Field:
        settings = self._settings()
        points = read_points(type(self).__name__, settings, X)
        budget = gaussian_budget(settings.ratio, settings.delta)
        box = settings.box
        if box is None:
            public = len(points) if settings.adjacency == "replace" else None
            box = release_box(points, budget * BOX_SHARE, BOX_TAIL, public, rng)
            budget *= 1 - BOX_SHARE
        axes = settings.axes(box)
        noise = field_noise(axes, settings.adjacency, budget)
        return release_field(points, axes, noise, rng)

    def _source(self) -> ByteSource | None:
        return None if self.random_state is None else np.random.default_rng(self.random_state)


class PrivateModes(FieldEstimator):
    """Finds the modes of a density under (ε, δ)-differential privacy.

    One Gaussian release of the kernel density estimate on public knots; its modes are found by
    mean-shift steps on what was released.

    Parameters
    ----------
    epsilon
        ε in nats, positive: a number, or a text such as '1/2' or 'ln(3/2)'.
    delta
        δ in (0, 1), likewise.
    box
        Public d intervals (low, high); records outside are moved to the nearest end. Or 'private':
        a tenth of the budget finds intervals whose ends are powers of √2.
    bandwidth
        Public bandwidth h of the Gaussian kernel: one number, or one for each feature. With a
        private box it may be left out: a tenth of that.
    modes
        Number of modes, if it is known; else all peaks that the noise does not explain.
    adjacency
        'replace' (one record differs) or 'add-remove' (one data set has one record more).
    random_state
        None for secret noise. A seed or generator replays a study, without a guarantee.

    Attributes
    ----------
    modes_
        k × d array, the highest first; k may be less than asked for if there are no more peaks.
    heights_, deviations_
        Records for one unit of volume at each mode, and the noise's standard deviation in that.

    Source: ours; for the problem, the modes paper, Algorithm 1.

    >>> X = np.random.default_rng(0).normal([[2.0, 2.0]], 0.5, (400, 2))
    >>> model = PrivateModes(2, box=[(-4, 4)] * 2, bandwidth=1, modes=1, random_state=0)
    >>> bool(np.linalg.norm(model.fit(X).modes_ - 2) < 0.3)
    True
    """

    def __init__(
        self,
        epsilon: Any = 1,
        delta: Any = "1e-6",
        *,
        box: ArrayLike | None = None,
        bandwidth: ArrayLike | None = None,
        modes: int | None = None,
        adjacency: str = "replace",
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.box = box
        self.bandwidth = bandwidth
        self.modes = modes
        self.adjacency = adjacency
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> "PrivateModes":
        """Release the modes of N × d records X, and spend the guarantee.

        Raises
        ------
        ValueError
            If a parameter is outside its range or X holds no finite numbers; nothing is drawn then.
        """
        count = _count(type(self).__name__, "modes", self.modes)
        self.field_ = self._release(X, self._source())
        found = peaks_of(self.field_, count)
        self.modes_, self.heights_, self.deviations_ = found.places, found.heights, found.deviations
        self.n_features_in_ = len(self.field_.axes)
        return self

    def release(self, data: ArrayLike, rng: ByteSource | None = None) -> Floats:
        """Return the modes of the records in `data`; the estimator stays as it was."""
        count = _count(type(self).__name__, "modes", self.modes)
        return peaks_of(self._release(data, rng), count).places


class PrivateModalClustering(ClusterMixin, FieldEstimator):  # type: ignore[misc]
    """Clusters around the modes of a private density estimate.

    The centres are released; a label is a function of them and of the record that asks for it, and
    labels of the private records are as private as the records: keep them.

    Parameters
    ----------
    epsilon, delta, box, bandwidth, adjacency, random_state
        As for `PrivateModes`.
    clusters
        Number of clusters, if it is known.

    Attributes
    ----------
    cluster_centers_
        k × d array of modes, the highest first.

    Source: ours; for the problem, the modes paper, Algorithm 3.
    """

    def __init__(
        self,
        epsilon: Any = 1,
        delta: Any = "1e-6",
        *,
        box: ArrayLike | None = None,
        bandwidth: ArrayLike | None = None,
        clusters: int | None = None,
        adjacency: str = "replace",
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.box = box
        self.bandwidth = bandwidth
        self.clusters = clusters
        self.adjacency = adjacency
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> "PrivateModalClustering":
        """Release cluster centres for N × d records X, and spend the guarantee.

        Raises
        ------
        ValueError
            As for `PrivateModes.fit`.
        """
        count = _count(type(self).__name__, "clusters", self.clusters)
        self.field_ = self._release(X, self._source())
        self.cluster_centers_ = peaks_of(self.field_, count).places
        self.n_features_in_ = len(self.field_.axes)
        return self

    def release(self, data: ArrayLike, rng: ByteSource | None = None) -> Floats:
        """Return the centres for the records in `data`; the estimator stays as it was."""
        count = _count(type(self).__name__, "clusters", self.clusters)
        return peaks_of(self._release(data, rng), count).places

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return the cluster of each row: the centre nearest to where its ascent ends, or −1."""
        points = check_argument(type(self).__name__, "X", Points(self.n_features_in_), X)
        if len(self.cluster_centers_) == 0 or len(points) == 0:
            return np.full(len(points), -1, dtype=np.intp)
        ends = ascend(self.field_, points)
        squares = ((ends[:, None] - self.cluster_centers_) ** 2).sum(axis=2)
        nearest: NDArray[np.intp] = squares.argmin(axis=1)
        return nearest


class PrivateModalRegression(FieldEstimator):
    """Modes of y for given x, from a private density estimate of (x, y).

    x is protected with y. Where x is public, this asks for more than is needed.

    Parameters
    ----------
    epsilon, delta, adjacency, random_state
        As for `PrivateModes`.
    box
        Public intervals: those of the features, then that of y.
    bandwidth
        One number, or one for each feature and one for y.
    branches
        Most modes of y at one x, the highest first.

    Source: ours; for the problem, the modes paper, Algorithm 4.
    """

    def __init__(
        self,
        epsilon: Any = 1,
        delta: Any = "1e-6",
        *,
        box: ArrayLike | None = None,
        bandwidth: ArrayLike | None = None,
        branches: int = 1,
        adjacency: str = "replace",
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.box = box
        self.bandwidth = bandwidth
        self.branches = branches
        self.adjacency = adjacency
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> "PrivateModalRegression":
        """Release the density of N × d features X and N responses y, and spend the guarantee.

        Raises
        ------
        ValueError
            As for `PrivateModes.fit`.
        """
        _count(type(self).__name__, "branches", self.branches)
        self.field_ = self._release(_joined(X, y), self._source())
        self.n_features_in_ = len(self.field_.axes) - 1
        return self

    def release(self, data: tuple[ArrayLike, ArrayLike], rng: ByteSource | None = None) -> Field:
        """Return the field for data (X, y); the estimator stays as it was."""
        return self._release(_joined(*data), rng)

    def predict(self, X: ArrayLike) -> Floats:
        """Return an N × branches array of modes of y for the rows of X; nan where there are fewer.

        A branch counts if its height exceeds the noise.
        """
        allowed = Points(self.n_features_in_)
        features = check_argument(type(self).__name__, "X", allowed, X)
        count = _count(type(self).__name__, "branches", self.branches)
        assert count is not None
        return ridges(self.field_, features, count)


def _joined(X: ArrayLike, y: ArrayLike) -> Any:
    try:
        return np.column_stack([np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)])
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"PrivateModalRegression: 'X' and 'y' must be numbers with one row each; {error}."
        ) from None


def _count(name: str, what: str, value: Any) -> int | None:
    if value is None:
        return None
    count: int = check_argument(name, what, integers(1), value)
    return count
