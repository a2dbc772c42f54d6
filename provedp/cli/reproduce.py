"""`provedp reproduce`: a paper's experiment, with the true privacy of what it compares."""

import difflib
import json
import math
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from provedp.cli.console import OutputConsole
from provedp.experiments import mixture, modes
from provedp.verify.files import require_writable, write, write_bytes

EXPERIMENTS = mixture.FIGURES | modes.FIGURES
ELSEWHERE = {
    "modes.table8": "MNIST",
    "modes.table9": "RNA sequences of tumours",
    "mixture.figure14": "load profiles of 1409 houses",
}
WIDEST = 12  # columns of a table
SEEDS = {"mixture": 200, "modes": 20}  # as many as the papers took


@click.command()
@click.argument("name", required=False)
@click.option("--seeds", type=click.IntRange(1), help="Runs; 200 or 20 by default, by paper.")
@click.option("--out", metavar="FOLDER", default=".", show_default=True, help="For the figure.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def reproduce(name: str | None, seeds: int | None, out: str, as_json: bool) -> int:
    """Run the experiment NAME (without it, list them) and save its figure and its numbers.

    The noise is replayable, so the same command gives the same numbers. Releases are private as
    stated; what was published stands beside them with its true privacy.
    """
    if name is None:
        for each, experiment in EXPERIMENTS.items():
            click.echo(f"{each:20} {_title(experiment)}")
        return 0
    if name in ELSEWHERE:
        raise ValueError(f"{name} is about {ELSEWHERE[name]}, which does not come with provedp.")
    if name not in EXPERIMENTS:
        near = difflib.get_close_matches(name, EXPERIMENTS, n=1, cutoff=0.0)[0]
        raise ValueError(f"No experiment is called {name!r}. Did you mean {near}?")
    folder = Path(out)
    for suffix in (".json", ".png"):
        require_writable(folder / (name + suffix))
    runs, title = seeds or SEEDS[name.split(".")[0]], _title(EXPERIMENTS[name])
    rows = EXPERIMENTS[name](runs)
    report = {"experiment": name, "title": title, "seeds": runs, "rows": _finite(rows)}
    text = json.dumps(report, ensure_ascii=False, allow_nan=False)
    write(folder / f"{name}.json", text + "\n")
    write_bytes(folder / f"{name}.png", _picture(name, title, rows))
    if as_json:
        click.echo(text)
    else:
        _print(rows)
        click.echo(f"Written: {folder / name}.json and .png")
    return 0


def _title(experiment: Any) -> str:
    return (experiment.__doc__ or "").strip().split("\n")[0]


def _picture(name: str, title: str, rows: list[dict[str, Any]]) -> bytes:
    from provedp.experiments.figures import draw  # matplotlib takes a second to load
    from provedp.experiments.table_figures import draw_table

    drawn = draw if name in mixture.FIGURES else draw_table
    return drawn(f"{name}: {title}", rows)


def _finite(value: Any) -> Any:
    """Return JSON data with null for what is not a number."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print(rows: list[dict[str, Any]]) -> None:
    """Print rows as they fit: a column for each number, or a line for each."""
    table = Table(box=None, pad_edge=False)
    upright = len(rows[0]) > WIDEST
    cells = [[_cell(value) for value in row.values()] for row in rows]
    if not upright:
        for column in rows[0]:
            table.add_column(column.replace("_", " "), justify="right")
        for line in cells:
            table.add_row(*line)
        OutputConsole(width=200, highlight=False).print(table)
        return
    for row in rows:
        shown = [f"{name.replace('_', ' ')} {_cell(value)}" for name, value in row.items()]
        click.echo("; ".join(shown))


def _cell(value: Any) -> str:
    """Return a number, a mean with its standard error, or a median with its quartiles."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return f"{value:.4g}"
    if len(value) == 2:
        return f"{value[0]:.4g} ± {value[1]:.2g}"
    low, middle, high = value
    return f"{middle:.4g} [{low:.3g}, {high:.3g}]"
