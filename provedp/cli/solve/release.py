"""`provedp solve release`: the release that loses least, with the certificate that it does."""

import csv
import io
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from flint import ctx, fmpq

from provedp.cli.numbers import BITS, down, exact, exact_or_ball, ratio, up
from provedp.cli.tables import read_file
from provedp.releases import ReleaseOptimum, solved
from provedp.theory.counting import release as counting_release
from provedp.theory.domain import check_argument
from provedp.verify.files import require_apart, require_writable, write
from provedp.verify.solvers.release.graphs import NAMES
from provedp.verify.solvers.release.problem import LOSSES, ReleaseProblem
from provedp.verify.solvers.release.request import SIDE_NAMES, Request, read_request

WHERE = "solve release"
SHOWN_ROWS = 12  # of a mechanism, in words
MOST_BYTES = 20_000_000  # of a file: more than the largest problem needs
MOST_ENTRIES = 1000  # of a row and rows of a file: as many counts and outputs there may be

DECIDED_BY = {
    "undisturbed optimum": "P* and its certificate, by Theorem 1 of the counting paper",
    "constant release": "at ε = δ = 0 every private release ignores the count",
    "rays": "geometric noise remapped, and λ on every ray, in exact arithmetic",
    "rounded rays": "geometric noise remapped, and λ on every ray, rounded",
    "nearly free": "randomised response, and a bound that privacy has no part in",
    "linear program": "an exact basis of the linear program",
    "rounded linear program": "exactly feasible points near a floating-point optimum",
}


def problem_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say what is to be optimised."""
    for option in (
        click.option(
            "--loss",
            default="zero-one",
            show_default=True,
            help=f"{', '.join(LOSSES)}, or a CSV or JSON file of ℓ_ij ≥ 0, a row for each count.",
        ),
        click.option(
            "--criterion",
            type=click.Choice(["worst-case", "bayes"]),
            help="Whose loss counts: the worst count's, or the mean under --prior.",
        ),
        click.option(
            "--prior", metavar="FILE", help="'uniform', or a file of weights that sum to 1."
        ),
        click.option(
            "--graph",
            default="path",
            show_default=True,
            help=f"Neighbouring counts: {NAMES} in a JSON FILE, counted from 1.",
        ),
        click.option(
            "--side", help=f"Conditions, with commas between: {', '.join(sorted(SIDE_NAMES))}."
        ),
    ):
        command = option(command)
    return command


@click.command("release")
@click.option("--m", type=int, help="Number of counts; as many as rows of the loss's file.")
@click.option("--epsilon", required=True, help="ε in nats: a number, or ln(3/2).")
@click.option("--delta", default="0", show_default=True, help="δ in [0, 1): a number, or 1/20.")
@problem_options
@click.option(
    "--outputs", help="Positions of the outputs, such as 1,3/2,2; the counts if not given."
)
@click.option("--mechanism", metavar="FILE", help="Write the matrix there, as .csv or .json.")
@click.option("--certificate", metavar="FILE", help="Write a certificate for `provedp check`.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def solve_release(
    m: int | None,
    epsilon: str,
    delta: str,
    loss: str,
    criterion: str | None,
    prior: str | None,
    graph: str,
    side: str | None,
    outputs: str | None,
    mechanism: str | None,
    certificate: str | None,
    as_json: bool,
) -> int:
    """Find the private release of a count that loses least, for any loss, prior and neighbours.

    Exactly feasible points of the linear program and of its dual enclose the optimum; up to some
    tens of counts they are equal.
    """
    for path in (mechanism, certificate):
        if path is not None:
            require_writable(Path(path))
    if mechanism is not None and certificate is not None:
        require_apart([Path(mechanism), Path(certificate)])
    if mechanism is not None and Path(mechanism).suffix not in (".csv", ".json"):
        raise ValueError(f"--mechanism: the name of {mechanism} must end in .csv or .json.")
    problem, above = read_problem(
        WHERE, m, epsilon, delta, loss, criterion, prior, graph, side, outputs
    )
    best = solved(problem, above)
    if certificate is not None:
        write(Path(certificate), json.dumps(best.certificate()) + "\n")
    if mechanism is not None:
        write(Path(mechanism), _as_file(best, Path(mechanism).suffix))
    report = _report(best, problem)
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else _in_words(report))
    return 0


def read_problem(
    where: str,
    m: int | None,
    epsilon: str,
    delta: str,
    loss: str,
    criterion: str | None,
    prior: str | None,
    graph: str,
    side: str | None,
    outputs: str | None = None,
) -> tuple[ReleaseProblem, Fraction]:
    """Return the problem of a command's options, and a k of at least e^ε.

    Raises
    ------
    ValueError
        If an option or a file is not as it should be.
    """
    with ctx.workprec(BITS):
        slack = exact(where, "delta", delta)
        check_argument(where, "delta", counting_release.SLACK, slack)
        request = Request(
            m,
            ratio(where, epsilon),
            slack,
            loss if loss in LOSSES else _rows(Path(loss), "loss"),
            criterion,
            prior if prior in (None, "uniform") else _list(Path(str(prior)), "prior"),
            _edges(graph),
            None if outputs is None else [exact(where, "outputs", o) for o in outputs.split(",")],
            () if side is None else [name.strip() for name in side.split(",")],
        )
        return read_request(where, request)


def _rows(path: Path, name: str) -> list[list[Any]]:
    if not path.is_file():
        raise ValueError(f"'{name}': {path} is neither {', '.join(LOSSES)} nor a file.")
    _require_small(path, name)
    table = read_file(path, name)
    if not all(isinstance(row, list) for row in table):
        raise ValueError(f"'{name}': {path} holds one list, not the rows of a matrix.")
    if max(len(table), *map(len, table)) > MOST_ENTRIES:
        raise ValueError(f"'{name}': {path} has more than {MOST_ENTRIES} rows or columns.")
    return [[exact_or_ball(entry) for entry in row] for row in table]


def _list(path: Path, name: str) -> list[Any]:
    if not path.is_file():
        raise ValueError(f"'{name}': {path} is neither 'uniform' nor a file.")
    _require_small(path, name)
    table = read_file(path, name)
    if isinstance(table[0], list):
        if len(table) > 1 and any(len(row) != 1 for row in table):
            raise ValueError(f"'{name}': {path} holds several rows, not one list.")
        table = [entry for row in table for entry in row]
    if len(table) > MOST_ENTRIES:
        raise ValueError(f"'{name}': {path} has more than {MOST_ENTRIES} entries.")
    return [exact_or_ball(entry) for entry in table]


def _require_small(path: Path, name: str) -> None:
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"'{name}': {path} has more than {MOST_BYTES // 10**6} megabytes.")


def _edges(graph: str) -> Any:
    """Return a name, or what a JSON file holds."""
    path = Path(graph)
    if not (graph.endswith(".json") or path.is_file()):
        return graph
    if path.is_file():
        _require_small(path, "graph")
    try:
        edges = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not valid JSON"
        raise ValueError(f"'graph': {path} cannot be read: {reason}.") from None
    if not isinstance(edges, list):
        raise ValueError(f"'graph': {path} holds no list of edges.")
    return edges


def text(value: Fraction) -> str:
    """Return a fraction in digits, however many they are."""
    return str(fmpq(value.numerator, value.denominator))


def _as_file(best: ReleaseOptimum, suffix: str) -> str:
    rows = [[text(entry) for entry in row] for row in best.mechanism]
    if suffix == ".json":
        return json.dumps(rows) + "\n"
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def _report(best: ReleaseOptimum, problem: ReleaseProblem) -> dict[str, Any]:
    found = best.structure
    return {
        "m": problem.counts,
        "outputs": problem.outputs,
        "criterion": "worst-case" if problem.prior is None else "bayes",
        "value_lower": text(best.lower),
        "value_upper": text(best.upper),
        "value": [down(best.lower), up(best.upper)],
        "ratio": text(best.ratio),
        "delta": text(problem.delta),
        "mechanism": [[text(entry) for entry in row] for row in best.mechanism],
        "weights": [text(weight) for weight in best.weights],
        "decided_by": best.decided_by,
        "structure": {
            "worst_counts": list(found.worst_counts),
            "tight_outputs": [list(place) for place in found.tight_outputs],
            "tight_pairs": [list(pair) for pair in found.tight_pairs],
            "remaps_geometric": found.remaps_geometric,
        },
    }


def _in_words(report: dict[str, Any]) -> str:
    low, high = report["value"]
    same = report["value_lower"] == report["value_upper"]
    value = f"{high:.12g}" if same else f"[{low!r}, {high!r}]"
    equals = f" = {report['value_upper']}" if same and len(report["value_upper"]) <= 60 else ""
    what = "worst-case loss" if report["criterion"] == "worst-case" else "expected loss"
    lines = [
        f"least {what}   {value}{equals}",
        f"decided by   {report['decided_by']}: {DECIDED_BY[report['decided_by']]}",
        *_structure_in_words(report),
    ]
    rows = report["mechanism"]
    if len(rows) <= SHOWN_ROWS and max(len(entry) for row in rows for entry in row) <= 12:
        width = max(len(entry) for row in rows for entry in row)
        lines += ["  ".join(entry.rjust(width) for entry in row) for row in rows]
    else:
        lines.append("The matrix is long: --mechanism FILE writes it, --json prints it.")
    return "\n".join(lines)


def _structure_in_words(report: dict[str, Any]) -> list[str]:
    found = report["structure"]
    lines = []
    if report["criterion"] == "worst-case":
        worst = found["worst_counts"]
        which = "all counts" if len(worst) == report["m"] else _listed(worst)
        lines.append(f"worst        for {which}")
    if report["delta"] == "0":
        tight = len(found["tight_outputs"])
        lines.append(f"tight        {tight} privacy constraints P_aj ≤ k P_bj")
    else:
        pairs = [f"{a}→{b}" for a, b in found["tight_pairs"]]
        lines.append(f"tight        δ is used up for {_listed(pairs)}")
    derived = found["remaps_geometric"]
    if derived is not None:
        verb = "is" if derived else "is not"
        lines.append(f"structure    the matrix {verb} a post-processing of geometric noise")
    return lines


def _listed(things: list[Any]) -> str:
    shown = ", ".join(map(str, things[:12]))
    return "none" if not things else shown if len(things) <= 12 else f"{shown}, …"
