"""A page about the audit of a whole privacy profile, in one file that needs no other."""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from provedp.site.audits.report import (
    COLOURS,
    Part,
    Verdict,
    document,
    pair_part,
    repetition_part,
)
from provedp.site.drawing import Drawing, axes, drawing
from provedp.verify.audit.results.profile import (
    SHOWN_DELTAS,
    SHOWN_EPSILONS,
    ProfileResult,
    sentence,
)
from provedp.verify.notions.notions import ApproximateDP, PrivacyNotion

POINTS = 120
LEAST_DRAWN = 1e-7  # δ below which nothing is drawn
WIDEST = 20.0  # ε beyond which nothing is drawn


def page(
    result: ProfileResult,
    claims: Sequence[PrivacyNotion],
    data: tuple[str, str],
    again: str,
    checks: str,
) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    result
        What was found.
    claims
        Which are drawn beside it.
    data
        The two data sets, as texts.
    again
        The command that repeats it.
    checks
        What was found about the independence of the runs, in words.
    """
    verdicts = [Verdict(sentence(each), each.refuted) for each in result.verdicts]
    events = {
        each.event: f"{each.counts.x} of {each.counts.n}, {each.counts.y} of {each.counts.m}"
        for each in result.events
    }
    epsilons = {f"δ = {delta:g}": f"{result.epsilon_lower(delta):.4g}" for delta in SHOWN_DELTAS}
    deltas = {f"ε = {each:g}": f"{result.delta_lower(each):.4g}" for each in SHOWN_EPSILONS}
    numbers = {"runs in all": result.runs, "seed": result.seed, "checks of the runs": checks}
    lead = (
        f"All bounds hold together at confidence {result.confidence:g}, in the channel"
        f" '{result.channel}'. They are no proof of a claim: events rarer than"
        f" {result.resolution:.1e} on both data sets cannot be noticed."
    )
    parts = [
        Part("The certified profile", drawings=[draw(result, claims)]),
        Part("ε is at least", rows=epsilons),
        Part("δ is at least", rows=deltas),
        pair_part(data),
        Part("The events and their counts", rows=events | numbers),
        repetition_part(again),
    ]
    return document("Privacy profile", result.target, verdicts, lead, parts)


def draw(result: ProfileResult, claims: Sequence[PrivacyNotion]) -> Drawing:
    """Draw the bound on δ(ε) and what the claims allow."""
    points = [each for each in claims if isinstance(each, ApproximateDP)]
    most = max([1.0, result.epsilon_lower(0.0), *(each.epsilon for each in points)])
    epsilons = np.linspace(0, min(1.1 * most, WIDEST), POINTS)
    lower = [result.delta_lower(float(each)) for each in epsilons]
    with axes("profile", 3.5) as (figure, panel):
        panel.fill_between(epsilons, LEAST_DRAWN, lower, color=COLOURS[1], alpha=0.25, linewidth=0)
        panel.plot(epsilons, lower, color=COLOURS[1], label="δ is at least this")
        _claimed(panel, claims, epsilons)
        panel.set(yscale="log", ylim=(LEAST_DRAWN, 1), xlabel="ε (nats)", ylabel="δ")
        panel.legend()
        caption = (
            "The privacy profile, δ against ε: the truth is above the shaded region, at confidence"
            f" {result.confidence:g} for all ε together."
        )
        return drawing(figure, "Lower bound on the privacy profile", caption)


def _claimed(panel: Axes, claims: Sequence[PrivacyNotion], epsilons: np.ndarray) -> None:
    """Draw points (ε, δ) as they are, and what claims of other notions allow at each ε."""
    q = np.concatenate([[0.0], np.geomspace(1e-12, 1, 2000)])
    for claim in claims:
        if isinstance(claim, ApproximateDP):
            delta = max(claim.delta, LEAST_DRAWN)
            panel.plot([claim.epsilon], [delta], "o", color=COLOURS[0], label=str(claim))
        else:
            p = claim.most(q)
            allowed = [max(0.0, float(np.max(p - math.exp(each) * q))) for each in epsilons]
            panel.plot(epsilons, allowed, "--", color=COLOURS[0], label=str(claim))
