"""Averages over a minibatch that is drawn without replacement."""

from typing import Any

from provedp.theory.domain import domain, integers
from provedp.theory.modes.points import Points
from provedp.theory.numbers import Number

__all__ = ["minibatch_second_moment"]


@domain(contributions=Points(), m=integers(1))
def minibatch_second_moment(contributions: Any, m: int) -> Number:
    """Mean squared norm of the average of m of n vectors, drawn without replacement.

    E‖q̄‖² = (n − m)/(m n (n − 1)) Σ_i ‖q_i‖² + (1 − (n − m)/(m (n − 1))) ‖(1/n) Σ_i q_i‖²

    Parameters
    ----------
    contributions
        q_1, …, q_n, n × d with n at least 2.
    m
        Size of the minibatch, at most n.

    Returns
    -------
    The second moment, over the field of the contributions.

    Source: modes paper, eq. (20).

    >>> minibatch_second_moment([[0], [2]], 1)
    Fraction(2, 1)
    """
    n = len(contributions)
    if not (n >= 2 and m <= n):
        raise ValueError(f"A minibatch of {m} out of {n} vectors: it needs 2 or more, and m ≤ n.")
    squares: Number = (contributions * contributions).sum()
    total = contributions.sum(axis=0)
    mean: Number = (total * total).sum() / (n * n)
    return (n - m) * squares / (m * n * (n - 1)) + mean - (n - m) * mean / (m * (n - 1))
