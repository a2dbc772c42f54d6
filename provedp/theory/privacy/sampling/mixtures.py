"""Subsampling: hockey-stick divergences of mixtures that share a component.

`k` stands for e^ε (ε in nats), so that rationals stay rational, and q for the probability that the
record at stake is in the sample.
"""

from provedp.theory.domain import Distribution, domain, reals
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number, maximum
from provedp.theory.privacy.finite import hockey_stick, require_equal_supports

__all__ = [
    "component_ratio",
    "component_ratio_reversed",
    "mixture_delta",
    "mixture_pair_delta",
    "subsampled_ratio",
]

RATIO = reals(1)
RATE = reals(0, 1, open_low=True)


@domain(k=RATIO, rate=RATE)
def subsampled_ratio(k: Number, rate: Number) -> Number:
    """Ratio for the whole data set that a release about a random sample gives.

    k_q = 1 + q (k − 1), with q δ for the additive part

    Parameters
    ----------
    k
        e^ε of the release about the sample.
    rate
        q: m/n for samples of m out of n without replacement (then both are for replacing one
        record), or the probability of each record (then both are for adding or removing one).

    Returns
    -------
    e^ε for the whole, over the field of the arguments.

    Source: Balle, Barthe and Gaboardi, Privacy Amplification by Subsampling, Theorems 8 and 9.

    >>> from fractions import Fraction as F
    >>> subsampled_ratio(F(3), F(1, 4))
    Fraction(3, 2)
    """
    return 1 + rate * (k - 1)


@domain(k=RATIO, rate=RATE)
def component_ratio(k: Number, rate: Number) -> Number:
    """Ratio at which a component must be compared so that its mixture is compared at k.

    E_k((1 − q)P + qQ ‖ P) = q E_κ(Q ‖ P), κ = 1 + (k − 1)/q

    Parameters
    ----------
    k
        e^ε for the mixture.
    rate
        q, the weight of the component that differs.

    Returns
    -------
    κ ≥ k, over the field of the arguments; the inverse of `subsampled_ratio`.

    Source: Balle, Barthe and Gaboardi, Privacy Amplification by Subsampling, Theorem 2.

    >>> from fractions import Fraction as F
    >>> component_ratio(F(3, 2), F(1, 4))
    Fraction(3, 1)
    """
    return 1 + (k - 1) / rate


@domain(k=RATIO, rate=RATE)
def component_ratio_reversed(k: Number, rate: Number) -> Number | None:
    """Ratio at which a component must be compared so that it is compared with its mixture at k.

    E_k(P ‖ (1 − q)P + qQ) = (1 − k(1 − q)) E_κ(P ‖ Q), κ = kq/(1 − k(1 − q)), if k(1 − q) < 1

    Parameters
    ----------
    rate
        q, the weight of the other component.

    Returns
    -------
    κ ≥ k, over the field of the arguments; None if k(1 − q) ≥ 1, where the divergence is 0 (for
    balls: unless k(1 − q) is certainly less than 1).

    Source: ours.

    >>> from fractions import Fraction as F
    >>> component_ratio_reversed(F(5, 4), F(1, 2)), component_ratio_reversed(F(2), F(1, 2))
    (Fraction(5, 3), None)
    """
    rest = 1 - k * (1 - rate)
    return k * rate / rest if rest > 0 else None


@domain(p=Distribution(), q=Distribution(), rate=RATE, k=RATIO)
def mixture_delta(p: Matrix, q: Matrix, rate: Number, k: Number) -> Number:
    """Divergence of a subsampled release when one record is added or removed.

    max {E_k((1 − r)P + rQ ‖ P), E_k(P ‖ (1 − r)P + rQ)}

    Parameters
    ----------
    p
        P, the law without the record, over n outcomes.
    q
        Q, the law with the record in the sample, over the same outcomes.
    rate
        r, the probability that the record is in the sample.

    Returns
    -------
    The larger divergence, over the field of the arguments.

    Raises
    ------
    ValueError
        If the numbers of outcomes differ.

    Source: ours, from the definition of E_k.

    >>> from fractions import Fraction as F
    >>> mixture_delta([F(1), F(0)], [F(0), F(1)], F(1, 4), F(3, 2))
    Fraction(1, 4)
    """
    return mixture_pair_delta(p, q, p, rate, k)


@domain(shared=Distribution(), left=Distribution(), right=Distribution(), rate=RATE, k=RATIO)
def mixture_pair_delta(
    shared: Matrix, left: Matrix, right: Matrix, rate: Number, k: Number
) -> Number:
    """Divergence of a subsampled release when one record is replaced.

    max over both orders of E_k((1 − r)R + rP ‖ (1 − r)R + rQ)

    Parameters
    ----------
    shared
        R, the law if the record is not in the sample, over n outcomes.
    left, right
        P and Q, the laws with the one and the other record in the sample, over the same outcomes.
    rate
        r, the probability that the record is in the sample.

    Returns
    -------
    The larger divergence, over the field of the arguments.

    Raises
    ------
    ValueError
        If the numbers of outcomes differ.

    Source: ours, from the definition of E_k.

    >>> from fractions import Fraction as F
    >>> uniform, first, second = [F(1, 2), F(1, 2)], [F(1), F(0)], [F(0), F(1)]
    >>> mixture_pair_delta(uniform, first, second, F(1, 2), F(2))
    Fraction(1, 4)
    """
    require_equal_supports(shared, left)
    require_equal_supports(shared, right)
    one = shared * (1 - rate) + left * rate
    other = shared * (1 - rate) + right * rate
    return maximum(hockey_stick(one, other, k), hockey_stick(other, one, k))
