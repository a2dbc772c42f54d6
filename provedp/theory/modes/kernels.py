"""Smoothing kernels: the Gaussian one, and those of higher order made from it.

A kernel of order ℓ (the modes paper's Definition 3) has integral 1 and no moment of degree 1 to ℓ.
The Gaussian density φ has order 1 in this sense, every non-negative kernel has. Times a polynomial,

    K(u) = φ(u) Σ_{s<r} (−1)^s He_{2s}(u)/(2^s s!),

it has order 2r − 1. In d dimensions K(u) = K(u₁) ⋯ K(u_d).
"""

from fractions import Fraction
from math import factorial
from typing import Any

from provedp.theory.domain import RealVector, domain, integers
from provedp.theory.matrices import Matrix
from provedp.theory.modes.points import analytic, exp_of, pi_of
from provedp.theory.numbers import Field, Number, common_field
from provedp.theory.privacy.functions import exp, sqrt

__all__ = [
    "kernel",
    "kernel_bound",
    "kernel_gradient",
    "kernel_gradient_bound",
    "kernel_moment",
    "kernel_polynomial",
]

ORDER = integers(1, 15)


@domain(order=ORDER)
def kernel_polynomial(order: int = 1) -> tuple[Fraction, ...]:
    """Coefficients of 1, u², u⁴, … of the kernel of an order, next to the Gaussian density.

    Σ_{s<r} (−1)^s He_{2s}(u)/(2^s s!), r = ⌊ℓ/2⌋ + 1

    Parameters
    ----------
    order
        ℓ, from 1 (the Gaussian kernel) to 15; even ones get the next odd one for nothing.

    Returns
    -------
    The r coefficients, exact.

    Source: the expansion of a point mass in Hermite polynomials; modes paper, Definition 3.

    >>> kernel_polynomial(3)
    (Fraction(3, 2), Fraction(-1, 2))
    """
    terms = order // 2 + 1
    found = [Fraction(0)] * terms
    for s in range(terms):
        weight = Fraction((-1) ** s, 2**s * factorial(s))
        for power, entry in enumerate(_hermite_even(s)):
            found[power] += weight * entry
    return tuple(found)


@domain(order=ORDER, power=integers(0))
def kernel_moment(power: int, order: int = 1) -> Fraction:
    """Moment of the kernel on the line.

    ∫ u^power K(u) du, from the moments (2j − 1)!! of the Gaussian density

    Parameters
    ----------
    power
        The degree.
    order
        ℓ, as for `kernel_polynomial`.

    Returns
    -------
    The moment, exact.

    Source: modes paper, Definition 3.

    >>> [int(kernel_moment(j, 3)) for j in range(5)]
    [1, 0, 0, 0, -3]
    """
    if power % 2:
        return Fraction(0)
    moments = (
        entry * _double_factorial(power + 2 * s) for s, entry in enumerate(kernel_polynomial(order))
    )
    return sum(moments, start=Fraction(0))


@domain(u=RealVector(), order=ORDER)
def kernel(u: Any, order: int = 1) -> Number:
    """Value of the kernel.

    K(u) = Π_j q(u_j) φ(u_j), q of `kernel_polynomial`

    Parameters
    ----------
    u
        A point, d finite numbers.
    order
        ℓ, as for `kernel_polynomial`.

    Returns
    -------
    K(u): a float for floats, an expression for symbols, a ball for balls and exact numbers.

    Source: modes paper, Section 2.2 and Assumption 1.

    >>> round(float(kernel([0.0, 0.0])), 9)
    0.159154943
    """
    value: Number = line_kernel(analytic(u), order).prod()
    return value


@domain(u=RealVector(), order=ORDER)
def kernel_gradient(u: Any, order: int = 1) -> Matrix:
    """Gradient of the kernel.

    ∂_j K(u) = K′(u_j) Π_{i≠j} K(u_i), K′(u) = (q′(u) − u q(u)) φ(u)

    Parameters
    ----------
    u
        A point, d finite numbers.
    order
        ℓ, as for `kernel_polynomial`.

    Returns
    -------
    A vector of length d, fields as for `kernel`.

    Source: modes paper, Section 2.3.

    >>> kernel_gradient([1.0, 2.0]).round(6).tolist()
    [-0.013064, -0.026128]
    """
    point = analytic(u)
    return gradient_of_products(line_kernel(point, order), line_slope(point, order))


@domain(d=integers(1))
def kernel_bound(d: int) -> Number:
    """Largest value of the Gaussian kernel.

    K_∞ = K(0) = (2π)^(−d/2)

    Returns
    -------
    K_∞, a ball.

    Source: modes paper, Assumption 1.

    >>> kernel_bound(2)
    [0.159154943091895 +/- 4.92e-16]
    """
    return 1 / sqrt(2 * pi_of(Field.BALL)) ** d


@domain(d=integers(1))
def kernel_gradient_bound(d: int) -> Number:
    """Largest norm of the gradient of the Gaussian kernel.

    G_K = sup ‖u‖ K(u) = (2π)^(−d/2) e^(−1/2), at ‖u‖ = 1

    Returns
    -------
    G_K, a ball.

    Source: modes paper, Assumption 1.

    >>> kernel_gradient_bound(1)
    [0.241970724519143 +/- 4.68e-16]
    """
    return kernel_bound(d) * exp(-Fraction(1, 2))


def line_kernel(u: Matrix, order: int) -> Matrix:
    """Return q(u) φ(u) of every entry."""
    return _polynomial(u * u, kernel_polynomial(order)) * _normal_density(u)


def line_slope(u: Matrix, order: int) -> Matrix:
    """Return (q′(u) − u q(u)) φ(u) of every entry."""
    even = kernel_polynomial(order)
    slope = [2 * s * entry for s, entry in enumerate(even)][1:]
    inner = _polynomial(u * u, even)
    if slope:
        inner = inner - _polynomial(u * u, tuple(slope))
    found: Matrix = -u * inner * _normal_density(u)
    return found


def gradient_of_products(values: Matrix, slopes: Matrix) -> Matrix:
    """Return slope_j Π_{i≠j} value_i along the last axis."""
    parts = values.shape[-1]
    found = slopes.copy()
    for j in range(parts):
        for i in range(parts):
            if i != j:
                found[..., j] = found[..., j] * values[..., i]
    return found


def _normal_density(u: Matrix) -> Matrix:
    root = sqrt(2 * pi_of(common_field(u.ravel()[:1])))
    density: Matrix = exp_of(-u * u / 2) / root
    return density


def _polynomial(x: Matrix, coefficients: tuple[Fraction, ...]) -> Matrix:
    value = 0 * x
    for entry in reversed(coefficients):
        value = value * x + (0 * x + entry.numerator) / entry.denominator
    return value


def _double_factorial(power: int) -> int:
    """Return (power − 1)!! for an even power: E X^power."""
    half = power // 2
    return factorial(power) // (factorial(half) << half)


def _hermite_even(s: int) -> list[Fraction]:
    """Return the coefficients of 1, u², …, u^(2s) in He_{2s}."""
    return [
        Fraction(
            (-1) ** (s - j) * factorial(2 * s), 2 ** (s - j) * factorial(s - j) * factorial(2 * j)
        )
        for j in range(s + 1)
    ]
