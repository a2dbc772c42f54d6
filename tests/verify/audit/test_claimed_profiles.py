"""Several points of a profile tested together by one run: validity, power, and bad input."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, sparse, stats

from provedp.theory.privacy import gaussian_delta
from provedp.verify.audit import ApproximateDP, GaussianDP, ProfileDP, audit_canaries
from provedp.verify.audit.canaries.bounds import Guesses, is_refuted, lower_bound_of, p_value_of

Points = tuple[tuple[float, float], ...]


def of_gaussian(mu: float, epsilons: tuple[float, ...]) -> Points:
    return tuple((e, float(gaussian_delta(mu, e))) for e in epsilons)


GAUSSIAN = of_gaussian(0.5, (0.1, 0.5, 1.0, 1.5))


def greatest(canaries: int, guesses: int, right: int, points: Points) -> float:
    """Return the greatest chance over all laws that keep every point, in both directions.

    Laws of the number of right guesses, in which every set of numbers is an event: what any
    mechanism has on average over its canaries. A linear programme, with the positive part of each
    gain as a variable; no recursion, and no closed form.
    """
    r, size = guesses, guesses + 1
    i = np.arange(r)
    blocks, sides = [], []
    for epsilon, delta in points:
        k = math.exp(epsilon)
        up = sparse.csr_array((-k * (r - i), (i, i)), shape=(r, size)) + sparse.csr_array(
            (i + 1.0, (i, i + 1)), shape=(r, size)
        )
        down = sparse.csr_array((1.0 * (r - i), (i, i)), shape=(r, size)) + sparse.csr_array(
            (-k * (i + 1), (i, i + 1)), shape=(r, size)
        )
        blocks += [up, down]
        sides += [canaries * delta] * 2
    gains = sparse.hstack([sparse.vstack(blocks), -sparse.eye_array(r * len(blocks))], format="csr")
    sums = sparse.hstack(
        [
            sparse.csr_array((len(blocks), size)),
            sparse.kron(sparse.eye_array(len(blocks)), np.ones((1, r))),
        ]
    )
    goal = np.zeros(gains.shape[1])
    goal[right:size] = -1
    whole = np.zeros((1, gains.shape[1]))
    whole[0, :size] = 1
    found = optimize.linprog(
        goal,
        sparse.vstack([gains, sums]),
        [*np.zeros(gains.shape[0]), *sides],
        whole,
        [1],
        bounds=(0, None),
    )
    assert found.success
    return float(-found.fun)


CASES = [
    (50, 50, 35, GAUSSIAN),
    (100, 100, 80, GAUSSIAN),
    (400, 60, 50, GAUSSIAN),
    (100, 100, 80, of_gaussian(0.5, tuple(np.linspace(0.02, 1.5, 12).tolist()))),
    (60, 60, 50, ((1.0, 0.01), (2.0, 1e-4))),
    (30, 20, 18, ((0.2, 0.3), (1.0, 0.05), (3.0, 0.0))),
]


@pytest.mark.parametrize("m, r, v, points", CASES)
def test_no_law_that_keeps_the_points_is_refuted_more_often(
    m: int, r: int, v: int, points: Points
) -> None:
    """False alarms are at most the error, and it is spent: the p-value is no more than 1.3×."""
    best = greatest(m, r, v, points)
    found = p_value_of(Guesses(m, r, 0, v), ProfileDP(points))
    assert best * (1 - 1e-6) <= found <= 1.3 * best


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 25), st.data())
def test_points_that_are_drawn_are_kept_to(guesses: int, data: Any) -> None:
    right = data.draw(st.integers(1, guesses))
    canaries = data.draw(st.integers(guesses, 60))
    point = st.tuples(st.floats(0.01, 3), st.floats(0, 0.2))
    points = tuple(data.draw(st.lists(point, min_size=1, max_size=3)))
    found = p_value_of(Guesses(canaries, guesses, 0, right), ProfileDP(points))
    assert found >= greatest(canaries, guesses, right, points) - 1e-6


def test_one_point_is_its_exact_bound() -> None:
    for v in (10, 40, 55, 60):
        guesses = Guesses(200, 60, 0, v)
        one = p_value_of(guesses, ProfileDP(((0.7, 1e-3),)))
        assert one == pytest.approx(p_value_of(guesses, ApproximateDP(0.7, 1e-3)), rel=1e-9)


def test_more_points_refute_more() -> None:
    guesses = Guesses(100, 100, 0, 80)
    together = p_value_of(guesses, ProfileDP(GAUSSIAN))
    alone = [p_value_of(guesses, ProfileDP((point,))) for point in GAUSSIAN]
    assert together < 0.5 * min(alone)


def test_many_points_are_nearly_the_curve() -> None:
    """With 60 points of its profile μ-Gaussian DP is refuted as by its own curve."""
    points = of_gaussian(0.5, tuple(np.linspace(0.02, 2.5, 60).tolist()))
    for r, v in ((100, 75), (100, 85), (400, 290)):
        curve = p_value_of(Guesses(r, r, 0, v), GaussianDP(0.5))
        assert p_value_of(Guesses(r, r, 0, v), ProfileDP(points)) <= 1.05 * curve


def test_the_bound_is_where_the_p_value_is_the_error() -> None:
    guesses, claim = Guesses(100, 100, 0, 85), ProfileDP(GAUSSIAN)
    bound = lower_bound_of(guesses, claim, 0.05)
    assert 1 < bound < 3
    assert is_refuted(guesses, claim.at(bound * 0.999), 0.05)
    assert not is_refuted(guesses, claim.at(bound * 1.001), 0.05)
    assert p_value_of(guesses, claim.at(bound)) == pytest.approx(0.05, rel=1e-4)


@pytest.mark.parametrize("v", [35, 45])
def test_refuted_is_a_p_value_of_at_most_the_error(v: int) -> None:
    """35 right: the least is an exact bound; 45: the recursion."""
    guesses, claim = Guesses(50, 50, 0, v), ProfileDP(GAUSSIAN)
    p = p_value_of(guesses, claim)
    assert is_refuted(guesses, claim, p * 1.001)
    assert not is_refuted(guesses, claim, p * 0.999)


def scored(mu: float, m: int, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    included = rng.random(m) < 0.5
    return included + rng.normal(size=m) / mu, included


def test_a_run_refutes_the_profile_that_an_accountant_claims() -> None:
    """Noise three times too small: no single point is refuted, all together are."""
    claim = ProfileDP(of_gaussian(0.8, (0.25, 0.5, 1.0, 1.5, 2.0)))
    scores, included = scored(2.5, 120, 4)
    found = audit_canaries(scores, included, claim, guesses=120)
    assert found.refuted and found.notion == "factor of every claimed epsilon"
    assert 1 < found.epsilon_lower < found.cap
    assert "points of a profile together" in found.method
    assert all(
        not audit_canaries(scores, included, each, guesses=120).refuted for each in claim.claims()
    )
    right = audit_canaries(*scored(0.8, 120, 4), claim, guesses=120)
    assert right.verdict == "not refuted" and right.epsilon_lower < 1


def test_a_profile_beyond_the_cap_has_no_verdict() -> None:
    scores, included = scored(1.0, 60, 1)
    found = audit_canaries(scores, included, ProfileDP(((6.0, 1e-6), (7.0, 1e-9))), guesses=20)
    assert found.verdict == "NO VERDICT" and found.cap < 1


@pytest.mark.parametrize("points", [GAUSSIAN, ((1.0, 0.1), (3.0, 0.0))])
def test_least_probabilities_are_the_inverse(points: Points) -> None:
    claim = ProfileDP(points)
    for q in np.geomspace(1e-9, 0.5, 40):
        p = float(claim.most(np.array([q]))[0])
        if p < 1:
            assert q * (1 - 1e-9) - 1e-11 <= claim.least_probability(p) <= q
    assert claim.least_probability(0.0) == 0.0


def test_least_levels_are_factors() -> None:
    claim = ProfileDP(((1.0, 0.1), (2.0, 0.01)))
    p, q = np.array([0.6]), np.array([0.1])
    expected = max(math.log(0.5 / 0.1), math.log(0.59 / 0.1) / 2)
    assert claim.least_level(p, q)[0] == pytest.approx(expected)
    assert claim.at(expected).most(q)[0] == pytest.approx(0.6)


@pytest.mark.parametrize("m", [4, 100])
def test_gaussian_canaries_keep_to_the_points_of_their_profile(m: int) -> None:
    """The sign of each score: right with chance Φ(μ/2), independently of all others."""
    chance = float(stats.norm.cdf(0.25))
    for v in range(1, m + 1):
        found = p_value_of(Guesses(m, m, 0, v), ProfileDP(GAUSSIAN))
        assert found >= stats.binom.sf(v - 1, m, chance)


@pytest.mark.parametrize(
    "points, words",
    [
        ((), "1 to 100 pairs"),
        (((1.0, 0.1),) * 101, "1 to 100 pairs"),
        (((0.0, 0.1),), "epsilon"),
        (((math.nan, 0.1),), "epsilon"),
        (((math.inf, 0.1),), "epsilon"),
        (((1.0, 1.0),), "delta"),
        (((1.0, -0.1),), "delta"),
        (((1.0, 0.1, 2.0),), "must be pairs"),
        ((1.0, 0.1), "must be pairs"),
        ("ab", "must be pairs"),
    ],
)
def test_what_is_no_profile_is_refused(points: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ProfileDP(points)


@pytest.mark.parametrize(
    "request_", [{"inclusion": 0.3}, {"thresholds": (1.0, 0.0)}], ids=["coins", "thresholds"]
)
def test_requests_without_a_bound_for_profiles_are_refused(request_: dict[str, Any]) -> None:
    scores = np.arange(100)
    included = np.random.default_rng(1).random(100) < request_.get("inclusion", 0.5)
    with pytest.raises(ValueError, match=r"coins of probability 1/2|Thresholds go"):
        audit_canaries(scores, included, ProfileDP(GAUSSIAN), **request_)


def test_profiles_are_named_by_their_ends() -> None:
    assert str(ProfileDP(((1, 0.1),))) == "(1, 0.1)-DP"
    assert str(ProfileDP(((1, 0.1), (2, 0)))) == "(1, 0.1) and (2, 0)-DP"
    assert str(ProfileDP(GAUSSIAN)).startswith("(0.1, ") and "2 points more" in str(
        ProfileDP(GAUSSIAN)
    )
