"""The trade-off of both errors of a test: what a claim allows, and what an audit certifies."""

import numpy as np

from provedp.site.drawing import BLUE, INK, ORANGE, SOFT, Drawing, axes, drawing
from provedp.theory.arrays import Floats
from provedp.verify.audit.results.result import AuditResult
from provedp.verify.audit.statistics.exact_test import clopper_pearson
from provedp.verify.notions.notions import PrivacyNotion

POINTS = 800
_SMALL = np.geomspace(1e-7, 0.5, POINTS)
RATES = np.concatenate(
    [[0.0], _SMALL, 1 - _SMALL[-2::-1], [1.0]]
)  # false positives, both ends dense


def misses(claim: PrivacyNotion) -> Floats:
    """Return the least rate of false negatives that a claim allows at each of `RATES`.

    The claim bounds every event and its complement, in both orders of the laws, so its curve is
    below that of one order by as much as its mirror image is.
    """
    one_order = np.clip(1 - claim.most(RATES), 0.0, 1.0)
    # The mirror image: the false positives that are needed where negatives are missed at this rate.
    mirrored = np.interp(RATES, one_order[::-1], RATES[::-1], left=1.0, right=0.0)
    allowed: Floats = np.maximum(one_order, mirrored)
    return allowed


def trade_off(result: AuditResult, claim: PrivacyNotion) -> Drawing:
    """Draw a claim's trade-off curve, the certified one, and the event that was counted.

    Parameters
    ----------
    result
        What the audit found.
    claim
        What was claimed.
    """
    counts = result.counts
    error = 1 - result.confidence
    hits, false = (
        clopper_pearson(counts.x, counts.n, error),
        clopper_pearson(counts.y, counts.m, error),
    )
    with axes("trade-off", 4.0) as (figure, panel):
        allowed = misses(claim)
        panel.fill_between(RATES, allowed, color=BLUE, alpha=0.16, linewidth=0)
        panel.plot(RATES, allowed, color=BLUE, linestyle="--", label=f"the claim, {claim}")
        if result.epsilon_lower > 0:
            certified = claim.at(result.epsilon_lower)
            label = f"certified, {result.notion} ≥ {result.epsilon_lower:.3g}"
            panel.plot(RATES, misses(certified), color=ORANGE, label=label)
        panel.plot([0, 1], [1, 0], color=SOFT, lw=0.8, linestyle=":", label="perfect privacy")
        place = counts.y / counts.m, 1 - counts.x / counts.n
        panel.errorbar(
            *place,
            xerr=[[place[0] - false[0]], [false[1] - place[0]]],
            yerr=[[hits[1] - counts.x / counts.n], [counts.x / counts.n - hits[0]]],
            fmt="o", color=INK, markersize=5, capsize=3, label="the event, as counted",
        )  # fmt: skip
        panel.set(xlabel="false positives", ylabel="false negatives", xlim=(0, 1), ylim=(0, 1))
        panel.set_aspect("equal")
        panel.legend(loc="upper right")
        caption = (
            "Who tells the two data sets apart by an event errs in two ways. The claim rules out"
            " the shaded region. The certified curve is that of the bound: at confidence"
            f" {result.confidence:g} the mechanism reaches it, or falls below, at some event."
            f" The bars are exact intervals of {result.confidence:.0%} for each rate by itself."
        )
        return drawing(figure, "Trade-off of false positives and false negatives", caption)
