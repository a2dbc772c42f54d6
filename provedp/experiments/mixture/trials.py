"""Figures 1 and 2 of the mixture paper: trials of its release, and the rounds of Algorithm 1."""

from collections.abc import Iterator, Sequence

import numpy as np
from scipy import stats

from provedp.experiments.mixture.baselines import DELTA, fitted_quietly
from provedp.experiments.mixture.data import Labelled, synthetic
from provedp.experiments.mixture.release import (
    EPSILONS,
    Published,
    Row,
    fitted_parts,
    published,
    released,
    true_delta,
)
from provedp.mechanisms.mixture.published.alternation import Budget, Round, play, reachable
from provedp.mechanisms.mixture.published.component import Component
from provedp.mechanisms.mixture.published.release import PublishedMixture
from provedp.verify.solvers.mixture.design_problem import design_optimum

CONFIDENCE = 0.95  # of the paper's error bars


def figure1(seeds: int) -> Iterator[Row]:
    """The synthetic mixture: mean divergence of the trials against ε."""
    data = synthetic(42)
    parts, target = fitted_parts(data), data.fitted()
    for epsilon in EPSILONS:
        claimed = [PublishedMixture(epsilon, DELTA, random_state=seed) for seed in range(seeds)]
        theirs = [fitted_quietly(model, data).mixture_.kl_to(target) for model in claimed]
        ours = [m.mixture_.kl_to(target) for m in released(data, epsilon, "label", seeds)]
        yield {
            "epsilon": epsilon,
            **published(parts, data, epsilon, optimum=False).row(),
            "published_trials": interval(theirs),
            "private_trials": interval(ours),
        }


def figure2(rounds: int) -> Iterator[Row]:
    """The synthetic mixture: where each round of Algorithm 1 ends, ε = 1."""
    data = synthetic(42)
    parts = fitted_parts(data)
    budget = Budget(1.0, float(DELTA))
    best = design_optimum(parts, budget).objective
    for number, each in enumerate(played(parts, budget, rounds), 1):
        yield {"round": number, "weights_epsilon": each.weights, **_reached(data, each, best).row()}


def played(parts: list[Component], budget: Budget, rounds: int) -> Iterator[Round]:
    """Yield so many rounds of Algorithm 1, whether they change anything or not."""
    outputs, given = reachable(parts), budget.first
    for _ in range(rounds):
        found = play(parts, outputs, budget, given)
        given = found.weights
        yield found


def interval(values: Sequence[float]) -> list[float]:
    """Return the mean between the ends of its 95 % confidence interval, Student's.

    The ends are NaN for one value.
    """
    mean, size = float(np.mean(values)), len(values)
    if size == 1:
        return [float("nan"), mean, float("nan")]
    quantile = float(stats.t.ppf((1 + CONFIDENCE) / 2, size - 1))
    half = quantile * float(np.std(values, ddof=1)) / float(np.sqrt(size))
    return [mean - half, mean, mean + half]


def _reached(data: Labelled, found: Round, best: float) -> Published:
    gammas = np.array([noise.gamma for noise in found.noises])
    return Published(found.objective, true_delta(data, gammas), best)
