"""The mixture paper's own baselines, run for its figures.

As published none of them is private. Two are run a second time with their noise for public class
sizes, which makes their exact laws private.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from provedp.experiments.mixture.data import Labelled
from provedp.mechanisms.mixture import (
    ColouredGaussian,
    IndependentGaussian,
    LabelledMixture,
    LaplaceMixture,
    SingularGaussian,
)
from provedp.mechanisms.published import RefutedGuaranteeWarning

__all__ = [
    "BASELINES",
    "DELTA",
    "KEPT",
    "REPAIRED",
    "beside",
    "fitted_quietly",
    "noisy",
    "quartiles",
]

BASELINES: Mapping[str, type[Any]] = {
    "laplace": LaplaceMixture,
    "gaussian": IndependentGaussian,
    "coloured": ColouredGaussian,
    "singular": SingularGaussian,
}
KEPT = ("laplace", "gaussian", "coloured")  # after Figure 4: "we drop this baseline", R1SMG
REPAIRED = ("laplace public", "gaussian public")
DELTA = "2e-5"
LEAST_SIZE = 3  # public, of every class, as the paper assumes
QUARTILES = (25, 50, 75)

Row = dict[str, Any]
Mechanism = TypeVar("Mechanism", bound=Any)


def fitted_quietly(model: Mechanism, data: Labelled) -> Mechanism:
    """Fit a published mechanism; the columns say that its claim is refuted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefutedGuaranteeWarning)
        model.fit(data.features, data.labels)
    return model


def noisy(
    column: str, data: Labelled, epsilon: float, seeds: int, **settings: Any
) -> list[LabelledMixture]:
    """Return what the baseline of a column releases, one mixture for each seed.

    Without a `bound` the published noise follows the longest record, and that for public sizes the
    data's public bound.
    """
    name, _, calibration = column.partition(" ")
    if calibration:
        settings = {"bound": data.bound, **settings}
        settings |= {"calibration": calibration, "least_size": LEAST_SIZE}
    if name != "laplace":
        settings["delta"] = DELTA
    models = (BASELINES[name](epsilon, random_state=seed, **settings) for seed in range(seeds))
    return [fitted_quietly(model, data).mixture_ for model in models]


def beside(
    columns: Iterable[str],
    data: Labelled,
    target: LabelledMixture,
    epsilon: float,
    seeds: int,
    **settings: Any,
) -> Row:
    """Return the quartiles of the divergence to `target`, for the baseline of each column."""
    return {
        column: quartiles(
            [m.kl_to(target) for m in noisy(column, data, epsilon, seeds, **settings)]
        )
        for column in columns
    }


def quartiles(values: Sequence[float]) -> list[float]:
    """Return the quartiles."""
    return [float(value) for value in np.percentile(values, QUARTILES)]
