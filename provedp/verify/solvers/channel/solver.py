"""From a problem to a bracket: the shortcuts first, then a linear program."""

import math
from collections.abc import Iterator
from fractions import Fraction

from provedp.theory.matrices import Matrix, matrix
from provedp.verify.solvers.channel import shortcuts
from provedp.verify.solvers.channel.bracket import Bracket, Problem, Whole, WrittenOut, bracket
from provedp.verify.solvers.channel.folding import Approximation
from provedp.verify.solvers.channel.grid import grid_bracket
from provedp.verify.solvers.channel.highs_interior_point import approximations
from provedp.verify.solvers.channel.interior_point import interior_point
from provedp.verify.solvers.channel.programs import dual_of, program_behind
from provedp.verify.solvers.channel.repair import (
    private_mixture,
    rational_dual,
    rounded_rows,
    unfolded,
)
from provedp.verify.solvers.linear_programs.rational import solve
from provedp.verify.solvers.linear_programs.tableau import UndecidedError

__all__ = ["approximate", "by_linear_program", "enclosed"]

EXACT_SIZE = 8  # counts up to which the rational program takes a second or two
PIVOTS = 8000  # for one count; a pivot costs about the cube of the number of counts
NEGLIGIBLE = 1e-10  # of a row's entries, so far as private releases decay
SPREAD = 2  # by the channel
WIDEST = 0.8  # share of the counts from which a smaller program saves no time
NARROW = Fraction(1, 10**9)  # a gap at which no further method is worth its time


def enclosed(problem: Problem, channel: Matrix) -> Bracket:
    """Return the bracket of a problem, decided by the first method that can.

    Raises
    ------
    UndecidedError
        If no method yields both points.
    """
    if problem.k == 1 and problem.delta == 0:
        return shortcuts.constant(problem, channel)
    return (
        shortcuts.undisturbed(problem, channel)
        or shortcuts.assigned(problem, channel)
        or by_linear_program(problem, channel)
    )


def by_linear_program(problem: Problem, channel: Matrix) -> Bracket:
    """Return the exact optimum for few counts, a narrow bracket for more; not for k = 1, δ = 0.

    Raises
    ------
    UndecidedError
        If no method yields both points.
    """
    if len(channel) > EXACT_SIZE:
        return approximate(problem, channel)
    try:
        return _exact(problem, channel)
    except UndecidedError:
        return approximate(problem, channel)


def _exact(problem: Problem, channel: Matrix) -> Bracket:
    size = len(channel)
    program = program_behind(channel, problem.k, problem.delta)
    optimum = solve(program, pivots=PIVOTS // size**3)
    mechanism = matrix([optimum.primal[i * size : (i + 1) * size] for i in range(size)])
    return bracket(problem, mechanism, dual_of(optimum, size), "linear program")


def approximate(problem: Problem, channel: Matrix) -> Bracket:
    """Return the narrowest bracket of a few approximate optima, repaired exactly."""
    best = None
    for point in _points(problem):
        try:
            release = private_mixture(_rounded(point, problem), problem)
            found = grid_bracket(problem, release, rational_dual(point), "linear program")
        except UndecidedError:  # a row or y is 0
            continue
        best = found if best is None else _narrower(best, found)
        if best.gap <= NARROW:
            break
    if best is None:
        raise UndecidedError("The interior-point method returns no point.")
    return best


def _rounded(point: Approximation, problem: Problem) -> Whole:
    size = len(point.mechanism)
    if not problem.mirrored:
        return rounded_rows(point.mechanism)
    return unfolded(rounded_rows(point.mechanism[: (size + 1) // 2]), size)


def _points(problem: Problem) -> Iterator[Approximation]:
    """Yield approximate optima; HiGHS takes over where the own method stops too early."""
    channel, k, delta = problem.floats, float(problem.k), float(problem.delta)
    mirrored = problem.mirrored
    for reach in _reaches(len(channel), k):
        point = interior_point(channel, k, delta, mirrored=mirrored, reach=reach)
        if point is not None:
            yield point
    yield from approximations(channel, k, delta, mirrored=mirrored)


def _reaches(size: int, k: float) -> Iterator[int | None]:
    """Yield how far P may spread: first no farther than where k^(−distance) is negligible."""
    if k > 1:
        reach = math.ceil(math.log(size / ((k - 1) * NEGLIGIBLE)) / math.log(k)) + SPREAD
        if 2 * reach + 1 <= WIDEST * size:
            yield max(reach, SPREAD)
    yield None


def _narrower(first: Bracket, second: Bracket) -> Bracket:
    """Return the bracket of the better primal and the better dual point of two."""
    upper = min(first, second, key=lambda found: found.upper)
    lower = max(first, second, key=lambda found: found.lower)
    points = WrittenOut(upper.primal, lower.dual)
    return Bracket(lower.lower, upper.upper, points, first.decided_by)
