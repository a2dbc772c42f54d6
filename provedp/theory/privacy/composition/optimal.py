"""What several (ε, δ)-private releases promise together at best: optimal composition."""

import math

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Number
from provedp.theory.privacy.functions import positive_part

__all__ = ["optimal_composition_delta"]


@domain(rounds=integers(1), k=reals(1), delta=reals(0, 1, open_high=True), ratio=reals(1))
def optimal_composition_delta(rounds: int, k: Number, delta: Number, ratio: Number) -> Number:
    """Least additive part of T releases together, at any ratio.

    δ_T(K) = 1 − (1 − δ)^T (1 − Σ_{l=0}^{T} C(T, l) (k^(T−l) − K k^l)⁺ / (1 + k)^T)

    Every (ln k, δ)-private release is a function of one with four outcomes, which attains this;
    also if each release may depend on the earlier ones.

    Parameters
    ----------
    k
        e^ε of each release.
    delta
        δ of each release.
    ratio
        K = e^ε for all of them together.

    Returns
    -------
    δ_T, over the field of the arguments: exact for rationals.

    Source: Kairouz, Oh and Viswanath, The Composition Theorem for Differential Privacy, Theorem
    3.3, which states it at K = k^(T−2i).

    >>> from fractions import Fraction as F
    >>> [str(optimal_composition_delta(2, F(2), F(0), ratio)) for ratio in (F(2), F(4))]
    ['2/9', '0']
    """
    whole = (1 + k) ** rounds
    lost = sum(
        (
            math.comb(rounds, low) * positive_part(k ** (rounds - low) - ratio * k**low)
            for low in range(rounds + 1)
        ),
        start=0 * whole,
    )
    return 1 - (1 - delta) ** rounds * (1 - lost / whole)
