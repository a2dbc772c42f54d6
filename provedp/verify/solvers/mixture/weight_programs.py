"""The linear programs for class weights, (26) and the part of (P1) about F, solved in rationals."""

from collections.abc import Sequence
from fractions import Fraction

from provedp.theory.numbers import Number
from provedp.verify.solvers.linear_programs.rational import LinearProgram, Row, solve

__all__ = ["full_weight_optimum", "reduced_weight_optimum"]


def reduced_weight_optimum(costs: Sequence[Number], k: Number, balanced: bool = True) -> Fraction:
    """Least Σ_i g_i F_{i,1} over the reduced matrices of (26) at a fixed e^{ε₀}.

    Parameters
    ----------
    costs
        g_1, …, g_{s+1}; the true histogram is the first input.
    k
        e^{ε₀}, at least 1.
    balanced
        Whether the rows must sum to 1, as in (22e).

    Returns
    -------
    The exact optimum; without balanced rows it is min g.

    Source: mixture paper, eq. (26).

    >>> reduced_weight_optimum([3, 1, 2], 2), reduced_weight_optimum([3, 1, 2], 2, balanced=False)
    (Fraction(17, 10), Fraction(1, 1))
    """
    size = len(costs)
    program = _program(costs, size, [j for j in range(1, size)], k)
    rows = [({i * size + j: 1 for j in range(size)}, 1) for i in range(size)]
    equal = [*program.equal, *rows] if balanced else program.equal
    return -solve(LinearProgram(size * size, program.objective, program.at_most, equal)).value


def full_weight_optimum(costs: Sequence[Number], neighbours: Sequence[int], k: Number) -> Fraction:
    """Least Σ_i g_i F_{i,1} over the matrices of (P1) at a fixed e^{ε₀}.

    Parameters
    ----------
    costs
        g of every histogram of the set S, that of the data first.
    neighbours
        Places of the histograms that a flip can lead to.
    k
        e^{ε₀}, at least 1.

    Returns
    -------
    The exact optimum.

    Source: mixture paper, (P1) with eq. (12), (15e).

    >>> full_weight_optimum([3, 1, 2], [1], 1)
    Fraction(1, 1)
    """
    return -solve(_program(costs, len(costs), list(neighbours), k)).value


def _program(costs: Sequence[Number], size: int, neighbours: list[int], k: Number) -> LinearProgram:
    """Maximise −Σ g_i F_{i,1} over column-stochastic F whose first column is near some others."""
    objective: Row = {i * size: -cost for i, cost in enumerate(costs)}
    ratios = [
        ({i * size + a: 1, i * size + b: -k}, 0)
        for i in range(size)
        for j in neighbours
        for a, b in ((0, j), (j, 0))
    ]
    columns = [({i * size + j: 1 for i in range(size)}, 1) for j in range(size)]
    return LinearProgram(size * size, objective, ratios, columns)
