"""ε at δ = 1e-6 of 1000 rounds of Gaussian noise: provedp against dp-accounting and prv-accountant.

Every row is a process of its own: the bracket for ε, its width, CPU seconds (imports warm), and the
ratios of both to provedp's on the same grid. prv-accountant lives in a virtual environment that is
made for the run; without network its rows are left out. `--quick` leaves its smallest error out.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from provedp.theory.privacy.noise.least_gaussian import gaussian_sigma

PEERS = Path(__file__).parent / "peers" / "accounting.py"
ROUNDS, DELTA, GRID = 1000, 1e-6, 1e-4
LIMIT = 300  # seconds of a process, wall clock
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
PRV_ERRORS = (0.1, 0.01, 0.001)
HEADER = ("case", "method", "step", "lower", "upper", "width", "ratio", "CPU s", "ratio")
LINE = "{:<22}{:<21}{:>7}  {:<18}{:<18}{:>9}{:>9}{:>8}{:>8}"


def cases() -> dict[str, tuple[float, float]]:
    """Return (σ, sampling rate) by name."""
    return {
        "σ for 1 round": (gaussian_sigma(1, DELTA).value, 1.0),
        "σ for all rounds": (gaussian_sigma(1, DELTA, ROUNDS**0.5).value, 1.0),
        "σ = 1, rate 1/100": (1.0, 0.01),
        "σ = 2, rate 1/20": (2.0, 0.05),
    }


def measured(
    python: str, method: str, sigma: float, rate: float, step: float
) -> dict[str, Any] | None:
    """Return what a child process reports, or None if it exceeds the limit or fails."""
    numbers = [repr(number) for number in (sigma, rate, ROUNDS, DELTA, step)]
    command = [python, "-P", str(PEERS), method, *numbers]
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
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def prv_python(folder: str) -> str | None:
    """Return a Python that has prv-accountant, or say why there is none."""
    venv.create(folder, with_pip=True)
    python = str(Path(folder) / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "prv-accountant==0.2.0"]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode == 0:
        return python
    print(f"prv-accountant is left out: {done.stderr.strip().splitlines()[-1]}")
    return None


def print_row(
    case: str, method: str, step: float, found: dict[str, Any] | None, own: dict[str, Any] | None
) -> None:
    """Print one line of the table."""
    if found is None or own is None:
        print(f"{case:<22}{method:<21}{step:>7g}  over the limit or failed", flush=True)
        return
    width, own_width = (each["upper"] - each["lower"] for each in (found, own))
    line = LINE.format(
        case,
        method,
        f"{step:g}",
        f"{found['lower']:.12f}",
        f"{found['upper']:.12f}",
        f"{width:.2e}",
        f"{width / own_width:.3g}",
        f"{found['seconds']:.3f}",
        f"{found['seconds'] / own['seconds']:.2f}",
    )
    print(line, flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave the smallest error out")
    errors = PRV_ERRORS[:-1] if parser.parse_args().quick else PRV_ERRORS
    with tempfile.TemporaryDirectory() as folder:
        prv = prv_python(folder)
        print(LINE.format(*HEADER))
        for case, (sigma, rate) in cases().items():
            own = measured(sys.executable, "provedp", sigma, rate, GRID)
            print_row(case, "provedp", GRID, own, own)
            extra = "provedp, closed form" if rate == 1 else "provedp, fixed size"
            for method in ("dp-accounting", extra):
                found = measured(sys.executable, method, sigma, rate, GRID)
                print_row(case, method, GRID, found, own)
            for error in errors if prv else ():
                found = measured(str(prv), "prv-accountant", sigma, rate, error)
                print_row(case, "prv-accountant", error, found, own)


if __name__ == "__main__":
    main()
