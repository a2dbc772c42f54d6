"""Pages that stand on top of the repository, as pages of the site."""

import re
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
INCLUDED = re.compile(r"^<!-- the text of (\S+) -->$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")
ON_SITE = {"CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}


def rewritten(text: str) -> str:
    """Return Markdown whose links, made for the top of the repository, lead to pages of the site.

    >>> rewritten("[a](docs/architecture.md), [b](SECURITY.md#x), [c](Makefile)")
    '[a](architecture.md), [b](security.md#x), [c]'
    """

    def link(found: re.Match[str]) -> str:
        target = ON_SITE.get(found[1]) or found[1].removeprefix("docs/")
        on_site = found[1] in ON_SITE or found[1].startswith("docs/")
        return f"]({target}{found[2] or ''})" if on_site else "]"

    return LINK.sub(link, text)


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    def included(found: re.Match[str]) -> str:
        return rewritten((ROOT / found[1]).read_text(encoding="utf-8"))

    source[0] = INCLUDED.sub(included, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Read pages with what they include."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True}
