"""Pictures of the mixture paper's figures: quartiles of releases, and references without any."""

import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from provedp.experiments.drawing.style import (
    BLUE,
    BROWN,
    CAPTION,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    RED,
    SKY,
    legend_below,
    new_figure,
)
from provedp.experiments.rounding import rounded_down

BANDS = {
    "published_trials": ("Algorithm 1's release (claim refuted)", RED, "s-"),
    "private_trials": ("private: one label hidden", BLUE, "o-"),
    "label": ("private: one label hidden", BLUE, "o-"),
    "replace-one": ("private: one record hidden", GREEN, "o-"),
    "replace-one unclipped": ("the same, to the fit of the records as they are", GREEN, "o:"),
    "add-remove": ("private: presence hidden", ORANGE, "o-"),
    "laplace": ("Laplace noise (claim refuted)", PURPLE, "v-"),
    "gaussian": ("Gaussian noise (claim refuted)", BROWN, "^-"),
    "coloured": ("coloured noise (claim refuted)", GREY, "x-"),
    "singular": ("R1SMG (claim refuted)", SKY, "D-"),
    "laplace public": ("Laplace noise, public sizes", PURPLE, "v:"),
    "gaussian public": ("Gaussian noise, public sizes", BROWN, "^:"),
}  # what is drawn at random
REFERENCES = {
    "published": ("Algorithm 1, expected (claim refuted)", RED, "--"),
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
    "round": "round of Algorithm 1",
}
FAR = 1000.0  # times all others: such a line would leave no room for them
LINEAR = ("classes", "features", "round")


def draw(title: str, rows: list[dict[str, Any]]) -> Figure:
    """Return a picture of the rows: medians with quartiles, and references without any.

    What was published is labelled with its true δ at each place.
    """
    first = rows[0]
    figure = new_figure(title, 7, 6)
    axes = figure.add_subplot()
    axes.margins(x=0.1)
    name = next(iter(first))
    places = [row[name] for row in rows]
    for column, (label, colour, style) in REFERENCES.items():
        if column in first:
            axes.plot(places, [row[column] for row in rows], style, color=colour, label=label)
    bands = {column: [row[column] for row in rows] for column in BANDS if column in first}
    for column, values in bands.items():
        label, colour, style = BANDS[column]
        if least := _above_the_picture(column, bands):
            axes.plot([], [], style, color=colour, label=f"{label}: above {least:.0e}")
        else:
            _band(axes, places, values, label, colour, style)
    axes.set(xlabel=AXES[name], xscale="linear" if name in LINEAR else "log")
    axes.set_xticks(places, [_number(place) for place in places])
    axes.minorticks_off()
    _true_deltas(axes, places, rows)
    _measure(axes, first)
    legend_below(figure, 2)
    return figure


def _measure(axes: Axes, row: dict[str, Any]) -> None:
    """Say what the vertical axis is, and what of it the lines and bands are."""
    shown = "mean and its 95 % interval" if "private_trials" in row else "median and quartiles"
    if "without privacy" in row or "true records" in row:
        axes.set(ylabel=f"accuracy on the test set,\n{shown}", ylim=(0, 1))
    elif "round" in row:
        axes.set_ylabel("expected divergence (nats)")
        axes.set_ylim(bottom=0)
    else:
        axes.set(ylabel=f"divergence to the fitted mixture (nats),\n{shown}", yscale="log")


def _above_the_picture(column: str, bands: dict[str, list[list[float]]]) -> float | None:
    """Return a power of ten below a line that is far above all others; None for any other line."""
    middles = {name: [middle for _, middle, _ in values] for name, values in bands.items()}
    least = min(middles.pop(column))
    others = [value for values in middles.values() for value in values]
    if not others or least <= FAR * max(others):
        return None
    return 10.0 ** math.floor(math.log10(least))


def _band(
    axes: Axes, places: list[float], values: list[list[float]], label: str, colour: str, style: str
) -> None:
    low, middle, high = zip(*values, strict=True)
    axes.plot(places, middle, style, color=colour, label=label, ms=4)
    axes.fill_between(places, low, high, color=colour, alpha=0.2, linewidth=0)


def _true_deltas(axes: Axes, places: list[float], rows: list[dict[str, Any]]) -> None:
    """Write what δ really is, below each published value, at the foot where no line passes.

    Once, if it is the same everywhere.
    """
    if "published_true_delta_at_least" not in rows[0]:
        return
    axes.margins(x=0.1, y=0.15)
    least = [rounded_down(row["published_true_delta_at_least"], 3) for row in rows]
    if len(set(least)) == 1:
        _at_the_foot(axes, places[len(places) // 2], f"published: true δ ≥ {least[0]} everywhere")
        return
    _at_the_foot(axes, places[len(places) // 2], "published: true δ at least", height=0.055)
    for place, value in zip(places, least, strict=True):
        _at_the_foot(axes, place, value)


def _at_the_foot(axes: Axes, place: float, text: str, height: float = 0.02) -> None:
    where = axes.get_xaxis_transform()
    axes.text(place, height, text, transform=where, fontsize=CAPTION, color=RED, ha="center")


def _number(place: float) -> str:
    return f"{place:.0f}" if place == round(place) else f"{place:.3g}"
