"""Audits where the law is known, in exact arithmetic, and of maps without randomness."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from flint import arb

from provedp.mechanisms.parameters import delta_below
from provedp.theory.domain import Distribution, StochasticMatrix, check_argument, reals
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Field, ball, dyadic, rational
from provedp.theory.privacy import gaussian_delta, hockey_stick, worst_event
from provedp.verify.audit.adjacency import records_of
from provedp.verify.audit.pairs import Pair


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
        The places (i, j) of the two laws for which it is attained.
    outcomes
        The event: the places of its outcomes.
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
    rows = check_argument(
        "audit_matrix", "mechanism", StochasticMatrix(square=False), _exact_rows(mechanism)
    )
    ratio, allowed = _ratio_above(epsilon), delta_below(delta, "audit_matrix")
    listed = [(i, i + 1) for i in range(len(rows) - 1)] if pairs is None else list(pairs)
    if not listed:
        raise ValueError("The 'pairs' parameter must name at least one pair of rows.")
    both = [*listed, *((j, i) for i, j in listed)]
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


def audit_gaussian(mu: Any, epsilon: Any, delta: Any) -> bool | None:
    """Decide whether Gaussian noise on values μ standard deviations apart is (ε, δ)-private.

    Parameters
    ----------
    mu
        Sensitivity over σ, above 0.
    epsilon, delta
        The claim.

    Returns
    -------
    Whether the claim is refuted; None if the two sides agree to 60 digits.

    >>> audit_gaussian(1 / 0.4845, 10, 1e-5), audit_gaussian(1 / 3.7306, 1, 1.001e-5)
    (True, False)
    """
    with flint.ctx.workprec(256):
        true = gaussian_delta(arb(mu), arb(epsilon))
        claimed = ball(rational(delta))
        return True if true > claimed else False if true <= claimed else None


def _exact_rows(mechanism: Any) -> Matrix:
    rows = []
    for index, row in enumerate(mechanism):
        exact = [Fraction(x) if isinstance(x, str) else rational(x) for x in row]
        total = sum(exact, Fraction(0))
        inexact = any(isinstance(x, (float, np.floating)) for x in row)
        if inexact and abs(total - 1) < Fraction(1, 10**9):
            exact = [x / total for x in exact]
        check_argument("audit_matrix", f"mechanism[{index}]", Distribution(), exact)
        rows.append(exact)
    return matrix(rows, Field.RATIONAL)


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


@dataclass(frozen=True)
class StabilityResult:
    """What a stability audit found.

    Attributes
    ----------
    refuted
        Whether some pair moves the map further than claimed.
    claimed, found
        The sensitivity claimed, and the largest distance found, exact for integers and fractions.
    pair
        The pair for which it was found.
    pairs
        How many pairs were tried.
    """

    refuted: bool
    claimed: Any
    found: Any
    pair: Pair
    pairs: int


def audit_stability(
    function: Callable[[Any], Any],
    pairs: Sequence[Pair],
    claimed: Any,
    distance: Callable[[Any, Any], Any] | str = "l1",
) -> StabilityResult:
    """Compare the claimed sensitivity of a map without randomness with distances that occur.

    Parameters
    ----------
    function
        The map.
    pairs
        Adjacent inputs; to be searched, draw many (`drawn_pairs`, `known_patterns`).
    claimed
        The greatest distance that two outputs of adjacent inputs are said to have.
    distance
        'l1', 'l2', 'linf', 'symmetric' (records in one output only, counted), or a function. Except
        for l2, numbers count as exactly what they are: no rounding hides or makes an excess.

    Raises
    ------
    ValueError
        If no pair is given, or the map is not deterministic.

    >>> pairs = [Pair([1, 2, 3], [1, 2, 9]), Pair([5], [4])]
    >>> audit_stability(max, pairs, 5).found
    Fraction(6, 1)
    """
    if not pairs:
        raise ValueError("The 'pairs' parameter must hold at least one pair.")
    measure = DISTANCES[distance] if isinstance(distance, str) else distance
    best: tuple[Any, Pair] | None = None
    for pair in pairs:
        first, second = function(pair.first), function(pair.second)
        if measure(first, function(pair.first)) != 0:
            raise ValueError("The map gives different outputs for the same input.")
        found = measure(first, second)
        if best is None or found > best[0]:
            best = (found, pair)
    assert best is not None
    return StabilityResult(best[0] > claimed, claimed, best[0], best[1], len(pairs))


def _numbers(value: Any) -> list[Fraction]:
    flat = np.ravel(np.asarray(value, dtype=object)).tolist()
    return [rational(x) for x in flat]


def _gaps(first: Any, second: Any) -> list[Fraction]:
    own, other = _numbers(first), _numbers(second)
    if len(own) != len(other):
        raise ValueError(f"The outputs have {len(own)} and {len(other)} numbers.")
    return [abs(a - b) for a, b in zip(own, other, strict=True)]


def _l1(first: Any, second: Any) -> Fraction:
    return sum(_gaps(first, second), Fraction(0))


def _l2(first: Any, second: Any) -> float:
    return math.sqrt(sum(gap * gap for gap in _gaps(first, second)))


def _linf(first: Any, second: Any) -> Fraction:
    return max(_gaps(first, second), default=Fraction(0))


def _symmetric(first: Any, second: Any) -> int:
    own, other = Counter(records_of(first)), Counter(records_of(second))
    return sum((own - other).values()) + sum((other - own).values())


DISTANCES: dict[str, Callable[[Any, Any], Any]] = {
    "l1": _l1,
    "l2": _l2,
    "linf": _linf,
    "symmetric": _symmetric,
}
