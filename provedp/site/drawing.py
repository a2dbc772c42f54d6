"""Figures as parts of a page: SVG whose text is text and whose colours are those of the page."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape

import matplotlib as mpl
from cycler import cycler
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH, HEIGHT = 5.4, 3.3  # inches; 72 points each
# Stand-ins, which are replaced by the colours of the style sheet, in light and dark.
INK, SOFT, LINE, PAPER = "#010203", "#020304", "#030405", "#040506"
BLUE, ORANGE, GREEN, PINK = "#050607", "#060708", "#070809", "#08090a"
VARIABLES = {
    INK: "currentColor",
    SOFT: "var(--soft)",
    LINE: "var(--line)",
    PAPER: "var(--paper)",
    BLUE: "var(--blue)",
    ORANGE: "var(--orange)",
    GREEN: "var(--green)",
    PINK: "var(--pink)",
}
SETTINGS = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(color=[BLUE, ORANGE, GREEN, PINK]),
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.8,
    "hatch.linewidth": 0.8,
}


@dataclass(frozen=True)
class Drawing:
    """A picture: its body as HTML, and what it shows in words."""

    body: Markup
    caption: str


@contextmanager
def axes(name: str, height: float = HEIGHT) -> Iterator[tuple[Figure, Axes]]:
    """Yield a figure with one panel in the style of the pages; `name` makes its parts' ids."""
    with mpl.rc_context({**SETTINGS, "svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        yield figure, figure.add_subplot()


def drawing(figure: Figure, title: str, caption: str) -> Drawing:
    """Return a figure as a part of a page; to be called while its style holds."""
    return Drawing(svg(figure, title), caption)


def svg(figure: Figure, title: str) -> Markup:
    """Return a figure as SVG with a title, for readers of the screen too."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None,
                                                 "Type": None})  # fmt: skip
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1", text)
    # Ids that nothing refers to would occur twice where two figures are on one page.
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', text))
    text = re.sub(r' id="([^"]*)"', lambda m: m.group() if m[1] in used else "", text)
    for stand_in, variable in VARIABLES.items():
        text = text.replace(stand_in, variable)
    box = re.search(r'viewBox="[^"]*"', text)
    assert box is not None
    text = text.replace("xlink:href", "href")
    head = f'<svg {box.group()} role="img">'
    text = re.sub(r"<svg[^>]*>", f"{head}<title>{escape(title)}</title>", text, count=1)
    return Markup(text)
