"""Medians of fresh processes, and what was recorded of them before."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from rows import Row

__all__ = ["RESULTS", "Measured", "fell", "measure", "measured", "read", "write"]

FOLDER = Path(__file__).resolve().parents[1]
RESULTS = FOLDER / "results"
LIMIT = 600.0  # seconds of one process, wall clock
DROP = 0.2  # of a ratio, from which a row is flagged
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"), "1")
PACKAGES = ("numpy", "scipy", "highspy", "cvxpy", "clarabel", "dp-accounting", "python-flint")


@dataclass
class Measured:
    """CPU seconds of each run, ours and the peer's, and the peak memory in MB."""

    case: str
    size: int
    peer_name: str
    seconds: list[float]
    megabytes: float
    peer_seconds: list[float] = field(default_factory=list)
    peer_megabytes: float | None = None
    gap: float | None = None
    versions: dict[str, str] = field(default_factory=dict)
    ratio_before: float | None = None

    @property
    def median(self) -> float:
        """Our median."""
        return statistics.median(self.seconds)

    @property
    def ratio(self) -> float | None:
        """The peer's median over ours; None if the peer did not end."""
        return statistics.median(self.peer_seconds) / self.median if self.peer_seconds else None


def fell(row: Measured) -> float | None:
    """Return by which share the ratio fell since it was recorded, if by more than `DROP`."""
    if row.ratio is None or row.ratio_before is None:
        return None
    share = 1 - row.ratio / row.ratio_before
    return share if share > DROP else None


def measure(row: Row, repeats: int, peer_repeats: int) -> Measured | None:
    """Run a row; None if ours exceeds the limit or fails."""
    ours = _runs(row.ours, repeats)
    if ours is None:
        return None
    peer = (_runs(row.peer, peer_repeats) or []) if peer_repeats else []
    return Measured(
        row.case,
        row.size,
        row.peer_name,
        [run["seconds"] for run in ours],
        max(run["megabytes"] for run in ours),
        [run["seconds"] for run in peer],
        max((run["megabytes"] for run in peer), default=None),
        ours[-1].get("gap"),
        _versions(),
    )


def _runs(command: tuple[str, ...], repeats: int) -> list[dict[str, Any]] | None:
    script, *arguments = command
    full = [sys.executable, str(FOLDER / script), *arguments]
    environment = {**os.environ, **ONE_THREAD}
    found = []
    for _ in range(repeats):
        try:
            done = subprocess.run(
                full, capture_output=True, text=True, timeout=LIMIT, env=environment, check=True
            )
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            return None
        found.append(json.loads(done.stdout.splitlines()[-1]))
    return found


def _versions() -> dict[str, str]:
    found = {"python": sys.version.split()[0]}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def read(name: str) -> list[Measured]:
    """Return the recorded rows of an operation."""
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return []
    return [Measured(**row) for row in json.loads(path.read_text(encoding="utf-8"))]


def write(name: str, rows: list[Measured]) -> None:
    """Record rows; those of other cases stay, and each remembers the ratio before it."""
    recorded = {row.case: row for row in read(name)}
    for row in rows:
        if row.case in recorded:
            row.ratio_before = recorded[row.case].ratio
        recorded[row.case] = row
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps([asdict(row) for row in recorded.values()], indent=1, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def measured(name: str, rows: Iterable[Row], repeats: int, peer_repeats: int) -> None:
    """Measure rows, say what each took, and record each when it is done."""
    for row in rows:
        done = measure(row, repeats, peer_repeats)
        print(f"{name:<18}{row.case:<46}", _said(done), flush=True)
        if done is not None:
            write(name, [done])


def _said(row: Measured | None) -> str:
    if row is None:
        return "over the limit or failed"
    ratio = "-" if row.ratio is None else f"{row.ratio:.3g}"
    return f"{row.median:.4g} s, ratio {ratio}, {row.megabytes:.0f} MB"
