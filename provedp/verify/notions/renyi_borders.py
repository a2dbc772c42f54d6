"""The greatest probability of an event under bounds on Rényi divergences, from above.

Divergences of orders a at most D_a allow P(A) = p where Q(A) = q if, for each a,

    g(p) = p^a q^(1−a) + (1 − p)^a (1 − q)^(1−a) ≤ e^((a−1) D_a).

g is convex with its minimum at q. Newton's method, started at a point above the greatest such p,
therefore goes down and stays above. Each step is made smaller by more than its rounding error, so
that this is true of floats as well.
"""

import numpy as np

from provedp.theory.arrays import Floats

STEPS = 40
CLOSE = 1e-13  # relative step after which Newton's method ends
UNIT = 8 * float(np.finfo(np.float64).eps)  # relative error of a product of logarithms, or a sum


def greatest_probability(q: Floats, orders: Floats, divergences: Floats) -> Floats:
    """Return an upper bound on the greatest p that divergences of several orders allow at each q.

    Parameters
    ----------
    q
        Probabilities of an event under the second law.
    orders, divergences
        Orders above 1, and the bounds on the divergences of the first law from the second.

    Returns
    -------
    The least over the orders; 1 where q = 1, 0 where q = 0.

    >>> greatest_probability(np.array([0.1]), np.array([2.0]), np.array([np.log(1.36)])).round(9)
    array([0.28])
    """
    inside = np.clip(q.ravel(), np.finfo(np.float64).tiny, 1 - 2.0**-53)
    a = orders[:, None]
    ceiling = ((orders - 1) * divergences * (1 + UNIT))[:, None]
    first = (ceiling + (a - 1) * np.log(inside)) / a  # as if (1 − p)^a were 0
    p = np.exp(np.minimum(0.0, first + UNIT * (np.abs(first) + ceiling + 1)))
    for _ in range(STEPS):
        step = np.where(p < 1, _step(np.minimum(p, 1 - 2.0**-53), inside, a, ceiling), 0.0)
        p = p - step
        if np.all(step <= CLOSE * p):
            break
    least = np.minimum(1.0, np.min(p, axis=0) * (1 + STEPS * UNIT)).reshape(q.shape)
    return np.where(q <= 0, 0.0, np.where(q >= 1, 1.0, np.maximum(least, q)))


def _step(p: Floats, q: Floats, a: Floats, ceiling: Floats) -> Floats:
    """Return a step of Newton's method from p for g(p)/e^ceiling = 1, rounded towards 0."""
    own, other = a * np.log(p), (a - 1) * np.log(q)
    rest, rest_other = a * np.log1p(-p), (a - 1) * np.log1p(-q)
    error = UNIT * (np.abs(own) + np.abs(other) + ceiling + 1)
    rest_error = UNIT * (np.abs(rest) + np.abs(rest_other) + ceiling + 1)
    here, there = own - other - ceiling, rest - rest_other - ceiling
    low = np.exp(here - error) + np.exp(there - rest_error)
    slope = a * (np.exp(here + error) / p - np.exp(there - rest_error) / (1 - p))
    slope *= 1 + UNIT
    return np.where(slope > 0, np.maximum(low - 1 - UNIT, 0.0) / np.maximum(slope, 1e-300), 0.0)
