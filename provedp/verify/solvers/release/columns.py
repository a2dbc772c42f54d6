"""Which outputs geometric noise is turned into: floating point, by adding columns, as a hint."""

from typing import Any

import highspy
import numpy as np
import scipy.sparse

from provedp.theory.arrays import Floats
from provedp.verify.solvers.linear_programs import highs
from provedp.verify.solvers.release.problem import ReleaseProblem

__all__ = ["OPTIONS", "Search", "promising"]

TOLERANCE = 1e-10  # the least that HiGHS takes
OPTIONS: dict[str, float | str] = {
    "primal_feasibility_tolerance": TOLERANCE,
    "dual_feasibility_tolerance": TOLERANCE,
    "small_matrix_value": 1e-12,  # the least that it takes: smaller coefficients are dropped
}
NEAR = 1e-9  # relative to the largest loss: columns so near to paying are kept for exact arithmetic
ROUNDS = 40
NEIGHBOURS = 2  # outputs beside a cheaper one that come with it


def float_kernel(k: float, m: int) -> tuple[Floats, Floats]:
    """Return K = (k^(−|i − a|)), and the factors that make it noise moved to the nearest count."""
    gaps = np.abs(np.arange(m)[:, None] - np.arange(m)[None, :])
    scale = np.full(m, (k - 1) / (k + 1))
    scale[[0, -1]] = k / (k + 1)
    return np.power(float(k), -gaps.astype(float)), scale


def promising(problem: ReleaseProblem) -> list[tuple[int, int]]:
    """Return columns (a, j), of the first half of a if mirrored, that an optimum is made of.

    It is a hint: what they are worth, exact arithmetic tells.
    """
    search = Search(problem)
    search.run()
    return search.near()


class Search:
    """Column generation for the worst case over post-processings of geometric noise."""

    def __init__(self, problem: ReleaseProblem):
        self.m, self.n = problem.counts, problem.outputs
        self.folded = problem.is_mirrored
        self.half = (self.m + 1) // 2 if self.folded else self.m
        self.law, self.whole = float_kernel(float(problem.k), self.m)
        self.loss = np.array([[float(x) for x in row] for row in problem.loss])
        self.scale = float(self.loss.max()) or 1.0
        self.loss /= self.scale
        self.prior = problem.prior
        self.y, self.prices = np.full(self.m, 1 / self.m), np.zeros(self.m)
        self.columns: list[tuple[int, int]] = []
        self.shares: Floats = np.zeros(0)

    def lost(self, y: Floats) -> Floats:
        """Return what column (a, j) loses at these weights of the counts."""
        found: Floats = self.law.T @ (y[:, None] * self.loss)
        return found

    def run(self) -> None:
        """Add columns until none is cheaper than its price; with a prior, take the cheapest."""
        if self.prior is not None:
            self._take_cheapest(np.array([float(w) for w in self.prior]))
            return
        known: set[tuple[int, int]] = set()
        fresh = self._first()
        for _ in range(ROUNDS):
            self.columns += [place for place in fresh if place not in known]
            known |= set(fresh)
            self._solve()
            fresh = [place for place in self._cheaper() if place not in known]
            if not fresh:
                return

    def _take_cheapest(self, y: Floats) -> None:
        lost = self.lost(y)
        self.y, self.prices = y, lost.min(axis=1)
        self.columns = [(a, int(j)) for a, j in enumerate(lost[: self.half].argmin(axis=1))]
        self.shares = np.ones(self.half)

    def basis(self) -> tuple[list[tuple[int, int]], list[int]]:
        """Return the columns in use, and the counts of the first half whose weight is not zero."""
        used = [place for place, share in zip(self.columns, self.shares, strict=True) if share > 0]
        return used, [i for i in range(self.half) if self.y[i] > 0]

    def take(self, columns: list[tuple[int, int]], shares: Floats, y: Floats) -> None:
        """Take what another method found, if it found something."""
        if columns:
            self.columns, self.shares, self.y = columns, shares, y

    def remap(self) -> Floats:
        """Return how much of each column of K becomes each output; rows need the right sums yet.

        A column whose share is lost in rounding becomes the output that loses least.
        """
        found = np.zeros((self.m, self.n))
        for (a, j), share in zip(self.columns, self.shares, strict=True):
            found[a, j] += max(share, 0.0)
        whole = found + found[::-1, ::-1] if self.folded else found
        lost = np.nonzero(whole.sum(axis=1) == 0)[0]
        whole[lost, self.lost(self.y).argmin(axis=1)[lost]] = 1.0
        return whole

    def near(self) -> list[tuple[int, int]]:
        """Return the columns in use, and one for each a at least."""
        used = {place for place, share in zip(self.columns, self.shares, strict=True) if share > 0}
        lost = self.lost(self.y)
        slack = self.prices[: self.half, None] + NEAR
        close = {
            (int(a), int(j)) for a, j in zip(*np.nonzero(lost[: self.half] <= slack), strict=True)
        }
        least = {(a, int(j)) for a, j in enumerate(lost[: self.half].argmin(axis=1))}
        return sorted(used | close | least)

    def _first(self) -> list[tuple[int, int]]:
        """Return for each a the outputs near the best ones at two weights of the counts."""
        ends = np.zeros(self.m)
        ends[[0, -1]] = 0.5
        places: set[tuple[int, int]] = set()
        for y in (np.full(self.m, 1 / self.m), ends):
            best = self.lost(y).argmin(axis=1)
            places |= {(a, int(j)) for a in range(self.half) for j in self._beside(int(best[a]))}
        return sorted(places)

    def _beside(self, j: int) -> range:
        return range(max(0, j - NEIGHBOURS), min(self.n, j + NEIGHBOURS + 1))

    def _cheaper(self) -> list[tuple[int, int]]:
        lost = self.lost(self.y)[: self.half]
        best = lost.argmin(axis=1)
        gain = self.prices[: self.half] - lost.min(axis=1)
        places = np.nonzero(gain > TOLERANCE)[0]
        return [(int(a), j) for a in places for j in self._beside(int(best[a]))]

    def _rows(self) -> scipy.sparse.csr_matrix:
        """Return the sums of shares for each a, then the losses of each count minus t."""
        a, j = np.array(self.columns).T
        places = np.arange(len(a))
        parts = np.where(self.folded & (2 * a != self.m - 1), 0.5, 1.0)
        sums: Any = scipy.sparse.csr_matrix((parts, (a, places)), (self.half, len(a)))
        paid = self.law[:, a] * self.loss[:, j]
        if self.folded:
            paid = (paid + paid[::-1])[: self.half] / 2
        worst = np.vstack([np.zeros((self.half, 1)), np.full((self.half, 1), -1.0)])
        return scipy.sparse.hstack([scipy.sparse.vstack([sums, paid]), worst]).tocsr()

    def _solve(self) -> None:
        rows, width = self._rows(), len(self.columns)
        objective = np.zeros(width + 1)
        objective[-1] = -1.0
        whole = self.whole[: self.half]
        lower = np.concatenate([whole, np.full(self.half, -np.inf)])
        upper = np.concatenate([whole, np.zeros(self.half)])
        solver = highs.solver(**OPTIONS)
        signs = np.zeros(width + 1)
        signs[-1] = -np.inf
        solver.passModel(highs.packed(objective, rows, (lower, upper), signs))
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return
        solution = solver.getSolution()
        self.shares = np.array(solution.col_value)[:-1]
        duals = np.array(solution.row_dual)
        self.prices = self._unfolded(-duals[: self.half])
        self.y = self._unfolded(np.maximum(duals[self.half :], 0.0))
        self.y /= self.y.sum()

    def _unfolded(self, values: Floats) -> Floats:
        if not self.folded:
            return values
        full = np.concatenate([values, values[: self.m - self.half][::-1]])
        middle = self.half - 1 if self.m % 2 else -1
        halves: Floats = full / 2
        if middle >= 0:
            halves[middle] *= 2
        return halves
