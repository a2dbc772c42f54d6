"""Divergences of finite distributions, and the privacy of mechanisms on counts, exactly.

Throughout, `k` stands for e^ε (ε in nats), so that rationals stay rational.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from flint import arb

from provedp.theory.domain import (
    Distribution,
    RealVector,
    StochasticMatrix,
    argument_error,
    domain,
    reals,
)
from provedp.theory.matrices import Matrix, over_common_denominator
from provedp.theory.numbers import Field, Number, certainly, field_of, lift, maximum, rational

__all__ = ["hockey_stick", "path_delta", "path_profile", "worst_event", "worst_path_event"]


class Event(NamedTuple):
    """A set of outcomes, counted from 0, and the divergence that it attains."""

    outcomes: tuple[int, ...]
    delta: Number


class PathEvent(NamedTuple):
    """An event and the ordered pair of rows, counted from 0, for which it is the worst."""

    pair: tuple[int, int]
    outcomes: tuple[int, ...]
    delta: Number


@domain(p=Distribution(), q=Distribution(), k=reals(0))
def hockey_stick(p: Matrix, q: Matrix, k: Number) -> Number:
    """Hockey-stick divergence of two finite distributions.

    E_k(p ‖ q) = Σ_j (p_j − k q_j)⁺ = max_U p(U) − k q(U)

    Parameters
    ----------
    p, q
        Distributions over the same n outcomes.

    Returns
    -------
    The least δ with p(U) ≤ k q(U) + δ for every event U; 0 ≤ E_k ≤ 1 for k ≥ 1.

    Raises
    ------
    ValueError
        If p and q have different numbers of outcomes.

    Source: counting paper, eq. (2), written as one maximum over U.

    >>> from fractions import Fraction as F
    >>> hockey_stick([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)], F(3, 2))
    Fraction(1, 6)
    """
    require_equal_supports(p, q)
    return _excess(_Row(p), _Row(q), k)


@domain(p=Distribution(), q=Distribution(), k=reals(0))
def worst_event(p: Matrix, q: Matrix, k: Number) -> Event:
    """Event that tells p from q best: the outcomes that p makes more than k times as likely.

    U = {j : p_j > k q_j}, p(U) − k q(U) = E_k(p ‖ q)

    Parameters
    ----------
    p, q
        Distributions over the same n outcomes.

    Returns
    -------
    The outcomes of U, counted from 0 (for balls, those that are certainly in it), and E_k(p ‖ q).

    Raises
    ------
    ValueError
        If p and q have different numbers of outcomes.

    Source: Neyman and Pearson's lemma.

    >>> from fractions import Fraction as F
    >>> worst_event([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)], F(3, 2))
    Event(outcomes=(0,), delta=Fraction(1, 6))
    """
    require_equal_supports(p, q)
    return Event(_outcomes(p, q, k), _excess(_Row(p), _Row(q), k))


@domain(mechanism=StochasticMatrix(square=False), k=reals(0))
def path_delta(mechanism: Matrix, k: Number) -> Number:
    """Return the least δ for which a mechanism on consecutive counts is (ln k, δ)-private.

    δ(k) = max over |a − b| = 1 of E_k(row a ‖ row b), in O(M²) operations.

    Returns
    -------
    The largest hockey-stick divergence between neighbouring rows.

    Source: counting paper, eq. (2).

    >>> from fractions import Fraction as F
    >>> path_delta([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], F(2))
    Fraction(0, 1)
    """
    return _worst([_Row(row) for row in mechanism], k)


@domain(mechanism=StochasticMatrix(square=False), k=reals(0))
def worst_path_event(mechanism: Matrix, k: Number) -> PathEvent:
    """Pair of consecutive counts and event that show how little privacy a mechanism gives.

    argmax over |a − b| = 1 and U of P(U | a) − k P(U | b), in O(M²) operations.

    Parameters
    ----------
    mechanism
        Row-stochastic M × n matrix with at least two rows; row i is the law for count i.

    Returns
    -------
    The first worst ordered pair of rows (a, b), the event and its δ, all counted from 0. For balls,
    the pair whose divergence has the largest midpoint.

    Raises
    ------
    ValueError
        If the mechanism has only one row.

    Source: counting paper, eq. (2).

    >>> from fractions import Fraction as F
    >>> worst_path_event([[F(2, 3), F(1, 3)], [F(1, 4), F(3, 4)]], F(2))
    PathEvent(pair=(0, 1), outcomes=(0,), delta=Fraction(1, 6))
    """
    if len(mechanism) < 2:
        raise ValueError("A matrix with one row has no neighbouring rows.")
    rows = [_Row(row) for row in mechanism]
    delta, (a, b) = max(_neighbours(rows, k), key=lambda found: _midpoint(found[0]))
    return PathEvent((a, b), _outcomes(mechanism[a], mechanism[b], k), delta)


@domain(mechanism=StochasticMatrix(square=False), ratios=RealVector())
def path_profile(mechanism: Matrix, ratios: Matrix) -> list[Number]:
    """Privacy profile of a mechanism on consecutive counts.

    k ↦ δ(k) of `path_delta`, for each k of `ratios`.

    Parameters
    ----------
    ratios
        Values of k = e^ε, at least 0.

    Returns
    -------
    The least δ for each of them.

    Raises
    ------
    ValueError
        If a ratio is negative.

    Source: counting paper, eq. (2).

    >>> from fractions import Fraction as F
    >>> rows = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
    >>> [str(delta) for delta in path_profile(rows, [F(1), F(3, 2), F(2)])]
    ['1/3', '1/6', '0']
    """
    if any(certainly(k < 0) for k in ratios):
        raise argument_error("privacy.path_profile", "ratios", "at least 0", list(ratios))
    rows = [_Row(row) for row in mechanism]
    return [_worst(rows, k) for k in ratios]


def require_equal_supports(p: Matrix, q: Matrix) -> None:
    """Raise `ValueError` unless p and q have equally many outcomes."""
    if len(p) != len(q):
        raise ValueError(f"The supports of p and q differ: {len(p)} and {len(q)} outcomes.")


class _Row:
    """A distribution; an exact one as integers over one denominator, which is what makes it fast.

    A sum of fractions reduces after every addition; a sum of integers reduces once.
    """

    def __init__(self, row: Matrix):
        self.field = field_of(row[0])
        self.entries = row
        self.whole: Number = 1
        if self.field <= Field.FLINT:
            parts, self.whole = over_common_denominator(row)
            self.entries = np.array(parts, dtype=object)


def _excess(p: _Row, q: _Row, k: Number) -> Number:
    """Return Σ_j (p_j − k q_j)⁺."""
    if p.field > Field.FLINT:
        return _sum_of_positive_parts(p.entries - q.entries * k, 0 * k)
    ratio = rational(k)
    left, right = q.whole * ratio.denominator, p.whole * ratio.numerator
    total = _sum_of_positive_parts(p.entries * left - q.entries * right, 0)
    return lift(rational(total) / (p.whole * left), p.field)


def _sum_of_positive_parts(gaps: Matrix, zero: Number) -> Number:
    if gaps.dtype == np.float64:
        return float(np.maximum(gaps, 0.0).sum())
    return sum((maximum(gap, zero) for gap in gaps), start=zero)


def _neighbours(rows: list[_Row], k: Number) -> Iterator[tuple[Number, tuple[int, int]]]:
    """Yield E_k(row a ‖ row b) and (a, b) for the neighbours a and b in both orders."""
    for low in range(len(rows) - 1):
        for a, b in ((low, low + 1), (low + 1, low)):
            yield _excess(rows[a], rows[b], k), (a, b)


def _worst(rows: list[_Row], k: Number) -> Number:
    worst = 0 * k
    for divergence, _ in _neighbours(rows, k):
        worst = maximum(worst, divergence)
    return worst


def _outcomes(p: Matrix, q: Matrix, k: Number) -> tuple[int, ...]:
    return tuple(
        index for index, (a, b) in enumerate(zip(p, q, strict=True)) if certainly(a > k * b)
    )


def _midpoint(value: Number) -> Number:
    return value.mid() if isinstance(value, arb) else value
