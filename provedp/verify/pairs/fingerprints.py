"""Short names for data sets and source files: what is the same has the same name in every run."""

import hashlib
import pickle
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np


def fingerprint(value: Any) -> str:
    """Return 64 hexadecimal digits that depend on the value alone.

    Numbers, texts, arrays and containers of these are told apart by type and content; other
    objects by their pickle.

    >>> fingerprint({"a": 1, "b": [2.0]}) == fingerprint({"b": [2.0], "a": 1})
    True
    >>> fingerprint([1]) == fingerprint([1.0])
    False
    """
    digest = hashlib.sha256()
    for part in _parts(value):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def fingerprint_of_files(paths: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of those paths that are files, by name."""
    files = [path for path in paths if path.is_file()]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _parts(value: Any) -> Iterable[bytes]:
    if isinstance(value, np.ndarray) and value.dtype != object:
        yield f"array {value.dtype} {value.shape}".encode()
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, Mapping):
        yield b"mapping"
        yield from sorted(bytes.fromhex(fingerprint(item)) for item in value.items())
    elif isinstance(value, (set, frozenset)):
        yield b"set"
        yield from sorted(bytes.fromhex(fingerprint(item)) for item in value)
    elif isinstance(value, (list, tuple)):
        yield f"{type(value).__name__} {len(value)}".encode()
        yield from (bytes.fromhex(fingerprint(item)) for item in value)
    elif value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.generic)):
        yield f"{type(value).__name__} {value!r}".encode()
    else:
        yield pickle.dumps(value)
