"""Comparisons that a check may make, each with the strength of how it was decided.

Nobody types a strength. `equal`, `at_most` and `less` look at the numbers that they compare
(rationals and constant expressions: exact; balls: certified; expressions with symbols: symbolic).
Floats are accepted by `close` and `float_at_most` alone, which want a tolerance. What is none of
these is refused: `values.exactness` has the list. Shapes and keys must agree; a single number is
compared with every entry.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy
from flint import arb

from provedp.theory.numbers import ball, symbol
from provedp.verify.ledger import journal, sampling, symbolic
from provedp.verify.ledger.findings import Finding, Kind, all_of, made
from provedp.verify.ledger.values import (
    Exactness,
    Number,
    as_exact,
    exactness,
    pairs,
    require_one_symbol_a_name,
    require_tolerance,
)

STEP_WIDTH = 200  # characters of an identity that are shown


def equal(first: Any, *others: Any) -> Finding:
    """Find whether all values are equal, entry by entry for matrices, lists and mappings.

    Raises
    ------
    TypeError
        For floats (say `close` and a tolerance) and for all that is no exact number.
    ValueError
        If the shapes or keys differ or there is nothing to compare.
    """
    if not others:
        raise journal.refused(ValueError("equal needs at least two values."))
    return all_of(*(_equal_numbers(a, b) for other in others for a, b in pairs(first, other)))


def at_most(left: Any, right: Any) -> Finding:
    """Find whether left ≤ right, entry by entry when either is a matrix; raises as `equal`."""
    return all_of(*(_ordered(a, b, False) for a, b in pairs(left, right)))


def less(left: Any, right: Any) -> Finding:
    """Find whether left < right, entry by entry when either is a matrix; raises as `equal`."""
    return all_of(*(_ordered(a, b, True) for a, b in pairs(left, right)))


def close(left: Any, right: Any, *, tolerance: float) -> Finding:
    """Find whether |left − right| ≤ tolerance, entry by entry.

    Floats give floating-point evidence; with balls or rationals alone the distance is certified.

    Raises
    ------
    ValueError
        If the tolerance is not finite and above 0, the shapes differ, or nothing is compared.
    TypeError
        For expressions with symbols, which are equal or not, and for all that is no number.
    """
    bound = require_tolerance("tolerance", tolerance)
    return all_of(*(_close_numbers(a, b, bound) for a, b in pairs(left, right)))


def float_at_most(left: Any, right: Any, *, rounding: float) -> Finding:
    """Find whether left ≤ right + rounding, entry by entry: an inequality of floats.

    `rounding` bounds what rounding may have added to the difference; it is shown as the tolerance.

    Raises
    ------
    ValueError
        If `rounding` is not finite and at least 0, the shapes differ, or nothing is compared.
    """
    bound = require_tolerance("rounding", rounding, "finite and at least 0")
    return all_of(*(_float_order(a, b, float(bound)) for a, b in pairs(left, right)))


def is_defined(formula: Callable[..., Any], *arguments: Any) -> Finding:
    """Find whether an exact formula has a value at these arguments; 0/0 is none."""
    try:
        formula(*arguments)
    except ZeroDivisionError:
        return made(False, Kind.EXACT, note="a division by zero")
    return made(True, Kind.EXACT)


def _equal_numbers(left: Number, right: Number) -> Finding:
    how, a, b = _lifted(left, right)
    if how is Exactness.SYMBOL:
        _show(a, "=", b)
        holds, where = symbolic.vanishes(a - b)
        return _noted(holds, Kind.SYMBOLIC, a, "≠", b, where=where)
    if how is Exactness.BALL:
        same = bool(a.is_exact() and b.is_exact() and a.is_finite() and a == b)
        return _noted(True if same else (None if a.overlaps(b) else False), Kind.BALL, a, "≠", b)
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _noted(a == b, Kind.EXACT, a, "≠", b)
    return _noted(symbolic.vanishes(symbol(a) - symbol(b))[0], Kind.EXACT, a, "≠", b)


def _ordered(left: Number, right: Number, strict: bool) -> Finding:
    how, a, b = _lifted(left, right)
    fails = "≥" if strict else ">"
    if how is Exactness.SYMBOL:
        _require_real(a, b)
        _show(a, "<" if strict else "≤", b)
        holds, where = symbolic.is_signed(b - a, strict)
        return _noted(holds, Kind.SYMBOLIC, a, fails, b, where=where)
    if how is Exactness.BALL:
        margin = float((b - a).lower())
        return _noted(_ball_order(a, b, strict), Kind.BALL, a, fails, b, margin=margin)
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        decided = a < b if strict else a <= b
        return _noted(decided, Kind.EXACT, a, fails, b, margin=_as_float(b - a))
    holds = symbolic.is_signed(symbol(b) - symbol(a), strict)[0]
    return _noted(holds, Kind.EXACT, a, fails, b)


def _ball_order(a: Number, b: Number, strict: bool) -> bool | None:
    if not (a.is_finite() and b.is_finite()):
        return None
    if (a < b) if strict else (a <= b):
        return True
    return False if ((a >= b) if strict else (a > b)) else None


def _require_real(*expressions: sympy.Expr) -> None:
    for expression in expressions:
        for one in symbol(expression).free_symbols:
            if not one.is_real:
                raise journal.refused(TypeError(f"{one} is not declared real: it has no order."))


def _close_numbers(left: Number, right: Number, bound: Fraction) -> Finding:
    how = max(exactness(left), exactness(right))
    if how is Exactness.SYMBOL:
        raise journal.refused(TypeError("close compares numbers; expressions are equal or not."))
    tolerance = float(bound)
    if how is Exactness.FLOAT:
        gap = abs(_float(left) - _float(right))
        note = f"{left} and {right} differ by {gap:.3g}"
        return made(
            bool(gap <= tolerance),
            Kind.FLOAT,
            margin=tolerance - gap,
            tolerance=tolerance,
            note=note,
        )
    _, a, b = _lifted(left, right)
    within = _ordered(abs(a - b), bound, False)
    return made(
        within.holds, within.kind, margin=within.margin, tolerance=tolerance, note=within.note
    )


def _float_order(left: Number, right: Number, rounding: float) -> Finding:
    a, b = _float(left), _float(right)
    return made(
        a <= b + rounding,
        Kind.FLOAT,
        margin=b + rounding - a,
        tolerance=rounding,
        note=f"{left} exceeds {right} by {a - b:.3g}",
    )


def _float(value: Number) -> float:
    if exactness(value) is Exactness.SYMBOL:
        raise journal.refused(TypeError(f"{value} is an expression, not a float."))
    number = float(ball(value).mid()) if exactness(value) is Exactness.BALL else float(value)
    if not math.isfinite(number):
        raise journal.refused(ValueError(f"{value} is not finite: it cannot be compared."))
    return number


def _lifted(left: Any, right: Any) -> tuple[Exactness, Number, Number]:
    either = (exactness(left), exactness(right))
    if Exactness.FLOAT in either:
        raise journal.refused(
            TypeError("Floats are compared by close(…, tolerance=…) or float_at_most.")
        )
    how = max(either)
    if how is Exactness.BALL:
        return how, *(_as_ball(value) for value in (left, right))
    if how is Exactness.EXACT:
        return how, as_exact(left), as_exact(right)
    if Exactness.BALL in either:
        raise journal.refused(TypeError("A ball cannot be compared with a symbol."))
    a, b = symbol(left), symbol(right)
    require_one_symbol_a_name(a, b)
    return how, a, b


def _as_ball(value: Number) -> Number:
    exact = value if isinstance(value, arb) else as_exact(value)
    if isinstance(exact, sympy.Expr):
        enclosed = sampling.value_at(exact, {})
        if not isinstance(enclosed, arb):
            raise journal.refused(TypeError(f"{value} may not be real: it has no ball."))
        return enclosed
    return ball(exact)


def _as_float(value: Fraction) -> float | None:
    try:
        return float(value)
    except OverflowError:
        return None


def _show(left: sympy.Expr, sign: str, right: sympy.Expr) -> None:
    if journal.is_full():
        journal.step("")
        return
    domain = ", ".join(sorted(map(described, left.free_symbols | right.free_symbols)))
    text = f"{_short(left)} {sign} {_short(right)}"
    journal.step(f"{text} for {domain}" if domain else text)


def described(one: sympy.Symbol) -> str:
    """Return a symbol with what is assumed of it, such as 'integer k > 0'."""
    field = "integer " if one.is_integer else ("real " if one.is_real else "")
    signs = (
        (one.is_positive, " > 0"),
        (one.is_negative, " < 0"),
        (one.is_nonnegative, " ≥ 0"),
        (one.is_nonpositive, " ≤ 0"),
        (one.is_nonzero, " ≠ 0"),
    )
    assumed = next((sign for known, sign in signs if known), "")
    return f"{field}{one.name}{assumed}"


def _short(expression: sympy.Expr) -> str:
    text = str(expression)
    return text if len(text) <= STEP_WIDTH else f"{text[:STEP_WIDTH]}… ({len(text)} characters)"


def _noted(
    holds: bool | None,
    kind: Kind,
    left: Any,
    sign: str,
    right: Any,
    *,
    margin: float | None = None,
    where: str = "",
) -> Finding:
    if holds:
        return made(holds, kind, margin=margin)
    note = f"{_brief(left)} {sign if holds is False else 'against'} {_brief(right)}"
    return made(holds, kind, margin=margin, note=f"{note} at {where}" if where else note)


def _brief(value: Any) -> str:
    text = str(value)
    return (
        text if len(text) <= 90 else f"{text[:60]}… ({len(text)} characters, ≈ {_decimal(value)})"
    )


def _decimal(value: Any) -> str:
    try:
        return f"{float(ball(value).mid()):.12g}"
    except (TypeError, ValueError, OverflowError):
        return "no number"
