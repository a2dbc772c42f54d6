"""Channels whose optimum needs no linear program: both points are written down."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from flint import fmpz_mat

from provedp.theory.arrays import Floats
from provedp.theory.counting import error, release_matrix
from provedp.theory.matrices import Matrix, fmpq_matrix, matrix
from provedp.theory.numbers import rational
from provedp.verify.solvers.channel.bracket import Bracket, Dual, Problem, Whole, bracket
from provedp.verify.solvers.channel.canonical import canonical_dual, canonical_dual_on_grid
from provedp.verify.solvers.channel.grid import (
    GridDual,
    GridRelease,
    Objects,
    grid_bracket,
    integers,
)
from provedp.verify.solvers.channel.repair import BITS, distribution, private_mixture, unfolded
from provedp.verify.solvers.check import CertificateError
from provedp.verify.solvers.linear_programs.rational import LinearProgram, solve

__all__ = ["assigned", "constant", "undisturbed"]

EXACT_BITS = 1024  # of the numbers in an exact point; larger points are rounded and repaired
ROUNDING = 1e-9  # of sums of floats, for k = 1
# An entry of P* T⁻¹ below minus this times the condition number rules its shortcut out.
INVERSE_ROUNDING = 1e-13
GUARD = 60  # bits of a step that are kept
REFINED = 80  # bits of P that are right
REFINEMENTS = 6  # each gains at least five digits if the condition number is below WORST_CONDITION
WORST_CONDITION = 1e10
NEARLY_EXACT = Fraction(1, 10**20)
NARROW = Fraction(1, 10**12)  # a gap that no linear program in floats would make narrower


def undisturbed(problem: Problem, channel: Matrix) -> Bracket | None:
    """Return the bracket at p_e* if the channel loses nothing: P* T⁻¹ ≥ 0. None otherwise.

    Points whose exact numbers would be long are rounded; then the bracket has a width below 1e-20.
    Where negative entries of P* T⁻¹ are so small that it is below 1e-12 without them, it is
    returned as well, under another name.
    """
    size, k = len(channel), problem.k
    approximate = problem.floats
    condition = np.linalg.cond(approximate)
    if condition > WORST_CONDITION:
        return None
    undo = np.linalg.inv(approximate).astype(np.float64)
    rounded = release_matrix(size, float(k), float(problem.delta))
    if (rounded @ undo).min() < -INVERSE_ROUNDING * condition:
        return None
    target = release_matrix(size, k, problem.delta)
    longest = max(entry.denominator.bit_length() for entry in (k, *channel.ravel().tolist()))
    if size * longest <= EXACT_BITS:
        return _exactly_undisturbed(problem, channel, target, canonical_dual(size, k))
    release = private_mixture(_divided(target[0].tolist(), problem, undo), problem)
    found = grid_bracket(problem, release, canonical_dual_on_grid(size, k), "undisturbed optimum")
    lost = found.upper - error(size, k, problem.delta)
    if lost <= NEARLY_EXACT:
        return found
    return replace(found, decided_by="nearly undisturbed optimum") if lost <= NARROW else None


def _exactly_undisturbed(
    problem: Problem, channel: Matrix, target: Matrix, dual: Dual
) -> Bracket | None:
    try:
        solution = fmpq_matrix(channel).transpose().solve(fmpq_matrix(target).transpose())
    except ZeroDivisionError:
        return None
    mechanism = matrix(
        [[rational(entry) for entry in row] for row in solution.transpose().tolist()]
    )
    if min(mechanism.ravel()) < 0:
        return None
    return bracket(problem, mechanism, dual, "undisturbed optimum")


def _divided(first: list[Fraction], problem: Problem, undo: Floats) -> Whole:
    """Return C · T⁻¹ on the grid of `repair`, refined with exact residuals, and clipped.

    C is the circulant matrix of a first row c_1, …, c_M, with c_j = c_(M+2−j).
    """
    size, scale = len(first), problem.cleared[1]
    rows = (size + 1) // 2 if problem.mirrored else size  # C reads the same backwards
    lifted = scale << BITS
    goal = [entry.numerator * lifted // entry.denominator for entry in first]
    residual = wanted = np.array([goal[-i:] + goal[:-i] for i in range(rows)], dtype=object)
    found: Objects = np.zeros_like(wanted)
    for _ in range(REFINEMENTS):
        largest = max(np.max(residual), -np.min(residual))
        if largest <= lifted >> REFINED:
            break
        steps = np.ldexp((residual / largest).astype(float) @ undo, GUARD).tolist()
        whole = np.array([[int(value) for value in row] for row in steps], dtype=object)
        found = found + whole * largest // (scale << GUARD)
        residual = wanted - integers(fmpz_mat(found.tolist()) * problem.sent)
    shares = [distribution(row) for row in np.maximum(found, 0).tolist()]
    return unfolded(shares, size) if problem.mirrored else shares


def assigned(problem: Problem, channel: Matrix) -> Bracket | None:
    """Return the bracket at l(T) if each count may send its best message; None otherwise."""
    size, columns = len(channel), list(zip(*problem.cleared[0], strict=True))
    diagonal = [max(column) for column in columns]
    best = [column.index(entry) for column, entry in zip(columns, diagonal, strict=True)]
    if _certainly_violates(problem.floats[best], problem):
        return None
    choice = GridRelease([[int(i == place) for i in range(size)] for place in best], 1)
    least = diagonal.index(min(diagonal))
    bound = GridDual([int(i == least) for i in range(size)], {}, 1)
    try:
        return grid_bracket(problem, choice, bound, "assignment")
    except CertificateError:
        return None


def _certainly_violates(outputs: Floats, problem: Problem) -> bool:
    """Return whether rows of floats exceed δ by more than rounding explains."""
    k = float(problem.k)
    upper, lower = outputs[:-1], outputs[1:]
    gaps = np.vstack([upper - k * lower, lower - k * upper])
    excess = np.sum(np.maximum(gaps, 0.0), axis=1) - float(problem.delta)
    return bool(np.max(excess) > ROUNDING * k)


def constant(problem: Problem, channel: Matrix) -> Bracket:
    """Return the exact optimum at k = 1, δ = 0, where all rows of a private release are equal.

    The best row p maximises min_j [pT]_j. Its multipliers y become those of the certificate when
    μ carries each y_j from row j to row 1.
    """
    size = len(channel)
    below = [({**{i: -channel[i, j] for i in range(size)}, size: 1}, 0) for j in range(size)]
    total = (dict.fromkeys(range(size), 1), 1)
    optimum = solve(LinearProgram(size + 1, {size: 1}, below, [total], frozenset({size})))
    weights = optimum.dual[:size]
    multipliers = {
        (a, a - 1): tuple(y if j >= a else Fraction(0) for j, y in enumerate(weights, start=1))
        for a in range(2, size + 1)
    }
    mechanism = matrix([optimum.primal[:size]] * size)
    return bracket(problem, mechanism, Dual(weights, multipliers), "linear program")
