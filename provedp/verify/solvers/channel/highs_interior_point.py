"""The program behind a channel in floating point: an interior-point method proposes both points.

Q = PT is linked by equations, and only the rows of P that `folding` keeps are in the program.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np
import scipy.sparse as sparse

from provedp.theory.arrays import Floats
from provedp.verify.solvers.channel.folding import Approximation, Folding, Pair
from provedp.verify.solvers.linear_programs import highs

__all__ = ["approximations"]

NEGLIGIBLE = 1e-12  # HiGHS keeps no smaller coefficient; the exact repair sees all of them
OPTIONS: dict[str, float | str] = {
    "solver": "ipm",
    "run_crossover": "off",  # a vertex is not needed, and costs far more than its digits are worth
    "ipm_optimality_tolerance": 1e-12,
    "small_matrix_value": NEGLIGIBLE,
}
STEEP = 1000.0  # a ratio k from which unscaled gaps were seen to defeat the solver
LARGEST_ZOOM = 1e7  # of a correction: beyond it the rounding errors of the residual are magnified


@dataclass(frozen=True, eq=False)
class _Program:
    """Maximise objective·x over matrix·x = right, x ≥ 0."""

    folding: Folding
    scale: float
    objective: Floats
    matrix: Any
    right: Floats

    def correction(self, point: Floats, duals: Floats) -> tuple[Floats, Floats] | None:
        """Return the next point and its multipliers, or None if the solver has none.

        What the point misses and what the multipliers miss are magnified before they are solved.
        """
        missing = self.right - self.matrix @ point
        gains = self.objective - self.matrix.T @ duals
        zoom = _zoom(np.abs(missing)) if point.any() else 1.0
        dual_zoom = _zoom(gains) if point.any() else 1.0
        right = zoom * missing
        solver = highs.solver(**OPTIONS)
        solver.passModel(
            highs.packed(dual_zoom * gains, self.matrix, (right, right), -zoom * point)
        )
        solver.run()
        step = solver.getSolution()
        infeasible = solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible
        if infeasible or not (step.value_valid and step.dual_valid):
            return None
        moved = np.maximum(point + np.array(step.col_value) / zoom, 0.0)
        prices = duals + np.array(step.row_dual) / dual_zoom
        return (moved, prices) if np.isfinite([*moved, *prices]).all() else None


def _zoom(violations: Floats) -> float:
    largest = float(np.max(violations, initial=0.0))
    return 0.1 / max(largest, 0.1 / LARGEST_ZOOM)


def approximations(
    channel: Floats, k: float, delta: float, *, mirrored: bool, rounds: int = 3
) -> Iterator[Approximation]:
    """Yield approximate optima, each round correcting the residual of the one before.

    Parameters
    ----------
    channel
        Row-stochastic M × M matrix T.
    k, delta
        e^ε ≥ 1 and δ in [0, 1).
    mirrored
        Whether T_ij = T_(M+1−i)(M+1−j), so that half of the rows suffice.
    rounds
        Most solves.

    Yields
    ------
    Points that are nearly feasible; fewer than `rounds` if the solver fails.

    Source: the correction is iterative refinement (Gleixner, Steffy and Wolter 2016).
    """
    program = _program(channel, k, delta, mirrored)
    point, duals = np.zeros(len(program.objective)), np.zeros(len(program.right))
    for _ in range(rounds):
        corrected = program.correction(point, duals)
        if corrected is None:
            return
        point, duals = corrected
        yield _approximation(program, point, duals)


def _approximation(program: _Program, point: Floats, duals: Floats) -> Approximation:
    folding = program.folding
    size, rows, pairs = folding.size, folding.rows, folding.pairs
    tops = rows * size + rows
    gaps = duals[tops + rows :][: len(pairs) * size].reshape(-1, size) / program.scale
    multipliers = dict(zip(pairs, gaps, strict=True))
    kept = point[: rows * size].reshape(rows, size)
    return folding.approximation(kept, duals[tops : tops + rows], multipliers)


def _program(channel: Floats, k: float, delta: float, mirrored: bool) -> _Program:
    folding = Folding.of(len(channel), mirrored=mirrored)
    size, rows = folding.size, folding.rows
    scale = math.sqrt(k) if k > STEEP else 1.0  # of the coefficients 1 and k of a gap
    kept = np.where(channel < NEGLIGIBLE, 0.0, channel)
    gaps = sparse.vstack([_gap(pair, folding, k, scale) for pair in folding.pairs])
    blocks, right = _blocks(kept, gaps, delta / scale, rows)
    matrix = sparse.csr_matrix(sparse.bmat(blocks))
    objective = np.zeros(matrix.shape[1])
    objective[2 * rows * size] = 1.0
    return _Program(folding, scale, objective, matrix, right)


def _blocks(channel: Floats, gaps: Any, delta: float, rows: int) -> tuple[list[list[Any]], Floats]:
    """Return the equations over P, Q, x, the slacks of tops and gaps and, if δ > 0, of the budget.

    They are Q = PT, Σ_j p_ij = 1, x + t_i = Q_ii, and Q_aj − k Q_bj + r_abj = s_abj with
    Σ_j s_abj + u_ab = δ; s and u are left out at δ = 0.
    """
    size = len(channel)
    each, ones = sparse.identity(rows), np.ones((1, size))
    count = gaps.shape[0]
    blocks: list[list[Any]] = [
        [-sparse.kron(each, channel.T), sparse.identity(rows * size), None, None, None],
        [sparse.kron(each, ones), None, None, None, None],
        [None, -_diagonal(size, rows), np.ones((rows, 1)), each, None],
        [None, gaps, None, None, sparse.identity(count)],
    ]
    right = np.zeros(rows * size + 2 * rows + count)
    right[rows * size : rows * size + rows] = 1.0
    if delta == 0:
        return blocks, right
    each_pair = sparse.identity(count // size)
    blocks = [[*row, None, None] for row in blocks]
    blocks[3][5] = -sparse.identity(count)
    blocks.append([None] * 5 + [sparse.kron(each_pair, ones), each_pair])
    return blocks, np.append(right, np.full(count // size, delta))


def _diagonal(size: int, rows: int) -> Any:
    """Return the matrix that picks Q_ii from the kept rows of Q."""
    places = np.arange(rows)
    values = (np.ones(rows), (places, places * size + places))
    return sparse.csr_matrix(values, shape=(rows, rows * size))


def _gap(pair: Pair, folding: Folding, k: float, scale: float) -> Any:
    """Return (Q_a − k Q_b) / scale over the kept rows of Q."""
    left, right = (_selection(row, folding) for row in pair)
    return (left - k * right) / scale


def _selection(row: int, folding: Folding) -> Any:
    """Return the matrix that picks a row of Q, a mirror image if it is not kept."""
    size = folding.size
    kept, backwards = folding.place(row)
    columns = kept * size + np.arange(size)
    if backwards:
        columns = columns[::-1]
    values = (np.ones(size), (np.arange(size), columns))
    return sparse.csr_matrix(values, shape=(size, folding.rows * size))
