"""Pictures of the counting paper's figures."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from provedp.experiments.drawing.style import (
    BLUE,
    BROWN,
    CAPTION,
    GREEN,
    INK,
    LABEL,
    RED,
    legend_below,
    new_figure,
)

Row = dict[str, Any]

SHARED, FREE, WRONG = "#9ECAE1", "white", "#FDAE6B"
CURVES = {
    "free_error": ("p_e*, no channel, eq. (10)", BROWN, "^-"),
    "u1_as_printed": ("u₁ as printed", RED, "--"),
    "u3_as_printed": ("u₃ as printed", RED, ":"),
    "u1": ("u₁ repaired", BLUE, "--"),
    "u2": ("u₂", GREEN, "-."),
    "u3": ("u₃ repaired", BLUE, ":"),
}


def draw_shared(title: str, rows: list[Row]) -> Figure:
    """Return a matrix for each M: shared entries in colour, the others with their exact range."""
    sizes = sorted({row["m"] for row in rows})
    figure = new_figure(f"{title}, at e^ε = 2", 8, 4.6)
    for axes, m in zip(figure.subplots(1, len(sizes), squeeze=False)[0], sizes, strict=True):
        chosen = [row for row in rows if row["m"] == m]
        for row in chosen:
            _entry(axes, row)
        shared = sum(row["shared"] == "yes" for row in chosen)
        printed = sum(row["paper_shared"] == "yes" for row in chosen)
        axes.set(xlim=(0.5, m + 0.5), ylim=(m + 0.5, 0.5), aspect="equal")
        axes.set_xticks(range(1, m + 1))
        axes.set_yticks(range(1, m + 1))
        axes.set_xlabel("released count j", fontsize=LABEL)
        axes.set_ylabel("true count i", fontsize=LABEL)
        axes.set_title(f"M = {m}: {shared} shared, {printed} in (12)", fontsize=LABEL)
    for colour, label in (
        (SHARED, "shared: the entry of P*"),
        (FREE, "not shared: least to largest value"),
        (WRONG, "paper and exact linear programs disagree"),
    ):
        figure.axes[0].add_patch(
            Rectangle((-9, -9), 0, 0, facecolor=colour, edgecolor=INK, label=label)
        )
    legend_below(figure, 3)
    return figure


def _entry(axes: Axes, row: Row) -> None:
    shared = row["shared"] == "yes"
    colour = SHARED if shared else FREE
    if row["shared"] != row["paper_shared"]:
        colour = WRONG
    corner = row["j"] - 0.5, row["i"] - 0.5
    axes.add_patch(Rectangle(corner, 1, 1, facecolor=colour, edgecolor=INK, lw=0.8))
    text = row["canonical"] if shared else f"{row['least']}\nto {row['largest']}"
    axes.text(row["j"], row["i"], text, ha="center", va="center", fontsize=LABEL)


def draw_keying(title: str, rows: list[Row]) -> Figure:
    """Return a panel for each SNR; ranges of ε where a printed bound is too low are shaded."""
    levels = sorted({row["decibels"] for row in rows})
    figure = new_figure(title, 9, 7)
    panels = figure.subplots(2, (len(levels) + 1) // 2, sharex=True, squeeze=False).ravel()
    for axes, decibels in zip(panels, levels, strict=True):
        chosen = [row for row in rows if row["decibels"] == decibels]
        places = [row["epsilon"] for row in chosen]
        for name, (label, colour, style) in CURVES.items():
            values = [float("nan") if row[name] is None else row[name] for row in chosen]
            axes.plot(places, values, style, color=colour, ms=3, lw=1.1, label=label)
        best = [row["optimum"] for row in chosen]
        axes.plot(places, best, color=INK, lw=2.2, zorder=3, label="p_e*(T), certified optimum")
        axes.axhline(chosen[0]["channel_error"], color=INK, lw=0.8, ls=(0, (1, 3)), label="l(T)")
        axes.fill_between(
            places, 0, 1, where=[row["below"] != "none" for row in chosen], color=RED,
            alpha=0.08, lw=0, transform=axes.get_xaxis_transform(),
            label="here a printed bound is below the optimum",
        )  # fmt: skip
        axes.set(ylim=(0, 0.9))
        axes.set_title(f"E_s/N₀ = {decibels} dB", fontsize=LABEL)
        axes.set_xlabel("ε (nats)", fontsize=LABEL)
        axes.set_ylabel("probability of error", fontsize=LABEL)
        axes.tick_params(labelsize=CAPTION)
    legend_below(figure, 3)
    return figure
