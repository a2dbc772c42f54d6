"""Lemma 3 and eq. (7)–(9): the scores at all starts in one release with correlated noise."""

from provedp.theory import modes
from provedp.verify.claims.modes.instances.pools import (
    FEWEST_RECORDS,
    FEWEST_STARTS,
    Pool,
    symmetric,
)
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import HALL

WIDTH = 1e-40  # of a comparison of balls at that precision


@published(
    Source(MODES, "Lemma 3", "the proof"),
    Source(MODES, "eq. (8)"),
    Source(MODES, "eq. (9)"),
    Source(MODES, "Algorithm 1"),
    defect=Defect.FALSE,
)
@refuted(bits=256, pool=FEWEST_STARTS)
def joint_scores_move_within_their_noise(pool: Pool) -> Finding:
    """One replaced record of m moves the scores at all starts, in units of their noise, by at most
    Δ_(h,corr)/m. (Here ten records, three starts within 0.27 h and a clip of 0.024/h² exceed it by
    5.7 percent: clipping and flooring are Lipschitz at each point, but not in the norm of K⁻¹,
    which weighs differences of nearby starts.)
    """
    bound = modes.joint_sensitivity(Q(1), pool.d, pool.clip, pool.floor)
    return at_most(pool.score_shift(), bound / pool.m)


def one_percent_less(h: Any, d: int, m: int, balance: Any) -> tuple[Any, Any]:
    """Return scales that are one percent too small."""
    density, gradient = modes.linear_release_scales(h, d, m, balance)
    return density * 99 / 100, gradient * 99 / 100


NEARLY_WORST = Pool(  # beside dense starts, records at the worst distance of the densities
    4, Q(1), Q(1), Q(158, 100), Q(-158, 100), tuple(Q(i, 5) for i in range(-25, 26))
)


IN_MORE_DIMENSIONS = (
    Pool(20, Q(1), Q(1), Q(1), Q(-1), symmetric(Q(1, 10)), d=2),
    Pool(20, Q(1), Q(1), Q(1), Q(-3), tuple(Q(i, 3) for i in range(-9, 10)), d=3),
)
ALL_POOLS = (FEWEST_STARTS, FEWEST_RECORDS, NEARLY_WORST, *IN_MORE_DIMENSIONS)


def scales_are_as_stated(scales: Formula, pool: Pool, balance: Q) -> Finding:
    """Find whether σ_p = √(1 + λ) D₀/m and σ_g = √(1 + 1/λ) D₁/m at h = 1."""
    density, gradient = scales(Q(1), pool.d, pool.m, balance)
    worst = modes.density_sensitivity(pool.d), modes.gradient_sensitivity(pool.d)
    parts = (1 + ball(balance)).sqrt(), (1 + 1 / ball(balance)).sqrt()
    wanted = [part * most / pool.m for part, most in zip(parts, worst, strict=True)]
    return close([density / wanted[0], gradient / wanted[1]], 1, tolerance=1e-15)


@repairs(
    joint_scores_move_within_their_noise,
    formula=modes.linear_release_scales,
    mutants=(one_percent_less,),
    rests_on=(
        "modes.restriction_shortens",
        "modes.density_moves_most_at_one_distance",
        "modes.gradient_moves_most_at_one_distance",
    ),
)
@certified(
    bits=256,
    pool=levels((FEWEST_STARTS, NEARLY_WORST, *IN_MORE_DIMENSIONS), ALL_POOLS),
)
def density_and_gradient_move_within_their_noise(scales: Formula, pool: Pool) -> Finding:
    """Noise on p̂ and ∇p̂ at all starts, which are linear in the records, with the scales σ_p = √(1 +
    λ) D₀/m and σ_g = √(1 + 1/λ) D₁/m at h = 1 for any balance λ: the squares of both moves in units
    of their noise sum to at most 1. Clipping and flooring come after, as post-processing.
    """
    value, slope = pool.part_shifts()
    sums, pinned = [], []
    for balance in (Q(1, 10**6), Q(1, 3), Q(4)):
        density, gradient = scales(Q(1), pool.d, pool.m, balance)
        sums.append((value / density) ** 2 + (slope / gradient) ** 2)
        pinned.append(scales_are_as_stated(scales, pool, balance))
    return all_of(*pinned, *(at_most(total, 1) for total in sums))


@ours(Source(HALL, "Proposition 8", "linear maps and correlated noise"))
@certified(starts=(1, 2, 3))
def restriction_shortens(starts: int) -> Finding:
    """For f in the space of a kernel, the values v at k points have vᵀK⁻¹v ≤ ‖f‖²: the Gram matrix
    of f and the kernels at the points is positive semidefinite, and its determinant is det K (‖f‖²
    − vᵀK⁻¹v), here for one to three points.
    """
    gram = sympy.Matrix(
        starts, starts, lambda i, j: 1 if i == j else sympy.Symbol(f"k{min(i, j)}{max(i, j)}")
    )
    values = sympy.Matrix(starts, 1, lambda i, j: sympy.Symbol(f"v{i}"))
    norm = sympy.Symbol("F")
    bordered = sympy.Matrix([[sympy.Matrix([[norm]]), values.T], [values, gram]])
    inner = (values.T * gram.adjugate() * values)[0]
    return equal(bordered.det(), norm * gram.det() - inner)


@ours(Source(MODES, "Lemma 3", "the balance of the repair"))
@proved(
    argued=(
        "to first order the noise of the score is that of ∇p̂ over p_floor and A/p_floor² times "
        "that of p̂, which are independent",
    )
)
def balance_of_the_release_is_best() -> Finding:
    """The squared moves sum to 1/(1 + λ) + λ/(1 + λ) = 1 for every λ. The variance of the score to
    first order, a²(1 + λ) + b²(1 + 1/λ) with a = A D₀/(p_floor² h^d) and b = D₁/(p_floor h^(d+1)),
    is (a + b)² + (a√λ − b/√λ)²: least at λ = b/a.
    """
    part, a, b = sympy.symbols("l a b", positive=True)
    total = a**2 * (1 + part) + b**2 * (1 + 1 / part)
    rest = (a * sympy.sqrt(part) - b / sympy.sqrt(part)) ** 2
    return all_of(
        equal(1 / (1 + part) + 1 / (1 + 1 / part), 1),
        equal(total, (a + b) ** 2 + rest),
        base_case(equal(rest.subs(part, b / a), 0)),
    )


@ours(Source(MODES, "eq. (9)", "noise of the repair"), formula=modes.linear_release_balance)
@certified(
    bits=256,
    d=levels((1, 2), (1, 2, 3, 5)),
    h=(Q(1, 2), Q(1)),
    clip=(Q(1, 10), Q(3)),
    floor=(Q(1, 20), Q(2)),
)
def repair_needs_less_noise(balance: Formula, d: int, h: Q, clip: Q, floor: Q) -> Finding:
    """At the best balance the standard deviation of the score is (D₁/(p_floor h^(d+1)) + A
    D₀/(p_floor² h^d))/m per unit of the noise multiplier: between 1.4 and 2 times less than
    Δ_(h,corr)/m, which does not suffice.
    """
    density, gradient = modes.linear_release_scales(h, d, 1, balance(h, d, clip, floor))
    level, below = ball(clip), ball(floor)
    spread = ball((gradient / below) ** 2 + (level * density / below**2) ** 2).sqrt()
    least = modes.gradient_sensitivity(d) / (below * ball(h) ** (d + 1))
    least += level * modes.density_sensitivity(d) / (below**2 * ball(h) ** d)
    ratio = modes.joint_sensitivity(h, d, clip, floor) / spread
    return all_of(
        close(spread / least, 1, tolerance=1e-12),
        less(Q(7, 5), ratio),
        less(ratio, 2),
    )


@published(Source(MODES, "eq. (7)"), formula=modes.density_norm_squared)
@certified(bits=256, d=(1, 2, 3))
def density_norm_has_a_closed_form(norm: Formula, d: int) -> Finding:
    """I₀ of (7) for the Gaussian kernel is 3/(8√π), (5/2 + (3/4)√π e erfc 1)/(8π²) and 31/(256
    π^(5/2)) in one to three dimensions.
    """
    pi, tail = arb.pi(), arb(1).exp() * arb(1).erfc()
    forms = {
        1: 3 / (8 * pi.sqrt()),
        2: (ball(Q(5, 2)) + ball(Q(3, 4)) * pi.sqrt() * tail) / (8 * pi**2),
        3: 31 / (256 * pi**2 * pi.sqrt()),
    }
    return close(norm(d) / forms[d], 1, tolerance=WIDTH)


@published(Source(MODES, "eq. (7)"), formula=modes.gradient_norm_squared)
@certified(bits=256, d=(1, 2, 3))
def gradient_norm_has_a_closed_form(norm: Formula, d: int) -> Finding:
    """I₁ of (7) for the Gaussian kernel is 5/(16√π), (19/4 + (9/8)√π e erfc 1)/(8π²) and 177/(512
    π^(5/2)) in one to three dimensions.
    """
    pi, tail = arb.pi(), arb(1).exp() * arb(1).erfc()
    forms = {
        1: 5 / (16 * pi.sqrt()),
        2: (ball(Q(19, 4)) + ball(Q(9, 8)) * pi.sqrt() * tail) / (8 * pi**2),
        3: 177 / (512 * pi**2 * pi.sqrt()),
    }
    return close(norm(d) / forms[d], 1, tolerance=WIDTH)


@published(Source(MODES, "eq. (7)", "after it: 'both I₀ and I₁ are finite'"))
@proved(
    argued=(
        "|K̂(t)| ≤ C‖t‖^(−(d + 2)), from the integrable derivatives of order d + 2",
        "the transform of e^(−‖u‖) falls like ‖t‖^(−(d + 1)); near 0 all is bounded",
    )
)
def norms_are_finite_under_the_assumption() -> Finding:
    """Under Assumption 1(iv) |K̂(t)| falls at least like ‖t‖^(−(d + 2)), so the radial integrand of
    I₁ falls like ‖t‖ to the power (d − 1) + 2 + (d + 1) − 2(d + 2) = −2, below −1; that of I₀ like
    ‖t‖^(−4).
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    power = (d - 1) + (d + 1) - 2 * (d + 2)
    return all_of(equal((d - 1) + (d + 1) + 2, 2 * (d + 2) - 2), base_case(less(power + 2, -1)))


@published(Source(MODES, "eq. (8)"), formula=modes.joint_sensitivity)
@certified(bits=256, d=(1, 2, 3), h=(Q(1, 2), Q(3)), clip=(Q(1, 10),), floor=(Q(1, 20), Q(2)))
def printed_bound_is_of_the_order_of_one_start(
    bound: Formula, d: int, h: Q, clip: Q, floor: Q
) -> Finding:
    """Δ_(h,corr) is 2√2 times √I₁/(p_floor h^(d+1)) + A√I₀/(p_floor² h^d), and between one and six
    times S_h.
    """
    found, level = bound(h, d, clip, floor), ball(floor)
    slope = modes.gradient_norm_squared(d).sqrt() / (level * ball(h) ** (d + 1))
    value = modes.density_norm_squared(d).sqrt() * ball(clip) / (level**2 * ball(h) ** d)
    single = modes.score_sensitivity(h, d, clip, floor)
    return all_of(
        close(found / (slope + value), arb(8).sqrt(), tolerance=WIDTH),
        less(single, found),
        less(found, 6 * single),
    )
