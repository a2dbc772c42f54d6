"""Reading from a pipe until a deadline."""

import select
import time
from typing import Any


class DeadlineReader:
    """A pipe, read until a deadline: with `read` and `readline` as of a binary file.

    Parameters
    ----------
    stream
        The end of the pipe, unbuffered.
    deadline
        As `time.monotonic` counts.

    Raises
    ------
    TimeoutError
        When the deadline is past.
    """

    def __init__(self, stream: Any, deadline: float):
        self._stream, self._deadline = stream, deadline

    def read(self, size: int) -> bytes:
        """Read `size` bytes, or fewer at the end."""
        parts = bytearray()
        while len(parts) < size:
            part = self._some(min(size - len(parts), 1 << 20))
            if not part:
                break
            parts += part
        return bytes(parts)

    def readline(self) -> bytes:
        """Read up to the end of a line."""
        line = bytearray()
        while not line.endswith(b"\n"):
            part = self._some(1)
            if not part:
                break
            line += part
        return bytes(line)

    def _some(self, size: int) -> bytes:
        left = self._deadline - time.monotonic()
        if left <= 0 or not select.select([self._stream], [], [], left)[0]:
            raise TimeoutError
        return bytes(self._stream.read(size))
