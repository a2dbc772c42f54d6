"""The cheapest covariance of Gaussian noise that hides a given set of displacements: eq. (25)."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from provedp.mechanisms.mixture.published.design_weights import optimal_design
from provedp.theory.arrays import Floats
from provedp.theory.domain import OutsideError, check_argument, check_float, reals, require
from provedp.verify.solvers.noise_shape.enclosure import (
    Whitening,
    dual_lower,
    feasible_shape,
    objective_upper,
    whitening,
)

GAP = reals(0, 1, open_low=True, open_high=True)
SMALLEST, LARGEST = 1e-140, 1e140  # squares of the entries are floats of full precision
ASYMMETRY = 1e-12  # of a computed covariance, relative to its diagonal; the mean of both is used
WIDEST, MOST = 1000, 10**7  # coordinates, numbers: matrices of both fit a gigabyte together
IDLE = 0.25  # points are left out whose weights sum to at most this share of the gap


@dataclass(frozen=True)
class NoiseShape:
    """An enclosure of the least tr(Σ⁻¹Z), the shape that attains its upper end, and the dual point.

    Attributes
    ----------
    value
        The middle of [lower, upper].
    lower, upper
        Bounds that hold for the floats given, rounding included.
    shape
        Symmetric d × d matrix Z with Z ⪰ ΔᵢΔᵢᵀ for every i and tr(Σ⁻¹Z) ≤ upper.
    support
        Indices of the points that carry weight, increasing.
    weights
        Their weights in the dual, of sum 1.
    gap
        upper/lower − 1, rounded upward. It exceeds the one asked for if rounding does not allow
        less, as for a covariance whose condition number is above 1e6 or so.
    """

    value: float
    lower: float
    upper: float
    shape: Floats
    support: tuple[int, ...]
    weights: tuple[float, ...]
    gap: float


@dataclass(frozen=True)
class FloatMatrix:
    """Matrices of floats whose squares neither overflow nor lose digits."""

    what: str

    def read(self, value: Any) -> Floats:
        """Return `value` as an array of floats."""
        try:
            found: Floats = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError) as error:
            require(False, f"an array that is none ({error})")
            raise
        require(found.ndim == 2, f"an array of {found.ndim} dimensions")
        require(found.size > 0, "an array of shape {}×{}".format(*found.shape))
        require(found.shape[1] <= WIDEST, f"an array of {found.shape[1]} columns")
        require(found.size <= MOST, f"an array of {found.size} numbers")
        sizes = np.abs(found)
        outside = ~(sizes <= LARGEST) | ((sizes < SMALLEST) & (sizes > 0))
        if outside.any():
            i, j = np.argwhere(outside)[0]
            require(False, f"{float(found[i, j])} in row {i + 1}, column {j + 1}")
        return found

    def __str__(self) -> str:
        return (
            f"{self.what} of at most {MOST} numbers in {WIDEST} columns, each number 0 or of size "
            f"in [{SMALLEST:g}, {LARGEST:g}]"
        )


@dataclass(frozen=True)
class Covariance:
    """Symmetric positive definite matrices of a given size."""

    size: int

    def read(self, value: Any) -> tuple[int, Whitening]:
        """Return n and the whitening of `value` · 2⁻ⁿ, whose largest entry is of size about 1."""
        found = FloatMatrix("a matrix").read(value)
        rows, columns = found.shape
        require(rows == columns == self.size, f"a matrix of shape {rows}×{columns}")
        roots = np.sqrt(np.abs(np.diag(found)))
        apart = np.abs(found - found.T) > ASYMMETRY * np.multiply.outer(roots, roots)
        if apart.any():
            i, j = np.argwhere(apart)[0]
            entries = f"{float(found[i, j])} and {float(found[j, i])}"
            require(False, f"{entries} at ({i + 1}, {j + 1}) and ({j + 1}, {i + 1})")
        found = found / 2 + found.T / 2
        exponent = _exponent(found)
        white = _whitened(np.ldexp(found, -exponent))
        if white is None:
            raise OutsideError("a matrix that is not positive definite in floats")
        return exponent, white

    def __str__(self) -> str:
        size = self.size
        return f"a symmetric positive definite {size}×{size} matrix (a row for each coordinate)"


def noise_shape(points: Any, covariance: Any = None, gap: float = 1e-9) -> NoiseShape:
    """Find the least noise shape above all displacements, for every ε at once.

    min tr(Σ⁻¹ Z)  subject to  Z ⪰ ΔᵢΔᵢᵀ for all i
      = max (tr (Σᵢ wᵢ uᵢuᵢᵀ)^½)²  over w ≥ 0, Σ wᵢ = 1,  with uᵢ = Σ^{-½} Δᵢ

    Gaussian noise of covariance t Z has Δᵢᵀ(tZ)⁻¹Δᵢ ≤ 1/t for all i; the paper's constraint is
    t = 2 ln(4/δ)/ε_k², so one shape serves all ε_k. Weak duality: tr M^½ ≤ ‖X^½‖ ‖X^{-½}M^½‖
    = (tr X · tr X⁻¹M)^½ ≤ (tr X)^½ in whitened coordinates.

    Parameters
    ----------
    points
        N × d displacements Δᵢ, with d ≤ 1000 and N d ≤ 10⁷. They may repeat, vanish or span less
        than d dimensions.
    covariance
        Symmetric positive definite d × d matrix Σ; None for the identity. If entries differ from
        their mirror images by rounding, their means are taken for Σ.
    gap
        Relative gap upper/lower − 1 to aim at, in (0, 1).

    Returns
    -------
    A feasible shape and weights with what they prove.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Source: mixture paper, eq. (25); the dual and the certificate are ours.

    >>> found = noise_shape([[3.0, 0.0], [0.0, 4.0], [1.0, 1.0]])
    >>> round(found.value, 9), found.support, found.gap < 1e-9
    (25.0, (0, 1), True)
    """
    where = "mixture.noise_shape"
    table = check_argument(where, "points", FloatMatrix("an N × d array"), points)
    allowed = check_float(where, "gap", GAP, gap)
    sigma = 0, Whitening(None, None, 0.0)
    if covariance is not None:
        sigma = check_argument(where, "covariance", Covariance(table.shape[1]), covariance)
    if not table.any():
        return NoiseShape(0.0, 0.0, 0.0, np.zeros((table.shape[1],) * 2), (), (), 0.0)
    return _enclosed(table, *sigma, allowed)


def _enclosed(points: Floats, sigma_exponent: int, white: Whitening, gap: float) -> NoiseShape:
    """Solve at a scale near 1 (a power of 2: no rounding) and undo it."""
    exponent = _exponent(points)
    points = np.ldexp(points, -exponent)
    support, weights, shape = _solved(points, white, gap)
    lower = dual_lower(points[support], weights, white)
    upper = objective_upper(shape, white)
    if not (0 <= lower <= upper < math.inf and np.isfinite(shape).all()):
        raise ArithmeticError("a decomposition of a matrix returns no numbers")
    power = 2 * exponent - sigma_exponent
    low, high = math.ldexp(lower, power), math.ldexp(upper, power)
    return NoiseShape(
        value=min(max(low + (high - low) / 2, low), high),
        lower=low,
        upper=high,
        shape=np.ldexp(shape, 2 * exponent),
        support=tuple(support.tolist()),
        weights=tuple(weights.tolist()),
        gap=math.nextafter(upper / lower - 1, math.inf) if lower > 0 else math.inf,
    )


def _solved(points: Floats, white: Whitening, gap: float) -> tuple[Any, Floats, Floats]:
    whitened = white.points(points)
    size = _exponent(whitened)
    design = optimal_design(np.ldexp(whitened, -size), gap / 2)
    # M^½ scales like the points: the shape is rescaled by its largest constraint anyway.
    kept = design.weights > IDLE * gap * design.weights.sum() / len(design.weights)
    order = np.argsort(design.active[kept])
    weights = design.weights[kept][order]
    shape = feasible_shape(points, white, design.roots)
    return design.active[kept][order], weights / weights.sum(), shape


def _exponent(values: Floats) -> int:
    return int(np.frexp(np.abs(values).max())[1])


def _whitened(matrix: Floats) -> Whitening | None:
    try:
        white = whitening(matrix)
    except np.linalg.LinAlgError:
        return None
    return white if white.error < 0.5 else None
