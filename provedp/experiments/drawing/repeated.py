"""Picture of where repeated runs put the modes."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from provedp.experiments.drawing.style import BLUE, INK, LABEL, ORANGE, legend_below, new_figure
from provedp.experiments.drawing.tables import spent

PANELS = {
    "published": ("published program again (not private)", ORANGE),
    "private": ("private, (ε, δ) = (1, 10⁻⁶)", BLUE),
    "mean_shift": ("mean shift, no privacy", INK),
}
REACH = 9.0  # of the public box


def draw_repeated(title: str, rows: list[dict[str, Any]]) -> Figure:
    """Return a panel for each method: all modes that its runs release, over the true ones."""
    figure = new_figure(title, 9, 4)
    panels = figure.subplots(1, len(PANELS), sharey=True)
    true = np.array([[float(part) for part in row["mode"].strip("()").split(",")] for row in rows])
    for axes, (name, (label, colour)) in zip(panels, PANELS.items(), strict=True):
        points = np.array([point for row in rows for point in row[f"{name}_points"]])
        outside = np.abs(points).max(axis=1) > REACH
        axes.plot(*points[~outside].T, "o", color=colour, ms=4, alpha=0.4, mew=0, label=label)
        for row, place in zip(rows, true, strict=True):
            axes.add_artist(_circle(place, row["scale"]))
            axes.annotate(
                f"{row[f'{name}_found']:.0%}", place, (5, 9), textcoords="offset points",
                fontsize=LABEL,
            )  # fmt: skip
        axes.plot(*true.T, "+", color=INK, ms=9, label="true modes, share of runs within 1")
        axes.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH), aspect="equal")
        axes.set_xlabel("first coordinate (no unit)", fontsize=LABEL)
        if outside.any():
            axes.set_title(f"{outside.sum()} of {len(points)} outside", fontsize=LABEL)
    panels[0].set_ylabel("second coordinate (no unit)", fontsize=LABEL)
    panels[0].plot([], [], " ", label=spent(rows))
    legend_below(figure, 2)
    return figure


def _circle(place: Any, radius: float) -> Circle:
    return Circle(tuple(place), radius, fill=False, ls=":", lw=0.8, color=INK, alpha=0.6)
