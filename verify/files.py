"""Files that are written whole or not at all."""

import os
import tempfile
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    ValueError
        If the folder cannot be written to.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.resolve().parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error}") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
