"""Scores of several columns: weights that are learned on some canaries, and counted on others.

Which canaries are learned from is decided by a hash of their names, or of the ranks of their
scores, never by a coin and never by a place in the file. Given the output and the coins that were
learned from, all bounds hold for the others: turning a coin that is guessed over changes neither
the parts nor the weights. Ranks depend on the output, so that any coin might have been guessed, and
m in the bounds counts all.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provedp.theory.arrays import Floats
from provedp.theory.domain import reals
from provedp.verify.audit.canaries.units import Canaries
from provedp.verify.audit.events.tallies import Bools

FEWEST = 10  # canaries to learn from
RIDGE = 1e-3  # of a variance: columns that are alike share their weight
SHARE = reals(0, 1, open_low=True, open_high=True)


@dataclass(frozen=True)
class Counted:
    """Canaries whose coins are counted: one score each, and what was learned from the others.

    Attributes
    ----------
    scores, included
        Of the canaries that are counted.
    coins
        m: all that might have been counted.
    learning
        How many canaries were learned from; 0 if nothing was.
    weights
        Of the columns of scores; none if nothing was learned.
    """

    scores: Floats
    included: Bools
    coins: int
    learning: int = 0
    weights: tuple[float, ...] = ()


def counted_of(canaries: Canaries, learn: float | None) -> Counted:
    """Return the canaries to count, with scores that are weighted as was learned on a share.

    Raises
    ------
    ValueError
        If there are several columns and nothing is learned, or too few canaries to learn or count.
    """
    table, included = canaries.table, canaries.included
    if learn is None:
        if table.shape[1] > 1:
            raise ValueError(
                f"There are {table.shape[1]} scores per canary: weights of them must be learned on"
                " canaries that are not counted. Say on which share (--learn 0.5, learn=0.5)."
            )
        return Counted(table[:, 0], included, len(included))
    if not np.isfinite(table).all():
        raise ValueError("A score is infinite: weights are learned of finite scores only.")
    part = learning_part(canaries.keys, learn)
    if part.all():
        raise ValueError(f"Of {len(part)} canaries none is left to count.")
    weights = learned_weights(table[part], included[part])
    scores = table[~part] @ weights
    learning = int(part.sum())
    return Counted(scores, included[~part], len(part), learning, tuple(map(float, weights)))


def learning_part(keys: Sequence[bytes], share: float) -> Bools:
    """Return which canaries are learned from: about a share, those whose keys hash lowest.

    Canaries with equal keys are on one side, so that their order says nothing.

    >>> learning_part([b"a", b"b", b"c", b"d"], 0.5).tolist()
    [False, False, True, True]
    """
    digests = [hashlib.sha256(key).digest() for key in keys]
    last = sorted(digests)[min(max(round(share * len(keys)), 1), len(keys)) - 1]
    return np.array([each <= last for each in digests])


def learned_weights(table: Floats, included: Bools) -> Floats:
    """Return the weights of columns that part the canaries that are in from those that are out.

    Fisher's direction, of columns in units of their standard deviation, scaled to length 1 there
    and turned back to the units of the columns.

    Raises
    ------
    ValueError
        If there are too few canaries, all are in or out, or no column differs between them.
    """
    heads = int(included.sum())
    if len(included) < FEWEST or heads in (0, len(included)):
        raise ValueError(
            f"{len(included)} canaries, {heads} of them in, are too few to learn weights from:"
            f" there must be {FEWEST} at least, in and out."
        )
    scales = table.std(axis=0)
    scales[scales == 0] = 1.0
    columns = table / scales
    apart = columns[included].mean(axis=0) - columns[~included].mean(axis=0)
    centred = columns - np.where(
        included[:, None], columns[included].mean(axis=0), columns[~included].mean(axis=0)
    )
    spread = centred.T @ centred / len(columns) + RIDGE * np.eye(table.shape[1])
    direction = np.linalg.solve(spread, apart)
    length = float(np.linalg.norm(direction))
    if length == 0:
        raise ValueError("No column of scores differs between the canaries that are learned from.")
    return np.asarray(direction / length / scales)
