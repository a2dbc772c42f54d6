"""How Theorem 1 splits a privacy budget, and what its inequalities ask of the noise."""

import functools

from provedp.theory.domain import (
    RealVector,
    SquareMatrix,
    argument_error,
    domain,
    integers,
    reals,
)
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Count, Number, certainly, maximum
from provedp.theory.privacy.functions import log, transcendental

__all__ = [
    "composed_epsilon",
    "covariance_epsilon",
    "displacement_matrix",
    "grid_gamma",
    "left_for_weights",
    "mean_budget",
    "top_two_epsilon",
    "wishart_gamma",
]

EPSILON = reals(0)
POSITIVE = reals(0, open_low=True)
DELTA = reals(0, 1, open_low=True, open_high=True)
COUNT = integers(2, symbolic=True)


@domain(means=RealVector(), covariances=RealVector(), weights=EPSILON)
def composed_epsilon(means: Matrix, covariances: Matrix, weights: Number) -> Number:
    """Total ε of a release by basic composition over the two classes of a flip.

    2 max_k (ε_k + ε′_k) + ε₀

    Parameters
    ----------
    means, covariances
        ε_k and ε′_k of the classes, at least 0.
    weights
        ε₀ of the class weights.

    Returns
    -------
    ε in nats.

    Raises
    ------
    ValueError
        If there is not one entry for each class.

    Source: mixture paper, Theorem 1, eq. (9).

    >>> from fractions import Fraction as F
    >>> composed_epsilon([F(1, 4), F(1, 3)], [F(1, 4), F(0)], F(1, 2))
    Fraction(3, 2)
    """
    return 2 * functools.reduce(maximum, _class_costs(means, covariances)) + weights


@domain(means=RealVector(), covariances=RealVector(), weights=EPSILON)
def top_two_epsilon(means: Matrix, covariances: Matrix, weights: Number) -> Number:
    """Total ε by basic composition over two different classes.

    max_{j ≠ k} (ε_j + ε′_j + ε_k + ε′_k) + ε₀

    Parameters
    ----------
    means, covariances, weights
        As for `composed_epsilon`, for at least two classes.

    Returns
    -------
    ε in nats, at most `composed_epsilon`.

    Raises
    ------
    ValueError
        If there is not one entry for each class, or only one class.

    Source: ours; a flip changes two different classes, so the largest cost counts once.

    >>> from fractions import Fraction as F
    >>> top_two_epsilon([F(1, 4), F(1, 3)], [F(1, 4), F(0)], F(1, 2))
    Fraction(4, 3)
    """
    costs = _class_costs(means, covariances)
    if len(costs) < 2:
        raise ValueError("A flip needs two classes. Got one instead.")
    pairs = [a + b for i, a in enumerate(costs) for b in costs[:i]]
    return functools.reduce(maximum, pairs) + weights


def _class_costs(means: Matrix, covariances: Matrix) -> list[Number]:
    if len(means) != len(covariances):
        lengths = f"{len(means)} and {len(covariances)}"
        raise ValueError(f"There is one ε for each class. Got {lengths} entries instead.")
    return [a + b for a, b in zip(means, covariances, strict=True)]


@domain(epsilon=EPSILON, delta=DELTA)
def mean_budget(epsilon: Number, delta: Number) -> Number:
    """Largest ΔᵀΓΔ that Lemma 1 allows for a displacement Δ and noise of covariance Γ⁻¹.

    ε_k²/(2 ln(4/δ))

    Parameters
    ----------
    epsilon
        ε_k in nats.
    delta
        δ, of which the mean may use half.

    Returns
    -------
    The bound, a ball for exact arguments.

    Source: mixture paper, Lemma 1, eq. (10).

    >>> round(mean_budget(1.0, 2e-5), 9)
    0.040963217
    """
    return transcendental(epsilon) ** 2 / (2 * log(4 / delta))


@domain(bound=EPSILON, displacement=RealVector(), covariance=SquareMatrix())
def displacement_matrix(bound: Number, displacement: Matrix, covariance: Matrix) -> Matrix:
    """Schur form of ΔᵀΓΔ ≤ b: the matrix [[b, Δᵀ], [Δ, Γ⁻¹]].

    det = det(Γ⁻¹) · (b − ΔᵀΓΔ)

    Parameters
    ----------
    bound
        b, the `mean_budget`.
    displacement
        Δ, d numbers.
    covariance
        Γ⁻¹, d × d. It is positive definite where Γ exists; otherwise the matrix still is positive
        semidefinite exactly if bΓ⁻¹ ⪰ ΔΔᵀ (b > 0).

    Returns
    -------
    The (d + 1) × (d + 1) matrix.

    Raises
    ------
    ValueError
        If the sizes differ.

    Source: mixture paper, eq. (21).

    >>> [[str(entry) for entry in row] for row in displacement_matrix(2, [1], [[3]])]
    [['2', '1'], ['1', '3']]
    """
    if len(displacement) != len(covariance):
        sizes = f"{len(displacement)} and {len(covariance)}"
        raise ValueError(f"Δ and Γ⁻¹ must have one size. Got {sizes} instead.")
    below = [[entry, *row] for entry, row in zip(displacement, covariance, strict=True)]
    return matrix([[bound, *displacement], *below])


@domain(gamma=POSITIVE, count=COUNT)
def covariance_epsilon(gamma: Number, count: Count) -> Number:
    """What Lemma 2 charges for Wishart noise with d + 1 degrees of freedom and scale I/γ.

    ε′_k = 3γ_k/(2N_k)

    Parameters
    ----------
    gamma
        γ_k.
    count
        N_k.

    Returns
    -------
    ε′_k in nats. No such noise gives (ε, 0)-privacy at any ε: see the claims.

    Source: mixture paper, Lemma 2, eq. (11).

    >>> from fractions import Fraction as F
    >>> covariance_epsilon(F(4), 50)
    Fraction(3, 25)
    """
    return 3 * gamma / (2 * count)


@domain(total=POSITIVE, weights=EPSILON, mean=EPSILON, count=COUNT)
def wishart_gamma(total: Number, weights: Number, mean: Number, count: Count) -> Number:
    """Largest γ_k that the budget of a class allows.

    γ_k = (N_k/3)(ε − ε₀ − 2ε_k)

    Parameters
    ----------
    total, weights, mean
        ε, ε₀ and ε_k in nats; the result is positive only if ε₀ + 2ε_k < ε.
    count
        N_k.

    Returns
    -------
    γ_k with 2ε_k + 3γ_k/N_k + ε₀ = ε.

    Source: mixture paper, eq. (23).

    >>> from fractions import Fraction as F
    >>> wishart_gamma(1, F(1, 3), F(1, 4), 9)
    Fraction(1, 2)
    """
    return count * (total - weights - 2 * mean) / 3


@domain(
    total=POSITIVE,
    weights=EPSILON,
    count=COUNT,
    place=integers(1, symbolic=True),
    points=integers(1, symbolic=True),
)
def grid_gamma(total: Number, weights: Number, count: Count, place: Count, points: Count) -> Number:
    """Candidates for γ_k.

    γ^(ℓ) = (ℓ/(L + 1)) N_k (ε − ε₀)/3

    Parameters
    ----------
    total, weights, count
        ε, ε₀ and N_k, as for `wishart_gamma`.
    place, points
        ℓ in {1, …, L} and L.

    Returns
    -------
    γ^(ℓ), which leaves ε_k = ½(1 − ℓ/(L + 1))(ε − ε₀) for the mean.

    Raises
    ------
    ValueError
        If ℓ > L.

    Source: mixture paper, eq. (24).

    >>> from fractions import Fraction as F
    >>> grid_gamma(1, F(1, 3), 50, 4, 10)
    Fraction(400, 99)
    """
    if certainly(place > points):
        allowed = f"an integer in the range [1, {points}]"
        raise argument_error("mixture.grid_gamma", "place", allowed, place)
    return place * count * (total - weights) / (3 * (points + 1))


@domain(total=POSITIVE, means=RealVector(), covariances=RealVector())
def left_for_weights(total: Number, means: Matrix, covariances: Matrix) -> Number:
    """What is left of the budget for the class weights.

    ε₀ = ε − 2 max_k (ε_k + 3γ_k/(2N_k))

    Parameters
    ----------
    total
        ε in nats.
    means, covariances
        ε_k and ε′_k = 3γ_k/(2N_k) of the classes.

    Returns
    -------
    ε₀; negative if the classes overspend.

    Raises
    ------
    ValueError
        If there is not one entry for each class.

    Source: mixture paper, Proposition 2, eq. (27).

    >>> from fractions import Fraction as F
    >>> left_for_weights(1, [F(1, 4), F(1, 6)], [F(1, 12), F(1, 12)])
    Fraction(1, 3)
    """
    return total - 2 * functools.reduce(maximum, _class_costs(means, covariances))
