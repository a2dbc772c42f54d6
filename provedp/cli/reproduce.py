"""`provedp reproduce`: a paper's experiment, with the true privacy of what it compares."""

import difflib
import json
import math
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from provedp import extras
from provedp.cli.console import OutputConsole
from provedp.cli.experiments_table import WIDEST, legend, tables
from provedp.cli.progress import progress
from provedp.experiments.catalogue import ABSENT, EXPERIMENTS, Experiment
from provedp.experiments.columns import captions
from provedp.experiments.findings import FOUND
from provedp.verify.files import require_writable, write, write_bytes

SUFFIXES = (".json", ".svg", ".png")


class _Listing(click.Command):
    """A command whose help lists the experiments."""

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line for each experiment, and for what is absent with its reason."""
        with formatter.section("Experiments"):
            formatter.write_dl([(name, each.title) for name, each in EXPERIMENTS.items()])
        with formatter.section("Not here, as their data do not come with provedp"):
            formatter.write_dl([(name, f"needs {reason}") for name, reason in ABSENT.items()])


@click.command(cls=_Listing)
@click.argument("name", required=False)
@click.option("--seeds", type=click.IntRange(1), help="Runs; 200 or 20 by default, by paper.")
@click.option("--quick", is_flag=True, help="Few runs, or few points of a curve.")
@click.option(
    "--out",
    metavar="DIR",
    default=".",
    show_default=True,
    help="For NAME.json, NAME.svg and NAME.png; made if missing.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def reproduce(name: str | None, seeds: int | None, quick: bool, out: str, as_json: bool) -> int:
    """Run the experiment NAME (without it, list them) and save its figure and its numbers.

    The noise is replayable, so the same command gives the same numbers. Releases are private as
    stated; what was published stands beside them with its true privacy.
    """
    if name is None:
        _refuse_options_without_a_name()
        for each, listed in EXPERIMENTS.items():
            click.echo(f"{each:17} {listed.title}")
        return 0
    experiment = _experiment(name)
    runs = _runs(name, experiment, seeds, quick)
    folder = _folder(out, name)
    rows = list(progress(experiment.run(runs), experiment.size(runs), name))
    report = {
        "experiment": name,
        "title": experiment.title,
        "seeds": runs if experiment.seeded else None,
        "found": FOUND.get(name),
        "not_covered": experiment.not_covered or None,
        "columns": captions(rows[0]),
        "rows": _finite(rows),
    }
    text = json.dumps(report, ensure_ascii=False, allow_nan=False)
    _save(folder / name, text + "\n", experiment.draw(f"{name}: {experiment.title}", rows))
    if as_json:
        click.echo(text)
    else:
        _print(f"{name}: {experiment.title}", rows, experiment.not_covered, FOUND.get(name))
        click.echo(f"Written: {folder / name}.json, .svg and .png")
    return 0


def _refuse_options_without_a_name() -> None:
    context = click.get_current_context()
    for option in ("seeds", "quick", "out", "as_json"):
        if context.get_parameter_source(option) is not ParameterSource.DEFAULT:
            raise ValueError(f"--{option.removeprefix('as_')} needs the NAME of an experiment.")


def _experiment(name: str) -> Experiment:
    if name in ABSENT:
        raise ValueError(f"{name} needs {ABSENT[name]}: data that do not come with provedp.")
    if name not in EXPERIMENTS:
        near = difflib.get_close_matches(name, EXPERIMENTS, n=1, cutoff=0.0)[0]
        raise ValueError(f"No experiment is called {name!r}. Did you mean {near}?")
    return EXPERIMENTS[name]


def _runs(name: str, experiment: Experiment, seeds: int | None, quick: bool) -> int:
    if seeds is not None and not experiment.seeded:
        raise ValueError(f"--seeds does not go with {name}, which draws nothing at random.")
    if seeds is not None and quick:
        raise ValueError("--seeds and --quick both say how many runs: give one of them.")
    return seeds or (experiment.quick if quick else experiment.runs)


def _folder(out: str, name: str) -> Path:
    """Return the folder, made if missing, and writable for all files of an experiment."""
    extras.require("matplotlib")
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{folder} cannot be made: {error.strerror}.") from None
    for suffix in SUFFIXES:
        require_writable(folder / (name + suffix))
    return folder


def _save(path: Path, text: str, figure: Any) -> None:
    """Write the numbers and both pictures, each whole, when all of them are there."""
    from provedp.experiments.drawing.style import pictures  # matplotlib takes a second to load

    drawn = pictures(figure)
    for suffix, content in drawn.items():
        write_bytes(path.with_name(path.name + suffix), content)
    write(path.with_name(path.name + ".json"), text)


def _finite(value: Any) -> Any:
    """Return JSON data with null for what is not a number."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print(title: str, rows: list[dict[str, Any]], not_covered: str, found: str | None) -> None:
    """Print the rows, what each column is, what no guarantee covers, and what was found."""
    console = OutputConsole(highlight=False)
    width = console.width if console.is_terminal else WIDEST
    click.echo(title)
    for table in tables(rows, width):
        click.echo()
        OutputConsole(width=max(width, 400), highlight=False).print(table)
    click.echo()
    for line in legend(rows):
        click.echo(line)
    if not_covered:
        click.echo(f"\nNot covered: {not_covered}")
    if found:
        click.echo(f"\nFound, with the default number of runs unless it says otherwise: {found}\n")
