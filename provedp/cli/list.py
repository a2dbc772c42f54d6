"""`provedp list`: what the ledger holds, by paper and item, verdict, defect, role and words."""

import json
from pathlib import Path

import click

from provedp import ledger
from provedp.cli.site import RECORDED, html_option, require_site, write_site


@click.command(
    name="list",
    epilog="""\b
Examples:
  provedp list                                 the papers' items, with their verdicts
  provedp list --paper counting                those of one paper
  provedp list --item 'counting, Theorem 1'    the claims that speak of an item
  provedp list --verdict refuted --role published --paper modes
  provedp list --defect misprint
  provedp list adjacent covariance             claims with these words, or synonyms
  provedp list --html pages                    all as pages, none recomputed""",
)
@click.argument("text", nargs=-1)
@click.option("--paper", metavar="P", help="counting, mixture or modes.")
@click.option("--item", metavar="ITEM", help="Such as 'Theorem 1', 'eq. (10)' or 'Section IV-C'.")
@click.option("--verdict", metavar="V", help="proved, certified, supported, refuted or open.")
@click.option("--defect", metavar="D", help="false, gap in the proof, degenerate case, misprint.")
@click.option("--role", metavar="R", help="published, repaired or ours.")
@click.option("--claims", "as_claims", is_flag=True, help="List claims, even of a whole paper.")
@click.option("--from", "file", metavar="FILE", help="A Python file of your own claims.")
@html_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def list_(
    text: tuple[str, ...],
    paper: str | None,
    item: str | None,
    verdict: str | None,
    defect: str | None,
    role: str | None,
    as_claims: bool,
    file: str | None,
    html: str | None,
    as_json: bool,
) -> int:
    """List the papers' items or, with more than a paper asked for, the claims that fit.

    A claim fits TEXT if its id, statement and sources hold every word of it, or a synonym. Verdicts
    are those on record; `provedp verify` recomputes them.
    """
    narrowed = any((text, item, verdict, defect, role, as_claims, file))
    require_site(html, [] if file is None else [Path(file)])
    found: ledger.ClaimList | ledger.ItemList
    if narrowed:
        found = ledger.list_claims(
            paper=paper,
            item=item,
            verdict=verdict,
            defect=defect,
            role=role,
            text=" ".join(text) or None,
            file=file,
        )
    else:
        found = ledger.list_items(paper=paper)
    if html is not None:
        chosen = found if narrowed else ledger.list_claims(paper=paper)
        write_site(html, chosen.as_data(), file, RECORDED)
    click.echo(json.dumps(found.as_data(), indent=1, ensure_ascii=False) if as_json else str(found))
    return 0
