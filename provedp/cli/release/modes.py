"""`provedp release modes`: modes, cluster centres or a modal regression, under a guarantee."""

import json
import warnings
from pathlib import Path
from typing import Any

import click
import numpy as np

from provedp.cli.records import read_features
from provedp.cli.refusals import refusals, show_values
from provedp.mechanisms.modes import (
    PrivateModalClustering,
    PrivateModalRegression,
    PrivateModes,
)
from provedp.mechanisms.modes.private.plan import NothingToFindWarning
from provedp.mechanisms.modes.private.settings import PRIVATE_BOX, read_settings
from provedp.theory.arrays import Floats
from provedp.verify.files import require_apart, require_writable, write

FORMAT = "provedp modes 1"
GRID = 101  # places of the first feature at which a regression is tabulated


@click.command("modes")
@click.argument("file")
@click.option("--columns", help="Columns of features, comma-separated; all of them by default.")
@click.option("--epsilon", required=True, help="ε in nats: a number, or ln(3/2).")
@click.option("--delta", required=True, help="δ in [0, 1): a number, or 1/1000000; 0 for pure ε.")
@click.option("--box", help="Public intervals low:high, comma-separated, one for each column.")
@click.option("--private-box", is_flag=True, help="Spend a tenth of the budget on finding a box.")
@click.option("--bandwidth", help="Public: one number, or one for each column.")
@click.option("--modes", type=int, help="Number of modes, if it is known.")
@click.option("--cluster", type=int, metavar="K", help="Release K cluster centres instead.")
@click.option("--regress", metavar="COLUMN", help="Release modes of this column given the others.")
@click.option("--branches", type=int, default=1, show_default=True, help="Modes for one place.")
@click.option(
    "--adjacency",
    type=click.Choice(["replace-one", "add-remove"]),
    default="replace-one",
    show_default=True,
    help="What neighbours differ in: all of one record, or whether it is there.",
)
@click.option(
    "--method",
    type=click.Choice(["auto", "bins", "field", "local"]),
    default="auto",
    show_default=True,
    help="Binned counts (δ = 0), a density estimate with Gaussian noise, or occupied cells and "
    "balls, in any dimension; auto takes what has the least noise at a peak.",
)
@click.option(
    "--records",
    type=click.IntRange(1),
    help="Public guess of the number of records, for add-remove: it chooses the grid.",
)
@click.option(
    "--steps/--no-steps",
    default=None,
    help="Whether a part of ε may be kept for a step from each mode by the records around it; it "
    "may for modes, and not for cluster centres, unless told otherwise.",
)
@click.option("--plan", "plans", is_flag=True, help="Show what would be done; draw nothing.")
@click.option("--output", metavar="FILE", help="Write what is released there, as JSON.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="For study only: replayable noise, which protects nobody.",
)
@show_values
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def release_modes(
    file: str,
    columns: str | None,
    epsilon: str,
    delta: str,
    box: str | None,
    private_box: bool,
    bandwidth: str | None,
    modes: int | None,
    cluster: int | None,
    regress: str | None,
    branches: int,
    adjacency: str,
    method: str,
    records: int | None,
    steps: bool | None,
    plans: bool,
    output: str | None,
    seed: int | None,
    shown: bool,
    as_json: bool,
) -> int:
    """Release the modes of the records in a CSV, Parquet or .npy FILE.

    Box and bandwidth are public: choose them from what is known without the records, or let
    --private-box pay for one. Records outside the box are moved to its nearest end. With --regress
    the intervals and bandwidths of the features come first, that of the response last. A cell that
    is no finite decimal number refuses the file before any noise is drawn; the refusal quotes it
    only with --show-values.

    --delta 0 asks for pure ε, which binned counts give. --plan shows the mechanism, how far its
    noise moves a mode, how many records or which ε it needs at least, and the share of ε that is
    for a step from each mode by the records around it, if all are clear before. A mode that is
    marked with ? may be of the noise: at most one release in twenty has a mode that is not marked
    and not in the estimate without noise.
    """
    if output is not None:
        require_apart([Path(file), Path(output)])
        require_writable(Path(output))
    if sum(each is not None for each in (modes, cluster, regress)) > 1:
        raise ValueError("Only one of --modes, --cluster and --regress can be given.")
    shared: dict[str, Any] = {
        "epsilon": epsilon,
        "delta": delta,
        "box": read_box(box, private_box),
        "bandwidth": None if bandwidth is None else _numbers("--bandwidth", bandwidth),
        "adjacency": adjacency,
        "records": records,
        "random_state": seed,
    }
    if regress is None:
        shared |= {"method": method} | ({} if steps is None else {"steps": steps})
    estimator = _estimator(shared, modes, cluster, None if regress is None else branches)
    read_settings(type(estimator).__name__, shared)  # all that is public, before the records
    names = None if columns is None else columns.split(",")
    if regress is not None and regress in (names or []):
        raise ValueError(f"'--regress': {regress!r} cannot be a feature too.")
    with refusals(shown):
        points, read = read_features(Path(file), names, regress)
    if plans:
        plan = estimator.plan(len(points)).as_dict()
        shown_plan = json.dumps(plan, ensure_ascii=False) if as_json else _plan_in_words(plan)
        click.echo(shown_plan)
        return 0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", NothingToFindWarning)
        report = _released(estimator, points, read, regress is not None)
    for each in caught:
        click.echo(f"Warning: {each.message}", err=True)
    if output is not None:
        write(Path(output), json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else _in_words(report))
    return 0


def read_box(text: str | None, private: bool) -> Any:
    """Return intervals from texts low:high, or 'private'.

    Raises
    ------
    ValueError
        If neither or both are given, or a text is no interval.
    """
    if (text is None) == (not private):
        raise ValueError(
            "'--box' must give the public intervals of the columns (or --private-box, which pays "
            "for them): a box read off the data is not protected."
        )
    if text is None:
        return PRIVATE_BOX
    pairs = [part.split(":") for part in text.split(",")]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"'--box': {text!r} is no list of intervals such as -6:6,0:10.")
    return [_numbers("--box", ",".join(pair)) for pair in pairs]


def _estimator(
    shared: dict[str, Any], modes: int | None, cluster: int | None, branches: int | None
) -> PrivateModes | PrivateModalClustering | PrivateModalRegression:
    if branches is not None:
        return PrivateModalRegression(branches=branches, **shared)
    if cluster is not None:
        return PrivateModalClustering(clusters=cluster, **shared)
    return PrivateModes(modes=modes, **shared)


def _released(estimator: Any, points: Floats, columns: tuple[str, ...], regresses: bool) -> Any:
    if regresses:
        estimator.fit(points[:, :-1], points[:, -1])
    else:
        estimator.fit(points)
    promised, claimed = estimator.guarantee, estimator.claimed
    return {
        "format": FORMAT,
        "columns": list(columns),
        **_found(estimator, columns),
        "plan": estimator.plan_.as_dict(),
        "box": [[axis.low, axis.high] for axis in estimator.axes_],
        "bandwidth": [axis.bandwidth for axis in estimator.axes_],
        "epsilon": str(claimed.epsilon),
        "ratio": str(claimed.ratio),
        "delta": str(claimed.delta),
        "adjacency": str(claimed.adjacency),
        "claim": None if promised is None else promised.claim,
        "replayable": promised is None,
    }


def _found(estimator: Any, columns: tuple[str, ...]) -> dict[str, Any]:
    if isinstance(estimator, PrivateModes):
        return {
            "modes": estimator.modes_.tolist(),
            "heights": estimator.heights_.tolist(),
            "deviations": estimator.deviations_.tolist(),
            "sure": estimator.sure_.tolist(),
            "stepped": estimator.stepped_,
        }
    if isinstance(estimator, PrivateModalClustering):
        return {
            "centres": estimator.cluster_centers_.tolist(),
            "sure": estimator.sure_.tolist(),
            "stepped": estimator.stepped_,
        }
    if len(columns) != 2:
        return {"field": estimator.field_.values.tolist()}
    axis = estimator.axes_[0]
    places = np.linspace(axis.low, axis.high, GRID)
    found = estimator.predict(places[:, None])
    rows = [[None if np.isnan(y) else float(y) for y in row] for row in found]
    return {"places": places.tolist(), "responses": rows}


def _in_words(report: dict[str, Any]) -> str:
    lines = []
    for name in ("modes", "centres"):
        if name in report:
            lines.append(f"{len(report[name])} {name} of {', '.join(report['columns'])}")
            lines += [
                ("  " if sure else "? ") + "  ".join(f"{x: .6g}" for x in row)
                for row, sure in zip(report[name], report["sure"], strict=True)
            ]
            if not all(report["sure"]):
                lines.append("The noise may explain what is marked with ?.")
            if report["stepped"]:
                lines.append("Each was moved by the records around it, for a part of the budget.")
    if not lines:
        lines.append(f"modes of {report['columns'][-1]} given {', '.join(report['columns'][:-1])}")
        for place, row in zip(report.get("places", []), report.get("responses", []), strict=True):
            shown = "  ".join("-" if y is None else f"{y: .6g}" for y in row)
            lines.append(f"  {place: .6g}  {shown}")
    if report["replayable"]:
        return "\n".join([*lines, "The noise came from a seed, which undoes it: no guarantee."])
    lines.append(
        f"Budget spent: ε = {report['epsilon']}, δ = {report['delta']} "
        f"({report['adjacency']}; claim {report['claim']})."
    )
    return "\n".join(lines)


def _plan_in_words(plan: dict[str, Any]) -> str:
    """Return a plan as lines of names and numbers."""
    return "\n".join(f"{name:<16}{'-' if x is None else x}" for name, x in plan.items())


def _numbers(option: str, text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"'{option}': {text!r} is no list of numbers.") from None
