"""Theorem 1, statement 4: when every optimal release has full rank (Appendix D included)."""

import numpy as np

from provedp.theory import counting
from provedp.verify.claims.counting.forced import (
    diagonal_and_partial_sums_are_forced,
    entries_between_diagonal_and_middle_are_forced_at_every_size,
)
from provedp.verify.claims.counting.instances.four_counts import four_counts
from provedp.verify.claims.counting.instances.matrices import is_optimal
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel import optimal_set
from provedp.verify.solvers.channel.singular import optimum_with_kernel

DOMINANCE = "the Levy–Desplanques theorem: a strictly dominant diagonal gives full rank"


@published(Source(COUNTING, "Theorem 1", "statement 4"), formula=counting.diagonal)
@certified(m=levels(range(3, 5), range(3, 6)), k=(Q(1), Q(2), Q(5)), delta=(Q(2, 5), Q(3, 5)))
def optima_with_a_large_diagonal_have_full_rank(
    diagonal: Formula, m: int, k: Q, delta: Q
) -> Finding:
    """If δ + (1 − δ) α_M > 1/2 every optimal release has full rank: each row has its diagonal entry
    γ* forced and sums to one, so it is strictly diagonally dominant. Checked on optimal releases
    at random vertices of the optimal set.
    """
    common = diagonal(m, k, delta)
    assume(common > Q(1, 2))
    sample = optimal_set.sample_optimal(m, k, delta, np.random.default_rng(20260311))
    return all_of(
        is_optimal(sample, k, delta),
        equal(sample.diagonal(), common),
        less([sum(row, start=Q(0)) - common for row in sample], common),
        equal(fmpq_matrix(sample).rank(), m),
    )


@published(
    Source(COUNTING, "Theorem 1", "statement 4"),
    formula=counting.diagonal,
    rests_on=(diagonal_and_partial_sums_are_forced,),
)
@machine_checked("structure.large_diagonals_dominate_their_rows")
@proved(argued=(DOMINANCE,))
def large_diagonals_dominate_their_rows(diagonal: Formula) -> Finding:
    """If δ + (1 − δ) α_M > 1/2, every row of every optimal release is strictly dominated by its
    diagonal entry γ* (`diagonal_and_partial_sums_are_forced`): the rest of the row is 1 − γ*.
    By the Levy–Desplanques theorem it has full rank, for all M, k ≥ 1 and δ.
    """
    top, slack = sympy.symbols("alpha delta", real=True)
    common = slack + (1 - slack) * top
    size = sympy.Symbol("m", integer=True, positive=True)
    k = sympy.Symbol("k", positive=True)
    printed = diagonal(size, k, slack)
    return all_of(
        entails([common > sympy.Rational(1, 2)], 1 - common < common),
        equal(printed, common.subs(top, counting.alpha_closed_form(size, k))),
    )


def _singular_three() -> tuple[Matrix, Q, Q]:
    """Return a singular optimum for M = 3, k = 1, δ = 1/4, whose diagonal is exactly 1/2."""
    k, delta = Q(1), Q(1, 4)
    return counting.matrix_of_three(k, delta, Q(0), Q(0)), k, delta


@ours(Source(COUNTING, "Theorem 1", "statement 4"))
@certified()
def one_half_is_sharp() -> Finding:
    """The bound 1/2 on the diagonal cannot be lowered: for M = 3, k = 1, δ = 1/4 the diagonal is
    exactly 1/2, and an optimal release with u = v = 0 in (18) is singular.
    """
    found, k, delta = _singular_three()
    return all_of(
        is_optimal(found, k, delta),
        equal(counting.diagonal(3, k, delta), Q(1, 2)),
        equal(fmpq_matrix(found).det(), 0),
    )


@ours(Source(COUNTING, "Theorem 1", "statement 4"))
@certified(delta=(Q(1, 100), Q(1, 10), Q(1, 5), Q(1, 4)))
def three_counts_need_positive_epsilon(delta: Q) -> Finding:
    """For M = 3 the hypothesis ε > 0 is needed: at ε = 0 and 0 < δ ≤ 1/4 the optimal release with
    u = v = 1 − δ′ in (18) has rank 2.
    """
    extra = 3 * delta / (1 - delta)
    found = counting.matrix_of_three(Q(1), delta, 1 - extra, 1 - extra)
    return all_of(is_optimal(found, Q(1), delta), equal(fmpq_matrix(found).rank(), 2))


def _three_symbols() -> tuple[Any, ...]:
    k, extra, u, v = sympy.symbols("k extra u v", real=True)
    low = (1 - extra) / k
    return k, extra, u, v, low


def _at_most_inside(inside: list[Any], left: Any, right: Any) -> Finding:
    """Find whether left ≤ right for all values inside; where sympy knows it of all values, so."""
    relation = left <= right
    return at_most(left, right) if relation is sympy.true else entails(inside, relation)


@published(
    Source(COUNTING, "Theorem 1", "statement 4"),
    Source(COUNTING, "eq. (18)"),
    formula=counting.matrix_of_three,
)
@machine_checked("three.three_counts_form_is_private")
@proved(argued=())
def three_counts_form_is_private(family: Formula) -> Finding:
    """For M = 3 the family (18) with u, v in [(1 − δ′)⁺/k, 1] is optimal: stochastic, with the
    diagonal γ*, and private. In units of (1 − δ)/(k + 2), where δ becomes δ′, the rows are
    (k + δ′, 2 − u, u), (1, k + δ′, 1) and (v, 2 − v, k + δ′); every event of the four pairs of
    neighbours is checked, for all k ≥ 1 and δ′ ≥ 0.
    """
    k, extra, u, v, low = _three_symbols()
    unit = (k + 2) + extra  # δ = δ′/(k + 2 + δ′), so that 1 − δ = (k + 2)/(k + 2 + δ′)
    found = family(k, extra / unit, u, v) * unit
    one, two, three = [[sympy.simplify(entry) for entry in row] for row in found]
    common = unit * counting.diagonal(3, k, extra / unit)
    shape = all_of(
        equal([sum(row) for row in (one, two, three)], [unit] * 3),
        equal([one[0], two[1], three[2]], [common] * 3),
    )
    if not shape.holds:
        return shape
    inside = [k >= 1, extra >= 0]
    for free in (u, v):
        inside += [free <= 1, free >= 0, free >= low]
    events = [[j for j in range(3) if mask >> j & 1] for mask in range(1, 7)]
    private = [
        _at_most_inside(inside, sum(p[j] for j in event), k * sum(q[j] for j in event) + extra)
        for event in events
        for p, q in ((one, two), (two, one), (two, three), (three, two))
    ]
    free_entries = [entry for entry in (*one, *two, *three) if entry.free_symbols]
    signs = [_at_most_inside(inside, sympy.Integer(0), entry) for entry in free_entries]
    return all_of(shape, *private, *signs)


@published(Source(COUNTING, "Theorem 1", "statement 4, below eq. (18)"))
@machine_checked("three.inequalities_for_three_counts")
@proved(argued=())
def inequalities_for_three_counts_bound_the_free_entries() -> Finding:
    """'The equality constraints only affect the upper bounds on u, v': with u + u′ = 2 the printed
    inequalities 1 ≤ u′ ≤ k(k + δ′) and (1 − δ′)⁺/k ≤ u ≤ k are (1 − δ′)⁺/k ≤ u ≤ 1, for all k > 1
    and δ′ ≥ 0: the upper bound on u falls from k to 1, and the one on u′ never binds.
    """
    k, extra, u, _, low = _three_symbols()
    first = 2 - u
    inside = [k > 1, extra >= 0]
    printed = sympy.And(first >= 1, first <= k * (k + extra), u >= sympy.Max(low, 0), u <= k)
    short = sympy.And(u >= sympy.Max(low, 0), u <= 1)
    return all_of(
        entails([*inside, printed], short),
        entails([*inside, short], printed),
    )


@published(
    Source(COUNTING, "Theorem 1", "statement 4"),
    Source(COUNTING, "eq. (18)"),
    formula=counting.diagonal,
    rests_on=(three_counts_form_is_private,),
)
@machine_checked("three.optima_for_three_counts_are_the_family")
@proved(argued=("v = p_31 is bounded as u: row 3 is the mirror image of row 1",))
def optima_for_three_counts_have_the_form(diagonal: Formula) -> Finding:
    """Every optimal release for M = 3 has the form (18): with p_ii ≥ γ* the events {1} (row 1
    against row 2) and {3} (row 3 against row 2) force the middle row and the diagonal, for all
    k > 1 and δ; and the events {2} and {3} of row 2 against row 1 bound u = p_13 between
    (1 − δ′)⁺/k and 1 in units of (1 − δ)/(k + 2). (Conversely all of these are optimal.)
    """
    k, delta, a, b, c, left, right, u = sympy.symbols("k delta a b c left right u", real=True)
    least = sympy.together(diagonal(3, k, delta))
    scale = (1 - delta) / (k + 2)
    optimal = [a >= least, b >= least, c >= least]
    middle = [sympy.Eq(left + b + right, 1), a <= k * left + delta, c <= k * right + delta]
    inside = [k > 1, delta >= 0, delta < 1]
    forced = sympy.And(*(sympy.Eq(entry, least) for entry in (a, b, c)), sympy.Eq(left, scale))
    # Row 1 is (γ*, 1 − γ* − u, u); row 2 is (s, γ*, s) with s the scale.
    first = [u >= 0, least <= k * (1 - least - u) + delta, scale <= k * u + delta]
    ends = sympy.And(u <= scale, k * u >= scale - delta)
    canonical = equal([least + 2 * scale, k * scale + delta], [1, least])
    if not canonical.holds:
        return canonical
    return all_of(
        canonical,
        entails([*inside, *optimal, *middle], forced),
        entails([*inside, *first], ends),
        equal(delta / scale, delta * (k + 2) / (1 - delta)),
    )


@published(Source(COUNTING, "Theorem 1", "statement 4"), formula=counting.three_determinant)
@machine_checked("three.three_determinant_is_as_printed")
@proved(argued=())
def three_determinant_is_as_printed(determinant: Formula) -> Finding:
    """The determinant of (18) is ((1 − δ)/(k + 2))³ f(u, v)."""
    k, u, v = sympy.symbols("k u v", positive=True)
    delta = sympy.Symbol("delta", positive=True)
    found = sympy.Matrix(counting.matrix_of_three(k, delta, u, v).tolist()).det()
    scale = (1 - delta) / (k + 2)
    return equal(found, scale**3 * determinant(k, delta / scale, u, v))


@published(
    Source(COUNTING, "Theorem 1", "statement 4"),
    Source(COUNTING, "Appendix D"),
    formula=counting.three_determinant,
    rests_on=(optima_for_three_counts_have_the_form, three_determinant_is_as_printed),
)
@machine_checked("three.determinant_is_positive", "three.optima_for_three_counts_have_full_rank")
@proved(argued=(DOMINANCE,))
def optima_for_three_counts_have_full_rank(determinant: Formula) -> Finding:
    """For M = 3 and ε > 0 every optimal release has full rank: f(u, v) > 0 for k > 1, 0 ≤ δ′ < 1
    and u, v in [(1 − δ′)/k, 1]; for δ′ ≥ 1 the diagonal k + δ′ > 2 dominates its row. The partial
    derivatives are (k + δ′ + 2)(1 − v) and (k + δ′ + 2)(1 − u), so f falls by as much times u − l
    and v − l on the way to the lower corner (l, l), where it is g = (k + δ′ + 2)(1 − 1/k²)
    (k + δ′ − 1)².
    """
    k, extra, u, v, low = _three_symbols()
    f = determinant(k, extra, u, v)
    g = (k + extra + 2) * (1 - 1 / k**2) * (k + extra - 1) ** 2
    inside = [k > 1, extra >= 0, extra < 1]
    fall = (k + extra + 2) * ((u - low) * (1 - v) + (v - low) * (1 - low))
    corner = [*inside, u >= low, u <= 1, v >= low, v <= 1]
    return all_of(
        equal(sympy.diff(f, u), (k + extra + 2) * (1 - v)),
        equal(sympy.diff(f, v), (k + extra + 2) * (1 - u)),
        equal(f - f.subs({u: low, v: low}), fall),
        entails(corner, fall >= 0),
        equal(f.subs({u: low, v: low}), g),
        entails(inside, g > 0),
        entails([k > 1, extra >= 1], k + extra > 2),
    )


@published(
    Source(COUNTING, "Theorem 1", "statement 4"),
    Source(COUNTING, "eq. (19)"),
    formula=counting.matrix_of_four,
    rests_on=(entries_between_diagonal_and_middle_are_forced_at_every_size,),
)
@machine_checked("families.optima_for_four_counts_are_the_family")
@proved(argued=("y₁, y₂, y₃ are bounded as x₁, x₂, x₃: row 4 is the mirror image of row 1",))
def optima_for_four_counts_have_the_form(family: Formula) -> Finding:
    """For M = 4, δ = 0 and every k ≥ 1 the optimal releases are (19) with the printed inequalities.
    Rows 2 and 3, and the diagonal, are those of P*, by (12); the first row is then private against
    the second, p_1j ≤ k p_2j and p_2j ≤ k p_1j, exactly for k ≤ x₁ ≤ k³, 1 ≤ x₂ ≤ k², 1/k ≤ x₃ ≤ k,
    and sums to one exactly for x₁ + x₂ + x₃ = 2k + 1; and rows 2 and 3 are private.
    """
    k = 1 + sympy.Symbol("s", nonnegative=True)
    x2, x3, y2, y3 = sympy.symbols("x2 x3 y2 y3", real=True)
    found = family(k, x2, x3, y2, y3)
    canonical = counting.release_matrix(4, k, sympy.Integer(0))
    shared = [(0, 0), (3, 3), *((i, j) for i in (1, 2) for j in range(4))]
    same = [equal(found[i, j], canonical[i, j]) for i, j in shared]
    return all_of(*same, equal(sum(found[0]), 1), equal(sum(found[3]), 1), *_private_rows_of_four())


def _private_rows_of_four() -> list[Finding]:
    """Find which rows are private beside (k, k², k, 1), in units of 1/(k + 1)²."""
    k, x = sympy.symbols("k x", real=True)
    one = sympy.Integer(1)
    second, third = (k, k**2, k, one), (one, k, k**2, k)
    printed = ((k, k**3), (one, k**2), (1 / k, k))
    findings = []
    for entry, (low, high) in zip(second[1:], printed, strict=True):
        private = sympy.And(x <= k * entry, entry <= k * x)
        between = sympy.And(x >= low, x <= high)
        findings += [entails([k >= 1, private], between), entails([k >= 1, between], private)]
    rows = [p <= k * q for a, b in zip(second, third, strict=True) for p, q in ((a, b), (b, a))]
    own = [k**2 <= k * k, k <= k * k**2]
    return [*findings, entails([k >= 1, x >= 0], sympy.And(*rows, *own))]


@published(
    Source(COUNTING, "Theorem 1", "statement 4"),
    Source(COUNTING, "eq. (19)"),
    Source(COUNTING, "eq. (20)"),
    Source(COUNTING, "eq. (21)"),
    formula=counting.matrix_of_four,
    rests_on=(optima_for_four_counts_have_the_form,),
)
@machine_checked(
    "ranks.optima_for_four_counts_have_full_rank",
    part="that nothing but zero is mapped to zero, without B",
)
@proved(argued=(DOMINANCE,))
def optima_for_four_counts_have_full_rank(family: Formula) -> Finding:
    """For M = 4, ε > 0, δ = 0 every optimal release has full rank: B P, with B the paper's matrix,
    has non-negative entries, four of them 0, and a strictly dominant diagonal for every member of
    (19), and det B = k⁴ − k² ≠ 0.
    """
    k, free, inside = four_counts()
    b = sympy.Matrix([[k, -1, 0, 0], [0, k, -1, 0], [0, -1, k, 0], [0, 0, -1, k]])
    scaled = ((b * sympy.Matrix(family(k, *free).tolist())) * (k + 1) ** 2).applyfunc(
        sympy.simplify
    )
    zeros = base_case(equal([*scaled[1, 2:], *scaled[2, :2]], [0] * 4))
    if not zeros.holds:
        return zeros
    entries = [entails(inside, entry >= 0) for entry in scaled if entry.free_symbols]
    rows = [
        entails(inside, sum(scaled[i, j] for j in range(4) if j != i) < scaled[i, i])
        for i in range(4)
    ]
    first = sum(scaled[0, j] for j in range(1, 4))
    return all_of(*entries, zeros, *rows, equal(first, k**2 - 1), equal(b.det(), k**4 - k**2))


@ours(Source(COUNTING, "Theorem 1", "statement 4"), Source(COUNTING, "eq. (19)"))
@certified(k=(Q(11, 10), Q(3, 2), Q(3)))
def entries_for_four_counts_have_these_ends(k: Q) -> Finding:
    """For M = 4 and δ = 0 exact programs over the optimal set give the ends of every entry of the
    first row, and they are those of the inequalities of (19) together with x₁ + x₂ + x₃ = 2k + 1.
    """
    scale = 1 / (k + 1) ** 2
    bounds = {2: (k, 2 * k - 1 / k), 3: (Q(1), k + 1 - 1 / k), 4: (1 / k, k)}
    return all_of(
        *(
            equal(
                list(optimal_set.entry_range(4, k, Q(0), 1, j)),
                [scale * low, scale * min(high, {2: k**3, 3: k**2, 4: k}[j])],
            )
            for j, (low, high) in bounds.items()
        )
    )


@ours(Source(COUNTING, "Theorem 1", "statement 4"))
@certified(k=(Q(101, 100), Q(11, 10)), delta=(Q(1, 10),))
def four_counts_need_pure_privacy(k: Q, delta: Q) -> Finding:
    """For M = 4 the hypothesis δ = 0 is needed: at δ = 1/10 an optimal release maps the vector
    (1, −2, 2, −1) to zero.
    """
    found = optimum_with_kernel(4, k, delta, [1, -2, 2, -1])
    image = found @ np.array([Q(1), Q(-2), Q(2), Q(-1)], dtype=object)
    return all_of(is_optimal(found, k, delta), equal(image, 0))
