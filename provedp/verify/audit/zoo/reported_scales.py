"""Faults reported in public trackers: too little noise, or noise whose scale moves."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from scipy import optimize, stats

from provedp.theory.matrices import matrix
from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    gaussian_delta,
    gaussian_sigma,
    renyi_divergence,
    subsampled_ratio,
)
from provedp.verify.audit import ZeroConcentratedDP
from provedp.verify.audit.zoo.cells import Cells, finite, line, moved, several_laplace
from provedp.verify.audit.zoo.entry import Entry, Generator, Outputs
from provedp.verify.audit.zoo.noise import gaussian_epsilon
from provedp.verify.audit.zoo.reported_supports import geometric
from provedp.verify.audit.zoo.verdicts import level_beyond, ratio_beyond

INF = math.inf
TOGETHER = 4 * math.log(subsampled_ratio(math.e, 0.1))  # as if each release had its own sample
SQUARED = gaussian_sigma(4, 0.01).value ** 2
COUNTS = np.arange(-60, 61)


def shared_budget(data: float, rng: Generator, count: int) -> Outputs:
    """#104: two means are released, each at the whole budget."""
    return data + rng.laplace(size=(count, 2))


def bounds_from_data(data: list[float], rng: Generator, count: int) -> Outputs:
    """#20: the clipping bound, and with it the scale, is the largest record."""
    top = max(data)
    return sum(min(x, top) for x in data) + top * rng.laplace(size=count)


def permute_and_flip(data: list[float], rng: Generator, count: int) -> Outputs:
    """Opendp #2911: permute-and-flip (ε = 2) charged ρ = ε²/8, as the exponential mechanism."""
    noisy = np.array(data) + rng.exponential(size=(count, 2))
    return np.asarray(noisy.argmax(1))


def biased_sampler(data: int, rng: Generator, count: int) -> Outputs:
    """Opendp #2638: a probability from a division that is cut short, here e⁻¹ to two bits: 1/4."""
    return data + geometric(rng, 0.25, count)


def scale_of_current_size(data: list[float], rng: Generator, count: int) -> Outputs:
    """smartnoise-core #356: the scale of a mean is 1/n of the present n."""
    return np.mean(data) + rng.laplace(size=count) / len(data)


def squared_scale(data: float, rng: Generator, count: int) -> Outputs:
    """smartnoise-core #316: the scale of the noise is squared, which makes it smaller below 1."""
    return np.asarray(data + SQUARED * rng.normal(size=count))


def same_sample(data: int, rng: Generator, count: int) -> Outputs:
    """Opendp #2933: four releases about one sample, each charged as if it had its own."""
    return data * (rng.random((count, 1)) < 0.1) + rng.laplace(size=(count, 4))


def unclipped_covariance(data: list[float], rng: Generator, count: int) -> Outputs:
    """smartnoise-sdk #622: the second moment is of the data before clipping to [0, 1]."""
    return sum(x * x for x in data) + rng.laplace(size=count)


def leaked_size(data: int, rng: Generator, count: int) -> Outputs:
    """Opacus #571: the noisy sum of gradients is divided by the number of records."""
    return (data * 1.0 + rng.laplace(size=count)) / data


def _geometric_law(ratio: float) -> Cells:
    law = np.concatenate([ratio ** np.abs(COUNTS) * (1 - ratio) / (1 + ratio), [0.0]])
    return finite(np.arange(-60, 62), law, np.roll(law, 1))


def _around_the_sum() -> Cells:
    """Return the law of `bounds_from_data`, finer where the smaller scale is."""
    near = 1.5 + np.linspace(-30, 30, 2001)
    far = 1_000_000.5 + 1e6 * np.linspace(-12, 12, 2001)
    edges = np.union1d(near, far)
    return line(edges, stats.laplace(1.5, 1.0), stats.laplace(1_000_000.5, 1e6))


def _same_sample_law() -> Cells:
    cells = several_laplace(4, 1.0, 1.0)
    return Cells(cells.cell_index, cells.p, 0.9 * cells.p + 0.1 * cells.q)


def concentrated(p: float, q: float) -> float:
    """Return the greatest Rényi divergence of (p, 1 − p) from (q, 1 − q) over its order."""

    def negative(order: float) -> float:
        powers = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
        return -math.log(powers) / (order - 1) / order

    return -float(optimize.minimize_scalar(negative, bounds=(1.01, 20), method="bounded").fun)


def _tails_beyond(wide: tuple[Any, Any], narrow: tuple[Any, Any]) -> bool | None:
    """Return whether P(X < −100) under one (scale, centre) is more than e times the other's."""
    depth = [(100 + Fraction(centre)) / Fraction(scale) for scale, centre in (wide, narrow)]
    return ratio_beyond(lambda: ball(depth[1] - depth[0]).exp(), 1)


def _flipped() -> Any:
    rare = arb(-2).exp() / 2
    half = arb(1) / 2
    return renyi_divergence(matrix([[half, half]])[0], matrix([[1 - rare, rare]])[0], 2) / 2


RARE = math.exp(-2) / 2
FLIPPED = concentrated(0.5, RARE)
SCALES = "privacy.moving_scales_have_no_epsilon"
ENTRIES = [
    Entry("diffprivlib #104: shared budget", shared_budget, (0.0, 1.0), 1, 0, 2,
          "two releases of 1", True, "privacy.noisy_prefix_sums_cost_every_value",
          lambda: several_laplace(2, 1.0, 1.0), lambda: ratio_beyond(lambda: arb(2).exp(), 1)),
    Entry("diffprivlib #20: bounds from data", bounds_from_data, ([0.5, 1.0], [0.5, 1e6]), 1, 0,
          INF, "scale 1 against 10⁶", True, SCALES, _around_the_sum,
          lambda: _tails_beyond((10**6, 1000000.5), (1, 1.5))),
    Entry("opendp #2911: permute and flip", permute_and_flip, ([0, 0], [1, -1]), 2, 0, FLIPPED,
          "greatest Rényi divergence over its order", True,
          "privacy.permute_and_flip_has_bounded_range",
          lambda: finite([0, 1], [0.5, 0.5], [1 - RARE, RARE]),
          lambda: level_beyond(_flipped, 0.5), other_claim=ZeroConcentratedDP(0.5)),
    Entry("opendp #2638: biased sampler", biased_sampler, (0, 1), 1, 0, math.log(4),
          "ratio 1/4 instead of e⁻¹", True,
          "privacy.truncated_geometric_has_the_profile_of_its_noise", lambda: _geometric_law(0.25),
          lambda: ratio_beyond(lambda: 4, 1)),
    Entry("smartnoise #356: present n", scale_of_current_size, ([0.0], [0.0, 1.0]), 1, 0, INF,
          "scales 1 and 1/2: the tails' ratio is unbounded", True, SCALES,
          lambda: line(np.linspace(-20, 20, 4001), stats.laplace(), stats.laplace(0.5, 0.5)),
          lambda: _tails_beyond((1, 0), (0.5, 0.5))),
    Entry("opendp #2933: one sample", same_sample, (0, 1), TOGETHER, 0,
          math.log(subsampled_ratio(math.e**4, 0.1)), "1 + q(e⁴ − 1) against (1 + q(e − 1))⁴", True,
          "privacy.subsampling_amplifies", _same_sample_law,
          lambda: ratio_beyond(lambda: subsampled_ratio(arb(4).exp(), ball(1) / 10), TOGETHER)),
    Entry("smartnoise #316: squared scale", squared_scale, (0.0, 1.0), 4, 0.01,
          gaussian_epsilon(SQUARED, 0.01), "σ² instead of σ = 0.669", True,
          "privacy.gaussian_noise_is_least", lambda: moved(stats.norm, 1.0, SQUARED, 8.0),
          lambda: level_beyond(lambda: gaussian_delta(1 / ball(SQUARED), arb(4)), 0.01)),
    Entry("smartnoise #622: unclipped", unclipped_covariance, ([0.5, 0.5], [0.5, 4.0]), 1, 0,
          15.75, "16 − 0.25 against sensitivity 1", True,
          "privacy.laplace_profile_is_the_largest_gap",
          lambda: line(np.linspace(-10, 30, 4001), stats.laplace(0.5), stats.laplace(16.25)),
          lambda: ratio_beyond(lambda: arb(15.75).exp(), 1)),
    Entry("opacus #571: divides by n", leaked_size, (2, 3), 1, 0, INF, "scales 1/2 and 1/3", True,
          SCALES, lambda: line(
              np.linspace(-15, 17, 4001), stats.laplace(1, 1 / 2), stats.laplace(1, 1 / 3)),
          lambda: _tails_beyond((Fraction(1, 2), 1), (Fraction(1, 3), 1))),
]  # fmt: skip
