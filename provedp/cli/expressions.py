"""Numbers as people write them: 1/3, 0.05, exp(1), ln(3/2), sqrt(2), k."""

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

import sympy
from flint import arb, ctx

from provedp.theory.numbers import ball

LONGEST = 2000  # characters of one number
LARGEST_EXPONENT = 10_000
MOST_BITS = 14_000  # of a number on the way: 4214 digits, and Python writes no more than 4300
ROOT_BITS = 1 << 11  # of a number under a root, which is searched for factors
SURVEY = 64  # bits of the balls that tell how large a number is
DECIMAL = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE](?P<exponent>[+-]?[0-9]+))?")
PLAIN = re.compile(r"\s*(?P<above>-?[0-9]+)(/0*(?P<below>[1-9][0-9]*))?\s*")
FUNCTIONS: dict[str, Callable[[sympy.Expr], sympy.Expr]] = {
    "exp": sympy.exp,
    "ln": sympy.log,
    "log": sympy.log,
    "sqrt": sympy.sqrt,
    "cos": sympy.cos,
    "sin": sympy.sin,
}
CONSTANTS = {"pi": sympy.pi, "e": sympy.E}
OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def parse(text: str, symbols: dict[str, sympy.Symbol] | None = None) -> sympy.Expr:
    """Return an expression as an exact sympy number or, with `symbols`, a formula over them.

    Raises
    ------
    ValueError
        If the text is no such expression, divides by zero or names an unknown symbol.
    """
    if len(text) > LONGEST:
        raise ValueError(f"A number of {len(text)} characters is longer than {LONGEST}.")
    plain = PLAIN.fullmatch(text)
    if plain is not None:  # most numbers in a file are these, and need no parser
        return sympy.Rational(int(plain["above"]), int(plain["below"] or 1))
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval")
        value = _read(tree.body, text, symbols or {})
    except (SyntaxError, RecursionError, MemoryError):
        raise _no_number(text) from None
    if value.has(sympy.zoo, sympy.nan, sympy.oo):
        raise ValueError(f"{text!r} is not a finite number.")
    return value


def _read(node: ast.expr, text: str, symbols: dict[str, sympy.Symbol]) -> sympy.Expr:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return _decimal(ast.get_source_segment(text.strip().replace("^", "**"), node) or "", text)
    if isinstance(node, ast.Name) and node.id in symbols:
        return symbols[node.id]
    if isinstance(node, ast.Name) and node.id in CONSTANTS:
        return CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = _read(node.operand, text, symbols)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _read(node.left, text, symbols), _read(node.right, text, symbols)
        if isinstance(node.op, ast.Pow):
            _check_power(left, right)
        return _bounded(OPERATORS[type(node.op)](left, right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        if node.func.id in FUNCTIONS and not node.keywords:
            argument = _read(node.args[0], text, symbols)
            if node.func.id == "exp":
                _check_exponential(argument)
            if node.func.id == "sqrt":
                _check_power(argument, sympy.Rational(1, 2))
            return _bounded(FUNCTIONS[node.func.id](argument))
    raise _no_number(text)


def _no_number(text: str) -> ValueError:
    return ValueError(f"{text!r} is not a number: write 1/3, 0.05, exp(1) or ln(3/2).")


def _decimal(digits: str, text: str) -> sympy.Expr:
    """Return a decimal number, exactly; hexadecimal digits and underscores are none."""
    found = DECIMAL.fullmatch(digits)
    if found is None:
        raise _no_number(text)
    exponent = int(found["exponent"] or 0)
    if abs(exponent) > LARGEST_EXPONENT:
        raise ValueError(f"An exponent of {exponent} is larger than {LARGEST_EXPONENT}.")
    return _bounded(sympy.Rational(digits))


def _check_power(base: sympy.Expr, exponent: sympy.Expr) -> None:
    """Raise `ValueError` if a power would have too many digits; nothing of it is computed."""
    if not exponent.is_number:
        return
    if not isinstance(exponent, sympy.Rational):
        _check_exponential(exponent)
    elif abs(exponent) > LARGEST_EXPONENT:
        raise ValueError(f"An exponent of {exponent} is larger than {LARGEST_EXPONENT}.")
    elif isinstance(base, sympy.Rational) and _bits(base) * abs(exponent) > MOST_BITS:
        raise ValueError(f"A power to the exponent {exponent} has more than {MOST_BITS} bits.")
    elif isinstance(base, sympy.Rational) and exponent.q > 1 and _bits(base) > ROOT_BITS:
        raise ValueError(f"A root of a number of more than {ROOT_BITS} bits takes too long.")


def _check_exponential(argument: sympy.Expr) -> None:
    """Raise `ValueError` if exp(argument) is too large, or a power that is hidden in it."""
    for term in _parts(argument, sympy.Add):
        parts = _parts(term, sympy.Mul)
        factor = sympy.Mul(*(part for part in parts if isinstance(part, sympy.Rational)))
        for part in parts:
            if isinstance(part, sympy.log):  # exp(3·ln(2)) becomes 2³
                _check_power(part.args[0], factor)
    if argument.is_number and not bool(abs(_surveyed(argument)) < LARGEST_EXPONENT):
        raise ValueError(f"An exponent beyond ±{LARGEST_EXPONENT} is too large.")


def _parts(value: sympy.Expr, kind: type[sympy.Expr]) -> tuple[sympy.Expr, ...]:
    return value.args if isinstance(value, kind) else (value,)


def _bounded(value: sympy.Expr) -> sympy.Expr:
    """Return a number on the way; raise `ValueError` if it has too many bits."""
    if isinstance(value, sympy.Rational) and _bits(value) > MOST_BITS:
        raise ValueError(f"A number on the way has more than {MOST_BITS} bits.")
    return value


def _bits(value: sympy.Rational) -> int:
    return int(max(abs(value.p).bit_length(), value.q.bit_length()))


def _surveyed(argument: sympy.Expr) -> arb:
    """Return a ball around a real number; an infinite one if it is none."""
    try:
        return enclosure(argument, SURVEY)
    except ValueError:
        return arb("inf")


def enclosure(expression: sympy.Expr, bits: int) -> arb:
    """Return a ball that contains a real expression without symbols, computed at `bits`."""
    with ctx.workprec(bits):
        result = _enclose(expression)
    if not result.is_finite():
        raise ValueError(f"{expression} is not a finite real number.")
    return result


def _enclose(expression: sympy.Expr) -> arb:
    if isinstance(expression, sympy.Rational):
        return ball(expression)
    if isinstance(expression, sympy.exp):
        return _enclose(expression.args[0]).exp()
    rule = _RULES.get(type(expression))
    if rule is None:
        raise ValueError(f"{expression} is not a real number that can be enclosed.")
    parts = [_enclose(part) for part in expression.args]
    return rule(*parts)


def _total(*parts: arb) -> arb:
    return sum(parts[1:], start=parts[0])


def _product(*parts: arb) -> arb:
    result = parts[0]
    for part in parts[1:]:
        result = result * part
    return result


_RULES: dict[type[Any], Callable[..., arb]] = {
    sympy.Add: _total,
    sympy.Mul: _product,
    sympy.Pow: operator.pow,
    sympy.log: lambda part: part.log(),
    sympy.cos: lambda part: part.cos(),
    sympy.sin: lambda part: part.sin(),
    type(sympy.pi): lambda: arb.pi(),
    type(sympy.E): lambda: arb(1).exp(),
}
