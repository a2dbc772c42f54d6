"""The baselines: noise against its stated scales, projections, warnings, what is refused."""

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize
from scipy.stats import kstest
from sklearn.base import clone
from sklearn.datasets import load_iris

from provedp.mechanisms.mixture.published.baseline_noise import Sizes, Target
from provedp.mechanisms.mixture.published.baselines import (
    ColouredGaussian,
    IndependentGaussian,
    LaplaceMixture,
    SingularGaussian,
)
from provedp.mechanisms.mixture.published.noisy_parameters import NoisyParameters
from provedp.mechanisms.mixture.published.projection import onto_simplex
from provedp.mechanisms.published import RefutedGuaranteeWarning
from provedp.theory.mixture import LabelledData, mean_displacements
from provedp.theory.privacy import Mechanism
from provedp.verify.ledger import registry

repeat = settings(derandomize=True, deadline=None, max_examples=60)
FALSE_ALARM = 1e-4  # per Kolmogorov–Smirnov test, with fixed seeds
RELEASES = 400
X, Y = load_iris(return_X_y=True)
X = (X - X.mean(axis=0)) / X.std(axis=0)
BASELINES: list[type[NoisyParameters]] = [
    LaplaceMixture,
    IndependentGaussian,
    ColouredGaussian,
    SingularGaussian,
]
every_baseline = pytest.mark.parametrize("baseline", BASELINES)


def quietly(function: Any, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefutedGuaranteeWarning)
        return function(*args, **kwargs)


def fitted(baseline: type[NoisyParameters], **given: Any) -> NoisyParameters:
    parameters = {"epsilon": 1, "bound": 4, "random_state": 5} | given
    model: NoisyParameters = quietly(baseline(**parameters).fit, X, Y)
    return model


def releases(baseline: type[NoisyParameters], **given: Any) -> list[Any]:
    rng = np.random.default_rng(17)
    model = baseline(**({"epsilon": 1, "bound": 4} | given))
    return [quietly(model.release, (X, Y), rng) for _ in range(RELEASES)]


@every_baseline
@pytest.mark.parametrize("calibration", ["published", "public"])
def test_no_baseline_has_a_guarantee(baseline, calibration):
    model = baseline("1/2", bound=4, calibration=calibration, random_state=1)
    assert isinstance(model, Mechanism)
    assert model.guarantee is None
    assert model.claimed.epsilon == "1/2"
    assert float(model.claimed.ratio) == pytest.approx(math.exp(0.5))
    assert float(model.claimed.delta) == (0 if baseline is LaplaceMixture else 2e-5)
    assert clone(model).get_params() == model.get_params()
    known = registry.claims()
    assert model.claimed.claim in known
    assert all(str(known[name].verdict) == "refuted" for name in model.refuted_by)
    if model.refuted_by:
        with pytest.warns(RefutedGuaranteeWarning, match=model.refuted_by[0]) as caught:
            model.fit(X, Y)
        assert [warning.filename for warning in caught] == [__file__]  # where `fit` was called
    else:
        model.fit(X, Y)


def test_public_sizes_repair_all_but_one():
    public = [baseline(calibration="public").refuted_by for baseline in BASELINES]
    assert [bool(found) for found in public] == [False, False, False, True]
    claims = registry.claims()
    for baseline in BASELINES[:3]:
        assert str(claims[baseline(calibration="public").claimed.claim].role) == "repaired"


@every_baseline
def test_an_estimator(baseline):
    names = np.array(["setosa", "versicolor", "virginica"])[Y]
    model = quietly(baseline(1000, bound=4, random_state=3).fit, X, names)
    again = quietly(baseline(1000, bound=4, random_state=3).fit, X, names)
    assert model.mixture_.to_json() == again.mixture_.to_json()
    assert model.score(X) == pytest.approx(model.score_samples(X).mean())
    features, labels = model.sample(9)
    assert features.shape == (9, 4)
    assert set(labels) <= set(names)
    if baseline is not SingularGaussian:
        assert np.mean(model.predict(X) == names) > 0.6


def test_scales_by_hand():
    # ε/3 for the weights, ε/6 for each mean and covariance; N = 150, N_k = 50, d = 4, B = 4.
    scales = fitted(LaplaceMixture).scales_
    assert scales.weights == pytest.approx(3 * 2 / 150)
    assert scales.means == pytest.approx([6 * 2 * 4 * 2 / 50] * 3)
    assert scales.covariances == pytest.approx([6 * 4 * 16 * 2.5 / 50] * 3)
    factor = math.sqrt(2 * math.log(2 / 4e-6))
    scales = fitted(IndependentGaussian).scales_
    assert scales.weights == pytest.approx(3 * factor * math.sqrt(2) / 150)
    assert scales.means == pytest.approx([6 * factor * 8 / 50] * 3)
    assert scales.covariances == pytest.approx([6 * factor * 64 / 50] * 3)
    scales = fitted(LaplaceMixture, calibration="public", least_size=40).scales_
    assert scales.means == pytest.approx([6 * 2 * 4 * 2 / 41] * 3)


def test_the_published_noise_follows_the_class_sizes_and_the_public_noise_does_not():
    data = LabelledData(X, Y.tolist(), 3)
    counts = data.flipped(0, 1).counts
    target = Target(ratio=LaplaceMixture(1).claimed.ratio)
    for sizes, moves in ((Sizes.private, True), (lambda *a: Sizes.public(*a, 3), False)):
        one, two = (sizes(c, 4, 4).scales(target.laplace, 1) for c in (data.counts, counts))
        assert (one.means != two.means) is moves
        assert (one.covariances != two.covariances) is moves
        assert one.weights == two.weights
    assert Sizes.private((3, 5), 4, 4).classes == (4, 5)


@pytest.mark.parametrize(
    ("baseline", "law"), [(LaplaceMixture, "laplace"), (IndependentGaussian, "norm")]
)
@pytest.mark.parametrize("calibration", ["published", "public"])
def test_independent_noise_follows_its_law(baseline, law, calibration):
    given = {"epsilon": 500, "calibration": calibration, "ridge": 100.0, "least_size": 30}
    found, scales = releases(baseline, **given), fitted(baseline, **given).scales_
    means = [(m.means[1] - X[Y == 1].mean(axis=0)) / scales.means[1] for m in found]
    assert kstest(np.ravel(means), law).pvalue > FALSE_ALARM
    # With a wide ridge the floor moves nothing.
    upper = np.triu_indices(4)
    truth = np.cov(X[Y == 0].T) + 100 * np.eye(4)
    steps = [(m.covariances[0] - truth)[upper] / scales.covariances[0] for m in found]
    assert kstest(np.ravel(steps), law).pvalue > FALSE_ALARM
    # The projection of the weights takes their mean away, and no difference.
    gaps = np.array([m.weights[0] - m.weights[1] for m in found]) / scales.weights
    variance = 4 if law == "laplace" else 2
    assert np.mean(gaps**2) == pytest.approx(variance, abs=5 * np.std(gaps**2) / RELEASES**0.5)


def test_noise_on_covariances_follows_its_law_before_the_projection():
    model = IndependentGaussian(1, bound=4)
    rng = np.random.default_rng(2)
    draws = np.stack([model._symmetric(2.5, 3, rng) for _ in range(500)])
    assert (draws == draws.transpose(0, 2, 1)).all()
    upper = np.triu_indices(3)
    assert kstest(draws[:, upper[0], upper[1]].ravel() / 2.5, "norm").pvalue > FALSE_ALARM


def test_coloured_noise_covers_the_displacements_and_has_the_least_trace():
    found, scales = releases(ColouredGaussian), fitted(ColouredGaussian).scales_
    data = LabelledData(X, Y.tolist(), 3)
    steps = np.array([m.means[2] - X[Y == 2].mean(axis=0) for m in found]) / scales.means[2]
    # The least trace, as a maximum over weights w of (tr M(w)^½)², M = Σ w ΔΔᵀ.
    moves = mean_displacements(data, 2).astype(float)
    weights = np.full(len(moves), 1 / len(moves))
    for _ in range(3000):
        values, vectors = np.linalg.eigh((moves.T * weights) @ moves)
        slopes = np.einsum("ni,i,ni->n", moves @ vectors, values**-0.5, moves @ vectors)
        weights *= slopes / (weights @ slopes)
    least = np.sqrt(values).sum() ** 2
    shape = (vectors * np.sqrt(values)) @ vectors.T * np.sqrt(values).sum()
    trace = (steps**2).sum(axis=1)
    assert trace.mean() == pytest.approx(least, abs=5 * trace.std() / math.sqrt(RELEASES) + 1e-3)
    white = np.linalg.solve(np.linalg.cholesky(shape), steps.T)
    assert kstest(white.ravel(), "norm").pvalue > FALSE_ALARM


def test_coloured_noise_with_public_sizes_is_white():
    given = {"calibration": "public", "least_size": 30}
    white, coloured = fitted(IndependentGaussian, **given), fitted(ColouredGaussian, **given)
    assert white.mixture_.to_json() == coloured.mixture_.to_json()


def test_a_mean_that_nothing_moves_gets_no_coloured_noise():
    # Three records that may not leave, others at their mean that may join: all displacements are 0.
    points = [[0.0], [1.0], [-1.0], *[[0.0]] * 4]
    model = ColouredGaussian(1, bound=1, random_state=0)
    released = quietly(model.fit, points, [0] * 3 + [1] * 4).mixture_
    assert (released.means == 0).all()


def test_singular_noise_has_a_normal_length_along_a_uniform_direction():
    found, scales = releases(SingularGaussian), fitted(SingularGaussian).scales_
    steps = np.array([m.means[0] - X[Y == 0].mean(axis=0) for m in found])
    lengths = np.linalg.norm(steps, axis=1)
    assert kstest(lengths / scales.means[0], "halfnorm").pvalue > FALSE_ALARM
    # In four dimensions the square of a coordinate of a uniform direction is Beta(1/2, 3/2).
    share = (steps[:, 0] / lengths) ** 2
    assert kstest(share, "beta", (0.5, 1.5)).pvalue > FALSE_ALARM
    # s = 2Δ²/(ε ψ); in four dimensions ψ = δ Γ(3/2)/(√π Γ(2)) = δ/2, here for ε/6 and δ/5.
    variance = 2 * (8 / 50) ** 2 * 6 / (2e-5 / 5 / 2)
    assert scales.means[0] ** 2 == pytest.approx(variance)


@every_baseline
@pytest.mark.parametrize("epsilon", [0.01, 1])
def test_what_is_released_is_feasible(baseline, epsilon):
    for seed in range(10):
        model = fitted(baseline, epsilon=epsilon, floor=0.3, random_state=seed)
        released = model.mixture_
        assert released.weights.min() >= 1 / 150 - 1e-12
        assert released.weights.sum() == pytest.approx(1, abs=1e-9)
        values = np.linalg.eigvalsh(released.covariances)
        assert (values >= 0.3 * (1 - 1e-9) - 1e-12 * values.max()).all()


POINTS = arrays(float, st.integers(2, 6), elements=st.floats(-5, 5, allow_nan=False))


@repeat
@given(POINTS, st.floats(0, 0.99))
def test_projected_weights_are_the_nearest(point, share):
    size = len(point)
    least = share / size
    found = onto_simplex(point, least)
    assert found.min() >= least
    assert found.sum() == pytest.approx(1, abs=1e-12)
    # Optimality: the gradient is constant where the bound is not met, and no smaller elsewhere.
    gap = found - point
    free = found > least + 1e-9
    assert np.ptp(gap[free]) < 1e-9
    assert (gap[~free] >= gap[free].min() - 1e-9).all()
    assert onto_simplex(found, least) == pytest.approx(found, abs=1e-12)


def test_projected_weights_by_a_general_solver():
    point = np.array([0.7, 0.5, -0.1, 0.3])
    solved = minimize(
        lambda x: ((x - point) ** 2).sum(),
        np.full(4, 0.25),
        bounds=[(0.05, None)] * 4,
        constraints={"type": "eq", "fun": lambda x: x.sum() - 1},
        options={"ftol": 1e-15},
    )
    assert onto_simplex(point, 0.05) == pytest.approx(solved.x, abs=1e-6)


def test_records_are_moved_into_the_ball():
    far = np.vstack([X, [[100.0] * 4]])
    labels = [*Y.tolist(), 2]
    model = LaplaceMixture(1000, bound=4, random_state=0)
    near = np.vstack([X, [[2.0] * 4]])  # of length 4
    one, two = (quietly(model.release, (x, labels), 3).means for x in (far, near))
    assert one == pytest.approx(two, abs=1e-12)
    # Without a bound the largest norm is taken, as if it were given.
    largest = float(np.linalg.norm(X, axis=1).max())
    free = quietly(LaplaceMixture(1, random_state=0).fit, X, Y)
    assert free.scales_ == fitted(LaplaceMixture, bound=largest).scales_


BAD = [
    ({"epsilon": 0}, "epsilon"),
    ({"epsilon": -1}, "epsilon"),
    ({"epsilon": math.nan}, "epsilon"),
    ({"epsilon": "much"}, "epsilon"),
    ({"bound": 0}, "bound"),
    ({"bound": math.inf}, "bound"),
    ({"calibration": "both"}, "calibration"),
    ({"least_size": 2}, "least_size"),
    ({"least_size": 3.5}, "least_size"),
    ({"ridge": -1}, "ridge"),
    ({"floor": 0}, "floor"),
    ({"floor": math.nan}, "floor"),
    ({"calibration": "public", "bound": None}, "bound"),
    ({"calibration": "public", "least_size": 51}, "at least 51 records"),
]


@every_baseline
@pytest.mark.parametrize(("given", "named"), BAD)
def test_bad_parameters(baseline, given, named):
    with pytest.raises(ValueError, match=named):
        fitted(baseline, **given)


@pytest.mark.parametrize("delta", [0, 1, -1, math.nan, "half"])
def test_bad_delta(delta):
    for baseline in BASELINES[1:]:
        with pytest.raises(ValueError, match="delta"):
            fitted(baseline, delta=delta)


@every_baseline
def test_bad_data(baseline):
    model = baseline(1, bound=4)
    bad = X.copy()
    bad[3, 1] = math.nan
    for points, labels in ((bad, Y), (X[:, 0], Y), (X, Y[:-1]), (X, Y + 0.5), (X, [0] * 150)):
        with pytest.raises(ValueError, match="must"):
            model.fit(points, labels)
    with pytest.raises(ValueError, match="at least 3 records"):
        model.fit(X[:102], Y[:102])


def test_singular_noise_needs_three_dimensions():
    with pytest.raises(ValueError, match="at least 3 columns; got 2"):
        SingularGaussian(1, bound=4).fit(X[:, :2], Y)


def test_the_smallest_classes_are_released():
    points = np.random.default_rng(0).normal(size=(6, 3))
    for baseline in BASELINES:
        model = quietly(baseline(1, bound=4, random_state=0).fit, points, [0, 0, 0, 1, 1, 1])
        assert np.isfinite(model.mixture_.means).all()
