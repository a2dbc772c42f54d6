"""Mixtures of the canonical release with the assignment Q_T (u₃): repaired, and as printed."""

from provedp.theory.channels.extremes import CHANNEL, assignment
from provedp.theory.channels.mixing import mixture
from provedp.theory.channels.step_size import UndefinedError, largest_step, release_inverse
from provedp.theory.counting.release import RATIO, SLACK, release_matrix, worst_case_error
from provedp.theory.domain import domain
from provedp.theory.matrices import Matrix, product
from provedp.theory.numbers import Number

__all__ = [
    "assignment_mixing_error",
    "assignment_mixing_error_as_printed",
    "assignment_mixing_matrix",
    "assignment_mixing_matrix_as_printed",
    "assignment_mixing_weight",
    "assignment_mixing_weight_as_printed",
]


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def assignment_mixing_weight(channel: Matrix, k: Number, delta: Number) -> Number:
    """Largest share of Q_T in a mixture with P* that keeps both properties (β*, repaired).

    β* = min(1, β_R), and 1 when β_R is over the empty set; β_R in `…_as_printed`

    Returns
    -------
    A number in [0, 1]. The cap is what G₃ ≥ 0 needs, as P* > 0. With floats, a zero of T beside a
    rounding error gives a share that is too small, never one that is too large.

    Raises
    ------
    ValueError
        If ε = δ = 0, where P* is singular.

    Source: ours, for the counting paper, Section V, β*.

    >>> from fractions import Fraction as F
    >>> assignment_mixing_weight([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], 3, 0)
    Fraction(1, 1)
    """
    return largest_step(channel, _assignment_change(channel, k, delta), limit=k**0)


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def assignment_mixing_weight_as_printed(channel: Matrix, k: Number, delta: Number) -> Number:
    """Share of Q_T as the paper chooses it (β_R); it may exceed 1.

    β_R = min t_ij / c_ij over the entries with c_ij > 0, for C = (I − P*⁻¹ Q_T) T

    Returns
    -------
    A number ≥ 0. The paper steps aside by a small ζ where (β_R − 1)/β_R is an eigenvalue of
    P*⁻¹ Q_T; this is not needed and not done here. With floats, rounding can hide an empty set.

    Raises
    ------
    ValueError
        If the minimum is over the empty set or ε = δ = 0.

    Source: counting paper, Section V, β_R.

    >>> from fractions import Fraction as F
    >>> assignment_mixing_weight_as_printed([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], 3, 0)
    Fraction(2, 1)
    """
    step = largest_step(channel, _assignment_change(channel, k, delta))
    if step is None:
        raise UndefinedError("P*⁻¹ Q_T T ≥ T: the minimum is over the empty set.")
    return step


def _assignment_change(channel: Matrix, k: Number, delta: Number) -> Matrix:
    """Return −C = P*⁻¹ Q_T T − T."""
    target = product(assignment(channel), channel)
    change: Matrix = product(release_inverse(len(channel), k, delta), target) - channel
    return change


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def assignment_mixing_matrix(channel: Matrix, k: Number, delta: Number) -> Matrix:
    """Mixture of Q_T and P* with the repaired share β* (G₃).

    G₃ = β* Q_T + (1 − β*) P*

    Returns
    -------
    An M × M row-stochastic matrix; G₃ T is (ln k, δ)-private.

    Raises
    ------
    ValueError
        If ε = δ = 0, where P* is singular.

    Source: counting paper, eq. (46), with β* ≤ 1.

    >>> from fractions import Fraction as F
    >>> T = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
    >>> [str(p) for p in assignment_mixing_matrix(T, 3, 0)[0]]
    ['1', '0']
    """
    weight = assignment_mixing_weight(channel, k, delta)
    return mixture(weight, assignment(channel), release_matrix(len(channel), k, delta))


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def assignment_mixing_matrix_as_printed(channel: Matrix, k: Number, delta: Number) -> Matrix:
    """G₃ as the paper prints it; no mechanism where β_R > 1.

    G₃ = β_R Q_T + (1 − β_R) P*

    Returns
    -------
    An M × M matrix whose rows sum to one.

    Raises
    ------
    ValueError
        As `assignment_mixing_weight_as_printed`.

    Source: counting paper, eq. (46).

    >>> from fractions import Fraction as F
    >>> T = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
    >>> [str(p) for p in assignment_mixing_matrix_as_printed(T, 3, 0)[0]]
    ['5/4', '-1/4']
    """
    weight = assignment_mixing_weight_as_printed(channel, k, delta)
    return mixture(weight, assignment(channel), release_matrix(len(channel), k, delta))


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def assignment_mixing_error(channel: Matrix, k: Number, delta: Number) -> Number:
    """Worst-case error of the repaired G₃ through the channel (u₃).

    u₃(T) = 1 − γ(G₃ T)

    Returns
    -------
    A probability; an upper bound on the least error behind T, at most u₀.

    Raises
    ------
    ValueError
        If ε = δ = 0, where P* is singular.

    Source: counting paper, after eq. (46), with β* ≤ 1.

    >>> from fractions import Fraction as F
    >>> assignment_mixing_error([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], 3, 0)
    Fraction(1, 3)
    """
    return worst_case_error(product(assignment_mixing_matrix(channel, k, delta), channel))


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def assignment_mixing_error_as_printed(channel: Matrix, k: Number, delta: Number) -> Number:
    """u₃ as the paper prints it; no bound where β_R > 1.

    u₃(T) = 1 − γ(G₃ T), with `assignment_mixing_matrix_as_printed`

    Returns
    -------
    A number.

    Raises
    ------
    ValueError
        As `assignment_mixing_weight_as_printed`.

    Source: counting paper, after eq. (46).

    >>> from fractions import Fraction as F
    >>> assignment_mixing_error_as_printed([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], 3, 0)
    Fraction(1, 4)
    """
    mechanism = assignment_mixing_matrix_as_printed(channel, k, delta)
    return worst_case_error(product(mechanism, channel))
