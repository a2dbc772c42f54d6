"""Comparisons in a file of claims, guarded: what balls leave undecided never becomes a Boolean.

python-flint answers `a < b` for overlapping balls with False, which reads like a decision. A file
of claims is therefore compiled with each comparison, branch and conversion replaced by a function
of this module. One that balls do not decide ends the check as undecided; one that looks at floats
is noted, and the claim is at most supported. Code that claims call in other rooms is not rewritten.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Set
from fractions import Fraction
from functools import cmp_to_key
from types import ModuleType
from typing import Any

import numpy as np
import sympy
from flint import acb, arb, fmpq, fmpz
from sympy.logic.boolalg import Boolean, BooleanAtom

from provedp.verify.ledger.hypotheses import undecided
from provedp.verify.ledger.journal import current, refused

OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "in": lambda element, container: element in container,
    "not in": lambda element, container: element not in container,
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}
OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
PLAIN = (int, str, Fraction, bool, type(None), fmpq, fmpz)
BALLS = (arb, acb)
FLOATS = (float, complex, np.floating, np.complexfloating, sympy.Float)
SWALLOWING = (*BALLS, sympy.Basic, sympy.MatrixBase)
ABOUT_BALLS = ("overlaps", "contains", "contains_interior", "contains_integer", "is_zero")
# Names that compare what a container holds, of methods and of numpy's functions.
ORDERING = (
    *("max", "min", "argmax", "argmin", "amax", "amin", "maximum", "minimum", "sort", "argsort"),
    *("index", "count", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal"),
    *("array_equal", "unique", "searchsorted", "clip", "where", "nonzero", "sign"),
)
CLOSENESS = ("isclose", "allclose", "as_integer_ratio", "is_integer", "hex")  # of floats
BY_NAME = {
    **dict(
        zip(("lt", "le", "gt", "ge", "eq", "ne"), ("<", "<=", ">", ">=", "==", "!="), strict=True)
    ),
    "contains": "in",
}
DUNDERS = {f"__{name}__": sign for name, sign in BY_NAME.items() if name != "contains"}
WATCHED = frozenset((*ABOUT_BALLS, *ORDERING, *CLOSENESS, *BY_NAME, *DUNDERS))


def compare(sign: str, left: Any, right: Any) -> Any:
    """Return `left sign right`; end the check as undecided if balls leave it open."""
    outcome = OPERATIONS[sign](left, right)
    if type(left) not in PLAIN or type(right) not in PLAIN:
        _look(sign, left, right, outcome)
    return outcome


def chain(signs: tuple[str, ...], first: Any, *later: Callable[[], Any]) -> Any:
    """Return `first < second <= third …`, each operand evaluated once and only if needed."""
    left, outcome = first, True
    for sign, operand in zip(signs, later, strict=True):
        right = operand()
        outcome = compare(sign, left, right)
        if not truth(outcome):
            return outcome
        left = right
    return outcome


def truth(value: Any) -> Any:
    """Return a value whose truth is asked for; a ball or a relation has none."""
    if isinstance(value, (*BALLS, sympy.Expr, sympy.core.relational.Relational)):
        raise refused(
            TypeError(f"{value} ({type(value).__name__}) has no truth value: compare it.")
        )
    if isinstance(value, FLOATS):
        current().floats = True
    return value


def exactly(value: Any) -> Any:
    """Return a number that is made exact; from a float it is no more than the float was."""
    if isinstance(value, FLOATS):
        current().floats = True
    return value


def text(value: Any) -> Any:
    """Return what is written as text; a text of a ball or float is no more exact than that."""
    if isinstance(value, (*FLOATS, *BALLS)):
        current().floats = True
    return value


def arithmetic(sign: str, left: Any, right: Any) -> Any:
    """Return `left sign right`; a float that goes into an expression or a ball can vanish there."""
    if isinstance(left, FLOATS) != isinstance(right, FLOATS):
        if isinstance(left, SWALLOWING) or isinstance(right, SWALLOWING):
            current().floats = True
    return ARITHMETIC[sign](left, right)


def method(owner: Any, name: str) -> Any:
    """Return a method or a module's function that may compare, guarded."""
    if isinstance(owner, BALLS):
        return _of_ball(owner, name)
    if owner is operator and name in BY_NAME:
        return _by_operator(name)
    if name in DUNDERS and not isinstance(owner, type):
        return lambda other: compare(DUNDERS[name], owner, other)
    found = getattr(owner, name)
    if name in CLOSENESS and isinstance(owner, (*FLOATS, ModuleType)):
        current().floats = True
    if name not in ORDERING:
        return found
    if isinstance(owner, ModuleType):
        return lambda *values, **named: found(*map(_without_balls, values), **named)
    _without_balls(owner)
    return found


def _of_ball(owner: Any, name: str) -> Any:
    if name in ABOUT_BALLS:
        raise refused(TypeError(f"{name} tells of a ball, not of the number in it: compare."))
    if name in DUNDERS:
        return lambda other: compare(DUNDERS[name], owner, other)
    return getattr(owner, name)


def _by_operator(name: str) -> Callable[[Any, Any], Any]:
    if name == "contains":
        return lambda container, element: compare("in", element, container)
    return lambda left, right: compare(BY_NAME[name], left, right)


def _without_balls(values: Any) -> Any:
    """Return a container; one that holds balls cannot be put in order unseen."""
    if isinstance(values, np.ndarray):
        held = list(values.ravel()) if values.dtype == object else []
    else:
        held = list(values) if isinstance(values, (list, tuple)) else []
    if any(isinstance(value, BALLS) for value in held):
        raise refused(TypeError("Balls in a container are compared one by one: use max, min, <."))
    return values


def least(*values: Any, key: Callable[[Any], Any] | None = None, **default: Any) -> Any:
    """Return the minimum, by guarded comparisons."""
    return _extreme(min, "<", values, key, default)


def greatest(*values: Any, key: Callable[[Any], Any] | None = None, **default: Any) -> Any:
    """Return the maximum, by guarded comparisons."""
    return _extreme(max, ">", values, key, default)


def in_order(
    values: Iterable[Any], *, key: Callable[[Any], Any] | None = None, reverse: bool = False
) -> list[Any]:
    """Return the values sorted, by guarded comparisons."""

    def difference(left: Any, right: Any) -> int:
        return -1 if compare("<", left, right) else int(bool(compare("<", right, left)))

    by = cmp_to_key(difference)
    return sorted(values, key=(lambda v: by(key(v))) if key else by, reverse=reverse)


BUILTINS = {
    "min": least,
    "max": greatest,
    "sorted": in_order,
    "bool": lambda *value: bool(*map(truth, value)),
}


def _extreme(
    choose: Callable[..., Any],
    sign: str,
    values: tuple[Any, ...],
    key: Callable[[Any], Any] | None,
    default: Mapping[str, Any],
) -> Any:
    listed = list(values[0]) if len(values) == 1 else list(values)
    keys = listed if key is None else [key(value) for value in listed]
    if not listed or all(type(value) in PLAIN for value in keys):
        return choose(listed, key=key, **default)
    best = 0
    for index in range(1, len(listed)):
        if compare(sign, keys[index], keys[best]):
            best = index
    return listed[best]


def _look(sign: str, left: Any, right: Any, outcome: Any) -> None:
    if isinstance(left, FLOATS) or isinstance(right, FLOATS):
        current().floats = True
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        _look_at_arrays(sign, left, right)
    elif isinstance(left, BALLS) or isinstance(right, BALLS):
        _look_at_balls(sign, left, right, outcome)
    elif isinstance(left, sympy.Expr) and isinstance(right, (sympy.Expr, int, Fraction)):
        _look_at_expressions(sign, left, right, outcome)
    elif _is_relation(left) or _is_relation(right):
        if not all(isinstance(side, (bool, BooleanAtom)) for side in (left, right)):
            raise refused(TypeError(f"{left} {sign} {right} compares the form of relations."))
    elif sign in ("in", "not in"):
        _look_inside(left, right, outcome is (sign == "in"))
    elif isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        for a, b in zip(left, right, strict=False):
            if type(a) not in PLAIN or type(b) not in PLAIN:
                compare("==", a, b)
    elif isinstance(left, Mapping) and isinstance(right, Mapping):
        for key in left.keys() & right.keys():
            compare("==", left[key], right[key])


def _is_relation(value: Any) -> bool:
    return isinstance(value, Boolean) and not isinstance(value, sympy.Symbol)


def _look_at_balls(sign: str, left: Any, right: Any, outcome: Any) -> None:
    if sign in OPPOSITES and not outcome and not OPERATIONS[OPPOSITES[sign]](left, right):
        raise undecided(f"{left} {sign} {right}")


def _look_at_arrays(sign: str, left: Any, right: Any) -> None:
    arrays = [_as_array(value) for value in (left, right)]
    if any(a.dtype.kind in "fc" for a in arrays):
        current().floats = True
    if sign in OPPOSITES and any(a.dtype == object for a in arrays):
        for a, b in np.broadcast(*arrays):
            compare(sign, a, b)


def _as_array(value: Any) -> Any:
    if isinstance(value, (np.ndarray, list, tuple)):
        return np.asarray(value)
    single = np.empty((), dtype=object)
    single[()] = value
    return single


def _look_at_expressions(sign: str, left: Any, right: Any, outcome: Any) -> None:
    """Python's == of expressions is structural: (x + 1)² and x² + 2x + 1 come out different."""
    if sign not in ("==", "!=") or outcome is (sign == "=="):
        return
    difference = left - sympy.sympify(right)
    if difference.is_zero is not False and not isinstance(difference, sympy.Rational):
        raise undecided(f"{left} {sign} {right}")


def _look_inside(element: Any, container: Any, found: bool) -> None:
    if found or isinstance(container, (str, range, Mapping, Set)):
        return
    if isinstance(container, (list, tuple, np.ndarray)):
        for other in container:
            if type(element) not in PLAIN or type(other) not in PLAIN:
                compare("==", element, other)
