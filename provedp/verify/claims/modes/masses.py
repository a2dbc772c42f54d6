"""Lemmas 17 to 19 and eq. (12): the candidates near a mode, and their masses."""

from functools import reduce

from flint import ctx

from provedp.theory import modes
from provedp.theory.numbers import maximum, minimum
from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.prelude import *

PRECISION = 128  # bits


@published(Source(MODES, "eq. (12)", "the number of candidates"), formula=modes.bandwidth_exponent)
@proved(argued=("a box has h^(−d) grid points up to constants; powers of n beat those of ln n",))
def grid_has_polynomial_size(exponent: Formula) -> Finding:
    """With h_DAP = (ln n/n)^(1/(d + 2β)) the grid has h^(−d) = (n/ln n)^(d/(d + 2β)) candidates up
    to constants, fewer than n, and h_DAP/ρ_init → 0: the power of 1/n in it is positive.
    """
    d = sympy.Symbol("d", integer=True, positive=True)
    beta = 2 + sympy.Symbol("b", positive=True)
    found = exponent(d, beta)
    return all_of(equal(d * found, d / (d + 2 * beta)), less(d * found, 1), less(0, found))


@published(Source(MODES, "Lemma 17", "(i)–(iii)"))
@proved(
    argued=(
        "some point of the grid h ℤ^d is within √d h/2 of a mode, and in the box for small h",
        "√d h/2 ≤ ρ/8 and ρ ≤ (2/3)c₀ for large n",
    )
)
def draws_near_a_mode_suppress_its_neighbourhood_alone() -> Finding:
    """With √d h/2 ≤ ρ/8 a grid point is within ρ/4 of a mode; two points within ρ/4 of it are
    within ρ of each other; and with ρ ≤ (2/3)c₀ no point within ρ/4 of another mode is within ρ.
    """
    h, rho, c0, root, nearest = sympy.symbols("h rho c0 r z", positive=True)
    a, b, apart, modes_apart = sympy.symbols("a b g m", nonnegative=True)
    close = [a <= rho / 4, b <= rho / 4]
    return all_of(
        entails([nearest <= root * h / 2, root * h / 2 <= rho / 8], nearest <= rho / 4),
        entails([*close, apart <= a + b], apart <= rho),
        entails(
            [*close, modes_apart <= apart + a + b, modes_apart > c0, 3 * rho <= 2 * c0],
            apart > rho,
        ),
    )


@published(Source(MODES, "Lemma 18"), defect=Defect.FALSE)
@refuted(bits=128, steps=5, h=Q(1, 100), gain=Q(1, 10**6))
def mass_falls_by_more_than_a_constant(steps: int, h: Q, gain: Q) -> Finding:
    """For the normal law the least mass of a candidate within ρ/4 of the mode exceeds the largest
    one outside by at least Δ h ρ², for some Δ > 0. (Where ρ/4 is a multiple of h, a candidate at
    the distance ρ/4 is in both sets, and the gap is 0.)
    """
    masses = [_normal_mass(index * h, h) for index in range(3 * steps)]
    inside = reduce(minimum, masses[: steps + 1])
    outside = reduce(maximum, masses[steps:])
    return at_most(outside + ball(gain * h * (4 * steps * h) ** 2), inside)


def _normal_mass(place: Q, radius: Q) -> arb:
    return normal_cdf(ball(place + radius)) - normal_cdf(ball(place - radius))


@repairs(mass_falls_by_more_than_a_constant)
@proved(
    argued=(
        "the mass of a ball is the integral of p over it, V_d h^d times a mean of p",
        "p differs by at most G h from its value at the centre, by the mean value theorem",
    )
)
def masses_follow_every_smooth_density() -> Finding:
    """Where ‖∇p‖ ≤ G on the ball of radius h around z_r, |m_r − V_d h^d p(z_r)| ≤ V_d G h^(d + 1):
    of Lemma 18 only this expansion is used later, which has no gap in it. So two candidates whose
    densities differ by more than 2Gh have masses in the same order.
    """
    mean, here, steep, width, ball_size = sympy.symbols("q p G h V", positive=True)
    other, there = sympy.symbols("q1 p1", positive=True)
    near = [sympy.Abs(mean - here) <= steep * width, sympy.Abs(other - there) <= steep * width]
    return all_of(
        entails(
            near[:1], sympy.Abs(ball_size * mean - ball_size * here) <= ball_size * steep * width
        ),
        entails([*near, here > there + 2 * steep * width], ball_size * other < ball_size * mean),
    )


@ours(Source(MODES, "Lemma 18", "the expansion for the normal law"))
@certified(bits=128, steps=(5, 20), h=(Q(1, 100), Q(1, 10)))
def masses_follow_the_density(steps: int, h: Q) -> Finding:
    """For the normal law |m_r − 2h φ(z_r)| ≤ φ(0) h³/3, as |φ″| ≤ φ(0); at the mode it is more than
    99 percent of that.
    """
    scale = 1 / (2 * arb.pi()).sqrt()
    gaps = []
    for index in range(3 * steps):
        place = ball(index * h)
        expansion = 2 * ball(h) * scale * (-place * place / 2).exp()
        gaps.append(abs(_normal_mass(index * h, h) - expansion))
    most = scale * ball(h) ** 3 / 3
    return all_of(*(at_most(gap, most) for gap in gaps), less(ball(Q(99, 100)) * most, gaps[0]))


@ours(Source(MODES, "Lemma 18", "the gap vanishes"))
@certified(
    cases=levels(
        [dict(digits=20, most=Q(71, 10**4)), dict(digits=80, most=Q(1, 10**10))],
        [
            dict(digits=10, most=Q(8, 100)),
            dict(digits=20, most=Q(71, 10**4)),
            dict(digits=40, most=Q(23, 10**6)),
            dict(digits=80, most=Q(1, 10**10)),
        ],
    )
)
def gap_between_masses_has_no_constant(digits: int, most: Q) -> Finding:
    """Also where ρ/4 is no multiple of h, with ρ = 3/ln n, h = (ln n/n)^(1/7), the gap over h ρ²
    for the normal law is at most φ(0) h/ρ, which falls below any Δ: it is below 0.0071 at n = 10²⁰
    and below 10⁻¹⁰ at 10⁸⁰.
    """
    with ctx.workprec(4 * digits + PRECISION):
        size = ball(10) ** digits
        width, reach = ((size.log() / size).log() / 7).exp(), 3 / size.log()
        last = int((reach / 4 / width).floor().fmpz())
        pair = [_ball_mass(last * width, width), _ball_mass((last + 1) * width, width)]
        gap = (pair[0] - pair[1]) / (width * reach**2)
        bound = width / reach / (2 * arb.pi()).sqrt()
        return all_of(less(0, gap), less(gap, bound), less(gap, most))


def _ball_mass(place: arb, radius: arb) -> arb:
    return normal_cdf(place + radius) - normal_cdf(place - radius)


@ours(Source(MODES, "Lemma 18", "the gap is negative"))
@proved(
    argued=(
        "to leading order masses are π h² p, and grid points are at the distance ρ/4 on both axes",
    )
)
def gap_is_negative_for_unequal_curvatures() -> Finding:
    """For N(0, diag(1, 4)) the density at distance t is p(0)(1 − t²/2) along one axis and p(0)(1 −
    t²/8) along the other, to second order: the gap at t = ρ/4 is −π p(0) (1 − 1/4) h² ρ²/32 =
    −(3/512) h² ρ² to leading order, below 0.
    """
    t, rho = sympy.symbols("t rho", positive=True)
    top = 1 / (2 * sympy.pi * 2)  # p(0), determinant 4
    steep = sympy.series(top * sympy.exp(-(t**2) / 2), t, 0, 4).removeO()
    flat = sympy.series(top * sympy.exp(-(t**2) / 8), t, 0, 4).removeO()
    gap = (sympy.pi * (steep - flat)).subs(t, rho / 4)
    return all_of(equal(gap, -3 * rho**2 / 512), less(gap, 0))


@published(Source(MODES, "Lemma 19"), formula=modes.bandwidth_exponent)
@proved(
    argued=(
        "Bernstein's inequality for each candidate, and the union over at most C n of them",
        "m_r ≤ V_d p_max h^d; a positive power of n beats all powers of ln n",
    )
)
def utilities_concentrate_at_every_density(exponent: Formula) -> Finding:
    """With t = c h^d ρ², v = V h^d p_max and cρ² ≤ 3V p_max, Bernstein's exponent n t²/(2(v + t/3))
    is at least n h^d ρ⁴ c²/(4V p_max). With h of (12) and ρ^d ∝ 1/ln n, n h^d is n to the power 2β/
    (d + 2β) > 0 up to powers of ln n, so the exponent exceeds 6 ln n for large n, and C n
    candidates fail together with probability at most 2C n · n^(−6) ≤ 2C n^(−4).
    """
    size, width, square, part, most = sympy.symbols("n w r c v", positive=True)
    t, variance = part * width * square, most * width  # w = h^d, r = ρ², v = V p_max
    least = size * width * square**2 * part**2 / (4 * most)
    d = sympy.Symbol("d", integer=True, positive=True)
    beta = 2 + sympy.Symbol("b", positive=True)
    n, count = sympy.symbols("n C", positive=True)
    return all_of(
        entails([part * square <= 3 * most], variance + t / 3 <= 2 * variance),
        equal(size * t**2 / (2 * 2 * variance), least),
        equal(1 - d * exponent(d, beta), 2 * beta / (d + 2 * beta)),
        less(0, 1 - d * exponent(d, beta)),
        entails([n >= 1], 2 * count * n / n**6 <= 2 * count / n**4),
    )


@ours(Source(MODES, "Lemma 19", "for one law, with all constants"))
@certified(bits=128, digits=(30, 60, 100), beta=(3,))
def utilities_concentrate(digits: int, beta: int) -> Finding:
    """For the normal law, d = 1, β = 3, ρ = 1/ln n and h_DAP of (12), Bernstein's inequality over
    all candidates of the box [−10, 10] bounds Pr(max |u_r − m_r| > h ρ²/8) by n^(−4), at n = 10³⁰,
    10⁶⁰ and 10¹⁰⁰.
    """
    size = ball(10) ** digits
    width = ((size.log() / size).log() / (1 + 2 * beta)).exp()
    aim = width / size.log() ** 2 / 8
    variance = 2 * width / (2 * arb.pi()).sqrt()  # at least m_r
    exponent = size * aim**2 / (2 * (variance + aim / 3))
    candidates = 20 / width + 1
    return less((2 * candidates).log() - exponent, -4 * size.log())
