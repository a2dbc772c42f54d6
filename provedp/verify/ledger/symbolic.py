"""Identities and signs of expressions: shown by sympy, refuted at a point by balls."""

from collections.abc import Callable
from typing import Any

import sympy
from flint import arb

from provedp.verify.ledger import sampling

Refuted = tuple[bool | None, str]  # True, False or None, and where it fails


def vanishes(expression: sympy.Expr) -> Refuted:
    """Return whether an expression is zero for all values of its symbols, and where it is not."""
    where = _point_where(expression, sampling.is_nonzero)
    if where is not None:
        return False, where
    if expression.is_rational_function() and sympy.cancel(sympy.together(expression)) == 0:
        return True, ""
    simplified = sympy.simplify(sympy.powsimp(sympy.expand(expression)))
    return (True, "") if simplified == 0 else (None, "")


def is_signed(expression: sympy.Expr, strict: bool) -> Refuted:
    """Return whether an expression is above zero (at least zero unless `strict`) everywhere."""
    where = _point_where(expression, _not_above_zero if strict else _below_zero)
    if where is not None:
        return False, where
    if not expression.free_symbols:
        return _sign_of_constant(expression, strict), ""
    for rewrite in (sympy.simplify, sympy.powsimp, sympy.expand_power_exp):
        factored = sympy.factor(rewrite(expression))
        answer = factored.is_positive if strict else factored.is_nonnegative
        if answer is not None:
            return bool(answer), ""
    return None, ""


def _sign_of_constant(expression: sympy.Expr, strict: bool) -> bool | None:
    try:
        value = sampling.value_at(expression, {})
    except sampling.NoValueError:
        return None
    if isinstance(value, arb) and value > 0:
        return True
    return not strict if vanishes(expression)[0] else None


def _below_zero(value: Any) -> bool:
    return isinstance(value, arb) and bool(value < 0)


def _not_above_zero(value: Any) -> bool:
    return isinstance(value, arb) and bool(value <= 0)


def _point_where(expression: sympy.Expr, fails: Callable[[Any], bool]) -> str | None:
    for point in sampling.points(expression):
        try:
            value = sampling.value_at(expression, point)
        except (sampling.NoValueError, ZeroDivisionError, OverflowError, ValueError):
            continue
        if fails(value):
            return sampling.in_words(point)
    return None
