"""What it costs to bound a whole privacy profile at once, and how often such bounds fail.

For each mechanism: medians over seeds of the bound on ε at several δ, and on δ at several ε, from
audits of the whole profile and from audits of that one number with as many runs; then the share of
small audits in which the profile is above the truth at any ε. `--audits N` sets their number.
"""

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from provedp.theory.privacy import gaussian_delta
from provedp.verify.audit import ApproximateDP, DeltaAt, audit, audit_profile, target

SEEDS = 11
RUNS, FEW_RUNS = 100_000, 2000
DELTAS = (0.0, 1e-3, 1e-2, 0.1)
EPSILONS = (0.0, 0.25, 0.5, 1.0)
LINE = "{:<22}{:<12}{:>10}{:>10}{:>10}"
RNG = np.random.Generator


def laplace(data: float, rng: RNG, count: int) -> Any:
    """Laplace noise of scale 1."""
    return data + rng.laplace(size=count)


def gaussian(data: float, rng: RNG, count: int) -> Any:
    """Gaussian noise with σ = 1."""
    return data + rng.normal(size=count)


def response(data: int, rng: RNG, count: int) -> Any:
    """Randomised response at ε = 1."""
    return np.where(rng.random(count) < 1 / (1 + math.e), 1 - data, data)


CASES: list[tuple[str, Any, Any, Callable[[float], float]]] = [
    ("Laplace", laplace, (0.0, 1.0), lambda e: max(0.0, -math.expm1((e - 1) / 2))),
    ("Gaussian, sigma 1", gaussian, (0.0, 1.0), lambda e: float(gaussian_delta(1.0, e))),
    (
        "randomised response",
        response,
        (0, 1),
        lambda e: max(0.0, (math.e - math.exp(e)) / (1 + math.e)),
    ),
]


def compare(name: str, function: Any, pair: Any, truth: Callable[[float], float]) -> None:
    """Print the rows of a mechanism."""
    here = target(function, isolated=False)
    start = time.perf_counter()
    whole = [audit_profile(here, pair, runs=RUNS, seed=seed) for seed in range(SEEDS)]
    seconds = (time.perf_counter() - start) / SEEDS
    for claim in [*(ApproximateDP(1.0, d) for d in DELTAS), *(DeltaAt(e) for e in EPSILONS)]:
        single = [audit(here, pair, claim, runs=RUNS, seed=seed) for seed in range(SEEDS)]
        bounds = (
            float(np.median([each.level_lower(claim) for each in whole])),
            float(np.median([each.epsilon_lower for each in single])),
        )
        true = f"{truth(claim.epsilon):.4f}" if isinstance(claim, DeltaAt) else ""
        asked = f"δ at {claim.epsilon:g}" if isinstance(claim, DeltaAt) else f"ε at {claim.delta:g}"
        print(LINE.format(name, asked, *(f"{each:.4f}" for each in bounds), true), flush=True)
    print(f"{name}: {seconds:.2f} s per profile")


def misses(
    name: str, function: Any, pair: Any, truth: Callable[[float], float], audits: int
) -> None:
    """Print the share of audits whose profile is above the truth somewhere."""
    here, grid = target(function, isolated=False), np.linspace(0, 5, 201)
    limits = np.array([truth(float(epsilon)) for epsilon in grid])
    missed = 0
    for seed in range(audits):
        result = audit_profile(here, pair, runs=FEW_RUNS, seed=seed)
        missed += any(result.delta_lower(float(e)) > t for e, t in zip(grid, limits, strict=True))
    most = 0.05 + 3 * math.sqrt(0.05 * 0.95 / audits)
    print(
        f"{name}: {missed / audits:.4f} of {audits} profiles miss (at most {most:.4f})", flush=True
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audits", type=int, default=1000)
    audits = parser.parse_args().audits
    print(LINE.format("mechanism", "bound on", "profile", "single", "truth"))
    for case in CASES:
        compare(*case)
    for case in CASES:
        misses(*case, audits)


if __name__ == "__main__":
    main()
