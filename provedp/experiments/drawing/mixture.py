"""Pictures of the mixture paper's figures: quartiles of releases, and references without any."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from provedp.experiments.drawing.style import (
    BLUE,
    CAPTION,
    GREEN,
    INK,
    ORANGE,
    RED,
    new_figure,
)
from provedp.experiments.rounding import rounded_down

RELEASES = {
    "label": ("private: one label hidden", BLUE),
    "replace-one": ("private: one record hidden", GREEN),
    "add-remove": ("private: presence hidden", ORANGE),
}
REFERENCES = {
    "published": ("published objective (claim refuted)", RED, "--"),
    "published_optimum": ("its problem's optimum (claim refuted)", RED, ":"),
    "published_accuracy": ("published release, median (claim refuted)", RED, "--"),
    "published_divergence": ("published release, median (claim refuted)", RED, "--"),
    "without privacy": ("fitted mixture, not private", INK, "--"),
    "true records": ("trained on the records, not private", INK, "--"),
    "records of the fitted mixture": ("on the fitted mixture's records, not private", INK, ":"),
}
AXES = {
    "epsilon": "ε (nats), δ = 2e-5",
    "records": "records",
    "classes": "classes",
    "features": "features",
    "bound": "public bound on the length of a record",
}


def draw(title: str, rows: list[dict[str, Any]]) -> Figure:
    """Return a picture of the rows: medians with quartiles, and references without any.

    What was published is labelled with its true δ at each place.
    """
    figure = new_figure(title, 7, 4.4)
    axes = figure.add_subplot()
    axes.margins(x=0.1)
    name = next(iter(rows[0]))
    places = [row[name] for row in rows]
    for column, (label, colour, style) in REFERENCES.items():
        if column in rows[0]:
            axes.plot(places, [row[column] for row in rows], style, color=colour, label=label)
    for column, (label, colour) in RELEASES.items():
        if column in rows[0]:
            _quartiles(axes, places, [row[column] for row in rows], label, colour)
    accuracy = "without privacy" in rows[0] or "true records" in rows[0]
    axes.set(xlabel=AXES[name], xscale="linear" if name in ("classes", "features") else "log")
    axes.set_xticks(places, [f"{place:.3g}" for place in places])
    axes.minorticks_off()
    if accuracy:
        axes.set(ylabel="accuracy on the test set", ylim=(0, 1))
    else:
        axes.set(ylabel="divergence to the fitted mixture (nats)", yscale="log")
    _true_deltas(axes, places, rows)
    axes.legend(fontsize=CAPTION + 1)
    return figure


def _quartiles(
    axes: Axes, places: list[float], values: list[list[float]], label: str, colour: str
) -> None:
    low, middle, high = zip(*values, strict=True)
    axes.plot(places, middle, "o-", color=colour, label=f"{label}, median and quartiles")
    axes.fill_between(places, low, high, color=colour, alpha=0.2, linewidth=0)


def _true_deltas(axes: Axes, places: list[float], rows: list[dict[str, Any]]) -> None:
    """Write what δ really is, below each published value, at the foot where no line passes."""
    if "published" not in rows[0]:
        return
    axes.margins(x=0.1, y=0.15)
    for place, row in zip(places, rows, strict=True):
        least = rounded_down(row["published_true_delta_at_least"], 3)
        axes.text(
            place,
            0.02,
            f"published:\ntrue δ ≥ {least}",
            transform=axes.get_xaxis_transform(),
            fontsize=CAPTION,
            color=RED,
            ha="center",
        )
