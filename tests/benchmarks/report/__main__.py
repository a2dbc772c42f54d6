"""Measure operations beside their peers, and write BENCHMARKS.md.

    python tests/benchmarks/report [--only NAME ...] [--repeats 5] [--write-only]
    python tests/benchmarks/report --region 64 [--deltas 0 1/20] [--repeats 5] [--peer-repeats 0]

Every run is a process of its own with one thread: CPU seconds (imports warm) and peak memory. What
is measured replaces what `tests/benchmarks/results/` has of the same case; the rest stays. A ratio
that fell by more than a fifth is flagged, and the status is 1.
"""

import argparse
import itertools
import sys

from measure import fell, measured, read
from render import write_report
from rows import OPERATIONS, region

DECIBELS = (0, 5, 10, 15, 20, 25, 30)
EPSILONS = (0.1, 0.25, 0.5, 1, 2, 4, 6, 8)


def main() -> int:
    """Measure, write, and return 1 if a ratio fell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=sorted(OPERATIONS), default=None)
    parser.add_argument("--repeats", type=int, default=5, help="runs of each, of which the median")
    parser.add_argument(
        "--peer-repeats", type=int, help="of the peers; as --repeats if absent, none for 0"
    )
    parser.add_argument("--region", type=int, metavar="M", help="measure the region of channels")
    parser.add_argument("--deltas", nargs="+", default=["0", "1/20"])
    parser.add_argument("--decibels", nargs="+", type=float, default=DECIBELS)
    parser.add_argument("--epsilons", nargs="+", type=float, default=EPSILONS)
    parser.add_argument("--write-only", action="store_true", help="measure nothing")
    chosen = parser.parse_args()
    peers = chosen.repeats if chosen.peer_repeats is None else chosen.peer_repeats
    done = []
    if chosen.region is not None:
        cells = itertools.product(chosen.deltas, chosen.decibels, chosen.epsilons)
        rows = [region(chosen.region, db, epsilon, delta) for delta, db, epsilon in cells]
        measured("region", rows, chosen.repeats, peers)
        done = ["region"]
    elif not chosen.write_only:
        done = chosen.only or list(OPERATIONS)
        for name in done:
            measured(name, OPERATIONS[name].rows, chosen.repeats, peers)
    write_report()
    lost = [(name, row) for name in done for row in read(name) if fell(row)]
    for name, row in lost:
        print(f"fell by {fell(row):.0%}: {name}, {row.case}", file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
