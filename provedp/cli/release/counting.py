"""`provedp release counting`: release a column of counts and say what it cost."""

import csv
import io
import json
import warnings
from pathlib import Path
from typing import Any

import click
import numpy as np

from provedp.cli.cells import integers
from provedp.cli.numbers import up
from provedp.cli.refusals import NoColumnError, RefusedCellError, refusals, show_values
from provedp.cli.rows import read_rows
from provedp.mechanisms import counting
from provedp.mechanisms.counting.base import CountMechanism
from provedp.mechanisms.exact.sampling import ReplayableNoiseWarning
from provedp.verify.files import require_apart, require_writable, write

MECHANISMS = {
    "optimal": counting.OptimalCount,
    "truncated-geometric": counting.TruncatedGeometric,
    "randomized-response": counting.RandomizedResponse,
    "rounded-laplace": counting.RoundedLaplace,
    "exponential": counting.ExponentialMechanism,
}


@click.command("counting")
@click.argument("file")
@click.option("--column", required=True, help="The column of counts.")
@click.option("--m", type=int, required=True, help="Number of possible counts: people + 1.")
@click.option("--epsilon", required=True, help="ε in nats: a number, or ln(3/2).")
@click.option("--delta", default="0", show_default=True, help="δ in [0, 1): a number, or 1/20.")
@click.option("--first", type=int, default=0, show_default=True, help="The least count.")
@click.option(
    "--clamp",
    is_flag=True,
    help="Move counts outside the range to its nearest end, instead of refusing the file.",
)
@click.option(
    "--mechanism",
    type=click.Choice(sorted(MECHANISMS)),
    help="One by name, instead of the optimum for the loss.  [default: optimal]",
)
@click.option(
    "--loss",
    help="Release by the matrix that loses least: zero-one, absolute, squared, or a file.",
)
@click.option(
    "--prior", metavar="FILE", help="With --loss, the mean under it: 'uniform' or a file."
)
@click.option(
    "--graph", help="With --loss, which counts are neighbours: see `provedp solve release`."
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="For study only: replayable noise, which protects nobody.",
)
@click.option("--output", metavar="FILE", help="Write the released column there, as CSV.")
@show_values
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def release_counting(
    file: str,
    column: str,
    m: int,
    epsilon: str,
    delta: str,
    first: int,
    clamp: bool,
    mechanism: str | None,
    loss: str | None,
    prior: str | None,
    graph: str | None,
    seed: int | None,
    output: str | None,
    shown: bool,
    as_json: bool,
) -> int:
    """Release the counts in a COLUMN of a CSV FILE, each with fresh noise.

    The counts must be integers in {first, …, first + m − 1}, a range that is known publicly.
    Without --clamp a count outside it refuses the whole file before any noise is drawn, which tells
    whoever sees the refusal that there is one; with --clamp nothing depends on it. A refusal quotes
    a count only with --show-values.
    """
    if output is not None:
        require_apart([Path(file), Path(output)])
        require_writable(Path(output))
    if loss is None and (prior is not None or graph is not None):
        raise ValueError("--prior and --graph go with --loss: they say what is optimal.")
    if loss is not None and mechanism is not None:
        raise ValueError("--loss and --mechanism exclude each other.")
    chosen = (
        _mechanism(mechanism or "optimal", m, epsilon, delta, first)
        if loss is None
        else _optimum(m, epsilon, delta, first, loss, prior, graph or "path")
    )
    with refusals(shown):
        counts = read_counts(Path(file), column, range(first, first + m), clamp)
    released = _released(chosen, counts, seed)
    if output is not None:
        write(Path(output), _as_csv(column, released))
    report = _report(chosen, column, released, seed)
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False))
    else:
        if output is None:
            click.echo(_as_csv(column, released), nl=False)
        click.echo(_in_words(report), err=True)
    return 0


def _mechanism(name: str, m: int, epsilon: str, delta: str, first: int) -> CountMechanism:
    if name == "optimal":
        return counting.OptimalCount(m, epsilon, delta, first)
    if counting.OptimalCount(m, epsilon, delta, first).delta != 0:
        raise ValueError(f"The mechanism {name!r} has δ = 0; it cannot use a δ of {delta}.")
    chosen: CountMechanism = MECHANISMS[name](m, epsilon, first=first)
    return chosen


def _optimum(
    m: int, epsilon: str, delta: str, first: int, loss: str, prior: str | None, graph: str
) -> CountMechanism:
    """Return the release that loses least, as `provedp solve release` finds it."""
    from provedp.cli.solve.release import read_problem
    from provedp.releases import OptimalRelease, solved

    problem, above = read_problem(
        "release counting", m, epsilon, delta, loss, None, prior, graph, None
    )
    return OptimalRelease.of(solved(problem, above), epsilon, first)


def _released(chosen: CountMechanism, counts: list[int], seed: int | None) -> list[int]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReplayableNoiseWarning)  # the report says it
        return chosen.release(counts, None if seed is None else np.random.default_rng(seed))


def read_counts(path: Path, column: str, allowed: range, clamp: bool = False) -> list[int]:
    """Return a column of a CSV file as integers in a range, moved into it if they are clamped.

    Raises
    ------
    ValueError
        If the file cannot be read or is empty, the column is missing, or (`RefusedCellError`) a
        cell is no integer or, without `clamp`, outside the range.
    """
    header, blocks = read_rows(path)
    if column not in header:
        raise NoColumnError(path, column, header)
    place, where = header.index(column), f"{path}, column {column}"
    cells = [row[place] for block in blocks for row in block]
    if not cells:
        raise ValueError(f"{path} has no rows of data.")
    counts = integers(cells, where)
    low, high = allowed[0], allowed[-1]
    if low <= min(counts) <= max(counts) <= high:
        return counts
    if clamp:
        return [min(max(count, low), high) for count in counts]
    for row, count in enumerate(counts):
        if count not in allowed:
            raise RefusedCellError(where, f"an integer from {low} to {high}", row, cells[row])
    return counts


def _as_csv(column: str, released: list[int]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([column])
    writer.writerows([count] for count in released)
    return file.getvalue()


def _report(
    mechanism: CountMechanism, column: str, released: list[int], seed: int | None
) -> dict[str, Any]:
    guarantee = mechanism.guarantee
    return {
        "column": column,
        "released": released,
        "mechanism": type(mechanism).__name__,
        "epsilon": guarantee.epsilon,
        "ratio": str(guarantee.ratio),
        "delta": str(guarantee.delta),
        "adjacency": str(guarantee.adjacency),
        "claim": guarantee.claim if seed is None else None,
        "counts": len(released),
        "worst_case_error": up(mechanism.worst_case_error_upper),
        **_loss_of(mechanism),
        "replayable": seed is not None,
    }


def _loss_of(mechanism: CountMechanism) -> dict[str, Any]:
    """Return the loss of a release that is optimal for one, and nothing of others."""
    optimum = getattr(mechanism, "optimum", None)
    if optimum is None:
        return {}
    return {"loss_lower": str(optimum.lower), "loss_upper": str(optimum.upper)}


def _in_words(report: dict[str, Any]) -> str:
    count = report["counts"]
    lines = [
        f"{count} counts released by {report['mechanism']}; each arrives changed with probability "
        f"at most {report['worst_case_error']:.4g}.",
    ]
    if report["replayable"]:
        return lines[0] + " The noise came from a seed, which undoes it: no guarantee."
    lines.append(
        f"Budget spent on a person who is in one count: ε = {report['epsilon']}, "
        f"δ = {report['delta']} ({report['adjacency']}; claim {report['claim']})."
    )
    if count > 1:
        lines.append(
            f"On a person who may be in all {count}: {count} times both, by basic composition."
        )
    return "\n".join(lines)
