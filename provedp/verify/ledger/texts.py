"""Entries of the ledger as text: a line for each in a list, or one whole."""

import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from provedp.verify.formal import record as formal
from provedp.verify.ledger import papers, record, totals
from provedp.verify.ledger.claim import Role
from provedp.verify.ledger.entries import ClaimEntry, ItemEntry

COLUMNS = 80  # of a list's rows
LABEL = 12  # columns of a part's label
WIDEST = 100  # columns of running text


def claim_line(entry: ClaimEntry) -> str:
    """Return a claim's row in a list: verdict and id, which is never folded."""
    line = f"{entry.verdict!s:<9} {entry.id}"
    return line if len(line) <= COLUMNS else f"{entry.verdict} {entry.id}"


def item_line(found: ItemEntry) -> str:
    """Return an item's row in a list: name, number of claims, worst verdict, what it says."""
    head = f"  {found.item.name:<15}{len(found.claims):>4}  {found.verdict_in_words:<10}  "
    return head + shortened(found.item.statement or found.item.title, COLUMNS - len(head))


def shortened(text: str, room: int) -> str:
    """Return the beginning of a text, whole words of it, in so many columns.

    >>> shortened("The least error is (1 − δ)(1 − α).", 16)
    'The least error…'
    """
    return text if len(text) <= room else textwrap.shorten(text, max(room, 2), placeholder="…")


def first_sentence(statement: str) -> str:
    """Return what a statement opens with.

    >>> first_sentence("The bound is e.g. 2. It is attained.")
    'The bound is e.g. 2.'
    """
    return re.split(r"(?<=[^.][.?!])\s+(?=[A-Z(‘'])", statement, maxsplit=1)[0]


def listed_claims(entries: Sequence[ClaimEntry]) -> str:
    """Return a list of claims, below the items of the papers that they speak of first."""
    lines: list[str] = []
    heading = None
    for entry in entries:
        new = str(entry.home or f"{entry.subject}, in no paper")
        if new != heading:
            heading = new
            lines += ["", new] if lines else [new]
        lines.append(f"{claim_line(entry)}")
    noun = "claim" if len(entries) == 1 else "claims"
    tail = totals.in_words([dict(entry.data) for entry in entries]) if entries else f"0 {noun}"
    return "\n".join([*lines, *([""] if lines else []), tail])


def listed_items(found: Sequence[ItemEntry]) -> str:
    """Return a paper's contents: a line for each item, below its section."""
    lines: list[str] = []
    section = None
    for entry in found:
        if (entry.item.paper, entry.item.section) != section:
            section = entry.item.paper, entry.item.section
            title = papers.items(entry.item.paper)[entry.item.section].title
            lines += [""] if lines else []
            heading = f"{entry.item.paper}, {entry.item.section}: {title}"
            lines.append(shortened(heading, COLUMNS))
        lines.append(item_line(entry).rstrip())
    return "\n".join(lines)


def width() -> int:
    """Return the columns of running text: those of the terminal, within reason."""
    return max(40, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))


def labelled(label: str, text: str, columns: int | None = None) -> str:
    """Return a labelled part of a text, wrapped under its label."""
    return textwrap.fill(
        text,
        columns or width(),
        initial_indent=f"{label:<{LABEL}}",
        subsequent_indent=" " * LABEL,
        break_long_words=False,
        break_on_hyphens=False,
    )


def claim_in_full(
    data: Mapping[str, Any], repairs: Iterable[tuple[str, str]] = (), columns: int | None = None
) -> str:
    """Return a claim as text, one labelled part a line, then ids and statements of its repairs."""
    entry = dict(data)
    evidence = entry["evidence"]
    parts = [
        ("statement", entry["statement"]),
        ("source", f"{entry['role']}: {record.sources_in_words(entry)}"),
        *(("standing", line) for line in record.standing_in_words(entry)),
    ]
    if len(entry["chain"]) > 2:
        parts.append(("chain", " → ".join(entry["chain"])))
    proved = record.machine_checked_in_words(entry)
    if proved:
        parts.append(("evidence", f"{proved} ({formal.standing_in_words()})"))
    words = record.evidence_in_words(evidence)
    if words:
        parts.append(("evidence", f"{words} ({evidence['seconds']:.2f} s)"))
    parts += [("checked", line) for line in record.checked_in_words(entry)]
    if evidence["reason"]:
        parts.append(("open", evidence["reason"]))
    lines = [f"{entry['id']}: {record.verdict_in_words(entry)}"]
    lines += [labelled(label, text, columns) for label, text in parts]
    lines += _formal(entry["machine_checked"])
    lines += _counterexample(evidence)
    after = [("repairs", ", ".join(entry["repairs"])), ("the repair", evidence["repair"])]
    after += [("repair", f"{name}: {statement}") for name, statement in repairs]
    return "\n".join([*lines, *(labelled(label, text, columns) for label, text in after if text)])


def _formal(proof: Mapping[str, Any] | None) -> list[str]:
    """Return theorems as the assistant prints them, which is not to be folded."""
    if proof is None:
        return []
    return [
        line
        for name, statement in proof["theorems"].items()
        for line in (f"theorem     {name}", *(f"  {part}" for part in statement.splitlines()))
    ]


def _counterexample(evidence: Mapping[str, Any]) -> list[str]:
    if evidence["witness"] is None:
        return []
    values = [f"  {name} = {_laid_out(value)}" for name, value in evidence["witness"].items()]
    return ["counterexample", *values, f"  found: {evidence['found']}"]


def _laid_out(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], list):
        rows = [", ".join(row) for row in value]
        return "\n      ".join(["", *(f"[{row}]" for row in rows)])
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return str(value)


def item_in_full(
    found: ItemEntry, statements: Mapping[str, str], columns: int | None = None
) -> str:
    """Return an item whole: what it says, the claims, where it fails, what to use instead.

    Parameters
    ----------
    found
        The item and its claims.
    statements
        Of all claims, by id.
    columns
        Of the text; those of the terminal unless given.
    """
    item = found.item
    section = papers.items(item.paper)[item.section]
    lines = [f"{item}: {found.verdict_in_words}"]
    lines.append(labelled("paper", papers.title(item.paper), columns))
    if item.name != item.section:
        lines.append(labelled("section", f"{section.name}, {section.title}", columns))
    if item.statement:
        lines.append(labelled("statement", item.statement, columns))
    told = totals.in_words([dict(claim.data) for claim in found.claims])
    lines += [labelled("checked by", told, columns), ""] if found.claims else []
    for claim in found.claims:
        lines.append(f"{claim_line(claim)}")
        where = "" if claim.role is Role.PUBLISHED else f"{claim.role}: "
        part = claim.covers(item)
        text = f"{where}{f'[{part}] ' if part else ''}{first_sentence(claim.statement)}"
        lines.append(labelled("", text, columns))
    for claim in found.refuted:
        lines += ["", f"{claim.id} fails: {claim.defect or 'refuted'}"]
        lines.append(labelled("statement", claim.statement, columns))
        lines += _counterexample(claim.data["evidence"])
        lines += [
            labelled("instead", f"{name}: {statements.get(name, '')}", columns)
            for name in claim.repaired_by
        ]
    return "\n".join(lines)
