"""Pools of starts: the correlation of their noise, and how far a move of all is in its units."""

from typing import Any

from provedp.theory.domain import domain, reals
from provedp.theory.matrices import Matrix, inverse
from provedp.theory.modes.points import Points, analytic, exp_of, same_dimension, sqrt_of
from provedp.theory.numbers import Number
from provedp.theory.privacy.functions import sqrt, transcendental

__all__ = ["pool_correlation", "pool_shift"]

BANDWIDTH = reals(0, open_low=True)


@domain(points=Points(), h=BANDWIDTH)
def pool_correlation(points: Any, h: Number) -> Matrix:
    """Correlation matrix of the noise at k starts.

    K_{ℓr} = C̄_h(x_ℓ, x_r) = e^(−‖x_ℓ − x_r‖/h)

    Parameters
    ----------
    points
        The starts, k × d.

    Returns
    -------
    The k × k matrix: floats for floats, expressions for symbols, balls for balls and exact numbers.

    Source: modes paper, Algorithm 1 and Lemma 3.

    >>> pool_correlation([[0.0], [2.0]], 2.0).round(6).tolist()
    [[1.0, 0.367879], [0.367879, 1.0]]
    """
    values = analytic(points)
    gaps = values[:, None, :] - values[None, :, :]
    return exp_of(-sqrt_of((gaps * gaps).sum(axis=2)) / transcendental(h))


@domain(change=Points(), points=Points(), h=BANDWIDTH)
def pool_shift(change: Any, points: Any, h: Number) -> Number:
    """Length of a move of the scores at all starts, in units of their correlated noise.

    √(Σ_j Δ_{·j}ᵀ K⁻¹ Δ_{·j}), K of `pool_correlation`

    Parameters
    ----------
    change
        Δ, the moves at the k starts, k × d.
    points
        The starts, k × d, all different.

    Returns
    -------
    The Mahalanobis length for σ = 1, fields as for `pool_correlation`.

    Raises
    ------
    ValueError
        If the shapes differ, or two starts coincide.

    Source: modes paper, the proof of Lemma 3.

    >>> round(pool_shift([[0.5], [0.0]], [[0.0], [2.0]], 2.0), 6)
    0.537708
    """
    if change.shape != points.shape:
        same_dimension("change", change, points)
        raise ValueError(f"{len(change)} moves for {len(points)} starts.")
    moves = analytic(change)
    weights = inverse(pool_correlation(points, h))
    square: Number = (moves * (weights @ moves)).sum()
    return sqrt(square)
