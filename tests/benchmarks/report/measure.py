"""Medians of fresh processes, and what was recorded of them before."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from rows import Row

__all__ = ["RESULTS", "Measured", "fell", "measure", "measured", "read", "write"]

FOLDER = Path(__file__).resolve().parents[1]
RESULTS = FOLDER / "results"
LIMIT = 600.0  # seconds of one process, wall clock
# A rival of the peer is stopped after so many times what ours takes, wall clock: by then it has had
# about ten times ours in CPU seconds, on a machine with other work.
PATIENCE = 30.0
OF_THE_PEER = ("peer_name", "peer_seconds", "peer_megabytes", "slower_name", "slower_seconds")
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
    slower_name: str = ""
    slower_seconds: float | None = None  # of a second peer; at least, if it was stopped

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
    if row.within:
        ours = _runs((*row.ours, "--repeats", str(repeats)), 1)
    else:
        ours = _runs(row.ours, repeats)
    if ours is None:
        return None
    done = Measured(
        row.case,
        row.size,
        row.peer_name,
        _seconds(ours),
        max(run["megabytes"] for run in ours),
        gap=ours[-1].get("gap"),
        versions=_versions(),
    )
    if peer_repeats and (peer := _runs(row.peer, peer_repeats)):
        done.peer_seconds = _seconds(peer)
        done.peer_megabytes = max(run["megabytes"] for run in peer)
        if row.rival:
            _race(done, row)
    return done


def _race(done: Measured, row: Row) -> None:
    """Run a rival of the peer, and let it be the peer if it is faster."""
    first = statistics.median(done.peer_seconds)
    limit = str(PATIENCE * done.median + 1)
    rival = _runs((*row.rival, "--limit", limit), len(done.peer_seconds))
    if rival is None:
        return
    seconds = _seconds(rival)
    second = statistics.median(seconds)
    if second < first and all(run["ended"] for run in rival):
        done.slower_name, done.slower_seconds = done.peer_name, first
        done.peer_name, done.peer_seconds = row.rival_name, seconds
        done.peer_megabytes = max(run["megabytes"] for run in rival)
    else:
        done.slower_name, done.slower_seconds = row.rival_name, second


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


def _seconds(runs: list[dict[str, Any]]) -> list[float]:
    """Return CPU seconds; a run may have several."""
    return [float(value) for run in runs for value in np.atleast_1d(run["seconds"])]


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
    """Record rows; those of other cases stay, and each remembers the ratio before it.

    A row whose peer was not run keeps what is recorded of the peer.
    """
    recorded = {row.case: row for row in read(name)}
    for row in rows:
        if row.case in recorded:
            before = recorded[row.case]
            if not row.peer_seconds:
                row = replace(row, **{name: getattr(before, name) for name in OF_THE_PEER})
            row.ratio_before = before.ratio if row.peer_name == before.peer_name else None
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
