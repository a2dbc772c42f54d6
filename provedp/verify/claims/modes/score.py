"""Section 2 and Lemma 1: the stabilised score, and how far one record moves it at one point."""

from provedp.theory import modes
from provedp.theory.privacy.functions import sqrt
from provedp.verify.claims.prelude import *

WIDTH = 1e-40  # of a comparison of balls at that precision
POINTS = {1: [[Q(1, 3)], [Q(-2)]], 2: [[Q(0), Q(1, 2)], [Q(1), Q(-1)]], 3: [[Q(1, 4)] * 3]}
DATA = {
    1: [[Q(0)], [Q(1)], [Q(-1, 2)]],
    2: [[Q(0), Q(0)], [Q(1), Q(1, 2)], [Q(-1), Q(2)]],
    3: [[Q(0)] * 3, [Q(1, 2), Q(0), Q(-1)]],
}


def length(vector: Any) -> Any:
    """Return the Euclidean norm of a vector."""
    return sqrt(sum(part * part for part in vector))


@published(
    Source(MODES, "eq. (1)"),
    Source(MODES, "eq. (2)"),
    Source(MODES, "Lemma 1", "the proof: clipping is 1-Lipschitz"),
)
@machine_checked("sensitivities.clipping_projects", "sensitivities.clipping_is_a_contraction")
@proved(
    argued=(
        "⟨v, w⟩ ≤ rA for ‖v‖ = r and ‖w‖ ≤ A, by Cauchy–Schwarz; for r ≤ A, clip v = v",
        "‖clip v − clip w‖² ≤ ‖v − w‖ ‖clip v − clip w‖, by Cauchy–Schwarz",
    )
)
def clipping_is_a_contraction() -> Finding:
    """clip_A is the projection on the ball of radius A: for ‖v‖ = r ≥ A and ‖w‖ ≤ A, Cauchy–Schwarz
    gives ⟨v − clip v, w − clip v⟩ = (1 − A/r)(⟨v, w⟩ − rA) ≤ 0. Two such inequalities give ‖clip v
    − clip w‖² ≤ ⟨v − w, clip v − clip w⟩, so it does not lengthen differences.
    """
    r, level, product = sympy.symbols("r A s", real=True)
    first, second, inner, square = sympy.symbols("a b p q", real=True)
    # ⟨v − cv, cw − cv⟩ = a ≤ 0 and ⟨w − cw, cv − cw⟩ = b ≤ 0 sum to q − p with q = ‖cv − cw‖².
    gap, shrunk = sympy.symbols("g c", nonnegative=True)
    return all_of(
        entails(
            [r >= level, level > 0, product <= r * level],
            (1 - level / r) * (product - level * r) <= 0,
        ),
        entails(
            [first <= 0, second <= 0, sympy.Eq(first + second, square - inner)], square <= inner
        ),
        entails([shrunk**2 <= gap * shrunk], shrunk <= gap),
    )


@published(Source(MODES, "eq. (1)"), Source(MODES, "eq. (2)"), formula=modes.clipped)
@certified(bits=192, scale=(Q(1, 10), Q(1), Q(7, 5), Q(3)), clip=(Q(1, 2), Q(5), Q(7)))
def clipping_keeps_directions(clipped: Formula, scale: Q, clip: Q) -> Finding:
    """clip_A(v) = v min{1, A/‖v‖}: here for v = (3, 4), (0, 0) and (−5, 12), times a factor."""
    vectors = [[3 * scale, 4 * scale], [Q(0), Q(0)], [-5 * scale, 12 * scale]]
    lengths = [5 * scale, Q(0), 13 * scale]
    wanted = [
        [ball(x * min(Q(1), clip / norm) if norm else x) for x in vector]
        for vector, norm in zip(vectors, lengths, strict=True)
    ]
    found = clipped(vectors, clip)
    pairs = zip(found, wanted, strict=True)
    return all_of(*(close(list(a), b, tolerance=WIDTH) for a, b in pairs))


@published(Source(MODES, "eq. (4)"), Source(MODES, "Section 2.3"), formula=modes.density_gradient)
@certified(order=(1, 3), d=(1, 2))
def gradient_is_the_derivative(gradient: Formula, order: int, d: int) -> Finding:
    """∇p̂ of (4) is the derivative of p̂ of (4), here at symbolic points, data and bandwidth."""
    x, point = sympy.symbols("x0:2", real=True)[:d], sympy.symbols("X0:2", real=True)[:d]
    h = sympy.Symbol("h", positive=True)
    density = modes.density([list(x)], [list(point), [Q(1, 2)] * d], h, order)[0]
    found = gradient([list(x)], [list(point), [Q(1, 2)] * d], h, order)[0]
    return all_of(*(equal(part, sympy.diff(density, x[j])) for j, part in enumerate(found)))


@published(
    Source(MODES, "eq. (2)", "after it: the stabilised score"), formula=modes.stabilised_score
)
@certified(bits=192, d=(1, 2, 3), h=(Q(1, 2), Q(2)))
def inactive_stabilisation_is_the_score(score: Formula, d: int, h: Q) -> Finding:
    """Where p̂ ≥ p_floor and ‖∇p̂‖ ≤ A, the stabilised score is ∇ log p̂ = ∇p̂/p̂."""
    points, data = POINTS[d], DATA[d]
    below = modes.density(points, data, h)
    slopes = modes.density_gradient(points, data, h)
    floor, clip = Q(1, 10**6), Q(100)
    found = score(points, data, h, clip, floor)
    return all_of(
        *(less(ball(floor), value) for value in below),
        *(less(length(row), ball(clip)) for row in slopes),
        *(
            close(list(row), [part / value for part in slope], tolerance=WIDTH)
            for row, slope, value in zip(found, slopes, below, strict=True)
        ),
    )


@published(Source(MODES, "Remark 4.1"), Source(MODES, "eq. (2)"))
@proved(argued=())
def score_is_at_most_clip_over_floor() -> Finding:
    """‖ŝ‖ = min{‖∇p̂‖, A}/max{p̂, p_floor} ≤ A/p_floor for all data. So an outlier, chosen as an
    anchor, moves by at most ηA/p_floor in a step, if there is no noise.
    """
    norm, level, below, floor, step = sympy.symbols("g A p f e", real=True)
    score = sympy.Min(norm, level) / sympy.Max(below, floor)
    inside = [norm >= 0, level > 0, floor > 0]
    return all_of(
        entails(inside, score <= level / floor),
        entails([*inside, step > 0], step * score <= step * level / floor),
    )


@published(
    Source(MODES, "Lemma 1", "the statement and its proof"), rests_on=(clipping_is_a_contraction,)
)
@proved(
    argued=(
        "clip v/D − clip v′/D′ = (clip v − clip v′)/D + clip v′ (1/D − 1/D′), and the triangle "
        "inequality",
    )
)
def quotients_move_by_both_parts() -> Finding:
    """‖clip v/D − clip v′/D′‖ ≤ ‖v − v′‖/p_floor + A |u − u′|/p_floor² with D = max{u, p_floor}:
    the triangle inequality, ‖clip v′‖ ≤ A, D, D′ ≥ p_floor and |D − D′| ≤ |u − u′|.
    """
    first, second, floor, level = sympy.symbols("u w f A", real=True)
    gap, norm, near, far = sympy.symbols("g c D E", real=True)
    below, other = sympy.Max(first, floor), sympy.Max(second, floor)
    lipschitz = entails([floor > 0], sympy.Abs(below - other) <= sympy.Abs(first - second))
    part = sympy.Symbol("t", real=True)
    first_part = entails([near >= floor, floor > 0, gap >= 0], gap / near <= gap / floor)
    second_part = entails(
        [near >= floor, far >= floor, floor > 0, norm >= 0, norm <= level, part >= 0],
        norm * part * floor**2 <= level * part * near * far,
    )
    exact = equal(1 / near - 1 / far, (far - near) / (near * far))
    return all_of(lipschitz, first_part, second_part, exact)


@published(
    Source(MODES, "Lemma 1"), Source(MODES, "eq. (5)"), rests_on=(quotients_move_by_both_parts,)
)
@proved(
    argued=(
        "a record adds at most K_∞ h^(−d)/n to |p̂| and G_K h^(−(d + 1))/n to ‖∇p̂‖, and a replaced "
        "one moves them by at most twice that, by the triangle inequality",
    )
)
def one_record_moves_the_score_by_the_bound() -> Finding:
    """For every kernel with |K| ≤ K_∞ and ‖∇K‖ ≤ G_K, all data, x and d, one replaced record of n
    moves the stabilised score by at most S_h/n: ‖v − v′‖ ≤ 2G_K h^(−(d + 1))/n and |u − u′| ≤ 2K_∞
    h^(−d)/n in ‖v − v′‖/p_floor + A |u − u′|/p_floor².
    """
    slope, value, moved = sympy.symbols("g k D", real=True)
    width, size, floor, level = sympy.symbols("w n f A", positive=True)  # w stands for h^d
    h, steep, peak = sympy.symbols("h G K", positive=True)
    bound = 2 * steep / (floor * width * h) + 2 * level * peak / (floor**2 * width)
    steps = [slope * size * width * h <= 2 * steep, value * size * width <= 2 * peak]
    parts = slope / floor + level * value / floor**2
    return all_of(
        entails([steps[0]], slope / floor <= 2 * steep / (floor * width * h) / size),
        entails(
            [steps[1]], level * value / floor**2 <= 2 * level * peak / (floor**2 * width) / size
        ),
        entails(
            [
                moved <= parts,
                slope / floor <= 2 * steep / (floor * width * h) / size,
                level * value / floor**2 <= 2 * level * peak / (floor**2 * width) / size,
            ],
            moved <= bound / size,
        ),
    )


@published(
    Source(MODES, "Lemma 1"),
    Source(MODES, "eq. (5)"),
    formula=modes.score_sensitivity,
    rests_on=(one_record_moves_the_score_by_the_bound,),
)
@certified(bits=192, d=(1, 2, 3), h=(Q(1, 2), Q(1)), clip=(Q(1, 10), Q(1)), floor=(Q(1, 20), Q(2)))
def score_moves_at_most_the_bound(bound: Formula, d: int, h: Q, clip: Q, floor: Q) -> Finding:
    """For the Gaussian kernel S_h is (5) with K_∞ = K(0) and G_K = ‖∇K‖ at distance 1, and one
    record of three, moved to its antipode, moves the stabilised score by at most S_h/3 at some
    points.
    """
    found = bound(h, d, clip, floor)
    axis = [Q(1)] + [Q(0)] * (d - 1)
    largest, steepest = modes.kernel([Q(0)] * d), length(modes.kernel_gradient(axis))
    width, level, below = ball(h), ball(clip), ball(floor)
    terms = 2 * steepest / (below * width ** (d + 1))
    printed = terms + 2 * level * largest / (below**2 * width**d)
    moved = [modes.stabilised_score(POINTS[d], data, h, clip, floor) for data in _pair(d)]
    return all_of(
        close(found / printed, 1, tolerance=WIDTH),
        *(at_most(length(a - b), found / 3) for a, b in zip(*moved, strict=True)),
    )


def _pair(d: int) -> tuple[list[list[Q]], list[list[Q]]]:
    """Return three records, and the same with one replaced by its antipode."""
    rest = [[Q(1, 5)] * d, [Q(3)] * d]
    return [*rest, [Q(1)] + [Q(0)] * (d - 1)], [*rest, [Q(-1)] + [Q(0)] * (d - 1)]


@published(Source(MODES, "Lemma 10"))
@proved(argued=("‖g_i‖ h^(d + 1) = ‖∇K‖ ≤ G_K, the definition of G_K",))
def contributions_are_bounded_where_the_density_is() -> Finding:
    """‖q_i‖ = ‖g_i‖/p̂ ≤ 2 G_K/(p_min h^(d+1)) = C_* where p̂ ≥ p_min/2. For data without such a
    bound on p̂ nothing bounds q_i, so that C_* is no sensitivity.
    """
    norm, most, width, below, least = sympy.symbols("g G w p l", real=True)
    inside = [norm >= 0, width > 0, norm * width <= most, 2 * below >= least, least > 0]
    bounded = norm / below <= 2 * most / (least * width)
    without = entails([*inside[:3], below > 0, least > 0], bounded)
    return all_of(entails(inside, bounded), negation(without))


@published(Source(MODES, "Proposition A.1"), Source(MODES, "Remark 4.3"))
@proved(
    argued=(
        "a and b, the errors of p̂ and ∇ ln p̂ on the basin, fall to 0 on the local event, which is "
        "Definition 5 with Assumption 3",
        "norms of sums are at most sums of norms",
    )
)
def floor_and_clip_are_inactive_near_modes() -> Finding:
    """Where p̂ ≥ p_min/2, p_floor = c p_min with c ≤ 1/2 is not above p̂. Where |p̂ − p| ≤ a, ‖∇ ln p̂
    − ∇ ln p‖ ≤ b, ‖∇ ln p‖ ≤ L and p ≤ P, ‖∇p̂ − ∇p‖ ≤ a(L + b) + Pb; if that is at most A/2 and A >
    2G, G the largest ‖∇p‖, then ‖∇p̂‖ < A. The two choices need p_min and G, which are not public.
    """
    below, least, part, norm, steep, error, level = sympy.symbols("p l c g G e A", real=True)
    density = entails(
        [2 * below >= least, least > 0, part > 0, 2 * part <= 1], below >= part * least
    )
    slope = entails([norm <= steep + error, level > 2 * steep, 2 * error <= level], norm < level)
    first, second, shift = sympy.symbols("s t q", real=True)
    # ∇p̂ − ∇p = (p̂ − p) ∇ ln p̂ + p (∇ ln p̂ − ∇ ln p)
    split = equal(
        (below + shift) * second - below * first, shift * second + below * (second - first)
    )
    a, b, most, length, other = sympy.symbols("a b P L M", nonnegative=True)
    off, apart = sympy.symbols("o r", nonnegative=True)  # |p̂ − p| and ‖∇ ln p̂ − ∇ ln p‖
    size = entails(
        [off <= a, apart <= b, other <= length + b, below >= 0, below <= most],
        off * other + below * apart <= a * (length + b) + most * b,
    )
    return all_of(density, slope, split, size)
