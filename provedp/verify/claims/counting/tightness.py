"""Appendix B: the constraints that are tight at P*, and the example that follows from them."""

from provedp.theory import counting
from provedp.verify.claims.counting.instances.matrices import is_optimal
from provedp.verify.claims.counting.instances.relations import same
from provedp.verify.claims.counting.structure import RATIOS, SLACKS
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel import optimal_set


@published(
    Source(COUNTING, "eq. (48)"),
    Source(COUNTING, "eq. (49)"),
    formula=counting.release_matrix,
)
@certified(m=levels(range(2, 20), range(2, 41)), k=RATIOS, delta=SLACKS)
def prefix_constraints_are_tight(release: Formula, m: int, k: Q, delta: Q) -> Finding:
    """F_i = k F_(i+1) + δ for the sums of the first i entries of rows i and i + 1 of P*, i ≤ ⌊M/2⌋,
    and the mirror image for the last entries; for ε > 0 none is tight at a larger i.
    """
    found = release(m, k, delta)
    findings = []
    for p in (found, found[::-1, ::-1]):
        sums = [
            (sum(p[i - 1, :i], start=Q(0)), k * sum(p[i, :i], start=Q(0)) + delta)
            for i in range(1, m)
        ]
        findings += [equal(*pair) for pair in sums[: m // 2]]
        findings += [less(*pair) for pair in sums[m // 2 :] if k > 1]
    return all_of(*findings)


@published(
    Source(COUNTING, "eq. (48)"),
    formula=counting.cyclic_distance,
)
@machine_checked("entries.distance_grows_away_from_a_prefix")
@proved(argued=())
def distance_grows_away_from_a_prefix(distance: Formula) -> Finding:
    """d(i + 1, j) = d(i, j) + 1 for 1 ≤ j ≤ i ≤ ⌊M/2⌋, all M: what lets e^ε be factored out. It
    starts with d(i, i) = 0. Beyond, for i > M/2, row i + 1 is no farther from the first column.
    """
    m, i, j = sympy.symbols("m i j", integer=True)
    inside = [m >= 2, 2 * i <= m, j >= 1, j <= i]
    on_diagonal = [m >= 2, i >= 1, i <= m, sympy.Eq(i, j)]
    beyond = [m >= 2, 2 * i > m, i + 1 <= m]
    return all_of(
        entails(inside, same(distance(m, i + 1, j), distance(m, i, j) + 1)),
        entails(on_diagonal, same(distance(m, i, j), sympy.Integer(0))),
        entails(beyond, distance(m, i + 1, 1) <= distance(m, i, 1)),
    )


@published(
    Source(COUNTING, "eq. (48)"),
    Source(COUNTING, "eq. (49)"),
    formula=counting.release_entry,
    rests_on=(distance_grows_away_from_a_prefix,),
)
@machine_checked("structure.prefix_constraints_are_tight")
@proved(argued=("a sum over the first i columns, one at a time", "the mirror image for L"))
def prefix_constraints_are_tight_at_every_size(entry: Formula) -> Finding:
    """F_i = k F_(i+1) + δ for every M and i ≤ ⌊M/2⌋: for j < i, p_ij = k p_(i+1)j, since the
    distance grows by one (`distance_grows_away_from_a_prefix`), and p_ii = k p_(i+1)i + δ.
    """
    top, k, slack = sympy.symbols("alpha k delta", positive=True)
    d = sympy.Symbol("d", integer=True, positive=True)
    return all_of(
        equal(entry(top, k, slack, d), k * entry(top, k, slack, d + 1)),
        equal(entry(top, k, slack, 0), k * entry(top, k, slack, 1) + slack),
    )


@published(Source(COUNTING, "Appendix B", "proof of statement 3"), defect=Defect.MISPRINT)
@machine_checked("refutations.prefix_before_the_diagonal_is_not_bounded_as_printed")
@refuted(m=3, k=Q(2), delta=Q(1, 10), i=2)
def prefix_before_the_diagonal_is_bounded_as_printed(m: int, k: Q, delta: Q, i: int) -> Finding:
    """'Σ_(j<i) p_ij cannot be smaller than F_(i−1)^i', the sum of the first i entries of row i − 1:
    true at least of P* itself.
    """
    assume(2 <= i <= (m + 1) // 2)
    found = counting.release_matrix(m, k, delta)
    return at_most(sum(found[i - 2, :i], start=Q(0)), sum(found[i - 1, : i - 1], start=Q(0)))


@repairs(prefix_before_the_diagonal_is_bounded_as_printed)
@certified(
    cases=[
        dict(m=m, k=k, delta=delta, i=i)
        for m in (3, 4, 5)
        for k in (Q(3, 2), Q(2))
        for delta in (Q(0), Q(1, 10))
        for i in range(2, (m + 1) // 2 + 1)
    ]
)
def prefix_before_the_diagonal_is_bounded(m: int, k: Q, delta: Q, i: int) -> Finding:
    """Σ_(j<i) p_ij cannot be smaller than F_i^(i−1), the sum of the first i − 1 entries of row i of
    P* (the indices are exchanged in the paper): over all optimal releases its least value is that,
    by exact programs for M = 3, 4, 5; in general by `diagonal_and_partial_sums_are_forced`.
    """
    found = counting.release_matrix(m, k, delta)
    low, _ = optimal_set.prefix_range(m, k, delta, i)
    return at_most(sum(found[i - 1, : i - 1], start=Q(0)), low - found[i - 1, i - 1])


@ours(
    Source(COUNTING, "Corollary 1.1", "the example with M = 5: its four decimals taken as exact"),
    formula=counting.example_matrix_as_printed,
)
@refuted(k=Q(11, 10))
def printed_example_is_rank_deficient(example: Formula, k: Q) -> Finding:
    """For M = 5, k = 11/10, δ = 0 the printed matrix, its decimals taken as exact, is an optimal
    release whose second column is k times its first. (It is private and optimal; the columns are
    proportional up to rounding, as `example_is_rank_deficient` says.)
    """
    found = example() if example is counting.example_matrix_as_printed else example(k)
    return all_of(
        is_optimal(found, k, Q(0)),
        equal(found[:, 1], list(k * found[:, 0])),
        equal(fmpq_matrix(found).rank(), 4),
    )


@published(
    Source(COUNTING, "Corollary 1.1", "the example with M = 5"), formula=counting.example_matrix
)
@certified(k=(Q(11, 10), Q(21, 20), Q(101, 100)))
def example_is_rank_deficient(example: Formula, k: Q) -> Finding:
    """The example is an optimal release whose second column is k times its first, so that not all
    optimal releases have full rank (here 4): with the exact entries, 10/11 for .9091 and 20/21 for
    .9524, of which the printed ones are the roundings to four decimals over 5.41; and the printed
    matrix itself is private and optimal.
    """
    found = printed_example_is_rank_deficient(example, k)
    if k != Q(11, 10):
        return found
    printed = counting.example_matrix_as_printed()
    gaps = [abs(entry) * Q(541, 100) for entry in (printed - example(k)).ravel()]
    return all_of(found, is_optimal(printed, k, Q(0)), at_most(gaps, Q(1, 20000)))
