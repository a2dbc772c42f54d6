"""Divergences of Gaussian laws that differ by a shift.

μ is the length of the shift in units of the noise (Mahalanobis): the sensitivity over σ.
"""

import math

from flint import ctx
from scipy import special

from provedp.theory.domain import RealVector, domain, reals
from provedp.theory.matrices import Matrix, inverse
from provedp.theory.numbers import Number
from provedp.theory.privacy.functions import (
    exp,
    log,
    normal_cdf,
    normal_quantile,
    sqrt,
    transcendental,
)
from provedp.theory.privacy.noise.covariance import Covariance

__all__ = [
    "gaussian_delta",
    "gaussian_log_delta",
    "gaussian_renyi",
    "gaussian_trade_off",
    "gaussian_zcdp",
    "mahalanobis_shift",
]

GUARD_BITS = 64  # the two terms of δ agree in about log₂(ε/μ²) bits
SHIFT = reals(0, open_low=True)
OPEN_UNIT = reals(0, 1, open_low=True, open_high=True)


@domain(shift=RealVector(), covariance=Covariance())
def mahalanobis_shift(shift: Matrix, covariance: Matrix) -> Number:
    """Length of a shift in units of Gaussian noise.

    μ = √(Δᵀ Σ⁻¹ Δ)

    Parameters
    ----------
    shift
        Δ, a vector of length d.
    covariance
        Σ, a symmetric positive definite d × d matrix.

    Returns
    -------
    μ: a float for floats, else a ball.

    Raises
    ------
    ValueError
        If Σ is not positive definite (the direction is named) or the sizes differ.

    Source: N(0, Σ) against N(Δ, Σ) is N(0, 1) against N(μ, 1) by the sufficient statistic Δᵀ Σ⁻¹ x.

    >>> mahalanobis_shift([2.0, 0.0], [[4.0, 0.0], [0.0, 1.0]])
    1.0
    """
    if len(shift) != len(covariance):
        raise ValueError(f"A shift of length {len(shift)} for {len(covariance)} dimensions.")
    return sqrt(shift @ inverse(covariance) @ shift)


@domain(mu=SHIFT, epsilon=reals(0))
def gaussian_delta(mu: Number, epsilon: Number) -> Number:
    """Privacy profile of Gaussian noise.

    δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ)

    Returns
    -------
    The hockey-stick divergence of N(0, 1) and N(μ, 1), the same in both directions: a float for
    floats (from `gaussian_log_delta`, so that small values keep their digits), a ball for balls and
    exact numbers, an expression for symbols.

    Source: Balle and Wang, Improving the Gaussian Mechanism for Differential Privacy, Theorem 8.

    >>> gaussian_delta(1, 1)
    [0.126936737506644 +/- 8.49e-17]
    """
    if isinstance(mu, float):
        return math.exp(gaussian_log_delta(mu, epsilon))
    with ctx.workprec(ctx.prec + GUARD_BITS):
        mean, level = transcendental(mu), transcendental(epsilon)
        near, far = mean / 2 - level / mean, -mean / 2 - level / mean
        delta = normal_cdf(near) - exp(level) * normal_cdf(far)
    return +delta


@domain(mu=SHIFT, epsilon=reals(0))
def gaussian_log_delta(mu: Number, epsilon: Number) -> Number:
    """Logarithm of the privacy profile of Gaussian noise, also where δ is too small for a float.

    ln δ(ε) = ln Φ(−s) + ln(1 − R(t)/R(s)), s = ε/μ − μ/2, t = ε/μ + μ/2,
    with Mills' ratio R(x) = Φ(−x)/φ(x), because e^ε φ(t) = φ(s)

    Returns
    -------
    ln δ, or −∞ for a float if ε/μ² exceeds 1e16 or so; fields as for `gaussian_delta`. Floats are
    within 1e-15 (|ln δ| + 1 + 1/μ + ε/μ²).

    Source: ours, from `gaussian_delta`.

    >>> round(gaussian_log_delta(0.01, 1.0), 3)
    -5014.235
    """
    if not isinstance(mu, float):
        return log(gaussian_delta(mu, epsilon))
    near, far = float(epsilon / mu - mu / 2), float(epsilon / mu + mu / 2)
    ratio = math.log(_scaled_tail(far)) - math.log(_scaled_tail(near))
    if ratio >= 0:
        return -math.inf
    return float(special.log_ndtr(-near)) + math.log(-math.expm1(ratio))


@domain(mu=SHIFT, alpha=OPEN_UNIT)
def gaussian_trade_off(mu: Number, alpha: Number) -> Number:
    """Least type II error of a test of N(0, 1) against N(μ, 1) at a type I error.

    G_μ(α) = Φ(Φ⁻¹(1 − α) − μ)

    Parameters
    ----------
    alpha
        Type I error.

    Returns
    -------
    Type II error, fields as for `gaussian_delta`.

    Source: Dong, Roth and Su, Gaussian Differential Privacy, eq. (6).

    >>> round(gaussian_trade_off(1.0, 0.05), 12)
    0.740488977159
    """
    return normal_cdf(-normal_quantile(alpha) - transcendental(mu))


@domain(mu=SHIFT, order=reals(1, open_low=True))
def gaussian_renyi(mu: Number, order: Number) -> Number:
    """Rényi divergence of N(0, 1) and N(μ, 1).

    D_α = α μ²/2

    Parameters
    ----------
    order
        α.

    Returns
    -------
    The divergence in nats, over the field of the arguments.

    Source: Mironov, Rényi Differential Privacy, Proposition 7.

    >>> from fractions import Fraction as F
    >>> gaussian_renyi(F(1, 2), 3)
    Fraction(3, 8)
    """
    return order * mu**2 / 2


@domain(mu=SHIFT)
def gaussian_zcdp(mu: Number) -> Number:
    """Parameter of zero-concentrated differential privacy of Gaussian noise.

    ρ = μ²/2

    Returns
    -------
    The least ρ with D_α ≤ ρ α for every α > 1, over the field of μ.

    Source: Bun and Steinke, Concentrated Differential Privacy, Proposition 1.6.

    >>> from fractions import Fraction as F
    >>> gaussian_zcdp(F(1, 2))
    Fraction(1, 8)
    """
    return mu**2 / 2


def _scaled_tail(x: float) -> float:
    """Return e^(x²/2) Φ(−x), up to a constant factor: infinite for x below −37."""
    return float(special.erfcx(x / math.sqrt(2)))
