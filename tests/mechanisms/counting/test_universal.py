"""A universal count: its cells, its bits on demand, and what receivers make of it."""

from collections import Counter
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from provedp import OptimalRelease, UniversalCount, solve_release
from provedp.mechanisms.counting import MatrixRelease
from provedp.mechanisms.counting.universal import NoisyCount
from provedp.theory.counting.canonical import (
    canonical_cdf,
    canonical_integer_law,
    canonical_quantile,
    canonical_reach,
)


@pytest.mark.parametrize(("k", "delta"), [(Q(2), Q(0)), (Q(3, 2), Q(1, 10)), (Q(1), Q(1, 7))])
@pytest.mark.parametrize("p", [Q(1, 100), Q(1, 3), Q(1, 2), Q(97, 100)])
def test_quantiles_invert_the_distribution(k: Q, delta: Q, p: Q) -> None:
    x = canonical_quantile(p, k, delta)
    assert x is not None and canonical_cdf(x, k, delta) == p


def test_noise_ends_at_its_reach() -> None:
    """By hand at k = 2, δ = 1/10: c = 3/10, t = 0, 1/10, 3/10, so that S = 5/2."""
    assert canonical_reach(Q(2), Q(1, 10)) == Q(5, 2)
    assert canonical_cdf(Q(-5, 2), Q(2), Q(1, 10)) == 0
    assert canonical_cdf(Q(-9, 4), Q(2), Q(1, 10)) == Q(1, 40)
    law = canonical_integer_law(Q(2), Q(1, 100))  # of another program
    assert law == [Q(n, 1600) for n in (544, 272, 136, 68, 34, 17, 1)]


@pytest.mark.parametrize("loss", ["zero-one", "absolute", "squared"])
@pytest.mark.parametrize("delta", ["0", "1/10"])
def test_receivers_are_as_well_off_as_with_a_release_of_their_own(loss: str, delta: str) -> None:
    mechanism = UniversalCount("ln(3/2)", delta)
    for prior in (["1/4"] * 4, ["1/2", "0", "1/8", "3/8"]):
        rounding = mechanism.remap(prior, loss, first=7)
        best = solve_release(4, "ln(3/2)", delta, loss=loss, prior=prior)
        assert rounding.expected_loss == best.upper
        assert set(rounding.outputs) <= set(range(7, 11))


def test_rounded_releases_follow_the_law_of_the_rounding() -> None:
    """20000 draws; each frequency is within 0.025 of its probability, seven deviations."""
    mechanism = UniversalCount("ln(3/2)", "1/10")
    rounding = mechanism.remap(["1/3", "1/3", "1/3"], "squared")
    rng = np.random.default_rng(4)
    for count in range(3):
        drawn = Counter(map(rounding, mechanism.release([count] * 20000, rng)))
        for place, share in enumerate(rounding.law[count]):
            assert abs(drawn[place] / 20000 - float(share)) < 0.025


def test_bits_are_drawn_once_and_agree() -> None:
    rng = np.random.default_rng(1)
    noisy = NoisyCount(Q(1, 3), Q(4, 3), rng)
    at = noisy.fixed_point(80)
    assert noisy.fixed_point(80) == at and noisy.fixed_point(3) == (at * 8) // 1 / 8
    assert noisy.exceeds(at) and not noisy.exceeds(at + Q(1, 2**80))
    assert not noisy.exceeds(Q(4, 3)) and noisy.exceeds(Q(1, 3))


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0, 0), (-1, 0), ("x", 0), (1, 1), (1, -1), (float("nan"), 0)]
)
def test_levels_outside_their_range_are_refused(epsilon: Any, delta: Any) -> None:
    with pytest.raises(ValueError, match="UniversalCount"):
        UniversalCount(epsilon, delta)


@pytest.mark.parametrize("count", [1.5, "3", None, [1, "secret"]])
def test_what_is_no_count_is_refused_and_not_quoted(count: Any) -> None:
    with pytest.raises(ValueError, match="counts") as refusal:
        UniversalCount(1).release(count)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"prior": ["1/2", "1/3"]},
        {"prior": ["1"]},
        {"prior": ["-1", "2"]},
        {"prior": ["x", "1"]},
        {"prior": ["1/2", "1/2"], "loss": "cubic"},
        {"prior": ["1/2", "1/2"], "loss": [[0, 1]]},
        {"prior": ["1/2", "1/2"], "loss": [[0, -1], [1, 0]]},
        {"prior": ["1/400"] * 400},
    ],
)
def test_wrong_receivers_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"UniversalCount\.remap"):
        UniversalCount(1).remap(**wrong)


def test_a_matrix_that_is_not_private_is_refused() -> None:
    law = [[Q(3, 4), Q(1, 4)], [Q(1, 4), Q(3, 4)]]
    assert MatrixRelease(law, "ln(3)").worst_case_error == Q(1, 4)
    with pytest.raises(ValueError, match=r"need δ ≥ 0\.25"):
        MatrixRelease(law, "ln(2)")
    with pytest.raises(ValueError, match="edges"):
        MatrixRelease(law, "ln(3)", edges=[(1, 1)])
    with pytest.raises(ValueError, match="edges"):
        MatrixRelease(law, "ln(3)", edges=[])


def test_edges_decide_which_rows_must_be_near() -> None:
    """The first and the last of three rows differ by 4: near on a path, too far on a triangle."""
    law = [[Q(4, 5), Q(1, 5), 0], [Q(2, 5), Q(3, 5), 0], [Q(1, 5), Q(4, 5), 0]]
    MatrixRelease(law, "ln(3)")
    with pytest.raises(ValueError, match="rows 1 and 3"):
        MatrixRelease(law, "ln(3)", edges=[(1, 2), (2, 3), (1, 3)])


def test_an_optimal_release_keeps_what_it_was_asked_for() -> None:
    mechanism = OptimalRelease(5, 1, "1/50", loss="absolute", first=3)
    assert (mechanism.epsilon, mechanism.delta, mechanism.m) == ("1", Q(1, 50), 5)
    assert set(mechanism.release([3, 7] * 20)) <= set(range(3, 8))
    assert mechanism.optimum.lower <= mechanism.optimum.upper
    with pytest.raises(ValueError, match="as many columns"):
        OptimalRelease(2, 1, loss=[[0, 1, 1], [1, 1, 0]])
