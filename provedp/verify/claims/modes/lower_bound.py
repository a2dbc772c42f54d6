"""Theorem 4.6 and eq. (18): the two densities of the minimax lower bound."""

from provedp.theory import modes
from provedp.verify.claims.prelude import *

U = sympy.Symbol("u", real=True)
WEIGHT = sympy.exp(-(U**2) / 2)
BUMP = (1 - U**2 + U) * WEIGHT  # ψ(0) = 1, ∫ψ = 0, ψ′(0) = 1, as the proof asks
ODD_BUMP = U * WEIGHT  # ∫ψ = 0, ψ′(0) = 1, and odd
BUMPS = {"as asked": BUMP, "odd": ODD_BUMP}


def _line_integral(function: sympy.Expr) -> sympy.Expr:
    return sympy.integrate(function, (U, -sympy.oo, sympy.oo))


@published(Source(MODES, "Theorem 4.6", "the proof: the conditions on ψ"))
@certified()
def bump_meets_the_conditions() -> Finding:
    """ψ(u) = (1 + u − u²) e^(−u²/2) has ψ(0) = 1, ∫ψ = 0 and ψ′(0) = 1, all that the proof asks of
    it beside smoothness.
    """
    return all_of(
        equal(BUMP.subs(U, 0), 1),
        equal(_line_integral(BUMP), 0),
        equal(sympy.diff(BUMP, U).subs(U, 0), 1),
    )


@published(Source(MODES, "Theorem 4.6", "the proof: p_θ is a density"), defect=Defect.FALSE)
@refuted(bump="as asked", h=Q(1, 10), beta=3)
def perturbed_density_has_mass_one(bump: str, h: Q, beta: int) -> Finding:
    """p_θ(x) = p_0(x)(1 + θ h^β ψ(x/h)) integrates to 1, for p_0 the normal density and a ψ that
    meets all conditions. (∫ p_0(hu) ψ(u) du does not vanish with ∫ψ: the mass is off by h^(β +
    3)/(1 + h²)^(3/2).)
    """
    width = sympy.Rational(h.numerator, h.denominator)
    density = sympy.exp(-(width**2) * U**2 / 2) / sympy.sqrt(2 * sympy.pi)
    excess = width ** (beta + 1) * _line_integral(density * BUMPS[bump])
    return equal(sympy.simplify(1 + excess), 1)


@repairs(perturbed_density_has_mass_one)
@proved(argued=("for any other even p_0 and odd ψ: the integral of an odd function is 0",))
def odd_perturbation_keeps_the_mass() -> Finding:
    """With an even p_0 and an odd ψ, such as u e^(−u²/2), the perturbation is odd and the mass is
    1, for every h and β; ψ(0) = 1 is not needed.
    """
    h = sympy.Symbol("h", positive=True)
    density = sympy.exp(-(h**2) * U**2 / 2)
    return all_of(
        base_case(equal(_line_integral(density * ODD_BUMP), 0)),
        equal(ODD_BUMP.subs(U, -U), -ODD_BUMP),
        base_case(equal(sympy.diff(ODD_BUMP, U).subs(U, 0), 1)),
    )


@published(Source(MODES, "Theorem 4.6", "the proof: the score of p_θ"), defect=Defect.MISPRINT)
@refuted(theta=1, h=Q(1, 10), beta=3)
def printed_score_is_the_score(theta: int, h: Q, beta: int) -> Finding:
    """s_θ = ∇p_0/p_θ + (θ h^(β − 1)/ψ(x/h)) ∇ψ(x/h), here at x = 0 where ψ = ψ′ = 1 and ∇p_0 = 0.
    (It is θ h^(β − 1)∇ψ/(1 + θ h^β ψ) + ∇p_0/p_0.)
    """
    width = sympy.Rational(h.numerator, h.denominator)
    x = sympy.Symbol("x", real=True)
    log_density = -(x**2) / 2 + sympy.log(1 + theta * width**beta * BUMP.subs(U, x / width))
    printed = theta * width ** (beta - 1)
    return equal(sympy.diff(log_density, x).subs(x, 0), printed)


@repairs(printed_score_is_the_score)
@proved(argued=("in d dimensions the same holds for each partial derivative",))
def score_of_a_perturbed_density() -> Finding:
    """s_θ = ∇ ln p_0 + θ h^(β − 1)∇ψ(x/h)/(1 + θ h^β ψ(x/h)), for every p_0 and ψ."""
    x = sympy.Symbol("x", real=True)
    h, beta = sympy.symbols("h beta", positive=True)
    theta = sympy.Symbol("theta", real=True)
    base, bump = sympy.Function("p"), sympy.Function("psi")
    density = base(x) * (1 + theta * h**beta * bump(x / h))
    inner = sympy.Symbol("v")
    slope = sympy.diff(bump(inner), inner).subs(inner, x / h)
    wanted = sympy.diff(base(x), x) / base(x) + theta * h ** (beta - 1) * slope / (
        1 + theta * h**beta * bump(x / h)
    )
    found = (sympy.diff(density, x) / density).doit()
    return equal(found, wanted.doit())


@published(Source(MODES, "eq. (18)"), defect=Defect.FALSE)
@refuted(bits=128, place=Q(1, 2), h=Q(1, 10), beta=3)
def scores_differ_throughout_the_bump(place: Q, h: Q, beta: int) -> Finding:
    """For |x| ≤ h the two scores differ by at least C h^(β − 1). (ψ′ changes its sign between u = 0
    and 1/2 for a ψ that meets all conditions, and with it the difference: somewhere between it is
    0.)
    """
    assume(0 <= place <= 1)
    width = ball(h)
    at_zero, there = (_score_gap(ball(u), width, beta) for u in (Q(0), place))
    return less(0, at_zero * there)


def _score_gap(u: Any, h: Any, beta: int) -> Any:
    """Return s_1 − s_−1 at x = hu: h^(β − 1) 2ψ′(u)/(1 − h^(2β) ψ(u)²)."""
    weight = (-u * u / 2).exp()
    value, slope = (1 - u * u + u) * weight, (1 - 3 * u - u * u + u**3) * weight
    return h ** (beta - 1) * 2 * slope / (1 - h ** (2 * beta) * value**2)


@repairs(scores_differ_throughout_the_bump)
@proved(argued=("in d dimensions the same holds along ∇ψ(0)",))
def scores_differ_at_the_mode() -> Finding:
    """At x = 0 they differ by 2h^(β − 1)|∇ψ(0)|/(1 − h^(2β)ψ(0)²) ≥ 2h^(β − 1)|∇ψ(0)|, for every ψ
    with h^β |ψ(0)| < 1. How far the modes are apart is a claim of its own.
    """
    t, value, slope = sympy.symbols("t v s", real=True)
    gap = slope / (1 + t * value) + slope / (1 - t * value)
    closed = 2 * slope / (1 - t**2 * value**2)
    size = entails(
        [t * value < 1, t * value > -1, slope > 0], 2 * slope >= 2 * slope * (1 - t**2 * value**2)
    )
    return all_of(equal(gap, closed), size)


@published(
    Source(MODES, "Theorem 4.6", "β > 1, with 'bounded singular values' of ∇² log p"),
    defect=Defect.GAP,
)
@refuted(bits=128, beta=Q(3, 2), h=Q(1, 10**4), place=Q(-3, 4), bound=10)
def smoothness_of_the_class_is_that_of_the_theorem(beta: Q, h: Q, place: Q, bound: int) -> Finding:
    """For every β > 1 the densities of the proof are in the theorem's class, which has a bounded
    Hessian of ln p: for N(0, 1) and ψ = u e^(−u²/2), |(ln p_1)″| ≤ 10 for all small h. (At u = −3/4
    it grows like h^(β − 2), which is 100 at β = 3/2 and h = 10⁻⁴; and Assumption 2 is for β > 2.)
    """
    assume(beta > 1)
    u, width = ball(place), ball(h)
    weight = (-u * u / 2).exp()
    rate = (width.log() * (ball(beta) - 2)).exp()  # h^(β − 2)
    value, slope, curve = u * weight, (1 - u * u) * weight, (u**3 - 3 * u) * weight
    below = 1 + rate * width**2 * value
    found = -1 + rate * curve / below - (rate * width * slope / below) ** 2
    return at_most(abs(found), bound)


@repairs(
    smoothness_of_the_class_is_that_of_the_theorem,
    rests_on=("modes.perturbed_densities_have_one_mode",),
)
@proved(argued=())
def smoothness_above_two_serves_both() -> Finding:
    """For β > 2 and h^(β − 2) ≤ 1/4 the Hessians of the logarithms of both densities have
    eigenvalues between −3 and −1/9, by the claim that this rests on; both exponents of the bound
    grow with β, so that a smoother class has the smaller bound.
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    beta = 2 + sympy.Symbol("b", positive=True)
    once, more = (modes.lower_bound_exponents(d, x) for x in (beta, beta + 1))
    return all_of(*(less(a, b) for a, b in zip(once, more, strict=True)))


@published(
    Source(MODES, "Theorem 4.6", "'nearly minimax optimal'"), formula=modes.lower_bound_exponents
)
@proved(argued=())
def bounds_have_the_same_exponents(exponents: Formula) -> Finding:
    """The lower bound is n^(−2(β − 1)/(d + 2β)) + (nε)^(−2(β − 1)/(d + β)), which are the upper
    bound's terms up to powers of ln n and ln(1/δ): (nε)^(−2) is A_n without them.
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    beta = 2 + sympy.Symbol("b", positive=True)
    sampling, privacy = exponents(d, beta)
    return all_of(
        equal(sampling, 2 * (beta - 1) / (d + 2 * beta), modes.error_exponent(d, beta)),
        equal(privacy, 2 * (beta - 1) / (d + beta), 2 * modes.error_exponent(d, beta, True)),
    )


def _divergence(h: Any, beta: int) -> Any:
    """Return ∫ p_1 ln(p_1/p_−1) for the printed p_θ of N(0, 1), in balls.

    Beyond 12h, |h^β ψ| ≤ 200 e^(−72) h^β, so that what is left out is far below 10⁻²⁸ h^β.
    """
    reach = 12 * h
    scale = 1 / (2 * arb.pi()).sqrt()

    def integrand(x: Any, _: Any) -> Any:
        u = x / h
        t = h**beta * (1 + u - u * u) * (-u * u / 2).exp()
        return scale * (-x * x / 2).exp() * (1 + t) * ((1 + t).log() - (1 - t).log())

    found = acb.integral(integrand, -reach, reach).real
    leftover = ball(Q(-1, 10**28)).union(ball(Q(1, 10**28)))
    return found + leftover * h**beta


@published(
    Source(MODES, "Theorem 4.6", "the proof: total variation and divergence"), defect=Defect.FALSE
)
@refuted(bits=192, h=Q(1, 80), beta=3, constant=100)
def perturbation_has_its_distances(h: Q, beta: int, constant: int) -> Finding:
    """'KL(p_1, p_−1) ≤ C h^(2β + d)', for the printed p_θ of N(0, 1) and a ψ that meets all
    conditions, here with C = 100. (The quotient is 5.6 at h = 2/5 and 161 at h = 1/80: the term
    2h^β ∫ p_0 ψ(x/h) of first order does not vanish, and the order is h^(β + d + 2). The total
    variation leaves p_0 out, which costs a constant.)
    """
    width = ball(h)
    return at_most(_divergence(width, beta), constant * width ** (2 * beta + 1))


@ours(Source(MODES, "Theorem 4.6", "the proof: the order of the printed divergence"))
@certified(bits=192, h=(Q(2, 5), Q(1, 10), Q(1, 80)), beta=(3, 4))
def printed_divergence_has_a_lower_order(h: Q, beta: int) -> Finding:
    """For that p_θ the divergence is between 2 h^(β + 3)/(1 + h²)^(3/2), its term of first order,
    and twice that plus 4 h^(2β + 1): of order h^(β + d + 2), for β > 2 more than h^(2β + d).
    """
    width = ball(h)
    first = 2 * width ** (beta + 3) / ((1 + width**2) ** 3).sqrt()
    found = _divergence(width, beta)
    return all_of(less(first, found), less(found, 2 * first + 4 * width ** (2 * beta + 1)))


@repairs(perturbation_has_its_distances, rests_on=(odd_perturbation_keeps_the_mass,))
@proved(
    argued=(
        "ln x ≤ x − 1, and ∫ p_0 ψ(x/h) = 0 for odd ψ in any dimension",
        "p_0 ≤ (2π)^(−d/2), and integrals over u are products over coordinates",
        "2^(−d/2) ≤ 2^(−1/2)",
    )
)
def odd_perturbation_has_its_distances() -> Finding:
    """For N(0, I_d), ψ(u) = u_1 e^(−‖u‖²/2) and h^β ≤ 1/4, with t = h^β ψ(x/h): p_1 (p_1/p_−1 − 1)
    = p_0 (2t + 4t²/(1 − t)), so that KL(p_1, p_−1) ≤ (16/3) ∫ p_0 t² ≤ 2h^(2β + d), and the total
    variation is ∫ p_0 |t| ≤ √(2/π) h^(β + d): ∫|ψ| = 2(2π)^((d − 1)/2) and ∫ψ² = π^(d/2)/2.
    """
    t, p, h, beta = sympy.symbols("t p h beta", positive=True)
    d = sympy.Symbol("d", integer=True, positive=True)
    pi, half = sympy.pi, sympy.Rational(1, 2)
    x = sympy.Symbol("x", real=True)
    # of one coordinate that is odd, and of each of d − 1 others
    sizes = 2 * sympy.integrate(U * WEIGHT, (U, 0, sympy.oo)), _line_integral(WEIGHT)
    squares = _line_integral(ODD_BUMP**2), _line_integral(WEIGHT**2)
    height, factor = (2 * pi) ** (-d / 2), sympy.Symbol("f", positive=True)
    return all_of(
        equal(p * (1 + t) * ((1 + t) / (1 - t) - 1), p * (2 * t + 4 * t**2 / (1 - t))),
        entails([sympy.Abs(4 * x) <= 1], 4 * x**2 / (1 - x) <= 16 * x**2 / 3),
        equal(height * sizes[0] * sizes[1] ** (d - 1), sympy.sqrt(2 / pi)),
        equal(height * squares[0] * squares[1] ** (d - 1), 2 ** (-d / 2) * half),
        equal((h**beta) ** 2 * h**d, h ** (2 * beta + d)),
        # f = 2^(−d/2)
        entails([2 * factor**2 <= 1], 16 * factor / 2 / 3 <= 2),
    )


@ours(Source(MODES, "Theorem 4.6", "the proof: the factor e^(2ε′)"))
@proved(argued=("TV is of order h^(β + d)",))
def dropped_factor_is_unbounded() -> Finding:
    """At h = n^(−1/(2β + d)), which the proof takes where sampling dominates, ε′ = 6εn TV grows
    like ε n^(β/(2β + d)): its factor e^(2ε′) may not be dropped, and the part of the bound without
    privacy has to be used there alone.
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    beta = sympy.Symbol("beta", positive=True)
    power = 1 - (beta + d) / (2 * beta + d)
    return all_of(equal(power, beta / (2 * beta + d)), less(0, power))
