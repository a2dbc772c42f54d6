"""Figure 16 of the mixture paper: records clipped to a ball, one of which may change.

For Section V-E the noise on the means follows (34) and the weights are released as they are. A
changed record moves a covariance as well, for which the noise of (11) is not enough.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from provedp.experiments.mixture.baselines import DELTA, KEPT, beside
from provedp.experiments.mixture.data import Labelled, synthetic
from provedp.experiments.mixture.release import (
    Published,
    Row,
    divergences,
    fitted_parts,
    released,
    sure_delta,
)
from provedp.mechanisms.mixture.private.estimation import within
from provedp.mechanisms.mixture.published.component import Component
from provedp.theory.arrays import Floats
from provedp.theory.mixture import feature_change_sensitivity

BOUNDS = (2.0, 5.0, 10.0, 40.0, 80.0)
GRID = 10  # L of the paper


def figure16(seeds: int) -> Iterator[Row]:
    """The synthetic mixture: divergence against the bound, one record replaced."""
    unclipped = synthetic(42)
    plain = unclipped.fitted()
    for bound in sorted((*BOUNDS, unclipped.bound)):
        data = replace(unclipped, features=within(unclipped.features, bound), bound=bound)
        models = released(data, 1.0, "replace-one", seeds)
        there, back = divergences(data, models)
        yield {
            "bound": bound,
            **published_for_changes(data, 1.0).row(),
            **beside(KEPT, data, data.fitted(), 1.0, seeds, bound=bound),
            "replace-one": there,
            "replace-one reverse": back,
            "replace-one unclipped": divergences(data, models, plain)[0],
        }


def published_for_changes(data: Labelled, epsilon: float) -> Published:
    """Run Algorithm 1 with (34) in the place of (25), ε₀ = 0 and the weights as they are.

    (33) has ln(2/δ) where (10) has ln(4/δ): all of δ is the means', as nothing else spends it.
    """
    parts = [white(part, data.bound) for part in fitted_parts(data)]
    noises = [part.best_noise(epsilon, 0.0, 2 * float(DELTA), GRID) for part in parts]
    shares = np.array([part.count for part in parts]) / len(data.labels)
    objective = float(shares @ [noise.cost for noise in noises])
    return Published(objective, change_delta(data, np.array([noise.gamma for noise in noises])))


def white(part: Component, bound: float) -> Component:
    """Return a component whose mean has white noise for 2B/N_k, the worst change of a record."""
    move = float(feature_change_sensitivity(bound, part.count)) ** 2
    identity = np.eye(len(part.covariance))
    price = move * float(np.trace(cho_solve(cho_factor(part.covariance), identity)))
    return replace(part, shape=move * identity, price=price)


def change_delta(data: Labelled, gammas: Floats) -> float:
    """Return a lower bound on δ, at every ε, of the published noise for a changed record.

    A record x of class k that goes to the sphere opposite to the mean m of the others raises the
    trace of Σ_k by ((B + |m|)² − |x − m|²)/N_k.
    """
    rises = []
    for k in range(data.classes):
        inside = data.features[data.labels == k]
        size = len(inside)
        others = (inside.sum(axis=0) - inside) / (size - 1)
        far = (data.bound + np.linalg.norm(others, axis=1)) ** 2
        rises.append(float((far - ((inside - others) ** 2).sum(axis=1)).max()) / size)
    return max(0.0, *map(sure_delta, gammas, rises))
