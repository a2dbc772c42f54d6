"""Counterexamples as small matrices, lists and numbers."""

import re
from html import escape
from typing import Any

from provedp.site.mathematics import elements

WIDEST, NARROW = 12, 5  # columns of a matrix that is shown as one, and that fits a small screen
LONGEST = 24  # entries of a list on a line
BALL = re.compile(r"\[(?P<middle>[^\s\[\]]+) \+/- (?P<radius>[^\s\[\]]+)\]")
FRACTION = re.compile(r"(-?)(\d+)/(\d+)")
NUMBER = re.compile(r"(-?)(\d+(?:\.\d+)?)(?:e([-+]?\d+))?")
POOLED = re.compile(r"Fraction\((-?\d+), (\d+)\)")
SHOWN = 10  # digits of a ball
LONG = 30  # characters of a comparison that may not fit a small screen


def value_in_html(value: Any) -> str:
    """Return one part of a counterexample as HTML."""
    if isinstance(value, dict):
        return "; ".join(f"{escape(name)} = {value_in_html(part)}" for name, part in value.items())
    if _is_matrix(value):
        matrix = f"<math>{_matrix(value)}</math>"
        if len(value[0]) <= NARROW:
            return matrix
        named = 'tabindex="0" role="group" aria-label="matrix"'
        return f'<span class="scroll" {named}>{matrix}</span>'
    if isinstance(value, list):
        return _listed(value)
    return number_in_html(str(value))


def number_in_html(text: str) -> str:
    """Return a number as MathML, and another text as code."""
    mathml = _number(text)
    if mathml is not None:
        return f"<math>{mathml}</math>"
    return f"<code>{escape(POOLED.sub(_quotient, text))}</code>"


def found_in_html(text: str) -> str:
    """Return what was found at a counterexample: two numbers and their relation, or words."""
    for relation in (" ≠ ", " ≥ ", " > ", " ≤ ", " < "):
        left, sign, right = text.partition(relation)
        sides = _number(left), _number(right)
        if sign and sides[0] is not None and sides[1] is not None:
            # A line may end before the relation of long numbers.
            middle = "</math> <math>" if len(text) > LONG else ""
            return f"<math>{sides[0]}{middle}{elements.operator(sign.strip())}{sides[1]}</math>"
    return number_in_html(text) if BALL.search(text) else escape(text)


def _quotient(match: re.Match[str]) -> str:
    return match[1] if match[2] == "1" else f"{match[1]}/{match[2]}"


def _is_matrix(value: Any) -> bool:
    if not (isinstance(value, list) and value and all(isinstance(row, list) for row in value)):
        return False
    widths = {len(row) for row in value}
    atoms = all(isinstance(entry, str) for row in value for entry in row)
    return len(widths) == 1 and 0 < widths.pop() <= WIDEST and atoms


def _matrix(rows: list[list[str]]) -> str:
    cells = [
        elements.element(
            "mtr",
            *(elements.element("mtd", _number(x) or elements.name(x)) for x in row),
        )
        for row in rows
    ]
    return elements.fenced("(", elements.element("mtable", *cells), ")")


def _listed(values: list[Any]) -> str:
    flat = all(isinstance(value, str) and _number(value) is not None for value in values)
    if flat and 0 < len(values) <= LONGEST:  # with places to break the line
        return f"({', '.join(map(number_in_html, values))})"
    shown = (value_in_html(value) for value in values)
    return ", ".join(
        f"({text})" if isinstance(value, list) else text
        for value, text in zip(values, shown, strict=True)
    )


def _number(text: str) -> str | None:
    """Return a whole number, a fraction, a decimal or a ball as MathML; None for another text."""
    text = text.strip()
    ball = BALL.fullmatch(text)
    if ball is not None:
        return elements.row(elements.operator("≈", prefix=True), _decimal(ball["middle"]))
    fraction = FRACTION.fullmatch(text)
    if fraction is not None:
        above, below = elements.number(fraction[2]), elements.number(fraction[3])
        return _signed(fraction[1], elements.element("mfrac", above, below))
    return _decimal(text) if NUMBER.fullmatch(text) else None


def _decimal(text: str) -> str:
    found = NUMBER.fullmatch(text)
    if found is None:
        return elements.name(text)
    digits = found[2]
    if "." in digits and len(digits) > SHOWN + 2:
        digits = digits[: max(digits.index(".") + 1 + SHOWN, 0)].rstrip("0").rstrip(".") + "…"
    mantissa = elements.number(digits)
    if found[3] is None:
        return _signed(found[1], mantissa)
    power = _signed("-" * found[3].startswith("-"), elements.number(found[3].lstrip("+-")))
    tens = elements.element("msup", elements.number("10"), power)
    return _signed(found[1], elements.row(mantissa, elements.operator("·"), tens))


def _signed(sign: str, mathml: str) -> str:
    return elements.row(elements.operator("−", prefix=True), mathml) if sign else mathml
