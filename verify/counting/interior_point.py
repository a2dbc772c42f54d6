"""The program behind a channel in floating point: an interior-point method proposes both points.

Q = PT is linked by equations, and if the channel reads the same backwards only half of the rows of
P are kept: averaging P with its mirror image costs nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse

from provedp.verify import highs

__all__ = ["Approximation", "approximations"]

Array = npt.NDArray[np.float64]

NEGLIGIBLE = 1e-12  # HiGHS keeps no smaller coefficient; the exact repair sees all of them
OPTIONS: dict[str, float | str] = {
    "solver": "ipm",
    "run_crossover": "off",  # a vertex is not needed, and costs far more than its digits are worth
    "ipm_optimality_tolerance": 1e-12,
    "small_matrix_value": NEGLIGIBLE,
}
LARGEST_ZOOM = 1e7  # of a correction: beyond it the rounding errors of the residual are magnified


@dataclass(frozen=True, eq=False)
class Approximation:
    """Floating-point points: P (M × M), y (M) and μ_abj by ordered pair (a, b), from 0."""

    mechanism: Array
    weights: Array
    multipliers: dict[tuple[int, int], Array]


@dataclass(frozen=True, eq=False)
class _Program:
    """The linked program; `rows` rows of P are kept, the others are their mirror images."""

    size: int
    rows: int
    pairs: list[tuple[int, int]]
    objective: Array
    matrix: Any
    between: tuple[Array, Array]

    def solution(self, lower: Array, between: tuple[Array, Array]) -> Any:
        """Return HiGHS' solution with the given bounds, or None if it has none."""
        solver = highs.solver(**OPTIONS)
        solver.passModel(highs.packed(self.objective, self.matrix, between, lower))
        solver.run()
        point = solver.getSolution()
        failed = not point.value_valid or not point.dual_valid
        wrong = solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible
        return None if failed or wrong else point


def approximations(
    channel: Array, k: float, delta: float, *, mirrored: bool, rounds: int = 3
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

    Source: the correction is iterative refinement (Gleixner, Steffy and Wolter 2016), primal only.
    """
    program = _program(channel, k, delta, mirrored)
    start = np.zeros(len(program.objective))
    for _ in range(rounds):
        zoom, lower, between = _correction(program, start)
        step = program.solution(lower, between)
        if step is None:
            return
        start = np.maximum(start + np.array(step.col_value) / zoom, 0.0)
        yield _approximation(program, start, np.array(step.row_dual))


def _correction(program: _Program, point: Array) -> tuple[float, Array, tuple[Array, Array]]:
    """Return the magnification, column bounds and row bounds of the program for the correction."""
    if not point.any():
        return 1.0, point, program.between
    activity = program.matrix @ point
    low, high = (bound - activity for bound in program.between)
    violation = max(float(np.max(low)), float(np.max(-high)), 1 / LARGEST_ZOOM**2)
    zoom = min(0.1 / violation, LARGEST_ZOOM)
    return zoom, -zoom * point, (zoom * low, zoom * high)


def _approximation(program: _Program, point: Array, duals: Array) -> Approximation:
    size, rows = program.size, program.rows
    kept = point[: rows * size].reshape(rows, size)
    mechanism = np.vstack([kept, kept[: size - rows][::-1, ::-1]])
    tops = rows * size + rows
    weights = np.zeros(size)
    weights[:rows] = duals[tops : tops + rows]
    gaps = duals[tops + rows :][: len(program.pairs) * size].reshape(-1, size)
    multipliers = dict(zip(program.pairs, gaps, strict=True))
    if rows == size:
        return Approximation(mechanism, weights, multipliers)
    return Approximation(mechanism, (weights + weights[::-1]) / 2, _mirrored(multipliers, size))


def _mirrored(multipliers: dict[tuple[int, int], Array], size: int) -> dict[Any, Array]:
    """Return the average of multipliers and their mirror image."""
    result: dict[tuple[int, int], Array] = {}
    for (a, b), row in multipliers.items():
        for pair, values in (((a, b), row), ((size - 1 - a, size - 1 - b), row[::-1])):
            result[pair] = result.get(pair, np.zeros(size)) + values / 2
    return result


def _program(channel: Array, k: float, delta: float, mirrored: bool) -> _Program:
    size = len(channel)
    rows = (size + 1) // 2 if mirrored else size
    pairs = [pair for a in range(rows - 1) for pair in ((a, a + 1), (a + 1, a))]
    if mirrored:  # for even M the other order of the middle pair is its mirror image
        pairs += [(rows - 1, rows)] if size % 2 == 0 else [(rows - 1, rows), (rows, rows - 1)]
    blocks, between = _blocks(np.where(channel < NEGLIGIBLE, 0.0, channel), k, delta, rows, pairs)
    matrix = sparse.csr_matrix(sparse.bmat(blocks))
    objective = np.zeros(matrix.shape[1])
    objective[2 * rows * size] = 1.0
    return _Program(size, rows, pairs, objective, matrix, between)


def _blocks(
    channel: Array, k: float, delta: float, rows: int, pairs: list[tuple[int, int]]
) -> tuple[list[list[Any]], tuple[Array, Array]]:
    """Return the blocks over the columns P, Q, x and, if δ > 0, the slacks, and the row bounds."""
    size = len(channel)
    each = sparse.identity(rows)
    ones = np.ones((1, size))
    places = np.arange(rows)
    heights = (np.full(rows, -1.0), (places, places * size + places))
    tops = sparse.csr_matrix(heights, shape=(rows, rows * size))
    gaps = sparse.vstack([_gap(pair, size, rows, k) for pair in pairs])
    blocks: list[list[Any]] = [
        [-sparse.kron(each, channel.T), sparse.identity(rows * size), None],
        [sparse.kron(each, ones), None, None],
        [None, tops, np.ones((rows, 1))],
        [None, gaps, None],
    ]
    lower = [np.zeros(rows * size), np.ones(rows), np.full(rows + gaps.shape[0], -np.inf)]
    upper = [np.zeros(rows * size), np.ones(rows), np.zeros(rows + gaps.shape[0])]
    if delta > 0:
        budget = sparse.kron(sparse.identity(len(pairs)), ones)
        blocks = [[*row, None] for row in blocks] + [[None, None, None, budget]]
        blocks[3][3] = -sparse.identity(gaps.shape[0])
        lower.append(np.full(len(pairs), -np.inf))
        upper.append(np.full(len(pairs), delta))
    return blocks, (np.concatenate(lower), np.concatenate(upper))


def _gap(pair: tuple[int, int], size: int, rows: int, k: float) -> Any:
    """Return Q_a − k Q_b over the kept rows of Q."""
    left, right = (_selection(row, size, rows) for row in pair)
    return left - k * right


def _selection(row: int, size: int, rows: int) -> Any:
    """Return the matrix that picks a row of Q, a mirror image if it is not kept."""
    kept = row if row < rows else size - 1 - row
    columns = kept * size + np.arange(size)
    if kept != row:
        columns = columns[::-1]
    values = (np.ones(size), (np.arange(size), columns))
    return sparse.csr_matrix(values, shape=(size, rows * size))
