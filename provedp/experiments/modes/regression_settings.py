"""Figures 18 and 19 of the modes paper: clip and minibatch of DP-PMS.

Table 4 or 5 prints an error for the paper's own settings, which it does not give; those that are
swept here are ours, so that what is printed stands beside them and is not expected to agree.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np

from provedp.experiments.modes.regressions import (
    SINE_SIZES,
    STEP_SIZES,
    Cells,
    Make,
    ascent_budget,
    ascent_epsilon_at_least,
    private_scores,
    published,
    published_loss,
    shifted_loss,
)
from provedp.experiments.modes.settings import EPSILON, Setting, batches, clips
from provedp.verify.claims.modes.instances import printed
from provedp.verify.claims.modes.instances.runs import Row, mean_and_error
from provedp.verify.claims.modes.instances.samples import regression_seed, sinusoid, steps


@dataclass(frozen=True)
class Design:
    """Curves, their sample sizes, and the losses that Table 4 or 5 prints."""

    make: Make
    sizes: tuple[int, ...]
    cells: Cells
    shifts: Mapping[tuple[int, float], printed.Cell]


STEPS = Design(steps, STEP_SIZES, printed.TABLE4, printed.TABLE4_MEAN_SHIFT)
SINES = Design(sinusoid, SINE_SIZES, printed.TABLE5, printed.TABLE5_MEAN_SHIFT)


def figure18(seeds: int) -> Iterator[Row]:
    """Three steps: loss of the regression against the clip multiplier and the minibatch."""
    return _sizes(STEPS, seeds)


def figure19(seeds: int) -> Iterator[Row]:
    """Two sine curves: loss of the regression against the clip multiplier and the minibatch."""
    return _sizes(SINES, seeds)


def design_rows(design: Design, records: int, seeds: int) -> Iterator[Row]:
    """Yield a row for each setting on samples of one size."""
    data = [design.make(records, regression_seed(records, EPSILON, run)) for run in range(seeds)]
    private = [private_scores(curves, EPSILON, run) for run, curves in enumerate(data)]
    shifted = mean_and_error(map(shifted_loss, data))
    default = published(data[0], EPSILON).clip_multiplier
    settings: list[Setting] = [*clips(default), *batches()]
    for setting in settings:
        changed = setting.parameters
        losses = (published_loss(d, EPSILON, run, **changed) for run, d in enumerate(data))
        yield {
            "records": records,
            **setting.columns(records),
            "paper": list(design.cells[records, EPSILON]) if setting.is_default else None,
            "published": mean_and_error(losses),
            "published_claimed_ascent_epsilon": ascent_budget(data[0], EPSILON)[0],
            "published_ascent_epsilon_at_least": ascent_epsilon_at_least(
                data[0], EPSILON, **changed
            ),
            "private": mean_and_error(found for found, _ in private),
            "private_branches": float(np.mean([count for _, count in private])),
            "paper_mean_shift": list(design.shifts[records, EPSILON]),
            "mean_shift": shifted,
        }


def _sizes(design: Design, seeds: int) -> Iterator[Row]:
    return chain.from_iterable(design_rows(design, records, seeds) for records in design.sizes)
