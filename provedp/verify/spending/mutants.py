"""Wrong mechanisms, by name: one step of a right one changed, for checks that must notice them.

Each is a context in which the estimators are wrong; data sets and the recorder stay as they are.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from fractions import Fraction as Q
from functools import wraps
from typing import Any
from unittest import mock

import numpy as np

from provedp.mechanisms.mixture.private import moments, release
from provedp.mechanisms.mixture.private.lattice import Frame, second_moments
from provedp.mechanisms.modes.private import bins, box, estimators, field, sparse
from provedp.verify.spending.suite import spent

Wrong = Callable[[], AbstractContextManager[Any]]


def half_the_scale() -> AbstractContextManager[Any]:
    """Sums, counts and second moments get half of the noise."""
    right = moments._noisy
    return mock.patch.object(moments, "_noisy", lambda exact, s, rng: right(exact, s / 2, rng))


def second_moments_without_noise() -> AbstractContextManager[Any]:
    """Σ z zᵀ is released as it is."""

    def exact(points: Any, noise: Any, rng: Any) -> Any:
        return second_moments(points).astype(np.float64)

    return mock.patch.object(moments, "_noisy_matrix", exact)


def distances_without_noise() -> AbstractContextManager[Any]:
    """The histogram of distances is released as it is."""

    def exact(points: Any, noise: Any, rng: Any) -> Any:
        silent = mock.patch.object(moments, "_noisy", lambda counts, s, rng: counts)
        with silent:
            return moments.release_distances(points, noise, rng)

    return mock.patch.object(release, "release_distances", exact)


def records_outside_the_ball() -> AbstractContextManager[Any]:
    """Nothing is clipped."""

    def apply(self: Frame, points: Any) -> Any:
        return np.trunc(np.ldexp((points - self.centre) @ self.matrix.T, -self.shift))

    return mock.patch.object(Frame, "apply", apply)


@contextmanager
def exact_number_of_records() -> Iterator[None]:
    """The number of records is taken for public, whatever the adjacency."""
    right = release._Steps.__init__

    def start(self: Any, settings: Any, features: Any, members: Any, rng: Any) -> None:
        right(self, settings, features, members, rng)
        self.public_records = len(features)

    with mock.patch.object(release._Steps, "__init__", start):
        yield


def free_box() -> AbstractContextManager[Any]:
    """A private box leaves the whole budget to what follows."""
    right = estimators.FieldEstimator._located

    def located(self: Any, *arguments: Any) -> Any:
        return right(self, *arguments)[0], Q(1)

    return mock.patch.object(estimators.FieldEstimator, "_located", located)


def field_for_presence() -> AbstractContextManager[Any]:
    """A field has the noise that hides presence, whatever the adjacency."""
    right = field.field_noise
    return mock.patch.object(
        estimators, "field_noise", lambda axes, adjacency, budget: right(axes, "add-remove", budget)
    )


def bins_for_presence() -> AbstractContextManager[Any]:
    """Binned counts have the noise that hides presence, whatever the adjacency."""
    right = bins.bins_noise
    return mock.patch.object(
        estimators, "bins_noise", lambda columns, adjacency, k: right(columns, "add-remove", k)
    )


def exact_number_for_the_box() -> AbstractContextManager[Any]:
    """The number of records steers a private box, whatever the adjacency."""
    right = box.release_box
    return mock.patch.object(
        estimators,
        "release_box",
        lambda points, budget, tail, records, rng: right(points, budget, tail, len(points), rng),
    )


def low_threshold() -> AbstractContextManager[Any]:
    """Cells are released from half of the threshold on."""
    right = sparse.cell_noise

    def lower(*arguments: Any) -> Any:
        found = right(*arguments)
        return replace(found, threshold=found.threshold // 2)

    return mock.patch("provedp.mechanisms.modes.private.local.cell_noise", lower)


def spent_with(wrong: Wrong) -> Callable[[str], Mapping[str, Q]]:
    """Return `spent` of the mechanism that is wrong in this way."""

    @wraps(wrong)
    def of(name: str) -> Mapping[str, Q]:
        with wrong():
            return spent(name)

    return of
