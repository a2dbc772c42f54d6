"""How often the 95 % bound of an audit exceeds the truth, for mechanisms exactly at their claim.

Whole audits: the event is learned as always, and some of the mechanisms have a δ. Every row is a
number of audits with seeds 0, 1, …; the bound may fail in 5 % of them, and should not fail much
less often. `--audits N` sets their number.
"""

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from provedp.theory.privacy.gaussian_noise import gaussian_sigma
from provedp.verify.audit import ApproximateDP, GaussianDP, audit, target
from provedp.verify.audit.notions import Claim

CONFIDENCE = 0.95
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


def cases() -> list[tuple[str, Any, Any, Claim, float, int]]:
    """Return name, mechanism, pair, claim, truth, runs per data set."""
    wide = gaussian_sigma(1, 0.01).value
    return [
        ("randomised response", response, (0, 1), ApproximateDP(1.0), 1.0, 2000),
        ("Laplace", laplace, (0.0, 1.0), ApproximateDP(1.0), 1.0, 2000),
        ("one outcome, one direction", one_sided, (0, 1), ApproximateDP(1.0), 1.0, 2000),
        ("both directions, delta 0.05", both_delta, (0, 1), ApproximateDP(1.0, 0.05), 1.0, 2000),
        ("Gaussian, delta 0.01", gaussian(wide), (0.0, 1.0), ApproximateDP(1.0, 0.01), 1.0, 2000),
        ("Gaussian, mu", gaussian(1.0), (0.0, 1.0), GaussianDP(1.0), 1.0, 2000),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audits", type=int, default=2000)
    audits = parser.parse_args().audits
    most = 0.05 + 3 * math.sqrt(0.05 * 0.95 / audits)
    print(f"{audits} audits each; at most {most:.4f} of them may miss")
    print(LINE.format("mechanism", "runs", "missed", "median", "truth", "s/audit"))
    for name, function, pair, claim, truth, runs in cases():
        start = time.perf_counter()
        here = target(function, isolated=False)
        found = [
            audit(here, pair, claim, runs=runs, seed=seed, confidence=CONFIDENCE).epsilon_lower
            for seed in range(audits)
        ]
        missed = float(np.mean(np.array(found) > truth))
        seconds = (time.perf_counter() - start) / audits
        row = (f"{missed:.4f}", f"{np.median(found):.3f}", f"{truth:g}", f"{seconds:.3f}")
        print(LINE.format(name, runs, *row), flush=True)


if __name__ == "__main__":
    main()
