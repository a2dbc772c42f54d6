"""The private density estimate: exact sums, stated noise, and modes as good as the data allow."""

from collections.abc import Iterable
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.neighbors import KernelDensity

from provedp.mechanisms.exact.gaussian_budget import gaussian_budget
from provedp.mechanisms.exact.parameters import ratio_below
from provedp.mechanisms.modes import (
    PrivateModalClustering,
    PrivateModalRegression,
    PrivateModes,
)
from provedp.mechanisms.modes.private import box, field
from provedp.mechanisms.modes.private import estimators as private
from provedp.mechanisms.modes.private.box import COUNT_STEPS, box_cost, box_ends, release_box
from provedp.mechanisms.modes.private.field import (
    Axis,
    Field,
    FieldNoise,
    field_noise,
    release_field,
)
from provedp.mechanisms.modes.private.peaks import peaks_of
from provedp.theory.numbers import ball
from provedp.theory.privacy import Mechanism, gaussian_delta

AXES = (Axis(-3.0, 3.0, 0.9), Axis(0.0, 5.0, 1.1))
CORNERS = np.array([[3.0, 3.0], [3.0, -3.0], [-3.0, 3.0], [-3.0, -3.0]])
BOX = [(-6, 6)] * 2
# Matching errors that the paper prints for its method, ε = 1 (Table 2): they are not private.
PRINTED = {1000: 0.0463, 2000: 0.0222, 5000: 0.0107}


class Silent:
    """No noise."""

    def __init__(self, sigma: Q):
        self.sigma = sigma

    def draw(self, rng: Any = None) -> int:
        return 0

    def added_to(self, exact: Iterable[int], rng: Any = None) -> list[int]:
        return [int(value) for value in exact]


def corners(records: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.repeat(CORNERS, records // 4, axis=0) + rng.standard_normal((records, 2))


def matching_error(found: np.ndarray) -> float:
    """Mean squared distance to the nearest, from either side, averaged."""
    squares = ((found[:, None] - CORNERS) ** 2).sum(axis=2)
    return float(squares.min(axis=1).mean() + squares.min(axis=0).mean()) / 2


def noiseless(points: np.ndarray, axes: tuple[Axis, ...], patch: pytest.MonkeyPatch) -> Field:
    patch.setattr(field, "RoundedGaussian", Silent)
    noise = field_noise(axes, "replace-one", Q(1))
    return release_field(points, axes, noise, None)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=6))
@settings(max_examples=40)
def test_sums_are_those_of_exact_weights(points) -> None:
    table, noise = np.array(points), field_noise(AXES, "replace-one", Q(1))
    found = field._sums(table, AXES, noise.weights)
    weights = [axis.weights(noise.bits).astype(object) for axis in AXES]
    exact = np.zeros(found.shape, dtype=object)
    for x, y in points:
        columns = [
            w[:, int(axis.places(np.array([v]))[0])]
            for w, axis, v in zip(weights, AXES, (x, y), strict=True)
        ]
        exact += np.multiply.outer(*columns)
    assert (found.astype(object) == exact).all()


@given(
    st.tuples(st.floats(-9, 9), st.floats(-9, 9)),
    st.tuples(st.floats(-9, 9), st.floats(-9, 9)),
    st.sampled_from(["replace-one", "add-remove"]),
)
@settings(max_examples=60)
def test_no_record_moves_more_than_the_cost(one, two, adjacency) -> None:
    noise = field_noise(AXES, adjacency, Q(1, 3))
    assert noise.cost(adjacency) <= Q(1, 3)
    first, second = (
        field._sums(np.array([each]), AXES, noise.weights).astype(object) for each in (one, two)
    )
    change = first - second if adjacency == "replace-one" else first
    assert Q(int((change**2).sum())) / noise.deviation**2 <= noise.cost(adjacency)


def test_the_cost_is_attained_by_distant_records() -> None:
    noise = field_noise(AXES, "replace-one", Q(1, 3))
    places = ((-2, 1), (2, 4))
    first, second = (
        field._sums(np.array([place]), AXES, noise.weights).astype(object) for place in places
    )
    moved = Q(int(((first - second) ** 2).sum())) / noise.deviation**2
    assert moved >= noise.cost("replace-one") * Q(9, 10)


def test_without_noise_it_is_the_kernel_density_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to the rounding of records to the lattice, a sixth of a bandwidth apart."""
    rng = np.random.default_rng(0)
    points = rng.uniform([-2, 1], [2, 4], (400, 2))
    found = noiseless(points, (Axis(-3.0, 3.0, 1.0), Axis(0.0, 5.0, 1.0)), monkeypatch)
    queries = rng.uniform([-2, 1], [2, 4], (50, 2))
    reference = 400 * np.exp(KernelDensity(bandwidth=1.0).fit(points).score_samples(queries))
    assert np.allclose(found.intensity(queries), reference, rtol=2e-2)


def test_gradient_is_the_slope_of_the_intensity(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    found = noiseless(rng.uniform([-2, 1], [2, 4], (200, 2)), AXES, monkeypatch)
    queries, step = rng.uniform([-2, 1], [2, 4], (20, 2)), 1e-5
    for i in range(2):
        shift = np.eye(2)[i] * step
        slope = (found.intensity(queries + shift) - found.intensity(queries - shift)) / (2 * step)
        assert np.allclose(found.gradient(queries)[:, i], slope, rtol=1e-6, atol=1e-6)


def test_grid_and_points_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    found = noiseless(np.random.default_rng(2).uniform(-2, 4, (100, 2)), AXES, monkeypatch)
    places = [np.linspace(-3, 3, 7), np.linspace(0, 5, 4)]
    points = np.array([(x, y) for x in places[0] for y in places[1]])
    assert np.allclose(found.on_grid(places).ravel(), found.intensity(points))


def test_noise_deviation_is_that_of_the_noise() -> None:
    """Sample deviation over 400 releases of no records: within 15 %, four of its own deviations."""
    noise = field_noise(AXES, "add-remove", Q(1, 10))
    queries = np.array([[0.0, 2.0], [-2.5, 0.5], [1.3, 4.9]])
    rng, nothing = np.random.default_rng(3), np.zeros((0, 2))
    draws = [release_field(nothing, AXES, noise, rng) for _ in range(400)]
    samples = np.array([each.intensity(queries) for each in draws])
    stated = draws[0].noise_deviation(queries)
    assert np.allclose(samples.std(axis=0), stated, rtol=0.15)
    assert np.abs(samples.mean(axis=0)).max() < 4 * stated.max() / 20


def test_noise_of_the_estimate_is_that_of_one_count() -> None:
    """In records at the peak of the kernel it is √2/μ inside the box, to the knots' accuracy."""
    for axes in (AXES[:1], AXES, (*AXES, Axis(-1.0, 1.0, 0.5))):
        noise = field_noise(axes, "replace-one", Q(1, 10))
        found = release_field(np.zeros((0, len(axes))), axes, noise, np.random.default_rng(0))
        middle = np.array([[(axis.low + axis.high) / 2 for axis in axes]])
        peak = np.prod([1 / (np.sqrt(2 * np.pi) * axis.bandwidth) for axis in axes])
        expected = np.sqrt(2 / 0.1) * peak
        assert found.noise_deviation(middle)[0] == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("records", [1000, 2000, 5000])
def test_four_corners_are_found_better_than_was_printed_without_privacy(records: int) -> None:
    """Bandwidth 1.5 of a box of 12, ε = 1, 20 seeds: the mean matching error."""
    points = corners(records, 42)
    model = PrivateModes(1, "1e-6", box=BOX, bandwidth=1.5, modes=4)
    errors = [
        matching_error(clone(model).set_params(random_state=seed).fit(points).modes_)
        for seed in range(20)
    ]
    assert np.mean(errors) < PRINTED[records]


def test_unknown_numbers_of_modes_are_found_where_they_are_certain() -> None:
    found = PrivateModes(1, box=BOX, bandwidth=1.5, random_state=0).fit(corners(5000, 1))
    assert len(found.modes_) == 4
    assert (found.heights_ > 4 * found.deviations_).all()
    nothing = PrivateModes(1, box=BOX, bandwidth=1.5, adjacency="add-remove", random_state=0)
    assert nothing.fit(np.zeros((0, 2))).modes_.shape == (0, 2)


def test_spent_noise_keeps_the_promise() -> None:
    for epsilon in (Q(1, 10), Q(2)):
        budget = gaussian_budget(ratio_below(epsilon), Q(1, 10**6))
        noise = field_noise(AXES, "replace-one", budget)
        with ctx.workprec(128):
            mu = ball(noise.cost("replace-one")).sqrt()
            assert gaussian_delta(mu, ball(epsilon)) <= ball(Q(1, 10**6))


@pytest.mark.parametrize(
    "model",
    [
        PrivateModes(1, box=BOX, bandwidth=1, method="field"),
        PrivateModalClustering("ln(2)", box=BOX, bandwidth=1, method="field"),
        PrivateModalRegression(1, "1/3", box=BOX, bandwidth=1),
        PrivateModes(1, box=BOX, bandwidth=1),
        PrivateModalClustering("ln(2)", 0, box=BOX, bandwidth=1),
        PrivateModalRegression(1, 0, box=BOX, bandwidth=1),
    ],
)
def test_guarantees(model: Any) -> None:
    assert isinstance(model, Mechanism)
    way = "bins" if model.guarantee.delta == 0 else "field"
    assert model.guarantee.claim == f"modes.private_{way}_hide{'s' * (way == 'field')}_a_record"
    assert (model.guarantee.delta == 0) == (model.delta in (0, "1e-6") and way == "bins")
    assert model.set_params(adjacency="add-remove").guarantee.claim.endswith("presence")
    assert model.set_params(random_state=0).guarantee is None


def test_clusters_are_basins_of_the_released_field() -> None:
    points = corners(4000, 3)
    model = PrivateModalClustering(2, box=BOX, bandwidth=1.4, clusters=4, random_state=0)
    labels = model.fit(points).predict(points)
    nearest = ((points[:, None] - CORNERS) ** 2).sum(axis=2).argmin(axis=1)
    agreement = [np.bincount(labels[nearest == k]).max() for k in range(4)]
    assert sum(agreement) > 0.95 * len(points)
    centres = model.release(points, np.random.default_rng(0))
    assert centres.shape == (4, 2)


def test_regression_follows_a_sine_and_two_branches() -> None:
    rng = np.random.default_rng(5)
    x = rng.uniform(0, 6, 4000)
    y = np.sin(x) + 0.1 * rng.standard_normal(4000) + 3 * (rng.random(4000) < 0.5)
    model = PrivateModalRegression(
        4, box=[(0, 6), (-2, 5)], bandwidth=[0.5, 0.4], branches=2, random_state=1
    )
    places = np.linspace(0.5, 5.5, 11)
    found = np.sort(model.fit(x[:, None], y).predict(places[:, None]), axis=1)
    assert np.abs(found - np.stack([np.sin(places), np.sin(places) + 3], axis=1)).max() < 0.3


def test_a_private_box_asks_the_same_whatever_the_records(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Counting(Silent):
        def added_to(self, exact: Iterable[int], rng: Any = None) -> list[int]:
            asked[-1] += 1
            return super().added_to(exact)

    monkeypatch.setattr(box, "RoundedGaussian", Counting)
    rng = np.random.default_rng(0)
    for points in (rng.standard_normal((50, 2)), np.zeros((50, 2)), 1e9 * np.ones((3, 2))):
        asked.append(0)
        release_box(points, Q(1), 0.05, None, None)
    questions = 1 + 2 * 2 * len(box_ends()).bit_length()
    assert asked == [questions] * 3


def test_a_private_box_costs_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    sigmas: list[Q] = []

    class Watched(Silent):
        def __init__(self, sigma: Q):
            sigmas.append(sigma)
            super().__init__(sigma)

    monkeypatch.setattr(box, "RoundedGaussian", Watched)
    release_box(np.zeros((5, 3)), Q(1, 7), 0.05, None, None)
    assert Q(1, 7) * Q(999, 1000) < box_cost(3, sigmas[0]) <= Q(1, 7)
    assert sigmas[0] > COUNT_STEPS


def test_a_private_box_holds_most_records() -> None:
    points = np.random.default_rng(1).normal([50.0, -3.0], [5.0, 0.1], (20_000, 2))
    found = release_box(points, Q(1, 100), 0.02, 20_000, np.random.default_rng(0))
    inside = (points >= found[:, 0]) & (points <= found[:, 1])
    assert (inside.mean(axis=0) > 0.9).all()
    assert (found[:, 1] - found[:, 0] < [60, 6]).all()


BAD = [
    ({"box": None}, "box"),
    ({"box": [(1, 1)] * 2}, "box"),
    ({"box": [(0, np.nan)] * 2}, "box"),
    ({"box": "data"}, "box"),
    ({"bandwidth": None}, "bandwidth"),
    ({"bandwidth": -1}, "bandwidth"),
    ({"bandwidth": [1, 1, 1]}, "bandwidth"),
    ({"bandwidth": np.inf}, "bandwidth"),
    ({"bandwidth": 1e-320}, "bandwidth"),
    ({"bandwidth": 1, "box": "private"}, "'bandwidth' must be left out"),
    ({"box": [(-1.7e308, 1.7e308)] * 2}, "box"),
    ({"epsilon": "1e-300"}, "'epsilon' must be positive"),
    ({"random_state": "a"}, "random_state"),
    ({"bandwidth": 0.001, "method": "field"}, "larger bandwidth"),
    ({"method": "grid"}, "method"),
    ({"epsilon": 0}, "'epsilon'"),
    ({"epsilon": "x"}, "epsilon"),
    ({"delta": 1}, "delta"),
    ({"delta": 0, "method": "field"}, "'delta'"),
    ({"delta": 0, "method": "local"}, "'delta'"),
    ({"delta": 0, "bandwidth": 0.01}, "50000 nodes"),
    ({"method": "bins", "box": [(-6, 6)] * 9, "bandwidth": 12}, "8 columns"),
    ({"records": 0}, "records"),
    ({"records": 2.5}, "records"),
    ({"adjacency": "label"}, "adjacency"),
    ({"modes": 0}, "modes"),
    ({"modes": 1.5}, "modes"),
]


@pytest.mark.parametrize(("changes", "named"), BAD)
def test_bad_parameters_are_refused_before_anything_is_drawn(
    changes: dict[str, Any], named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "release_field", lambda *_: pytest.fail("noise was drawn"))
    monkeypatch.setattr(private, "release_bins", lambda *_: pytest.fail("noise was drawn"))
    model = PrivateModes(**({"box": BOX, "bandwidth": 1} | changes))
    with pytest.raises(ValueError, match=named):
        model.fit(corners(40, 0))


@pytest.mark.parametrize(
    ("points", "named"),
    [
        ([[1.0, np.nan]], "a number in column 2 that is not finite"),
        ([[0.25, 7.125], [10**400, 0]], "no array of numbers instead"),
        (np.ma.masked_array(np.ones((3, 2)), np.eye(3, 2)), "a masked array"),
        ([[1.0, 2.0, 3.0]], "3 columns"),
        ([1.0, 2.0], "not two-dimensional"),
        ([["a", "b"]], "'X'"),
        (np.zeros((0, 2)), "no records"),
        (np.ones((3, 2)) * 1j, "complex"),
    ],
)
def test_bad_records_are_refused_with_the_column(points: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        PrivateModes(box=BOX, bandwidth=1).fit(points)
    assert "7.125" not in str(caught.value)


@pytest.mark.parametrize(
    ("model", "data"),
    [
        (PrivateModes(box="private", method="field"), (np.zeros((5, 4)),)),
        (PrivateModalClustering(box="private", method="field"), (np.zeros((5, 4)),)),
        (PrivateModalRegression(box="private"), (np.zeros((5, 3)), np.zeros(5))),
    ],
)
@pytest.mark.filterwarnings("ignore:.*cannot show a mode")
def test_a_field_without_room_is_refused_before_a_private_box(
    model: Any, data: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "release_box", lambda *_: pytest.fail("noise was drawn"))
    with pytest.raises(ValueError, match="choose fewer columns or the local method"):
        model.fit(*data)
    monkeypatch.undo()
    model.fit(*(each[:, :-1] if each.ndim == 2 else each for each in data))


def test_labels_of_private_records_are_refused_before_anything_is_spent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(private, "release_field", lambda *_: pytest.fail("noise was drawn"))
    model = PrivateModalClustering(box=BOX, bandwidth=1)
    with pytest.raises(TypeError, match="fit_predict would return the labels of private records"):
        model.fit_predict(corners(40, 0))
    assert not hasattr(model, "cluster_centers_")


def test_sums_of_many_records_are_those_of_their_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """More records than 64-bit sums hold are added up in parts: none is refused for being there."""
    points = np.random.default_rng(6).uniform(-3, 3, (50, 2))
    whole = noiseless(points, AXES, monkeypatch).values
    monkeypatch.setattr(field, "MOST_AT_ONCE", 7)
    assert (noiseless(points, AXES, monkeypatch).values == whole).all()


def test_a_response_is_one_number_for_each_record() -> None:
    model = PrivateModalRegression(box=BOX, bandwidth=1)
    for response in (np.zeros((5, 2)), np.zeros(4)):
        with pytest.raises(ValueError, match="'y' parameter .* one for each row of 'X'"):
            model.fit(np.zeros((5, 1)), response)


def test_a_private_box_is_followed_by_the_method_for_its_features() -> None:
    """A tenth of the box as bandwidth: a field in two dimensions, balls in five."""
    rng = np.random.default_rng(0)
    for columns, has_field in ((2, True), (5, False)):
        model = PrivateModes(8, box="private", modes=1, random_state=0)
        found = model.fit(rng.standard_normal((3000, columns)))
        assert (found.field_ is not None) == has_field
        assert model.claimed.claim == "modes.private_box_and_modes_hide_a_record"


def test_records_outside_the_box_count_at_its_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    far = noiseless(np.array([[1e300, 2.0]]), AXES, monkeypatch)
    edge = noiseless(np.array([[3.0, 2.0]]), AXES, monkeypatch)
    assert np.array_equal(far.values, edge.values)


def test_peaks_are_apart_and_the_highest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = (Axis(-6.0, 6.0, 1.0), Axis(-6.0, 6.0, 1.0))
    points = np.concatenate([corners(2000, 0), np.tile([[3.0, 3.0]], (200, 1))])
    found = peaks_of(noiseless(points, axes, monkeypatch), 4)
    assert np.linalg.norm(found.places[0] - 3) < 0.2
    assert (np.diff(found.heights) <= 0).all()
    gaps = np.linalg.norm(found.places[:, None] - found.places, axis=2)[np.triu_indices(4, 1)]
    assert gaps.min() > 1.5


def test_noise_of_too_many_knots_is_refused() -> None:
    with pytest.raises(ValueError, match="knots"):
        field_noise((Axis(0.0, 1.0, 0.05),) * 4, "replace-one", Q(1))
    assert isinstance(field_noise((Axis(0.0, 1.0, 0.3),) * 4, "replace-one", Q(1)), FieldNoise)
