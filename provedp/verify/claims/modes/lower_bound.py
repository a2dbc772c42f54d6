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


@published("modes paper, Theorem 4.6, the proof: the conditions on ψ")
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


@published("modes paper, Theorem 4.6, the proof: p_θ is a density")
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
@proved()
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


@published("modes paper, Theorem 4.6, the proof: the score of p_θ")
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
@proved()
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


@published("modes paper, eq. (18)")
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
@proved()
def scores_differ_at_the_mode() -> Finding:
    """At x = 0 they differ by 2h^(β − 1)|∇ψ(0)|/(1 − h^(2β)ψ(0)²) ≥ 2h^(β − 1)|∇ψ(0)|, for every ψ
    with h^β |ψ(0)| < 1, which is all that Le Cam's two points need.
    """
    t, value, slope = sympy.symbols("t v s", real=True)
    gap = slope / (1 + t * value) + slope / (1 - t * value)
    closed = 2 * slope / (1 - t**2 * value**2)
    size = entails(
        [t * value < 1, t * value > -1, slope > 0], 2 * slope >= 2 * slope * (1 - t**2 * value**2)
    )
    return all_of(equal(gap, closed), size)


@published("modes paper, Theorem 4.6: β > 1 and Assumption 2")
@refuted(beta=Q(3, 2))
def smoothness_of_the_class_is_that_of_the_theorem(beta: Q) -> Finding:
    """The theorem is for every β > 1, and its class satisfies Assumptions 2 and 4, which are for β
    > 2.
    """
    assume(beta > 1)
    return less(2, beta)


@repairs(smoothness_of_the_class_is_that_of_the_theorem)
@proved()
def smoothness_above_two_serves_both() -> Finding:
    """For β > 2 the theorem and its class agree; both exponents of the bound grow with β, so that a
    smoother class has the smaller bound.
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    beta = 2 + sympy.Symbol("b", positive=True)
    once, more = (modes.lower_bound_exponents(d, x) for x in (beta, beta + 1))
    return all_of(less(2, beta), *(less(a, b) for a, b in zip(once, more, strict=True)))


@published(
    "modes paper, Theorem 4.6: 'nearly minimax optimal'", formula=modes.lower_bound_exponents
)
@proved()
def bounds_have_the_same_exponents(exponents: Formula) -> Finding:
    """The lower bound's n^(−2(β − 1)/(d + 2β)) and (nε)^(−2(β − 1)/(d + β)) are the upper bound's
    up to powers of ln n and ln(1/δ): (nε)^(−2) is A_n without them.
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    beta = 2 + sympy.Symbol("b", positive=True)
    sampling, privacy = exponents(d, beta)
    return all_of(
        equal(sampling, modes.error_exponent(d, beta)),
        equal(privacy, 2 * modes.error_exponent(d, beta, True)),
    )


@published("modes paper, Theorem 4.6, the proof: total variation and divergence")
@proved()
def perturbation_has_its_distances() -> Finding:
    """∫ p_0(x) h^β |ψ(x/h)| dx is h^(β + d) ∫ p_0(hu)|ψ(u)| du, at most h^(β + d) sup p_0 ∫|ψ| (the
    proof leaves p_0 out); and the divergence, with ln((1 + t)/(1 − t)) = 2t + O(t³), is of order
    h^(2β + d).
    """
    h, beta, d, t = sympy.symbols("h beta d t", positive=True)
    scale = sympy.powsimp(h**beta * h**d)
    series = sympy.series((1 + t) * (sympy.log(1 + t) - sympy.log(1 - t)), t, 0, 3).removeO()
    return all_of(
        equal(scale, h ** (beta + d)),
        equal(series, 2 * t + 2 * t**2),
        equal(sympy.powsimp((h**beta) ** 2 * h**d), h ** (2 * beta + d)),
    )


@ours("modes paper, Theorem 4.6, the proof: the factor e^(2ε′)")
@proved()
def dropped_factor_is_unbounded() -> Finding:
    """At h = n^(−1/(2β + d)), which the proof takes where sampling dominates, ε′ = 6εn TV grows
    like ε n^(β/(2β + d)): its factor e^(2ε′) may not be dropped, and the part of the bound without
    privacy has to be used there alone.
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    beta = sympy.Symbol("beta", positive=True)
    power = 1 - (beta + d) / (2 * beta + d)
    return all_of(equal(power, beta / (2 * beta + d)), less(0, power))


@published("modes paper, Theorem 4.6: the lower bound")
@open_(
    "An infimum over all private estimators: it rests on lemmas of other papers and on Le Cam's "
    "method. The construction is repaired in claims of their own; the detour from scores to modes, "
    "which takes every estimate of a mode for a root of an estimated score, is not needed."
)
def no_private_estimator_is_faster() -> Finding:
    """Every (ε, δ)-private estimator of the mode has a mean squared error of at least C n^(−2(β −
    1)/(d + 2β)) + C (nε)^(−2(β − 1)/(d + β)) for some density of the class.
    """
    raise NotImplementedError
