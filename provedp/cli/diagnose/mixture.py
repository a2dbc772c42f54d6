"""`provedp diagnose mixture`: what a bound would clip, and which classes are poor."""

import json
from pathlib import Path

import click

from provedp.cli.matrices import read_floats
from provedp.cli.records import read_records
from provedp.cli.refusals import refusals
from provedp.cli.release.labelled_data import data_options, declared_classes, labels_of, numbers
from provedp.mechanisms.mixture.diagnosis import diagnose_mixture as diagnose


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
    found = diagnose(
        records.features,
        labels,
        bound=bound,  # type: ignore[arg-type]  # a missing one is refused there
        classes=known,
        location=None if location is None else numbers(location),
        shape=guess,
        features=records.names,
    )
    click.echo(json.dumps(found.as_dict(), ensure_ascii=False) if as_json else str(found))
    return 0
