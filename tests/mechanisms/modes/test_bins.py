"""Binned counts, the choice of a mechanism by public numbers, and peaks that are sure."""

import json
from dataclasses import replace
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.neighbors import KernelDensity

from provedp.cli.release.modes import release_modes
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.mechanisms.modes import PrivateModalClustering, PrivateModalRegression, PrivateModes
from provedp.mechanisms.modes.private.bins import (
    CELLS,
    LINEAR,
    ORDERS,
    BinAxis,
    binned,
    bins_noise,
    bits_of,
    release_bins,
)
from provedp.mechanisms.modes.private.certainty import certain, exponential_reach, noise_reach
from provedp.mechanisms.modes.private.field import Field
from provedp.mechanisms.modes.private.peaks import ascend, grid_of, peaks_of
from provedp.mechanisms.modes.private.plan import NothingToFindWarning
from provedp.mechanisms.modes.private.planning import WIDTH, Layout
from provedp.theory.modes import bins_sensitivity
from provedp.verify.claims.modes.instances.samples import blobs
from provedp.verify.claims.modes.instances.settings import cluster_scores

AXES = (BinAxis(-3.0, 3.0, 0.9, 1.1), BinAxis(0.0, 5.0, 1.1, 1.0))
BOX = [(-6, 6)] * 2
NUMBER = st.one_of(st.floats(-9, 9), st.sampled_from([-3.0, 3.0, 5.0, 0.0, 1e308, -1e308, 5e-324]))


def exact_field(points: np.ndarray, axes: tuple[BinAxis, ...]) -> Field:
    whole = 2.0 ** (bits_of(len(axes)) * len(axes))
    counts = binned(points, axes).reshape([axis.node_count for axis in axes])
    return Field(axes, counts / whole, 1e-9, 1e9)


@given(st.tuples(NUMBER, NUMBER), st.tuples(NUMBER, NUMBER), st.sampled_from(ORDERS))
@settings(max_examples=120)
def test_one_record_moves_the_counts_by_what_is_charged(one: Any, two: Any, order: int) -> None:
    axes = [replace(axis, order=order) for axis in AXES]
    first, second = (binned(np.array([each]), axes) for each in (one, two))
    whole = 1 << bits_of(2) * 2
    for each in (first, second):
        assert each.sum() == whole
        assert (each >= 0).all()
    assert np.abs(first - second).sum() <= bins_sensitivity("replace-one", whole)


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_cells_count_what_is_in_them(columns: int) -> None:
    """Against NumPy's histogram; records at an edge belong to the cell that begins there."""
    rng = np.random.default_rng(0)
    points = np.vstack([rng.uniform(-3, 3, (400, columns)), rng.integers(-3, 4, (50, columns))])
    axes = [BinAxis(-3.0, 3.0, 1.0, 1.0, CELLS)] * columns
    counts = binned(points, axes) >> bits_of(columns) * columns
    edges = [np.linspace(-3, 3, 7)] * columns
    assert (counts == np.histogramdd(points, bins=edges)[0].ravel()).all()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("steps", [8, 9, 12])
def test_records_and_nodes_move_a_mode_as_far_as_is_planned(order: int, steps: int) -> None:
    """1000 samples of 400 records around random places: the mean square to a quarter."""
    rng, axis = np.random.default_rng(5), BinAxis(-6.0, 6.0, 1.2, 10 / steps + 1e-9, order)
    moved = []
    for _ in range(1000):
        mode = rng.uniform(-1, 1)
        field = exact_field(rng.normal(mode, WIDTH * 1.2, (400, 1)), (axis,))
        moved.append(float(ascend(field, np.array([[mode]]))[0, 0] - mode) / 1.2)
    planned = Layout((axis,), 0.0).error(400)
    assert np.mean(np.square(moved)) == pytest.approx(planned, rel=0.25)


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
def test_noise_costs_what_is_asked_for_and_hardly_less(adjacency: str) -> None:
    ratio, whole = Q(3), 1 << bits_of(2) * 2
    spent = bins_noise(2, adjacency, ratio).ratio ** (
        whole * (2 if adjacency == "replace-one" else 1)
    )
    assert Q(2999, 1000) < spent <= ratio


def test_without_noise_it_is_the_kernel_density_estimate() -> None:
    """To 1 % of the peak: nodes a bandwidth apart leave a ripple of e^(−2π²b²/s²) for a point."""
    rng = np.random.default_rng(0)
    points = rng.normal([0, 2.5], 0.8, (4000, 2))
    found = exact_field(points, (BinAxis(-6.0, 6.0, 1.0, 1.0), BinAxis(-3.0, 8.0, 1.0, 1.0)))
    queries = rng.uniform([-2, 1], [2, 4], (50, 2))
    reference = 4000 * np.exp(KernelDensity(bandwidth=1.0).fit(points).score_samples(queries))
    assert np.abs(found.intensity(queries) - reference).max() < 0.01 * reference.max()


def test_the_law_of_draws_is_two_sided_geometric() -> None:
    """χ² over eleven values and the rest, at a level of 10⁻³."""
    k = 1.5
    noise, rng = TwoSidedGeometric(Q(3, 2)), np.random.default_rng(1)
    drawn = np.array(noise.added_to([0] * 20_000, rng))
    law = [(k - 1) / (k + 1) * k ** -abs(n) for n in range(-5, 6)]
    seen = [int((drawn == n).sum()) for n in range(-5, 6)]
    expected = 20_000 * np.array([*law, 1 - sum(law)])
    assert stats.chisquare([*seen, 20_000 - sum(seen)], expected).pvalue > 1e-3
    assert drawn.std() == pytest.approx(noise.deviation, rel=0.05)


def test_noise_of_the_estimate_is_what_it_says() -> None:
    noise, rng = bins_noise(2, "replace-one", Q(3)), np.random.default_rng(2)
    nothing, queries = np.zeros((0, 2)), np.array([[0.0, 2.0], [-2.5, 0.5]])
    draws = [release_bins(nothing, AXES, noise, rng) for _ in range(500)]
    samples = np.array([each.intensity(queries) for each in draws])
    assert np.allclose(samples.std(axis=0), draws[0].noise_deviation(queries), rtol=0.15)


def test_bad_ratios_of_noise_are_refused() -> None:
    with pytest.raises(ValueError, match="'ratio' must be above 1"):
        TwoSidedGeometric(Q(1))


# ------------------------------------------------------------------------------ sure peaks
def test_the_reach_of_one_exponential_is_its_tail() -> None:
    """One Laplace number of scale 1: Chernoff's bound is (1 + √(1 + L²)) and so on, above ln."""
    found = exponential_reach(1.0, 1.0, 8.0)
    direct = min((8.0 - np.log(1 - u * u)) / u for u in np.linspace(0.01, 0.99999, 200_001))
    assert found == pytest.approx(direct, rel=1e-6)
    assert found > 8.0  # P(X > t) = e^(−t)/2


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bins", "field"])
@pytest.mark.parametrize("data", ["empty", "uniform"])
def test_false_peaks_are_as_rare_as_they_say(method: str, data: str) -> None:
    """200 releases: sure peaks beyond those without noise in at most 5 %, at confidence 0.99.

    Without records none is sure; uniform records have as many as their estimate without noise.
    """
    rng = np.random.default_rng(3)
    points = rng.uniform(-6, 6, (3000 if data == "uniform" else 0, 2))
    model = PrivateModes(1, box=BOX, bandwidth=1.2, adjacency="add-remove", method=method)
    axes = tuple(BinAxis(-6.0, 6.0, 1.2, 1.0) for _ in BOX)
    clean = peaks_of(exact_field(points, axes), None).places if len(points) else []
    wrong = 0
    for seed in range(200):
        wrong += model.set_params(random_state=seed).fit(points).sure_.sum() > len(clean)
    assert stats.binomtest(wrong, 200, 0.05, alternative="greater").pvalue > 0.01


def test_noise_reaches_its_bound_as_rarely_as_it_says() -> None:
    noise, rng = bins_noise(2, "replace-one", Q(3)), np.random.default_rng(4)
    beyond = 0
    for _ in range(300):
        field = release_bins(np.zeros((0, 2)), AXES, noise, rng)
        grid = grid_of(AXES)
        beyond += np.abs(field.on_grid(grid)).max() > noise_reach(field, grid)
    assert beyond <= 0.05 * 300


def test_lower_peaks_are_sure_above_their_passes_alone() -> None:
    values = np.array([0.0, 10.0, 4.0, 9.0, 8.5, 8.8, 0.0])
    grid = [np.arange(7.0)]
    places = np.array([[1.0], [3.0], [5.0]])
    assert certain(values, grid, places, 2.4).tolist() == [True, True, False]
    assert certain(values, grid, places, 2.6).tolist() == [True, False, False]
    assert certain(values, grid, places, 5.1).tolist() == [False, False, False]
    assert certain(values, grid, places, 0.1).tolist() == [True, True, True]


def test_modes_of_many_records_are_sure_and_of_few_are_not() -> None:
    rng = np.random.default_rng(5)
    centres = np.array([[3.0, 3.0], [-3.0, -3.0]])
    points = np.repeat(centres, 2000, axis=0) + rng.standard_normal((4000, 2))
    model = PrivateModes(1, 0, box=BOX, bandwidth=1.2, modes=6, random_state=0).fit(points)
    assert len(model.sure_) > 2
    assert model.sure_[:2].all()
    assert not model.sure_[2:].any()


# ---------------------------------------------------------------------------------- plans
@pytest.mark.parametrize(
    ("settings", "method"),
    [
        ({}, "bins"),
        ({"delta": 0}, "bins"),
        ({"delta": "1/3"}, "field"),
        ({"box": [(-6, 6)] * 3, "epsilon": 0.1}, "bins"),
        ({"box": [(-6, 6)] * 9}, "local"),
        ({"box": [(-6, 6)] * 4, "bandwidth": 3}, "field"),
    ],
)
def test_the_method_follows_from_public_numbers(settings: dict[str, Any], method: str) -> None:
    model = PrivateModes(**({"box": BOX, "bandwidth": 1.2} | settings))
    assert model.plan(1000).method == method
    assert model.plan(10**6).method == method
    assert model.guarantee.delta == (0 if method == "bins" else Q(model.plan().delta))


@pytest.mark.parametrize(
    ("columns", "bandwidth", "modes", "epsilon", "side", "order"),
    [
        (1, 1.2, 2, 0.25, 10, CELLS),
        (2, 1.2, 4, 0.1, 7, CELLS),
        (2, 1.2, 4, 0.25, 8, CELLS),
        (2, 1.2, 4, 0.5, 9, CELLS),
        (2, 1.2, 4, 1, 10, LINEAR),
        (2, 1.2, 4, 5, 11, LINEAR),
        (5, 1.5, 3, 1, 6, CELLS),
    ],
)
def test_more_noise_asks_for_fewer_nodes(
    columns: int, bandwidth: float, modes: int, epsilon: float, side: int, order: int
) -> None:
    """1000 records and no steps: cells, and ever fewer, as ε falls."""
    public = {"box": [(-6, 6)] * columns, "bandwidth": bandwidth, "modes": modes}
    plan = PrivateModes(epsilon, 0, **public, steps=False).plan(1000)
    assert (plan.nodes, plan.order) == (side**columns, order)


def test_only_modes_that_noise_may_hide_are_looked_for_in_wider_estimates() -> None:
    at = {e: PrivateModes(e, 0, box=BOX, bandwidth=1.2, modes=4) for e in (0.1, 0.25, 1)}
    assert [at[e].plan(1000).reach for e in at] == [1.25, 1.0, 1.0]
    assert at[0.1].plan().reach == 1.0


def test_clusters_that_overlap_are_told_apart() -> None:
    """Eight releases at ε = 1/2, where wider estimates merge them: an index of 0.3."""
    sample = blobs(1000, 1)
    model = PrivateModalClustering("1/2", 0, box=sample.box, bandwidth=0.5, clusters=4)
    centres = [
        model.set_params(random_state=seed).fit(sample.points).cluster_centers_ for seed in range(8)
    ]
    assert np.mean([cluster_scores(sample, each)[0] for each in centres]) > 0.5


def test_a_fit_follows_its_plan_and_add_remove_does_not_use_the_number() -> None:
    points = np.random.default_rng(0).normal(size=(5000, 2))
    model = PrivateModes(1, 0, box=BOX, bandwidth=1.2, random_state=0)
    assert model.fit(points).plan_ == model.plan(5000)
    hidden = PrivateModes(1, 0, box=BOX, bandwidth=1.2, adjacency="add-remove", random_state=0)
    assert hidden.fit(points).plan_ == hidden.plan(7) == hidden.plan()
    guess = hidden.set_params(records=100)
    assert guess.fit(points).plan_ == guess.plan() != hidden.set_params(records=None).plan()


def test_what_cannot_be_found_is_said_with_what_would_do() -> None:
    points = np.zeros((20, 2))
    model = PrivateModes(0.1, 0, box=BOX, bandwidth=1.2, random_state=0)
    plan = model.plan(20)
    with pytest.warns(NothingToFindWarning, match=f"20 records .* {plan.records_needed} records"):
        model.fit(points)
    assert model.plan(plan.records_needed).epsilon_needed is None
    enough = model.set_params(epsilon=plan.epsilon_needed).plan(20)
    assert enough.records_needed <= 20
    assert model.set_params(epsilon=0.9 * plan.epsilon_needed).plan(20).records_needed > 20


def test_a_plan_wants_a_public_box() -> None:
    with pytest.raises(ValueError, match="'box' must be public for a plan"):
        PrivateModes(1, 0, box="private").plan(100)


def test_more_deviation_means_more_displacement() -> None:
    at = [PrivateModes(e, 0, box=BOX, bandwidth=1.2).plan(1000).displacement for e in (0.5, 1, 2)]
    assert at == sorted(at, reverse=True)


# --------------------------------------------------------------------------- all estimators
def test_clusters_and_regressions_have_pure_epsilon() -> None:
    rng = np.random.default_rng(6)
    x = rng.uniform(0, 6, 4000)
    y = np.sin(x) + 0.1 * rng.standard_normal(4000)
    line = PrivateModalRegression(2, 0, box=[(0, 6), (-2, 2)], bandwidth=[0.5, 0.4], random_state=1)
    places = np.linspace(0.5, 5.5, 11)
    found = line.fit(x[:, None], y).predict(places[:, None])[:, 0]
    assert np.abs(found - np.sin(places)).max() < 0.3
    points = np.repeat([[3.0, 3.0], [-3.0, 0.0]], 500, axis=0) + rng.standard_normal((1000, 2))
    model = PrivateModalClustering(1, 0, box=BOX, bandwidth=1.2, clusters=2, random_state=0)
    labels = model.fit(points).predict(points)
    assert max((labels[:500] == k).mean() for k in (0, 1)) > 0.95


def test_the_command_plans_releases_and_refuses(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    points = np.repeat([[3.0, 3.0], [-3.0, 0.0]], 1000, axis=0) + rng.standard_normal((2000, 2))
    file = tmp_path / "sites.csv"
    np.savetxt(file, points, delimiter=",", header="x,y", comments="")
    arguments = [str(file), "--epsilon", "1", "--delta", "0"]
    arguments += ["--box=-6:6,-6:6", "--bandwidth", "1.2"]
    plan = CliRunner().invoke(release_modes, [*arguments, "--plan", "--json"])
    assert json.loads(plan.output)["method"] == "bins"
    shown = CliRunner().invoke(release_modes, [*arguments, "--modes", "2", "--json"])
    report = json.loads(shown.output)
    assert report["delta"] == "0"
    assert report["claim"] == "modes.private_bins_hide_a_record"
    assert report["plan"] == json.loads(
        CliRunner().invoke(release_modes, [*arguments, "--modes", "2", "--plan", "--json"]).output
    )
    assert report["sure"] == [True, True]
    words = CliRunner().invoke(release_modes, [*arguments, "--modes", "9"])
    assert "The noise may explain what is marked with ?." in words.output
    refused = CliRunner().invoke(release_modes, [*arguments, "--method", "field"])
    assert refused.exit_code != 0
    assert "'delta' must be in (0, 1) for method 'field'" in str(refused.exception)
