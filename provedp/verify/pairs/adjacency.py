"""Which pairs of data sets a claim speaks of, and whether a given pair is one of them."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

ROUNDING = 1e-12  # relative slack of a distance of vectors

Check = Callable[[Any, Any], str | None]


def require_adjacent(first: Any, second: Any, adjacency: str) -> None:
    """Raise unless the two data sets are adjacent.

    Parameters
    ----------
    first, second
        The data sets.
    adjacency
        'replace-one' (equally many records, all but one equal), 'add-remove' (one record more),
        'neighbouring-counts' (integers that differ by one), 'label' (records (…, label), of which
        one differs, in its label only), 'l1', 'l2', 'linf' (vectors or numbers at distance at most
        1; 'l2:0.5' for 0.5), or 'any'. The order of records does not matter.

    Raises
    ------
    ValueError
        If they are not, with what was found.

    >>> require_adjacent([1, 2, 3], [3, 1, 5], "replace-one")
    >>> require_adjacent([1, 2], [1], "replace-one")
    Traceback (most recent call last):
    ...
    ValueError: The pair is not adjacent (replace-one): 2 and 1 records.
    """
    kind, _, radius = adjacency.partition(":")
    if kind == "any":
        return
    if kind in NORMS:
        problem = _distance_problem(first, second, NORMS[kind], _radius(radius, adjacency))
    elif kind in CHECKS and not radius:
        problem = CHECKS[kind](first, second)
    else:
        raise ValueError(
            f"The 'adjacency' parameter must be one of {', '.join((*CHECKS, *NORMS, 'any'))}."
            f" Got {adjacency!r} instead."
        )
    if problem is not None:
        raise ValueError(f"The pair is not adjacent ({adjacency}): {problem}.")


def _radius(text: str, adjacency: str) -> float:
    try:
        radius = float(text) if text else 1.0
    except ValueError:
        radius = -1.0
    if not 0 < radius < np.inf:
        raise ValueError(
            f"The 'adjacency' parameter must end in a positive distance. Got {adjacency!r} instead."
        )
    return radius


def records_of(data: Any) -> list[Any]:
    """Return the records of a data set in a form that can be compared and counted.

    Those of a tuple of arrays of one length, (X, y), are its rows side by side.
    """
    if isinstance(data, tuple) and data and all(isinstance(part, np.ndarray) for part in data):
        parts = [part.reshape(len(part), math.prod(part.shape[1:])) for part in data]
        return [tuple(row) for row in np.column_stack(parts).tolist()]
    if isinstance(data, np.ndarray):
        data = data.tolist()
    if isinstance(data, dict) or not isinstance(data, Sequence) or isinstance(data, str):
        raise ValueError(f"A data set must be a list of records. Got {data!r} instead.")
    return [_hashable(record) for record in data]


def _hashable(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(_hashable(item) for item in value)
    if isinstance(value, dict):
        return tuple(sorted((key, _hashable(item)) for key, item in value.items()))
    return value


def _difference(first: Any, second: Any) -> tuple[list[Any], list[Any]]:
    """Return the records that only the one has, and those that only the other has."""
    own, other = Counter(records_of(first)), Counter(records_of(second))
    return list((own - other).elements()), list((other - own).elements())


def _replace_one(first: Any, second: Any) -> str | None:
    sizes = len(records_of(first)), len(records_of(second))
    if sizes[0] != sizes[1]:
        return f"{sizes[0]} and {sizes[1]} records"
    changed = len(_difference(first, second)[0])
    return None if changed <= 1 else f"{changed} records differ"


def _add_remove(first: Any, second: Any) -> str | None:
    only = _difference(first, second)
    if sum(map(len, only)) <= 1:
        return None
    return f"{len(only[0])} records are in the first only, {len(only[1])} in the second only"


def _counts(first: Any, second: Any) -> str | None:
    whole = all(
        isinstance(x, (int, np.integer)) and not isinstance(x, bool) for x in (first, second)
    )
    if not whole:
        return f"{first!r} and {second!r} are not counts"
    return None if abs(int(first) - int(second)) <= 1 else f"{first} and {second}"


def _label(first: Any, second: Any) -> str | None:
    problem = _replace_one(first, second)
    if problem is not None:
        return problem
    for own, other in zip(*_difference(first, second), strict=True):
        if not isinstance(own, tuple) or own[:-1] != other[:-1]:
            return f"the records {own!r} and {other!r} differ in more than the label"
    return None


def _distance_problem(first: Any, second: Any, order: float, radius: float) -> str | None:
    try:
        vectors = [
            np.atleast_1d(np.asarray(data, dtype=np.float64)).ravel() for data in (first, second)
        ]
    except (TypeError, ValueError):
        return "they are no vectors of numbers"
    if vectors[0].shape != vectors[1].shape:
        return f"vectors of {len(vectors[0])} and {len(vectors[1])} numbers"
    distance = float(np.linalg.norm(vectors[0] - vectors[1], order))
    return None if distance <= radius * (1 + ROUNDING) else f"distance {distance:g}, not {radius:g}"


CHECKS: dict[str, Check] = {
    "replace-one": _replace_one,
    "add-remove": _add_remove,
    "neighbouring-counts": _counts,
    "label": _label,
}
NORMS = {"l1": 1, "l2": 2, "linf": np.inf}
