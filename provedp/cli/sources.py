"""Columns of CSV, Parquet and .npy files, by name; a cell is read by itself in all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tokenize import TokenError
from typing import Any, Protocol

import numpy as np

from provedp import extras
from provedp.cli import cells
from provedp.cli.rows import Block, read_rows
from provedp.theory.arrays import Floats

SUFFIXES = frozenset({".csv", ".parquet", ".npy"})
WIDEST = 100_000  # columns of an array
DAMAGE = (OSError, ValueError, EOFError, OverflowError, SyntaxError, TypeError, TokenError)


class Source(Protocol):
    """A file that was opened: the names of its columns, and what is in them."""

    names: list[str]

    def read(self, features: Sequence[str], label: str | None) -> tuple[Floats, list[str]]:
        """Return N × d floats from columns and, if a column of labels is named, N texts.

        Raises
        ------
        ValueError
            If a cell is none, or the file cannot be read; a `RefusedCellError` if it is a cell.
        """
        ...


def opened(path: Path) -> Source:
    """Return a file by what its name ends in.

    Raises
    ------
    ValueError
        If there is none, it is of another kind, cannot be read, or has two columns of one name.
    """
    kinds: dict[str, type[_Csv | _Parquet | _Array]] = {
        ".csv": _Csv,
        ".parquet": _Parquet,
        ".npy": _Array,
    }
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path}: the name must end in {', '.join(kinds)}.")
    if not path.is_file():
        raise ValueError(f"{path} cannot be read: there is no such file.")
    source: Source = kinds[suffix](path)
    if len(set(source.names)) < len(source.names):
        raise ValueError(f"{path} has two columns of one name.")
    return source


@dataclass
class _Csv:
    path: Path

    def __post_init__(self) -> None:
        self.names, self._blocks = read_rows(self.path)

    def read(self, features: Sequence[str], label: str | None) -> tuple[Floats, list[str]]:
        places = [self.names.index(name) for name in features]
        read, labels, first = [np.zeros((0, len(features)))], [], 0
        for block in self._blocks:
            numbers = [
                cells.floats(_column(block, place), _where(self.path, self.names[place]), first)
                for place in places
            ]
            read.append(np.column_stack(numbers))
            if label is not None:
                found = _column(block, self.names.index(label))
                labels += cells.labels(found, _where(self.path, label), first)
            first += len(block)
        return np.concatenate(read), labels


@dataclass
class _Parquet:
    path: Path

    def __post_init__(self) -> None:
        pa, parquet = extras.load("pyarrow"), extras.load("pyarrow.parquet")
        self._types = pa.types
        try:
            self._file = parquet.ParquetFile(self.path)
            self.names = list(self._file.schema_arrow.names)
        except (OSError, pa.ArrowException) as error:
            raise _no_parquet(self.path) from error
        self._damage = (OSError, pa.ArrowException)

    def read(self, features: Sequence[str], label: str | None) -> tuple[Floats, list[str]]:
        wanted = [*features, *([] if label is None else [label])]
        try:
            table = self._file.read(columns=wanted)
        except self._damage as error:
            raise _no_parquet(self.path) from error
        columns = [self._numbers(table[name], _where(self.path, name)) for name in features]
        if label is None:
            return np.column_stack(columns), []
        where = _where(self.path, label)
        listed = enumerate(table[label].to_pylist())
        return np.column_stack(columns), [cells.label(cell, where, row) for row, cell in listed]

    def _numbers(self, column: Any, where: str) -> Floats:
        """Return numbers by the type that the file gives its column: of numbers, or of text."""
        types, kind = self._types, column.type
        if types.is_integer(kind) or types.is_floating(kind):
            values = np.asarray(column.to_numpy(), dtype=np.float64)
            return cells.finite(values, column, where)
        value_kind = kind.value_type if types.is_dictionary(kind) else kind
        known = (types.is_decimal, types.is_string, types.is_large_string)
        if not any(is_kind(value_kind) for is_kind in known):
            raise ValueError(f"{where} is of type {kind}, which is none of numbers or texts.")
        texts = ["" if cell is None else str(cell) for cell in column.to_pylist()]
        return cells.floats(texts, where)


@dataclass
class _Array:
    path: Path

    def __post_init__(self) -> None:
        try:
            # A mapped file is never larger than its header says; a header may say anything.
            self._array = np.lib.format.open_memmap(self.path, mode="r")
        except DAMAGE:
            raise ValueError(
                f"{self.path} cannot be read: it is no whole .npy array of numbers."
            ) from None
        kind, shape = self._array.dtype, self._array.shape
        if len(shape) != 2 or kind.kind not in "iuf" or shape[1] > WIDEST:
            raise ValueError(
                f"{self.path} cannot be read: it must be a table of numbers with at most {WIDEST} "
                f"columns. Got shape {shape} of type {kind}."
            )
        self.names = [str(place) for place in range(shape[1])]

    def read(self, features: Sequence[str], label: str | None) -> tuple[Floats, list[str]]:
        columns = [
            cells.finite(
                np.asarray(self._column(name), dtype=np.float64),
                self._column(name),
                _where(self.path, name),
            )
            for name in features
        ]
        if label is None:
            return np.column_stack(columns), []
        where, listed = _where(self.path, label), enumerate(self._column(label).tolist())
        return np.column_stack(columns), [cells.label(cell, where, row) for row, cell in listed]

    def _column(self, name: str) -> Any:
        return self._array[:, int(name)]


def _column(block: Block, place: int) -> list[str]:
    return [row[place] for row in block]


def _where(path: Path, name: str) -> str:
    return f"{path}, column {name}"


def _no_parquet(path: Path) -> ValueError:
    return ValueError(f"{path} cannot be read: it is no whole Parquet file.")
