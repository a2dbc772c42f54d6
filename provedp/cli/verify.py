"""`provedp verify`: recompute every verdict and hold it against the record."""

import os
from pathlib import Path

import click

from provedp import extras
from provedp.cli import verdicts
from provedp.cli.progress import progress
from provedp.cli.site import html_option, require_site, write_site
from provedp.verify.files import require_apart, require_writable, write
from provedp.verify.formal import record as formal
from provedp.verify.ledger import committed, pages, parallel, record, registry
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.mutants import MutantReport


@click.command(
    epilog="""\b
Examples:
  provedp verify                        all claims: differences, sections, totals
  provedp verify 'counting.error*'      some of them
  provedp verify --all --jobs 4         with a row for each claim
  provedp verify --from my_claims.py --mutants"""
)
@click.argument("pattern", required=False)
@click.option("--from", "file", metavar="FILE", help="A Python file of your own claims.")
@click.option(
    "--level",
    type=click.Choice([str(level) for level in Level]),
    default=str(Level.QUICK),
    show_default=True,
    help="How much of each domain is run.",
)
@click.option("--all", "with_rows", is_flag=True, help="Print every claim with its evidence.")
@click.option("--mutants", "with_mutants", is_flag=True, help="Try each check on wrong formulas.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Processes at a time."
)
@click.option("--json", "json_file", metavar="FILE", help="Write the run's ledger as JSON.")
@click.option("--markdown", "markdown_file", metavar="FILE", help="Write it as a page.")
@click.option(
    "--pages",
    "folder",
    metavar="DIR",
    help="Write a page for each paper there; the page of --markdown is then their contents.",
)
@html_option
def verify(
    pattern: str | None,
    file: str | None,
    level: str,
    with_rows: bool,
    with_mutants: bool,
    jobs: int,
    json_file: str | None,
    markdown_file: str | None,
    folder: str | None,
    html: str | None,
) -> int:
    """Recompute every verdict, or those of the claims that PATTERN names (counting.error*).

    What differs from the record comes first, as FAULT lines; then a line for each section of a
    paper, with how many claims have each verdict; then the totals.

    Exit status 0: every verdict is as recorded and, with --mutants, no check is blind; 1 otherwise.
    """
    extras.require_docstrings()
    outputs = _outputs(json_file, markdown_file, folder)
    read = [] if file is None else [Path(file)]
    require_apart([*outputs, *read])
    require_site(html, [*outputs, *read])
    for path in outputs:
        require_writable(path)
    chosen = registry.select(pattern, file)
    run_level = Level(level)
    ledger = None
    if file is None and run_level is Level.QUICK and not _is_replaced(json_file):
        ledger = recorded()
    names = [claim.id for claim in chosen]
    running = parallel.run_all(names, file=file, level=run_level, jobs=jobs)
    ran = list(progress(running, len(names), "verifying"))
    results, entries = [result for result, _ in ran], [entry for _, entry in ran]
    faults = verdicts.faults_of(results, entries)
    if ledger is not None:
        faults += record.differences(ledger, entries)
        faults += record.removed(ledger, set(registry.claims()))
    if file is None:
        faults += formal.differences()
    reports = judged(names, file, run_level, jobs) if with_mutants else []
    faults += [f"{report.id}: {fault}" for report in reports for fault in report.faults]
    _write(json_file, markdown_file, folder, entries, own=file is None)
    write_site(html, entries, file, _origin(run_level, faults))
    verdicts.print_faults(faults)
    verdicts.print_run(results, entries, faults, with_rows)
    if any(entry["machine_checked"] for entry in entries):
        click.echo(f"Machine-checked proofs are {formal.standing_in_words()}.")
    if with_mutants:
        verdicts.print_mutants(reports)
    return 1 if faults else 0


def _outputs(json_file: str | None, markdown_file: str | None, folder: str | None) -> list[Path]:
    """Return the files that will be written; raise `ValueError` if their folder is not there."""
    files = [Path(each) for each in (json_file, markdown_file) if each is not None]
    if folder is None:
        return files
    if not Path(folder).is_dir():
        raise ValueError(f"{folder} is no folder, where --pages would write.")
    return [*files, *(Path(folder) / name for name in pages.pages([]))]


def _write(
    json_file: str | None,
    markdown_file: str | None,
    folder: str | None,
    entries: list[record.Entry],
    own: bool,
) -> None:
    if json_file is not None:
        write(Path(json_file), record.to_json(entries))
    if markdown_file is not None and folder is None:
        write(Path(markdown_file), pages.whole(entries, own=own))
    if markdown_file is not None and folder is not None:
        start = Path(markdown_file).resolve().parent
        seen = Path(os.path.relpath(Path(folder).resolve(), start)).as_posix()
        write(Path(markdown_file), pages.contents(entries, seen, own=own))
    if folder is not None:
        for name, text in pages.pages(entries).items():
            write(Path(folder) / name, text)


def _origin(level: Level, faults: list[str]) -> str:
    """Return what the pages say of where their verdicts come from."""
    differing = f"; the run found {len(faults)} differences from the record" if faults else ""
    return f"recomputed by a run at the {level} level{differing}"


def recorded() -> record.Entry | None:
    """Return the ledger that came with the package; None, which is said, if there is none."""
    ledger = committed.ledger()
    if ledger is None:
        click.echo("provedp: the package holds no ledger.json to compare with.", err=True)
    return ledger


def _is_replaced(json_file: str | None) -> bool:
    """Return whether the run writes the ledger that it would be compared with, of another format.

    Said before the run, which takes minutes.
    """
    if json_file is None or Path(json_file).resolve() != Path(str(committed.FILE)).resolve():
        return False
    try:
        committed.ledger()
    except ValueError as error:
        click.echo(f"provedp: {error} It is replaced, and compared with nothing.", err=True)
        return True
    return False


def judged(names: list[str], file: str | None, level: Level, jobs: int) -> list[MutantReport]:
    """Return how the mutants of each claim's formula fared."""
    running = parallel.judge_all(names, file=file, level=level, jobs=jobs)
    return list(progress(running, len(names), "mutants"))
