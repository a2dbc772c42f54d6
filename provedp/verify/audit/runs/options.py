"""How an audit is run: its options, in one place."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypedDict, Unpack

from provedp.theory.domain import check_argument, integers, reals
from provedp.verify.audit.runs.chunks import Executor
from provedp.verify.audit.statistics.exact_test import CONFIDENCE
from provedp.verify.audit.targets.target import ERRORS

USUAL_RUNS = 100_000
MOST_PROCESSES = 1000
CHANNELS = ("value", "bits", "time")
RECORDED = ("channel", "runs", "sequential", "confidence", "seed", "adjacency", "processes")

Progress = Callable[[str, int, int], None]


class Checkpoint(Protocol):
    """Where an audit writes how far it is."""

    def load(self) -> dict[str, Any] | None:
        """Return the last state, or None."""
        ...

    def save(self, state: dict[str, Any]) -> None:
        """Keep a state (JSON data); called after each chunk."""
        ...


class OptionKeywords(TypedDict, total=False):
    """The options as keywords of `audit` and `audit_profile`: the fields of `Options`."""

    runs: int
    confidence: float
    adjacency: str
    channel: str
    seed: int
    sequential: bool
    checks: bool
    check_error: float
    processes: int | None
    workers: int
    limit_time: float | None
    executor: Executor | None
    checkpoint: Checkpoint | None
    progress: Progress | None
    errors: str | None


@dataclass(frozen=True)
class Options:
    """How an audit is run.

    Parameters
    ----------
    runs
        Runs per data set, all pairs and the learning of the event included.
    confidence
        Of the bound. The probability that the bound is above the truth is at most 1 − confidence,
        however many pairs, events and directions are tried.
    adjacency
        Which pairs the claim speaks of: see `require_adjacent`. Others are refused.
    channel
        What of a run is looked at: 'value' (its output), 'bits' (the lowest bits of the numbers in
        it) or 'time' (the seconds that it takes).
    seed
        Of all runs; a non-negative integer.
    sequential
        Stop as soon as the claim is refuted; `runs` is then the most that are spent. The bound
        holds at all times, and is taken from a grid of levels.
    checks
        Whether the runs are tested for what they may share: see `checks`. Without, a verdict
        assumes that runs are independent.
    check_error
        The probability, at most and about, that runs which are independent fail a check, so that
        there is no verdict.
    processes
        Fresh processes that are started for one purpose, at most. None leaves it to a pilot, by how
        long one takes to start (see `Pilot.processes`); the result says how many they were, and
        does not depend on time if that number is given.
    workers
        Child processes that run at the same time. The result does not depend on it.
    limit_time
        Seconds. An audit with fixed runs that a pilot expects to take longer is refused, with the
        number of runs that would do. None refuses nothing.
    executor
        Another way to run chunks: its `map(tasks)` gives the results, of `run_task` for instance.
    checkpoint
        Where the state is kept after each chunk, and taken up again.
    progress
        Called with ('learn' or 'count', runs done, runs in all).
    errors
        'outcome' (what a run raises, an exit status and a run that takes too long are outcomes) or
        'fail' (they end the audit); None leaves it to the target, for which 'outcome' is usual.

    Raises
    ------
    ValueError
        If an option is outside its range.
    """

    runs: int = USUAL_RUNS
    confidence: float = 0.95
    adjacency: str = "any"
    channel: str = "value"
    seed: int = 0
    sequential: bool = False
    checks: bool = True
    check_error: float = 1e-6
    processes: int | None = None
    workers: int = 1
    limit_time: float | None = None
    executor: Executor | None = None
    checkpoint: Checkpoint | None = None
    progress: Progress | None = None
    errors: str | None = None

    def __post_init__(self) -> None:
        check_argument("audit", "runs", integers(20), self.runs)
        check_argument("audit", "confidence", CONFIDENCE, self.confidence)
        check_argument("audit", "seed", integers(0), self.seed)
        check_argument("audit", "workers", integers(1), self.workers)
        check_argument("audit", "check_error", CONFIDENCE, self.check_error)
        if self.processes is not None:
            check_argument("audit", "processes", integers(2, MOST_PROCESSES), self.processes)
        if self.limit_time is not None:
            check_argument("audit", "limit_time", reals(0, open_low=True), self.limit_time)
        if self.channel not in CHANNELS:
            raise ValueError(
                f"The 'channel' parameter must be one of {CHANNELS}. Got {self.channel!r} instead."
            )

        if self.errors is not None and self.errors not in ERRORS:
            raise ValueError(
                f"The 'errors' parameter must be one of {ERRORS}. Got {self.errors!r} instead."
            )

    def but(self, **keywords: Unpack[OptionKeywords]) -> Self:
        """Return these options with some others in their place."""
        return replace(self, **keywords)

    def record(self) -> dict[str, Any]:
        """Return those on which the result depends, as JSON data."""
        return {name: getattr(self, name) for name in RECORDED}
