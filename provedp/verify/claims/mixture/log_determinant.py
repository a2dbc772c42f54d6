"""The log-determinant expectation of (13), exactly where it can be had."""

from math import factorial

from provedp.theory import mixture
from provedp.theory.matrices import identity
from provedp.theory.mixture.planar import planar_log_determinant
from provedp.theory.numbers import Field, rational
from provedp.verify.claims.prelude import *


def _direct_moment(dimension: int, power: int) -> Q:
    """Return E Σ xᵢ^m of the Laguerre orthogonal ensemble, by integrals over the ordered gaps."""
    gaps = sympy.symbols(f"g0:{dimension}")
    points = [sum(gaps[:count]) for count in range(1, dimension + 1)]
    density = sympy.prod([points[j] - points[i] for j in range(dimension) for i in range(j)])
    rates = [dimension - index for index in range(dimension)]
    whole, part = (
        _integral(sympy.Poly(sympy.expand(density * factor), *gaps), rates)
        for factor in (sympy.Integer(1), sum(point**power for point in points))
    )
    return part / whole


def _integral(polynomial: sympy.Poly, rates: list[int]) -> Q:
    """Return the integral of a polynomial times Π e^(−r g) over g ≥ 0."""
    total = Q(0)
    for powers, coefficient in polynomial.terms():
        term = Q(int(coefficient))
        for power, rate in zip(powers, rates, strict=True):
            term *= Q(factorial(power), rate ** (power + 1))
        total += term
    return total


def _moment(coefficients: Any, power: int) -> Q:
    """Return ∫ x^m ρ(x) dx from the coefficients of the exponential integrals."""
    total = Q(0)
    for part, scale in zip(coefficients, (1, 2), strict=True):
        exact = [*map(rational, part), Q(0)]
        for index, (here, beyond) in enumerate(zip(exact, exact[1:], strict=False)):
            total += (here - beyond) * Q(factorial(index + power), factorial(index) * scale**power)
    return total


@ours(Source(MIXTURE, "Proposition 1", "Σ = σ²I"), formula=mixture.laguerre_coefficients)
@certified(dimension=(1, 2, 3, 4), power=range(0, 7))
def isotropic_expectation_has_an_exact_form(
    coefficients: Formula, dimension: int, power: int
) -> Finding:
    """For Σ = σ²I the log-determinant expectation is a finite sum of exponential integrals with
    rational coefficients. They stand for a density of eigenvalues with the moments that the joint
    density Π |xᵢ − xⱼ| e^(−Σ xᵢ) has by direct integration.
    """
    return equal(_moment(coefficients(dimension), power), _direct_moment(dimension, power))


@ours(Source(MIXTURE, "Proposition 1", "d = 2"), formula=mixture.isotropic_log_determinant)
@certified(bits=128, precision=(Q(1, 100), Q(1), Q(4), Q(50)))
def planar_integral_meets_the_exact_form(formula: Formula, precision: Q) -> Finding:
    """In the plane the log-determinant expectation is one integral of a Bessel function; at Σ = σ²I
    it is the exact sum of exponential integrals.
    """
    planar = planar_log_determinant(identity(2, Field.RATIONAL), precision)
    return close(planar, formula(2, precision), tolerance=1e-25)


@ours(Source(MIXTURE, "Proposition 1", "d = 2"))
@proved(
    argued=(
        "∫ e^(−mu) I₀(δu) du = 1/√(m² − δ²)",
        "tr(Σ^(−1/2) W Σ^(−1/2)) has the transform Π (1 + s/λᵢ)^(−3/2): a sum of weighted χ²₃",
    )
)
def planar_law_has_the_trace_of_wishart_noise() -> Finding:
    """The law of eigenvalues y and y + u that the planar integral uses, y exponential of rate 2m
    and u of density ∝ u e^(−mu) I₀(δu), gives the trace 2y + u the transform Π (1 + s/λᵢ)^(−3/2)
    that it has for Wishart noise with λ = m ± δ, γ/2 times the eigenvalues of Σ, and the
    determinant its mean.
    """
    m, delta, s = sympy.symbols("m delta s", positive=True)
    laplace = 1 / sympy.sqrt(m**2 - delta**2)  # of I₀(δu); −d/dm brings down a factor u
    scale = -1 / sympy.diff(laplace, m)
    mean_gap = scale * sympy.diff(laplace, m, 2)
    first, last = m + delta, m - delta
    transform = m / (m + s) * -scale * sympy.diff(laplace, m).subs(m, m + s)
    wishart = (first * last / ((first + s) * (last + s))) ** sympy.Rational(3, 2)
    mean_determinant = 1 / (2 * m**2) + mean_gap / (2 * m)
    return all_of(
        equal(sympy.simplify(transform**2), sympy.expand(wishart**2)),
        equal(sympy.simplify(mean_gap + 1 / m), 3 * m / (first * last)),
        equal(sympy.simplify(mean_determinant), sympy.Rational(3, 2) / (first * last)),
    )
