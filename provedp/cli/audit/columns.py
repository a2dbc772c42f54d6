"""Recorded outputs and canaries from files: npy without pickle, CSV, Parquet, lines of JSON."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from provedp import extras
from provedp.cli.rows import first_row, read_rows
from provedp.theory.arrays import Floats
from provedp.verify.audit.events.tallies import Bools

SUFFIXES = (".npy", ".csv", ".parquet", ".jsonl")
INCLUDED, UNIT, RUN = "included", "unit", "run"
TRUTH = {"0": False, "1": True, "false": False, "true": True, "0.0": False, "1.0": True}
DAMAGE = (OSError, ValueError, EOFError, OverflowError, SyntaxError, TypeError)


@dataclass(frozen=True, eq=False)
class Recorded:
    """Rows of a file, and the names of its columns if it has any."""

    rows: Any
    names: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class CanaryRows:
    """Scores, high for in, a column of each kind; coins; and units if there are any."""

    scores: Floats
    included: Bools
    units: list[str] | None


def outputs_of(path: Path) -> Recorded:
    """Return recorded outputs: a row for each run.

    Raises
    ------
    ValueError
        If the file cannot be read as what its name says.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path}: the name must end in {', '.join(SUFFIXES)}.")
    if not path.is_file():
        raise ValueError(f"{path} cannot be read: there is no such file.")
    if suffix == ".npy":
        return Recorded(_array(path))
    if suffix == ".jsonl":
        return Recorded(_lines(path))
    names, columns = _parquet(path) if suffix == ".parquet" else _csv(path)
    return Recorded(_rows(columns), names)


def canaries_of(path: Path, scores: tuple[str, ...], losses: bool) -> CanaryRows:
    """Return the canaries of a .csv or .parquet file.

    Parameters
    ----------
    path
        The file.
    scores
        The columns of scores; `score` if none is given, or the only one besides the others.
    losses
        Whether low scores mean in.

    Raises
    ------
    ValueError
        If the file cannot be read, lacks a column, or a cell is no number or no coin.
    """
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise ValueError(f"{path}: canaries are in a .csv or .parquet file.")
    if not path.is_file():
        raise ValueError(f"{path} cannot be read: there is no such file.")
    names, columns = _parquet(path) if suffix == ".parquet" else _csv(path, header=True)
    assert names is not None
    table = dict(zip(names, columns, strict=True))
    if INCLUDED not in table:
        raise ValueError(f"{path} has no column {INCLUDED!r}. Its columns: {', '.join(names)}.")
    chosen = _score_columns(path, names, scores)
    values = np.column_stack([_scores(path, name, table[name]) for name in chosen])
    coins = [TRUTH.get(str(cell).strip().lower()) for cell in table[INCLUDED]]
    if None in coins:
        raise ValueError(f"{path}, column {INCLUDED}: a coin is neither 0 nor 1.")
    keys = [column for column in (RUN, UNIT) if column in table]
    units = None
    if UNIT in table:  # a run alone says nothing: its rows have coins of their own
        units = ["/".join(map(str, cells)) for cells in zip(*(table[k] for k in keys), strict=True)]
    return CanaryRows(-values if losses else values, np.array(coins, dtype=bool), units)


def _score_columns(path: Path, names: tuple[str, ...], scores: tuple[str, ...]) -> tuple[str, ...]:
    others = [name for name in names if name not in (INCLUDED, UNIT, RUN)]
    for name in scores:
        if name not in others:
            raise ValueError(f"{path} has no column of scores {name!r}: {', '.join(others)}.")
    if len(set(scores)) < len(scores):
        raise ValueError(f"--score names a column twice: {', '.join(scores)}.")
    if scores:
        return scores
    if "score" in others:
        return ("score",)
    if len(others) != 1:
        raise ValueError(f"{path}: name the column of scores (--score): {', '.join(others)}.")
    return (others[0],)


def _scores(path: Path, name: str, cells: list[Any]) -> Floats:
    values = _floats(cells)
    if values is None:
        raise ValueError(f"{path}, column {name}: a score is no number.")
    return values


def _array(path: Path) -> Any:
    try:
        # A mapped file is never larger than its header says, and no object is unpickled.
        array = np.array(np.lib.format.open_memmap(path, mode="r"))
    except DAMAGE:
        raise ValueError(f"{path} cannot be read: it is no whole .npy array of numbers.") from None
    if array.ndim == 0:
        raise ValueError(f"{path} holds one number: there must be a row for each run.")
    return array


def _lines(path: Path) -> list[Any]:
    try:
        text = path.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError):
        raise ValueError(f"{path} cannot be read: each line must be a JSON value.") from None


def _csv(path: Path, header: bool = False) -> tuple[tuple[str, ...] | None, list[Any]]:
    """Return names, if the first line holds no number, and columns."""
    names, blocks = read_rows(path) if header else first_row(path)
    rows = [row for block in blocks for row in block]
    is_header = header or all(_number(cell) is None for cell in names)
    if not is_header:
        rows.insert(0, names)
    columns: list[Any] = [list(column) for column in zip(*rows, strict=True)]
    return (tuple(names) if is_header else None), columns or [[] for _ in names]


def _parquet(path: Path) -> tuple[tuple[str, ...], list[Any]]:
    pa, parquet = extras.load("pyarrow"), extras.load("pyarrow.parquet")
    try:
        table = parquet.read_table(path)
    except (OSError, pa.ArrowException):
        raise ValueError(f"{path} cannot be read: it is no whole Parquet file.") from None
    return tuple(table.column_names), [column.to_pylist() for column in table.columns]


def _rows(columns: list[Any]) -> Any:
    """Return an array if all is numbers, else a list of rows, in which numbers are floats."""
    floats = [_floats(column) for column in columns]
    if all(column is not None for column in floats):
        table: Any = np.column_stack([column for column in floats if column is not None])
        return table[:, 0] if table.shape[1] == 1 else table
    mixed = [
        column if numbers is None else numbers.tolist()
        for column, numbers in zip(columns, floats, strict=True)
    ]
    return [list(row) for row in zip(*mixed, strict=True)]


def _floats(column: list[Any]) -> Floats | None:
    numbers = [_number(cell) for cell in column]
    return None if None in numbers else np.array(numbers, dtype=np.float64)


def _number(cell: Any) -> float | None:
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None
