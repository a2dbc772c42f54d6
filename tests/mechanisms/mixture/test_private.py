"""The private mixture: what it promises, what it spends, what it refuses, what it releases."""

import warnings
from collections.abc import Sequence
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris

from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.mixture import LabelledMixture, PrivateMixture
from provedp.mechanisms.mixture.private import release as steps
from provedp.mechanisms.mixture.private.estimation import eigenvalue_means, radius_of, whitener
from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    Adjacency,
    Mechanism,
    gaussian_delta,
    response_and_gaussian_delta,
)

ADJACENCIES = ["label", "replace-one", "add-remove"]
IRIS, SPECIES = load_iris(return_X_y=True)
STANDARDISED = (IRIS - IRIS.mean(axis=0)) / IRIS.std(axis=0)


def model(**changes: Any) -> PrivateMixture:
    given: dict[str, Any] = {"epsilon": 1, "delta": "2e-5", "bound": 4, "classes": (0, 1, 2)}
    return PrivateMixture(**(given | changes))


def fitted_iris() -> LabelledMixture:
    parts = [STANDARDISED[SPECIES == k] for k in range(3)]
    means = np.stack([part.mean(axis=0) for part in parts])
    return LabelledMixture((0, 1, 2), [1 / 3] * 3, means, np.stack([np.cov(p.T) for p in parts]))


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("epsilon", ["1/10", 1, 8])
def test_what_is_spent_is_within_the_target(adjacency: str, epsilon: Any) -> None:
    release = model(epsilon=epsilon, adjacency=adjacency).fit(STANDARDISED, SPECIES).release_
    assert release.spent <= release.budget
    assert release.spent >= release.budget * Q(999, 1000)
    with ctx.workprec(256):
        mu = ball(release.spent).sqrt()
        assert gaussian_delta(mu, ball(Q(epsilon))) <= ball(Q(2, 10**5))


@pytest.mark.parametrize("epsilon", ["1/10", 1, 8])
def test_two_classes_use_the_optimal_count_within_the_target(epsilon: Any) -> None:
    two = SPECIES < 2
    private = model(epsilon=epsilon, classes=(0, 1)).fit(STANDARDISED[two], SPECIES[two])
    release = private.release_
    assert release.channel is not None
    assert all(noise.count is None for noise in release.noise[:1])
    with ctx.workprec(256):
        mu = ball(release.spent).sqrt()
        joint = response_and_gaussian_delta(ball(release.channel), mu, ball(Q(epsilon)))
        assert joint <= ball(Q(2, 10**5))
    assert abs(private.mixture_.weights.sum() - 1) < 1e-12


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_guarantee_is_a_property_of_the_settings(adjacency: str) -> None:
    private = model(epsilon="ln(3)", adjacency=adjacency)
    assert isinstance(private, Mechanism)
    promised = private.guarantee
    assert promised is not None
    assert (promised.ratio, promised.delta) == (3, Q(1, 50000))
    assert promised.adjacency in (
        Adjacency.LABEL_FLIP,
        Adjacency.REPLACE_ONE,
        Adjacency.ADD_OR_REMOVE_ONE,
    )
    replayed = model(random_state=1)
    assert replayed.guarantee is None
    assert replayed.claimed.delta == Q(1, 50000)


def test_a_seed_replays_and_its_absence_does_not() -> None:
    one, two = (model(random_state=3).fit(STANDARDISED, SPECIES).mixture_ for _ in range(2))
    assert one.to_json() == two.to_json()
    secret = [model().fit(STANDARDISED, SPECIES).mixture_.to_json() for _ in range(2)]
    assert secret[0] != secret[1]


def test_estimator_conventions() -> None:
    private = model(random_state=0)
    copy = clone(private)
    assert copy.get_params() == private.get_params()
    assert copy.set_params(epsilon=2).epsilon == 2
    private.fit(STANDARDISED, SPECIES)
    features, labels = private.sample(20)
    assert features.shape == (20, 4)
    assert set(labels.tolist()) <= {0, 1, 2}
    assert private.score_samples(STANDARDISED).shape == (150,)
    assert private.score(STANDARDISED) == pytest.approx(private.score_samples(STANDARDISED).mean())
    assert private.n_features_in_ == 4
    released = private.release((STANDARDISED, SPECIES), np.random.default_rng(0))
    assert isinstance(released, LabelledMixture)


@pytest.mark.parametrize(("epsilon", "most"), [(1, 115), (2, 58)])
def test_iris_is_released_closer_than_was_ever_claimed(epsilon: int, most: float) -> None:
    target = fitted_iris()
    divergences = [
        model(epsilon=epsilon, random_state=seed).fit(STANDARDISED, SPECIES).mixture_.kl_to(target)
        for seed in range(40)
    ]
    assert np.median(divergences) < most / 3


def test_more_records_bring_the_release_to_the_truth() -> None:
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 2, 200_000)
    features = rng.normal(size=(200_000, 2)) * [1, 0.2] + np.array([[-3, 0], [3, 1]])[labels]
    private = model(classes=(0, 1, "x")[:2], bound=10, random_state=0).fit(features, labels)
    truth = LabelledMixture((0, 1), [0.5, 0.5], [[-3, 0], [3, 1]], [np.diag([1, 0.04])] * 2)
    assert private.mixture_.kl_to(truth) < 0.01
    assert truth.kl_to(private.mixture_) < 0.01


def test_public_location_and_shape_only_change_coordinates() -> None:
    """With S = A Aᵀ and records A u + c, the release is A, c applied to that of the u."""
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 2, 500)
    plain = rng.normal(size=(500, 2)) + 3 * labels[:, None]
    factor, centre = np.array([[4.0, 0.0], [1.0, 0.5]]), np.array([100.0, -7.0])
    base = model(classes=(0, 1), bound=8, random_state=1, floor=0.01)
    one = clone(base).fit(plain, labels).mixture_
    two = clone(base).set_params(location=centre, shape=factor @ factor.T)
    moved = two.fit(plain @ factor.T + centre, labels).mixture_
    assert np.allclose(moved.means, one.means @ factor.T + centre, atol=1e-3)
    assert np.allclose(moved.covariances, factor @ one.covariances @ factor.T, rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("divergence", ["to-fitted", "from-fitted"])
def test_poor_classes_are_released_like_any_other(adjacency: str, divergence: str) -> None:
    """An empty class, one of a single record, constant features, records far outside the bound."""
    features = np.vstack([np.zeros((30, 2)), [[1e300, -1e300]], np.full((20, 2), 1e-200)])
    labels = ["a"] * 30 + ["b"] + ["c"] * 20
    private = model(classes=("a", "b", "c", "empty"), adjacency=adjacency, divergence=divergence)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mixture = private.fit(features, labels).mixture_
    assert mixture.classes == ("a", "b", "c", "empty")
    assert (mixture.weights > 0).all()
    assert np.linalg.norm(mixture.means, axis=1).max() <= 4 * (1 + 1e-9)
    assert all(np.linalg.eigvalsh(each)[0] > 0 for each in mixture.covariances)


def test_no_records_are_data_too_where_their_number_is_protected() -> None:
    empty = np.zeros((0, 2)), []
    mixture = model(adjacency="add-remove").fit(*empty).mixture_
    assert mixture.means.shape == (3, 2)
    with pytest.raises(ValueError, match="'X' has no records"):
        model().fit(*empty)


def test_which_numbers_are_drawn_does_not_depend_on_the_records(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same noise, for any records: as many draws at the same scales."""
    drawn: list[list[Any]] = []
    original = RoundedGaussian.added_to

    def watched(noise: RoundedGaussian, exact: Sequence[int], rng: Any = None) -> list[int]:
        drawn[-1].append((noise.sigma, len(exact)))
        return original(noise, exact, rng)

    monkeypatch.setattr(RoundedGaussian, "added_to", watched)
    few = np.where(np.arange(150) < 149, 0, SPECIES)
    for features, labels in (
        (STANDARDISED, SPECIES),
        (np.zeros((150, 4)), SPECIES),
        (1e9 * STANDARDISED, few),
    ):
        drawn.append([])
        model(epsilon=5).fit(features, labels)
    assert drawn[0] == drawn[1] == drawn[2]


def test_one_label_does_not_change_how_others_are_read() -> None:
    """Beside −1 an array of these labels would be one of floats, and 2⁶³ + 1 would be 2⁶³."""
    classes = (-1, 2**63, 2**63 + 1)
    features = np.zeros((1001, 1))
    for last in classes[:2]:
        labels = [2**63 + 1] * 1000 + [last]
        found = PrivateMixture(5, 1e-6, bound=1, classes=classes).fit(features, labels)
        assert found.mixture_.weights[2] > 0.8


@pytest.mark.parametrize(
    ("epsilon", "delta"), [("0.01", "0.01"), ("0.1", "0.5"), ("1e-6", "1e-5"), ("1", "0.999")]
)
def test_two_classes_have_a_release_at_any_target(epsilon: str, delta: str) -> None:
    two = SPECIES < 2
    release = (
        model(epsilon=epsilon, delta=delta, classes=(0, 1)).fit(STANDARDISED[two], SPECIES[two])
    ).release_
    assert release.spent <= release.budget
    with ctx.workprec(256):
        ratio = ball(release.channel or Q(1))
        mu = ball(release.spent).sqrt()
        assert response_and_gaussian_delta(ratio, mu, ball(Q(epsilon))) <= ball(Q(delta))


def test_an_empty_class_of_two_does_not_come_out_full() -> None:
    for labels in (np.zeros(400, dtype=int), np.ones(400, dtype=int)):
        weights = [
            model(epsilon=8, delta="0.01", classes=(0, 1), random_state=seed)
            .fit(np.zeros((400, 2)), labels)
            .mixture_.weights[labels[0]]
            for seed in range(40)
        ]
        assert min(weights) > 0.8


def test_values_that_overflow_are_clipped_without_a_word() -> None:
    features = STANDARDISED.copy()
    features[3] = [1e302, -1e308, 1e305, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model(location=[-1e307] * 4).fit(features, SPECIES)


BAD = [
    ({"epsilon": 0}, "'epsilon'"),
    ({"epsilon": -1}, "epsilon"),
    ({"epsilon": float("nan")}, "epsilon"),
    ({"epsilon": "inf"}, "epsilon"),
    ({"delta": 0}, "'delta' must be in"),
    ({"delta": 1}, "delta"),
    ({"delta": "x"}, "delta"),
    ({"bound": None}, "'bound' must be given"),
    ({"bound": 0}, "bound"),
    ({"bound": float("inf")}, "bound"),
    ({"bound": 1e90}, "bound"),
    ({"epsilon": "1e-300"}, "'epsilon' must be positive"),
    ({"floor": 5e-324}, "floor"),
    ({"records": 10**400}, "records"),
    ({"random_state": "a"}, "random_state"),
    ({"random_state": -1}, "random_state"),
    ({"classes": None}, "'classes' must be given"),
    ({"classes": ()}, "classes"),
    ({"classes": (0, 0)}, "classes"),
    ({"classes": (0, "a")}, "classes"),
    ({"classes": (True, False)}, "classes"),
    ({"classes": "abc"}, "classes"),
    ({"adjacency": "rows"}, "adjacency"),
    ({"divergence": "both"}, "divergence"),
    ({"location": [0, 0, float("nan"), 0]}, "location"),
    ({"location": [0, 0]}, "X"),
    ({"shape": [[1, 0], [0, 1]]}, "X"),
    ({"shape": -np.eye(4)}, "shape"),
    ({"shape": np.triu(np.ones((4, 4)))}, "shape"),
    ({"shape": np.eye(4), "location": [0, 0]}, "'location' has 2 numbers, 'shape' has 4 rows"),
    ({"floor": 0}, "floor"),
    ({"floor": 17}, "floor"),
    ({"records": 0}, "records"),
]


@pytest.mark.parametrize(("changes", "named"), BAD)
def test_bad_parameters_are_refused_before_anything_is_drawn(
    changes: dict[str, Any], named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "release_moments", lambda *_: pytest.fail("noise was drawn"))
    with pytest.raises(ValueError, match=named):
        model(**changes).fit(STANDARDISED, SPECIES)


def spoiled(row: int, column: int, value: float) -> Any:
    table = STANDARDISED.copy()
    table[row, column] = value
    return table


@pytest.mark.parametrize(
    ("features", "labels", "named"),
    [
        (spoiled(6, 2, np.nan), SPECIES, "a number in column 3 that is not finite"),
        (spoiled(149, 0, np.inf), SPECIES, "a number in column 1 that is not finite"),
        (STANDARDISED, [*SPECIES[:-1], 3], "another label"),
        (STANDARDISED, [*SPECIES[:-1], 0.5], "another label"),
        (STANDARDISED, SPECIES[:-1], "'y'.*one for each row of 'X'"),
        (STANDARDISED[:, 0], SPECIES, "not two-dimensional"),
        ([["a"] * 4] * 150, SPECIES, "'X'"),
        (np.zeros((150, 0)), SPECIES, "'X'"),
        (STANDARDISED * 1j, SPECIES, "complex"),
        (STANDARDISED, [*SPECIES[:-1], "0"], "another label"),
        (STANDARDISED, 7, "'y'"),
        (np.ma.masked_array(STANDARDISED, STANDARDISED > 2), SPECIES, "'X'.*a masked array"),
        (STANDARDISED, np.ma.masked_array(SPECIES, SPECIES == 1), "'y'.*a masked array"),
    ],
)
def test_bad_data_are_refused_with_the_column(features: Any, labels: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        model().fit(features, labels)


SECRET = "HIV positive"


@pytest.mark.parametrize(
    ("features", "labels"),
    [
        ([[SECRET] * 4] * 150, SPECIES),
        ([[10**400, 0.25, 0.5, 7.125]] * 150, SPECIES),
        (spoiled(6, 2, np.nan), SPECIES),
        (STANDARDISED, [*SPECIES[:-1], SECRET]),
        (STANDARDISED, [*SPECIES[:-1], 71125]),
    ],
)
def test_refusals_quote_no_data(features: Any, labels: Any) -> None:
    with pytest.raises(ValueError, match="'[Xy]' parameter of PrivateMixture") as caught:
        model().fit(features, labels)
    said = str(caught.value)
    assert len(said) < 200
    assert not any(word in said for word in (SECRET, "7.125", "71125", "1000", "row 7", "row 150"))


@given(
    st.lists(st.floats(-10, 10), min_size=1, max_size=4),
    st.floats(1e-3, 10),
    st.booleans(),
)
@settings(max_examples=50)
def test_posterior_means_stay_in_the_prior_and_grow_with_what_was_seen(
    noisy: list[float], deviation: float, harmonic: bool
) -> None:
    low, high = 0.01, 5.0
    found = eigenvalue_means(np.sort(noisy), deviation, low, high, harmonic)
    assert (found >= low * (1 - 1e-9)).all()
    assert (found <= high * (1 + 1e-9)).all()
    assert (np.diff(found) >= -1e-9 * found[1:]).all()
    other = eigenvalue_means(np.sort(noisy), deviation, low, high, not harmonic)
    assert ((found <= other * (1 + 1e-9)) if harmonic else (found >= other * (1 - 1e-9))).all()


def test_posterior_mean_without_information_is_that_of_the_prior() -> None:
    """Log-uniform on [a, b]: E λ = (b − a)/ln(b/a), E 1/λ = (1/a − 1/b)/ln(b/a)."""
    a, b = 0.5, 2.0
    arithmetic, harmonic = (
        eigenvalue_means(np.zeros(1), np.inf, a, b, flag)[0] for flag in (False, True)
    )
    assert arithmetic == pytest.approx((b - a) / np.log(b / a), rel=1e-2)
    assert harmonic == pytest.approx(np.log(b / a) / (1 / a - 1 / b), rel=1e-2)


def test_radius_is_the_first_beyond_which_too_much_lies() -> None:
    cells = np.array([1.0, 1.0, 20.0, 78.0])
    assert radius_of(cells, 8.0, 0.1) == pytest.approx(8 * 2 ** (-2 / 2))
    assert radius_of(cells, 8.0, 0.5) == pytest.approx(8 * 2 ** (-3 / 2))
    assert radius_of(-cells, 8.0, 0.1) > 0


def test_whitener_whitens() -> None:
    noisy = np.array([[2.0, 0.3], [0.3, 1.0]])
    found = whitener(noisy, 0.5)
    assert np.allclose(found @ (noisy + 0.5 * np.eye(2)) @ found.T, np.eye(2))
