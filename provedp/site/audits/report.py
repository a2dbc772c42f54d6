"""What the reports of all audits have in common: one file of HTML that needs no other."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from provedp.site import pages
from provedp.site.drawing import BLUE, ORANGE, Drawing

COLOURS = (BLUE, ORANGE)
SIDES = ("first data set", "second data set")
LONGEST = 600  # characters of a data set that are shown


@dataclass(frozen=True)
class Verdict:
    """A claim and what became of it, in words."""

    words: str
    is_refuted: bool


@dataclass(frozen=True)
class Part:
    """A part of a report below a heading: sentences, a table of names and values, pictures."""

    heading: str
    sentences: Sequence[str] = ()
    rows: dict[str, Any] = field(default_factory=dict)
    drawings: Sequence[Drawing] = ()
    code: str = ""


def document(
    kind: str, target: str, verdicts: Sequence[Verdict], lead: str, parts: Sequence[Part]
) -> str:
    """Return a whole report as HTML, its style sheet included.

    Parameters
    ----------
    kind, target
        What was looked at, such as 'Audit', and the name of whose it is.
    verdicts
        What became of each claim.
    lead
        What was found, in a few sentences.
    parts
        What follows.
    """
    style = pages.text_of("static/style.css")
    return pages.render(
        "report.html", kind=kind, target=target, verdicts=verdicts, lead=lead, parts=parts,
        style=style,
    )  # fmt: skip


def pair_part(data: tuple[str, str]) -> Part:
    """Return the part about the two data sets, cut if they are long."""
    return Part("The pair", rows=dict(zip(SIDES, map(_shown, data), strict=True)))


def repetition_part(command: str) -> Part:
    """Return the part about the command that repeats it all."""
    return Part("To repeat it", code=command)


def _shown(text: str) -> str:
    """Return a text, cut if it is long."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text)} characters)"
