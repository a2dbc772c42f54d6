"""What a mechanism returned in many runs, as arrays: its numbers, and a token for all the rest.

The output of one run may be a number, a vector, a string, None, or nested and mixed data of varying
length. Its numbers become a row (padded with NaN), its shape and all that is no number a token:
`[#, "a", null]`. A million runs of a vector are one array.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provedp.theory.arrays import Floats

Codes = NDArray[np.int32]

LARGEST = 2**53  # integers beyond are told apart as text
NUMBER = "#"


@dataclass(frozen=True)
class Batch:
    """Outputs of consecutive runs.

    Attributes
    ----------
    numbers
        One row per run, padded with NaN.
    codes
        For each run, the index of its token in `tokens`.
    tokens
        The different tokens.
    """

    numbers: Floats
    codes: Codes
    tokens: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def rows(self, chosen: Any) -> "Batch":
        """Return some of the runs."""
        return Batch(self.numbers[chosen], self.codes[chosen], self.tokens)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self.numbers.nbytes + self.codes.nbytes


def batch_of_array(array: NDArray[Any]) -> Batch:
    """Return the rows of an array as a batch.

    >>> batch_of_array(np.array([[1.0, 2.0], [3.0, 4.0]])).tokens
    ('[#*2]',)
    """
    if array.dtype.kind not in "biuf" or _has_large_integers(array):
        return _one_by_one(list(array.tolist()))
    width = math.prod(array.shape[1:])
    token = NUMBER if array.ndim == 1 else _vector_token(width)
    numbers = np.asarray(array, dtype=np.float64).reshape(len(array), width)
    return Batch(numbers, np.zeros(len(array), dtype=np.int32), (token,))


def batch_of_list(outputs: Sequence[Any]) -> Batch:
    """Return any outputs as a batch.

    >>> batch_of_list([None, 2.5, ["a", 1]]).tokens
    ('null', '#', '["a",#]')
    """
    whole = _as_array(outputs)
    return _one_by_one(outputs) if whole is None else batch_of_array(whole)


def _one_by_one(outputs: Sequence[Any]) -> Batch:
    rows: list[list[float]] = []
    known: dict[str, int] = {}
    codes = np.empty(len(outputs), dtype=np.int32)
    for index, output in enumerate(outputs):
        row: list[float] = []
        token = _token(output, row)
        codes[index] = known.setdefault(token, len(known))
        rows.append(row)
    width = max((len(row) for row in rows), default=0)
    numbers = np.full((len(rows), width), np.nan)
    for padded, row in zip(numbers, rows, strict=True):
        padded[: len(row)] = row
    return Batch(numbers, codes, tuple(known))


def joined(batches: Sequence[Batch]) -> Batch:
    """Return the runs of several batches, in order."""
    known: dict[str, int] = {}
    width = max((batch.numbers.shape[1] for batch in batches), default=0)
    runs = sum(len(batch) for batch in batches)
    numbers, codes = np.full((runs, width), np.nan), np.empty(runs, dtype=np.int32)
    start = 0
    for batch in batches:
        stop = start + len(batch)
        numbers[start:stop, : batch.numbers.shape[1]] = batch.numbers
        moved = [known.setdefault(token, len(known)) for token in batch.tokens]
        if moved:
            codes[start:stop] = np.array(moved, dtype=np.int32)[batch.codes]
        start = stop
    return Batch(numbers, codes, tuple(known))


def header_of(batch: Batch) -> dict[str, Any]:
    """Return what is sent ahead of the bytes of a batch."""
    return {"shape": list(batch.numbers.shape), "tokens": list(batch.tokens)}


def bytes_of(batch: Batch) -> bytes:
    """Return the arrays of a batch as bytes."""
    return batch.numbers.astype("<f8").tobytes() + batch.codes.astype("<i4").tobytes()


def batch_from(header: dict[str, Any], raw: bytes) -> Batch:
    """Return the batch that `header_of` and `bytes_of` wrote."""
    runs, width = header["shape"]
    size = runs * width * 8
    numbers = np.frombuffer(raw[:size], dtype="<f8").reshape(runs, width)
    codes = np.frombuffer(raw[size:], dtype="<i4")
    return Batch(numbers.astype(np.float64), codes.astype(np.int32), tuple(header["tokens"]))


def _has_large_integers(array: NDArray[Any]) -> bool:
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or array.size == 0:
        return False
    return bool(array.max() > LARGEST or array.min() < -LARGEST)


def _as_array(outputs: Sequence[Any]) -> NDArray[Any] | None:
    """Return outputs that are all numbers, or all vectors of one shape, as one array."""
    first = outputs[0] if len(outputs) else None
    if not isinstance(first, (int, float, list, tuple, np.ndarray, np.generic)):
        return None
    if isinstance(first, (bool, int, float)) and any(type(x) is not type(first) for x in outputs):
        return None
    try:
        array = np.array(outputs)
    except (ValueError, OverflowError):
        return None
    vectors = array.ndim <= 1 or type(first) in (list, tuple, np.ndarray)
    return array if array.dtype.kind in "biuf" and array.size and vectors else None


def _vector_token(size: int) -> str:
    return f"[{NUMBER}*{size}]"


def _token(value: Any, numbers: list[float]) -> str:
    """Return the token of a value; append its numbers."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, (bool, int, float)):
        if isinstance(value, int) and abs(value) > LARGEST:
            return str(value)
        numbers.append(float(value))
        return NUMBER
    if isinstance(value, bytes):
        return f"bytes {value.hex()}"
    if isinstance(value, dict):
        items = sorted(value.items(), key=lambda item: str(item[0]))
        return "{" + ",".join(f"{key}:{_token(item, numbers)}" for key, item in items) + "}"
    return _sequence_token(value, numbers)


def _sequence_token(value: Any, numbers: list[float]) -> str:
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=repr)
    listed = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(listed, (list, tuple)):
        if hasattr(value, "__array__"):
            return _token(np.asarray(value), numbers)
        raise TypeError(f"an output of type {type(value).__name__} cannot be compared")
    parts = [_token(item, numbers) for item in listed]
    if len(parts) > 0 and all(part == NUMBER for part in parts):
        return _vector_token(len(parts))
    return "[" + ",".join(parts) + "]"
