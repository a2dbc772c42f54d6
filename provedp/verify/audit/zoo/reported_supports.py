"""Faults reported in public trackers: outputs that one of the data sets cannot give, or hardly."""

import math
from typing import Any

import numpy as np
from flint import arb
from scipy import integrate, stats

from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    gaussian_threshold_delta,
    geometric_threshold_delta,
    truncated_laplace_delta,
)
from provedp.verify.audit import audit_pmf
from provedp.verify.audit.zoo.cells import Cells, finite, line
from provedp.verify.audit.zoo.entry import Entry, Generator, Outputs
from provedp.verify.audit.zoo.thresholds import released
from provedp.verify.audit.zoo.verdicts import level_beyond

INF = math.inf
STEPS = 3  # of noise at most, where the bounds are 0 and 3
WIDE = 100 / 3  # the scale for sensitivity 100 at ε = 3
BOUND = WIDE * math.log(1000) + 1


def wishart(data: list[float], rng: Generator, count: int) -> Outputs:
    """IBM/differential-privacy-library #23: positive semidefinite noise on Σ = x xᵀ.

    What comes out is whether M − e₁e₁ᵀ is positive semidefinite: always for x = e₁.
    """
    x = np.array(data)
    z = rng.normal(size=(count, 3, 2)) * math.sqrt(0.5)
    noisy = np.outer(x, x) + np.einsum("nki,nkj->nij", z, z)
    rest = noisy - np.outer([1.0, 0.0], [1.0, 0.0])
    return (np.linalg.eigvalsh(rest)[:, 0] >= -1e-9).astype(int)


def lower_bound_twice(data: list[float], rng: Generator, count: int) -> Outputs:
    """#105: the sensitivity is taken from the lower bound, 0: the sum comes out exactly."""
    return sum(data) + 0.0 * rng.laplace(size=count)


def geometric(rng: Generator, ratio: float, count: int) -> Outputs:
    """Two-sided geometric noise."""
    return rng.geometric(1 - ratio, count) - rng.geometric(1 - ratio, count)


def threshold_on_equal(data: int, rng: Generator, count: int) -> Outputs:
    """Opendp #2922: released at ≥ threshold 5, δ computed for > 5 on integers; scale 1."""
    noisy = data + geometric(rng, math.exp(-1.0), count)
    return np.where((data > 0) & (noisy >= 5), noisy, -1000)


def few_steps(data: int, rng: Generator, count: int) -> Outputs:
    """smartnoise-core #319: bounds limit the steps of the noise, but the count is not clamped."""
    return data + np.clip(geometric(rng, math.exp(-1.0), count), -STEPS, STEPS)


def gaussian_threshold(data: int, rng: Generator, count: int) -> Outputs:
    """smartnoise-sdk #204: threshold of the Laplace formula, noise Gaussian (δ = 10⁻³)."""
    noisy = data + 3.0 * rng.normal(size=count)
    return ((data > 0) & (noisy > 1 + math.log(500))).astype(int)


def truncated_threshold(data: int, rng: Generator, count: int) -> Outputs:
    """google/differential-privacy PR #101: threshold 6.9 is cut to 6 (ε = 0.5)."""
    return ((data > 0) & (data + geometric(rng, math.exp(-0.5), count) >= 6)).astype(int)


def short_noise(data: float, rng: Generator, count: int) -> Outputs:
    """cross-media-measurement PR #4333: noise is cut at b ln(1/δ) + 1; b = 100/3, δ = 10⁻³."""
    low, high = stats.laplace.cdf([-BOUND, BOUND], scale=WIDE)
    return np.asarray(data + stats.laplace.ppf(low + (high - low) * rng.random(count), scale=WIDE))


def unselected_pass(data: list[float], rng: Generator, count: int) -> Outputs:
    """NVFlare #343: entries that are not selected pass without noise."""
    out = np.tile(np.array(data, dtype=float), (count, 1))
    out[:, 0] += rng.laplace(size=count)
    return out


def _stays_semidefinite() -> float:
    """Return P(M − e₁e₁ᵀ is positive semidefinite) for x = e₂.

    The noise is L Lᵀ/2 with t = L₁₁² ~ χ²₃, s = L₂₁ normal and L₂₂² ~ χ²₂: it is if t ≥ 2 and
    L₂₂² ≥ 2(s²/(t − 2) − 1). That has probability 1 for s² ≤ t − 2 and e^(1 − s²/(t − 2)) beyond.
    """

    def inside(t: float) -> float:
        always = 1 - 2 * stats.norm.sf(math.sqrt(t - 2))
        sometimes = 2 * math.e * math.sqrt((t - 2) / t) * stats.norm.sf(math.sqrt(t))
        return float(stats.chi2.pdf(t, 3) * (always + sometimes))

    return float(integrate.quad(inside, 2, 200, points=[3, 6, 20])[0])


def _two_outcomes(p: float, q: float) -> Cells:
    return finite([0, 1], [1 - p, p], [1 - q, q])


def _few_steps_law() -> Cells:
    ratio = math.exp(-1.0)
    law = ratio ** np.abs(np.arange(-STEPS, STEPS + 1)) * (1 - ratio) / (1 + ratio)
    law[[0, -1]] = ratio**STEPS / (1 + ratio)
    return finite(range(6, 14), [0, *law], [*law, 0])


def _short_law() -> Cells:
    low, high = stats.laplace.cdf([-BOUND, BOUND], scale=WIDE)

    def moved_to(centre: float) -> Any:
        return lambda x: np.clip(
            (stats.laplace.cdf(x, centre, WIDE) - low) / (high - low), 0.0, 1.0
        )

    edges = np.union1d(np.linspace(-BOUND, BOUND + 100, 3001), [100 - BOUND, BOUND])
    return line(edges, moved_to(0.0), moved_to(100.0))


def _exact_coordinate() -> Cells:
    laws = np.eye(2)
    return Cells(lambda rows: (rows[:, 1] == 3.0).astype(int), laws[0], laws[1])


AT_LEAST = {"opendp": (math.exp(-1.0), 5), "google": (math.exp(-0.5), 6)}


def _released_at(name: str) -> Cells:
    decay, least = AT_LEAST[name]
    share = float(geometric_threshold_delta(decay, least))
    return released(share, lambda outputs: np.asarray(outputs) > 0)


def _tail_beyond(exponent: float, least: int, claimed: float) -> bool | None:
    return level_beyond(lambda: geometric_threshold_delta(ball(exponent).exp(), least), claimed)


def _gaussian_tail() -> Cells:
    share = float(gaussian_threshold_delta(3.0, 1 + math.log(500)))
    return released(share, lambda outputs: np.asarray(outputs) > 0)


NO_OVERLAP = "privacy.equal_supports_are_necessary"
ENTRIES = [
    Entry("diffprivlib #23: Wishart", wishart, ([1, 0], [0, 1]), 1, 0, INF,
          "M − e₁e₁ᵀ is psd always, against P < 1", True,
          "privacy.moving_support_rules_out_pure_privacy",
          lambda: _two_outcomes(1.0, _stays_semidefinite())),
    Entry("diffprivlib #105: sensitivity 0", lower_bound_twice, ([3.0, 5.0], [3.0, 6.0]), 1, 0, INF,
          "no noise", True, NO_OVERLAP, lambda: finite([8, 9], [1, 0], [0, 1]),
          lambda: audit_pmf([1, 0], [0, 1], 1).refuted),
    Entry("opendp #2922: >= for >", threshold_on_equal, (0, 1), 1, 0.004926, INF,
          "P(noise ≥ 4) = e⁻⁴/(1 + e⁻¹) = 0.0134", True,
          "privacy.release_at_the_threshold_costs_nothing", lambda: _released_at("opendp"),
          lambda: _tail_beyond(-1.0, 5, 0.004926)),
    Entry("smartnoise #319: few steps", few_steps, (10, 9), 1, 0, INF,
          "P(noise ≥ 3) = e⁻³/(1 + e⁻¹) = 0.036, against 0", True, NO_OVERLAP, _few_steps_law,
          lambda: _tail_beyond(-1.0, 4, 0)),
    Entry("smartnoise #204: wrong tail", gaussian_threshold, (0, 1), 1, 1e-3, INF,
          "Φ(−6.21/3) = 0.019", True, "privacy.gaussian_noise_may_use_the_laplace_threshold",
          _gaussian_tail, lambda: level_beyond(
              lambda: gaussian_threshold_delta(arb(3), 1 + arb(500).log()), 1e-3)),
    Entry("google #101: threshold cut", truncated_threshold, (0, 1), 0.5, 0.0311, INF,
          "P(noise ≥ 5) = e⁻²·⁵/(1 + e⁻⁰·⁵) = 0.051", True,
          "privacy.geometric_threshold_is_a_tail", lambda: _released_at("google"),
          lambda: _tail_beyond(-0.5, 6, 0.0311)),
    Entry("WFA #4333: noise cut short", short_noise, (0.0, 100.0), 3, 1e-3, INF,
          "δ = (e³ − 1)/(2(e^(R/b) − 1)) = 0.0093 at sensitivity 100", True,
          "privacy.bound_by_tail_mass_is_private", _short_law,
          lambda: level_beyond(lambda: truncated_laplace_delta(
              arb(3).exp(), 1000 * (arb(3) / 100).exp()), 1e-3)),
    Entry("NVFlare #343: unselected", unselected_pass, ([1.0, 2.0], [1.0, 3.0]), 1, 0, INF,
          "a coordinate without noise", True, NO_OVERLAP, _exact_coordinate,
          lambda: audit_pmf([1, 0], [0, 1], 1).refuted),
]  # fmt: skip
