"""The number fields that a formula may be evaluated over, and the way from one to another.

A formula is written once and called with rationals (`fractions.Fraction`, flint `fmpq`: exact),
balls (flint `arb`: certified), floats (fast) or sympy expressions (proofs).
"""

import operator
from collections.abc import Callable, Iterable
from enum import IntEnum
from fractions import Fraction
from typing import Any, Protocol, TypeVar

import numpy as np
import sympy
from flint import arb, fmpq, fmpz


class Truth(Protocol):
    """What a comparison gives: a truth value, or a relation of symbols."""

    def __bool__(self) -> bool:
        """Return whether it holds; a relation that is not decided raises `TypeError`."""
        ...


class Number(Protocol):
    """A number of any field: what `int`, `Fraction`, `float`, `fmpq`, `arb` and `Expr` share.

    The operations take numbers of the same field, and integers.
    """

    def __add__(self, other: Any, /) -> "Number": ...
    def __radd__(self, other: Any, /) -> "Number": ...
    def __sub__(self, other: Any, /) -> "Number": ...
    def __rsub__(self, other: Any, /) -> "Number": ...
    def __mul__(self, other: Any, /) -> "Number": ...
    def __rmul__(self, other: Any, /) -> "Number": ...
    def __truediv__(self, other: Any, /) -> "Number": ...
    def __rtruediv__(self, other: Any, /) -> "Number": ...
    def __pow__(self, other: Any, /) -> "Number": ...
    def __neg__(self) -> "Number": ...
    def __pos__(self) -> "Number": ...
    def __abs__(self) -> "Number": ...
    def __lt__(self, other: Any, /) -> Truth: ...
    def __le__(self, other: Any, /) -> Truth: ...
    def __gt__(self, other: Any, /) -> Truth: ...
    def __ge__(self, other: Any, /) -> Truth: ...
    def __float__(self) -> float: ...


Count = int | sympy.Expr  # an integer, or a symbol for one
SameField = TypeVar("SameField", arb, Fraction, float, sympy.Expr, Number)


class Field(IntEnum):
    """Number fields in the order in which mixed arguments are lifted."""

    RATIONAL = 0
    FLINT = 1
    FLOAT = 2
    BALL = 3
    SYMBOL = 4


_FIELDS: dict[type, Field] = {
    int: Field.RATIONAL,
    Fraction: Field.RATIONAL,
    fmpq: Field.FLINT,
    float: Field.FLOAT,
    arb: Field.BALL,
}  # the usual types; `field_of` looks here first


def field_of(value: object) -> Field:
    """Return the field of `value`; integers count as rationals.

    Raises
    ------
    TypeError
        If `value` is no number of a known field (booleans and complex numbers are not).
    """
    if type(value) in _FIELDS:
        return _FIELDS[type(value)]
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{value!r} is not a number")
    if isinstance(value, (int, np.integer, Fraction)):
        return Field.RATIONAL
    if isinstance(value, (fmpq, fmpz)):
        return Field.FLINT
    if isinstance(value, (float, np.floating)):
        return Field.FLOAT
    if isinstance(value, arb):
        return Field.BALL
    if isinstance(value, sympy.Expr):
        return Field.SYMBOL
    raise TypeError(f"{value!r} is not a number")


def rational(value: Number | fmpz) -> Fraction:
    """Return an exact number or a float as the `Fraction` it is.

    Raises
    ------
    TypeError
        If `value` is a ball or a symbol.
    """
    if type(value) is Fraction:
        return value
    if isinstance(value, (fmpq, fmpz)):
        exact = fmpq(value)
        return Fraction(int(exact.p), int(exact.q))
    if isinstance(value, (int, np.integer)):
        return Fraction(operator.index(value))
    if isinstance(value, (float, np.floating)):
        return Fraction(float(value))
    if isinstance(value, sympy.Rational):
        return Fraction(int(value.p), int(value.q))
    raise TypeError(f"{value} is not an exact number")


def flint_rational(value: Number | fmpz) -> fmpq:
    """Return an exact number or a float as the flint `fmpq` it is."""
    if isinstance(value, fmpq):
        return value
    exact = rational(value)
    return fmpq(exact.numerator, exact.denominator)


def ball(value: Number | fmpz) -> arb:
    """Return `value` as a ball that contains it (floats are exact dyadic numbers)."""
    if isinstance(value, arb):
        return value
    if isinstance(value, (float, np.floating)):
        return arb(float(value))
    if isinstance(value, sympy.Expr):
        value = sympy.Rational(value)
    return arb(flint_rational(value))


def symbol(value: Number) -> sympy.Expr:
    """Return `value` as a sympy expression; rationals stay exact."""
    if isinstance(value, sympy.Expr):
        return value
    exact = rational(value)
    return sympy.Rational(exact.numerator, exact.denominator)


_LIFTS: dict[Field, Callable[[Number], Number]] = {
    Field.RATIONAL: rational,
    Field.FLINT: flint_rational,
    Field.FLOAT: float,
    Field.BALL: ball,
    Field.SYMBOL: symbol,
}


def lift(value: Number, field: Field) -> Number:
    """Return `value` as a number of `field`."""
    return _LIFTS[field](value)


def common_field(values: Iterable[Number]) -> Field:
    """Return the least field that holds all `values` (rational when there are none)."""
    backwards = list(values)[::-1]
    first_of_type = dict(zip(map(type, backwards), backwards, strict=True))
    return max(map(field_of, first_of_type.values()), default=Field.RATIONAL)


def in_one_field(*values: Number) -> tuple[Number, ...]:
    """Return `values` lifted to their common field."""
    field = common_field(values)
    return tuple(lift(value, field) for value in values)


def certainly(condition: object) -> bool:
    """Return whether `condition` is decided and true; an undecided symbolic relation is not."""
    if isinstance(condition, sympy.Basic):
        return bool(condition == sympy.true)
    return bool(condition)


def is_finite(value: Number) -> bool:
    """Return whether `value` is a finite number (a ball must have a finite radius)."""
    if isinstance(value, arb):
        return bool(value.is_finite())
    if isinstance(value, (float, np.floating)):
        return bool(np.isfinite(value))
    if isinstance(value, sympy.Expr):
        return value.is_finite is not False and value is not sympy.nan
    return True


def dyadic(exact: arb) -> Fraction:
    """Return a ball of radius zero as the fraction it is."""
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def ball_contains(value: arb, exact: Number) -> bool:
    """Return whether a finite ball contains a rational; `arb.contains` would round it first.

    >>> ball_contains(1 - ball(Fraction(11, 20)), Fraction(9, 20))
    True
    """
    return abs(dyadic(value.mid()) - rational(exact)) <= dyadic(value.rad())


def maximum(left: SameField, right: SameField) -> SameField:
    """Return the larger of two numbers of one field; for balls, a ball that contains it."""
    if isinstance(left, arb):
        return left.max(ball(right))
    if isinstance(left, sympy.Expr):
        return sympy.Max(left, symbol(right))
    return left if left >= right else right


def minimum(left: SameField, right: SameField) -> SameField:
    """Return the smaller of two numbers of one field; for balls, a ball that contains it."""
    return -maximum(-left, -right)
