"""Faults that were reported in public trackers, rewritten small."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from scipy import integrate, optimize, stats

from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    gaussian_delta,
    gaussian_sigma,
    gaussian_threshold_delta,
    geometric_threshold_delta,
    renyi_divergence,
    subsampled_ratio,
    truncated_laplace_delta,
)
from provedp.verify.audit import ZeroConcentratedDP, audit_pmf

from .cells import Cells, finite, line, moved, several_laplace  # noqa: TID251
from .entry import Entry  # noqa: TID251
from .noise import gaussian_epsilon  # noqa: TID251
from .thresholds import released  # noqa: TID251
from .verdicts import delta_beyond, ratio_beyond  # noqa: TID251

INF = math.inf
STEPS = 3  # of noise at most, where the bounds are 0 and 3
WIDE = 100 / 3  # the scale for sensitivity 100 at ε = 3
BOUND = WIDE * math.log(1000) + 1
TOGETHER = 4 * math.log(subsampled_ratio(math.e, 0.1))  # as if each release had its own sample
SQUARED = gaussian_sigma(4, 0.01).value ** 2
COUNTS = np.arange(-60, 61)


def wishart(data: list[float], rng: Any, count: int) -> Any:
    """IBM/differential-privacy-library #23: positive semidefinite noise on Σ = x xᵀ.

    What comes out is whether M − e₁e₁ᵀ is positive semidefinite: always for x = e₁.
    """
    x = np.array(data)
    z = rng.normal(size=(count, 3, 2)) * math.sqrt(0.5)
    noisy = np.outer(x, x) + np.einsum("nki,nkj->nij", z, z)
    rest = noisy - np.outer([1.0, 0.0], [1.0, 0.0])
    return (np.linalg.eigvalsh(rest)[:, 0] >= -1e-9).astype(int)


def lower_bound_twice(data: list[float], rng: Any, count: int) -> Any:
    """#105: the sensitivity is taken from the lower bound, 0: the sum comes out exactly."""
    return sum(data) + 0.0 * rng.laplace(size=count)


def shared_budget(data: float, rng: Any, count: int) -> Any:
    """#104: two means are released, each at the whole budget."""
    return data + rng.laplace(size=(count, 2))


def bounds_from_data(data: list[float], rng: Any, count: int) -> Any:
    """#20: the clipping bound, and with it the scale, is the largest record."""
    top = max(data)
    return sum(min(x, top) for x in data) + top * rng.laplace(size=count)


def geometric(rng: Any, ratio: float, count: int) -> Any:
    """Two-sided geometric noise."""
    return rng.geometric(1 - ratio, count) - rng.geometric(1 - ratio, count)


def threshold_on_equal(data: int, rng: Any, count: int) -> Any:
    """opendp #2922: released at ≥ threshold 5, δ computed for > 5 on integers; scale 1."""
    noisy = data + geometric(rng, math.exp(-1.0), count)
    return np.where((data > 0) & (noisy >= 5), noisy, -1000)


def permute_and_flip(data: list[float], rng: Any, count: int) -> Any:
    """opendp #2911: permute-and-flip (ε = 2) charged ρ = ε²/8, as the exponential mechanism."""
    noisy = np.array(data) + rng.exponential(size=(count, 2))
    return noisy.argmax(1)


def biased_sampler(data: int, rng: Any, count: int) -> Any:
    """opendp #2638: a probability from a division that is cut short, here e⁻¹ to two bits: 1/4."""
    return data + geometric(rng, 0.25, count)


def scale_of_current_size(data: list[float], rng: Any, count: int) -> Any:
    """smartnoise-core #356: the scale of a mean is 1/n of the present n."""
    return np.mean(data) + rng.laplace(size=count) / len(data)


def squared_scale(data: float, rng: Any, count: int) -> Any:
    """smartnoise-core #316: the scale of the noise is squared, which makes it smaller below 1."""
    return data + SQUARED * rng.normal(size=count)


def same_sample(data: int, rng: Any, count: int) -> Any:
    """opendp #2933: four releases about one sample, each charged as if it had its own."""
    return data * (rng.random((count, 1)) < 0.1) + rng.laplace(size=(count, 4))


def few_steps(data: int, rng: Any, count: int) -> Any:
    """smartnoise-core #319: bounds limit the steps of the noise, but the count is not clamped."""
    return data + np.clip(geometric(rng, math.exp(-1.0), count), -STEPS, STEPS)


def gaussian_threshold(data: int, rng: Any, count: int) -> Any:
    """smartnoise-sdk #204: threshold of the Laplace formula, noise Gaussian (δ = 10⁻³)."""
    noisy = data + 3.0 * rng.normal(size=count)
    return ((data > 0) & (noisy > 1 + math.log(500))).astype(int)


def unclipped_covariance(data: list[float], rng: Any, count: int) -> Any:
    """smartnoise-sdk #622: the second moment is of the data before clipping to [0, 1]."""
    return sum(x * x for x in data) + rng.laplace(size=count)


def truncated_threshold(data: int, rng: Any, count: int) -> Any:
    """google/differential-privacy PR #101: threshold 6.9 is cut to 6 (ε = 0.5)."""
    return ((data > 0) & (data + geometric(rng, math.exp(-0.5), count) >= 6)).astype(int)


def leaked_size(data: int, rng: Any, count: int) -> Any:
    """opacus #571: the noisy sum of gradients is divided by the number of records."""
    return (data * 1.0 + rng.laplace(size=count)) / data


def short_noise(data: float, rng: Any, count: int) -> Any:
    """cross-media-measurement PR #4333: noise is cut at b ln(1/δ) + 1; b = 100/3, δ = 10⁻³."""
    low, high = stats.laplace.cdf([-BOUND, BOUND], scale=WIDE)
    return data + stats.laplace.ppf(low + (high - low) * rng.random(count), scale=WIDE)


def unselected_pass(data: list[float], rng: Any, count: int) -> Any:
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


def _geometric_law(ratio: float) -> Cells:
    law = np.concatenate([ratio ** np.abs(COUNTS) * (1 - ratio) / (1 + ratio), [0.0]])
    return finite(np.arange(-60, 62), law, np.roll(law, 1))


def _few_steps_law() -> Cells:
    ratio = math.exp(-1.0)
    law = ratio ** np.abs(np.arange(-STEPS, STEPS + 1)) * (1 - ratio) / (1 + ratio)
    law[[0, -1]] = ratio**STEPS / (1 + ratio)
    return finite(range(6, 14), [0, *law], [*law, 0])


def _around_the_sum() -> Cells:
    """Return the law of `bounds_from_data`, finer where the smaller scale is."""
    near = 1.5 + np.linspace(-30, 30, 2001)
    far = 1_000_000.5 + 1e6 * np.linspace(-12, 12, 2001)
    edges = np.union1d(near, far)
    return line(edges, stats.laplace(1.5, 1.0), stats.laplace(1_000_000.5, 1e6))


def _short_law() -> Cells:
    low, high = stats.laplace.cdf([-BOUND, BOUND], scale=WIDE)

    def moved_to(centre: float) -> Any:
        return lambda x: np.clip(
            (stats.laplace.cdf(x, centre, WIDE) - low) / (high - low), 0.0, 1.0
        )

    edges = np.union1d(np.linspace(-BOUND, BOUND + 100, 3001), [100 - BOUND, BOUND])
    return line(edges, moved_to(0.0), moved_to(100.0))


def _same_sample_law() -> Cells:
    cells = several_laplace(4, 1.0, 1.0)
    return Cells(cells.place, cells.p, 0.9 * cells.p + 0.1 * cells.q)


def _exact_coordinate() -> Cells:
    laws = np.eye(2)
    return Cells(lambda rows: (rows[:, 1] == 3.0).astype(int), laws[0], laws[1])


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
    return renyi_divergence([half, half], [1 - rare, rare], 2) / 2


AT_LEAST = {"opendp": (math.exp(-1.0), 5), "google": (math.exp(-0.5), 6)}


def _released_at(name: str) -> Cells:
    decay, least = AT_LEAST[name]
    share = float(geometric_threshold_delta(decay, least))
    return released(share, lambda outputs: np.asarray(outputs) > 0)


def _tail_beyond(exponent: float, least: int, claimed: float) -> bool | None:
    return delta_beyond(lambda: geometric_threshold_delta(ball(exponent).exp(), least), claimed)


def _gaussian_tail() -> Cells:
    share = float(gaussian_threshold_delta(3.0, 1 + math.log(500)))
    return released(share, lambda outputs: np.asarray(outputs) > 0)


RARE = math.exp(-2) / 2
FLIPPED = concentrated(0.5, RARE)
NO_OVERLAP = "privacy.equal_supports_are_necessary"
SCALES = "privacy.moving_scales_have_no_epsilon"
ENTRIES = [
    Entry("diffprivlib #23: Wishart", wishart, ([1, 0], [0, 1]), 1, 0, INF,
          "M − e₁e₁ᵀ is psd always, against P < 1", True,
          "privacy.moving_support_rules_out_pure_privacy",
          lambda: _two_outcomes(1.0, _stays_semidefinite())),
    Entry("diffprivlib #105: sensitivity 0", lower_bound_twice, ([3.0, 5.0], [3.0, 6.0]), 1, 0, INF,
          "no noise", True, NO_OVERLAP, lambda: finite([8, 9], [1, 0], [0, 1]),
          lambda: audit_pmf([1, 0], [0, 1], 1).refuted),
    Entry("diffprivlib #104: shared budget", shared_budget, (0.0, 1.0), 1, 0, 2,
          "two releases of 1", True, "privacy.noisy_prefix_sums_cost_every_value",
          lambda: several_laplace(2, 1.0, 1.0), lambda: ratio_beyond(lambda: arb(2).exp(), 1)),
    Entry("diffprivlib #20: bounds from data", bounds_from_data, ([0.5, 1.0], [0.5, 1e6]), 1, 0,
          INF, "scale 1 against 10⁶", True, SCALES, _around_the_sum,
          lambda: _tails_beyond((10**6, 1000000.5), (1, 1.5))),
    Entry("opendp #2922: >= for >", threshold_on_equal, (0, 1), 1, 0.004926, INF,
          "P(noise ≥ 4) = e⁻⁴/(1 + e⁻¹) = 0.0134", True,
          "privacy.release_at_the_threshold_costs_nothing", lambda: _released_at("opendp"),
          lambda: _tail_beyond(-1.0, 5, 0.004926)),
    Entry("opendp #2911: permute and flip", permute_and_flip, ([0, 0], [1, -1]), 2, 0, FLIPPED,
          "greatest Rényi divergence over its order", True,
          "privacy.permute_and_flip_has_bounded_range",
          lambda: finite([0, 1], [0.5, 0.5], [1 - RARE, RARE]),
          lambda: delta_beyond(_flipped, 0.5), other_claim=ZeroConcentratedDP(0.5)),
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
          lambda: delta_beyond(lambda: gaussian_delta(1 / ball(SQUARED), arb(4)), 0.01)),
    Entry("smartnoise #319: few steps", few_steps, (10, 9), 1, 0, INF,
          "P(noise ≥ 3) = e⁻³/(1 + e⁻¹) = 0.036, against 0", True, NO_OVERLAP, _few_steps_law,
          lambda: _tail_beyond(-1.0, 4, 0)),
    Entry("smartnoise #204: wrong tail", gaussian_threshold, (0, 1), 1, 1e-3, INF,
          "Φ(−6.21/3) = 0.019", True, "privacy.gaussian_noise_may_use_the_laplace_threshold",
          _gaussian_tail, lambda: delta_beyond(
              lambda: gaussian_threshold_delta(arb(3), 1 + arb(500).log()), 1e-3)),
    Entry("smartnoise #622: unclipped", unclipped_covariance, ([0.5, 0.5], [0.5, 4.0]), 1, 0,
          15.75, "16 − 0.25 against sensitivity 1", True,
          "privacy.laplace_profile_is_the_largest_gap",
          lambda: line(np.linspace(-10, 30, 4001), stats.laplace(0.5), stats.laplace(16.25)),
          lambda: ratio_beyond(lambda: arb(15.75).exp(), 1)),
    Entry("google #101: threshold cut", truncated_threshold, (0, 1), 0.5, 0.0311, INF,
          "P(noise ≥ 5) = e⁻²·⁵/(1 + e⁻⁰·⁵) = 0.051", True,
          "privacy.geometric_threshold_is_a_tail", lambda: _released_at("google"),
          lambda: _tail_beyond(-0.5, 6, 0.0311)),
    Entry("opacus #571: divides by n", leaked_size, (2, 3), 1, 0, INF, "scales 1/2 and 1/3", True,
          SCALES, lambda: line(
              np.linspace(-15, 17, 4001), stats.laplace(1, 1 / 2), stats.laplace(1, 1 / 3)),
          lambda: _tails_beyond((Fraction(1, 2), 1), (Fraction(1, 3), 1))),
    Entry("WFA #4333: noise cut short", short_noise, (0.0, 100.0), 3, 1e-3, INF,
          "δ = (e³ − 1)/(2(e^(R/b) − 1)) = 0.0093 at sensitivity 100", True,
          "privacy.bound_by_tail_mass_is_private", _short_law,
          lambda: delta_beyond(lambda: truncated_laplace_delta(
              arb(3).exp(), 1000 * (arb(3) / 100).exp()), 1e-3)),
    Entry("NVFlare #343: unselected", unselected_pass, ([1.0, 2.0], [1.0, 3.0]), 1, 0, INF,
          "a coordinate without noise", True, NO_OVERLAP, _exact_coordinate,
          lambda: audit_pmf([1, 0], [0, 1], 1).refuted),
]  # fmt: skip
