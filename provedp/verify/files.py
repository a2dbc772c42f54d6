"""Files that are written whole or not at all, and never in the place of something else.

What is written has no name until it is whole, where the system knows files without names (Linux:
O_TMPFILE), so that a process that is killed leaves nothing. A file that is to replace another one
needs a name of its own for a moment; who writes it holds a lock on it, and one whose lock is free
was left by a process that ended there: the next write to its folder removes it.
"""

import contextlib
import errno
import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

NEW = 0o666  # mode of a new file, of which the system takes the umask
NAMELESS: int | None = getattr(os, "O_TMPFILE", None)
DESCRIPTORS = Path("/proc/self/fd")
BESIDE = re.compile(r"\.provedp-[0-9a-f]{16}")


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
    _sweep(path.parent)
    try:
        with _opened_beside(path, NEW if mode is None else mode) as (handle, name):
            with os.fdopen(handle, "wb", closefd=False) as file:
                file.write(content)
            if mode is not None:
                os.fchmod(handle, mode)
            _move(handle, name, path)
    except OSError as error:
        raise _unwritable(path, error) from None


def require_writable(path: Path) -> None:
    """Raise `ValueError` if a file could not be written there now, before anything is spent on it.

    The folder is tried with a file that is removed at once.
    """
    _mode_kept(path)
    try:
        with _opened_beside(path, NEW):
            pass
    except OSError as error:
        raise _unwritable(path, error) from None


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


@contextlib.contextmanager
def _opened_beside(path: Path, mode: int) -> Iterator[tuple[int, Path | None]]:
    """Yield a new, locked file in the same folder, and its name if it needs one.

    The name is gone at the end, unless it was moved.
    """
    handle = _nameless(path.parent, mode)
    name = None if handle is not None else _new_name(path)
    if handle is None:
        handle = os.open(str(name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle, name
    finally:
        if name is not None:
            name.unlink(missing_ok=True)
        os.close(handle)


def _nameless(folder: Path, mode: int) -> int | None:
    """Return a new file without a name, or None where there is no such thing."""
    if NAMELESS is None or not DESCRIPTORS.is_dir():
        return None
    try:
        return os.open(folder, os.O_WRONLY | NAMELESS, mode)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):  # not on this system
            return None
        raise


def _move(handle: int, name: Path | None, path: Path) -> None:
    """Give a file that is whole the path, whatever is there."""
    if name is None:
        with contextlib.suppress(FileExistsError):
            _link(handle, path)
            return
        name = _new_name(path)
        _link(handle, name)
    try:
        name.replace(path)
    except BaseException:
        name.unlink(missing_ok=True)
        raise


def _link(handle: int, name: Path) -> None:
    # With a folder's handle, unused here, Python follows the link of /proc to the file itself.
    os.link(DESCRIPTORS / str(handle), name, src_dir_fd=handle, follow_symlinks=True)


def _new_name(path: Path) -> Path:
    return path.parent / f".provedp-{secrets.token_hex(8)}"


def _sweep(folder: Path) -> None:
    """Remove what a process that was killed has left: its lock is free."""
    with contextlib.suppress(OSError):
        for left in [each for each in folder.iterdir() if BESIDE.fullmatch(each.name)]:
            with contextlib.suppress(OSError), left.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()


def _unwritable(path: Path, error: OSError) -> ValueError:
    return ValueError(f"{path} cannot be written: {error.strerror}.")
