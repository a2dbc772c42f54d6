"""Exact audits of densities against closed forms, quadrature by other programs, and brute force."""

import math
from fractions import Fraction as F
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from provedp.verify.audit import audit_density
from provedp.verify.exact.densities.density import (
    Density,
    gaussian,
    laplace,
    logistic,
    mixture,
    student,
    truncated,
)

HALF = F(1, 2)
TENTH = F(1, 10)


def by_distribution_functions(first: Any, second: Any, epsilon: float) -> float:
    """δ(ε) of both orders: sign changes by scipy's root finder, masses between them by its cdf."""

    def excess(p: Any, q: Any) -> float:
        def gap(x: float) -> float:
            return float(p.pdf(x) - math.exp(epsilon) * q.pdf(x))

        grid = np.sinh(np.linspace(-9, 9, 4001)) + 0.1234
        signs = np.array([gap(x) for x in grid]) > 0
        roots = [
            optimize.brentq(gap, grid[i], grid[i + 1], xtol=1e-14)
            for i in np.flatnonzero(signs[1:] != signs[:-1])
        ]
        ends = [-math.inf, *roots, math.inf]
        gains = [
            p.cdf(high) - p.cdf(low) - math.exp(epsilon) * (q.cdf(high) - q.cdf(low))
            for low, high in pairwise(ends)
        ]
        return float(sum(max(gain, 0.0) for gain in gains))

    return max(excess(first, second), excess(second, first))


class Half:
    """Laplace and Gaussian noise (σ = 2) with probability 1/2 each."""

    def __init__(self, centre: float):
        self.parts = stats.laplace(centre), stats.norm(centre, 2)

    def pdf(self, x: float) -> float:
        return float(sum(part.pdf(x) for part in self.parts) / 2)

    def cdf(self, x: float) -> float:
        return float(sum(part.cdf(x) for part in self.parts) / 2)


def test_laplace_of_half_the_scale() -> None:
    result = audit_density(laplace(HALF), laplace(HALF, 1), 1, TENTH)
    truth = -math.expm1(-0.5)
    assert result.refuted is True
    assert result.delta_lower <= truth * (1 + 1e-15)
    assert result.delta_upper >= truth * (1 - 1e-15)
    assert result.delta_upper - result.delta_lower < 1e-12
    (low, high) = result.intervals[0]
    assert (low < -10, high) == (True, pytest.approx(0.25, abs=1e-6))


def test_the_bracket_holds_the_truth_of_laplace_noise_at_every_epsilon() -> None:
    """Truth: (1 − e^((ε − 2)/2))⁺, in exact order relative to the bracket."""
    for epsilon in (0, HALF, 1, F(3, 2), F(19, 10)):
        result = audit_density(laplace(HALF), laplace(HALF, 1), epsilon, HALF)
        truth = 1 - mpmath.exp((mpmath.mpf(float(epsilon)) - 2) / 2)
        assert result.delta_lower <= truth + 1e-16
        assert truth <= result.delta_upper + 1e-16
        assert result.refuted is bool(truth > 0.5)


def test_laplace_at_its_own_epsilon_counts_only_its_tails() -> None:
    """p = e^ε q on a half-line: no sign can be decided there, and δ must still come out as 0."""
    result = audit_density(laplace(1), laplace(1, 1), 1, F(1, 10**9))
    assert result.refuted is False
    assert result.delta_upper < 1e-12
    assert audit_density(laplace(1), laplace(1, 1), 1).refuted is None


def test_laplace_by_rejection() -> None:
    """ε = 1 + ln((2 − e⁻¹ − e⁻⁹)/(1 − e⁻¹⁰)), attained at 0: proved and refuted with δ = 0."""
    laws = [truncated(laplace(1, centre), 0, 10) for centre in (0, 1)]
    truth = 1 + math.log((2 - math.exp(-1) - math.exp(-9)) / -math.expm1(-10))
    assert truth == pytest.approx(1.4898, abs=1e-4)
    assert audit_density(*laws, truth + 1e-6).refuted is False
    assert audit_density(*laws, truth + 1e-6).delta_upper == 0
    assert audit_density(*laws, truth - 1e-3).refuted is True
    assert audit_density(*laws, 1).refuted is True


@pytest.mark.parametrize("epsilon", [1, 8, 10, 15])
def test_classical_gaussian(epsilon: int) -> None:
    """Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) by mpmath."""
    sigma = F(math.sqrt(2 * math.log(1.25e5)) / epsilon)
    mu = mpmath.mpf(sigma.denominator) / sigma.numerator
    mpmath.mp.dps = 30
    truth = mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(
        -mu / 2 - epsilon / mu
    )
    result = audit_density(gaussian(sigma), gaussian(sigma, 1), epsilon, 1e-5)
    assert result.refuted is (epsilon >= 10)
    assert result.delta_lower <= truth <= result.delta_upper
    assert result.delta_upper - result.delta_lower < 1e-11


def test_true_epsilon_of_the_classical_gaussian_at_ten() -> None:
    sigma = F(math.sqrt(2 * math.log(1.25e5)) / 10)
    laws = gaussian(sigma), gaussian(sigma, 1)
    assert audit_density(*laws, F(1039, 100), 1e-5).refuted is True
    assert audit_density(*laws, F(104, 10), 1e-5).refuted is False


def test_sampled_gaussian_with_and_without_the_sample() -> None:
    sampled = mixture([(TENTH, gaussian(1, 1)), (1 - TENTH, gaussian(1))])
    for first, truth in ((sampled, 1.6845), (gaussian(1, 1), 4.377)):
        near = F(truth).limit_denominator(10**6)
        assert audit_density(first, gaussian(1), near - F(1, 1000), 1e-5).refuted is True
        assert audit_density(first, gaussian(1), near + F(1, 1000), 1e-5).refuted is False


@pytest.mark.parametrize(
    ("law", "reference"),
    [
        (lambda c: logistic(1, c), stats.logistic),
        (lambda c: student(3, 1, c), lambda c: stats.t(3, c)),
        (lambda c: student(1, HALF, c), lambda c: stats.cauchy(c, 0.5)),
        (lambda c: mixture([(HALF, laplace(1, c)), (HALF, gaussian(2, c))]), Half),
    ],
)
@pytest.mark.parametrize("epsilon", [0.0, 0.5])
def test_other_noise_by_distribution_functions(law: Any, reference: Any, epsilon: float) -> None:
    result = audit_density(law(0), law(1), epsilon, F(1, 3), width=1e-10)
    truth = by_distribution_functions(reference(0), reference(1), epsilon)
    assert result.delta_upper - result.delta_lower < 1e-10
    assert result.delta_lower == pytest.approx(truth, abs=1e-10)


def test_student_noise_has_a_finite_pure_epsilon() -> None:
    """Cauchy's ratio (1 + (x − 1)²)/(1 + x²) is at most (3 + √5)/2: ε = 0.96242."""
    laws = student(1), student(1, 1, 1)
    assert audit_density(*laws, F(96, 100)).refuted is True
    result = audit_density(*laws, F(97, 100), F(1, 10**9))
    assert (result.refuted, result.delta_lower) == (False, 0)


def test_one_sided_noise_by_hand() -> None:
    """Exponential noise: what only the unshifted law has is worth 1 − e⁻¹ at every ε."""

    def exponential(start: int) -> Density:
        return Density([(start, math.inf, lambda z, analytic: (arb(start) - z).exp())])

    result = audit_density(exponential(0), exponential(1), 1, HALF)
    truth = -math.expm1(-1)
    assert (result.refuted, result.order) == (True, (0, 1))
    assert result.delta_lower == pytest.approx(truth, abs=1e-12)
    assert result.intervals == ((0.0, 1.0),)
    assert result.event == "output in [0, 1]"


def test_ratio_and_disjoint_laws() -> None:
    uniform = [Density([(i, i + 1, lambda z, analytic: acb(1))]) for i in (0, 1)]
    assert audit_density(*uniform, 3, HALF).delta_lower == 1
    assert audit_density(uniform[0], uniform[0], 0).refuted is False
    step = Density([(0, HALF, lambda z, _: acb(4) / 3), (HALF, 1, lambda z, _: acb(2) / 3)])
    assert audit_density(step, uniform[0], ("ratio", F(5, 4))).refuted is True
    assert audit_density(step, uniform[0], ("ratio", F(8, 5))).refuted is False


@given(
    st.lists(st.integers(1, 9), min_size=4, max_size=4),
    st.lists(st.integers(1, 9), min_size=4, max_size=4),
    st.integers(0, 3),
)
def test_step_functions_have_the_delta_of_their_masses(
    first: list[int], second: list[int], epsilon: int
) -> None:
    """On unit intervals of constant density, δ is that of the finite laws."""

    def law(weights: list[int]) -> Density:
        return Density(
            [(i, i + 1, lambda z, _, w=w: acb(w) / sum(weights)) for i, w in enumerate(weights)]
        )

    p, q = ([F(w, sum(weights)) for w in weights] for weights in (first, second))
    k = math.exp(epsilon)
    truth = max(
        sum(max(a - k * b, 0.0) for a, b in zip(left, right, strict=True))
        for left, right in ((p, q), (q, p))
    )
    result = audit_density(law(first), law(second), epsilon, HALF)
    assert result.delta_lower <= truth + 1e-14
    assert truth <= result.delta_upper + 1e-14
    assert result.delta_upper - result.delta_lower < 1e-12


@pytest.mark.parametrize(
    ("law", "message"),
    [
        (Density([(0, 1, lambda z, _: acb("0.999"))]), "'first' .* integrates to 1.*0.999"),
        (Density([(0, 1, lambda z, _: acb("1.001"))]), "'first' .* integrates to 1.*1.001"),
        (
            Density([(-math.inf, math.inf, lambda z, _: (-z * z / 2).exp())]),
            r"'first' .* integrates to 1.*2\.05",
        ),
        (
            Density([(-math.inf, math.inf, lambda z, _: (-z * z / 2).exp() / 3)]),
            r"'first' .* integrates to 1.*0\.8355",
        ),
        (Density([(0, 1, lambda z, _: 4 * z - 1)]), "negative"),
    ],
)
def test_what_is_no_density_is_refused(law: Density, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        audit_density(law, Density([(0, 1, lambda z, _: acb(1))]), 1, TENTH)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((-1, 0), "epsilon"),
        ((math.nan, 0), "epsilon"),
        ((("ratio", HALF), 0), "epsilon"),
        ((1, 1), "delta"),
        ((1, 0, 0), "width"),
        ((1, 0, math.nan), "width"),
    ],
)
def test_bad_requests(arguments: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        audit_density(laplace(1), laplace(1, 1), *arguments)


@pytest.mark.parametrize(
    "make",
    [
        lambda: laplace(0),
        lambda: gaussian(-1),
        lambda: logistic(1, math.inf),
        lambda: student(math.nan),
        lambda: truncated(laplace(1), 1, 1),
        lambda: truncated(laplace(1), 0, math.inf),
        lambda: truncated(truncated(laplace(1), 0, 1), 2, 3),
        lambda: mixture([(HALF, laplace(1))]),
        lambda: Density([]),
        lambda: Density([(1, 0, lambda z, _: z)]),
        lambda: Density([(0, 2, lambda z, _: z), (1, 3, lambda z, _: z)]),
        lambda: Density([(math.nan, 2, lambda z, _: z)]),
    ],
)
def test_bad_densities(make: Any) -> None:
    with pytest.raises(ValueError, match=r"must|needs|no probability"):
        make()


def test_an_error_of_a_density_is_shown_as_it_is() -> None:
    def broken(z: acb, analytic: bool) -> acb:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        audit_density(Density([(0, 1, broken)]), laplace(1), 1)
