"""What (ε, δ)-differential privacy means for finite distributions, exactly.

Throughout, `k` stands for e^ε (ε in nats), so that rationals stay rational.
"""

from dataclasses import dataclass
from enum import StrEnum

from provedp.theory.domain import Distribution, StochasticMatrix, domain, reals
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number, maximum

__all__ = ["hockey_stick", "path_delta"]


class Adjacency(StrEnum):
    """Which pairs of inputs a guarantee compares."""

    NEIGHBOURING_COUNTS = "counts that differ by one"


@dataclass(frozen=True)
class Guarantee:
    """A promise of (ε, δ)-differential privacy and the claim that supports it.

    Parameters
    ----------
    ratio
        k with ln k ≤ ε: the guarantee holds for ln k, in nats.
    epsilon
        ε as it was asked for, in words or digits.
    delta
        δ in [0, 1).
    adjacency
        The pairs of inputs that are compared.
    claim
        Id of the ledger claim that proves it.
    """

    ratio: Number
    epsilon: str
    delta: Number
    adjacency: Adjacency
    claim: str


def _excess(p: Matrix, q: Matrix, k: Number) -> Number:
    zero = 0 * k
    return sum((maximum(a - k * b, zero) for a, b in zip(p, q, strict=True)), start=zero)


@domain(p=Distribution(), q=Distribution(), k=reals(0))
def hockey_stick(p: Matrix, q: Matrix, k: Number) -> Number:
    """Hockey-stick divergence of two finite distributions.

    E_k(p ‖ q) = Σ_j (p_j − k q_j)⁺ = max_U p(U) − k q(U)

    Parameters
    ----------
    p, q
        Distributions over the same n outcomes.
    k
        e^ε, at least 0.

    Returns
    -------
    The least δ with p(U) ≤ k q(U) + δ for every event U; 0 ≤ E_k ≤ 1 for k ≥ 1.

    Raises
    ------
    ValueError
        If p and q are not distributions over equally many outcomes.

    Source: counting paper, eq. (2), written as one maximum over U.

    >>> from fractions import Fraction as F
    >>> hockey_stick([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)], F(3, 2))
    Fraction(1, 6)
    """
    if len(p) != len(q):
        raise ValueError(f"The supports of p and q differ: {len(p)} and {len(q)} outcomes.")
    return _excess(p, q, k)


@domain(mechanism=StochasticMatrix(square=False), k=reals(0))
def path_delta(mechanism: Matrix, k: Number) -> Number:
    """Return the least δ for which a mechanism on consecutive counts is (ln k, δ)-private.

    δ(k) = max over |a − b| = 1 of E_k(row a ‖ row b), in O(M²) operations.

    Parameters
    ----------
    mechanism
        Row-stochastic M × n matrix; row i is the law of the output for count i.
    k
        e^ε, at least 0.

    Returns
    -------
    The largest hockey-stick divergence between neighbouring rows.

    Raises
    ------
    ValueError
        If `mechanism` is not row-stochastic.

    Source: counting paper, eq. (2).

    >>> from fractions import Fraction as F
    >>> path_delta([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], F(2))
    Fraction(0, 1)
    """
    worst = 0 * k
    for upper, lower in zip(mechanism, mechanism[1:], strict=False):
        worst = maximum(worst, maximum(_excess(upper, lower, k), _excess(lower, upper, k)))
    return worst
