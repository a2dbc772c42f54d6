"""What the three papers number, section by section: the items that a source may name."""

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

FILE = resources.files("provedp.verify.ledger") / "papers.json"


class Paper(StrEnum):
    """The papers whose statements are checked."""

    COUNTING = "counting"
    MIXTURE = "mixture"
    MODES = "modes"


@dataclass(frozen=True)
class Item:
    """Something that a paper numbers, such as a theorem, an equation or a section.

    Parameters
    ----------
    paper
        The paper it stands in.
    name
        As it is cited: 'Theorem 1', 'eq. (10)', 'Figure 3', 'Section V-A', 'Table I'.
    section
        The section it stands in; of a section, itself.
    statement
        What it says, in our words; empty if its title says it.
    title
        A section's title; else empty.
    """

    paper: Paper
    name: str
    section: str
    statement: str = ""
    title: str = ""

    def __str__(self) -> str:
        return f"{self.paper}, {self.name}"


def title(paper: Paper) -> str:
    """Return a paper's title."""
    return str(_contents()[paper]["title"])


def items(paper: Paper) -> dict[str, Item]:
    """Return a paper's items by name, in its order; a section stands before what is in it."""
    return dict(_items(paper))


@cache
def _items(paper: Paper) -> dict[str, Item]:
    found = {}
    for section in _contents()[paper]["sections"]:
        name = section["name"]
        found[name] = Item(paper, name, name, title=section["title"])
        for item, statement in section["items"].items():
            found[item] = Item(paper, item, name, statement)
    return found


def is_within(section: str, outer: str) -> bool:
    """Return whether a section is another, or a part of it.

    >>> is_within("Section 5.1", "Section 5"), is_within("Section 5.1", "Section 5.10")
    (True, False)
    >>> is_within("Section IV-C", "Section IV"), is_within("Section IV", "Section I")
    (True, False)
    """
    return section == outer or section.startswith((f"{outer}.", f"{outer}-"))


@cache
def _contents() -> dict[str, dict[str, Any]]:
    content: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return content
