"""Theorem 1, statement 3, for every M: what the chain of tight constraints forces."""

from provedp.theory import counting
from provedp.verify.claims.counting.instances.four_counts import EVEN, ODD, delta, h, k, t
from provedp.verify.claims.counting.instances.relations import same
from provedp.verify.claims.counting.optimum import closed_form_equals_sum
from provedp.verify.claims.prelude import *

MIRROR = "from the last row upwards everything is the mirror image"
ROWS = "induction on the rows from the first to a middle one"


def _powers(first: Any, last: Any) -> Any:
    """Return k^(−first) + … + k^(−last), by the sum of a geometric series."""
    return (k ** (1 - first) - k**-last) / t


def _prefix(i: Any, top: Any) -> Any:
    """Return δ + a(1 + k^(−1) + … + k^(1−i)): the first i entries of row i of P*, a = (1 − δ) α."""
    return delta + (1 - delta) * top * _powers(0, i - 1)


@published(
    Source(COUNTING, "Theorem 1", "statement 3"),
    Source(COUNTING, "Appendix B"),
    formula=counting.diagonal,
    rests_on=(closed_form_equals_sum,),
)
@machine_checked("structure.diagonal_and_partial_sums_are_forced")
@proved(argued=(ROWS, MIRROR))
def diagonal_and_partial_sums_are_forced(diagonal: Formula) -> Finding:
    """For every M, k ≥ 1 and δ in [0, 1), every optimal release has the diagonal γ* of P*, and its
    sums F_i = p_i1 + … + p_ii up to a middle row r, and the mirrored ones from r on, are those of
    P*. The constraint F_i ≤ k(F_(i+1) − p_(i+1)(i+1)) + δ and p_ii ≥ γ* give F_i ≥ F*_i by F*_1 =
    γ*, F*_(i+1) = (F*_i − δ)/k + γ*, row by row. Row r sums to one, and so do the least values of
    its three parts, so that all of them are attained; and backwards, F_(i+1) = F*_(i+1) leaves
    F_i = F*_i and p_(i+1)(i+1) = γ* alone.
    """
    ratio, slack, low, here, after, entry, least = sympy.symbols("k delta A F N p g", real=True)
    inside = [ratio >= 1, slack >= 0, slack < 1, here >= low, entry >= least]
    private = here <= ratio * (after - entry) + slack
    step = (low - slack) / ratio + least
    left, right, low_left, low_right = sympy.symbols("L R A B", real=True)
    middle = [left >= low_left, right >= low_right, entry >= least]
    filled = [sympy.Eq(left + entry + right, 1), sympy.Eq(low_left + least + low_right, 1)]
    attained = sympy.And(sympy.Eq(entry, least), sympy.Eq(left, low_left))
    return all_of(
        entails([*inside, private], after >= step),
        entails([*middle, *filled], sympy.And(attained, sympy.Eq(right, low_right))),
        entails(
            [*inside, private, sympy.Eq(after, step)],
            sympy.And(sympy.Eq(here, low), sympy.Eq(entry, least)),
        ),
        _chain_of_the_canonical_release(diagonal),
    )


def _chain_of_the_canonical_release(diagonal: Formula) -> Finding:
    """Find that F*_i is the chain, and that its ends fill a middle row, at k = 1 too."""
    i, n = sympy.symbols("i n", integer=True, positive=True)
    top = sympy.Symbol("alpha", positive=True)
    common = delta + (1 - delta) * top
    findings = [
        equal(_prefix(sympy.Integer(1), top), common),
        equal(_prefix(i + 1, top), (_prefix(i, top) - delta) / k + common),
    ]
    for size, row in ((ODD, h + 1), (EVEN, h), (EVEN, h + 1)):
        own = diagonal(size, k, delta)
        weight = counting.alpha_closed_form(size, k)
        sides = [(_prefix(n, weight) - delta) / k for n in (row - 1, size - row)]
        findings.append(equal(own + sum(sides), 1))
    # At k = 1 the sums are numbers of terms: F*_i = δ + (1 − δ) i/M.
    at_one = diagonal(n, sympy.Integer(1), delta)
    findings.append(equal(at_one + (1 - delta) * (n - 1) / n, 1))
    return all_of(*findings)


@published(
    Source(COUNTING, "Theorem 1", "statement 3"),
    Source(COUNTING, "eq. (13)"),
    formula=counting.cyclic_distance,
)
@machine_checked("entries.distance_is_the_gap_up_to_the_middle")
@proved(argued=())
def distance_is_the_gap_up_to_the_middle(distance: Formula) -> Finding:
    """d(i, j) = i − j for j ≤ i ≤ r, r a middle row (2r ≤ M + 2), so that the first i entries of
    row i of P* sum to F*_i there; and d(r, j) = |r − j| for every j. Beyond half of the circle, for
    2(i − j) ≥ M, it is M − (i − j).
    """
    m, i, j, r = sympy.symbols("m i j r", integer=True)
    middle = [m >= 2, j >= 1, j <= m, 2 * r >= m, 2 * r <= m + 2, r >= 1, r <= m]
    far = [m >= 2, j >= 1, i <= m, 2 * (i - j) >= m]
    return all_of(
        entails([*middle, j <= i, i <= r], same(distance(m, i, j), i - j)),
        entails(middle, same(distance(m, r, j), sympy.Abs(r - j))),
        entails(far, same(distance(m, i, j), m - (i - j))),
    )


@published(
    Source(COUNTING, "Theorem 1", "statement 3"),
    Source(COUNTING, "eq. (12)"),
    formula=counting.diagonal,
    rests_on=(closed_form_equals_sum, distance_is_the_gap_up_to_the_middle),
)
@machine_checked("structure.entries_between_diagonal_and_middle_are_forced")
@proved(
    argued=(
        "n constraints p_ij ≤ k p_(i+1)j in a row give the factor k^n",
        "entries that are at least their shares and sum to all of them are equal to them",
    )
)
def entries_between_diagonal_and_middle_are_forced_at_every_size(diagonal: Formula) -> Finding:
    """At δ = 0, for every M and k ≥ 1, all optimal releases share the entries between the diagonal
    and the middle row or rows. In a middle row p_rj ≥ p_jj k^(−|r − j|) ≥ α k^(−|r − j|), and both
    sides sum to one, so p_rj = α k^(−|r − j|); and then, with K = k^|i − j| and L = k^|r − i| for a
    row i between j and r, α ≤ p_jj ≤ K p_ij and p_ij ≤ L p_rj = α/K leave p_ij = α/K alone.
    """
    power, other, top, own, entry, middle = sympy.symbols("K L alpha d p q", real=True)
    inside = [power >= 1, other >= 1, top > 0, own >= top]
    chain = [own <= power * entry, entry <= other * middle]
    forced = sympy.Eq(middle * power * other, top)
    part, rest, share, others = sympy.symbols("x S w W", real=True)
    shares = [part >= share, rest >= others, sympy.Eq(part + rest, share + others)]
    findings = [
        entails([*inside, *chain, forced], sympy.Eq(entry * power, top)),
        entails([*inside, *chain, forced, sympy.Eq(power, 1)], sympy.Eq(entry, top)),
        entails(shares, sympy.And(sympy.Eq(part, share), sympy.Eq(rest, others))),
    ]
    for size, row in ((ODD, h + 1), (EVEN, h), (EVEN, h + 1)):
        row_sum = 1 + _powers(1, row - 1) + _powers(1, size - row)
        findings.append(equal(diagonal(size, k, sympy.Integer(0)) * row_sum, 1))
    return all_of(*findings)


@published(
    Source(COUNTING, "Theorem 1", "the proof for M = 5"),
    Source(COUNTING, "eq. (17)"),
    formula=counting.release_matrix,
)
@machine_checked("entries.thirteen_entries_are_linked_for_five_counts")
@proved(argued=())
def thirteen_entries_are_linked_for_five_counts(release: Formula) -> Finding:
    """For M = 5 the highlighted entries of (17) are 13: the five a on the diagonal and the eight b
    with a = k b + δ beside them in neighbouring rows; and b + a = k(c + b) + δ for the first two
    entries of rows 2 and 3 and the last two of rows 4 and 3.
    """
    slack = sympy.Symbol("delta", positive=True)
    found = release(5, k, slack)
    beside = [(i, j) for i in range(5) for j in range(5) if abs(i - j) == 1]
    size = len(beside) + len(found.diagonal())
    links = [equal(found[j, j], k * found[i, j] + slack) for i, j in beside]
    first = equal(sum(found[1, :2]), k * sum(found[2, :2]) + slack)
    last = equal(sum(found[3, 3:]), k * sum(found[2, 3:]) + slack)
    row = equal(sum(found[2, 1:]) + found[2, 0], 1)
    return all_of(*links, first, last, row, equal(size * k, 13 * k))


@published(Source(COUNTING, "Theorem 1", "statement 2, proof"), formula=counting.release_entry)
@machine_checked("entries.tight_constraints_contain_a_diagonal_entry")
@proved(argued=("induction on the columns of an event",))
def tight_constraints_contain_a_diagonal_entry(entry: Formula) -> Finding:
    """'The differential privacy constraints are active only when one of the compared probabilities
    is a diagonal entry': at P*, for δ > 0 and every M, p_a(U) = k p_b(U) + δ for neighbouring rows
    a, b needs a ∈ U. Every column but a has p_aj ≤ k p_bj, so that an event without a spends
    nothing of δ, and column a alone spends all of it.
    """
    top = sympy.Symbol("alpha", positive=True)
    d = sympy.Symbol("d", integer=True, positive=True)
    ratio = 1 + sympy.Symbol("s", nonnegative=True)
    spent, part, slack = sympy.symbols("spent part delta", real=True)
    away = [
        at_most(0, ratio * entry(top, ratio, delta, near) - entry(top, ratio, delta, d))
        for near in (d, d + 1)
    ]
    back = at_most(0, ratio * entry(top, ratio, delta, d) - entry(top, ratio, delta, d + 1))
    own = equal(entry(top, ratio, delta, 0) - ratio * entry(top, ratio, delta, 1), delta)
    return all_of(
        *away,
        back,
        own,
        entails([spent <= 0, part <= 0], spent + part <= 0),
        entails([spent <= 0, slack > 0], sympy.Ne(spent, slack)),
    )


PUSHED: Any = [
    [Q(3, 5), Q(1, 5), Q(1, 5)],
    [Q(3, 10), Q(2, 5), Q(3, 10)],
    [Q(1, 5), Q(1, 5), Q(3, 5)],
]


@published(Source(COUNTING, "Appendix B", "the last step"), defect=Defect.GAP)
@machine_checked("refutations.larger_diagonal_costs_no_end")
@refuted(mechanism=PUSHED, k=Q(2))
def larger_diagonal_costs_an_end(mechanism: Any, k: Q) -> Finding:
    """'In each case, the assumption to the contrary leads to either p_11 < p*_11 or p_MM < p*_MM':
    a private release with an entry p_ii > γ* on the diagonal has a smaller one at an end.
    """
    size = len(mechanism)
    common = counting.diagonal(size, k, Q(0))
    diagonal = [row[i] for i, row in enumerate(mechanism)]
    pairs = [
        (mechanism[a], mechanism[b]) for a in range(size) for b in (a - 1, a + 1) if 0 <= b < size
    ]
    assume(all(p <= k * q for row, other in pairs for p, q in zip(row, other, strict=True)))
    assume(max(diagonal) > common)
    return less(min(diagonal[0], diagonal[-1]), common)


@repairs(larger_diagonal_costs_an_end, rests_on=(diagonal_and_partial_sums_are_forced,))
@machine_checked("entries.larger_diagonal_costs_some_entry")
@proved(argued=())
def larger_diagonal_costs_some_entry() -> Finding:
    """Some entry of the diagonal is smaller: if all were at least γ*, the release would be optimal
    and all of them equal to γ* (`diagonal_and_partial_sums_are_forced`). That suffices.
    """
    own, others, least = sympy.symbols("p q gamma", real=True)
    optimal = sympy.Implies(sympy.And(own >= least, others >= least), sympy.Eq(own, least))
    return entails([optimal, own > least], others < least)
