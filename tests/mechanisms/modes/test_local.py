"""The local method: occupied cells, exact membership, bounded changes, any dimension."""

from collections.abc import Iterable
from fractions import Fraction as Q

import numpy as np
import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from provedp.mechanisms.mixture.private import moments
from provedp.mechanisms.mixture.private.lattice import RADIUS
from provedp.mechanisms.modes import PrivateModalClustering, PrivateModes
from provedp.mechanisms.modes.private import local, sparse
from provedp.mechanisms.modes.private.field import Axis
from provedp.mechanisms.modes.private.local import _Scaled, release_local
from provedp.mechanisms.modes.private.plan import NothingToFindWarning
from provedp.mechanisms.modes.private.sparse import COUNT_STEPS, cell_noise, release_cells
from provedp.theory.modes import threshold_delta
from provedp.theory.numbers import ball

AXES = [Axis(-6.0, 6.0, 1.0)] * 2
CORNERS = np.array([[3.0, 3.0], [3.0, -3.0], [-3.0, 3.0], [-3.0, -3.0]])
VALUES, INSIDE = st.floats(-8, 8), st.floats(-6, 6)


class Silent:
    def __init__(self, sigma: Q):
        self.sigma = sigma

    def added_to(self, exact: Iterable[int], rng: object = None) -> list[int]:
        return [int(value) for value in exact]

    def added_to_occupied(self, counts: dict, least: int, rng: object = None) -> dict:
        return {cell: count for cell, count in counts.items() if count >= least}


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "RoundedGaussian", Silent)
    monkeypatch.setattr(sparse, "RoundedGaussian", Silent)


def corners(records: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.repeat(CORNERS, records // 4, axis=0) + rng.standard_normal((records, 2))


@pytest.mark.parametrize("k", [Q(1), Q(3), Q(100)])
@pytest.mark.parametrize("delta", [Q(1, 100), Q(1, 10**9)])
def test_threshold_keeps_its_part_of_delta(k: Q, delta: Q) -> None:
    noise = cell_noise("replace-one", Q(1, 20), k, delta)
    assert noise.cost("replace-one") <= Q(1, 20)
    with ctx.workprec(128):
        assert noise.delta(k) <= ball(delta)
    level = (noise.threshold - 0.5) / float(noise.deviation)
    assert float(noise.delta(k)) == pytest.approx(float(1 + k) * stats.norm.sf(level), rel=1e-9)
    assert threshold_delta(float(k), level - 0.25) > float(delta)


@pytest.mark.usefixtures("silent")
def test_low_cells_are_left_out_and_the_highest_come_first() -> None:
    points = np.array([[0.1, 0.1]] * 5 + [[4.1, 4.1]] * 9 + [[-3.9, 0.1]] * 2)
    noise = sparse.CellNoise(Q(1), 3 * COUNT_STEPS)
    centres, heights = release_cells(points, AXES, noise, None)
    assert heights.tolist() == [9, 5]
    assert (np.abs(centres - [[4.1, 4.1], [0.1, 0.1]]) <= 1).all()
    nothing = release_cells(np.zeros((0, 2)), AXES, noise, None)
    assert nothing[0].shape == (0, 2)


@given(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=5),
    st.lists(st.tuples(INSIDE, INSIDE), min_size=1, max_size=4),
)
@settings(max_examples=80)
def test_members_do_not_depend_on_other_records(points, places) -> None:
    centres = np.array(places)
    together = _Scaled(np.array(points), AXES)
    limit = (2.0**24 * 2 / together.reach) ** 2
    found = together._members(together._lattice(centres), limit)
    for index, point in enumerate(points):
        alone = _Scaled(np.array([point]), AXES)
        assert alone._members(alone._lattice(centres), limit)[0] == found[index]
        inside = np.clip(point, -6, 6)
        squares = ((inside - np.clip(centres, -6, 6)) ** 2).sum(axis=1)
        if found[index] >= 0:
            assert squares[found[index]] <= squares.min() + 1e-4
        else:
            assert squares.min() > 4 - 1e-4


@given(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=4),
    st.tuples(VALUES, VALUES),
    st.sampled_from(["replace-one", "add-remove"]),
)
@settings(max_examples=80)
def test_no_record_moves_a_round_by_more_than_its_cost(points, other, adjacency) -> None:
    noise = local._round_noise(adjacency, Q(1, 9))
    places = np.array([[0.0, 0.0], [2.0, 1.0], [-4.0, 3.0]])

    def statistics(records) -> np.ndarray:
        seen: list[np.ndarray] = []
        scaled = _Scaled(np.array(records).reshape(-1, 2), AXES)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                local,
                "release_moments",
                lambda parts, noise, rng: (
                    seen.extend(parts)
                    or [moments.NoisyMoments(1.0, np.zeros(2), None) for _ in parts]
                ),
            )
            scaled.moved(places, noise, None)
        return [(len(part), part.sum(axis=0)) for part in seen]

    after = [other, *points[1:]] if adjacency == "replace-one" else points[1:]
    moved = Q(0)
    for (n, s), (m, t) in zip(statistics(points), statistics(after), strict=True):
        moved += ((n - m) * Q(COUNT_STEPS) / noise.count) ** 2
        moved += sum((Q(int(a - b)) / noise.first) ** 2 for a, b in zip(s, t, strict=True))
    assert moved <= noise.cost(adjacency) <= Q(1, 9)
    assert RADIUS**2 / noise.first**2 <= Q(1, 9)


def test_modes_are_found_where_there_are_enough_records() -> None:
    model = PrivateModes(1, box=[(-6, 6)] * 2, bandwidth=1.3, modes=4, method="local")
    found = model.set_params(random_state=0).fit(corners(5000, 0))
    assert found.field_ is None
    squares = ((found.modes_[:, None] - CORNERS) ** 2).sum(axis=2)
    assert squares.min(axis=0).max() < 0.05
    assert (np.diff(found.heights_) <= 0).all()
    assert (
        model.set_params(random_state=None).guarantee.claim == "modes.private_balls_hide_a_record"
    )


def test_high_dimension_uses_it_by_itself() -> None:
    """Eight features: a grid of half bandwidths would have 10¹¹ points."""
    rng = np.random.default_rng(1)
    centres = rng.uniform(-4, 4, (3, 8))
    labels = rng.integers(0, 3, 6000)
    points = centres[labels] + 0.4 * rng.standard_normal((6000, 8))
    model = PrivateModalClustering(4, box=[(-6, 6)] * 8, bandwidth=1.0, clusters=3, random_state=0)
    found = model.fit(points)
    assert found.field_ is None
    distances = np.linalg.norm(found.cluster_centers_[:, None] - centres, axis=2)
    assert distances.min(axis=0).max() < 0.5
    assert (found.predict(points) >= 0).all()


def test_nothing_is_found_among_too_few_records() -> None:
    model = PrivateModes(0.5, box=[(-6, 6)] * 8, bandwidth=1.0, random_state=0)
    with pytest.warns(NothingToFindWarning, match="50 records cannot show a mode"):
        found = model.fit(np.random.default_rng(0).standard_normal((50, 8)))
    assert found.modes_.shape == (0, 8)


def test_a_run_reports_its_noise() -> None:
    source = np.random.default_rng(0)
    _, (cells, rounds) = release_local(
        corners(400, 0), AXES, 4, Q(3), Q(1, 10**6), "replace-one", Q(1, 5), source
    )
    assert len(rounds) == len(local.ROUNDS)
    total = cells.cost("replace-one") + sum(each.cost("replace-one") for each in rounds)
    assert 0 < total <= Q(1, 5)
