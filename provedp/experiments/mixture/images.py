"""Figures 11 to 13 of the mixture paper: digits, by the most probable class and by a network.

The coordinates, their scale and the bound of the private releases are from public images. What is
published gets the longest private record for a bound, which a label flip leaves as it is.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.neural_network import MLPClassifier

from provedp.experiments.mixture.baselines import (
    DELTA,
    KEPT,
    beside,
    fitted_quietly,
    noisy,
    quartiles,
)
from provedp.experiments.mixture.data import Digits, digits
from provedp.experiments.mixture.release import released
from provedp.mechanisms.mixture import PrivateMixture
from provedp.mechanisms.mixture.published.release import PublishedMixture
from provedp.theory.arrays import Floats

EPSILONS = (1.0, 2.0, 5.0, 10.0)
RIDGE = 1e-3  # of the paper, for images
UPDATES, BATCH, RATE = 1000, 128, 0.01  # of the network in Section V-C
LAYERS = (256, 128)
MOST_NETWORKS = 10  # for each ε

Row = dict[str, Any]


def figure11(seeds: int) -> Iterator[Row]:
    """Digits: divergence of the classifier's mixture against ε."""
    data = digits()
    target = data.train.fitted(ridge=RIDGE)
    for epsilon in EPSILONS:
        models = released(
            data.train, epsilon, "label", seeds, location=data.location, shape=data.shape
        )
        claimed = [model.mixture_.kl_to(target) for model in _published(data, epsilon, seeds)]
        yield {
            "epsilon": epsilon,
            "label": quartiles([model.mixture_.kl_to(target) for model in models]),
            "published_divergence": float(np.median(claimed)),
            **beside(KEPT, data.train, target, epsilon, seeds, ridge=RIDGE),
        }


def figure12(seeds: int) -> Iterator[Row]:
    """Digits: accuracy of the most probable class against ε."""
    data = digits()
    plain = data.train.fitted(ridge=RIDGE)
    for epsilon in EPSILONS:
        claimed = [_accuracy(data, model) for model in _published(data, epsilon, seeds)]
        yield {
            "epsilon": epsilon,
            "label": quartiles(
                [_accuracy(data, m) for m in _released_digits(data, epsilon, seeds)]
            ),
            "published_accuracy": float(np.median(claimed)),
            **{name: _noisy_accuracies(name, data, epsilon, seeds) for name in KEPT},
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
    for epsilon in EPSILONS:
        models = _released_digits(data, epsilon, min(seeds, MOST_NETWORKS))
        claimed = [
            _network_accuracy(data, *model.sample(size))
            for model in _published(data, epsilon, min(seeds, MOST_NETWORKS))
        ]
        yield {
            "epsilon": epsilon,
            "label": quartiles([_network_accuracy(data, *m.sample(size)) for m in models]),
            "published_accuracy": float(np.median(claimed)),
            **references,
        }


def _released_digits(data: Digits, epsilon: float, seeds: int) -> list[PrivateMixture]:
    return released(
        data.train, epsilon, "label", seeds,
        location=data.location, shape=data.shape, divergence="from-fitted",
    )  # fmt: skip


def _accuracy(data: Digits, model: Any) -> float:
    return float((model.predict(data.test_features) == data.test_labels).mean())


def _noisy_accuracies(name: str, data: Digits, epsilon: float, seeds: int) -> list[float]:
    """Return the quartiles of the accuracy of a baseline."""
    models = noisy(name, data.train, epsilon, seeds, ridge=RIDGE)
    return quartiles([_accuracy(data, model) for model in models])


def _published(data: Digits, epsilon: float, seeds: int) -> Iterator[PublishedMixture]:
    """Yield what Algorithm 1 releases, with the digits' ridge."""
    for seed in range(seeds):
        model = PublishedMixture(epsilon, DELTA, ridge=RIDGE, random_state=seed)
        yield fitted_quietly(model, data.train)


def _network_accuracy(data: Digits, features: Floats, labels: Any) -> float:
    """Return the test accuracy of the paper's three-layer network after its 1000 updates."""
    scale = np.sqrt(np.diag(data.shape))
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
            (features[batch] - data.location) / scale, labels[batch], classes=everything
        )
    guessed = network.predict((data.test_features - data.location) / scale)
    return float((guessed == data.test_labels).mean())
