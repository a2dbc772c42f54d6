"""Updates of partial mean shift: clipped shares of a weighted mean, and sums instead."""

from typing import Any

from provedp.theory.domain import RealVector, domain, integers, reals
from provedp.theory.modes.points import analytic, exp_of
from provedp.theory.numbers import Number, maximum, minimum
from provedp.theory.privacy.functions import exp, numeric

__all__ = [
    "clipped_share_sensitivity",
    "clipped_share_update",
    "response_sum_sensitivity",
    "shift_numerator",
]

POSITIVE = reals(0, open_low=True)


@domain(offsets=RealVector(), h=POSITIVE, clip=POSITIVE)
def clipped_share_update(offsets: Any, h: Number, clip: Number) -> Number:
    """Sum of the clipped shares of a weighted mean of offsets.

    Σ_i max{−C, min{w_i t_i/Σ_l w_l, C}}, w_i = e^(−t_i²/(2h²)), t_i = Y_i − y

    Parameters
    ----------
    offsets
        t_1, …, t_m, at equal predictors.
    clip
        C.

    Returns
    -------
    The update Δ: a float for floats, a ball for balls and exact numbers.

    Source: modes paper, Algorithm 4.

    >>> round(float(clipped_share_update([-1.0, 2.0], 0.5, 1.0)), 6)
    -0.992582
    """
    moves, width = analytic(offsets), numeric(h)
    weights = exp_of(-moves * moves / (2 * width * width))
    shares = moves * weights / weights.sum()
    level = numeric(clip)
    return sum((maximum(minimum(share, level), -level) for share in shares), start=0 * level)


@domain(clip=POSITIVE, m=integers(1))
def clipped_share_sensitivity(clip: Number, m: int) -> Number:
    """Least bound on the move of `clipped_share_update` when one of m records is replaced.

    (m + 1) C: the weights share one total, so each of the other m − 1 terms moves by up to C, and
    the replaced one by up to 2C

    Parameters
    ----------
    clip
        C.
    m
        Number of records.

    Returns
    -------
    (m + 1) C, over the field of C; the average of the terms moves by an m-th of it.

    Source: ours, in the place of 2C for the modes paper's Algorithm 4 and of 2C/m for Section 5.1.

    >>> clipped_share_sensitivity(1, 20)
    Fraction(21, 1)
    """
    return (m + 1) * clip


@domain(offsets=RealVector(), h=POSITIVE)
def shift_numerator(offsets: Any, h: Number) -> Number:
    """Mean of the weighted offsets, the numerator of a mean-shift step.

    1/m Σ_i w_i t_i, w_i = e^(−t_i²/(2h²))

    Parameters
    ----------
    offsets
        t_1, …, t_m.

    Returns
    -------
    The numerator: a float for floats, a ball for balls and exact numbers.

    Source: ours, after the modes paper's Algorithm 4.

    >>> round(float(shift_numerator([1.0, -2.0], 1.0)), 6)
    0.16793
    """
    moves, width = analytic(offsets), numeric(h)
    total: Number = (moves * exp_of(-moves * moves / (width * width * 2))).sum()
    return total / len(moves)


@domain(h=POSITIVE, m=integers(1))
def response_sum_sensitivity(h: Number, m: int) -> Number:
    """Least bound on the move of `shift_numerator` when one of m records is replaced.

    2 h e^(−1/2)/m: w t is largest at t = h, least at t = −h

    Parameters
    ----------
    m
        Number of records.

    Returns
    -------
    The sensitivity: a float for floats, a ball for balls and exact numbers.

    Source: ours.

    >>> round(response_sum_sensitivity(1.0, 1), 6)
    1.213061
    """
    width = numeric(h)
    return 2 * width * exp(-(0 * width + 1) / 2) / m
