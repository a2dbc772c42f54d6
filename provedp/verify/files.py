"""Files that are written whole or not at all, and never in the place of something else."""

import os
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path

NEW = 0o666  # mode of a new file, of which the system takes the umask


def write(path: Path, text: str) -> None:
    """Write a text file whole or not at all; as `write_bytes`."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: beside its place, from where it is moved there.

    A file that is replaced leaves its mode to the new one; else the umask decides.

    Raises
    ------
    ValueError
        If the folder cannot be written to, or the path is a link, a device or another thing that
        is no regular file, or is write-protected.
    """
    mode = _mode_kept(path)
    temporary, handle = _temporary_beside(path, NEW if mode is None else mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            if mode is not None:
                os.fchmod(file.fileno(), mode)
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritable(path, error) from None
        raise


def require_writable(path: Path) -> None:
    """Raise `ValueError` if a file could not be written there now, before anything is spent on it.

    The folder is tried with a file that is removed at once.
    """
    _mode_kept(path)
    temporary, handle = _temporary_beside(path, NEW)
    os.close(handle)
    temporary.unlink()


def require_apart(paths: Sequence[Path]) -> None:
    """Raise `ValueError` if two of these are one file: writing one would destroy the other.

    Links of both kinds are seen through.
    """
    for place, path in enumerate(paths):
        for other in paths[:place]:
            if _same(path, other):
                raise ValueError(f"{path} and {other} are the same file.")


def _same(path: Path, other: Path) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:  # one of them is not there yet
        return path.resolve() == other.resolve()


def _mode_kept(path: Path) -> int | None:
    """Return the mode of the file to replace; None if there is none; raise `ValueError` if barred.

    The path itself is looked at, not what a link points to.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unwritable(path, error) from None
    if not stat.S_ISREG(mode):
        raise ValueError(f"{path} cannot be written: it is {_kind(mode)}, no regular file.")
    if not os.access(path, os.W_OK):
        raise ValueError(f"{path} cannot be written: it is write-protected.")
    return stat.S_IMODE(mode)


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a symbolic link" if stat.S_ISLNK(mode) else "a device, pipe or socket"


def _temporary_beside(path: Path, mode: int) -> tuple[Path, int]:
    """Return a new file in the same folder, open, with a mode less the umask."""
    temporary = path.parent / f".provedp-{secrets.token_hex(8)}"
    try:
        return temporary, os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> ValueError:
    return ValueError(f"{path} cannot be written: {error.strerror}.")
