"""Opacus on digits: training right and wrong, audited by canaries beside its accountants.

The data, canaries and settings are those of `dpsgd_digits.py`; the trainers are Opacus's own and
three mistakes with it (`peers/opacus_digits.py`). The command line is asked as a user would ask it:
`provedp account` of the state that its accountant exports, and for each training `provedp audit
--canaries` of the losses at the end (black box) and of the steps along the canaries' gradients
(white box). Opacus runs in an environment of its own (`make bench-peers`); `--python` names its
interpreter.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import dpsgd_digits as digits
import numpy as np
from accounting import ONE_THREAD, print_row

SCRIPT = Path(__file__).parent / "peers" / "opacus_digits.py"
TRAINERS = ("right", "unclipped", "divided", "shuffled")
BLACK = ("--score", "loss", "--losses")
WHITE = ("--score", "steps")
Found = dict[str, Any]


def provedp(*arguments: str) -> Found:
    """Return what a command answers; a verdict is no failure."""
    command = [sys.executable, "-m", "provedp", *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(done.stderr)
    found: Found = json.loads(done.stdout)
    return found


def train(python: str, folder: Path, seeds: range) -> None:
    """Write records for each seed and let Opacus train on them."""
    for seed in seeds:
        found = digits.records(np.random.default_rng(seed))
        np.savez(folder / f"records-{seed}.npz", **vars(found))
    settings = (digits.SIGMA, float(digits.RATE), digits.ROUNDS, digits.CLIP, digits.STEP)
    command = [python, "-P", str(SCRIPT), str(folder), *map(str, settings)]
    subprocess.run(command, check=True, env={**os.environ, **ONE_THREAD})


def print_accounts(state: Path, said: Found) -> str:
    """Print what Opacus says of ε and what `provedp account` does; return the claim."""
    delta = str(digits.DELTA)
    low, high = provedp("account", str(state), "--delta", delta)["epsilon"]
    print(f"ε at δ = {delta} by provedp account: [{low:.6f}, {high:.6f}]")
    for name, epsilon in said.items():
        if isinstance(epsilon, str):
            print(f"  Opacus, {name}: {epsilon}")
            continue
        claim = ("--claim-epsilon", f"{epsilon:.9f}", "--claim-delta", delta)
        print(
            f"  Opacus, {name}: {epsilon:.6f}, {provedp('account', str(state), *claim)['verdict']}"
        )
    return f"{high:.6f}"


def audited(scores: Path, claim: str, which: tuple[str, ...]) -> Found:
    """Audit the canaries of one training."""
    guesses = [text for number in digits.GUESSES for text in ("--guesses", str(number))]
    claims = ("--claim-epsilon", claim, "--claim-delta", str(digits.DELTA))
    return provedp("audit", "--canaries", str(scores), *which, *claims, *guesses)


def cell(found: list[Found]) -> str:
    """Return the median bound, the largest p-value and how often the claim is refuted."""
    bound = median(each["epsilon_lower"] for each in found)
    most = max(each["p_value"] for each in found)
    refuted = sum(each["verdict"] == "REFUTED" for each in found)
    return f"{bound:.3f}, p ≤ {most:.1g}, refuted {refuted} of {len(found)}"


def main() -> None:
    """Print the accounts and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True, help="of the environment with Opacus")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    seeds = range(100, 100 + options.seeds)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train(options.python, folder, seeds)
        found = {
            (trainer, seed): json.loads((folder / f"{trainer}-{seed}.json").read_text())
            for trainer in TRAINERS
            for seed in seeds
        }
        state = folder / "state.json"
        states = {json.dumps(each["state"]) for each in found.values()}
        assert len(states) == 1, "all trainers are accounted alike"
        state.write_text(states.pop(), encoding="utf-8")
        claim = print_accounts(state, found["right", seeds[0]]["epsilon"])
        print_row(("trainer", "accuracy", "black box", "white box"))
        print_row(["---"] * 4)
        for trainer in TRAINERS:
            accuracy = median(found[trainer, seed]["accuracy"] for seed in seeds)
            files = [folder / f"{trainer}-{seed}.csv" for seed in seeds]
            cells = [cell([audited(f, claim, which) for f in files]) for which in (BLACK, WHITE)]
            print_row((trainer, f"{accuracy:.3f}", *cells))


if __name__ == "__main__":
    main()
