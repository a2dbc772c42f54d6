"""How far the moves of Lemma 3 exceed its bound: with the minibatch, the starts, and otherwise."""

import math

from provedp.theory import modes
from provedp.verify.claims.modes.instances.pools import FEWEST_RECORDS, Pool, saturated, symmetric
from provedp.verify.claims.prelude import *


@ours(Source(MODES, "Lemma 3", "the fewest records known"))
@certified(bits=128, pool=(FEWEST_RECORDS,))
def eight_records_exceed_the_bound(pool: Pool) -> Finding:
    """A minibatch of eight records, and 121 starts h/20 apart, exceeds Δ_(h,corr)/m by more than
    2.2 percent.
    """
    bound = modes.joint_sensitivity(Q(1), 1, pool.clip, pool.floor) / pool.m
    return less(ball(Q(1022, 1000)) * bound, pool.score_shift())


@ours(Source(MODES, "Lemma 3", "how the excess grows"))
@certified(
    bits=128,
    cases=[
        dict(d=1, m=1402, factor=Q(138, 10)),
        dict(d=2, m=400, factor=Q(46, 10)),
        dict(d=3, m=400, factor=Q(35, 10)),
    ],
)
def excess_grows_like_the_root_of_the_minibatch(d: int, m: int, factor: Q) -> Finding:
    """With three starts 2e^(−1/2) h/m apart the squared ratio of the move to Δ_(h,corr)/m is m G_K²
    e^(1/2)/(4 I₁) within one percent: 13.8 times the bound at m = 1402 in one dimension, and in two
    and three 4.6 and 3.5 times at m = 400.
    """
    pool = saturated(m, d)
    ratio = pool.score_shift() * m / modes.joint_sensitivity(Q(1), d, pool.clip, pool.floor)
    limit = modes.kernel_gradient_bound(d) ** 2 * ball(Q(1, 2)).exp()
    return all_of(
        close(ratio**2 / m * 4 * modes.gradient_norm_squared(d) / limit, 1, tolerance=0.01),
        close(ratio, factor, tolerance=0.05),
    )


@ours(Source(MODES, "Lemma 3", "how far the starts may be apart"))
@proved(
    argued=(
        "as m → ∞ with A = φ(1)/(m h²), the part A √I₀/p_floor² of (8) falls beside √I₁/p_floor",
    )
)
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
    place = sympy.log((1 + limit) / (1 - limit)) / 2
    return all_of(
        equal(middle, coth),
        base_case(equal(limit, 4 / (5 * sympy.E * sympy.sqrt(sympy.pi)))),
        base_case(equal(coth.subs(s, place), 1 / limit)),
        # coth falls: its derivative is −4e^(2s)/(e^(2s) − 1)²
        equal(sympy.diff(coth, s), -4 * sympy.exp(2 * s) / (sympy.exp(2 * s) - 1) ** 2),
        base_case(less(place, sympy.Rational(1676, 10**4))),
        base_case(less(sympy.Rational(1675, 10**4), place)),
    )


@ours(Source(MODES, "Lemma 3", "how far the starts may be apart"))
@certified(bits=128, m=levels((1000,), (1000, 5000)))
def starts_may_be_a_sixth_of_a_bandwidth_apart(m: int) -> Finding:
    """At m = 1000 three starts 0.165 h apart still exceed the bound: they need not be so close that
    only an endless ascent would bring them together.
    """
    pool = saturated(m, gap=Q(165, 1000))
    return less(modes.joint_sensitivity(Q(1), 1, pool.clip, pool.floor) / m, pool.score_shift())


@ours(Source(MODES, "Lemma 3", "with the floor alone"))
@certified(
    bits=128,
    pool=(
        Pool(
            124,
            Q(242, 1000),
            Q(1995, 10**4),
            Q(11536, 10**4),
            Q(-6),
            (Q(11705, 10**4), Q(11843, 10**4)),
        ),
    ),
)
def floor_alone_exceeds_the_bound(pool: Pool) -> Finding:
    """With A above the largest slope, so that nothing is ever clipped, two starts on either side of
    a place where p̂ = p_floor exceed Δ_(h,corr)/m.
    """
    bound = modes.joint_sensitivity(Q(1), 1, pool.clip, pool.floor) / pool.m
    return all_of(
        less(modes.kernel_gradient_bound(1), ball(pool.clip)), less(bound, pool.score_shift())
    )


@ours(Source(MODES, "Lemma 3", "under Assumption 1"), formula=modes.line_norm_squared)
@certified(
    bits=128,
    pool=(
        Pool(
            9, Q(562, 10**4), Q(2), Q(8267, 10**4), Q(-8267, 10**4), symmetric(Q(1266, 10**4)), 1, 3
        ),
    ),
)
def kernel_of_order_three_exceeds_the_bound(norm: Formula, pool: Pool) -> Finding:
    """With (3 − u²)/2 φ(u), which meets Assumption 1 for 2 < β < 4, nine records and three starts
    exceed (8) of that kernel, by 7.4 percent.
    """
    root = arb.pi().sqrt()
    value, slope = ((ball(norm(pool.order, power)) / root).sqrt() for power in (0, 1))
    below, level = ball(pool.floor), ball(pool.clip)
    bound = arb(8).sqrt() * (slope / below + level * value / below**2) / pool.m
    ratio = pool.score_shift() / bound
    return close(ratio, ball(Q(1074189, 10**6)), tolerance=1e-5)


FLOOR = Q(8, 100)  # half of the height of one kernel in two dimensions
STEEP = Q(965324, 10**7)  # above the largest slope there


def _pairs_across_the_floor(m: int, starts: int) -> list[list[Q]]:
    """Return pairs of starts on either side of where K = p_floor m/(m − 1) and K = p_floor."""
    top = float(modes.kernel_bound(2)) / float(FLOOR)
    inner, outer = (math.sqrt(2 * math.log(top * part)) for part in (1 - 1 / m, 1))
    angles = [4 * math.pi * j / starts for j in range(starts // 2)]
    return [
        [as_dyadic(radius * turn(angle)).limit_denominator(10**7) for turn in (math.cos, math.sin)]
        for angle in angles
        for radius in (inner * 0.9999, outer * 1.0001)
    ]


@ours(Source(MODES, "Lemma 3", "'without incurring an additional k-dependent privacy penalty'"))
@certified(bits=128, starts=levels((8, 16), (8, 32, 128)), m=(200,))
def excess_grows_like_the_root_of_the_starts(starts: int, m: int) -> Finding:
    """In two dimensions, with A above all slopes so that nothing is ever clipped, 200 records at
    one place and one of them moved far away, pairs of starts across the circle where p̂ = p_floor
    exceed Δ_(h,corr)/m by a factor of 0.47 √k to 0.5 √k: the penalty that grows with the number of
    starts is there.
    """
    points = _pairs_across_the_floor(m, starts)
    rest = [[Q(0), Q(0)]] * (m - 1)
    first, second = (
        modes.stabilised_score(points, [*rest, [place, Q(0)]], Q(1), STEEP, FLOOR)
        for place in (Q(0), Q(40))
    )
    bound = modes.joint_sensitivity(Q(1), 2, STEEP, FLOOR) / m
    square = (modes.pool_shift(first - second, points, Q(1)) / bound) ** 2
    return all_of(
        at_most(modes.kernel_gradient_bound(2), ball(STEEP)),
        less(ball(Q(47, 100)) ** 2 * starts, square),
        less(square, starts * ball(Q(1, 4))),
    )
