"""Rényi divergences of finite distributions, and zero-concentrated differential privacy."""

import functools
import heapq
from fractions import Fraction
from typing import NamedTuple

from flint import arb, ctx

from provedp.theory.domain import Distribution, domain, integers
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Field, Number, ball, dyadic, field_of, rational
from provedp.theory.privacy.finite import require_equal_supports
from provedp.theory.privacy.functions import log, sqrt

__all__ = ["renyi_divergence", "renyi_power_sum", "zcdp"]

GUARD_BITS = 64  # orders come within 2⁻²⁰ of 1, where D_α divides by α − 1
ZCDP_WIDTH = Fraction(1, 1 << 13)  # relative width at which the search for ρ stops
MOST_CELLS = 1 << 12  # or after this many steps, with a wider bracket

LARGEST_ORDER = 1 << 40  # beyond it, D_α/α is bounded by D_∞/α

Losses = list[tuple[arb, arb]]  # probabilities under p and privacy losses ln(p/q)


class Point(NamedTuple):
    """An order α and K(α) = (α − 1) D_α, a convex function of α."""

    order: Fraction
    cumulant: arb

    def value(self) -> arb:
        """Return D_α/α."""
        return self.cumulant / ball(self.order * (self.order - 1))


Cell = tuple[Fraction, Fraction, Point, Point]  # minus the bound on D_α/α, where, and both ends


@domain(p=Distribution(), q=Distribution(), order=integers(2))
def renyi_power_sum(p: Matrix, q: Matrix, order: int) -> Number:
    """Power sum of two finite distributions: the exponential of a Rényi divergence.

    S_α = Σ_j p_j^α q_j^(1−α) = e^((α − 1) D_α(p ‖ q))

    Parameters
    ----------
    p, q
        Distributions over the same n outcomes; every outcome of p must be possible under q.
    order
        α.

    Returns
    -------
    S_α ≥ 1, over the field of p and q: exact for rationals.

    Raises
    ------
    ValueError
        If p and q have different numbers of outcomes, or the sum is infinite.

    Source: Mironov, Rényi Differential Privacy, Definition 3.

    >>> from fractions import Fraction as F
    >>> renyi_power_sum([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)], 2)
    Fraction(3, 2)
    """
    terms = [a * (a / b) ** (order - 1) for a, b in _common_outcomes(p, q)]
    return sum(terms[1:], start=terms[0])


@domain(p=Distribution(), q=Distribution(), order=integers(2))
def renyi_divergence(p: Matrix, q: Matrix, order: int) -> Number:
    """Rényi divergence of two finite distributions.

    D_α(p ‖ q) = ln S_α / (α − 1)

    Parameters
    ----------
    p, q
        Distributions over the same n outcomes; every outcome of p must be possible under q.
    order
        α.

    Returns
    -------
    The divergence in nats: a float for floats, a ball for balls and exact numbers, an expression
    for symbols.

    Raises
    ------
    ValueError
        If p and q have different numbers of outcomes, or D_α is infinite.

    Source: Mironov, Rényi Differential Privacy, Definition 3.

    >>> from fractions import Fraction as F
    >>> renyi_divergence([F(1), F(0)], [F(1, 2), F(1, 2)], 2).overlaps(arb(2).log())
    True
    """
    return log(renyi_power_sum(p, q, order)) / (order - 1)


@domain(p=Distribution(), q=Distribution())
def zcdp(p: Matrix, q: Matrix) -> arb:
    """Least ρ of zero-concentrated differential privacy for one ordered pair of distributions.

    ρ = sup over α > 1 of D_α(p ‖ q)/α

    (α − 1) D_α is convex, so that its chord bounds the ratio on an interval of orders; beyond b the
    ratio is at most D_∞/b. Intervals are halved, the largest bound first, until the bound is close
    to a value.

    Parameters
    ----------
    p, q
        Distributions over the same n outcomes; every outcome of p must be possible under q. Floats
        are read exactly and divided by their sum.

    Returns
    -------
    A ball that contains ρ, of relative width 2⁻¹³ unless p and q are hard to tell apart.

    Raises
    ------
    ValueError
        If p and q have different numbers of outcomes, or ρ is infinite.

    Source: Bun and Steinke, Concentrated Differential Privacy, Definition 1.1; the bracket is ours.

    >>> from fractions import Fraction as F
    >>> zcdp([F(1), F(0)], [F(1, 2), F(1, 2)]).overlaps(arb(2).log())
    True
    """
    if field_of(p[0]) is Field.SYMBOL:
        raise ValueError("ρ has a value for numbers only, not for symbols.")
    pairs = _common_outcomes(_normalised(p), _normalised(q))
    with ctx.workprec(ctx.prec + GUARD_BITS):
        lower, upper = _bracket([(ball(a), ball(a / b).log()) for a, b in pairs])
    return ball(lower).union(ball(upper))


def _common_outcomes(p: Matrix, q: Matrix) -> list[tuple[Number, Number]]:
    require_equal_supports(p, q)
    pairs = [(a, b) for a, b in zip(p.tolist(), q.tolist(), strict=True)]
    for outcome, (a, b) in enumerate(pairs, start=1):
        if b == 0 and not a == 0:
            raise ValueError(f"Infinite: outcome {outcome} has probability {a} under p, 0 under q.")
    return [(a, b) for a, b in pairs if not a == 0]


def _normalised(p: Matrix) -> Matrix:
    if field_of(p[0]) is not Field.FLOAT:
        return p
    exact = [rational(entry) for entry in p.tolist()]
    total = sum(exact)
    normalised: Matrix = p.astype(object)
    normalised[:] = [entry / total for entry in exact]
    return normalised


def _bracket(losses: Losses) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound on sup D_α/α."""
    most = _upper(functools.reduce(arb.max, (loss for _, loss in losses)))
    lower = _lower(sum((mass * loss for mass, loss in losses), start=arb(0)))
    cells: list[Cell] = []
    end = Point(Fraction(1), arb(0))
    while most > lower * end.order and end.order < LARGEST_ORDER:
        start, end = end, _point(losses, 2 * end.order)
        lower = max(lower, _lower(end.value()))
        heapq.heappush(cells, _cell(start, end))
    for _ in range(MOST_CELLS):
        if not cells or -cells[0][0] <= lower * (1 + ZCDP_WIDTH):
            break
        _, _, left, right = heapq.heappop(cells)
        middle = _point(losses, (left.order + right.order) / 2)
        lower = max(lower, _lower(middle.value()))
        heapq.heappush(cells, _cell(left, middle))
        heapq.heappush(cells, _cell(middle, right))
    upper = max([lower, most / end.order, *(-cell[0] for cell in cells[:1])])
    return lower, max(lower, min(upper, most))


def _point(losses: Losses, order: Fraction) -> Point:
    terms = (mass * (ball(order - 1) * loss).exp() for mass, loss in losses)
    return Point(order, sum(terms, start=arb(0)).log())


def _cell(left: Point, right: Point) -> Cell:
    """Return the orders between two points with an upper bound on D_α/α, from the chord of K.

    The chord is m (α − 1) − e with e ≥ 0, because K is convex and K(1) = 0; so D_α/α is at most
    m/α − e/(α (α − 1)), which rises up to α − 1 = (e + √(e² + me))/m and then falls.
    """
    rise = (right.cumulant - left.cumulant) / ball(right.order - left.order)
    lack = (rise * ball(left.order - 1) - left.cumulant).max(arb(0))
    if left.order == 1 or not rise > 0:
        bound = rise
    else:
        top = 1 + (lack + sqrt(lack * (lack + rise))) / rise
        order = top.max(ball(left.order)).min(ball(right.order))
        bound = (rise - lack / (order - 1)) / order
    return -_upper(bound), left.order, left, right


def _upper(value: arb) -> Fraction:
    return max(dyadic(value.upper()), Fraction(0))


def _lower(value: arb) -> Fraction:
    return max(dyadic(value.lower()), Fraction(0))
