"""Files that are written whole or not at all."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write a text file whole or not at all.

    Raises
    ------
    ValueError
        If the folder cannot be written to.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; as `write`."""
    handle, temporary = _temporary_beside(path)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def require_writable(path: Path) -> None:
    """Raise `ValueError` if a file could not be written there now, before anything is spent on it.

    The folder is tried with a file that is removed at once.
    """
    if path.is_dir():
        raise ValueError(f"{path} cannot be written: it is a folder.")
    handle, temporary = _temporary_beside(path)
    os.close(handle)
    Path(temporary).unlink()


def require_apart(paths: Sequence[Path]) -> None:
    """Raise `ValueError` if two of these are one file: writing one would destroy the other."""
    seen: dict[Path, Path] = {}
    for path in paths:
        place = path.resolve()
        if place in seen:
            raise ValueError(f"{path} and {seen[place]} are the same file.")
        seen[place] = path


def _temporary_beside(path: Path) -> tuple[int, str]:
    try:
        return tempfile.mkstemp(dir=path.resolve().parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}.") from error
