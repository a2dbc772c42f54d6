"""Audits by running: a target, pairs of data sets, a claim, and what the runs say about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Unpack

from provedp.theory.domain import check_argument, reals
from provedp.verify.audit.procedures.fixed_runs import run_fixed
from provedp.verify.audit.procedures.sequential import run_sequentially
from provedp.verify.audit.results.result import AuditResult
from provedp.verify.audit.runs.chunks import LARGEST_CHUNK, REQUESTS, Executor
from provedp.verify.audit.runs.executors import Serial, Threads
from provedp.verify.audit.runs.options import OptionKeywords, Options
from provedp.verify.audit.runs.pilot import Pilot, pilot_of
from provedp.verify.audit.runs.plan import Plan
from provedp.verify.audit.targets.factories import target
from provedp.verify.audit.targets.target import Target
from provedp.verify.notions.notions import ApproximateDP, PrivacyNotion
from provedp.verify.pairs.pair import Pair, as_pairs, listed_data

PATIENCE = 4  # times what the pilot says the largest request takes


def audit(
    what: Any,
    pairs: Any,
    claim: PrivacyNotion | float,
    *,
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> AuditResult:
    """Test a mechanism against a claim by running it.

    Parameters
    ----------
    what
        The target: see `target`.
    pairs
        A tuple (first, second) of data sets, or a list of such pairs.
    claim
        An `ApproximateDP`, `GaussianDP`, `RenyiDP` or `ZeroConcentratedDP`; a number ε stands for
        (ε, 0)-DP.
    options, **keywords
        How it is run: see `Options`, whose fields may also be given one by one.

    Returns
    -------
    An `AuditResult`.

    Raises
    ------
    ValueError
        If the request is wrong.
    TargetError
        If the target fails; the message is its own error.

    >>> def noisy_count(data, rng, count):
    ...     return data + rng.laplace(scale=0.5, size=count)
    >>> result = audit(noisy_count, (0, 1), ApproximateDP(1.0), runs=2000, seed=1)
    >>> result.refuted, result.epsilon_lower < 2
    (True, True)
    """
    chosen = (options or Options()).but(**keywords)
    with planned(what, pairs, checked_claim(claim), chosen) as plan:
        return run_sequentially(plan) if chosen.sequential else run_fixed(plan)


@contextmanager
def planned(what: Any, pairs: Any, claim: PrivacyNotion, options: Options) -> Iterator[Plan]:
    """Yield the checked request, ready to be run; the arguments are those of `audit`.

    Raises
    ------
    ValueError
        If the request is wrong.
    """
    asked = target(what)
    timed = replace(asked, timed=options.channel == "time", errors=options.errors or asked.errors)
    listed = as_pairs(pairs, options.adjacency)
    pilot = _pilot(timed, listed, options)
    # A request may take long because it has many runs, which is no sign of a target that hangs.
    patience = PATIENCE * pilot.run * LARGEST_CHUNK / REQUESTS
    timed = replace(timed, timeout=max(timed.timeout, patience))
    with _executor(options, timed, listed_data(listed)) as executor:
        plan = Plan(timed, listed, claim, options, executor, pilot)
        if not options.sequential:
            plan.require_time()
        yield plan


def _pilot(what: Target, pairs: list[Pair], options: Options) -> Pilot:
    """Run the target a few times, if something depends on it."""
    if not options.checks and options.limit_time is None:
        return Pilot()
    datasets = listed_data(pairs)
    return pilot_of(what, datasets[0], datasets, 2 * options.runs, options.seed)


def checked_claim(claim: PrivacyNotion | float) -> PrivacyNotion:
    """Return a claim, a number ε as that of (ε, 0)-DP."""
    if isinstance(claim, (int, float)):
        return ApproximateDP(check_argument("audit", "claim", reals(0), claim))
    return claim


@contextmanager
def _executor(options: Options, what: Target, datasets: tuple[Any, ...]) -> Iterator[Executor]:
    """Yield the executor that was given, or one of our own, closed afterwards."""
    if options.executor is not None:
        yield options.executor
        return
    workers = options.workers
    own = Serial(what, datasets) if workers == 1 else Threads(what, datasets, workers)
    try:
        yield own
    finally:
        own.close()
