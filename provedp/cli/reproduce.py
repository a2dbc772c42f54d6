"""`provedp reproduce`: a paper's experiment, with the true privacy of what it compares."""

import difflib
import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from provedp.experiments import mixture
from provedp.verify.files import require_writable, write, write_bytes

SEEDS = 200


@click.command()
@click.argument("name", required=False)
@click.option("--seeds", type=click.IntRange(1), default=SEEDS, show_default=True, help="Runs.")
@click.option("--out", metavar="FOLDER", default=".", show_default=True, help="For the figure.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def reproduce(name: str | None, seeds: int, out: str, as_json: bool) -> int:
    """Run the experiment NAME (without it, list them) and save its figure and its numbers.

    The noise is replayable, seeds 0, 1, …, so the same command gives the same numbers. Releases are
    private as stated; what was published stands beside them with its true δ.
    """
    if name is None:
        for each, experiment in mixture.FIGURES.items():
            click.echo(f"{each:20} {experiment.__doc__}")
        return 0
    if name not in mixture.FIGURES:
        near = difflib.get_close_matches(name, mixture.FIGURES, n=1, cutoff=0.0)[0]
        raise ValueError(f"No experiment is called {name!r}. Did you mean {near}?")
    folder = Path(out)
    for suffix in (".json", ".png"):
        require_writable(folder / (name + suffix))
    experiment = mixture.FIGURES[name]
    rows = experiment(seeds)
    report = {"experiment": name, "title": experiment.__doc__, "seeds": seeds, "rows": rows}
    text = json.dumps(report, ensure_ascii=False)
    write(folder / f"{name}.json", text + "\n")
    from provedp.experiments.figures import draw  # matplotlib takes a second to load

    write_bytes(folder / f"{name}.png", draw(f"{name}: {experiment.__doc__}", rows))
    if as_json:
        click.echo(text)
    else:
        _print(rows)
        click.echo(f"Written: {folder / name}.json and .png")
    return 0


def _print(rows: list[dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False)
    for column in rows[0]:
        table.add_column(column.replace("_", " "), justify="right")
    for row in rows:
        table.add_row(*map(_cell, row.values()))
    Console(width=200, highlight=False).print(table)


def _cell(value: Any) -> str:
    """Return a number, or a median with its quartiles."""
    if isinstance(value, list):
        low, middle, high = value
        return f"{middle:.4g} [{low:.3g}, {high:.3g}]"
    return f"{value:.4g}"
