"""What is made of noisy covariances, and that pooling serves the divergence it is for."""

from fractions import Fraction as Q

import numpy as np
import pytest
from sklearn.datasets import load_wine

from provedp.mechanisms.mixture import LabelledMixture, PrivateMixture
from provedp.mechanisms.mixture.private.estimation import common_covariance, near
from provedp.mechanisms.mixture.private.plan import plan_for

TRUE = np.array([[2.0, 0.5], [0.5, 1.0]])


def test_without_noise_covariances_are_themselves() -> None:
    np.testing.assert_allclose(near(TRUE, 1e-9, np.eye(2)), TRUE, rtol=0.03)  # the grid's step
    np.testing.assert_allclose(common_covariance(TRUE, 1e-9, 1e-3, 100.0), TRUE, rtol=0.03)


def test_noise_leaves_the_common_covariance() -> None:
    hidden = near(np.array([[50.0, 0.0], [0.0, -50.0]]), 1e6, TRUE)
    # The prior of each eigenvalue is log-normal about 1, so that its mean is exp(width²/2).
    np.testing.assert_allclose(hidden, TRUE * np.exp(0.7**2 / 2), rtol=0.01)


@pytest.mark.parametrize("deviation", [1e-6, 0.1, 10.0, 1e6])
def test_covariances_are_positive_definite(deviation: float) -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        noise = rng.normal(size=(3, 3))
        found = common_covariance(np.eye(3) + deviation * (noise + noise.T), deviation, 1e-4, 9.0)
        np.testing.assert_array_equal(found, found.T)
        assert np.linalg.eigvalsh(found)[0] > 0


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_units_do_not_matter(scale: float) -> None:
    here = common_covariance(TRUE, 0.3, 1e-3, 50.0)
    there = common_covariance(scale * TRUE, 0.3 * scale, 1e-3 * scale, 50.0 * scale)
    np.testing.assert_allclose(there, scale * here)
    np.testing.assert_allclose(
        near(scale * TRUE, 0.3 * scale, scale * np.eye(2)), scale * near(TRUE, 0.3, np.eye(2))
    )


def test_pooling_beats_the_floor_on_wine() -> None:
    features, labels = load_wine(return_X_y=True)
    features = (features - features.mean(axis=0)) / features.std(axis=0)
    parts = [features[labels == k] for k in range(3)]
    fitted = LabelledMixture(
        (0, 1, 2),
        np.array([len(part) for part in parts]) / len(labels),
        np.stack([part.mean(axis=0) for part in parts]),
        np.stack([np.cov(part.T) for part in parts]),
    )
    found = {
        divergence: np.median(
            [
                fitted.kl_to(
                    PrivateMixture(
                        1,
                        "1e-5",
                        bound=5.5,
                        classes=(0, 1, 2),
                        divergence=divergence,
                        random_state=seed,
                    )
                    .fit(features, labels)
                    .mixture_
                )
                for seed in range(9)
            ]
        )
        for divergence in ("from-fitted", "to-fitted")
    }
    assert found["from-fitted"] < 9.7  # what one released scalar for all covariances reaches
    assert found["to-fitted"] > 2 * found["from-fitted"]


@pytest.mark.parametrize(
    ("records", "classes", "dimension", "budget", "shared"),
    [
        (105, 3, 4, Q(13, 10), True),  # signals 7.1 a class, and 9.5 for the matrix
        (105, 3, 4, Q(1, 10), False),  # 2.6 for the matrix: too little
        (400, 3, 4, Q(13, 10), False),  # 26.9 a class: each has a matrix of its own
        (1257, 10, 10, Q(1, 4), False),  # 4.4 a class, and K²/d = 10: the centres need it more
    ],
)
def test_small_classes_share_a_matrix(
    records: int, classes: int, dimension: int, budget: Q, shared: bool
) -> None:
    plan = plan_for(records, classes, dimension, budget, pooled=True)
    assert plan.total == 1 and plan.pooled > 0
    seconds = sum(each.second for each in plan.rounds)
    assert (plan.whole and seconds == 0) == shared
    assert plan_for(records, classes, dimension, budget).pooled == 0
