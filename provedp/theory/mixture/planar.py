"""The log-determinant of the published covariance noise in the plane, as one certified integral.

Let λ₊ ≥ λ₋ > 0 be γ/2 times the eigenvalues of Σ, and m their mean. X = Σ^(−1/2) W Σ^(−1/2) has the
density ∝ e^(−tr(ΛX)) on the cone. Its eigenvectors integrate to a Bessel function, and its smaller
eigenvalue y to exponential integrals, for eigenvalues y and y + u:

    E ln |I + X| = h(0) + ∫ f(u) (ln(1 + u) + h(u)) du,  h(u) = e^(2m(1+u)) E₁(2m(1 + u)),
    f(u) = (λ₊λ₋)^(3/2)/m · u e^(−mu) I₀((λ₊ − λ₋)u/2),

f being the density of the gap u. With w = λ₋u, f(u) du ≤ 2 (λ₊/λ₋)^(1/2) w e^(−w) dw and
ln(1 + u) + h(u) ≤ (w + 1/2)/λ₋, which bounds the rest of the integral.
"""

from itertools import pairwise

from flint import acb, arb, ctx

from provedp.theory.matrices import Matrix
from provedp.theory.mixture.laguerre import scaled_exponential_integral
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.functions import sqrt

GUARD_BITS = 24
CUT = 16  # ratio of the ends of a piece of the integral


def planar_log_determinant(covariance: Matrix, gamma: Number) -> arb:
    """Return E ln |I + X| for a positive definite Σ of two rows and γ > 0.

    Raises
    ------
    ValueError
        If the balls of Σ contain a singular matrix.
    """
    with ctx.workprec(ctx.prec + GUARD_BITS):
        first, last, side = (ball(covariance[i, j]) for i, j in ((0, 0), (1, 1), (0, 1)))
        half = ball(gamma) / 2
        mean = half * (first + last) / 2
        skew = (first - last) / 2
        half_gap = half * sqrt(skew * skew + side * side)
        most = mean + half_gap
        least = half * half * (first * last - side * side) / most
        if not least > 0:
            raise ValueError("The balls of the covariance contain a singular matrix.")
        start = _decaying(acb(mean), acb(0)).real
        density = most * (most / least).sqrt() / mean
        end = arb((_end(most / least, least)).ceil().mid())

        def integrand(w: acb, analytic: bool) -> acb:
            u = w / least
            bessel = (half_gap * u).bessel_i(acb(0), scaled=True)
            value = (1 + u).log(analytic=analytic) + _decaying(acb(mean), u)
            return w * (-w).exp() * bessel * value

        places = _places(least, end)
        parts = [acb.integral(integrand, a, b).real for a, b in pairwise(places)]
        body = sum(parts, start=arb(0))
        rest = 2 * (most / least).sqrt() / least * (end**2 + 3 * end + 3) * (-end).exp()
        found = start + density * body + arb(0).union(rest.upper())
    return +found


def _decaying(mean: acb, u: acb) -> acb:
    return scaled_exponential_integral(1, 2 * mean * (1 + u))


def _places(least: arb, end: arb) -> list[arb]:
    """Return where to cut the integral: the logarithm bends at w = λ₋, which may be small."""
    places = [arb(0), end]
    while places[1] > least and places[1] > CUT**-ctx.prec:
        places.insert(1, (places[1] / CUT).mid())
    return places


def _end(spread: arb, least: arb) -> arb:
    """Return where the rest of the integral is below the rounding."""
    size = (2 + spread).log() + (2 + 1 / least).log()
    return size + arb(ctx.prec + 16)
