"""What the pages of all audits have in common: one file of HTML that needs no other."""

import base64
import io
from collections.abc import Sequence
from html import escape
from typing import Any

from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00")  # Okabe and Ito
SIDES = ("first data set", "second data set")
LONGEST = 600  # characters of a data set that are shown
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; } td, th { padding: .2em .8em .2em 0; text-align: left; }
.verdict { font-size: 1.4em; font-weight: bold; } .refuted { color: #b3261e; }
code, pre { background: #f4f4f4; white-space: pre-wrap; overflow-wrap: anywhere; }
img { max-width: 100%; }
"""


def document(title: str, parts: Sequence[str]) -> str:
    """Return a whole page of HTML."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n{body}\n</body></html>\n'


def verdict(words: str, refuted: bool) -> str:
    """Return a verdict as a paragraph."""
    mark = "verdict refuted" if refuted else "verdict"
    return f'<p class="{mark}">{escape(words)}</p>'


def pair_part(data: tuple[str, str]) -> str:
    """Return the part about the two data sets, cut if they are long."""
    return f"<h2>The pair</h2>{table(dict(zip(SIDES, map(_shown, data), strict=True)))}"


def repetition_part(command: str) -> str:
    """Return the part about the command that repeats it all."""
    return f"<h2>To repeat it</h2><pre>{escape(command)}</pre>"


def table(rows: dict[str, Any]) -> str:
    """Return rows of a name and a value as HTML."""
    cells = (f"<tr><th>{escape(k)}</th><td>{escape(str(v))}</td></tr>" for k, v in rows.items())
    return f"<table>{''.join(cells)}</table>"


def _shown(text: str) -> str:
    """Return a text, cut if it is long."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text)} characters)"


def image(figure: Figure, words: str) -> str:
    """Return a figure as HTML, with what it shows in words."""
    encoded = base64.b64encode(png(figure)).decode()
    return f'<img alt="{escape(words)}" src="data:image/png;base64,{encoded}">'


def png(figure: Figure) -> bytes:
    """Return a figure as the bytes of a PNG file."""
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()
