"""Messages between a child process and its parent: a line of JSON, then bytes.

The line has the number of bytes that follow.
"""

import json
from typing import Any, BinaryIO, Protocol


class Readable(Protocol):
    """What messages are read from."""

    def read(self, size: int, /) -> bytes:
        """Read `size` bytes, or fewer at the end."""
        ...

    def readline(self) -> bytes:
        """Read up to the end of a line."""
        ...


def send(stream: BinaryIO, header: dict[str, Any], raw: bytes = b"") -> None:
    """Write one message."""
    stream.write(json.dumps({**header, "bytes": len(raw)}).encode() + b"\n" + raw)
    stream.flush()


def receive(stream: Readable) -> tuple[dict[str, Any], bytes]:
    """Read one message; raise `EOFError` at the end of the stream."""
    line = stream.readline()
    if not line:
        raise EOFError
    header: dict[str, Any] = json.loads(line)
    raw = stream.read(header["bytes"])
    if len(raw) < header["bytes"]:
        raise EOFError
    return header, raw
