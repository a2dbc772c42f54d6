"""Noise along one random direction (R1SMG), to which the mixture paper compares its own.

The noise is √s z v with z standard normal and v uniform on the sphere of M dimensions. Its density
grows like |x|^(1−M) at the true answer, so a small ball there has far more mass than elsewhere.
"""

from flint import arb

from provedp.theory.domain import argument_error, domain, integers, reals
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.functions import numeric
from provedp.theory.sharp_floats import as_asked

__all__ = ["singular_gaussian_delta_lower", "singular_gaussian_variance"]

POSITIVE = reals(0, open_low=True)
DIMENSION = integers(3)
GUARD_BITS = 32


@domain(
    dimension=DIMENSION,
    sensitivity=POSITIVE,
    epsilon=POSITIVE,
    delta=reals(0, 1, open_low=True, open_high=True),
)
def singular_gaussian_variance(
    dimension: int, sensitivity: Number, epsilon: Number, delta: Number
) -> Number:
    """Variance of the noise along its direction that R1SMG prescribes for (ε, δ).

    s = 2Δ²/(εψ), ψ = (δ Γ((M − 1)/2)/(√π Γ(M/2)))^(2/(M−2))

    Parameters
    ----------
    dimension
        M.
    sensitivity
        Δ, the largest ℓ₂ distance of two answers.

    Returns
    -------
    The variance s: a float for floats, a ball for balls and exact numbers. It does not give
    (ε, δ)-privacy: see the claims.

    Source: R1SMG, cited in the mixture paper, Section V-A.

    >>> round(singular_gaussian_variance(10, 1.0, 1.0, 2e-5) ** 0.5, 3)
    6.431
    """
    given = [numeric(value) for value in (sensitivity, epsilon, delta)]

    def found() -> arb:
        move, level, target = (ball(value) for value in given)
        half = arb(dimension) / 2
        quotient = (half - arb(0.5)).lgamma() - half.lgamma() - arb.pi().log() / 2
        psi = ((target.log() + quotient) * 2 / (dimension - 2)).exp()
        return 2 * move * move / (level * psi)

    return as_asked(given, found, 0)


@domain(
    dimension=DIMENSION,
    distance=POSITIVE,
    variance=POSITIVE,
    radius=POSITIVE,
    epsilon=reals(0),
)
def singular_gaussian_delta_lower(
    dimension: int, distance: Number, variance: Number, radius: Number, epsilon: Number
) -> Number:
    """Bound below the δ of noise along one random direction, from a ball about the true answer.

    δ(ε) ≥ P(|X| ≤ r) − e^ε P(|X − x| ≤ r), |x| = Δ, for r < Δ:
    P(|X| ≤ r) = erf(r/√(2s)), and the ball about x is seen under the angle arcsin(r/Δ), so
    P(|X − x| ≤ r) ≤ ½ I_(r²/Δ²)((M − 1)/2, ½) [erf((Δ + r)/√(2s)) − erf((Δ − r)/√(2s))]

    Parameters
    ----------
    dimension
        M.
    distance
        Δ, the distance of two answers.
    variance
        s, the variance along the direction.
    radius
        r, positive and less than Δ.

    Returns
    -------
    The bound: a float for floats, a ball for balls and exact numbers. It may be negative.

    Source: ours.

    >>> round(singular_gaussian_delta_lower(10, 1.0, 41.357852, 0.77, 1.0), 4)
    0.0864
    """
    given = [numeric(value) for value in (distance, variance, radius, epsilon)]
    move, spread, inner, level = (ball(value) for value in given)
    if not inner < move:
        allowed = f"less than the distance {distance}"
        raise argument_error("mixture.singular_gaussian_delta_lower", "radius", allowed, radius)

    def found() -> arb:
        scale = (2 * spread).sqrt()
        share = inner / move
        angle = (share * share).beta_lower(arb(dimension - 1) / 2, arb(0.5), regularized=1) / 2
        shell = ((move + inner) / scale).erf() - ((move - inner) / scale).erf()
        return (inner / scale).erf() - level.exp() * angle * shell

    return as_asked(given, found, GUARD_BITS)
