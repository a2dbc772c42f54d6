"""Gaussian laws with different covariances: the privacy profile, certified in any dimension."""

from flint import arb, ctx

from provedp.theory.domain import RealVector, domain, reals
from provedp.theory.matrices import Matrix, inverse
from provedp.theory.numbers import Field, Number, ball, common_field
from provedp.theory.privacy.functions import exp, normal_cdf, numeric, sqrt
from provedp.theory.privacy.noise.covariance import Covariance, exact_entries
from provedp.theory.privacy.noise.gaussian import gaussian_delta
from provedp.theory.privacy.noise.inversion import SHARP_BITS, decay_rate, inverted, is_bounded
from provedp.theory.privacy.noise.spectrum import Mode, modes

__all__ = ["gaussian_pair_delta"]

GUARD_BITS = 64
RETRY_BITS = 1 << 9  # of working precision, after which a wide ball is returned
MOST_BITS = 1 << 12  # of working precision, for eigenvalues that nearly coincide


@domain(shift=RealVector(), first=Covariance(), second=Covariance(), epsilon=reals(0))
def gaussian_pair_delta(shift: Matrix, first: Matrix, second: Matrix, epsilon: Number) -> arb:
    """Divergence of two Gaussian laws with different covariances.

    E_k(N(0, Σ₁) ‖ N(Δ, Σ₂)), k = e^ε

    In one dimension the worst event is bounded by the roots of a quadratic; otherwise the
    divergence is an integral along a half-line in the complex plane (see `inversion`), whose rest
    is bounded.

    Parameters
    ----------
    shift
        Δ, a vector of length d, of exact numbers or floats.
    first, second
        Σ₁ and Σ₂, symmetric positive definite d × d matrices, likewise. Floats are the dyadic
        numbers they are; if any number of the call is a float, all are rounded to floats.
    epsilon
        ε in nats, likewise.

    Returns
    -------
    A ball that contains the divergence, in this order.

    Raises
    ------
    ValueError
        If a covariance is not positive definite (the direction is named), the sizes differ, or the
        numbers are balls or symbols.

    Source: ours; the Rényi divergence of Gaussian laws is that of Gil, Alajaji and Linder, Rényi
    Divergence Measures for Commonly Used Univariate Continuous Distributions.

    >>> gaussian_pair_delta([0], [[1]], [[4]], 0)
    [0.322674568834769 +/- 3.36e-16]
    """
    move, one, other = (exact_entries(each) for each in (shift, first, second))
    if common_field(move) > Field.FLINT:
        raise ValueError("The shift and the covariances must be exact numbers or floats.")
    if not len(shift) == len(first) == len(second):
        raise ValueError(f"Sizes differ: {len(shift)}, {len(first)} and {len(second)}.")
    level = ball(numeric(epsilon))
    bits = ctx.prec + GUARD_BITS
    while True:
        with ctx.workprec(bits):
            delta = _delta(move, one, other, level)
        bits *= 2
        if delta.rel_accuracy_bits() >= SHARP_BITS or delta.is_exact() or bits > RETRY_BITS:
            return delta


def _delta(shift: Matrix, first: Matrix, second: Matrix, epsilon: arb) -> arb:
    if (first == second).all():
        return _equal_covariances(shift, first, epsilon)
    if len(shift) == 1:
        return _one_dimension(shift[0], ball(first[0, 0]), ball(second[0, 0]), epsilon)
    found = _sharp_modes(shift, first, second)
    if is_bounded(found) and decay_rate(found, epsilon) >= 0:
        return arb(0)
    return inverted(found, epsilon).nonnegative_part()


def _sharp_modes(shift: Matrix, first: Matrix, second: Matrix) -> list[Mode]:
    """Return the modes with weights that are sharp even if eigenvalues nearly coincide."""
    wanted, bits = ctx.prec, ctx.prec
    while True:
        with ctx.workprec(bits):
            found = modes(shift, first, second)
            total = sum((mode.weight for mode in found), start=arb(1))
        bits *= 2
        widest = max(mode.weight.rad() for mode in found)
        if widest < total.lower() * arb(2) ** (GUARD_BITS // 2 - wanted) or bits > MOST_BITS:
            return found


def _equal_covariances(shift: Matrix, covariance: Matrix, epsilon: arb) -> arb:
    square = shift @ inverse(covariance) @ shift
    return ball(gaussian_delta(sqrt(square), epsilon)) if square > 0 else arb(0)


def _one_dimension(shift: Number, first: arb, second: arb, epsilon: arb) -> arb:
    """Return the divergence from the event {x² (v₁ − v₂) − 2 Δ v₁ x + … > 0}.

    If the quadratic has no root, both ends are Δ v₁/(v₁ − v₂) and the event is empty or everything.
    """
    move, gap = ball(shift), first - second
    room = (first * second * (move**2 + gap * (2 * epsilon - (second / first).log()))).max(arb(0))
    low, high = (move * first - sqrt(room)) / gap, (move * first + sqrt(room)) / gap
    if gap < 0:
        return _inside(first, arb(0), high, low) - exp(epsilon) * _inside(second, move, high, low)
    outside = normal_cdf(low / sqrt(first)) + normal_cdf(-high / sqrt(first))
    other = normal_cdf((low - move) / sqrt(second)) + normal_cdf((move - high) / sqrt(second))
    return outside - exp(epsilon) * other


def _inside(variance: arb, mean: arb, low: arb, high: arb) -> arb:
    """Return the probability of [low, high], from the tail in which both ends are closer to 0."""
    left, right = (low - mean) / sqrt(variance), (high - mean) / sqrt(variance)
    if left > 0:
        left, right = -right, -left
    return normal_cdf(right) - normal_cdf(left)
