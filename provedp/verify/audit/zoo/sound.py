"""Mechanisms that were doubted in public trackers, and are private: none may be refuted."""

import numpy as np
from flint import arb
from scipy import stats

from provedp.theory.numbers import ball
from provedp.theory.privacy import classical_sigma, gaussian_delta
from provedp.verify.audit.zoo.cells import Cells, line, moved, several_laplace
from provedp.verify.audit.zoo.choices import MIRRORED
from provedp.verify.audit.zoo.entry import Entry, Generator, Outputs
from provedp.verify.audit.zoo.noise import gaussian, gaussian_epsilon, laplace_beyond
from provedp.verify.audit.zoo.reported_scales import shared_budget
from provedp.verify.audit.zoo.verdicts import level_beyond, ratio_beyond

CLASSICAL = float(classical_sigma(5.0, 1e-5, 1.0, 1.25))


def rounded_laplace(data: int, rng: Generator, count: int) -> Outputs:
    """WFA PR #97: rounded Laplace noise is no geometric noise, but private all the same."""
    return np.round(data + rng.laplace(size=count))


def _rounded_law() -> Cells:
    return line(np.arange(-60.0, 61.0) + 0.5, stats.laplace(), stats.laplace(1.0))


ENTRIES = [
    Entry("must pass: rounded Laplace", rounded_laplace, (0, 1), 1, 0, 1, "post-processing", False,
          "counting.rounded_laplace_is_private", _rounded_law, laplace_beyond),
    MIRRORED,
    Entry("must pass: classical at 5", gaussian(CLASSICAL), (0.0, 1.0), 5, 1e-5,
          gaussian_epsilon(CLASSICAL, 1e-5), "the formula holds up to 8 and beyond", False,
          "privacy.classical_gaussian_has_a_largest_epsilon",
          lambda: moved(stats.norm, 1.0, CLASSICAL, 8.0),
          lambda: level_beyond(lambda: gaussian_delta(1 / ball(CLASSICAL), arb(5)), 1e-5)),
    Entry("must pass: odometer", shared_budget, (0.0, 1.0), 2.5, 0, 2,
          "smartnoise-sdk #621: two releases of 1, charged 2.5", False,
          "privacy.guarantees_compose", lambda: several_laplace(2, 1.0, 1.0),
          lambda: ratio_beyond(lambda: arb(2).exp(), 2.5)),
]  # fmt: skip
