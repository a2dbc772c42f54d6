"""Matrices of floats from CSV, Parquet and .npy files, by the grammar of all other files."""

import itertools
import re
from pathlib import Path

import numpy as np

from provedp.cli import cells
from provedp.cli.refusals import RefusalError
from provedp.cli.rows import first_row
from provedp.cli.sources import SUFFIXES, opened
from provedp.theory.arrays import Floats

NAME = re.compile(r"\s*[^\W\d]")  # a name begins with a letter
LIKE_NUMBERS = re.compile(r"\s*(nan|inf|infinity)\s*", re.IGNORECASE)


def read_floats(path: Path, name: str) -> Floats:
    """Return the rows of a file as floats; a first line of column names is left out of CSV.

    Parameters
    ----------
    path
        A .npy or .parquet file; any other is read as CSV.
    name
        The argument that it is for, as messages have it.

    Raises
    ------
    ValueError
        If the file cannot be read, has no rows, or (`RefusalError`) its rows are ragged or hold
        what is no finite decimal number.
    """
    try:
        if path.suffix.lower() in SUFFIXES - {".csv"}:
            source = opened(path)
            table = source.read(source.names, None)[0]
        else:
            table = _of_csv(path)
    except RefusalError:
        raise
    except ValueError as error:
        raise ValueError(f"'{name}': {error}") from None
    if not len(table):
        raise ValueError(f"'{name}': {path} has no rows.")
    return table


def _of_csv(path: Path) -> Floats:
    first, blocks = first_row(path)
    rows = list(itertools.chain.from_iterable(blocks))
    if not all(map(_is_name, first)):
        rows.insert(0, first)
    columns = [
        cells.floats([row[place] for row in rows], f"{path}, column {place + 1}")
        for place in range(len(first))
    ]
    return np.column_stack(columns)


def _is_name(cell: str) -> bool:
    return bool(NAME.match(cell)) and not LIKE_NUMBERS.fullmatch(cell)
