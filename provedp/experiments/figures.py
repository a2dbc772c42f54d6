"""Pictures of experiment rows."""

import io
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

INK, ORANGE, GREEN, BLUE, RED = "black", "#E69F00", "#009E73", "#0072B2", "#D55E00"  # Okabe and Ito
RELEASES = {
    "label": ("private: one label hidden", BLUE),
    "replace-one": ("private: one record hidden", GREEN),
    "add-remove": ("private: presence hidden", ORANGE),
}
REFERENCES = {
    "published": ("published objective (claim refuted)", RED, "--"),
    "published_optimum": ("its problem's optimum (claim refuted)", RED, ":"),
    "published_accuracy": ("published release, median (claim refuted)", RED, "--"),
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
CAPTION, TITLE = 7, 10  # points


def draw(title: str, rows: list[dict[str, Any]]) -> bytes:
    """Return a PNG of the rows: medians with quartiles, and references without any.

    What was published is labelled with its true δ at each place.
    """
    figure = Figure(figsize=(7, 4.4), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title.rstrip("."), fontsize=TITLE)
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
    file = io.BytesIO()
    figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()


def _quartiles(
    axes: Axes, places: list[float], values: list[list[float]], label: str, colour: str
) -> None:
    low, middle, high = zip(*values, strict=True)
    axes.plot(places, middle, "o-", color=colour, label=f"{label}, median and quartiles")
    axes.fill_between(places, low, high, color=colour, alpha=0.2, linewidth=0)


def _true_deltas(axes: Axes, places: list[float], rows: list[dict[str, Any]]) -> None:
    """Write beside each published value what its δ really is."""
    for place, row in zip(places, rows, strict=True):
        if "published" in row:
            axes.annotate(
                f"true δ ≥ {_rounded_down(row['published_true_delta_at_least'])}",
                (place, row["published"]),
                xytext=(0, 5),
                textcoords="offset points",
                fontsize=CAPTION,
                color=RED,
                ha="center",
            )


def _rounded_down(value: float) -> str:
    return f"{int(value * 1000) / 1000:.3f}"
