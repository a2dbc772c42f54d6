"""Errors of audits from one run at their worst: laws that attain the bound, drawn and audited.

Each test draws outputs of a mechanism that is exactly at its claim, and counts how often the claim
is refuted: at most in the promised part of the runs and three errors.
"""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from provedp.verify.audit import ApproximateDP
from provedp.verify.audit.canaries.bounds import Guesses, p_value_of
from provedp.verify.audit.canaries.learning import Counted
from provedp.verify.audit.canaries.methods import method_of

ALPHA = 0.05


def most(runs: int) -> float:
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def worst_law(m: int, guesses: int, claim: ApproximateDP) -> Any:
    """Return the law of right guesses that attains the bound where it first is at most α."""
    v = next(v for v in range(guesses + 1) if p_value_of(Guesses(m, guesses, 0, v), claim) <= ALPHA)
    masses = stats.binom.pmf(np.arange(guesses + 1), guesses, 1 / (1 + math.exp(-claim.epsilon)))
    w = m * claim.delta / (v * masses[v])
    law = masses * (1 - w * masses[v:].sum() + w * (np.arange(guesses + 1) >= v))
    assert law.min() >= 0 and law.sum() == pytest.approx(1)
    return law / law.sum()


def told(included: Any, right: int, rng: np.random.Generator) -> Any:
    """Return scores that tell so many coins rightly and all others wrongly, in random order."""
    wrong = np.ones(len(included), dtype=bool)
    wrong[rng.permutation(len(included))[:right]] = False
    return np.where(included ^ wrong, 1, -1) * (1 + rng.random(len(included)))


CLAIMS = [ApproximateDP(1.0, 1e-3), ApproximateDP(0.0, 5e-3), ApproximateDP(2.0, 1e-5)]


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_the_law_that_attains_the_bound_is_refuted_as_often_as_promised(claim: Any) -> None:
    """All m coins are guessed by the sign of the score, the law's own way."""
    m, runs, rng = 300, 3000, np.random.default_rng(31)
    law = worst_law(m, m, claim)
    rights = rng.choice(m + 1, runs, p=law)
    failed = sum(p_value_of(Guesses(m, m, 0, int(v)), claim) <= ALPHA for v in rights)
    assert failed / runs <= most(runs)
    assert failed / runs >= 0.03  # nothing is given away but what counts are too coarse for


@pytest.mark.parametrize("claim", [CLAIMS[0], CLAIMS[2]], ids=str)
@pytest.mark.parametrize("how", ["fixed", "nested", "shares", "thresholds"])
def test_no_way_of_guessing_refutes_that_law_too_often(claim: ApproximateDP, how: str) -> None:
    """Fixed and nested numbers of guesses, shares of the error, and what the output decides."""
    m, runs, rng = 300, 600 if how == "nested" else 2000, np.random.default_rng(32)
    law = worst_law(m, m, claim)
    numbers = {"fixed": (200,), "shares": (20, 60, 100, 200, 300)}.get(how)
    cuts = (1.3, -1.3) if how == "thresholds" else None
    failed = 0
    for _ in range(runs):
        included = rng.random(m) < 0.5
        counted = Counted(told(included, int(rng.choice(m + 1, p=law)), rng), included, m)
        failed += method_of(counted, claim, ALPHA, numbers, cuts, 0.5).refutes(claim, ALPHA)
    assert failed / runs <= most(runs)


def test_all_or_nothing_is_not_refuted_by_nested_guesses() -> None:
    """With probability mδ/(2k) the run tells k coins outright, else none: numbers compete."""
    m, delta = 300, 3e-5
    runs, rng, claim = 1000, np.random.default_rng(33), ApproximateDP(0.0, delta)
    failed = 0
    for _ in range(runs):
        included = rng.random(m) < 0.5
        scores = rng.normal(size=m)
        if rng.random() < m * delta / 2 / 8:
            scores[:8] = np.where(included[:8], 9.0, -9.0)
        counted = Counted(scores, included, m)
        method = method_of(counted, claim, ALPHA, None, None, 0.5)
        assert "joint" in method.name
        failed += method.refutes(claim, ALPHA)
    assert failed / runs <= most(runs)


def test_several_runs_of_the_worst_law_are_not_refuted_too_often() -> None:
    """Five runs with coins of their own, joined: m is the number of all coins."""
    m, parts, runs, rng = 60, 5, 1500, np.random.default_rng(34)
    claim = ApproximateDP(1.0, 2e-3)
    law = worst_law(m, m, claim)
    rights = rng.choice(m + 1, (runs, parts), p=law).sum(axis=1)
    failed = sum(
        p_value_of(Guesses(parts * m, parts * m, 0, int(v)), claim) <= ALPHA for v in rights
    )
    assert 0 < failed / runs <= most(runs)


def test_joined_runs_of_a_common_fate_are_one_law() -> None:
    """(0, δ): each run tells all of its coins with probability δ. One coin is turned at a time."""
    m, parts, runs, rng = 100, 4, 2000, np.random.default_rng(35)
    claim = ApproximateDP(0.0, 0.02)
    fates = rng.random((runs, parts)) < claim.delta
    rights = np.where(fates, m, rng.binomial(m, 0.5, (runs, parts))).sum(axis=1)
    total = parts * m
    failed = sum(p_value_of(Guesses(total, total, 0, int(v)), claim) <= ALPHA for v in rights)
    assert failed / runs <= most(runs)
    # Taken for independent coins, as intervals for proportions take them, it is refuted too often.
    naive = stats.binom.isf(ALPHA, total, 0.5 + claim.delta / 2)
    assert np.mean(rights > naive) > most(runs)
