"""Bounds on the least noise shape that hold for the floats returned, rounding included.

Nothing is taken from the solver on trust. A sum of n products of floats is within `rounding(n)`
times the sum of their sizes of the true one, and every bound below adds that.

* *Feasible.* For any G and any yᵢ let eᵢ = Δᵢ − G yᵢ. Then, for every θ > 0 and diagonal D > 0,

      Δᵢ Δᵢᵀ ⪯ (1 + θ) |yᵢ|² G Gᵀ + (1 + 1/θ) (eᵢᵀ D⁻¹ eᵢ) D,

  so (1 + ε) κ G Gᵀ + (ε + ε²) D is above all of them for κ ≥ |yᵢ|², ε² ≥ eᵢᵀD⁻¹eᵢ and θ = ε. The
  eᵢ are of the size of a rounding error; its own bound and that of the shape's entries go into ε.
* *Objective.* With A close to L⁻¹, Σ = LLᵀ, and β ≥ ‖AΣAᵀ − I‖:
  tr(AZAᵀ)/(1 + β) ≤ tr(Σ⁻¹Z) ≤ tr(AZAᵀ)/(1 − β).
* *Dual.* For weights w ≥ 0 with sum 1 and K with rows √wᵢ AΔᵢ, tr(AZAᵀ) ≥ (tr (KᵀK)^½)², and
  tr (KᵀK)^½ ≥ tr(QᵀK)/‖Q‖ for every Q.
"""

import math
from dataclasses import dataclass

import numpy as np

from provedp.mechanisms.mixture.published.design_weights import BLOCK, Roots
from provedp.theory.arrays import Floats

UNIT = 2.0**-53
UP = 1 + 32 * UNIT  # covers the few operations in which a bound itself is computed


def rounding(terms: int) -> float:
    """Return a bound on the relative error of a sum of products of floats."""
    return 1.01 * (terms + 2) * UNIT


@dataclass(frozen=True)
class Whitening:
    """A ≈ L⁻¹ and L for Σ = LLᵀ (None: the identity), with β ≥ ‖AΣAᵀ − I‖."""

    inverse: Floats | None
    factor: Floats | None
    error: float

    def points(self, points: Floats) -> Floats:
        """Return A Δ for each point (row) Δ."""
        return points if self.inverse is None else points @ self.inverse.T


def whitening(covariance: Floats) -> Whitening:
    """Return the whitening of a covariance; raise `LinAlgError` if it has no Cholesky factor."""
    factor = np.linalg.cholesky(covariance).astype(np.float64)
    inverse = np.linalg.solve(factor, np.eye(len(factor))).astype(np.float64)
    sizes = np.abs(inverse)
    wide = inverse.astype(np.longdouble)
    missed = np.asarray(wide @ covariance.astype(np.longdouble) @ wide.T - np.eye(len(factor)))
    bound = float(np.linalg.norm(sizes @ np.abs(covariance) @ sizes.T))
    unit = float(np.finfo(np.longdouble).eps) / (2 * UNIT)
    error = float(np.linalg.norm(missed.astype(float)))
    return Whitening(inverse, factor, UP * error + rounding(2 * len(factor)) * unit * bound)


def feasible_shape(points: Floats, white: Whitening, roots: Roots) -> Floats:
    """Return a symmetric Z with Z ⪰ Δ Δᵀ for every point Δ, close to a multiple of L M^½ Lᵀ."""
    size = points.shape[1]
    half = np.sqrt(roots.values)
    factor = roots.vectors * half
    back = roots.vectors / half
    if white.inverse is not None and white.factor is not None:
        factor, back = white.factor @ factor, white.inverse.T @ back
    largest = 0.0
    for start in range(0, len(points), BLOCK):
        y = points[start : start + BLOCK] @ back
        largest = max(largest, float(np.einsum("ij,ij->i", y, y).max()))
    largest *= 1 + rounding(size)
    rows = np.einsum("ij,ij->i", factor, factor)
    scale = np.abs(points).max(axis=0) ** 2 + largest * rows
    inverse_root = 1 / np.sqrt(np.where(scale > 0, scale, 1.0))
    missed = 0.0
    for start in range(0, len(points), BLOCK):
        block = points[start : start + BLOCK]
        e = (block - (block @ back) @ factor.T) * inverse_root
        missed = max(missed, float(np.einsum("ij,ij->i", e, e).max()))
    # Each entry of e is off by at most 2 · rounding once divided by the root of its scale.
    epsilon = UP * (math.sqrt(missed) + 2 * math.sqrt(size) * rounding(size + 2))
    ridge = UP * (epsilon + epsilon**2 + 1.01 * size * rounding(size + 8))
    shape: Floats = (1 + epsilon) * largest * (factor @ factor.T)
    shape = np.tril(shape) + np.tril(shape, -1).T
    shape[np.diag_indices(size)] += ridge * scale
    return shape


def objective_upper(shape: Floats, white: Whitening) -> float:
    """Return a bound above tr(Σ⁻¹ Z)."""
    if white.inverse is None:
        return UP * math.fsum(np.diag(shape))
    sizes = np.abs(white.inverse)
    moved = white.inverse @ shape
    total = math.fsum((moved * white.inverse).ravel())
    error = rounding(2 * len(shape)) * float(np.sum((sizes @ np.abs(shape)) * sizes))
    return UP * (total + UP * error) / (1 - white.error)


def dual_lower(points: Floats, weights: Floats, white: Whitening) -> float:
    """Return a bound below tr(Σ⁻¹ Z) for every feasible Z, from weights on some of the points."""
    size = points.shape[1]
    half = np.sqrt(weights)[:, None]
    scaled = half * white.points(points)
    left, _, right = np.linalg.svd(scaled, full_matrices=False)
    polar = left @ right
    gram = polar.T @ polar if len(polar) > size else polar @ polar.T
    few = len(gram)
    inner = np.linalg.eigvalsh(gram)[-1] + few * rounding(len(polar) + size + few) * 4
    sizes = np.abs(points) if white.inverse is None else np.abs(points) @ np.abs(white.inverse.T)
    error = rounding(size + 4) * float(np.sum(np.abs(polar) * half * sizes))
    total = math.fsum((polar * scaled).ravel()) - UP * error
    return max(0.0, total) ** 2 / float(math.fsum(weights) * inner * (1 + white.error) * UP)
