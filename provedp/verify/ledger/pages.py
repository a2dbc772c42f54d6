"""The ledger as pages of Markdown: contents by paper and item, every claim with its evidence."""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from provedp.verify.ledger import papers, record, totals
from provedp.verify.ledger.entries import ClaimEntry, ItemEntry, entries_of, item_entries
from provedp.verify.ledger.papers import Paper

OURS = "ours"  # the page of what is in no paper
WRITTEN = {
    True: (
        "Written by `make ledger`; `make verify` recomputes all of it and fails on any difference."
    ),
    False: "Written by `provedp verify`, which recomputes all of it.",
}


def contents(data: Sequence[record.Entry], folder: str, *, own: bool = True) -> str:
    """Return the page of contents: totals, then each paper's items, verdicts and claims, linked.

    Parameters
    ----------
    data
        The ledger's entries.
    folder
        Where the papers' pages are, as seen from this page: 'docs/papers'.
    own
        Whether it is the project's ledger, or a user's.
    """
    entries = entries_of(data)
    lines = [*_head(data, own), ""]
    for paper in Paper:
        found = item_entries(paper, entries)
        if found:
            page = str(PurePosixPath(folder) / f"{paper}.md")
            lines += [f"## [{paper}: {papers.title(paper)}]({page})", ""]
            lines += [*_contents_of(found, entries, folder), ""]
    apart = [entry for entry in entries if entry.home is None]
    if apart:
        lines += [f"## [Claims of ours, in no paper]({PurePosixPath(folder) / OURS}.md)", ""]
        lines += ["| about | claims |", "| --- | --- |"]
        lines += [
            f"| {subject}: {cell(about)} | {', '.join(_link(e, folder) for e in found)} |"
            for (subject, about), found in _by_subject(apart).items()
        ]
    return "\n".join(lines).rstrip() + "\n"


def pages(data: Sequence[record.Entry]) -> dict[str, str]:
    """Return the page of each paper, and the one of what is in none, by the name of its file.

    A claim stands whole at the first item that it speaks of, and is linked from the others.
    """
    entries = entries_of(data)
    made = {f"{p}.md": _paper_page(p, item_entries(p, entries)) for p in Paper}
    return {**made, f"{OURS}.md": _own_page([e for e in entries if e.home is None])}


def whole(data: Sequence[record.Entry], *, own: bool = False) -> str:
    """Return one page of everything: totals, then each claim with its evidence."""
    lines = [*_head(data, own), ""]
    subject = ""
    for entry in entries_of(data):
        if entry.subject != subject:
            subject = entry.subject
            lines += [f"## {subject}", ""]
        lines += _claim(entry, "###")
    return "\n".join(lines).rstrip() + "\n"


def _head(data: Sequence[record.Entry], own: bool) -> list[str]:
    checks = sum(item["evidence"]["checks"] for item in data)
    return [
        "# Ledger",
        "",
        "Every claim, its verdict and the evidence of the quick run.",
        WRITTEN[own],
        "",
        *(f"- {line}" for line in totals.lines(list(data))),
        f"- {checks} checks.",
    ]


def _contents_of(
    found: Iterable[ItemEntry], entries: Sequence[ClaimEntry], folder: str
) -> list[str]:
    lines = ["| item | worst verdict | claims |", "| --- | --- | --- |"]
    for each in found:
        page = PurePosixPath(folder) / f"{each.item.paper}.md"
        claims = ", ".join(_link(entry, folder) for entry in each.claims)
        lines.append(
            f"| [{each.item.name}]({page}#{anchor(each.item.name)}) "
            f"| {each.verdict_in_words} | {claims} |"
        )
    return lines


def anchor(name: str) -> str:
    """Return the anchor of an item on its paper's page.

    >>> anchor("Theorem 4.1"), anchor("eq. (10)"), anchor("Section IV-C")
    ('theorem-4.1', 'eq-10', 'section-iv-c')
    """
    kept = "".join(letter for letter in name.lower() if letter.isalnum() or letter in " .-")
    return kept.replace(". ", " ").replace(" ", "-")


def cell(text: str) -> str:
    """Return a text as a cell of a table, where a bar would end it."""
    return text.replace("|", "\\|")


def _link(entry: ClaimEntry, folder: str, mark: bool = True) -> str:
    home = OURS if entry.home is None else str(entry.home.paper)
    page = PurePosixPath(folder) / f"{home}.md" if folder else f"{home}.md"
    word = f" ({entry.verdict})" if mark else ""
    return f"[{entry.id.partition('.')[2]}]({page}#{entry.id}){word}"


def _paper_page(paper: Paper, found: Sequence[ItemEntry]) -> str:
    lines = [f"# {papers.title(paper)}", "", f"What the {paper} paper says, and what holds.", ""]
    section = ""
    for each in found:
        item = each.item
        if item.section != section:
            section = item.section
            lines += [f"## {section}: {papers.items(paper)[section].title}", ""]
        heading = "### In the section itself" if item.name == section else f"### {item.name}"
        lines += [f'<a id="{anchor(item.name)}"></a>', "", heading, ""]
        lines += [item.statement, ""] if item.statement else []
        lines += [f"**{each.verdict_in_words}**; {_told(each)}", ""]
        elsewhere = [entry for entry in each.claims if entry.home != item]
        if elsewhere:
            lines += [f"See also {', '.join(_link(entry, '') for entry in elsewhere)}.", ""]
        for entry in each.claims:
            if entry.home == item:
                lines += _claim(entry, "####")
    return "\n".join(lines).rstrip() + "\n"


def _told(each: ItemEntry) -> str:
    return totals.in_words([dict(entry.data) for entry in each.claims])


def _own_page(entries: Sequence[ClaimEntry]) -> str:
    lines = [
        "# Claims of ours, in no paper",
        "",
        "What mechanisms, formulas and audits rest on.",
        "",
    ]
    subject = ""
    for (named, about), found in _by_subject(entries).items():
        if named != subject:
            subject = named
            lines += [f"## {subject}", ""]
        lines += [f"### {about}", ""]
        for entry in found:
            lines += _claim(entry, "####")
    return "\n".join(lines).rstrip() + "\n"


def _by_subject(entries: Iterable[ClaimEntry]) -> dict[tuple[str, str], list[ClaimEntry]]:
    """Return claims by the subject of their ids and by what they are about."""
    found: dict[tuple[str, str], list[ClaimEntry]] = {}
    for entry in entries:
        first = entry.sources[0]
        about = first.item if first.paper is None else f"{first.paper}, {first.item}".rstrip(", ")
        found.setdefault((entry.subject, about), []).append(entry)
    return dict(sorted(found.items(), key=lambda pair: list(_subjects(entries)).index(pair[0][0])))


def _subjects(entries: Iterable[ClaimEntry]) -> dict[str, None]:
    return dict.fromkeys(entry.subject for entry in entries)


def _claim(entry: ClaimEntry, mark: str) -> list[str]:
    """Return a claim with its evidence, below a heading."""
    data = dict(entry.data)
    evidence = data["evidence"]
    lines = [f'<a id="{entry.id}"></a>', "", f"{mark} `{entry.id}`: {entry.verdict_in_words}", ""]
    lines += [entry.statement, "", f"- {entry.role}: {entry.sources_in_words}"]
    lines += [f"- {line}" for line in record.standing_in_words(data)]
    proved = record.machine_checked_in_words(data)
    if proved:
        lines.append(f"- {proved}")
    if evidence["kind"] is not None:
        lines.append(f"- evidence: {record.evidence_in_words(evidence | {'witness': None})}")
    if evidence["witness"] is not None:
        witness = "; ".join(f"{n} = {record.compact(v)}" for n, v in evidence["witness"].items())
        lines.append(f"- counterexample: {witness}; found {evidence['found']}")
    if evidence["reason"]:
        lines.append(f"- open because {evidence['reason']}")
    for label, names in (("repairs", data["repairs"]), ("repaired by", data["repaired_by"])):
        if names:
            lines.append(f"- {label} {', '.join(f'`{name}`' for name in names)}")
    return [*lines, "", *_formal(data)]


def _formal(data: record.Entry) -> list[str]:
    """Return the theorems of a claim as the assistant prints them."""
    if data["machine_checked"] is None:
        return []
    theorems = data["machine_checked"]["theorems"]
    return [
        line
        for name, statement in theorems.items()
        for line in (f"`{name}`:", "", "```coq", statement, "```", "")
    ]
