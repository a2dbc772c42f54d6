"""`provedp show`: one claim, or one item of a paper, whole."""

import json
from pathlib import Path

import click

from provedp import extras, ledger
from provedp.cli.site import RECORDED, html_option, require_site, write_site


@click.command(
    epilog="""\b
Examples:
  provedp show 'counting, Theorem 1'           an item: its claims, where it fails, what holds
  provedp show 'modes, eq. (9)' --json
  provedp show counting.third_upper_bound_holds
  provedp show third_upper_bound_holds         the subject may be left out"""
)
@click.argument("name", metavar="CLAIM|'PAPER, ITEM'")
@click.option("--from", "file", metavar="FILE", help="A Python file of your own claims.")
@html_option
@click.option("--json", "as_json", is_flag=True, help="Print ledger entries as JSON.")
def show(name: str, file: str | None, html: str | None, as_json: bool) -> int:
    """Print a claim or an item of a paper whole.

    A claim is run: statement, source, verdict, evidence, counterexample and repair. An item is
    shown as recorded: what it says, its worst verdict, the claims and what each covers, where it
    fails, what to use instead.
    """
    extras.require_docstrings()
    require_site(html, [] if file is None else [Path(file)])
    page = ledger.show(name, file=file)
    if isinstance(page, ledger.ClaimPage):
        write_site(html, [page.as_data()], file, "recomputed by a run at the quick level")
    else:
        write_site(html, page.as_data()["claims"], file, RECORDED)
    click.echo(json.dumps(page.as_data(), indent=1, ensure_ascii=False) if as_json else str(page))
    fault = page.result.fault if isinstance(page, ledger.ClaimPage) else ""
    if fault:
        click.echo(f"FAULT {fault}", err=True)
    return 1 if fault else 0
