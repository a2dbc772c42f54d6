"""Design weights that maximise tr (Σ wᵢ uᵢuᵢᵀ)^½: the dual of the least noise shape.

Without the constraint Σ wᵢ = 1 the dual is max 2 tr M(w)^½ − Σ wᵢ over w ≥ 0, with M = Σ wᵢ uᵢuᵢᵀ.
Its optimality conditions are gᵢ = uᵢᵀ M^{-½} uᵢ ≤ 1, with equality where wᵢ > 0, and M^½ is the
shape itself. A few multiplicative steps find the points that matter, a primal-dual Newton method
solves for their weights, and points that violate gᵢ ≤ 1 join them.
"""

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from provedp.theory.arrays import Floats

Indices = NDArray[np.intp]

FLOOR = 1e-14  # least root of M relative to the largest; costs d · FLOOR of the optimum
SQUARED = 1e-6  # below this ratio of eigenvalues of M, roots come from singular values instead
DENSE = 20_000_000  # most entries of the factor of the Hessian that is formed
BLOCK = 16384  # points whose coordinates are held at a time
CUTOFF = 3e-13  # size of the points, relative to the largest, in directions that are left out
MULTIPLICATIVE_STEPS = 8
NEWTON_STEPS = 60
REACH = 0.98  # of the way to the boundary in one step
SOLVED = 1e-9  # residual of conjugate gradients, relative
PRODUCTS = 200  # at most, for one step by conjugate gradients
STUCK = 1e-6  # share of a step below which there is no use in more
START = 0.03  # of slack at the first shape
ROUNDS = 60
STALLED = 4  # rounds without a smaller gap before giving up


@dataclass(frozen=True)
class Roots:
    """M^½ as vectors (columns) and positive values."""

    vectors: Floats
    values: Floats

    @property
    def total(self) -> float:
        """Trace of M^½."""
        return float(self.values.sum())

    def whitened(self, points: Floats) -> Floats:
        """Return M^{-¼} u, in the basis of the vectors, for each point (row) u."""
        found: Floats = points @ (self.vectors / np.sqrt(self.values))
        return found


@dataclass(frozen=True)
class Design:
    """Points that carry weight, their weights (up to scale) and a shape that is close to M^½."""

    active: Indices
    weights: Floats
    roots: Roots
    gap: float


def roots(points: Floats, weights: Floats) -> Roots:
    """Return M^½ for weighted points; values below FLOOR of the largest are raised to it."""
    squares, vectors, _ = lapack.dsyevd((points.T * weights) @ points)
    if squares[0] > SQUARED * squares[-1]:
        return Roots(vectors, np.sqrt(squares))
    scaled = np.sqrt(weights)[:, None] * points
    few = scaled if len(scaled) <= scaled.shape[1] else np.linalg.qr(scaled, mode="r")
    _, found, rows = np.linalg.svd(few, full_matrices=True)
    values = np.zeros(points.shape[1])
    values[: len(found)] = found
    return Roots(rows.T, np.maximum(values, FLOOR * values[0]))


def leverages(root: Roots, points: Floats) -> Floats:
    """Return gᵢ = uᵢᵀ M^{-½} uᵢ."""
    found = np.empty(len(points))
    for start in range(0, len(points), BLOCK):
        white = root.whitened(points[start : start + BLOCK])
        np.einsum("ij,ij->i", white, white, out=found[start : start + BLOCK])
    return found


def optimal_design(points: Floats, gap: float) -> Design:
    """Return weights whose shape exceeds the optimum by at most the relative gap, or the best met.

    Parameters
    ----------
    points
        N × d array of whitened points, not all zero, of size about 1.
    gap
        Relative gap max uᵢᵀX⁻¹uᵢ · tr X / ((tr M^½)²/Σ wᵢ) − 1 of a shape X at which to stop.

    Source: ours; the dual is the φ_p criterion of optimal design with p = 1/2.
    """
    span, rest = _directions(points)
    found = _within_span(points @ span if rest.shape[1] else points, gap)
    if not rest.shape[1]:
        return found
    values = found.roots.values
    lifted = np.hstack([span @ found.roots.vectors, rest])
    floor = np.full(rest.shape[1], FLOOR * float(values.max()))
    everything = Roots(lifted, np.append(values, floor))
    return Design(found.active, found.weights, everything, found.gap)


def _directions(points: Floats) -> tuple[Floats, Floats]:
    """Return orthonormal directions that the points span, and the others, as columns."""
    squares, vectors = np.linalg.eigh(points.T @ points)
    if squares[0] > 1e-9 * squares[-1]:
        return vectors, vectors[:, :0]
    few = points if len(points) <= points.shape[1] else np.linalg.qr(points, mode="r")
    _, sizes, rows = np.linalg.svd(few, full_matrices=True)
    rank = int(np.count_nonzero(sizes > CUTOFF * sizes[0]))
    return rows[:rank].T, rows[rank:].T


def _within_span(points: Floats, gap: float) -> Design:
    """Return the optimal design of points that span their space."""
    best, every = _solved(points, *_start(points), gap)
    last, stalled = best, 0
    for _ in range(ROUNDS - 1):
        if last.gap <= gap or stalled == STALLED:
            break
        chosen = _with_violators(last.active, last.weights, every, points.shape[1])
        last, every = _solved(points, *chosen, gap)
        stalled = 0 if last.gap < best.gap else stalled + 1
        best = min(best, last, key=lambda design: design.gap)
    return best


def _solved(points: Floats, active: Indices, weights: Floats, gap: float) -> tuple[Design, Floats]:
    """Return the design on an active set, with its gap over all points, and their leverages."""
    chosen = points[active]
    weights, root = _solve(chosen, weights, gap / 4)
    every = leverages(root, points)
    dual = roots(chosen, weights).total ** 2 / float(weights.sum())
    reached = float(every.max()) * root.total / dual - 1
    return Design(active, weights, root, reached), every


def _start(points: Floats) -> tuple[Indices, Floats]:
    """Return a first active set and weights by multiplicative steps w ← w g²."""
    size, dimension = points.shape
    weights = np.full(size, 1 / size)
    for _ in range(MULTIPLICATIVE_STEPS):
        every = leverages(roots(points, weights), points)
        weights = weights * every * every
        weights /= weights.sum()
    count = min(size, 4 * dimension + 8)
    active = np.argpartition(-weights, count - 1)[:count]
    return active, weights[active]


def _with_violators(
    active: Indices, weights: Floats, every: Floats, dimension: int
) -> tuple[Indices, Floats]:
    """Return the active set without idle points, and with the points of largest g outside it."""
    kept = (every[active] > 0.9) | (weights > 1e-6 * weights.max())
    active, weights = active[kept], weights[kept]
    outside = every.copy()
    outside[active] = 0
    count = min(len(every), 2 * dimension + 6)
    joining = np.argpartition(-outside, count - 1)[:count]
    joining = joining[outside[joining] > 1]
    mean = 0.1 * float(weights.mean())
    return np.append(active, joining), np.append(weights, np.full(len(joining), mean))


def _solve(points: Floats, weights: Floats, gap: float) -> tuple[Floats, Roots]:
    """Return the optimal weights and shape of few points, by primal-dual Newton steps.

    With Y for the inverse of the shape: min tr Y⁻¹ subject to zᵢ = 1 − uᵢᵀYuᵢ ≥ 0, whose conditions
    are M(w) = Y⁻² and wᵢzᵢ = 0.
    """
    root = roots(points, weights)
    g = leverages(root, points)
    raised = float(g.max()) / (1 - START)
    s = root.values * raised  # of the shape: strictly feasible
    basis = root.vectors
    scale = float(s.sum()) / float(weights.sum())
    w = np.maximum(weights * scale, 1e-3 * scale * weights.mean())
    z = 1 - g / raised
    for _ in range(NEWTON_STEPS):
        projected = points @ basis
        residual = np.diag(s * s) - projected.T @ (w[:, None] * projected)
        mean = float(w @ z) / float(w.sum())
        products = np.multiply.outer(s, s)
        error = float(np.linalg.norm(residual / np.sqrt(products))) / float(s.sum())
        if mean <= gap and error <= gap:
            break
        share = min(0.1, 10 * mean) if error <= 0.3 else 0.3
        target = max(share * mean, gap / 100) * float(w.mean())
        kernel = 1 / (products * np.add.outer(s, s))
        change = kernel * residual
        right = target / w - z + np.einsum("ij,ij->i", projected @ change, projected)
        step = _direction(projected, kernel, w, z, right)
        change -= kernel * (projected.T @ (step[:, None] * projected))
        dual = -np.einsum("ij,ij->i", projected @ change, projected)
        half = np.sqrt(s)
        turned, axes, _ = lapack.dsyevd(change * np.multiply.outer(half, half))
        furthest = min(_longest(z, dual), -1 / turned[0] if turned[0] < 0 else np.inf)
        reach = min(max(REACH, 1 - mean), 1 - 1e-6)
        length = min(1.0, reach * furthest, reach * _longest(w, step))
        if length < STUCK:
            break  # rounding has the better of it; the enclosure says how far this is
        w = w + length * step
        # Y becomes F (1 + change) Fᵀ for Y = F Fᵀ; singular values keep small ones of the shape.
        following = ((basis * half) @ axes) / np.sqrt(1 + length * turned)
        s, basis = _squared(following)
        z = z + length * dual
    return w, Roots(basis, s)


def _squared(factor: Floats) -> tuple[Floats, Floats]:
    """Return eigenvalues and eigenvectors of F Fᵀ."""
    squares, vectors, _ = lapack.dsyevd(factor @ factor.T)
    if squares[0] > SQUARED * squares[-1]:
        return squares, vectors
    left, values, _ = np.linalg.svd(factor)
    return values * values, left


@functools.cache
def _pairs(size: int) -> tuple[Indices, Indices, Floats]:
    """Return the places of the upper triangle, and how often each stands in a symmetric matrix."""
    a, b = np.triu_indices(size)
    return a, b, np.where(a == b, 1.0, 2.0)


def _longest(values: Floats, step: Floats) -> float:
    """Return the longest step along which positive values stay non-negative."""
    falling = -float((step / values).min())
    return 1 / falling if falling > 0 else np.inf


def _direction(projected: Floats, kernel: Floats, w: Floats, z: Floats, residual: Floats) -> Floats:
    """Solve (H + diag(z/w)) x = residual for −H the derivative of g, scaled by √w on both sides."""
    half = np.sqrt(w)
    projected = np.sqrt(half)[:, None] * projected
    right = half * residual
    if projected.size * (len(kernel) + 1) <= 2 * DENSE:
        a, b, twice = _pairs(len(kernel))
        factor = projected[:, a] * projected[:, b]
        factor *= np.sqrt(kernel[a, b] * twice)
        system = factor @ factor.T
        system.flat[:: len(w) + 1] += z
        solution: Floats = half * lapack.dposv(system, right)[1]
        return solution
    return half * _conjugate_gradients(projected, kernel, z, right)


def _conjugate_gradients(projected: Floats, kernel: Floats, z: Floats, right: Floats) -> Floats:
    """Solve the system of `_direction` without forming it."""

    def product(x: Floats) -> Floats:
        inner = kernel * (projected.T @ (x[:, None] * projected))
        result: Floats = np.einsum("ij,ij->i", projected @ inner, projected) + z * x
        return result

    squares = projected * projected
    diagonal = np.einsum("ij,ij->i", squares @ kernel, squares) + z
    x = np.zeros_like(right)
    rest = right
    direction = scaled = rest / diagonal
    size = float(rest @ scaled)
    goal = SOLVED**2 * size
    for _ in range(PRODUCTS):
        image = product(direction)
        length = size / float(direction @ image)
        x = x + length * direction
        rest = rest - length * image
        scaled = rest / diagonal
        previous, size = size, float(rest @ scaled)
        if size <= goal:
            break
        direction = scaled + (size / previous) * direction
    return x
