"""`provedp audit --profile`: what is run, shown and written for a whole privacy profile."""

import shlex
import sys
from dataclasses import dataclass
from typing import Any

from provedp.cli.audit.progress import progress_bar
from provedp.cli.audit.request import Request
from provedp.cli.audit.run import (
    COUNTEREXAMPLE,
    REPORT,
    RESULT,
    Output,
    json_of,
    opened,
    plain,
    short,
    text_of,
    write_texts,
)
from provedp.verify.audit.procedures.pair_search import Search, taken
from provedp.verify.audit.procedures.profile import audit_profile
from provedp.verify.audit.results.profile import (
    SHOWN_DELTAS,
    SHOWN_EPSILONS,
    ProfileResult,
    sentence,
)
from provedp.verify.audit.runs.checks import line_of
from provedp.verify.audit.runs.journals import Keeping
from provedp.verify.pairs.pair import Pair

COLUMN = 10


@dataclass(frozen=True)
class ProfileOutcome:
    """The result, the pair that it is about, and what was searched through."""

    result: ProfileResult
    pair: Pair
    search: Search | None = None


def run_profile(request: Request, output: Output, workers: int, dask: str | None) -> ProfileOutcome:
    """Run an audit of a profile, or continue one that was interrupted.

    Raises
    ------
    ValueError
        If the request is wrong, or a file cannot be written.
    TargetError
        If the target fails.
    """
    if request.options.sequential:
        raise ValueError("--until-decided tests one claim: it does not go with --profile.")
    with opened(request, output, workers, dask) as (own, journal):
        search = taken(request.target, request.shapes) if request.shapes else None
        pairs = list(search.tried) if search else request.pairs
        keeping = own if journal is None else Keeping(own, journal)
        with progress_bar() as show:
            options = request.options.but(executor=keeping, checkpoint=journal, progress=show)
            result = audit_profile(request.target, pairs, request.claims, options=options)
        outcome = ProfileOutcome(result, pairs[result.pair], search)
        if journal is not None:
            write_texts(journal.folder, _texts(outcome, request, output.html))
        return outcome


def _texts(outcome: ProfileOutcome, request: Request, html: bool) -> dict[str, str | None]:
    texts: dict[str, str | None] = {
        RESULT: json_of(record_of_profile(outcome)),
        COUNTEREXAMPLE: None,
        REPORT: None,
    }
    if html:
        from provedp.site.audits.profile import page

        data = text_of(outcome.pair.first), text_of(outcome.pair.second)
        again = f"provedp {shlex.join(sys.argv[1:])}"
        checks = line_of(outcome.result.checks)
        texts[REPORT] = page(outcome.result, request.claims, data, again, checks)
    return texts


def record_of_profile(outcome: ProfileOutcome) -> dict[str, Any]:
    """Return what `--json` prints."""
    result, pair = outcome.result, outcome.pair
    sides = {"first": plain(pair.first), "second": plain(pair.second)}
    return {
        **result.record(),
        "pair": {"index": result.pair, "name": pair.name, **sides},
        **({} if outcome.search is None else {"search": outcome.search.record()}),
    }


def words_of_profile(outcome: ProfileOutcome) -> str:
    """Return a result as two small tables and a few lines."""
    result, pair = outcome.result, outcome.pair
    name = f" ({pair.name})" if pair.name else ""
    lines = [
        f"privacy profile of {result.target}, all bounds together at confidence"
        f" {result.confidence:g} ({result.channel} channel, seed {result.seed})",
        *(f"  claim       {sentence(each)}" for each in result.verdicts),
        _row("delta", [f"{each:g}" for each in SHOWN_DELTAS]),
        _row("epsilon >=", [f"{result.epsilon_lower(each):.4g}" for each in SHOWN_DELTAS]),
        _row("epsilon", [f"{each:g}" for each in SHOWN_EPSILONS]),
        _row("delta >=", [f"{result.delta_lower(each):.4g}" for each in SHOWN_EPSILONS]),
        f"  pair        {result.pair}: {short(pair.first)} and {short(pair.second)}{name}",
        f"  counts      of {len(result.events)} events in {result.runs} runs in all",
        f"  resolution  events rarer than {result.resolution:.1e} cannot be seen",
        f"  runs        {line_of(outcome.result.checks)}",
        *([] if outcome.search is None else [f"  search      {outcome.search}"]),
    ]
    return "\n".join(lines)


def _row(name: str, cells: list[str]) -> str:
    return f"  {name:<12}" + "".join(f"{cell:<{COLUMN}}" for cell in cells).rstrip()
