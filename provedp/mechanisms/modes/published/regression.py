"""Algorithm 4 of the modes paper, for study: its responses are not private."""

import math
from dataclasses import dataclass
from typing import Any, Self, final

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from provedp.mechanisms.modes.published.anchors import exponential_draw
from provedp.mechanisms.modes.published.ascent import Schedule, ascend, rounds_of
from provedp.mechanisms.modes.published.bandwidths import rate_bandwidth
from provedp.mechanisms.modes.published.base import (
    COUNT,
    LEAST,
    PART,
    POSITIVE,
    SHARE,
    PublishedRelease,
    minibatch,
    read_points,
    times_log,
)
from provedp.mechanisms.modes.published.merging import merge_within
from provedp.mechanisms.modes.published.program import ClippedShares, program_noise_scale
from provedp.theory.arrays import Floats
from provedp.theory.domain import argument_error

REFUTED_BY = ("modes.sum_of_clipped_shares_moves_by_two_clips",)


@dataclass(frozen=True, eq=False)
class Branches:
    """Released responses at public predictors."""

    predictors: Floats
    starts: Floats
    responses: Floats


@final
class PublishedModalRegression(RegressorMixin, PublishedRelease):  # type: ignore[misc]
    """Conditional modes of a response, released by Algorithm 4; predictors are public.

    The paper does not say what σ is. Here it is that of the authors' program: as if one record
    moved a step by 2C/m. Its (ε, δ) is refuted, so `guarantee` is None and `fit` warns.

    Parameters
    ----------
    epsilon
        ε > 0 in nats.
    delta
        δ in (0, 1).
    candidates
        Public responses that the starts are drawn from.
    bandwidth
        h > 0 of the ascent; None for (log n/n)^(1/8).
    score_bandwidth
        h_score > 0 of the counts for the starts; None for h.
    clip_multiplier
        C = clip_multiplier/h.
    anchor_share
        p₀ = ε_init/ε, the share that the starts use.
    draws_per_log
        κ: there are ⌈κ log n⌉ starts, at evenly spaced order statistics of the predictors.
    batch_share
        m/n in (0, 1]; None for 1/log n.
    step
        η > 0.
    branches
        Most responses that `predict` gives for one predictor.
    random_state
        A seed or a `numpy.random.Generator`; None for fresh entropy.

    Attributes
    ----------
    predictors_, starts_, responses_
        Predictors x_j, and the responses where the ascents began and ended.

    Source: modes paper, Algorithm 4.
    """

    refuted_by = REFUTED_BY

    def __init__(
        self,
        epsilon: Any = 1.0,
        delta: Any = 1e-5,
        *,
        candidates: ArrayLike | None = None,
        bandwidth: float | None = None,
        score_bandwidth: float | None = None,
        clip_multiplier: float = 0.01,
        anchor_share: float = 0.5,
        draws_per_log: float = 1.0,
        batch_share: float | None = None,
        step: float = 1.0,
        branches: int = 1,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.candidates = candidates
        self.bandwidth = bandwidth
        self.score_bandwidth = score_bandwidth
        self.clip_multiplier = clip_multiplier
        self.anchor_share = anchor_share
        self.draws_per_log = draws_per_log
        self.batch_share = batch_share
        self.step = step
        self.branches = branches
        self.random_state = random_state

    def release(self, data: tuple[ArrayLike, ArrayLike], rng: Any = None) -> Branches:
        """Release responses for predictors and responses, with the randomness of `rng`.

        Raises
        ------
        ValueError
            If a parameter or the data are outside their range.
        """
        self._warn()
        return self._branches(_joined(*data), np.random.default_rng(rng))

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Release responses for n × 1 predictors X and n responses y, and keep them.

        Raises
        ------
        ValueError
            If a parameter or the data are outside their range.
        """
        self._warn()
        records = _joined(X, y)
        found = self._branches(records, np.random.default_rng(self.random_state))
        self.predictors_, self.starts_ = found.predictors, found.starts
        self.responses_, self.bandwidth_ = found.responses, self._bandwidth(len(records))
        self.n_features_in_ = 1
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Return an N × branches array of released modes; nan where there are fewer.

        Responses at predictors within h of a row are merged within h; where there are none, the
        nearest predictor's response counts.
        """
        check_is_fitted(self)
        places = read_points("predict", "X", X, least=1)
        found = np.full((len(places), self.branches), np.nan)
        for row, place in zip(found, places[:, 0], strict=True):
            gaps = np.abs(self.predictors_ - place)
            near = self.responses_[gaps <= max(self.bandwidth_, gaps.min())]
            modes = merge_within(near[:, None], self.bandwidth_)[: self.branches, 0]
            row[: len(modes)] = modes
        return found

    def _bandwidth(self, records: int) -> float:
        return float(self.bandwidth or rate_bandwidth(records, 2))

    def ascent(self, records: int) -> tuple[Schedule, ClippedShares]:
        """Return the rounds, the noise and the direction of the ascent on n records."""
        epsilon, delta = self._budget()
        h, rounds, share = self._bandwidth(records), rounds_of(records), self.batch_share
        default = math.ceil(records / math.log(records))
        batch = default if share is None else minibatch(share, records)
        clip = self.clip_multiplier / h
        budget = (1 - self.anchor_share) * epsilon, delta
        sigma = program_noise_scale(records, batch, rounds, clip, budget)
        return Schedule(rounds, batch, h, sigma, self.step), ClippedShares(h, clip, 1)

    def _branches(self, records: Floats, rng: np.random.Generator) -> Branches:
        epsilon, _ = self._budget()
        positive = ("bandwidth", "score_bandwidth", "clip_multiplier", "draws_per_log", "step")
        self._check(dict.fromkeys(positive, POSITIVE))
        self._check({"anchor_share": SHARE, "branches": COUNT})
        self._check({"batch_share": PART})
        n = len(records)
        schedule, direction = self.ascent(n)
        starts = self._starts(records, self.anchor_share * epsilon, rng)
        ended = ascend(starts, records, direction, schedule, rng, moving=1)
        return Branches(starts[:, 0], starts[:, 1], ended[:, 1])

    def _starts(self, records: Floats, epsilon: float, rng: np.random.Generator) -> Floats:
        """Return predictors with one response each, drawn by local counts."""
        n = len(records)
        name, radius = type(self).__name__, float(self.score_bandwidth or self._bandwidth(n))
        if self.candidates is None:
            raise argument_error(name, "candidates", "public responses", None)
        grid = read_points(name, "candidates", np.reshape(self.candidates, (-1, 1)), least=1)[:, 0]
        draws = min(n, times_log(self.draws_per_log, n))
        design = np.sort(records[:, 0])[np.linspace(0, n - 1, draws).round().astype(int)]
        near = np.abs(records[:, 1] - grid[:, None]) <= radius
        responses = []
        for place in design:
            local = np.abs(records[:, 0] - place) <= radius
            counts = near[:, local].sum(axis=1)
            responses.append(grid[exponential_draw(counts, epsilon / draws, rng)])
        return np.column_stack([design, responses])


def _joined(X: ArrayLike, y: ArrayLike) -> Floats:
    """Return predictors and responses as two columns."""
    predictors, responses = read_points("fit", "X", X), np.asarray(y, dtype=np.float64)
    if predictors.shape[1] != 1:
        raise argument_error("fit", "X", "an array of one column", predictors.shape[1])
    if responses.shape != (len(predictors),):
        got = f"an array of shape {responses.shape}"
        raise argument_error("fit", "y", f"{len(predictors)} numbers", got)
    return read_points("fit", "y", np.column_stack([predictors[:, 0], responses]), LEAST)
