"""Definition 1 and Lemma 2: how far an optimal release may be from P* (Appendix C)."""

from hypothesis import strategies as st

from provedp.theory import counting
from provedp.verify.claims.counting.forced import diagonal_and_partial_sums_are_forced
from provedp.verify.claims.counting.full_rank import (
    optima_for_four_counts_have_the_form,
    optima_for_three_counts_have_the_form,
)
from provedp.verify.claims.counting.instances.four_counts import delta, four_counts
from provedp.verify.claims.counting.structure import optimum_without_leakage_is_unique
from provedp.verify.claims.prelude import *
from provedp.verify.ledger import is_defined
from provedp.verify.solvers.channel import optimal_set

FACES: dict[str, Any] = dict(
    m=levels(range(3, 5), range(3, 7)),
    k=(Q(1), Q(11, 10), Q(2)),
    delta=(Q(0), Q(1, 20), Q(1, 4), Q(1, 2)),
)


def _reach(m: int, k: Q, delta: Q) -> Q:
    """Return how far from P* the entries can be that M − 1 privacy constraints in a row allow."""
    canonical = counting.release_matrix(m, k, delta)
    own = rational(canonical[0, 0])
    high = low = own
    for _ in range(m - 1):
        high, low = k * high + delta, (low - delta) / k
    beside = [rational(entry) for entry in canonical[0, 1:]]
    return max(min(high, 1 - own) - min(beside), max(beside) - max(low, Q(0)))


@published(
    Source(COUNTING, "Lemma 2"),
    Source(COUNTING, "eq. (22)"),
    formula=counting.radius_upper,
)
@machine_checked("radius.radius_is_at_most_the_bound")
@certified(**FACES)
def radius_is_at_most_the_bound(upper: Formula, m: int, k: Q, delta: Q) -> Finding:
    """Δ_M ≤ R_M: no optimal release is farther from P* than R_M in any entry; R_M is what M − 1
    privacy constraints in a row leave, one by one. (The geometric sum stands for its quotient, so
    k = 1 is included.) By exact programs for M = 3, 4 (6 in a full run).
    """
    found = upper(m, k, delta)
    return all_of(
        at_most(optimal_set.radius(m, k, delta), found), equal(found, _reach(m, k, delta))
    )


@published(Source(COUNTING, "Definition 1", "Φ(P*) and φ(P*)"), formula=counting.release_entry)
@machine_checked("entries.extreme_entries_are_at_the_extreme_distances")
@proved(argued=("off the diagonal the distances are 1, …, ⌊M/2⌋",))
def extreme_entries_are_at_the_extreme_distances(entry: Formula) -> Finding:
    """For every M the largest and the smallest off-diagonal entries of P* are those at distances 1
    and ⌊M/2⌋: an entry one step farther is 1/k of the one before, and k ≥ 1.
    """
    top = sympy.Symbol("alpha", positive=True)
    ratio = 1 + sympy.Symbol("s", nonnegative=True)
    d = sympy.Symbol("d", integer=True, positive=True)
    near, far = entry(top, ratio, delta, d), entry(top, ratio, delta, d + 1)
    least = (1 - delta) * top
    return all_of(
        equal(near, ratio * far),
        at_most(far, near),
        equal(entry(top, ratio, delta, 1), least / ratio),
    )


@published(Source(COUNTING, "Definition 1", "Φ(P*) and φ(P*)"), formula=counting.entry_max)
@certified(m=range(2, 20), k=(Q(1), Q(3, 2), Q(3)), delta=(Q(0), Q(1, 20)))
def largest_entry_off_the_diagonal_is_printed(largest: Formula, m: int, k: Q, delta: Q) -> Finding:
    """Φ(P*) = (1 − δ) α_M k^(−1) is the largest entry of P* off the diagonal."""
    found = counting.release_matrix(m, k, delta)
    return equal(
        largest(m, k, delta), max(found[i, j] for i in range(m) for j in range(m) if i != j)
    )


@published(Source(COUNTING, "Definition 1", "φ(P*)"), formula=counting.entry_min)
@certified(m=range(2, 20), k=(Q(1), Q(3, 2), Q(3)), delta=(Q(0), Q(1, 20)))
def smallest_entry_is_printed(smallest: Formula, m: int, k: Q, delta: Q) -> Finding:
    """φ(P*) = (1 − δ) α_M k^(−⌊M/2⌋) is the smallest entry of P*, and none is on the diagonal but
    for k = 1, δ = 0.
    """
    found = counting.release_matrix(m, k, delta)
    least = smallest(m, k, delta)
    on_diagonal = (
        equal(found.diagonal(), least) if k == 1 and delta == 0 else less(least, found[0, 0])
    )
    return all_of(equal(least, found.min()), on_diagonal)


@published(
    Source(COUNTING, "Lemma 2"),
    Source(COUNTING, "eq. (22)"),
    Source(COUNTING, "Appendix C"),
    rests_on=(diagonal_and_partial_sums_are_forced, extreme_entries_are_at_the_extreme_distances),
)
@machine_checked(
    "structure.chains_of_constraints_bound_every_entry", "radius.radius_is_at_most_the_bound"
)
@proved(argued=("induction on the number of constraints between two rows",))
def chains_of_constraints_bound_every_entry() -> Finding:
    """Δ_M ≤ R_M for every M ≥ 2: n privacy constraints between row j and row i give p_ij ≤ k^n γ* +
    δ s_n with s_n = 1 + k + … + k^(n−1), and p_ij ≥ max((γ* − δ s_n)/k^n, 0), by induction on
    n = |i − j|; both are weakest at n = M − 1. An entry off the diagonal is at most 1 − γ*, the
    rest of its row. So Φ₀ and φ₀ enclose the off-diagonal entries of every optimal release, and an
    entry differs from P*'s, which is in [φ, Φ], by at most max(Φ₀ − φ, Φ − φ₀); on the diagonal
    there is no difference.
    """
    a, b, k, slack, power, s, g = sympy.symbols("a b k delta K s g", real=True)
    inside = [k >= 1, slack >= 0, power >= 1, s >= 0, g >= 0]
    above = entails(
        [*inside, b <= power * g + slack * s, a <= k * b + slack],
        a <= k * power * g + slack * (1 + k * s),
    )
    below = entails(
        [*inside, b * power >= g - slack * s, b <= k * a + slack],
        a * k * power >= g - slack * (s + power),
    )
    longer = entails(inside, k * power * g + slack * (1 + k * s) >= power * g + slack * s)
    short = (g - slack * s) / power
    lower = (g - slack * (s + power)) / (k * power)
    weaker = entails(inside, sympy.Max(lower, 0) <= sympy.Max(short, 0))
    rest = entails([sympy.Eq(a + b + g, 1), a >= 0, b >= 0], a <= 1 - g)
    low, high, own, other, least, most = sympy.symbols("low high own other least most", real=True)
    apart = entails(
        [low <= own, own <= high, least <= other, other <= most],
        sympy.Abs(other - own) <= sympy.Max(most - low, high - least),
    )
    return all_of(above, below, longer, weaker, rest, apart)


@ours(
    Source(COUNTING, "Lemma 2"),
    Source(COUNTING, "eq. (22)"),
    formula=counting.radius_upper,
)
@certified(delta=(Q(1, 4),))
def radius_bound_is_attained(upper: Formula, delta: Q) -> Finding:
    """R_M is attained at M = 3, ε = 0, δ = 1/4, so it cannot be improved by a factor."""
    return equal(upper(3, Q(1), delta), optimal_set.radius(3, Q(1), delta))


@published(
    Source(COUNTING, "Lemma 2"),
    Source(COUNTING, "eq. (23)"),
    formula=counting.radius_upper_as_printed,
    defect=Defect.DEGENERATE,
)
@refuted(m=3, k=Q(1), delta=Q(1, 4))
def radius_bound_is_defined(upper: Formula, m: int, k: Q, delta: Q) -> Finding:
    """R_M as printed is a number for every ε ≥ 0, as Lemma 2 and Theorem 2 use it."""
    return is_defined(upper, m, k, delta)


@repairs(radius_bound_is_defined, formula=counting.radius_upper)
@certified(m=range(2, 40), k=(Q(1), Q(3, 2)), delta=(Q(0), Q(1, 4)))
def radius_bound_with_the_sum_is_defined(upper: Formula, m: int, k: Q, delta: Q) -> Finding:
    """With 1 + k + … + k^(M−2) for (1 − k^(M−1))/(1 − k), R_M is defined at ε = 0 too and the same
    where both are; for M < 40.
    """
    defined = radius_bound_is_defined(upper, m, k, delta)
    if k == 1:
        return defined
    return all_of(defined, equal(upper(m, k, delta), counting.radius_upper_as_printed(m, k, delta)))


@published(
    Source(COUNTING, "Lemma 2"),
    Source(COUNTING, "Appendix C"),
    formula=counting.radius_upper,
    mutants=(counting.error,),
)
@certified(bits=256, m=range(2, 60), bound=(Q(1, 10**3), Q(1, 10**9), Q(1, 10**30)))
def radius_bound_vanishes_without_leakage(upper: Formula, m: int, bound: Q) -> Finding:
    """R_M → 0 as ε, δ → 0: on the whole box k^(M−1) ≤ 1 + c, δ ≤ c with c = R/(4M) it is below R,
    by ball arithmetic for R = 10⁻³, 10⁻⁹, 10⁻³⁰; it is 0 at (0, 0); and at k = 1 + c/M, δ = c it is
    what M − 1 privacy constraints in a row leave.
    """
    reach = bound / (4 * m)
    k = arb(1).union((1 + ball(reach)) ** (arb(1) / (m - 1)))
    delta = arb(0).union(ball(reach))
    inside = (1 + reach / m, reach)
    return all_of(
        less(upper(m, k, delta), ball(bound)),
        equal(upper(m, Q(1), Q(0)), 0),
        equal(upper(m, *inside), _reach(m, *inside)),
    )


@published(Source(COUNTING, "Lemma 2"), Source(COUNTING, "Appendix C"))
@machine_checked("entries.radius_bound_vanishes")
@proved(argued=("s = 1 + k + … + k^(M−2) ≤ (M − 1) k^(M−1)", "1/M ≤ α_M ≤ k^⌊M/2⌋/M"))
def radius_bound_vanishes_at_every_size() -> Finding:
    """R_M ≤ 6M c for every M where k^(M−1) ≤ 1 + c and δ ≤ c ≤ 1, so that R_M → 0 as ε, δ → 0:
    with K = k^(M−1), 1/M ≤ α ≤ K/M and s ≤ (M − 1)K both Φ̄ − φ and Φ − φ̲ are at most that. With
    a = (1 − δ)α ≤ 1 they are a(K − 1/K) + δ(K + s) and a(1 − 1/K) + δ(s − 1)/K.
    """
    m, power, slack, c, top, s = sympy.symbols("M K delta c alpha s", real=True)
    a, gap, part = sympy.symbols("a gap part", real=True)
    near = [m >= 2, power >= 1, power <= 1 + c, c <= 1]
    small = [*near, slack >= 0, slack <= c, s >= 0, s <= (m - 1) * power]
    sizes = [*near, top >= 0, m * top <= power, slack >= 0, slack < 1]
    sums = [m >= 2, c >= 0, a >= 0, a <= 1, gap >= 0, gap <= 2 * c, part <= 2 * m * c]
    above = power * (slack + a) + slack * s - a / power
    below = a - (slack + a - slack * s) / power
    return all_of(
        equal(above, a * (power - 1 / power) + slack * (power + s)),
        equal(below, a * (1 - 1 / power) + slack * (s - 1) / power),
        entails(sizes, (1 - slack) * top <= 1),
        entails(near, sympy.And(power - 1 / power <= 2 * c, 1 - 1 / power <= 2 * c)),
        entails(small, slack * (power + s) <= 2 * m * c),
        entails(small, slack * (s - 1) / power <= 2 * m * c),
        entails(sums, a * gap + part <= 6 * m * c),
    )


@published(Source(COUNTING, "eq. (50)"))
@certified(
    difference=st.lists(st.integers(-9, 9), min_size=1, max_size=7).map(
        lambda head: [*head, -sum(head)]
    )
)
def entry_is_at_most_half_the_row_norm(difference: list[int]) -> Finding:
    """In a row that sums to zero no entry exceeds half the sum of the absolute values: the
    positive and the negative entries have the same total. (Generated rows of up to 8 entries.)
    """
    norm = sum(abs(entry) for entry in difference)
    return at_most(max(abs(entry) for entry in difference), Q(norm, 2))


@published(
    Source(COUNTING, "eq. (50)"),
    Source(COUNTING, "eq. (51)"),
    rests_on=(diagonal_and_partial_sums_are_forced,),
)
@machine_checked("laws.entry_is_at_most_half_the_row_norm", "radius.radius_is_at_most_the_error")
@proved(argued=("induction on the entries of a row",))
def entry_is_at_most_half_the_row_norm_at_every_size() -> Finding:
    """For rows of any length that sum to zero: the rest of the row sums to −x, and its absolute
    values to |x| at least, one entry more at a time; so 2|x| ≤ Σ|x_j|. And Δ_M ≤ 1 − γ*: entries in
    [0, 1 − γ*] differ by at most that, which is (1 − δ)(1 − α_M).
    """
    x, y, total, norm, least = sympy.symbols("x y S N g", real=True)
    mine, other, top, slack = sympy.symbols("p q alpha delta", real=True)
    step = entails([sympy.Abs(total) <= norm], sympy.Abs(total + y) <= norm + sympy.Abs(y))
    half = entails(
        [sympy.Abs(total) <= norm, sympy.Eq(total + x, 0)], 2 * sympy.Abs(x) <= norm + sympy.Abs(x)
    )
    inside = [mine >= 0, other >= 0, mine <= 1 - least, other <= 1 - least]
    common = slack + (1 - slack) * top
    return all_of(
        step,
        half,
        entails(inside, sympy.Abs(mine - other) <= 1 - least),
        equal(1 - common, (1 - slack) * (1 - top)),
    )


def half_the_error(m: int, k: Q, delta: Q) -> Q:
    """Return (1 − δ)(1 − α_M)/2."""
    return rational(counting.error(m, k, delta) / 2)


@published(
    Source(COUNTING, "eq. (51)"),
    formula=counting.error,
    mutants=(half_the_error,),
)
@machine_checked("radius.radius_is_at_most_the_error")
@certified(**FACES)
def radius_is_at_most_the_error(error: Formula, m: int, k: Q, delta: Q) -> Finding:
    """Δ_M ≤ (1 − δ)(1 − α_M): rows with the same diagonal entry differ by at most what is left,
    1 − γ*; by exact programs for M = 3, 4 (6 in a full run).
    """
    found = error(m, k, delta)
    return all_of(
        at_most(optimal_set.radius(m, k, delta), found),
        equal(found, 1 - counting.release_matrix(m, k, delta)[0, 0]),
    )


@published(
    Source(COUNTING, "Appendix C", "between eq. (51) and R_M"),
    formula=counting.error,
    rests_on=(optimum_without_leakage_is_unique,),
)
@machine_checked("entries.simple_radius_bound_is_loose")
@proved(argued=())
def simple_radius_bound_is_loose_without_leakage(error: Formula) -> Finding:
    """At (0, 0) the bound (51) is (M − 1)/M for every M, though the optimum is unique there
    (Δ_M = 0).
    """
    n = sympy.Symbol("n", integer=True, positive=True)
    return equal(error(n, sympy.Integer(1), sympy.Integer(0)), (n - 1) / n)


@ours(
    Source(COUNTING, "Definition 1", "the radius for M = 3"),
    formula=counting.radius_of_three,
    rests_on=(optima_for_three_counts_have_the_form,),
)
@machine_checked("three.radius_for_three_counts", "three.radius_for_three_counts_is_attained")
@proved(argued=("v and 2 − v in row 3 are bounded as u and 2 − u",))
def radius_for_three_counts_in_general(radius: Formula) -> Finding:
    """Δ_3 = (1 − δ)/(k + 2) · (1 − (1 − δ′)⁺/k): in (18), which holds all optimal releases, the
    free entries are u and 2 − u (in units of (1 − δ)/(k + 2)), both 1 in P*, with u in [(1 −
    δ′)⁺/k, 1]; the lower end attains it.
    """
    k, slack, u = sympy.symbols("k delta u", real=True)
    scale = (1 - slack) / (k + 2)
    low = sympy.Max(1 - slack / scale, 0) / k
    found = radius(k, slack)
    inside = [k > 1, slack >= 0, slack < 1, u <= 1, u >= low]
    return all_of(
        entails(inside, sympy.And(scale * (1 - u) <= found, scale * ((2 - u) - 1) <= found)),
        entails(inside, scale * (1 - u) >= 0),
        entails([*inside, sympy.Eq(u, low)], sympy.Eq(scale * (1 - u), found)),
    )


@ours(Source(COUNTING, "Definition 1", "the radius for M = 3"), formula=counting.radius_of_three)
@certified(k=(Q(1), Q(11, 10), Q(2), Q(5)), delta=(Q(0), Q(1, 20), Q(1, 10), Q(1, 4), Q(1, 2)))
def radius_for_three_counts(radius: Formula, k: Q, delta: Q) -> Finding:
    """Δ_3 = (1 − δ)/(k + 2) · (1 − (1 − δ′)⁺/k): the spread of u in (18), whose P* has u = 1."""
    return equal(radius(k, delta), optimal_set.radius(3, k, delta))


@ours(
    Source(COUNTING, "Definition 1", "the radius for M = 4"),
    formula=counting.radius_of_four,
    rests_on=(optima_for_four_counts_have_the_form,),
)
@machine_checked("ranks.radius_for_four_counts", "ranks.radius_for_four_counts_is_attained")
@proved(argued=("row 4 is bounded as row 1",))
def radius_for_four_counts(radius: Formula) -> Finding:
    """Δ_4 = (k − 1)/(k(k + 1)) at δ = 0: over the family (19), the optimal set, no entry is farther
    from P*, and the member with x₃ = 1/k, x₂ = 1 attains it.
    """
    k, free, inside = four_counts()
    found = counting.matrix_of_four(k, *free)
    canonical = counting.matrix_of_four(k, 1, k, 1, k)
    gaps = [entry for entry in (found - canonical)[0, 1:]]
    upper = sympy.together(radius(k))
    corner = sympy.together(gaps[-1].subs(free[1], 1 / k))
    return all_of(
        *(entails(inside, sympy.And(gap <= upper, -gap <= upper)) for gap in gaps),
        equal(-corner, upper),
        entails([*inside, sympy.Eq(free[1] * k, 1), sympy.Eq(free[0], 1)], k > 1),
    )
