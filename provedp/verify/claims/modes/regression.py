"""Section 5.1, Algorithm 4, eq. (13): sums of clipped shares, and what can take their place."""

from provedp.theory import modes
from provedp.verify.claims.prelude import *

WIDTH = 1e-25
Offsets = tuple[Q, ...]


@ours(
    Source(MODES, "eq. (13)"), Source(MODES, "Algorithm 4", "the sensitivity that its program uses")
)
@refuted(bits=128, offsets=(Q(-1), Q(2)), replaced=Q(2), h=Q(1, 2), clip=Q(1))
def sum_of_clipped_shares_moves_by_two_clips(
    offsets: Offsets, replaced: Q, h: Q, clip: Q
) -> Finding:
    """One replaced record moves the sum of the contributions, each clipped at C, by at most 2C: the
    paper prints no sensitivity for Algorithm 4, and its program uses 2C/m. (The contributions share
    the denominator Σ w: two records move it by 2.99 C, and m records by up to (m + 1)C.)
    """
    return at_most(_move(offsets, replaced, h, clip), ball(2 * clip))


def _move(offsets: Offsets, replaced: Q, h: Q, clip: Q) -> Any:
    before = modes.clipped_share_update(list(offsets), h, clip)
    after = modes.clipped_share_update([replaced, *offsets[1:]], h, clip)
    return abs(before - after)


@repairs(
    sum_of_clipped_shares_moves_by_two_clips,
    formula=modes.clipped_share_sensitivity,
    rests_on=("modes.other_shares_keep_their_sign",),
)
@certified(
    bits=128,
    offsets=(
        (Q(-1), Q(2)),
        (Q(-1), Q(3), Q(3)),
        (Q(-1), Q(4), Q(4), Q(4)),
        (Q(1, 2), Q(-1, 3), Q(2), Q(0), Q(5)),
    ),
    replaced=(Q(2), Q(3), Q(-7, 2)),
    h=(Q(1, 2), Q(2)),
    clip=(Q(1),),
)
def sum_of_clipped_shares_moves_by_one_clip_more(
    bound: Formula, offsets: Offsets, replaced: Q, h: Q, clip: Q
) -> Finding:
    """One replaced record of m moves the sum by at most (m + 1)C: here for 12 pairs of data. For
    the average of Section 5.1 it is (m + 1)C/m, not 2C/m.
    """
    found = bound(clip, len(offsets))
    return all_of(
        equal(found, (len(offsets) + 1) * clip),
        at_most(_move(offsets, replaced, h, clip), ball(found)),
    )


@ours(Source(MODES, "Algorithm 4", "the least bound"), formula=modes.clipped_share_sensitivity)
@certified(bits=512, m=levels((2, 3, 5), range(2, 7)))
def clipped_shares_move_by_nearly_the_bound(bound: Formula, m: int) -> Finding:
    """With h = 1/4, C = 1, m − 1 records at the offset m, where all shares are C each, and one
    moved from an offset of −1 that takes all the weight, the move is within 10⁻⁶ of (m + 1)C.
    """
    found = _move((Q(-1), *[Q(m)] * (m - 1)), Q(m), Q(1, 4), Q(1))
    wanted = ball(bound(Q(1), m))
    return all_of(at_most(found, wanted), less(wanted - ball(Q(1, 10**6)), found))


@ours(Source(MODES, "Algorithm 4", "the least bound"))
@proved(argued=())
def other_shares_keep_their_sign() -> Finding:
    """Another record's share w t/W keeps its sign when W changes, so its clipped value stays
    between 0 and C or −C and 0 and moves by at most C; the replaced one moves by at most 2C. m − 1
    and one: (m + 1)C.
    """
    t, total, other, clip = sympy.symbols("t W V C", real=True)
    first, second = (sympy.Min(sympy.Max(t / w, -clip), clip) for w in (total, other))
    inside = [total > 0, other > 0, clip > 0]
    s, m = sympy.Symbol("s", real=True), sympy.Symbol("m", positive=True)
    own, moved = (sympy.Min(sympy.Max(x, -clip), clip) for x in (t / total, s / other))
    return all_of(
        entails([*inside, t >= 0], sympy.Abs(first - second) <= clip),
        entails([*inside, t <= 0], sympy.Abs(first - second) <= clip),
        entails([clip > 0, total > 0, other > 0], sympy.Abs(own - moved) <= 2 * clip),
        equal((m - 1) * clip + 2 * clip, (m + 1) * clip),
    )


@ours(
    Source(MODES, "Algorithm 4", "the repair"),
    formula=modes.response_sum_sensitivity,
    rests_on=("modes.weighted_offset_is_largest_at_the_bandwidth",),
)
@certified(bits=128, h=(Q(1, 2), Q(3)), m=(1, 5))
def numerator_moves_by_a_share(bound: Formula, h: Q, m: int) -> Finding:
    """The mean of w t, w = e^(−t²/(2h²)), the numerator alone, moves by at most 2h e^(−1/2)/m, from
    t = −h to t = h, and needs no clip; so does the mean of w, by at most 1/m. Their noisy ratio is
    post-processing.
    """
    rest = [Q(1, 3)] * (m - 1)
    moves = [
        abs(modes.shift_numerator([a, *rest], h) - modes.shift_numerator([b, *rest], h))
        for a in (-h, Q(0), h / 2, 3 * h)
        for b in (h, -2 * h, h / 3)
    ]
    found = bound(h, m)
    return all_of(
        *(at_most(move, found + ball(Q(1, 10**30))) for move in moves),
        close(moves[0], found, tolerance=WIDTH),
    )


@ours(Source(MODES, "Algorithm 4", "the repair"))
@proved(argued=("a function that rises between −h and h and falls beyond is extreme there",))
def weighted_offset_is_largest_at_the_bandwidth() -> Finding:
    """The function t e^(−t²/(2h²)) has the slope (1 − t²/h²) e^(−t²/(2h²)): it is largest at t = h,
    where it is h e^(−1/2), and least at −h.
    """
    t, h = sympy.Symbol("t", real=True), sympy.Symbol("h", positive=True)
    value = t * sympy.exp(-(t**2) / (2 * h**2))
    slope = sympy.diff(value, t) / sympy.exp(-(t**2) / (2 * h**2))
    return all_of(
        equal(slope, 1 - t**2 / h**2),
        equal(value.subs(t, h), h * sympy.exp(-sympy.Rational(1, 2))),
        entails([t**2 <= h**2], 1 - t**2 / h**2 >= 0),
        entails([t**2 >= h**2], 1 - t**2 / h**2 <= 0),
    )


def a_quarter(d: int) -> Any:
    """Return a quarter of I₁."""
    return modes.gradient_norm_squared(d) / 4


@ours(
    Source(MODES, "Algorithm 4", "the repair at all starts"),
    formula=modes.gradient_norm_squared,
    mutants=(a_quarter,),
)
@certified(bits=128, responses=((Q(1), Q(-1)), (Q(1), Q(9)), (Q(1, 2), Q(-3, 4))))
def numerators_at_all_starts_move_together(norm: Formula, responses: tuple[Q, Q]) -> Finding:
    """The numerators w t at any starts (x, y) are 2πh times the slope in y of a kernel estimate in
    the plane, linear in the records: a replaced response moves them, in units of noise of the
    correlation e^(−distance/h), by at most 4πh √(I₁/2)/m, I₁ of two dimensions; here at 33 starts.
    (The weights are 2π times the estimate: 4π√I₀/m.)
    """
    starts = [[Q(i, 2), Q(j, 2)] for i in (-1, 0, 1) for j in range(-5, 6)]
    numerators, weights = [], []
    for x, y in starts:
        parts = [(-ball(x**2 + (response - y) ** 2) / 2).exp() for response in responses]
        moved = [part * ball(r - y) for part, r in zip(parts, responses, strict=True)]
        numerators.append([moved[0] - moved[1], 0 * moved[0]])
        weights.append([parts[0] - parts[1], 0 * parts[0]])
    plane, tail = 4 * arb.pi(), arb(1).exp() * arb(1).erfc()
    closed = (ball(Q(19, 4)) + ball(Q(9, 8)) * arb.pi().sqrt() * tail) / (8 * arb.pi() ** 2)
    return all_of(
        close(norm(2) / closed, 1, tolerance=WIDTH),
        at_most(modes.pool_shift(numerators, starts, Q(1)), plane * (norm(2) / 2).sqrt()),
        at_most(
            modes.pool_shift(weights, starts, Q(1)),
            plane * modes.density_norm_squared(2).sqrt(),
        ),
    )
