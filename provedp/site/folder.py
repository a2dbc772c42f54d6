"""A folder of pages that is written whole or not at all, and never in the place of another."""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

MARK = ".provedp-pages"  # a file that says whose folder it is
WORDS = "Pages that provedp wrote; it replaces this folder whole.\n"


def require_replaceable(folder: Path) -> None:
    """Raise `ValueError` unless pages could be written there now, before anything is spent on it.

    They may take the place of nothing, of an empty folder, or of pages that were written before.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise ValueError(f"{folder} cannot be written: it is no folder.")
    with _readable(folder):
        if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
            raise ValueError(
                f"{folder} cannot be written: it is a folder with other files than pages of "
                "provedp. Name a new folder, or an empty one."
            )
    with _beside(folder):
        pass


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write files, by their names in the folder, beside it, and move them to its place.

    Raises
    ------
    ValueError
        As `require_replaceable`, and if a file cannot be written; the old pages stay then.
    """
    require_replaceable(folder)
    with _beside(folder) as new:
        try:
            for name, text in {**files, MARK: WORDS}.items():
                path = new / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            _exchange(folder, new)
        except OSError as error:
            raise ValueError(f"{folder} cannot be written: {error.strerror}.") from None


def _exchange(folder: Path, new: Path) -> None:
    """Move `new` to the place of `folder`; put the old one back if that fails."""
    if not folder.exists():
        new.rename(folder)
        return
    old = folder.parent / f"{new.name}-old"
    folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old)


@contextlib.contextmanager
def _beside(folder: Path) -> Iterator[Path]:
    """Yield a new folder beside this one; it is removed unless it was moved away."""
    place = folder.absolute()
    new = place.parent / f".provedp-{secrets.token_hex(8)}"
    with _readable(folder):
        new.mkdir()
        if place.is_dir() and not os.access(place, os.W_OK):
            new.rmdir()
            raise ValueError(f"{folder} cannot be written: it is write-protected.")
    try:
        yield new
    finally:
        shutil.rmtree(new, ignore_errors=True)


@contextlib.contextmanager
def _readable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ValueError(f"{folder} cannot be written: {error.strerror}.") from None
