"""The published releases of modes: their parts by other routes, their warning, their errors."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.stats import chisquare
from sklearn.base import clone

from provedp.mechanisms.modes.published.anchors import ball_counts, density_aware_anchors, lattice
from provedp.mechanisms.modes.published.ascent import Schedule, ascend, shared_noise
from provedp.mechanisms.modes.published.bandwidths import silverman_bandwidth
from provedp.mechanisms.modes.published.clustering import (
    PublishedModalClustering,
    PublishedModalClusteringCode,
)
from provedp.mechanisms.modes.published.mean_shift import mean_shift, partial_mean_shift
from provedp.mechanisms.modes.published.merging import merge_to, merge_within
from provedp.mechanisms.modes.published.modes import PublishedModes
from provedp.mechanisms.modes.published.program import (
    ClippedShares,
    PublishedModesCode,
    program_noise_scale,
)
from provedp.mechanisms.modes.published.regression import PublishedModalRegression
from provedp.mechanisms.published import RefutedGuaranteeWarning
from provedp.theory.modes import (
    clipped_share_update,
    dap_counts,
    dap_law,
    joint_sensitivity,
    noise_scale,
    stabilised_score,
)
from provedp.theory.privacy import Mechanism

repeat = settings(derandomize=True, deadline=None, max_examples=25)
FALSE_ALARM = 1e-4  # of the chi-square test, with a fixed seed
BOX = [(-4.0, 4.0)] * 2
ESTIMATORS = [
    PublishedModes(box=BOX),
    PublishedModalClustering(box=BOX),
    PublishedModesCode(),
    PublishedModalClusteringCode(),
]


def two_groups(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return np.vstack([rng.normal(-2, 0.5, (n // 2, 2)), rng.normal(2, 0.5, (n // 2, 2))])


def quietly(function, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefutedGuaranteeWarning)
        return function(*args)


@repeat
@given(st.integers(0, 10**6))
def test_mean_shift_is_a_step_of_weighted_means(seed):
    rng = np.random.default_rng(seed)
    points, x, h = rng.normal(size=(7, 3)), rng.normal(size=3), rng.uniform(0.3, 2)
    expected = x
    for _ in range(3):
        weights = [math.exp(-((p - expected) ** 2).sum() / (2 * h * h)) for p in points]
        expected = sum(w * p for w, p in zip(weights, points, strict=True)) / sum(weights)
    assert mean_shift(points, x[None], h, 3)[0] == pytest.approx(expected)


@repeat
@given(st.integers(0, 10**6))
def test_partial_mean_shift_leaves_the_predictor(seed):
    rng = np.random.default_rng(seed)
    records, (x, y), h = rng.normal(size=(9, 2)), rng.normal(size=2), rng.uniform(0.3, 2)
    expected = y
    for _ in range(3):
        squares = (records[:, 0] - x) ** 2 + (records[:, 1] - expected) ** 2
        weights = np.exp(-squares / (2 * h * h))
        expected = (weights * records[:, 1]).sum() / weights.sum()
    starts = np.array([x]), np.array([y])
    found = partial_mean_shift((records[:, 0], records[:, 1]), starts, h, 3)
    assert found == pytest.approx([expected])


def test_starts_without_neighbours_stay():
    far = np.array([[500.0]])
    assert mean_shift(np.array([[0.0], [1.0]]), far, 1.0, 5) == far


@repeat
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_ward_merge_against_another_implementation(seed, count):
    points = np.random.default_rng(seed).normal(size=(9, 2))
    groups = fcluster(linkage(points, "ward"), count, "maxclust")
    expected = sorted(points[groups == g].mean(axis=0).tolist() for g in np.unique(groups))
    assert np.allclose(sorted(merge_to(points, count).tolist()), expected)


def test_radius_merge_keeps_what_is_apart():
    points = np.array([[0.0], [0.9], [1.8], [5.0]])
    assert merge_within(points, 1.0).tolist() == [[0.45], [1.8], [5.0]]
    assert merge_to(points, 9).tolist() == points.tolist()


@repeat
@given(st.integers(0, 10**6))
def test_grid_covers_the_box_and_counts_are_those_of_the_theory(seed):
    rng = np.random.default_rng(seed)
    low, width, spacing = rng.uniform(-2, 2), rng.uniform(0.1, 2), rng.uniform(0.3, 1)
    grid = lattice([(low, low + width), (0.0, 1.0)], spacing)
    for point in rng.uniform([low, 0], [low + width, 1], (5, 2)):
        assert (np.abs(grid - point) <= spacing).all(axis=1).any()
    points = rng.normal(size=(12, 2))
    assert tuple(ball_counts(grid, points, 0.7)) == dap_counts(grid, points, 0.7)


def test_anchors_follow_their_law():
    """Against the enumeration of all outcomes, with suppression and a reopened set."""
    candidates, counts, draws, epsilon = np.arange(4.0)[:, None], np.array([5, 0, 3, 1]), 3, 2.0
    law = dap_law([5, 0, 3, 1], candidates, draws, 1.5, math.exp(epsilon / draws / 2))
    rng, runs = np.random.default_rng(5), 6000
    seen = dict.fromkeys(law, 0)
    for _ in range(runs):
        drawn = density_aware_anchors(candidates, counts, draws, epsilon, 1.5, rng)
        seen[tuple(int(x) for x in drawn[:, 0])] += 1
    expected = np.array([float(p) for p in law.values()]) * runs
    likely = expected > 5
    observed = np.array(list(seen.values()))
    both = [np.append(v[likely], v[~likely].sum()) for v in (observed, expected)]
    both = [v[:-1] if both[1][-1] == 0 else v for v in both]
    assert chisquare(*both).pvalue > FALSE_ALARM


def test_a_set_may_reopen_without_what_was_drawn():
    rng = np.random.default_rng(0)
    candidates, counts = np.arange(3.0)[:, None], np.zeros(3, dtype=np.int64)
    for _ in range(20):
        drawn = density_aware_anchors(candidates, counts, 3, 1.0, 9.0, rng, reopen="unused")
        assert sorted(drawn[:, 0]) == [0, 1, 2]


def test_noise_has_the_correlation_of_algorithm_1():
    class Identity:
        def standard_normal(self, shape):
            return np.eye(*shape)

    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    root = shared_noise(points, 0.5, 3, Identity())
    for i, j in itertools.product(range(3), repeat=2):
        distance = math.dist(points[i], points[j])
        assert (root @ root.T)[i, j] == pytest.approx(math.exp(-distance / 0.5), abs=2e-8)


def test_ascent_without_noise_is_gradient_ascent():
    data, h = two_groups(), 0.8
    schedule = Schedule(4, len(data), h, 0.0, step=0.3)
    starts = np.array([[-1.0, -1.5], [1.5, 1.0]])

    def score(places, batch):
        return stabilised_score(places, batch, h, 0.05, 0.02)

    found = ascend(starts, data, score, schedule, np.random.default_rng(0))
    expected = starts.copy()
    for _ in range(4):
        expected = expected + 0.3 * stabilised_score(expected, data, h, 0.05, 0.02)
    assert found == pytest.approx(expected)


@repeat
@given(st.integers(0, 10**6), st.floats(0.05, 2))
def test_clipped_shares_one_by_one(seed, clip):
    rng = np.random.default_rng(seed)
    points, batch, h = rng.normal(size=(3, 2)), rng.normal(size=(6, 2)), 0.7
    found = ClippedShares(h, clip, 2)(points, batch)
    for x, sum_ in zip(points, found, strict=True):
        weights = np.exp(-((batch - x) ** 2).sum(axis=1) / (2 * h * h))
        shares = (weights / weights.sum())[:, None] * (batch - x)
        expected = sum(s * min(1, clip / np.linalg.norm(s)) for s in shares)
        assert sum_ == pytest.approx(expected)
    at_one_place = np.column_stack([np.zeros(6), batch[:, 1]])
    found = ClippedShares(h, clip, 1)(np.array([[0.0, points[0, 1]]]), at_one_place)[0, 0]
    assert found == pytest.approx(clipped_share_update(batch[:, 1] - points[0, 1], h, clip))


def test_noise_of_the_program_is_that_of_the_paper_for_two_clips():
    for epsilon in (1.5, 2.0):  # where the second of the three terms of ε_iter is the least
        found = program_noise_scale(1000, 145, 7, 0.3, (epsilon, 1e-6))
        assert found == pytest.approx(noise_scale(0.6, epsilon, 1e-6, 1000, 145, 7))
    for epsilon in (0.1, 1.0):  # the logarithm's linear part: too little noise
        found = program_noise_scale(1000, 145, 7, 0.3, (epsilon, 1e-6))
        exact = noise_scale(0.6, epsilon, 1e-6, 1000, 145, 7)
        assert 0.88 * exact < found < exact


def test_algorithm_1_has_the_noise_of_eq_9():
    model = PublishedModes(1.0, 1e-6, box=BOX, bandwidth=0.5, clip=0.3, floor=0.05)
    schedule = model._schedule(np.zeros((1000, 2)), (1.0, 1e-6))
    assert (schedule.rounds, schedule.batch, schedule.step) == (7, 145, 0.25)
    sensitivity = joint_sensitivity(0.5, 2, 0.3, 0.05)
    assert schedule.sigma == pytest.approx(noise_scale(sensitivity, 1.0, 1e-6, 1000, 145, 7))


def test_silverman_is_the_rule_of_one_dimension_there():
    values = np.random.default_rng(3).normal(size=50)
    rule = math.sqrt(2) * values.std(ddof=1) * (4 / 150) ** 0.2
    assert silverman_bandwidth(values[:, None]) == pytest.approx(rule)


@pytest.mark.parametrize("model", ESTIMATORS, ids=lambda model: type(model).__name__)
def test_estimators_without_a_guarantee(model):
    assert isinstance(model, Mechanism)
    assert model.guarantee is None
    assert model.claimed.claim == model.refuted_by[0]
    assert clone(model).get_params() == model.get_params()
    fitted = clone(model).set_params(random_state=3)
    with pytest.warns(RefutedGuaranteeWarning, match=model.refuted_by[0]):
        fitted.fit(two_groups())
    with pytest.warns(RefutedGuaranteeWarning, match="not to protect anyone"):
        released = model.release(two_groups(), 3)
    assert (released == fitted.modes_).all()
    assert fitted.modes_.shape[1] == fitted.n_features_in_ == 2
    assert fitted.starts_.shape == fitted.ascended_.shape


@pytest.mark.parametrize("model", ESTIMATORS, ids=lambda model: type(model).__name__)
def test_epsilon_may_be_a_text(model):
    named, given_ = clone(model).set_params(epsilon="3/2"), clone(model).set_params(epsilon=1.5)
    released = [quietly(each.release, two_groups(), 3) for each in (named, given_)]
    assert released[0] == pytest.approx(released[1], rel=1e-6)


@pytest.mark.parametrize("kind", [PublishedModalClustering, PublishedModalClusteringCode])
def test_clusters_are_those_of_the_nearest_mode(kind):
    box = {"box": BOX, "clip": 0.1, "floor": 0.05} if kind is PublishedModalClustering else {}
    model = kind(50.0, 1e-6, clusters=2, random_state=1, **box)
    points = two_groups(400)
    labels = quietly(model.fit_predict, points)
    assert model.cluster_centers_.shape == (2, 2)
    expected = [
        min(range(2), key=lambda j: math.dist(p, model.cluster_centers_[j])) for p in points
    ]
    assert labels.tolist() == expected


def test_public_candidates_can_replace_the_grid():
    candidates = np.array([[-2.0, -2.0], [2.0, 2.0]])
    for model in (PublishedModes(candidates=candidates), PublishedModesCode(candidates=candidates)):
        fitted = quietly(model.fit, two_groups())
        assert {tuple(start) for start in fitted.starts_} <= {(-2.0, -2.0), (2.0, 2.0)}


def test_regression_gives_responses_at_public_predictors():
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 1, 2000)
    y = np.where(rng.uniform(size=2000) < 0.5, 3.0, 1.0) + rng.normal(0, 0.1, 2000)
    model = PublishedModalRegression(
        1e3, "1e-5", candidates=np.linspace(0, 4, 21), bandwidth=0.2, branches=2, random_state=0
    )
    assert isinstance(model, Mechanism)
    quietly(model.fit, x[:, None], y)
    assert set(model.predictors_) <= set(x)
    assert np.minimum(np.abs(model.responses_ - 1), np.abs(model.responses_ - 3)).max() < 0.3
    found = model.predict([[0.25], [0.5]])
    assert found.shape == (2, 2)
    assert np.nanmin(np.abs(found[..., None] - [1.0, 3.0]), axis=2).max() < 0.3
    again = quietly(model.release, (x[:, None], y), 0)
    assert (again.responses == model.responses_).all()


PARAMETERS = [
    (PublishedModes(box=BOX), "epsilon", 0),
    (PublishedModes(box=BOX), "epsilon", math.nan),
    (PublishedModes(box=BOX), "delta", 0),
    (PublishedModes(box=BOX), "delta", 1.0),
    (PublishedModes(box=BOX), "clip", 0.0),
    (PublishedModes(box=BOX), "floor", -1.0),
    (PublishedModes(box=BOX), "bandwidth", math.inf),
    (PublishedModes(box=BOX), "modes", 0),
    (PublishedModes(box=BOX), "draws", 1.5),
    (PublishedModes(box=BOX), "anchor_share", 1.0),
    (PublishedModes(), "box", None),
    (PublishedModes(), "box", [(1.0, 1.0)] * 2),
    (PublishedModalClustering(box=BOX), "clusters", 0),
    (PublishedModesCode(), "epsilon", -1.0),
    (PublishedModesCode(), "clip_multiplier", 0.0),
    (PublishedModesCode(), "box_quantile", 1.5),
    (PublishedModesCode(), "batch_share", 1.01),
    (PublishedModesCode(), "batch_share", 0.0),
    (PublishedModesCode(), "step", 0.0),
    (PublishedModesCode(), "candidates", [[math.nan, 0.0]]),
    (PublishedModalClusteringCode(), "clusters", -1),
]


@pytest.mark.parametrize(("model", "name", "value"), PARAMETERS)
def test_bad_parameters_are_named(model, name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        quietly(clone(model).set_params(**{name: value}).fit, two_groups())


@pytest.mark.parametrize("model", ESTIMATORS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (np.zeros(5), r"'X'.*shape \(5,\)"),
        (np.zeros((2, 2)), "n ≥ 3"),
        (np.array([[0.0, 1.0], [math.nan, 0.0], [1.0, 1.0]]), "nan in row 2, column 1"),
    ],
)
def test_bad_data_are_named(model, data, message):
    with pytest.raises(ValueError, match=message):
        quietly(model.fit, data)


def test_wrong_dimensions_and_too_large_grids_are_refused():
    with pytest.raises(ValueError, match="must have 2 columns"):
        quietly(PublishedModes(box=BOX).fit, np.zeros((9, 3)))
    with pytest.raises(ValueError, match="choose a larger spacing"):
        quietly(PublishedModesCode().fit, np.random.default_rng(0).normal(0, 50, (99, 6)))


@pytest.mark.parametrize(
    ("settings_", "data", "message"),
    [
        ({}, (np.zeros((5, 1)), np.zeros(5)), "'candidates'"),
        ({"candidates": [0.0, 1.0], "step": 0.0}, (np.zeros((5, 1)), np.zeros(5)), "'step'"),
        (
            {"candidates": [0.0, 1.0], "batch_share": 2.0},
            (np.zeros((5, 1)), np.zeros(5)),
            "'batch_share'",
        ),
        ({"candidates": [0.0, 1.0]}, (np.zeros((5, 2)), np.zeros(5)), "one column"),
        ({"candidates": [0.0, 1.0]}, (np.zeros((5, 1)), np.zeros(4)), r"'y'.*5 numbers"),
        ({"candidates": [0.0, 1.0]}, (np.zeros((5, 1)), np.full(5, np.inf)), "inf"),
    ],
)
def test_bad_regressions_are_named(settings_, data, message):
    with pytest.raises(ValueError, match=message):
        quietly(PublishedModalRegression(**settings_).fit, *data)
