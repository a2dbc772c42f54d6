"""Exact audits of finite laws against any notion of privacy: ε at δ, μ, ρ or a Rényi divergence."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Field, ball, rational
from provedp.theory.privacy.functions import normal_quantile
from provedp.theory.privacy.renyi import renyi_power_sum, zcdp
from provedp.theory.privacy.testing import trade_off
from provedp.verify.accounting.composition import float_below
from provedp.verify.accounting.path_ratio import least_path_ratio
from provedp.verify.exact.matrices import exact_rows, listed_pairs
from provedp.verify.notions.notions import (
    ApproximateDP,
    GaussianDP,
    PrivacyNotion,
    RenyiDP,
    ZeroConcentratedDP,
)

BITS = 256
INFINITE = arb("inf")


@dataclass(frozen=True)
class LevelResult:
    """What an exact audit of finite laws found about one notion.

    Attributes
    ----------
    refuted
        True if some pair breaks the claim, False if none does, None if the ends do not tell.
    notion, claim
        What is bounded; the claim in words.
    level_lower, level_upper
        Certified ends of the least level that is true of all pairs, perhaps infinite.
    pair
        The indices (i, j) of the two laws for which it is attained, in this order.
    """

    refuted: bool | None
    notion: str
    claim: str
    level_lower: float
    level_upper: float
    pair: tuple[int, int]


def audit_finite(
    mechanism: Any, claim: PrivacyNotion, pairs: Iterable[tuple[int, int]] | None = None
) -> LevelResult:
    """Decide whether a mechanism with finitely many outcomes keeps a claim of any notion.

    Parameters
    ----------
    mechanism
        Row-stochastic matrix; see `audit_matrix`.
    claim
        An `ApproximateDP`, `GaussianDP`, `RenyiDP` or `ZeroConcentratedDP`.
    pairs
        Adjacent rows; consecutive ones by default. Both orders are examined.

    Returns
    -------
    A `LevelResult`. Its ends are sharp to about the precision of floats, but for ρ (2⁻¹³).

    Raises
    ------
    ValueError
        If the matrix is not row-stochastic, or there is no pair.

    >>> rows = [["1/2", "1/2"], ["0.932", "0.068"]]
    >>> found = audit_finite(rows, RenyiDP(divergence=1.0, order=2.0))
    >>> found.refuted, round(found.level_lower, 3), found.pair
    (True, 1.372, (0, 1))
    """
    rows = exact_rows(mechanism, "audit_finite")
    level_of = _levels(claim)
    with ctx.workprec(BITS):
        levels = [(level_of(rows[i], rows[j]), (i, j)) for i, j in listed_pairs(pairs, len(rows))]
        lower = max((level.lower() for level, _ in levels), key=float_below)
        upper = max((level.upper() for level, _ in levels), key=float_below)
        claimed = ball(claim.level)
        refuted = True if lower > claimed else False if upper <= claimed else None
    return LevelResult(
        refuted=refuted,
        notion=claim.notion,
        claim=str(claim),
        level_lower=max(0.0, float_below(lower)),
        level_upper=max(0.0, -float_below(-upper)),
        pair=max(levels, key=lambda each: float_below(each[0].mid()))[1],
    )


def _levels(claim: PrivacyNotion) -> Callable[[Matrix, Matrix], arb]:
    """Return the function that gives the least level of the claim's notion for (p, q)."""
    if isinstance(claim, ApproximateDP):
        return lambda p, q: _epsilon(p, q, rational(claim.delta))
    if isinstance(claim, RenyiDP):
        return lambda p, q: INFINITE if _is_infinite(p, q) else _renyi(p, q, rational(claim.order))
    if isinstance(claim, ZeroConcentratedDP):
        return lambda p, q: INFINITE if _is_infinite(p, q) else zcdp(p, q)
    if isinstance(claim, GaussianDP):
        return _mu
    raise ValueError(f"The 'claim' parameter of audit_finite is of no known notion: {claim!r}.")


def _epsilon(p: Matrix, q: Matrix, delta: Fraction) -> arb:
    ratio = least_path_ratio(matrix([p, q], Field.RATIONAL), delta)
    return INFINITE if ratio is None else ball(ratio).log()


def _is_infinite(p: Matrix, q: Matrix) -> bool:
    return any(a > 0 and b == 0 for a, b in zip(p, q, strict=True))


def _renyi(p: Matrix, q: Matrix, order: Fraction) -> arb:
    if order.denominator == 1:
        return ball(renyi_power_sum(p, q, int(order))).log() / ball(order - 1)
    terms = (
        ball(a) * (ball(order - 1) * ball(a / b).log()).exp()
        for a, b in zip(p, q, strict=True)
        if a > 0
    )
    return sum(terms, start=arb(0)).log() / ball(order - 1)


def _mu(p: Matrix, q: Matrix) -> arb:
    """Return the least μ: the curve of μ-GDP is convex, so that the corners of T decide."""
    mu = arb(0)
    for alpha, beta in trade_off(p, q):
        if alpha + beta < 1:
            if alpha == 0 or beta == 0:
                return INFINITE
            mu = mu.max(normal_quantile(ball(1 - alpha)) - normal_quantile(ball(beta)))
    return mu
