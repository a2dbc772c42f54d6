"""Recorded rows as batches, and what is seen of them that forbids to count them as runs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provedp.verify.audit.events.scores.score import distinct
from provedp.verify.audit.runs.independence import Diagnostic, within_requests
from provedp.verify.audit.targets.outputs import Batch, batch_of_array, batch_of_list

FEWEST = 40  # rows of a side: ten to learn from, at 1/4
LOOKED_AT = 20_000  # rows that are tested one after the other
MANY = 100  # different rows from which on a side in which none is alone is a copy,
CROWDED = 2.5  # unless there are more rows of each than this


def rows_of(outputs: Any, name: str) -> Batch:
    """Return recorded outputs as a batch.

    Raises
    ------
    ValueError
        If they are no array with a row per run and no list, or an array of objects.
    """
    if isinstance(outputs, np.ndarray):
        if outputs.ndim == 0 or outputs.dtype.hasobject:
            raise ValueError(
                f"The '{name}' outputs must be an array of numbers or texts with a row per run."
                f" Got shape {outputs.shape} of type {outputs.dtype} instead."
            )
        return batch_of_array(outputs)
    if not isinstance(outputs, Sequence) or isinstance(outputs, (str, bytes)):
        raise ValueError(
            f"The '{name}' outputs must be an array or a list with an output per run."
            f" Got {type(outputs).__name__} instead."
        )
    return batch_of_list(outputs)


def require_rows(first: Batch, second: Batch) -> None:
    """Raise `ValueError` unless both sides have enough rows of one width, none of them copies."""
    for name, side in (("first", first), ("second", second)):
        if len(side) < FEWEST:
            raise ValueError(f"The {name} side has {len(side)} rows; {FEWEST} are the fewest.")
    widths = [side.numbers.shape[1] for side in (first, second)]
    tokens = [side.tokens for side in (first, second)]
    if len(tokens[0]) == len(tokens[1]) == 1 and widths[0] != widths[1]:
        raise ValueError(
            f"Rows of the first side have {widths[0]} numbers, of the second {widths[1]}: the width"
            " alone tells the data sets apart, so that there is nothing to count."
        )
    for name, side in (("first", first), ("second", second)):
        if is_doubled(side):
            raise ValueError(
                f"Every row of the {name} side is there more than once: it holds copies, which are"
                " no runs of their own."
            )
    if are_copies(first, second):
        raise ValueError("Both sides hold the same rows: one is a copy of the other.")


def is_doubled(side: Batch) -> bool:
    """Return whether no row is alone, though most rows would be if they were runs.

    >>> x = np.random.default_rng(1).normal(size=200)
    >>> is_doubled(batch_of_array(x)), is_doubled(batch_of_array(np.repeat(x, 2)))
    (False, True)
    """
    counts = np.bincount(_places(side))
    return bool(len(counts) >= MANY and len(side) <= CROWDED * len(counts) and counts.min() > 1)


def are_copies(first: Batch, second: Batch) -> bool:
    """Return whether both sides have the same rows, most of them different, in any order."""
    if len(first) != len(second) or first.numbers.shape != second.numbers.shape:
        return False
    if len(np.unique(_places(first))) < MANY:
        return False
    return _sorted(first) == _sorted(second)


def rows_checked(first: Batch, second: Batch, false_alarm: float) -> tuple[Diagnostic, ...]:
    """Test on each side whether rows depend on those before them, and whether they drift."""
    found: list[Diagnostic] = []
    for name, side in (("first", first), ("second", second)):
        few = side.rows(slice(0, LOOKED_AT))
        if len(np.unique(_places(few))) < 2:
            continue
        for each in within_requests(few, few, false_alarm / 2):
            words = f"{name} side: {each.words}"
            found.append(Diagnostic(each.name, each.passed, each.p_value, words))
    return tuple(found)


def _places(side: Batch) -> NDArray[np.intp]:
    return np.asarray(distinct(side)[1])


def _sorted(side: Batch) -> list[tuple[str, bytes]]:
    rows = zip(side.codes.tolist(), side.numbers, strict=True)
    return sorted((side.tokens[code], row.tobytes()) for code, row in rows)
