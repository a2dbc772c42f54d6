"""The released mixture: simulation, scipy's densities, and divergences by quadrature."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm

from provedp.mechanisms.mixture.gaussian_mixture import LabelledMixture, gaussian_kl

SEEDS = st.integers(0, 10**6)
repeat = settings(derandomize=True, deadline=None, max_examples=25)


def some_mixture(seed, classes=3, dimension=2):
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(classes, dimension, dimension))
    covariances = half @ half.transpose(0, 2, 1) + 0.1 * np.eye(dimension)
    weights = rng.dirichlet(np.ones(classes))
    means = rng.normal(size=(classes, dimension))
    return LabelledMixture(tuple(range(classes)), weights, means, covariances)


@repeat
@given(SEEDS)
def test_densities_are_scipys(seed):
    mixture = some_mixture(seed)
    points = np.random.default_rng(seed + 1).normal(size=(5, 2))
    joint = np.stack(
        [
            w * multivariate_normal(m, c).pdf(points)
            for w, m, c in zip(mixture.weights, mixture.means, mixture.covariances, strict=True)
        ],
        axis=1,
    )
    assert np.exp(mixture.log_joint(points)) == pytest.approx(joint, rel=1e-9)
    assert np.exp(mixture.score_samples(points)) == pytest.approx(joint.sum(axis=1), rel=1e-9)
    assert mixture.predict(points).tolist() == joint.argmax(axis=1).tolist()


@repeat
@given(st.floats(-3, 3), st.floats(0.2, 4), st.floats(-3, 3), st.floats(0.2, 4))
def test_one_dimensional_divergence_is_its_integral(m, s, n, t):
    p, q = norm(m, s), norm(n, t)
    truth = quad(
        lambda x: p.pdf(x) * (p.logpdf(x) - q.logpdf(x)), m - 12 * s, m + 12 * s, epsabs=1e-11
    )[0]
    found = gaussian_kl(np.array([m]), np.array([[s * s]]), np.array([n]), np.array([[t * t]]))
    assert found == pytest.approx(truth, abs=1e-8)


@repeat
@given(SEEDS, SEEDS)
def test_divergence_is_the_mean_log_ratio_of_joint_densities(seed, other):
    p, q = some_mixture(seed), some_mixture(other)
    features, labels = p.sample(4000, np.random.default_rng(seed))
    rows = np.arange(len(labels))
    ratios = p.log_joint(features)[rows, labels] - q.log_joint(features)[rows, labels]
    assert p.kl_to(q) >= 0
    assert abs(p.kl_to(q) - ratios.mean()) < 6 * ratios.std() / math.sqrt(len(ratios)) + 1e-12


def test_divergence_by_hand():
    p = LabelledMixture((0, 1), [0.25, 0.75], [[0.0], [1.0]], [[[1.0]], [[4.0]]])
    q = LabelledMixture((0, 1), [0.5, 0.5], [[0.0], [3.0]], [[[1.0]], [[4.0]]])
    truth = 0.25 * math.log(0.5) + 0.75 * (math.log(1.5) + 0.5)
    assert p.kl_to(q) == pytest.approx(truth, rel=1e-14)
    assert p.kl_to(p) == 0


def test_a_class_without_weight():
    full = LabelledMixture((0, 1), [0.5, 0.5], [[0.0], [1.0]], [[[1.0]], [[1.0]]])
    less = LabelledMixture((0, 1), [1.0, 0.0], [[0.0], [1.0]], [[[1.0]], [[1.0]]])
    assert full.kl_to(less) == math.inf
    assert less.kl_to(full) == pytest.approx(math.log(2))
    assert less.predict([[50.0]]).tolist() == [0]


def test_samples_have_the_moments_and_repeat():
    mixture = some_mixture(3)
    features, labels = mixture.sample(40_000, np.random.default_rng(5))
    for k in range(3):
        chosen = features[labels == k]
        assert len(chosen) / 40_000 == pytest.approx(mixture.weights[k], abs=0.0125)
        error = 5 * np.sqrt(np.diag(mixture.covariances[k]) / len(chosen))
        assert (np.abs(chosen.mean(axis=0) - mixture.means[k]) < error).all()
        assert np.cov(chosen.T) == pytest.approx(
            mixture.covariances[k], abs=8 * np.trace(mixture.covariances[k]) / len(chosen) ** 0.5
        )
    again, _ = mixture.sample(40_000, np.random.default_rng(5))
    assert (again == features).all()


@repeat
@given(SEEDS)
def test_json_gives_the_mixture_back(seed):
    mixture = some_mixture(seed)
    back = LabelledMixture.from_json(mixture.to_json())
    assert back.classes == mixture.classes
    for name in ("weights", "means", "covariances"):
        assert (getattr(back, name) == getattr(mixture, name)).all()


GOOD = {
    "classes": (0, 1),
    "weights": [0.5, 0.5],
    "means": [[0.0], [1.0]],
    "covariances": [[[1.0]], [[1.0]]],
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("classes", ()),
        ("classes", (0, 0)),
        ("classes", (0, True)),
        ("classes", (0, 0.5)),
        ("classes", (0, "a")),
        ("weights", [0.5, 0.6]),
        ("weights", [1.5, -0.5]),
        ("weights", [1.0]),
        ("weights", [math.nan, 1.0]),
        ("means", [[0.0], [math.inf]]),
        ("means", [0.0, 1.0]),
        ("means", "text"),
        ("covariances", [[[1.0]], [[-1.0]]]),
        ("covariances", [[[1.0]], [[0.0]]]),
        ("covariances", [[[1.0, 0.0]], [[1.0, 0.0]]]),
    ],
)
def test_bad_input_is_named(name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter of LabelledMixture must be"):
        LabelledMixture(**{**GOOD, name: value})


def test_asymmetric_covariances_are_refused():
    with pytest.raises(ValueError, match="asymmetric one for class 'a'"):
        LabelledMixture(("a",), [1.0], [[0.0, 0.0]], [[[1.0, 0.5], [0.0, 1.0]]])


@pytest.mark.parametrize("text", ["", "[]", "3", '{"classes": [0]}'])
def test_other_texts_are_no_mixtures(text):
    with pytest.raises(ValueError, match="no mixture in JSON"):
        LabelledMixture.from_json(text)


def test_other_mixtures_and_features_must_fit():
    mixture = some_mixture(1)
    with pytest.raises(ValueError, match="'other'"):
        mixture.kl_to(some_mixture(1, dimension=3))
    with pytest.raises(ValueError, match="'features'"):
        mixture.log_joint([[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="'n' parameter of LabelledMixture.sample"):
        mixture.sample(0, np.random.default_rng(0))
