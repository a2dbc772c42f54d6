"""Docstrings of formulas, with what the data say: the range of each parameter, and the error.

A formula's docstring in the source holds its sentence, the formula, what parameters mean where the
glossary does not say it, what is returned, errors beyond the ranges, the source and an example.
"""

import inspect
import re
from collections.abc import Mapping
from typing import NamedTuple

GLOSSARY = {
    "adjacency": "What one record may do.",
    "bound": "B with |x| ≤ B for every record.",
    "channel": "T; row i is the law of the output for message i.",
    "d": "Dimension.",
    "delta": "δ.",
    "dimension": "d, the dimension.",
    "epsilon": "ε in nats.",
    "gamma": "γ.",
    "gap": "|i − j|.",
    "h": "Bandwidth.",
    "k": "e^ε (ε in nats).",
    "m": "Number of counts.",
    "mechanism": "Row i is the law of the output for count i.",
    "mu": "Shift over standard deviation.",
    "norm": "Order of the norm.",
    "rounds": "T, the number of rounds.",
}  # what the usual parameters are, unless a formula says otherwise

SECTION = re.compile(r"^(Parameters|Returns|Raises)\n-+\n", re.MULTILINE)
TAIL = re.compile(r"^(?=Source:|>>> )", re.MULTILINE)
ENTRY = re.compile(r"^(?P<head>\S.*)\n(?P<text>(?:(?:    .*)?\n)*)", re.MULTILINE)
OUTSIDE = "If an argument is outside its range."


class _Parts(NamedTuple):
    """A docstring in its parts."""

    opening: str
    sections: dict[str, str]
    source: str
    example: str


def documented(
    text: str | None, signature: inspect.Signature, ranges: Mapping[str, object]
) -> str | None:
    """Return a formula's docstring with its parameters' ranges and the error outside them."""
    if text is None:  # python -OO
        return None
    parts = _parts(inspect.cleandoc(text))
    sections = parts.sections
    written = {
        "Parameters": _parameters(signature, ranges, sections.get("Parameters", "")),
        "Returns": sections.get("Returns", ""),
        "Raises": _raises(sections.get("Raises", "")) if ranges else sections.get("Raises", ""),
        "Notes": parts.source,
        "Examples": parts.example,
    }
    texts = [
        f"{title}\n{'-' * len(title)}\n{text.strip()}" for title, text in written.items() if text
    ]
    return "\n\n".join([parts.opening.strip(), *texts])


def _parts(text: str) -> _Parts:
    body, *tail = TAIL.split(text, maxsplit=1)
    opening, *titled = SECTION.split(body)
    source, *example = re.split(r"^(?=>>> )", tail[0] if tail else "", maxsplit=1, flags=re.M)
    sections = dict(zip(titled[::2], titled[1::2], strict=True))
    return _Parts(opening, sections, source, "".join(example))


def _entries(section: str) -> dict[str, str]:
    """Return the text of each entry, indented as it is; names in one head share it."""
    found = {}
    for entry in ENTRY.finditer(section.rstrip() + "\n"):
        for name in entry["head"].split(", "):
            found[name] = entry["text"].rstrip()
    return found


def _parameters(signature: inspect.Signature, ranges: Mapping[str, object], section: str) -> str:
    meanings = _entries(section)
    lines = []
    for name, parameter in signature.parameters.items():
        allowed = _allowed(ranges[name], parameter.default) if name in ranges else ""
        lines.append(f"{name} : {allowed}" if allowed else name)
        meaning = meanings.get(name) or "    " + GLOSSARY.get(name, "")
        if meaning.strip():
            lines.append(meaning)
    return "\n".join(lines)


def _allowed(allowed: object, default: object) -> str:
    symbolic = ", or a symbol for one" if getattr(allowed, "symbolic", False) else ""
    optional = "" if default is inspect.Parameter.empty else ", optional"
    return f"{allowed}{symbolic}{optional}"


def _raises(section: str) -> str:
    """Return the errors: the one outside the ranges first, then what the formula says."""
    entries = _entries(section)
    more = entries.pop("ValueError", "")
    own = f"    {OUTSIDE}\n{more}" if more else f"    {OUTSIDE}"
    return "\n".join(["ValueError", own, *(f"{name}\n{text}" for name, text in entries.items())])
