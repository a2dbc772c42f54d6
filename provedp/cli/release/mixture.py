"""`provedp release mixture`: fit a Gaussian mixture to labelled records under a guarantee."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import click
import numpy as np

from provedp.cli.matrices import read_floats
from provedp.cli.records import Records, read_records
from provedp.cli.refusals import refusals
from provedp.cli.release.labelled_data import data_options, declared_classes, labels_of, numbers
from provedp.mechanisms.mixture import LabelledMixture, PrivateMixture
from provedp.mechanisms.mixture.private.settings import read_settings
from provedp.verify.files import require_apart, require_writable, write

FORMAT = "provedp mixture 1"
MOST_SYNTHETIC = 10**7
FROM_THE_FLOOR = "they come from the floor and the bound, not from the data."


@click.command("mixture")
@click.argument("file")
@data_options
@click.option("--epsilon", required=True, help="ε in nats: a number, or ln(3/2).")
@click.option("--delta", required=True, help="δ in (0, 1): a number, or 1/50000.")
@click.option(
    "--adjacency",
    type=click.Choice(["label", "replace-one", "add-remove"]),
    default="label",
    show_default=True,
    help="What neighbours differ in: one label, all of one record, or whether it is there.",
)
@click.option("--floor", type=float, help="Public least variance; (bound/60)² by default.")
@click.option(
    "--divergence",
    type=click.Choice(["to-fitted", "from-fitted"]),
    help="Which divergence uncertain covariances are chosen for: by default 'to-fitted', the "
    "paper's, and with --synthetic 'from-fitted', which records drawn from the mixture need.",
)
@click.option("--records", type=int, help="Public guess at their number, for add-remove.")
@click.option("--output", metavar="FILE", required=True, help="Write the mixture there, as JSON.")
@click.option(
    "--synthetic",
    nargs=2,
    metavar="N FILE",
    default=None,
    help="Also write N synthetic records there, as CSV.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="For study only: replayable noise, which protects nobody.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def release_mixture(
    file: str,
    label: str,
    features: str | None,
    classes: str | None,
    occurring: bool,
    bound: float | None,
    location: str | None,
    shape: str | None,
    shown: bool,
    output: str,
    synthetic: tuple[str, str] | None,
    seed: int | None,
    as_json: bool,
    **settings: Any,
) -> int:
    """Release a Gaussian mixture for the labelled records of a CSV, Parquet or .npy FILE.

    Records longer than the bound (after the location is subtracted, in units of the shape) are
    moved inward, classes may be empty, features constant: nothing that is printed or written
    depends on the records but through the guarantee. A cell that is no finite decimal number, or a
    label outside the declared set, refuses the file before any noise is drawn; the refusal quotes
    it only with --show-values.
    """
    if settings["divergence"] is None:
        settings["divergence"] = "to-fitted" if synthetic is None else "from-fitted"
    wanted = None if synthetic is None else (_positive(synthetic[0]), Path(synthetic[1]))
    outputs = [Path(output), *([] if wanted is None else [wanted[1]])]
    require_apart([Path(file), *outputs])
    for path in outputs:
        require_writable(path)
    with refusals(shown):
        guess = None if shape is None else read_floats(Path(shape), "shape")
    private = PrivateMixture(
        bound=bound,
        classes=(0,),
        location=None if location is None else numbers(location),
        shape=guess,
        random_state=seed,
        **settings,
    )
    read_settings(private.get_params())  # all that is public, before the records are opened
    with refusals(shown):
        records = read_records(Path(file), label, None if features is None else features.split(","))
        known = declared_classes(classes, occurring, records)
        labels = labels_of(records, known)
    private.set_params(classes=known)
    private.fit(records.features, labels)
    report = _report(private, records, label)
    write(Path(output), json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    if wanted is not None:
        write(wanted[1], synthetic_csv(private.mixture_, records.names, label, wanted[0], seed))
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else _in_words(report, output))
    return 0


def synthetic_csv(
    mixture: LabelledMixture, names: tuple[str, ...], label: str, count: int, seed: int | None
) -> str:
    """Return synthetic records as CSV text."""
    features, labels = mixture.sample(count, np.random.default_rng(seed))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*names, label])
    writer.writerows(
        [*map(repr, row), name] for row, name in zip(features.tolist(), labels, strict=True)
    )
    return text.getvalue()


def _report(private: PrivateMixture, records: Records, label: str) -> dict[str, Any]:
    promised, claimed = private.guarantee, private.claimed
    settings = private.get_params()
    shape = settings["shape"]
    return {
        "format": FORMAT,
        "features": list(records.names),
        "label": label,
        "mixture": json.loads(private.mixture_.to_json()),
        "epsilon": str(claimed.epsilon),
        "ratio": str(claimed.ratio),
        "delta": str(claimed.delta),
        "adjacency": str(claimed.adjacency),
        "claim": None if promised is None else promised.claim,
        "replayable": promised is None,
        "bound": settings["bound"],
        "location": settings["location"],
        "shape": None if shape is None else np.asarray(shape).tolist(),
        "mu": float(private.squared_budget) ** 0.5,
        "divergence": settings["divergence"],
        "plan": _plan(private),
    }


def _plan(private: PrivateMixture) -> dict[str, Any]:
    plan = private.release_.plan
    return {
        "counts": float(plan.count),
        "sums": float(plan.locate),
        "distances": float(plan.spread),
        "rounds": [[float(each.first), float(each.second)] for each in plan.rounds],
        "pooled": float(plan.pooled),
    }


def _in_words(report: dict[str, Any], output: str) -> str:
    mixture = report["mixture"]
    head = f"{len(mixture['classes'])} components over {len(report['features'])} features: {output}"
    if report["replayable"]:
        return head + "\nThe noise came from a seed, which undoes it: no guarantee."
    lines = [
        head,
        f"Budget spent: ε = {report['epsilon']}, δ = {report['delta']} "
        f"({report['adjacency']}; claim {report['claim']}).",
    ]
    if not any(second for _, second in report["plan"]["rounds"]):
        lines.append(
            "Too few records for this budget to show the covariance of each class: "
            + ("all have one." if report["plan"]["pooled"] else FROM_THE_FLOOR)
        )
    return "\n".join(lines)


def _positive(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,8}", text) or not 1 <= int(text) <= MOST_SYNTHETIC:
        raise ValueError(f"'--synthetic': {text!r} is no number from 1 to {MOST_SYNTHETIC}.")
    return int(text)
