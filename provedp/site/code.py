"""Python code with its words marked by kind."""

from functools import cache
from typing import Any

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer


@cache
def _tools() -> tuple[Any, Any]:
    return PythonLexer(), HtmlFormatter(nowrap=True)


def highlighted(code: str) -> Markup:
    """Return code as HTML, with classes whose colours the style sheet has."""
    lexer, formatter = _tools()
    return Markup(highlight(code, lexer, formatter))
