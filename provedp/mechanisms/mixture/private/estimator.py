"""A Gaussian mixture under differential privacy, from moments with exact Gaussian noise."""

from fractions import Fraction as Q
from typing import Any

from numpy.typing import ArrayLike

from provedp.mechanisms.exact.sampling import ByteSource, source_of, warn_if_replayable
from provedp.mechanisms.mixture.fitted import FittedMixture
from provedp.mechanisms.mixture.gaussian_mixture import LabelledMixture
from provedp.mechanisms.mixture.private.release import Release
from provedp.mechanisms.mixture.private.settings import CLAIMS, Settings, read_data, read_settings
from provedp.theory.privacy import Adjacency, Guarantee

ADJACENCIES = {
    "label": Adjacency.LABEL_FLIP,
    "replace-one": Adjacency.REPLACE_ONE,
    "add-remove": Adjacency.ADD_OR_REMOVE_ONE,
}


class PrivateMixture(FittedMixture):
    """Fits a Gaussian mixture to labelled records under (ε, δ)-differential privacy.

    Class sizes and sums come first, each with Gaussian noise; then, around the centres that they
    give, sums and second moments of the records clipped to a small ball, whose radius comes from a
    noisy histogram of distances. What calibrates the noise is public: the bound, the labels, the
    settings, the number of records (unless it is protected itself), and what was released before.
    The noise is drawn exactly, on a lattice.

    Parameters
    ----------
    epsilon
        ε in nats, positive: a number, or a text such as '1/2' or 'ln(3/2)'.
    delta
        δ in (0, 1), likewise.
    bound
        Public B > 0: records with ‖S^(−½) (x − location)‖ > B are moved inward.
    classes
        The labels, public, of one type: a class without records is released like any other.
    adjacency
        'label' (one label differs), 'replace-one' (one record does) or 'add-remove' (one data set
        has one record more). The number of records is public, except under 'add-remove'.
    location
        Public d numbers, a guess at the middle of the features; 0 without it.
    shape
        Public positive definite d × d matrix S, a guess at the covariance of a class up to its
        size: noise has that shape. The identity without it.
    floor
        Least variance of a released component in units of S, public; (B/60)² without it.
    divergence
        'to-fitted' shrinks uncertain covariances so that the divergence of the release from the
        fitted mixture is small (the paper's aim). 'from-fitted' is for the other one, which records
        drawn from the release need: a tenth of μ² or less, by public numbers, goes to a covariance
        of all classes together, a scalar or a matrix, and uncertain ones are taken from it.
    records
        Public guess at the number of records, which chooses how the budget is split under
        'add-remove'; it has no influence on the guarantee.
    random_state
        None for secret noise. A seed or generator replays a study, without a guarantee.

    Attributes
    ----------
    mixture_
        The released `LabelledMixture`.
    release_
        The noisy numbers it was made from, the noise scales and the plan.

    Source: ours.

    >>> X, y = [[0.0], [1.0], [9.0], [10.0]] * 50, [0, 0, 1, 1] * 50
    >>> model = PrivateMixture(5, 1e-5, bound=12, classes=(0, 1), random_state=0).fit(X, y)
    >>> model.predict([[0.0], [10.0]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        epsilon: Any = 1,
        delta: Any = "1e-5",
        *,
        bound: float | None = None,
        classes: Any = None,
        adjacency: str = "label",
        location: ArrayLike | None = None,
        shape: ArrayLike | None = None,
        floor: float | None = None,
        divergence: str = "to-fitted",
        records: int | None = None,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.bound = bound
        self.classes = classes
        self.adjacency = adjacency
        self.location = location
        self.shape = shape
        self.floor = floor
        self.divergence = divergence
        self.records = records
        self.random_state = random_state

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

    def fit(self, X: ArrayLike, y: ArrayLike) -> "PrivateMixture":
        """Release a mixture for records X (N × d) with labels y, and spend the guarantee.

        Raises
        ------
        ValueError
            If a parameter is outside its range, X holds no finite numbers, or a label is not one
            of `classes`. Nothing has been drawn then.
        """
        settings = self._settings()
        rng = source_of(type(self).__name__, self.random_state)
        features, members = read_data(settings, X, y)
        self.release_ = Release.of(settings, features, members, rng)
        self.mixture_: LabelledMixture = self.release_.mixture
        self.n_features_in_ = features.shape[1]
        return self

    def release(self, data: tuple[ArrayLike, ArrayLike], rng: ByteSource | None = None) -> Any:
        """Return the mixture for data (X, y); the estimator itself stays as it was.

        With `rng` the noise can be replayed, for a study: no guarantee is about such a release, and
        `ReplayableNoiseWarning` says so.
        """
        warn_if_replayable(type(self).__name__, rng)
        settings = self._settings()
        return Release.of(settings, *read_data(settings, *data), rng).mixture

    def _settings(self) -> Settings:
        return read_settings(self.get_params(deep=False))

    @property
    def squared_budget(self) -> Q:
        """μ² that the Gaussian steps of the last release spent, at most what (ε, δ) allow."""
        return self.release_.spent
