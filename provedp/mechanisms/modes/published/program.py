"""The rule that made the modes paper's tables, which is not its Algorithm 1: it is not private.

A step adds up clipped shares of a mean shift. One record can turn that sum round, through the
weights' common total; the noise is that of a sum which moves by 2C/m. Box and bandwidth come from
the data.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from provedp.mechanisms.modes.published.anchors import ball_counts, density_aware_anchors, lattice
from provedp.mechanisms.modes.published.ascent import Schedule, ascend, rounds_of
from provedp.mechanisms.modes.published.bandwidths import rate_bandwidth, silverman_bandwidth
from provedp.mechanisms.modes.published.base import (
    COUNT,
    PART,
    POSITIVE,
    SHARE,
    PublishedModesBase,
    Trail,
    minibatch,
    read_points,
    times_log,
)
from provedp.theory.arrays import Floats

TINY = 1e-12  # added to the total weight
REFUTED_BY = ("modes.sum_of_clipped_shares_moves_by_two_clips",)


@dataclass(frozen=True)
class ClippedShares:
    """The sum over a minibatch of shares w_i (v_i − x)/Σw of a mean shift, each clipped to C.

    w_i = exp(−‖z_i − z‖²/(2h²)) for all coordinates z of a record; the last `moving` ones are v.
    The total weight has `extra` added to it.
    """

    bandwidth: float
    clip: float
    moving: int
    extra: float = 0.0

    def __call__(self, points: Floats, batch: Floats) -> Floats:
        """Return the sum at each point, k × moving."""
        weights = np.exp(-cdist(points, batch, "sqeuclidean") / (2 * self.bandwidth**2))
        total_weight = weights.sum(axis=1, keepdims=True) + self.extra
        shares = weights / np.where(total_weight > 0, total_weight, 1)
        gaps = batch[:, -self.moving :] - points[:, None, -self.moving :]
        lengths = shares * np.sqrt((gaps**2).sum(axis=2))
        factors = shares * (self.clip / np.maximum(lengths, self.clip))
        found: Floats = np.einsum("kn,knd->kd", factors, gaps)
        return found


def program_noise_scale(
    records: int, batch: int, rounds: int, clip: float, budget: tuple[float, float]
) -> float:
    """Return σ for (ε, δ) of the whole ascent, as if one record moved a step by 2C/m.

    With ε ≤ 1 the logarithm of (9) is replaced by its linear part; ε_iter is the middle one of the
    paper's three terms.
    """
    epsilon, delta = budget
    tail = math.log(2.5 * batch * rounds / (records * delta))
    spread = rounds * math.log(2 / delta)
    if epsilon <= 1:
        return 8 * clip / (records * epsilon) * math.sqrt(spread * tail)
    each = epsilon / (2 * math.sqrt(2 * spread))
    amplified = math.log1p(records / batch * math.expm1(each))
    return 2 * clip / batch / amplified * math.sqrt(2 * tail)


class PublishedModesCode(PublishedModesBase):
    """Modes of a density, released by the rule that made the paper's tables.

    The defaults are those of Table 2. Its (ε, δ) is refuted, so `guarantee` is None and `fit`
    warns.

    Parameters
    ----------
    epsilon
        ε > 0 in nats.
    delta
        δ in (0, 1).
    modes
        The number of modes, for a merge by Ward's linkage; None to merge within the Silverman
        bandwidth of what ascended.
    clip_multiplier
        C = clip_multiplier · h^(1 − d), h the Silverman bandwidth of the data.
    draws_per_log
        κ: there are ⌈κ log n⌉ starts.
    anchor_share
        The share of ε that the starts use.
    suppression
        c: candidates within c (log n)^(−1/d) of a start are closed.
    score_radius
        Radius of the counts, in units of the grid's spacing (log n/n)^(1/(d+6)).
    box_quantile
        The grid reaches the quantile of max_j |X_ij| over the records i.
    candidates
        Public candidates for starts instead of that grid, one in each row.
    batch_share
        m/n in (0, 1]; None for 1/log n.
    step
        η > 0, by which direction and noise are multiplied.
    random_state
        A seed or a `numpy.random.Generator`; None for fresh entropy.

    Attributes
    ----------
    modes_
        The released modes, one in each row.
    starts_, ascended_
        The starts and where they ascended to, before merging.

    Source: modes paper, Tables 2, 3 and 6.
    """

    refuted_by = REFUTED_BY

    def __init__(
        self,
        epsilon: Any = 1.0,
        delta: Any = 1e-6,
        *,
        modes: int | None = None,
        clip_multiplier: float = 0.1,
        draws_per_log: float = 1.7,
        anchor_share: float = 0.5,
        suppression: float = 2.0,
        score_radius: float = 3.0,
        box_quantile: float = 0.9,
        candidates: ArrayLike | None = None,
        batch_share: float | None = None,
        step: float = 1.0,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.modes = modes
        self.clip_multiplier = clip_multiplier
        self.draws_per_log = draws_per_log
        self.anchor_share = anchor_share
        self.suppression = suppression
        self.score_radius = score_radius
        self.box_quantile = box_quantile
        self.candidates = candidates
        self.batch_share = batch_share
        self.step = step
        self.random_state = random_state

    def ascent(self, points: Floats) -> tuple[Schedule, ClippedShares]:
        """Return the rounds, the noise and the direction of the ascent on n × d `points`.

        Raises
        ------
        ValueError
            If a parameter is outside its range.
        """
        epsilon, delta = self._budget()
        self._check_parameters()
        n, d = points.shape
        h, rounds = silverman_bandwidth(points), rounds_of(n)
        share = self.batch_share
        batch = int(n / math.log(n)) if share is None else minibatch(share, n)
        clip = self.clip_multiplier * h ** (1 - d)
        budget = epsilon - self.anchor_share * epsilon, delta
        sigma = program_noise_scale(n, batch, rounds, clip, budget)
        return Schedule(rounds, batch, h, sigma, self.step), ClippedShares(h, clip, d, TINY)

    def _check_parameters(self) -> None:
        positive = ("clip_multiplier", "draws_per_log", "suppression", "score_radius", "step")
        self._check(dict.fromkeys(positive, POSITIVE))
        self._check({"anchor_share": SHARE, "box_quantile": SHARE, self.counted: COUNT})
        self._check({"batch_share": PART})

    def _trail(self, points: Floats, rng: np.random.Generator) -> Trail:
        schedule, direction = self.ascent(points)
        starts = self._anchors(points, self.anchor_share * self._budget()[0], rng)
        ascended = ascend(starts, points, direction, schedule, rng)
        return Trail(starts, ascended, self._merged(ascended, silverman_bandwidth(ascended)))

    def _anchors(self, points: Floats, epsilon: float, rng: np.random.Generator) -> Floats:
        n, d = points.shape
        spacing = rate_bandwidth(n, d)
        if self.candidates is None:
            reach = float(np.quantile(np.abs(points).max(axis=1), self.box_quantile))
            candidates = lattice([(-reach, reach)] * d, spacing)
        else:
            candidates = read_points(type(self).__name__, "candidates", self.candidates, least=1)
        counts = ball_counts(candidates, points, self.score_radius * spacing)
        radius = self.suppression * math.log(n) ** (-1 / d)
        draws = times_log(self.draws_per_log, n)
        return density_aware_anchors(
            candidates, counts, draws, epsilon, radius, rng, reopen="unused"
        )
