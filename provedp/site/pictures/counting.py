"""Pictures of the counting paper: the optimal release, its certificate, errors behind a channel."""

import math
from fractions import Fraction
from html import escape
from typing import Any

from markupsafe import Markup

from provedp.site.drawing import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    PINK,
    SOFT,
    Drawing,
    axes,
    drawing,
)
from provedp.theory import counting
from provedp.theory.channels import bounds
from provedp.theory.matrices import matrix
from provedp.verify.solvers.channel.optimal_set import forced
from provedp.verify.solvers.channel.optimum import least_error_behind

COUNTS, RATIO = 5, Fraction(2)
CHANNEL = matrix([[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]])
RATIOS = [Fraction(n, 20) for n in range(21, 40)] + [Fraction(n, 10) for n in range(20, 91, 2)]


def forced_entries() -> Drawing:
    """Return the optimal release of five counts, with the entries that all optima share."""
    release = counting.release_matrix(COUNTS, RATIO, Fraction(0))
    shared = forced(COUNTS, RATIO, Fraction(0))
    head = "".join(f'<th scope="col">{j}</th>' for j in range(1, COUNTS + 1))
    rows = [
        f'<tr><th scope="row">{i + 1}</th>'
        + "".join(_cell(release[i, j], (i + 1, j + 1) in shared) for j in range(COUNTS))
        + "</tr>"
        for i in range(COUNTS)
    ]
    label = escape("The optimal release of five counts at k = 2, with its forced entries")
    table = (
        f'<table class="matrix" aria-label="{label}">'
        f'<tr><td aria-hidden="true" style="border:0"></td>{head}</tr>{"".join(rows)}</table>'
    )
    caption = (
        "P* for M = 5, k = e^ε = 2 and δ = 0: row i is the distribution of what is released for"
        " the count i. Filled entries in bold are forced: all optimal releases share them, as exact"
        " linear programs over the optimal set show. The others may vary."
    )
    return Drawing(Markup(table), caption)


def _cell(value: object, is_forced: bool) -> str:
    if is_forced:
        told = '<span class="visually-hidden"> forced</span>'
        return f'<td class="forced">{escape(str(value))}{told}</td>'
    return f"<td>{escape(str(value))}</td>"


def dual_certificate() -> Drawing:
    """Return the multipliers that prove that no release errs less."""
    m, k = 7, Fraction(2)
    weight, middle = counting.alpha(m, k), 4
    rows = list(range(1, m + 1))
    weights = [weight * k ** -abs(i - middle) for i in rows]
    with axes("certificate") as (figure, panel):
        bars = panel.bar(rows, [float(w) for w in weights], color=BLUE, width=0.62)
        panel.bar_label(bars, [str(w) for w in weights], padding=3, fontsize=9)
        panel.set(xlabel="row i, the true count", ylabel="multiplier wᵢ", ylim=(0, 0.46))
        panel.set_xticks(rows)
        caption = (
            f"The dual certificate for M = {m} and k = 2: the multipliers w_i = α k^(−|i − r|) of"
            " x ≤ p_ii around the middle row r. They sum to one, and those of the privacy"
            " constraints of neighbouring rows are the same numbers, so that every p_ij cancels and"
            f" what is left is α = {weight}: no release has 1 − p_e above it."
        )
        return drawing(figure, "Multipliers of the dual certificate by row", caption)


def optimal_set() -> Drawing:
    """Return the first rows that an optimal release of four counts may have."""
    k = 2.0
    # x₁ ≥ k and x₂ ≥ 1; x₃ = 2k + 1 − x₁ − x₂ is at least 1/k, and at most k with them.
    most = 2 * k + 1 - 1 / k
    corners = [(k, 1.0), (most - 1, 1.0), (k, most - k)]
    with axes("optima") as (figure, panel):
        panel.fill(*zip(*corners, strict=True), color=BLUE, alpha=0.22, linewidth=0)
        panel.plot(*zip(*[*corners, corners[0]], strict=True), color=BLUE)
        panel.plot(*corners[0], "o", color=ORANGE, markersize=8)
        panel.annotate("P*", corners[0], xytext=(10, 10), textcoords="offset points")
        panel.annotate("x₁ = k", (k, 1.9), xytext=(-38, 0), textcoords="offset points")
        panel.annotate("x₂ = 1", (2.7, 1.0), xytext=(0, -16), textcoords="offset points")
        panel.annotate("x₃ = 1/k", (2.8, 1.7), xytext=(8, 4), textcoords="offset points")
        panel.set(
            xlabel="x₁ = 9 p₁₂",
            ylabel="x₂ = 9 p₁₃",
            xlim=(1.3, 3.9),
            ylim=(0.7, 2.8),
            aspect="equal",
        )
        caption = (
            "The optimal set for M = 4, k = 2 and δ = 0: every point of the triangle is the first"
            " row of an optimal release, with x₃ = 9 p_14 = 5 − x₁ − x₂ and p_11 = 4/9. The"
            " canonical P* is the corner where all three bounds of (19) that bind meet."
        )
        return drawing(figure, "The optimal set for four counts, a triangle with P* at a corner",
                       caption)  # fmt: skip


def bounds_behind_a_channel() -> Drawing:
    """Return the least error behind a channel, and the bounds on it as printed and as repaired."""
    epsilons = [math.log(k) for k in RATIOS]
    found = [bounds(CHANNEL, k, Fraction(0)) for k in RATIOS]
    exact = [float(least_error_behind(CHANNEL, k, Fraction(0)).upper) for k in RATIOS]
    lines = (
        ("u1_as_printed", "u₁ as printed", ORANGE, ":"),
        ("u3_as_printed", "u₃ as printed", PINK, "--"),
        ("u0", "u₀, post-processing alone", SOFT, "-."),
        ("u1", "u₁ repaired", GREEN, (0, (6, 3))),
        ("u3", "u₃ repaired", BLUE, (0, (1, 1.4))),
    )
    with axes("bounds", 3.7) as (figure, panel):
        panel.plot(epsilons, exact, color=INK, lw=3.4, alpha=0.45, label="pₑ*(T), exact optimum")
        for name, label, colour, style in lines:
            values = [_float(row[name]) for row in found]
            panel.plot(epsilons, values, color=colour, linestyle=style, label=label)
        panel.set(xlabel="ε (nats)", ylabel="probability of an error", ylim=(0, 0.52))
        panel.legend(loc="lower left", ncols=2)
        caption = (
            "Binary channel that is right with probability 2/3, δ = 0. The exact optimum, and the"
            " upper bounds on it. Those as printed fall below the optimum, so they are no upper"
            " bounds: at ε = ln 3 the third is 1/4, and the optimum is 1/3. Repaired, they hold."
        )
        return drawing(figure, "Error behind a channel against epsilon, with its bounds", caption)


def _float(value: Any) -> float:
    """Return a bound as a float; one that is not defined is not drawn."""
    return math.nan if value is None else float(value)
