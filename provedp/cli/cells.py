"""What a cell of a file means, from its own text alone.

A number is decimal: a sign if any, digits with a point if any, an exponent after e or E if any, and
spaces and tabs around them. It means the nearest float, which must be finite. An integer is a sign
if any and digits. There are no hexadecimal digits, no underscores, no digits of other scripts, and
no words for infinity or for what is missing.
"""

import contextlib
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from provedp.cli.refusals import RefusedCellError
from provedp.theory.arrays import Floats

SPACE = " \t"
NUMERIC = "0123456789+-.eE" + SPACE  # what `float` takes of texts of these is decimal
INTEGER = re.compile(r"[+-]?[0-9]+")
LONGEST = 1000  # characters of a number
FINITE = "a finite decimal number"


def floats(cells: Sequence[str], where: str, first: int = 0) -> Floats:
    """Return the numbers in cells of text, of which the first is in row `first` (from 0).

    Raises
    ------
    RefusedCellError
        For the first cell that is no finite decimal number.
    """
    if not "".join(cells).strip(NUMERIC):  # most columns are numbers throughout
        with contextlib.suppress(ValueError):
            found = np.array([float(cell) for cell in cells], dtype=np.float64)
            if np.isfinite(found).all() and max(map(len, cells), default=0) <= LONGEST:
                return found
    return np.array([_float(cell, where, row) for row, cell in enumerate(cells, first)])


def _float(cell: str, where: str, row: int) -> float:
    value = np.nan
    if not cell.strip(NUMERIC) and len(cell) <= LONGEST:
        with contextlib.suppress(ValueError):
            value = float(cell)
    if not np.isfinite(value):
        raise RefusedCellError(where, FINITE, row, cell)
    return value


def finite(values: Floats, cells: Any, where: str) -> Floats:
    """Return the floats of a typed column; raise `RefusedCellError` unless all are finite."""
    bad = ~np.isfinite(values)
    if bad.any():
        row = int(np.argmax(bad))
        raise RefusedCellError(where, FINITE, row, cells[row])
    return values


def integer(cell: str, where: str, row: int) -> int:
    """Return the integer in a cell of text; raise `RefusedCellError` if it is none."""
    text = cell.strip(SPACE)
    if len(text) > LONGEST or not INTEGER.fullmatch(text):
        raise RefusedCellError(where, "an integer", row, cell)
    return int(text)


def label(cell: Any, where: str, row: int) -> str:
    """Return a label as text, whole floats as integers; raise `RefusedCellError` if it is blank."""
    text = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
    if cell is None or cell != cell or not text.strip(SPACE):
        raise RefusedCellError(where, "a label", row, cell)
    return text
