"""How often the 95 % bound of an audit of 100 000 runs exceeds the truth, at its claim exactly.

Randomised response, Laplace noise on a grid and Gaussian noise at δ. The event is learned from real
outputs, as in every audit; the counts of the other runs are then drawn from their law, which is
that of the event under the known law of the output, and bounded as always. Each event that was
learned serves `DRAWS` audits, whose counts are independent. The misses come with their
Clopper–Pearson interval at 95 %: the nominal 0.05 has to be above its lower end.

`--audits N` sets the number of audits per row, a further argument selects rows by name.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from provedp.theory.privacy.noise.least_gaussian import gaussian_sigma
from provedp.verify.audit import ApproximateDP, lower_bound
from provedp.verify.audit.events.event import Event
from provedp.verify.audit.events.learning import learn
from provedp.verify.audit.events.tallies import Sides, Tally
from provedp.verify.audit.runs.plan import LEAST_SHARE
from provedp.verify.audit.statistics.exact_test import clopper_pearson
from provedp.verify.audit.targets.outputs import batch_of_array
from provedp.verify.notions.notions import PrivacyNotion

RUNS = 100_000
CONFIDENCE = 0.95
DRAWS = 20
GRID = 2.0**-10
FAR = 30.0
LINE = "{:<28}{:>8}{:>9}{:>18}{:>9}{:>9}{:>9}"
Floats = NDArray[np.float64]
RNG = np.random.Generator


@dataclass(frozen=True)
class Case:
    """A mechanism: all its outputs (or cells of them) and their probabilities on both data sets."""

    name: str
    claim: PrivacyNotion
    outputs: Floats
    first: Floats
    second: Floats
    noise: Callable[[RNG, int, int], Floats]  # generator, data set, runs


def cases() -> Iterator[Case]:
    """Yield the mechanisms, each exactly at its claim."""
    truth = math.e / (1 + math.e)
    yield Case(
        "randomised response", ApproximateDP(1.0), np.array([0.0, 1.0]),
        np.array([truth, 1 - truth]), np.array([1 - truth, truth]),
        lambda rng, side, runs: np.where(rng.random(runs) < truth, side, 1 - side).astype(float),
    )  # fmt: skip
    steps = np.arange(-int(FAR / GRID), int(FAR / GRID) + 1)
    decay = math.exp(-GRID)  # the law of the difference of two geometric variables
    masses = (1 - decay) / (1 + decay) * decay ** np.abs(steps)
    apart = round(1 / GRID)
    yield Case(
        "Laplace on a grid", ApproximateDP(1.0), steps * GRID,
        masses, np.roll(masses, apart),
        lambda rng, side, runs: (
            apart * side + rng.geometric(1 - decay, runs) - rng.geometric(1 - decay, runs)
        ) * GRID,
    )  # fmt: skip
    for delta in (1e-5, 1e-2):
        sigma = float(gaussian_sigma(1, delta).value)
        edges = np.linspace(-FAR, FAR, 400_001)
        cells = [np.diff(stats.norm(side, sigma).cdf(edges)) for side in (0, 1)]
        yield Case(
            f"Gaussian, delta {delta:g}", ApproximateDP(1.0, delta), (edges[1:] + edges[:-1]) / 2,
            cells[0], cells[1],
            lambda rng, side, runs, s=sigma: side + s * rng.normal(size=runs),
        )  # fmt: skip


def chances(event: Event, case: Case) -> Floats:
    """Return the probabilities of (first, second, neither) on each data set."""
    marks = event.marks(batch_of_array(case.outputs))
    rows = []
    for law in (case.first, case.second):
        own, other = float(law[marks.first].sum()), float(law[marks.second].sum())
        rows.append([own, other, max(0.0, 1 - own - other)])
    table = np.array(rows)
    return table / table.sum(axis=1, keepdims=True)


def bounds(case: Case, audits: int, runs: int = RUNS) -> Floats:
    """Return the bounds of that many audits."""
    found: list[float] = []
    learned = int(2 * runs * LEAST_SHARE)
    counted = 2 * runs - learned
    for index in range(-(-audits // DRAWS)):
        rng = np.random.default_rng([index, len(case.name)])
        sides = int(rng.binomial(learned, 0.5))
        outputs = [
            batch_of_array(case.noise(rng, side, size))
            for side, size in enumerate((sides, learned - sides))
        ]
        event = learn(outputs[0], outputs[1], case.claim, runs).event
        table = chances(event, case)
        for _ in range(DRAWS):
            n = int(rng.binomial(counted, 0.5))
            own, other = (
                rng.multinomial(m, p) for m, p in zip((n, counted - n), table, strict=True)
            )
            sides_of = [(Sides(int(x[0]), int(x[1])),) for x in (own, other)]
            counts = event.counts_of(Tally((n, counted - n), *sides_of))
            found.append(lower_bound(counts, case.claim, CONFIDENCE))
    return np.array(found[:audits])


def print_row(case: Case, audits: int) -> bool:
    """Print how often the bound exceeds the truth; return whether that may be 5 %."""
    start = time.perf_counter()
    found = bounds(case, audits)
    missed = int(np.count_nonzero(found > case.claim.level))
    low, high = clopper_pearson(missed, audits, 0.025)
    row: tuple[Any, ...] = (
        audits, f"{missed / audits:.4f}", f"[{low:.4f}, {high:.4f}]", f"{np.median(found):.3f}",
        f"{case.claim.level:g}", f"{time.perf_counter() - start:.0f}",
    )  # fmt: skip
    print(LINE.format(case.name, *row), flush=True)
    return low <= 1 - CONFIDENCE


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audits", type=int, default=2000)
    parser.add_argument("name", nargs="?", default="")
    options = parser.parse_args()
    print(f"{RUNS} runs per data set, confidence {CONFIDENCE:g}")
    print(LINE.format("mechanism", "audits", "missed", "interval", "median", "truth", "s"))
    for case in cases():
        if options.name in case.name:
            print_row(case, options.audits)


if __name__ == "__main__":
    main()
