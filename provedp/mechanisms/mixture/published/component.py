"""Noise for one Gaussian component, as published: the shape for its mean, the scale for the rest.

The cheapest covariance of noise on the mean, (25), is t Z with t = 2 ln(4/δ)/ε_k² and one shape Z
for each class: it is found once and serves every ε_k, γ_k and round.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import minimize_scalar

from provedp.mechanisms.mixture.published.design_weights import leverages, optimal_design
from provedp.theory.arrays import Floats
from provedp.theory.mixture import (
    LabelledData,
    class_covariances,
    expected_kl_for_gammas,
    mean_budget,
    mean_displacements,
    wishart_gamma,
)

GAP = 1e-9  # relative, of the value of (25)
SHARE_TOLERANCE = 1e-6  # of a minimum, where an error of 1e-6 costs about 1e-12

CovarianceCosts = Callable[[Floats, Sequence[float]], Floats]


@dataclass(frozen=True)
class ComponentNoise:
    """What is added to one component.

    Attributes
    ----------
    gamma
        γ_k: the Wishart noise has scale I/γ_k.
    epsilon
        ε_k, the share of the mean.
    covariance
        Γ_k⁻¹, the covariance of the noise on the mean.
    cost
        Expected divergence of the released component from the fitted one.
    """

    gamma: float
    epsilon: float
    covariance: Floats
    cost: float


@dataclass(frozen=True)
class Component:
    """A fitted component with what its noise depends on.

    Attributes
    ----------
    count
        N_k.
    covariance
        Σ_k.
    shape
        Z_k with Z_k ⪰ ΔΔᵀ for every displacement Δ of the mean, and least tr(Σ_k⁻¹Z_k).
    price
        tr(Σ_k⁻¹Z_k).
    costs
        Expected divergence due to the Wishart noise, for Σ and each of several γ.
    """

    count: int
    covariance: Floats
    shape: Floats
    price: float
    costs: CovarianceCosts

    def best_noise(
        self, total: float, weights: float, delta: float, grid: int | None
    ) -> ComponentNoise:
        """Return the cheapest noise for ε = `total` and ε₀ = `weights`.

        Parameters
        ----------
        grid
            L of (24); None for every γ below N_k(ε − ε₀)/3, along which the cost is convex.
        """
        if grid is None:
            found = minimize_scalar(
                lambda share: self.noises(total, weights, delta, [share])[0].cost,
                bounds=(0, 1),
                method="bounded",
                options={"xatol": SHARE_TOLERANCE},
            )
            return self.noises(total, weights, delta, [float(found.x)])[0]
        shares = [place / (grid + 1) for place in range(1, grid + 1)]
        return min(self.noises(total, weights, delta, shares), key=lambda noise: noise.cost)

    def noises(
        self, total: float, weights: float, delta: float, shares: Sequence[float]
    ) -> list[ComponentNoise]:
        """Return the noise for γ_k = share · N_k(ε − ε₀)/3 and the ε_k that (22b) leaves."""
        left = total - weights
        largest = float(wishart_gamma(total, weights, 0.0, self.count))
        gammas = [share * largest for share in shares]
        epsilons = [(1 - share) * left / 2 for share in shares]
        scales = [1 / float(mean_budget(epsilon, delta)) for epsilon in epsilons]
        return [
            ComponentNoise(gamma, epsilon, scale * self.shape, float(cost + scale * self.price / 2))
            for gamma, epsilon, scale, cost in zip(
                gammas, epsilons, scales, self.costs(self.covariance, gammas), strict=True
            )
        ]


def components(
    data: LabelledData, ridge: float, flips: str, costs: CovarianceCosts
) -> list[Component]:
    """Return the components of data whose classes all have at least three records.

    Raises
    ------
    ValueError
        If a covariance is not positive definite.
    """
    found = []
    for k, covariance in enumerate(class_covariances(data, ridge)):
        sigma = np.asarray(covariance, dtype=np.float64)
        shape, price = noise_shape(_factor(sigma, k), mean_displacements(data, k, flips))
        found.append(Component(data.counts[k], sigma, shape, price, costs))
    return found


def noise_shape(factor: Floats, displacements: Floats) -> tuple[Floats, float]:
    """Return Z ⪰ ΔΔᵀ for all displacements Δ (rows) of least tr(Σ⁻¹Z), and that, for Σ = LLᵀ."""
    if not displacements.any():
        return np.zeros_like(factor), 0.0
    white = solve_triangular(factor, displacements.T, lower=True).T
    size = float(np.abs(white).max())
    root = optimal_design(white / size, GAP).roots
    largest = float(leverages(root, white / size).max()) * size**2
    half = factor @ (root.vectors * np.sqrt(largest * root.values))
    shape: Floats = half @ half.T
    return shape, largest * root.total


class ReusedDraws:
    """Monte Carlo averages over the same draws of standard Wishart matrices for every γ.

    Trace and log-determinant are averaged together, draw by draw, as in the mixture paper.

    Parameters
    ----------
    draws
        Number of draws for each component.
    rng
        Their source.
    """

    def __init__(self, draws: int, rng: np.random.Generator):
        self._draws = draws
        self._rng = rng
        self._roots: dict[bytes, Floats] = {}

    def __call__(self, covariance: Floats, gammas: Sequence[float]) -> Floats:
        """Return ½ (tr(Σ⁻¹W) − ln|I + Σ⁻¹W|), averaged over W ~ W_d(I/γ, d + 1), for each γ."""
        key = covariance.tobytes()
        if key not in self._roots:
            self._roots[key] = self._eigenvalues(covariance)
        x = self._roots[key]
        return np.array([np.sum(x / g - np.log1p(x / g)) / (2 * self._draws) for g in gammas])

    def _eigenvalues(self, covariance: Floats) -> Floats:
        """Return the eigenvalues of Σ⁻¹W for each draw of W ~ W_d(I, d + 1)."""
        size = len(covariance)
        normals = self._rng.standard_normal((self._draws, size, size + 1))
        white = np.linalg.solve(np.linalg.cholesky(covariance), normals)
        found: Floats = np.linalg.svd(white, compute_uv=False) ** 2
        return found


def expected_costs(covariance: Floats, gammas: Sequence[float]) -> Floats:
    """Return the same expectations in closed form, or by quasi-Monte Carlo, for each γ."""
    return _expected_costs(covariance.tobytes(), len(covariance), tuple(gammas)).copy()


@functools.lru_cache(maxsize=256)
def _expected_costs(covariance: bytes, size: int, gammas: tuple[float, ...]) -> Floats:
    sigma = np.frombuffer(covariance).reshape(size, size)
    found = expected_kl_for_gammas(sigma, np.array(gammas), np.zeros_like(sigma))
    return np.array([float(estimate.value) for estimate in found])


def _factor(covariance: Floats, k: int) -> Floats:
    try:
        return np.linalg.cholesky(covariance).astype(np.float64)
    except np.linalg.LinAlgError:
        raise ValueError(
            f"The covariance of class {k} must be positive definite. Got one that is singular: "
            "a positive 'ridge' is needed."
        ) from None
