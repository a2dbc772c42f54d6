"""Values of expressions at points, as balls: a place where an identity fails refutes it."""

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

import sympy
from flint import acb, arb, ctx, fmpq

BITS = 256
POINTS = 14  # tried per expression
CANDIDATES = tuple(map(sympy.Rational, "2 3 1/2 5 -2 0 1 1/3 3/2 -1/2 7 -3 60 2/3 4 29".split()))

Point = Mapping[sympy.Symbol, sympy.Rational]


class NoValueError(ValueError):
    """An expression that has no real or complex value at a point, or none that is known here."""


def points(expression: sympy.Expr) -> Iterator[dict[sympy.Symbol, sympy.Rational]]:
    """Yield points that meet what is assumed of each symbol; none if no candidate does."""
    symbols = sorted(expression.free_symbols, key=str)
    allowed = [[c for c in CANDIDATES if _meets(c, symbol)] for symbol in symbols]
    if not all(allowed):
        return
    for turn in range(POINTS if symbols else 1):
        yield {
            symbol: values[(turn * (index + 1) + index) % len(values)]
            for index, (symbol, values) in enumerate(zip(symbols, allowed, strict=True))
        }


def _meets(value: sympy.Rational, symbol: sympy.Symbol) -> bool:
    return all(
        getattr(value, f"is_{name}", None) is known for name, known in symbol.assumptions0.items()
    )


def value_at(expression: sympy.Expr, point: Point) -> arb | acb:
    """Return a ball that holds the value of an expression at a point.

    Raises
    ------
    NoValueError
        If it has none, such as 1/0, or holds a function that is not known here.
    """
    with ctx.workprec(BITS):
        value: arb | acb = _value(expression, point, {})
        parts = (value.real, value.imag) if isinstance(value, acb) else (value,)
        if not all(part.is_finite() for part in parts):
            raise NoValueError(f"{expression} has no value at {in_words(point)}")
        return value


def is_nonzero(value: arb | acb) -> bool:
    """Return whether a ball certainly excludes zero."""
    parts = (value.real, value.imag) if isinstance(value, acb) else (value,)
    return any(not part.contains(0) for part in parts)


def in_words(point: Point) -> str:
    """Return 'x = 2, y = 1/2'."""
    return ", ".join(f"{symbol} = {value}" for symbol, value in point.items())


def _value(e: sympy.Expr, point: Point, known: dict[sympy.Expr, Any]) -> Any:
    if e not in known:
        known[e] = _computed(e, point, known)
    return known[e]


def _computed(e: sympy.Expr, point: Point, known: dict[sympy.Expr, Any]) -> Any:
    if isinstance(e, sympy.Symbol):
        return _rational(point[e])
    if isinstance(e, sympy.Rational):
        return _rational(e)
    if e is sympy.pi:
        return arb.pi()
    if e is sympy.E:
        return arb(1).exp()
    if isinstance(e, sympy.Pow):
        return _power(e, point, known)
    rule = _RULES.get(type(e))
    if rule is None:
        raise NoValueError(f"no value is known for {type(e).__name__}")
    return rule(*(_value(part, point, known) for part in e.args))


def _rational(value: sympy.Rational) -> arb:
    return arb(fmpq(int(value.p), int(value.q)))


def _power(e: sympy.Pow, point: Point, known: dict[sympy.Expr, Any]) -> Any:
    if isinstance(e.base, sympy.gamma) and e.exp == -1:
        return _real(_value(e.base.args[0], point, known)).rgamma()  # zero at the poles
    base, exponent = (_value(part, point, known) for part in e.args)
    if not isinstance(exponent, arb):
        return acb(base) ** exponent
    whole = exponent.unique_fmpz() if exponent.is_exact() else None
    if whole is not None:
        return base ** int(whole)
    if isinstance(base, arb) and base > 0:
        return base**exponent
    if not is_nonzero(base):
        raise NoValueError(f"{e} may be a power of zero")
    return acb(base) ** acb(exponent)


def _real(value: arb | acb) -> arb:
    if isinstance(value, acb):
        raise NoValueError(f"{value} may not be real")
    return value


def _logarithm(value: Any) -> Any:
    if isinstance(value, arb) and value > 0:
        return value.log()
    if not is_nonzero(value):
        raise NoValueError("the logarithm of zero")
    return acb(value).log()


def _factorial(value: Any) -> arb:
    return (_real(value) + 1).gamma()


def _binomial(n: Any, k: Any) -> arb:
    return _factorial(n) / (_factorial(k) * _factorial(_real(n) - _real(k)))


_RULES: dict[Any, Any] = {
    sympy.Add: lambda *parts: reduce(lambda a, b: a + b, parts),
    sympy.Mul: lambda *parts: reduce(lambda a, b: a * b, parts),
    sympy.exp: lambda part: part.exp(),
    sympy.log: _logarithm,
    sympy.Abs: abs,
    sympy.Min: lambda *parts: reduce(lambda a, b: _real(a).min(_real(b)), parts),
    sympy.Max: lambda *parts: reduce(lambda a, b: _real(a).max(_real(b)), parts),
    sympy.floor: lambda part: _real(part).floor(),
    sympy.ceiling: lambda part: _real(part).ceil(),
    sympy.Mod: lambda a, b: _real(a) - _real(b) * (_real(a) / _real(b)).floor(),
    sympy.sin: lambda part: part.sin(),
    sympy.cos: lambda part: part.cos(),
    sympy.erf: lambda part: part.erf(),
    sympy.gamma: lambda part: _real(part).gamma(),
    sympy.factorial: _factorial,
    sympy.binomial: _binomial,
}
