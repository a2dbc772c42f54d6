"""How many runs a sequential audit needs to refute a wrong claim, beside the limit of all bets.

Each row is the median over seeds, in paired runs (one on each data set), all learning included. The
limit is log(20) over the growth of the wealth of a bettor who knows the best event and the best
stake. The runs of the checks at the end, at most 4000 and a tenth of the budget, are left out.
`--seeds` sets the number of audits, `--runs` the most that they spend per data set; a
further argument selects rows by name.
"""

import argparse
import math
import time
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import stats

from provedp.verify.audit import audit, target
from provedp.verify.audit.statistics.betting import best_stakes, line_above
from provedp.verify.audit.zoo import Entry, entries
from provedp.verify.audit.zoo.cells import Cells, moved
from provedp.verify.audit.zoo.noise import laplace
from provedp.verify.notions.notions import PrivacyNotion

HEADER = ("mechanism", "claim", "refuted", "median", "limit", "s")
LINE = "{:<34}{:>19}{:>9}{:>9}{:>9}{:>8}"
NAMES = (
    "Laplace, half scale",
    "noisy max, value",
    "sparse vector, Alg. 5",
    "Gaussian, half sigma",
)
SLIGHT = 1.1  # true level over the claim of the hardest row
PLACES = 300  # events from either end of the likelihood ratios that are combined


def rows() -> list[Entry]:
    """Return the rows: some of the benchmark, and noise that is slightly too small."""
    known = {entry.name: entry for entry in entries()}

    def release(data: float, rng: Any, count: int) -> Any:
        return laplace(data, rng, count, 1 / SLIGHT)

    slight = replace(
        known[NAMES[0]],
        name=f"Laplace, scale 1/{SLIGHT:g}",
        release=release,
        truth=SLIGHT,
        law=lambda: moved(stats.laplace, 1.0, 1 / SLIGHT),
    )
    return [*(known[name] for name in NAMES), slight]


def limit(cells: Cells, claim: PrivacyNotion) -> float:
    """Return the expected number of paired runs until the best bets reach 20."""
    order = cells.order
    tops = [np.append(0.0, np.cumsum(mass[order])) for mass in (cells.p, cells.q)]
    ends = [np.append(0.0, np.cumsum(mass[order][::-1])) for mass in (cells.q, cells.p)]
    size = len(order)
    places = np.unique(np.linspace(0, size, min(size + 1, PLACES)).astype(int))
    i, j = (axis.ravel() for axis in np.meshgrid(places, places, indexing="ij"))
    i, j = i[i + j <= size], j[i + j <= size]
    success, failure = ((tops[side][i] + ends[side][j]) / 2 for side in (0, 1))
    line = line_above(claim, float(np.median(failure)))
    growth = best_stakes(np.minimum(success, 1.0), np.minimum(failure, 1 - success), line)[1]
    return math.log(20) / float(growth.max()) / 2


def print_row(entry: Entry, runs: int, seeds: int) -> None:
    """Audit one mechanism and print its row."""
    what, spent, refuted, start = target(entry.release, isolated=False), [], 0, time.perf_counter()
    for seed in range(seeds):
        options = {"runs": runs, "seed": seed, "sequential": True, "checks": False}
        result = audit(what, entry.pair, entry.claim, **options)
        spent.append(result.runs / 2)
        refuted += result.refuted
    seconds = (time.perf_counter() - start) / seeds
    least = math.nan if entry.law is None else limit(entry.law(), entry.claim)
    row = (f"{refuted}/{seeds}", f"{np.median(spent):.0f}", f"{least:.0f}", f"{seconds:.2f}")
    print(LINE.format(entry.name, str(entry.claim), *row), flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=21)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("name", nargs="?", default="")
    options = parser.parse_args()
    print(LINE.format(*HEADER))
    for entry in rows():
        if options.name in entry.name:
            print_row(entry, options.runs, options.seeds)


if __name__ == "__main__":
    main()
