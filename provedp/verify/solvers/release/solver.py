"""From a problem to a bracket: the method that fits."""

from dataclasses import replace
from fractions import Fraction

from provedp.verify.solvers.channel.optimum import least_error
from provedp.verify.solvers.check import ReleaseDual
from provedp.verify.solvers.linear_programs.tableau import UndecidedError
from provedp.verify.solvers.release import program
from provedp.verify.solvers.release.constant import constant
from provedp.verify.solvers.release.path import exact_on_path
from provedp.verify.solvers.release.problem import (
    ReleaseBracket,
    ReleaseProblem,
    bracket,
    loss_matrix,
)
from provedp.verify.solvers.release.rounded import rounded_on_path, rounded_program

__all__ = ["MOST_COUNTS", "MOST_ROWS", "enclosed", "require_size"]

EXACT_BITS = 2000  # of the largest power of k in the exact program of counts in a row: seconds
EXACT_COUNTS = 40  # in a row, δ = 0: with ten times as many bits it takes seconds as well
EXACT_ROWS = 1300  # privacy constraints of a program that is solved exactly: seconds
MOST_ROWS = 100_000  # and of one that is solved at all: a minute
MOST_COUNTS = 400  # in a row at δ = 0: a minute
PIVOTS = 600
LARGE = Fraction(10**12)  # e^ε beyond which a linear program has coefficients that HiGHS refuses


def require_size(where: str, problem: ReleaseProblem) -> None:
    """Raise `ValueError` if a problem is too large to be solved."""
    if _has_rays(problem):
        if max(problem.counts, problem.outputs) > MOST_COUNTS:
            raise ValueError(
                f"{where}: {problem.counts} counts and {problem.outputs} outputs are too many; at "
                f"δ = 0 counts in a row and outputs may be {MOST_COUNTS} each."
            )
        return
    rows, most = len(problem.pairs) * problem.outputs, EXACT_ROWS if problem.side else MOST_ROWS
    if rows > most:
        kept = " with side conditions" if problem.side else ""
        raise ValueError(
            f"{where}: {len(problem.edges)} edges in two directions and {problem.outputs} outputs "
            f"make {rows} privacy constraints; at most {most} are solved{kept}."
        )


def enclosed(problem: ReleaseProblem) -> ReleaseBracket:
    """Return the exact optimum, or a narrow bracket if that takes too long.

    Raises
    ------
    InfeasibleError
        If no private release keeps the side conditions.
    UndecidedError
        If no method yields both points.
    """
    if problem.k == 1 and problem.delta == 0 and not problem.side:
        return constant(problem)
    if _is_error(problem):
        return _closed(problem)
    if _has_rays(problem):
        return _on_path(problem)
    rows = len(problem.pairs) * problem.outputs
    if problem.side:
        return program.exact(problem, PIVOTS)
    if problem.k > LARGE:
        return _nearly_free(problem)
    if rows <= EXACT_ROWS:
        try:
            return program.exact(problem, PIVOTS)
        except UndecidedError:
            return rounded_program(problem)
    return rounded_program(problem)


def _nearly_free(problem: ReleaseProblem) -> ReleaseBracket:
    """Return randomised response of the outputs that lose least, and the loss without privacy."""
    n = problem.outputs
    least = [min(row) for row in problem.loss]
    best = [row.index(low) for row, low in zip(problem.loss, least, strict=True)]
    other = 1 / (problem.k + n - 1)
    law = [[problem.k * other if j == own else other for j in range(n)] for own in best]
    hardest = least.index(max(least))
    y = problem.prior or [Fraction(int(i == hardest)) for i in range(problem.counts)]
    return bracket(problem, law, ReleaseDual(y, {}), "nearly free")


def _is_error(problem: ReleaseProblem) -> bool:
    """Whether it is the worst-case error of a count that the counting paper solves."""
    whole = problem.is_path and problem.prior is None and not problem.side
    return whole and problem.loss == loss_matrix("zero-one", problem.counts)


def _closed(problem: ReleaseProblem) -> ReleaseBracket:
    """Return P* and its closed multipliers."""
    found = least_error(problem.counts, problem.k, problem.delta)
    mu = {pair: list(row) for pair, row in found.dual.multipliers.items()}
    dual = ReleaseDual(found.dual.weights, mu)
    return bracket(problem, found.primal.tolist(), dual, "undisturbed optimum")


def _has_rays(problem: ReleaseProblem) -> bool:
    return problem.is_path and problem.delta == 0 and not problem.side


def _on_path(problem: ReleaseProblem) -> ReleaseBracket:
    bits = problem.counts * problem.k.numerator.bit_length()
    most = EXACT_BITS if problem.counts > EXACT_COUNTS else 10 * EXACT_BITS
    if bits <= most:
        try:
            return exact_on_path(problem)
        except UndecidedError:
            pass
    return rounded_on_path(problem)


def enclosed_between(
    problem: ReleaseProblem, k_upper: Fraction
) -> tuple[ReleaseBracket, ReleaseBracket]:
    """Return the brackets at k and at a larger k: an optimum between them is enclosed by both."""
    first = enclosed(problem)
    return first, first if k_upper == problem.k else enclosed(replace(problem, k=k_upper))
