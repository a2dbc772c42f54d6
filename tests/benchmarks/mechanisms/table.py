"""Mechanisms of the literature on auditing: claim, truth, and the reason."""

import math
from typing import Any

import numpy as np
from scipy import optimize, stats

from provedp.theory.privacy import gaussian_delta

from .entry import Entry  # noqa: TID251

E = math.e
FIVE_UP = ([1, 1, 1, 1, 1], [2, 0, 0, 0, 0])
FIVE_ALL = ([1, 1, 1, 1, 1], [0, 0, 0, 0, 0])
SIX = ([1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1])


def gaussian_epsilon(sigma: float, delta: float) -> float:
    """Invert the privacy profile of Gaussian noise on values one apart."""
    return float(optimize.brentq(lambda e: gaussian_delta(1 / sigma, e) - delta, 0.0, 60.0))


def randomised_response(data: int, rng: Any, count: int) -> Any:
    """A bit, flipped with probability 1/(1 + e)."""
    return np.where(rng.random(count) < 1 / (1 + E), 1 - data, data)


def k_ary_response(data: int, rng: Any, count: int) -> Any:
    """One of ten values, kept with probability e²/(e² + 9)."""
    kept = rng.random(count) < E**2 / (E**2 + 9)
    return np.where(kept, data, (data + rng.integers(1, 10, count)) % 10)


def truncated_geometric(data: int, rng: Any, count: int) -> Any:
    """A count in 0..20 with two-sided geometric noise of ratio 1/3, clipped."""
    noise = rng.geometric(2 / 3, count) - rng.geometric(2 / 3, count)
    return np.clip(data + noise, 0, 20)


def laplace(data: float, rng: Any, count: int, scale: float = 1.0) -> Any:
    """Laplace noise."""
    return data + rng.laplace(scale=scale, size=count)


def half_laplace(data: float, rng: Any, count: int) -> Any:
    """Laplace noise of half the scale."""
    return laplace(data, rng, count, 0.5)


def grid_laplace(data: float, rng: Any, count: int) -> Any:
    """Laplace noise, the value and the noise on the grid of 2⁻¹⁰."""
    return np.round(data * 1024) / 1024 + np.round(rng.laplace(size=count) * 1024) / 1024


def rejected_laplace(data: float, rng: Any, count: int) -> Any:
    """Laplace noise drawn until the result is in [0, 10], the scale not adapted."""
    low, high = stats.laplace.cdf([0 - data, 10 - data])
    return data + stats.laplace.ppf(low + (high - low) * rng.random(count))


def gaussian(sigma: float) -> Any:
    """Return Gaussian noise."""

    def release(data: float, rng: Any, count: int) -> Any:
        return data + sigma * rng.normal(size=count)

    return release


def noisy_max(scale: float, value: bool = False) -> Any:
    """Return report noisy max: the index, or the value too."""

    def release(data: list[float], rng: Any, count: int) -> Any:
        noisy = np.array(data) + rng.laplace(scale=scale, size=(count, len(data)))
        return noisy.max(1) if value else noisy.argmax(1)

    return release


def exponential_without_half(data: list[float], rng: Any, count: int) -> Any:
    """Exponential mechanism with weights e^(ε score) instead of e^(ε score/2)."""
    weights = np.exp(np.array(data, dtype=float))
    return rng.choice(len(data), size=count, p=weights / weights.sum())


def sparse_vector(data: Any, rng: Any, count: int, queries: float = 4.0, cut: int = 1) -> Any:
    """Above threshold (Lyu et al., Alg. 1, c = 1): False until the first True, then stop (−1)."""
    threshold = 0.5 + rng.laplace(scale=2.0, size=(count, 1))
    noise = rng.laplace(scale=queries, size=(count, len(data))) if queries else 0.0
    above = np.array(data) + noise >= threshold
    before = np.cumsum(above, axis=1) - above
    return np.where(before < cut, above, -1).astype(float)


def no_query_noise(data: Any, rng: Any, count: int) -> Any:
    """Lyu et al., Alg. 5: noise on the threshold only, no cut-off."""
    return (np.array(data) >= 0.5 + rng.laplace(scale=2.0, size=(count, 1))).astype(float)


def releases_the_value(data: Any, rng: Any, count: int) -> Any:
    """Lyu et al., Alg. 3: the compared noisy value comes out, with the same noise."""
    threshold = 0.5 + rng.laplace(scale=2.0, size=(count, 1))
    noisy = np.array(data) + rng.laplace(scale=2.0, size=(count, len(data)))
    above = noisy >= threshold
    first = (np.cumsum(above, axis=1) - above) < 1
    return np.where(first, np.where(above, noisy, -1000.0), -2000.0)


def wrong_histogram(data: list[float], rng: Any, count: int) -> Any:
    """Counts with noise of scale ε = 0.1 instead of 1/ε."""
    return np.array(data) + rng.laplace(scale=0.1, size=(count, len(data)))


def partition(threshold: float) -> Any:
    """Return the release of a noisy count of users if it exceeds a threshold, else NaN."""

    def release(data: int, rng: Any, count: int) -> Any:
        noisy = data + rng.laplace(size=count)
        return np.where((data > 0) & (noisy > threshold), noisy, np.nan)

    return release


def prefix_sums(data: list[float], rng: Any, count: int) -> Any:
    """Sums of ten noisy values that all change by one."""
    return np.cumsum(np.array(data) + rng.laplace(scale=10.0, size=(count, len(data))), axis=1)


def rappor(data: int, rng: Any, count: int) -> Any:
    """One-time RAPPOR, 4 of 20 bits, f = 0.95."""
    bits = np.zeros(20)
    bits[4 * data : 4 * data + 4] = 1
    u = rng.random((count, 20))
    return np.where(u < 0.475, 1.0, np.where(u < 0.95, 0.0, bits))


def sampled(rate: float) -> Any:
    """Return one step of Gaussian noise (σ = 1) on a sample of the records."""

    def release(data: int, rng: Any, count: int) -> Any:
        return data * (rng.random(count) < rate) + rng.normal(size=count)

    return release


TAU = 1 + math.log(500)  # ε = 1, δ = 10⁻³
DOWN = float(stats.laplace.cdf(-1))
INDEX = 0.435665  # P(index 0) on the second of FIVE_UP; 1/5 on the first

ENTRIES = [
    Entry("randomised response", randomised_response, (0, 1), 1, 0, 1, "p/(1 − p) = e", False,
          event=(E / (1 + E), 1 / (1 + E))),
    Entry("10-ary response", k_ary_response, (0, 1), 2, 0, 2, "e² by construction", False,
          event=(E**2 / (E**2 + 9), 1 / (E**2 + 9))),
    Entry("truncated geometric", truncated_geometric, (10, 11), math.log(3), 0, math.log(3),
          "consecutive masses have ratio 3", False, event=(0.75, 0.25)),
    Entry("Laplace on a grid", grid_laplace, (0.0, 1.0), 1, 0, 1.001, "cells of width 2⁻¹⁰", False,
          event=(0.5, DOWN)),
    Entry("Laplace on a grid, bits", grid_laplace, (0.0, 1.0), 1, 0, 1.001, "same support", False,
          "bits"),
    Entry("numpy Laplace", laplace, (0.0, 1.0), 1, 0, 1, "|x| − |x − 1| ≤ 1", False,
          event=(0.5, DOWN)),
    Entry("numpy Laplace, bits", laplace, (0.0, 1.0), 1, 0, math.inf, "supports differ", True,
          "bits"),
    Entry("Laplace, half scale", half_laplace, (0.0, 1.0), 1, 0, 2, "2(|x| − |x − 1|)", True,
          event=(0.5, 0.5 * math.exp(-2))),
    Entry("Laplace by rejection", rejected_laplace, (0.0, 1.0), 1, 0, 1.4898,
          "1 + ln of the ratio of masses of [0, 10]", True),
    Entry("Gaussian", gaussian(3.7306), (0.0, 1.0), 1, 1e-5, gaussian_epsilon(3.7306, 1e-5),
          "analytic profile", False),
    Entry("Gaussian, half sigma", gaussian(1.8653), (0.0, 1.0), 1, 1e-5,
          gaussian_epsilon(1.8653, 1e-5), "analytic profile", True),
    Entry("Gaussian, classical at 10", gaussian(0.4845), (0.0, 1.0), 10, 1e-5,
          gaussian_epsilon(0.4845, 1e-5), "analytic profile: exact audit", True),
    Entry("noisy max, index", noisy_max(2), FIVE_UP, 1, 0, 0.7786, "quadrature of P(argmax = 0)",
          False, event=(INDEX, 0.2)),
    Entry("noisy max, value", noisy_max(2, True), FIVE_ALL, 1, 0, 2.5, "∏ F(c): n ε/2", True,
          event=(math.exp(-2.5) / 32 * math.exp(2.5), math.exp(-2.5) / 32)),
    Entry("noisy max, half noise", noisy_max(1), ([1, 1], [2, 0]), 1, 0, 2 - math.log(2),
          "P(index 1) = 1/2 against e⁻²; sup over pairs is 2", True, event=(0.5, math.exp(-2))),
    Entry("exponential, no half", exponential_without_half, ([0, 0, 0], [1, -1, -1]), 1, 0,
          math.log((E**2 + 2) / 3), "1/3 against 1/(e² + 2); sup over pairs is 2", True,
          event=(2 / 3, 2 / (E**2 + 2))),
    Entry("sparse vector", sparse_vector, SIX, 1, 0, 1, "Lyu et al., Theorem 2: at most 1", False),
    Entry("sparse vector, Alg. 5", no_query_noise, SIX, 1, 0, math.inf,
          "111000 never from 000111", True, event=(1 - math.exp(-0.25), 0.0)),
    Entry("sparse vector, Alg. 3", releases_the_value, ([1] * 10, [0] * 10), 1, 0, math.inf,
          "slowly unbounded (Lyu et al.)", True),
    Entry("histogram, wrong scale", wrong_histogram, ([1, 0], [0, 0]), 0.1, 0, 10, "1/0.1", True,
          event=(0.5, 0.5 * math.exp(-10))),
    Entry("partition selection", partition(TAU), (0, 1), 1, 1e-3, 0,
          "P(release of one) = δ: E_k = δ", False, event=(1e-3, 0.0)),
    Entry("partition, threshold − 1", partition(TAU - 1), (0, 1), 1, 1e-3, math.inf,
          "released with probability e δ", True, event=(E * 1e-3, 0.0)),
    Entry("prefix sums", prefix_sums, ([0] * 10, [1] * 10), 0.1, 0, 1, "ten releases of 0.1", True),
    Entry("RAPPOR", rappor, (0, 1), 0.801, 0, 8 * math.log(0.525 / 0.475), "8 ln(0.525/0.475)",
          False),
    Entry("sampled Gaussian", sampled(0.1), (0, 1), 1.6845, 1e-5, 1.6845,
          "Gaussian mixture profile, add/remove", False),
    Entry("no sampling", sampled(1.0), (0, 1), 1.6845, 1e-5, gaussian_epsilon(1.0, 1e-5),
          "analytic profile; the claim is that of rate 0.1", True),
]  # fmt: skip
