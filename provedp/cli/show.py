"""`provedp show`: one claim, or one item of a paper, whole."""

import json

import click

from provedp import extras, ledger


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
@click.option("--json", "as_json", is_flag=True, help="Print ledger entries as JSON.")
def show(name: str, file: str | None, as_json: bool) -> int:
    """Print a claim or an item of a paper whole.

    A claim is run: statement, source, verdict, evidence, counterexample and repair. An item is
    shown as recorded: what it says, its worst verdict, the claims and what each covers, where it
    fails, what to use instead.
    """
    extras.require_docstrings()
    page = ledger.show(name, file=file)
    click.echo(json.dumps(page.as_data(), indent=1, ensure_ascii=False) if as_json else str(page))
    fault = page.result.fault if isinstance(page, ledger.ClaimPage) else ""
    if fault:
        click.echo(f"FAULT {fault}", err=True)
    return 1 if fault else 0
