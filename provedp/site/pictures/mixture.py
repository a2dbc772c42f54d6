"""Pictures of the mixture paper: laws that are told apart, outputs that one of them lacks."""

import math

import numpy as np

from provedp.site.drawing import BLUE, INK, ORANGE, PAPER, Drawing, axes, drawing
from provedp.theory.mixture import histogram_set
from provedp.verify.claims.mixture.instances.two_data_sets import TWO_CLASSES, both_runs


def wishart_laws() -> Drawing:
    """Return the laws of a released variance before and after a flip, and where one has no mass."""
    # γ = 2 · 4 ε′/3 at ε′ = 1: the noise is exponential with rate γ/2.
    rate = 4 / 3
    places = np.linspace(0, 4.5, 400)
    before = np.where(places >= 1, rate * np.exp(-rate * (places - 1)), np.nan)
    after = rate * np.exp(-rate * places)
    gap = places <= 1
    with axes("wishart") as (figure, panel):
        panel.fill_between(
            places[gap], after[gap], color=ORANGE, alpha=0.25, linewidth=0, hatch="//"
        )
        panel.plot(places, after, color=ORANGE, label="after the flip: the variance is 0")
        panel.plot(places, before, color=BLUE, label="before: the variance is 1")
        panel.plot([1, 1], [0, rate], color=BLUE, linestyle=":")
        panel.annotate(
            "impossible before:\n0.736 of the mass",
            (0.7, 0.3),
            xytext=(2.9, 0.75),
            ha="center",
            color=INK,
            arrowprops={"arrowstyle": "->", "color": INK},
        )
        panel.set(xlabel="released variance of class 0", ylabel="density", xlim=(0, 4.5))
        panel.set_ylim(0, 1.45)
        panel.legend(loc="upper right")
        lost = 1 - math.exp(-rate)
        caption = (
            "The published noise is added to a variance and never negative, so its support moves"
            " with the data. Records 1, 1, 1, −1, of which the last changes its label: at ε′ = 1"
            f" the shaded outputs tell the two apart for certain, with probability {lost:.3f} at"
            " every ε."
        )
        return drawing(figure, "Two distributions of the released variance", caption)


def weight_supports() -> Drawing:
    """Return the laws of the released class sizes for two neighbours, before smoothing."""
    runs = both_runs(TWO_CLASSES)
    outputs = histogram_set(len(TWO_CLASSES), 2)
    places = np.arange(len(outputs))
    sides = ((-0.2, BLUE, "for D, (4, 4)", ""), (0.2, ORANGE, "for D′, (3, 5)", "//"))
    with axes("supports") as (figure, panel):
        for run, (shift, colour, label, hatch) in zip(runs, sides, strict=True):
            law = {o: float(x) for o, x in zip(run.outputs, run.column, strict=True)}
            held = [law.get(output, 0.0) for output in outputs]
            panel.bar(places + shift, held, 0.38, color=colour, alpha=0.85, label=label,
                      hatch=hatch, edgecolor=PAPER, linewidth=0)  # fmt: skip
            for place in places[np.array(held) == 0]:
                panel.annotate("0", (place + shift, 0.01), ha="center", color=colour)
        panel.set(xlabel="released class sizes", ylabel="probability before smoothing")
        panel.set_xticks(places, [f"({', '.join(map(str, output))})" for output in outputs])
        panel.legend()
        caption = (
            "The distribution of the released class sizes in a run of Algorithm 1 on eight records,"
            " and on the same with one label flipped: each lives on the histogram of its own data"
            " and on those next to it. (5, 3) is possible for D alone; smoothing by λ = 10⁻³ leaves"
            " a ratio of 6998/5, where e^{ε₀} = 2 was promised."
        )
        return drawing(figure, "Distributions of released class sizes for two neighbours", caption)
