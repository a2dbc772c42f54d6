"""BENCHMARKS.md and its figures, from what is recorded."""

import math
import re
from collections.abc import Iterable
from pathlib import Path

import matplotlib
import numpy as np
from measure import RESULTS, Measured, fell, read
from rows import OPERATIONS

matplotlib.use("svg")
from matplotlib import pyplot as plt

__all__ = ["growth", "write_report"]

REPORT = Path(__file__).resolve().parents[3] / "BENCHMARKS.md"
PICTURES = "tests/benchmarks/results"
HEAD = """# Benchmarks

`make bench` writes this page; `make bench ONLY=channel` measures one operation and keeps what is
recorded of the others. Every run is a process of its own with one thread: CPU seconds with the
imports warm, medians with the least, the largest and the number of runs, and peak memory of the
process. The ratio is the peer's median over ours, both from one machine and session. Where nobody
else does the same, the peer is a *yardstick*, a fixed amount of arithmetic in Python and numpy: its
ratio has no meaning but that it moves when we do. A ratio that fell by more than a fifth since it
was last recorded is flagged with **↓**.
"""
ABOUT_REGIONS = """The cells are some of 0 to 30 dB and ε from 0.1 to 8; our runs share a process.
The peer of a cell is the faster of cvxpy with Clarabel and, where it was run, scipy with HiGHS
(starred in the figure). HiGHS was stopped after about thirty times our seconds by the clock; where
it was stopped, or was slower, the peer is Clarabel. A cell that was measured again without its peer
keeps the peer's seconds. Clarabel's digits are those of its own stopping rule, HiGHS stops up to
1e-7 away from the optimum, and neither gives a certificate; ours are a bracket of exact points."""
STAR = "*"  # of a ratio to HiGHS
WANTED, LONG = 10, 5.0  # a ratio, and seconds
CELL = re.compile(r"M = (\d+), (\S+) dB, ε = (\S+), δ = (\S+)")


def write_report() -> None:
    """Write the page and its figures."""
    parts = [HEAD, *_tables(), _growths(), _regions(), _versions()]
    REPORT.write_text("\n".join(part for part in parts if part), encoding="utf-8")


def _tables() -> list[str]:
    parts = []
    for name, operation in OPERATIONS.items():
        if rows := read(name):
            parts.append(f"## {operation.title[:1].upper()}{operation.title[1:]}\n")
            parts.append(_table(rows))
    return parts


def _table(rows: list[Measured]) -> str:
    lines = [
        "| case | ours, s | peer | peer, s | ratio | ours, MB | peer, MB |  |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows:
        ratio = "–" if row.ratio is None else f"{row.ratio:.3g}"
        peer_memory = "–" if row.peer_megabytes is None else f"{row.peer_megabytes:.0f}"
        lost = fell(row)
        flag = "" if lost is None else f"**↓ {lost:.0%}**"
        cells = (row.case, _spread(row.seconds), row.peer_name, _spread(row.peer_seconds), ratio)
        lines.append("| " + " | ".join((*cells, f"{row.megabytes:.0f}", peer_memory, flag)) + " |")
    return "\n".join(lines) + "\n"


def _spread(seconds: list[float]) -> str:
    """Return the median, the ends, and the number of runs."""
    if not seconds:
        return "over the limit"
    middle = float(np.median(seconds))
    return f"{middle:.3g} ({min(seconds):.3g}–{max(seconds):.3g}, {len(seconds)})"


def growth(rows: list[Measured]) -> float | None:
    """Return the exponent of the time in the size, by least squares; None for one size."""
    sizes = np.log([row.size for row in rows])
    if len(set(sizes)) < 2:
        return None
    return float(np.polyfit(sizes, np.log([max(row.median, 1e-4) for row in rows]), 1)[0])


def _growths() -> str:
    figure, axes = plt.subplots(figsize=(7, 4.5))
    lines = ["## Growth\n", "| operation | in | exponent |", "| --- | --- | ---: |"]
    for name, operation in OPERATIONS.items():
        series: dict[str, list[Measured]] = {}
        for row in read(name):
            series.setdefault(_kind(row.case), []).append(row)
        for kind, rows in series.items():
            exponent = growth(rows)
            if exponent is None:
                continue
            title = ", ".join(part for part in (operation.title, kind) if part)
            lines.append(f"| {title} | {operation.unit} | {exponent:.2f} |")
            axes.loglog([row.size for row in rows], [row.median for row in rows], "o-", label=title)
    axes.set(xlabel="size", ylabel="CPU seconds, median")
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    _save(figure, "growth.svg")
    return "\n".join([*lines, "", f"![Seconds by size]({PICTURES}/growth.svg)", ""])


def _kind(case: str) -> str:
    """Return what a case says beside its size."""
    cell = CELL.fullmatch(case)
    return "" if cell is None else case.split(", ", 1)[1]


def _regions() -> str:
    cells: dict[tuple[str, str], dict[tuple[float, float], Measured]] = {}
    for row in read("region"):
        found = CELL.fullmatch(row.case)
        assert found is not None
        m, decibels, epsilon, delta = found.groups()
        cells.setdefault((m, delta), {})[float(decibels), float(epsilon)] = row
    if not cells:
        return ""
    drawn = [
        key for key, found in sorted(cells.items()) if any(row.ratio for row in found.values())
    ]
    width = max(len(drawn), 1)
    epsilons = sorted({cell[1] for key in drawn for cell in cells[key]})
    figure, panels = plt.subplots(1, width, figsize=(4.2 * width, 3.8), squeeze=False, sharey=True)
    for key, axes in zip(drawn, panels[0], strict=False):
        _heat(axes, cells[key], epsilons, f"M = {key[0]}, δ = {key[1]}")
    lines = ["## The region of channels\n"]
    lines.append("| M | δ | cells | with a peer | below 10 | least ratio | slowest, s | gap |")
    lines.append("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for (m, delta), found in sorted(cells.items()):
        ratios = [row.ratio for row in found.values() if row.ratio is not None]
        below = f"{sum(ratio < WANTED for ratio in ratios)}" if ratios else "–"
        slowest = max(row.median for row in found.values())
        widest = max(row.gap or 0 for row in found.values())
        least = f"{min(ratios):.3g}" if ratios else "–"
        counted = f"| {m} | {delta} | {len(found)} | {len(ratios)} | {below} "
        lines.append(f"{counted}| {least} | {slowest:.3g} | {widest:.1e} |")
    rows = [row for found in cells.values() for row in found.values()]
    ours = min(len(row.seconds) for row in rows)
    peers = min((len(row.peer_seconds) for row in rows if row.peer_seconds), default=0)
    runs = f"Fewest runs in a cell: {ours} of ours, {peers} of the peer if it has a ratio."
    lines += ["", f"{runs} {ABOUT_REGIONS}"]
    close = (
        f"{row.case} ({row.ratio:.2g}, {row.peer_name})"
        for row in rows
        if row.ratio is not None and row.ratio < WANTED
    )
    lines += [f"\nRatio below {WANTED}: {_listed(close)}."]
    long = (f"{row.case} ({row.median:.2g} s)" for row in rows if row.median > LONG)
    lines += [f"\nLonger than {LONG:g} s: {_listed(long)}."]
    _save(figure, "region.svg")
    picture = f"![Ratio to the peer in each cell]({PICTURES}/region.svg)"
    return "\n".join([*lines, "", picture, ""])


def _listed(cases: Iterable[str]) -> str:
    return "; ".join(cases) or "none"


def _heat(
    axes: plt.Axes, found: dict[tuple[float, float], Measured], epsilons: list[float], title: str
) -> None:
    decibels = sorted({cell[0] for cell in found})
    grid = np.full((len(epsilons), len(decibels)), np.nan)
    for (db, epsilon), row in found.items():
        grid[epsilons.index(epsilon), decibels.index(db)] = math.log10(row.ratio or math.nan)
    axes.imshow(grid, origin="lower", cmap="cividis", vmin=0, vmax=3, aspect="auto")
    for (i, j), value in np.ndenumerate(grid):
        if not np.isnan(value):
            colour = "white" if value < 1.5 else "black"
            peer = found[decibels[j], epsilons[i]].peer_name
            mark = STAR if peer == "scipy linprog" else ""
            axes.text(
                j, i, f"{10**value:.3g}{mark}", ha="center", va="center", fontsize=7, color=colour
            )
    axes.set_xticks(range(len(decibels)), [f"{db:g}" for db in decibels])
    axes.set_yticks(range(len(epsilons)), [f"{epsilon:g}" for epsilon in epsilons])
    axes.set(xlabel="signal-to-noise ratio, dB", ylabel="ε (nats)", title=title)


def _save(figure: plt.Figure, name: str) -> None:
    RESULTS.mkdir(exist_ok=True)
    matplotlib.rcParams["svg.hashsalt"] = name
    figure.savefig(RESULTS / name, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)


def _versions() -> str:
    rows = [row for name in (*OPERATIONS, "region") for row in read(name)]
    seen: dict[str, set[str]] = {}
    for row in rows:
        for package, version in row.versions.items():
            seen.setdefault(package, set()).add(version)
    listed = ", ".join(f"{name} {' and '.join(sorted(seen[name]))}" for name in sorted(seen))
    return f"Versions: {listed}.\n" if listed else ""
