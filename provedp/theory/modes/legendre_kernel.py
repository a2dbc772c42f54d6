"""The kernel of a given order on [−1, 1] from the Legendre polynomials."""

from fractions import Fraction
from math import comb

from provedp.theory.domain import domain, integers

__all__ = ["legendre_kernel_polynomial"]


@domain(order=integers(1, 15))
def legendre_kernel_polynomial(order: int) -> tuple[Fraction, ...]:
    """Coefficients of 1, u, u², … of the Legendre kernel of an order on [−1, 1].

    K(u) = Σ_{j≤ℓ} (j + 1/2) P_j(0) P_j(u) for |u| ≤ 1, else 0

    Parameters
    ----------
    order
        ℓ.

    Returns
    -------
    The ℓ + 1 coefficients, exact.

    Source: Tsybakov, Introduction to Nonparametric Estimation, Proposition 1.3; modes paper,
    Section 5.2.

    >>> legendre_kernel_polynomial(2)
    (Fraction(9, 8), Fraction(0, 1), Fraction(-15, 8))
    """
    found = [Fraction(0)] * (order + 1)
    for degree in range(order + 1):
        entries = _legendre(degree)
        for power, entry in enumerate(entries):
            found[power] += (degree + Fraction(1, 2)) * entries[0] * entry
    return tuple(found)


def _legendre(degree: int) -> list[Fraction]:
    """Return the coefficients of 1, u, …, u^degree in P_degree."""
    found = [Fraction(0)] * (degree + 1)
    for j in range(degree // 2 + 1):
        top = (-1) ** j * comb(degree, j) * comb(2 * degree - 2 * j, degree)
        found[degree - 2 * j] = Fraction(top, 2**degree)
    return found
