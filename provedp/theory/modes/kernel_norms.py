"""Norms of the Gaussian kernel and its gradient in the space of the exponential kernel.

The space belongs to C̄(x, y) = e^(−‖x − y‖), whose Fourier transform is
c_d (1 + ‖t‖²)^(−(d+1)/2), c_d = 2^d π^((d−1)/2) Γ((d + 1)/2). All integrals over t are radial, with
s = ‖t‖²: ∫ s^(a−1) (1 + s)^((d+1)/2) e^(−s) ds = Γ(a) U(a, a + (d + 3)/2, 1), U Tricomi's function.
"""

from collections.abc import Callable
from functools import lru_cache

from flint import arb, ctx

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Number, ball

__all__ = [
    "density_correlation",
    "density_norm_squared",
    "gradient_correlation",
    "gradient_norm_squared",
]

DIMENSION = integers(1, 64)
DISTANCE = reals(0, 32)
WORD = 64  # precisions are multiples of it, so that nearby distances share their moments


@domain(d=DIMENSION)
def density_norm_squared(d: int) -> arb:
    """Squared norm of the Gaussian kernel in the space of the exponential kernel.

    I₀ = (2π)^(−d) ∫ |K̂(t)|²/Ĉ(t) dt = (2π)^(−d) c_d^(−1) π^(d/2) U(d/2, d + 3/2, 1)

    Returns
    -------
    I₀, a ball; 3/(8√π) for d = 1.

    Source: modes paper, eq. (7).

    >>> density_norm_squared(2)
    [0.0388617921297751 +/- 2.13e-17]
    """
    return +correlation(d, arb(0), 0)


@domain(d=DIMENSION)
def gradient_norm_squared(d: int) -> arb:
    """Squared norm of the Gaussian kernel's gradient in the space of the exponential kernel.

    I₁ = (2π)^(−d) ∫ ‖t‖² |K̂(t)|²/Ĉ(t) dt = (2π)^(−d) c_d^(−1) π^(d/2) (d/2) U(d/2 + 1, d + 5/2, 1)

    Returns
    -------
    I₁, a ball; 5/(16√π) for d = 1.

    Source: modes paper, eq. (7).

    >>> gradient_norm_squared(1)
    [0.176309244858674 +/- 1.98e-16]
    """
    return +correlation(d, arb(0), 1)


@domain(d=DIMENSION, distance=DISTANCE)
def density_correlation(d: int, distance: Number) -> arb:
    """Inner product of the kernels at two records, in the space of the exponential kernel.

    ρ₀(a) = (2π)^(−d) ∫ cos(t·a) |K̂(t)|²/Ĉ(t) dt, I₀ at a = 0

    Parameters
    ----------
    distance
        a, the distance of the records over the bandwidth.

    Returns
    -------
    ρ₀, a ball.

    Source: ours; modes paper, eq. (7).

    >>> density_correlation(1, 3)
    [-0.0111497146147153 +/- 4.93e-17]
    """
    return +correlation(d, ball(distance), 0)


@domain(d=DIMENSION, distance=DISTANCE)
def gradient_correlation(d: int, distance: Number) -> arb:
    """Inner product of the kernel's gradients at two records, in the same space.

    ρ₁(a) = (2π)^(−d) ∫ cos(t·a) ‖t‖² |K̂(t)|²/Ĉ(t) dt, I₁ at a = 0

    Parameters
    ----------
    d, distance
        As for `density_correlation`.

    Returns
    -------
    ρ₁, a ball.

    Source: ours; modes paper, eq. (7).

    >>> gradient_correlation(1, 2)
    [-0.0908047650607551 +/- 2.29e-17]
    """
    return +correlation(d, ball(distance), 1)


def correlation_slope(d: int, distance: arb, power: int) -> arb:
    """Return ρ′(a) = −a/2 Σ_{j≥0} (−a²/4)^j/j! M_{j+1}, M_j the moments in `correlation`."""
    return -distance / 2 * _series(d, distance, lambda j: _moment(d, power, j + 1))


def correlation_slope_of_slope(d: int, distance: arb, power: int) -> arb:
    """Return ρ″(a) = −1/2 Σ_j (−a²/4)^j/j! M_{j+1} + a²/4 Σ_j (−a²/4)^j/j! M_{j+2}."""
    once = _series(d, distance, lambda j: _moment(d, power, j + 1))
    twice = _series(d, distance, lambda j: _moment(d, power, j + 2))
    return -once / 2 + distance * distance / 4 * twice


def correlation(d: int, distance: arb, power: int) -> arb:
    """Return (2π)^(−d) ∫ cos(t·a) ‖t‖^(2 power) |K̂|²/Ĉ dt = Σ_j (−a²/4)^j/j! M_j."""
    return _series(d, distance, lambda j: _moment(d, power, j))


def _series(d: int, distance: arb, moment: Callable[[int], arb]) -> arb:
    """Return Σ_j (−a²/4)^j/j! M_j.

    M_{j+1}/M_j ≤ (1 + 1/j) (1 + (d + 1)/2j): (1 + s)^p tilts a gamma law no further than s^p does.
    From j > a² + d + 8 on this is below 3/2, the terms fall faster than 3/8 to the power j, and all
    that is left out is at most twice the next one.
    """
    square = distance * distance / 4
    bits = ctx.prec + 2 * int(float(square.upper())) + 32
    with ctx.workprec(-(-bits // WORD) * WORD):
        total, weight, count = arb(0), arb(1), 0
        while True:
            term = weight * moment(count)
            total += term
            count += 1
            weight *= -square / count
            if square == 0:
                break
            if count > 4 * square + d + 8 and abs(term) < arb(2) ** -(ctx.prec + 16):
                total += arb(0, (2 * abs(weight * moment(count))).upper())
                break
    return +total


def _moment(d: int, power: int, index: int) -> arb:
    """Return (2π)^(−d) c_d^(−1) ∫ over s of the j-th term's powers, divided by (d/2)_j."""
    return _moment_to(ctx.prec, d, power, index)


@lru_cache(maxsize=8192)
def _moment_to(bits: int, d: int, power: int, index: int) -> arb:
    """Return the moment at a working precision of so many bits, which is the current one."""
    half = arb(d) / 2
    shape = half + power + index
    ratio = arb(1)
    for step in range(power):
        ratio *= half + index + step
    value = arb(1).hypgeom_u(shape, shape + (arb(d) + 3) / 2)
    return ratio * value * _scale(d)


def _scale(d: int) -> arb:
    """Return (2π)^(−d) π^(d/2)/c_d."""
    pi, half = arb.pi(), arb(d) / 2
    constant = arb(2) ** d * pi ** (half - arb(1) / 2) * (half + arb(1) / 2).gamma()
    return (2 * pi) ** (-d) * pi**half / constant
