"""Laplace and Gaussian noise: right, too little, cut off, reused, and on a sample."""

import math
from typing import Any

import numpy as np
import sympy
from flint import arb
from scipy import optimize, stats

from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    discrete_gaussian_delta,
    gaussian_delta,
    gaussian_sigma,
    laplace_delta,
    rejected_laplace_ratio,
    subsampled_gaussian_delta,
)
from provedp.verify.audit import audit_pmf
from provedp.verify.audit.zoo.cells import Cells, finite, line, moved, several_laplace
from provedp.verify.audit.zoo.entry import Entry, Generator, Mechanism, Outputs
from provedp.verify.audit.zoo.verdicts import level_beyond, ratio_beyond

LEAST = gaussian_sigma(1, 1e-5).value  # for (1, 10⁻⁵)
HALF = LEAST / 2
CLASSICAL = 0.4845  # √(2 ln(1.25/δ))/ε at (10, 10⁻⁵)
RATE, SAMPLED = 0.1, 1.6846
FIXED = 0.4815  # a draw of noise, for all runs
TEN = ([0] * 10, [1] * 10)
LINES = np.arange(-60, 61)


def laplace(data: float, rng: Generator, count: int, scale: float = 1.0) -> Outputs:
    """Laplace noise."""
    return data + rng.laplace(scale=scale, size=count)


def half_laplace(data: float, rng: Generator, count: int) -> Outputs:
    """Laplace noise of half the scale."""
    return laplace(data, rng, count, 0.5)


def grid_laplace(data: float, rng: Generator, count: int) -> Outputs:
    """Laplace noise, the value and the noise on the grid of 2⁻¹⁰."""
    return np.asarray(
        np.round(data * 1024) / 1024 + np.round(rng.laplace(size=count) * 1024) / 1024
    )


def rejected_laplace(data: float, rng: Generator, count: int) -> Outputs:
    """Laplace noise drawn until the result is in [0, 10], the scale not adapted."""
    low, high = stats.laplace.cdf([0 - data, 10 - data])
    return np.asarray(data + stats.laplace.ppf(low + (high - low) * rng.random(count)))


def same_noise(data: float, rng: Generator, count: int) -> Outputs:
    """The same draw of Laplace noise in every run."""
    return np.full(count, data + FIXED)


def gaussian(sigma: float) -> Mechanism:
    """Return Gaussian noise."""

    def release(data: float, rng: Generator, count: int) -> Outputs:
        return data + sigma * rng.normal(size=count)

    return release


def _discrete_law() -> Any:
    law = np.exp(-(LINES**2) / (2 * LEAST**2))
    return law / law.sum()


def discrete_gaussian(data: int, rng: Generator, count: int) -> Outputs:
    """Discrete Gaussian noise with the least σ of the continuous law."""
    ends = np.cumsum(_discrete_law())[:-1]
    return data + LINES[np.searchsorted(ends, rng.random(count), side="right")]


def sampled(rate: float) -> Mechanism:
    """Return one step of Gaussian noise (σ = 1) on a sample of the records."""

    def release(data: int, rng: Generator, count: int) -> Outputs:
        return data * (rng.random(count) < rate) + rng.normal(size=count)

    return release


def wrong_histogram(data: list[float], rng: Generator, count: int) -> Outputs:
    """Counts with noise of scale ε = 0.1 instead of 1/ε."""
    return np.array(data) + rng.laplace(scale=0.1, size=(count, len(data)))


def prefix_sums(data: list[float], rng: Generator, count: int) -> Outputs:
    """Sums of ten noisy values that all change by one."""
    return np.cumsum(np.array(data) + rng.laplace(scale=10.0, size=(count, len(data))), axis=1)


def gaussian_epsilon(sigma: float, delta: float) -> float:
    """Invert the privacy profile of Gaussian noise on values one apart."""
    return float(optimize.brentq(lambda e: gaussian_delta(1 / sigma, e) - delta, 0.0, 60.0))


def _grid_law() -> Cells:
    edges = (np.arange(-12 * 1024, 13 * 1024, 8) + 0.5) / 1024
    return line(edges, stats.laplace(), stats.laplace(1.0))


def _rejected_law() -> Cells:
    def cdf(value: float) -> Any:
        low, high = stats.laplace.cdf([-value, 10 - value])
        return lambda x: (stats.laplace.cdf(x - value) - low) / (high - low)

    return line(np.linspace(0.0, 10.0, 2001), cdf(0.0), cdf(1.0))


def _discrete_cells() -> Cells:
    law = np.concatenate([_discrete_law(), [0.0]])
    return finite(np.arange(-60, 62), law, np.roll(law, 1))


def _sampled_law(rate: float) -> Cells:
    def mixture(x: Any) -> Any:
        return (1 - rate) * stats.norm.cdf(x) + rate * stats.norm.cdf(x - 1)

    return line(np.linspace(-8, 9, 4001), stats.norm.cdf, mixture)


def _sums_law() -> Cells:
    cells = several_laplace(10, 1.0, 10.0)
    return Cells(lambda sums: cells.cell_index(np.diff(sums, prepend=0.0)), cells.p, cells.q)


def _sampled_epsilon() -> float:
    def excess(epsilon: float) -> float:
        return float(subsampled_gaussian_delta(1.0, RATE, math.exp(epsilon))) - 1e-5

    return float(optimize.brentq(excess, 0.0, 5.0))


def _discrete_epsilon() -> float:
    """Return the least ε of `discrete_gaussian` at δ = 10⁻⁵."""
    return float(optimize.brentq(lambda e: discrete_gaussian_delta(LEAST, e) - 1e-5, 0.5, 2.0))


def _rejected_ratio() -> arb:
    return ball(rejected_laplace_ratio(arb(1), arb(-1).exp(), arb(-10).exp()))


def _gaussian_beyond(sigma: float, epsilon: float) -> bool | None:
    return level_beyond(lambda: gaussian_delta(1 / ball(sigma), ball(epsilon)), 1e-5)


def laplace_beyond() -> bool:
    """Return whether noise of scale 1 has a positive δ at ε = 1, for values one apart."""
    root = sympy.exp(sympy.Rational(1, 2))
    return bool(laplace_delta(root, 1 / root) > 0)


PURE = "privacy.laplace_profile_is_the_largest_gap"
GAUSSIAN = "privacy.gaussian_noise_has_this_epsilon"
ENTRIES = [
    Entry("Laplace on a grid", grid_laplace, (0.0, 1.0), 1, 0, 1, "rounded, on the grid", False,
          PURE, _grid_law, laplace_beyond),
    Entry("Laplace on a grid, bits", grid_laplace, (0.0, 1.0), 1, 0, 1, "same support", False,
          PURE, channel="bits"),
    Entry("numpy Laplace", laplace, (0.0, 1.0), 1, 0, 1, "|x| − |x − 1| ≤ 1", False, PURE,
          lambda: moved(stats.laplace, 1.0), laplace_beyond),
    Entry("numpy Laplace, bits", laplace, (0.0, 1.0), 1, 0, math.inf, "supports differ", True,
          "privacy.equal_supports_are_necessary", channel="bits"),
    Entry("Laplace, half scale", half_laplace, (0.0, 1.0), 1, 0, 2, "2(|x| − |x − 1|)", True, PURE,
          lambda: moved(stats.laplace, 1.0, 0.5), lambda: ratio_beyond(lambda: arb(2).exp(), 1)),
    Entry("Laplace by rejection", rejected_laplace, (0.0, 1.0), 1, 0,
          math.log(rejected_laplace_ratio(1.0, math.exp(-1), math.exp(-10))),
          "1 + ln of the ratio of masses of [0, 10]", True, "privacy.rejection_on_ten_scales",
          _rejected_law, lambda: ratio_beyond(_rejected_ratio, 1)),
    Entry("Gaussian", gaussian(LEAST), (0.0, 1.0), 1, 1e-5, gaussian_epsilon(LEAST, 1e-5),
          "least σ", False, "privacy.gaussian_noise_is_least",
          lambda: moved(stats.norm, 1.0, LEAST, 8.0), lambda: _gaussian_beyond(LEAST, 1)),
    Entry("Gaussian, half sigma", gaussian(HALF), (0.0, 1.0), 1, 1e-5,
          gaussian_epsilon(HALF, 1e-5), "analytic profile", True, GAUSSIAN,
          lambda: moved(stats.norm, 1.0, HALF, 8.0), lambda: _gaussian_beyond(HALF, 1)),
    Entry("Gaussian, classical at 10", gaussian(CLASSICAL), (0.0, 1.0), 10, 1e-5,
          gaussian_epsilon(CLASSICAL, 1e-5), "analytic profile", True,
          "privacy.classical_gaussian_is_private_for_every_epsilon",
          lambda: moved(stats.norm, 1.0, CLASSICAL, 10.0),
          lambda: _gaussian_beyond(CLASSICAL, 10), hard=True),
    Entry("discrete Gaussian", discrete_gaussian, (0, 1), 1, 1e-5, _discrete_epsilon(),
          "δ(1) = 1.0346 · 10⁻⁵", True, "privacy.least_sigma_serves_integers", _discrete_cells,
          lambda: level_beyond(lambda: discrete_gaussian_delta(ball(LEAST), arb(1)), 1e-5),
          hard=True),
    Entry("histogram, wrong scale", wrong_histogram, ([1, 0], [0, 0]), 0.1, 0, 10, "1/0.1", True,
          PURE, lambda: line(np.linspace(-2, 3, 4001), stats.laplace(1.0, 0.1),
                             stats.laplace(0.0, 0.1), 0),
          lambda: ratio_beyond(lambda: arb(10).exp(), 0.1)),
    Entry("prefix sums", prefix_sums, TEN, 0.1, 0, 1, "ten releases of 0.1", True,
          "privacy.noisy_prefix_sums_cost_one_value", _sums_law,
          lambda: ratio_beyond(lambda: arb(1).exp(), 0.1)),
    Entry("same noise in every run", same_noise, (0.0, 1.0), 1, 0, math.inf, "one output", True,
          "privacy.equal_supports_are_necessary",
          lambda: finite([FIXED, 1 + FIXED], [1, 0], [0, 1]),
          lambda: audit_pmf([1, 0], [0, 1], 1).refuted),
    Entry("sampled Gaussian", sampled(RATE), (0, 1), SAMPLED, 1e-5, _sampled_epsilon(),
          "Gaussian mixture profile, add/remove", False, "privacy.sampled_gaussian_at_a_tenth",
          lambda: _sampled_law(RATE),
          lambda: level_beyond(lambda: subsampled_gaussian_delta(
              arb(1), ball(RATE), ball(SAMPLED).exp()), 1e-5)),
    Entry("no sampling", sampled(1.0), (0, 1), SAMPLED, 1e-5, gaussian_epsilon(1.0, 1e-5),
          "analytic profile; the claim is that of rate 0.1", True,
          "privacy.sampling_may_be_left_out",
          lambda: moved(stats.norm, 1.0), lambda: _gaussian_beyond(1.0, SAMPLED)),
]  # fmt: skip
