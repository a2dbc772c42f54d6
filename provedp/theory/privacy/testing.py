"""The whole privacy profile and the trade-off function of finite distributions.

Both are piecewise linear and given by their corners, in the order of the likelihood ratio.
"""

from collections.abc import Iterable
from itertools import groupby

from provedp.theory.domain import Distribution, domain
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Field, Number, field_of
from provedp.theory.privacy.finite import require_equal_supports

__all__ = ["privacy_profile", "trade_off"]


@domain(p=Distribution(), q=Distribution())
def privacy_profile(p: Matrix, q: Matrix) -> list[tuple[Number, Number]]:
    """Corners of the privacy profile k ↦ E_k(p ‖ q) of two finite distributions.

    E_k = Σ_j (p_j − k q_j)⁺ is convex and linear between consecutive ratios p_j/q_j.

    Parameters
    ----------
    p, q
        Distributions over the same n outcomes, of exact numbers or floats.

    Returns
    -------
    Pairs (k, E_k) for k = 0 and every finite ratio p_j/q_j > 0, ascending. Between them the profile
    is linear, and after the last one constant: the probability under p of what q excludes.

    Raises
    ------
    ValueError
        If p and q have different numbers of outcomes, or are not of ordered numbers.

    Source: ours, from the definition of E_k.

    >>> from fractions import Fraction as F
    >>> corners = privacy_profile([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)])
    >>> [f"{k} {delta}" for k, delta in corners]
    ['0 1', '1/2 1/2', '2 0']
    """
    impossible, groups = _by_ratio(p, q)
    above_p, above_q = impossible, 0 * impossible
    corners = []
    for p_mass, q_mass in groups:
        ratio = p_mass / q_mass
        corners.append((ratio, above_p - ratio * above_q))
        above_p, above_q = above_p + p_mass, above_q + q_mass
    return [(0 * above_p, above_p), *(corner for corner in reversed(corners) if corner[0] > 0)]


@domain(p=Distribution(), q=Distribution())
def trade_off(p: Matrix, q: Matrix) -> list[tuple[Number, Number]]:
    """Corners of the trade-off function of two finite distributions.

    T(α) = min {1 − Σ_j t_j q_j : 0 ≤ t ≤ 1, Σ_j t_j p_j ≤ α}

    Parameters
    ----------
    p, q
        Distributions over the same n outcomes, of exact numbers or floats.

    Returns
    -------
    Pairs (α, T(α)) of the type I error (rejecting p when it holds) and the least type II error, α
    ascending from 0 to P(q > 0); linear between them, and 0 from the last one on.

    Raises
    ------
    ValueError
        If p and q have different numbers of outcomes, or are not of ordered numbers.

    Source: Neyman and Pearson's lemma; Dong, Roth and Su, Gaussian Differential Privacy, eq. (1).

    >>> from fractions import Fraction as F
    >>> corners = trade_off([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)])
    >>> [f"{alpha} {beta}" for alpha, beta in corners]
    ['0 1', '1/3 1/3', '1 0']
    """
    impossible, groups = _by_ratio(q, p)
    alpha, beta = 0 * impossible, 1 - impossible
    corners = [(alpha, beta)]
    for q_mass, p_mass in groups:
        if q_mass > 0:
            alpha, beta = alpha + p_mass, beta - q_mass
            corners.append((alpha, beta))
    return corners


def _by_ratio(p: Matrix, q: Matrix) -> tuple[Number, Iterable[tuple[Number, Number]]]:
    """Return P(q = 0), and (p, q) summed over outcomes of one ratio p/q, descending."""
    require_equal_supports(p, q)
    if field_of(p[0]) > Field.FLOAT:
        raise ValueError("Likelihood ratios are ordered only for exact numbers and floats.")
    pairs = list(zip(p.tolist(), q.tolist(), strict=True))
    impossible = sum((a for a, b in pairs if b == 0), start=0 * pairs[0][0])
    possible = sorted((pair for pair in pairs if pair[1] > 0), key=_ratio, reverse=True)
    return impossible, [_total(same) for _, same in groupby(possible, key=_ratio)]


def _ratio(pair: tuple[Number, Number]) -> Number:
    return pair[0] / pair[1]


def _total(pairs: Iterable[tuple[Number, Number]]) -> tuple[Number, Number]:
    first, *others = pairs
    return (
        sum((a for a, _ in others), start=first[0]),
        sum((b for _, b in others), start=first[1]),
    )
