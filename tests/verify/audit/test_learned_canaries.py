"""Weights of several scores: learned on a part of the canaries, and counted on the others."""

import math
from typing import Any

import numpy as np
import pytest

from provedp.verify.audit import ApproximateDP, GaussianDP, audit_canaries
from provedp.verify.audit.canaries.learning import (
    Counted,
    counted_of,
    learned_weights,
    learning_part,
)
from provedp.verify.audit.canaries.methods import method_of
from provedp.verify.audit.canaries.units import by_row

CLAIM = ApproximateDP(1.0, 1e-5)


def columns(m: int, mus: tuple[float, ...], seed: int) -> tuple[Any, Any]:
    """Scores with noises of their own, of unlike scales and signs: together √(Σ μ²)-GDP."""
    rng = np.random.default_rng(seed)
    included = rng.random(m) < 0.5
    table = np.column_stack([included * mu + rng.normal(size=m) for mu in mus])
    return table * 10.0 ** np.arange(len(mus)) * (-1) ** np.arange(len(mus)), included


def test_learned_weights_show_more_than_any_column() -> None:
    table, included = columns(4000, (1.5, 1.5, 1.5, 1.5), 3)
    found = audit_canaries(table, included, CLAIM, learn=0.4)
    for place in range(4):
        alone = audit_canaries(table[:, place] * (-1) ** place, included, CLAIM)
        assert found.epsilon_lower > 1.2 * alone.epsilon_lower
    assert found.refuted and abs(found.learning - 1600) <= 1
    assert found.canaries == 4000
    assert np.sign(found.weights).tolist() == [1, -1, 1, -1]
    assert "learned     weights" in str(found) and "the other 2400 are counted" in str(found)
    assert "the coins that are counted" in found.taken[1]


def test_weights_are_those_of_fishers_direction() -> None:
    """Of independent columns with unit noise, 1 and 3 apart, on scales 1 and 10: 1 to 3/10."""
    rng = np.random.default_rng(1)
    included = rng.random(200_000) < 0.5
    table = included[:, None] * [1.0, 3.0] + rng.normal(size=(200_000, 2))
    weights = learned_weights(table * [1.0, 10.0], included)
    assert weights[1] / weights[0] == pytest.approx(0.3, rel=0.02)


def test_correlated_columns_are_subtracted() -> None:
    """A loss before the training is noise that the loss after it shares."""
    rng = np.random.default_rng(2)
    included = rng.random(3000) < 0.5
    hard = 3 * rng.normal(size=3000)
    table = np.c_[included + hard + rng.normal(size=3000) / 4, hard]
    found = audit_canaries(table, included, CLAIM, learn=0.3)
    assert found.refuted
    assert found.weights[0] > 0 > found.weights[1]
    assert not audit_canaries(table[:, 0], included, CLAIM).refuted


def test_the_counted_coins_do_not_reach_the_weights() -> None:
    """Turning all coins over that are counted leaves scores and parts as they were."""
    table, included = columns(300, (1.0, 1.0), 5)
    first = counted_of(by_row(table, included), 0.5)
    part = learning_part(by_row(table, included).keys, 0.5)
    turned = np.where(part, included, ~included)
    second = counted_of(by_row(table, turned), 0.5)
    assert np.array_equal(first.scores, second.scores) and first.weights == second.weights
    assert np.array_equal(first.included, ~second.included)
    assert first.learning + len(first.scores) == first.coins == 300


def test_no_place_in_the_file_decides_the_parts() -> None:
    table, included = columns(400, (2.0, 1.0), 6)
    order = np.argsort(included)
    first = audit_canaries(table, included, CLAIM, learn=0.5)
    second = audit_canaries(table[order], included[order], CLAIM, learn=0.5)
    assert first.epsilon_lower == second.epsilon_lower
    assert first.weights == pytest.approx(second.weights)


def test_no_digit_and_no_scale_decides_the_parts() -> None:
    """Else who is not refuted, or is, could round and try again."""
    table, included = columns(400, (2.0, 1.0), 6)
    part = learning_part(by_row(table, included).keys, 0.5)
    for same in (table.round(9), table * [3.0, 1e-6], np.exp(table / [1.0, 10.0]) - 7):
        assert np.array_equal(learning_part(by_row(same, included).keys, 0.5), part)


def test_equal_scores_are_on_one_side() -> None:
    """Else those that come first in a file that lists who is in first would be learned from."""
    keys = [b"a", b"b"] * 50
    part = learning_part(keys, 0.3)
    assert len(set(part[::2])) == len(set(part[1::2])) == 1
    included = np.r_[np.ones(50), np.zeros(51)]
    with pytest.raises(ValueError, match="none is left to count"):
        audit_canaries(np.zeros((101, 2)), included, CLAIM, learn=0.5)


def test_names_of_units_decide_the_parts() -> None:
    """The same canaries in another run, with other scores: the same are learned from."""
    units = [f"canary {i}" for i in range(200)]
    sizes = set()
    for seed in (1, 2):
        found = audit_canaries(*columns(200, (1.0, 1.0), seed), CLAIM, units=units, learn=0.5)
        sizes.add(found.learning)
    assert sizes == {100}
    keys = [name.encode() for name in units]
    assert learning_part(keys, 0.5).sum() == 100
    assert not np.array_equal(learning_part(keys, 0.5), np.arange(200) < 100)


def test_several_rows_of_a_unit_have_columns_averaged() -> None:
    table, included = columns(200, (2.0, 2.0), 7)
    once = audit_canaries(table, included, CLAIM, units=np.arange(200), learn=0.5)
    views = np.vstack([table + 0.5, table - 0.5])
    twice = audit_canaries(
        views, np.tile(included, 2), CLAIM, units=np.tile(np.arange(200), 2), learn=0.5
    )
    assert twice.canaries == 200
    assert twice.epsilon_lower == pytest.approx(once.epsilon_lower)


def test_units_of_unlike_sizes_have_means() -> None:
    """A unit with three rows has no higher score for that."""
    table, included = columns(200, (2.0, 2.0), 7)
    units = np.r_[np.arange(200), np.arange(0, 200, 2), np.arange(0, 200, 2)]
    more = np.vstack([table, table[::2] + 0.5, table[::2] - 0.5])
    coins = np.r_[included, included[::2], included[::2]]
    found = audit_canaries(more, coins, CLAIM, units=units, learn=0.5)
    once = audit_canaries(table, included, CLAIM, units=np.arange(200), learn=0.5)
    assert found.weights == pytest.approx(once.weights)


def test_pairs_may_have_columns() -> None:
    rng = np.random.default_rng(8)
    included = np.tile([1, 0], 500)
    table = included[:, None] * 2.0 + rng.normal(size=(1000, 3))
    found = audit_canaries(
        table, included, CLAIM, units=np.repeat(np.arange(500), 2), inclusion="pairs", learn=0.4
    )
    assert found.refuted and found.canaries == 500 and found.learning == 200
    silent = rng.normal(size=(1000, 3))
    assert not audit_canaries(
        silent, included, CLAIM, units=np.repeat(np.arange(500), 2), inclusion="pairs", learn=0.4
    ).refuted


def test_one_column_may_be_turned() -> None:
    table, included = columns(1000, (3.0,), 9)
    assert audit_canaries(-table[:, 0], included, CLAIM).epsilon_lower == 0
    found = audit_canaries(-table[:, 0], included, CLAIM, learn=0.2)
    assert found.refuted and found.weights[0] < 0


def test_all_coins_count_in_the_bound() -> None:
    """m is what might have been guessed: δ costs as much as without a part to learn from."""
    table, included = columns(400, (6.0, 6.0), 10)
    found = audit_canaries(table, included, ApproximateDP(0.5, 1e-4), learn=0.5, guesses=100)
    assert found.guesses.canaries == 400
    curve = audit_canaries(table, included, GaussianDP(1.0), learn=0.5, guesses=100)
    assert curve.guesses.canaries == 400 and curve.refuted


def test_all_coins_count_for_nested_guesses() -> None:
    """m δ is small for those that are counted, and not for all: then the exact bound it is."""
    table, included = columns(300, (6.0, 6.0), 10)
    counted = counted_of(by_row(table, included), 0.5)
    dear = method_of(counted, ApproximateDP(1.0, 5e-5), 0.05, None, None, 0.5)
    assert dear.name == "one run, exact"
    cheap = method_of(counted, ApproximateDP(1.0, 3e-5), 0.05, None, None, 0.5)
    assert "joint" in cheap.name and {each.canaries for each in cheap.tries} == {300}


def noise_and_response(m: int, epsilon: float, width: int, seed: int) -> tuple[Any, Any]:
    """Randomised responses at their claim, in two columns, among others that say nothing."""
    rng = np.random.default_rng(seed)
    included = rng.random(m) < 0.5
    told = np.where(included ^ (rng.random(m) > 1 / (1 + math.exp(-epsilon))), 1.0, -1.0)
    table = rng.normal(size=(m, width))
    table[:, 0] += 50 * told
    table[:, 1] -= 50 * told
    return table, included


@pytest.mark.parametrize("guesses", [None, (60,)])
def test_learned_scores_fail_no_more_often_than_they_say(guesses: Any) -> None:
    runs, claim, failed = 300 if guesses is None else 1000, ApproximateDP(1.0), 0
    for seed in range(runs):
        counted = counted_of(by_row(*noise_and_response(200, 1.0, 6, seed)), 0.5)
        failed += method_of(counted, claim, 0.05, guesses, None, 0.5).refutes(claim, 0.05)
    assert failed / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    if guesses:
        assert failed / runs >= 0.02  # it is the boundary: some alarms there must be


def test_weights_of_counted_canaries_would_refute_what_is_private() -> None:
    """Noise that says nothing, in 40 columns: fitted to all coins it tells most of them."""
    rng = np.random.default_rng(11)
    table, included = rng.normal(size=(200, 40)), rng.random(200) < 0.5
    fitted = table @ learned_weights(table, included)
    cheated = Counted(fitted, included, 200)
    claim = ApproximateDP(0.5)
    assert method_of(cheated, claim, 0.05, (200,), None, 0.5).refutes(claim, 0.05)
    assert audit_canaries(table, included, claim, learn=0.5).epsilon_lower == 0


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"learn": 0.0}, "learn"),
        ({"learn": 1.0}, "learn"),
        ({"learn": math.nan}, "learn"),
        ({"learn": "half"}, "learn"),
        ({"learn": 0.01}, "too few to learn weights from"),
        ({"thresholds": (1.0, 0.0)}, "Thresholds are of one score"),
        ({"scores": np.zeros((100, 0))}, "a row per canary"),
        ({"scores": np.zeros((99, 2))}, "a row per canary"),
        ({"scores": np.zeros((100, 2, 2))}, "a row per canary"),
        ({"scores": np.full((100, 2), np.nan)}, "100 of 100 scores are missing"),
        ({"scores": np.r_[[[np.inf, 0]], np.zeros((99, 2))]}, "infinite"),
        ({"guesses": 80}, r"number of guesses must be in the range \[1, 50\]"),
    ],
)
def test_what_cannot_be_learned_is_refused(wrong: dict[str, Any], words: str) -> None:
    table, included = columns(100, (1.0, 1.0), 12)
    given = {"scores": table, "included": included, "claim": CLAIM, "learn": 0.5, **wrong}
    with pytest.raises(ValueError, match=words):
        audit_canaries(**given)


def test_a_column_that_is_the_coin_is_warned_of() -> None:
    table, included = columns(200, (1.0, 1.0), 13)
    found = audit_canaries(np.c_[table, 1 - included], included, CLAIM, learn=0.5)
    assert "the coin itself" in " ".join(found.warnings)


def test_a_control_learns_weights_of_its_own() -> None:
    table, included = columns(600, (0.3, 0.3), 14)
    control = columns(600, (4.0, 4.0), 15)
    found = audit_canaries(table, included, CLAIM, control=control, learn=0.5)
    assert found.control is not None and found.control > 1.5 > found.epsilon_lower
