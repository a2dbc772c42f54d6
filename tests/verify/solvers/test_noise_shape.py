"""Noise shapes: closed forms, symmetries, an interior-point solver, and exact feasibility."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.mechanisms.mixture.published import design_weights as design
from provedp.theory.arrays import Floats
from provedp.verify.solvers.noise_shape.enclosure import whitening
from provedp.verify.solvers.noise_shape.noise_shape import NoiseShape, noise_shape

GAP = 1e-9  # what noise_shape aims at
ROUNDING = 1e-9  # of points and covariances that are turned in floats, with condition up to 1e8
SETS = st.tuples(st.integers(0, 10**6), st.integers(1, 30), st.integers(1, 5))


def random_set(seed: int, count: int, size: int) -> tuple[Floats, Floats]:
    generator = np.random.default_rng(seed)
    points = generator.standard_normal((count, size)) * np.geomspace(1, 0.1, size)
    root = generator.standard_normal((size, size)) + 2 * np.eye(size)
    return points, root @ root.T


def is_enclosed(found: NoiseShape, value: float) -> bool:
    rounding = 1e-14 * value  # of the closed form in floats
    inside = found.lower - rounding <= value <= found.upper + rounding
    return inside and found.gap <= GAP and found.lower <= found.value <= found.upper


def is_positive_semidefinite(matrix: list[list[Fraction]]) -> bool:
    """Exact symmetric elimination; a zero pivot must have a zero row."""
    rest = [row[:] for row in matrix]
    for k, pivot_row in enumerate(rest):
        if pivot_row[k] < 0 or (pivot_row[k] == 0 and any(pivot_row[k:])):
            return False
        if pivot_row[k] == 0:
            continue
        for row in rest[k + 1 :]:
            factor = row[k] / pivot_row[k]
            row[k:] = [a - factor * b for a, b in zip(row[k:], pivot_row[k:], strict=True)]
    return True


def is_feasible(shape: Floats, points: Floats) -> bool:
    exact = [[Fraction(entry) for entry in row] for row in shape.tolist()]
    for point in points.tolist():
        delta = [Fraction(entry) for entry in point]
        rest = [
            [z - a * b for z, b in zip(row, delta, strict=True)]
            for row, a in zip(exact, delta, strict=True)
        ]
        if not is_positive_semidefinite(rest):
            return False
    return True


def exact_objective(shape: Floats, sigma: Floats) -> Fraction:
    """Return tr(Σ⁻¹Z) by exact Gauss–Jordan elimination."""
    size = len(sigma)
    rows = [
        [Fraction(entry) for entry in (*a, *z)]
        for a, z in zip(sigma.tolist(), shape.tolist(), strict=True)
    ]
    for k in range(size):
        pivot = rows[k][k]
        rows[k] = [entry / pivot for entry in rows[k]]
        for i in range(size):
            if i != k:
                factor = rows[i][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return sum((rows[i][size + i] for i in range(size)), Fraction(0))


def by_clarabel(points: Floats, sigma: Floats) -> float:
    cvxpy = pytest.importorskip("cvxpy")
    shape = cvxpy.Variable(sigma.shape, symmetric=True)
    above = [shape - np.outer(point, point) >> 0 for point in points]
    cost = cvxpy.trace(np.linalg.inv(sigma) @ shape)
    return float(cvxpy.Problem(cvxpy.Minimize(cost), above).solve(solver="CLARABEL"))


def test_one_point_is_its_own_shape() -> None:
    point, sigma = random_set(1, 1, 4)
    found = noise_shape(point, sigma)
    assert np.allclose(found.shape, point.T @ point, rtol=0, atol=1e-11)
    assert is_enclosed(found, float(point[0] @ np.linalg.solve(sigma, point[0])))
    assert found.support == (0,)


@pytest.mark.parametrize("size", [1, 2, 5, 12])
def test_orthonormal_points(size: int) -> None:
    # Z_jj ≥ 1 for every j, and the identity is above every e_j e_jᵀ.
    found = noise_shape(np.eye(size))
    assert is_enclosed(found, size)
    assert np.allclose(found.shape, np.eye(size), rtol=0, atol=1e-10)
    assert np.allclose(found.weights, 1 / size)


def test_orthogonal_points_of_any_length() -> None:
    lengths = np.array([3.0, 4.0, 12.0])
    found = noise_shape(np.diag(lengths))
    assert is_enclosed(found, 169)  # Σ (√w length) is greatest at w ∝ length²
    assert np.allclose(found.weights, lengths**2 / 169)


def test_one_dimension() -> None:
    points = [[0.5], [-3.0], [2.0], [0.0]]
    found = noise_shape(points, [[4.0]])
    assert is_enclosed(found, 9 / 4)
    assert found.support == (1,)


@pytest.mark.parametrize(
    ("points", "value"),
    [  # two points a, b in the plane: T² = |a|² + |b|² … at the best w, by hand
        ([[1.0, 0.0], [0.6, 0.8]], 1.8),  # unit vectors at an angle φ: 1 + sin φ
        ([[1.0, 0.0], [-0.6, 0.8], [1.0, 0.0]], 1.8),
        ([[1.0, 1.0], [1.0, -1.0]], 4.0),
        ([[2.0, 0.0], [1.0, 0.0]], 4.0),
        ([[math.cos(t), math.sin(t)] for t in np.arange(12) * math.pi / 6], 2.0),
        ([[a, b, c] for a in (-1.0, 1) for b in (-1.0, 1) for c in (-1.0, 1)], 9.0),
    ],
)
def test_closed_forms(points: list[list[float]], value: float) -> None:
    assert is_enclosed(noise_shape(points), value)


@settings(max_examples=25, deadline=None)
@given(SETS)
def test_interior_point_solver_agrees(drawn: tuple[int, int, int]) -> None:
    points, sigma = random_set(*drawn)
    found = noise_shape(points, sigma)
    assert found.gap <= GAP
    # Clarabel's own stopping rule is 1e-8, on a scale that the costs stretch.
    assert found.value == pytest.approx(by_clarabel(points, sigma), rel=1e-6, abs=1e-8)


@settings(max_examples=25, deadline=None)
@given(SETS)
def test_bounds_hold_exactly_for_the_floats_returned(drawn: tuple[int, int, int]) -> None:
    points, sigma = random_set(*drawn)
    found = noise_shape(points, sigma)
    assert is_feasible(found.shape, points)
    assert exact_objective(found.shape, sigma) <= Fraction(found.upper)
    assert math.isclose(sum(found.weights), 1)
    assert list(found.support) == sorted(set(found.support))


def test_a_shape_that_is_smaller_by_a_hair_is_not_feasible() -> None:
    points, sigma = random_set(5, 20, 3)
    found = noise_shape(points, sigma)
    assert not is_feasible(found.shape * (1 - 1e-8), points)


def test_lower_bound_by_exact_weights() -> None:
    # d = 2: (tr M^½)² = tr M + 2 √det M, with exact M from the weights returned.
    points, _ = random_set(7, 40, 2)
    found = noise_shape(points)
    exact = [[Fraction(x) for x in points[i].tolist()] for i in found.support]
    weights = [Fraction(w) for w in found.weights]
    a, b, c = (
        sum((w * p[i] * p[j] for w, p in zip(weights, exact, strict=True)), Fraction(0))
        for i, j in ((0, 0), (0, 1), (1, 1))
    )
    rest = Fraction(found.lower) * sum(weights) - a - c
    assert rest <= 0 or rest * rest <= 4 * (a * c - b * b)


@settings(max_examples=40, deadline=None)
@given(SETS, st.floats(1e-60, 1e60), st.integers(0, 10**6))
def test_rotation_and_scale_move_with_the_shape(
    drawn: tuple[int, int, int], scale: float, seed: int
) -> None:
    points, sigma = random_set(*drawn)
    size = points.shape[1]
    turn = scale * np.linalg.qr(np.random.default_rng(seed).standard_normal((size, size)))[0]
    before = noise_shape(points, sigma)
    plain = noise_shape(points @ turn.T)
    after = noise_shape(points @ turn.T, turn @ sigma @ turn.T)
    assert_same_optimum(after, before)
    assert_same_optimum(plain, noise_shape(points), scale**2)
    # Relative changes of the minimiser are of the order of √GAP: the optimum is flat.
    close = {"rtol": 0, "atol": 1e-3 * scale**2 * float(np.abs(before.shape).max())}
    assert np.allclose(after.shape, turn @ before.shape @ turn.T, **close)


def assert_same_optimum(one: NoiseShape, other: NoiseShape, factor: float = 1.0) -> None:
    """Two brackets of one number overlap; ROUNDING is that of the points that were transformed."""
    assert one.lower <= factor * other.upper * (1 + ROUNDING)
    assert factor * other.lower <= one.upper * (1 + ROUNDING)


def test_ill_conditioned_covariance_has_a_wider_bracket_that_holds() -> None:
    # The condition number is 4e7: with 16 points the solver stops at 3e-6, with copies at 2e-9.
    points, sigma = random_set(4, 16, 4)
    wide, narrow = noise_shape(points, sigma), noise_shape(np.vstack([points, -points]), sigma)
    assert wide.gap <= 1e-5
    assert_same_optimum(wide, narrow)


@settings(max_examples=25, deadline=None)
@given(SETS)
def test_copies_mirror_images_zeros_and_inner_points_change_nothing(
    drawn: tuple[int, int, int],
) -> None:
    points, sigma = random_set(*drawn)
    more = np.vstack([points, -points, points, 0 * points[:1], points[:1] / 2])
    assert_same_optimum(noise_shape(more, sigma), noise_shape(points, sigma))


@pytest.mark.parametrize("rank", [1, 2, 4])
def test_points_that_do_not_span(rank: int) -> None:
    generator = np.random.default_rng(rank)
    inner = generator.standard_normal((30, rank))
    basis = np.linalg.qr(generator.standard_normal((7, 7)))[0][:, :rank]
    found = noise_shape(inner @ basis.T)
    assert found.gap <= GAP
    assert found.value == pytest.approx(noise_shape(inner).value, rel=2 * GAP)
    assert is_feasible(found.shape, inner @ basis.T)


@pytest.mark.parametrize("decades", [1, 2, 3])
def test_points_of_very_different_lengths(decades: int) -> None:
    generator = np.random.default_rng(decades)
    points = generator.standard_normal((60, 5)) * 10.0 ** (-decades * np.arange(5))
    found = noise_shape(points)
    assert found.gap <= GAP
    assert is_feasible(found.shape, points)


def test_no_displacement_needs_no_noise() -> None:
    found = noise_shape(np.zeros((3, 2)))
    assert (found.value, found.lower, found.upper, found.gap) == (0, 0, 0, 0)
    assert (found.support, found.weights) == ((), ())
    assert not found.shape.any()


def test_ill_conditioned_covariance_has_an_honest_gap() -> None:
    size = 6
    sigma = np.array([[1 / (i + j + 1) for j in range(size)] for i in range(size)])
    points, _ = random_set(3, 20, size)
    found = noise_shape(points, sigma)
    assert is_feasible(found.shape, points)
    assert exact_objective(found.shape, sigma) <= Fraction(found.upper)
    assert 0 < found.lower <= found.upper


def test_conjugate_gradients_take_the_same_step(monkeypatch: pytest.MonkeyPatch) -> None:
    points, sigma = random_set(11, 200, 5)
    dense = noise_shape(points, sigma)
    monkeypatch.setattr(design, "DENSE", 0)
    assert noise_shape(points, sigma).gap <= GAP
    assert noise_shape(points, sigma).value == pytest.approx(dense.value, rel=2 * GAP)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    points, _ = random_set(13, 100, 3)
    whole = noise_shape(points)
    monkeypatch.setattr(design, "BLOCK", 7)
    monkeypatch.setattr("provedp.verify.solvers.noise_shape.enclosure.BLOCK", 7)
    assert noise_shape(points).value == pytest.approx(whole.value, rel=2 * GAP)


def test_whitening_error_is_a_bound() -> None:
    _, sigma = random_set(17, 1, 4)
    white = whitening(sigma)
    assert white.inverse is not None
    a = [[Fraction(x) for x in row] for row in white.inverse.tolist()]
    s = [[Fraction(x) for x in row] for row in sigma.tolist()]
    squared = Fraction(0)
    for i, left in enumerate(a):
        for j, right in enumerate(a):
            product = sum(
                (left[k] * s[k][m] * right[m] for k in range(4) for m in range(4)), Fraction(0)
            )
            squared += (product - (i == j)) ** 2
    assert squared <= Fraction(white.error) ** 2


@pytest.mark.slow
def test_many_points() -> None:
    points = np.random.default_rng(0).standard_normal((100_000, 12))
    assert noise_shape(points).gap <= GAP


@pytest.mark.parametrize(
    ("points", "sigma", "gap", "complaint"),
    [
        ([[1.0, math.nan]], None, GAP, "nan in row 1, column 2"),
        ([[1.0], [math.inf]], None, GAP, "inf in row 2, column 1"),
        ([[1e150]], None, GAP, "1e\\+150 in row 1"),
        ([[1e-150]], None, GAP, "1e-150 in row 1"),
        ([1.0, 2.0], None, GAP, "1 dimensions"),
        (np.zeros((0, 3)), None, GAP, "shape 0×3"),
        ([[1.0], [1.0, 2.0]], None, GAP, "'points' parameter"),
        ([["a"]], None, GAP, "'points' parameter"),
        ([[1.0, 2.0]], [[1.0]], GAP, "shape 1×1"),
        ([[1.0, 2.0]], [[1.0, 0.1], [0.2, 1.0]], GAP, r"0.1 and 0.2 at \(1, 2\) and \(2, 1\)"),
        ([[1.0, 2.0]], [[1.0, 2.0], [2.0, 1.0]], GAP, "not positive definite"),
        ([[1.0, 2.0]], [[1.0, 1.0], [1.0, 1.0]], GAP, "not positive definite"),
        ([[1.0, 2.0]], [[0.0, 0.0], [0.0, 0.0]], GAP, "not positive definite"),
        ([[1.0]], None, 0.0, "'gap' parameter"),
        ([[1.0]], None, 1.0, "'gap' parameter"),
    ],
)
def test_wrong_arguments(points: object, sigma: object, gap: float, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        noise_shape(points, sigma, gap)
