"""Colours, titles and files of all pictures."""

import io
import textwrap
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

INK, ORANGE, GREEN, BLUE, RED = "black", "#E69F00", "#009E73", "#0072B2", "#D55E00"  # Okabe and Ito
PURPLE, BROWN, SKY, GREY = "#CC79A7", "#8B5A2B", "#56B4E9", "#7F7F7F"
TITLE, LABEL, CAPTION = 10, 8, 7  # points
LETTERS_PER_INCH = 12  # of a title
DOTS = 150  # per inch, in a PNG
NOT_PRIVATE = "not private"


def new_figure(title: str, width: float, height: float) -> Figure:
    """Return an empty figure of a size in inches, under a title that is wrapped to fit."""
    figure = Figure(figsize=(width, height), dpi=DOTS, layout="constrained")
    wrapped = textwrap.fill(title.split("\n")[0].rstrip("."), int(width * LETTERS_PER_INCH))
    figure.suptitle(wrapped, fontsize=TITLE)
    return figure


def pictures(figure: Figure) -> dict[str, bytes]:
    """Return a figure's files by suffix; the same figure always gives the same bytes."""
    metadata: dict[str, dict[str, Any]] = {
        "svg": {"Date": None, "Creator": None},
        "png": {"Software": None},
    }
    found = {}
    for kind, about in metadata.items():
        file = io.BytesIO()
        with mpl.rc_context({"svg.hashsalt": "provedp"}):
            figure.savefig(file, format=kind, metadata=about)
        found[f".{kind}"] = file.getvalue()
    return found


def legend_below(figure: Figure, columns: int) -> None:
    """Put one legend of all panels below them, each label once."""
    entries: dict[str, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    figure.legend(
        entries.values(), entries.keys(), loc="outside lower center", ncols=columns, fontsize=LABEL
    )
