from fractions import Fraction as Q

import numpy as np
import pytest

from provedp.theory.counting import release_matrix
from provedp.theory.matrices import fmpq_matrix
from provedp.theory.privacy import path_delta
from provedp.verify.solvers.channel.optimal_set import (
    entry_range,
    forced,
    is_unique,
    optimum_with_kernel,
    prefix_range,
    radius,
    rank_deficient_optimum,
    sample_optimal,
)
from provedp.verify.solvers.linear_programs.rational import InfeasibleError

RADII = [  # M, k, δ, Δ_M
    (4, Q(2), Q(0), Q(1, 6)),
    (4, Q(2), Q(1, 20), Q(47, 240)),
    (3, Q(1), Q(1, 20), Q(1, 20)),
    (4, Q(1), Q(1, 10), Q(1, 5)),
]


def is_optimal(matrix, k, delta):
    best = min(release_matrix(len(matrix), k, delta).diagonal())
    stochastic = min(matrix.ravel()) >= 0 and all(row.sum() == 1 for row in matrix)
    return stochastic and path_delta(matrix, k) <= delta and min(matrix.diagonal()) == best


@pytest.mark.parametrize(("m", "k", "delta", "expected"), RADII)
def test_radius(m, k, delta, expected):
    assert radius(m, k, delta) == expected


def test_an_entry_ranges_between_attained_ends():
    low, high = entry_range(4, Q(2), Q(0), 1, 4)
    assert (low, high) == (Q(1, 18), Q(2, 9))


@pytest.mark.parametrize("i", range(1, 6))
def test_prefixes_up_to_the_diagonal_are_fixed(i):
    canonical = release_matrix(5, Q(3, 2), Q(1, 20))
    expected = sum(canonical[i - 1, :i])
    assert prefix_range(5, Q(3, 2), Q(1, 20), i) == (expected, expected)


@pytest.mark.parametrize(("m", "count"), [(3, 5), (4, 10), (5, 11)])
def test_forced_entries_of_pure_privacy(m, count):
    found = forced(m, Q(3), Q(0))
    middle = {(m + 1) // 2, m // 2 + 1}
    assert {(i, j) for i in middle for j in range(1, m + 1)} <= found
    assert len(found) == count == (2 * m**2 + 10 * m - 1 + (2 * m + 1) * (-1) ** m) // 8


@pytest.mark.parametrize("m", [3, 4, 5])
def test_forced_entries_of_approximate_privacy(m):
    diagonal = {(i, i) for i in range(1, m + 1)}
    assert forced(m, Q(3, 2), Q(1, 20)) == diagonal | {(2, 1), (m - 1, m)}


@pytest.mark.parametrize(
    ("m", "k", "delta", "unique"),
    [(2, Q(2), Q(1, 10), True), (4, Q(1), Q(0), True)]
    + [(3, Q(2), Q(0), False), (3, Q(1), Q(1, 100), False)],
)
def test_uniqueness(m, k, delta, unique):
    assert is_unique(m, k, delta) is unique


@pytest.mark.parametrize("vertices", [1, 3])
def test_samples_are_optimal(vertices):
    rng = np.random.default_rng(7)
    samples = [sample_optimal(4, Q(2), Q(1, 20), rng, vertices) for _ in range(4)]
    assert all(is_optimal(sample, Q(2), Q(1, 20)) for sample in samples)
    assert len({tuple(sample.ravel()) for sample in samples}) > 1


def test_the_same_seed_draws_the_same_sample():
    first, second = (
        sample_optimal(4, Q(2), Q(0), np.random.default_rng(11), 2).tolist() for _ in range(2)
    )
    assert first == second


@pytest.mark.parametrize(
    ("m", "k", "delta"),
    [(5, Q(11, 10), Q(0)), (4, Q(11, 10), Q(1, 10)), (3, Q(1), Q(1, 4)), (4, Q(1), Q(1, 3))],
)
def test_singular_optima_are_found(m, k, delta):
    found = rank_deficient_optimum(m, k, delta, np.random.default_rng(5))
    assert found is not None and is_optimal(found, k, delta)
    assert fmpq_matrix(found).rank() < m


def test_no_singular_optimum_where_the_paper_proves_full_rank():
    rng = np.random.default_rng(5)
    assert rank_deficient_optimum(3, Q(2), Q(0), rng, starts=2) is None


def test_an_optimum_with_a_given_kernel():
    found = optimum_with_kernel(4, Q(11, 10), Q(1, 10), [1, -2, 2, -1])
    assert is_optimal(found, Q(11, 10), Q(1, 10))
    assert not (found @ np.array([Q(1), Q(-2), Q(2), Q(-1)])).any()


def test_an_impossible_kernel_is_refused():
    with pytest.raises(InfeasibleError):
        optimum_with_kernel(4, Q(2), Q(0), [1, -2, 2, -1])
    with pytest.raises(ValueError, match="'kernel' parameter"):
        optimum_with_kernel(4, Q(2), Q(0), [0, 0, 0, 0])


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: entry_range(3, Q(2), Q(0), 4, 1), "i"),
        (lambda: entry_range(3, Q(2), Q(0), 1, 0), "j"),
        (lambda: radius(1, Q(2), Q(0)), "m"),
        (lambda: radius(3, 2.5, Q(0)), "k"),
        (lambda: forced(3, Q(2), Q(1)), "delta"),
        (lambda: sample_optimal(3, Q(2), Q(0), np.random.default_rng(1), 0), "vertices"),
    ],
)
def test_bad_arguments_are_named(call, name):
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        call()
