"""`provedp diagnose mixture`: what a bound would clip, and which classes are poor."""

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from provedp.cli.matrices import read_floats
from provedp.cli.records import Records, read_records
from provedp.cli.refusals import refusals
from provedp.cli.release.labelled_data import data_options, declared_classes, labels_of, numbers
from provedp.mechanisms.mixture import PrivateMixture
from provedp.mechanisms.mixture.gaussian_mixture import Label
from provedp.mechanisms.mixture.private.settings import Settings, read_data, read_settings

WARNING = "CONFIDENTIAL: not differentially private. Do not publish or act on it."


@click.command("mixture")
@click.argument("file")
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def diagnose_mixture(
    file: str,
    label: str,
    features: str | None,
    classes: str | None,
    occurring: bool,
    bound: float | None,
    location: str | None,
    shape: str | None,
    shown: bool,
    as_json: bool,
) -> int:
    """Show how the labelled records of FILE fit a bound, for the eyes of their owner only.

    A bound, location or shape that is chosen after looking at this is no longer public: choose them
    from what is known without these records.
    """
    with refusals(shown):
        records = read_records(Path(file), label, None if features is None else features.split(","))
        known = declared_classes(classes, occurring, records)
        labels = labels_of(records, known)
        guess = None if shape is None else read_floats(Path(shape), "shape")
    private = PrivateMixture(
        bound=bound,
        classes=known,
        location=None if location is None else numbers(location),
        shape=guess,
    )
    settings = read_settings(private.get_params())
    found = _diagnosis(settings, records, labels)
    click.echo(json.dumps(found, ensure_ascii=False) if as_json else _in_words(found))
    return 0


def _diagnosis(settings: Settings, records: Records, labels: list[Label]) -> dict[str, Any]:
    features, members = read_data(settings, records.features, labels)
    centre = 0.0 if settings.location is None else settings.location
    factor = np.eye(features.shape[1]) if settings.factor is None else settings.factor
    lengths = np.linalg.norm(np.linalg.solve(factor, (features - centre).T), axis=0)
    counts = np.bincount(members, minlength=len(settings.classes))
    spread = np.ptp(features, axis=0)
    return {
        "warning": WARNING,
        "records": len(features),
        "class_sizes": {str(k): int(n) for k, n in zip(settings.classes, counts, strict=True)},
        "clipped_records": int((lengths > settings.bound).sum()),
        "longest_record": float(lengths.max()),
        "constant_features": [
            name for name, width in zip(records.names, spread, strict=True) if width == 0
        ],
    }


def _in_words(found: dict[str, Any]) -> str:
    sizes = ", ".join(f"{label}: {size}" for label, size in found["class_sizes"].items())
    return "\n".join(
        [
            found["warning"],
            f"records            {found['records']}",
            f"class sizes        {sizes}",
            f"beyond the bound   {found['clipped_records']}",
            f"longest record     {found['longest_record']:.6g}",
            f"constant features  {', '.join(found['constant_features']) or 'none'}",
        ]
    )
