"""Modal regression from one private density estimate of features and response."""

from typing import Any

from numpy.typing import ArrayLike

from provedp.mechanisms.exact.sampling import ByteSource, warn_if_replayable
from provedp.mechanisms.modes.private.estimators import FieldEstimator
from provedp.mechanisms.modes.private.field import Field
from provedp.mechanisms.modes.private.ridges import ridges
from provedp.mechanisms.modes.private.settings import MOST_FEATURES
from provedp.mechanisms.records import Records
from provedp.theory.arrays import Floats
from provedp.theory.domain import check_argument, integers


class PrivateModalRegression(FieldEstimator):
    """Modes of y for given x, from a private density estimate of (x, y).

    x is protected with y. Where x is public, this asks for more than is needed.

    Parameters
    ----------
    epsilon, delta, adjacency, records, random_state
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
        adjacency: str = "replace-one",
        records: int | None = None,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.box = box
        self.bandwidth = bandwidth
        self.branches = branches
        self.adjacency = adjacency
        self.records = records
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> "PrivateModalRegression":
        """Release the density of N × d features X and N responses y, and spend the guarantee.

        Raises
        ------
        ValueError
            As for `PrivateModes.fit`.
        """
        self._checked_branches()
        found = self._field(X, y, self._source(), warns=True)
        self.field_, self.axes_, self.plan_ = found
        self.n_features_in_ = len(self.axes_) - 1
        return self

    def release(self, data: tuple[ArrayLike, ArrayLike], rng: ByteSource | None = None) -> Field:
        """Return the field for data (X, y); the estimator stays as it was.

        With `rng` the noise can be replayed, for a study: no guarantee is about such a release, and
        `ReplayableNoiseWarning` says so.
        """
        warn_if_replayable(type(self).__name__, rng)
        return self._field(*data, rng, warns=False)[0]

    def predict(self, X: ArrayLike) -> Floats:
        """Return an N × branches array of modes of y for the rows of X; nan where there are fewer.

        A branch counts if its height exceeds the noise.
        """
        allowed = Records(self.n_features_in_, MOST_FEATURES)
        features = check_argument(type(self).__name__, "X", allowed, X)
        return ridges(self.field_, features, self._checked_branches())

    def _checked_branches(self) -> int:
        found: int = check_argument(type(self).__name__, "branches", integers(1), self.branches)
        return found
