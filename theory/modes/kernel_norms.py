"""Norms of the Gaussian kernel and its gradient in the space of the exponential kernel.

The space belongs to C̄(x, y) = e^(−‖x − y‖), whose Fourier transform is
c_d (1 + ‖t‖²)^(−(d+1)/2), c_d = 2^d π^((d−1)/2) Γ((d + 1)/2). All integrals over t are radial, with
s = ‖t‖²: ∫ s^(a−1) (1 + s)^((d+1)/2) e^(−s) ds = Γ(a) U(a, a + (d + 3)/2, 1), U Tricomi's function.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import factorial

from flint import arb, ctx

from provedp.theory.domain import domain, integers, reals
from provedp.theory.modes.kernels import ORDER
from provedp.theory.numbers import Number, ball

__all__ = [
    "density_correlation",
    "density_norm_squared",
    "density_sensitivity",
    "gradient_correlation",
    "gradient_norm_squared",
    "gradient_sensitivity",
    "line_norm_squared",
]

DIMENSION = integers(1, 64)
DISTANCE = reals(0, 32)
STEP = 0.125  # of the search for the first stationary point, beside correlations of width 1
GUARD_BITS = 64
WORD = 64  # precisions are multiples of it, so that nearby distances share their moments
BISECTION_BITS = 24  # beyond half the precision: the value there is flat


@domain(d=DIMENSION)
def density_norm_squared(d: int) -> arb:
    """Squared norm of the Gaussian kernel in the space of the exponential kernel.

    I₀ = (2π)^(−d) ∫ |K̂(t)|²/Ĉ(t) dt = (2π)^(−d) c_d^(−1) π^(d/2) U(d/2, d + 3/2, 1)

    Parameters
    ----------
    d
        Dimension, from 1 to 64.

    Returns
    -------
    I₀, a ball; 3/(8√π) for d = 1.

    Raises
    ------
    ValueError
        If the dimension is outside its range.

    Source: modes paper, eq. (7).

    >>> density_norm_squared(2)
    [0.0388617921297751 +/- 2.13e-17]
    """
    return +correlation(d, arb(0), 0)


@domain(d=DIMENSION)
def gradient_norm_squared(d: int) -> arb:
    """Squared norm of the Gaussian kernel's gradient in the space of the exponential kernel.

    I₁ = (2π)^(−d) ∫ ‖t‖² |K̂(t)|²/Ĉ(t) dt = (2π)^(−d) c_d^(−1) π^(d/2) (d/2) U(d/2 + 1, d + 5/2, 1)

    Parameters
    ----------
    d
        Dimension, from 1 to 64.

    Returns
    -------
    I₁, a ball; 5/(16√π) for d = 1.

    Raises
    ------
    ValueError
        If the dimension is outside its range.

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
    d
        Dimension, from 1 to 64.
    distance
        a, the distance of the records over the bandwidth, from 0 to 32.

    Returns
    -------
    ρ₀, a ball.

    Raises
    ------
    ValueError
        If an argument is outside its range.

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

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Source: ours; modes paper, eq. (7).

    >>> gradient_correlation(1, 2)
    [-0.0908047650607551 +/- 2.29e-17]
    """
    return +correlation(d, ball(distance), 1)


@domain(d=DIMENSION)
def density_sensitivity(d: int) -> arb:
    """Norm of the move of m h^d p̂ by one replaced record, at the worst distance.

    D₀ = √(2 (I₀ − min_a ρ₀(a))) < 2√I₀, for the Gaussian kernel

    Parameters
    ----------
    d
        Dimension, from 1 to 64.

    Returns
    -------
    D₀ at the first stationary distance, a ball.

    Raises
    ------
    ValueError
        If the dimension is outside its range.

    Source: ours, in the place of 2√I₀ in the modes paper's Lemma 3.

    >>> density_sensitivity(1)
    [0.668055340713167 +/- 5.88e-16]
    """
    return _sensitivity(d, 0)


@domain(d=DIMENSION)
def gradient_sensitivity(d: int) -> arb:
    """Norm of the move of m h^(d+1) ∇p̂ by one replaced record, at the worst distance.

    D₁ = √(2 (I₁ − min_a ρ₁(a))) < 2√I₁, for the Gaussian kernel

    Parameters
    ----------
    d
        Dimension, from 1 to 64.

    Returns
    -------
    D₁ at the first stationary distance, a ball.

    Raises
    ------
    ValueError
        If the dimension is outside its range.

    Source: ours, in the place of 2√I₁ in the modes paper's Lemma 3.

    >>> gradient_sensitivity(1)
    [0.731457721063011 +/- 1.21e-16]
    """
    return _sensitivity(d, 1)


@domain(order=ORDER, power=integers(0, 1))
def line_norm_squared(order: int, power: int = 0) -> Fraction:
    """Squared norms for the kernel of an order on the line, as multiples of 1/√π.

    √π (2π)^(−1) ∫ t^(2 power) K̂(t)² (1 + t²)/2 dt, K̂(t) = e^(−t²/2) Σ_{s<r} t^(2s)/(2^s s!)

    Parameters
    ----------
    order
        ℓ, as for `kernel_polynomial`.
    power
        0 for the kernel (I₀), 1 for its slope (I₁).

    Returns
    -------
    √π I₀ or √π I₁, exact.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Source: modes paper, eq. (7), for kernels that meet its Assumption 1.

    >>> line_norm_squared(1), line_norm_squared(3, 1)
    (Fraction(3, 8), Fraction(383, 256))
    """
    series = [Fraction(1, 2**s * factorial(s)) for s in range(order // 2 + 1)]
    total = Fraction(0)
    for i, first in enumerate(series):
        for j, second in enumerate(series):
            degree = i + j + power
            total += first * second * (_gaussian_power(degree) + _gaussian_power(degree + 1))
    return total / 4


def _gaussian_power(half: int) -> Fraction:
    """Return ∫ t^(2 half) e^(−t²) dt/√π."""
    return Fraction(factorial(2 * half), 4**half * factorial(half))


def stationary_distance(d: int, power: int) -> arb:
    """Return the first a > 0 at which ρ has a minimum: its slope is below 0 before, above after."""
    low = STEP
    while not correlation_slope(d, arb(low + STEP), power) > 0:
        low += STEP
    left, right = arb(low), arb(low + STEP)
    for _ in range(ctx.prec // 2 + BISECTION_BITS):
        middle = ((left + right) / 2).mid()
        slope = correlation_slope(d, middle, power)
        if slope > 0:
            right = middle
        elif slope < 0:
            left = middle
        else:
            break
    return left.union(right)


def correlation_slope(d: int, distance: arb, power: int) -> arb:
    """Return ρ′(a) = −a/2 Σ_{j≥0} (−a²/4)^j/j! M_{j+1}, M_j the moments in `correlation`."""
    return -distance / 2 * _series(d, distance, lambda j: _moment(d, power, j + 1))


def correlation_slope_of_slope(d: int, distance: arb, power: int) -> arb:
    """Return ρ″(a) = −1/2 Σ_j (−a²/4)^j/j! M_{j+1} + a²/4 Σ_j (−a²/4)^j/j! M_{j+2}."""
    once = _series(d, distance, lambda j: _moment(d, power, j + 1))
    twice = _series(d, distance, lambda j: _moment(d, power, j + 2))
    return -once / 2 + distance * distance / 4 * twice


def _sensitivity(d: int, power: int) -> arb:
    return +_sensitivity_to(ctx.prec + GUARD_BITS, d, power)


@lru_cache(maxsize=256)
def _sensitivity_to(bits: int, d: int, power: int) -> arb:
    """Return √(2 (ρ(0) − ρ(a))) at the stationary a, at a working precision of so many bits."""
    with ctx.workprec(bits):
        distance = stationary_distance(d, power)
        return (2 * (correlation(d, arb(0), power) - _flat(d, distance, power))).sqrt()


def _flat(d: int, distance: arb, power: int) -> arb:
    """Return ρ on an interval: its middle, and the slope's range times the radius."""
    middle = arb(distance.mid())
    return correlation(d, middle, power) + correlation_slope(d, distance, power) * (
        distance - middle
    )


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
