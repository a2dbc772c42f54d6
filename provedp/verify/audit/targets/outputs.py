"""What a mechanism returned in many runs, as arrays: its numbers, and a token for all the rest.

The output of one run may be a number, a vector, a text, a table, or nested and mixed data of
varying length. Its numbers become a row (padded with NaN), its types, texts and structure a token:
see `trees`. Both are a function of that output alone, whatever the other runs returned. A million
runs of a vector are one array.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provedp.theory.arrays import Floats
from provedp.verify.audit.targets.tables import REAL, are_large, array_token
from provedp.verify.audit.targets.trees import BOOL, EXACT, FLOAT, INT, tree_of

Codes = NDArray[np.int32]

BUILT_IN: dict[type, str] = {float: FLOAT, int: INT, bool: BOOL}


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

    def copy(self) -> "Batch":
        """Return the same runs, apart from the arrays that they may be part of."""
        return Batch(self.numbers.copy(), self.codes.copy(), self.tokens)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self.numbers.nbytes + self.codes.nbytes

    @property
    def size(self) -> int:
        """How many numbers it holds, eight characters of tokens counting as one."""
        return self.numbers.size + sum(map(len, self.tokens)) // 8


def batch_of_array(array: NDArray[Any]) -> Batch:
    """Return the rows of an array as a batch: NumPy scalars, or arrays.

    >>> batch_of_array(np.array([[1.0, 2.0], [3.0, 4.0]])).tokens
    ('{"array":"float64","shape":[2]}',)
    """
    if not _is_real(array) or are_large(array):
        return _one_by_one(list(array))
    name = array.dtype.name
    return _uniform(
        array, f'{{"np":"{name}"}}' if array.ndim == 1 else array_token(name, array.shape[1:])
    )


def batch_of_list(outputs: Sequence[Any]) -> Batch:
    """Return any outputs as a batch.

    >>> batch_of_list([None, 2.5, ["a", 1]]).tokens
    ('null', '0', '["a",1]')
    """
    whole = _as_one_array(outputs)
    return _one_by_one(outputs) if whole is None else whole


def _uniform(array: NDArray[Any], token: str) -> Batch:
    numbers = np.asarray(array, dtype=np.float64).reshape(len(array), array[:1].size)
    return Batch(numbers, np.zeros(len(array), dtype=np.int32), (token,))


def _is_real(array: NDArray[Any]) -> bool:
    return array.dtype.kind in REAL and array.dtype.itemsize <= 8 and len(array) > 0


class Tree(tuple[str, list[float]]):
    """The tree of an output that was kept instead of it."""


def kept(output: Any) -> Any:
    """Return what stands for an output from now on, whatever the target does with it later.

    >>> row = [1.0, 2.0]
    >>> kept(row) is row, kept({"a": 1})
    (False, ('{"dict":[["a",1]]}', [1.0]))
    """
    kind = type(output)
    if kind is np.ndarray:
        return output.copy()
    if kind is list and output and type(output[0]) in BUILT_IN and type(output[-1]) in BUILT_IN:
        return output.copy()  # for speed, all of it is taken to be numbers
    if kind in BUILT_IN or kind is str or output is None or isinstance(output, np.generic):
        return output
    return Tree(tree_of(output))


def _one_by_one(outputs: Sequence[Any]) -> Batch:
    rows: list[list[float]] = []
    known: dict[str, int] = {}
    codes = np.empty(len(outputs), dtype=np.int32)
    for index, output in enumerate(outputs):
        token, row = output if type(output) is Tree else tree_of(output)
        codes[index] = known.setdefault(token, len(known))
        rows.append(row)
    width = max((len(row) for row in rows), default=0)
    numbers = np.full((len(rows), width), np.nan)
    for padded, row in zip(numbers, rows, strict=True):
        padded[: len(row)] = row
    return Batch(numbers, codes, tuple(known))


def _as_one_array(outputs: Sequence[Any]) -> Batch | None:
    """Return the same batch at once, if all outputs are numbers or vectors of one type."""
    kinds = set(map(type, outputs))
    if len(kinds) != 1:
        return None
    kind = kinds.pop()
    if kind in BUILT_IN:
        return _of_numbers(outputs, kind)
    if kind in (list, tuple):
        return _of_sequences(outputs, kind)
    return _of_arrays(outputs) if issubclass(kind, (np.generic, np.ndarray)) else None


def _of_arrays(outputs: Sequence[Any]) -> Batch | None:
    """Return arrays or NumPy scalars of one dtype and shape at once."""
    dtype, shape = outputs[0].dtype, outputs[0].shape
    scalars, plain = isinstance(outputs[0], np.generic), type(outputs[0]) is np.ndarray and shape
    if dtype.kind not in REAL or not dtype.isnative or not (scalars or plain):
        return None
    if any(x.dtype != dtype or x.shape != shape for x in outputs):
        return None
    array: NDArray[Any] = np.array(outputs)
    return batch_of_array(array) if _is_real(array) and not are_large(array) else None


def _of_numbers(outputs: Any, kind: type, token: str | None = None) -> Batch | None:
    try:
        array: NDArray[Any] = np.array(outputs, dtype=np.int64 if kind is int else kind)
    except OverflowError:
        return None
    if kind is int and array.size and max(array.max(), -array.min()) > EXACT:
        return None
    return _uniform(array, token or BUILT_IN[kind])


def _of_sequences(outputs: Sequence[Any], kind: type) -> Batch | None:
    size = len(outputs[0])
    if size == 0 or any(len(x) != size for x in outputs):
        return None
    inner = set(map(type, chain.from_iterable(outputs)))
    leaf = inner.pop()
    if inner or leaf not in BUILT_IN:
        return None
    return _of_numbers(outputs, leaf, f'{{"{kind.__name__}":{BUILT_IN[leaf]},"n":{size}}}')


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
