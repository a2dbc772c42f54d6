"""What a mechanism for a count is, found for exact matrices."""

from provedp.theory import counting
from provedp.theory.privacy import path_delta
from provedp.verify.claims.prelude import *


def is_stochastic(found: Matrix) -> Finding:
    """Find that a matrix has entries of at least 0, and rows of sum one."""
    rows = [sum(row, start=Q(0)) for row in found]
    return all_of(at_most(0, found), equal(rows, [Q(1)] * len(found)))


def is_optimal(found: Matrix, k: Q, delta: Q) -> Finding:
    """Find that a matrix is a mechanism, private, and as good as any."""
    stochastic = is_stochastic(found)
    if not stochastic.holds:
        return stochastic
    return all_of(
        stochastic,
        at_most(path_delta(found, k), delta),
        equal(counting.worst_case_error(found), counting.error(len(found), k, delta)),
    )
