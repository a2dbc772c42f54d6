"""Floating-point optima made exact: a narrow bracket where the exact optimum takes too long."""

import math
from collections.abc import Sequence
from fractions import Fraction

import highspy
import numpy as np
import scipy.sparse
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from provedp.theory.arrays import Floats
from provedp.theory.numbers import ball, flint_rational, rational
from provedp.verify.solvers.channel.repair import BITS, distribution, rounded_rows
from provedp.verify.solvers.check import ReleaseDual
from provedp.verify.solvers.linear_programs import highs
from provedp.verify.solvers.linear_programs.tableau import UndecidedError
from provedp.verify.solvers.release import path, program
from provedp.verify.solvers.release.columns import OPTIONS, Search
from provedp.verify.solvers.release.problem import ReleaseBracket, ReleaseProblem, bracket
from provedp.verify.solvers.release.rays import as_flint, kernel, normalisers, shortfall, unmixed

__all__ = ["rounded_on_path", "rounded_program"]

Whole = list[list[int]]
SHIFTS = tuple(Fraction(0) if e is None else Fraction(1, 10**e) for e in (None, 14, 12, 10, 8))


def rounded_on_path(problem: ReleaseProblem) -> ReleaseBracket:
    """Return a bracket for counts in a row, k > 1 and δ = 0, from post-processings of noise.

    Any y bounds the loss from below, by the λ of its cheapest columns; where a ray still pays more
    than it loses, all λ_i are lowered.

    Raises
    ------
    UndecidedError
        If rays pay more even then.
    """
    search = Search(problem)
    everything = list(range(search.half))
    if problem.prior is None and search.folded and search.m == search.n:
        search.take(*_at_basis(problem, path.towards_the_middle(search.m), everything))
    if not search.columns:
        search.run()
        if problem.prior is None:
            search.take(*_at_basis(problem, *search.basis()))
    y = [fmpq(w, 1 << BITS) for w in distribution(_on_grid(search.y))]
    if problem.prior is not None:
        y = [flint_rational(w) for w in problem.prior]
    loss, noise = as_flint(problem.loss), kernel(problem.k, problem.counts)
    dual = _shares(problem, y, loss, noise)
    rows = private_mixture(_rows(problem, search.remap()), problem)
    return bracket(problem, rows, dual, "rounded rays")


def _rows(problem: ReleaseProblem, remap: Floats) -> Whole:
    """Return the release of a remap in units of 2^(−BITS): a float's error would cost privacy."""
    m, n = problem.counts, problem.outputs
    with ctx.workprec(2 * BITS):
        alpha = 1 / ball(problem.k)
        powers = [alpha**gap for gap in range(m)]
        noise = arb_mat(m, m, [powers[abs(i - a)] for i in range(m) for a in range(m)])
        whole = [arb(factor) for factor in normalisers(problem.k, m)]
        entries = []
        for scale, row in zip(whole, remap.tolist(), strict=True):
            exact = [arb(entry) for entry in row]
            total = sum(exact, start=arb(0))
            if not total > 0:
                raise UndecidedError("A column of noise becomes nothing.")
            entries += [scale * entry / total for entry in exact]
        law = noise * arb_mat(m, n, entries)
        grid = [
            [int((p.mid() * 2**BITS).floor().unique_fmpz()) for p in row] for row in law.tolist()
        ]
    return [distribution(row) for row in grid]


def _at_basis(
    problem: ReleaseProblem, kept: list[tuple[int, int]], tight: list[int]
) -> tuple[list[tuple[int, int]], Floats, Floats]:
    """Return columns, their shares and y where these columns are in use and these counts lose most.

    They come from balls, so that differences that floats lose are kept. There are none of them if
    a share or a weight would be negative, or the system is not square.
    """
    nothing: tuple[list[tuple[int, int]], Floats, Floats] = [], np.zeros(0), np.zeros(0)
    mixing = path.mixing(problem, kept)
    program = mixing.program()
    pairs = [*(program.at_most[i] for i in tight), *program.equal]
    size = len(pairs)
    if size != program.columns:
        return nothing
    growth = math.log2(problem.k)
    with ctx.workprec(2 * BITS + 2 * int(problem.counts * growth)):
        table = arb_mat([[ball(row.get(j, 0)) for j in range(size)] for row, _ in pairs])
        right = arb_mat([[ball(bound)] for _, bound in pairs])
        objective = arb_mat([[ball(program.objective.get(j, 0))] for j in range(size)])
        try:
            found = [table.solve(right), table.transpose().solve(objective)]
        except ZeroDivisionError:
            return nothing
    shares, multipliers = (np.array([float(x.mid()) for x in each.entries()]) for each in found)
    folded = np.zeros(mixing.half)
    folded[tight] = multipliers[: len(tight)]
    y = np.array([float(v) for v in mixing.unfolded(folded.tolist())])
    return nothing if min(shares.min(), y.min()) < 0 else (kept, shares[:-1], y)


def _on_grid(values: Floats) -> list[int]:
    return [int(math.ldexp(max(value, 0.0), BITS)) for value in values.tolist()]


def _shares(
    problem: ReleaseProblem, y: Sequence[fmpq], loss: fmpq_mat, noise: fmpq_mat
) -> ReleaseDual:
    m, n, k = problem.counts, problem.outputs, flint_rational(problem.k)
    weighted = fmpq_mat(m, n, [y[i] * loss[i, j] for i in range(m) for j in range(n)])
    lost = noise * weighted
    best = unmixed(k, [min(lost[a, j] for j in range(n)) for a in range(m)])
    largest = max(max(row) for row in problem.loss)
    for shift in SHIFTS:
        step = flint_rational(shift * largest / m)
        shares = [share - step for share in best]
        if not any(shortfall(k, y, loss, shares, j) for j in range(n)):
            whole = [rational(share) for share in shares]
            return ReleaseDual([rational(w) for w in y], shares=whole)
    raise UndecidedError("Rays pay more than they lose.")


def rounded_program(problem: ReleaseProblem) -> ReleaseBracket:
    """Return a bracket from the linear program in floating point; without side conditions.

    Raises
    ------
    UndecidedError
        If the solver finds no optimum.
    """
    size = problem.counts * problem.outputs
    values, duals = _solved(problem)
    rows = private_mixture(rounded_rows(values[:size].reshape(problem.counts, -1)), problem)
    dual = program.dual_of(problem, tuple(map(Fraction, duals.tolist())))
    y = problem.prior
    if y is None:
        grid = distribution(_on_grid(np.array([float(w) for w in dual.y])))
        y = tuple(Fraction(w, 1 << BITS) for w in grid)
    mu = {pair: [max(value, Fraction(0)) for value in row] for pair, row in dual.mu.items()}
    return bracket(problem, rows, ReleaseDual(y, mu), "rounded linear program")


def _solved(problem: ReleaseProblem) -> tuple[Floats, Floats]:
    """Return columns and multipliers, in the order of `program.release_program`."""
    exact = program.release_program(problem)
    pairs = [*exact.at_most, *exact.equal]
    entries = [(i, j, float(v)) for i, (row, _) in enumerate(pairs) for j, v in row.items()]
    i, j, v = zip(*entries, strict=True)
    rows = scipy.sparse.csr_matrix((v, (i, j)), shape=(len(pairs), exact.columns))
    upper = np.array([float(bound) for _, bound in pairs])
    lower = upper.copy()
    lower[: len(exact.at_most)] = -np.inf
    objective = np.array([float(exact.objective.get(c, 0)) for c in range(exact.columns)])
    solver = highs.solver(**OPTIONS)
    signs = np.array([-np.inf if c in exact.free else 0.0 for c in range(exact.columns)])
    solver.passModel(highs.packed(objective, rows, (lower, upper), signs))
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise UndecidedError("The solver finds no optimum, but the program has one.")
    solution = solver.getSolution()
    return np.array(solution.col_value), np.array(solution.row_dual)


def private_mixture(rows: Whole, problem: ReleaseProblem) -> list[list[Fraction]]:
    """Return (1 − s) P + s U with the least s in {0, 2^(−BITS), …, 1/2, 1} that makes it private.

    P is in units of 2^(−BITS) and U is uniform: each P_aj − k P_bj shrinks by the factor 1 − s and
    then by s (k − 1)/N.
    """
    k, delta, n = problem.k, problem.delta, problem.outputs
    under, over = k.denominator, k.numerator
    gaps = [
        [under * p - over * q for p, q in zip(rows[a - 1], rows[b - 1], strict=True)]
        for a, b in problem.pairs
    ]
    budget = delta * under * (1 << BITS)

    def private(share: Fraction) -> bool:
        lift = share * (over - under) * (1 << BITS) / n
        keep = 1 - share
        return all(
            sum(gap for gap in (keep * g - lift for g in row if g > 0) if gap > 0) <= budget
            for row in gaps
        )

    tries = [Fraction(0), *(Fraction(1, 1 << e) for e in range(BITS, -1, -1))]
    first, last = 0, len(tries) - 1  # the last is private
    while first < last:
        middle = (first + last) // 2
        first, last = (first, middle) if private(tries[middle]) else (middle + 1, last)
    share = tries[last]
    return [[(1 - share) * Fraction(v, 1 << BITS) + share / n for v in row] for row in rows]
