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
from typing import Any, Unpack

import numpy as np

from provedp.verify.audit.events.event import Event
from provedp.verify.audit.events.learning import candidates
from provedp.verify.audit.events.tallies import Tally, total
from provedp.verify.audit.events.thresholds import best_thresholds
from provedp.verify.audit.procedures.audit import planned
from provedp.verify.audit.procedures.confirmation import confirmed
from provedp.verify.audit.procedures.fixed_runs import counted, learning_outputs
from provedp.verify.audit.procedures.states import AimedEvent, ProfileState
from provedp.verify.audit.results.profile import CountedEvent, ProfileResult, profile_result
from provedp.verify.audit.runs.options import OptionKeywords, Options
from provedp.verify.audit.runs.plan import Plan
from provedp.verify.audit.statistics.exact_test import Counts
from provedp.verify.audit.statistics.regions import PRIOR, arc_for
from provedp.verify.audit.targets.outputs import Batch
from provedp.verify.notions.notions import ApproximateDP, PrivacyNotion
from provedp.verify.notions.profile_point import DeltaAt

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
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> ProfileResult:
    """Bound the whole privacy profile of a mechanism from below by running it.

    Parameters
    ----------
    what, pairs
        As for `audit`.
    claims
        Points (ε, δ) of a claimed profile as `ApproximateDP`s, or claims of other notions; half of
        the error is spent on events that are learned for them. There may be none.
    options, **keywords
        As for `audit`; the confidence is that of all bounds of the result together, for all ε, δ
        and notions, and the number of runs is fixed.

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
    chosen = (options or Options()).but(**keywords)
    if chosen.sequential:
        raise ValueError("The 'sequential' parameter must be False for audit_profile.")
    with planned(what, pairs, claims[0] if claims else ApproximateDP(0.0), chosen) as plan:
        state = plan.saved(ProfileState.from_record) or _learned(plan, claims)
        done = counted(plan, state)
        events = _counted_events(plan, state, total([each.tally for each in done]))
        result = profile_result(plan, claims, state.pair, events, state.checks)
        return confirmed(plan, result, state.countable, done)


def _counted_events(plan: Plan, state: ProfileState, tally: Tally) -> list[CountedEvent]:
    errors = _errors(1 - plan.options.confidence, state.claimed, len(state.aimed))
    return [
        CountedEvent(aimed.event, aimed.event.counts_of(tally, index), error, aimed.arc)
        for index, (aimed, error) in enumerate(zip(state.aimed, errors, strict=True))
    ]


def _errors(error: float, claimed: int, events: int) -> list[float]:
    """Share the error: the events of claims have one part, all others the rest, evenly."""
    others = events - claimed
    if 0 in (claimed, others):
        return [error / events] * events
    own = CLAIMED_SHARE * error / claimed
    return [own] * claimed + [(1 - CLAIMED_SHARE) * error / others] * others


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


def _learned(plan: Plan, claims: Sequence[PrivacyNotion]) -> ProfileState:
    """Learn events on each pair; return the state of an audit of the most promising one."""
    aims, checks = [], []
    for each in learning_outputs(plan):
        aims.append(list(_aims(_learner(each.first, each.second, plan), claims)))
        checks.append(each.checks)
    levels = np.array([[aim.level for aim in of_pair] for of_pair in aims])
    shares = levels / np.maximum(levels.max(axis=0), LEAST)
    pair = int(np.argmax(shares.sum(axis=1)))
    own, others = _grouped(aims[pair][: len(claims)]), _grouped(aims[pair][len(claims) :])
    known = [each.event for each in own]
    aimed = (*own, *(each for each in others if each.event not in known))
    state = ProfileState(pair, aimed, len(own), {}, checks[pair])
    plan.save(state.record())
    return state


def _grouped(aims: Sequence[Aim]) -> list[AimedEvent]:
    """Return each event once, with an arc of directions for all that it is aimed at."""
    grouped: list[AimedEvent] = []
    for aim in aims:
        if aim.event not in [each.event for each in grouped]:
            same = [other for other in aims if other.event == aim.event]
            least = min(other.ratios[0] for other in same) / WIDER
            most = max(other.ratios[1] for other in same) * WIDER
            grouped.append(AimedEvent(aim.event, arc_for(aim.counts, least, most)))
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
    scored = list(candidates(first, second, plan.options.channel))
    if not scored:
        raise ValueError("The outputs hold nothing that this channel looks at.")

    def learn(target: PrivacyNotion) -> Aim:
        thresholds = [best_thresholds(p, q, target, plan.options.runs) for _, p, q in scored]
        best = max(range(len(scored)), key=lambda index: thresholds[index].level)
        event = Event(scored[best][0], thresholds[best].high, thresholds[best].low)
        runs = len(first), len(second)
        counts = event.counts_of(Tally(runs, event.counts(first), event.counts(second)))
        return Aim(event, thresholds[best].level, counts, _ratios(target, counts))

    return learn


def _ratios(target: PrivacyNotion, counts: Counts) -> tuple[float, float]:
    """Return the range of k = e^ε that matters to a target, judged by earlier counts."""
    p, q = (counts.x + PRIOR) / (counts.n + 2 * PRIOR), (counts.y + PRIOR) / (counts.m + 2 * PRIOR)
    if isinstance(target, DeltaAt):
        return math.exp(target.epsilon), math.exp(target.epsilon)
    if isinstance(target, ApproximateDP):
        ratio, claimed = max((p - target.delta) / q, 1.0), math.exp(target.epsilon)
        return (ratio, ratio) if claimed == 1 else (min(ratio, claimed), max(ratio, claimed))
    return 1.0, max(p / q, 1.0)


def _require_claim(claim: Any) -> None:
    if not hasattr(claim, "least_level"):
        raise ValueError(
            "The 'claims' parameter of audit_profile must hold claims such as ApproximateDP(1.0,"
            f" 1e-6). Got {claim!r} instead."
        )
