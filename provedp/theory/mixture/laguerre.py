"""Sums over the eigenvalues of the published Wishart noise, for a multiple of the identity.

The eigenvalues of W ~ W_d(I, d + 1) are 2x with x from the Laguerre orthogonal ensemble of weight
e^(−x): their density is ∝ Π_(i<j) |xᵢ − xⱼ| Π e^(−xᵢ). By de Bruijn's formula the expectation of
Π f(xᵢ) is a Pfaffian, and its derivative at f = 1 gives the density of all eigenvalues,

    ρ(x) = e^(−x) Σ_(i,j) x^i (A⁻¹)_(ji) ε_j(x),  A_ij = ∫ x^i e^(−x) ε_j(x) dx,
    ε_j(x) = ∫ sgn(y − x) y^j e^(−y) dy = 2 j! e^(−x) Σ_(k≤j) x^k/k! − j!,

i, j < d; for odd d, one more ε_d = 1 (and no power x^d). So ρ(x) = e^(−x) p(x) + e^(−2x) q(x) with
polynomials p and q of exact rational coefficients.
"""

from functools import lru_cache
from math import factorial

import flint
from flint import acb, arb, ctx, fmpq

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.functions import numeric
from provedp.theory.sharp_floats import sharp_float

__all__ = ["isotropic_log_determinant", "laguerre_coefficients"]

MOST_BITS = 1 << 14
LARGE = 200  # |z| from which the asymptotic series of e^z E_n(z) is good


@domain(dimension=integers(1, 100))
def laguerre_coefficients(dimension: int) -> tuple[tuple[fmpq, ...], tuple[fmpq, ...]]:
    """Coefficients of E ln det(I + W/a) for W/2 from the Laguerre orthogonal ensemble.

    E ln det(I + W/2a) = e^a Σ_j c_j E_j(a) + e^(2a) Σ_j c′_j E_j(2a), j = 1, 2, …, with the
    exponential integrals E_j

    Returns
    -------
    The rational c and c′, without zeros at the end.

    Source: ours; mixture paper, eq. (13), 'can be evaluated numerically'.

    >>> laguerre_coefficients(2)
    ((0, 2), (2,))
    """
    return _coefficients(dimension)


@domain(dimension=integers(1, 100), precision=reals(0, open_low=True))
def isotropic_log_determinant(dimension: int, precision: Number) -> Number:
    """Expected log-determinant of the published covariance noise on a multiple of the identity.

    E ln |I + W/σ²|, W ~ W_d(I/γ, d + 1), as a finite sum of exponential integrals with rational
    coefficients (`laguerre_coefficients` at a = γσ²/2)

    Parameters
    ----------
    precision
        γσ².

    Returns
    -------
    The expectation: a float for floats, a ball for balls and exact numbers.

    Source: ours; eq. (14) of the mixture paper for d = 1.

    >>> round(isotropic_log_determinant(2, 4.0), 12)
    0.967376832249
    """
    given = numeric(precision)
    if isinstance(given, float):
        return sharp_float(lambda: _at_exactly(dimension, arb(given)))
    if not given > 0:
        raise ValueError(f"E ln |I + W/σ²| has no bound on the ball γσ² = {given}.")
    # It falls with γσ², so the ends of a ball enclose it.
    low, high = ball(given).lower(), ball(given).upper()
    return _at_exactly(dimension, low).union(_at_exactly(dimension, high))


def scaled_exponential_integral(order: int, z: acb) -> acb:
    """Return e^z E_n(z) = U(1, 2 − n, z): the latter form where e^z is large."""
    if abs(z) < LARGE:
        return z.exp() * z.expint(acb(order))
    return z.hypgeom_u(acb(1), acb(2 - order))


def _at_exactly(dimension: int, precision: arb) -> arb:
    """Return the expectation at a ball of radius zero, to flint's precision."""
    wanted = bits = ctx.prec
    found = arb(0, 1)
    while found.rel_accuracy_bits() < wanted:
        bits *= 2
        with ctx.workprec(bits):
            found = _sum(dimension, precision / 2)
        if bits > MOST_BITS:
            raise ValueError(f"E ln |I + W/σ²| has no digit at γσ² = {precision}.")
    return +found


def _sum(dimension: int, a: arb) -> arb:
    total = arb(0)
    for coefficients, z in zip(_coefficients(dimension), (acb(a), acb(2 * a)), strict=True):
        for order, coefficient in enumerate(coefficients, start=1):
            if coefficient != 0:
                total += arb(coefficient) * scaled_exponential_integral(order, z).real
    return total


@lru_cache(maxsize=64)
def _coefficients(dimension: int) -> tuple[tuple[fmpq, ...], tuple[fmpq, ...]]:
    """Integrate ln(1 + x/a) against ρ: ∫ ln(1 + x/a) x^j e^(−x) dx = j! e^a Σ_(n≤j+1) E_n(a)."""
    single, double = _density(dimension)
    first = [c * factorial(j) for j, c in enumerate(single)]
    second = [c * fmpq(factorial(j), 2 ** (j + 1)) for j, c in enumerate(double)]
    return _tail_sums(first), _tail_sums(second)


def _density(dimension: int) -> tuple[list[fmpq], list[fmpq]]:
    """Return the polynomials p and q of ρ."""
    inverse = _skew_moments(dimension).inv()
    single = [fmpq(0)] * dimension
    double = [fmpq(0)] * (2 * dimension)
    for i in range(dimension):
        if dimension % 2:
            single[i] += inverse[dimension, i]
        for j in range(dimension):
            weight = inverse[j, i] * factorial(j)
            single[i] -= weight
            for k in range(j + 1):
                double[i + k] += 2 * weight / factorial(k)
    return single, double


def _skew_moments(dimension: int) -> flint.fmpq_mat:
    """Return A, with a border of the moments i! if d is odd."""
    size = dimension + dimension % 2
    table = flint.fmpq_mat(size, size)
    for i in range(dimension):
        for j in range(i):
            terms = [fmpq(factorial(i + k), factorial(k) * 2 ** (i + k)) for k in range(j + 1)]
            value = factorial(j) * (sum(terms, start=fmpq(0)) - factorial(i))
            table[i, j], table[j, i] = value, -value
        if dimension % 2:
            table[i, dimension], table[dimension, i] = fmpq(factorial(i)), fmpq(-factorial(i))
    return table


def _tail_sums(values: list[fmpq]) -> tuple[fmpq, ...]:
    sums: list[fmpq] = []
    for value in reversed(values):
        sums.append(value + (sums[-1] if sums else 0))
    while sums and sums[0] == 0:
        sums.pop(0)
    return tuple(reversed(sums))
