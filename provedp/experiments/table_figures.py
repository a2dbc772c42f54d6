"""Pictures of the modes paper's tables: a panel for each sample size, a line for each method."""

import io
import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from provedp.experiments.figures import BLUE, GREEN, INK, ORANGE, RED

LINES = {
    "paper": ("printed (not private)", RED, "--"),
    "published": ("its program again (not private)", ORANGE, "-"),
    "private": ("private", BLUE, "-"),
    "paper_private_k_means": ("private k-means, printed", GREEN, "--"),
    "mean_shift": ("mean shift, no privacy", INK, ":"),
    "k_means": ("k-means, no privacy", INK, ":"),
}
SCORES = ("", "_ari")
WIDTH, HEIGHT = 2.6, 3.0  # inches of a panel


def draw_table(title: str, rows: list[dict[str, Any]]) -> bytes:
    """Return a PNG of means with standard errors against ε; of one number for each method, bars."""
    groups = sorted({row["records"] for row in rows}) if "records" in rows[0] else [None]
    size = (max(2, len(groups)) * WIDTH, HEIGHT)
    figure = Figure(figsize=size, dpi=150, layout="constrained")
    figure.suptitle(title.split("\n")[0].rstrip("."), fontsize=9)
    panels = figure.subplots(1, len(groups), sharey=True, squeeze=False)[0]
    for axes, group in zip(panels, groups, strict=True):
        chosen = [row for row in rows if group is None or row["records"] == group]
        if "epsilon" in rows[0]:
            _lines(axes, chosen, group)
        else:
            _bars(axes, chosen)
    if "epsilon" in rows[0]:
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=7)
    file = io.BytesIO()
    figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()


def _lines(axes: Axes, rows: list[dict[str, Any]], group: Any) -> None:
    score = next(each for each in SCORES if f"private{each}" in rows[0])
    places = [row["epsilon"] for row in rows]
    for name, (label, colour, style) in LINES.items():
        if name + score not in rows[0]:
            continue
        pairs = [_pair(row[name + score]) for row in rows]
        means, deviations = zip(*pairs, strict=True)
        axes.errorbar(
            places, means, deviations, fmt=style, color=colour, label=label, lw=1.2, capsize=2
        )
    axes.set(xscale="log", xlabel="ε (nats)", yscale="linear" if score else "log")
    axes.set_xticks(places, [f"{place:g}" for place in places], fontsize=7)
    axes.minorticks_off()
    axes.set_title("" if group is None else f"n = {group}", fontsize=8)
    axes.set_ylabel("adjusted Rand index" if score else "error")
    axes.label_outer()


def _bars(axes: Axes, rows: list[dict[str, Any]]) -> None:
    axes.barh([row["method"] for row in rows], [row["ari"] for row in rows], color=BLUE)
    axes.plot([row["paper_ari"] for row in rows], range(len(rows)), "d", color=RED)
    axes.set(xlabel="adjusted Rand index; printed ones as diamonds", xlim=(0, 1))


def _pair(value: Any) -> tuple[float, float]:
    if isinstance(value, list):
        mean, error = value
        return float(mean), float(error) if math.isfinite(error) else 0.0
    return float(value), 0.0
