"""Neighbouring data sets, ordinary ones and those where proofs of sensitivity have their edges."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from provedp.theory.arrays import Floats

Pairs = Mapping[str, tuple[Any, Any]]

LARGEST = np.finfo(float).max
# In units of a bound: signs of zero, the least float, a lattice step, both sides of the border,
# what is far outside, and what overflows.
_NEAR = (0.0, -0.0, 5e-324, 2.0**-24, -(2.0**-24), 0.5, 1.0, -1.0, 1 + 2.0**-52, 1 - 2.0**-53)
EDGES = (*_NEAR, 2.0, -2.0, 1e3, -1e3)
SIZES = (1, 2, 3, 6)  # of data sets that hold edges only


def edge_points(seed: int, records: int, dimension: int, unit: float) -> Floats:
    """Return records (rows) whose coordinates are edges, repeated ones and largest floats."""
    rng = np.random.default_rng(seed)
    found = rng.choice(EDGES, (records, dimension)) * unit
    found[rng.random((records, dimension)) < 0.1] = LARGEST
    found[rng.random((records, dimension)) < 0.1] = -LARGEST
    return found


def labelled(adjacency: str, classes: int, dimension: int, bound: float, records: int) -> Pairs:
    """Return neighbours of labelled records for a mixture whose records are cut to a ball."""
    base = _two_sides(classes, dimension, bound, records)
    axis, other = np.eye(dimension)[0] * bound, np.eye(dimension)[-1] * bound
    changes = {
        "antipodal": ((2 * axis, 0), (-2 * axis, 0)),
        "another class": ((2 * axis, 0), (2 * axis, 1)),
        "all else": ((2 * axis, 0), (-2 * other, 1)),
        "orthogonal": ((2 * axis, 0), (2 * other, 0)),
        "huge": ((LARGEST * (axis / bound), 0), (-LARGEST * (axis / bound), 1)),
        "within": ((0 * axis, 0), (axis * 1e-3, 0)),
    }
    rng = np.random.default_rng(records)
    found = {name: _changed(adjacency, classes, base, *change) for name, change in changes.items()}
    for number in range(4):
        change = [(rng.normal(size=dimension) * bound, int(rng.integers(classes))) for _ in "ab"]
        normal = rng.normal(size=(records - 1, dimension)) * bound / 3
        labels = rng.integers(0, classes, records - 1).tolist()
        found[f"random {number}"] = _changed(
            adjacency, classes, (normal, labels), change[0], change[1]
        )
    for number, size in enumerate(2 * SIZES):
        points = edge_points(number, size + 1, dimension, bound)
        labels = rng.integers(0, classes, size + 1).tolist()
        ends = (points[0], labels[0]), (points[1], labels[1])
        rest = np.delete(points, [0, 1], axis=0), labels[2:]
        found[f"edges {number}"] = _changed(adjacency, classes, rest, *ends)
    return found


def _two_sides(
    classes: int, dimension: int, bound: float, records: int
) -> tuple[Floats, list[int]]:
    """Return records of the first class on one side of the ball, all others on the other one."""
    labels = [index % classes for index in range(records - 1)]
    points = np.zeros((records - 1, dimension))
    points[:, 0] = [0.9 * bound if label == 0 else -0.9 * bound for label in labels]
    return points, labels


def _changed(
    adjacency: str, classes: int, rest: tuple[Floats, list[int]], first: Any, second: Any
) -> Any:
    """Return neighbours: with `first`, and with what the adjacency lets become of it."""
    (point, label), (other, into) = first, second
    if adjacency == "add-remove":
        return _with(rest, point, label), rest
    if adjacency == "label":
        flipped = into if into != label else (label + 1) % classes
        return _with(rest, point, label), _with(rest, point, flipped)
    return _with(rest, point, label), _with(rest, other, into)


def _with(rest: tuple[Floats, list[int]], point: Floats, label: int) -> tuple[Floats, list[int]]:
    points, labels = rest
    return np.vstack([points, [point]]), [*labels, label]


def unlabelled(adjacency: str, low: Floats, high: Floats, width: float, records: int) -> Pairs:
    """Return neighbours of records in a box, for estimates whose details have some width.

    Most records are in two heaps, at the middle of cells of two widths; the others in the corners.
    """
    dimension = len(low)
    rng = np.random.default_rng(records)
    last = np.ceil((high - low) / (2 * width)) - 1
    left = low + (last // 4 + 0.5) * 2 * width
    right = low + (last - last // 4 + 0.5) * 2 * width
    inside = (high - low) * 2.0**-10
    few = np.tile(np.stack([low + inside, high - inside]), (records // 20, 1))
    near = np.vstack([few, np.tile(np.stack([left, right]), (records // 2, 1))])
    outward = np.eye(dimension)[0] * 2 * width * (1 - 2.0**-10)
    changes = {
        "beside heaps": (left - outward, right + outward),
        "around heaps": (left + outward, right - outward),
        "between heaps": (left + outward / 2, right - outward / 2),
        "corners": (low, high),
        "beyond": (np.full(dimension, -LARGEST), np.full(dimension, LARGEST)),
        "heaps": (left, right),
        "cell borders": (low + 2 * width, low + 4 * width),
        "under borders": (np.nextafter(low + 2 * width, low), low + 2 * width),
        "steps": (left, left + width / 6),
        "centre and border": (left, left + outward),
    }
    found = {name: _moved(adjacency, near, *change) for name, change in changes.items()}
    for number in range(3):
        points = rng.normal(size=(records, dimension)) * (high - low) / 4 + (low + high) / 2
        found[f"random {number}"] = _moved(adjacency, points[2:], points[0], points[1])
    unit = float(high.max())
    for number, size in enumerate(2 * SIZES):
        points = edge_points(number, size + 1, dimension, unit)
        found[f"edges {number}"] = _moved(adjacency, points[2:], points[0], points[1])
    found["repeated"] = _moved(adjacency, np.tile(left, (records, 1)), left, left)
    return found


def _moved(adjacency: str, rest: Floats, first: Floats, second: Floats) -> Any:
    with_first = np.vstack([rest, first[None]])
    return with_first, rest if adjacency == "add-remove" else np.vstack([rest, second[None]])
