"""How far one record in a ball moves a class mean, and the isotropic noise that covers it."""

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Count, Number
from provedp.theory.privacy.functions import log, transcendental

__all__ = [
    "feature_change_sensitivity",
    "feature_change_variance",
    "join_sensitivity",
    "leave_sensitivity",
    "scalable_variance",
]

POSITIVE = reals(0, open_low=True)
DELTA = reals(0, 1, open_low=True, open_high=True)
COUNT = integers(2, symbolic=True)


@domain(bound=POSITIVE, count=integers(1, symbolic=True))
def feature_change_sensitivity(bound: Number, count: Count) -> Number:
    """Largest move of a class mean when the features of one of its records change.

    2B/N_k

    Parameters
    ----------
    count
        N_k.

    Returns
    -------
    The largest Euclidean norm, attained by x = −x′ of norm B.

    Source: mixture paper, eq. (32).

    >>> from fractions import Fraction as F
    >>> feature_change_sensitivity(F(1), 4)
    Fraction(1, 2)
    """
    return 2 * bound / count


@domain(bound=POSITIVE, count=integers(1, symbolic=True), epsilon=POSITIVE, delta=DELTA)
def feature_change_variance(bound: Number, count: Count, epsilon: Number, delta: Number) -> Number:
    """Variance of isotropic noise that (34) asks for when features change.

    8B² ln(2/δ)/(N_k² ε_k²)

    Parameters
    ----------
    bound, count
        As for `feature_change_sensitivity`.
    epsilon, delta
        ε_k in nats and δ.

    Returns
    -------
    The variance, a ball for exact arguments.

    Source: mixture paper, eq. (33), (34).

    >>> round(feature_change_variance(1.0, 10, 1.0, 2e-5), 6)
    0.921034
    """
    return 8 * log(2 / delta) * transcendental(bound / (count * epsilon)) ** 2


@domain(bound=POSITIVE, count=COUNT)
def leave_sensitivity(bound: Number, count: Count) -> Number:
    """Largest move of a class mean when one of its records leaves.

    max |μ_k(D) − μ_k(D′)| = 2B/N_k

    Parameters
    ----------
    count
        N_k before.

    Returns
    -------
    The largest Euclidean norm: below 2B/(N_k − 1), and attained.

    Source: ours; the mixture paper, Section IV-C, uses 2B/(N_k − 1).

    >>> from fractions import Fraction as F
    >>> leave_sensitivity(F(1), 4)
    Fraction(1, 2)
    """
    return 2 * bound / count


@domain(bound=POSITIVE, count=integers(1, symbolic=True))
def join_sensitivity(bound: Number, count: Count) -> Number:
    """Largest move of a class mean when a record joins.

    max |μ_k(D) − μ_k(D′)| = 2B/(N_k + 1)

    Parameters
    ----------
    count
        N_k before.

    Returns
    -------
    The largest Euclidean norm, attained.

    Source: ours; the mixture paper, Section IV-C, uses 2B/(N_k − 1).

    >>> from fractions import Fraction as F
    >>> join_sensitivity(F(1), 3)
    Fraction(1, 2)
    """
    return 2 * bound / (count + 1)


@domain(bound=POSITIVE, count=COUNT, epsilon=POSITIVE, delta=DELTA)
def scalable_variance(bound: Number, count: Count, epsilon: Number, delta: Number) -> Number:
    """Variance of isotropic noise in the scalable variant.

    8B² ln(4/δ)/((N_k − 1)² ε_k²)

    Parameters
    ----------
    bound, count
        As for `leave_sensitivity`.
    epsilon, delta
        ε_k in nats and δ.

    Returns
    -------
    The variance, a ball for exact arguments. With N_k in the place of N_k − 1 it would do as well.

    Source: mixture paper, Section IV-C, 'Complexity and a scalable variant'.

    >>> round(scalable_variance(1.0, 11, 1.0, 2e-5), 6)
    0.976486
    """
    return 8 * log(4 / delta) * transcendental(bound / ((count - 1) * epsilon)) ** 2
