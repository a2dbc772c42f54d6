"""Assumptions 2–4, Definitions 4 and 5, Lemmas 4 to 9: the landscape near a mode."""

from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.modes.instances.mixtures import NormalMixture
from provedp.verify.claims.prelude import *


@published("modes paper, Assumption 2; Assumption 4; Lemma 4: the Hessian of ln p")
@proved()
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


@published("modes paper, Lemma 5; eq. (10)")
@proved()
def drift_points_inward() -> Finding:
    """⟨x − μ, ∇ ln p(x)⟩ is the integral over [0, 1] of (x − μ)ᵀ∇² ln p (x − μ) along the segment,
    which by (10) is at most −(α/2)‖x − μ‖² everywhere.
    """
    s, alpha, square = sympy.symbols("s a D", positive=True)
    bound = sympy.integrate(-alpha / 2 * square, (s, 0, 1))
    along = sympy.Function("f")(s)
    total = sympy.integrate(sympy.diff(along, s), (s, 0, 1))
    return all_of(
        equal(bound, -alpha * square / 2),
        base_case(equal(total, along.subs(s, 1) - along.subs(s, 0))),
    )


@published("modes paper, Lemma 5; eq. (10)")
@certified(bits=128, separation=(Q(4), Q(6)), radius=(Q(6, 10), Q(14, 10)))
def drift_points_inward_in_a_mixture(separation: Q, radius: Q) -> Finding:
    """For 0.9 N(0, 1) + 0.1 N(s, 1) the slope of ln p at distance t from the mode near 0 is steeper
    than α t/2 minus what the mode is off 0, throughout a radius in which (10) holds with α = 0.9.
    """
    law = NormalMixture(Q(9, 10), separation)
    steps = [radius * Q(i, 20) for i in range(1, 21)]
    curved = [less(law.log_curvature(x), ball(Q(-45, 100))) for x in (*steps, -radius)]
    drifts = []
    for x in steps:
        share = (law.density(x) - ball(Q(9, 10)) * _normal(x)) / law.density(x)
        slope = -ball(x) + ball(separation) * share
        drifts.append(less(slope, -ball(Q(45, 100)) * (ball(x) - ball(Q(2, 1000)))))
    return all_of(*curved, *drifts)


def _normal(x: Q) -> arb:
    return NormalMixture(Q(1), Q(1)).density(x)


@published("modes paper, Definition 4; Assumption 2: the separation")
@proved()
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


@published("modes paper, Assumption 3; Remark 4.2")
@proved()
def bandwidths_of_the_theory_meet_the_condition() -> Finding:
    """The ascent's h = (ln n/n)^(1/(d + 2β)) of (11) meets Assumption 3 for β > 2: n h^(d + 4)/ln n
    is (n/ln n) to the power 1 − (d + 4)/(d + 2β) = 2(β − 2)/(d + 2β) > 0. At β = 2 it would not.
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    excess = sympy.Symbol("b", positive=True)
    power = 1 - (d + 4) / (d + 2 * (2 + excess))
    return all_of(less(0, power), equal(power, 2 * excess / (d + 4 + 2 * excess)))


@published("modes paper, Lemma 6: the rate of the supremum")
@open_(
    "A supremum over a continuum with a probability of 1 − n⁻⁴ and an unnamed constant, for n "
    "large enough; the order of the bias is a claim of its own."
)
def density_derivatives_converge_uniformly() -> Finding:
    """On the basins p̂ and its first two derivatives are within C(h^(β − s) + √(ln n/(n h^(d +
    2s)))) of those of p with probability at least 1 − n^(−4).
    """
    raise NotImplementedError


@published("modes paper, Lemma 7")
@proved()
def density_stays_above_half() -> Finding:
    """Where p ≥ p_min and |p̂ − p| ≤ p_min/2, which Lemma 6 gives for large n, p̂ ≥ p_min/2."""
    below, truth, least = sympy.symbols("q p l", real=True)
    return entails([truth >= least, 2 * sympy.Abs(below - truth) <= least], 2 * below >= least)


@published("modes paper, Lemma 8; eq. (19)")
@proved()
def log_derivatives_follow_the_derivatives() -> Finding:
    """Two events of probability 1 − n^(−4) hold together with 1 − 2n^(−4). On them p, p̂ ≥ c, and
    the gradient of ln p̂ is off by at most e₁/c + G e₀/c² where those of p̂ and p are by e₀ and e₁:
    ∇p̂/p̂ − ∇p/p = (∇p̂ − ∇p)/p̂ − ∇p (p̂ − p)/(p p̂).
    """
    first, second, both, tail = sympy.symbols("A B C t", real=True)
    union = entails([first <= tail, second <= tail, both <= first + second], both <= 2 * tail)
    slope, other, below, truth = sympy.symbols("g G q p", positive=True)
    split = (other - slope) / below - slope * (below - truth) / (truth * below)
    least, off, most, gap = sympy.symbols("c a S e", positive=True)
    inside = [below >= least, truth >= least]
    return all_of(
        union,
        equal(other / below - slope / truth, split),
        entails(inside, off / below <= off / least),
        entails([*inside, slope <= most], slope * gap * least**2 <= most * gap * truth * below),
    )


@published("modes paper, Lemma 9")
@proved()
def static_event_has_the_sum_of_the_tails() -> Finding:
    """The three parts of the local event fail with probability at most 2n^(−4), n^(−4) and n^(−4),
    so that all hold with 1 − 4n^(−4).
    """
    parts = sympy.symbols("a b c", nonnegative=True)
    tail, fails = sympy.symbols("t f", nonnegative=True)
    caps = [parts[0] <= 2 * tail, parts[1] <= tail, parts[2] <= tail, fails <= sum(parts)]
    return entails(caps, fails <= 4 * tail)


@published("modes paper, Definition 5; Theorem 4.3: Pr(X ∈ 𝒳) ≥ 1 − 5n⁻⁴")
@refuted(bits=128, radius=Q(1), step=Q(1, 2), spread=Q(1), score=Q(1))
def some_data_keep_every_path_in_the_basin(radius: Q, step: Q, spread: Q, score: Q) -> Finding:
    """For data in 𝒳, 'the set of all datasets such that G holds', the path stays in the basin. (A
    path leaves with a positive probability whatever the data are, since the noise is Gaussian: G is
    an event of data and noise, and no data set makes it certain. One step leaves with probability
    at least Φ(−(2r + ηA/p_floor)/(ησ)) > 0, here Φ(−5).)
    """
    reach = (2 * radius + step * score) / (step * spread)  # out, whatever the score was
    return at_most(normal_cdf(-ball(reach)), 0)


@repairs(some_data_keep_every_path_in_the_basin)
@proved()
def data_and_noise_keep_the_path_in_the_basin() -> Finding:
    """As an event of data and noise, the local one fails with probability at most 4n^(−4) + n^(−5),
    and that is at most 5n^(−4); the constants C_j and D_j have to be fixed before the data.
    """
    n = 1 + sympy.Symbol("s", nonnegative=True)
    return at_most(0, 5 / n**4 - (4 / n**4 + 1 / n**5))
