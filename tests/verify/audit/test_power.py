"""The power stated against simulations of the whole decision, and at its ends."""

import math

import numpy as np
import pytest
from scipy import stats

from provedp.verify.audit.statistics.exact_test import Counts, lower_bound
from provedp.verify.audit.statistics.power import found_from, power_against, rarest_event
from provedp.verify.notions.notions import (
    ApproximateDP,
    GaussianDP,
    PrivacyNotion,
    ZeroConcentratedDP,
)

STATED = 0.03  # error of the power by its docstring
ERRORS = 4  # standard errors of the simulation, exceeded with probability 6e-5
PURE, RARE = ApproximateDP(1.0), ApproximateDP(1.0, 0.002)


@pytest.mark.parametrize(
    ("claim", "factor", "p", "q", "runs", "folded"),
    [
        (PURE, 2.0, 0.02, 0.02 * math.exp(-2), 1000, False),
        (PURE, 2.0, 0.004, 0.004 * math.exp(-2), 2000, False),
        (PURE, 1.3, 0.5, 0.5 * math.exp(-1.3), 120, False),
        (RARE, 1.5, 0.006, 0.004 * math.exp(-1.5), 10_000, False),
        (RARE, 2.0, 0.002, 0.0, 10_000, False),
        (PURE, 1.5, 0.012, 0.012 * math.exp(-1.5), 1000, True),
        (PURE, 1.1, 0.35, 0.35 * math.exp(-1.1), 1000, True),
        (ApproximateDP(1.0, 0.01), 1.5, 0.04, 0.03 * math.exp(-1.5), 1000, True),
    ],
)
def test_power_is_the_share_of_refutations(
    claim: PrivacyNotion, factor: float, p: float, q: float, runs: int, folded: bool
) -> None:
    draws = 600
    x = round(p * (runs + 1) - 0.5)
    found = power_against(factor, Counts(x, runs, 0, runs, folded), claim, 0.95)
    p = (x + 0.5) / (runs + 1)
    q = q and (p - getattr(claim, "delta", 0.0)) * math.exp(-factor)
    share = share_refuted(claim, p, q, runs, folded, draws)
    spread = math.sqrt(max(share * (1 - share), 1 / draws) / draws)
    assert abs(found - share) <= STATED + ERRORS * spread


def share_refuted(
    claim: PrivacyNotion, p: float, q: float, runs: int, folded: bool, draws: int
) -> float:
    rng = np.random.default_rng(7)
    if folded:
        pairs = rng.multinomial(runs, [p, q, 1 - p - q], size=draws)[:, :2]
    else:
        pairs = np.column_stack([rng.binomial(runs, p, draws), rng.binomial(runs, q, draws)])
    outcomes, repeated = np.unique(pairs, axis=0, return_counts=True)
    refuted = [
        lower_bound(Counts(int(x), runs, int(y), runs, folded), claim, 0.95) > claim.level
        for x, y in outcomes
    ]
    return float(np.dot(refuted, repeated)) / draws


@pytest.mark.parametrize("claim", [PURE, RARE, GaussianDP(1.0), ZeroConcentratedDP(0.5)], ids=str)
@pytest.mark.parametrize("folded", [False, True])
def test_power_grows_with_the_factor_and_ends_at_certainty(
    claim: PrivacyNotion, folded: bool
) -> None:
    counts = Counts(30, 400, 4, 400, folded)
    powers = [power_against(factor, counts, claim, 0.95) for factor in (1.0, 1.2, 1.6, 3.0)]
    assert powers == sorted(powers)
    assert powers[0] <= 0.05 + STATED
    many = Counts(30_000, 400_000, 4000, 400_000, folded)
    assert power_against(2.0, many, claim, 0.95) > 0.999


def test_no_power_without_successes_or_beyond_the_highest_level() -> None:
    assert power_against(2.0, Counts(0, 1000, 0, 1000), PURE, 0.95) < 0.01
    assert power_against(2.0, Counts(2, 10_000, 0, 10_000), RARE, 0.95) <= 0.05
    assert power_against(2.0, Counts(1000, 1000, 0, 1000), ApproximateDP(400.0), 0.95) == 0.0


@pytest.mark.parametrize(
    ("claim", "runs"),
    [
        (PURE, 2000),
        (ApproximateDP(3.0), 20_000),
        (ApproximateDP(1.0, 0.01), 5000),
        (GaussianDP(1.0), 5000),
    ],
)
def test_the_rarest_event_is_refuted_half_of_the_time(claim: PrivacyNotion, runs: int) -> None:
    """At that probability by this very test, in the better of its designs."""
    chance = rarest_event(claim, runs, 0.95)
    rng = np.random.default_rng(1)
    x = rng.binomial(runs, chance, size=300)
    shares = [
        np.mean([lower_bound(Counts(int(k), n, 0, n, folded), claim) > claim.level for k in x])
        for n, folded in ((runs, False), (2 * runs, True))
    ]
    assert abs(max(shares) - 0.5) < 0.15  # the test has steps, and 300 draws an error of 0.03
    assert rarest_event(claim, 4 * runs, 0.95) < chance


def test_seven_against_none_of_many_runs_refute_a_claim_of_one() -> None:
    """By Poisson's law, which counts of a rare event have, in Wilson's order; its median is 6.67.

    Half of the error of the confidence set of the nuisance, 0.01 · 0.05, is beyond its upper end.
    """
    z = stats.norm.isf(0.05) / math.sqrt(2)
    means = np.linspace(0, -math.log(0.01 * 0.05 / 2), 2000)

    def end(count: float, sign: int) -> float:
        return count + z * z / 2 + sign * z * math.sqrt(count + z * z / 4)

    def p_value(x: int) -> float:
        level = end(x, -1) / end(0, 1)
        tails = np.zeros_like(means)
        for y in range(60):
            least = next(k for k in range(1000) if end(k, -1) >= level * end(y, 1) - 1e-9)
            tails += stats.poisson.pmf(y, means) * stats.poisson.sf(least - 1, math.e * means)
        return float(tails.max()) + 0.01 * 0.05

    assert p_value(7) < 0.05 < p_value(6)
    assert rarest_event(PURE, 100_000, 0.95) * 100_000 == pytest.approx(
        stats.gamma.median(7), rel=1e-3
    )


def test_a_violation_is_found_from_a_factor_on() -> None:
    counts = Counts(1200, 4000, 440, 4000, folded=True)
    factor = found_from(counts, PURE, 0.95)
    assert power_against(factor, counts, PURE, 0.95) >= 0.9
    assert power_against(1 + 0.8 * (factor - 1), counts, PURE, 0.95) < 0.9
    assert found_from(Counts(3, 4000, 3, 4000, folded=True), PURE, 0.95) == math.inf
