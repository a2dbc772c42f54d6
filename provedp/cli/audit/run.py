"""Running an audit from the command line: who runs it, what is shown, what is written."""

import contextlib
import json
import math
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provedp.cli.audit.progress import progress_bar
from provedp.cli.audit.request import Request
from provedp.cli.replay import repeating
from provedp.site.packages import require_packages
from provedp.verify.audit.procedures.audit import audit as run_audit
from provedp.verify.audit.procedures.pair_search import Search, smaller_refutation, taken
from provedp.verify.audit.results.counterexamples import counterexample_of
from provedp.verify.audit.results.result import AuditResult
from provedp.verify.audit.runs.checks import line_of, records_of
from provedp.verify.audit.runs.chunks import Executor
from provedp.verify.audit.runs.executors import ClosableExecutor, Serial
from provedp.verify.audit.runs.journals import Journal, Keeping
from provedp.verify.audit.runs.pools import Dask, Joblib
from provedp.verify.audit.targets.target import TargetError
from provedp.verify.files import require_writable, write
from provedp.verify.pairs.pair import Pair, listed_data

DRAWN = 4000  # runs per data set in the figure
RESULT, COUNTEREXAMPLE, REPORT = "result.json", "counterexample.json", "report.html"
NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '(?P<module>[^']*)'")
NO_NAME = re.compile(r"AttributeError: module '(?P<module>[^']*)' has no attribute .*")
NO_MECHANISM = re.compile(r"TypeError: .* is neither a function nor has it .*")


@dataclass(frozen=True)
class Outcome:
    """The result of an audit, the pair that it is about, and what was searched through."""

    result: AuditResult
    pair: Pair
    search: Search | None = None
    adjacency: str = "any"


@dataclass(frozen=True)
class Output:
    """Where files go, if anywhere, and whether a page is among them."""

    folder: Path | None
    html: bool

    def __post_init__(self) -> None:
        if self.html and self.folder is None:
            raise ValueError("--html writes its page to the folder of --out DIR.")
        if self.html:
            require_packages()

    def write(self, outcome: Outcome, request: Request, journal: Journal) -> None:
        """Write the result, and the counterexample and the page if there are any."""
        result, pair, folder = outcome.result, outcome.pair, journal.folder
        texts: dict[str, str | None] = {
            RESULT: json_of(record_of(outcome)),
            COUNTEREXAMPLE: None,
            REPORT: None,
        }
        if result.refuted:
            most = 2 * request.options.runs if request.options.sequential else None
            texts[COUNTEREXAMPLE] = json_of(
                counterexample_of(result, request.target, pair, request.claim, most)
            )
        if self.html:
            from provedp.site.audits.one_claim import page  # matplotlib takes a second to load

            data = (text_of(pair.first), text_of(pair.second))
            same = outcome.search is None and request.options.channel != "time"
            sample = journal.sample(result.pair, DRAWN) if same else []
            again, checks = _again(result, request, folder), line_of(result.checks)
            texts[REPORT] = page(result, request.claim, data, again, sample, checks)
        write_texts(folder, texts)


def write_texts(folder: Path, texts: dict[str, str | None]) -> None:
    """Write the files of an audit; remove those of an earlier one that it does not have."""
    for name, text in texts.items():
        if text is None:
            (folder / name).unlink(missing_ok=True)
        else:
            write(folder / name, text)


def _again(result: AuditResult, request: Request, folder: Path) -> str:
    """Return the command that repeats an audit."""
    if result.refuted:
        return repeating(str(folder / COUNTEREXAMPLE), request.target.kind, request.target.name)
    return f"provedp {shlex.join(sys.argv[1:])}"


def record_of(outcome: Outcome) -> dict[str, Any]:
    """Return what `--json` prints."""
    result, pair = outcome.result, outcome.pair
    fields = {name: value for name, value in result.record().items() if name != "event_record"}
    sides = {"first": plain(pair.first), "second": plain(pair.second)}
    return {
        **fields,
        "pair": {"index": result.pair, "name": pair.name, **sides},
        "checks": records_of(result.checks),
        **_search_record(outcome),
    }


def _search_record(outcome: Outcome) -> dict[str, Any]:
    if outcome.search is None:
        return {}
    return {"search": {"adjacency": outcome.adjacency, **outcome.search.record()}}


def run(request: Request, output: Output, workers: int, dask: str | None) -> Outcome:
    """Run an audit, or continue one that was interrupted.

    Raises
    ------
    ValueError
        If the request is wrong, or a file cannot be written.
    TargetError
        If the target fails.
    """
    with opened(request, output, workers, dask) as (own, journal):
        outcome = _audited(request, own, journal)
        if journal is not None:
            output.write(outcome, request, journal)
        return outcome


@contextlib.contextmanager
def opened(
    request: Request, output: Output, workers: int, dask: str | None
) -> Iterator[tuple[ClosableExecutor, Journal | None]]:
    """Yield who runs an audit and where its state is kept; at the end the state is removed.

    Raises
    ------
    ValueError
        If the request is wrong, or a file cannot be written.
    TargetError
        If the target fails.
    """
    with contextlib.ExitStack() as stack:
        journal = None
        if output.folder is not None:
            journal = Journal(output.folder, request.record())
            stack.callback(journal.close)
            for name in (RESULT, COUNTEREXAMPLE, REPORT):
                require_writable(output.folder / name)
        own = _executor(request, workers, dask)
        stack.callback(own.close)
        try:
            yield own, journal
        except TargetError as error:
            raise _as_request_error(error, request.target.name) from None
        if journal is not None:
            journal.finish()


def _audited(request: Request, executor: Executor, journal: Journal | None) -> Outcome:
    what, claim, options = request.target, request.claim, request.options
    search = taken(what, request.shapes) if request.shapes else None
    pairs = list(search.tried) if search else request.pairs
    if search:  # two bounds may be shown, either of which may fail
        options = options.but(confidence=(1 + options.confidence) / 2)
    keeping = executor if journal is None else Keeping(executor, journal)
    # A sequential audit is repeated from the outputs that were kept.
    checkpoint = None if options.sequential else journal
    with progress_bar() as show:
        running = options.but(executor=keeping, checkpoint=checkpoint, progress=show)
        result = run_audit(what, pairs, claim, options=running)
    pair = pairs[result.pair]
    if search and result.refuted:
        simple = (0, 1) if request.ends is None else request.ends
        result, pair = smaller_refutation(what, pair, claim, result, options, simple)
    return Outcome(result, pair, search, options.adjacency)


def _executor(request: Request, workers: int, dask: str | None) -> ClosableExecutor:
    if dask is not None:
        return Dask(dask)
    if workers > 1:
        return Joblib(workers)
    datasets = listed_data(request.every_pair)
    return Serial(request.target, datasets)


def _as_request_error(error: TargetError, name: str) -> Exception:
    """Return a `ValueError` if the target is not there, and the error itself otherwise."""
    last = str(error).rstrip().rpartition("\n")[2]
    module = name.partition(":")[0]
    missing, nameless = NO_MODULE.fullmatch(last), NO_NAME.fullmatch(last)
    wrong = (
        (missing is not None and f"{module}.".startswith(f"{missing['module']}."))
        or (nameless is not None and nameless["module"] == module)
        or NO_MECHANISM.fullmatch(last) is not None
    )
    return ValueError(f"{last.partition(': ')[2]}.") if wrong else error


def words_of(outcome: Outcome) -> str:
    """Return a result in a few lines."""
    result, pair = outcome.result, outcome.pair
    verdict = "REFUTED" if result.refuted else "not refuted"
    name = f" ({pair.name})" if pair.name else ""
    counts = result.counts
    power = ", ".join(f"{value:.2g} at {factor}×" for factor, value in result.power.items())
    seen = math.isfinite(result.found_from)
    least = f"; 0.9 from {result.found_from:.3g}× on" if seen else "; 0.9 nowhere"
    lines = [
        f"{result.claim} of {result.target}: {verdict}",
        f"  bound       {result.bound} at confidence {result.confidence:g}"
        f" ({result.channel} channel, seed {result.seed})",
        f"  event       {result.event}",
        f"  pair        {result.pair}: {short(pair.first)} and {short(pair.second)}{name}",
        f"  counts      {counts.x} of {counts.n} against {counts.y} of {counts.m}"
        f" ({result.runs} runs in all)",
        f"  resolution  events rarer than {result.resolution:.1e} cannot refute this claim, even if"
        " they never happen on the other data set",
        f"  power       of a fault that shows in this event: {power} the claim{least}",
        f"  runs        {line_of(result.checks)}",
    ]
    if outcome.search is not None:
        lines.append(
            f"  search      {outcome.search}; {outcome.adjacency} pairs; what is shown holds at"
            f" confidence {2 * result.confidence - 1:g}"
        )
    return "\n".join(lines)


def short(data: Any) -> str:
    """Return a data set as JSON, cut to part of a line."""
    text = text_of(data)
    return text if len(text) <= 60 else f"{text[:59]}…"


def text_of(data: Any) -> str:
    """Return a data set as JSON."""
    return json.dumps(plain(data), ensure_ascii=False)


def plain(data: Any) -> Any:
    """Return an array as lists."""
    return data.tolist() if hasattr(data, "tolist") else data


def json_of(record: dict[str, Any]) -> str:
    """Return a record as the text of a file."""
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"
