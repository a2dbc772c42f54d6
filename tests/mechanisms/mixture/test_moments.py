"""What a step releases: exact statistics, and a cost that no change of one record exceeds."""

from collections.abc import Iterable
from fractions import Fraction as Q

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provedp.mechanisms.exact.gaussian_budget import root_above
from provedp.mechanisms.mixture.private import moments
from provedp.mechanisms.mixture.private.lattice import RADIUS, clipped
from provedp.mechanisms.mixture.private.moments import (
    CELLS,
    release_distances,
    release_moments,
    release_pooled,
)
from provedp.mechanisms.mixture.private.plan import (
    COUNT_STEPS,
    PLANS,
    Noise,
    histogram_noise,
    noise_for,
    plan_for,
    pooled_noise,
)

ADJACENCIES = ["label", "replace-one", "add-remove"]
COORDINATE = st.integers(-RADIUS, RADIUS)
RECORDS = st.tuples(st.integers(0, 2), COORDINATE, COORDINATE)


@pytest.fixture(autouse=True)
def _without_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent:
        def __init__(self, sigma: Q):
            assert sigma > 0

        def added_to(self, exact: Iterable[int], rng: object) -> list[int]:
            return [int(value) for value in exact]

    monkeypatch.setattr(moments, "RoundedGaussian", Silent)


def points_of(records) -> list[np.ndarray]:
    table = [[(x, y) for k, x, y in records if k == label] for label in range(3)]
    return [clipped(np.array(part, dtype=np.float64).reshape(-1, 2)) for part in table]


def statistics(records) -> list[list[Q]]:
    """Return count, sums and second moments of each class, exactly, as they are released."""
    found = []
    for part in release_moments(points_of(records), Noise(Q(1), Q(1), Q(1)), None):
        scale = [Q(1, RADIUS)] * 2 + [Q(1, RADIUS**2)] * 3
        values = [*part.first, part.second[0, 0], part.second[1, 1], part.second[0, 1]]
        exact = [Q(float(v)) for v in values]
        assert all((v / s).denominator == 1 for v, s in zip(exact, scale, strict=True))
        found.append([Q(part.count), *exact])
    return found


def change(before, after, noise: Noise) -> Q:
    """Return Σ (change/σ)² of a joint release."""
    count, first, second = Q(COUNT_STEPS), Q(RADIUS), Q(RADIUS**2)
    scales = [count / noise.count, *[first / noise.first] * 2]
    scales += [*[second / noise.second] * 2, second / noise.across]
    total = Q(0)
    for old, new in zip(before, after, strict=True):
        total += sum(((a - b) * s) ** 2 for a, b, s in zip(old, new, scales, strict=True))
    return total


@given(st.lists(RECORDS, min_size=1, max_size=4), RECORDS, st.sampled_from(ADJACENCIES))
def test_no_record_moves_more_than_the_cost(records, changed, adjacency) -> None:
    noise = noise_for(adjacency, Q(1, 7), Q(1, 3), Q(1, 5))
    label, x, y = records[0]
    other = {
        "label": [(changed[0], x, y), *records[1:]],
        "replace-one": [changed, *records[1:]],
        "add-remove": records[1:],
    }[adjacency]
    moved = change(statistics(records), statistics(other), noise)
    assert moved <= noise.cost(adjacency) <= Q(1, 7) + Q(1, 3) + Q(1, 5)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_the_cost_is_attained_or_close(adjacency) -> None:
    """A record on the sphere that changes its class, or comes; two opposite ones for replace."""
    noise = noise_for(adjacency, Q(1, 7), Q(1, 3), Q(1, 5))
    before = {"label": [(0, RADIUS, 0)], "replace-one": [(0, RADIUS, 0)], "add-remove": []}[
        adjacency
    ]
    after = {"label": (1, RADIUS, 0), "replace-one": (1, 0, RADIUS), "add-remove": (1, RADIUS, 0)}
    moved = change(statistics(before), statistics([after[adjacency]]), noise)
    assert moved >= noise.cost(adjacency) * (1 - Q(1, 10**6))


@given(st.lists(RECORDS, min_size=1, max_size=5))
def test_cells_hold_distances_up_to_their_radius(records) -> None:
    points = points_of(records)
    cells = release_distances(points, histogram_noise("label", Q(1)), None)
    expected = np.zeros(CELLS)
    for point in np.concatenate(points):
        square = max(1, sum(int(x) ** 2 for x in point))
        inside = [j for j in range(CELLS) if square * 2**j <= RADIUS**2]
        expected[max(inside)] += 1
    assert cells.tolist() == expected.tolist()


@pytest.mark.parametrize("whole", [True, False])
def test_pooled_moments_are_those_of_all_classes(whole: bool) -> None:
    points = [np.array([[3.0, -4.0], [1.0, 2.0]]), np.array([[-6.0, 1.0]]), np.zeros((0, 2))]
    found = release_pooled(points, pooled_noise("label", Q(1), whole=whole), None) * RADIUS**2
    # By hand: 9 + 1 + 36, 16 + 4 + 1, −12 + 2 − 6.
    assert found.tolist() == ([[46.0, -16.0], [-16.0, 21.0]] if whole else [[67.0]])


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("whole", [True, False])
def test_the_pooled_step_costs_its_share(adjacency: str, whole: bool) -> None:
    share = Q(3, 700)
    cost = pooled_noise(adjacency, share, whole=whole).cost(adjacency)
    assert share * (1 - Q(1, 10**6)) < cost <= share


@given(st.fractions(Q(1, 10**6), Q(10**30)))
def test_roots_are_rounded_up(square) -> None:
    root = root_above(square)
    assert root**2 >= square > (root - Q(2, 1 << 20)) ** 2 or root <= Q(2, 1 << 20)


@pytest.mark.parametrize("plan", [plan for _, plan in PLANS])
def test_shares_sum_to_one(plan) -> None:
    assert plan.total == 1
    assert (plan.spread > 0) == bool(plan.rounds)


@pytest.mark.parametrize("records", [10, 100, 1000, 10_000, 10**6])
def test_a_plan_that_pools_is_the_other_one_and_a_share(records: int) -> None:
    alone = plan_for(records, 3, 4, Q(1, 20))
    plan = plan_for(records, 3, 4, Q(1, 20), pooled=True)
    assert plan.total == 1
    assert plan.pooled <= Q(1, 10)
    assert plan.locate == (1 - plan.pooled) * alone.locate
    assert len(plan.rounds) == len(alone.rounds)
    if records == 10:
        assert plan.pooled and not plan.whole  # a trace, where a matrix would be noise
    if records == 10**6:
        assert plan == alone


def test_more_signal_never_means_an_earlier_plan() -> None:
    order = [plan for _, plan in PLANS]
    chosen = [order.index(plan_for(10**k, 3, 4, Q(1, 20))) for k in range(1, 8)]
    assert chosen == sorted(chosen)
    assert chosen[0] == 0
    assert chosen[-1] == len(order) - 1
