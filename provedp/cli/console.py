"""Tables on standard output."""

import errno
import os
from typing import NoReturn

from rich.console import Console


class OutputConsole(Console):
    """A console that says that its reader left, as every other output does."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise `BrokenPipeError`, where rich would exit with a status of its own."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
