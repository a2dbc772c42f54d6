"""What follows from Lemma 3's failure: end to end, how often, and how much; and the sharp norms."""

from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

import sympy
from flint import arb, ctx

from provedp.theory import modes, privacy
from provedp.theory.numbers import ball
from provedp.verify.ledger import (
    Finding,
    all_of,
    at_most,
    certified,
    close,
    equal,
    less,
    levels,
    ours,
    proved,
    published,
    refuted,
    repairs,
)
from provedp.verify.modes.claims.joint_release import NEARLY_WORST, one_percent_less
from provedp.verify.modes.correlations import is_least_at_the_stationary_distance
from provedp.verify.modes.pools import FEWEST_RECORDS, Pool, symmetric

PRECISION = 128  # bits
STEEPEST = {1: Q(2419707245, 10**10), 2: Q(965323526, 10**10), 3: Q(385108382, 10**10)}  # ≈ G_K
SADDLE = Q(12131, 10**4)  # 2 e^(−1/2): from there on the clip saturates at 2 e^(−1/2)/m


def saturated(m: int, d: int = 1, gap: Q | None = None) -> Pool:
    """Return a pool whose middle score flips from A/p_floor to −A/p_floor while others stay."""
    place = SADDLE / m if gap is None else gap
    return Pool(m, STEEPEST[d] / m, Q(1, 2), Q(1), Q(-1), symmetric(place), d)


@published("modes paper, Lemma 3, eq. (9)")
@refuted(pool=saturated(1500), epsilon=Q(1), delta=Q(1, 10**6))
def transcript_of_all_starts_is_private(pool: Pool, epsilon: Q, delta: Q) -> Finding:
    """With σ of (9) the noisy scores of one round on all n = m records are (ε_modes, δ)-private.
    (With 1500 records and three starts the exact δ at ε = 1 is 1.9·10⁻⁶, for a promised 10⁻⁶.)
    """
    with ctx.workprec(PRECISION):
        claimed = modes.joint_sensitivity(Q(1), pool.d, pool.clip, pool.floor)
        sigma = modes.noise_scale(claimed, epsilon, delta, pool.m, pool.m, 1)
        found = privacy.gaussian_delta(pool.score_shift() / sigma, ball(epsilon))
        return at_most(found, ball(delta))


@repairs(
    transcript_of_all_starts_is_private,
    formula=modes.linear_release_scales,
    mutants=(one_percent_less,),
)
@certified(
    pool=(NEARLY_WORST,),
    epsilon=(Q(1), Q(1, 10)),
    delta=(Q(1, 10**6),),
)
def transcript_of_density_and_gradient_is_private(
    scales: Callable[..., Any], pool: Pool, epsilon: Q, delta: Q
) -> Finding:
    """With c times the noise of the linear release, 1/c the μ of the least Gaussian noise for (ε,
    δ), one round on all records is (ε, δ)-private at any number of starts.
    """
    with ctx.workprec(PRECISION):
        multiplier = ball(privacy.gaussian_sigma(epsilon, delta, Q(1)).value)
        density, gradient = scales(Q(1), pool.d, pool.m, Q(1, 10**6))
        value, slope = pool.part_shifts()
        shift = ((value / density) ** 2 + (slope / gradient) ** 2).sqrt() / multiplier
        return at_most(privacy.gaussian_delta(shift, ball(epsilon)), ball(delta))


@published("modes paper, Corollary 4.2; Algorithm 1")
@refuted(pool=saturated(2000), initial=Q(1, 10), epsilon=Q(1), delta=Q(1, 10**6))
def whole_run_is_private(pool: Pool, initial: Q, epsilon: Q, delta: Q) -> Finding:
    """The starts and the noisy scores of DP-GRAMS, of which its output is a function, are (ε_init +
    ε_modes, δ)-private. (As many draws as candidates return them all, whatever the data are; the
    scores of one round on all of 2000 records then have δ(1.1) > 5·10⁻⁶, for a promised 10⁻⁶.)
    """
    with ctx.workprec(PRECISION):
        claimed = modes.joint_sensitivity(Q(1), pool.d, pool.clip, pool.floor)
        sigma = modes.noise_scale(claimed, epsilon, delta, pool.m, pool.m, 1)
        found = privacy.gaussian_delta(pool.score_shift() / sigma, ball(epsilon + initial))
        return at_most(found, ball(delta))


@repairs(whole_run_is_private, formula=modes.linear_release_scales, mutants=(one_percent_less,))
@certified(
    pool=(NEARLY_WORST,),
    initial=(Q(1, 10**6), Q(1, 2)),
    epsilon=(Q(1),),
    delta=(Q(1, 10**6),),
)
def whole_run_with_linear_release_is_private(
    scales: Callable[..., Any], pool: Pool, initial: Q, epsilon: Q, delta: Q
) -> Finding:
    """With the linear release in the ascent, starts and ascent together are (ε_init + ε_modes, δ)-
    private: the exact profile of any (ε_init, 0)-private release beside that Gaussian noise.
    """
    with ctx.workprec(PRECISION):
        multiplier = ball(privacy.gaussian_sigma(epsilon, delta, Q(1)).value)
        density, gradient = scales(Q(1), pool.d, pool.m, Q(1, 10**6))
        value, slope = pool.part_shifts()
        shift = ((value / density) ** 2 + (slope / gradient) ** 2).sqrt() / multiplier
        ratio = ball(initial).exp()
        found = privacy.response_and_gaussian_delta(ratio, shift, ball(epsilon + initial))
        return at_most(found, ball(delta))


@ours("modes paper, Lemma 3: the fewest records known")
@certified(pool=(FEWEST_RECORDS,))
def eight_records_exceed_the_bound(pool: Pool) -> Finding:
    """A minibatch of eight records, and 121 starts h/20 apart, exceeds Δ_(h,corr)/m by more than
    2.2 percent.
    """
    with ctx.workprec(PRECISION):
        bound = modes.joint_sensitivity(Q(1), 1, pool.clip, pool.floor) / pool.m
        return less(ball(Q(1022, 1000)) * bound, pool.score_shift())


@ours("modes paper, Lemma 3: how the excess grows")
@certified(cases=[dict(d=1, m=1402), dict(d=2, m=400), dict(d=3, m=400)])
def excess_grows_like_the_root_of_the_minibatch(d: int, m: int) -> Finding:
    """With three starts 2e^(−1/2) h/m apart the squared ratio of the move to Δ_(h,corr)/m is m G_K²
    e^(1/2)/(4 I₁) within one percent: 13.8 times the bound at m = 1402 in one dimension, and in two
    and three 4.6 and 3.5 times at m = 400.
    """
    with ctx.workprec(PRECISION):
        pool = saturated(m, d)
        ratio = pool.score_shift() * m / modes.joint_sensitivity(Q(1), d, pool.clip, pool.floor)
        limit = modes.kernel_gradient_bound(d) ** 2 * ball(Q(1, 2)).exp()
        return close(ratio**2 / m * 4 * modes.gradient_norm_squared(d) / limit, 1, tolerance=0.01)


@ours("modes paper, Lemma 3: how far the starts may be apart")
@proved()
def excess_at_a_fixed_distance_has_a_limit() -> Finding:
    """For starts −s, 0, s the middle entry of K⁻¹ is coth(s/h), so a flip by 2A/p_floor has the
    squared length 4A² coth(s/h)/p_floor². With A = φ(1)/(m h²) and m → ∞ its ratio to (8)'s square,
    8I₁/(m p_floor h²)², tends to 4 coth(s/h)/(5e√π): above 1 below s = h artanh(4/(5e√π)) = 0.1675…
    h.
    """
    s = sympy.Symbol("s", positive=True)
    near, far = sympy.exp(-s), sympy.exp(-2 * s)
    middle = sympy.Matrix([[1, near, far], [near, 1, near], [far, near, 1]]).inv()[1, 1]
    slope = sympy.exp(-sympy.Rational(1, 2)) / sympy.sqrt(2 * sympy.pi)
    norm = sympy.Rational(5, 16) / sympy.sqrt(sympy.pi)
    limit = 4 * slope**2 / (8 * norm)
    coth = (sympy.exp(2 * s) + 1) / (sympy.exp(2 * s) - 1)
    return all_of(
        equal(sympy.simplify(middle - coth), 0),
        equal(limit, 4 / (5 * sympy.E * sympy.sqrt(sympy.pi))),
        equal(coth.subs(s, sympy.log((1 + limit) / (1 - limit)) / 2), 1 / limit),
    )


@ours("modes paper, Lemma 3: how far the starts may be apart")
@certified(m=levels((1000,), (1000, 5000)))
def starts_may_be_a_sixth_of_a_bandwidth_apart(m: int) -> Finding:
    """At m = 1000 three starts 0.165 h apart still exceed the bound: they need not be so close that
    only an endless ascent would bring them together.
    """
    with ctx.workprec(PRECISION):
        pool = saturated(m, gap=Q(165, 1000))
        return less(modes.joint_sensitivity(Q(1), 1, pool.clip, pool.floor) / m, pool.score_shift())


@ours("modes paper, Lemma 3: with the floor alone")
@certified(
    pool=(
        Pool(
            124,
            Q(242, 1000),
            Q(1995, 10**4),
            Q(11536, 10**4),
            Q(-6),
            (Q(11705, 10**4), Q(11843, 10**4)),
        ),
    )
)
def floor_alone_exceeds_the_bound(pool: Pool) -> Finding:
    """With A above the largest slope, so that nothing is ever clipped, two starts on either side of
    a place where p̂ = p_floor exceed Δ_(h,corr)/m.
    """
    with ctx.workprec(PRECISION):
        bound = modes.joint_sensitivity(Q(1), 1, pool.clip, pool.floor) / pool.m
        return all_of(
            less(modes.kernel_gradient_bound(1), ball(pool.clip)), less(bound, pool.score_shift())
        )


@ours("modes paper, Lemma 3 under Assumption 1", formula=modes.line_norm_squared)
@certified(
    pool=(
        Pool(
            9, Q(562, 10**4), Q(2), Q(8267, 10**4), Q(-8267, 10**4), symmetric(Q(1266, 10**4)), 1, 3
        ),
    )
)
def kernel_of_order_three_exceeds_the_bound(norm: Callable[..., Any], pool: Pool) -> Finding:
    """With (3 − u²)/2 φ(u), which meets Assumption 1 for 2 < β < 4, nine records and three starts
    exceed (8) of that kernel, by 7.4 percent.
    """
    with ctx.workprec(PRECISION):
        root = arb.pi().sqrt()
        value, slope = ((ball(norm(pool.order, power)) / root).sqrt() for power in (0, 1))
        below, level = ball(pool.floor), ball(pool.clip)
        bound = arb(8).sqrt() * (slope / below + level * value / below**2) / pool.m
        ratio = pool.score_shift() / bound
        return close(ratio, ball(Q(1074189, 10**6)), tolerance=1e-5)


@ours("modes paper, Lemma 3: 2√I₀ is not attained", formula=modes.density_sensitivity)
@certified(d=levels((1,), (1, 2, 3)))
def density_moves_most_at_one_distance(sharp: Callable[..., Any], d: int) -> Finding:
    """No pair of records moves m h^d p̂ by more than D₀ in its norm, and D₀ is below 2√I₀ by more
    than a quarter: the correlation of two kernels is least at the stationary distance.
    """
    with ctx.workprec(64):
        found = sharp(d)
        twice = 2 * modes.density_norm_squared(d).sqrt()
        least = found**2 / 2 - modes.density_norm_squared(d)
        pairs = [modes.density_correlation(d, Q(i, 100)) for i in range(290, 320)]
        attained = min(pairs, key=lambda value: float(value.mid()))
        return all_of(
            equal(is_least_at_the_stationary_distance(d, 0), True),
            at_most(-least, attained),
            close(-least / attained, 1, tolerance=1e-4),
            less(found, 3 * twice / 4),
        )


@ours("modes paper, Lemma 3: 2√I₁ is not attained", formula=modes.gradient_sensitivity)
@certified(d=levels((1,), (1, 2, 3)))
def gradient_moves_most_at_one_distance(sharp: Callable[..., Any], d: int) -> Finding:
    """No pair of records moves m h^(d+1) ∇p̂ by more than D₁ in its norm, and D₁ is below 2√I₁."""
    with ctx.workprec(64):
        found = sharp(d)
        twice = 2 * modes.gradient_norm_squared(d).sqrt()
        least = found**2 / 2 - modes.gradient_norm_squared(d)
        pairs = [modes.gradient_correlation(d, Q(i, 100)) for i in range(200, 250)]
        attained = min(pairs, key=lambda value: float(value.mid()))
        return all_of(
            equal(is_least_at_the_stationary_distance(d, 1), True),
            at_most(-least, attained),
            close(-least / attained, 1, tolerance=1e-4),
            less(found, twice),
        )
