"""`provedp value`: any closed form, exactly, as a certified ball, or as an expression."""

import json
import math
import re
from collections.abc import Callable, Mapping, Set
from dataclasses import is_dataclass
from decimal import ROUND_CEILING, Context
from fractions import Fraction
from typing import Any

import click
import numpy as np
import sympy
from flint import arb, ctx, fmpq

from provedp.cli import formulas
from provedp.cli.expressions import enclosure
from provedp.cli.formulas import Formula
from provedp.cli.limits import limited
from provedp.theory.domain import Integers
from provedp.theory.estimate import Estimate
from provedp.theory.numbers import ball, rational

BALL = re.compile(r"(?P<head>The '(?P<name>\w+)' parameter .*?\. )Got \[.* \+/- .*\] instead\.")
UPWARD = Context(prec=2, rounding=ROUND_CEILING)
TINY = 160  # decimals: what is not told from zero by then is shown as zero
LONGEST = 1 << 13  # bits of an exact number that is printed as such; a longer one is a ball
MOST_BITS = 1 << 14  # of working precision, before a formula is given up as ill-conditioned


@click.command()
@click.argument("formula", required=False)
@click.argument("arguments", nargs=-1, metavar="NAME=VALUE…")
@click.option("--digits", type=click.IntRange(1, 10_000), default=20, show_default=True)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True, max=1e6),
    default=4.0,
    show_default=True,
    help="Processor time that a value may take; it may take half a GiB of memory.",
)
@click.option("--symbolic", is_flag=True, help="Allow symbols: k=k.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def value(
    formula: str | None,
    arguments: tuple[str, ...],
    digits: int,
    seconds: float,
    symbolic: bool,
    as_json: bool,
) -> int:
    """Evaluate a public FORMULA of theory/, or list them all.

    Rational arguments (2, 1/3, 0.05) give an exact value, others (exp(1), ln(3/2), sqrt(2)) a
    certified ball at --digits digits, and symbols with --symbolic an expression. Lists and matrices
    are JSON or the name of a CSV or JSON file.
    """
    if formula is None:
        for known in formulas.formulas().values():
            click.echo(f"{known.usage()}\n    {known.summary}")
        return 0
    found = formulas.find(formula)
    read = formulas.read_arguments(found, arguments, symbolic)
    try:
        with limited(f"{found.name} at these arguments", seconds):
            result = evaluate(found, read, digits, symbolic)
    except ValueError as error:
        raise ValueError(_as_typed(str(error), arguments)) from None
    if as_json:
        click.echo(json.dumps(_document(found, arguments, result, digits), ensure_ascii=False))
    else:
        click.echo(shown(result, digits))
    return 0


def _as_typed(message: str, arguments: tuple[str, ...]) -> str:
    """Return a message that quotes an argument as it was typed, not the ball that it became."""
    found = BALL.fullmatch(message)
    typed = dict(text.partition("=")[::2] for text in arguments)
    if found is None or found["name"] not in typed:
        return message
    return f"{found['head']}Got {typed[found['name']]} instead."


def evaluate(formula: Formula, arguments: Mapping[str, Any], digits: int, symbolic: bool) -> Any:
    """Return the value over the strongest field that the arguments allow.

    Raises
    ------
    ValueError
        If an argument is outside its range or the ball does not reach the digits.
    """
    if symbolic:
        return _expression(formula, arguments)
    exact = _each(arguments, _as_fraction)
    if exact is None:
        return _certified(formula, arguments, digits)
    result = formula.function(**exact)
    if is_dataclass(result) and not isinstance(result, Estimate):
        return vars(result)
    if any(isinstance(leaf, (float, np.floating)) for leaf in leaves(result)):
        return _in_balls(formula, arguments, digits)
    if any(isinstance(leaf, arb) for leaf in leaves(result)):
        return _to_digits(formula, lambda bits: exact, digits)
    return _shortened(result, digits)


def _shortened(result: Any, digits: int) -> Any:
    """Return exact numbers too long to print as balls that hold them; all else as it is."""
    if isinstance(result, (list, tuple)):
        parts = [_shortened(part, digits) for part in result]
        return parts if isinstance(result, list) else tuple(parts)
    if isinstance(result, np.ndarray) and result.dtype == object:
        return np.frompyfunc(lambda part: _shortened(part, digits), 1, 1)(result)
    if not isinstance(result, (int, Fraction, fmpq)) or isinstance(result, bool):
        return result
    exact = rational(result)
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) <= LONGEST:
        return result
    with ctx.workprec(math.ceil(digits * math.log2(10)) + 32):
        return ball(exact)


def _expression(formula: Formula, arguments: Mapping[str, Any]) -> Any:
    try:
        return formula.function(**arguments)
    except TypeError as error:  # a comparison or a ball of what is no number
        raise ValueError(f"{formula.name} is no expression at these arguments: {error}.") from None


def _each(arguments: Mapping[str, Any], convert: Callable[[Any], Any]) -> dict[str, Any] | None:
    """Return the arguments with every number converted; None if one cannot be."""
    try:
        return {name: _converted(argument, convert) for name, argument in arguments.items()}
    except TypeError:
        return None


def _converted(argument: Any, convert: Callable[[Any], Any]) -> Any:
    if isinstance(argument, list):
        return [_converted(part, convert) for part in argument]
    return convert(argument) if isinstance(argument, sympy.Expr) else argument


def _as_fraction(expression: sympy.Expr) -> Fraction:
    if not isinstance(expression, sympy.Rational):
        raise TypeError(f"{expression} is not rational")
    return Fraction(int(expression.p), int(expression.q))


def _certified(formula: Formula, arguments: Mapping[str, Any], digits: int) -> Any:
    """Return the value where some argument is irrational; the formula lifts what it must."""

    def kinds(bits: int) -> dict[str, Any]:
        return {
            name: _converted(argument, lambda expression: _own_kind(expression, bits))
            for name, argument in arguments.items()
        }

    return _to_digits(formula, kinds, digits)


def _in_balls(formula: Formula, arguments: Mapping[str, Any], digits: int) -> Any:
    """Return the value where rational arguments give floats: over balls it is certified."""

    def balls(bits: int) -> dict[str, Any]:
        return {name: _lifted(formula, name, each, bits) for name, each in arguments.items()}

    return _to_digits(formula, balls, digits)


def _to_digits(formula: Formula, at: Callable[[int], dict[str, Any]], digits: int) -> Any:
    """Return the value at a precision, doubled from need, that reaches the digits."""
    bits = math.ceil(digits * math.log2(10)) + 32
    while bits <= MOST_BITS:
        arguments = at(bits)
        with ctx.workprec(bits):
            result = formula.function(**arguments)
        if all(_reaches(leaf, digits) for leaf in leaves(result)):
            return result
        bits *= 2
    raise ValueError(f"{formula.name} does not reach {digits} digits at these arguments.")


def _own_kind(expression: sympy.Expr, bits: int) -> Any:
    """Return a rational number as it is, and any other as a ball."""
    if isinstance(expression, sympy.Rational):
        return _as_fraction(expression)
    return enclosure(expression, bits)


def _lifted(formula: Formula, name: str, argument: Any, bits: int) -> Any:
    """Return a number of the formula's field as a ball; all else, such as a count, as it is."""
    allowed = formula.ranges.get(name)
    if allowed is None or isinstance(allowed, Integers):
        return _converted(argument, lambda expression: _own_kind(expression, bits))
    return _converted(argument, lambda expression: enclosure(expression, bits))


def _reaches(leaf: Any, digits: int) -> bool:
    if not isinstance(leaf, arb):
        return not isinstance(leaf, float)
    if leaf.contains(0):  # zero, or a number too small to tell from it
        return bool(leaf.rad() <= arb(10) ** -max(digits, TINY))
    return bool(leaf.rad() <= abs(leaf.mid()) * arb(10) ** -digits)


def leaves(result: Any) -> list[Any]:
    """Return the numbers in a result; of an estimate, its ball."""
    if isinstance(result, Estimate):
        return [result.value] if isinstance(result.value, arb) else []
    if isinstance(result, Mapping):
        return [leaf for part in result.values() for leaf in leaves(part)]
    if isinstance(result, np.ndarray):
        return list(result.ravel())
    if isinstance(result, (list, tuple, Set)):
        return [leaf for part in result for leaf in leaves(part)]
    return [result]


def plain(result: Any, digits: int) -> Any:
    """Return a result as JSON data: numbers as text, except integers."""
    if isinstance(result, Estimate):
        return plain(result.value, digits)
    if isinstance(result, Mapping):
        return {_key(name): plain(part, digits) for name, part in result.items()}
    if isinstance(result, Set):
        return [plain(part, digits) for part in sorted(result)]
    if isinstance(result, np.ndarray) and result.dtype == object:
        texts = {id(part): plain(part, digits) for part in result.ravel()}  # each number once
        return np.frompyfunc(lambda part: texts[id(part)], 1, 1)(result).tolist()
    if isinstance(result, (list, tuple, np.ndarray)):
        return [plain(part, digits) for part in result]
    if isinstance(result, arb):
        return result.str(digits, radius=False)
    if isinstance(result, (Fraction, fmpq)):
        return str(rational(result))
    return result if isinstance(result, (int, type(None))) else str(result)


def _key(name: Any) -> str:
    """Return a name as it is, and a sequence, such as an outcome of several draws, in words."""
    return " ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def shown(result: Any, digits: int) -> str:
    """Return a result in digits, with its error if it has one."""
    data = plain(result, digits)
    error = error_of(result, digits)
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    if isinstance(data, list) and data and isinstance(data[0], list):
        text = "[" + ",\n ".join(json.dumps(row, ensure_ascii=False) for row in data) + "]"
    return text if error is None else f"{text} ± {error:g}"


def error_of(result: Any, digits: int) -> float | None:
    """Return how far the numbers of a result may be off, rounded up; None if they are exact."""
    if isinstance(result, Estimate) and isinstance(result.value, float):
        return result.error
    balls = {id(leaf): leaf for leaf in leaves(result) if isinstance(leaf, arb)}  # each once
    if not balls:
        return None
    farthest = max(_printing_error(leaf, digits) for leaf in balls.values())
    # Two digits, upward; the factor covers the rounding to floats.
    return float(UPWARD.create_decimal_from_float(farthest * (1 + 1e-9)))


def _printing_error(leaf: arb, digits: int) -> float:
    with ctx.workprec(MOST_BITS):
        return float(abs(leaf - arb(leaf.str(digits, radius=False))).upper())


def _document(
    formula: Formula, arguments: tuple[str, ...], result: Any, digits: int
) -> dict[str, Any]:
    error = error_of(result, digits)
    document = {
        "formula": formula.name,
        "arguments": dict(text.split("=", 1) for text in arguments),
        "value": plain(result, digits),
        "exact": error is None,
        "error": error,
    }
    return document | {"method": result.method} if isinstance(result, Estimate) else document
