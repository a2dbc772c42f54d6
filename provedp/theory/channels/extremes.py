"""The two ends of the problem behind a channel: its own error, and the release that undoes it."""

import functools

from provedp.theory.channels.step_size import UndefinedError
from provedp.theory.counting.release import RATIO, SLACK, release_matrix, worst_case_error
from provedp.theory.domain import StochasticMatrix, domain
from provedp.theory.matrices import Matrix, inverse, matrix, product
from provedp.theory.numbers import Number, certainly, common_field, maximum, minimum

__all__ = ["assignment", "assignment_error", "trivial_error", "undisturbed"]

CHANNEL = StochasticMatrix()


@domain(channel=CHANNEL)
def assignment(channel: Matrix) -> Matrix:
    """Send, for each count, the message that the channel most often turns into it (Q_T).

    [Q_T]_ij = 1 for j = the lowest row among the maxima of column i of T, else 0

    Returns
    -------
    An M × M matrix with a single 1 in each row. Ties go to the lowest row index, which the paper
    leaves open.

    Raises
    ------
    ValueError
        If a maximum is not decided (balls that overlap, symbols).

    Source: counting paper, eq. (32).

    >>> from fractions import Fraction as F
    >>> assignment([[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)]]).tolist()
    [[Fraction(1, 1), Fraction(0, 1)], [Fraction(0, 1), Fraction(1, 1)]]
    """
    size = len(channel)
    chosen = [_first_maximum(channel[:, column].tolist(), column) for column in range(size)]
    rows = [[int(row == best) for row in range(size)] for best in chosen]
    return matrix(rows, common_field(channel.ravel()[:1]))


def _first_maximum(values: list[Number], column: int) -> int:
    for row, value in enumerate(values):
        exceeds_earlier = all(certainly(other < value) for other in values[:row])
        if exceeds_earlier and all(certainly(other <= value) for other in values[row + 1 :]):
            return row
    raise UndefinedError(f"The largest entry of column {column + 1} is not decided.")


@domain(channel=CHANNEL)
def assignment_error(channel: Matrix) -> Number:
    """Least worst-case error behind a channel without any privacy (l).

    l(T) = 1 − min_j max_i t_ij = 1 − γ(Q_T T)

    Returns
    -------
    A probability; a lower bound on the error of every release through T.

    Source: counting paper, eq. (34).

    >>> from fractions import Fraction as F
    >>> assignment_error([[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)]])
    Fraction(1, 2)
    """
    largest: list[Number] = [functools.reduce(maximum, column) for column in channel.T.tolist()]
    return 1 - functools.reduce(minimum, largest)


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def undisturbed(channel: Matrix, k: Number, delta: Number) -> Matrix:
    """The matrix that, sent through the channel, comes out as the canonical release.

    P* T⁻¹

    Parameters
    ----------
    channel
        T, invertible.

    Returns
    -------
    An M × M matrix whose rows sum to one; a mechanism if and only if no entry is negative.

    Raises
    ------
    ValueError
        If the channel is singular.

    Source: counting paper, Section V, before Theorem 2.

    >>> from fractions import Fraction as F
    >>> undisturbed([[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]], 2, 0).tolist()
    [[Fraction(5, 6), Fraction(1, 6)], [Fraction(1, 6), Fraction(5, 6)]]
    """
    try:
        undo = inverse(channel)
    except ValueError:
        raise UndefinedError("T is singular, so P* T⁻¹ is not defined.") from None
    return product(release_matrix(len(channel), k, delta), undo)


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def trivial_error(channel: Matrix, k: Number, delta: Number) -> Number:
    """Worst-case error of the canonical release sent through the channel as it is (u₀).

    u₀(T) = 1 − γ(P* T)

    Returns
    -------
    A probability; an upper bound on the least error behind T.

    Source: counting paper, eq. (36).

    >>> from fractions import Fraction as F
    >>> trivial_error([[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]], 2, 0)
    Fraction(5, 12)
    """
    return worst_case_error(product(release_matrix(len(channel), k, delta), channel))
