"""What may be compared: a closed list of exact numbers, balls and expressions, in equal shapes."""

import math
from collections.abc import Mapping
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from flint import arb, fmpq, fmpz
from sympy.core.function import AppliedUndef

from provedp.theory.numbers import rational
from provedp.verify.ledger.journal import refused

Number = Any

# Heads of expressions whose identities sympy decides for the values that its symbols may take.
HEADS = (
    sympy.Add,
    sympy.Mul,
    sympy.Pow,
    sympy.Symbol,
    sympy.Rational,
    sympy.exp,
    sympy.log,
    sympy.Abs,
    sympy.Min,
    sympy.Max,
    sympy.floor,
    sympy.ceiling,
    sympy.Mod,
    sympy.sin,
    sympy.cos,
    sympy.erf,
    sympy.factorial,
    sympy.binomial,
    sympy.gamma,
    type(sympy.pi),
    type(sympy.E),
    AppliedUndef,
    sympy.Derivative,
    sympy.Subs,
    sympy.Tuple,
)


class Exactness(IntEnum):
    """What a number is compared as, in the order in which mixed pairs are lifted."""

    EXACT = 0
    BALL = 1
    SYMBOL = 2
    FLOAT = 3


def exactness(value: Any) -> Exactness:
    """Return what a number is compared as.

    Raises
    ------
    TypeError
        For anything but int, Fraction, fmpq, fmpz, arb, a sympy expression of known parts without
        a Float, and float; numpy's integers wrap around, its booleans and None are no numbers.
    """
    if type(value) in (int, Fraction, fmpq, fmpz):
        return Exactness.EXACT
    if type(value) is arb:
        return Exactness.BALL
    if type(value) in (float, np.float64):
        return Exactness.FLOAT
    if isinstance(value, sympy.Expr):
        return _of_expression(value)
    raise refused(
        TypeError(
            f"{value!r} ({type(value).__module__}.{type(value).__name__}) cannot be compared: "
            "give an int, a Fraction, an fmpq, an arb or a sympy expression."
        )
    )


def _of_expression(expression: sympy.Expr) -> Exactness:
    for part in sympy.preorder_traversal(expression):
        if not isinstance(part, HEADS) or part.is_commutative is False:
            kind = type(part).__name__
            raise refused(TypeError(f"{expression} cannot be compared: it holds {part} ({kind})."))
    require_one_symbol_a_name(expression)
    return Exactness.SYMBOL if expression.free_symbols else Exactness.EXACT


def require_one_symbol_a_name(*expressions: Any) -> None:
    """Raise `TypeError` if two symbols share a name, or one is declared infinite."""
    named: dict[str, sympy.Symbol] = {}
    for symbol in {s for expression in expressions for s in expression.free_symbols}:
        if symbol.is_infinite or (symbol.is_extended_real and not symbol.is_finite):
            raise refused(TypeError(f"{symbol} may be infinite: declare it real or complex."))
        if named.setdefault(symbol.name, symbol) != symbol:
            raise refused(TypeError(f"Two symbols are called {symbol}: one name, one symbol."))


def as_exact(value: Number) -> Fraction | sympy.Expr:
    """Return an exact number as a fraction, or as the constant expression that it is."""
    if isinstance(value, sympy.Expr) and not isinstance(value, sympy.Rational):
        return value
    if isinstance(value, sympy.Rational):
        return Fraction(int(value.p), int(value.q))
    return rational(value)


def pairs(left: Any, right: Any) -> list[tuple[Number, Number]]:
    """Return the corresponding numbers of two structures; one number matches every entry.

    Raises
    ------
    ValueError
        If shapes or keys differ, or there is nothing to compare.
    """
    a, b = leaves(left), leaves(right)
    if a is None and b is None:
        return [(left, right)]
    if not (a or a is None) or not (b or b is None):
        raise refused(ValueError("There is nothing to compare: a container is empty."))
    if a is None:
        return [(left, leaf) for leaf in (b or {}).values()]
    if b is None:
        return [(leaf, right) for leaf in a.values()]
    if a.keys() != b.keys():
        raise refused(ValueError(f"The shapes differ: {_shape(a)} and {_shape(b)}."))
    return [(leaf, b[place]) for place, leaf in a.items()]


def leaves(value: Any) -> dict[tuple[Any, ...], Number] | None:
    """Return the numbers in a structure by their places; None for what is a number itself."""
    if isinstance(value, np.ndarray):
        if value.dtype != object and value.dtype != np.float64:
            raise refused(TypeError(f"An array of {value.dtype} cannot be compared."))
        return {place: _leaf(value[place]) for place in np.ndindex(value.shape)}
    if isinstance(value, Mapping):
        return _nested([(("key", type(key).__name__, key), value[key]) for key in value])
    if isinstance(value, (list, tuple)):
        return _nested(list(enumerate(value)))
    return None


def _leaf(entry: Any) -> Any:
    if isinstance(entry, (np.ndarray, Mapping, list, tuple)):
        raise refused(TypeError("An array of containers cannot be compared."))
    return entry


def _nested(parts: list[tuple[Any, Any]]) -> dict[tuple[Any, ...], Number]:
    found: dict[tuple[Any, ...], Number] = {}
    for place, part in parts:
        inner = leaves(part)
        if inner is None:
            found[(place,)] = part
        elif not inner:
            raise refused(ValueError("There is nothing to compare: a container is empty."))
        else:
            found |= {(place, *deeper): leaf for deeper, leaf in inner.items()}
    return found


def _shape(found: Mapping[tuple[Any, ...], Any]) -> str:
    depths = sorted({len(place) for place in found})
    return f"{len(found)} entries, {' and '.join(map(str, depths))} deep"


def require_tolerance(name: str, value: Any, least: str = "") -> Fraction:
    """Return a tolerance as the fraction that it is.

    Raises
    ------
    ValueError
        If it is no finite number above 0 (or at least 0, if `least` says so).
    """
    numeric = type(value) in (int, float, np.float64, Fraction) and math.isfinite(value)
    if not numeric or value < 0 or (value == 0 and not least):
        allowed = least or "finite and above 0"
        raise refused(ValueError(f"{name} is {value!r}: it must be a number, {allowed}."))
    return Fraction(value)


def as_printed(value: float) -> Fraction:
    """Return the shortest decimal that a float is printed as: for tables of printed data.

    Raises
    ------
    TypeError, ValueError
        If it is no float, or not finite.
    """
    if type(value) not in (float, np.float64):
        raise refused(TypeError(f"{value!r} ({type(value).__name__}) is no float."))
    if not math.isfinite(value):
        raise refused(ValueError(f"{value!r} is not finite: it is no number."))
    return Fraction(repr(float(value)))


def as_dyadic(value: Any) -> Fraction:
    """Return the exact number that a float is; exact numbers stay as they are.

    For statements about a float itself, such as the noise scale that a mechanism uses. Rounding
    that went into it is not part of such a statement.

    Raises
    ------
    TypeError, ValueError
        If it is no number, or not finite.
    """
    if type(value) in (float, np.float64):
        if not math.isfinite(value):
            raise refused(ValueError(f"{value!r} is not finite: it is no number."))
        return Fraction(value)
    if exactness(value) is not Exactness.EXACT:
        raise refused(TypeError(f"{value!r} ({type(value).__name__}) is no float."))
    exact = as_exact(value)
    if not isinstance(exact, Fraction):
        raise refused(TypeError(f"{value} is no float and not rational."))
    return exact
