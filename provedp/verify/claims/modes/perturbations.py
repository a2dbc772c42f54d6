"""Lemmas 12 and 16: how far minibatch and noise move a step, with constants."""

from provedp.theory import modes
from provedp.verify.claims.modes.estimates import log_derivatives_follow_the_derivatives
from provedp.verify.claims.modes.score import (
    floor_and_clip_are_inactive_near_modes,
    quotients_move_by_both_parts,
)
from provedp.verify.claims.prelude import *

DELTA = Q(1, 10**6)
SCHEDULE = dict(n=1000, m=145, rounds=7)


@published(
    Source(MODES, "Lemma 12"),
    rests_on=(quotients_move_by_both_parts, floor_and_clip_are_inactive_near_modes),
)
@proved(
    argued=(
        "Bernstein's inequality, which holds for samples without replacement by Hoeffding's "
        "comparison, for p̂_B and each coordinate of ∇p̂_B: at given x, means of squares are at "
        "most D h^(−d) and D h^(−(d + 2)), deviations at most 2K h^(−d) and 2K h^(−(d + 1))",
        "x_t is given before its minibatch is drawn; unions over coordinates and rounds",
    )
)
def minibatch_scores_fluctuate_little() -> Finding:
    """On the local event, with D of Definition 5, K = max{K_∞, G_K} and c² ≥ 14(D + 2Kc/3): if h ≤
    1, m h^(d + 2) ≥ ln(eTn) and eTn ≥ 2(d + 1), all minibatch scores of an ascent are within c (√d/
    p_floor + A/p_floor²) √(ln(eTn)/(m h^(d + 2))) of the score of all data, but for a probability
    of at most T(eTn)^(−6). (The proof lets m h^(d + 2)/ln(eTn) tend to infinity where the statement
    has it at least C: it may be 1.)
    """
    m, h, width, log = sympy.symbols("m h w L", positive=True)  # w stands for h^d, L for ln(eTn)
    c, most, peak, u = sympy.symbols("c D K u", positive=True)
    rate = sympy.sqrt(log / (m * width * h**2))
    slopes = (
        m * (c * rate) ** 2 / (2 * (most / (width * h**2) + 2 * peak / (width * h) * c * rate / 3))
    )
    values = m * (c * rate) ** 2 / (2 * (most / width + 2 * peak / width * c * rate / 3))
    enough = c**2 >= 14 * (most + 2 * peak * c / 3)
    size, dimension = sympy.symbols("E d", positive=True)  # E = eTn
    gap, slope, value, floor, level, root = sympy.symbols("g s v f A r", positive=True)
    return all_of(
        equal(slopes, c**2 * log / (2 * (most + 2 * peak * h * c * rate / 3))),
        equal(values, c**2 * log / (2 * h**2 * (most + 2 * peak * c * rate / 3))),
        entails(
            [enough, u <= 1, h <= 1],
            c**2 * log >= 7 * log * 2 * (most + 2 * peak * h * c * u / 3),
        ),
        entails(
            [enough, u <= 1, h <= 1],
            c**2 * log >= 7 * log * 2 * h**2 * (most + 2 * peak * c * u / 3),
        ),
        entails([u**2 * m * width * h**2 <= log, log <= m * width * h**2], u <= 1),
        # two tails of e^(−7L) for each of d + 1 means
        entails([size >= 2 * (dimension + 1)], 2 * (dimension + 1) / size**7 <= 1 / size**6),
        entails(
            [
                gap <= slope / floor + level * value / floor**2,
                slope <= root * c * u,
                value <= c * u,
            ],
            gap <= c * (root / floor + level / floor**2) * u,
        ),
    )


@published(
    Source(MODES, "Lemma 16"),
    rests_on=(minibatch_scores_fluctuate_little, log_derivatives_follow_the_derivatives),
)
@proved(
    argued=(
        "2Φ(−t) ≤ e^(−t²/2), and unions over coordinates and rounds",
        "the path, stopped when it leaves the basin, is adapted and stays in it",
        "on the local event ‖∇ ln p̂ − ∇ ln p‖ ≤ b, of the order of Lemma 8 for s = 1",
    )
)
def perturbations_are_bounded_up_to_exit() -> Finding:
    """Up to the exit from the basin, ŝ_B(x_t) − ∇ ln p(x_t) + z_t has length at most b + u + σ √(2d
    (6 ln(eTn) + ln d)) in all rounds, with b of Lemma 8, u of Lemma 12 and σ of (9), but for a
    probability of at most 2T(eTn)^(−6).
    """
    log, sigma, d, rounds = sympy.symbols("L s d T", positive=True)
    reach = sympy.sqrt(2 * (6 * log + sympy.log(d)))
    tail = rounds * d * sympy.exp(-(reach**2) / 2)
    bias, part, noise, total = sympy.symbols("b u z x", nonnegative=True)
    one, limit = sympy.symbols("y l", nonnegative=True)
    first, second, fails, small = sympy.symbols("p q f t", nonnegative=True)
    return all_of(
        equal(tail, rounds * sympy.exp(-6 * log)),
        equal(sigma * sympy.sqrt(d) * reach, sigma * sympy.sqrt(2 * d * (6 * log + sympy.log(d)))),
        # d coordinates of at most σt have length at most σt√d
        entails([noise**2 <= d * one**2, one <= limit], noise**2 <= d * limit**2),
        entails([total <= bias + part + noise, noise <= limit], total <= bias + part + limit),
        entails([first <= small, second <= small, fails <= first + second], fails <= 2 * small),
    )


def _noise_times_budget(epsilon: Q) -> Any:
    """Return σ n ε of (6) for a sensitivity of 1."""
    sigma = modes.noise_scale(Q(1), epsilon, DELTA, **SCHEDULE)
    return sigma * SCHEDULE["n"] * ball(epsilon)


@published(
    Source(MODES, "Lemma 16", "the proof: 'using ε_iter ≲ ε_modes/√T'"),
    Source(MODES, "Theorem 4.3", "the term 1/(n ε)²"),
    defect=Defect.GAP,
)
@refuted(bits=128, epsilon=Q(1000), constant=100)
def noise_falls_like_one_over_epsilon(epsilon: Q, constant: int) -> Finding:
    """σ ≤ C C_* √(T polylog)/(n ε_modes) with one C for all ε_modes: σ n ε is at most 100 times its
    value at ε = 1. (The first cap of ε_iter keeps ε* ≤ 1, so that σ no longer falls and σ n ε grows
    like ε without bound; at n = 1000 it does so from ε = 7 on. The proof bounds ε_iter from above,
    where it needs a bound from below. The lemma is not touched: there the minibatch's own term is
    the larger one.)
    """
    return at_most(_noise_times_budget(epsilon), constant * _noise_times_budget(Q(1)))


@repairs(noise_falls_like_one_over_epsilon)
@proved(
    argued=(
        "ln(1 + y) ≥ y/(e − 1) on [0, e − 1], by concavity, and e^x − 1 ≥ x",
        "σ = (S/m) Q/ln(1 + y) with y = n(e^ε_iter − 1)/m and Q = √(2 ln(2.5mT/(nδ)))",
    )
)
def noise_is_at_most_the_largest_of_three_terms() -> Finding:
    """With Q = √(2 ln(2.5mT/(nδ))), σ ≤ S Q max{1/m, 2(e − 1)√(2T ln(2/δ))/(nε), 2(e − 1)√(T/ε)/n}
    for every ε: one term for each cap of ε_iter, of which the second falls like 1/ε.
    """
    s, tail, m, n, x, g = sympy.symbols("S Q m n x g", positive=True)  # g = e − 1
    y, log, sigma = sympy.symbols("y l sigma", positive=True)
    level, rounds, root = sympy.symbols("e T r", positive=True)  # r = √(2 ln(2/δ))
    given = sympy.Eq(sigma * m * log, s * tail)
    chord, grown = g * log >= y, y * m >= n * x
    second = level / (2 * sympy.sqrt(rounds) * root)
    third = sympy.sqrt(level / (4 * rounds))
    return all_of(
        entails([given, sympy.Eq(log, 1)], sigma <= s * tail / m),
        entails([chord, grown], g * log * m >= n * x),
        entails([given, g * log * m >= n * x], sigma <= s * tail * g / (n * x)),
        equal(g / (n * second), 2 * g * sympy.sqrt(rounds) * root / (n * level)),
        equal(g / (n * third), 2 * g * sympy.sqrt(rounds / level) / n),
    )


@ours(
    Source(MODES, "eq. (6)", "three terms of the noise"),
    Source(MODES, "eq. (9)", "three terms of the noise"),
    formula=modes.noise_scale,
)
@certified(
    bits=128,
    epsilon=(Q(1, 100), Q(1), Q(2), Q(1000)),
    schedule=(SCHEDULE, dict(n=700, m=700, rounds=1), dict(n=5000, m=588, rounds=9)),
)
def noise_is_within_a_factor_of_three_terms(
    scale: Formula, epsilon: Q, schedule: dict[str, int]
) -> Finding:
    """The noise σ of (6) is at most S Q times the largest of the three terms and at least 3/8 of
    that, and never below S Q/m, which it is where the first cap binds.
    """
    n, m, rounds = schedule["n"], schedule["m"], schedule["rounds"]
    level, growth = ball(epsilon), arb(1).exp() - 1
    tail = (2 * (ball(Q(5, 2)) * m * rounds / (n * ball(DELTA))).log()).sqrt()
    second = 2 * growth * (2 * rounds * (2 / ball(DELTA)).log()).sqrt() / (n * level)
    third = 2 * growth * (rounds / level).sqrt() / n
    largest = tail * (1 / ball(m)).max(second).max(third)
    found = scale(Q(1), epsilon, DELTA, **schedule)
    room = 1 + ball(Q(1, 10**30))
    return all_of(
        at_most(found, largest * room),
        less(largest * 3 / 8, found),
        at_most(tail / m, found * room),
    )


@ours(Source(MODES, "Lemma 16", "where the first cap binds: the noise beside the minibatch's term"))
@proved(argued=("n h^d → ∞ for a bandwidth that meets Assumption 3, and m = n/ln n",))
def capped_noise_is_below_the_minibatch_term() -> Finding:
    """With ε* = 1, σ is S Q/m with S of order h^(−(d + 1)): over the minibatch's √(1/(m h^(d + 2)))
    it is of order Q/√(m h^d), which tends to 0 up to powers of ln n. So where σ no longer falls
    with ε, Theorem 4.3's bound holds with its first term alone.
    """
    m, h, width, tail, s = sympy.symbols("m h w Q s", positive=True)  # w stands for h^d
    ratio = s / (width * h) * tail / m / sympy.sqrt(1 / (m * width * h**2))
    return equal(ratio, s * tail / sympy.sqrt(m * width))
