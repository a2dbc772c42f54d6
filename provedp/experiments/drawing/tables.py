"""Pictures of the modes paper's tables: a panel for each sample size, a line for each method."""

import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from provedp.experiments.drawing.style import (
    BLUE,
    CAPTION,
    GREEN,
    INK,
    LABEL,
    ORANGE,
    RED,
    legend_below,
    new_figure,
)
from provedp.experiments.rounding import rounded_down

LINES = {
    "paper": ("printed (not private)", RED, "--"),
    "published": ("its program again (not private)", ORANGE, "-"),
    "private": ("private", BLUE, "-"),
    "paper_private_k_means": ("private k-means, printed", GREEN, "--"),
    "mean_shift": ("mean shift, no privacy", INK, ":"),
    "k_means": ("k-means, no privacy", INK, ":"),
}
SCORES = ("", "_ari")
Row = dict[str, Any]

WIDTH, HEIGHT = 2.6, 3.4  # inches of a panel


def draw_table(title: str, rows: list[Row]) -> Figure:
    """Return a picture of means with standard errors against ε, a panel for each sample size."""
    groups = sorted({row["records"] for row in rows}) if "records" in rows[0] else [None]
    figure = new_figure(title, max(2, len(groups)) * WIDTH, HEIGHT)
    panels = figure.subplots(1, len(groups), sharey=True, squeeze=False)[0]
    for axes, group in zip(panels, groups, strict=True):
        _lines(axes, [row for row in rows if group is None or row["records"] == group], group)
    if "published_ascent_epsilon_at_least" in rows[0]:
        panels[0].plot([], [], " ", label=spent(rows))
    legend_below(figure, 2)
    return figure


def draw_bars(title: str, rows: list[Row]) -> Figure:
    """Return a picture of one score for each method, as found and as printed, with its privacy."""
    figure = new_figure(title, 7, 3)
    axes = figure.add_subplot()
    names = [f"{row['method']}\n{row['privacy']}" for row in rows]
    colours = [BLUE if "proved" in row["privacy"] else "#BBBBBB" for row in rows]
    bars = axes.barh(names, [row["ari"] for row in rows], color=colours)
    axes.bar_label(bars, fmt="%.3f", fontsize=LABEL, padding=8)
    shown = [(row["paper_ari"], at) for at, row in enumerate(rows) if row["paper_ari"] is not None]
    axes.plot(*zip(*shown, strict=True), "d", color=RED, label="printed")
    axes.invert_yaxis()
    axes.tick_params(axis="y", labelsize=LABEL)
    axes.set(xlabel="adjusted Rand index of nearest-centre labels", xlim=(0, 1))
    legend_below(figure, 1)
    return figure


def _lines(axes: Axes, rows: list[Row], group: Any) -> None:
    score = next(each for each in SCORES if f"private{each}" in rows[0])
    places = [row["epsilon"] for row in rows]
    for name, (label, colour, style) in LINES.items():
        if name + score not in rows[0]:
            continue
        pairs = [mean_and_spread(row[name + score]) for row in rows]
        means, deviations = zip(*pairs, strict=True)
        axes.errorbar(
            places, means, deviations, fmt=style, color=colour, label=label, lw=1.2, capsize=2
        )
    axes.set(xscale="log", yscale="linear" if score else "log")
    axes.set_xlabel("ε (nats)", fontsize=LABEL)
    axes.set_xticks(places, [f"{place:g}" for place in places], fontsize=CAPTION)
    axes.tick_params(axis="y", labelsize=CAPTION)
    axes.minorticks_off()
    axes.set_title("" if group is None else f"n = {group}", fontsize=LABEL)
    axes.set_ylabel("adjusted Rand index" if score else "mean squared error", fontsize=LABEL)
    axes.label_outer()


def spent(rows: list[Row]) -> str:
    """Return what the published release really spends, over all rows."""
    found = [row["published_ascent_epsilon_at_least"] for row in rows]
    claimed = sorted({row["published_claimed_ascent_epsilon"] for row in rows})
    low, high = (rounded_down(value, 1) for value in (min(found), max(found)))
    bounds = low if low == high else f"{low} to {high}"
    bounds = bounds.replace("0.0 ", "0.0 (nothing certified) ", 1) if low == "0.0" else bounds
    asked = f"{claimed[0]:g}" if len(claimed) == 1 else f"{claimed[0]:g} to {claimed[-1]:g}"
    return f"its ascent claims ε = {asked} and spends at least {bounds}"


def mean_and_spread(value: Any) -> tuple[float, float]:
    """Return a mean and its standard error, 0 where there is none."""
    if isinstance(value, list):
        mean, error = value
        return float(mean), float(error) if math.isfinite(error) else 0.0
    return float(value), 0.0
