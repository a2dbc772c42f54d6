"""Classic releases of a count beside the optimum, from Python: the command line's `compare`."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from provedp.mechanisms import counting as mechanisms
from provedp.mechanisms.counting.base import CountMechanism
from provedp.mechanisms.exact.parameters import ratio_below
from provedp.optima import Given
from provedp.releases import solve_release
from provedp.theory.counting.canonical import canonical_cdf
from provedp.theory.counting.losses import LOSSES, loss_matrix
from provedp.theory.domain import argument_error
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import rational
from provedp.verify.solvers.release.remapped import least_remapped_loss

__all__ = ["Comparison", "Rival", "compare_counting"]

MOST_COUNTS = 20  # some seconds of exact arithmetic
MOST_BITS = 4000  # of e^ε, times the number of counts; likewise


@dataclass(frozen=True, eq=False)
class Rival:
    """One release: its law and its losses, in the order of `Comparison.losses`.

    Attributes
    ----------
    name
        What it is called.
    law
        Row-stochastic matrix of fractions.
    losses
        Exact losses as it is.
    remapped
        Exact losses after the post-processing that is best for each loss.
    """

    name: str
    law: Matrix
    losses: tuple[Fraction, ...]
    remapped: tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Releases beside the optimum.

    Attributes
    ----------
    losses
        Names of losses.
    optima
        For each, exact bounds on the least loss.
    matrices
        For each, a release that attains the upper one.
    rivals
        The classic releases; those with δ = 0 spend no δ.
    """

    losses: tuple[str, ...]
    optima: tuple[tuple[Fraction, Fraction], ...]
    matrices: tuple[Matrix, ...]
    rivals: tuple[Rival, ...]


def compare_counting(
    m: int,
    epsilon: Given,
    delta: Given = 0,
    *,
    losses: Sequence[str] = tuple(LOSSES),
    prior: Any = None,
) -> Comparison:
    """Compare the classic releases of a count with the least loss, exactly.

    Parameters
    ----------
    m
        Number of counts, from 2 to 20.
    epsilon, delta
        As for `solve_release`.
    losses
        Names: 'zero-one', 'absolute', 'squared'.
    prior
        Weights, 'uniform', or None for the worst case.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    >>> compared = compare_counting(3, "ln(2)", losses=["absolute"])
    >>> [str(bound) for bound in compared.optima[0]]
    ['4/7', '4/7']
    >>> {rival.name: str(rival.losses[0]) for rival in compared.rivals}["truncated geometric"]
    '2/3'
    """
    if not isinstance(m, int) or not 2 <= m <= MOST_COUNTS:
        allowed = f"an integer in the range [2, {MOST_COUNTS}]"
        raise argument_error("compare_counting", "m", allowed, m)
    _require_short(ratio_below(str(epsilon), "compare_counting"), m, epsilon)
    best = [solve_release(m, epsilon, delta, loss=name, prior=prior) for name in losses]
    weights = None if prior is None else best[0].weights if best else None
    rivals = [_rival(name, law, losses, weights) for name, law in _laws(m, epsilon, delta)]
    bounds = tuple((each.lower, each.upper) for each in best)
    return Comparison(tuple(losses), bounds, tuple(each.mechanism for each in best), tuple(rivals))


def _require_short(ratio: Fraction, m: int, epsilon: Given) -> None:
    if m * ratio.numerator.bit_length() > MOST_BITS:
        allowed = f"a number whose e^ε is a fraction of at most {MOST_BITS // m} bits for m = {m}"
        raise argument_error("compare_counting", "epsilon", allowed, epsilon)


def _laws(m: int, epsilon: Given, delta: Given) -> list[tuple[str, Matrix]]:
    pure: dict[str, type[CountMechanism]] = {
        "truncated geometric": mechanisms.TruncatedGeometric,
        "randomised response": mechanisms.RandomizedResponse,
        "rounded Laplace": mechanisms.RoundedLaplace,
        "exponential mechanism": mechanisms.ExponentialMechanism,
    }
    optimal = mechanisms.OptimalCount(m, str(epsilon), str(delta))
    found = [("P* of the counting paper", optimal.law())]
    found += [(name, build(m, str(epsilon)).law()) for name, build in pure.items()]
    if optimal.ratio > 1 or optimal.delta > 0:
        found.append(("canonical noise, to integers", _clamped(optimal)))
    return found


def _clamped(level: CountMechanism) -> Matrix:
    """Return canonical noise that is rounded to the nearest count."""
    cuts = [Fraction(2 * j + 1, 2) for j in range(1, level.m)]
    rows = []
    for i in range(1, level.m + 1):
        below = [rational(canonical_cdf(x - i, level.ratio, level.delta)) for x in cuts]
        ends = [Fraction(0), *below, Fraction(1)]
        rows.append([b - a for a, b in zip(ends, ends[1:], strict=False)])
    return matrix(rows)


def _rival(
    name: str, law: Matrix, losses: Sequence[str], prior: tuple[Fraction, ...] | None
) -> Rival:
    rows = law.tolist()
    tables = [loss_matrix(loss, len(rows)) for loss in losses]
    as_it_is = []
    for table in tables:
        lost = [
            sum((x * p for x, p in zip(costs, row, strict=True)), start=Fraction(0))
            for costs, row in zip(table, rows, strict=True)
        ]
        mean = max(lost) if prior is None else _mean(prior, lost)
        as_it_is.append(mean)
    remapped = tuple(least_remapped_loss(rows, table, prior) for table in tables)
    return Rival(name, law, tuple(as_it_is), remapped)


def _mean(prior: Sequence[Fraction], lost: Sequence[Fraction]) -> Fraction:
    return sum((w * x for w, x in zip(prior, lost, strict=True)), start=Fraction(0))
