"""Runs with seeds for the tables of the modes paper: errors of releases, and what they spend."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from provedp.mechanisms.modes.published.program import PublishedModesCode
from provedp.mechanisms.published import RefutedGuaranteeWarning
from provedp.theory.arrays import Floats
from provedp.theory.modes import matching_error
from provedp.verify.accounting.published_modes import (
    ascent_stage,
    program_delta_at_least,
    stage_epsilon_at_least,
)
from provedp.verify.claims.modes.instances.samples import Sample

PUBLIC_BANDWIDTHS = 10  # in the width of a public box

Row = dict[str, Any]


def mean_and_error(values: Iterable[float]) -> list[float]:
    """Return the mean and the standard error of numbers; [nan, nan] if there are none."""
    found = np.array([value for value in values if not np.isnan(value)])
    if not found.size:
        return [float("nan"), float("nan")]
    spread = float(found.std(ddof=1)) if found.size > 1 else 0.0
    return [float(found.mean()), spread / float(np.sqrt(found.size))]


def quietly(fit: Callable[..., Any], *data: Any) -> Any:
    """Call `fit` without the warning that its claim is refuted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefutedGuaranteeWarning)
        return fit(*data)


def released(model: Any, points: Floats, seeds: Iterable[int]) -> list[Floats]:
    """Return what a model of modes releases with each seed."""
    return [
        quietly(clone(model).set_params(random_state=seed).fit, points).modes_ for seed in seeds
    ]


def errors(sample: Sample, found: Iterable[Floats]) -> list[float]:
    """Return the error (14) of each set of modes; nan for none."""
    return [
        float(matching_error(sample.reference, modes)) if len(modes) else float("nan")
        for modes in found
    ]


def widths(box: Sequence[tuple[float, float]]) -> list[float]:
    """Return the public bandwidths: a tenth of the box."""
    return [(high - low) / PUBLIC_BANDWIDTHS for low, high in box]


def true_privacy(model: PublishedModesCode, points: Floats) -> Row:
    """Return what the program claims for its ascent, and lower bounds on what it spends."""
    spent = stage_epsilon_at_least(ascent_stage(model, points), float(model.delta))
    return {
        "published_claimed_ascent_epsilon": (1 - model.anchor_share) * model.epsilon,
        "published_ascent_epsilon_at_least": spent,
        "published_delta_at_least": program_delta_at_least(model, points),
    }
