"""Audits of mechanisms with known privacy: bound, truth, information limit, runs, seconds.

Each row is the median over seeds of audits with the same number of runs per data set, all learning
included. The limit is the bound from the best event known, given to one exact test with the counts
to be expected. `--seeds` and `--runs` set their numbers, a further argument selects rows by name.
"""

import argparse
import math
import time

import numpy as np
from mechanisms.entry import Entry  # noqa: TID251 (the folder beside this script)

from mechanisms import reports, table  # noqa: TID251 (the same)
from provedp.verify.audit import Counts, audit, lower_bound, target

HEADER = ("mechanism", "claim", "bound", "limit", "truth", "runs", "s", "refuted", "")
LINE = "{:<34}{:>17}{:>8}{:>8}{:>8}{:>9}{:>7}{:>9}  {}"
BIT_RUNS = 1000


def limit(entry: Entry, runs: int) -> float:
    """Return the bound from the expected counts of the best event known."""
    if entry.event is None:
        return math.nan
    x, y = (round(share * runs) for share in entry.event)
    return lower_bound(Counts(x, runs, y, runs), entry.claim)


def print_row(entry: Entry, runs: int, seeds: int) -> bool:
    """Audit one mechanism and print its row; return whether the verdict is right."""
    used = min(runs, BIT_RUNS) if entry.channel == "bits" else runs
    what = target(entry.release, isolated=False)
    found, seconds = [], []
    for seed in range(seeds):
        start = time.perf_counter()
        found.append(
            audit(what, entry.pair, entry.claim, runs=used, seed=seed, channel=entry.channel)
        )
        seconds.append(time.perf_counter() - start)
    bound = float(np.median([result.epsilon_lower for result in found]))
    refuted = sum(result.refuted for result in found)
    right = (2 * refuted > seeds) == entry.wrong
    print(
        LINE.format(
            entry.name,
            str(entry.claim),
            f"{bound:.4f}",
            f"{limit(entry, used):.4f}",
            f"{entry.truth:.4f}",
            used,
            f"{np.median(seconds):.2f}",
            f"{refuted}/{seeds}",
            "" if right else "not seen" if entry.wrong else "FALSE ALARM",
        ),
        flush=True,
    )
    return right


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=21)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("name", nargs="?", default="")
    options = parser.parse_args()
    print(LINE.format(*HEADER))
    for entry in (*table.ENTRIES, *reports.ENTRIES):
        if options.name in entry.name:
            print_row(entry, options.runs, options.seeds)


if __name__ == "__main__":
    main()
