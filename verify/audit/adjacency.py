"""Which pairs of data sets a claim calls adjacent, checked on the data."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from provedp.verify.audit.fingerprints import fingerprint
from provedp.verify.audit.pairs import Pair


def require_adjacent(pair: Pair, adjacency: str, place: int = 0) -> None:
    """Raise `ValueError` unless the data sets of a pair are adjacent.

    Parameters
    ----------
    pair
        Two lists or arrays of records, in any order, or of numbers.
    adjacency
        A name in `ADJACENCIES`.
    place
        Of the pair among others, for the message.

    >>> require_adjacent(Pair([1, 2, 3], [3, 1]), "add-remove")
    >>> require_adjacent(Pair([1, 2, 3], [3, 1]), "replace")
    Traceback (most recent call last):
    ValueError: Pair 0 is not adjacent (data sets of one size that differ in one record): 3 and 2 \
records, of which 1 and 0 are not in the other.
    """
    why = ADJACENCIES[adjacency][1](pair.first, pair.second)
    if why:
        raise ValueError(f"Pair {place} is not adjacent ({ADJACENCIES[adjacency][0]}): {why}.")


def _records(data: Any) -> "Counter[str] | None":
    """Return how often each record comes up, or None if there are no records."""
    if isinstance(data, np.ndarray) and data.ndim >= 1:
        data = data.tolist()
    if not isinstance(data, (list, tuple)):
        return None
    return Counter(map(fingerprint, data))


def _apart(first: Any, second: Any, allowed: set[tuple[int, int]]) -> str:
    p, q = _records(first), _records(second)
    if p is None or q is None:
        return "a data set is no list of records"
    extra = ((p - q).total(), (q - p).total())
    if extra in allowed:
        return ""
    return (
        f"{p.total()} and {q.total()} records, of which {extra[0]} and {extra[1]} are not in the"
        " other"
    )


def _replace(first: Any, second: Any) -> str:
    return _apart(first, second, {(1, 1), (0, 0)})


def _add_remove(first: Any, second: Any) -> str:
    return _apart(first, second, {(1, 0), (0, 1)})


def _gaps(first: Any, second: Any) -> Any:
    """Return the absolute differences of two numbers or vectors, or a text that says why not."""
    try:
        p, q = (np.atleast_1d(np.asarray(data, dtype=float)) for data in (first, second))
    except (TypeError, ValueError):
        return "a data set is no number and no vector of numbers"
    return np.abs(p - q) if p.shape == q.shape else f"shapes {p.shape} and {q.shape}"


def _counts(first: Any, second: Any) -> str:
    gaps = _gaps(first, second)
    if isinstance(gaps, str):
        return gaps
    changed = gaps[gaps != 0].tolist()
    return "" if changed in ([], [1.0]) else f"differences {changed[:6]}"


def _answers(first: Any, second: Any) -> str:
    gaps = _gaps(first, second)
    if isinstance(gaps, str):
        return gaps
    largest = float(gaps.max(initial=0.0))
    return "" if largest <= 1 else f"a difference of {largest:g}"


ADJACENCIES: dict[str, tuple[str, Callable[[Any, Any], str]]] = {
    "replace": ("data sets of one size that differ in one record", _replace),
    "add-remove": ("data sets of which one has one record more", _add_remove),
    "counts": ("counts of which one differs, by one", _counts),
    "answers": ("answers to queries that differ by at most one each", _answers),
}
