"""Density and gradient at all starts in one release: the noise of each, and the best balance."""

from provedp.theory.domain import Range, domain, integers, reals
from provedp.theory.modes.sensitivity import like
from provedp.theory.modes.sharp_norms import density_sensitivity, gradient_sensitivity
from provedp.theory.numbers import Number
from provedp.theory.privacy.functions import numeric, sqrt

__all__ = ["linear_release_balance", "linear_release_scales"]

POSITIVE = reals(0, open_low=True)
COMMON: dict[str, Range] = dict(h=POSITIVE, d=integers(1, 64))


@domain(m=integers(1), balance=POSITIVE, **COMMON)
def linear_release_scales(h: Number, d: int, m: int, balance: Number) -> tuple[Number, Number]:
    """Noise of a release of the density and its gradient at any number of points, for μ = 1.

    σ_p = √(1 + λ) D₀/(m h^d), σ_g = √(1 + 1/λ) D₁/(m h^(d+1))

    The noise at the points x_1, …, x_k is N(0, σ_p² K) for p̂ and N(0, σ_g² K) for each coordinate
    of ∇p̂, K of `pool_correlation`. Both maps are linear, so that a replaced record moves them by at
    most D₀/(m h^d) and D₁/(m h^(d+1)) in units of K, and both together by at most 1/(1 + λ) +
    λ/(1 + λ) = 1, squared. c times the noise gives the Gaussian mechanism with μ = 1/c.

    Parameters
    ----------
    m
        Number of records in the estimate.
    balance
        λ > 0: more of it puts more noise on the density.

    Returns
    -------
    σ_p and σ_g: floats for floats, balls for balls and exact numbers.

    Source: ours, in the place of the modes paper's Lemma 3 and eq. (9).

    >>> [round(scale, 6) for scale in linear_release_scales(0.5, 1, 100, 1.0)]
    [0.018895, 0.041377]
    """
    width, part = numeric(h), numeric(balance)
    density = sqrt(1 + part) * like(h, density_sensitivity(d)) / (m * width**d)
    gradient = sqrt(1 + 1 / part) * like(h, gradient_sensitivity(d)) / (m * width ** (d + 1))
    return density, gradient


@domain(clip=POSITIVE, floor=POSITIVE, **COMMON)
def linear_release_balance(h: Number, d: int, clip: Number, floor: Number) -> Number:
    """Balance of `linear_release_scales` that costs the score least.

    λ = (D₁/h)/(D₀ A/p_floor), which minimises (σ_g/p_floor)² + (A σ_p/p_floor²)², the
    variance of the score to first order; its root is then
    (D₁/(p_floor h^(d+1)) + A D₀/(p_floor² h^d))/m

    Parameters
    ----------
    h, d
        As for `linear_release_scales`.
    clip
        A.
    floor
        p_floor.

    Returns
    -------
    λ, fields as for `linear_release_scales`.

    Source: ours.

    >>> round(linear_release_balance(0.5, 1, 1.0, 0.5), 6)
    1.094906
    """
    slope = like(h, gradient_sensitivity(d)) / numeric(h)
    return slope * numeric(floor) / (like(h, density_sensitivity(d)) * numeric(clip))
