"""`provedp show`: one claim whole."""

import json
from typing import Any

import click

from provedp import extras
from provedp.verify.ledger import Claim, record, registry
from provedp.verify.ledger.chain import Standing
from provedp.verify.ledger.run import Result, run


@click.command()
@click.argument("claim")
@click.option("--from", "file", metavar="FILE", help="A Python file of your own claims.")
@click.option("--json", "as_json", is_flag=True, help="Print the claim's ledger entry as JSON.")
def show(claim: str, file: str | None, as_json: bool) -> int:
    """Print one CLAIM whole: statement, verdict, evidence, counterexample and repair."""
    extras.require_docstrings()
    found = registry.find(claim, file)
    repairs = registry.repairs_of(found, file)
    result = run(found, repairs)
    standing = registry.standing(found, result.verdict, file)
    if standing.fault:
        result = result.with_fault(standing.fault)
    if as_json:
        entry = record.entry(found, result, tuple(repair.id for repair in repairs), standing)
        click.echo(json.dumps(entry, indent=1, ensure_ascii=False))
    else:
        click.echo(in_words(found, result, repairs, standing))
    if result.fault:
        click.echo(f"FAULT {result.fault}", err=True)
    return 1 if result.fault else 0


def in_words(claim: Claim, result: Result, repairs: tuple[Claim, ...], standing: Standing) -> str:
    """Return a claim that was run, what it rests on and its repairs, as text."""
    entry = record.entry(claim, result, tuple(repair.id for repair in repairs), standing)
    statements = [f"repair      {repair.id}: {repair.statement}" for repair in repairs]
    return "\n".join([in_full(entry, result.evidence.in_words()), *statements])


def in_full(entry: record.Entry, words: str) -> str:
    """Return a claim as text, one labelled part a line."""
    evidence = entry["evidence"]
    lines = [
        f"{entry['id']}: {record.verdict_in_words(entry)}",
        f"statement   {entry['statement']}",
        f"source      {entry['role']}: {record.sources_in_words(entry)}",
    ]
    lines += [f"standing    {line}" for line in record.standing_in_words(entry)]
    if len(entry["chain"]) > 2:
        lines.append(f"chain       {' → '.join(entry['chain'])}")
    if words:
        lines.append(f"evidence    {words} ({evidence['seconds']:.2f} s)")
    lines += [f"checked     {line}" for line in record.checked_in_words(entry)]
    if evidence["reason"]:
        lines.append(f"open        {evidence['reason']}")
    if evidence["witness"] is not None:
        lines.append("counterexample")
        lines += [f"  {name} = {_laid_out(v)}" for name, v in evidence["witness"].items()]
        lines.append(f"  found: {evidence['found']}")
    if entry["repairs"]:
        lines.append(f"repairs     {', '.join(entry['repairs'])}")
    if evidence["repair"]:
        lines.append(f"the repair  {evidence['repair']}")
    return "\n".join(lines)


def _laid_out(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], list):
        rows = [", ".join(row) for row in value]
        return "\n      ".join(["", *(f"[{row}]" for row in rows)])
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return str(value)
