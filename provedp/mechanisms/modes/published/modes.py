"""Algorithm 1 of the modes paper, for study: it is not private."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from provedp.mechanisms.modes.private.settings import Box
from provedp.mechanisms.modes.published.anchors import ball_counts, density_aware_anchors, lattice
from provedp.mechanisms.modes.published.ascent import Schedule, ascend, rounds_of
from provedp.mechanisms.modes.published.bandwidths import rate_bandwidth
from provedp.mechanisms.modes.published.base import (
    COUNT,
    POSITIVE,
    SHARE,
    PublishedModesBase,
    Trail,
    read_points,
    times_log,
)
from provedp.theory.arrays import Floats
from provedp.theory.domain import check_argument
from provedp.theory.modes import joint_sensitivity, noise_scale, stabilised_score

DRAWS_PER_LOG = 1.7
SUPPRESSION = 2.0  # in units of (log n)^(−1/d)
REFUTED_BY = (
    "modes.whole_run_is_private",
    "modes.transcript_of_all_starts_is_private",
    "modes.joint_scores_move_within_their_noise",
)


class PublishedModes(PublishedModesBase):
    """Modes of a density, released by Algorithm 1: density-aware starts, then noisy ascent.

    Its (ε, δ) is refuted, so `guarantee` is None and `fit` warns.

    Parameters
    ----------
    epsilon
        ε > 0 in nats.
    delta
        δ in (0, 1).
    box
        Public d intervals (low, high) that the grid of candidates covers.
    clip
        A > 0: the largest norm of the gradient.
    floor
        p_floor > 0 below the density.
    bandwidth
        h_mode > 0; None for (log n/n)^(1/(d+6)).
    modes
        The number of modes, for a merge by Ward's linkage; None to merge within h_mode.
    anchor_share
        ε_init/ε, the share that the starts use.
    draws
        k, the number of starts; None for ⌈1.7 log n⌉.
    anchor_bandwidth
        h_DAP, radius of the counts and spacing of the grid; None for (log n/n)^(1/(d+6)).
    suppression
        ρ_init: candidates so near to a start are closed; None for 2 (log n)^(−1/d).
    rounds
        T; None for ⌈log n⌉.
    batch
        m; None for ⌈n/log n⌉.
    step
        η; None for h_mode², which makes the ascent a mean shift.
    candidates
        Public candidates for starts instead of the grid, one in each row.
    random_state
        A seed or a `numpy.random.Generator`; None for fresh entropy.

    Attributes
    ----------
    modes_
        The released modes, one in each row.
    starts_, ascended_
        The starts and where they ascended to, before merging.

    Source: modes paper, Algorithms 1 and 2, eq. (9).
    """

    refuted_by = REFUTED_BY

    def __init__(
        self,
        epsilon: Any = 1.0,
        delta: Any = 1e-6,
        *,
        box: ArrayLike | None = None,
        clip: float = 1.0,
        floor: float = 1e-2,
        bandwidth: float | None = None,
        modes: int | None = None,
        anchor_share: float = 0.5,
        draws: int | None = None,
        anchor_bandwidth: float | None = None,
        suppression: float | None = None,
        rounds: int | None = None,
        batch: int | None = None,
        step: float | None = None,
        candidates: ArrayLike | None = None,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.box = box
        self.clip = clip
        self.floor = floor
        self.bandwidth = bandwidth
        self.modes = modes
        self.anchor_share = anchor_share
        self.draws = draws
        self.anchor_bandwidth = anchor_bandwidth
        self.suppression = suppression
        self.rounds = rounds
        self.batch = batch
        self.step = step
        self.candidates = candidates
        self.random_state = random_state

    def _trail(self, points: Floats, rng: np.random.Generator) -> Trail:
        epsilon, delta = self._budget()
        positive = ("clip", "floor", "bandwidth", "anchor_bandwidth", "suppression", "step")
        self._check(dict.fromkeys(positive, POSITIVE))
        self._check(dict.fromkeys((self.counted, "draws", "rounds", "batch"), COUNT))
        self._check({"anchor_share": SHARE})
        schedule = self._schedule(points, ((1 - self.anchor_share) * epsilon, delta))
        starts = self._anchors(points, self.anchor_share * epsilon, rng)

        def score(places: Floats, batch: Floats) -> Floats:
            found: Floats = stabilised_score(
                places, batch, schedule.bandwidth, self.clip, self.floor
            )
            return found

        ascended = ascend(starts, points, score, schedule, rng)
        return Trail(starts, ascended, self._merged(ascended, schedule.bandwidth))

    def _anchors(self, points: Floats, epsilon: float, rng: np.random.Generator) -> Floats:
        n, d = points.shape
        name, radius = type(self).__name__, self.anchor_bandwidth or rate_bandwidth(n, d)
        if self.candidates is None:
            box = check_argument(name, "box", Box(), self.box)
            candidates = lattice([(float(low), float(high)) for low, high in box], radius)
        else:
            candidates = read_points(name, "candidates", self.candidates, least=1)
        if candidates.shape[1] != d:
            raise ValueError(
                f"The records of {name} must have {candidates.shape[1]} columns. Got {d} instead."
            )
        counts = ball_counts(candidates, points, radius)
        draws = self.draws or times_log(DRAWS_PER_LOG, n)
        suppression = self.suppression or SUPPRESSION * math.log(n) ** (-1 / d)
        return density_aware_anchors(candidates, counts, draws, epsilon, suppression, rng)

    def _schedule(self, points: Floats, budget: tuple[float, float]) -> Schedule:
        n, d = points.shape
        h = float(self.bandwidth or rate_bandwidth(n, d))
        rounds = self.rounds or rounds_of(n)
        batch = self.batch or math.ceil(n / math.log(n))
        sensitivity = joint_sensitivity(h, d, self.clip, self.floor)
        sigma = noise_scale(sensitivity, *budget, n, batch, rounds)
        return Schedule(rounds, batch, h, float(sigma), float(self.step or h * h))
