"""Exponential, normal and gamma functions over floats, balls and symbols.

A float gives a float, a symbol an expression; exact numbers and balls give a ball that contains the
value, at flint's current precision.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Protocol, cast, overload

import numpy as np
import sympy
from flint import arb, ctx, fmpq
from scipy import special

from provedp.theory.numbers import Number, SameField, ball, symbol

LARGEST_EXPONENT = 709.78  # e^x overflows a float just above


class Analytic(Protocol):
    """A function that takes floats to floats, and balls and exact numbers to balls."""

    @overload
    def __call__(self, x: int | Fraction | fmpq | arb, /) -> arb: ...
    @overload
    def __call__(self, x: float, /) -> float: ...
    @overload
    def __call__(self, x: Number, /) -> Number: ...


def _analytic(function: Callable[[Number], Number]) -> Analytic:
    """Return a function on all fields, known to stay in the field of its argument."""
    return cast(Analytic, function)


@_analytic
def transcendental(value: Number) -> Number:
    """Return floats, balls and symbols as they are, and exact numbers as balls."""
    if isinstance(value, (float, np.floating)):
        return float(value)
    return value if isinstance(value, sympy.Expr) else ball(value)


@_analytic
def numeric(value: Number) -> Number:
    """Return floats and balls as they are, exact numbers as balls; refuse symbols.

    Raises
    ------
    ValueError
        If `value` is a symbolic expression.
    """
    if isinstance(value, sympy.Expr):
        raise ValueError(f"This has a value for numbers only, not for symbols. Got {value}.")
    return transcendental(value)


@_analytic
def exp(x: Number) -> Number:
    """Return e^x; a float that is too large gives infinity."""
    return _apply(x, _float_exp, arb.exp, sympy.exp)


@_analytic
def exp_minus_one(x: Number) -> Number:
    """Return e^x − 1, with a small relative error for small x."""
    return _apply(x, math.expm1, arb.expm1, lambda t: sympy.exp(t) - 1)


@_analytic
def log(x: Number) -> Number:
    """Return ln x for x > 0."""
    return _apply(x, math.log, arb.log, sympy.log)


@_analytic
def sqrt(x: Number) -> Number:
    """Return √x for x ≥ 0; a ball that straddles 0 counts as its non-negative part."""
    return _apply(x, math.sqrt, _ball_sqrt, sympy.sqrt)


@_analytic
def normal_cdf(x: Number) -> Number:
    """Return Φ(x), with a small relative error in the lower tail."""
    return _apply(
        x,
        lambda t: float(special.ndtr(t)),
        lambda t: (-t / arb(2).sqrt()).erfc() / 2,
        lambda t: sympy.erfc(-t / sympy.sqrt(2)) / 2,
    )


@_analytic
def normal_quantile(p: Number) -> Number:
    """Return Φ⁻¹(p) for 0 < p < 1."""
    return _apply(
        p,
        lambda t: float(special.ndtri(t)),
        lambda t: -(2 * t).erfcinv() * arb(2).sqrt(),
        lambda t: -sympy.sqrt(2) * sympy.erfcinv(2 * t),
    )


def gamma_lower(shape: Number, x: Number) -> Number:
    """Return P(shape, x), the regularised lower incomplete gamma function, for x ≥ 0."""
    if isinstance(x, float):
        return float(special.gammainc(float(shape), x))
    return _ball_gamma_lower(ball(shape), ball(x))


def gamma_upper(shape: Number, x: Number) -> Number:
    """Return Q(shape, x) = 1 − P(shape, x) for x ≥ 0."""
    if isinstance(x, float):
        return float(special.gammaincc(float(shape), x))
    return ball(x).gamma_upper(ball(shape), regularized=1)


def positive_part(x: SameField) -> SameField:
    """Return x⁺; a ball that straddles 0 gives one that contains the positive part."""
    if isinstance(x, arb):
        return x.max(arb(0))
    return sympy.Max(x, 0) if isinstance(x, sympy.Expr) else max(x, 0 * x)


def _float_exp(x: float) -> float:
    return math.exp(x) if x < LARGEST_EXPONENT else math.inf


def _ball_sqrt(x: arb) -> arb:
    return x.sqrt() if x > 0 else x.nonnegative_part().sqrt()


def _ball_gamma_lower(shape: arb, x: arb) -> arb:
    """Return P(s, x): below the mean by its series of positive terms, else as 1 − Q(s, x).

    P(s, x) = x^s e^(−x)/Γ(s + 1) Σ_n x^n/((s + 1) ⋯ (s + n)); the terms fall at least as fast as a
    geometric series, which bounds what is left out. (flint's own P loses all digits here.)
    """
    if not 0 < x < shape:
        return 1 - x.gamma_upper(shape, regularized=1)
    term = total = arb(1)
    count = 1
    while term > arb(2) ** -ctx.prec:
        term *= x / (shape + count)
        total += term
        count += 1
    rate = x / (shape + count)
    rest = arb(0).union((term * rate / (1 - rate)).upper())
    return (total + rest) * (shape * x.log() - x - (shape + 1).lgamma()).exp()


def _apply(
    x: Number,
    of_float: Callable[[float], float],
    of_ball: Callable[[arb], arb],
    of_symbol: Callable[[sympy.Expr], sympy.Expr],
) -> Number:
    value = transcendental(x)
    if isinstance(value, float):
        return of_float(value)
    return of_ball(value) if isinstance(value, arb) else of_symbol(symbol(value))
