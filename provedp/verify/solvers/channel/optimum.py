"""The least worst-case error of a private release of a count, enclosed by exact points."""

from fractions import Fraction

from provedp.theory.counting import release_matrix
from provedp.theory.counting.release import COUNTS
from provedp.theory.domain import domain
from provedp.theory.matrices import Matrix
from provedp.verify.solvers.channel.bracket import (
    Bracket,
    Problem,
    RationalChannel,
    RationalReals,
    bracket,
)
from provedp.verify.solvers.channel.canonical import (
    BY_STRUCTURE,
    canonical_dual,
    least_error_by_structure,
)
from provedp.verify.solvers.channel.irrational import least_error_behind_balls, least_error_of_ball
from provedp.verify.solvers.channel.solver import enclosed
from provedp.verify.solvers.check import check_dual, check_primal

__all__ = [
    "check_dual",
    "check_primal",
    "least_error",
    "least_error_behind",
    "least_error_behind_balls",
    "least_error_by_structure",
    "least_error_of_ball",
]

RATIO = RationalReals(1)
SLACK = RationalReals(0, 1, open_high=True)


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def least_error(m: int, k: Fraction, delta: Fraction) -> Bracket:
    """Optimum of (6), enclosed by P* and by the closed dual certificate.

    Neither is taken on trust: P* is checked to be private and the multipliers are checked to bound
    the error, entry by entry in integers.

    Returns
    -------
    A bracket, of width 0 if P* is optimal.

    Raises
    ------
    CertificateError
        If a point fails its check.

    Source: counting paper, eq. (6) and Theorem 1; the dual point is ours.

    >>> best = least_error(8, 2, 0)
    >>> best.lower, best.gap
    (Fraction(29, 45), Fraction(0, 1))
    """
    problem = Problem(None, k, delta)
    mechanism = release_matrix(m, k, delta)
    return bracket(problem, mechanism, canonical_dual(m, k), BY_STRUCTURE)


@domain(channel=RationalChannel(), k=RATIO, delta=SLACK)
def least_error_behind(channel: Matrix, k: Fraction, delta: Fraction) -> Bracket:
    """Least worst-case error of a release whose output passes through a fixed channel (p_e*(T)).

    p_e*(T) = 1 − max min_i [PT]_ii over row-stochastic P with (ln k, δ)-private PT

    Parameters
    ----------
    channel
        Row-stochastic rational M × M matrix T; row i is the law of the output for message i.

    Returns
    -------
    A bracket with exactly feasible points. Its width is 0 for M ≤ 8 and wherever a shortcut holds
    in short numbers; else it is what the repaired floating-point optimum leaves, mostly below 1e-9.

    Raises
    ------
    UndecidedError
        If no method yields both points.

    Source: counting paper, Section V; the bounds are weak duality.

    >>> T = [[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]]
    >>> best = least_error_behind(T, 3, 0)
    >>> best.lower, best.upper, best.decided_by
    (Fraction(1, 3), Fraction(1, 3), 'assignment')
    """
    return enclosed(Problem(channel, k, delta), channel)
