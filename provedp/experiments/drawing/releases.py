"""Optimal releases of a count: their matrices, and errors against ε."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from matplotlib.figure import Figure

from provedp.experiments.drawing.style import LABEL, legend_below, new_figure

Curves = Mapping[str, Mapping[str, Sequence[float]]]
LINES = ("-", "--", "-.", ":")


def draw_releases(
    title: str,
    matrices: Mapping[str, Sequence[Sequence[Fraction]]],
    levels: Sequence[float],
    curves: Curves,
) -> Figure:
    """Return a row of matrices over a row of curves, one panel for each loss.

    Parameters
    ----------
    title
        What is compared.
    matrices
        Laws by name, in shades of their probabilities.
    levels
        Values of ε.
    curves
        By loss, errors of each release at these levels.
    """
    figure = new_figure(title, 9, 6)
    halves: Any = figure.subfigures(2, 1)
    above, below = halves
    for axes, (name, law) in zip(
        above.subplots(1, len(matrices), squeeze=False)[0], matrices.items(), strict=True
    ):
        axes.imshow([[float(p) for p in row] for row in law], cmap="Blues", vmin=0)
        axes.set_title(name, fontsize=LABEL)
        axes.set_xlabel("released", fontsize=LABEL)
        axes.set_ylabel("true", fontsize=LABEL)
        axes.set_xticks([])
        axes.set_yticks([])
    for axes, (loss, lines) in zip(
        below.subplots(1, len(curves), squeeze=False)[0], curves.items(), strict=True
    ):
        for place, (name, errors) in enumerate(lines.items()):
            style: dict[str, Any] = {"color": f"C{place}", "linestyle": LINES[place % len(LINES)]}
            axes.plot(levels, errors, label=name, **style)
        axes.set_title(f"{loss} loss", fontsize=LABEL)
        axes.set_xlabel("ε", fontsize=LABEL)
        axes.set_yscale("log")
    legend_below(figure, 4)
    return figure
