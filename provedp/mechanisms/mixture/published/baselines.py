"""What the mixture paper compares itself with: noise on the fitted parameters, one by one.

Every baseline adds noise to π, μ_k and Σ_k of (2) and projects what comes out: the weights to the
hull of (3), the covariances to eigenvalues of at least a floor. With `calibration="published"` the
noise on a class follows its private size (or its own displacements): that is refuted. With
`calibration="public"` it follows a public least size, which repairs all but `SingularGaussian`.
The noise is drawn in floating point, so `guarantee` is None either way; `claimed` says what is
claimed, or what holds of the exact law.
"""

from fractions import Fraction as Q
from typing import Any, Literal

import numpy as np

from provedp.mechanisms.exact.parameters import ratio_below
from provedp.mechanisms.mixture.published.baseline_noise import MEAN, Scales, Sizes, Target
from provedp.mechanisms.mixture.published.component import noise_shape
from provedp.mechanisms.mixture.published.noisy_parameters import NoisyParameters
from provedp.theory.arrays import Floats
from provedp.theory.mixture import LabelledData, mean_displacements
from provedp.theory.numbers import Number

__all__ = ["ColouredGaussian", "IndependentGaussian", "LaplaceMixture", "SingularGaussian"]


class LaplaceMixture(NoisyParameters):
    """Gaussian mixture with i.i.d. Laplace noise on every parameter, by ℓ₁ sensitivities.

    As published, a class's scale is proportional to 1/N_k, and so no (ε, 0) holds: far out the
    ratio of two laws is unbounded. With public calibration the exact law is (ε, 0)-private.

    Parameters and attributes are those of `NoisyParameters`, without δ.

    Source: mixture paper, Section V-A, i.i.d. Laplace mechanism.
    """

    norm = 1
    refuted_claim = "mixture.laplace_baseline_is_private"
    public_claim = "mixture.laplace_noise_for_public_sizes_is_private"

    def __init__(
        self,
        epsilon: Any = 1.0,
        *,
        bound: float | None = None,
        calibration: Literal["published", "public"] = "published",
        least_size: int = 3,
        ridge: float = 0.0,
        floor: float | None = None,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.bound = bound
        self.calibration = calibration
        self.least_size = least_size
        self.ridge = ridge
        self.floor = floor
        self.random_state = random_state

    def _target(self) -> Target:
        name = type(self).__name__
        ratio = ratio_below(self.epsilon, name)
        if ratio == 1:
            raise ValueError(f"{name}: 'epsilon' must be positive; got {self.epsilon}.")
        return Target(ratio)

    def _scale(self, sensitivity: Number, share: Q) -> float:
        return self._target().laplace(sensitivity, share)

    def _draws(self, scale: float, size: int, rng: np.random.Generator) -> Floats:
        return rng.laplace(0.0, scale, size)


class IndependentGaussian(NoisyParameters):
    """Gaussian mixture with i.i.d. Gaussian noise on every parameter, by ℓ₂ sensitivities.

    As published, σ = Δ √(2 ln(2/δ))/ε with Δ proportional to 1/N_k: two neighbours with the same
    mean get noise of different scale, and (ε, δ) fails. With public calibration σ is the least one
    for its share, and the exact law is (ε, δ)-private.

    Parameters and attributes are those of `NoisyParameters`.

    Source: mixture paper, Section V-A, i.i.d. Gaussian mechanism.
    """

    refuted_claim = "mixture.gaussian_baseline_is_private"
    public_claim = "mixture.gaussian_noise_for_public_sizes_is_private"


class ColouredGaussian(NoisyParameters):
    """`IndependentGaussian` with coloured noise on the means: the least error that meets (10).

    As published, Γ_k⁻¹ is the cheapest covariance in trace above the displacements of the data's
    own flips, so its shape tells what they are, and (ε, δ) fails. All displacements that a public
    bound allows fill a ball, for which the cheapest noise is white: with public calibration this
    is `IndependentGaussian`.

    Parameters and attributes are those of `NoisyParameters`; as published, `scales_.means` are
    multiples of √Z_k, Z_k the cheapest shape.

    Source: mixture paper, Section V-A, Colored Gaussian mechanism.
    """

    refuted_claim = "mixture.coloured_baseline_is_private"
    public_claim = "mixture.coloured_noise_for_a_ball_is_white"

    def _scales(self, sizes: Sizes) -> Scales:
        white = super()._scales(sizes)
        if self._is_public():
            return white
        unit = self._target().classical(Q(1), MEAN)
        return Scales(white.weights, (unit,) * len(white.means), white.covariances)

    def _mean_noise(
        self, data: LabelledData, k: int, scale: float, rng: np.random.Generator
    ) -> Floats:
        drawn = self._draws(scale, data.dimension, rng)
        if self._is_public():
            return drawn
        shape, _ = noise_shape(np.eye(data.dimension), mean_displacements(data, k))
        values, vectors = np.linalg.eigh(shape)
        moved: Floats = vectors @ (np.sqrt(np.maximum(values, 0)) * drawn)
        return moved


class SingularGaussian(NoisyParameters):
    """`IndependentGaussian` with noise along one random direction on each mean, for d ≥ 3.

    No calibration makes this private as claimed: its density is unbounded at the fitted mean. With
    public calibration only the dependence on N_k is gone.

    Parameters and attributes are those of `NoisyParameters`; `scales_.means` are along the
    directions.

    Source: mixture paper, Section V-A, Rank-1 Singular Multivariate Gaussian.
    """

    refuted_claim = "mixture.singular_noise_is_private"

    @property
    def refuted_by(self) -> tuple[str, ...]:
        """Id of the counterexample, which holds for every calibration."""
        return (self.refuted_claim,)

    def _scales(self, sizes: Sizes) -> Scales:
        if sizes.dimension < 3:
            raise ValueError(
                f"SingularGaussian: 'X' must have at least 3 columns; got {sizes.dimension}."
            )
        target, white = self._target(), super()._scales(sizes)
        along = (
            target.singular(sizes.mean(count, 2), MEAN, sizes.dimension) for count in sizes.classes
        )
        return Scales(white.weights, tuple(along), white.covariances)

    def _mean_noise(
        self, data: LabelledData, k: int, scale: float, rng: np.random.Generator
    ) -> Floats:
        direction = rng.standard_normal(data.dimension)
        moved: Floats = self._draws(scale, 1, rng) * direction / np.linalg.norm(direction)
        return moved
