"""Estimators with a guarantee, the steps that they are made of, and baselines with right noise.

None is refuted by its values, at confidence 1 − 10⁻⁶; steps are refuted if a third of their level
is claimed, so that the pairs do tell. Baselines have no guarantee although their laws are
private: numpy draws their noise, and its bits refute them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from provedp.mechanisms.exact.refinable_geometric import RefinableGeometric
from provedp.mechanisms.mixture import (
    ColouredGaussian,
    IndependentGaussian,
    LaplaceMixture,
    PrivateMixture,
)
from provedp.mechanisms.mixture.private.lattice import RADIUS
from provedp.mechanisms.mixture.private.moments import (
    release_counts,
    release_distances,
    release_moments,
    release_pooled,
)
from provedp.mechanisms.mixture.private.plan import histogram_noise, noise_for, pooled_noise
from provedp.mechanisms.modes import (
    PrivateModalClustering,
    PrivateModalRegression,
    PrivateModes,
)
from provedp.mechanisms.modes.private.bins import (
    BinAxis,
    bins_noise,
    release_bins,
    release_refinable_bins,
)
from provedp.mechanisms.modes.private.box import release_box, release_pure_box
from provedp.mechanisms.modes.private.field import Axis, field_noise, release_field
from provedp.mechanisms.modes.private.local import release_local
from provedp.mechanisms.modes.private.sparse import cell_noise, release_cells
from provedp.mechanisms.modes.private.steps import release_slopes, step_noise
from provedp.mechanisms.modes.published.anchors import density_aware_anchors, exponential_draw
from provedp.theory.privacy import gaussian_delta
from provedp.verify.audit import ApproximateDP, AuditResult, GaussianDP

DELTA = "1/100"
FEATURES = np.array([[0.0], [1.0], [2.0], [4.0], [9.0], [10.0], [11.0]])
LABELS = [0, 0, 0, 0, 1, 1, 1]
FLIPPED = [0, 0, 0, 1, 1, 1, 1]
POINTS = [[-0.3], [0.0], [0.2]]
MOVED = [[-0.3], [0.0], [1.9]]
FEWER = [[-0.3], [0.0]]
ON_A_LINE: dict[str, Any] = {"box": [(-2, 2)], "bandwidth": 0.8}


def parameters(mixture: Any) -> list[float]:
    parts = (mixture.weights, mixture.means, mixture.covariances)
    return [float(x) for part in parts for x in np.ravel(part)]


def rows(found: Any) -> Any:
    return found.tolist()


def counted(found: Any) -> list[float]:
    """Return the number of modes, which may be none, and their places."""
    return [float(len(found)), *found.ravel().tolist()]


def values(field: Any) -> list[float]:
    return [float(x) for x in field.values.ravel()]


def mixture(**settings: Any) -> PrivateMixture:
    return PrivateMixture(1, DELTA, bound=12, classes=(0, 1), **settings)


def modes(**settings: Any) -> PrivateModes:
    return PrivateModes(1, DELTA, modes=1, **settings)


Private = tuple[Any, Callable[[Any], Any], tuple[Any, Any]]
PRIVATE: dict[str, Private] = {
    "mixture, label": (mixture(), parameters, ((FEATURES, LABELS), (FEATURES, FLIPPED))),
    "mixture, replace": (
        mixture(adjacency="replace-one"),
        parameters,
        ((FEATURES, LABELS), (np.vstack([FEATURES[:-1], [[-11.0]]]), LABELS)),
    ),
    "mixture, add or remove": (
        mixture(adjacency="add-remove", records=7),
        parameters,
        ((FEATURES, LABELS), (FEATURES[:-1], LABELS[:-1])),
    ),
    "modes": (modes(**ON_A_LINE), rows, (POINTS, MOVED)),
    "modes, add or remove": (modes(adjacency="add-remove", **ON_A_LINE), rows, (POINTS, FEWER)),
    "modes, local": (modes(method="local", **ON_A_LINE), counted, (POINTS, MOVED)),
    "modes, private box": (modes(box="private"), rows, (POINTS, [[-0.3], [0.0], [1e6]])),
    "clusters": (
        PrivateModalClustering(1, DELTA, clusters=1, **ON_A_LINE),
        rows,
        (POINTS, MOVED),
    ),
    "regression": (
        PrivateModalRegression(1, DELTA, box=[(-2, 2), (-2, 2)], bandwidth=1.0),
        values,
        ((POINTS, [0.0, 0.0, 0.0]), (POINTS, [0.0, 0.0, 1.9])),
    ),
}


def audit_of_private(audited: Any, claim: Any, name: str, runs: int, channel: str) -> AuditResult:
    mechanism, read, pair = PRIVATE[name]

    def release(data: Any, rng: Any) -> Any:
        return read(mechanism.release(data, rng))

    assert mechanism.guarantee is not None
    result: AuditResult = audited(release, pair, claim(mechanism.guarantee), runs, channel=channel)
    return result


@pytest.mark.parametrize("name", PRIVATE)
def test_a_few_runs_of_private_estimators_do_not_refute_them(
    audited: Any, claim_of: Any, name: str
) -> None:
    assert not audit_of_private(audited, claim_of, name, 40, "value").refuted


@pytest.mark.slow
@pytest.mark.parametrize("channel", ["value", "bits"])
@pytest.mark.parametrize("name", PRIVATE)
def test_runs_of_private_estimators_do_not_refute_them(
    audited: Any, claim_of: Any, name: str, channel: str
) -> None:
    assert not audit_of_private(audited, claim_of, name, 250, channel).refuted


@dataclass(frozen=True)
class Step:
    """A part of an estimator: how it is run on a pair, and its claim at the share it is given."""

    run: Callable[[Any, Any], Any]
    pair: tuple[Any, Any]
    claim: Any


BUDGET = Q(1)  # μ² of a step
AXES = (Axis(-2.0, 2.0, 1.0),)
INSIDE = np.array([[-0.3], [0.0], [0.2]])
OUTSIDE = np.array([[-0.3], [0.0], [1.9]])
BALL = [np.array([[RADIUS, 0.0], [0.0, 0.0]])], [np.array([[-RADIUS, 0.0], [0.0, 0.0]])]
COUNTS = noise_for("label", BUDGET, Q(0), Q(0))
SHELLS = histogram_noise("replace-one", BUDGET)
MOMENTS = noise_for("replace-one", Q(0), BUDGET / 2, BUDGET / 2)
POOLED = pooled_noise("replace-one", BUDGET, whole=False)
FIELD = field_noise(AXES, "replace-one", BUDGET)
RATIO, PART = Q(3), Q(1, 1000)
CELLS = cell_noise("replace-one", BUDGET, RATIO, PART)
GRID = np.array([[-1.0], [0.0], [1.0]])
BIN_AXES = (BinAxis(-2.0, 2.0, 1.0, 1.0),)
BINS = bins_noise(1, "replace-one", RATIO)
REFINABLE = RefinableGeometric(BINS.ratio, BINS.ratio**2)
PEAKS, SLOPES = np.array([[0.0]]), step_noise("replace-one", RATIO)


def flat(found: Any) -> list[float]:
    return [float(x) for part in found for x in np.ravel(part)]


def cost(noise: Any, adjacency: str) -> GaussianDP:
    return GaussianDP(math.sqrt(noise.cost(adjacency)) * (1 + 1e-12))


def beside_threshold(square: Q) -> ApproximateDP:
    """Return ln `RATIO` at what the noise and the threshold together add to δ."""
    epsilon = math.log(RATIO)
    noise = float(gaussian_delta(math.sqrt(square), epsilon))
    return ApproximateDP(epsilon, (noise + float(PART)) * (1 + 1e-9))


def moments(points: Any, rng: Any) -> list[float]:
    (found,) = release_moments(points, MOMENTS, rng)
    return [*found.first.tolist(), *np.ravel(found.second).tolist()]


def local(points: Any, rng: Any) -> Any:
    target = RATIO, 4 * PART, "replace-one"  # a quarter of δ is for the threshold
    return rows(release_local(points, AXES, 1, *target, BUDGET, rng)[0].places)


def anchors(counts: Any, rng: Any) -> Any:
    return rows(density_aware_anchors(GRID, np.array(counts), 2, 1.0, 0.5, rng)[:, 0])


STEPS: dict[Any, Step] = {
    release_counts: Step(
        lambda sizes, rng: release_counts(sizes, COUNTS, rng),
        ((5, 3), (4, 4)),
        cost(COUNTS, "label"),
    ),
    release_distances: Step(
        lambda points, rng: rows(release_distances(points, SHELLS, rng)),
        ([np.array([[float(RADIUS)]])], [np.array([[0.0]])]),
        cost(SHELLS, "replace-one"),
    ),
    release_moments: Step(moments, BALL, cost(MOMENTS, "replace-one")),
    release_pooled: Step(
        lambda points, rng: flat(release_pooled(points, POOLED, rng)),
        ([np.array([[RADIUS, 0.0]])], [np.zeros((1, 2))]),
        cost(POOLED, "replace-one"),
    ),
    release_field: Step(
        lambda points, rng: values(release_field(points, AXES, FIELD, rng)),
        (INSIDE, OUTSIDE),
        cost(FIELD, "replace-one"),
    ),
    release_cells: Step(
        lambda points, rng: flat(release_cells(points, AXES, CELLS, rng)),
        (np.repeat(INSIDE, 5, axis=0), np.vstack([np.repeat(INSIDE, 5, axis=0)[1:], [[1.9]]])),
        beside_threshold(BUDGET),
    ),
    release_local: Step(local, (INSIDE, OUTSIDE), beside_threshold(BUDGET)),
    release_box: Step(
        lambda points, rng: flat(release_box(points, BUDGET, 0.02, 3, rng)),
        (INSIDE, np.array([[-0.3], [0.0], [1e6]])),
        GaussianDP(math.sqrt(BUDGET)),
    ),
    release_bins: Step(
        lambda points, rng: values(release_bins(points, BIN_AXES, BINS, rng)),
        (INSIDE, OUTSIDE),
        ApproximateDP(math.log(RATIO)),
    ),
    release_refinable_bins: Step(
        lambda points, rng: values(release_refinable_bins(points, BIN_AXES, REFINABLE, rng).first),
        (INSIDE, OUTSIDE),
        ApproximateDP(math.log(RATIO)),
    ),
    release_slopes: Step(
        lambda points, rng: flat(release_slopes(points, PEAKS, AXES, 0.25, SLOPES, rng)),
        (np.array([[-0.3], [0.0], [0.5]]), np.array([[-0.3], [0.0], [-0.5]])),
        ApproximateDP(math.log(RATIO)),
    ),
    release_pure_box: Step(
        lambda points, rng: flat(release_pure_box(points, RATIO, 0.02, 3, rng)),
        (INSIDE, np.array([[-0.3], [0.0], [1e6]])),
        ApproximateDP(math.log(RATIO)),
    ),
    density_aware_anchors: Step(anchors, ([0, 9, 1], [1, 8, 1]), ApproximateDP(1.0)),
    exponential_draw: Step(
        lambda counts, rng: exponential_draw(np.array(counts), 1.0, rng),
        ([1, 0, 0], [0, 1, 1]),
        ApproximateDP(1.0),
    ),
}


MORE = {release_refinable_bins: 6000}  # of its two nodes fewer events are learned from few runs


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_steps_keep_what_they_are_charged_for(audited: Any, step: Any) -> None:
    chosen = STEPS[step]
    assert not audited(chosen.run, chosen.pair, chosen.claim, runs=1000).refuted


@pytest.mark.parametrize(
    "step",
    [
        release_counts,
        release_distances,
        release_moments,
        release_pooled,
        release_field,
        release_bins,
        release_refinable_bins,
        release_slopes,
        exponential_draw,
    ],
)
def test_steps_do_not_keep_a_third_of_it(audited: Any, step: Any) -> None:
    chosen = STEPS[step]
    third = chosen.claim.at(chosen.claim.level / 3)
    assert audited(chosen.run, chosen.pair, third, runs=MORE.get(step, 2000)).refuted


def spread_out(dimension: int) -> tuple[Any, Any]:
    """Return seven records, and a flip that moves the mean of the first class away from 0."""
    points = np.zeros((7, dimension))
    points[3] = dimension**-0.5
    return (points, [0] * 3 + [1] * 4), (points, [0] * 4 + [1] * 3)


PUBLIC: dict[str, Any] = {"bound": 1, "calibration": "public"}
BASELINES: dict[str, tuple[Any, int]] = {  # numpy's Gaussian bits tell less: more coordinates
    "Laplace": (LaplaceMixture("ln(3)", **PUBLIC), 1),
    "Gaussian": (IndependentGaussian("ln(3)", "2e-5", **PUBLIC), 16),
    "coloured": (ColouredGaussian("ln(3)", "2e-5", **PUBLIC), 16),
}
AUDITED = {type(each[0]) for each in (*PRIVATE.values(), *BASELINES.values())}


@pytest.mark.parametrize("name", BASELINES)
def test_values_do_not_refute_baselines_with_public_calibration(
    audited: Any, claim_of: Any, name: str
) -> None:
    baseline, dimension = BASELINES[name]

    def release(data: Any, rng: Any) -> list[float]:
        return parameters(baseline.release(data, rng))

    assert baseline.guarantee is None
    assert baseline.refuted_by == ()
    claim = claim_of(baseline.claimed)
    assert not audited(release, spread_out(dimension), claim, runs=300).refuted


@pytest.mark.slow
@pytest.mark.parametrize("name", BASELINES)
def test_bits_refute_baselines_with_public_calibration(
    audited: Any, claim_of: Any, name: str
) -> None:
    """About a mean of 0 the noise keeps its last bits; about another one it loses them."""
    baseline, dimension = BASELINES[name]

    def release(data: Any, rng: Any) -> float:
        return float(np.abs(baseline.release(data, rng).means[0]).min())

    claim = claim_of(baseline.claimed)
    result = audited(release, spread_out(dimension), claim, runs=4000, channel="bits")
    assert result.refuted
