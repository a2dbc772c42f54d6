"""The program behind a channel in floating point, with only the privacy constraints that bind.

A channel that is private by itself, or nearly, leaves few constraints to add, and the simplex
method finds a vertex in a fraction of an interior-point method's time. Elsewhere it may take for
ever, so its effort is bounded and its point is an attempt: what it is worth, its repair tells.
"""

from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

from provedp.theory.arrays import Floats
from provedp.verify.solvers.channel.folding import Approximation, Folding, Pair
from provedp.verify.solvers.linear_programs import highs

__all__ = ["attempt"]

MAGNIFIED = 4096.0  # constraints are multiplied by it, so that the solver's 1e-10 is 2.4e-14 here
OPTIONS: dict[str, float | int | str] = {
    "solver": "simplex",
    "primal_feasibility_tolerance": 1e-10,  # the least that HiGHS takes
    "dual_feasibility_tolerance": 1e-10,
    "small_matrix_value": 1e-12,
    "simplex_iteration_limit": 3000,
    "time_limit": 5.0,  # a safety valve: the interior point takes over
}
ROUNDS = 5  # most solves; later ones were seen to stall
ROUNDS_OF_EVENTS = 2  # at δ > 0 one event a pair is added, and that converges slowly if at all
NEGLIGIBLE = 1e-13  # a violation that the exact repair absorbs at no visible cost


class _Program:
    """Maximise x over kept rows of P, with the constraints that were added."""

    def __init__(self, channel: Floats, k: float, delta: float, folding: Folding):
        self.channel, self.k, self.delta, self.folding = channel, k, delta, folding
        self.added: list[tuple[Pair, tuple[int, ...]]] = []
        self.known: set[tuple[Pair, tuple[int, ...]]] = set()
        self.solver = highs.solver(**OPTIONS)
        size, rows = folding.size, folding.rows
        self.solver.passModel(_columns(rows * size + 1))
        for row in range(rows):
            self._add(np.arange(row * size, (row + 1) * size), np.ones(size), 1.0, 1.0)
        for row in range(rows):
            columns = np.append(np.arange(row * size, (row + 1) * size), rows * size)
            top = np.append(-channel[:, row], 1.0)
            self._add(columns, top, -highspy.kHighsInf, 0.0)

    def _add(
        self, columns: npt.NDArray[np.integer[Any]], values: Floats, low: float, high: float
    ) -> None:
        places = columns.astype(np.int32)
        self.solver.addRow(low, high, len(places), places, values.astype(np.float64))

    def solve(self) -> Floats | None:
        """Return the kept rows of P, or None if the solver did not finish."""
        self.solver.run()
        if self.solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        values = np.array(self.solver.getSolution().col_value)[:-1]
        if not np.isfinite(values).all():
            return None
        return values.reshape(self.folding.rows, self.folding.size)

    def add_violated(self, kept: Floats) -> bool:
        """Add the constraints that a point violates; return whether there was a new one."""
        outputs = self.folding.unfolded(kept) @ self.channel
        before = len(self.added)
        for pair in self.folding.pairs:
            gaps = outputs[pair[0]] - self.k * outputs[pair[1]]
            for event in self._events(gaps):
                if (pair, event) not in self.known:
                    self._constrain(pair, event)
        return len(self.added) > before

    def _events(self, gaps: Floats) -> list[tuple[int, ...]]:
        """Return the violated events: single outcomes at δ = 0, else the worst event."""
        if self.delta == 0:
            return [(int(j),) for j in np.nonzero(gaps > NEGLIGIBLE)[0]]
        worst = np.nonzero(gaps > 0)[0]
        if float(np.sum(gaps[worst])) <= self.delta + NEGLIGIBLE:
            return []
        return [tuple(int(j) for j in worst)]

    def _constrain(self, pair: Pair, event: tuple[int, ...]) -> None:
        self.known.add((pair, event))
        self.added.append((pair, event))
        size = self.folding.size
        sent = np.sum(self.channel[:, list(event)], axis=1)
        values = np.zeros((self.folding.rows, size))
        for row, factor in zip(pair, (1.0, -self.k), strict=True):
            place, backwards = self.folding.place(row)
            values[place] += factor * (sent[::-1] if backwards else sent)
        (places,) = np.nonzero(values.ravel())
        coefficients = MAGNIFIED * values.ravel()[places]
        self._add(places, coefficients, -highspy.kHighsInf, MAGNIFIED * self.delta)

    def approximation(self, kept: Floats) -> Approximation:
        """Return the last point with its multipliers."""
        rows, size = self.folding.rows, self.folding.size
        # The solver minimises −x, so that multipliers of upper bounds are negative.
        duals = -np.array(self.solver.getSolution().row_dual)
        multipliers: dict[Pair, Floats] = {}
        for (pair, event), value in zip(self.added, duals[2 * rows :], strict=True):
            row = multipliers.setdefault(pair, np.zeros(size))
            row[list(event)] += MAGNIFIED * value
        return self.folding.approximation(kept, duals[rows : 2 * rows], multipliers)


def _columns(count: int) -> highspy.HighsLp:
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = count, 0
    cost = np.zeros(count)
    cost[-1] = -1.0
    program.col_cost_ = cost
    program.col_lower_, program.col_upper_ = np.zeros(count), np.full(count, highspy.kHighsInf)
    return program


def attempt(channel: Floats, k: float, delta: float, *, mirrored: bool) -> Approximation | None:
    """Return an approximate optimum if few privacy constraints bind, else None.

    Parameters
    ----------
    channel
        Row-stochastic M × M matrix T.
    k, delta
        e^ε ≥ 1 and δ in [0, 1).
    mirrored
        Whether T_ij = T_(M+1−i)(M+1−j), so that half of the rows suffice.
    """
    program = _Program(channel, k, delta, Folding.of(len(channel), mirrored=mirrored))
    for _ in range(ROUNDS if delta == 0 else ROUNDS_OF_EVENTS):
        kept = program.solve()
        if kept is None:
            return None
        if not program.add_violated(kept):
            return program.approximation(kept)
    return None
