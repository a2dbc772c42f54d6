"""The spectrum of the cyclic kernel [q^d(i, j)], of which the canonical release is made."""

import math
from collections.abc import Callable
from fractions import Fraction

import sympy
from flint import arb

from provedp.theory.counting.release import COUNTS
from provedp.theory.domain import domain, reals
from provedp.theory.numbers import Field, Number, ball, field_of, symbol

__all__ = [
    "eigenvalues",
    "eigenvalues_as_printed",
    "even_eigenvalue",
    "even_eigenvalue_as_printed",
    "odd_eigenvalue",
]

UNIT = reals(0, 1, open_low=True, open_high=True)


@domain(q=reals(), power=reals(), cosine_half=reals(), cosine_one=reals())
def odd_eigenvalue(q: Number, power: Number, cosine_half: Number, cosine_one: Number) -> Number:
    """Eigenvalue of the cyclic kernel [q^d(i, j)] for m = 2h + 1 (λ_j).

    λ = (1 − q)(1 + q − 2 q^(h+1) cos(hθ)) / (1 − 2q cos θ + q²), with θ = 2πj/m

    Parameters
    ----------
    q
        Base in (0, 1); e^(−ε) in the release.
    power
        q^h.
    cosine_half, cosine_one
        cos(hθ) and cos θ.

    Returns
    -------
    A positive number.

    Source: counting paper, Appendix A, case M = 2m + 1.

    >>> odd_eigenvalue(Fraction(1, 2), Fraction(1, 2), 1, 1)
    Fraction(2, 1)
    """
    return (1 - q) * (1 + q - 2 * q * power * cosine_half) / (1 - 2 * q * cosine_one + q**2)


@domain(q=reals(), power=reals(), sign=reals(), cosine_one=reals())
def even_eigenvalue(q: Number, power: Number, sign: Number, cosine_one: Number) -> Number:
    """Eigenvalue of the cyclic kernel [q^d(i, j)] for m = 2h (λ_j), corrected.

    λ = (1 − q²)(1 − (−1)^j q^h) / (1 − 2q cos θ + q²), with θ = 2πj/m

    Parameters
    ----------
    q
        Base in (0, 1); e^(−ε) in the release.
    power
        q^h.
    sign
        (−1)^j.
    cosine_one
        cos θ.

    Returns
    -------
    A positive number.

    Source: counting paper, Appendix A, case M = 2m, corrected.

    >>> even_eigenvalue(Fraction(1, 2), Fraction(1, 2), 1, 1)
    Fraction(3, 2)
    """
    return (1 - q**2) * (1 - sign * power) / (1 - 2 * q * cosine_one + q**2)


@domain(q=reals(), power=reals(), sign=reals(), cosine_one=reals())
def even_eigenvalue_as_printed(
    q: Number, power: Number, sign: Number, cosine_one: Number
) -> Number:
    """Eigenvalue of [q^d(i, j)] for m = 2h as the paper prints it; wrong.

    λ = (1 − q² − (1 − q)² q^h (−1)^j) / (1 − 2q cos θ + q²), with θ = 2πj/m

    Parameters
    ----------
    q
        Base in (0, 1).
    power
        q^h.
    sign
        (−1)^j.
    cosine_one
        cos θ.

    Returns
    -------
    The printed value.

    Source: counting paper, Appendix A, case M = 2m.

    >>> even_eigenvalue_as_printed(Fraction(1, 2), Fraction(1, 2), 1, 1)
    Fraction(5, 2)
    """
    return (1 - q**2 - (1 - q) ** 2 * power * sign) / (1 - 2 * q * cosine_one + q**2)


@domain(m=COUNTS, q=UNIT)
def eigenvalues(m: int, q: Number) -> list[Number]:
    """Eigenvalues of the cyclic kernel [q^d(i, j)], as printed for odd m, corrected for even m.

    λ_j = (1 − q)(1 + q − 2 q^(h+1) cos(hθ)) / (1 − 2q cos θ + q²) for m = 2h + 1,
    λ_j = (1 − q²)(1 − (−1)^j q^h) / (1 − 2q cos θ + q²) for m = 2h, with θ = 2πj/m

    Parameters
    ----------
    q
        Base; e^(−ε) in the release.

    Returns
    -------
    The m eigenvalues λ_0, …, λ_(m−1); exact algebraic numbers (sympy) for rational q.

    Source: counting paper, Appendix A (case M = 2m corrected).

    >>> eigenvalues(2, sympy.Rational(1, 2))
    [3/2, 1/2]
    """
    return [_eigenvalue(m, q, index, even_eigenvalue) for index in range(m)]


@domain(m=COUNTS, q=UNIT)
def eigenvalues_as_printed(m: int, q: Number) -> list[Number]:
    """Eigenvalues of [q^d(i, j)] as the paper prints them; wrong for even m.

    λ_j = (1 − q² − (1 − q)² q^h (−1)^j) / (1 − 2q cos θ + q²) for m = 2h

    Parameters
    ----------
    q
        Base.

    Returns
    -------
    The m printed values.

    Source: counting paper, Appendix A.

    >>> eigenvalues_as_printed(2, sympy.Rational(1, 2))
    [5/2, 7/18]
    """
    return [_eigenvalue(m, q, index, even_eigenvalue_as_printed) for index in range(m)]


def _eigenvalue(m: int, q: Number, index: int, even: Callable[..., Number]) -> Number:
    """Return λ_index over the field of q; rationals become sympy numbers."""
    base = symbol(q) if field_of(q) <= Field.FLINT else q
    half = m // 2
    power = base**half
    cosine_one = _cosine(Fraction(2 * index, m), base)
    if m % 2 == 0:
        return even(base, power, (-1) ** index, cosine_one)
    return odd_eigenvalue(base, power, _cosine(Fraction(2 * index * half, m), base), cosine_one)


def _cosine(turns: Fraction, like: Number) -> Number:
    """Return cos(π · turns) over the field of `like`."""
    if isinstance(like, arb):
        return ball(turns).cos_pi()
    if isinstance(like, sympy.Expr):
        return sympy.cos(sympy.pi * symbol(turns))
    return math.cos(math.pi * turns)
