"""Labelled records from CSV, Parquet and .npy files; what does not fit is named by place."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet
from numpy.typing import NDArray

Table = Any  # of pyarrow, which has no types


@dataclass(frozen=True, eq=False)
class Records:
    """Features (N × d floats), their names, and N labels as texts."""

    features: NDArray[np.float64]
    names: tuple[str, ...]
    labels: list[str]


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
        If the file cannot be read or lacks a column, or a cell is empty or no finite number; the
        column and the row (from 1) are named.
    """
    table = read_columns(path, label)
    known = table.column_names
    names = [name for name in known if name != label] if features is None else list(features)
    _require_columns(path, known, [label, *names])
    if not names or label in names or len(set(names)) < len(names):
        raise ValueError(f"{path}: the features must be other columns than {label!r}, each once.")
    stacked = _stacked(table, path, names)
    return Records(stacked, tuple(names), _labels(table[label], f"{path}, column {label}"))


def read_features(path: Path, names: Sequence[str] | None = None) -> tuple[Any, tuple[str, ...]]:
    """Return N × d floats from the named columns of a file (all of them by default), and the names.

    Raises
    ------
    ValueError
        As for `read_records`.
    """
    table = read_columns(path)
    wanted = table.column_names if names is None else list(names)
    _require_columns(path, table.column_names, wanted)
    if not wanted or len(set(wanted)) < len(wanted):
        raise ValueError(f"{path}: name at least one column, and each once.")
    return _stacked(table, path, wanted), tuple(wanted)


def _require_columns(path: Path, known: Sequence[str], wanted: Sequence[str]) -> None:
    for name in wanted:
        if name not in known:
            raise ValueError(f"{path} has no column {name!r}; it has {', '.join(known)}.")


def _stacked(table: Table, path: Path, names: Sequence[str]) -> NDArray[np.float64]:
    columns = [_numbers(table[name], f"{path}, column {name}") for name in names]
    return np.column_stack(columns) if len(table) else np.zeros((0, len(names)))


def read_columns(path: Path, text: str | None = None) -> Table:
    """Return a file as a table, one column of a CSV file as text; raise `ValueError` if it is none.

    What a cell of that column is read as does not depend on the other cells.
    """
    readers = {
        ".csv": lambda file: _read_csv(file, text),
        ".parquet": pa.parquet.read_table,
        ".npy": _read_array,
    }
    suffix = path.suffix.lower()
    if suffix not in readers:
        raise ValueError(f"{path}: the name must end in {', '.join(readers)}.")
    if not path.is_file():
        raise ValueError(f"{path} cannot be read: there is no such file.")
    try:
        table = readers[suffix](path)
    except (OSError, pa.ArrowInvalid, ValueError, EOFError) as error:
        raise ValueError(f"{path} cannot be read: {str(error).rstrip('.')}.") from None
    if len(set(table.column_names)) < len(table.column_names):
        raise ValueError(f"{path} has two columns of one name.")
    return table


def _read_csv(path: Path, text: str | None) -> Table:
    """Return a CSV file; a column that is not all numbers stays text, cell by cell."""
    parse = pa.csv.ParseOptions(newlines_in_values=True)
    kept = pa.csv.ConvertOptions(column_types={} if text is None else {text: pa.string()})
    try:
        return pa.csv.read_csv(path, parse_options=parse, convert_options=kept)
    except pa.ArrowInvalid:
        # Types are guessed from the first lines; where a later one differs, all is read as text.
        names = pa.csv.open_csv(path, parse_options=parse).schema.names
        every = pa.csv.ConvertOptions(column_types={name: pa.string() for name in names})
        return pa.csv.read_csv(path, parse_options=parse, convert_options=every)


def _read_array(path: Path) -> Table:
    found = np.load(path, allow_pickle=False)
    if found.ndim != 2 or found.dtype.kind not in "iuf":
        raise ValueError(f"an array of type {found.dtype} and {found.ndim} dimensions")
    names = [str(place) for place in range(found.shape[1])]
    return pa.table([pa.array(found[:, place]) for place in range(found.shape[1])], names=names)


def _numbers(column: Any, where: str) -> NDArray[np.float64]:
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return _numbers_in_text(column, where)
    values: NDArray[np.float64] = np.asarray(column.to_numpy(), dtype=np.float64)
    _refuse(~np.isfinite(values), column, where, "is not a finite number")
    return values


def _numbers_in_text(column: Any, where: str) -> NDArray[np.float64]:
    """Return the numbers in a column of another type, or name the first cell that is none."""
    values = np.full(len(column), np.nan)
    for row, cell in enumerate(column.to_pylist()):
        try:
            values[row] = float(cell) if isinstance(cell, str) else np.nan
        except ValueError:
            break
        if not np.isfinite(values[row]):
            break
    _refuse(~np.isfinite(values), column, where, "is not a finite number")
    return values


def _labels(column: Any, where: str) -> list[str]:
    """Return labels as texts, each by itself; whole numbers in an array of floats as integers."""
    found: list[Any] = column.to_pylist()
    missing = [cell is None or cell == "" or cell != cell for cell in found]
    _refuse(np.array(missing, dtype=bool), column, where, "is no label")
    return [_text(cell) for cell in found]


def _text(cell: Any) -> str:
    whole = isinstance(cell, float) and cell.is_integer()
    return str(int(cell)) if whole else str(cell)


def _refuse(bad: NDArray[np.bool_], column: Any, where: str, why: str) -> None:
    if bad.any():
        row = int(np.argmax(bad))
        cell = column[row].as_py()
        shown = "an empty cell" if cell is None or cell == "" else repr(cell)
        raise ValueError(f"{where}, row {row + 1}: {shown} {why}.")
