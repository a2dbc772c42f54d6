"""Rows that share a coin: several scores of one unit, or two records of which one was drawn."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.tallies import Bools

COPIES = 20  # different scores from which on a file in which none is alone holds copies


@dataclass(frozen=True)
class Canaries:
    """Scores and one coin for each canary, and what was done to get them.

    Attributes
    ----------
    table
        A row of scores for each canary, a column for each kind of score.
    included
        The coins.
    words
        What was done.
    keys
        What tells each canary from the others without its coin: its name, or the ranks of its
        scores.
    """

    table: Floats
    included: Bools
    words: str
    keys: list[bytes]


def by_row(table: Floats, included: Bools) -> Canaries:
    """Return each row as a canary.

    Raises
    ------
    ValueError
        If no row is alone, and equal ones have equal coins: rows were copied.
    """
    rows = table[:, 0] if table.shape[1] == 1 else table  # the sort of a vector is far quicker
    values, places, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    if len(values) >= COPIES and counts.min() > 1:
        heads = np.bincount(places.ravel(), weights=included)
        if np.all((heads == 0) | (heads == counts)):
            raise ValueError(
                "Every score is there more than once, always with the same coin: rows of one coin"
                " count once. Give their units (a column 'unit', units=…)."
            )
    # Ranks, so that no digit and no scale of the scores makes other keys.
    ranks = [np.unique(column, return_inverse=True)[1] for column in table.T]
    keys = [row.tobytes() for row in np.column_stack(ranks).astype(np.int64)]
    return Canaries(table, included, "each row was in with a coin of its own", keys)


def by_unit(table: Floats, included: Bools, units: Any) -> Canaries:
    """Return the mean scores of the rows of each unit, which must have one coin.

    Raises
    ------
    ValueError
        If a unit has two different coins, or the same row twice.
    """
    names, places = _placed(units, len(table))
    heads = np.bincount(places, weights=included)
    sizes = np.bincount(places)
    mixed = int(np.count_nonzero((heads > 0) & (heads < sizes)))
    if mixed:
        raise ValueError(
            f"{mixed} of {len(names)} units are both in and out: a unit has one coin. If one of two"
            " records was drawn for each unit, say --inclusion pairs."
        )
    if len(np.unique(np.column_stack([places, table]), axis=0)) < len(table):
        raise ValueError("A row is there twice: the same unit with the same score.")
    sums = [np.bincount(places, weights=column) for column in table.T]
    words = "each unit was in with a coin of its own"
    if len(names) < len(table):
        words += (
            f"; {len(table)} rows of scores were averaged to one for each of {len(names)} units"
        )
    return Canaries(np.column_stack(sums) / sizes[:, None], heads > 0, words, names)


def by_pair(table: Floats, included: Bools, units: Any) -> Canaries:
    """Return pairs of which one was drawn: the scores are differences, the coin which one.

    Raises
    ------
    ValueError
        If a unit has not two rows, one of them in.
    """
    names, places = _placed(units, len(table))
    heads, sizes = np.bincount(places, weights=included), np.bincount(places)
    if np.any(sizes != 2) or np.any(heads != 1):
        raise ValueError("With pairs, each unit must have two rows, exactly one of them in.")
    order = np.argsort(places, kind="stable").reshape(-1, 2)
    # Which of the two counts as the first must not be what the file's order says: the higher score
    # is, or the lower one, by a bit that is fixed for each unit.
    first, second = (map(tuple, table[order[:, side]].tolist()) for side in (0, 1))
    higher = np.array([a > b for a, b in zip(first, second, strict=True)], dtype=bool)
    turned = higher ^ (np.random.default_rng(len(names)).random(len(names)) < 0.5)
    order[turned] = order[turned][:, ::-1]
    difference = table[order[:, 0]] - table[order[:, 1]]
    words = (
        "one of each pair was in, by a fair coin; the claim is for replacing one record by another"
    )
    return Canaries(difference, included[order[:, 0]], words, names)


def _placed(units: Any, rows: int) -> tuple[list[bytes], Any]:
    """Return the names of units, and the place of each row's among them."""
    given = np.asarray(units)
    if given.ndim != 1 or len(given) != rows:
        raise ValueError(f"The 'units' parameter must name a unit for each of {rows} rows.")
    names, places = np.unique(given, return_inverse=True)
    return [str(name).encode() for name in names], places
