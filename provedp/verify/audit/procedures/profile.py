"""The whole privacy profile from runs: bounds on δ for all ε, on ε for all δ, on μ, ρ, … at once.

Several events are learned, each for another part of the profile, and all are counted on the same
fresh runs. Each has a joint confidence region of its two probabilities (see `regions`); with the
errors of the regions adding up to 1 − confidence, all of them hold at once. Whatever follows from
the regions then holds at once, too: δ(ε) ≥ P(A) − e^ε Q(A) for every ε and every event. (To test
each ε by itself and join the answers would not do that: every test has an error of its own.)
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provedp.verify.audit.events.learning import Event, candidates, event_from
from provedp.verify.audit.events.thresholds import best_thresholds
from provedp.verify.audit.notions.notions import ApproximateDP, PrivacyNotion
from provedp.verify.audit.notions.profile_point import DeltaAt
from provedp.verify.audit.procedures.audit import planned
from provedp.verify.audit.procedures.fixed_runs import counted, learning_outputs
from provedp.verify.audit.results.profile import ProfileResult, profile_result
from provedp.verify.audit.results.result import counts_of
from provedp.verify.audit.runs.chunks import Executor
from provedp.verify.audit.runs.plan import USUAL_RUNS, Checkpoint, Plan, Progress
from provedp.verify.audit.statistics.exact_test import Counts
from provedp.verify.audit.statistics.regions import PRIOR, arc_for
from provedp.verify.audit.targets.outputs import Batch

DELTAS = (0.0, 1e-3, 2e-2)  # at which events are learned for ε, the largest first …
BETWEEN = (0.0, 0.1, 0.25, 0.5)  # … and parts of that ε at which they are learned for δ
CLAIMED_SHARE = 0.5  # of the error, for the events of the claims
WIDER = 1.25  # factor by which the ratios that an event is meant for are extended
HIGHEST = 35.0  # ε beyond which no event is learned for δ
LEAST = 1e-300

Learner = Callable[[PrivacyNotion], "Aim"]


def audit_profile(
    what: Any,
    pairs: Any,
    claims: Sequence[PrivacyNotion] = (),
    *,
    runs: int = USUAL_RUNS,
    confidence: float = 0.95,
    adjacency: str = "any",
    channel: str = "value",
    seed: int = 0,
    workers: int = 1,
    executor: Executor | None = None,
    checkpoint: Checkpoint | None = None,
    progress: Progress | None = None,
) -> ProfileResult:
    """Bound the whole privacy profile of a mechanism from below by running it.

    Parameters
    ----------
    what, pairs, runs, adjacency, channel, seed, workers, executor, checkpoint, progress
        As for `audit`.
    claims
        Points (ε, δ) of a claimed profile as `ApproximateDP`s, or claims of other notions; half of
        the error is spent on events that are learned for them. There may be none.
    confidence
        Of all bounds of the result together, for all ε, δ and notions.

    Returns
    -------
    A `ProfileResult`; for one ε or δ that is known beforehand, `audit` gives a higher bound.

    Raises
    ------
    ValueError
        If the request is wrong.
    TargetError
        If the target fails; the message is its own error.

    >>> def noisy_count(data, rng, count):
    ...     return data + rng.laplace(scale=0.5, size=count)
    >>> result = audit_profile(noisy_count, (0, 1), [ApproximateDP(1.0, 0.1)], runs=4000)
    >>> result.refuted, result.delta_lower(1.0) > 0.3, result.epsilon_lower(0.01) > 1.5
    (True, True, True)
    """
    for claim in claims:
        _require_claim(claim)
    with planned(
        "audit_profile",
        what,
        pairs,
        claims[0] if claims else ApproximateDP(0.0),
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
        state = (checkpoint.load() if checkpoint else None) or _learned(plan, claims)
        events = [event_from(each) for each in state["events"]]
        sums = counted(plan, Events(tuple(events)), state)
        counts = [counts_of(event, _columns(sums, place)) for place, event in enumerate(events)]
        errors = _errors(1 - confidence, state["claimed"], len(events))
        arcs = [(low, high) for low, high in state["arcs"]]
        listed = list(zip(events, counts, errors, arcs, strict=True))
        return profile_result(plan, claims, state["pair"], listed)


@dataclass(frozen=True)
class Events:
    """Several events that are counted on the same runs."""

    events: tuple[Event, ...]

    def sides(self, batch: Batch) -> tuple[int, ...]:
        """Return how many runs speak for the first and for the second data set, event by event."""
        return tuple(count for event in self.events for count in event.sides(batch))


def _errors(error: float, claimed: int, events: int) -> list[float]:
    """Share the error: the events of claims have one part, all others the rest, evenly."""
    others = events - claimed
    if 0 in (claimed, others):
        return [error / events] * events
    own = CLAIMED_SHARE * error / claimed
    return [own] * claimed + [(1 - CLAIMED_SHARE) * error / others] * others


def _columns(sums: list[int], place: int) -> list[int]:
    """Return the runs and the counts of one event out of those of all."""
    half = (len(sums) - 2) // 2
    first, second = sums[2 : 2 + half], sums[2 + half :]
    here = slice(2 * place, 2 * place + 2)
    return [*sums[:2], *first[here], *second[here]]


@dataclass(frozen=True)
class Aim:
    """An event that was learned for one target, with what it promises.

    `counts` are those of the runs that it was learned from; `ratios` the k = e^ε at which its
    P(A) − k Q(A) matters to the target.
    """

    event: Event
    level: float
    counts: Counts
    ratios: tuple[float, float]


def _learned(plan: Plan, claims: Sequence[PrivacyNotion]) -> dict[str, Any]:
    """Learn events on each pair; return the state of an audit of the most promising one."""
    found = [
        list(_aims(_learner(first, second, plan), claims))
        for first, second in learning_outputs(plan)
    ]
    levels = np.array([[aim.level for aim in aims] for aims in found])
    shares = levels / np.maximum(levels.max(axis=0), LEAST)
    pair = int(np.argmax(shares.sum(axis=1)))
    own, others = _grouped(found[pair][: len(claims)]), _grouped(found[pair][len(claims) :])
    known = [each["event"] for each in own]
    listed = [*own, *(each for each in others if each["event"] not in known)]
    state = {
        "pair": pair,
        "events": [each["event"] for each in listed],
        "arcs": [each["arc"] for each in listed],
        "claimed": len(own),
        "done": {},
    }
    if plan.checkpoint:
        plan.checkpoint.save(state)
    return state


def _grouped(aims: Sequence[Aim]) -> list[dict[str, Any]]:
    """Return each event once, with an arc of directions for all that it is aimed at."""
    records = [aim.event.record() for aim in aims]
    grouped = []
    for place, record in enumerate(records):
        if record not in records[:place]:
            same = [aim for aim, other in zip(aims, records, strict=True) if other == record]
            least = min(aim.ratios[0] for aim in same) / WIDER
            most = max(aim.ratios[1] for aim in same) * WIDER
            grouped.append({"event": record, "arc": arc_for(same[0].counts, least, most)})
    return grouped


def _aims(learn: Learner, claims: Sequence[PrivacyNotion]) -> Iterator[Aim]:
    """Yield events for the claims, and for points that cover the profile.

    The points between 0 and the largest ε depend on what was learned.
    """
    yield from map(learn, claims)
    cover = [learn(ApproximateDP(0.0, delta)) for delta in DELTAS]
    yield from cover
    for part in BETWEEN:
        yield learn(DeltaAt(part * min(cover[0].level, HIGHEST)))


def _learner(first: Batch, second: Batch, plan: Plan) -> Learner:
    """Return what finds the event with the highest bound to be expected on a notion."""
    scored = list(candidates(first, second, plan.channel))
    if not scored:
        raise ValueError("The outputs hold nothing that this channel looks at.")

    def learn(target: PrivacyNotion) -> Aim:
        found = [best_thresholds(p, q, target, plan.runs) for _, p, q in scored]
        best = max(range(len(found)), key=lambda place: found[place].level)
        event = Event(scored[best][0], found[best].high, found[best].low)
        sums = [len(first), len(second), *event.sides(first), *event.sides(second)]
        counts = counts_of(event, sums)
        return Aim(event, found[best].level, counts, _ratios(target, counts))

    return learn


def _ratios(target: PrivacyNotion, counts: Counts) -> tuple[float, float]:
    """Return the range of k = e^ε that matters to a target, judged by earlier counts."""
    p, q = (counts.x + PRIOR) / (counts.n + 2 * PRIOR), (counts.y + PRIOR) / (counts.m + 2 * PRIOR)
    if isinstance(target, DeltaAt):
        return math.exp(target.epsilon), math.exp(target.epsilon)
    if isinstance(target, ApproximateDP):
        found, claimed = max((p - target.delta) / q, 1.0), math.exp(target.epsilon)
        return (found, found) if claimed == 1 else (min(found, claimed), max(found, claimed))
    return 1.0, max(p / q, 1.0)


def _distinct(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for place, each in enumerate(records) if each not in records[:place]]


def _require_claim(claim: Any) -> None:
    if not hasattr(claim, "least_level"):
        raise ValueError(
            "The 'claims' parameter of audit_profile must hold claims such as ApproximateDP(1.0,"
            f" 1e-6). Got {claim!r} instead."
        )
