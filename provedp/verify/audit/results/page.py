"""A page about one audit, in one file that needs no other."""

import base64
import io
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from provedp.verify.audit.events.scores.score import outcomes
from provedp.verify.audit.results.result import AuditResult
from provedp.verify.audit.targets.outputs import Batch, joined

COLOURS = ("#0072B2", "#D55E00")  # Okabe and Ito
SIDES = ("first data set", "second data set")
FEW = 24  # outcomes that are drawn as bars
CELLS = 60
LONGEST = 600  # characters of a data set that are shown
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; } td, th { padding: .2em .8em .2em 0; text-align: left; }
.verdict { font-size: 1.4em; font-weight: bold; } .refuted { color: #b3261e; }
code, pre { background: #f4f4f4; white-space: pre-wrap; overflow-wrap: anywhere; }
img { max-width: 100%; }
"""


def page(
    result: AuditResult,
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
    parts = [
        f"<h1>Audit of <code>{escape(result.target)}</code></h1>",
        *_verdict(result),
        f"<h2>The event</h2><p>{escape(result.event)}</p>",
        _figure(sample),
        f"<h2>The pair</h2>{table(dict(zip(SIDES, map(shown, data), strict=True)))}",
        f"<h2>The counts</h2><p>{_in_words(result)}</p>{table(numbers)}",
        "<h2>What this audit could see</h2>",
        f"<p>Events rarer than {result.resolution:.1e} on both data sets cannot be noticed.",
        "Had the truth been a multiple of the claim, the same event would have refuted the claim",
        f"with about this probability:</p>{table(factors)}",
        f"<h2>To repeat it</h2><pre>{escape(replay)}</pre>",
    ]
    return document(f"Audit of {result.target}", parts)


def document(title: str, parts: Sequence[str]) -> str:
    """Return a whole page of HTML."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n{body}\n</body></html>\n'


def _verdict(result: AuditResult) -> list[str]:
    verdict = "Refuted" if result.refuted else "Not refuted"
    mark = "verdict refuted" if result.refuted else "verdict"
    return [
        f'<p class="{mark}">{verdict}: {escape(result.claim)}</p>',
        f"<p>{escape(result.notion)} is at least <b>{result.epsilon_lower:.4g}</b>, at confidence",
        f"{result.confidence:g}, in the channel {escape(result.channel)!r}. {_caution(result)}</p>",
    ]


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


def table(rows: dict[str, Any]) -> str:
    """Return rows of a name and a value as HTML."""
    cells = (f"<tr><th>{escape(k)}</th><td>{escape(str(v))}</td></tr>" for k, v in rows.items())
    return f"<table>{''.join(cells)}</table>"


def shown(text: str) -> str:
    """Return a text, cut if it is long."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text)} characters)"


def _figure(sample: Sequence[tuple[Batch, Batch]]) -> str:
    if not sample:
        return ""
    picture = draw(joined([each[0] for each in sample]), joined([each[1] for each in sample]))
    return image(picture, "The laws of the outputs")


def image(picture: bytes, words: str) -> str:
    """Return a PNG as HTML."""
    encoded = base64.b64encode(picture).decode()
    return f'<img alt="{escape(words)}" src="data:image/png;base64,{encoded}">'


def draw(first: Batch, second: Batch) -> bytes:
    """Return a PNG of the laws of two samples: bars of outcomes if few, else of one coordinate."""
    figure = Figure(figsize=(7, 3.2), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    both = joined([first, second])
    names, places = outcomes(both)
    if len(names) <= FEW or both.numbers.shape[1] == 0:
        _bars(axes, names, places, len(first))
    else:
        _histogram(axes, first, second)
    axes.set_ylabel("share of runs")
    axes.legend(frameon=False)
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def _bars(axes: Axes, names: list[str], places: Any, split: int) -> None:
    parts = places[:split], places[split:]
    shares = np.array([np.bincount(x, minlength=len(names)) / max(1, len(x)) for x in parts])
    common = np.argsort(-shares.sum(0), kind="stable")[:FEW]
    kept = [int(place) for place in np.sort(common)]
    for side, share in enumerate(shares):
        where = np.arange(len(kept)) + 0.4 * side - 0.2
        axes.bar(where, share[kept], 0.4, color=COLOURS[side], label=SIDES[side])
    axes.set_xticks(range(len(kept)), [names[place][:16] for place in kept], rotation=45)


def _histogram(axes: Axes, first: Batch, second: Batch) -> None:
    column = _telling_column(first, second)
    values = [batch.numbers[:, column] for batch in (first, second)]
    values = [x[np.isfinite(x)] for x in values]
    pooled = np.concatenate(values)
    low, high = np.quantile(pooled, [0.002, 0.998]) if len(pooled) else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1, CELLS)
    for x, colour, label in zip(values, COLOURS, SIDES, strict=True):
        share = np.histogram(x, edges)[0] / max(1, len(x))
        axes.stairs(share, edges, color=colour, label=label)
    axes.set_xlabel("output" if first.numbers.shape[1] == 1 else f"output[{column}]")


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
