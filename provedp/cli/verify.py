"""`provedp verify`: recompute every verdict and hold it against the record."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table

from provedp import extras
from provedp.cli.console import OutputConsole
from provedp.verify.files import require_apart, require_writable, write
from provedp.verify.ledger import committed, mutants, parallel, record, registry, totals
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.mutants import Outcome
from provedp.verify.ledger.run import Result

T = TypeVar("T")

FILE_WIDTH = 200  # columns
STYLES = {
    "proved": "bold green",
    "certified": "green",
    "supported": "cyan",
    "refuted": "red",
    "fault": "bold red",
    "open": "dim",
    "undecided": "yellow",
    "vacuous": "yellow",
}


@click.command()
@click.argument("pattern", required=False)
@click.option("--from", "file", metavar="FILE", help="A Python file of your own claims.")
@click.option(
    "--level",
    type=click.Choice([str(level) for level in Level]),
    default=str(Level.QUICK),
    show_default=True,
    help="How much of each domain is run.",
)
@click.option("--mutants", "with_mutants", is_flag=True, help="Try each check on wrong formulas.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Processes at a time."
)
@click.option("--json", "json_file", metavar="FILE", help="Write the run's ledger as JSON.")
@click.option("--markdown", "markdown_file", metavar="FILE", help="Write it as a page.")
def verify(
    pattern: str | None,
    file: str | None,
    level: str,
    with_mutants: bool,
    jobs: int,
    json_file: str | None,
    markdown_file: str | None,
) -> int:
    """Recompute every verdict, or those of the claims that PATTERN names (counting.error*).

    Exit status 0: every verdict is as recorded and, with --mutants, no check is blind; 1 otherwise.
    """
    extras.require_docstrings()
    outputs = [Path(each) for each in (json_file, markdown_file) if each is not None]
    require_apart([*outputs, *([] if file is None else [Path(file)])])
    for path in outputs:
        require_writable(path)
    chosen = registry.select(pattern, file)
    run_level = Level(level)
    results: list[Result] = []
    entries: list[record.Entry] = []
    names = [claim.id for claim in chosen]
    running = parallel.run_all(names, file=file, level=run_level, jobs=jobs)
    for result, entry in progress(running, len(names), "verifying"):
        results.append(result)
        entries.append(entry)
    print_table(results, entries)
    faults = [f"{result.id}: {result.fault}" for result in results if result.fault]
    faults += shaken(results, entries)
    if file is None and run_level is Level.QUICK:
        faults += against_committed(entries)
    if with_mutants:
        faults += run_mutants(names, file, run_level, jobs)
    for name, text in ((json_file, record.to_json), (markdown_file, record.to_markdown)):
        if name is not None:
            write(Path(name), text(entries))
    for fault in faults:
        click.echo(f"FAULT {fault}", err=True)
    return 1 if faults else 0


def progress(items: Iterable[T], total: int, label: str) -> Iterator[T]:
    """Yield `items` while a bar on standard error shows how many are done."""
    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield from bar.track(items, total=total)


def wide_console() -> Console:
    """Return a console on standard output, as wide as its terminal, or for a file wide enough."""
    return OutputConsole() if sys.stdout.isatty() else OutputConsole(width=FILE_WIDTH)


def print_table(results: list[Result], entries: list[record.Entry]) -> None:
    """Print one row a claim, then the totals."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("claim", "verdict", "role", "evidence"):
        table.add_column(heading, overflow="fold")
    table.add_column("seconds", justify="right")
    for result, entry in zip(results, entries, strict=True):
        verdict = entry["verdict"]
        words = result.evidence.in_words() or entry["evidence"]["reason"] or result.fault
        seconds = f"{result.evidence.seconds:.2f}"
        style = STYLES[verdict]
        words = "; ".join(part for part in (words, *capped_in_words(entry)) if part)
        told = f"[{style}]{record.verdict_in_words(entry)}[/]"
        table.add_row(result.id, told, entry["role"], _escape(words), seconds)
    console = wide_console()
    console.print(table)
    checks = sum(entry["evidence"]["checks"] for entry in entries)
    console.print()
    for line in (*totals.lines(entries), f"{checks} checks ran."):
        console.print(line, highlight=False)


def capped_in_words(entry: record.Entry) -> list[str]:
    """Return that a claim's own verdict is capped, and by what."""
    if entry["verdict"] == entry["own"]:
        return []
    return [f"its own check says {entry['own']}, capped by {entry['capped_by']}"]


def shaken(results: list[Result], entries: list[record.Entry]) -> list[str]:
    """Return a fault for each claim that rests on one whose run does not bear out its record."""
    fallen = {result.id for result in results if result.verdict is not result.recorded}
    return [
        f"{entry['id']}: it rests on {name}, whose run differs from the record that it counts with"
        for entry in entries
        for name in entry["rests_on"]
        if name in fallen
    ]


def _escape(text: str) -> str:
    return text.replace("[", r"\[")


def against_committed(entries: list[record.Entry]) -> list[str]:
    """Return the differences from the ledger that came with the package, or say there is none."""
    ledger = committed.ledger()
    if ledger is None:
        click.echo("provedp: the package holds no ledger.json to compare with.", err=True)
        return []
    known = set(registry.claims())
    return record.differences(ledger, entries) + record.removed(ledger, known)


def run_mutants(names: list[str], file: str | None, level: Level, jobs: int) -> list[str]:
    """Print how the mutants of each formula fared; return a fault for each blind check."""
    running = parallel.judge_all(names, file=file, level=level, jobs=jobs)
    reports = list(progress(running, len(names), "mutants"))
    judged = [report for report in reports if report.has_formula]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("claim", *Outcome):
        table.add_column(heading, overflow="fold")
    for report in judged:
        named = ("; ".join(report.outcomes[outcome]) for outcome in list(Outcome)[1:])
        table.add_row(report.id, str(len(report.killed)), *named)
    console = wide_console()
    console.print(table)
    for line in mutants.summary(judged):
        console.print(line, highlight=False)
    return [f"{report.id}: {fault}" for report in reports for fault in report.faults]
