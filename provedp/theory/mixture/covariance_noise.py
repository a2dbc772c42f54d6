"""The privacy of the published covariance noise, W_d(I/γ, d + 1), for a change of the covariance.

With d + 1 degrees of freedom the density of W is a constant times e^(−γ tr W/2) on the cone of
semidefinite matrices. So Σ + W and Σ + E + W have a constant likelihood ratio e^(−γ tr E/2) on
their common support, and what tells them apart beyond that is the support itself.
"""

from flint import arb, ctx

from provedp.theory.domain import Choice, SquareMatrix, domain, reals
from provedp.theory.matrices import Matrix, identity
from provedp.theory.mixture.symmetric import trace_of_quotient
from provedp.theory.numbers import Number, common_field, in_one_field
from provedp.theory.privacy.functions import exp, log, numeric, positive_part
from provedp.theory.privacy.noise.covariance import Covariance
from provedp.theory.privacy.noise.wishart import chi_square_delta, wishart_least_degree_delta

__all__ = [
    "covariance_increase_delta",
    "covariance_log_ratio",
    "covariance_noise_delta",
    "covariance_overlap",
    "shifted_exponential_delta",
]

POSITIVE = reals(0, open_low=True)
GUARD_BITS = 32


@domain(trace=reals(), gamma=POSITIVE)
def covariance_log_ratio(trace: Number, gamma: Number) -> Number:
    """Log-likelihood ratio of the published covariance noise on the common support.

    |ln p(S)/p′(S)| = γ |tr E|/2, for every S in both supports

    Parameters
    ----------
    trace
        tr E = tr Σ(D′) − tr Σ(D).

    Returns
    -------
    The absolute log-ratio, over the field of the arguments.

    Source: ours; mixture paper, Lemma 2, which bounds it by ε′.

    >>> from fractions import Fraction as F
    >>> covariance_log_ratio(F(-1), F(8, 3))
    Fraction(4, 3)
    """
    return abs(gamma * trace / 2)


@domain(
    trace=POSITIVE, gamma=POSITIVE, epsilon=reals(0), direction=Choice(("both", "from", "onto"))
)
def covariance_increase_delta(
    trace: Number, gamma: Number, epsilon: Number, direction: str = "both"
) -> Number:
    """Privacy profile of the published covariance noise for a covariance that grows.

    For E ⪰ 0, in any dimension: E(P ‖ Q) = 1 − e^(−γ tr E/2) at every ε, and
    E(Q ‖ P) = (1 − e^(ε − γ tr E/2))⁺, with P = Σ + W and Q = Σ + E + W

    Parameters
    ----------
    trace
        tr E > 0; the change of the variance for d = 1.
    direction
        "from": E(P ‖ Q), from the smaller covariance; "onto": E(Q ‖ P); "both": the larger.

    Returns
    -------
    The divergence: a float for floats, a ball for balls and exact numbers.

    Source: ours; refutes the mixture paper, Lemma 2. It is `chi_square_delta` of two degrees.

    >>> round(covariance_increase_delta(1.0, 8 / 3, 20.0), 9)
    0.736402862
    """
    return chi_square_delta(0 * gamma + 2, gamma * trace, epsilon, direction)


@domain(shift=SquareMatrix(), gamma=POSITIVE, k=reals(1))
def covariance_noise_delta(shift: Matrix, gamma: Number, k: Number) -> arb:
    """Divergence of the published covariance noise for any change of the covariance.

    E_k(P ‖ Q) = (1 − a) + a (1 − k e^(γ tr E/2))⁺, a = P(W ⪰ E),
    e^(−γ tr E₊/2) ≤ a ≤ min(1, e^(−γ tr E/2)), E₊ the positive part of E

    Parameters
    ----------
    shift
        E = Σ(D′) − Σ(D), a symmetric matrix of exact numbers or floats.
    gamma
        γ, likewise.

    Returns
    -------
    A ball that contains the divergence; the value itself if E or −E is positive semidefinite.

    Raises
    ------
    ValueError
        If E is not symmetric.

    Source: ours; `wishart_least_degree_delta` at V = I/γ.

    >>> from fractions import Fraction as F
    >>> found = covariance_noise_delta([[F(1), F(0)], [F(0), F(0)]], F(2), F(5))
    >>> found.overlaps(1 - arb(-1).exp())
    True
    """
    field = common_field(shift.ravel())
    scale = identity(len(shift), field) / gamma
    return wishart_least_degree_delta(shift, scale, k)


@domain(shift=SquareMatrix(), scale=Covariance())
def covariance_overlap(shift: Matrix, scale: Matrix) -> arb:
    """Probability that Wishart noise of d + 1 degrees of freedom exceeds a matrix.

    e^(−Σ λ⁺/2) ≤ P(W ⪰ E) ≤ min(1, e^(−tr(V⁻¹E)/2)), W ~ W_d(V, d + 1), with the eigenvalues λ of
    V⁻¹E: W ⪰ E₊ implies W ⪰ E, and P(W ⪰ E) = e^(−tr(V⁻¹E)/2) P(W ⪰ −E)

    Parameters
    ----------
    shift
        E, a symmetric d × d matrix of exact numbers or floats.
    scale
        V, a symmetric positive definite d × d matrix, likewise; I/γ for the published noise.

    Returns
    -------
    A ball that contains the probability.

    Raises
    ------
    ValueError
        If E is not symmetric or the sizes differ.

    Source: ours.

    >>> covariance_overlap([[2.0]], [[1.0]]).overlaps(arb(-1).exp())
    True
    """
    with ctx.workprec(ctx.prec + GUARD_BITS):
        kept = 1 - wishart_least_degree_delta(shift, scale, 1)  # a min(1, 1/r)
        ratio = (-trace_of_quotient(scale, shift) / 2).exp()
        found = kept * ratio.max(arb(1))
    return +found.min(arb(1))


@domain(gap=reals(), first=POSITIVE, second=POSITIVE, k=reals(1))
def shifted_exponential_delta(gap: Number, first: Number, second: Number, k: Number) -> Number:
    """Divergence of two exponential laws with different starts and rates.

    E_k(P ‖ Q) for P = Exp(r₁) and Q = g + Exp(r₂): the published noise on a variance, χ²₂/γ, with
    rates γ/2 that differ between two data sets

    Parameters
    ----------
    gap
        g, the start of Q minus that of P.
    first, second
        The rates r₁ and r₂.

    Returns
    -------
    The divergence: a float for floats, a ball for balls and exact numbers.

    Raises
    ------
    ValueError
        If balls of the rates overlap.

    Source: ours; on the common support the likelihood ratio is monotone.

    >>> round(shifted_exponential_delta(-0.75, 0.4, 0.3, 1.3498588075760032), 9)
    0.06448377
    """
    gap, first, second, k = in_one_field(*(numeric(value) for value in (gap, first, second, k)))
    a, b = exp(-first * positive_part(gap)), exp(-second * positive_part(-gap))
    if first == second:
        return 1 - a + positive_part(a - k * b)
    if not (first < second or first > second):
        raise ValueError("The balls of the rates overlap, so that their order is not known.")
    crossing = positive_part(log(k * b * second / (a * first)) / (second - first))
    beyond = a * exp(-first * crossing) - k * b * exp(-second * crossing)
    return 1 - a + (beyond if first < second else a - k * b - beyond)
