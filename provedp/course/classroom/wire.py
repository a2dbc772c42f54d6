"""Answers on their way out of a submission's process: JSON that keeps numbers exact.

What is no number, text or collection becomes a word for its type, so that nothing of a
submission's own code is loaded where grades are made.
"""

import json
import numbers
import struct
from collections.abc import Callable, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any, Protocol

DEEPEST = 6
LONGEST_MESSAGE = 1 << 26
LENGTH = struct.Struct(">Q")


class Readable(Protocol):
    """What `receive` reads from."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes, or fewer at the end."""
        ...


class Unknown:
    """Something that is no answer: a stand-in with the name of its type."""


def encode(value: Any, keep: Callable[[Any], int], depth: int = DEEPEST) -> Any:
    """Return an answer as JSON; functions go to `keep`, which returns their number."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return {"whole": str(int(value))}
    if isinstance(value, float):
        return {"float": repr(float(value))}
    ratio = _ratio(value)
    if ratio is not None:
        return {"ratio": ratio}
    if depth == 0:
        return {"unknown": "collection nested too deeply"}
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        return encode(value.tolist(), keep, depth)
    if isinstance(value, Mapping):
        pairs = [[encode(x, keep, depth - 1) for x in pair] for pair in value.items()]
        return {"mapping": pairs}
    if isinstance(value, (Sequence, Set)) and not isinstance(value, (bytes, bytearray)):
        name = "set" if isinstance(value, Set) else "list"
        return {name: [encode(x, keep, depth - 1) for x in value]}
    if callable(value):
        return {"function": keep(value)}
    return {"unknown": type(value).__name__}


def _ratio(value: Any) -> list[str] | None:
    """Return numerator and denominator of an exact number, flint's and sympy's included."""
    if isinstance(value, type):
        return None
    for above, below in (("numerator", "denominator"), ("p", "q")):
        parts = getattr(value, above, None), getattr(value, below, None)
        if all(part is not None and not callable(part) for part in parts):
            return [str(int(part)) for part in parts]  # type: ignore[arg-type]
    if isinstance(value, numbers.Integral):
        return [str(int(value)), "1"]
    if hasattr(type(value), "__index__") and not hasattr(type(value), "__len__"):
        return [str(value.__index__()), "1"]  # flint's integers
    return None


def decode(value: Any, function: Callable[[int], Any]) -> Any:
    """Return an answer from JSON; `function` returns what stands for the function of a number.

    Raises
    ------
    ValueError
        If it is nothing that `encode` writes.
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if not isinstance(value, dict) or len(value) != 1:
        raise ValueError("no answer that was encoded")
    ((kind, inner),) = value.items()
    if kind == "ratio":
        return Fraction(*map(int, inner))
    if kind == "whole":
        return int(inner)
    if kind == "float":
        return float(inner)
    if kind == "mapping":
        return {_key(decode(k, function)): decode(v, function) for k, v in inner}
    if kind == "list":
        return [decode(x, function) for x in inner]
    if kind == "set":
        return frozenset(_key(decode(x, function)) for x in inner)
    if kind == "function":
        return function(int(inner))
    if kind == "unknown":
        return type(str(inner)[:40] or "object", (Unknown,), {})()
    raise ValueError(f"no kind of answer is called {kind!r}")


def _key(value: Any) -> Any:
    return tuple(map(_key, value)) if isinstance(value, list) else value


def send(stream: Any, message: Mapping[str, Any]) -> None:
    """Write a message: its length, then JSON."""
    content = json.dumps(message).encode()
    stream.write(LENGTH.pack(len(content)) + content)
    stream.flush()


def receive(stream: Readable) -> dict[str, Any]:
    """Return a message.

    Raises
    ------
    EOFError
        If the stream ends.
    ValueError
        If it is too long, or no JSON object.
    """
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    if length > LONGEST_MESSAGE:
        raise ValueError("the message is too long")
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    message = json.loads(content)
    if not isinstance(message, dict):
        raise ValueError("the message is no object")
    return message
