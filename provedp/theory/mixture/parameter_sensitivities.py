"""How far one flipped label moves the fitted weights, means and covariances themselves.

They are divided by class sizes, so what they move by depends on the data; see `sensitivities` for
sums, where it does not. Features have ‖x‖₂ ≤ B. A record that leaves a class of N moves it as far
as one that joins a class of N − 1: N counts the record.
"""

from fractions import Fraction

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Count, Number
from provedp.theory.privacy.functions import sqrt

__all__ = [
    "covariance_sensitivity",
    "mean_sensitivity",
    "weight_sensitivity",
]

NORM = integers(1, 2)
BOUND = reals(0, open_low=True)
DIMENSION = integers(1, symbolic=True)
SIZE = integers(4, symbolic=True)  # three others remain: N_k > 2


@domain(size=integers(2), norm=NORM)
def weight_sensitivity(size: int, norm: int) -> Number:
    """Largest change of all class weights together.

    2/N in ℓ₁ and √2/N in ℓ₂

    Parameters
    ----------
    size
        Number of records N of all classes; a flip leaves it as it is.

    Returns
    -------
    The sensitivity, attained by every flip: a fraction for ℓ₁, a ball for ℓ₂.

    Source: mixture paper, eq. (16), Section V-A.

    >>> weight_sensitivity(50, 1)
    Fraction(1, 25)
    """
    return Fraction(2, size) if norm == 1 else sqrt(2) / size


@domain(bound=BOUND, count=SIZE, dimension=DIMENSION, norm=NORM)
def mean_sensitivity(bound: Number, count: Count, dimension: Count, norm: int) -> Number:
    """Largest change of the mean of one class.

    2B/N_k in ℓ₂ and √d 2B/N_k in ℓ₁

    Parameters
    ----------
    bound
        B.
    count
        N_k with the record that leaves or joins.
    dimension
        Number of features d.

    Returns
    -------
    The sensitivity, attained by a record −Bu among records Bu; for ℓ₁ with u = (1, …, 1)/√d, and a
    ball for exact arguments.

    Source: ours; mixture paper, Section V-A.

    >>> from fractions import Fraction as F
    >>> mean_sensitivity(F(1), 8, 3, 2)
    Fraction(1, 4)
    """
    length = 2 * bound / count
    return sqrt(dimension * length**2) if norm == 1 else length


@domain(bound=BOUND, count=SIZE, dimension=DIMENSION, norm=NORM)
def covariance_sensitivity(bound: Number, count: Count, dimension: Count, norm: int) -> Number:
    """Largest change of the covariance (2c) of one class, its entries on and above the diagonal.

    4B²/N_k in ℓ₂ (and in the Frobenius norm) and (d + 1)/2 · 4B²/N_k in ℓ₁

    With v = x − m, m and Σ′ the mean and covariance of the others, Σ − Σ′ = vvᵀ/N − Σ′/(N − 1).

    Parameters
    ----------
    bound, count, dimension, norm
        As for `mean_sensitivity`.

    Returns
    -------
    The sensitivity, attained by a record −Bu among records Bu: for ℓ₂ with u a unit vector of an
    axis, for ℓ₁ with u = (1, …, 1)/√d.

    Source: ours; mixture paper, Section V-A.

    >>> from fractions import Fraction as F
    >>> covariance_sensitivity(F(1), 8, 3, 2), covariance_sensitivity(F(1), 8, 3, 1)
    (Fraction(1, 2), Fraction(1, 1))
    """
    length = 4 * bound**2 / count
    return length * (dimension + 1) / 2 if norm == 1 else length
