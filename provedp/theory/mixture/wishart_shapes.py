"""The published covariance noise in any dimension: means of functions of det(I + t M), sampled.

W = V/γ with V ~ W_d(I, d + 1). The trace of V is χ² with d(d + 1) degrees of freedom, independent
of the shape U = V/tr V. So for M = L^½ U L^½, L = Σ⁻¹/γ,

    E ln |I + Σ^(−1/2) W Σ^(−1/2)| = E Σ_i F(2 mᵢ), F(m) = E ln(1 + G m), G ~ Gamma(d(d + 1)/2),

with the eigenvalues mᵢ of M. F is a Gauss–Laguerre rule (not below F, and above it by at most what
it is off for ln G, the limit of large m). U is drawn by scrambled Sobol points through the Bartlett
factor; the draws depend on d and the seed alone. Controls with known means are tr M, tr M²,
(tr M)² and ln |U|.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special

from provedp.theory.arrays import Floats
from provedp.theory.estimate import CONFIDENCE, SAMPLED, Estimate

REPLICATES = 8  # independent scramblings
POINTS = 128  # of each, while matrices are small
WORK = 1 << 23  # POINTS · d³ at most, but always at least FEWEST points
FEWEST = 16
SEED = 20260301
MOST_COORDINATES = 21_201  # of a Sobol sequence; beyond, pseudo-random points
EDGE = 2.0**-40  # keeps quantiles finite
UNIT = 2.0**-50  # relative error of an eigenvalue, times the condition number
ROUNDING = 1e-13  # of sums of logarithms, far below the spread


@dataclass(frozen=True)
class RadialRule:
    """Gauss–Laguerre nodes and weights for Gamma(shape), and how far they are off for ln G."""

    nodes: Floats
    weights: Floats
    excess: float


def sampled_log_determinants(
    eigenvalues: Floats, gammas: Floats, seed: int = SEED, points: int | None = None
) -> list[Estimate]:
    """Return E ln |I + Σ^(−1/2) W Σ^(−1/2)| for each γ, from the same draws.

    Parameters
    ----------
    eigenvalues
        Of Σ, positive; d of them.
    gammas
        Values of γ, positive.
    seed, points
        Of the draws; points per replicate, a power of two (by default what the dimension allows).
    """
    size = len(eigenvalues)
    count = _points(size) if points is None else points
    factors = shape_factors(size, count, seed)
    half = factors / np.sqrt(eigenvalues)[:, None]
    gram = half.swapaxes(-1, -2) @ half
    roots = np.maximum(np.linalg.eigvalsh(gram), 0)
    rule = radial_rule(size * (size + 1) // 2)
    controls = _controls(roots, factors, eigenvalues)
    known = size * (rule.excess + UNIT * eigenvalues.max() / eigenvalues.min())
    return [_estimate(_log_means(roots / gamma, rule), controls, known) for gamma in gammas]


@lru_cache(maxsize=16)
def shape_factors(size: int, points: int, seed: int) -> Floats:
    """Return Bartlett factors T of shapes U = T Tᵀ, replicates × points × d × d."""
    replicates = [_factors(size, points, seed, r) for r in range(REPLICATES)]
    drawn = np.stack(replicates)
    drawn.setflags(write=False)
    return drawn


@lru_cache(maxsize=64)
def radial_rule(shape: int) -> RadialRule:
    """Return the rule for Gamma(shape), from the recurrence of the Laguerre polynomials."""
    count = 32 if shape < 10 else 16
    k = np.arange(count)
    side = np.sqrt(k[1:] * (k[1:] + shape - 1.0))
    nodes, vectors = np.linalg.eigh(np.diag(2.0 * k + shape) + np.diag(side, 1) + np.diag(side, -1))
    weights = vectors[0] ** 2
    excess = float(weights @ np.log(nodes) - special.psi(shape))
    return RadialRule(nodes, weights, abs(excess) + 1e-14)


def _points(size: int) -> int:
    allowed = max(FEWEST, WORK // size**3)
    return min(POINTS, 1 << (allowed.bit_length() - 1))


def _factors(size: int, points: int, seed: int, replicate: int) -> Floats:
    generator = np.random.default_rng([seed, size, points, replicate])
    uniform = _uniform(size * (size + 1) // 2, points, generator)
    factor = np.zeros((points, size, size))
    degrees = size + 1 - np.arange(size)
    diagonal = np.arange(size)
    factor[:, diagonal, diagonal] = np.sqrt(special.gammaincinv(degrees / 2, uniform[:, :size]))
    rows, columns = np.tril_indices(size, -1)
    factor[:, rows, columns] = special.ndtri(uniform[:, size:]) / np.sqrt(2)
    trace = np.einsum("nij,nij->n", factor, factor)
    shapes: Floats = factor / np.sqrt(trace)[:, None, None]
    return shapes


def _uniform(coordinates: int, points: int, generator: np.random.Generator) -> Floats:
    if coordinates > MOST_COORDINATES:
        drawn = generator.random((points, coordinates))
    else:
        from scipy.stats import qmc  # takes half a second to import

        sobol = qmc.Sobol(coordinates, scramble=True, seed=generator)
        drawn = sobol.random(points)
    clipped: Floats = np.clip(drawn, EDGE, 1 - EDGE)
    return clipped


def _log_means(roots: Floats, rule: RadialRule) -> Floats:
    """Return Σ_i F(2 mᵢ) for each draw: a logarithm of a product for each node."""
    total = np.zeros(roots.shape[:-1])
    for node, weight in zip(rule.nodes, rule.weights, strict=True):
        total += weight * _log_product(1 + 2 * node * roots)
    return total


def _log_product(values: Floats) -> Floats:
    if values.shape[-1] <= 64 and values.max() < 1e4:
        logs: Floats = np.log(np.prod(values, axis=-1))
    else:
        logs = np.log(values).sum(axis=-1)
    return logs


def _controls(roots: Floats, factors: Floats, eigenvalues: Floats) -> Floats:
    """Return the controls minus their means, for γ = 1 (another γ only scales three of them)."""
    size = len(eigenvalues)
    degrees, n = size * (size + 1), size + 1
    first, second = np.sum(1 / eigenvalues), np.sum(1 / eigenvalues**2)
    trace, squares = roots.sum(-1), (roots**2).sum(-1)
    logs = 2 * np.log(np.einsum("rnii->rni", factors)).sum(-1)
    mean_log = special.psi((n - np.arange(size)) / 2).sum() - size * special.psi(degrees / 2)
    pairs = degrees * (degrees + 2)
    return np.stack(
        [
            trace / first - 1 / size,
            squares / second - n * (n + 1 + first**2 / second) / pairs,
            (trace / first) ** 2 - n * (n + 2 * second / first**2) / pairs,
            logs - mean_log,
        ],
        axis=-1,
    )


def _estimate(values: Floats, controls: Floats, known: float) -> Estimate:
    """Average over replicates, each with the coefficients fitted to the other replicates.

    `known` bounds the errors of the radial rule and of the eigenvalues.
    """
    from scipy import stats  # takes half a second to import

    means = [_controlled_mean(values, controls, r) for r in range(len(values))]
    quantile = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(means) - 1))
    spread = float(np.std(means, ddof=1)) / np.sqrt(len(means))
    value = float(np.mean(means))
    rounding = known + ROUNDING * (1 + abs(value))
    return Estimate(value, float(quantile * spread + rounding), SAMPLED)


def _controlled_mean(values: Floats, controls: Floats, replicate: int) -> float:
    others = np.arange(len(values)) != replicate
    x = controls[others].reshape(-1, controls.shape[-1])
    y = values[others].ravel()
    slope = np.linalg.lstsq(x - x.mean(0), y - y.mean(), rcond=None)[0]
    return float(np.mean(values[replicate] - controls[replicate] @ slope))
