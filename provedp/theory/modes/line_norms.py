"""Norms of the kernels of higher order on a line, in the space of the exponential kernel."""

from fractions import Fraction
from math import factorial

from provedp.theory.domain import domain, integers
from provedp.theory.modes.kernels import ORDER

__all__ = ["line_norm_squared"]


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
