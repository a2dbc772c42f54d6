"""The interior-point method finds the optimum that exact and general solvers find."""

from fractions import Fraction as F

import numpy as np
import pytest

from provedp.theory.channels import psk_matrix
from provedp.theory.matrices import Matrix, matrix
from provedp.verify.solvers.channel import solver
from provedp.verify.solvers.channel.block_tridiagonal import BlockTridiagonal, SingularError
from provedp.verify.solvers.channel.bracket import Bracket, Problem, bracket
from provedp.verify.solvers.channel.folding import Approximation, Folding
from provedp.verify.solvers.channel.highs_interior_point import approximations
from provedp.verify.solvers.channel.interior_point import interior_point
from provedp.verify.solvers.channel.path_program import Newton, PathProgram
from provedp.verify.solvers.channel.programs import program_behind
from provedp.verify.solvers.channel.repair import private_mixture, rational_dual, rounded_rows
from provedp.verify.solvers.linear_programs.rational import solve

NARROW = F(1, 10**9)


def exact_channel(size: int, decibels: float) -> Matrix:
    rows = [[F(entry) for entry in row] for row in psk_matrix(size, decibels).tolist()]
    return matrix([[entry / sum(row) for entry in row] for row in rows])


def lopsided_channel(size: int, seed: int) -> Matrix:
    """Return a channel without symmetry, some entries 0."""
    rng = np.random.default_rng(seed)
    whole = rng.integers(0, 6, (size, size)) + np.diag(rng.integers(5, 20, size))
    return matrix([[F(int(entry), int(sum(row))) for entry in row] for row in whole])


def enclosed(point: Approximation | None, problem: Problem) -> Bracket:
    assert point is not None
    release = private_mixture(rounded_rows(point.mechanism), problem)
    return bracket(problem, release.matrix, rational_dual(point).fractions, "linear program")


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize(("k", "delta"), [(F(2), F(0)), (F(11, 10), F(1, 20)), (F(1), F(1, 8))])
def test_small_optima_are_those_of_the_exact_program(size: int, k: F, delta: F) -> None:
    channel = lopsided_channel(size, size)
    exact = 1 - solve(program_behind(channel, k, delta)).value
    floats = np.array(channel, dtype=float)
    found = enclosed(
        interior_point(floats, float(k), float(delta), mirrored=False),
        Problem(channel, k, delta),
    )
    assert found.lower <= exact <= found.upper
    assert found.gap <= NARROW


@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize(("size", "decibels"), [(12, 10.0), (9, 15.0)])
@pytest.mark.parametrize(
    ("k", "delta"), [(F(9, 2), F(0)), (F(11, 10), F(1, 1000)), (F(3), F(1, 20))]
)
def test_optima_are_those_of_a_general_solver(
    size: int, decibels: float, k: F, delta: F, mirrored: bool
) -> None:
    channel = exact_channel(size, decibels)
    problem = Problem(channel, k, delta)
    request = np.array(channel, dtype=float), float(k), float(delta)
    first = enclosed(interior_point(*request, mirrored=mirrored), problem)
    *_, point = approximations(*request, mirrored=mirrored)
    second = enclosed(point, problem)
    assert first.gap <= NARROW
    # Two exact brackets of one number overlap.
    assert first.lower <= second.upper and second.lower <= first.upper


@pytest.mark.parametrize("decibels", [5, 15, 20])
@pytest.mark.parametrize("epsilon", [0.1, 1, 8])
def test_it_is_narrow_for_many_counts(decibels: int, epsilon: float) -> None:
    channel = exact_channel(24, decibels)
    for delta in (F(0), F(1, 10**6), F(1, 20)):
        problem = Problem(channel, F(np.exp(epsilon)), delta)
        found = interior_point(
            np.array(channel, dtype=float), float(problem.k), float(delta), mirrored=True
        )
        assert enclosed(found, problem).gap <= NARROW


def test_another_solver_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "interior_point", lambda *_, mirrored, reach: None)
    channel = exact_channel(10, 10.0)
    assert solver.approximate(Problem(channel, F(3), F(0)), channel).gap <= NARROW


@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize("size", [4, 5])
@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_a_newton_step_leaves_no_residual(size: int, delta: float, mirrored: bool) -> None:
    rng = np.random.default_rng(size)
    channel = psk_matrix(size, 5.0) if mirrored else rng.dirichlet(np.ones(size), size)
    program = PathProgram(channel, 2.0, delta, Folding.of(size, mirrored=mirrored), size)
    weights, forced, multipliers = rng.uniform(0.5, 2, (3, program.count))
    newton = Newton(program, weights)
    move, sides = newton.direction(forced, program.residual(multipliers))
    np.testing.assert_allclose(sides, program.forms(*move))
    np.testing.assert_allclose(move[0].sum(axis=1), 0, atol=1e-12)
    left = program.residual(multipliers + forced - weights * sides)
    assert max(float(np.max(np.abs(part))) for part in left) < 1e-12


def test_multipliers_bound_every_release() -> None:
    rng = np.random.default_rng(1)
    channel = psk_matrix(6, 10.0)
    program = PathProgram(channel, 2.0, 0.05, Folding.of(6, mirrored=True), 6)
    best = interior_point(channel, 2.0, 0.05, mirrored=True)
    assert best is not None
    attained = float(np.diag(best.mechanism @ channel).min())
    for _ in range(20):
        assert program.bound(rng.exponential(size=program.count)) >= attained


def test_blocks_are_solved_as_a_whole() -> None:
    rng = np.random.default_rng(3)
    below = rng.normal(size=(3, 4, 4))
    diagonal = np.tile(20 * np.eye(4), (4, 1, 1)) + (lambda a: a + a.swapaxes(1, 2))(
        rng.normal(size=(4, 4, 4))
    )
    whole = np.zeros((16, 16))
    for i in range(4):
        whole[4 * i : 4 * i + 4, 4 * i : 4 * i + 4] = diagonal[i]
    for i in range(3):
        whole[4 * i + 4 : 4 * i + 8, 4 * i : 4 * i + 4] = below[i]
        whole[4 * i : 4 * i + 4, 4 * i + 4 : 4 * i + 8] = below[i].T
    right = rng.normal(size=(4, 4))
    found = BlockTridiagonal(diagonal, below).solve(right)
    np.testing.assert_allclose(found.ravel(), np.linalg.solve(whole, right.ravel()))


def test_an_indefinite_block_is_refused() -> None:
    with pytest.raises(SingularError):
        BlockTridiagonal(np.array([[[1.0, 2.0], [2.0, 1.0]]]), np.zeros((0, 2, 2)))


@pytest.mark.parametrize("size", [4, 5])
def test_folding_keeps_each_pair_or_its_mirror_image(size: int) -> None:
    kept = Folding.of(size, mirrored=True).pairs
    mirrored = {(size - 1 - a, size - 1 - b) for a, b in kept}
    assert set(kept) | mirrored == set(Folding.of(size, mirrored=False).pairs)


def test_unfolding_mirrors_the_last_rows() -> None:
    folding = Folding.of(3, mirrored=True)
    whole = folding.unfolded(np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3]]))
    assert whole.tolist() == [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.1, 0.2, 0.7]]
