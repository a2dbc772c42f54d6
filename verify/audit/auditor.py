"""Audits by running: a target, pairs of data sets, a claim, and what the runs say about it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from provedp.theory.domain import check_argument, integers, reals
from provedp.verify.audit.bounds import CONFIDENCE, Counts, lower_bound, p_value
from provedp.verify.audit.events import Event, Learned, event_from, learn
from provedp.verify.audit.notions import ApproximateDP, Claim
from provedp.verify.audit.outputs import Batch, joined
from provedp.verify.audit.pairs import Pair, as_pairs
from provedp.verify.audit.power import power_against
from provedp.verify.audit.runs import Done, Executor, Serial, Task, Threads, run_task, sizes
from provedp.verify.audit.targets import Target, target

LEAST_SHARE, LARGEST_SHARE = 0.1, 0.3  # of the runs, to learn from
USUAL_RUNS = 100_000
KEPT_NUMBERS = 1 << 23  # of outputs that are learned from
FACTORS = (1.1, 1.5, 2.0)
CHANNELS = ("value", "bits")

Progress = Callable[[str, int, int], None]


class Checkpoint(Protocol):
    """Where an audit writes how far it is."""

    def load(self) -> dict[str, Any] | None:
        """Return the last state, or None."""
        ...

    def save(self, state: dict[str, Any]) -> None:
        """Keep a state (JSON data); called after each chunk."""
        ...


@dataclass(frozen=True)
class AuditResult:
    """What an audit found.

    Attributes
    ----------
    refuted
        Whether the bound is above the claim.
    epsilon_lower
        Lower confidence bound on the level of the claim: ε at the claimed δ, or what `notion` says.
    confidence
        Of the bound, and of the refutation.
    notion, claim
        What is bounded; the claim in words.
    p_value
        Of the claim.
    channel
        'value' (outputs as numbers and categories) or 'bits' (their lowest bits).
    event
        In words.
    pair
        The place of the pair among those given, from 0.
    counts
        x of n runs on one data set and y of m on the other; folded ones as in `bounds`.
    runs
        Runs on both data sets of all pairs together, those that were learned from included.
    resolution
        Events rarer than this on both data sets could not have been noticed.
    power
        The probability with which the same event would have refuted the claim, had the level been
        1.1, 1.5 and 2 times the claim.
    seed
        Of the runs.
    target
        Its name.
    event_record
        The event as JSON data, to be replayed.
    """

    refuted: bool
    epsilon_lower: float
    confidence: float
    notion: str
    claim: str
    p_value: float
    channel: str
    event: str
    pair: int
    counts: Counts
    runs: int
    resolution: float
    power: dict[str, float]
    seed: int
    target: str
    event_record: dict[str, Any]

    def record(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        return asdict(self)

    def __str__(self) -> str:
        verdict = "REFUTED" if self.refuted else "not refuted"
        return (
            f"{self.claim} of {self.target}: {verdict}. {self.notion} >= {self.epsilon_lower:.4g}"
            f" at confidence {self.confidence:g}, from {self.runs} runs; event: {self.event}."
            f" Events rarer than {self.resolution:.1e} cannot be seen."
        )


@dataclass
class _Plan:
    target: Target
    pairs: list[Pair]
    claim: Claim
    runs: int
    confidence: float
    channel: str
    seed: int
    executor: Executor
    progress: Progress
    checkpoint: Checkpoint | None

    @property
    def datasets(self) -> tuple[Any, ...]:
        return tuple(data for pair in self.pairs for data in (pair.first, pair.second))

    @property
    def learning(self) -> int:
        """Runs on both data sets of all pairs that are learned from."""
        share = LEAST_SHARE * (USUAL_RUNS / self.runs) ** 0.25
        return math.ceil(2 * self.runs * float(min(LARGEST_SHARE, max(LEAST_SHARE, share))))

    def tasks(
        self, pair: int, runs: int, event: Event | None, done: Sequence[int] = ()
    ) -> list[Task]:
        """Return the chunks that are left."""
        return [
            Task(self.target, self.datasets, pair, chunk, size, self.seed, event)
            for chunk, size in enumerate(sizes(runs))
            if chunk not in set(done)
        ]


def audit(
    what: Any,
    pairs: Any,
    claim: Claim | float,
    *,
    runs: int = USUAL_RUNS,
    confidence: float = 0.95,
    channel: str = "value",
    seed: int = 0,
    workers: int = 1,
    executor: Executor | None = None,
    checkpoint: Checkpoint | None = None,
    progress: Progress | None = None,
) -> AuditResult:
    """Test a mechanism against a claim by running it.

    Parameters
    ----------
    what
        The target: see `targets.target`.
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
    channel
        'value' or 'bits'.
    seed
        Of all runs; a non-negative integer.
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
    plan = _plan(what, pairs, claim, runs, confidence, channel, seed, progress, checkpoint)
    own = executor is None
    plan.executor = executor or (
        Serial(plan.target, plan.datasets)
        if workers == 1
        else Threads(
            plan.target, plan.datasets, check_argument("audit", "workers", integers(1), workers)
        )
    )
    try:
        return _run(plan)
    finally:
        if own:
            plan.executor.close()  # type: ignore[attr-defined]


def _plan(
    what: Any,
    pairs: Any,
    claim: Claim | float,
    runs: int,
    confidence: float,
    channel: str,
    seed: int,
    progress: Progress | None,
    checkpoint: Checkpoint | None,
) -> _Plan:
    check_argument("audit", "runs", integers(20), runs)
    check_argument("audit", "confidence", CONFIDENCE, confidence)
    check_argument("audit", "seed", integers(0), seed)
    if channel not in CHANNELS:
        raise ValueError(
            f"The 'channel' parameter must be one of {CHANNELS}. Got {channel!r} instead."
        )
    if isinstance(claim, (int, float)):
        claim = ApproximateDP(check_argument("audit", "claim", reals(0), claim))
    return _Plan(
        target(what),
        as_pairs(pairs),
        claim,
        runs,
        confidence,
        channel,
        seed,
        executor=None,  # type: ignore[arg-type]
        progress=progress or (lambda phase, done, total: None),
        checkpoint=checkpoint,
    )


def _run(plan: _Plan) -> AuditResult:
    state = (plan.checkpoint.load() if plan.checkpoint else None) or _learned(plan)
    event, pair = event_from(state["event"]), state["pair"]
    done: dict[str, list[int]] = state["done"]
    total = 2 * plan.runs - plan.learning
    finished = sum(each[0] + each[1] for each in done.values())
    for result in plan.executor.map(
        run_task, plan.tasks(pair, total, event, [int(key) for key in done])
    ):
        assert result.counts is not None
        done[str(result.chunk)] = [*result.runs, *result.counts]
        finished += sum(result.runs)
        plan.progress("count", finished, total)
        if plan.checkpoint:
            plan.checkpoint.save(state)
    sums = [sum(column) for column in zip(*done.values(), strict=True)]
    return _result(plan, event, pair, counts_of(event, sums))


def _learned(plan: _Plan) -> dict[str, Any]:
    """Learn an event on each pair; return the state of an audit of the most promising one."""
    best: tuple[Learned, int] | None = None
    each = max(10, plan.learning // len(plan.pairs))
    for pair in range(len(plan.pairs)):
        found = list(plan.executor.map(run_task, plan.tasks(pair, each, None)))
        first, second = _kept(found)
        learned = learn(first, second, plan.claim, plan.runs)
        plan.progress("learn", each * (pair + 1), plan.learning)
        if best is None or learned.level > best[0].level:
            best = (learned, pair)
    assert best is not None
    state = {"pair": best[1], "event": best[0].event.record(), "done": {}}
    if plan.checkpoint:
        plan.checkpoint.save(state)
    return state


def _kept(found: list[Done]) -> tuple[Batch, Batch]:
    outputs = [done.outputs for done in sorted(found, key=lambda done: done.chunk)]
    batches = [joined([pair[side] for pair in outputs if pair is not None]) for side in (0, 1)]
    return batches[0], batches[1]


def counts_of(event: Event, sums: Sequence[int]) -> Counts:
    """Return the counts of an event from the sums (runs, runs, and the four counts of `Done`)."""
    n, m, first_s, first_t, second_s, second_t = sums
    if event.folded:
        return Counts(first_s + second_t, n + m, second_s + first_t, n + m, folded=True)
    if event.low is None:
        return Counts(first_s, n, second_s, m)
    return Counts(second_t, m, first_t, n)


def _result(plan: _Plan, event: Event, pair: int, counts: Counts) -> AuditResult:
    bound = lower_bound(counts, plan.claim, plan.confidence)
    return AuditResult(
        refuted=bound > plan.claim.level,
        epsilon_lower=bound,
        confidence=plan.confidence,
        notion=plan.claim.notion,
        claim=str(plan.claim),
        p_value=p_value(counts, plan.claim),
        channel=plan.channel,
        event=event.words,
        pair=pair,
        counts=counts,
        runs=2 * plan.runs,
        resolution=3 / min(counts.n, plan.runs),
        power={f"{c:g}": power_against(c, counts, plan.claim, plan.confidence) for c in FACTORS},
        seed=plan.seed,
        target=plan.target.name,
        event_record=event.record(),
    )
