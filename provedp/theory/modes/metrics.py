"""How far found modes are from the true ones: matching error, and loss of a modal regression."""

import functools

import numpy as np
from scipy.optimize import linear_sum_assignment

from provedp.theory.domain import RealVector, domain, reals
from provedp.theory.matrices import Matrix
from provedp.theory.modes.points import Points, same_dimension
from provedp.theory.numbers import Number, minimum

__all__ = ["matching_error", "regression_loss"]


@domain(reference=Points(), estimate=Points())
def matching_error(reference: Matrix, estimate: Matrix) -> Number:
    """Mean squared distance of matched modes.

    (1/max(k, k̂)) min Σ ‖μ_j − μ̂_l‖² over one-to-one matchings of min(k, k̂) pairs

    Modes without a partner cost nothing but enlarge the denominator. The matching is found in
    floating point; for exact numbers its cost is then exact.

    Parameters
    ----------
    reference
        k points μ_j.
    estimate
        k̂ points μ̂_l.

    Returns
    -------
    The error, in squared units of the points.

    Raises
    ------
    ValueError
        If the dimensions differ.

    Source: modes paper, eq. (14).

    >>> from fractions import Fraction as F
    >>> matching_error([[F(0), F(0)], [F(4), F(0)]], [[F(4), F(1)], [F(1, 2), F(0)]])
    Fraction(5, 8)
    >>> matching_error([[0.0], [4.0]], [[1.0]])
    0.5
    """
    same_dimension("estimate", estimate, reference)
    costs = ((reference[:, None] - estimate[None]) ** 2).sum(axis=2).tolist()
    approximate = np.array([[float(cost) for cost in row] for row in costs])
    matched = zip(*linear_sum_assignment(approximate), strict=True)
    total = functools.reduce(lambda sum_, pair: sum_ + costs[pair[0]][pair[1]], matched, 0)
    return total / max(len(reference), len(estimate))


@domain(estimate=reals(), modes=RealVector())
def regression_loss(estimate: Number, modes: Matrix) -> Number:
    """Squared distance of an estimated response to the nearest conditional mode.

    min over m ∈ M(x) of (ŷ(x) − m)²

    Parameters
    ----------
    estimate
        ŷ(x).
    modes
        M(x), one or more.

    Returns
    -------
    The loss.

    Raises
    ------
    ValueError
        If there are no modes.

    Source: modes paper, eq. (15).

    >>> from fractions import Fraction as F
    >>> regression_loss(F(1), [F(3), F(1, 2)])
    Fraction(1, 4)
    """
    losses: list[Number] = [(estimate - mode) ** 2 for mode in modes]
    return functools.reduce(minimum, losses)
