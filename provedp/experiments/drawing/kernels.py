"""Picture of two kernels against the number of records."""

from typing import Any

from matplotlib.figure import Figure

from provedp.experiments.drawing.style import (
    BLUE,
    CAPTION,
    GREEN,
    LABEL,
    ORANGE,
    PURPLE,
    legend_below,
    new_figure,
)
from provedp.experiments.drawing.tables import mean_and_spread, spent

NOISY = {
    "published": ("published program, Gaussian kernel (not private)", ORANGE),
    "private": ("private, Gaussian kernel", BLUE),
}
PLAIN = {
    "gaussian_per_mode": ("Gaussian kernel, no noise: for each true mode", GREEN, "s-"),
    "order4_per_mode": ("kernel of order 4, no noise: for each true mode", PURPLE, "^-"),
    "order4_kernel": ("kernel of order 4, no noise: error (14)", PURPLE, "^:"),
}


def draw_kernels(title: str, rows: list[dict[str, Any]]) -> Figure:
    """Return a panel for each ε: errors with noise, and of both kernels without any."""
    epsilons = sorted({row["epsilon"] for row in rows})
    figure = new_figure(title, 2.4 * len(epsilons), 3.8)
    panels = figure.subplots(1, len(epsilons), sharey=True, squeeze=False)[0]
    for axes, epsilon in zip(panels, epsilons, strict=True):
        chosen = [row for row in rows if row["epsilon"] == epsilon]
        sizes = [row["records"] for row in chosen]
        for name, (label, colour) in NOISY.items():
            means, errors = zip(*(mean_and_spread(row[name]) for row in chosen), strict=True)
            axes.errorbar(
                sizes, means, errors, fmt="o-", color=colour, ms=3, capsize=2, label=label
            )
        for name, (label, colour, style) in PLAIN.items():
            axes.plot(sizes, [row[name] for row in chosen], style, color=colour, ms=3, label=label)
        axes.set(xscale="log", yscale="log")
        axes.set_xticks(sizes, [str(size) for size in sizes], fontsize=CAPTION, rotation=45)
        axes.minorticks_off()
        axes.tick_params(axis="y", labelsize=CAPTION)
        axes.set_title(f"ε = {epsilon:g} nats", fontsize=LABEL)
        axes.set_xlabel("records n", fontsize=LABEL)
    panels[0].set_ylabel("mean squared error", fontsize=LABEL)
    panels[0].plot([], [], " ", label=spent(rows))
    legend_below(figure, 2)
    return figure
