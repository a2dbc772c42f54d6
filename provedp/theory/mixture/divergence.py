"""What noise on the parameters of a Gaussian costs, in expected Kullback–Leibler divergence."""

from collections.abc import Sequence

from flint import arb, ctx

from provedp.theory.domain import argument_error, domain, reals
from provedp.theory.estimate import Estimate
from provedp.theory.matrices import Matrix, identity
from provedp.theory.mixture.laguerre import isotropic_log_determinant
from provedp.theory.mixture.log_determinant import (
    PositiveVector,
    log_determinant_expectation,
    log_determinant_expectations,
)
from provedp.theory.mixture.symmetric import Definite, trace_of_quotient
from provedp.theory.numbers import Field, Number, ball

__all__ = ["expected_kl", "expected_kl_for_gammas", "scalar_expected_kl"]

GUARD_BITS = 64  # of the inverse of a covariance


@domain(covariance=Definite(), gamma=reals(0, open_low=True), noise_covariance=Definite(semi=True))
def expected_kl(covariance: Matrix, gamma: Number, noise_covariance: Matrix) -> Estimate:
    """Expected divergence of a released Gaussian component from the fitted one.

    E KL(N(μ + w, Σ + W) ‖ N(μ, Σ)) = ½ [tr(Σ⁻¹Γ⁻¹) + (d + 1)/γ tr(Σ⁻¹)
    − E ln |I + Σ^(−1/2) W Σ^(−1/2)|], w ~ N(0, Γ⁻¹), W ~ W_d(I/γ, d + 1)

    Parameters
    ----------
    covariance
        Σ, a symmetric positive definite d × d matrix.
    noise_covariance
        Γ⁻¹, a symmetric positive semidefinite d × d matrix.

    Returns
    -------
    An `Estimate`: a certified ball for d ≤ 2 and for Σ = σ²I; else a float whose error is the
    half-width of a 99.9 % confidence interval (the two traces are exact).

    Raises
    ------
    ValueError
        If the sizes differ.

    Source: mixture paper, eq. (13), (37); Proposition 1.

    >>> found = expected_kl([[1.0]], 2.0, [[0.5]])
    >>> found.method, round(float(found.value), 12)
    ('certified', 0.451826318838)
    """
    logarithm = log_determinant_expectation(covariance, gamma)
    return logarithm.scaled(arb(-0.5), _traces(covariance, [gamma], noise_covariance)[0])


@domain(covariance=Definite(), gammas=PositiveVector(), noise_covariance=Definite(semi=True))
def expected_kl_for_gammas(
    covariance: Matrix, gammas: Matrix, noise_covariance: Matrix
) -> tuple[Estimate, ...]:
    """Expected divergences of a released Gaussian component for several γ, from the same draws.

    `expected_kl` for each γ

    Parameters
    ----------
    covariance
        Σ, a symmetric positive definite d × d matrix.
    gammas
        Values of γ.
    noise_covariance
        Γ⁻¹, a symmetric positive semidefinite d × d matrix.

    Returns
    -------
    An `Estimate` for each γ.

    Raises
    ------
    ValueError
        If the sizes differ.

    Source: mixture paper, eq. (13), (24).

    >>> len(expected_kl_for_gammas([[1.0]], [1.0, 2.0], [[0.0]]))
    2
    """
    logarithms = log_determinant_expectations(covariance, gammas)
    traces = _traces(covariance, list(gammas), noise_covariance)
    return tuple(e.scaled(arb(-0.5), t) for e, t in zip(logarithms, traces, strict=True))


@domain(variance=reals(0, open_low=True), gamma=reals(0, open_low=True), noise_variance=reals(0))
def scalar_expected_kl(variance: Number, gamma: Number, noise_variance: Number) -> Number:
    """Expected divergence of a released Gaussian on the line from the fitted one.

    ½ [Γ⁻¹/σ² + 2/(γσ²) − E ln(1 + χ²₂/(γσ²))], E ln(1 + χ²₂/(γσ²)) = e^a E₁(a), a = γσ²/2

    Parameters
    ----------
    variance
        σ².
    noise_variance
        Γ⁻¹.

    Returns
    -------
    The divergence in nats: a float for floats, a ball for balls and exact numbers.

    Source: mixture paper, eq. (14).

    >>> round(scalar_expected_kl(1.0, 2.0, 0.5), 12)
    0.451826318838
    """
    quotient = noise_variance / variance + 2 / (gamma * variance)
    mean = isotropic_log_determinant(1, gamma * variance)
    return (quotient - mean) / 2 if isinstance(mean, float) else (ball(quotient) - mean) / 2


def _traces(covariance: Matrix, gammas: Sequence[Number], noise_covariance: Matrix) -> list[arb]:
    """Return ½ [tr(Σ⁻¹Γ⁻¹) + (d + 1)/γ tr(Σ⁻¹)] for each γ."""
    size = len(covariance)
    if noise_covariance.shape != covariance.shape:
        shape = "{}×{}".format(*noise_covariance.shape)
        allowed, got = "of the size of the covariance", f"a matrix of shape {shape}"
        raise argument_error("mixture.expected_kl", "noise_covariance", allowed, got)
    with ctx.workprec(ctx.prec + GUARD_BITS):
        means = trace_of_quotient(covariance, noise_covariance)
        spread = trace_of_quotient(covariance, identity(size, Field.RATIONAL))
        return [(means + (size + 1) * spread / ball(gamma)) / 2 for gamma in gammas]
