"""Refutations that anyone can repeat: a record of the pair, the event and the seed, and its replay.

A replay counts the same event twice: in runs from the recorded seed, which are the recorded runs
(unless the audit was sequential), and in as many fresh ones. The fresh runs are a test of their
own, valid whatever led to the event.
"""

import operator
import secrets
from dataclasses import asdict, dataclass, replace
from functools import reduce
from operator import index
from typing import Any

from provedp.verify.audit.events.event import Event, event_from
from provedp.verify.audit.results.result import AuditResult
from provedp.verify.audit.runs.chunks import Executor, Task, sizes
from provedp.verify.audit.runs.executors import Serial
from provedp.verify.audit.runs.outputs import require_any_output
from provedp.verify.audit.statistics.exact_test import Counts, lower_bound
from provedp.verify.audit.targets.factories import program
from provedp.verify.audit.targets.factories import target as target_named
from provedp.verify.audit.targets.target import Target
from provedp.verify.notions.notions import PrivacyNotion, notion_from
from provedp.verify.pairs.json_data import data_from, data_record
from provedp.verify.pairs.pair import Pair
from provedp.verify.tagged_records import record_of

FORMAT = "provedp counterexample 2"
SEEDS = 2**63
MOST_AFTER_SEQUENTIAL = 20_000  # runs of a replay


@dataclass(frozen=True)
class Counterexample:
    """What is needed to repeat a refutation.

    Attributes
    ----------
    kind, name, timeout
        Of the target; a run that takes longer may be in the event.
    claim, confidence
        What was refuted, and how sure that is.
    first, second, pair
        The data sets, and the index of the pair in the audit, on which the seeds depend.
    event
        What to count.
    counts, runs
        What was found (None if it cannot come again: bets on several events, seconds); runs of a
        replay.
    timed
        Whether the event is about the seconds of a run.
    seed, epsilon_lower
        Of the audit.
    """

    kind: str
    name: str
    claim: PrivacyNotion
    confidence: float
    first: Any
    second: Any
    pair: int
    event: Event
    counts: Counts | None
    runs: int
    seed: int
    epsilon_lower: float
    timed: bool
    timeout: float


@dataclass(frozen=True)
class Replay:
    """What came of a replay.

    Attributes
    ----------
    recorded, again, fresh
        Counts as recorded (None if they cannot come again), from the recorded seed, from a
        fresh one.
    fresh_seed
        That one.
    epsilon_recorded, epsilon_again, epsilon_fresh
        The bounds.
    refuted_again, refuted_fresh
        The verdicts.
    """

    recorded: Counts | None
    again: Counts
    fresh: Counts
    fresh_seed: int
    epsilon_recorded: float
    epsilon_again: float
    epsilon_fresh: float
    refuted_again: bool
    refuted_fresh: bool

    @property
    def same(self) -> bool:
        """Whether the recorded seed gave the recorded counts."""
        return self.again == self.recorded

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {**asdict(self), "same": self.same}


def counterexample_of(
    result: AuditResult, target: Target, pair: Pair, claim: PrivacyNotion, most: int | None = None
) -> dict[str, Any]:
    """Return a refutation as JSON data.

    Parameters
    ----------
    result, target, pair, claim
        What was found, of what.
    most
        The most runs that a sequential audit was allowed; None if it was not sequential.

    Raises
    ------
    ValueError
        If the target is an object in memory, or the data cannot be written.
    """
    if target.kind == "object":
        raise ValueError(f"{target.name} is an object in memory: name it as 'package.module:name'.")
    counts = result.counts
    counted = counts.n if counts.folded else counts.n + counts.m
    repeatable = most is None and result.channel != "time"
    return {
        "format": FORMAT,
        "target": {"kind": target.kind, "name": target.name, "timeout": target.timeout},
        "claim": record_of(claim),
        "confidence": result.confidence,
        "first": data_record(pair.first),
        "second": data_record(pair.second),
        "pair": result.pair,
        "event": result.event_record,
        "in_words": result.event,
        "counts": asdict(counts) if repeatable else None,
        "runs": counted if most is None else max(counted, min(most, MOST_AFTER_SEQUENTIAL)),
        "seed": result.seed,
        "epsilon_lower": result.epsilon_lower,
        "p_value": result.p_value,
        "channel": result.channel,
    }


def counterexample_from(record: Any) -> Counterexample:
    """Return what `counterexample_of` wrote.

    Raises
    ------
    ValueError
        If it is something else.
    """
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ValueError(f"It is no counterexample of the format {FORMAT!r}.")
    try:
        counts = record["counts"]
        return Counterexample(
            kind=_text(record["target"]["kind"]),
            name=_text(record["target"]["name"]),
            claim=notion_from(record["claim"]),
            confidence=float(record["confidence"]),
            first=data_from(record["first"]),
            second=data_from(record["second"]),
            pair=index(record["pair"]),
            event=event_from(record["event"]),
            counts=None if counts is None else Counts(**counts),
            runs=index(record["runs"]),
            seed=index(record["seed"]),
            epsilon_lower=float(record["epsilon_lower"]),
            timed=record["channel"] == "time",
            timeout=float(record["target"].get("timeout", 600.0)),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"The counterexample is damaged: {what}.") from None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no name of a target")
    return value


def target_of(example: Counterexample, **limits: Any) -> Target:
    """Return the target of a counterexample, found from the current directory.

    Parameters
    ----------
    example
        The counterexample.
    limits
        `timeout`, by default that of the audit, and `memory`, as for `target`.

    Raises
    ------
    ValueError
        If the target has no name.
    """
    limits = {"timeout": example.timeout, **limits}
    if example.kind == "reference":
        named = target_named(example.name, **limits)
    else:
        named = program(example.name, once=example.kind == "once", **limits)
    return replace(named, timed=example.timed)


def replay(
    example: Counterexample,
    target: Target,
    *,
    fresh_seed: int | None = None,
    executor: Executor | None = None,
) -> Replay:
    """Count the event of a counterexample again.

    Parameters
    ----------
    example
        The counterexample.
    target
        What to run, usually `target_of(example)`.
    fresh_seed
        Of the fresh runs; drawn if None.
    executor
        Who runs them; one child by default.

    Raises
    ------
    TargetError
        If the target fails, or all its runs do.
    """
    seed = secrets.randbelow(SEEDS) if fresh_seed is None else fresh_seed
    # Chunk seeds depend on the index of the pair, so it is put there.
    datasets = (example.first, example.second) * (example.pair + 1)
    if executor is None:
        require_any_output(target, (example.first, example.second))
    own = Serial(target, datasets)
    try:
        again, fresh = (
            _counts(example, target, datasets, each, executor or own)
            for each in (example.seed, seed)
        )
    finally:
        own.close()
    bound_again, bound_fresh = (
        lower_bound(counts, example.claim, example.confidence) for counts in (again, fresh)
    )
    return Replay(
        recorded=example.counts,
        again=again,
        fresh=fresh,
        fresh_seed=seed,
        epsilon_recorded=example.epsilon_lower,
        epsilon_again=bound_again,
        epsilon_fresh=bound_fresh,
        refuted_again=bound_again > example.claim.level,
        refuted_fresh=bound_fresh > example.claim.level,
    )


def _counts(
    example: Counterexample,
    target: Target,
    datasets: tuple[Any, ...],
    seed: int,
    executor: Executor,
) -> Counts:
    tasks = [
        Task(target, datasets, example.pair, chunk, size, seed, example.event)
        for chunk, size in enumerate(sizes(example.runs))
    ]
    tallies = (done.tally for done in executor.map(tasks))
    return example.event.counts_of(reduce(operator.add, tallies))
