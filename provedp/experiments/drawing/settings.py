"""Pictures of sweeps of one setting: a column for each sample size, a row for each measure."""

from itertools import product
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from provedp.experiments.columns import MEASURES
from provedp.experiments.drawing.style import (
    BLUE,
    CAPTION,
    INK,
    LABEL,
    ORANGE,
    RED,
    legend_below,
    new_figure,
)
from provedp.experiments.drawing.tables import mean_and_spread, spent

UNITS = {
    "clip multiplier": "clip multiplier",
    "minibatch m/n": "minibatch m/n (share of n)",
    "step η": "step η",
}
WIDTH, HEIGHT = 2.3, 1.9  # inches of a panel
MARGIN = 1.3  # inches for the title and the legend

Row = dict[str, Any]


def draw_settings(title: str, rows: list[Row]) -> Figure:
    """Return a picture of the published error against a setting, beside the private one."""
    sizes = sorted({row["records"] for row in rows}) if "records" in rows[0] else [None]
    measures = [f"_{name}" for name in MEASURES if f"private_{name}" in rows[0]] or [""]
    lines = list(product(dict.fromkeys(row["setting"] for row in rows), measures))
    if sizes == [None]:
        figure = new_figure(title, len(lines) * 1.25 * WIDTH, 1.4 * HEIGHT + MARGIN)
        panels = figure.subplots(1, len(lines), squeeze=False).T
    else:
        figure = new_figure(title, len(sizes) * WIDTH, len(lines) * HEIGHT + MARGIN)
        panels = figure.subplots(len(lines), len(sizes), sharey="row", squeeze=False)
    for (setting, measure), row_of_panels in zip(lines, panels, strict=True):
        for axes, size in zip(row_of_panels, sizes, strict=True):
            chosen = [
                row
                for row in rows
                if row["setting"] == setting and (size is None or row["records"] == size)
            ]
            _panel(axes, chosen, measure)
            axes.set_title("" if size is None else f"n = {size}", fontsize=LABEL)
            axes.set_xlabel(UNITS[setting], fontsize=CAPTION)
            if axes is row_of_panels[0]:
                axes.set_ylabel(_measure(measure, rows), fontsize=LABEL)
    figure.axes[0].plot([], [], " ", label=spent(rows))
    legend_below(figure, 2)
    return figure


def _panel(axes: Axes, rows: list[Row], measure: str) -> None:
    rows = sorted(rows, key=lambda row: float(row["value"]))
    places = [row["value"] for row in rows]
    means, errors = zip(*(mean_and_spread(row[f"published{measure}"]) for row in rows), strict=True)
    axes.errorbar(
        places, means, errors, fmt="o-", color=ORANGE, ms=3, lw=1.2, capsize=2,
        label="published program again (not private)",
    )  # fmt: skip
    printed = [(row["value"], row[f"paper{measure}"]) for row in rows if row[f"paper{measure}"]]
    for place, cell in printed:
        mean, error = mean_and_spread(cell)
        axes.errorbar(
            [place], [mean], [error], fmt="d", color=RED, ms=5, capsize=2, zorder=4,
            label="printed, default settings (not private)",
        )  # fmt: skip
    middle, spread = mean_and_spread(rows[0][f"private{measure}"])
    axes.axhline(middle, color=BLUE, lw=1.2, label="private (ε = 1), which has no such setting")
    axes.axhspan(middle - spread, middle + spread, color=BLUE, alpha=0.2, lw=0)
    for name, label in (("mean_shift", "mean shift"), ("k_means", "k-means")):
        if f"{name}{measure}" in rows[0]:
            level, _ = mean_and_spread(rows[0][f"{name}{measure}"])
            axes.axhline(level, ls=":", color=INK, lw=1, label=f"{label}, no privacy")
    axes.set_xscale("log")
    if not measure or measure == "_mse":
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 1)
    shown = [place for place in places if all(_apart(place, other, places) for other in places)]
    axes.set_xticks(shown, [f"{place:.2g}" for place in shown], fontsize=CAPTION, rotation=45)
    axes.minorticks_off()
    axes.tick_params(axis="y", labelsize=CAPTION)


def _apart(place: float, other: float, places: list[float]) -> bool:
    """Return whether two labels do not touch; of two that would, the larger one is left out."""
    width = np.log(places[-1] / places[0]) / 12
    return not 0 < np.log(place / other) < width


def _measure(measure: str, rows: list[Row]) -> str:
    if measure:
        return {"ari": "ARI", "nmi": "NMI", "mse": "mean squared error"}[measure[1:]]
    return "loss (15)" if "private_branches" in rows[0] else "mean squared error (14)"
