"""Sympy relations and rational expressions as z3 expressions."""

from functools import reduce
from typing import Any

import sympy
import z3

from provedp.verify.ledger.journal import refused

# Assumptions of sympy that z3's variables do not carry: a counterexample might not meet them.
UNTOLD = ("even", "odd", "prime", "composite", "irrational")


def translate(expression: Any) -> Any:
    """Return a sympy relation, Boolean or rational expression as a z3 expression.

    Raises
    ------
    TypeError
        If it holds anything but rational functions, |·|, max and min.
    """
    if isinstance(expression, sympy.logic.boolalg.BooleanAtom):
        return z3.BoolVal(bool(expression))
    if not isinstance(expression, sympy.Basic):
        kind = type(expression).__name__
        raise refused(TypeError(f"No translation for {expression!r} ({kind}): give a relation."))
    if isinstance(expression, sympy.Rational):
        return (
            z3.RealVal(f"{expression.p}/{expression.q}")
            if expression.q != 1
            else z3.IntVal(int(expression))
        )
    if isinstance(expression, sympy.Symbol):
        return variable(expression)
    if isinstance(expression, sympy.Pow):
        return _power(expression)
    rule = _RULES.get(type(expression))
    if rule is None:
        kind = type(expression).__name__
        raise refused(TypeError(f"No translation for {expression} ({kind})."))
    return rule(*(translate(part) for part in expression.args))


def variable(symbol: sympy.Symbol) -> Any:
    """Return the z3 variable of a symbol, over the integers or the reals.

    Raises
    ------
    TypeError
        If it is not declared real, or more is assumed of it than its sign.
    """
    if not symbol.is_real:
        raise refused(TypeError(f"{symbol} is not declared real: z3 would take it for a real."))
    for name in UNTOLD:
        if symbol.assumptions0.get(name):
            raise refused(TypeError(f"{symbol} is declared {name}, which z3 is not told."))
    return z3.Int(symbol.name) if symbol.is_integer else z3.Real(symbol.name)


def _power(expression: sympy.Pow) -> Any:
    base, exponent = expression.args
    if not isinstance(exponent, sympy.Integer):
        raise refused(
            TypeError(f"No translation for {expression}: the exponent is not a fixed integer.")
        )
    factor = translate(base)
    product = reduce(lambda a, b: a * b, [factor] * abs(int(exponent)))
    return product if exponent > 0 else z3.RealVal(1) / product


def _least(*parts: Any) -> Any:
    return reduce(lambda a, b: z3.If(a <= b, a, b), parts)


def _greatest(*parts: Any) -> Any:
    return reduce(lambda a, b: z3.If(a >= b, a, b), parts)


_RULES = {
    sympy.Add: lambda *parts: reduce(lambda a, b: a + b, parts),
    sympy.Mul: lambda *parts: reduce(lambda a, b: a * b, parts),
    sympy.Abs: lambda part: z3.If(part >= 0, part, -part),
    sympy.Min: _least,
    sympy.Max: _greatest,
    sympy.And: z3.And,
    sympy.Or: z3.Or,
    sympy.Not: z3.Not,
    sympy.Implies: z3.Implies,
    sympy.StrictLessThan: lambda a, b: a < b,
    sympy.LessThan: lambda a, b: a <= b,
    sympy.StrictGreaterThan: lambda a, b: a > b,
    sympy.GreaterThan: lambda a, b: a >= b,
    sympy.Equality: lambda a, b: a == b,
    sympy.Unequality: lambda a, b: a != b,
}


def signs(*expressions: sympy.Basic) -> list[Any]:
    """Return the signs that sympy assumes of the symbols: relations that follow are gone by now."""
    symbols = {symbol for expression in expressions for symbol in expression.free_symbols}
    assumed = []
    for symbol in sorted(symbols, key=str):
        one = variable(symbol)
        for known, sign in (
            (symbol.is_positive, one > 0),
            (symbol.is_negative, one < 0),
            (symbol.is_nonnegative, one >= 0),
            (symbol.is_nonpositive, one <= 0),
            (symbol.is_nonzero, one != 0),
        ):
            if known:
                assumed.append(sign)
    return assumed


def divisors(*expressions: sympy.Basic) -> list[sympy.Expr]:
    """Return what is divided by and holds a symbol."""
    found = {
        power.base
        for expression in expressions
        for power in expression.atoms(sympy.Pow)
        if power.exp.is_negative and power.base.free_symbols
    }
    return sorted(found, key=str)
