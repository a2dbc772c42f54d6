"""Density-aware starts: exponential mechanism on ball counts, with suppression around each draw."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from provedp.theory.arrays import Floats

MOST_CANDIDATES = 1 << 22


def lattice(box: Sequence[tuple[float, float]], spacing: float) -> Floats:
    """Return the multiples of `spacing` that cover the box, the first coordinate slowest.

    Raises
    ------
    ValueError
        If there are more of them than can be computed with.

    >>> lattice([(-1.0, 1.2), (0.0, 0.0)], 1.0).tolist()
    [[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]
    """
    ends = [(math.floor(low / spacing), math.ceil(high / spacing)) for low, high in box]
    count = math.prod(last - first + 1 for first, last in ends)
    if count > MOST_CANDIDATES:
        raise ValueError(
            f"The grid of candidates would have {count} points, more than {MOST_CANDIDATES}; "
            "choose a larger spacing or fewer columns."
        )
    axes = [np.arange(first, last + 1) * spacing for first, last in ends]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(count, len(axes))


def ball_counts(candidates: Floats, points: Floats, radius: float) -> NDArray[np.int64]:
    """Return n u_j of eq. (3): the number of points within `radius` of each candidate.

    >>> ball_counts(np.array([[0.0], [9.0]]), np.array([[1.0], [-1.0], [1.5]]), 1.0).tolist()
    [2, 0]
    """
    size = max(1, (1 << 22) // len(points))
    blocks = range(0, len(candidates), size)
    return np.concatenate(
        [(cdist(candidates[at : at + size], points) <= radius).sum(axis=1) for at in blocks]
    )


def density_aware_anchors(
    candidates: Floats,
    counts: NDArray[np.int64],
    draws: int,
    epsilon: float,
    suppression: float,
    rng: np.random.Generator,
    *,
    reopen: str = "all",
) -> Floats:
    """Return drawn candidates, each with probability ∝ exp((ε/draws) n u_j/2) among active ones.

    Candidates within `suppression` of a draw are closed. When none is left all open again, or with
    reopen="unused" those that were not drawn, as long as there are any.

    Source: modes paper, Algorithm 2.
    """
    active = np.ones(len(candidates), dtype=bool)
    drawn: list[int] = []
    for _ in range(draws):
        if not active.any():
            active[:] = True
            if reopen == "unused" and len(set(drawn)) < len(candidates):
                active[drawn] = False
        places = np.flatnonzero(active)
        drawn.append(int(places[exponential_draw(counts[places], epsilon / draws, rng)]))
        distances = np.linalg.norm(candidates - candidates[drawn[-1]], axis=1)
        active &= distances > suppression
    return candidates[drawn]


def exponential_draw(counts: NDArray[np.int64], epsilon: float, rng: np.random.Generator) -> int:
    """Return a place with probability ∝ exp(ε count/2): the exponential mechanism on counts."""
    logits = epsilon * counts / 2
    weights = np.exp(logits - logits.max())
    return int(rng.choice(len(counts), p=weights / weights.sum()))
