"""Pages from templates, which are filled with views of claims and with pictures."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from importlib.metadata import version
from typing import Any

import jinja2
from markupsafe import Markup

from provedp.site import words
from provedp.site.mathematics import sentence

ROOM = resources.files("provedp.site")


@cache
def environment() -> jinja2.Environment:
    """Return what reads templates: all that they insert is escaped, and no name may be missing."""
    found = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: text_of(f"templates/{name}")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {
        "version": version("provedp"),
        "meanings": words.MEANINGS,
        "defects": words.DEFECTS,
        "roles": words.ROLES,
    }
    found.filters |= {
        "slug": words.slug,
        "mathematics": lambda text: Markup(sentence(text)),
        "counted": words.counted,
        "several": words.several,
    }
    return found


def render(template: str, **values: Any) -> str:
    """Return a page."""
    return environment().get_template(template).render(**values)


def text_of(name: str) -> str:
    """Return a file that came with the pages' room."""
    return (ROOM / name).read_text(encoding="utf-8")


def search_index(rows: Sequence[Mapping[str, str]]) -> str:
    """Return what the search looks through as a script, since a page on disk may read no data."""
    listed = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    safe = listed.replace("</", "<\\/")
    return f"window.PROVEDP_CLAIMS={safe};\n"
