"""What an audit found."""

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
from provedp.verify.audit.statistics.power import power_against

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
    notion, claim
        What is bounded; the claim in words.
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
    checks
        What was found about the independence of the runs; empty if they were not checked.
    check_runs
        Runs beyond `runs` that only the checks needed.
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
    checks: tuple[Diagnostic, ...] = ()
    check_runs: int = 0

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


def fixed_result(
    plan: Plan, event: Event, pair: int, counts: Counts, checks: tuple[Diagnostic, ...] = ()
) -> AuditResult:
    """Return the result of an audit with a fixed number of runs."""
    confidence, runs = plan.options.confidence, plan.options.runs
    bound, error = lower_bound(counts, plan.claim, confidence), 1 - confidence
    return AuditResult(
        refuted=bound > plan.claim.level,
        epsilon_lower=bound,
        confidence=confidence,
        notion=plan.claim.notion,
        claim=str(plan.claim),
        p_value=p_value(counts, plan.claim, min(NUISANCE, NUISANCE_SHARE * error), error),
        channel=plan.options.channel,
        event=event.words,
        pair=pair,
        counts=counts,
        runs=2 * runs,
        resolution=3 / min(counts.n, runs),
        power={f"{c:g}": power_against(c, counts, plan.claim, confidence) for c in FACTORS},
        seed=plan.options.seed,
        target=plan.target.name,
        event_record=event.record(),
        checks=checks,
    )
