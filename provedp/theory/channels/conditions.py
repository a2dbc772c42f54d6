"""When a channel costs nothing: the conditions of Theorem 2."""

import functools

from provedp.theory.channels.extremes import CHANNEL, undisturbed
from provedp.theory.channels.step_size import UndefinedError
from provedp.theory.counting.optimal_set import diagonal, entry_min, radius_upper
from provedp.theory.counting.release import RATIO, SLACK
from provedp.theory.domain import domain
from provedp.theory.matrices import Matrix, identity, inverse
from provedp.theory.numbers import Number, common_field, maximum, minimum

__all__ = [
    "cone_coordinates",
    "loss_threshold",
    "no_loss_margin",
    "no_loss_margin_by_entries",
    "no_loss_margin_by_rows",
]


def _largest(values: list[Number]) -> Number:
    return functools.reduce(maximum, values)


def _absolute_row_sums(values: Matrix) -> list[Number]:
    rows = [[abs(entry) for entry in row] for row in values.tolist()]
    return [sum(row[1:], start=row[0]) for row in rows]


def _undo(channel: Matrix) -> Matrix:
    try:
        return inverse(channel)
    except ValueError:
        raise UndefinedError("T is singular; Theorem 2 speaks of its inverse.") from None


def _distance_from_identity(channel: Matrix) -> Matrix:
    field = common_field(channel.ravel()[:1])
    difference: Matrix = _undo(channel) - identity(len(channel), field)
    return difference


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def loss_threshold(channel: Matrix, k: Number, delta: Number) -> tuple[Number, Number]:
    """The two sides of the condition under which a channel certainly costs accuracy.

    p_e*(T) > p_e* if min_ij [P* T⁻¹]_ij < −R_M ‖T⁻¹‖₁, ‖·‖₁ the largest absolute column sum

    Parameters
    ----------
    channel
        T, invertible.

    Returns
    -------
    The left and the right side; R_M is `counting.radius_upper`, so k = 1 is included.

    Raises
    ------
    ValueError
        If the channel is singular.

    Source: counting paper, Theorem 2, eq. (25).

    >>> from fractions import Fraction as F
    >>> [str(side) for side in loss_threshold([[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]], 4, 0)]
    ['-1/10', '0']
    """
    least = functools.reduce(minimum, undisturbed(channel, k, delta).ravel().tolist())
    norm = _largest(_absolute_row_sums(_undo(channel).T))
    return least, -radius_upper(len(channel), k, delta) * norm


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def no_loss_margin_by_rows(channel: Matrix, k: Number, delta: Number) -> Number:
    """Margin of the first sufficient condition for p_e*(T) = p_e*; it holds if this is ≥ 0.

    (1 − δ) α_M k^(−⌊M/2⌋) − ‖T⁻¹ − I‖_∞, ‖·‖_∞ the largest absolute row sum

    Parameters
    ----------
    channel
        T, invertible.

    Returns
    -------
    A number; never above `no_loss_margin`.

    Raises
    ------
    ValueError
        If the channel is singular.

    Source: counting paper, Theorem 2, eq. (27).

    >>> from fractions import Fraction as F
    >>> no_loss_margin_by_rows([[F(9, 10), F(1, 10)], [F(1, 10), F(9, 10)]], 2, 0)
    Fraction(1, 12)
    """
    norm = _largest(_absolute_row_sums(_distance_from_identity(channel)))
    return entry_min(len(channel), k, delta) - norm


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def no_loss_margin_by_entries(channel: Matrix, k: Number, delta: Number) -> Number:
    """Margin of the second sufficient condition for p_e*(T) = p_e*; it holds if this is ≥ 0.

    (1 − δ) α_M k^(−⌊M/2⌋) / (M γ*) − ‖T⁻¹ − I‖_max, with γ* = (1 − δ) α_M + δ

    Parameters
    ----------
    channel
        T, invertible.

    Returns
    -------
    A number; never above `no_loss_margin`.

    Raises
    ------
    ValueError
        If the channel is singular.

    Source: counting paper, Theorem 2, eq. (28).

    >>> from fractions import Fraction as F
    >>> no_loss_margin_by_entries([[F(9, 10), F(1, 10)], [F(1, 10), F(9, 10)]], 2, 0)
    Fraction(1, 8)
    """
    size = len(channel)
    allowed = entry_min(size, k, delta) / (size * diagonal(size, k, delta))
    return allowed - _largest_entry(_distance_from_identity(channel))


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def no_loss_margin(channel: Matrix, k: Number, delta: Number) -> Number:
    """Margin of a sufficient condition for p_e*(T) = p_e* that either printed one implies.

    (1 − δ) α_M k^(−⌊M/2⌋) − ‖T⁻¹ − I‖_max

    Parameters
    ----------
    channel
        T, invertible.

    Returns
    -------
    A number; the condition holds if it is ≥ 0, since no entry of P* (T⁻¹ − I) exceeds
    ‖T⁻¹ − I‖_max in absolute value.

    Raises
    ------
    ValueError
        If the channel is singular.

    Source: ours, for the counting paper's Theorem 2, statement 2.

    >>> from fractions import Fraction as F
    >>> no_loss_margin([[F(9, 10), F(1, 10)], [F(1, 10), F(9, 10)]], 2, 0)
    Fraction(5, 24)
    """
    largest = _largest_entry(_distance_from_identity(channel))
    return entry_min(len(channel), k, delta) - largest


def _largest_entry(values: Matrix) -> Number:
    return _largest([abs(entry) for entry in values.ravel().tolist()])


@domain(channel=CHANNEL)
def cone_coordinates(channel: Matrix) -> Matrix:
    """Coordinates of the all-one row in the basis of the rows of the channel.

    λ = 1ᵀ T⁻¹, the column sums of T⁻¹, so that Σ_i λ_i t_i = 1ᵀ

    Parameters
    ----------
    channel
        T, invertible, with rows t_i.

    Returns
    -------
    A vector of length M. All positive: 1 is inside the cone of the rows, and small ε, δ cost
    nothing. One negative: 1 is outside the cone, and arbitrarily small ε, δ cost something. One
    zero and none negative: 1 is on the boundary, and both happen.

    Raises
    ------
    ValueError
        If the channel is singular.

    Source: counting paper, Theorem 2, statements 3 and 4.

    >>> from fractions import Fraction as F
    >>> [str(x) for x in cone_coordinates([[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)]])]
    ['2', '0']
    """
    undo = _undo(channel)
    coordinates: Matrix = sum(undo[1:], start=undo[0])
    return coordinates
