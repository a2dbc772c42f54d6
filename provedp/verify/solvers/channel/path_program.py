"""The program behind a channel as a path of rows: its inequalities, and Newton's equations on it.

Every row of P is a distribution, so one entry of it is what the others leave; the largest is taken.
Only neighbouring rows meet in an inequality, so that the equations are block tridiagonal.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import scipy.sparse as sparse

from provedp.theory.arrays import Floats, Integers
from provedp.verify.solvers.channel.block_tridiagonal import BlockTridiagonal
from provedp.verify.solvers.channel.folding import Folding

__all__ = ["Move", "Newton", "PathProgram"]

Move = tuple[Floats, float, Floats]  # of P (or its reduced rows), of x, and of the slacks s
COUPLED = 2  # budgets that couple a row with the next: of Q_a − k Q_b and of Q_b − k Q_a


class PathProgram:
    """Maximise x over P, x and, if δ > 0, the slacks s, subject to five groups of inequalities.

    They are P_ij ≥ 0; Q_ii − x ≥ 0; k Q_bj − Q_aj + s_abj ≥ 0 for the pairs of `folding`; s ≥ 0;
    and δ − Σ_j s_abj ≥ 0. Vectors over all of them are flat, in this order.

    Parameters
    ----------
    channel
        Row-stochastic M × M matrix T, Q = PT.
    k, delta
        e^ε ≥ 1 and δ in [0, 1).
    folding
        Which rows of P are kept.
    reach
        P_ij is 0 at a distance around the circle of counts above it, and gaps of outputs that are
        so far from one of the rows are left out.
    """

    def __init__(self, channel: Floats, k: float, delta: float, folding: Folding, reach: int):
        self.channel, self.k, self.delta, self.folding = channel, k, delta, folding
        self.reach = reach
        rows, size, pairs = folding.rows, folding.size, len(folding.pairs)
        self.diagonal = np.arange(rows)
        apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
        apart = np.minimum(apart, size - apart)
        self.apart: Integers = apart[:rows]
        self.support = np.array([np.flatnonzero(apart[row] <= reach) for row in range(rows)])
        farthest = (np.maximum(apart[a], apart[b]) for a, b in folding.pairs)
        self.outputs = np.array([np.flatnonzero(row <= reach) for row in farthest])
        free = 1 if delta > 0 else 0
        gaps = self.outputs.size
        counts = [self.support.size, rows, gaps, free * gaps, free * pairs]
        self.ends = np.cumsum(counts)[:-1]
        self.count = sum(counts)
        self.constant = np.zeros(self.count)
        self.parts(self.constant)[4][...] = delta
        self.left_out = np.full(rows, -1)
        self.others = self.support[:, 1:].copy()
        free_entries = self.others.shape[1]
        # Room for what budgets couple stands behind the directions, so that one product takes both.
        self.extended = np.zeros((rows, free_entries, size + free * 2 * COUPLED))
        self.directions = self.extended[:, :, :size]
        # Kept: fresh memory of this size would cost more than the arithmetic on it.
        self.weighted = np.empty_like(self.extended)
        self.blocks = np.empty((2, rows, free_entries, free_entries))
        self.leave_out(self.masked(channel[:, :rows].T))

    @cached_property
    def gap(self) -> sparse.csr_matrix:
        """Return the matrix of k Q_bj − Q_aj over the kept rows of Q."""
        pairs = zip(self.folding.pairs, self.outputs, strict=True)
        places = np.array([[self.columns(row)[at] for row in pair] for pair, at in pairs])
        places = np.swapaxes(places, 1, 2).reshape(-1, 2)
        values = np.tile([-1.0, self.k], len(places))
        starts = np.arange(0, places.size + 1, 2)
        shape = (len(places), self.folding.rows * self.folding.size)
        return sparse.csr_matrix((values, places.ravel(), starts), shape=shape)

    @cached_property
    def gap_transposed(self) -> sparse.csr_matrix:
        """Return the transpose of `gap`."""
        return sparse.csr_matrix(self.gap.T)

    @cached_property
    def gap_squares(self) -> sparse.csr_matrix:
        """Return the transpose of `gap`, its entries squared."""
        return self.gap_transposed.multiply(self.gap_transposed).tocsr()

    def columns(self, row: int) -> Integers:
        """Return where a row of Q stands among the kept ones."""
        kept, backwards = self.folding.place(row)
        places = kept * self.folding.size + np.arange(self.folding.size)
        return places[::-1] if backwards else places

    def leave_out(self, kept: Floats) -> None:
        """Let the largest entry of each row of P be what the others leave."""
        for row, place in enumerate(kept.argmax(axis=1)):
            now = self.left_out[row]
            if now >= 0 and kept[row, place] <= 2 * kept[row, now]:
                continue
            self.left_out[row] = place
            self.others[row] = self.support[row][self.support[row] != place]
            self.directions[row] = self.channel[self.others[row]] - self.channel[place]

    def scattered(self, entries: Floats) -> Floats:
        """Return values on the support as a matrix of the kept rows, 0 elsewhere."""
        whole = np.zeros((self.folding.rows, self.folding.size))
        whole[self.diagonal[:, None], self.support] = entries
        return whole

    def masked(self, kept: Floats) -> Floats:
        """Return a matrix of the kept rows with 0 outside the support."""
        return self.scattered(kept[self.diagonal[:, None], self.support])

    def on_outputs(self, gaps: Floats) -> Floats:
        """Return values on the gaps as rows over all outputs, 0 where a gap is left out."""
        whole = np.zeros((len(gaps), self.folding.size))
        whole[np.arange(len(gaps))[:, None], self.outputs] = gaps
        return whole

    def reduced(self, gradient: Floats) -> Floats:
        """Return the gradient over the entries that are free."""
        rows = self.diagonal
        free: Floats = gradient[rows[:, None], self.others]
        free = free - gradient[rows, self.left_out][:, None]
        return free

    def expanded(self, step: Floats) -> Floats:
        """Return a step of P from that of its free entries."""
        rows = self.diagonal
        whole = np.zeros((self.folding.rows, self.folding.size))
        whole[rows[:, None], self.others] = step
        whole[rows, self.left_out] = -step.sum(axis=1)
        return whole

    def parts(self, values: Floats) -> list[Floats]:
        """Return the five groups of a flat vector, in their shapes."""
        entries, tops, gaps, slacks, budgets = np.split(values, self.ends)
        width = self.outputs.shape[1]
        return [
            entries.reshape(self.support.shape), tops, gaps.reshape(-1, width),
            slacks.reshape(-1, width), budgets,
        ]  # fmt: skip

    def forms(self, kept: Floats, x: float, slacks: Floats) -> Floats:
        """Return the left sides of the inequalities without their `constant`."""
        outputs = kept @ self.channel
        tops = outputs[self.diagonal, self.diagonal] - x
        gaps = self.gap @ outputs.ravel()
        entries = kept[self.diagonal[:, None], self.support].ravel()
        if self.delta == 0:
            return np.concatenate([entries, tops, gaps])
        return np.concatenate(
            [entries, tops, gaps + slacks.ravel(), slacks.ravel(), -slacks.sum(axis=1)]
        )

    def prices(self, tops: Floats, gaps: Floats) -> Floats:
        """Return what each entry of P earns from the multipliers y and μ."""
        on_outputs = (self.gap_transposed @ gaps.ravel()).reshape(-1, self.folding.size)
        on_outputs[self.diagonal, self.diagonal] += tops
        earned: Floats = on_outputs @ self.channel.T
        return earned

    def residual(self, multipliers: Floats) -> Move:
        """Return what multipliers leave of the gradient of the Lagrangian: P, x and s."""
        entries, tops, gaps, slacks, budgets = self.parts(multipliers)
        rest = gaps + slacks - budgets[:, None] if self.delta else np.zeros_like(gaps)
        gradient = self.prices(tops, gaps) + self.scattered(entries)
        return self.reduced(gradient), 1 - float(tops.sum()), rest

    def bound(self, multipliers: Floats) -> float:
        """Return the upper bound on x that y and μ prove, whatever the other multipliers are."""
        _, tops, gaps, _, _ = self.parts(multipliers)
        earned = self.prices(tops, gaps).max(axis=1).sum()
        return float((earned + self.delta * gaps.max(axis=1).sum()) / tops.sum())


class Newton:
    """Newton's equations of a path program for one weight of each inequality.

    Parameters
    ----------
    program
        The program.
    weights
        What one unit of each inequality's left side changes its multiplier by, flat.

    Raises
    ------
    SingularError
        If rounding has made the equations indefinite.
    """

    def __init__(self, program: PathProgram, weights: Floats):
        self.program, self.weights = program, weights
        entries, tops, gaps, slacks, budgets = program.parts(weights)
        self.tops, self.gaps = tops, gaps
        self.curvature = gaps
        self.ranks = None
        if program.delta:
            self.sums = gaps + slacks
            self.share = gaps / self.sums
            self.curvature = slacks * self.share
            self.coupling = budgets / (1 + budgets * (1 / self.sums).sum(axis=1))
            self.ranks = (self.share, self.coupling)
        self.factor = BlockTridiagonal(*_blocks(program, entries, tops, self.curvature, self.ranks))
        rows = program.diagonal
        self.border = program.directions[rows, :, rows] * tops[:, None]
        self.answer = self.factor.solve(self.border)
        self.pivot = tops.sum() - (self.border * self.answer).sum()

    def direction(self, forced: Floats, residual: Move) -> tuple[Move, Floats]:
        """Return the step in P, x and s, and that of the left sides.

        Multipliers then change by `forced` − weights · left sides, which cancels `residual`.
        """
        program = self.program
        entries, tops, gaps, slacks, budgets = program.parts(forced)
        gradient, missing, rest = residual
        if program.delta:
            rest = rest + gaps + slacks - budgets[:, None]
            gaps = gaps - self.gaps * self._spread(rest)
        right = gradient + program.reduced(program.prices(tops, gaps) + program.scattered(entries))
        free = self.factor.solve(right)
        x = float((missing - tops.sum() + (self.border * free).sum()) / self.pivot)
        kept = program.expanded(free + x * self.answer)
        moved = np.zeros_like(gaps)
        if program.delta:
            outputs = kept @ program.channel
            gap = (program.gap @ outputs.ravel()).reshape(gaps.shape)
            moved = self._spread(rest - self.gaps * gap)
        return (kept, x, moved), program.forms(kept, x, moved)

    def _spread(self, values: Floats) -> Floats:
        """Return the inverse of diag(sums) + budgets 11ᵀ times each row."""
        scaled = values / self.sums
        total: Floats = scaled - (self.coupling * scaled.sum(axis=1))[:, None] / self.sums
        return total


def _blocks(
    program: PathProgram,
    entries: Floats,
    tops: Floats,
    curvature: Floats,
    ranks: tuple[Floats, Floats] | None,
) -> tuple[Floats, Floats]:
    """Return the blocks of Σ weight · form formᵀ over the free entries of P.

    They stand in the memory of the program, and hold until the next ones are asked for.
    """
    rows, moves, extended = program.diagonal, program.directions, program.extended
    size = program.folding.size
    own, mirrored, next_rows, next_mirrored = _output_weights(program, curvature)
    own[rows, rows] += tops
    if ranks is not None:
        _extend(program, *ranks)
    weighted, (diagonal, spare) = program.weighted, program.blocks
    below = spare[:-1]
    np.multiply(moves, own[:, None], out=weighted[:, :, :size])
    weighted[:, :, size:] = extended[:, :, size:]
    np.matmul(weighted, np.swapaxes(extended, 1, 2), out=diagonal)
    # Behind the directions of a row: its couplings with the next row, then with the one before.
    end = size + (0 if ranks is None else COUPLED)
    upper, lower = extended[:-1, :, :end], weighted[1:, :, :end]
    np.multiply(moves[1:], next_rows[:, None], out=lower[:, :, :size])
    lower[:, :, size:] = extended[1:, :, end:]
    np.matmul(lower, np.swapaxes(upper, 1, 2), out=below)
    if mirrored.any():
        diagonal[-1] += (moves[-1] * mirrored) @ moves[-1, :, ::-1].T
    if next_mirrored.any():
        below[-1] += (moves[-1] * next_mirrored) @ moves[-2, :, ::-1].T
    whole = program.scattered(entries)
    diagonal += whole[rows, program.left_out][:, None, None]
    places = np.arange(moves.shape[1])
    diagonal[:, places, places] += whole[rows[:, None], program.others]
    if ranks is not None:
        _add_ranks(program, *ranks, diagonal, below)
    return diagonal, below


def _extend(program: PathProgram, share: Floats, coupling: Floats) -> None:
    """Write what the budgets of a row and the next couple behind the directions of both."""
    moves, k, size = program.directions, program.k, program.folding.size
    neighbours = COUPLED * (program.folding.rows - 1)
    shares = program.on_outputs(share) * np.sqrt(coupling)[:, None]
    # Of each pair of rows: Q_a − k Q_b, then Q_b − k Q_a.
    paired = shares[:neighbours].reshape(-1, COUPLED, size).swapaxes(1, 2)
    program.extended[:-1, :, size : size + COUPLED] = moves[:-1] @ (paired * [-1.0, k])
    program.extended[1:, :, size + COUPLED :] = moves[1:] @ (paired * [k, -1.0])


def _output_weights(program: PathProgram, curvature: Floats) -> Sequence[Floats]:
    """Return the weights over Q of rows and of neighbours.

    The second is of the last row against its mirror image, the last against that of the row before.
    """
    folding, k = program.folding, program.k
    shape = (folding.rows, folding.size)
    own = (program.gap_squares @ curvature.ravel()).reshape(shape)
    mirrored, beside_mirrored = np.zeros((2, folding.size))
    beside = np.zeros((folding.rows - 1, folding.size))
    for (a, b), weights in zip(folding.pairs, program.on_outputs(curvature), strict=True):
        (row, backwards), (other, other_backwards) = folding.place(a), folding.place(b)
        if row == other:
            mirrored -= k * (weights + weights[::-1])
            continue
        upper_backwards = backwards if row > other else other_backwards
        target = beside[min(row, other)] if backwards == other_backwards else beside_mirrored
        target -= k * (weights[::-1] if upper_backwards else weights)
    return own, mirrored, beside, beside_mirrored


def _add_ranks(
    program: PathProgram, share: Floats, coupling: Floats, diagonal: Floats, below: Floats
) -> None:
    """Add what the budgets of the middle couple, where one row is its own neighbour, mirrored."""
    folding, moves = program.folding, program.directions
    shares = program.on_outputs(share)
    of_pairs = list(zip(folding.pairs, shares, coupling, strict=True))
    for (a, b), values, weight in of_pairs[COUPLED * (folding.rows - 1) :]:
        (row, backwards), (other, other_backwards) = folding.place(a), folding.place(b)
        left = -moves[row] @ (values[::-1] if backwards else values)
        right = program.k * moves[other] @ (values[::-1] if other_backwards else values)
        if row == other:
            diagonal[row] += weight * np.outer(left + right, left + right)
            continue
        diagonal[row] += weight * np.outer(left, left)
        diagonal[other] += weight * np.outer(right, right)
        pair = np.outer(left, right) if row > other else np.outer(right, left)
        below[min(row, other)] += weight * pair
