"""Records on the lattice: exact images, bounded norms, no influence of one record on another."""

from fractions import Fraction as Q
from math import trunc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from provedp.mechanisms.mixture.private.lattice import (
    CHUNK,
    DIMENSIONS,
    FAR,
    FEATURE_BITS,
    RADIUS,
    Frame,
    clipped,
    first_moments,
    on_lattice,
    second_moments,
)

LIMIT = 2 ** (FEATURE_BITS + 1)
DIMENSION = 3
POINTS = arrays.arrays(
    np.float64, (6, DIMENSION), elements=st.integers(-LIMIT, LIMIT).map(float), fill=st.nothing()
)
MATRICES = arrays.arrays(
    np.float64, (DIMENSION, DIMENSION), elements=st.floats(-50, 50, width=32), fill=st.nothing()
).filter(lambda matrix: np.abs(matrix).max() > 1e-3)


def squared_length(point: np.ndarray) -> int:
    return sum(int(x) ** 2 for x in point)


@given(POINTS, MATRICES, st.integers(-LIMIT, LIMIT))
def test_images_are_those_of_exact_arithmetic(points, matrix, middle) -> None:
    frame = Frame.of(matrix, np.full(DIMENSION, float(middle)))
    scale = Q(2) ** frame.shift
    rows = [[Q(int(entry)) / scale for entry in row] for row in frame.matrix]
    images = frame.apply(points)
    for point, image in zip(points, images, strict=True):
        exact = [
            sum(a * (int(x) - middle) for a, x in zip(row, point, strict=True)) for row in rows
        ]
        moved = [max(-FAR, min(FAR, trunc(value))) for value in exact]
        assert squared_length(image) <= RADIUS**2
        if sum(value**2 for value in moved) <= RADIUS**2:
            assert [int(x) for x in image] == moved


@given(POINTS, MATRICES)
def test_an_image_does_not_depend_on_other_records(points, matrix) -> None:
    frame = Frame.of(matrix, np.zeros(DIMENSION))
    together = frame.apply(points)
    alone = np.concatenate([frame.apply(points[i : i + 1]) for i in range(len(points))])
    assert np.array_equal(together, alone)
    assert np.array_equal(frame.apply(points[::-1]), together[::-1])


@given(POINTS)
def test_clipped_points_keep_their_direction_and_almost_reach_the_sphere(points) -> None:
    points = np.clip(points, -FAR, FAR)
    for before, after in zip(points, clipped(points), strict=True):
        assert squared_length(after) <= RADIUS**2
        if squared_length(before) <= RADIUS**2:
            assert np.array_equal(before, after)
        else:
            assert np.linalg.norm(after) > RADIUS - 3
            assert np.allclose(
                after / np.linalg.norm(after), before / np.linalg.norm(before), atol=1e-4
            )


def test_the_largest_points_stay_exact() -> None:
    """The corner of the largest cube, in the highest dimension: squares sum to 2⁵² at most."""
    corner = np.full((1, DIMENSIONS), float(FAR))
    assert squared_length(corner[0]) < 2**53
    assert squared_length(clipped(corner)[0]) <= RADIUS**2


@given(arrays.arrays(np.int64, (40, 2), elements=st.integers(-RADIUS // 2, RADIUS // 2)))
def test_second_moments_are_exact(points) -> None:
    exact = [[sum(int(p[i]) * int(p[j]) for p in points) for j in (0, 1)] for i in (0, 1)]
    assert second_moments(points.astype(np.float64)).tolist() == exact


def test_second_moments_of_many_points_are_exact() -> None:
    """Above 2⁵³, where a sum of floats would lose its last bits."""
    count = CHUNK + 5
    points = np.full((count, 1), float(RADIUS - 1))
    assert second_moments(points).tolist() == [[count * (RADIUS - 1) ** 2]]
    assert count * (RADIUS - 1) ** 2 % 2 == 1 or count * (RADIUS - 1) ** 2 > 2**53
    assert first_moments(points).tolist() == [count * (RADIUS - 1)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.0, 2**FEATURE_BITS), (-0.5, -(2 ** (FEATURE_BITS - 1))), (1e-9, 0), (1e30, LIMIT)],
)
def test_features_are_rounded_towards_zero_and_kept_in_reach(value, expected) -> None:
    assert on_lattice(np.array([[value]]), 1.0).tolist() == [[float(expected)]]
