"""Picture of the densities of one feature, class by class."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from provedp.experiments.drawing.style import (
    BLUE,
    BROWN,
    GREEN,
    INK,
    LABEL,
    RED,
    legend_below,
    new_figure,
)

CURVES = {
    "fitted": ("fitted, not private", INK, "--"),
    "published": ("Algorithm 1, one release (claim refuted)", RED, "-"),
    "gaussian": ("Gaussian noise, one release (claim refuted)", BROWN, "-."),
    "label": ("private, for divergence (8), one release", BLUE, "-"),
    "synthetic": ("private, for synthetic records, one release", GREEN, "-"),
}
BARS = "#D0D0D0"


def draw_marginals(title: str, rows: list[dict[str, Any]]) -> Figure:
    """Return a panel for each class: a histogram of the records under the densities."""
    figure = new_figure(title, 9, 3.8)
    panels = figure.subplots(1, len(rows), sharey=True, squeeze=False)[0]
    for axes, row in zip(panels, rows, strict=True):
        left, heights = np.transpose(row["histogram_points"])
        axes.bar(left, heights, left[1] - left[0], align="edge", color=BARS, label="records")
        for name, (label, colour, style) in CURVES.items():
            axes.plot(*np.transpose(row[f"{name}_points"]), style, color=colour, label=label)
        axes.set_title(row["class"], fontsize=LABEL)
        axes.set_xlabel("sepal length, standardised (no unit)", fontsize=LABEL)
    panels[0].set_ylabel("density", fontsize=LABEL)
    legend_below(figure, 3)
    return figure
