"""Figure 10 of the mixture paper: densities of the first feature of Iris, class by class."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats

from provedp.experiments.mixture.baselines import DELTA, KEPT, fitted_quietly, noisy, quartiles
from provedp.experiments.mixture.data import Labelled, iris
from provedp.experiments.mixture.release import released
from provedp.mechanisms.mixture import LabelledMixture
from provedp.mechanisms.mixture.published.release import PublishedMixture

EPSILON = 2.0
PLACES = np.linspace(-4, 4, 161)  # of the curves, in standard deviations of the feature
BINS = np.linspace(-3, 3, 25)
SPECIES = ("setosa", "versicolor", "virginica")
DRAWN = ("published", "gaussian", "label", "synthetic")  # the first release of each

Row = dict[str, Any]
Normal = tuple[float, float]  # mean and standard deviation


def figure10(seeds: int) -> Iterator[Row]:
    """Iris: how far the released marginal of the first feature is from the fitted one, ε = 2."""
    data = iris()
    target, models = data.fitted(), _models(data, seeds)
    for k, name in enumerate(SPECIES):
        fitted = marginal(target, k)
        laws = {method: [marginal(m, k) for m in found] for method, found in models.items()}
        heights, _ = np.histogram(data.features[data.labels == k, 0], BINS, density=True)
        yield {
            "class": name,
            "fitted_marginal": list(fitted),
            **{
                f"{method}_variation": quartiles([total_variation(fitted, law) for law in each])
                for method, each in laws.items()
            },
            "histogram_points": np.stack([BINS[:-1], heights], axis=1).tolist(),
            "fitted_points": _curve(fitted),
            **{f"{method}_points": _curve(laws[method][0]) for method in DRAWN},
        }


def marginal(mixture: LabelledMixture, k: int) -> Normal:
    """Return the law of the first feature in class k."""
    return float(mixture.means[k, 0]), float(np.sqrt(mixture.covariances[k, 0, 0]))


def total_variation(one: Normal, other: Normal) -> float:
    """Return the total variation distance of two normal laws, by where their densities cross."""
    (mean, scale), (mean_, scale_) = one, other
    quadratic = (
        1 / scale**2 - 1 / scale_**2,
        2 * (mean_ / scale_**2 - mean / scale**2),
        (mean / scale) ** 2 - (mean_ / scale_) ** 2 + 2 * np.log(scale / scale_),
    )
    crossings = np.sort(np.roots(quadratic).real)
    edges = np.concatenate([[-np.inf], crossings, [np.inf]])
    parts = [np.diff(stats.norm.cdf(edges, *law)) for law in (one, other)]
    return float(np.abs(parts[0] - parts[1]).sum() / 2)


def _models(data: Labelled, seeds: int) -> dict[str, list[LabelledMixture]]:
    """Return what each method releases, for each seed."""
    claimed = [PublishedMixture(EPSILON, DELTA, random_state=seed) for seed in range(seeds)]
    return {
        "published": [fitted_quietly(model, data).mixture_ for model in claimed],
        **{name: noisy(name, data, EPSILON, seeds) for name in KEPT},
        "label": [model.mixture_ for model in released(data, EPSILON, "label", seeds)],
        "synthetic": [
            model.mixture_
            for model in released(data, EPSILON, "label", seeds, divergence="from-fitted")
        ],
    }


def _curve(law: Normal) -> list[list[float]]:
    curve: list[list[float]] = np.stack([PLACES, stats.norm.pdf(PLACES, *law)], axis=1).tolist()
    return curve
