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
WHOLE = "0123456789+-" + SPACE  # what `int` takes of texts of these is an integer
NUMERIC = WHOLE + ".eE"  # what `float` takes of texts of these is decimal
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
    if _all_of(cells, NUMERIC):  # most columns are numbers throughout
        with contextlib.suppress(ValueError):
            found = np.fromiter(map(float, cells), np.float64, len(cells))
            if np.isfinite(found).all():
                return found
    return np.array([_float(cell, where, row) for row, cell in enumerate(cells, first)])


def integers(cells: Sequence[str], where: str, first: int = 0) -> list[int]:
    """Return the integers in cells of text, of which the first is in row `first` (from 0).

    Raises
    ------
    RefusedCellError
        For the first cell that is no integer.
    """
    if _all_of(cells, WHOLE):
        with contextlib.suppress(ValueError):
            return list(map(int, cells))
    return [integer(cell, where, row) for row, cell in enumerate(cells, first)]


def labels(cells: Sequence[str], where: str, first: int = 0) -> list[str]:
    """Return labels, of which the first is in row `first` (from 0); as `label`."""
    if all(map(str.strip, cells)):  # none is blank, to any notion of space
        return list(cells)
    return [label(cell, where, row) for row, cell in enumerate(cells, first)]


def _all_of(cells: Sequence[str], characters: str) -> bool:
    """Whether texts, each short enough for a number, hold nothing but some characters."""
    text = "".join(cells)
    if not text.isascii() or text.encode().translate(None, characters.encode()):
        return False
    return len(text) <= LONGEST or max(map(len, cells)) <= LONGEST


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
