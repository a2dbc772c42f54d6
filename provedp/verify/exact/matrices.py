"""Audits of mechanisms with finitely many outcomes whose law is known, in exact arithmetic."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from provedp.mechanisms.exact.parameters import delta_below
from provedp.theory.domain import (
    Distribution,
    StochasticMatrix,
    check_argument,
    integers,
    reals,
)
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Field, ball, dyadic, rational
from provedp.theory.privacy import hockey_stick, worst_event


@dataclass(frozen=True)
class ExactResult:
    """What an exact audit found.

    Attributes
    ----------
    refuted
        Whether some event breaks the claim: proved by its exact probabilities.
    delta
        The least δ at a ratio no less than e^ε, over all pairs and both orders, as a fraction.
    claimed_delta
        The claimed one.
    pair
        The indices (i, j) of the two laws for which it is attained.
    outcomes
        The event: the indices of its outcomes.
    """

    refuted: bool
    delta: Fraction
    claimed_delta: Fraction
    pair: tuple[int, int]
    outcomes: tuple[int, ...]


def audit_matrix(
    mechanism: Any,
    epsilon: Any,
    delta: Any = 0,
    pairs: Iterable[tuple[int, int]] | None = None,
) -> ExactResult:
    """Decide whether a mechanism with finitely many outcomes is (ε, δ)-private.

    Parameters
    ----------
    mechanism
        Row-stochastic matrix of exact numbers; row i is the law for input i. Floats count as what
        they are exactly; their rows are divided by their sums.
    epsilon
        ε in nats: a number, or a pair ('ratio', k) for e^ε = k exactly.
    delta
        δ in [0, 1).
    pairs
        Adjacent rows; consecutive ones by default. Both orders are examined.

    Returns
    -------
    An `ExactResult`. e^ε is replaced by a rational just above it, so that a refutation is proved;
    only an excess of δ below 10⁻³⁰ of that rounding could be missed.

    Raises
    ------
    ValueError
        If the matrix is not row-stochastic, or ε or δ is outside its range.

    >>> third = Fraction(1, 3)
    >>> audit_matrix([[2 * third, third], [third, 2 * third]], ("ratio", 2)).refuted
    False
    >>> audit_matrix([[2 * third, third], [third, 2 * third]], ("ratio", Fraction(3, 2))).delta
    Fraction(1, 6)
    """
    rows = exact_rows(mechanism, "audit_matrix")
    ratio, allowed = _ratio_above(epsilon), delta_below(delta, "audit_matrix")
    both = listed_pairs(pairs, len(rows))
    deltas: list[Fraction] = [rational(hockey_stick(rows[i], rows[j], ratio)) for i, j in both]
    worst = max(range(len(both)), key=deltas.__getitem__)
    i, j = both[worst]
    outcomes = worst_event(rows[i], rows[j], ratio).outcomes
    refuted = bool(deltas[worst] > allowed)
    return ExactResult(refuted, deltas[worst], allowed, (i, j), outcomes)


def audit_pmf(first: Any, second: Any, epsilon: Any, delta: Any = 0) -> ExactResult:
    """Decide whether two laws on the same outcomes are (ε, δ)-indistinguishable.

    Parameters and result as for `audit_matrix`.

    >>> audit_pmf(["1/2", "1/2", "0"], ["0", "1/2", "1/2"], 1, "1/4").delta
    Fraction(1, 2)
    """
    return audit_matrix([first, second], epsilon, delta)


def exact_rows(mechanism: Any, where: str) -> Matrix:
    """Return the rows of a mechanism as fractions; those of floats divided by their sums.

    Raises
    ------
    ValueError
        If they do not make a row-stochastic matrix; `where` says for whom.
    """
    rows = []
    for index, row in enumerate(mechanism):
        exact = [_entry(x, f"mechanism[{index}]", where) for x in row]
        total = sum(exact, Fraction(0))
        inexact = any(isinstance(x, (float, np.floating)) for x in row)
        if inexact and abs(total - 1) < Fraction(1, 10**9):
            exact = [x / total for x in exact]
        check_argument(where, f"mechanism[{index}]", Distribution(), exact)
        rows.append(exact)
    read: Matrix = check_argument(
        where, "mechanism", StochasticMatrix(square=False), matrix(rows, Field.RATIONAL)
    )
    return read


def _entry(value: Any, name: str, where: str) -> Fraction:
    try:
        return Fraction(value) if isinstance(value, str) else rational(value)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        raise ValueError(
            f"The '{name}' parameter of {where} must hold exact numbers, like Fraction(1, 3), 0.25"
            f" or '1/3'. Got {value!r} instead."
        ) from None


def listed_pairs(pairs: Iterable[tuple[int, int]] | None, rows: int) -> list[tuple[int, int]]:
    """Return the pairs of rows in both orders; consecutive ones if none are given.

    Raises
    ------
    ValueError
        If there are none, or a row does not exist.
    """
    listed = [(i, i + 1) for i in range(rows - 1)] if pairs is None else list(pairs)
    if not listed:
        raise ValueError("The 'pairs' parameter must name at least one pair of rows.")
    for pair in listed:
        for index in pair:
            check_argument("listed_pairs", "pairs", integers(0, rows - 1), index)
    return [*listed, *((j, i) for i, j in listed)]


def _ratio_above(epsilon: Any) -> Fraction:
    """Return e^ε, or a rational just above it."""
    if isinstance(epsilon, tuple) and len(epsilon) == 2 and epsilon[0] == "ratio":
        return rational(check_argument("audit_matrix", "epsilon", reals(1), epsilon[1]))
    exact = check_argument("audit_matrix", "epsilon", reals(0, 1000), epsilon)
    if exact == 0:
        return Fraction(1)
    with flint.ctx.workprec(256):
        above: Fraction = dyadic(ball(rational(exact)).exp().upper())
        return above
