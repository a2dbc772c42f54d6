"""What `provedp verify` prints: faults, a line for each section, the claims, the totals."""

from collections import Counter
from collections.abc import Sequence

import click

from provedp.verify.ledger import mutants, papers, record, texts, totals
from provedp.verify.ledger.claim import Verdict
from provedp.verify.ledger.entries import ClaimEntry, entries_of
from provedp.verify.ledger.mutants import MutantReport, Outcome
from provedp.verify.ledger.papers import Paper
from provedp.verify.ledger.run import Result

NAME = 22  # columns of a section's name
SHOWN = 12  # claims that are printed one by one without being asked for
COUNTED = {
    "proved": Verdict.PROVED,
    "cert.": Verdict.CERTIFIED,
    "supp.": Verdict.SUPPORTED,
    "refut.": Verdict.REFUTED,
}
HEADS = ("claims", *COUNTED, "other")
ROOMS = (7, 7, 6, 6, 7, 6)  # columns


def faults_of(results: Sequence[Result], entries: Sequence[record.Entry]) -> list[str]:
    """Return what is wrong with the records, and with claims that rest on such."""
    faults = [f"{result.id}: {result.fault}" for result in results if result.fault]
    fallen = {result.id for result in results if result.verdict is not result.recorded}
    return faults + [
        f"{entry['id']}: it rests on {name}, whose run differs from the record that it counts with"
        for entry in entries
        for name in entry["rests_on"]
        if name in fallen
    ]


def _styled(text: str, changed: bool) -> str:
    """Return a text in the colour of what is as recorded, or of what has changed."""
    return click.style(text, fg="red", bold=True) if changed else click.style(text, fg="green")


def print_faults(faults: Sequence[str]) -> None:
    """Print a line for each fault on standard error."""
    for fault in faults:
        click.echo(f"{_styled('FAULT', True)} {fault}", err=True)


def print_run(
    results: Sequence[Result],
    data: Sequence[record.Entry],
    faults: Sequence[str],
    with_rows: bool,
) -> None:
    """Print a row for each claim, if wanted, a line for each section, and the totals."""
    entries = entries_of(data)
    changed = {fault.partition(":")[0].partition(" ")[0] for fault in faults}
    if with_rows or len(results) <= SHOWN:
        for result, entry in zip(results, entries, strict=True):
            _print_row(result, entry, entry.id in changed)
        click.echo()
    _print_sections(results, entries, changed)
    click.echo()
    checks = sum(entry["evidence"]["checks"] for entry in data)
    for line in (*totals.lines(list(data)), f"{checks} checks ran."):
        click.echo(line)


def _print_row(result: Result, entry: ClaimEntry, changed: bool) -> None:
    """Print a claim, in a line that holds its id unfolded, and what was seen below."""
    verdict, rest = texts.claim_line(entry).split(" ", 1)
    click.echo(f"{_styled(verdict, changed)} {rest}")
    reason = entry.data["evidence"]["reason"]
    words = [result.evidence.in_words() or reason or result.fault, *_capped(entry)]
    told = "; ".join(filter(None, words))
    click.echo(texts.labelled("", f"{told} ({result.evidence.seconds:.2f} s)", texts.COLUMNS))


def _capped(entry: ClaimEntry) -> list[str]:
    """Return what caps a claim's own verdict, or that its machine-checked proof goes beyond it."""
    if entry.data["verdict"] == entry.data["own"]:
        return []
    if not entry.data["capped_by"]:
        return [f"its own check says {entry.data['own']}, its machine-checked proof is of all"]
    return [f"its own check says {entry.data['own']}, capped by {entry.data['capped_by']}"]


def _print_sections(
    results: Sequence[Result], entries: Sequence[ClaimEntry], changed: set[str]
) -> None:
    groups: dict[tuple[str, str], list[tuple[Result, ClaimEntry]]] = {}
    for result, entry in zip(results, entries, strict=True):
        groups.setdefault(_place(entry), []).append((result, entry))
    heads = "".join(f"{name:>{room}}" for name, room in zip(HEADS, ROOMS, strict=True))
    click.echo(f"{'':<{NAME}}{heads}{'s':>6}")
    for paper, section in sorted(groups, key=_order):
        found = groups[paper, section]
        counts = Counter(entry.verdict for _, entry in found)
        other = len(found) - sum(counts[verdict] for verdict in COUNTED.values())
        numbers = [len(found), *(counts[verdict] for verdict in COUNTED.values()), other]
        row = "".join(f"{n or '·':>{room}}" for n, room in zip(numbers, ROOMS, strict=True))
        seconds = sum(result.evidence.seconds for result, _ in found)
        fallen = sum(entry.id in changed for _, entry in found)
        told = _styled(f"{fallen} changed" if fallen else "as recorded", bool(fallen))
        click.echo(f"{f'{paper}  {section}':<{NAME}}{row}{seconds:>6.1f}  {told}")


def _place(entry: ClaimEntry) -> tuple[str, str]:
    """Return the paper and section of a claim; of one in no paper, its subject."""
    if entry.home is None:
        return entry.subject, "no paper"
    return str(entry.home.paper), entry.home.section


def _order(place: tuple[str, str]) -> tuple[int, int]:
    """Return a place's order: papers and their sections as they stand, then the rest."""
    names = [str(paper) for paper in Paper]
    paper, section = place
    if paper not in names or section == "no paper":
        return len(names), 0
    return names.index(paper), list(papers.items(Paper(paper))).index(section)


def print_mutants(reports: Sequence[MutantReport]) -> None:
    """Print how the mutants of each formula fared."""
    tried = [report for report in reports if report.has_formula]
    click.echo()
    for report in tried:
        click.echo(f"{len(report.killed):>4} {Outcome.KILLED}  {report.id}")
        for outcome in list(Outcome)[1:]:
            if report.outcomes[outcome]:
                named = f"{outcome}: {'; '.join(report.outcomes[outcome])}"
                click.echo(texts.labelled("", named, texts.COLUMNS))
    for line in mutants.summary(tried):
        click.echo(line)
    without = len(reports) - len(tried)
    if without:
        noun = "claim has" if without == 1 else "claims have"
        click.echo(f"{without} {noun} no formula under test, or none that holds, to put wrong.")
