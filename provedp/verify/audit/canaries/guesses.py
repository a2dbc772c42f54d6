"""Guesses from scores: the highest called in, the lowest called out; and how many are right."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from provedp.theory.arrays import Floats
from provedp.verify.audit.canaries.bounds import Guesses
from provedp.verify.audit.events.tallies import Bools

SHARES = (1 / 200, 1 / 100, 1 / 50, 1 / 20, 1 / 10, 1 / 5, 1 / 3, 1 / 2)
TIES = 20_231  # seed of the order of equal scores: no coin and no place in the file decides it


def table_of(scores: Any, canaries: int) -> Floats:
    """Return scores as floats, a row for each canary and a column for each kind of score.

    Raises
    ------
    ValueError
        If there are not as many rows as canaries, or a score is no number.
    """
    given: NDArray[Any] = np.asarray(scores)
    if given.ndim == 1:
        given = given[:, None]
    if (
        given.ndim != 2
        or given.dtype.kind not in "biuf"
        or len(given) != canaries
        or not given.size
    ):
        raise ValueError(
            "The 'scores' parameter must be a vector with a number per canary, or a table with a"
            f" row per canary. Got shape {np.shape(scores)} for {canaries} canaries instead."
        )
    values: Floats = given.astype(np.float64)
    if np.isnan(values).any():
        missing = int(np.isnan(values).any(axis=1).sum())
        raise ValueError(f"{missing} of {canaries} scores are missing (NaN).")
    return values


def usual_sizes(canaries: int) -> tuple[int, ...]:
    """Return some k, none of them chosen by looking at anything.

    >>> usual_sizes(1000)
    (5, 10, 20, 50, 100, 200, 333, 500)
    """
    return tuple(sorted({max(1, int(share * canaries)) for share in SHARES}))


def ranking(scores: Floats) -> NDArray[np.intp]:
    """Return the places of scores, the highest first; ties in an order fixed beforehand."""
    order = np.random.default_rng(TIES).permutation(len(scores))
    return np.asarray(order[np.argsort(-scores[order], kind="stable")])


def guessed(scores: Floats, included: Bools, made: int, canaries: int | None = None) -> Guesses:
    """Return the guesses "in" at the highest scores and "out" at the lowest, `made` together.

    `canaries` are those that might have been guessed, if others have no score here.
    """
    order = ranking(scores)
    said_in = (made + 1) // 2
    said_out = made - said_in
    right = int(included[order[:said_in]].sum() + (~included[order[len(order) - said_out :]]).sum())
    return Guesses(canaries or len(scores), said_in, said_out, right)


def cut_at(scores: Floats, included: Bools, high: float, low: float) -> Guesses:
    """Return the guesses "in" from the score `high` on, and "out" up to `low`.

    Raises
    ------
    ValueError
        If the thresholds cross, or no score is beyond either.
    """
    if not low < high:
        raise ValueError(
            f"The threshold of 'out' must be below that of 'in'. Got {low} and {high}."
        )
    above, below = scores >= high, scores <= low
    if not above.any() and not below.any():
        raise ValueError(
            f"No score is at least {high} or at most {low}: there is nothing to guess."
        )
    right = int(included[above].sum() + (~included[below]).sum())
    return Guesses(len(scores), int(above.sum()), int(below.sum()), right)
