"""Noisy ascent of several starts at once, on minibatches, with noise that nearby starts share."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from provedp.theory.arrays import Floats

JITTER = 1e-8  # keeps the correlation matrix of coinciding starts definite


@dataclass(frozen=True)
class Schedule:
    """Rounds T, minibatch size m, bandwidth h of the shared noise, its scale σ and the step η."""

    rounds: int
    batch: int
    bandwidth: float
    sigma: float
    step: float = 1.0


def ascend(
    starts: Floats,
    data: Floats,
    direction: Callable[[Floats, Floats], Floats],
    schedule: Schedule,
    rng: np.random.Generator,
    *,
    moving: int | None = None,
) -> Floats:
    """Return where T steps x ← x + η (direction(x, minibatch) + noise) lead from k starts.

    Noise has covariance σ² exp(−‖x_l − x_r‖/h) across starts and is independent across the last
    `moving` coordinates (all of them without it); the others stay.

    Source: modes paper, Algorithms 1 and 4.
    """
    x = starts.copy()
    width = x.shape[1] if moving is None else moving
    for _ in range(schedule.rounds):
        batch = data[rng.choice(len(data), schedule.batch, replace=False)]
        moved = direction(x, batch)
        moved += schedule.sigma * shared_noise(x, schedule.bandwidth, width, rng)
        x[:, x.shape[1] - width :] += schedule.step * moved
    return x


def shared_noise(points: Floats, h: float, width: int, rng: np.random.Generator) -> Floats:
    """Return k × `width` normal numbers with covariance exp(−‖x_l − x_r‖/h) in each column."""
    correlation = np.exp(-cdist(points, points) / h) + JITTER * np.eye(len(points))
    noise: Floats = np.linalg.cholesky(correlation) @ rng.standard_normal((len(points), width))
    return noise


def rounds_of(records: int) -> int:
    """Return T = ⌈log n⌉."""
    return math.ceil(math.log(records))
