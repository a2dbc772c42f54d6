"""Theorem 1, statements 1 to 3: definiteness, uniqueness and what all optimal releases share."""

from provedp.theory import counting
from provedp.verify.claims.counting.instances.four_counts import EVEN, ODD, h
from provedp.verify.claims.counting.instances.matrices import is_optimal
from provedp.verify.claims.counting.kernel import (
    even_kernel_is_positive_definite,
    odd_kernel_is_positive_definite,
)
from provedp.verify.claims.counting.optimum import error_is_optimal
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel import optimal_set

RATIOS = (Q(1), Q(11, 10), Q(3, 2), Q(3))
SLACKS = (Q(0), Q(1, 20), Q(1, 2))


def _leading_minors(values: Matrix) -> list[Any]:
    return [fmpq_matrix(values[:n, :n]).det() for n in range(1, len(values) + 1)]


@published(Source(COUNTING, "Theorem 1", "statement 1"), formula=counting.release_matrix)
@certified(m=levels(range(2, 10), range(2, 25)), k=RATIOS, delta=SLACKS)
def canonical_release_is_positive_definite(release: Formula, m: int, k: Q, delta: Q) -> Finding:
    """P* is positive definite unless ε = δ = 0: it is symmetric with positive leading minors, the
    last of which is the product of δ + (1 − δ) α λ_j over the eigenvalues λ_j of the kernel; for M
    up to 9 (24 in a full run).
    """
    assume(k > 1 or delta > 0)
    found = release(m, k, delta)
    return all_of(
        equal(found, found.T), less(0, _leading_minors(found)), _determinant(found, m, k, delta)
    )


def _determinant(found: Matrix, m: int, k: Q, delta: Q) -> Finding:
    """Find that the determinant is the product of the shifted eigenvalues, over rationals.

    The circulant's eigenvalues are sums of its first row with roots of unity; their product is the
    resultant of the row's polynomial and x^m − 1.
    """
    x = sympy.Symbol("x")
    row = sum(
        sympy.Rational(str(counting.release_entry(counting.alpha(m, k), k, delta, min(r, m - r))))
        * x**r
        for r in range(m)
    )
    product = sympy.resultant(sympy.Poly(x**m - 1, x), sympy.Poly(row, x))
    return equal(fmpq_matrix(found).det(), rational(product))


@published(
    Source(COUNTING, "Theorem 1", "statement 1"),
    formula=counting.release_entry,
    rests_on=(odd_kernel_is_positive_definite, even_kernel_is_positive_definite),
)
@proved(
    argued=(
        "a I + b Z has the eigenvalues a + b λ, λ those of Z",
        "the kernel is J at ε = 0, with the eigenvalues M and 0",
    )
)
def canonical_release_is_positive_definite_at_every_size(entry: Formula) -> Finding:
    """P* is (1 − δ) α [q^d] + δ I, entry by entry, so its eigenvalues are (1 − δ) α λ + δ with λ
    those of the kernel. For ε > 0 they are positive because λ > 0 (Lemma 1) and δ < 1, δ = 0
    included; for ε = 0, where λ is M or 0, because δ > 0; and at ε = δ = 0 they are at least 0.
    """
    k = sympy.Symbol("k", positive=True)
    top, slack, value = sympy.symbols("alpha delta lambda", real=True)
    d = sympy.Symbol("d", integer=True, positive=True)
    shifted = (1 - slack) * top * value + slack
    inside = [slack >= 0, slack < 1, top > 0]
    return all_of(
        equal(entry(top, k, slack, d), (1 - slack) * top * k**-d),
        equal(entry(top, k, slack, 0), (1 - slack) * top + slack),
        entails([*inside, value > 0], shifted > 0),
        entails([*inside, slack > 0, value >= 0], shifted > 0),
        entails([*inside, value >= 0], shifted >= 0),
    )


@published(
    Source(COUNTING, "Theorem 1", "statement 1"),
    formula=counting.release_matrix,
)
@certified(m=range(2, 25))
def canonical_release_is_semidefinite_without_leakage(release: Formula, m: int) -> Finding:
    """At ε = δ = 0, P* is J/M: positive semidefinite, of rank one; for M up to 24."""
    found = release(m, Q(1), Q(0))
    return all_of(equal(found, Q(1, m)), equal(fmpq_matrix(found).rank(), 1))


@published(Source(COUNTING, "Theorem 1", "statement 2"), formula=counting.diagonal)
@machine_checked("structure.optimum_for_two_counts_is_unique")
@proved(argued=())
def optimum_for_two_counts_is_unique(diagonal: Formula) -> Finding:
    """For M = 2 no other release is optimal: a private [[a, 1 − a], [1 − b, b]] with a and b at
    least γ* has a = b = γ* = k(1 − γ*) + δ, for all k ≥ 1 and δ in [0, 1).
    """
    a, b, k, delta = sympy.symbols("a b k delta", real=True)
    least = diagonal(2, k, delta)
    private = [a <= k * (1 - b) + delta, b <= k * (1 - a) + delta]
    inside = [k > 1, delta >= 0, delta < 1, a >= least, b >= least]
    at_one = [a <= 1 - b + delta, delta >= 0, delta < 1, a >= (1 + delta) / 2, b >= (1 + delta) / 2]
    tight = equal(k * (1 - least) + delta, least)
    if not tight.holds:
        return tight
    return all_of(
        tight,
        entails([*inside, *private], sympy.And(sympy.Eq(a, least), sympy.Eq(b, least))),
        entails(at_one, sympy.And(sympy.Eq(a, b), sympy.Eq(a, (1 + delta) / 2))),
        equal(diagonal(2, sympy.Integer(1), delta), (1 + delta) / 2),
    )


@published(Source(COUNTING, "Theorem 1", "statement 2"))
@machine_checked("structure.optimum_without_leakage_is_unique")
@proved(argued=("induction on the number of entries that are summed",))
def optimum_without_leakage_is_unique() -> Finding:
    """At ε = δ = 0, for every M, all rows of a private release are one distribution p: the event
    {j} gives p_j ≤ q_j both ways for neighbouring rows. If every p_i ≥ 1/M then p is uniform: n
    entries sum to n/M at least, one more to (n + 1)/M, and an entry beside M − 1 others is 1/M.
    """
    p, q, rest = sympy.symbols("p q S", real=True)
    m, n = sympy.symbols("m n", real=True)
    large = [m >= 2, p >= 1 / m]
    return all_of(
        entails([p <= q, q <= p], sympy.Eq(p, q)),
        entails([*large, n >= 0, rest >= n / m], rest + p >= (n + 1) / m),
        entails([*large, rest >= (m - 1) / m, sympy.Eq(p + rest, 1)], sympy.Eq(p, 1 / m)),
    )


@published(Source(COUNTING, "Theorem 1", "statement 2"), formula=counting.release_matrix)
@machine_checked("several.there_are_infinitely_many_optima")
@certified(
    m=levels(range(3, 12), range(3, 41)),
    k=(Q(1), Q(11, 10), Q(3)),
    delta=(Q(0), Q(1, 20), Q(1, 2)),
)
def optimum_is_not_unique(release: Formula, m: int, k: Q, delta: Q) -> Finding:
    """For M ≥ 3 and (ε, δ) ≠ (0, 0) there are infinitely many optimal releases: moving ζ = 10⁻⁶
    from the last to the second entry of the first row of P* keeps it private and optimal, and so
    does moving any smaller amount, since mixtures of optimal releases are; for M up to 11 (40 in a
    full run).
    """
    assume(k > 1 or delta > 0)
    moved = release(m, k, delta).copy()
    shift = Q(1, 10**6)
    moved[0, 1] += shift
    moved[0, m - 1] -= shift
    optimal = is_optimal(moved, k, delta)
    if not optimal.holds:
        return optimal
    return all_of(
        optimal,
        less(counting.release_matrix(m, k, delta)[0, 1], moved[0, 1]),
    )


@published(Source(COUNTING, "Theorem 1", "statement 2"))
@machine_checked("several.there_are_infinitely_many_optima")
@proved(
    argued=(
        "the least δ of two neighbouring rows is the sum of the positive parts",
        "p_1M is a/k: the distance of 1 and M is 1",
    )
)
def perturbed_release_is_optimal_at_every_size() -> Finding:
    """For every M ≥ 3 and (ε, δ) ≠ (0, 0) moving a small ζ from p_1M to p_12 keeps P* private.
    Rows 1 and 2 differ from P* in two columns alone. With a = (1 − δ) α: against row 2, row 1
    spends its δ in column 1, and neither changed column adds to it; against row 1, row 2 gains at
    most what it loses in column 2. (p_2M is a/k² for M ≥ 4 and a/k for M = 3.) The diagonal is
    untouched.
    """
    a, k, slack, zeta = sympy.symbols("a k delta zeta", real=True)
    inside = [a > 0, k >= 1, slack >= 0, slack < 1, zeta > 0, k * zeta <= a]
    small = sympy.Or(zeta * k**2 <= a * (k - 1), k * zeta <= slack)
    findings = []
    for far in (a / k, a / k**2):
        down = sympy.And(a / k + zeta <= k * (a + slack), a / k - zeta <= k * far)
        gains = (a + slack - k * (a / k + zeta), far - k * (a / k - zeta))
        up = sympy.Max(gains[0], 0) + sympy.Max(gains[1], 0) <= slack
        findings.append(entails([*inside, small], sympy.And(down, up)))
    return all_of(*findings)


LISTED = (frozenset({2}), frozenset({1, 2}))


def _tight_events_against(m: int, k: Q, delta: Q) -> set[frozenset[int]]:
    """Return the two-element events with p_2(U) = k p_1(U) + δ at P*, and {2}."""
    found = counting.release_matrix(m, k, delta)
    events = [frozenset({2})] + [frozenset({2, j}) for j in range(1, m + 1) if j != 2]
    return {
        event
        for event in events
        if sum(found[1, j - 1] - k * found[0, j - 1] for j in event) == delta
    }


@published(Source(COUNTING, "Theorem 1", "statement 2, proof"), defect=Defect.GAP)
@refuted(m=4, k=Q(2), delta=Q(1, 10))
def perturbation_proof_checks_every_tight_event(m: int, k: Q, delta: Q) -> Finding:
    """'It suffices to verify the constraints of U = {2}, {1, 2}, {1, M}': every event at which the
    constraint of row 2 against row 1 is tight at P*, and whose probability the perturbation
    changes, is in the list ({2, M} is unchanged).
    """
    assume(m >= 3, k > 1, delta > 0)
    touched = {event for event in _tight_events_against(m, k, delta) if m not in event}
    return holds(touched <= set(LISTED), "the listed events are all that it touches")


@repairs(perturbation_proof_checks_every_tight_event)
@certified(
    cases=[
        dict(m=m, k=k, delta=delta)
        for m in range(3, 13)
        for k in (Q(11, 10), Q(2))
        for delta in (Q(1, 20), Q(1, 10))
    ]
)
def perturbation_loosens_every_tight_event(m: int, k: Q, delta: Q) -> Finding:
    """Every tight event of row 2 against row 1 that the perturbation touches contains 2, whose
    probability under row 1 grows, so its constraint loosens; and no tight event of row 1 against
    row 2 contains 2. The conclusion of statement 2 stands.
    """
    found = counting.release_matrix(m, k, delta)
    gain = [found[0, j] - k * found[1, j] for j in range(m)]
    tight = _tight_events_against(m, k, delta)
    return all_of(
        holds(all(2 in event for event in tight), "2 is in every tight event"),
        at_most(1, len(tight)),
        less(gain[1], 0),
        equal(sum((part for part in gain if part > 0), start=Q(0)), delta),
    )


@published(
    Source(COUNTING, "Theorem 1", "statement 3"),
    Source(COUNTING, "eq. (12)"),
    formula=counting.forced_entries,
)
@certified(m=levels(range(3, 6), range(3, 7)), k=(Q(11, 10), Q(3)))
def entries_between_diagonal_and_middle_are_forced(forced: Formula, m: int, k: Q) -> Finding:
    """At δ = 0 and ε > 0 all optimal releases share the entries between the diagonal and the middle
    row or rows, and no other: exact linear programs over the optimal set give the least and the
    largest value of every entry, for M = 3, 4, 5 (6 in a full run; Figure 1 shows 4 and 5).
    """
    return same_set(frozenset(forced(m)), frozenset(optimal_set.forced(m, k, Q(0))))


@published(
    Source(COUNTING, "Theorem 1", "statement 3, the count of shared entries"),
    formula=counting.forced_count,
)
@certified(m=range(2, 60))
def shared_entries_are_counted(count: Formula, m: int) -> Finding:
    """The entries of (12) are (2M² + 10M − 1 + (2M + 1)(−1)^M)/8 in number: counted one by one."""
    return equal(count(m), len(counting.forced_entries(m)))


@published(
    Source(COUNTING, "Theorem 1", "statement 3, the count of shared entries"),
    formula=counting.forced_count,
)
@machine_checked("entries.shared_entries_are_counted")
@proved(argued=("the symmetric half: column M + 1 − j has as many entries as column j",))
def shared_entries_are_counted_at_every_size(count: Formula) -> Finding:
    """For M = 2h, (12) gives column j ≤ h the rows j, …, h + 1, and the other half as many; for
    M = 2h + 1 the rows j, …, h + 1 in column j ≤ h, one in column h + 1, and the other half as
    many: the sums are the printed polynomial for every h.
    """
    j = sympy.Symbol("j", integer=True, positive=True)
    half = sympy.summation(h + 1 - j + 1, (j, 1, h))
    return all_of(equal(count(EVEN), 2 * half), equal(count(ODD), 2 * half + 1))


@published(Source(COUNTING, "Theorem 1", "statement 3"), formula=counting.diagonal)
@machine_checked("structure.diagonal_and_partial_sums_are_forced")
@certified(m=levels(range(3, 5), range(3, 6)), k=(Q(1), Q(3, 2)), delta=(Q(1, 20), Q(1, 2)))
def diagonal_is_forced(diagonal: Formula, m: int, k: Q, delta: Q) -> Finding:
    """For δ > 0 all optimal releases have the diagonal of P*: over {P private, p_jj ≥ γ*}, the
    least and the largest value of every p_ii are γ*; for M = 3, 4 (5 in a full run).
    """
    ranges = [optimal_set.entry_range(m, k, delta, i, i) for i in range(1, m + 1)]
    return equal([list(ends) for ends in ranges], [[diagonal(m, k, delta)] * 2] * m)


@ours(Source(COUNTING, "Theorem 1", "statement 3"), rests_on=(error_is_optimal,))
@machine_checked("structure.optimal_diagonals_are_tight")
@proved(argued=("complementary slack in the linear program (6)",))
def optimal_diagonals_are_tight() -> Finding:
    """All weights α k^(−|i − r|) of the dual certificate are positive, so by complementary slack
    every optimal release, for all M, k ≥ 1 and δ, has p_ii = γ* and every listed privacy
    constraint tight.
    """
    distance = sympy.Symbol("d", integer=True, nonnegative=True)
    top = sympy.Symbol("alpha", positive=True)
    ratio = 1 + sympy.Symbol("s", nonnegative=True)
    return less(0, top * ratio**-distance)


@ours(Source(COUNTING, "Theorem 1", "statement 3"))
@certified(m=levels(range(3, 5), range(3, 6)), k=(Q(11, 10), Q(3)), delta=(Q(1, 20), Q(1, 10)))
def forced_entries_under_approximate_privacy(m: int, k: Q, delta: Q) -> Finding:
    """For ε, δ > 0 and M = 3, 4 (5 in a full run) exactly M + 2 single entries are forced: the
    diagonal, (2, 1) and (M − 1, M).
    """
    expected = {(i, i) for i in range(1, m + 1)} | {(2, 1), (m - 1, m)}
    return same_set(frozenset(optimal_set.forced(m, k, delta)), frozenset(expected))


@published(
    Source(COUNTING, "Theorem 1", "statement 3"),
    Source(COUNTING, "eq. (13)"),
    formula=counting.release_matrix,
)
@machine_checked("structure.all_partial_sums_are_forced")
@certified(m=levels(range(3, 5), range(3, 6)), k=(Q(1), Q(3, 2)), delta=(Q(0), Q(1, 20)))
def partial_sums_are_forced(release: Formula, m: int, k: Q, delta: Q) -> Finding:
    """For every optimal release the sums p_i1 + … + p_ii (i ≤ ⌈(M+1)/2⌉) and p_ii + … + p_iM
    (i ≥ ⌈(M+1)/2⌉) are those of P*. (They are for every i, since p_ii is forced and rows sum to
    one.) By exact programs for M = 3, 4 (5 in a full run).
    """
    assume(k > 1 or delta > 0)
    canonical = release(m, k, delta)
    findings = []
    for i in range(1, m + 1):
        expected = sum(canonical[i - 1, :i], start=Q(0))
        findings.append(equal(list(optimal_set.prefix_range(m, k, delta, i)), [expected, expected]))
    return all_of(*findings)
