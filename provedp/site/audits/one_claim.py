"""A page about the audit of one claim, in one file that needs no other."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from provedp.site.audits.report import (
    COLOURS,
    SIDES,
    Part,
    Verdict,
    document,
    pair_part,
    repetition_part,
)
from provedp.site.audits.trade_off import trade_off
from provedp.site.drawing import Drawing, axes, drawing
from provedp.verify.audit.events.scores.score import in_words, outcomes
from provedp.verify.audit.results.result import AuditResult
from provedp.verify.audit.targets.outputs import Batch, joined
from provedp.verify.notions.notions import PrivacyNotion

FEW = 24  # outcomes that are drawn as bars
CELLS = 60


def page(
    result: AuditResult,
    claim: PrivacyNotion,
    data: tuple[str, str],
    replay: str,
    sample: Sequence[tuple[Batch, Batch]] = (),
    checks: str = "not checked",
) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    result
        What was found.
    claim
        What was audited.
    data
        The two data sets, as texts.
    replay
        The command that repeats it.
    sample
        Outputs of some runs on both data sets; a figure is drawn of them.
    checks
        What was found about the independence of the runs, as a text.
    """
    counts = result.counts
    factors = {f"{float(k):g} times the claim": f"{v:.3g}" for k, v in result.power.items()}
    numbers = {
        "runs in all": result.runs,
        "counts": f"{counts.x} of {counts.n}, {counts.y} of {counts.m}",
        "p-value of the claim": f"{result.p_value:.3g}",
        "seed": result.seed,
        "checks of the runs": checks,
    }
    word = "Refuted" if result.refuted else "Not refuted"
    lead = (
        f"{result.notion.capitalize()} is at least {result.epsilon_lower:.4g}, at confidence"
        f" {result.confidence:g}, in the channel '{result.channel}'. {_caution(result)}"
    )
    parts = [
        Part("The event", [result.event], drawings=_laws(sample)),
        Part("What the runs certify", drawings=[trade_off(result, claim)]),
        pair_part(data),
        Part("The counts", [_in_words(result)], numbers),
        Part(
            "What this audit could see",
            [
                f"An event rarer than {result.resolution:.1e} on one data set cannot refute this"
                " claim, even if it never happens on the other. Had the truth been a multiple of"
                " the claim, and the fault shown in this event, it would have refuted the claim"
                " with about this probability:"
            ],
            factors,
        ),
        repetition_part(replay),
    ]
    verdicts = [Verdict(f"{word}: {result.claim}", result.refuted)]
    return document("Audit", result.target, verdicts, lead, parts)


def _caution(result: AuditResult) -> str:
    if result.refuted:
        return f"A true claim is refuted with probability at most {1 - result.confidence:.2g}."
    return "This is no proof of the claim: see what this audit could see, below."


def _in_words(result: AuditResult) -> str:
    counts = result.counts
    if counts.folded:
        return (
            f"Of {counts.n} runs, each on a data set drawn by a coin, {counts.x} spoke for the data"
            f" set that they came from and {counts.y} for the other."
        )
    return (
        f"The event happened in {counts.x} of {counts.n} runs on the data set that it speaks for,"
        f" and in {counts.y} of {counts.m} on the other."
    )


def _laws(sample: Sequence[tuple[Batch, Batch]]) -> list[Drawing]:
    if not sample:
        return []
    return [laws(joined([each[0] for each in sample]), joined([each[1] for each in sample]))]


def laws(first: Batch, second: Batch) -> Drawing:
    """Draw the laws of two samples: bars of outcomes if few, else of one coordinate."""
    both = joined([first, second])
    names, indices = outcomes(both)
    with axes("laws") as (figure, panel):
        if len(names) <= FEW or both.numbers.shape[1] == 0:
            _bars(panel, names, indices, len(first))
        else:
            _histogram(panel, first, second)
        panel.set_ylabel("share of runs")
        panel.legend()
        caption = (
            f"Outputs of {len(first)} runs on the first data set and {len(second)} on the second."
        )
        return drawing(figure, "The distributions of the outputs on both data sets", caption)


def _bars(panel: Axes, names: list[str], indices: Any, split: int) -> None:
    parts = indices[:split], indices[split:]
    shares = np.array([np.bincount(x, minlength=len(names)) / max(1, len(x)) for x in parts])
    common = np.argsort(-shares.sum(0), kind="stable")[:FEW]
    kept = [int(index) for index in np.sort(common)]
    for side, (share, hatch) in enumerate(zip(shares, ("", "//"), strict=True)):
        where = np.arange(len(kept)) + 0.4 * side - 0.2
        panel.bar(where, share[kept], 0.4, color=COLOURS[side], label=SIDES[side], hatch=hatch)
    shown = [in_words(names[index])[:16] for index in kept]
    panel.set_xticks(range(len(kept)), shown, rotation=45)
    panel.set_xlabel("outcome")


def _histogram(panel: Axes, first: Batch, second: Batch) -> None:
    column = _telling_column(first, second)
    values = [batch.numbers[:, column] for batch in (first, second)]
    values = [x[np.isfinite(x)] for x in values]
    pooled = np.concatenate(values)
    low, high = np.quantile(pooled, [0.002, 0.998]) if len(pooled) else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1, CELLS)
    for x, colour, label, style in zip(values, COLOURS, SIDES, ("-", "--"), strict=True):
        share = np.histogram(x, edges)[0] / max(1, len(x))
        panel.stairs(share, edges, color=colour, label=label, linestyle=style)
    panel.set_xlabel("output" if first.numbers.shape[1] == 1 else f"output[{column}]")


def _telling_column(first: Batch, second: Batch) -> int:
    """Return the coordinate whose distribution functions differ most."""
    width = min(first.numbers.shape[1], second.numbers.shape[1])
    gaps = []
    for column in range(width):
        p, q = (np.sort(batch.numbers[:, column]) for batch in (first, second))
        cuts = np.concatenate([p, q])
        gap = np.searchsorted(p, cuts) / len(p) - np.searchsorted(q, cuts) / len(q)
        gaps.append(float(np.max(np.abs(gap))))
    return int(np.argmax(gaps)) if gaps else 0
