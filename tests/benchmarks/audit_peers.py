"""Audits beside jax_privacy, which is given the very runs that our audit makes.

jax_privacy bounds ε from one number per run: the raw output where it is a number, a score made by
hand, and the score that our audit learned (on the runs that it was not learned from). It runs in
the peers' environment (`make bench-peers`); `--python` names its interpreter, without which only
our rows are filled. Its ε is the best of two signs and two strategies, not corrected for that. The
truth at δ of the Gaussian rows is dp-accounting's. Bounds of further tools are quoted: they were
measured elsewhere, once to eleven times, with as many runs.

The second table is of bounds on μ. jax_privacy 2.0.0 takes the absolute value of what it bounds, so
that it finds some ε where one law is audited against itself: its column is no lower bound.
"""

import argparse
import json
import math
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from dp_accounting import get_epsilon_gaussian

from provedp.verify.audit import ApproximateDP, AuditResult, GaussianDP, audit, target
from provedp.verify.audit.events.event import event_from
from provedp.verify.audit.targets.outputs import batch_of_array
from provedp.verify.audit.zoo.choices import FIVE_ALL, FIVE_UP, noisy_max
from provedp.verify.audit.zoo.noise import gaussian, half_laplace, laplace
from provedp.verify.audit.zoo.sparse_vectors import SIX, no_query_noise

BOUNDS = Path(__file__).parent / "peers" / "audit_bounds.py"
DELTA = 1e-5
SIGMA = 3.7306  # (1, 10⁻⁵) for sensitivity 1
COLUMNS = ("provedp", "s", "refuted", "jax raw", "jax by hand", "jax our score", "s")
QUOTED = ("DP-Sniper*", "StatDP*", "DP-Auditorium*", "Delta-Siege*")
Scores = dict[str, tuple[Any, Any]]
Score = Callable[[Any], Any]


@dataclass(frozen=True)
class Row:
    """A mechanism of sensitivity-1 claims, the score made by hand, and what others found."""

    name: str
    release: Callable[[Any, Any, int], Any]
    pair: tuple[Any, Any]
    truth: float
    by_hand: Score
    quoted: tuple[str, str, str, str]
    sigma: float | None = None

    @property
    def claim(self) -> ApproximateDP:
        """(1, 0), or (1, δ) for Gaussian noise."""
        return ApproximateDP(1.0, DELTA if self.sigma else 0.0)


def _halves(outputs: Any) -> Any:
    return outputs[:, :3].sum(axis=1) - outputs[:, 3:].sum(axis=1)


def _gaussian(name: str, sigma: float, quoted: tuple[str, str, str, str]) -> Row:
    truth = float(get_epsilon_gaussian(sigma, DELTA))
    return Row(name, gaussian(sigma), (0.0, 1.0), truth, np.asarray, quoted, sigma)


ROWS = [
    Row("Laplace", laplace, (0.0, 1.0), 1.0, lambda x: np.clip(x, 0, 1),
        ("0.882", "0.97", "0.90", "0.960")),
    Row("Laplace, half scale", half_laplace, (0.0, 1.0), 2.0, lambda x: np.clip(x, 0, 1),
        ("1.892", "1.9", "1.9", "1.939")),
    Row("noisy max, index", noisy_max(2), FIVE_UP, 0.7786, lambda x: (x == 0).astype(float),
        ("0.633", "0.75", "0.6", "0.742")),
    Row("noisy max, value", noisy_max(2, True), FIVE_ALL, 2.5, np.asarray,
        ("2.117", "1.5", "1.5", "2.117")),
    Row("sparse vector, Alg. 5", no_query_noise, SIX, math.inf, _halves,
        ("3.048", "4.0", "3.0", "7.30")),
    _gaussian("Gaussian", SIGMA, ("0.448 (δ = 0)", "0.3 (δ = 0)", "0.2", "family")),
    _gaussian("Gaussian, half σ", SIGMA / 2, ("1.146 (δ = 0)", "0.6 (δ = 0)", "0.8", "family")),
]  # fmt: skip


NONE = ("–", "–", "–", "–")
SAME = Row("the same law twice", lambda data, rng, count: rng.normal(size=count), (0.0, 1.0), 0.0,
           np.asarray, NONE, SIGMA)  # fmt: skip


@dataclass
class Recorder:
    """Keeps all outputs of a release, in order, for each data set."""

    row: Row
    outputs: dict[str, list[Any]] = field(default_factory=dict)
    learned: dict[str, int] = field(default_factory=dict)

    def release(self, data: Any, rng: Any, count: int) -> Any:
        """Run and keep."""
        found = np.asarray(self.row.release(data, rng, count))
        self.outputs.setdefault(repr(data), []).append(found)
        return found

    def progress(self, phase: str, done: int, total: int) -> None:
        """Note how many runs were learned from."""
        if phase == "learn":
            self.learned = {key: sum(map(len, chunks)) for key, chunks in self.outputs.items()}

    def runs(self, held_out: bool = False) -> tuple[Any, Any]:
        """Return the outputs on the first and the second data set."""
        keys = [repr(data) for data in self.row.pair]
        first, second = (
            np.concatenate(self.outputs[key])[self.learned[key] if held_out else 0 :]
            for key in keys
        )
        return first, second


def recorded(row: Row, runs: int, seed: int) -> tuple[AuditResult, float, Scores]:
    """Audit; return the result, its seconds, and scores of its runs for the peer."""
    recorder = Recorder(row)
    what = target(recorder.release, isolated=False)
    start = time.perf_counter()
    result = audit(what, row.pair, row.claim, runs=runs, seed=seed, progress=recorder.progress)
    seconds = time.perf_counter() - start
    learned = event_from(result.event_record).score
    own = [learned.of(batch_of_array(part)) for part in recorder.runs(held_out=True)]
    scores = {"by_hand": _pair(row.by_hand, recorder.runs()), "ours": (own[0], own[1])}
    if np.ndim(recorder.runs()[0]) == 1:
        scores = {"raw": recorder.runs(), **scores}
    return result, seconds, scores


def _pair(score: Score, runs: tuple[Any, Any]) -> tuple[Any, Any]:
    return score(runs[0]), score(runs[1])


class Peer:
    """jax_privacy in a process of its own."""

    def __init__(self, python: str):
        self._child = subprocess.Popen(
            [python, str(BOUNDS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def bounds(self, scores: Scores, delta: float, seed: int) -> dict[str, Any]:
        """Return its bounds on these scores."""
        assert self._child.stdin is not None and self._child.stdout is not None
        sides = ("first", "second")
        arrays = {
            f"{name}_{side}": np.asarray(values, dtype=float)
            for name, pair in scores.items()
            for side, values in zip(sides, pair, strict=True)
        }
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            np.savez(file, **arrays)
            file.flush()
            request = {"file": file.name, "scores": list(scores), "delta": delta, "seed": seed}
            print(json.dumps(request), file=self._child.stdin, flush=True)
            found: dict[str, Any] = json.loads(self._child.stdout.readline())
        return found


def median(values: list[float]) -> str:
    """Return the median in three digits, or a dash."""
    return f"{np.median(values):.3f}" if values else "–"


def print_row(row: Row, peer: Peer | None, runs: int, seeds: int) -> None:
    """Audit with each seed and print the medians."""
    ours, spent, refuted, theirs = [], [], 0, []
    for seed in range(seeds):
        result, seconds, scores = recorded(row, runs, seed)
        ours.append(result.epsilon_lower)
        spent.append(seconds)
        refuted += result.refuted
        if peer:
            theirs.append(peer.bounds(scores, row.claim.delta, seed))
    kinds = ("raw", "by_hand", "ours")
    found = [[each["epsilon"][k] for each in theirs if k in each["epsilon"]] for k in kinds]
    cells = [f"{row.truth:.4g}", median(ours), f"{np.median(spent):.2f}", f"{refuted}/{seeds}"]
    cells += [median(values) for values in found]
    cells += [median([each["seconds"] for each in theirs])]
    print("| " + " | ".join([row.name, *cells, *row.quoted]) + " |", flush=True)


def epsilon_of(mu: float) -> float:
    """Return ε at δ of μ-Gaussian privacy."""
    return float(get_epsilon_gaussian(1 / mu, DELTA)) if mu > 0 else 0.0


def print_gaussian(row: Row, peer: Peer | None, runs: int, seeds: int) -> None:
    """Print ε at δ from bounds on μ, which speak of the Gaussian family alone."""
    ours, theirs = [], []
    for seed in range(seeds):
        recorder = Recorder(row)
        what = target(recorder.release, isolated=False)
        found = audit(what, row.pair, GaussianDP(1 / SIGMA), runs=runs, seed=seed)
        ours.append(epsilon_of(found.epsilon_lower))
        if peer:
            theirs.append(peer.bounds({"raw": recorder.runs()}, DELTA, seed))
    cells = [f"{row.truth:.4g}", median(ours)]
    cells += [median([each[kind] for each in theirs]) for kind in ("gdp", "one_run")]
    print("| " + " | ".join([row.name, *cells]) + " |", flush=True)


def header(*names: str) -> None:
    """Print the head of a table."""
    print("| " + " | ".join(names) + " |")
    print("| " + " | ".join(["---"] * len(names)) + " |", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="of the peers' environment")
    parser.add_argument("--seeds", type=int, default=21)
    parser.add_argument("--runs", type=int, default=100_000, help="per data set")
    options = parser.parse_args()
    peer = Peer(options.python) if options.python else None
    print(f"ε at 95 %, claim 1, {options.runs} runs per data set, medians of {options.seeds}")
    header("mechanism", "truth", *COLUMNS, *QUOTED)
    for row in ROWS:
        print_row(row, peer, options.runs, options.seeds)
    print("\n* quoted, measured elsewhere: (1, 0) or (1, 10⁻⁵), 10⁵ runs per data set\n")
    header("claims of μ, as ε at δ", "truth", "provedp", "jax GDP", "jax one run")
    for row in (*ROWS[-2:], SAME):
        print_gaussian(row, peer, options.runs, options.seeds)


if __name__ == "__main__":
    main()
