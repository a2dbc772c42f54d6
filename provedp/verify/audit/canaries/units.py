"""Rows that share a coin: several scores of one unit, or two records of which one was drawn."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.tallies import Bools

COPIES = 20  # different scores from which on a file in which none is alone holds copies


@dataclass(frozen=True)
class Canaries:
    """One score and one coin for each canary, and what was done to get them."""

    scores: Floats
    included: Bools
    words: str


def by_row(scores: Floats, included: Bools) -> Canaries:
    """Return each row as a canary.

    Raises
    ------
    ValueError
        If no score is alone, and equal ones have equal coins: rows were copied.
    """
    values, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    if len(values) >= COPIES and counts.min() > 1:
        heads = np.bincount(places, weights=included)
        if np.all((heads == 0) | (heads == counts)):
            raise ValueError(
                "Every score is there more than once, always with the same coin: rows of one coin"
                " count once. Give their units (a column 'unit', units=…)."
            )
    return Canaries(scores, included, "each row was in with a coin of its own")


def by_unit(scores: Floats, included: Bools, units: Any) -> Canaries:
    """Return the mean score of the rows of each unit, which must have one coin.

    Raises
    ------
    ValueError
        If a unit has two different coins, or the same row twice.
    """
    names, places = _placed(units, len(scores))
    heads = np.bincount(places, weights=included)
    sizes = np.bincount(places)
    mixed = int(np.count_nonzero((heads > 0) & (heads < sizes)))
    if mixed:
        raise ValueError(
            f"{mixed} of {names} units are both in and out: a unit has one coin. If one of two"
            " records was drawn for each unit, say --inclusion pairs."
        )
    if len(set(zip(places.tolist(), scores.tolist(), strict=True))) < len(scores):
        raise ValueError("A row is there twice: the same unit with the same score.")
    means = np.bincount(places, weights=scores) / sizes
    words = "each unit was in with a coin of its own"
    if names < len(scores):
        words += f"; {len(scores)} scores were averaged to one for each of {names} units"
    return Canaries(means, heads > 0, words)


def by_pair(scores: Floats, included: Bools, units: Any) -> Canaries:
    """Return pairs of which one was drawn: the score is the difference, the coin which one.

    Raises
    ------
    ValueError
        If a unit has not two rows, one of them in.
    """
    names, places = _placed(units, len(scores))
    heads, sizes = np.bincount(places, weights=included), np.bincount(places)
    if np.any(sizes != 2) or np.any(heads != 1):
        raise ValueError("With pairs, each unit must have two rows, exactly one of them in.")
    order = np.argsort(places, kind="stable").reshape(-1, 2)
    # Which of the two counts as the first must not be what the file's order says.
    turned = np.random.default_rng(names).random(names) < 0.5
    order[turned] = order[turned][:, ::-1]
    difference = scores[order[:, 0]] - scores[order[:, 1]]
    words = (
        "one of each pair was in, by a fair coin; the claim is for replacing one record by another"
    )
    return Canaries(difference, included[order[:, 0]], words)


def _placed(units: Any, rows: int) -> tuple[int, Any]:
    given = np.asarray(units)
    if given.ndim != 1 or len(given) != rows:
        raise ValueError(f"The 'units' parameter must name a unit for each of {rows} rows.")
    names, places = np.unique(given, return_inverse=True)
    return len(names), places
