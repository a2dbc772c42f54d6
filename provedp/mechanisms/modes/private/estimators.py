"""Modes and clusters from one private density estimate, and what regression has in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction as Q
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin

from provedp.mechanisms.exact.gaussian_budget import gaussian_budget
from provedp.mechanisms.exact.sampling import ByteSource, source_of, warn_if_replayable
from provedp.mechanisms.modes.private.bins import (
    bins_noise,
    release_bins,
    release_refinable_bins,
)
from provedp.mechanisms.modes.private.box import release_box, release_pure_box
from provedp.mechanisms.modes.private.field import Axis, Field, field_noise, release_field
from provedp.mechanisms.modes.private.local import THRESHOLD_SHARE, release_local
from provedp.mechanisms.modes.private.peaks import Peaks, ascend, peaks_of
from provedp.mechanisms.modes.private.plan import Plan, planned
from provedp.mechanisms.modes.private.planning import NARROW_WIDTHS, WIDTHS, bin_axes
from provedp.mechanisms.modes.private.settings import (
    ADJACENCIES,
    BOX_SHARE,
    MOST_FEATURES,
    Settings,
    read_pairs,
    read_points,
    read_settings,
)
from provedp.mechanisms.modes.private.step_planning import RATE, clear_peaks
from provedp.mechanisms.records import Records
from provedp.theory.arrays import Floats
from provedp.theory.domain import Flag, check_argument, integers
from provedp.theory.privacy import Guarantee

STEPS = Flag()
BOX_TAIL = 0.02  # of the records that a private box may cut off at either end of each feature


@dataclass(frozen=True, eq=False)
class Released:
    """Peaks, the field that they were found in, if there is one, and the plan that was followed.

    `stepped` says whether steps were made from peaks of the field.
    """

    axes: tuple[Axis, ...]
    field: Field | None
    peaks: Peaks
    plan: Plan
    stepped: bool = False


class FieldEstimator(BaseEstimator):  # type: ignore[misc]
    """What estimators from one private field have in common: the guarantee and the release.

    Attributes
    ----------
    field_
        The released `Field`, of which everything else is a function; None by the local method.
    axes_
        Box and bandwidth of each coordinate.
    plan_
        The `Plan` that was followed: of public numbers, and of a private box.
    """

    epsilon: Any
    delta: Any
    records: Any
    random_state: Any
    _widths: Sequence[float] = WIDTHS  # of the modes by which grids are compared
    steps: Any = False

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
            claim=settings.claim,
        )

    def plan(self, records: int | None = None) -> Plan:
        """Return what `fit` will do with so many records, and what it can find; draw nothing.

        Raises
        ------
        ValueError
            If a parameter is outside its range, or the box is private.
        """
        name, settings = type(self).__name__, self._settings()
        if settings.box is None:
            raise ValueError(f"{name}: 'box' must be public for a plan: it follows from the box.")
        given = self._public(settings, _count(name, "records", records))
        axes = settings.axes(settings.box)
        return planned(settings, axes, given, self._number(), widths=self._widths, steps=self.steps)

    def _settings(self) -> Settings:
        _count(type(self).__name__, "records", self.records)
        check_argument(type(self).__name__, "steps", STEPS, self.steps)
        return read_settings(type(self).__name__, self.get_params(deep=False))

    def _number(self) -> int | None:
        """Return how many modes there are, if that is known."""
        return None

    def _public(self, settings: Settings, records: int | None) -> int | None:
        """Return the number of records, as far as it is public."""
        return records if settings.adjacency == "replace-one" else self.records

    def _peaks(self, X: Any, rng: ByteSource | None, *, warns: bool) -> Released:
        """Release an estimate, or cells and balls, and return the peaks found there."""
        count, settings = self._number(), self._settings()
        points = read_points(type(self).__name__, settings, X)
        axes, rest = self._located(settings, points, rng)
        plan = self._planned(settings, points, axes, warns=warns)
        if plan.method == "local":
            budget = gaussian_budget(settings.ratio, settings.delta * (1 - THRESHOLD_SHARE)) * rest
            target = settings.ratio, settings.delta, settings.adjacency
            found, _ = release_local(points, axes, count, *target, budget, rng)
            return Released(axes, None, found, plan)
        if plan.rule is not None:
            return _stepped(settings, points, axes, count, plan, rng)
        field = _field_on(settings, points, axes, rest, plan, rng)
        return Released(axes, field, peaks_of(field, count, plan.reach or 1.0), plan)

    def _field(
        self, X: Any, y: Any, rng: ByteSource | None, *, warns: bool
    ) -> tuple[Field, tuple[Axis, ...], Plan]:
        """Release an estimate of features and response alone, with box, bandwidths and plan."""
        settings = self._settings()
        points = read_pairs(type(self).__name__, settings, X, y)
        axes, rest = self._located(settings, points, rng)
        plan = self._planned(settings, points, axes, warns=warns)
        return _field_on(settings, points, axes, rest, plan, rng), axes, plan

    def _planned(
        self, settings: Settings, points: Floats, axes: tuple[Axis, ...], *, warns: bool
    ) -> Plan:
        """Return the plan; warn if nothing can be found."""
        records = self._public(settings, len(points))
        plan = planned(
            settings,
            axes,
            records,
            self._number(),
            searches=warns,
            widths=self._widths,
            steps=self.steps,
        )
        if warns:
            plan.warn(type(self).__name__, records)
        return plan

    def _located(
        self, settings: Settings, points: Floats, rng: ByteSource | None
    ) -> tuple[tuple[Axis, ...], Q]:
        """Return the coordinates, and the share of μ² that is left after a private box."""
        if settings.box is not None:
            return settings.axes(settings.box), Q(1)
        public = len(points) if settings.adjacency == "replace-one" else None
        if settings.method == "bins":
            box = release_pure_box(points, settings.pure_parts[0], BOX_TAIL, public, rng)
            return settings.axes(box), 1 - BOX_SHARE
        # The box takes its part of the smaller budget: the local method may follow.
        budget = gaussian_budget(settings.ratio, settings.delta * (1 - THRESHOLD_SHARE))
        box = release_box(points, budget * BOX_SHARE, BOX_TAIL, public, rng)
        return settings.axes(box), 1 - BOX_SHARE

    def _source(self) -> ByteSource | None:
        return source_of(type(self).__name__, self.random_state)


class PrivateModes(FieldEstimator):
    """Finds the modes of a density under (ε, δ)-differential privacy, δ = 0 included.

    One release of the kernel density estimate, by binned counts with two-sided geometric noise or
    on knots with Gaussian noise; its modes are found by mean-shift steps on what was released.

    Parameters
    ----------
    epsilon
        ε in nats, positive: a number, or a text such as '1/2' or 'ln(3/2)'.
    delta
        δ in [0, 1), likewise; 0 is met by binned counts alone.
    box
        Public d intervals (low, high); records outside are moved to the nearest end. Or 'private':
        a tenth of the budget finds intervals whose ends are powers of √2.
    bandwidth
        Public bandwidth h of the Gaussian kernel: one number, or one for each feature. It is left
        out with a private box, of which it is a tenth.
    modes
        Number of modes, if it is known; else all peaks that the noise does not explain.
    adjacency
        'replace-one' (one record differs) or 'add-remove' (one data set has one record more).
    method
        'bins', for counts at the nodes of a grid over the box, with δ = 0; 'field', for a density
        estimate with Gaussian noise; 'local', for occupied cells and noisy means of the balls
        around them, in any dimension; 'auto', of the first two that with the least noise at a peak,
        and the third where neither has room.
    records
        Public guess of the number of records, for 'add-remove', where the number itself is private:
        it chooses the grid, and no guarantee rests on it.
    steps
        Whether a part of ε may be kept for a step from each peak by the records around it, where
        public numbers say that modes are nearer then. It leaves less of ε to mark peaks as sure.
    random_state
        None for secret noise. A seed or generator replays a study, without a guarantee.

    Attributes
    ----------
    modes_
        k × d array, the highest first; k may be less than asked for if there are no more peaks.
    heights_, deviations_
        Records for one unit of volume at each mode, and the noise's standard deviation in that.
    sure_
        Whether each is sure: but for a probability of 5 % of the noise, there are as many local
        maxima of the estimate without noise as modes that are sure. By the local method, all are
        above a threshold that is much rarer to pass.
    stepped_
        Whether each mode was moved by the records around it: then it is a mode of the estimate with
        another kernel, a rounded tent, which skewness moves nearly alike.

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
        adjacency: str = "replace-one",
        method: str = "auto",
        records: int | None = None,
        steps: bool = True,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.box = box
        self.bandwidth = bandwidth
        self.modes = modes
        self.adjacency = adjacency
        self.method = method
        self.records = records
        self.steps = steps
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> "PrivateModes":
        """Release the modes of N × d records X, and spend the guarantee.

        Raises
        ------
        ValueError
            If a parameter is outside its range or X holds no finite numbers; nothing is drawn then.
        """
        released = self._peaks(X, self._source(), warns=True)
        self.field_, self.axes_, found = released.field, released.axes, released.peaks
        self.modes_, self.heights_, self.deviations_ = found.places, found.heights, found.deviations
        self.sure_, self.plan_, self.stepped_ = found.sure, released.plan, released.stepped
        self.n_features_in_ = len(self.axes_)
        return self

    def release(self, data: ArrayLike, rng: ByteSource | None = None) -> Floats:
        """Return the modes of the records in `data`; the estimator stays as it was.

        With `rng` the noise can be replayed, for a study: no guarantee is about such a release, and
        `ReplayableNoiseWarning` says so.
        """
        warn_if_replayable(type(self).__name__, rng)
        return self._peaks(data, rng, warns=False).peaks.places

    def _number(self) -> int | None:
        return _count(type(self).__name__, "modes", self.modes)


class PrivateModalClustering(ClusterMixin, FieldEstimator):  # type: ignore[misc]
    """Clusters around the modes of a private density estimate.

    The centres are released; a label is a function of them and of the record that asks for it, and
    labels of the private records are as private as the records: keep them. Clusters may overlap:
    the grid of binned counts is one for narrower modes than that of `PrivateModes`.

    Parameters
    ----------
    epsilon, delta, box, bandwidth, adjacency, method, records, random_state
        As for `PrivateModes`.
    clusters
        Number of clusters, if it is known.
    steps
        As for `PrivateModes`, if asked for: labels of clusters that overlap gain nothing.

    Attributes
    ----------
    cluster_centers_
        k × d array of modes, the highest first.

    Source: ours; for the problem, the modes paper, Algorithm 3.
    """

    _widths = NARROW_WIDTHS

    def __init__(
        self,
        epsilon: Any = 1,
        delta: Any = "1e-6",
        *,
        box: ArrayLike | None = None,
        bandwidth: ArrayLike | None = None,
        clusters: int | None = None,
        adjacency: str = "replace-one",
        method: str = "auto",
        records: int | None = None,
        steps: bool = False,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.box = box
        self.bandwidth = bandwidth
        self.clusters = clusters
        self.adjacency = adjacency
        self.method = method
        self.records = records
        self.steps = steps
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> "PrivateModalClustering":
        """Release cluster centres for N × d records X, and spend the guarantee.

        Raises
        ------
        ValueError
            As for `PrivateModes.fit`.
        """
        released = self._peaks(X, self._source(), warns=True)
        self.field_, self.axes_, self.plan_ = released.field, released.axes, released.plan
        self.cluster_centers_, self.sure_ = released.peaks.places, released.peaks.sure
        self.stepped_ = released.stepped
        self.n_features_in_ = len(self.axes_)
        return self

    def fit_predict(self, X: ArrayLike, y: Any = None, **settings: Any) -> NDArray[np.intp]:
        """Refuse, before anything is spent: labels of the private records are not private.

        Raises
        ------
        TypeError
            Always.
        """
        raise TypeError(
            f"{type(self).__name__}.fit_predict would return the labels of private records: "
            "call `fit`, and `predict` with records that may be labelled."
        )

    def release(self, data: ArrayLike, rng: ByteSource | None = None) -> Floats:
        """Return the centres for the records in `data`; the estimator stays as it was.

        With `rng` the noise can be replayed, for a study: no guarantee is about such a release, and
        `ReplayableNoiseWarning` says so.
        """
        warn_if_replayable(type(self).__name__, rng)
        return self._peaks(data, rng, warns=False).peaks.places

    def _number(self) -> int | None:
        return _count(type(self).__name__, "clusters", self.clusters)

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return the cluster of each row, −1 without any.

        It is the centre nearest to where the row's ascent on the field ends; by the local method,
        nearest to the row itself, in bandwidths.
        """
        points = check_argument(
            type(self).__name__, "X", Records(self.n_features_in_, MOST_FEATURES), X
        )
        if len(self.cluster_centers_) == 0 or len(points) == 0:
            return np.full(len(points), -1, dtype=np.intp)
        ends = points if self.field_ is None else ascend(self.field_, points)
        widths = np.array([axis.bandwidth for axis in self.axes_])
        squares = (((ends[:, None] - self.cluster_centers_) / widths) ** 2).sum(axis=2)
        nearest: NDArray[np.intp] = squares.argmin(axis=1)
        return nearest


def _field_on(
    settings: Settings,
    points: Floats,
    axes: tuple[Axis, ...],
    rest: Q,
    plan: Plan,
    rng: ByteSource | None,
) -> Field:
    if plan.pitch is not None and plan.order is not None:
        noise = bins_noise(len(axes), settings.adjacency, settings.pure_parts[1])
        return release_bins(points, bin_axes(axes, plan.pitch, plan.order), noise, rng)
    budget = gaussian_budget(settings.ratio, settings.delta) * rest
    return release_field(points, axes, field_noise(axes, settings.adjacency, budget), rng)


def _stepped(
    settings: Settings,
    points: Floats,
    axes: tuple[Axis, ...],
    count: int | None,
    plan: Plan,
    rng: ByteSource | None,
) -> Released:
    """Release counts, and steps from their peaks; or counts with less noise, if peaks are faint."""
    steps = plan.steps(settings, axes)
    bins = release_refinable_bins(points, steps.grid, steps.counts, rng)
    peaks = clear_peaks(bins.first, count)
    if peaks is not None:
        moved = steps.stepped(points, axes, bins.first, peaks, rng)
        return Released(axes, bins.first, moved, plan, stepped=True)
    field = bins.refine()
    return Released(axes, field, peaks_of(field, count, plan.reach or 1.0, RATE), plan)


def _count(name: str, what: str, value: Any) -> int | None:
    if value is None:
        return None
    count: int = check_argument(name, what, integers(1), value)
    return count
