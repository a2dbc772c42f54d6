"""Faults that were reported in public trackers, rewritten small, and what must not be reported."""

import math
from typing import Any

import numpy as np
from scipy import stats

from provedp.verify.audit import ZeroConcentratedDP

from .entry import Entry  # noqa: TID251

LAPLACE = stats.laplace


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


def threshold_on_equal(data: int, rng: Any, count: int) -> Any:
    """opendp #2922: released at ≥ threshold 5, δ computed for > 5 on integers; scale 1."""
    ratio = math.exp(-1.0)
    noise = rng.geometric(1 - ratio, count) - rng.geometric(1 - ratio, count)
    noisy = data + noise
    return np.where((data > 0) & (noisy >= 5), noisy, -1000)


def permute_and_flip(data: list[float], rng: Any, count: int) -> Any:
    """opendp #2911: permute-and-flip (ε = 2) charged ρ = ε²/8, as the exponential mechanism."""
    noisy = np.array(data) + rng.exponential(size=(count, 2))
    return noisy.argmax(1)


def scale_of_current_size(data: list[float], rng: Any, count: int) -> Any:
    """smartnoise-core #356: the scale of a mean is 1/n of the present n."""
    return np.mean(data) + rng.laplace(size=count) / len(data)


def clamp_shows(data: int, rng: Any, count: int) -> Any:
    """smartnoise-core #319: counts beyond the bounds are clamped after, noise only inside."""
    noise = rng.geometric(1 - math.exp(-1.0), count) - rng.geometric(1 - math.exp(-1.0), count)
    return np.full(count, 10) if data >= 10 else np.clip(data + noise, 0, 10)


def gaussian_threshold(data: int, rng: Any, count: int) -> Any:
    """smartnoise-sdk #204: threshold of the Laplace formula, noise Gaussian (δ = 10⁻³)."""
    noisy = data + 3.0 * rng.normal(size=count)
    return ((data > 0) & (noisy > 1 + math.log(500))).astype(int)


def unclipped_covariance(data: list[float], rng: Any, count: int) -> Any:
    """smartnoise-sdk #622: the second moment is of the data before clipping to [0, 1]."""
    return sum(x * x for x in data) + rng.laplace(size=count)


def truncated_threshold(data: int, rng: Any, count: int) -> Any:
    """google/differential-privacy PR #101: threshold 6.9 is cut to 6 (ε = 0.5)."""
    noise = rng.geometric(1 - math.exp(-0.5), count) - rng.geometric(1 - math.exp(-0.5), count)
    return ((data > 0) & (data + noise >= 6)).astype(int)


def leaked_size(data: int, rng: Any, count: int) -> Any:
    """opacus #571: the noisy sum of gradients is divided by the number of records."""
    return (data * 1.0 + rng.laplace(size=count)) / data


def unselected_pass(data: list[float], rng: Any, count: int) -> Any:
    """NVFlare #343: entries that are not selected pass without noise."""
    out = np.tile(np.array(data, dtype=float), (count, 1))
    out[:, 0] += rng.laplace(size=count)
    return out


def rounded_laplace(data: int, rng: Any, count: int) -> Any:
    """WFA PR #97: rounded Laplace noise is no geometric noise, but private all the same."""
    return np.round(data + rng.laplace(size=count))


def noisy_min(data: list[float], rng: Any, count: int) -> Any:
    """opendp #2912: the minimum instead of the maximum is useless, and private."""
    return (np.array(data) + rng.laplace(scale=2, size=(count, 5))).argmin(1)


INF = math.inf


def concentrated(p: float, q: float) -> float:
    """Return the greatest Rényi divergence of (p, 1 − p) from (q, 1 − q) over its order."""
    orders = np.linspace(1.001, 20, 20_000)
    powers = p**orders * q ** (1 - orders) + (1 - p) ** orders * (1 - q) ** (1 - orders)
    return float(np.max(np.log(powers) / (orders - 1) / orders))


FLIPPED = concentrated(0.5, math.exp(-2) / 2)
RATIO = math.exp(-0.5)
AT_LEAST_4 = math.exp(-4.0) / (1 + math.exp(-1.0))
AT_LEAST_5 = RATIO**5 / (1 + RATIO)
ENTRIES = [
    Entry("diffprivlib #23: Wishart", wishart, ([1, 0], [0, 1]), 1, 0, INF,
          "M − e₁e₁ᵀ is psd always, against P < 1", True),
    Entry("diffprivlib #105: sensitivity 0", lower_bound_twice, ([3.0, 5.0], [3.0, 6.0]), 1, 0, INF,
          "no noise", True, event=(1.0, 0.0)),
    Entry("diffprivlib #104: shared budget", shared_budget, (0.0, 1.0), 1, 0, 2,
          "two releases of 1", True, event=(0.25, 0.25 * math.exp(-2))),
    Entry("diffprivlib #20: bounds from data", bounds_from_data, ([0.5, 1.0], [0.5, 1e6]), 1, 0,
          INF, "scale 1 against 10⁶", True),
    Entry("opendp #2922: >= for >", threshold_on_equal, (0, 1), 1, 0.004926, INF,
          "P(noise ≥ 4) = e⁻⁴/(1 + e⁻¹) = 0.0134", True, event=(AT_LEAST_4, 0.0)),
    Entry("opendp #2911: permute and flip", permute_and_flip, ([0, 0], [1, -1]), 2, 0, FLIPPED,
          "greatest Rényi divergence over its order", True, event=(0.5, math.exp(-2) / 2),
          other_claim=ZeroConcentratedDP(0.5)),
    Entry("smartnoise #356: present n", scale_of_current_size, ([0.0], [0.0, 1.0]), 1, 0, INF,
          "scales 1 and 1/2: the tails' ratio is unbounded", True),
    Entry("smartnoise #319: clamp shows", clamp_shows, (10, 9), 1, 0, INF,
          "10 always, against P(≤ 9) > 0", True),
    Entry("smartnoise #204: wrong tail", gaussian_threshold, (0, 1), 1, 1e-3, INF,
          "Φ(−6.21/3) = 0.019", True, event=(float(stats.norm.sf(math.log(500) / 3)), 0.0)),
    Entry("smartnoise #622: unclipped", unclipped_covariance, ([0.5, 0.5], [0.5, 4.0]), 1, 0,
          15.75, "16 − 0.25 against sensitivity 1", True, event=(0.5, math.exp(-15.75) / 2)),
    Entry("google #101: threshold cut", truncated_threshold, (0, 1), 0.5, 0.0311, INF,
          "P(noise ≥ 5) = e⁻²·⁵/(1 + e⁻⁰·⁵) = 0.051", True, event=(AT_LEAST_5, 0.0)),
    Entry("opacus #571: divides by n", leaked_size, (2, 3), 1, 0, INF, "scales 1/2 and 1/3", True),
    Entry("NVFlare #343: unselected", unselected_pass, ([1.0, 2.0], [1.0, 3.0]), 1, 0, INF,
          "a coordinate without noise", True, event=(1.0, 0.0)),
    Entry("must pass: rounded Laplace", rounded_laplace, (0, 1), 1, 0, 1, "post-processing", False,
          event=(float(LAPLACE.cdf(0.5)), float(LAPLACE.cdf(-0.5)))),
    Entry("must pass: noisy min", noisy_min, ([1, 1, 1, 1, 1], [0, 2, 2, 2, 2]), 1, 0, 0.7786,
          "mirror image of noisy max", False, event=(0.435665, 0.2)),
]  # fmt: skip
