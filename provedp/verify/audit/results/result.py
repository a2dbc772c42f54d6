"""What an audit found."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from provedp.verify.audit.events.event import Event
from provedp.verify.audit.runs.independence import Diagnostic
from provedp.verify.audit.runs.plan import Plan
from provedp.verify.audit.statistics.exact_test import (
    NUISANCE,
    NUISANCE_SHARE,
    Counts,
    lower_bound,
    p_value,
)
from provedp.verify.audit.statistics.power import (
    found_from,
    power_against,
    rarest_event,
)
from provedp.verify.notions.notions import PrivacyNotion

FACTORS = (1.1, 1.5, 2.0)


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
    notion, claim, claimed
        What is bounded; the claim in words, and its level.
    p_value
        Of the claim.
    channel
        'value' (outputs as numbers and categories), 'bits' (their lowest bits) or 'time' (seconds).
    event
        In words.
    pair
        The index of the pair among those given, from 0.
    counts
        x of n runs on one data set and y of m on the other; folded ones as in `bounds`.
    runs
        Runs on both data sets of all pairs together, those that were learned from included.
    resolution
        The least probability that an event which never happens on one data set must have on the
        other to refute this claim with probability 1/2, once it is learned: see `rarest_event`.
    power
        The probability with which the same event would have refuted the claim, had the level been
        1.1, 1.5 and 2 times the claim and the fault shown in this event. It says nothing about
        faults that show elsewhere.
    found_from
        The least multiple of the claim at which that probability is 0.9, infinite if there is none.
    seed
        Of the runs.
    target
        Its name.
    event_record
        The event as JSON data, to be replayed.
    checks
        What was found about the independence of the runs; empty if they were not checked.
    check_runs
        Runs beyond `runs` that only the checks needed.
    processes
        Fresh processes that might be started for one purpose: see `Options`.
    """

    refuted: bool
    epsilon_lower: float
    confidence: float
    notion: str
    claim: str
    claimed: float
    p_value: float
    channel: str
    event: str
    pair: int
    counts: Counts
    runs: int
    resolution: float
    power: dict[str, float]
    found_from: float
    seed: int
    target: str
    event_record: dict[str, Any]
    checks: tuple[Diagnostic, ...] = ()
    check_runs: int = 0
    processes: int = 0

    def record(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        found_from = self.found_from if math.isfinite(self.found_from) else None
        return {**asdict(self), "found_from": found_from}

    @property
    def bound(self) -> str:
        """The bound in words, with as many digits as put it above a claim that is refuted."""
        if self.refuted and self.epsilon_lower <= self.claimed:
            return f"{self.notion} > {self.claimed:g}"
        shown = (f"{self.epsilon_lower:.{digits}g}" for digits in range(4, 18))
        enough = (text for text in shown if not self.refuted or float(text) > self.claimed)
        return f"{self.notion} >= {next(enough, repr(self.epsilon_lower))}"

    def __str__(self) -> str:
        verdict = "REFUTED" if self.refuted else "not refuted"
        return (
            f"{self.claim} of {self.target}: {verdict}. {self.bound}"
            f" at confidence {self.confidence:g}, from {self.runs} runs; event: {self.event}."
            f" Events rarer than {self.resolution:.1e} cannot refute this claim."
        )


def sight(counts: Counts, claim: PrivacyNotion, confidence: float) -> dict[str, Any]:
    """Return the fields `resolution`, `power` and `found_from` of a result."""
    runs = counts.n // 2 if counts.folded else min(counts.n, counts.m)
    power = {f"{c:g}": power_against(c, counts, claim, confidence) for c in FACTORS}
    found = found_from(counts, claim, confidence) if claim.level > 0 else math.inf
    return {
        "resolution": rarest_event(claim, max(1, runs), confidence),
        "power": power,
        "found_from": found,
    }


def fixed_result(
    plan: Plan, event: Event, pair: int, counts: Counts, checks: tuple[Diagnostic, ...] = ()
) -> AuditResult:
    """Return the result of an audit with a fixed number of runs."""
    return counted_result(
        counts,
        plan.claim,
        plan.options.confidence,
        channel=plan.options.channel,
        event=event.words,
        pair=pair,
        runs=2 * plan.options.runs,
        seed=plan.options.seed,
        target=plan.target.name,
        event_record=event.record(),
        checks=checks,
        processes=plan.most_processes,
    )


def counted_result(
    counts: Counts, claim: PrivacyNotion, confidence: float, **others: Any
) -> AuditResult:
    """Return the result of counting one event; `others` are the fields that it does not decide."""
    bound, error = lower_bound(counts, claim, confidence), 1 - confidence
    return AuditResult(
        refuted=bound > claim.level,
        epsilon_lower=bound,
        confidence=confidence,
        notion=claim.notion,
        claim=str(claim),
        claimed=claim.level,
        p_value=p_value(counts, claim, min(NUISANCE, NUISANCE_SHARE * error), error),
        counts=counts,
        **sight(counts, claim, confidence),
        **others,
    )
