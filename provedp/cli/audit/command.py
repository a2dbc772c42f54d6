"""`provedp audit`: test a mechanism, in any language, against a claim."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from provedp.cli.audit.data import pairs_of, shapes_of
from provedp.cli.audit.files import (
    OF_FILES,
    file_options,
    require_none,
    require_only,
    run_on_files,
)
from provedp.cli.audit.local import WITH_VALUES, run_on_values, values_of
from provedp.cli.audit.profile import record_of_profile, run_profile, words_of_profile
from provedp.cli.audit.request import Request, claim_of, claim_of_canaries, claims_of, target_of
from provedp.cli.audit.run import Output, record_of, run, words_of
from provedp.verify.audit.runs.checks import DependentRuns
from provedp.verify.audit.runs.options import MOST_PROCESSES, Options
from provedp.verify.audit.targets.target import Target, TargetError

FAILED = 3
SEARCHED = "add-remove"  # the adjacency of a search that names none
INTERRUPTED = 130
POSITIVE = click.FloatRange(min=0, min_open=True)
OPEN_UNIT = click.FloatRange(min=0, max=1, min_open=True, max_open=True)


@click.command()
@click.argument("target", required=False)
@click.option("--command", metavar="LINE", help="Audit a program instead (see above).")
@click.option("--once", is_flag=True, help="Start the program once per run: slow.")
@file_options
@click.option(
    "--ldp",
    metavar="VALUES",
    help="Audit a local mechanism on all pairs of values: 0..7, a JSON list, or a file.",
)
@click.option("--claim-epsilon", metavar="E", help="The claimed ε, in nats: 1, 0.5 or ln(3).")
@click.option("--claim-delta", metavar="D", default="0", show_default=True, help="The claimed δ.")
@click.option("--claim-mu", metavar="MU", help="Claim μ-Gaussian DP instead.")
@click.option("--claim-rho", metavar="RHO", help="Claim ρ-zero-concentrated DP instead.")
@click.option("--claim-renyi", nargs=2, metavar="ORDER D", help="Claim Rényi DP instead.")
@click.option(
    "--claim-point",
    "points",
    nargs=2,
    metavar="E D",
    multiple=True,
    help="With --profile or --canaries: a point of the claimed profile, δ = D at ε = E. Canaries"
    " test all points together.",
)
@click.option("--pair", nargs=2, metavar="A B", multiple=True, help="Two adjacent data sets.")
@click.option("--pairs", metavar="FILE", help="A JSON file with a list of pairs [A, B].")
@click.option("--search", is_flag=True, help="Try pairs that are known to be hard.")
@click.option(
    "--adjacency",
    metavar="KIND",
    default="any",
    show_default=True,
    help="Which pairs the claim speaks of (replace-one, add-remove, neighbouring-counts, label, l1,"
    " l2, linf, or l2:0.5 for another distance); others are refused. A search that names none is"
    " for add-remove.",
)
@click.option(
    "--range",
    "ends",
    nargs=2,
    type=float,
    help="Least and largest number in a record: --search keeps to it. Without, it also tries ±1e6.",
)
@click.option(
    "--channel",
    type=click.Choice(["value", "bits", "time"]),
    default="value",
    show_default=True,
    help="Of a run: its output, the lowest bits of its numbers, or the seconds that it takes.",
)
@click.option(
    "--runs", type=click.IntRange(min=20), default=100_000, show_default=True, help="Per data set."
)
@click.option(
    "--profile", is_flag=True, help="Bound δ at every ε and ε at every δ, all at one confidence."
)
@click.option("--until-decided", "sequential", is_flag=True, help="Stop once it is refuted.")
@click.option(
    "--checks/--no-checks",
    default=True,
    help="Whether runs are tested for what they share, within requests, between them and between"
    " fresh processes; if they share anything there is no verdict.",
)
@click.option(
    "--fresh",
    is_flag=True,
    help="Each run in a process of its own, for noise that is drawn once and kept: slow.",
)
@click.option(
    "--processes",
    type=click.IntRange(2, MOST_PROCESSES),
    help="Fresh processes that are started to compare them, at most. By default 120, or 12 or 4 if"
    " one takes longer than half a second or five to start; the result says how many.",
)
@click.option("--confidence", type=OPEN_UNIT, default=0.95, show_default=True)
@click.option("--workers", type=click.IntRange(min=1), default=1, help="Runs at the same time.")
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Run on the cluster of this dask scheduler, which must have a worker within 20 seconds.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of all runs."
)
@click.option(
    "--timeout", type=POSITIVE, default=600.0, show_default=True, help="Seconds per request."
)
@click.option(
    "--limit-time",
    type=POSITIVE,
    default=3600.0,
    show_default=True,
    help="Seconds; an audit that a few runs show to take longer is refused, with the --runs that"
    " would do.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    default=8192,
    show_default=True,
    help="Megabytes of address space.",
)
@click.option(
    "--errors",
    type=click.Choice(["outcome", "fail"]),
    default="outcome",
    show_default=True,
    help="Whether an exception, an exit status and a run that takes longer than --timeout are"
    " outcomes of a run, or end the audit.",
)
@click.option("--out", metavar="DIR", help="Keep the state, the result and any counterexample.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.option("--html", "as_html", is_flag=True, help="Also write report.html to --out.")
def audit(
    target: str | None,
    command: str | None,
    once: bool,
    claim_epsilon: str | None,
    claim_delta: str,
    claim_mu: str | None,
    claim_rho: str | None,
    claim_renyi: tuple[str, str] | None,
    points: tuple[tuple[str, str], ...],
    pair: tuple[tuple[str, str], ...],
    pairs: str | None,
    search: bool,
    adjacency: str,
    ends: tuple[float, float] | None,
    fresh: bool,
    timeout: float,
    memory: int,
    errors: str,
    workers: int,
    dask: str | None,
    out: str | None,
    profile: bool,
    as_json: bool,
    as_html: bool,
    ldp: str | None,
    **options: Any,
) -> int:
    """Run TARGET on pairs of data sets and test a claim of privacy.

    With --outputs, runs that were recorded are counted instead, and with --canaries the guesses
    about the canaries of one run: see docs/one-run.md. With --ldp, each value of a small
    domain is run in one batch, all pairs are learned from, and one event is counted once.

    TARGET is package.module:name, found from the current directory: a function of (data, rng), of
    (data, rng, count) that returns the outputs of so many runs, or of the data alone, or an object
    with a method release. It runs in a process of its own.

    A program of --command reads lines "INDEX COUNT" and answers each with COUNT lines, one JSON
    value per run on the data set INDEX of the list in the JSON file $PROVEDP_DATA. With --once it
    is started for each run, reads its data set as JSON and prints one value.

    What is looked at of an output: its numbers, each with its type, text and bytes (also the JSON
    and the numbers in them), dates, the elements of lists, sets, dicts, arrays and tables with
    their order, names and types, and whether a run ends in an error. What to return, and what no
    audit sees, is in docs/outputs.md.

    A and B are JSON, or names of .json, .csv or .npy files. --search tries patterns of pairs on
    which mechanisms are known to fail, as numbers, rows, (X, y) or texts, the first of these that
    TARGET takes, says what it does not take and why, and makes one that refutes the claim smaller.

    Counts prove something about independent runs. Runs come from many requests in several fresh
    processes, which are compared; where noise is drawn once per process or per request there is
    no verdict, and status 3. Noise that outlives a process (in a file, on a server) is not seen.

    With --profile, claims may be left out; the bounds on all ε, δ and claims hold together. For one
    claim, an audit without it gives a higher bound.

    Exit status: 0 not refuted, 1 refuted, 2 a wrong request, 3 the target failed, its runs are
    not independent, or so few guesses could not refute the claim.
    """
    files = {name: options.pop(name) for name in OF_FILES}
    made = (claim_epsilon, claim_delta, claim_mu, claim_rho, claim_renyi)
    if files["outputs"] or files["canaries"]:
        shared = {name: options[name] for name in ("channel", "checks", "seed", "confidence")}
        claim = partial(claim_of_canaries, points, *made)
        return run_on_files(claim, {**files, **shared}, out, as_json)
    require_none(OF_FILES)
    named = replace(target_of(target, command, once, timeout, memory, errors), fresh=fresh)
    if ldp is not None:
        require_only(WITH_VALUES, "--ldp")
        running = Options(workers=workers, **options)
        values = values_of(ldp)
        return _status(
            named, lambda: run_on_values(named, values, claim_of(*made), running, out, as_json)
        )
    kind = SEARCHED if search and adjacency == "any" else adjacency
    request = Request(
        named,
        [] if search else pairs_of(pair, pairs, kind, ends),
        claims_of(profile, points, claim_epsilon, claim_delta, claim_mu, claim_rho, claim_renyi),
        Options(adjacency=kind, workers=workers, **options),
        shapes_of(pair, pairs, kind, ends) if search else (),
        ends,
        profile,
    )
    output = Output(None if out is None else Path(out), as_html)
    more = "" if out is None else f"; the same command goes on from there ({out})"
    return _status(named, lambda: _audited(request, output, workers, dask, as_json), more)


def _status(target: Target, audited: Callable[[], tuple[str, bool]], more: str = "") -> int:
    """Run an audit and print what it found; return the status."""
    try:
        text, refuted = audited()
    except TargetError as error:
        what = "cannot be audited like this" if isinstance(error, DependentRuns) else "failed"
        click.echo(f"provedp: {target.name} {what}.\n{error}", err=True)
        return FAILED
    except KeyboardInterrupt:
        click.echo(f"provedp: interrupted{more}", err=True)
        return INTERRUPTED
    click.echo(text)
    sys.stdout.flush()
    return 1 if refuted else 0


def _audited(
    request: Request, output: Output, workers: int, dask: str | None, as_json: bool
) -> tuple[str, bool]:
    """Return what is printed, and whether a claim is refuted."""
    record: dict[str, Any]
    if request.profile:
        profile = run_profile(request, output, workers, dask)
        record, words = record_of_profile(profile), words_of_profile(profile)
        refuted = profile.result.refuted
    else:
        outcome = run(request, output, workers, dask)
        record, words, refuted = record_of(outcome), words_of(outcome), outcome.result.refuted
    return (json.dumps(record, ensure_ascii=False) if as_json else words), refuted
