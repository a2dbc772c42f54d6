"""Expressions of sympy as terms of Coq: sums, products, powers, maxima, rationals, symbols.

Sums and products are printed in an order of our own, so that the text does not follow sympy's.
"""

from fractions import Fraction
from typing import Any

import sympy


def field_term(expression: Any) -> str:
    """Return an expression as a term of a field.

    Raises
    ------
    ValueError
        For anything but sums, products, integer powers, maxima of two, rationals and symbols.

    >>> k = sympy.Symbol("k")
    >>> field_term((k - 1) / k**2)
    '(((- 1%:R) + k) * (k ^- 2))'
    """
    one = sympy.sympify(expression)
    if one.is_Integer:
        return f"(- {-int(one)}%:R)" if one < 0 else f"{one}%:R"
    if one.is_Rational:
        return f"({field_term(sympy.Integer(one.p))} / {field_term(sympy.Integer(one.q))})"
    if one.is_Symbol:
        return str(one)
    if one.is_Add or one.is_Mul:
        sign = " + " if one.is_Add else " * "
        return f"({sign.join(sorted(map(field_term, one.args)))})"
    if one.is_Pow:
        return _power(*one.args)
    if isinstance(one, sympy.Max) and len(one.args) == 2:
        return f"(Num.max {' '.join(sorted(map(field_term, one.args)))})"
    raise ValueError(f"{expression!r} is no sum, product, power or maximum: it has no term.")


def quotient_term(expression: Any) -> str:
    """Return an expression as numerator over denominator, each a term of a field."""
    above, below = sympy.fraction(expression)
    return f"{field_term(above)} / {field_term(below)}"


def rational_term(value: Fraction) -> str:
    """Return a rational number as a term of the rationals.

    >>> rational_term(Fraction(3, 2))
    '3%:Q / 2%:Q'
    """
    return f"{value.numerator}%:Q / {value.denominator}%:Q"


def matrix_term(rows: Any) -> str:
    """Return a matrix of rationals as a list of lists."""
    lines = ("; ".join(rational_term(Fraction(entry)) for entry in row) for row in rows)
    return "[:: " + ";\n      ".join(f"[:: {line}]" for line in lines) + "]"


def _power(base: Any, exponent: Any) -> str:
    if exponent == -1:
        return f"({field_term(base)}^-1)"
    if exponent.could_extract_minus_sign():
        return f"({field_term(base)} ^- {_natural(-exponent)})"
    return f"({field_term(base)} ^+ {_natural(exponent)})"


def _natural(exponent: Any) -> str:
    if exponent.is_Symbol or (exponent.is_Integer and exponent >= 0):
        return str(exponent)
    if exponent.is_Add or exponent.is_Mul:
        sign = " + " if exponent.is_Add else " * "
        return f"({sign.join(sorted(map(_natural, exponent.args)))})%N"
    raise ValueError(f"{exponent!r} is no natural number: a power with it has no term.")
