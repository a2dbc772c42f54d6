"""Refutations that anyone can repeat: a record of the pair, the event and the seed, and its replay.

A replay counts the same event twice: in runs from the recorded seed, which are the recorded runs
(unless the audit was sequential), and in as many fresh ones. The fresh runs are a test of their
own, valid whatever led to the event.
"""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from provedp.verify.audit.bounds import Counts, lower_bound
from provedp.verify.audit.data_records import data_from, data_record
from provedp.verify.audit.events import event_from
from provedp.verify.audit.notions import Claim, claim_from, record_of
from provedp.verify.audit.pairs import Pair
from provedp.verify.audit.result import AuditResult, counts_of
from provedp.verify.audit.runs import Executor, Serial, Task, run_task, sizes
from provedp.verify.audit.targets import Target, program
from provedp.verify.audit.targets import target as target_named

FORMAT = "provedp counterexample 1"
SEEDS = 2**63
MOST_AFTER_SEQUENTIAL = 20_000  # runs of a replay
FIELDS = ("epsilon_lower", "confidence", "channel", "event", "seed", "p_value")
NEEDED = ("target", "claim", "first", "second", "pair", "event_record", "counts", "runs")


@dataclass(frozen=True)
class Replay:
    """What came of a replay.

    Attributes
    ----------
    recorded, again, fresh
        Counts as recorded (None if they are of more than one event), from the recorded seed, from a
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
    result: AuditResult, target: Target, pair: Pair, claim: Claim, most: int | None = None
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
    return {
        "format": FORMAT,
        "target": {"kind": target.kind, "name": target.name},
        "claim": record_of(claim),
        "first": data_record(pair.first),
        "second": data_record(pair.second),
        "pair": result.pair,
        "event_record": result.event_record,
        "counts": asdict(counts) if most is None else None,
        "runs": counted if most is None else max(counted, min(most, MOST_AFTER_SEQUENTIAL)),
        **{name: getattr(result, name) for name in FIELDS},
    }


def target_of(record: dict[str, Any], **limits: Any) -> Target:
    """Return the target of a counterexample, found from the current directory.

    Parameters
    ----------
    record
        As `counterexample_of` wrote it.
    limits
        `timeout` and `memory`, as for `targets.target`.

    Raises
    ------
    ValueError
        If the record is no counterexample.
    """
    require_counterexample(record)
    kind, name = record["target"]["kind"], record["target"]["name"]
    if kind == "reference":
        return target_named(name, **limits)
    return program(name, once=kind == "once", **limits)


def replay(
    record: dict[str, Any],
    target: Target,
    *,
    fresh_seed: int | None = None,
    executor: Executor | None = None,
) -> Replay:
    """Count the event of a counterexample again.

    Parameters
    ----------
    record
        As `counterexample_of` wrote it.
    target
        What to run, usually `target_of(record, …)`.
    fresh_seed
        Of the fresh runs; drawn if None.
    executor
        Who runs them; one child by default.

    Raises
    ------
    ValueError
        If the record is no counterexample.
    TargetError
        If the target fails.
    """
    require_counterexample(record)
    data = (data_from(record["first"]), data_from(record["second"]))
    claim, recorded = claim_from(record["claim"]), record["counts"]
    seed = secrets.randbelow(SEEDS) if fresh_seed is None else fresh_seed
    datasets = data * (record["pair"] + 1)  # chunk seeds depend on the place of the pair
    own = Serial(target, datasets) if executor is None else None
    who: Executor = own if executor is None else executor  # type: ignore[assignment]
    try:
        again, fresh = (
            _counts(record, target, datasets, each, who) for each in (record["seed"], seed)
        )
    finally:
        if own is not None:
            own.close()
    bound_again, bound_fresh = (lower_bound(c, claim, record["confidence"]) for c in (again, fresh))
    return Replay(
        recorded=None if recorded is None else Counts(**recorded),
        again=again,
        fresh=fresh,
        fresh_seed=seed,
        epsilon_recorded=record["epsilon_lower"],
        epsilon_again=bound_again,
        epsilon_fresh=bound_fresh,
        refuted_again=bound_again > claim.level,
        refuted_fresh=bound_fresh > claim.level,
    )


def require_counterexample(record: Any) -> None:
    """Raise `ValueError` unless `record` has all parts of a counterexample."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ValueError(f"It is no {FORMAT!r} file.")
    missing = [name for name in (*NEEDED, *FIELDS) if name not in record]
    if missing:
        raise ValueError(f"The counterexample lacks {', '.join(missing)}.")


def _counts(
    record: dict[str, Any],
    target: Target,
    datasets: Sequence[Any],
    seed: int,
    executor: Executor,
) -> Counts:
    event = event_from(record["event_record"])
    tasks = [
        Task(target, tuple(datasets), record["pair"], chunk, size, seed, event)
        for chunk, size in enumerate(sizes(record["runs"]))
    ]
    done = [(*each.runs, *(each.counts or ())) for each in executor.map(run_task, tasks)]
    return counts_of(event, [sum(column) for column in zip(*done, strict=True)])
