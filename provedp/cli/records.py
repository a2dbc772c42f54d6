"""Labelled records from CSV, Parquet and .npy files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from provedp.cli.refusals import NoColumnError
from provedp.cli.sources import opened
from provedp.theory.arrays import Floats


@dataclass(frozen=True, eq=False)
class Records:
    """Features (N × d floats), their names, N labels as texts, and where those come from."""

    features: Floats
    names: tuple[str, ...]
    labels: list[str]
    label_column: str


def read_records(path: Path, label: str, features: Sequence[str] | None = None) -> Records:
    """Return the records of a file.

    Parameters
    ----------
    path
        A .csv file with a line of column names, a .parquet file, or a .npy file with an array of
        two dimensions, whose columns are named 0, 1, … .
    label
        The column of labels.
    features
        The columns of features; all others than the label unless given.

    Raises
    ------
    ValueError
        If the file cannot be read or lacks a column, or (`RefusedCellError`) a cell is blank or no
        finite number.
    """
    source = opened(path)
    names = _others(source.names, label) if features is None else list(features)
    _require_columns(path, source.names, [label, *names])
    if not names or label in names or len(set(names)) < len(names):
        raise ValueError(f"{path}: the features must be other columns than {label!r}, each once.")
    values, labels = source.read(names, label)
    return Records(values, tuple(names), labels, f"{path}, column {label}")


def read_features(
    path: Path, names: Sequence[str] | None = None, last: str | None = None
) -> tuple[Floats, tuple[str, ...]]:
    """Return N × d floats from the named columns of a file (all of them by default), and the names.

    The column `last`, if given, comes after those.

    Raises
    ------
    ValueError
        As for `read_records`.
    """
    source = opened(path)
    wanted = _others(source.names, last) if names is None else list(names)
    wanted += [] if last is None else [last]
    _require_columns(path, source.names, wanted)
    if not wanted or len(set(wanted)) < len(wanted):
        raise ValueError(f"{path}: name at least one column, and each once.")
    return source.read(wanted, None)[0], tuple(wanted)


def _others(names: Sequence[str], left_out: str | None) -> list[str]:
    return [name for name in names if name != left_out]


def _require_columns(path: Path, known: Sequence[str], wanted: Sequence[str]) -> None:
    for name in wanted:
        if name not in known:
            raise NoColumnError(path, name, known)
