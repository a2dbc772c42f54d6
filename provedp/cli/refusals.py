"""Refusals of private files: they quote nothing of a record, unless their owner asks for it."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

SHOWN = 80  # characters of a refused cell
PRIVATE = "PRIVATE, because --show-values quotes records: "
HINT = "--show-values says which, for the owner's eyes alone"


class RefusalError(ValueError):
    """Something in a private file does not fit.

    The message says what is expected, and where as far as that is public. `in_full` says which row
    it is and quotes it, and is private.
    """

    def __init__(self, message: str, in_full: str):
        super().__init__(f"{message} ({HINT}).")
        self.in_full = in_full


class RefusedCellError(RefusalError):
    """A cell does not fit: `where` names its column, `row` (from 0) its place."""

    def __init__(self, where: str, expected: str, row: int, cell: Any):
        text = str(cell)
        cut = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        shown = "an empty cell" if cell is None or not text else repr(cut)
        in_full = f"{where}, row {row + 1}: {shown} is not {expected}."
        super().__init__(f"{where}: a cell is not {expected}", in_full)


class NoColumnError(RefusalError):
    """A file has no column of a name; its first line may be a record, if it has no names."""

    def __init__(self, path: Path, column: str, known: Sequence[str]):
        message = f"{path} has no column {column!r} in its first line"
        super().__init__(message, f"{message}: {', '.join(known)[:SHOWN]!r}.")


def show_values(command: Any) -> Any:
    """Add the option that lets a refusal quote what it refuses."""
    return click.option(
        "--show-values",
        "shown",
        is_flag=True,
        help="Let a refusal quote row and cell; what it prints is private then.",
    )(command)


@contextlib.contextmanager
def quoted() -> Iterator[None]:
    """Let refusals of a file that is public quote it."""
    try:
        yield
    except RefusalError as error:
        raise ValueError(error.in_full) from None


@contextlib.contextmanager
def refusals(shown: bool) -> Iterator[None]:
    """Let refusals quote what they refuse, under a warning, if that is wanted."""
    try:
        yield
    except RefusalError as error:
        raise ValueError(PRIVATE + error.in_full if shown else str(error)) from None
