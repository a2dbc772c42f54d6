"""Bounds from the canaries of one run beside those of jax_privacy, on the same scores.

The first table is of mechanisms whose ε at δ is known exactly: the median of bounds that are
asked for at 95 %, and how often they are above the truth, which is allowed in 5 % of runs. Each
canary has a fair coin of its own; scores are what a mechanism releases of the coins:

- nothing: noise that does not depend on the coins, so ε = 0;
- a response: the coin is told truly with probability e/(1 + e), and noise below 1/2 is added to it;
- Gaussian noise on the coin, with ε = 1 or 4 at δ = 1e-5;
- all or nothing: with probability 1/10 all coins are told, otherwise nothing: ε = 0 at δ = 1/10.

Bounds on μ are of a Gaussian family, and are counted where the mechanism is of it. Slow bounds are
asked of the first runs alone. The second table is of DP-SGD on digits, right and wrong
(`dpsgd_digits.py`): medians over seeds. The peer runs in an environment of its own (`make
bench-peers`); `--python` names its interpreter.
"""

import argparse
import json
import math
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dpsgd_digits
import numpy as np
from accounting import print_row

from provedp.theory.privacy.noise.least_gaussian import gaussian_sigma
from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.releases import Gaussian
from provedp.verify.audit import ApproximateDP, GaussianDP, audit_canaries

SCRIPT = Path(__file__).parent / "peers" / "canary_bounds.py"
ROUNDING = 1e-5  # of ε, more than the roots of either tool are wrong by
THEIRS = ("one run", "one run, split", "one run, f-DP", "GDP", "Clopper–Pearson")
FAMILY = {"one run, f-DP", "GDP", "ours, μ"}
Floats = Any


def epsilon_of(mu: float, delta: float) -> float:
    """Return the upper end of ε at δ of Gaussian noise."""
    return compose([(Gaussian(mu), 1)]).epsilon(delta)[1] if mu > 0 else 0.0


def joint(scores: Floats, coins: Floats, delta: float) -> float:
    """Return our bound with all defaults."""
    return audit_canaries(scores, coins, ApproximateDP(1.0, delta)).epsilon_lower


def fixed(scores: Floats, coins: Floats, delta: float) -> float:
    """Return our bound for guesses of a fifth of the canaries."""
    claim = ApproximateDP(1.0, delta)
    return audit_canaries(scores, coins, claim, guesses=len(coins) // 5).epsilon_lower


def family(scores: Floats, coins: Floats, delta: float) -> float:
    """Return our bound on μ, as ε."""
    found = audit_canaries(scores, coins, GaussianDP(1.0), guesses=len(coins) // 5)
    return epsilon_of(found.epsilon_lower, delta)


OURS: dict[str, Callable[[Floats, Floats, float], float]] = {
    "ours": joint,
    "ours, m/5": fixed,
    "ours, μ": family,
}
SLOW = {"ours": 200, "ours, m/5": 2000, "ours, μ": 200}  # of how many runs it is asked


@dataclass(frozen=True)
class Mechanism:
    """What is released of the coins, and the least ε at δ."""

    name: str
    canaries: int
    delta: float
    true: float
    scores: Callable[[np.random.Generator, Floats], Floats]
    is_gaussian: bool = True
    runs: int = 2000


def nothing(rng: np.random.Generator, coins: Floats) -> Floats:
    """Return noise."""
    return rng.normal(size=len(coins))


def response(rng: np.random.Generator, coins: Floats) -> Floats:
    """Return coins that are told truly with probability e/(1 + e), with noise on top."""
    told = coins ^ (rng.random(len(coins)) < 1 / (1 + math.e))
    return told + rng.random(len(coins)) / 2


def all_or_nothing(rng: np.random.Generator, coins: Floats) -> Floats:
    """Return the coins with probability 1/10, else noise."""
    return coins + rng.random(len(coins)) / 2 if rng.random() < 0.1 else nothing(rng, coins)


def noisy(epsilon: float, canaries: int, delta: float = 1e-5) -> Mechanism:
    """Return Gaussian noise of that ε at δ."""
    sigma = gaussian_sigma(epsilon, delta).value

    def scores(rng: np.random.Generator, coins: Floats) -> Floats:
        return coins + rng.normal(scale=sigma, size=len(coins))

    return Mechanism(f"Gaussian, ε = {epsilon:g}", canaries, delta, epsilon, scores)


SMALL, TINY = 1e-6, 1e-9
TOLD = math.log(math.e - SMALL * (1 + math.e))  # ε of a response at δ = 1e-6
MECHANISMS = (
    Mechanism("nothing", 200, TINY, 0.0, nothing, runs=10_000),
    Mechanism("nothing", 1000, TINY, 0.0, nothing, runs=10_000),
    Mechanism("nothing", 10_000, TINY, 0.0, nothing, runs=2000),
    Mechanism("a response", 1000, SMALL, TOLD, response, is_gaussian=False),
    noisy(1.0, 100),
    noisy(1.0, 1000),
    noisy(4.0, 1000),
    Mechanism("all or nothing", 1000, 0.1, 0.0, all_or_nothing, is_gaussian=False),
)


def peer_bounds(python: str, scores: Floats, coins: Floats, delta: float) -> dict[str, Any]:
    """Return what the peer finds in all runs."""
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        np.savez(file, scores=scores, included=coins)
        file.flush()
        command = [python, "-P", str(SCRIPT), file.name, repr(delta)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def own_bounds(scores: Floats, coins: Floats, delta: float) -> dict[str, Any]:
    """Return what we find, in the same form."""
    found: dict[str, Any] = {}
    for name, bound in OURS.items():
        start = time.process_time()
        rows = zip(scores[: SLOW[name]], coins[: SLOW[name]], strict=True)
        values = [bound(*row, delta) for row in rows]
        found[name] = {"values": values, "seconds": (time.process_time() - start) / len(values)}
    return found


def cell(mechanism: Mechanism, name: str, values: list[float]) -> str:
    """Return the median, and how often it is above the truth."""
    if name in FAMILY and not mechanism.is_gaussian:
        return "–"
    above, runs = sum(value > mechanism.true + ROUNDING for value in values), len(values)
    return f"{np.median(values):.3f}; {above} of {runs} ({100 * above / runs:.1f} %)"


def print_mechanism(python: str, mechanism: Mechanism, runs: int) -> dict[str, float]:
    """Print a row of the first table, and return the seconds of each bound."""
    rng = np.random.default_rng([mechanism.canaries, round(1e6 * mechanism.true)])
    coins = rng.random((runs, mechanism.canaries)) < 0.5
    scores = np.array([mechanism.scores(rng, each) for each in coins])
    theirs = peer_bounds(python, scores, coins, mechanism.delta)
    hull = theirs.pop("hull")
    found = {**theirs, **own_bounds(scores, coins, mechanism.delta)}
    cells = [cell(mechanism, name, found[name]["values"]) for name in (*OURS, *THEIRS)]
    name, m, delta = mechanism.name, str(mechanism.canaries), f"{mechanism.delta:g}"
    print_row((name, m, delta, f"{mechanism.true:g}", *cells, f"{np.median(hull):g}"))
    return {name: each["seconds"] for name, each in found.items()}


def print_trainer(python: str, trainer: dpsgd_digits.Trainer, seeds: range) -> None:
    """Print two rows of the second table, of the last loss and of the steps."""
    runs: tuple[list[Floats], list[Floats]] = ([], [])
    coins = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        data = dpsgd_digits.records(rng)
        weights, along = dpsgd_digits.trained(trainer, data, rng)
        coins.append(data.included)
        for scores, one in zip((dpsgd_digits.black_box(data, weights), along), runs, strict=True):
            one.append(scores)
    included, delta = np.array(coins), dpsgd_digits.DELTA
    claim = ApproximateDP(1.0, delta)
    for kind, scores in zip(("black box", "white box"), map(np.array, runs), strict=True):
        four = [
            audit_canaries(*row, claim, guesses=dpsgd_digits.GUESSES).epsilon_lower
            for row in zip(scores, included, strict=True)
        ]
        defaults = [joint(*row, delta) for row in zip(scores, included, strict=True)]
        theirs = peer_bounds(python, scores, included, delta)
        others = [theirs[name]["values"] for name in THEIRS]
        medians = [f"{np.median(values):.3f}" for values in (four, defaults, *others)]
        print_row((trainer.name, kind, *medians))


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True, help="of the peers' environment")
    parser.add_argument("--share", type=float, default=1.0, help="of the runs of mechanisms")
    parser.add_argument("--seeds", type=int, default=5, help="of each trainer")
    options = parser.parse_args()
    head = ("mechanism", "canaries", "δ", "truth", *OURS, *THEIRS, "thresholds")
    print_row(head)
    print_row(["---"] * len(head))
    for mechanism in MECHANISMS:
        runs = round(options.share * mechanism.runs)
        seconds = print_mechanism(options.python, mechanism, runs)
        print("".join(f"  {name}: {each:.4f} s" for name, each in seconds.items()))
    low, high = dpsgd_digits.claimed()
    print(f"\ndigits: ε in [{low:.6f}, {high:.6f}] at δ = {dpsgd_digits.DELTA} by the accountant\n")
    head = ("trainer", "score", "ours, four numbers", "ours", *THEIRS)
    print_row(head)
    print_row(["---"] * len(head))
    for trainer in dpsgd_digits.TRAINERS:
        print_trainer(options.python, trainer, range(100, 100 + options.seeds))


if __name__ == "__main__":
    main()
