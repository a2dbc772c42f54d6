"""Least error behind M-ary phase-shift keying: provedp against general-purpose solvers.

Every row is a process of its own: CPU seconds of one solve (imports warm), peak memory of the
process, and the ratio of CPU seconds to provedp's in the same run. A peer that exceeds the limit is
not run at larger sizes. `--quick` stops at M = 16.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

PEERS = Path(__file__).parent / "peers" / "behind_a_channel.py"
LIMIT = 60  # seconds of a peer, wall clock
OWN_LIMIT = 300
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"), "1")
METHODS = ("provedp", "provedp, program", "cvxpy+Clarabel", "cvxpy+HiGHS", "scipy linprog")
SIZES = (8, 16, 32, 64, 128)
HEADER = ("dB", "delta", "M", "method", "CPU s", "ratio", "MB", "gap", "error", "decided by")
LINE = "{:>4} {:>6} {:>4}  {:<17}{:>9} {:>8} {:>6} {:>9}  {:<19} {}"


def measured(method: str, m: int, decibels: int, delta: str) -> dict[str, Any] | None:
    """Return what a child process reports, or None if it exceeds the limit or fails."""
    command = [sys.executable, str(PEERS), method, str(m), str(decibels), delta]
    limit = OWN_LIMIT if method.startswith("provedp") else LIMIT
    environment = {**os.environ, **ONE_THREAD}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=limit, env=environment, check=True
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {**found, "seconds": found["seconds"][0]}


def row(found: dict[str, Any] | None, own: float | None) -> tuple[str, ...]:
    """Return the columns from CPU seconds on."""
    if found is None:
        return ("-", "-", "-", "-", "over the limit or failed", "")
    ratio = "-" if own is None else f"{found['seconds'] / own:.2f}"
    gap = f"{found['gap']:.1e}" if "gap" in found else "none"
    numbers = (f"{found['seconds']:.3f}", ratio, f"{found['megabytes']:.0f}", gap)
    return (*numbers, f"{found['error']:.15f}", found["by"])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="stop at M = 16")
    sizes = SIZES[:2] if parser.parse_args().quick else SIZES
    print(LINE.format(*HEADER))
    for decibels in (10, 20):
        for delta in ("0", "1/20"):
            out: set[str] = set()
            for m in sizes:
                own = None
                for method in METHODS:
                    if method in out:
                        continue
                    found = measured(method, m, decibels, delta)
                    if found is None:
                        out.add(method)
                    elif method == "provedp":
                        own = found["seconds"]
                    shown = row(found, own)
                    print(LINE.format(decibels, delta, m, method, *shown), flush=True)


if __name__ == "__main__":
    main()
