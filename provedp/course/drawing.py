"""What all lessons share: colours, tables, and figures with a title and labelled axes."""

from collections.abc import Iterable, Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

BLACK, ORANGE, GREEN, BLUE, RED = "black", "#E69F00", "#009E73", "#0072B2", "#D55E00"  # Okabe, Ito
EPSILON = "ε (nats)"
STYLE = {
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "provedp",  # the same picture, the same file
    "legend.frameon": False,
    "lines.linewidth": 2.0,
}
plt.rcParams.update(STYLE)


def axes(title: str, x: str, y: str, size: tuple[float, float] = (7, 3.6), **more: Any) -> Axes:
    """Return the axes of a new figure.

    Parameters
    ----------
    title
        What the figure shows.
    x, y
        Labels, with units.
    size
        Of the figure, in inches.
    more
        For `Axes.set`: limits, scales, ticks.
    """
    drawn: Axes = plt.figure(figsize=size).add_subplot()
    drawn.set(title=title, xlabel=x, ylabel=y, **more)
    return drawn


def panels(
    titles: Sequence[str], x: str, y: str, size: tuple[float, float] = (9, 3.6), **more: Any
) -> list[Axes]:
    """Return axes side by side that share their ends; the first has the label of y."""
    _, drawn = plt.subplots(1, len(titles), figsize=size, sharex=True, sharey=True, squeeze=False)
    for each, title in zip(drawn[0], titles, strict=True):
        each.set(title=title, xlabel=x, **more)
    drawn[0][0].set_ylabel(y)
    return list(drawn[0])


def show(rows: Iterable[Iterable[Any]], width: int = 9) -> None:
    """Print rows in columns; floats with four digits, all else as it is."""
    for row in rows:
        print("".join(f"{_cell(entry):>{width}}" for entry in row))


def _cell(entry: Any) -> str:
    return f"{entry:.4g}" if isinstance(entry, float) else str(entry)
