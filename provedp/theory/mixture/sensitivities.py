"""What one record moves in the counts, sums and second moments of the classes."""

from provedp.theory.domain import Choice, domain, integers, reals
from provedp.theory.numbers import Number, maximum
from provedp.theory.privacy.functions import sqrt

__all__ = [
    "count_sensitivity",
    "histogram_cost",
    "moment_cost",
    "pooled_cost",
    "scatter_sensitivity",
    "sum_sensitivity",
]

ADJACENCIES = ("label", "replace-one", "add-remove")
ADJACENCY = Choice(ADJACENCIES)
RECORD = Choice(("label", "replace-one", "feature", "add-remove"))
BOUND = reals(0, open_low=True)
COST = reals(0)


@domain(adjacency=ADJACENCY, count=COST, first=COST, second=COST)
def moment_cost(adjacency: str, count: Number, first: Number, second: Number) -> Number:
    """Squared length of what one record moves, in units of the noise of a joint release.

    A record in class k adds (1, z, z zᵀ) to (N_k, Σ z, Σ z zᵀ), ‖z‖ ≤ R, with noise of standard
    deviation σ₀, σ₁ in each coordinate, and σ₂ in the Frobenius norm. With n = 1/σ₀², a = R²/σ₁²
    and b = R⁴/σ₂²:

        label        2 (n + a + b)           one record leaves a class and enters another
        replace      2 (a + b) + 2 max(n, a) … or moves within its class: ‖z − z′‖² ≤ 4R² and
                                             ‖zzᵀ − z′z′ᵀ‖² ≤ 2R⁴
        add-remove   n + a + b

    Parameters
    ----------
    count, first, second
        n, a, b ≥ 0; 0 for what is not released.

    Returns
    -------
    An upper bound on Σ (change/σ)²: μ² of the Gaussian mechanism. The centre and the linear map
    that define z may depend on the class.

    Source: ours.

    >>> moment_cost("label", 1, 2, 3), moment_cost("replace-one", 1, 2, 3)
    (Fraction(12, 1), Fraction(14, 1))
    """
    if adjacency == "label":
        return 2 * (count + first + second)
    if adjacency == "replace-one":
        return 2 * (first + second) + 2 * maximum(count, first)
    return count + first + second


@domain(adjacency=ADJACENCY, count=COST)
def histogram_cost(adjacency: str, count: Number) -> Number:
    """Squared length of what one record moves in a histogram, in units of the noise.

    2n, or n for add-remove, with n = 1/σ²: a record leaves a cell and enters another.

    Parameters
    ----------
    count
        n.

    Returns
    -------
    Σ (change/σ)².

    Source: ours.

    >>> histogram_cost("label", 3)
    Fraction(6, 1)
    """
    return count if adjacency == "add-remove" else 2 * count


@domain(adjacency=ADJACENCY, square=COST, second=COST)
def pooled_cost(adjacency: str, square: Number, second: Number) -> Number:
    """Squared length of what one record moves in moments of all classes together.

    A record adds ‖z‖² to Σ ‖z‖² and z zᵀ to Σ z zᵀ, ‖z‖ ≤ R; z may depend on its class. With
    s = R⁴/σ², of noise on Σ ‖z‖², and b = R⁴/σ₂²:

        label, replace   s + 2b   (‖z‖² − ‖z′‖²)² ≤ R⁴ and ‖zzᵀ − z′z′ᵀ‖² ≤ 2R⁴
        add-remove       s + b

    Parameters
    ----------
    square, second
        s, b ≥ 0; 0 for what is not released.

    Returns
    -------
    An upper bound on Σ (change/σ)².

    Source: ours.

    >>> pooled_cost("label", 1, 2), pooled_cost("add-remove", 1, 2)
    (Fraction(5, 1), Fraction(3, 1))
    """
    return square + second if adjacency == "add-remove" else square + 2 * second


@domain(adjacency=RECORD)
def count_sensitivity(adjacency: str) -> Number:
    """Largest ℓ₂ change of the counts (N₁, …, N_K).

    √2 for 'label' and 'replace-one', 0 for 'feature', 1 for 'add-remove'

    Parameters
    ----------
    adjacency
        What one record may do: change its label, everything, its features, or come and go.

    Returns
    -------
    The sensitivity, attained.

    Source: ours; mixture paper, eq. (16), (31).

    >>> count_sensitivity("feature")
    0
    """
    if adjacency in ("label", "replace-one"):
        return sqrt(2)
    return 0 if adjacency == "feature" else 1


@domain(adjacency=RECORD, bound=BOUND)
def sum_sensitivity(adjacency: str, bound: Number) -> Number:
    """Largest ℓ₂ change of the K sums Σ x of the classes together, for ‖x‖ ≤ B.

    √2 B for 'label', 2B for 'replace-one' and 'feature', B for 'add-remove'

    Parameters
    ----------
    adjacency
        As for `count_sensitivity`.
    bound
        B.

    Returns
    -------
    The sensitivity, attained.

    Source: ours.

    >>> sum_sensitivity("replace-one", 3)
    Fraction(6, 1)
    """
    if adjacency == "label":
        return sqrt(2 * bound**2)
    return bound if adjacency == "add-remove" else 2 * bound


@domain(adjacency=Choice(("label", "add-remove")), bound=BOUND, size=integers(2))
def scatter_sensitivity(adjacency: str, bound: Number, size: int) -> Number:
    """Largest Frobenius change of one class's scatter Σ (x − x̄)(x − x̄)ᵀ, for ‖x‖ ≤ B.

    4B² (N − 1)/N for a record that leaves a class of N; entering is the same, N + 1 for N

    Parameters
    ----------
    adjacency
        'label' or 'add-remove': a record leaves or enters.
    bound
        B.
    size
        Records N of the class with the record in it.

    Returns
    -------
    The sensitivity, attained by −B against N − 1 times B. It is below 4B² for every N, which may
    therefore stay private; the change is positive or negative semidefinite and of rank one.

    Source: ours.

    >>> from fractions import Fraction as F
    >>> scatter_sensitivity("label", F(1), 4)
    Fraction(3, 1)
    """
    return 4 * bound**2 * (size - 1) / size
