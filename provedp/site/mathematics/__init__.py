"""The mathematics of a sentence, written in Unicode text, as MathML."""

import re
from collections.abc import Sequence
from html import escape

from provedp.site.mathematics import elements
from provedp.site.mathematics.parse import FormulaError, mathml
from provedp.site.mathematics.spans import parts
from provedp.site.mathematics.tokens import Group, Item

__all__ = ["FormulaError", "formula", "sentence"]

LONG, LONGEST = 26, 36  # characters of a row, beyond which it is set smaller on a small screen


def sentence(text: str) -> str:
    """Return a sentence as HTML: its formulas in MathML, names of programs as code.

    No symbol is lost and none is moved. What stands for layout alone (`_`, `^`, the brackets of an
    exponent, of a numerator, of a root) becomes that layout.

    >>> sentence("u ≤ 1/2 here")
    '<math><mi>u</mi><mo>≤</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></math> here'
    """
    found: list[str] = []
    for part in parts(text):
        if found and not part.items[0].glued:
            found.append(" ")
        found.append(_formula(part.items) if part.is_math else _text(part.items))
    return "".join(found)


def formula(text: str) -> str | None:
    """Return a text that is one formula as HTML; None if it is none."""
    found = parts(text)
    if len(found) != 1 or not found[0].is_math:
        return None
    return _formula(found[0].items)


def _formula(items: Sequence[Item]) -> str:
    try:
        return " ".join(map(_whole, mathml(items)))
    except FormulaError:
        return f'<span class="math">{escape(_source(items))}</span>'


def _whole(row: str) -> str:
    """Return a row as a formula, marked if it may be too long for a small screen."""
    length = len(re.sub(r"<[^>]*>", "", row))
    size = "longest" if length > LONGEST else "long" if length > LONG else ""
    return elements.element("math", row, **({"class": size} if size else {}))


def _text(items: Sequence[Item]) -> str:
    text = _source(items)
    if text.startswith("`") and text.endswith("`") and len(text) > 2:
        return f"<code>{escape(text[1:-1])}</code>"
    return escape(text)


def _source(items: Sequence[Item]) -> str:
    """Return items as they were written."""
    written = ""
    for place, item in enumerate(items):
        written += "" if item.glued or place == 0 else " "
        if isinstance(item, Group):
            inner = _source(item.items)
            spaced = "" if item.end_glued else " "
            lead = "" if not item.items or item.items[0].glued else " "
            written += f"{item.opening}{lead}{inner}{spaced}{item.closing}"
        else:
            written += item.text
    return written
