"""What the formulas behind a channel share: when one is undefined, and how far one may step."""

from typing import overload

from provedp.theory.counting.release import release_matrix
from provedp.theory.matrices import Matrix, inverse
from provedp.theory.numbers import Number, certainly, minimum


class UndefinedError(ValueError):
    """A formula that is not defined at these arguments, or not decided by these balls."""


@overload
def largest_step(start: Matrix, change: Matrix, limit: Number) -> Number: ...
@overload
def largest_step(start: Matrix, change: Matrix) -> Number | None: ...
def largest_step(start: Matrix, change: Matrix, limit: Number | None = None) -> Number | None:
    """Return the largest s ≥ 0 with start + s · change ≥ 0 and s ≤ limit, for start ≥ 0.

    Without a limit, None when no entry falls: every s is allowed.
    """
    best = limit
    undecided = []
    for value, slope in zip(start.ravel().tolist(), change.ravel().tolist(), strict=True):
        if certainly(slope < 0):
            bound = value / -slope
            best = bound if best is None else minimum(best, bound)
        elif not certainly(slope >= 0):
            undecided.append((value, slope))
    if not all(_cannot_bind(value, slope, best) for value, slope in undecided):
        raise UndefinedError("The sign of an entry is not decided: raise the precision.")
    return best


def _cannot_bind(value: Number, slope: Number, best: Number | None) -> bool:
    """Return whether start + s · change certainly stays non-negative for s ≤ best."""
    return best is not None and certainly(value + best * slope >= 0)


def release_inverse(m: int, k: Number, delta: Number) -> Matrix:
    """Return the inverse of P*."""
    if certainly(k == 1) and certainly(delta == 0):
        raise UndefinedError("P* is singular at ε = δ = 0, so the formula is not defined there.")
    return inverse(release_matrix(m, k, delta))
