"""Expected divergence of the released mixture: (8), (13), (14), (36), (37), Proposition 1."""

from flint import ctx

from provedp.theory import mixture
from provedp.theory.matrices import inverse
from provedp.verify.claims.prelude import *

WIDTH = 1e-30  # of a comparison of balls at that precision


@published(
    Source(MIXTURE, "eq. (8)"),
    Source(MIXTURE, "eq. (36)"),
    Source(MIXTURE, "Appendix B"),
    Source(MIXTURE, "Proposition 1", "the first line of (13)"),
)
@proved(
    argued=(
        "each p̃_k integrates to one, so that ∫ p̃_k ln(π̃_k/π_k) = ln(π̃_k/π_k)",
        "the mean of a product of independent factors is the product of their means",
    )
)
def joint_divergence_splits_into_weights_and_components() -> Finding:
    """KL(p̃(x, y) ‖ p(x, y)) = Σ_k π̃_k (ln π̃_k/π_k + KL(p̃_k ‖ p_k)): so do the integrands, for
    every k and x, and each p̃_k integrates to 1. Noise on the weights that is independent of the
    other noise keeps the products in expectation.
    """
    weight, fitted, density, other = sympy.symbols("w v p q", positive=True)
    joint = weight * density * sympy.log(weight * density / (fitted * other))
    split = weight * density * (sympy.log(weight / fitted) + sympy.log(density / other))
    return equal(sympy.expand_log(joint), sympy.expand_log(split))


@published(Source(MIXTURE, "eq. (37)"), Source(MIXTURE, "Appendix B"))
@proved(
    argued=(
        "the divergence does not change under x ↦ Σ^(−1/2)(x − μ) and a rotation",
        "the divergence of products of laws is the sum over coordinates; trace and log-determinant "
        "are sums over eigenvalues",
    )
)
def divergence_of_components_has_a_closed_form() -> Finding:
    """KL(N(μ + w, Σ + W) ‖ N(μ, Σ)) = ½ [wᵀΣ⁻¹w + tr(Σ⁻¹W) − ln |I + Σ^(−1/2) W Σ^(−1/2)|] in every
    dimension: x ↦ Σ^(−1/2)(x − μ) and a rotation to the eigenvectors of Σ^(−1/2) W Σ^(−1/2) leave
    the divergence, turn both laws into products and the right side into a sum over coordinates, and
    for each coordinate, N(w, 1 + x) against N(0, 1), it is ½ (w² + x − ln(1 + x)).
    """
    y, w = sympy.symbols("y w", real=True)
    x = sympy.Symbol("x", positive=True)
    log_ratio = -sympy.log(1 + x) / 2 - (y - w) ** 2 / (2 * (1 + x)) + y**2 / 2
    moments = (sympy.Integer(1), w, w**2 + 1 + x)  # E y⁰, E y, E y²
    parts = reversed(sympy.Poly(sympy.expand(log_ratio), y).all_coeffs())
    found = sum(part * moment for part, moment in zip(parts, moments, strict=True))
    return equal(found, (w**2 + x - sympy.log(1 + x)) / 2)


def _moments(rows: int) -> tuple[sympy.Matrix, sympy.Matrix]:
    """Return symmetric matrices of symbols: Σ⁻¹ and the second moments of w."""
    inverse, second = (
        sympy.Matrix(rows, rows, lambda i, j, n=n: sympy.Symbol(f"{n}{min(i, j)}{max(i, j)}"))
        for n in ("a", "g")
    )
    return inverse, second


@published(
    Source(MIXTURE, "eq. (13)", "the two closed-form expectations"),
    Source(MIXTURE, "eq. (37)", "the two closed-form expectations"),
)
@certified(dimension=range(1, 6))
def traces_have_closed_form_expectations(dimension: int) -> Finding:
    """E wᵀΣ⁻¹w = tr(Σ⁻¹Γ⁻¹) for E w wᵀ = Γ⁻¹, and E tr(Σ⁻¹W) = (d + 1)/γ tr(Σ⁻¹), W being a sum of
    d + 1 squares g gᵀ with E g gᵀ = I/γ.
    """
    inverse, noise = _moments(dimension)
    gamma = sympy.Symbol("gamma", positive=True)
    size = range(dimension)
    quadratic = sum(inverse[i, j] * noise[i, j] for i in size for j in size)
    wishart = (dimension + 1) * sympy.eye(dimension) / gamma
    return all_of(
        equal(quadratic, (inverse * noise).trace()),
        equal((inverse * wishart).trace(), (dimension + 1) / gamma * inverse.trace()),
    )


def _exponential_mean(rate: arb) -> arb:
    """Return E ln(1 + G/a), G exponential, by an integral with a bounded rest."""
    end = ctx.prec

    def integrand(x: acb, analytic: bool) -> acb:
        return (1 + x / rate).log(analytic=analytic) * (-x).exp()

    body = acb.integral(integrand, 0, end).real
    # ln(1 + x/a) ≤ x/a, and ∫ x e^(−x) dx from E is (E + 1) e^(−E).
    return body + arb(0).union(((end + 1) * (-arb(end)).exp() / rate).upper())


def with_three_degrees_of_freedom(variance: arb, gamma: arb, noise: arb) -> arb:
    """Return (14) with E χ²₃ in the place of E χ²₂."""
    return ball(mixture.scalar_expected_kl(variance, gamma, noise)) + 1 / (2 * gamma * variance)


@published(
    Source(MIXTURE, "eq. (14)"),
    formula=mixture.scalar_expected_kl,
    mutants=(with_three_degrees_of_freedom,),
)
@certified(
    bits=128,
    variance=(Q(1, 4), Q(1), Q(3)),
    gamma=(Q(1, 10), Q(2), Q(30)),
    noise=(Q(0), Q(1, 10), Q(2)),
)
def scalar_divergence_is_as_printed(formula: Formula, variance: Q, gamma: Q, noise: Q) -> Finding:
    """For d = 1 it is ½ [Γ⁻¹/σ² + 2/(γσ²) − E ln(1 + χ²₂/(γσ²))], here with the expectation as an
    integral; its value is e^a E₁(a) at a = γσ²/2.
    """
    a = ball(gamma * variance / 2)
    expected = (ball(noise / variance + 1 / (gamma * variance / 2)) - _exponential_mean(a)) / 2
    found = formula(ball(variance), ball(gamma), ball(noise))
    return close(found, expected, tolerance=WIDTH)


def cost(ratio: sympy.Expr, gamma: sympy.Expr) -> sympy.Expr:
    """Return x/γ − ln(1 + x/γ): twice the cost of an eigenvalue x of Σ^(−1/2) (γW) Σ^(−1/2)."""
    return ratio / gamma - sympy.log(1 + ratio / gamma)


@published(Source(MIXTURE, "eq. (14)", "after it: 'strictly decreasing in γ', 'converges to zero'"))
@proved(
    argued=(
        "the law of the eigenvalues x does not depend on γ and has finite second moments",
        "what holds for every x holds for the mean, and derivative and mean may be exchanged",
    )
)
def covariance_cost_falls_with_gamma_to_zero() -> Finding:
    """The covariance contribution is strictly decreasing in γ and vanishes as γ → ∞, in every
    dimension: it is half the expected sum of f = x/γ − ln(1 + x/γ) over the eigenvalues x of
    Σ^(−1/2) (γW) Σ^(−1/2), whose law has finite moments and does not depend on γ.
    ∂f/∂γ = −x²/(γ²(γ + x)), and f ≤ x²/(2γ²): t²/2 − t + ln(1 + t) is 0 at 0 and has the derivative
    t²/(1 + t).
    """
    x, gamma, t = sympy.symbols("x gamma t", positive=True)
    slope = sympy.diff(cost(x, gamma), gamma)
    bound = t**2 / 2 - t + sympy.log(1 + t)
    return all_of(
        equal(slope, -(x**2) / (gamma**2 * (gamma + x))),
        less(sympy.together(slope), 0),
        base_case(equal(bound.subs(t, 0), 0)),
        equal(sympy.diff(bound, t), t**2 / (1 + t)),
        at_most(0, t**2 / (1 + t)),
    )


@ours(
    Source(MIXTURE, "eq. (24)", "the grid over γ"),
    rests_on=(covariance_cost_falls_with_gamma_to_zero,),
)
@proved(argued=("the cost of the mean is proportional to 1/ε_k²",))
def covariance_cost_is_convex_in_gamma() -> Finding:
    """The covariance contribution is strictly convex in γ, and so is that of the mean, a multiple
    of 1/ε_k² where ε_k falls linearly with γ: the best γ of a class is found by a one-dimensional
    convex search instead of a grid.
    """
    x, gamma, share, slope = sympy.symbols("x gamma a b", positive=True)
    left = share - slope * gamma  # ε_k
    return all_of(
        less(0, sympy.together(sympy.diff(cost(x, gamma), gamma, 2))),
        equal(sympy.diff(left**-2, gamma, 2), 6 * slope**2 / left**4),
    )


SHAPES: tuple[Any, ...] = (
    [[Q(1)]],
    [[Q(1), Q(0)], [Q(0), Q(4)]],
    [[Q(2), Q(1, 2)], [Q(1, 2), Q(1)]],
    [[Q(3, 2), Q(0), Q(0)], [Q(0), Q(3, 2), Q(0)], [Q(0), Q(0), Q(3, 2)]],
)


def at_another_gamma(covariance: Any, gamma: Q, noise: Any) -> Any:
    """Return the divergence for a γ that is 0.01 % larger."""
    return mixture.expected_kl(covariance, gamma * Q(10001, 10000), noise)


def with_half_the_noise(covariance: Any, gamma: Q, noise: Any) -> Any:
    """Return the divergence for Γ⁻¹/2."""
    return mixture.expected_kl(covariance, gamma, matrix(noise) / 2)


@published(
    Source(MIXTURE, "Proposition 1"),
    Source(MIXTURE, "eq. (13)"),
    Source(MIXTURE, "eq. (14)", "after it: 'linear in Γ⁻¹'"),
    formula=mixture.expected_kl,
    mutants=(at_another_gamma, with_half_the_noise),
)
@certified(bits=128, covariance=SHAPES, gamma=(Q(1, 2), Q(3), Q(20)), size=(Q(0), Q(1, 10), Q(2)))
def expected_divergence_is_traces_minus_log_determinant(
    formula: Formula, covariance: Any, gamma: Q, size: Q
) -> Finding:
    """Per component it is ½ [(d + 1)/γ tr(Σ⁻¹) + tr(Σ⁻¹Γ⁻¹) − E ln |I + Σ^(−1/2) W Σ^(−1/2)|]; here
    for Γ⁻¹ = c Σ, so that tr(Σ⁻¹Γ⁻¹) = c d exactly.
    """
    dimension = len(covariance)
    noise = [[size * entry for entry in row] for row in covariance]
    spread = sum(inverse(matrix(covariance)).diagonal())
    logarithm = mixture.log_determinant_expectation(covariance, gamma).value
    expected = (ball((dimension + 1) / gamma * spread + dimension * size) - logarithm) / 2
    return close(formula(covariance, gamma, noise).value, expected, tolerance=1e-25)
