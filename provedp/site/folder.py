"""A folder of pages that is written whole or not at all, and never in the place of another."""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

MARK = ".provedp-pages"  # lists the files that were written, so that no other file is replaced


def require_replaceable(folder: Path) -> None:
    """Raise `ValueError` unless pages could be written there now, before anything is spent on it.

    They may take the place of nothing, of an empty folder, or of pages that were written before.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise ValueError(f"{folder} cannot be written: it is no folder.")
    with _readable(folder):
        other = _other_file(folder) if folder.is_dir() else None
        if other is not None:
            raise ValueError(
                f"{folder} cannot be written: it holds {other}, which is no page of provedp. Name "
                "a new folder, or an empty one."
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
            listed = "".join(f"{name}\n" for name in sorted(files))
            for name, text in {**files, MARK: listed}.items():
                path = new / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            _exchange(folder, new)
        except OSError as error:
            raise ValueError(f"{folder} cannot be written: {error.strerror}.") from None


def _other_file(folder: Path) -> str | None:
    """Return a file in a folder, from there, that was not written as a page; None if none is."""
    mark = folder / MARK
    written = set(mark.read_text(encoding="utf-8").splitlines()) if mark.is_file() else set()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name not in written and name != MARK and (path.is_symlink() or not path.is_dir()):
            return name
    return None


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
