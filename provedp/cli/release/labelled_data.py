"""What `release mixture` and `diagnose mixture` are told alike: what is in the file, and public."""

import re
from typing import Any

import click

from provedp.cli.records import Records
from provedp.cli.refusals import RefusedCellError, show_values
from provedp.mechanisms.mixture.gaussian_mixture import Label

INTEGER = re.compile(r"[+-]?[0-9]{1,4000}(\.0*)?")


def data_options(command: Any) -> Any:
    """Add the options that say what is in the file and what is public about it."""
    for option in reversed(
        (
            click.option("--label", required=True, help="The column of labels."),
            click.option("--features", help="Columns, comma-separated; all others by default."),
            click.option("--classes", help="The labels there can be, comma-separated: public."),
            click.option(
                "--occurring-classes-are-public",
                "occurring",
                is_flag=True,
                help="Take the labels that occur, and declare that set to be public knowledge.",
            ),
            click.option("--bound", type=float, help="Public bound on the length of a record."),
            click.option("--location", help="Public middle of the features, comma-separated."),
            click.option("--shape", metavar="FILE", help="CSV of a public d × d covariance guess."),
            show_values,
        )
    ):
        command = option(command)
    return command


def declared_classes(classes: str | None, occurring: bool, records: Records) -> list[Label]:
    """Return the public set of labels; those that occur only if they are declared to be public.

    They are integers if all of the set are, and texts otherwise.

    Raises
    ------
    ValueError
        If neither or both are given.
    """
    if (classes is None) == (not occurring):
        raise ValueError(
            "'--classes' must name the labels there can be (or give "
            "--occurring-classes-are-public): a set read off the data is not protected."
        )
    names = sorted(set(records.labels)) if classes is None else classes.split(",")
    if not names:
        raise ValueError("'--occurring-classes-are-public': there are no records, so none occurs.")
    stripped = [name.strip() for name in names]
    if all(INTEGER.fullmatch(name) for name in stripped):
        return sorted(map(int, stripped)) if classes is None else [int(name) for name in stripped]
    return list(stripped)


def labels_of(records: Records, classes: list[Label]) -> list[Label]:
    """Return the labels as they are declared: as integers, where the classes are and they can be.

    Raises
    ------
    RefusedCellError
        For the first one outside the declared set.
    """
    known = frozenset(classes)
    whole = not isinstance(classes[0], str)
    found: list[Label] = []
    for row, text in enumerate(records.labels):
        label = _integer(text.strip()) if whole else text.strip()
        if label is None or label not in known:
            raise RefusedCellError(records.label_column, "one of the declared classes", row, text)
        found.append(label)
    return found


def _integer(text: str) -> int | None:
    return int(text.split(".")[0]) if INTEGER.fullmatch(text) else None


def numbers(text: str) -> list[float]:
    """Return the numbers of a comma-separated list."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"'--location': {text!r} is no list of numbers.") from None
