"""Audits of one run by canaries: verdicts, coverage at the claim, and what is refused."""

import math
from typing import Any

import numpy as np
import pytest

from provedp.verify.audit import ApproximateDP, GaussianDP, audit_canaries, canary_coins
from provedp.verify.audit.canaries.audit import needed_for
from provedp.verify.audit.canaries.coins import require_coins
from provedp.verify.audit.canaries.learning import Counted
from provedp.verify.audit.canaries.methods import method_of
from provedp.verify.notions.notions import RenyiDP, ZeroConcentratedDP

CLAIM = ApproximateDP(1.0, 1e-5)


def coins(m: int, seed: int = 1) -> Any:
    return np.random.default_rng(seed).random(m) < 0.5


def gaussian(m: int, mu: float, seed: int = 1) -> tuple[Any, Any]:
    """Scores of canaries with a feature of their own, in a run that is μ-GDP."""
    rng = np.random.default_rng(seed)
    included = rng.random(m) < 0.5
    return included + rng.normal(size=m) / mu, included


def response(m: int, epsilon: float, seed: int) -> tuple[Any, Any]:
    """Randomised responses, told with a confidence that says nothing."""
    rng = np.random.default_rng(seed)
    included = rng.random(m) < 0.5
    told = included ^ (rng.random(m) > 1 / (1 + math.exp(-epsilon)))
    return np.where(told, 1, -1) * (1 + rng.random(m)), included


def test_a_leak_is_refuted_and_a_private_run_is_not() -> None:
    assert audit_canaries(*gaussian(1000, 4.0), CLAIM).verdict == "REFUTED"
    private = audit_canaries(*gaussian(1000, 0.2), CLAIM)
    assert private.verdict == "not refuted"
    assert private.epsilon_lower < 1 < private.cap
    assert private.needed == needed_for(CLAIM, 0.05)


@pytest.mark.parametrize("guesses", [None, 300, tuple(range(10, 301, 10))])
def test_bounds_fail_no_more_often_than_they_say(guesses: Any) -> None:
    """Randomised response at its claim: refuted in at most 5 % of runs and three errors."""
    runs, epsilon = 100 if guesses is None else 300, 1.0
    asked = ApproximateDP(epsilon)
    failed = 0
    for seed in range(runs):
        given, coin = response(300, epsilon, seed)
        numbers = (guesses,) if isinstance(guesses, int) else guesses
        method = method_of(Counted(given, coin, len(coin)), asked, 0.05, numbers, None, 0.5)
        failed += method.refutes(asked, 0.05)
    assert failed / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    if guesses == 300:  # the bound is exact, so that it is no better than it must be
        assert failed / runs >= 0.015


def test_reversed_scores_show_nothing() -> None:
    scores, included = gaussian(1000, 4.0)
    assert audit_canaries(-scores, included, CLAIM).epsilon_lower == 0


def test_the_order_of_rows_says_nothing() -> None:
    scores, included = gaussian(500, 3.0)
    order = np.random.default_rng(2).permutation(500)
    first = audit_canaries(scores, included, CLAIM)
    assert first == audit_canaries(scores[order], included[order], CLAIM)


def test_ties_are_broken_without_the_coins() -> None:
    """A file that lists those in first, with one score for all: a stable sort would tell them."""
    included = np.sort(coins(1000))[::-1]
    assert 2 * included.sum() != 1000
    for guesses in (None, 100, 1000):
        assert audit_canaries(np.zeros(1000), included, CLAIM, guesses=guesses).epsilon_lower < 0.2


def test_a_claim_beyond_the_cap_has_no_verdict() -> None:
    """7.05 needs 3456 right guesses; 1000 canaries cannot say anything about it."""
    found = audit_canaries(coins(1000) + 0.0, coins(1000), ApproximateDP(7.05), guesses=900)
    assert (found.verdict, found.needed) == ("NO VERDICT", 3456)
    assert not found.refuted
    assert found.epsilon_lower == found.cap == pytest.approx(-math.log(0.05 ** (-1 / 900) - 1))
    assert "not refuted" not in str(found)
    assert "at least 3456 right guesses" in str(found).replace("\n", " ")


def test_looks_share_the_error() -> None:
    scores, included = gaussian(1000, 3.0)
    once = audit_canaries(scores, included, CLAIM, guesses=200)
    one_of_four = audit_canaries(scores, included, CLAIM, guesses=200, looks=4)
    stricter = audit_canaries(scores, included, CLAIM, guesses=200, confidence=1 - 0.05 / 4)
    assert one_of_four.epsilon_lower == pytest.approx(stricter.epsilon_lower, abs=1e-9)
    assert one_of_four.p_value == pytest.approx(4 * once.p_value)


def test_several_runs_are_one_with_all_their_coins() -> None:
    runs = [gaussian(300, 3.0, seed) for seed in range(4)]
    joined = [np.concatenate(parts) for parts in zip(*runs, strict=True)]
    alone = audit_canaries(*runs[0], CLAIM, guesses=100)
    together = audit_canaries(*joined, CLAIM, guesses=400)
    assert together.canaries == 1200
    assert together.epsilon_lower > alone.epsilon_lower


def test_mu_is_bounded_by_the_recursion() -> None:
    found = audit_canaries(*gaussian(1000, 2.0), GaussianDP(1.0), guesses=100)
    assert found.notion == "mu"
    assert 0.8 < found.epsilon_lower < 2


def test_a_control_says_what_the_canaries_could_show() -> None:
    found = audit_canaries(*gaussian(500, 0.5), CLAIM, control=gaussian(500, 8.0, seed=3))
    assert found.control is not None and found.control > 2 > found.epsilon_lower
    assert "control" in str(found)


def test_thresholds_pay_for_a_number_of_guesses_that_the_run_decides() -> None:
    scores, included = gaussian(1000, 4.0)
    fixed = audit_canaries(scores, included, ApproximateDP(1.0), thresholds=(1.013, -0.013))
    assert fixed.refuted and not fixed.warnings
    dear = audit_canaries(scores, included, ApproximateDP(1.0, 2e-4), thresholds=(1.013, -0.013))
    assert dear.epsilon_lower < fixed.epsilon_lower


def test_a_threshold_among_the_scores_is_warned_of() -> None:
    scores, included = gaussian(1000, 4.0)
    found = audit_canaries(scores, included, CLAIM, thresholds=(scores.max(), -5.0))
    assert "chosen by looking at the coins" in found.warnings[0]


def test_scores_that_are_the_coins_are_warned_of() -> None:
    found = audit_canaries(coins(200) + 0.0, coins(200), CLAIM)
    assert "the coin itself" in " ".join(found.warnings)


def test_exactly_half_is_asked_about() -> None:
    included = np.random.default_rng(3).permutation(np.arange(1000) % 2)
    found = audit_canaries(np.random.default_rng(4).normal(size=1000), included, CLAIM)
    assert "without replacement" in found.warnings[0]


PATTERNS = {
    "have exactly one in of each": np.arange(200) % 4 % 3 == 0,
    "are sorted": np.arange(200) < 100,
    "turned over": np.r_[coins(100), ~coins(100)],
    "repeat after 7 rows": np.resize([1, 1, 0, 1, 0, 0, 0], 200),
    "come in blocks of 3 equal ones": np.repeat(coins(67), 3),
    "exactly one in of each two rows": np.arange(200) % 2 == 0,
}


@pytest.mark.parametrize("words", PATTERNS)
def test_coins_that_determine_each_other_are_refused(words: str) -> None:
    included = PATTERNS[words]
    with pytest.raises(ValueError, match=words):
        audit_canaries(np.arange(len(included)), included, CLAIM)


def test_independent_coins_are_taken() -> None:
    for seed in range(60):
        for m in (2, 3, 30, 200):
            drawn = canary_coins(m, seed)
            if 0 < drawn.sum() < m:
                require_coins(drawn, 0.5)


def test_coins_sorted_by_score_are_taken() -> None:
    scores, included = gaussian(501, 3.0)
    order = np.argsort(-scores)
    assert audit_canaries(scores[order], included[order], CLAIM).refuted


def test_views_in_blocks_are_taken_with_their_units() -> None:
    """Four views of each canary, each with noise of its own: no row is a copy of another."""
    scores, included = gaussian(150, 1.0)
    views = np.repeat(scores, 4) + np.random.default_rng(5).normal(size=600) / 100
    with pytest.raises(ValueError, match="blocks of 4 equal ones.*Rows of one coin have one"):
        audit_canaries(views, np.repeat(included, 4), CLAIM)
    units = np.repeat(np.arange(150), 4)
    assert audit_canaries(views, np.repeat(included, 4), CLAIM, units=units).canaries == 150


def test_blocks_that_chance_makes_are_taken() -> None:
    """Three blocks of ten, sorted by a score: few changes say nothing about rows of one coin."""
    require_coins(np.repeat([True, False, True], 10), 0.5)


@pytest.mark.parametrize("included", [np.ones(50), np.zeros(50)])
def test_coins_that_do_not_vary_are_refused(included: Any) -> None:
    with pytest.raises(ValueError, match="by a coin of its own"):
        audit_canaries(np.arange(50), included, CLAIM)


def test_coins_of_another_probability_are_refused_until_it_is_said() -> None:
    included = np.random.default_rng(1).random(1000) < 0.7
    scores = np.random.default_rng(2).normal(size=1000)
    with pytest.raises(ValueError, match="say with which they were drawn"):
        audit_canaries(scores, included, ApproximateDP(0.5))
    found = audit_canaries(scores, included, ApproximateDP(0.5), inclusion=0.7)
    assert found.verdict == "not refuted"


def test_views_of_one_coin_count_once() -> None:
    scores, included = gaussian(100, 1.0)
    views = np.repeat(scores, 5) + np.random.default_rng(5).normal(size=500) / 100
    units = np.repeat(np.arange(100), 5)
    found = audit_canaries(views, np.repeat(included, 5), CLAIM, units=units)
    assert found.canaries == 100
    assert "averaged to one" in found.taken[0]


def test_views_that_are_copies_are_refused_without_units() -> None:
    scores, included = gaussian(100, 1.0)
    with pytest.raises(ValueError, match="rows of one coin count once"):
        audit_canaries(np.repeat(scores, 5), np.repeat(included, 5), CLAIM)
    with pytest.raises(ValueError, match="A row is there twice"):
        audit_canaries(
            np.repeat(scores, 5), np.repeat(included, 5), CLAIM, units=np.repeat(np.arange(100), 5)
        )


def test_a_unit_has_one_coin() -> None:
    with pytest.raises(ValueError, match="units are both in and out"):
        audit_canaries(np.arange(100), coins(100), CLAIM, units=np.repeat(np.arange(50), 2))


def test_pairs_are_one_canary_each() -> None:
    """Of the two rows of a pair one is in; in the file it always comes first."""
    rng = np.random.default_rng(1)
    included = np.tile([1, 0], 400)
    scores = included + rng.normal(size=800) / 4
    units = np.repeat(np.arange(400), 2)
    found = audit_canaries(scores, included, CLAIM, units=units, inclusion="pairs")
    assert found.canaries == 400 and found.refuted
    assert "replacing one record" in found.taken[0]
    silent = audit_canaries(rng.normal(size=800), included, CLAIM, units=units, inclusion="pairs")
    assert not silent.refuted
    with pytest.raises(ValueError, match="exactly one of them in"):
        audit_canaries(scores, coins(800), CLAIM, units=units, inclusion="pairs")
    with pytest.raises(ValueError, match="name the unit"):
        audit_canaries(scores, included, CLAIM, inclusion="pairs")


def test_the_order_of_a_pair_says_nothing() -> None:
    """Also where scores have two values, and where those of a pair are equal."""
    rng = np.random.default_rng(2)
    included = np.tile([1, 0], 400)
    units = np.repeat(np.arange(400), 2)
    order = np.arange(800).reshape(-1, 2)
    order[::3] = order[::3, ::-1]
    order = order.ravel()
    for scores in (
        included + rng.normal(size=800) / 2,
        np.where(rng.random(800) < 0.9, included, 0),
    ):
        first = audit_canaries(scores, included, CLAIM, units=units, inclusion="pairs")
        turned = scores[order], included[order]
        second = audit_canaries(*turned, CLAIM, units=units, inclusion="pairs")
        assert first.refuted
        if len(set(scores)) > 2:
            assert first == second
    equal = audit_canaries(np.zeros(800), included, CLAIM, units=units, inclusion="pairs")
    assert equal.epsilon_lower < 0.2


RENYI = [ZeroConcentratedDP(0.125), RenyiDP(0.25, 2.0)]  # both hold of 1/2-Gaussian DP


@pytest.mark.parametrize("claim", RENYI)
def test_claims_of_renyi_divergences_are_bounded_by_the_recursion(claim: Any) -> None:
    found = audit_canaries(*gaussian(1000, 6.0), claim, guesses=100)
    assert found.refuted and claim.level < found.epsilon_lower <= found.cap
    assert "recursion" in found.method and found.notion == claim.notion
    assert not audit_canaries(*gaussian(1000, 0.5), claim, guesses=100).refuted


@pytest.mark.parametrize("claim", [*RENYI, GaussianDP(1.0)])
def test_claims_without_a_bound_for_other_coins_are_refused(claim: Any) -> None:
    scores, included = np.arange(100), np.random.default_rng(1).random(100) < 0.3
    with pytest.raises(ValueError, match="needs coins of probability 1/2"):
        audit_canaries(scores, included, claim, inclusion=0.3)


@pytest.mark.parametrize("claim", [*RENYI, GaussianDP(1.0)])
def test_claims_without_a_bound_for_thresholds_are_refused(claim: Any) -> None:
    with pytest.raises(ValueError, match="Thresholds go with a claim of epsilon and delta"):
        audit_canaries(*gaussian(100, 1.0), claim, thresholds=(1.0, 0.0))


def thresholds_refute(scores: Any, included: Any, claim: ApproximateDP) -> bool:
    counted = Counted(scores, included, len(included))
    return method_of(counted, claim, 0.05, None, (0.5, -0.5), 0.5).refutes(claim, 0.05)


def extremal(m: int, delta: float, right: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return the run that is worst for a number of guesses that δ decides, at ε = 0.

    With probability δ m/(2 · right) it tells `right` coins, else nothing.
    """
    included = rng.random(m) < 0.5
    scores = np.zeros(m)
    if rng.random() < delta * m / (2 * right):
        scores[:right] = np.where(included[:right], 1.0, -1.0)
    else:
        scores = np.where(rng.random(m) < 0.5, 1.0, -1.0)
    return scores, included


def test_numbers_of_guesses_that_the_run_decides_keep_to_the_error() -> None:
    """Abstentions by thresholds: five right of five, or a guess for every coin."""
    m, delta, runs = 1000, 1e-4, 400
    rng = np.random.default_rng(7)
    claim, failed = ApproximateDP(0.0, delta), 0
    for _ in range(runs):
        scores, coin = extremal(m, delta, 5, rng)
        failed += thresholds_refute(scores, coin, claim)
    assert failed / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.parametrize("mu", [0.5, 1.5])
def test_abstentions_by_thresholds_keep_to_the_error_at_delta_zero(mu: float) -> None:
    """Truncated responses: a coin is told with probability |score|, at the claim exactly."""
    runs, m, epsilon = 300, 200, mu
    claim, failed = ApproximateDP(epsilon), 0
    for seed in range(runs):
        scores, coin = response(m, epsilon, 10_000 + seed)
        hidden = np.random.default_rng(seed).random(m) < 0.6  # abstains, whatever the coin
        scores[hidden] = 0.0
        failed += thresholds_refute(scores, coin, claim)
    assert failed / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert failed >= 1  # the test has some power at its own boundary


def test_scores_of_several_columns_are_not_combined() -> None:
    """Weights of columns that are learned from the coins belong to other canaries."""
    scores, included = gaussian(100, 1.0)
    with pytest.raises(ValueError, match="2 scores per canary: weights of them must be learned"):
        audit_canaries(np.c_[scores, scores], included, CLAIM)


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"guesses": 0}, "number of guesses must be in the range"),
        ({"guesses": 101}, "number of guesses must be in the range"),
        ({"thresholds": (0.0, 1.0)}, "must be below"),
        ({"thresholds": (1e9, -1e9)}, "nothing to guess"),
        ({"thresholds": (1.0, 0.0), "guesses": 10}, "how many guesses they make"),
        ({"inclusion": 0.0}, "inclusion"),
        ({"confidence": 1.0}, "confidence"),
        ({"looks": 0}, "looks"),
        ({"scores": np.full(100, np.nan)}, "missing"),
        ({"scores": np.arange(99)}, "a number per canary"),
        ({"included": np.arange(100)}, "0 and 1"),
        ({"units": np.arange(99)}, "a unit for each"),
    ],
)
def test_wrong_requests_are_refused(wrong: dict[str, Any], words: str) -> None:
    scores, included = gaussian(100, 1.0)
    given = {"scores": scores, "included": included, "claim": CLAIM, **wrong}
    with pytest.raises(ValueError, match=words):
        audit_canaries(**given)


def test_drawn_coins_follow_their_seed_and_probability() -> None:
    assert np.array_equal(canary_coins(50, 7), canary_coins(50, 7))
    assert not np.array_equal(canary_coins(50), canary_coins(50))
    assert abs(canary_coins(10_000, 1, 0.2).mean() - 0.2) < 0.02
