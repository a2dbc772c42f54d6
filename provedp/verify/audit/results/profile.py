"""What an audit of a whole privacy profile found."""

import functools
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from provedp.theory.arrays import Floats
from provedp.theory.domain import check_float, reals
from provedp.verify.audit.events.event import Event
from provedp.verify.audit.runs.independence import Diagnostic
from provedp.verify.audit.runs.plan import Plan
from provedp.verify.audit.statistics.exact_test import Counts
from provedp.verify.audit.statistics.regions import ConfidenceRegion, region
from provedp.verify.notions.notions import ApproximateDP, GaussianDP, PrivacyNotion
from provedp.verify.notions.profile_point import DeltaAt

ROUNDING = 1e-12  # relative error of a level from a corner, with room to spare
SHOWN_DELTAS = (0.0, 1e-6, 1e-4, 1e-2, 0.1)
SHOWN_EPSILONS = (0.0, 0.5, 1.0, 2.0, 4.0)
ALPHA = reals(0, 1)
EPSILON_MAX = 40.0  # of the grid for the trade-off function
POINTS = 2048


@dataclass(frozen=True)
class Counted:
    """An event in words, its counts, and the error of its region."""

    event: str
    counts: Counts
    error: float


@dataclass(frozen=True)
class CountedEvent:
    """An event, its counts, the part of the error that it may take, and the arc of its region."""

    event: Event
    counts: Counts
    error: float
    arc: tuple[float, float]


@dataclass(frozen=True)
class Verdict:
    """What the profile says about one claim."""

    claim: str
    notion: str
    claimed: float
    lower: float

    @property
    def refuted(self) -> bool:
        """Whether the bound is above the claim."""
        return self.lower > self.claimed


@dataclass(frozen=True)
class ProfileResult:
    """Bounds that hold all at once.

    Attributes
    ----------
    confidence
        That all of them hold, for all ε, δ, α and notions.
    verdicts
        About the claims, in their order.
    events
        What was counted.
    channel, pair, runs, resolution, seed, target, checks, check_runs, processes
        As in `AuditResult`.
    regions
        The confidence region of each event.
    """

    confidence: float
    verdicts: tuple[Verdict, ...]
    events: tuple[Counted, ...]
    channel: str
    pair: int
    runs: int
    resolution: float
    seed: int
    target: str
    regions: tuple[ConfidenceRegion, ...] = field(repr=False)
    checks: tuple[Diagnostic, ...] = ()
    check_runs: int = 0
    processes: int = 0

    @property
    def refuted(self) -> bool:
        """Whether some claim is."""
        return any(verdict.refuted for verdict in self.verdicts)

    def level_lower(self, claim: PrivacyNotion) -> float:
        """Return a lower bound on the parameter of a notion: ε at δ, δ at ε, μ, ρ and others."""
        return _level(self.regions, claim)

    def epsilon_lower(self, delta: float) -> float:
        """Return a lower bound on the least ε at δ in [0, 1); 0 says nothing."""
        return self.level_lower(ApproximateDP(0.0, delta))

    def delta_lower(self, epsilon: float) -> float:
        """Return a lower bound on the least δ at ε ≥ 0; 0 says nothing."""
        return self.level_lower(DeltaAt(epsilon))

    def trade_off_upper(self, alpha: float) -> float:
        """Return an upper bound on the type II error at a type I error of α, for both directions.

        T(α) = sup over ε ≥ 0 of max(1 − δ(ε) − e^ε α, e^(−ε)(1 − δ(ε) − α)) for the convex function
        that is its own inverse (Dong, Roth and Su, Proposition 2.12). Between two ε of a grid, the
        δ of the larger one and the rest of the smaller one are a bound.
        """
        at = check_float("trade_off_upper", "alpha", ALPHA, alpha)
        epsilons, deltas = self._curve
        later = np.append(deltas[1:], 0.0)
        steep = 1 - later - np.exp(epsilons) * at
        flat = np.exp(-epsilons) * (1 - later - at)
        return float(np.clip(np.max([steep, flat]) * (1 + ROUNDING), 0.0, 1 - at))

    @functools.cached_property
    def _curve(self) -> tuple[Floats, Floats]:
        """The bounds on δ on a grid of ε, beyond which they are 0."""
        epsilons = np.linspace(0.0, min(self.epsilon_lower(0.0), EPSILON_MAX), POINTS)
        ratios = np.exp(epsilons)[:, None]
        lower = [np.min(each.p - ratios * each.q, axis=1) for each in self.regions]
        return epsilons, np.maximum(np.max(lower, axis=0) - ROUNDING, 0.0)

    def record(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        return {
            "refuted": self.refuted,
            "confidence": self.confidence,
            "claims": [{**vars(each), "refuted": each.refuted} for each in self.verdicts],
            "epsilon_lower": [[d, self.epsilon_lower(d)] for d in SHOWN_DELTAS],
            "delta_lower": [[e, self.delta_lower(e)] for e in SHOWN_EPSILONS],
            "mu_lower": self.level_lower(GaussianDP(0.0)),
            "events": [asdict(each) for each in self.events],
            "channel": self.channel,
            "pair": self.pair,
            "runs": self.runs,
            "resolution": self.resolution,
            "seed": self.seed,
            "target": self.target,
            "checks": list(map(asdict, self.checks)),
            "check_runs": self.check_runs,
            "processes": self.processes,
        }

    def __str__(self) -> str:
        epsilons = ", ".join(f"{self.epsilon_lower(d):.4g} at {d:g}" for d in SHOWN_DELTAS)
        deltas = ", ".join(f"{self.delta_lower(e):.4g} at {e:g}" for e in SHOWN_EPSILONS)
        verdicts = "".join(f"{sentence(each)} " for each in self.verdicts)
        return (
            f"{self.target}: {verdicts}epsilon >= {epsilons}; delta >= {deltas}; all at confidence"
            f" {self.confidence:g}, from {self.runs} runs. Events rarer than {self.resolution:.1e}"
            " cannot be seen."
        )


def profile_result(
    plan: Plan,
    claims: Sequence[PrivacyNotion],
    pair: int,
    counted: Sequence[CountedEvent],
    checks: tuple[Diagnostic, ...] = (),
) -> ProfileResult:
    """Return the result of an audit.

    Parameters
    ----------
    plan, claims
        What was asked for.
    pair
        Which pair was counted.
    counted
        The events and their counts.
    checks
        What was found about the runs.
    """
    regions = tuple(region(each.counts, each.error, each.arc) for each in counted)
    return ProfileResult(
        confidence=plan.options.confidence,
        verdicts=tuple(
            Verdict(str(each), each.notion, each.level, _level(regions, each)) for each in claims
        ),
        events=tuple(Counted(each.event.words, each.counts, each.error) for each in counted),
        channel=plan.options.channel,
        pair=pair,
        runs=2 * plan.options.runs,
        resolution=3 / plan.options.runs,
        seed=plan.options.seed,
        target=plan.target.name,
        regions=regions,
        checks=checks,
        processes=plan.most_processes,
    )


def _level(regions: Sequence[ConfidenceRegion], claim: PrivacyNotion) -> float:
    """Return the level that every event needs at the worst of its corners: the largest of them."""
    lower = [float(np.min(claim.least_level(each.p, each.q))) for each in regions]
    return max(0.0, *lower) * (1 - ROUNDING)


def sentence(verdict: Verdict) -> str:
    """Return a verdict in words."""
    word = "REFUTED" if verdict.refuted else "not refuted"
    return f"{verdict.claim} {word} ({verdict.notion} >= {verdict.lower:.4g})."
