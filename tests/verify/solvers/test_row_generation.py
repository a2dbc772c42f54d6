"""The cheap attempt proposes the same optimum as the interior point, or none."""

from fractions import Fraction as F

import numpy as np
import pytest

from provedp.theory.channels import psk_matrix
from provedp.theory.matrices import Matrix, matrix
from provedp.verify.solvers.channel.bracket import Bracket, Problem, bracket
from provedp.verify.solvers.channel.folding import Approximation, Folding
from provedp.verify.solvers.channel.highs_interior_point import approximations
from provedp.verify.solvers.channel.repair import private_mixture, rational_dual, rounded_rows
from provedp.verify.solvers.channel.row_generation import attempt


def exact_channel(size: int, decibels: float) -> Matrix:
    rows = [[F(entry) for entry in row] for row in psk_matrix(size, decibels).tolist()]
    return matrix([[entry / sum(row) for entry in row] for row in rows])


def enclosed(point: Approximation, problem: Problem) -> Bracket:
    mechanism = private_mixture(rounded_rows(point.mechanism), problem)
    return bracket(problem, mechanism, rational_dual(point), "linear program")


@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize(("size", "k"), [(12, F(8)), (16, F(9, 2)), (9, F(12))])
def test_attempt_agrees_with_the_interior_point(size: int, k: F, mirrored: bool) -> None:
    channel = exact_channel(size, 10.0)
    problem = Problem(channel, k, F(0))
    floats = np.array(channel, dtype=float)
    point = attempt(floats, float(k), 0.0, mirrored=mirrored)
    assert point is not None
    first = enclosed(point, problem)
    second = enclosed(next(approximations(floats, float(k), 0.0, mirrored=mirrored)), problem)
    assert first.gap <= F(1, 10**9)
    # Two exact brackets of one number overlap.
    assert first.lower <= second.upper and second.lower <= first.upper


def test_attempt_gives_up_where_events_converge_slowly() -> None:
    assert attempt(psk_matrix(16, 10.0), float(np.e), 0.05, mirrored=True) is None


def test_a_private_channel_needs_no_constraint() -> None:
    channel = psk_matrix(8, 0.0)
    point = attempt(channel, 10.0, 0.0, mirrored=True)
    assert point is not None
    assert point.multipliers == {}
    np.testing.assert_allclose(point.mechanism, np.eye(8), atol=1e-12)


@pytest.mark.parametrize("size", [4, 5])
def test_folding_keeps_each_pair_or_its_mirror_image(size: int) -> None:
    kept = Folding.of(size, mirrored=True).pairs
    mirrored = {(size - 1 - a, size - 1 - b) for a, b in kept}
    assert set(kept) | mirrored == set(Folding.of(size, mirrored=False).pairs)


def test_unfolding_mirrors_the_last_rows() -> None:
    folding = Folding.of(3, mirrored=True)
    whole = folding.unfolded(np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3]]))
    assert whole.tolist() == [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.1, 0.2, 0.7]]
