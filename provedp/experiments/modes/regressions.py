"""Tables 4 and 5 of the modes paper: modal regression of three steps and of two sine curves.

The paper does not give all settings of its DP-PMS. Those of "published" are ours.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from sklearn.base import clone

from provedp.mechanisms.modes import PrivateModalRegression
from provedp.mechanisms.modes.published.ascent import rounds_of
from provedp.mechanisms.modes.published.bandwidths import silverman_line_bandwidth
from provedp.mechanisms.modes.published.mean_shift import partial_mean_shift
from provedp.mechanisms.modes.published.regression import PublishedModalRegression
from provedp.theory.arrays import Floats
from provedp.theory.modes import regression_loss
from provedp.verify.accounting.published_modes import regression_stage, stage_epsilon_at_least
from provedp.verify.claims.modes.instances import printed
from provedp.verify.claims.modes.instances.runs import Row, mean_and_error, quietly, widths
from provedp.verify.claims.modes.instances.samples import Curves, regression_seed, sinusoid, steps

DELTA = 1e-5
EPSILONS = (0.1, 0.2, 0.5, 1.0)
STEP_SIZES = (200, 500, 1000, 2000)
SINE_SIZES = (200, 600, 1200, 2400)
PLACES = 101  # of predictors that a private regression is asked at
CANDIDATES = 41  # public responses
BRANCHES = 2

Make = Callable[[int, int], Curves]
Cells = Mapping[tuple[int, float], printed.Cell]


def loss(data: Curves, places: Floats, responses: Floats) -> float:
    """Return the mean of (15) over estimates, without those that are nan; nan for none."""
    found = [
        float(regression_loss(float(y), data.modes(float(x))))
        for x, y in zip(places, responses, strict=True)
        if not np.isnan(y)
    ]
    return float(np.mean(found)) if found else float("nan")


def shifted_loss(data: Curves) -> float:
    """Return the loss of partial mean shift from every record, without privacy."""
    records, h = (data.predictors, data.responses), silverman_line_bandwidth(data.responses)
    found = partial_mean_shift(records, records, h, rounds_of(len(data.responses)))
    return loss(data, data.predictors, found)


def published(data: Curves, epsilon: float, **settings: Any) -> PublishedModalRegression:
    """Return Algorithm 4 with Silverman's bandwidth of the responses, and other settings."""
    candidates = np.linspace(*data.box[1], CANDIDATES)
    h = silverman_line_bandwidth(data.responses)
    return PublishedModalRegression(epsilon, DELTA, candidates=candidates, bandwidth=h, **settings)


def published_loss(data: Curves, epsilon: float, seed: int, **settings: Any) -> float:
    """Return the loss of Algorithm 4 at the predictors that it starts from."""
    model = published(data, epsilon, **settings).set_params(random_state=seed)
    quietly(model.fit, data.predictors[:, None], data.responses)
    return loss(data, model.predictors_, model.responses_)


def private_scores(data: Curves, epsilon: float, seed: int) -> tuple[float, float]:
    """Return the loss of private branches and their mean number; predictors are protected as well.

    The number matters because (15) costs nothing where a branch is missing.
    """
    model = PrivateModalRegression(
        epsilon, DELTA, box=data.box, bandwidth=widths(data.box), branches=BRANCHES
    )
    fitted = clone(model).set_params(random_state=seed)
    fitted.fit(data.predictors[:, None], data.responses)
    places = np.linspace(*data.box[0], PLACES)
    branches = fitted.predict(places[:, None])
    found = loss(data, np.repeat(places, branches.shape[1]), branches.ravel())
    return found, float((~np.isnan(branches)).sum() / PLACES)


def ascent_budget(data: Curves, epsilon: float) -> tuple[float, float]:
    """Return ε and δ that Algorithm 4 gives its ascent."""
    return (1 - published(data, epsilon).anchor_share) * epsilon, DELTA


def ascent_epsilon_at_least(data: Curves, epsilon: float, **settings: Any) -> float:
    """Return a lower bound on what the ascent of Algorithm 4 spends, with public starts."""
    stage = regression_stage(published(data, epsilon, **settings), len(data.responses))
    return stage_epsilon_at_least(stage, DELTA)


def table4(seeds: int) -> Iterator[Row]:
    """Three steps: loss of the regression against n and ε."""
    return _table(steps, STEP_SIZES, (printed.TABLE4, printed.TABLE4_MEAN_SHIFT), seeds)


def table5(seeds: int) -> Iterator[Row]:
    """Two sine curves: loss of the regression against n and ε."""
    return _table(sinusoid, SINE_SIZES, (printed.TABLE5, printed.TABLE5_MEAN_SHIFT), seeds)


def _table(
    make: Make, sizes: tuple[int, ...], cells: tuple[Cells, Cells], seeds: int
) -> Iterator[Row]:
    for records in sizes:
        for epsilon in EPSILONS:
            data = [make(records, regression_seed(records, epsilon, run)) for run in range(seeds)]
            numbered = list(enumerate(data))
            private = [private_scores(d, epsilon, i) for i, d in numbered]
            yield {
                "records": records,
                "epsilon": epsilon,
                "paper": list(cells[0][records, epsilon]),
                "published": mean_and_error(published_loss(d, epsilon, i) for i, d in numbered),
                "published_claimed_ascent_epsilon": ascent_budget(data[0], epsilon)[0],
                "published_ascent_epsilon_at_least": ascent_epsilon_at_least(data[0], epsilon),
                "paper_mean_shift": list(cells[1][records, epsilon]),
                "mean_shift": mean_and_error(map(shifted_loss, data)),
                "private": mean_and_error(found for found, _ in private),
                "private_branches": float(np.mean([count for _, count in private])),
            }
