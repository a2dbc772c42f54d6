"""Randomised responses of one person: one value out of several, and bits that are noisy each.

`k` stands for e^ε (ε in nats), so that rationals stay rational.
"""

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Number
from provedp.theory.privacy.functions import positive_part

__all__ = ["k_ary_response_delta", "rappor_ratio"]

RATIO = reals(1)


@domain(k=RATIO, odds=RATIO, size=integers(2))
def k_ary_response_delta(k: Number, odds: Number, size: int) -> Number:
    """Privacy profile of randomised response with n answers.

    δ = (κ − k)⁺/(κ + n − 1)

    Parameters
    ----------
    odds
        κ ≥ 1: the true answer is given with probability κ/(κ + n − 1), each other one with
        1/(κ + n − 1).
    size
        n.

    Returns
    -------
    The hockey-stick divergence of the answers for two values, over the field of the arguments.

    Source: Kairouz, Oh and Viswanath, Extremal Mechanisms for Local Differential Privacy; the event
    is the true answer.

    >>> from fractions import Fraction as F
    >>> k_ary_response_delta(F(1), F(3), 2), k_ary_response_delta(F(3), F(3), 2)
    (Fraction(1, 2), Fraction(0, 1))
    """
    return positive_part(odds - k) / (odds + size - 1)


@domain(bits=integers(1), flip=reals(0, 1, open_low=True, open_high=True))
def rappor_ratio(bits: int, flip: Number) -> Number:
    """Largest likelihood ratio of one-time RAPPOR.

    k = ((2 − f)/f)^(2h)

    Parameters
    ----------
    bits
        h, the number of bits that a value sets; those of the two values do not overlap.
    flip
        f: each bit becomes 1 with probability f/2, 0 with f/2, and else stays.

    Returns
    -------
    e^ε for the least ε, over the field of the arguments.

    Source: Erlingsson, Pihur and Korolova, RAPPOR, Theorem 1.

    >>> from fractions import Fraction as F
    >>> rappor_ratio(1, F(1, 2))
    Fraction(9, 1)
    """
    return ((2 - flip) / flip) ** (2 * bits)
