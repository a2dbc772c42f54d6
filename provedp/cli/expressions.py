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
LARGEST_EXPONENT = 10_000  # a larger power takes hours to write down
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
        raise ValueError(f"{text!r} is not a number: write 1/3, 0.05, exp(1) or ln(3/2).") from None
    if value.has(sympy.zoo, sympy.nan, sympy.oo):
        raise ValueError(f"{text!r} is not a finite number.")
    return value


def _read(node: ast.expr, text: str, symbols: dict[str, sympy.Symbol]) -> sympy.Expr:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return sympy.Rational(ast.get_source_segment(text.strip().replace("^", "**"), node))
    if isinstance(node, ast.Name) and node.id in symbols:
        return symbols[node.id]
    if isinstance(node, ast.Name) and node.id in CONSTANTS:
        return CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = _read(node.operand, text, symbols)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _read(node.left, text, symbols), _read(node.right, text, symbols)
        _check_power(node.op, right)
        combined: sympy.Expr = OPERATORS[type(node.op)](left, right)
        return combined
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        if node.func.id in FUNCTIONS and not node.keywords:
            return FUNCTIONS[node.func.id](_read(node.args[0], text, symbols))
    raise ValueError(f"{text!r} is not a number: write 1/3, 0.05, exp(1) or ln(3/2).")


def _check_power(operation: ast.operator, exponent: Any) -> None:
    if isinstance(operation, ast.Pow) and exponent.is_number and abs(exponent) > LARGEST_EXPONENT:
        raise ValueError(f"An exponent of {exponent} is larger than {LARGEST_EXPONENT}.")


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
