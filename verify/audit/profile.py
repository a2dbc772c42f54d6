"""The whole privacy profile from runs: bounds on δ for all ε, on ε for all δ, on μ, ρ, … at once.

Several events are learned, each for another part of the profile, and all are counted on the same
fresh runs. Each has a joint confidence region of its two probabilities (see `regions`); with the
errors of the regions adding up to 1 − confidence, all of them hold at once. Whatever follows from
the regions then holds at once, too: δ(ε) ≥ P(A) − e^ε Q(A) for every ε and every event. (To test
each ε by itself and join the answers would not do that: every test has an error of its own.)
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provedp.verify.audit.auditor import planned
from provedp.verify.audit.delta_at import DeltaAt
from provedp.verify.audit.events import Event, candidates, event_from
from provedp.verify.audit.fixed import counted, learning_outputs
from provedp.verify.audit.notions import ApproximateDP, Claim
from provedp.verify.audit.outputs import Batch
from provedp.verify.audit.plan import USUAL_RUNS, Checkpoint, Plan, Progress
from provedp.verify.audit.profile_result import ProfileResult, profile_result
from provedp.verify.audit.result import counts_of
from provedp.verify.audit.runs import Executor
from provedp.verify.audit.thresholds import best_thresholds

DELTAS = (0.0, 1e-3, 2e-2)  # at which events are learned for ε …
EPSILONS = (0.0,)  # … and ε at which they are learned for δ
BETWEEN = (0.1, 0.25, 0.5)  # parts of the largest ε that was learned, for more of these
CLAIMED_SHARE = 0.5  # of the error, for the events of the claims

Search = Callable[[Claim], tuple[Event, float]]


def audit_profile(
    what: Any,
    pairs: Any,
    claims: Sequence[Claim] = (),
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
        listed = list(zip(events, counts, errors, strict=True))
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


def _learned(plan: Plan, claims: Sequence[Claim]) -> dict[str, Any]:
    """Learn events on each pair; return the state of an audit of the most promising one."""
    found = [
        dict(_events(_search(first, second, plan), claims))
        for first, second in learning_outputs(plan)
    ]
    best = np.max([[level for _, level in each.values()] for each in found], axis=0)
    score = [
        sum(level / most for (_, level), most in zip(each.values(), best, strict=True) if most > 0)
        for each in found
    ]
    pair = int(np.argmax(score))
    named = [event.record() for event, _ in found[pair].values()]
    claimed = _distinct(named[: len(claims)])
    others = [each for each in _distinct(named[len(claims) :]) if each not in claimed]
    state = {"pair": pair, "events": claimed + others, "claimed": len(claimed), "done": {}}
    if plan.checkpoint:
        plan.checkpoint.save(state)
    return state


def _events(search: Search, claims: Sequence[Claim]) -> Iterator[tuple[int, tuple[Event, float]]]:
    """Yield events for the claims, and for points that cover the profile, with what they promise.

    The points between 0 and the largest ε depend on what was learned.
    """
    targets: list[Claim] = [*claims, *(ApproximateDP(0.0, delta) for delta in DELTAS)]
    targets += [DeltaAt(epsilon) for epsilon in EPSILONS]
    levels = []
    for place, target in enumerate(targets):
        event, level = search(target)
        levels.append(level)
        yield place, (event, level)
    widest = min(levels[len(claims)], 700.0)
    for place, part in enumerate(BETWEEN, start=len(targets)):
        yield place, search(DeltaAt(part * widest))


def _search(first: Batch, second: Batch, plan: Plan) -> Search:
    """Return what finds the event with the highest bound to be expected on a notion."""
    scored = list(candidates(first, second, plan.channel))
    if not scored:
        raise ValueError("The outputs hold nothing that this channel looks at.")

    def search(target: Claim) -> tuple[Event, float]:
        found = [best_thresholds(p, q, target, plan.runs) for _, p, q in scored]
        best = max(range(len(found)), key=lambda place: found[place].level)
        return Event(scored[best][0], found[best].high, found[best].low), found[best].level

    return search


def _distinct(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for place, each in enumerate(records) if each not in records[:place]]


def _require_claim(claim: Any) -> None:
    if not hasattr(claim, "least_level"):
        raise ValueError(
            "The 'claims' parameter of audit_profile must hold claims such as ApproximateDP(1.0,"
            f" 1e-6). Got {claim!r} instead."
        )
