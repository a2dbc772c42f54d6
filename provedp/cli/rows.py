"""CSV files in which each line is a row, so that no row decides what another one is."""

import csv
from collections.abc import Iterator
from pathlib import Path

from provedp.cli.refusals import RefusalError

BLOCK = 10_000  # rows at a time
LONGEST = 1_000_000  # characters of a line
SHAPE = (
    "a line must have as many cells as the first, each cell end on its line and, if it is quoted, "
    f"with its quote; a line has up to {LONGEST} characters, a quoted cell {csv.field_size_limit()}"
)
Block = list[list[str]]


def read_rows(path: Path) -> tuple[list[str], Iterator[Block]]:
    """Return the names in the first line of a CSV file, and the rows below it, block by block.

    Blank lines are left out, and a byte order mark.

    Raises
    ------
    ValueError
        If it cannot be read or two names are the same; later, from the iterator, if a line is no
        row of that many cells. No message quotes what is below the first line.
    """
    lines = enumerate(_lines(path), 1)
    header = next(_cells(path, lines), None)
    if header is None:
        raise ValueError(f"{path} cannot be read: it is empty, and has no rows.")
    names = header[1]
    if len(set(names)) < len(names):
        raise ValueError(f"{path} has two columns of one name.")
    return names, _blocks(path, lines, len(names))


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            yield from iter(lambda: file.readline(LONGEST + 1), "")
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} cannot be read: it is not UTF-8 text.") from None


def _cells(path: Path, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line that is not blank."""
    for number, line in lines:
        text = line.removesuffix("\n").removesuffix("\r")
        if len(text) > LONGEST:
            raise _misshapen(path, number, text)
        try:
            # Without quotes it is the same, in a third of the time.
            plain = '"' not in text and "\r" not in text
            (cells,) = [text.split(",")] if plain else csv.reader([text], strict=True)
        except (csv.Error, ValueError):  # an open quote, or a line break that is none
            raise _misshapen(path, number, text) from None
        if text:
            yield number, cells


def _blocks(path: Path, lines: Iterator[tuple[int, str]], width: int) -> Iterator[Block]:
    block: Block = []
    for number, cells in _cells(path, lines):
        if len(cells) != width:
            raise _misshapen(path, number, ",".join(cells))
        block.append(cells)
        if len(block) == BLOCK:
            yield block
            block = []
    if block:
        yield block


def _misshapen(path: Path, number: int, line: str) -> RefusalError:
    where = f"{path} cannot be read as CSV"
    return RefusalError(
        f"{where}: {SHAPE}", f"{where}: line {number} is {line[:80]!r}, but {SHAPE}."
    )
