"""CSV files in which each line is a row, so that no row decides what another one is."""

import csv
from collections.abc import Iterator
from pathlib import Path

from provedp.cli.refusals import RefusalError

CHUNK = 1 << 18  # characters that are read at a time: blocks that fit the cache
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
    names, blocks = first_row(path)
    if len(set(names)) < len(names):
        raise ValueError(f"{path} has two columns of one name.")
    return names, blocks


def first_row(path: Path) -> tuple[list[str], Iterator[Block]]:
    """Return the cells of the first line, which may be names or not, and the rows below it.

    As `read_rows` in all else.
    """
    blocks = _blocks(path)
    first = next(blocks, None)
    if first is None:
        raise ValueError(f"{path} cannot be read: it is empty, and has no rows.")
    return first[0], blocks


def _blocks(path: Path) -> Iterator[Block]:
    """Yield the first row by itself, then the others, several at a time."""
    width = None
    for number, lines, plain in _chunks(path):
        if width is None:
            first = next((place for place, line in enumerate(lines) if line), None)
            if first is None:
                continue
            row = _row(path, number + first, lines[first], None)
            width = len(row)
            yield [row]
            number, lines = number + first + 1, lines[first + 1 :]
        block = _cells(path, number, lines, plain, width)
        if block:
            yield block


def _chunks(path: Path) -> Iterator[tuple[int, list[str], bool]]:
    """Yield lines without their ends, the number of the first, and if all are cells and commas."""
    number, rest = 1, ""
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            while text := file.read(CHUNK):
                text = (rest + text).replace("\r\n", "\n")
                lines = text.split("\n")
                rest = lines.pop()
                yield number, lines, '"' not in text and "\r" not in text
                number += len(lines)
                if len(rest) > LONGEST + 1:  # with half of a line end; it is not read further
                    raise _misshapen(path, number, rest)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} cannot be read: it is not UTF-8 text.") from None
    if rest:
        yield number, [rest.removesuffix("\r")], False


def _cells(path: Path, number: int, lines: list[str], plain: bool, width: int) -> Block:
    """Return the cells of the lines that are not blank, which must be `width` many on each."""
    if plain and max(map(len, lines), default=0) <= LONGEST:
        # Without quotes it is the same as below, in a fraction of the time.
        block = [line.split(",") for line in lines if line]
        if not set(map(len, block)) - {width}:
            return block
    return [_row(path, place, line, width) for place, line in enumerate(lines, number) if line]


def _row(path: Path, number: int, line: str, width: int | None) -> list[str]:
    try:
        plain = '"' not in line and "\r" not in line
        (cells,) = [line.split(",")] if plain else csv.reader([line], strict=True)
    except (csv.Error, ValueError):  # an open quote, or a line break that is none
        raise _misshapen(path, number, line) from None
    if len(line) > LONGEST or (width is not None and len(cells) != width):
        raise _misshapen(path, number, line)
    return cells


def _misshapen(path: Path, number: int, line: str) -> RefusalError:
    where = f"{path} cannot be read as CSV"
    return RefusalError(
        f"{where}: {SHAPE}", f"{where}: line {number} is {line[:80]!r}, but {SHAPE}."
    )
