"""Counts in a row at δ = 0: the exact optimum from a program over post-processings of noise.

A share says how much of column a of geometric noise becomes output j. Their program has no privacy
constraints. Floating point finds the columns that matter; exact arithmetic solves the
program over them, looks for rays that pay more than they lose, adds those, and is done if there are
none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from provedp.theory.numbers import flint_rational, rational
from provedp.verify.solvers.check import ReleaseDual
from provedp.verify.solvers.linear_programs.rational import Basis, LinearProgram, Optimum, solve
from provedp.verify.solvers.linear_programs.tableau import UndecidedError
from provedp.verify.solvers.release import columns
from provedp.verify.solvers.release.problem import ReleaseBracket, ReleaseProblem, bracket
from provedp.verify.solvers.release.rays import (
    Ray,
    as_flint,
    kernel,
    normalisers,
    shortfall,
    unmixed,
)

__all__ = ["Mixing", "exact_on_path", "mixing", "towards_the_middle"]

ROUNDS = 60  # of adding columns; a few were enough wherever it was tried
PIVOTS = 150  # a hint that is farther from the optimum is none
NEAR_ONE = Fraction(1, 10**6)  # k − 1 below which floats lose the columns between the ends


@dataclass
class Mixing:
    """The program over the columns (a, j) that were kept, and over rays that were added.

    With loss and prior that are mirrored, a column stands for itself and its mirror image, half
    each, and rows for counts of the first half.
    """

    problem: ReleaseProblem
    columns_of_noise: fmpq_mat
    loss: fmpq_mat
    kept: list[tuple[int, int]]
    rays: list[tuple[Ray, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.m, self.n = self.problem.counts, self.problem.outputs
        self.half = (self.m + 1) // 2 if self.problem.is_mirrored else self.m
        self.folded = self.problem.is_mirrored
        self.k = flint_rational(self.problem.k)

    def mirrored(self, a: int, j: int) -> tuple[int, int]:
        """Return the mirror image of a column."""
        return self.m - 1 - a, self.n - 1 - j

    def columns(self) -> list[tuple[list[fmpq], list[fmpq], int]]:
        """Return for each column its mixing weights, its entries, and its output."""
        ones = [[fmpq(int(a == b)) for b in range(self.m)] for a in range(self.m)]
        noise = [
            (ones[a], [self.columns_of_noise[i, a] for i in range(self.m)], j) for a, j in self.kept
        ]
        more = [(unmixed(self.k, ray), list(ray), j) for ray, j in self.rays]
        return [*noise, *more]

    def program(self) -> LinearProgram:
        """Return max −t, or minus the mean loss, over the mixtures of columns."""
        sums: list[dict[int, fmpq]] = [{} for _ in range(self.half)]
        losses: list[dict[int, fmpq]] = [{} for _ in range(self.half)]
        mean: dict[int, fmpq] = {}
        for place, (weights, entries, j) in enumerate(self.columns()):
            paid = [entries[i] * self.loss[i, j] for i in range(self.m)]
            folds = self._folded
            for row, values in ((sums, folds(weights)), (losses, folds(paid))):
                for i, value in enumerate(values):
                    if value:
                        row[i][place] = value
            if self.problem.prior is not None:
                shares = map(flint_rational, self.problem.prior)
                total = sum((w * x for w, x in zip(shares, paid, strict=True)), start=fmpq(0))
                mean[place] = -total
        width = len(self.kept) + len(self.rays)
        whole = self._folded(normalisers(self.problem.k, self.m))
        equal = list(zip(sums, whole, strict=True))
        if self.problem.prior is not None:
            return LinearProgram(width, mean, (), equal)
        at_most = [({**row, width: fmpq(-1)}, 0) for row in losses]
        return LinearProgram(width + 1, {width: -1}, at_most, equal, frozenset({width}))

    def _folded(self, values: list[fmpq]) -> list[fmpq]:
        """Return the entries of the first half of (values + their mirror image)/2."""
        if not self.folded:
            return values
        return [(values[i] + values[self.m - 1 - i]) / 2 for i in range(self.half)]

    def unfolded(self, values: Sequence[Any]) -> list[Any]:
        """Return multipliers of all rows from those of the folded ones, which two rows share."""
        if not self.folded:
            return list(values)
        inside = [self.m - 1 - i != i for i in range(self.half)]
        halves = [value / 2 if two else value for value, two in zip(values, inside, strict=True)]
        return [halves[min(i, self.m - 1 - i)] for i in range(self.m)]

    def mechanism(self, shares: Sequence[fmpq]) -> fmpq_mat:
        """Return P, the mixture of the columns with these shares."""
        remap = [[fmpq(0)] * self.n for _ in range(self.m)]
        for share, (weights, _, j) in zip(shares, self.columns(), strict=True):
            if not share:
                continue
            for a, weight in enumerate(weights):
                mirror = self.mirrored(a, j)
                if self.folded:
                    remap[a][j] += share * weight / 2
                    remap[mirror[0]][mirror[1]] += share * weight / 2
                else:
                    remap[a][j] += share * weight
        return self.columns_of_noise * fmpq_mat(
            self.m, self.n, [entry for row in remap for entry in row]
        )


def exact_on_path(problem: ReleaseProblem) -> ReleaseBracket:
    """Return the exact optimum, with its certificate of 2M numbers; k > 1, δ = 0, no side rows.

    Raises
    ------
    UndecidedError
        If the rounds or the exact pivots run out.
    """
    if problem.k - 1 < NEAR_ONE and problem.prior is None:
        found = _as_at(problem, 1 + NEAR_ONE)
        if found is not None:
            return found
    return _equalised(problem) or _bracket(*_searched(problem))


def _equalised(problem: ReleaseProblem) -> ReleaseBracket | None:
    """Return the optimum if all counts lose alike when noise is moved one step towards the middle.

    So it was for absolute and squared loss unless k is near 1. There the losses of counts far from
    the ends differ by powers of 1/k that no float resolves, so that no solver's hint is needed.
    """
    square = problem.outputs == problem.counts
    if not (square and problem.is_mirrored and problem.prior is None):
        return None
    columns_ = towards_the_middle(problem.counts)
    return _at_basis(problem, columns_, range((problem.counts + 1) // 2))


def _as_at(problem: ReleaseProblem, k: Fraction) -> ReleaseBracket | None:
    """Return the optimum if the columns and rows that decide it at k decide it here too."""
    mixed, optimum = _searched(replace(problem, k=k))
    if mixed.rays:
        return None
    kept = [place for place, share in zip(mixed.kept, optimum.primal, strict=False) if share > 0]
    return _at_basis(problem, kept, [i for i in range(mixed.half) if optimum.dual[i] > 0])


def _at_basis(
    problem: ReleaseProblem, kept: list[tuple[int, int]], tight: Sequence[int]
) -> ReleaseBracket | None:
    """Return the optimum if it has these columns alone, and these counts lose most."""
    mixed = mixing(problem, kept)
    program = mixed.program()
    rows = (*tight, *range(mixed.half, 2 * mixed.half))
    if program.columns != len(rows):
        return None
    try:
        found = solve(program, 0, Basis(tuple(range(program.columns)), rows))
    except UndecidedError:
        return None
    y, prices = _multipliers(mixed, found.dual)
    if _cheaper_columns(mixed, y, prices) or _rays(mixed, y, unmixed(mixed.k, prices)):
        return None
    return _bracket(mixed, found)


def towards_the_middle(m: int) -> list[tuple[int, int]]:
    """Return the columns (a, a) and (a, a + 1) for a before the middle, and the middle's (a, a)."""
    middle = (m - 1) // 2
    return [(a, j) for a in range(middle) for j in (a, a + 1)] + [(middle, middle)]


def mixing(problem: ReleaseProblem, kept: list[tuple[int, int]]) -> Mixing:
    """Return the program over these columns."""
    return Mixing(problem, kernel(problem.k, problem.counts), as_flint(problem.loss), kept)


def _searched(problem: ReleaseProblem) -> tuple[Mixing, Optimum]:
    """Return a program over enough columns and rays, and its optimum."""
    mixed = mixing(problem, columns.promising(problem))
    for _ in range(ROUNDS):
        found = solve(mixed.program(), PIVOTS)
        y, prices = _multipliers(mixed, found.dual)
        cheaper = _cheaper_columns(mixed, y, prices)
        if cheaper:
            mixed.kept += cheaper
            continue
        rays = _rays(mixed, y, unmixed(mixed.k, prices))
        if not rays:
            return mixed, found
        mixed.rays += rays
    raise UndecidedError("The columns of a private release did not suffice.")


def _rays(mixing: Mixing, y: Sequence[fmpq], shares: Sequence[fmpq]) -> list[tuple[Ray, int]]:
    """Return rays that pay more than they lose, with their outputs."""
    found = ((shortfall(mixing.k, y, mixing.loss, shares, j), j) for j in range(mixing.n))
    return [(ray, j) for ray, j in found if ray]


def _multipliers(mixing: Mixing, dual: Sequence[Fraction]) -> tuple[list[fmpq], list[fmpq]]:
    """Return y and the prices v_a of the columns of noise."""
    values = [flint_rational(value) for value in dual]
    split = 0 if mixing.problem.prior is not None else mixing.half
    prices = [-value for value in mixing.unfolded(values[split:])]
    if mixing.problem.prior is not None:
        return [flint_rational(w) for w in mixing.problem.prior], prices
    return mixing.unfolded(values[:split]), prices


def _cheaper_columns(
    mixing: Mixing, y: Sequence[fmpq], prices: Sequence[fmpq]
) -> list[tuple[int, int]]:
    """Return for each a the output that loses least, if that is less than the price of a."""
    m, n = mixing.m, mixing.n
    weighted = fmpq_mat(m, n, [y[i] * mixing.loss[i, j] for i in range(m) for j in range(n)])
    lost = mixing.columns_of_noise * weighted
    rows = lost.tolist()
    best = [row.index(min(row)) for row in rows]
    found = [(a, j) for a, j in enumerate(best) if rows[a][j] < prices[a]]
    return [place for place in found if place[0] < mixing.half]


def _bracket(mixing: Mixing, optimum: Optimum) -> ReleaseBracket:
    width = len(mixing.kept) + len(mixing.rays)
    law = mixing.mechanism([flint_rational(value) for value in optimum.primal[:width]])
    rows = [[rational(entry) for entry in row] for row in law.tolist()]
    y, prices = _multipliers(mixing, optimum.dual)
    shares = [rational(share) for share in unmixed(mixing.k, prices)]
    return bracket(
        mixing.problem, rows, ReleaseDual([rational(w) for w in y], shares=shares), "rays"
    )
