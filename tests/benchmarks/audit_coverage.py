"""How often the 95 % bound of an audit exceeds the truth, for mechanisms exactly at their claim.

Whole audits: the event is learned as always, and some of the mechanisms have a δ. Every row is a
number of audits with seeds 0, 1, …; the bound may fail in 5 % of them, and should not fail much
less often. Gaussian noise meets its (ε, δ) in one event alone, and few runs are better spent on
another, on which it is strictly private: there the bound fails less often.

`--audits N` sets the number of audits, `--correct` audits all correct mechanisms of the benchmark
instead, most of them strictly inside their claims, and counts refutations; a further argument
selects rows by name.
"""

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provedp.theory.privacy.noise.least_gaussian import gaussian_sigma
from provedp.verify.audit import ApproximateDP, GaussianDP, audit, target
from provedp.verify.notions.notions import PrivacyNotion

CONFIDENCE = 0.95
CORRECT_RUNS = 1000
LINE = "{:<34}{:>8}{:>9}{:>9}{:>9}{:>9}"
RNG = np.random.Generator


def response(data: int, rng: RNG, count: int) -> Any:
    """Randomised response at ε = 1."""
    lie = rng.random(count) < 1 / (1 + math.e)
    return np.where(lie, 1 - data, data)


def laplace(data: float, rng: RNG, count: int) -> Any:
    """Laplace noise of scale 1."""
    return data + rng.laplace(size=count)


def one_sided(data: int, rng: RNG, count: int) -> Any:
    """1 with probability 0.3 on the first data set and 0.3/e on the second, else 0: ε = 1."""
    return (rng.random(count) < (0.3 if data == 0 else 0.3 / math.e)).astype(int)


def both_delta(data: int, rng: RNG, count: int) -> Any:
    """Probabilities (e q + δ, q) of an outcome and its mirror image, q = 0.2, δ = 0.05."""
    u = rng.random(count)
    high, low = 0.2 * math.e + 0.05, 0.2
    own, other = (0, 1) if data == 0 else (1, 0)
    return np.where(u < high, own, np.where(u < high + low, other, 2))


def gaussian(sigma: float) -> Callable[[float, RNG, int], Any]:
    """Gaussian noise."""

    def release(data: float, rng: RNG, count: int) -> Any:
        return data + sigma * rng.normal(size=count)

    return release


def cases() -> list[tuple[str, Any, Any, PrivacyNotion, float, int]]:
    """Return name, mechanism, pair, claim, truth, runs per data set."""
    wide = gaussian_sigma(1, 0.01).value
    return [
        ("randomised response", response, (0, 1), ApproximateDP(1.0), 1.0, 2000),
        ("Laplace", laplace, (0.0, 1.0), ApproximateDP(1.0), 1.0, 2000),
        ("one outcome, one direction", one_sided, (0, 1), ApproximateDP(1.0), 1.0, 2000),
        ("both directions, delta 0.05", both_delta, (0, 1), ApproximateDP(1.0, 0.05), 1.0, 2000),
        ("Gaussian, delta 0.01", gaussian(wide), (0.0, 1.0), ApproximateDP(1.0, 0.01), 1.0, 2000),
        ("Gaussian, delta 0.01", gaussian(wide), (0.0, 1.0), ApproximateDP(1.0, 0.01), 1.0, 20_000),
        ("Gaussian, mu", gaussian(1.0), (0.0, 1.0), GaussianDP(1.0), 1.0, 2000),
    ]


def print_boundary(audits: int, name: str) -> None:
    """Print how often the bound exceeds the truth."""
    print(LINE.format("mechanism", "runs", "missed", "median", "truth", "s/audit"))
    for label, function, pair, claim, truth, runs in cases():
        if name not in label:
            continue
        found, seconds = bounds_of(function, pair, claim, runs, audits)
        missed = float(np.mean(found > truth))
        row = (f"{missed:.4f}", f"{np.median(found):.3f}", f"{truth:g}", f"{seconds:.3f}")
        print(LINE.format(label, runs, *row), flush=True)


def print_correct(audits: int, name: str) -> None:
    """Print how often correct mechanisms of the benchmark are refuted."""
    from provedp.verify.audit.zoo import entries

    print(LINE.format("mechanism", "runs", "refuted", "median", "claim", "s/audit"))
    for entry in entries():
        if entry.wrong or name not in entry.name:
            continue
        arguments = (entry.release, entry.pair, entry.claim, CORRECT_RUNS, audits, entry.channel)
        found, seconds = bounds_of(*arguments)
        level = entry.claim.level
        row = (f"{np.mean(found > level):.4f}", f"{np.median(found):.3f}", f"{level:.4g}")
        print(LINE.format(entry.name, CORRECT_RUNS, *row, f"{seconds:.3f}"), flush=True)


def bounds_of(
    function: Any, pair: Any, claim: PrivacyNotion, runs: int, audits: int, channel: str = "value"
) -> tuple[NDArray[np.float64], float]:
    """Return the bounds of audits with different seeds, and the seconds that one took."""
    start, here = time.perf_counter(), target(function, isolated=False)
    options: dict[str, Any] = {"runs": runs, "confidence": CONFIDENCE, "channel": channel}
    options["checks"] = False  # these runs are independent, and only their bounds are looked at
    found = [audit(here, pair, claim, seed=seed, **options) for seed in range(audits)]
    bounds = np.array([result.epsilon_lower for result in found])
    return bounds, (time.perf_counter() - start) / audits


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audits", type=int, default=2000)
    parser.add_argument("--correct", action="store_true")
    parser.add_argument("name", nargs="?", default="")
    options = parser.parse_args()
    most = 0.05 + 3 * math.sqrt(0.05 * 0.95 / options.audits)
    print(f"{options.audits} audits each; at most {most:.4f} of them may fail")
    (print_correct if options.correct else print_boundary)(options.audits, options.name)


if __name__ == "__main__":
    main()
