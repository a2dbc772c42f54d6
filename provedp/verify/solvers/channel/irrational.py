"""Irrational problems: a rational neighbour is solved and its bracket widened by a bound."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from provedp.theory.counting import error
from provedp.theory.counting.release import COUNTS
from provedp.theory.domain import (
    Reals,
    StochasticMatrix,
    check_argument,
    domain,
    integers,
    require,
)
from provedp.theory.matrices import Matrix, entries, matrix
from provedp.theory.numbers import Field, Number, common_field, field_of, rational
from provedp.verify.solvers.channel.bracket import Bracket, Problem, RationalReals
from provedp.verify.solvers.channel.canonical import (
    BY_STRUCTURE,
    Canonical,
    least_error_by_structure,
)
from provedp.verify.solvers.channel.solver import enclosed
from provedp.verify.solvers.check import check_dual

__all__ = ["BallBracket", "channel_perturbation", "least_error_behind_balls", "least_error_of_ball"]

DIGITS = 40  # decimals of the rational neighbours
LONG = 1 << 20  # bits of a power of k from which balls are used
EXACT_OR_BALL = (Field.RATIONAL, Field.FLINT, Field.BALL)

SLACK = RationalReals(0, 1, open_high=True)


@dataclass(frozen=True)
class BallReals(Reals):
    """Balls and rationals that may be at least `low`."""

    def read(self, value: Any) -> Number:
        """Return `value`."""
        require(field_of(value) in EXACT_OR_BALL)
        number: Number = super().read(value)
        return number

    def __str__(self) -> str:
        return super().__str__().replace("a number", "a ball or a rational number")


@dataclass(frozen=True)
class BallChannel(StochasticMatrix):
    """Square stochastic matrices of balls or rationals."""

    def read(self, value: Any) -> Matrix:
        """Return `value` as a matrix."""
        result = super().read(value)
        require(common_field(entries(result)) in EXACT_OR_BALL, "a matrix of other numbers")
        return result

    def __str__(self) -> str:
        return super().__str__().replace("a square matrix", "a square matrix of balls or rationals")


@dataclass(frozen=True, eq=False)
class BallBracket(Bracket):
    """A bracket for all problems inside balls; its points belong to a rational neighbour.

    Parameters
    ----------
    neighbour
        The rational problem that `primal` solves; k is the lower end of the ball.
    widening
        How much wider this bracket is on either side.
    """

    neighbour: Problem
    widening: Fraction


@domain(
    size=integers(2),
    k=RationalReals(1),
    delta=SLACK,
    distance=RationalReals(0),
    least_column_mean=RationalReals(),
)
def channel_perturbation(
    size: int, k: Fraction, delta: Fraction, distance: Fraction, least_column_mean: Fraction
) -> Fraction:
    """Bound on the change of the least error when the channel changes by a little.

    |p_e*(T) − p_e*(T′)| ≤ s + η for |T − T′|_max ≤ η, with
    s = (1 + k) η / ((k − 1) c) at δ = 0 and s = M (1 + k) η / δ at δ > 0

    Let Q′ = PT′ be private and Q = PT. Rows of P are distributions, so |Q − Q′|_max ≤ η and
    Q_aj − k Q_bj ≤ Q′_aj − k Q′_bj + (1 + k) η. Let R = (1 − s) Q + s UT with U uniform: the rows
    of UT are equal, with entries ≥ c. At δ = 0,
    R_aj − k R_bj ≤ (1 − s)(1 + k) η − s (k − 1) c ≤ 0. At δ > 0, the divergence of the rows of R is
    at most (1 − s)(δ + M (1 + k) η) ≤ δ. So R is private, and R_ii ≥ (1 − s)(Q′_ii − η) ≥
    Q′_ii − s − η. The roles of T and T′ may be exchanged.

    Parameters
    ----------
    size
        M, the number of counts.
    k
        e^ε; greater than 1 if δ = 0.
    distance
        η.
    least_column_mean
        c: no column mean of T or T′ is smaller; only needed at δ = 0.

    Returns
    -------
    A rational bound, at most 1.

    Raises
    ------
    ValueError
        If δ = 0 and k = 1 or c ≤ 0.

    Source: ours.

    >>> channel_perturbation(4, 2, 0, Fraction(1, 100), Fraction(1, 4))
    Fraction(13, 100)
    """
    if distance == 0:
        return distance
    if delta > 0:
        return min(size * (1 + k) * distance / delta + distance, Fraction(1))
    if k == 1 or least_column_mean <= 0:
        raise ValueError(
            f"At delta = 0 the optimum behind an inexact channel is not bounded for k = {k} "
            f"and a least column mean of {least_column_mean}."
        )
    return min((1 + k) * distance / ((k - 1) * least_column_mean) + distance, Fraction(1))


def least_error_of_ball(m: int, k: Number, delta: Number) -> BallBracket:
    """Optimum of (6) for every k in a ball, as `least_error` for its two ends.

    The error falls with k: the lower end of the ball gives the upper bound.

    Parameters
    ----------
    m
        Number of counts, at least 2.
    k
        e^ε as a ball or a rational, at least 1.
    delta
        δ in [0, 1), rational.

    Returns
    -------
    A bracket whose points are P* and the closed multipliers at rational ends of the ball.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Source: counting paper, eq. (6) and Theorem 1; the dual point is ours.

    >>> best = least_error_of_ball(8, arb(2), 0)
    >>> best.lower, best.upper
    (Fraction(29, 45), Fraction(29, 45))
    """
    where = "counting.least_error_of_ball"
    size = check_argument(where, "m", COUNTS, m)
    low, high = _ends(check_argument(where, "k", BallReals(1), k))
    slack = check_argument(where, "delta", SLACK, delta)
    lower, upper = (_end(size, end, slack) for end in (high, low))
    points = Canonical(size, low, slack, dual_k=high)
    problem = Problem(None, low, slack)
    return BallBracket(
        lower.lower, upper.upper, points, upper.decided_by, problem, widening=Fraction(0)
    )


def _end(size: int, k: Fraction, delta: Fraction) -> Bracket:
    """Return the bracket at a rational k, in balls if its exact numbers would be long."""
    if size * k.numerator.bit_length() <= LONG:
        return least_error_by_structure(size, k, delta)
    numbers = (arb(fmpq(*number.as_integer_ratio())) for number in (k, delta))
    value = error(size, *numbers)
    assert isinstance(value, arb)
    return Bracket(
        _exact(value.lower()), _exact(value.upper()), Canonical(size, k, delta), BY_STRUCTURE
    )


def least_error_behind_balls(channel: Any, k: Number, delta: Number) -> BallBracket:
    """Least worst-case error behind every channel and for every k inside balls.

    A rational neighbour of the channel is solved at the lower end of k, its multipliers are
    evaluated at the upper end, and both bounds are widened by `channel_perturbation`.

    Parameters
    ----------
    channel
        Row-stochastic M × M matrix of balls or rationals.
    k
        e^ε as a ball or a rational, at least 1; certainly greater than 1 if δ = 0 and the channel
        is not rational.
    delta
        δ in [0, 1), rational.

    Returns
    -------
    A bracket that holds for all problems inside the balls.

    Raises
    ------
    ValueError
        If an argument is outside its range, or too close to k = 1 at δ = 0.
    UndecidedError
        If the neighbour is not solved.

    Source: counting paper, Section V; the perturbation bound is ours.

    >>> best = least_error_behind_balls([[arb("2/3"), arb("1/3")]] * 2, arb(1).exp(), 0)
    >>> round(float(best.lower), 9), best.widening < Fraction(1, 10**12)
    (0.666666667, True)
    """
    where = "counting.least_error_behind_balls"
    table = check_argument(where, "channel", BallChannel(), channel)
    low, high = _ends(check_argument(where, "k", BallReals(1), k))
    slack = check_argument(where, "delta", SLACK, delta)
    near, distance = neighbour(table)
    column_mean = min(sum(column) for column in near.T) / len(near) - distance
    widening = max(
        channel_perturbation(len(near), end, slack, distance, column_mean) for end in (low, high)
    )
    problem = Problem(near, low, slack)
    return _widened(enclosed(problem, near), problem, high, widening)


def _widened(found: Bracket, problem: Problem, high: Fraction, widening: Fraction) -> BallBracket:
    """Return a bracket at the lower end of k as one for all k up to `high` and all channels."""
    rows = None if problem.channel is None else problem.channel.tolist()
    lower = check_dual(found.dual.weights, found.dual.multipliers, high, problem.delta, rows)
    return BallBracket(
        max(lower - widening, Fraction(0)),
        min(found.upper + widening, Fraction(1)),
        found.points,
        found.decided_by,
        problem,
        widening,
    )


def _exact(value: arb) -> Fraction:
    """Return an exact ball (radius 0) as a fraction."""
    mantissa, exponent = (int(part) for part in value.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def _ends(k: Number) -> tuple[Fraction, Fraction]:
    """Return rationals of few digits around k, the lower one at least 1."""
    if not isinstance(k, arb):
        return rational(k), rational(k)
    unit = 10**DIGITS
    low = Fraction(math.floor(_exact(k.lower()) * unit), unit)
    high = Fraction(math.ceil(_exact(k.upper()) * unit), unit)
    return max(low, Fraction(1)), high


def neighbour(channel: Matrix) -> tuple[Matrix, Fraction]:
    """Return a rational stochastic matrix and a bound on its distance from all in `channel`."""
    if common_field(channel.ravel()) is not Field.BALL:
        return matrix([[rational(entry) for entry in row] for row in channel]), Fraction(0)
    near = matrix([_rounded(row) for row in channel])
    gaps = (
        abs(_exact(entry.mid()) - close) + _exact(entry.rad())
        for entry, close in zip(channel.ravel(), near.ravel(), strict=True)
    )
    return near, max(gaps)


def _rounded(row: Matrix) -> list[Fraction]:
    unit = 10**DIGITS
    near = [Fraction(max(round(_exact(entry.mid()) * unit), 0), unit) for entry in row]
    largest = max(range(len(near)), key=near.__getitem__)
    near[largest] += 1 - sum(near)
    return near
