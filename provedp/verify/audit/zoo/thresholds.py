"""Groups that are released if a noisy count of their users exceeds a threshold."""

import math
from typing import Any

import numpy as np
from flint import arb

from provedp.theory.privacy import laplace_threshold_delta
from provedp.verify.audit.zoo.cells import Cells
from provedp.verify.audit.zoo.entry import Entry, Generator, Mechanism, Outputs
from provedp.verify.audit.zoo.verdicts import level_beyond

TAU = 1 + math.log(500)  # ε = 1, δ = 10⁻³


def partition(threshold: float) -> Mechanism:
    """Return the release of a noisy count of users if it exceeds a threshold, else NaN."""

    def release(data: int, rng: Generator, count: int) -> Outputs:
        noisy = data + rng.laplace(size=count)
        return np.where((data > 0) & (noisy > threshold), noisy, np.nan)

    return release


def released(probability: float, is_released: Any) -> Cells:
    """Return the law of whether one user's group is released; without users it is not."""
    share = np.array([1 - probability, probability])
    return Cells(
        lambda outputs: np.asarray(is_released(outputs)).astype(int), np.array([1.0, 0.0]), share
    )


def _law(threshold: float) -> Cells:
    share = float(laplace_threshold_delta(1.0, threshold))
    return released(share, lambda outputs: ~np.isnan(outputs))


def _spent(less: int) -> Any:
    return laplace_threshold_delta(arb(1), 1 + arb(500).log() - less)


ENTRIES = [
    Entry("partition selection", partition(TAU), (0, 1), 1, 1e-3, 0,
          "P(release of one) = δ: E_k = δ", False,
          "privacy.one_user_is_released_with_probability_delta", lambda: _law(TAU),
          lambda: level_beyond(lambda: _spent(0), 1e-3)),
    Entry("partition, threshold − 1", partition(TAU - 1), (0, 1), 1, 1e-3, math.inf,
          "released with probability e δ", True, "privacy.threshold_less_one_costs_a_factor",
          lambda: _law(TAU - 1), lambda: level_beyond(lambda: _spent(1), 1e-3)),
]  # fmt: skip
