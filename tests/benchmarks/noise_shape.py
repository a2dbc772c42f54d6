"""The least noise shape, eq. (25) of the mixture paper: provedp against semidefinite solvers.

Every row is a process of its own: CPU seconds of one solve (imports warm; the mean of several where
one is short), peak memory of the process, and the ratio of CPU seconds to provedp's in the same
run. provedp's gap is certified; a peer has none. A peer that exceeds the limit is not run at larger
sizes. `--quick` stops at N = 1000, `--large` adds N = 60000, d = 784.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

PEERS = Path(__file__).parent / "peers" / "noise_shape.py"
LIMIT = 120  # seconds of a peer, wall clock
OWN_LIMIT = 1200
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"), "1")
METHODS = ("provedp", "provedp, identity", "cvxpy+Clarabel", "cvxpy+SCS")
SIZES = ((150, 4), (1000, 3), (1409, 12), (5000, 20), (100_000, 4), (100_000, 12))
LARGE = (60_000, 784)
TARGETS = {(150, 4): 300, (1000, 3): 2000, (1409, 12): 8000}  # times faster than Clarabel
HEADER = ("N", "d", "method", "CPU s", "ratio", "MB", "gap", "value", "support")
LINE = "{:>6} {:>4}  {:<17}{:>10} {:>8} {:>6} {:>9}  {:<22}{:>4}"


def measured(method: str, count: int, size: int) -> dict[str, Any] | None:
    """Return what a child process reports, or None if it exceeds the limit or fails."""
    command = [sys.executable, str(PEERS), method, str(count), str(size)]
    limit = OWN_LIMIT if method.startswith("provedp") else LIMIT
    environment = {**os.environ, **ONE_THREAD}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=limit, env=environment, check=True
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def row(found: dict[str, Any] | None, own: float | None) -> tuple[str, ...]:
    """Return the columns from CPU seconds on."""
    if found is None:
        return ("-", "-", "-", "-", "over the limit or failed", "")
    ratio = "-" if own is None else f"{found['seconds'] / own:.2f}"
    gap = f"{found['gap']:.1e}" if "gap" in found else "none"
    numbers = (f"{found['seconds']:.5f}", ratio, f"{found['megabytes']:.0f}", gap)
    return (*numbers, f"{found['value']:.15g}", str(found["support"] or ""))


def main() -> None:
    """Print the table, and what was to be reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="stop at N = 1000")
    parser.add_argument("--large", action="store_true", help="add N = 60000, d = 784")
    chosen = parser.parse_args()
    sizes = SIZES[:2] if chosen.quick else SIZES
    print(LINE.format(*HEADER))
    out: set[str] = set()
    for count, size in (*sizes, LARGE) if chosen.large else sizes:
        own = None
        for method in METHODS:
            if method in out:
                continue
            found = measured(method, count, size)
            if found is None:
                out.add(method)
            elif method == "provedp":
                own = found["seconds"]
            print(LINE.format(count, size, method, *row(found, own)), flush=True)
            if found and own and method == "cvxpy+Clarabel" and (count, size) in TARGETS:
                target = TARGETS[count, size]
                verdict = "reached" if found["seconds"] >= target * own else "missed"
                print(f"{'':13}target {target}: {verdict}", flush=True)


if __name__ == "__main__":
    main()
