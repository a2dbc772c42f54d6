"""Section V of the mixture paper: the published objective, its optimum, and what a guarantee costs.

Three numbers stand side by side: where Algorithm 1 ends and the best that its own problem (P2)
allows, both of which are expectations under a guarantee that does not hold, with a lower bound on
the true δ; and quartiles of the divergence of private releases.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.neural_network import MLPClassifier

from provedp.experiments.mixture.data import Digits, Labelled, digits, iris, synthetic
from provedp.mechanisms.mixture import PrivateMixture
from provedp.mechanisms.mixture.published.alternation import Budget, alternate
from provedp.mechanisms.mixture.published.component import Component, components, expected_costs
from provedp.mechanisms.mixture.published.release import PublishedMixture
from provedp.mechanisms.published import RefutedGuaranteeWarning
from provedp.theory.arrays import Floats
from provedp.theory.mixture import LabelledData
from provedp.verify.solvers.mixture.design_problem import design_optimum

DELTA = "2e-5"
EPSILONS = (0.5, 1.0, 2.0, 5.0)
QUARTILES = (25, 50, 75)
RIDGE = 1e-3  # of the paper, for images
UPDATES, BATCH, RATE = 1000, 128, 0.01  # of the network in Section V-C
LAYERS = (256, 128)

Row = dict[str, Any]

ROUNDING = 1e-11  # more than the relative error of a trace in floats
BELOW_ONE = 1 - 2.0**-53  # no such noise has δ = 1


@dataclass(frozen=True, eq=False)
class Published:
    """What Algorithm 1 and (P2) reach on one data set, and a lower bound on the true δ."""

    objective: float
    optimum: float
    true_delta: float


def published(parts: list[Component], data: Labelled, epsilon: float) -> Published:
    """Run Algorithm 1 and search (P2) at (ε, δ)."""
    budget = Budget(epsilon, float(DELTA))
    last = alternate(parts, budget).last
    gammas = np.array([noise.gamma for noise in last.noises])
    return Published(
        last.objective, design_optimum(parts, budget).objective, true_delta(data, gammas)
    )


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
        largest = max(largest, -float(np.expm1(-gamma * rise / 2 * (1 - ROUNDING))))
    return min(largest, BELOW_ONE)


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
    data: Labelled, models: Sequence[PrivateMixture]
) -> tuple[list[float], list[float]]:
    """Return the quartiles of the divergence to the fitted mixture, and of the reverse one."""
    target = data.fitted()
    there = np.percentile([model.mixture_.kl_to(target) for model in models], QUARTILES)
    back = np.percentile([target.kl_to(model.mixture_) for model in models], QUARTILES)
    return there.tolist(), back.tolist()


def budgets(data: Labelled, seeds: int) -> Iterator[Row]:
    """Yield a row for each ε and adjacency: Figures 4 and 9."""
    parts = fitted_parts(data)
    for epsilon in EPSILONS:
        claimed = published(parts, data, epsilon)
        row: Row = {
            "epsilon": epsilon,
            "published": claimed.objective,
            "published_optimum": claimed.optimum,
            "published_true_delta_at_least": claimed.true_delta,
        }
        for adjacency in ("label", "replace-one", "add-remove"):
            there, back = divergences(data, released(data, epsilon, adjacency, seeds))
            row[adjacency] = there
            row[f"{adjacency} reverse"] = back
        yield row


def sweep(name: str, cases: Sequence[tuple[Any, Labelled]], seeds: int) -> Iterator[Row]:
    """Yield a row for each data set at ε = 1: Figures 5, 6 and 7."""
    for value, data in cases:
        claimed = published(fitted_parts(data), data, 1.0)
        there, _ = divergences(data, released(data, 1.0, "label", seeds))
        yield {
            name: value,
            "published": claimed.objective,
            "published_optimum": claimed.optimum,
            "published_true_delta_at_least": claimed.true_delta,
            "label": there,
        }


def figure9(seeds: int) -> Iterator[Row]:
    """Iris: divergence against ε."""
    return budgets(iris(), seeds)


def figure4(seeds: int) -> Iterator[Row]:
    """The synthetic mixture: divergence against ε."""
    return budgets(synthetic(42), seeds)


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


def figure16(seeds: int) -> Iterator[Row]:
    """The synthetic mixture: divergence against the bound, one record replaced."""
    data = synthetic(42)
    for bound in (2.0, 5.0, 10.0, data.bound, 40.0, 80.0):
        changed = replace(data, bound=bound)
        there, back = divergences(changed, released(changed, 1.0, "replace-one", seeds))
        yield {"bound": bound, "replace-one": there, "replace-one reverse": back}


def figure11(seeds: int) -> Iterator[Row]:
    """Digits: divergence of the classifier's mixture against ε."""
    data = digits()
    target = data.train.fitted(ridge=RIDGE)
    for epsilon in (1.0, 2.0, 5.0, 10.0):
        models = released(
            data.train, epsilon, "label", seeds, location=data.location, shape=data.shape
        )
        there = [model.mixture_.kl_to(target) for model in models]
        claimed = [model.mixture_.kl_to(target) for model in _published(data, epsilon, seeds)]
        yield {
            "epsilon": epsilon,
            "label": np.percentile(there, QUARTILES).tolist(),
            "published_divergence": float(np.median(claimed)),
        }


def figure12(seeds: int) -> Iterator[Row]:
    """Digits: accuracy of the most probable class against ε."""
    data = digits()
    plain = data.train.fitted(ridge=RIDGE)
    for epsilon in (1.0, 2.0, 5.0, 10.0):
        models = _released_digits(data, epsilon, seeds)
        scores = [_accuracy(data, model) for model in models]
        yield {
            "epsilon": epsilon,
            "label": np.percentile(scores, QUARTILES).tolist(),
            "published_accuracy": _published_accuracy(data, epsilon, seeds),
            "without privacy": _accuracy(data, plain),
        }


def figure13(seeds: int) -> Iterator[Row]:
    """Digits: accuracy of a network trained on synthetic records, against ε."""
    data = digits()
    plain = data.train.fitted(ridge=RIDGE)
    rng = np.random.default_rng(0)
    size = len(data.train.labels)
    references = {
        "true records": _network_accuracy(data, data.train.features, data.train.labels),
        "records of the fitted mixture": _network_accuracy(data, *plain.sample(size, rng)),
    }
    for epsilon in (1.0, 2.0, 5.0, 10.0):
        models = _released_digits(data, epsilon, min(seeds, 10))
        scores = [_network_accuracy(data, *model.sample(size)) for model in models]
        yield {"epsilon": epsilon, "label": np.percentile(scores, QUARTILES).tolist(), **references}


def _released_digits(data: Digits, epsilon: float, seeds: int) -> list[PrivateMixture]:
    return released(
        data.train, epsilon, "label", seeds,
        location=data.location, shape=data.shape, divergence="from-fitted",
    )  # fmt: skip


def _accuracy(data: Digits, model: Any) -> float:
    return float((model.predict(data.test_features) == data.test_labels).mean())


def _published_accuracy(data: Digits, epsilon: float, seeds: int) -> float:
    """Return the median accuracy of what Algorithm 1 releases, which is not private."""
    scores = [_accuracy(data, model) for model in _published(data, epsilon, seeds)]
    return float(np.median(scores))


def _published(data: Digits, epsilon: float, seeds: int) -> Iterator[PublishedMixture]:
    """Yield what Algorithm 1 releases, with the digits' ridge."""
    for seed in range(seeds):
        model = PublishedMixture(epsilon, DELTA, ridge=RIDGE, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RefutedGuaranteeWarning)
            yield model.fit(data.train.features, data.train.labels)


def _network_accuracy(data: Digits, features: Floats, labels: Any) -> float:
    """Return the test accuracy of the paper's three-layer network after its 1000 updates."""
    spread = np.sqrt(np.diag(data.shape))
    network = MLPClassifier(
        LAYERS,
        solver="sgd",
        batch_size=BATCH,
        learning_rate_init=RATE,
        random_state=0,
    )
    rng = np.random.default_rng(0)
    everything = np.arange(10)
    for _ in range(UPDATES):
        batch = rng.integers(0, len(labels), BATCH)
        network.partial_fit(
            (features[batch] - data.location) / spread, labels[batch], classes=everything
        )
    guessed = network.predict((data.test_features - data.location) / spread)
    return float((guessed == data.test_labels).mean())
