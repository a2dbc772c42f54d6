"""Audits by running: a target, pairs of data sets, a claim, and what the runs say about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from provedp.theory.domain import check_argument, integers, reals
from provedp.verify.audit.notions.notions import ApproximateDP, PrivacyNotion
from provedp.verify.audit.pairs.pair import as_pairs, listed_data
from provedp.verify.audit.procedures.fixed_runs import run_fixed
from provedp.verify.audit.procedures.sequential import run_sequentially
from provedp.verify.audit.results.result import AuditResult
from provedp.verify.audit.runs.chunks import Executor, Serial, Threads
from provedp.verify.audit.runs.plan import USUAL_RUNS, Checkpoint, Plan, Progress
from provedp.verify.audit.statistics.exact_test import CONFIDENCE
from provedp.verify.audit.targets.factories import target
from provedp.verify.audit.targets.target import Target

CHANNELS = ("value", "bits", "time")


def audit(
    what: Any,
    pairs: Any,
    claim: PrivacyNotion | float,
    *,
    runs: int = USUAL_RUNS,
    confidence: float = 0.95,
    adjacency: str = "any",
    channel: str = "value",
    seed: int = 0,
    sequential: bool = False,
    workers: int = 1,
    executor: Executor | None = None,
    checkpoint: Checkpoint | None = None,
    progress: Progress | None = None,
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
    runs
        Runs per data set, all pairs and the learning of the event included.
    confidence
        Of the bound. The probability that the bound is above the truth is at most 1 − confidence,
        however many pairs, events and directions are tried.
    adjacency
        Which pairs the claim speaks of: see `adjacency.require_adjacent`. Others are refused.
    channel
        What of a run is looked at: 'value' (its output), 'bits' (the lowest bits of the numbers in
        it) or 'time' (the seconds that it takes).
    seed
        Of all runs; a non-negative integer.
    sequential
        Stop as soon as the claim is refuted; `runs` is then the most that are spent. The bound
        holds at all times, and is taken from a grid of levels.
    workers
        Child processes that run at the same time. The result does not depend on it.
    executor
        Another way to run chunks, with `map(run_task, tasks)`.
    checkpoint
        Where the state is kept after each chunk, and taken up again.
    progress
        Called with ('learn' or 'count', runs done, runs in all).

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
    with planned(
        "audit",
        what,
        pairs,
        _checked_claim(claim),
        runs=runs,
        confidence=confidence,
        adjacency=adjacency,
        channel=channel,
        seed=seed,
        workers=workers,
        executor=executor,
        checkpoint=checkpoint,
        progress=progress,
    ) as plan:
        return run_sequentially(plan) if sequential else run_fixed(plan)


@contextmanager
def planned(
    where: str,
    what: Any,
    pairs: Any,
    claim: PrivacyNotion,
    *,
    runs: int,
    confidence: float,
    adjacency: str,
    channel: str,
    seed: int,
    workers: int,
    executor: Executor | None,
    checkpoint: Checkpoint | None,
    progress: Progress | None,
) -> Iterator[Plan]:
    """Yield the checked request, ready to be run; the arguments are those of `audit`.

    Raises
    ------
    ValueError
        If the request is wrong; `where` says to whom it was made.
    """
    check_argument(where, "runs", integers(20), runs)
    check_argument(where, "confidence", CONFIDENCE, confidence)
    check_argument(where, "seed", integers(0), seed)
    check_argument(where, "workers", integers(1), workers)
    if channel not in CHANNELS:
        raise ValueError(
            f"The 'channel' parameter must be one of {CHANNELS}. Got {channel!r} instead."
        )
    what, listed = replace(target(what), timed=channel == "time"), as_pairs(pairs, adjacency)
    with _executor(executor, what, listed_data(listed), workers) as ready:
        yield Plan(
            target=what,
            pairs=listed,
            claim=claim,
            runs=runs,
            confidence=confidence,
            channel=channel,
            seed=seed,
            executor=ready,
            progress=progress or (lambda phase, done, total: None),
            checkpoint=checkpoint,
        )


def _checked_claim(claim: PrivacyNotion | float) -> PrivacyNotion:
    if isinstance(claim, (int, float)):
        return ApproximateDP(check_argument("audit", "claim", reals(0), claim))
    return claim


@contextmanager
def _executor(
    given: Executor | None, what: Target, datasets: tuple[Any, ...], workers: int
) -> Iterator[Executor]:
    """Yield the executor that was given, or one of our own, closed afterwards."""
    if given is not None:
        yield given
        return
    own = Serial(what, datasets) if workers == 1 else Threads(what, datasets, workers)
    try:
        yield own
    finally:
        own.close()
