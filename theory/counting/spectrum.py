"""The spectrum of the cyclic kernel [q^d(i, j)], of which the canonical release is made."""

import math
from fractions import Fraction
from typing import Any

import sympy
from flint import arb

from provedp.theory.counting.release import COUNTS
from provedp.theory.domain import domain, reals
from provedp.theory.numbers import Field, Number, ball, field_of, symbol

__all__ = ["eigenvalues", "eigenvalues_as_printed"]

UNIT = reals(0, 1, open_low=True, open_high=True)


@domain(m=COUNTS, q=UNIT)
def eigenvalues(m: int, q: Number) -> list[Number]:
    """Eigenvalues of the cyclic kernel [q^d(i, j)], as printed for odd m, corrected for even m.

    λ_j = (1 − q)(1 + q − 2 q^(h+1) cos(hθ)) / (1 − 2q cos θ + q²) for m = 2h + 1,
    λ_j = (1 − q²)(1 − (−1)^j q^h) / (1 − 2q cos θ + q²) for m = 2h, with θ = 2πj/m

    Parameters
    ----------
    m
        Number of counts, at least 2.
    q
        Base in (0, 1); e^(−ε) in the release.

    Returns
    -------
    The m eigenvalues λ_0, …, λ_(m−1); exact algebraic numbers (sympy) for rational q.

    Raises
    ------
    ValueError
        If m < 2 or q is not in (0, 1).

    Source: counting paper, Appendix A (case M = 2m corrected).

    >>> eigenvalues(2, sympy.Rational(1, 2))
    [3/2, 1/2]
    """
    return [_eigenvalue(m, q, index, _even_numerator) for index in range(m)]


@domain(m=COUNTS, q=UNIT)
def eigenvalues_as_printed(m: int, q: Number) -> list[Number]:
    """Eigenvalues of [q^d(i, j)] as the paper prints them; wrong for even m.

    λ_j = (1 − q² − (1 − q)² q^h (−1)^j) / (1 − 2q cos θ + q²) for m = 2h

    Parameters
    ----------
    m
        Number of counts, at least 2.
    q
        Base in (0, 1).

    Returns
    -------
    The m printed values.

    Raises
    ------
    ValueError
        If m < 2 or q is not in (0, 1).

    Source: counting paper, Appendix A.

    >>> eigenvalues_as_printed(2, sympy.Rational(1, 2))
    [5/2, 7/18]
    """
    return [_eigenvalue(m, q, index, _even_numerator_as_printed) for index in range(m)]


def _eigenvalue(m: int, q: Number, index: int, even_numerator: Any) -> Number:
    """Return λ_index over the field of q; rationals become sympy numbers."""
    base = symbol(q) if field_of(q) <= Field.FLINT else q
    half = m // 2
    denominator = 1 - 2 * base * _cosine(Fraction(2 * index, m), base) + base**2
    if m % 2 == 0:
        return even_numerator(base, half, (-1) ** index) / denominator
    tail = 2 * base ** (half + 1) * _cosine(Fraction(2 * index * half, m), base)
    return (1 - base) * (1 + base - tail) / denominator


def _cosine(turns: Fraction, like: Number) -> Number:
    """Return cos(π · turns) over the field of `like`."""
    if isinstance(like, arb):
        return ball(turns).cos_pi()
    if isinstance(like, sympy.Expr):
        return sympy.cos(sympy.pi * symbol(turns))
    return math.cos(math.pi * turns)


def _even_numerator(q: Number, half: int, sign: int) -> Number:
    return (1 - q**2) * (1 - sign * q**half)


def _even_numerator_as_printed(q: Number, half: int, sign: int) -> Number:
    return 1 - q**2 - (1 - q) ** 2 * q**half * sign
