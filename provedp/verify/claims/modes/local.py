"""Assumptions 2–4, Definition 4, Lemmas 4 and 5: the landscape near a mode."""

from provedp.theory import modes
from provedp.verify.claims.modes.instances.mixtures import NormalMixture
from provedp.verify.claims.prelude import *


@published(
    Source(MODES, "Assumption 2"),
    Source(MODES, "Assumption 4"),
    Source(MODES, "Lemma 4", "the Hessian of ln p"),
)
@proved(
    argued=(
        "sums, products and quotients of continuous functions are continuous",
        "|λ_max(A) − λ_max(B)| ≤ ‖A − B‖, Weyl's inequality",
    )
)
def log_hessian_is_continuous_where_the_density_is_smooth() -> Finding:
    """∂_i∂_j ln p = ∂_i∂_j p/p − ∂_i p ∂_j p/p²: continuous where p is positive and twice
    continuously differentiable. Within ξ = α/2 of a matrix with largest eigenvalue −α it has −α/2
    or less.
    """
    x, y = sympy.symbols("x y", real=True)
    p = sympy.Function("p", positive=True)(x, y)
    second = sympy.diff(sympy.log(p), x, y)
    printed = sympy.diff(p, x, y) / p - sympy.diff(p, x) * sympy.diff(p, y) / p**2
    curve, other, alpha = sympy.symbols("q r a", real=True)
    weyl = entails(
        [curve <= -alpha, sympy.Abs(other - curve) <= alpha / 2, alpha > 0], other <= -alpha / 2
    )
    return all_of(equal(second, printed), weyl)


@published(Source(MODES, "Lemma 5"), Source(MODES, "eq. (10)"))
@proved(
    argued=(
        "d/ds ⟨x − μ, ∇ ln p(μ + s(x − μ))⟩ is (x − μ)ᵀ∇² ln p (x − μ), and ∇ ln p(μ) = 0",
        "the fundamental theorem of calculus, and integrals keep inequalities",
    )
)
def drift_points_inward() -> Finding:
    """⟨x − μ, ∇ ln p(x)⟩ is the integral over [0, 1] of (x − μ)ᵀ∇² ln p (x − μ) along the segment,
    which by (10) is at most −(α/2)‖x − μ‖² everywhere on it.
    """
    s, alpha, square = sympy.symbols("s a D", positive=True)
    drift, curve = sympy.symbols("d q", real=True)
    bound = sympy.integrate(-alpha / 2 * square, (s, 0, 1))
    # qᵀ∇² ln p q ≤ λ_max ‖q‖² with λ_max ≤ −α/2
    return all_of(
        entails([curve <= -alpha / 2], curve * square <= -alpha / 2 * square),
        entails([drift <= bound], drift <= -alpha / 2 * square),
    )


@published(Source(MODES, "Lemma 5"), Source(MODES, "eq. (10)"))
@certified(bits=128, separation=(Q(4), Q(6)), radius=(Q(6, 10), Q(14, 10)))
def drift_points_inward_in_a_mixture(separation: Q, radius: Q) -> Finding:
    """For 0.9 N(0, 1) + 0.1 N(s, 1) the slope of ln p at 20 distances t to the right of 0 is
    steeper than (α/2)(t − 0.002), and (10) holds there with α = 0.9; the mode is within 0.002 of 0.
    """
    law = NormalMixture(Q(9, 10), separation)
    steps = [radius * Q(i, 20) for i in range(1, 21)]
    curved = [less(law.log_curvature(x), ball(Q(-45, 100))) for x in (*steps, -radius)]
    drifts = []
    for x in steps:
        share = (law.density(x) - ball(Q(9, 10)) * _normal(x)) / law.density(x)
        slope = -ball(x) + ball(separation) * share
        drifts.append(less(slope, -ball(Q(45, 100)) * (ball(x) - ball(Q(2, 1000)))))
    near = [less(0, law.slope(Q(-2, 1000))), less(law.slope(Q(2, 1000)), 0)]
    return all_of(*near, *curved, *drifts)


def _normal(x: Q) -> arb:
    return NormalMixture(Q(1), Q(1)).density(x)


@published(Source(MODES, "Definition 4"), Source(MODES, "Assumption 2", "the separation"))
@proved(argued=())
def basins_are_apart() -> Finding:
    """With radii of at most half the distance to the other modes, a point inside two basins is on
    both boundaries, and no basin holds another mode in its interior.
    """
    r, other, apart, a, b = sympy.symbols("r q m a b", nonnegative=True)
    halves = [2 * r <= apart, 2 * other <= apart]
    shared = entails(
        [*halves, a <= r, b <= other, apart <= a + b], sympy.And(sympy.Eq(a, r), sympy.Eq(b, other))
    )
    return all_of(shared, entails([*halves, apart > 0, a < r], a < apart))


@published(
    Source(MODES, "Assumption 3"),
    Source(MODES, "Remark 4.2"),
    Source(MODES, "eq. (11)"),
    formula=modes.bandwidth_exponent,
)
@proved(argued=("a positive power of n/ln n tends to infinity",))
def bandwidths_of_the_theory_meet_the_condition(exponent: Formula) -> Finding:
    """The ascent's h = (ln n/n)^(1/(d + 2β)) of (11) meets Assumption 3 for β > 2: n h^(d + 4)/ln n
    is (n/ln n) to the power 1 − (d + 4)/(d + 2β) = 2(β − 2)/(d + 2β) > 0. At β = 2 it would not.
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    excess = sympy.Symbol("b", positive=True)
    power = 1 - (d + 4) * exponent(d, 2 + excess)
    return all_of(
        less(0, power),
        equal(power, 2 * excess / (d + 4 + 2 * excess)),
        base_case(equal((d + 4) * exponent(d, sympy.Integer(2)), 1)),
    )


@published(
    Source(MODES, "Assumption 3"),
    Source(MODES, "Remark 4.2"),
    Source(MODES, "eq. (11)", "with privacy"),
    formula=modes.bandwidth_exponent,
    rests_on=(bandwidths_of_the_theory_meet_the_condition,),
)
@proved(argued=("h_dp → 0 as nε → ∞, and n h^(d + 4)/ln n grows with h",))
def private_bandwidth_meets_the_condition(exponent: Formula) -> Finding:
    """The private bandwidth h_dp = (nε)^(−1/(d + β)) of (11) is (ε_thr/ε)^(1/(d + β)) times h_np =
    (ln n/n)^(1/(d + 2β)): where ε ≤ ε_thr it is no smaller, so that n h^(d + 4)/ln n → ∞ too, and
    with nε → ∞ it meets Assumption 3.
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    beta = 2 + sympy.Symbol("b", positive=True)
    size, log, level = sympy.symbols("N L E", real=True)  # ln n, ln ln n and ln ε
    far, near = exponent(d, beta, True), exponent(d, beta)
    powers = modes.threshold_exponents(d, beta)
    threshold = powers.n * size + powers.log_n * log
    gap = -2 * far * (size + level) - near * (log - size)
    return all_of(equal(gap, (threshold - level) / (d + beta)), less(0, far))
