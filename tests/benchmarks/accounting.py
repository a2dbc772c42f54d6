"""ε at δ of noise on Poisson samples: provedp beside dp-accounting, prv-accountant and autodp.

Every row is a process of its own: bounds on ε, their width and CPU seconds (imports warm, one run),
both also as multiples of provedp's, whether the bounds hold the true ε, and what `audit_accountant`
says of the upper one. The true ε is known by Fourier inversion with 80-bit floats, which shares
nothing with the grids; for noise on all records it is a closed form. The grid of provedp is chosen
by itself, that of dp-accounting is 1e-4 (pessimistic, and the optimistic estimate below);
prv-accountant is asked for an error of 0.01, and autodp converts Rényi divergences, from above.

The peers run in an environment of their own (`make bench-peers`); `--python` names its interpreter,
without which dp-accounting alone is compared.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import geometric_mean
from typing import Any, NamedTuple

from provedp.theory.privacy.noise.least_gaussian import gaussian_sigma
from provedp.verify.accounting.accountant_audit import Setting, audit_accountant
from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.releases import Gaussian

SCRIPT = Path(__file__).parent / "peers" / "accounting.py"
LIMIT = 300  # seconds of a process, wall clock
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
CONVERGED = 1e-9  # relative, of the true values
STEPS = {"provedp": "0", "dp-accounting": "1e-4", "prv-accountant": "0.01", "autodp": "0"}
HEADER = (
    *("setting", "method", "lower", "upper", "width", "ratio", "CPU s", "ratio"),
    *("holds", "upper end"),
)
Found = dict[str, Any]


class Case(NamedTuple):
    """A setting, and its true ε."""

    sigma: float
    rate: float
    rounds: int
    delta: float
    true: float


def on_all(sigma: float, rounds: int, delta: float) -> Case:
    """Return a setting of noise on all records, of which there is a closed form."""
    low, high = compose([(Gaussian(1 / sigma), rounds)]).epsilon(delta)
    return Case(sigma, 1.0, rounds, delta, (low + high) / 2)


TEN = {
    "A": Case(1.0, 0.01, 1000, 1e-5, 1.82823666652),
    "B": Case(1.1, 1 / 240, 14400, 1e-5, 2.34955240208),
    "C": Case(0.8, 0.125, 1000, 1e-6, 56.7259499777),
    "D": Case(4.0, 0.00033, 10000, 1e-7, 0.0327466270615),
    "E": Case(2.0, 0.5, 100, 1e-6, 15.7158850757),
    "F": Case(0.5, 0.001, 20000, 1e-8, 10.1085532579),
    "G": Case(5.0, 0.1, 500, 1e-10, 2.84915755154),
    "H": Case(1.0, 0.9, 40, 1e-5, 41.3512769599),
    "I": Case(1.3, 256 / 60000, 14063, 1e-5, 1.82361603436),
    "J": Case(2.0, 0.02, 5000, 1e-6, 3.60920938298),
}
CASES = TEN | {
    "J, small δ": Case(2.0, 0.02, 5000, 1e-10, 4.923344656469),
    "B, small δ": Case(1.1, 1 / 240, 14400, 1e-11, 3.908593201962),
    "F, small δ": Case(0.5, 0.001, 20000, 1e-12, 14.682560193279),
    "all records, ε = 1 in all": on_all(gaussian_sigma(1, 1e-6, 1000**0.5).value, 1000, 1e-6),
    "all records, ε = 1 each": on_all(gaussian_sigma(1, 1e-6).value, 1000, 1e-6),
}


def measured(python: str, method: str, case: Case) -> Found | None:
    """Return what a child process reports, or None if it exceeds the limit or fails."""
    numbers = [repr(number) for number in case[:4]]
    command = [python, "-P", str(SCRIPT), method, *numbers, STEPS[method]]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            env={**os.environ, **ONE_THREAD},
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    found: Found = json.loads(done.stdout.splitlines()[-1])
    return found


def width(found: Found) -> float:
    """Return the width of the bounds; infinite for an upper bound alone."""
    return float(found["upper"] - found["lower"]) if found["lower"] is not None else float("inf")


def holds(found: Found, case: Case) -> bool:
    """Tell whether the true ε is inside."""
    lower = found["lower"] if found["lower"] is not None else 0.0
    return bool(
        lower <= case.true * (1 + CONVERGED) and case.true * (1 - CONVERGED) <= found["upper"]
    )


def said(found: Found, case: Case) -> str:
    """Return what the audit of an accountant finds of the upper end."""
    setting = Setting(*case[:4])
    return audit_accountant(lambda setting: float(found["upper"]), [setting]).findings[0].finding


def cells(found: Found, own: Found, case: Case) -> list[str]:
    """Return a row of the table, from the lower bound on."""
    wide, seconds = width(found), found["seconds"]
    lower = "–" if found["lower"] is None else f"{found['lower']:.9g}"
    ratio = "–" if found["lower"] is None else f"{wide / width(own):.3g}"
    size = f"{found['upper'] - case.true:.1e} above" if found["lower"] is None else f"{wide:.1e}"
    yes = "yes" if holds(found, case) else "NO"
    times = (f"{seconds:.2f}", f"{seconds / own['seconds']:.2f}")
    return [lower, f"{found['upper']:.9g}", size, ratio, *times, yes, said(found, case)]


def print_row(row: Iterable[str]) -> None:
    """Print one line of a table."""
    print("| " + " | ".join(row) + " |", flush=True)


def print_means(rows: dict[str, list[tuple[Found, Found]]]) -> None:
    """Print geometric means of the ratios to provedp's, over the settings A to J."""
    print()
    print_row(("method", "settings", "width", "time"))
    print_row(["---"] * 4)
    for method, pairs in rows.items():
        if pairs:
            wide = [width(found) / width(own) for found, own in pairs if found["lower"] is not None]
            times = [found["seconds"] / own["seconds"] for found, own in pairs]
            mean = f"{geometric_mean(wide):.3g}" if wide else "–"
            print_row((method, str(len(pairs)), mean, f"{geometric_mean(times):.2f}"))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="of the peers' environment")
    python = parser.parse_args().python
    methods = [each for each in STEPS if python or each in ("provedp", "dp-accounting")]
    rows: dict[str, list[tuple[Found, Found]]] = {method: [] for method in methods}
    print_row(HEADER)
    print_row(["---"] * len(HEADER))
    for name, case in CASES.items():
        own = measured(sys.executable, "provedp", case)
        assert own is not None
        print_row((name, "provedp", *cells(own, own, case)))
        for method in methods[1:]:
            found = measured(python or sys.executable, method, case)
            if found is None:
                print_row((name, method, "over the limit or failed", *[""] * 7))
                continue
            print_row((name, method, *cells(found, own, case)))
            if name in TEN:
                rows[method].append((found, own))
    print_means(rows)


if __name__ == "__main__":
    main()
