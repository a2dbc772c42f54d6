"""Noise on the fitted parameters one by one, and what every baseline does with them."""

from fractions import Fraction as Q
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from provedp.mechanisms.exact.parameters import delta_below, ratio_below
from provedp.mechanisms.mixture.fitted import FittedMixture
from provedp.mechanisms.mixture.gaussian_mixture import Label, LabelledMixture
from provedp.mechanisms.mixture.private.estimation import limited, within
from provedp.mechanisms.mixture.private.settings import BOUND, FLOOR_SHARE
from provedp.mechanisms.mixture.published.baseline_noise import Scales, Sizes, Target
from provedp.mechanisms.mixture.published.projection import onto_simplex
from provedp.mechanisms.mixture.published.release import labelled
from provedp.mechanisms.published import PublishedMechanism
from provedp.theory.arrays import Floats
from provedp.theory.domain import Choice, check_argument, check_float, integers, reals
from provedp.theory.mixture import LabelledData, class_covariances, class_means, class_weights
from provedp.theory.numbers import Number, rational
from provedp.theory.privacy import Adjacency

CALIBRATIONS = Choice(("published", "public"))
LEAST = integers(3, 10**9)


class NoisyParameters(PublishedMechanism, FittedMixture):
    """A fitted Gaussian mixture with noise on each parameter, projected to the feasible set.

    The noise is i.i.d. Gaussian by ℓ₂ sensitivities; a baseline says what it does otherwise.

    Parameters
    ----------
    epsilon
        ε > 0 in nats: a number or a text such as 'ln(3)'.
    delta
        δ in (0, 1); `LaplaceMixture` has none.
    bound
        B > 0: records with ‖x‖ > B are moved inward. With calibration "published" None stands for
        the largest norm in the data, which flips do not change.
    calibration
        "published", by the sizes N_k of the data; or "public", by `least_size`.
    least_size
        Public n ≥ 3: the guarantee of "public" is for data whose classes all have so many records,
        on both sides of a flip. The paper assumes 3.
    ridge
        κ ≥ 0 on the diagonal of every covariance.
    floor
        Least eigenvalue of a released covariance, positive; (B/60)² without it.
    random_state
        A seed or a `numpy.random.Generator`; None for fresh entropy.

    Attributes
    ----------
    mixture_
        What is released, a `LabelledMixture`.
    scales_
        The scales of the noise; as published they tell about the data.

    Source: mixture paper, Section V-A; the public calibration is ours.
    """

    adjacency_claimed = Adjacency.LABEL_FLIP
    norm: ClassVar[int] = 2
    refuted_claim: ClassVar[str]
    public_claim: ClassVar[str]

    def __init__(
        self,
        epsilon: Any = 1.0,
        delta: Any = 2e-5,
        *,
        bound: float | None = None,
        calibration: Literal["published", "public"] = "published",
        least_size: int = 3,
        ridge: float = 0.0,
        floor: float | None = None,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.bound = bound
        self.calibration = calibration
        self.least_size = least_size
        self.ridge = ridge
        self.floor = floor
        self.random_state = random_state

    @property
    def refuted_by(self) -> tuple[str, ...]:
        """Ids of the counterexamples; none with public calibration."""
        return () if self._is_public() else (self.refuted_claim,)

    def release(self, data: tuple[ArrayLike, ArrayLike], rng: Any = None) -> LabelledMixture:
        """Release a mixture fitted to features and labels, with the randomness of `rng`.

        Raises
        ------
        ValueError
            If a parameter or the data are outside their range: every class needs three records.
        """
        return self._released(*data, np.random.default_rng(rng))[0]

    def fit(self, X: ArrayLike, y: ArrayLike) -> "NoisyParameters":
        """Release a mixture fitted to N × d features X and N labels y; keep it in `mixture_`.

        Raises
        ------
        ValueError
            If a parameter or the data are outside their range: every class needs three records.
        """
        rng = np.random.default_rng(self.random_state)
        self.mixture_, self.scales_ = self._released(X, y, rng)
        self.n_features_in_ = self.mixture_.dimension
        return self

    def _promise(self) -> tuple[Q, Q]:
        target = self._target()
        return target.ratio, target.delta

    def _claim(self) -> str:
        return self.refuted_by[0] if self.refuted_by else self.public_claim

    def _scale(self, sensitivity: Number, share: Q) -> float:
        target = self._target()
        calibrated = target.least if self._is_public() else target.classical
        return calibrated(sensitivity, share)

    def _draws(self, scale: float, size: int, rng: np.random.Generator) -> Floats:
        return rng.normal(0.0, scale, size)

    def _mean_noise(
        self, data: LabelledData, k: int, scale: float, rng: np.random.Generator
    ) -> Floats:
        return self._draws(scale, data.dimension, rng)

    def _scales(self, sizes: Sizes) -> Scales:
        return sizes.scales(self._scale, self.norm)

    def _released(
        self, X: ArrayLike, y: ArrayLike, rng: np.random.Generator
    ) -> tuple[LabelledMixture, Scales]:
        labels, data, sizes = self._read(X, y)
        floor = self._floor(float(sizes.bound))
        scales = self._scales(sizes)
        self._warn(stacklevel=4)
        return self._noisy(labels, data, scales, floor, rng), scales

    def _noisy(
        self,
        labels: tuple[Label, ...],
        data: LabelledData,
        scales: Scales,
        floor: float,
        rng: np.random.Generator,
    ) -> LabelledMixture:
        weights = class_weights(data).astype(float)
        weights = weights + self._draws(scales.weights, data.classes, rng)
        moved = [self._mean_noise(data, k, scale, rng) for k, scale in enumerate(scales.means)]
        fitted = class_covariances(data, self.ridge)
        covariances = [
            limited(sigma + self._symmetric(scale, data.dimension, rng), floor, np.inf)
            for sigma, scale in zip(fitted, scales.covariances, strict=True)
        ]
        return LabelledMixture(
            labels,
            onto_simplex(weights, 1 / data.size),
            class_means(data) + np.stack(moved),
            np.stack(covariances),
        )

    def _symmetric(self, scale: float, size: int, rng: np.random.Generator) -> Floats:
        """Return a symmetric matrix with independent entries on and above the diagonal."""
        upper = np.triu_indices(size)
        noise = np.zeros((size, size))
        noise[upper] = self._draws(scale, len(upper[0]), rng)
        found: Floats = noise + np.triu(noise, 1).T
        return found

    def _read(self, X: ArrayLike, y: ArrayLike) -> tuple[tuple[Label, ...], LabelledData, Sizes]:
        """Return the labels, the data inside the ball, and what calibrates the noise."""
        name = type(self).__name__
        self._target()
        least = check_argument(name, "least_size", LEAST, self.least_size)
        check_argument(name, "ridge", reals(0), self.ridge)
        if self._is_public() and self.bound is None:
            raise ValueError(f"{name}: 'bound' must be given: it is public with this calibration.")
        labels, raw = labelled(X, y)
        points = raw.points.astype(np.float64)
        largest = float(np.linalg.norm(points, axis=1).max())
        given = largest if self.bound is None else self.bound
        bound = check_float(name, "bound", BOUND, given)
        data = LabelledData(within(points, bound), raw.labels, raw.classes)
        if not self._is_public():
            return labels, data, Sizes.private(data.counts, data.dimension, rational(bound))
        data.require_members(least)
        return labels, data, Sizes.public(data.counts, data.dimension, rational(bound), least)

    def _floor(self, bound: float) -> float:
        if self.floor is None:
            return (bound / FLOOR_SHARE) ** 2
        allowed = reals(0, open_low=True)
        return check_float(type(self).__name__, "floor", allowed, self.floor)

    def _is_public(self) -> bool:
        name = type(self).__name__
        return bool(check_argument(name, "calibration", CALIBRATIONS, self.calibration) == "public")

    def _target(self) -> Target:
        name = type(self).__name__
        ratio, delta = ratio_below(self.epsilon, name), delta_below(self.delta, name)
        if ratio == 1:
            raise ValueError(f"{name}: 'epsilon' must be positive; got {self.epsilon}.")
        if delta == 0:
            raise ValueError(f"{name}: 'delta' must be in (0, 1): no Gaussian noise gives δ = 0.")
        return Target(ratio, delta)
