"""Figures 4 to 9 of the mixture paper: what is published, its baselines, and private releases.

Side by side stand where Algorithm 1 ends and the best that its own problem (P2) allows, both
expectations under a guarantee that does not hold, with a lower bound on the true δ; the paper's
baselines, whose guarantees do not hold either; and private releases. What is drawn has quartiles.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provedp.experiments.mixture.baselines import (
    BASELINES,
    DELTA,
    KEPT,
    REPAIRED,
    beside,
    quartiles,
)
from provedp.experiments.mixture.data import Labelled, iris, synthetic
from provedp.mechanisms.mixture import LabelledMixture, PrivateMixture
from provedp.mechanisms.mixture.published.alternation import Budget, alternate
from provedp.mechanisms.mixture.published.component import Component, components, expected_costs
from provedp.theory.arrays import Floats
from provedp.theory.mixture import LabelledData
from provedp.verify.solvers.mixture.design_problem import design_optimum

EPSILONS = (0.5, 1.0, 2.0, 5.0)
OMITTED = "coloured"  # from Figure 8, where the shape of its noise takes longest

Row = dict[str, Any]

ROUNDING = 1e-11  # more than the relative error of a trace in floats
BELOW_ONE = 1 - 2.0**-53  # no such noise has δ = 1


@dataclass(frozen=True, eq=False)
class Published:
    """What Algorithm 1 reaches on one data set, a lower bound on its true δ, and what (P2) allows.

    The optimum of (P2) is None where it was not asked for.
    """

    objective: float
    true_delta: float
    optimum: float | None = None

    def row(self) -> Row:
        """Return the columns of a table."""
        known = {} if self.optimum is None else {"published_optimum": self.optimum}
        return {
            "published": self.objective,
            **known,
            "published_true_delta_at_least": self.true_delta,
        }


def published(
    parts: list[Component], data: Labelled, epsilon: float, optimum: bool = True
) -> Published:
    """Run Algorithm 1, and search (P2) if asked to, at (ε, δ)."""
    budget = Budget(epsilon, float(DELTA))
    last = alternate(parts, budget).last
    gammas = np.array([noise.gamma for noise in last.noises])
    best = design_optimum(parts, budget).objective if optimum else None
    return Published(last.objective, true_delta(data, gammas), best)


def fitted_parts(data: Labelled) -> list[Component]:
    """Return the components that (25) is solved for, with exact expected divergences."""
    labelled = LabelledData(data.features, data.labels.tolist(), data.classes)
    return components(labelled, 0.0, "all", expected_costs)


def true_delta(data: Labelled, gammas: Floats) -> float:
    """Return a lower bound on δ, at every ε, of the published noise on the covariances.

    A flip that raises the trace of Σ_k by t is seen with certainty where W ⪰ E fails, which has
    probability at least 1 − e^(−γ_k t/2).
    """
    largest = 0.0
    for k, gamma in enumerate(gammas):
        inside = data.labels == k
        size, mean = int(inside.sum()), data.features[inside].mean(axis=0)
        squares = ((data.features - mean) ** 2).sum(axis=1)
        scatter = squares[inside].sum()
        without = (scatter - size / (size - 1) * squares[inside]) / (size - 2)
        with_it = (scatter + size / (size + 1) * squares[~inside]) / size
        rise = max(without.max(), with_it.max()) - scatter / (size - 1)
        largest = max(largest, sure_delta(gamma, rise))
    return largest


def sure_delta(gamma: float, rise: float) -> float:
    """Return 1 − e^(−γ t/2), less rounding and below 1: the least δ where a trace rises by t."""
    return min(-float(np.expm1(-gamma * rise / 2 * (1 - ROUNDING))), BELOW_ONE)


def released(
    data: Labelled, epsilon: float, adjacency: str, seeds: int, **settings: Any
) -> list[PrivateMixture]:
    """Return private releases with replayable noise, one for each seed."""
    private = PrivateMixture(
        epsilon,
        DELTA,
        bound=data.bound,
        classes=range(data.classes),
        adjacency=adjacency,
        floor=data.floor,
        records=len(data.labels),
        **settings,
    )
    found = []
    for seed in range(seeds):
        model = PrivateMixture(**private.get_params()).set_params(random_state=seed)
        found.append(model.fit(data.features, data.labels))
    return found


def divergences(
    data: Labelled, models: Sequence[PrivateMixture], target: LabelledMixture | None = None
) -> tuple[list[float], list[float]]:
    """Return the quartiles of the divergence to the fitted mixture, and of the reverse one."""
    target = data.fitted() if target is None else target
    there = quartiles([model.mixture_.kl_to(target) for model in models])
    return there, quartiles([target.kl_to(model.mixture_) for model in models])


def budgets(data: Labelled, seeds: int, baselines: Iterable[str]) -> Iterator[Row]:
    """Yield a row for each ε, with every adjacency: Figures 4 and 9."""
    parts, target = fitted_parts(data), data.fitted()
    for epsilon in EPSILONS:
        row: Row = {"epsilon": epsilon, **published(parts, data, epsilon).row()}
        row |= beside(baselines, data, target, epsilon, seeds)
        for adjacency in ("label", "replace-one", "add-remove"):
            there, back = divergences(data, released(data, epsilon, adjacency, seeds), target)
            row[adjacency] = there
            row[f"{adjacency} reverse"] = back
        yield row


def sweep(
    name: str,
    cases: Sequence[tuple[Any, Labelled]],
    seeds: int,
    baselines: Iterable[str] = KEPT,
    optimum: bool = True,
) -> Iterator[Row]:
    """Yield a row for each data set at ε = 1: Figures 5 to 8."""
    for value, data in cases:
        target = data.fitted()
        there, _ = divergences(data, released(data, 1.0, "label", seeds), target)
        yield {
            name: value,
            **published(fitted_parts(data), data, 1.0, optimum).row(),
            **beside(baselines, data, target, 1.0, seeds),
            "label": there,
        }


def figure9(seeds: int) -> Iterator[Row]:
    """Iris: divergence against ε."""
    return budgets(iris(), seeds, (*KEPT, *REPAIRED))


def figure4(seeds: int) -> Iterator[Row]:
    """The synthetic mixture: divergence against ε."""
    return budgets(synthetic(42), seeds, (*BASELINES, *REPAIRED))


def figure5(seeds: int) -> Iterator[Row]:
    """The synthetic mixture: divergence against the number of records."""
    sizes = (500, 1000, 2000, 5000, 10_000)
    return sweep("records", [(size, synthetic(42, records=size)) for size in sizes], seeds)


def figure6(seeds: int) -> Iterator[Row]:
    """The synthetic mixture: divergence against the number of classes."""
    counts = (2, 3, 5, 8, 10)
    return sweep("classes", [(count, synthetic(42, classes=count)) for count in counts], seeds)


def figure7(seeds: int) -> Iterator[Row]:
    """The synthetic mixture: divergence against the number of features."""
    sizes = (1, 2, 3, 5, 8, 10)
    return sweep("features", [(size, synthetic(42, dimension=size)) for size in sizes], seeds)


def figure8(seeds: int) -> Iterator[Row]:
    """The synthetic mixture: divergence against many features."""
    cases = [(size, synthetic(42, dimension=size)) for size in range(10, 80, 10)]
    kept = [name for name in BASELINES if name != OMITTED]
    return sweep("features", cases, seeds, kept, optimum=False)
