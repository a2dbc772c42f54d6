"""At ε = δ = 0 a release says nothing: the best constant law, with its certificate."""

from collections.abc import Mapping
from fractions import Fraction

from provedp.theory.numbers import Number
from provedp.verify.solvers.check import ReleaseDual
from provedp.verify.solvers.linear_programs.rational import LinearProgram, solve
from provedp.verify.solvers.release.problem import ReleaseBracket, ReleaseProblem, bracket

__all__ = ["constant"]

Rows = list[tuple[Mapping[int, Number], Number]]


def constant(problem: ReleaseProblem) -> ReleaseBracket:
    """Return the exact optimum at k = 1 and δ = 0, without side conditions.

    All rows are one law q, and the multipliers move what each count loses along a tree to count 1:
    μ on the edge from i to its parent is Σ y_a ℓ_aj over the counts a below i.
    """
    law, y = _best_law(problem)
    rows = [law] * problem.counts
    costs = [[w * x for x in row] for w, row in zip(y, problem.loss, strict=True)]
    mu: dict[tuple[int, int], list[Fraction]] = {}
    for parent, child in reversed(_tree(problem)):
        below = costs[child - 1]
        mu[parent, child] = list(below)
        costs[parent - 1] = [
            mine + moved for mine, moved in zip(costs[parent - 1], below, strict=True)
        ]
    return bracket(problem, rows, ReleaseDual(y, mu), "constant release")


def _best_law(problem: ReleaseProblem) -> tuple[list[Fraction], tuple[Fraction, ...]]:
    """Return q and y: q minimises the largest or mean loss, y are the multipliers."""
    n = problem.outputs
    if problem.prior is not None:
        mean = [
            sum(w * row[j] for w, row in zip(problem.prior, problem.loss, strict=True))
            for j in range(n)
        ]
        best = mean.index(min(mean))
        return [Fraction(int(j == best)) for j in range(n)], problem.prior
    rows: Rows = [({**dict(enumerate(row)), n: -1}, 0) for row in problem.loss]
    whole: Rows = [(dict.fromkeys(range(n), 1), 1)]
    optimum = solve(LinearProgram(n + 1, {n: -1}, rows, whole, frozenset({n})))
    return list(optimum.primal[:n]), optimum.dual[: problem.counts]


def _tree(problem: ReleaseProblem) -> list[tuple[int, int]]:
    """Return (parent, child) for each count but the first, parents before their children."""
    found, known, waiting = [], {1}, [1]
    while waiting:
        here = waiting.pop(0)
        for a, b in problem.pairs:
            if a == here and b not in known:
                known.add(b)
                waiting.append(b)
                found.append((a, b))
    return found
