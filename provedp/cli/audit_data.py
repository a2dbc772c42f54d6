"""Data sets and pairs of them, from the command line and from files."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from provedp.cli.records import read_columns
from provedp.verify.audit.pairs import Pair

SUFFIXES = (".json", ".csv", ".npy")
SHOWN = 80  # characters of a wrong text that are quoted


def read_data(text: str) -> Any:
    """Return a data set: a file if the text ends in .json, .csv or .npy, else JSON.

    A CSV file needs a line of column names. It is an array of its numbers, one row per record (of
    one dimension if there is one column), or a list of rows if a cell is no number.

    Raises
    ------
    ValueError
        If there is no such file, or it cannot be read.
    """
    suffix = Path(text).suffix.lower()
    if suffix not in SUFFIXES:
        return _parsed(text, "The data set")
    path = Path(text)
    if not path.is_file():
        raise ValueError(f"{path} cannot be read: there is no such file.")
    if suffix == ".json":
        return _parsed(_text(path), str(path))
    return _array(path) if suffix == ".npy" else _table(path)


def read_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a JSON file: a list of [A, B] or of {"first": A, "second": B}.

    Raises
    ------
    ValueError
        If the file is none.
    """
    listed = _parsed(_text(path), str(path))
    if not isinstance(listed, list) or not listed:
        raise ValueError(f"{path} must hold a list of pairs [A, B].")
    return [_pair(path, place, item) for place, item in enumerate(listed)]


def _pair(path: Path, place: int, item: Any) -> Pair:
    if isinstance(item, dict) and item.keys() >= {"first", "second"}:
        return Pair(item["first"], item["second"], str(item.get("name", "")))
    if isinstance(item, list) and len(item) == 2:
        return Pair(*item)
    raise ValueError(f"{path}, item {place} (from 0) is no pair [A, B].")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ValueError(f"{path} cannot be read: {reason}.") from None


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        raise ValueError(f"{name} is no JSON ({error}), nor a file's name: {shown!r}.") from None


def _array(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ValueError(f"{path} cannot be read: {str(error).rstrip('.')}.") from None


def _table(path: Path) -> Any:
    table = read_columns(path)
    columns = [column.to_pylist() for column in table.columns]
    if all(type(cell) in (int, float) for column in columns for cell in column):
        stacked = np.array(columns, dtype=float).T
        return stacked[:, 0] if stacked.shape[1] == 1 else stacked
    return [list(row) for row in zip(*columns, strict=True)]
