"""Matrices from JSON text or from CSV and JSON files, entry by entry as expressions."""

import csv
import json
from pathlib import Path
from typing import Any

import sympy

from provedp.cli.expressions import parse


def read_table(text: str, name: str) -> list[Any]:
    """Return a list, or a list of rows, of expressions from JSON text or from a file's path.

    Raises
    ------
    ValueError
        If the text is neither, or the file cannot be read, is empty or holds what is no number.
    """
    if text.lstrip().startswith("["):
        return _expressions(_decode(text, name), name)
    return read_file(Path(text), name)


def read_file(path: Path, name: str) -> list[Any]:
    """Return the rows of a CSV file or the list in a JSON file, as expressions."""
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ValueError(f"'{name}': {path} cannot be read: {reason}.") from None
    if not content.strip():
        raise ValueError(f"'{name}': {path} is empty.")
    if path.suffix == ".json" or content.lstrip().startswith(("[", "{")):
        return _expressions(_decode(content, str(path)), name)
    try:
        rows = [row for row in csv.reader(content.splitlines()) if any(map(str.strip, row))]
    except csv.Error as error:
        raise ValueError(f"'{name}': {path} cannot be read: {error}.") from None
    return _expressions(rows, name)


def _decode(text: str, name: str) -> Any:
    try:
        # Numbers stay text, so that 0.1 is one tenth.
        decoded = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except ValueError as error:
        raise ValueError(f"{name} is not valid JSON: {error}.") from None
    except RecursionError:
        raise ValueError(f"{name} is not valid JSON: it is nested too deeply.") from None
    if isinstance(decoded, dict):
        decoded = _matrix_of(decoded)
    if not isinstance(decoded, list) or not decoded:
        raise ValueError(f"{name} holds no list of numbers or of rows.")
    return decoded


def _matrix_of(document: dict[str, Any]) -> Any:
    if document.keys() >= {"p", "q"}:
        return [document["p"], document["q"]]
    return document.get("channel", document.get("matrix"))


def _expressions(rows: list[Any], name: str) -> list[Any]:
    if not isinstance(rows[0], list):
        return [_entry(cell, f"'{name}', entry {index}") for index, cell in enumerate(rows, 1)]
    return [_row(row, name, index) for index, row in enumerate(rows, 1)]


def _row(row: list[Any], name: str, index: int) -> list[Any]:
    """Return a row of expressions, or of lists of them if it is a table itself."""
    if row and isinstance(row[0], list):
        return _expressions(row, f"{name}, entry {index}")
    return [_entry(cell, f"'{name}', row {index}, column {j}") for j, cell in enumerate(row, 1)]


def _entry(cell: Any, where: str) -> sympy.Expr:
    try:
        return parse(str(cell))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
