"""Theorem 1: the least error, the matrix that attains it, and why none is better."""

from provedp.theory import counting
from provedp.theory.privacy import path_delta
from provedp.verify.claims.counting.instances.four_counts import EVEN, ODD, delta, h, k, t
from provedp.verify.claims.counting.instances.matrices import is_stochastic
from provedp.verify.claims.counting.instances.relations import same
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel.optimum import least_error

SIZES = levels(range(2, 25), range(2, 41))
DISTANCES = "around 2h + 1 points 1, …, h occur twice each; around 2h points h occurs once"
RATIOS = (Q(1), Q(11, 10), Q(3, 2), Q(2), Q(3), Q(7))
SLACKS = (Q(0), Q(1, 1000), Q(1, 20), Q(1, 3), Q(1, 2))


def _geometric(n: Any) -> Any:
    """Return k^(−1) + … + k^(−n)."""
    return (1 - k**-n) / t


def _inverse_weights(alpha: Formula) -> tuple[Finding, ...]:
    """Find that 1/α is the sum of k^(−d) around the circle, for every odd and every even size."""
    n = sympy.Symbol("n", integer=True, nonnegative=True)
    return (
        base_case(equal(_geometric(sympy.Integer(0)), 0)),
        equal(_geometric(n + 1) - _geometric(n), k ** -(n + 1)),
        equal(1 / alpha(ODD, k), 1 + 2 * _geometric(h)),
        equal(1 / alpha(EVEN, k), 1 + 2 * _geometric(h - 1) + k**-h),
    )


@published(
    Source(COUNTING, "eq. (8)"), Source(COUNTING, "eq. (9)"), formula=counting.alpha_closed_form
)
@machine_checked("closed_form.closed_form_equals_sum")
@proved(argued=(DISTANCES, "induction on the number of powers that are summed"))
def closed_form_equals_sum(alpha: Formula) -> Finding:
    """The closed form (9) of α_M equals 1 / Σ_j k^(−d_M(1, j)) for every M and k > 1. The distances
    around a circle of 2h + 1 points are 0 and twice each of 1, …, h; around 2h points, h occurs
    once. Their geometric sums follow by induction on the number of terms.
    """
    return all_of(*_inverse_weights(alpha))


@published(
    Source(COUNTING, "eq. (8)"), Source(COUNTING, "eq. (9)"), formula=counting.alpha_closed_form
)
@machine_checked("closed_form.closed_form_equals_sum", "closed_form.alpha_at_one")
@certified(m=SIZES, k=RATIOS)
def closed_form_equals_sum_in_numbers(alpha: Formula, m: int, k: Q) -> Finding:
    """The closed form (9), with 1/M at k = 1, equals the sum that defines α_M, distance by
    distance, for M up to 24 (40 in a full run).
    """
    distances = [rational(counting.cyclic_distance(m, 1, j)) for j in range(1, m + 1)]
    return equal(alpha(m, k), 1 / sum((k ** -int(d) for d in distances), start=Q(0)))


@published(
    Source(COUNTING, "Theorem 1"), Source(COUNTING, "eq. (7)"), formula=counting.cyclic_distance
)
@machine_checked("optimum.distance_changes_by_at_most_one")
@proved(argued=())
def distance_changes_by_at_most_one(distance: Formula) -> Finding:
    """The cyclic distance is 1-Lipschitz, |d(i + 1, j) − d(i, j)| ≤ 1, neighbours are at distance
    1, so are 1 and M, and only equals at distance 0, for all M ≥ 2: facts of linear integer
    arithmetic.
    """
    m, i, j = sympy.symbols("m i j", integer=True)
    inside = [m >= 2, i >= 1, i + 1 <= m, j >= 1, j <= m]
    here, next_row = distance(m, i, j), distance(m, i + 1, j)
    return all_of(
        entails(inside, sympy.And(next_row - here <= 1, here - next_row <= 1)),
        entails(inside, same(distance(m, i, i + 1), sympy.Integer(1))),
        entails([m >= 2], same(distance(m, 1, m), sympy.Integer(1))),
        entails(inside, sympy.Or(sympy.Eq(i, j), here >= 1)),
    )


@published(
    Source(COUNTING, "Theorem 1"),
    Source(COUNTING, "eq. (11)"),
    Source(COUNTING, "eq. (14)"),
    formula=counting.release_entry,
    rests_on=(distance_changes_by_at_most_one,),
)
@machine_checked("optimum.canonical_release_is_private")
@proved(argued=("induction on the columns of an event, each of which adds its part",))
def canonical_release_is_private(entry: Formula) -> Finding:
    """P* is (ln k, δ)-private for every M ≥ 2, k ≥ 1 and δ in [0, 1). For neighbouring rows and a
    column at distance d ≥ 1 from the first, p(d) ≤ k p(d′) whenever d′ is d − 1, d or d + 1 (the
    distance is 1-Lipschitz; p(0) is at least (1 − δ) α, what the kernel alone would give), so these
    columns add nothing to Σ_U (p_j − k p′_j), for any event U; the one column at distance 0 is at
    distance 1 from the neighbour and adds p(0) − k p(1) = δ.
    """
    top = sympy.Symbol("alpha", positive=True)
    d = sympy.Symbol("d", integer=True, positive=True)
    ratio = 1 + sympy.Symbol("s", nonnegative=True)
    slack = sympy.Symbol("delta", nonnegative=True)
    away = [
        at_most(0, ratio * entry(top, ratio, delta, near) - entry(top, ratio, delta, d))
        for near in (d, d + 1)
    ]
    back = at_most(0, ratio * entry(top, ratio, delta, d) - entry(top, ratio, delta, d + 1))
    below_diagonal = at_most(0, entry(top, ratio, slack, 0) - entry(top, ratio, 0, 0) * (1 - slack))
    at_zero = entry(top, ratio, delta, 0) - ratio * entry(top, ratio, delta, 1)
    spent, part, limit = sympy.symbols("spent part limit", real=True)
    column = entails([spent <= limit, part <= 0], spent + part <= limit)
    return all_of(*away, back, below_diagonal, equal(at_zero, delta), column)


@published(
    Source(COUNTING, "Theorem 1"), Source(COUNTING, "eq. (11)"), formula=counting.release_matrix
)
@machine_checked("optimum.canonical_release_attains_the_error")
@certified(m=levels(range(2, 16), range(2, 41)), k=RATIOS, delta=SLACKS)
def canonical_release_attains_the_error(release: Formula, m: int, k: Q, delta: Q) -> Finding:
    """P* is row-stochastic, its least δ at ln k is exactly δ (0 for k = 1, δ = 0 included), and its
    worst-case error is p_e*.
    """
    found = release(m, k, delta)
    stochastic = all_of(equal(len(found), m), is_stochastic(found))
    if not stochastic.holds:
        return stochastic
    return all_of(
        stochastic,
        equal(path_delta(found, k), delta),
        equal(counting.worst_case_error(found), counting.error(m, k, delta)),
    )


@published(
    Source(COUNTING, "Theorem 1"),
    Source(COUNTING, "eq. (10)"),
    formula=counting.error,
    rests_on=(closed_form_equals_sum,),
)
@machine_checked("optimum.error_is_optimal", "optimum.theorem_1")
@proved(
    argued=(
        "weak duality: a sum of constraints with weights of the right signs bounds the objective",
        "below row r everything is the mirror image",
    )
)
def error_is_optimal(error: Formula) -> Finding:
    """No consistent (ln k, δ)-private release of a count in {1, …, M} errs with probability below
    (1 − δ)(1 − α_M), for every M ≥ 2, k ≥ 1 and δ in [0, 1) (at k = 1 the weights are all 1/M).

    Certificate: let r be a middle row and w_i = α k^(−|i − r|). Put the multiplier w_i on
    x ≤ p_ii; w_i, for i < r, on p_i(U) ≤ k p_(i+1)(U) + δ with U = {1, …, i}, and for i > r on the
    mirror image; α on the sum of row r. Then the multipliers of the x's sum to one, every p_ij
    cancels, because k w_(i−1) = w_i on the way to the middle, and what is left of the objective is
    α + δ(1 − α).
    """
    i, r = sympy.symbols("i r", integer=True)
    n = sympy.Symbol("n", integer=True, positive=True)
    top = sympy.Symbol("alpha", positive=True)
    above = [top * k ** -(r - row) for row in (i - 1, i)]  # rows i − 1 and i at or above row r
    value = [1 - error(size, k, delta) for size in (ODD, EVEN)]
    weight = [counting.alpha_closed_form(size, k) for size in (ODD, EVEN)]
    total = [1 + 2 * _geometric(h), 1 + 2 * _geometric(h - 1) + k**-h]
    return all_of(
        *_inverse_weights(counting.alpha_closed_form),
        equal(weight[0] * total[0], 1),
        equal(weight[1] * total[1], 1),
        equal(above[1], k * above[0]),
        equal(above[1].subs(i, r), top),
        *(equal(v, a + delta * (1 - a)) for v, a in zip(value, weight, strict=True)),
        equal(1 - error(n, sympy.Integer(1), delta), 1 / n + delta * (1 - 1 / n)),
    )


@published(Source(COUNTING, "Theorem 1"), Source(COUNTING, "eq. (10)"), formula=counting.error)
@certified(m=levels(range(2, 31), range(2, 101)), k=RATIOS, delta=SLACKS)
def error_is_certified_in_numbers(error: Formula, m: int, k: Q, delta: Q) -> Finding:
    """An exactly feasible primal point (P*) and an exactly feasible dual point of (6) both have
    the value p_e*, for M up to 30 (100 in a full run).
    """
    best = least_error(m, k, delta)
    return equal(error(m, k, delta), best.lower, best.upper)


@published(
    Source(COUNTING, "Theorem 1"), Source(COUNTING, "eq. (11)"), formula=counting.release_matrix
)
@machine_checked("entries.canonical_release_is_a_mixture")
@certified(m=range(2, 12), k=RATIOS, delta=SLACKS)
def canonical_release_is_a_mixture(release: Formula, m: int, k: Q, delta: Q) -> Finding:
    """P* reveals the count with probability δ and is the pure-DP optimum with probability 1 − δ:
    entry by entry, for M up to 11.
    """
    pure, found = counting.release_matrix(m, k, Q(0)), release(m, k, delta)
    square = equal(len(found), m)
    if not square.holds:
        return square
    mixture = [
        [(1 - delta) * pure[i, j] + (delta if i == j else 0) for j in range(m)] for i in range(m)
    ]
    return all_of(square, equal(found, mixture))


@published(Source(COUNTING, "Corollary 1.1"), formula=counting.error)
@machine_checked("closed_form.error_increases_with_size")
@proved(argued=())
def error_increases_with_size(error: Formula) -> Finding:
    """p_e* increases strictly with M, for every k ≥ 1 and δ < 1: from 2h to 2h + 1 counts 1/α_M
    grows by k^(−h), and from 2h + 1 to 2h + 2 by k^(−h−1); at k = 1 it grows by 1 each time. A
    larger 1/α_M = W makes (1 − δ)(1 − 1/W) larger.
    """
    n = sympy.Symbol("n", integer=True, positive=True)
    w, more, slack = sympy.symbols("W V delta", real=True)
    inverse = {
        size: (1 - delta) / ((1 - delta) - error(size, k, delta)) for size in (EVEN, ODD, EVEN + 2)
    }
    at_one = [error(size, sympy.Integer(1), delta) for size in (n, n + 1)]
    return all_of(
        equal(inverse[ODD] - inverse[EVEN], k**-h),
        equal(inverse[EVEN + 2] - inverse[ODD], k ** (-h - 1)),
        less(0, k**-h),
        less(*at_one),
        entails(
            [w > 0, more > w, slack < 1], (1 - slack) * (1 - 1 / w) < (1 - slack) * (1 - 1 / more)
        ),
    )


@published(
    Source(COUNTING, "Corollary 1.1"), formula=counting.error, rests_on=(closed_form_equals_sum,)
)
@machine_checked("closed_form.error_decreases_with_epsilon_and_delta")
@proved(
    argued=(
        "a sum of powers falls with k if each of them does, from k = 1 on by continuity",
        "W is such a sum",
    )
)
def error_decreases_with_epsilon_and_delta_at_every_size(error: Formula) -> Finding:
    """For every M ≥ 2 and δ < 1, p_e* = (1 − δ)(1 − 1/W) with W the sum of k^(−d) around the
    circle. A larger k makes every term with d ≥ 1 smaller, so W and p_e*; a larger δ makes 1 − δ
    smaller, and 1 − 1/W > 0.
    """
    n = sympy.Symbol("n", integer=True, positive=True)
    w, v, slack, more = sympy.symbols("W V delta more", real=True)
    forms = [
        equal(error(size, k, delta), (1 - delta) * (1 - counting.alpha_closed_form(size, k)))
        for size in (ODD, EVEN)
    ]
    return all_of(
        *_inverse_weights(counting.alpha_closed_form),
        *forms,
        less(sympy.diff(k**-n, t), 0),
        entails([w > v, v > 1, slack < 1], (1 - slack) * (1 - 1 / v) < (1 - slack) * (1 - 1 / w)),
        entails(
            [w > 1, slack < more, more < 1], (1 - more) * (1 - 1 / w) < (1 - slack) * (1 - 1 / w)
        ),
    )


@published(Source(COUNTING, "Corollary 1.1"), formula=counting.error)
@certified(m=range(2, 20), k=RATIOS, delta=SLACKS)
def error_decreases_with_epsilon_and_delta(error: Formula, m: int, k: Q, delta: Q) -> Finding:
    """p_e* = (1 − δ)(1 − α_M), α_M summed, decreases strictly with ε and with δ, for fixed M, and
    stays in (0, 1).
    """
    here = error(m, k, delta)
    return all_of(
        less(error(m, k + Q(1, 100), delta), here),
        less(error(m, k, delta + Q(1, 100)), here),
        less(0, here),
        equal(here, (1 - delta) * (1 - counting.alpha(m, k))),
        equal(error(m, Q(1), Q(0)), Q(m - 1, m)),
    )


@published(Source(COUNTING, "Corollary 1.1"), formula=counting.error_limit)
@machine_checked("closed_form.error_limit_for_many_counts", "closed_form.error_tends_to_its_limit")
@proved(argued=("x = k^(−h) tends to 0 with growing h for k > 1",))
def error_limit_for_many_counts(limit: Formula) -> Finding:
    """p_e* tends to 2(1 − δ)/(1 + k) as M grows: with x = k^(−h), which vanishes, 1/α is
    (k + 1 − 2x)/(k − 1) for odd M and (k + 1 − (k + 1)x)/(k − 1) for even M; and at k = 1, where
    p_e* is (1 − δ)(1 − 1/M), to 1 − δ.
    """
    x, n = sympy.Symbol("x", positive=True), sympy.Symbol("n", integer=True, positive=True)
    at_one = counting.error(n, sympy.Integer(1), delta)
    findings = [equal(limit(sympy.Integer(1), delta), sympy.limit(symbol(at_one), n, sympy.oo))]
    for size in (ODD, EVEN):
        inverse = sympy.expand(sympy.simplify(t / counting.alpha_closed_form(size, k)))
        in_x = sympy.simplify(inverse.subs(k**-h, x).subs(k**h, 1 / x))
        beyond = sympy.limit(1 - t / in_x, x, 0, "+")
        findings.append(equal(limit(k, delta), (1 - delta) * beyond))
    return all_of(*findings)


@published(Source(COUNTING, "Corollary 1.1"), formula=counting.error)
@proved(argued=("a product of a function of δ and one of ε has the product of their limits",))
def error_limit_for_no_leakage(error: Formula) -> Finding:
    """p_e* tends to (M − 1)/M as ε and δ tend to 0, for every M: it is (1 − δ)(1 − α_M(ε)), and the
    limit of the second factor for ε → 0 from above is 1 − 1/M, its value at ε = 0.
    """
    n = sympy.Symbol("n", integer=True, positive=True)
    at_one = error(n, sympy.Integer(1), delta)
    findings = [equal(at_one, (1 - delta) * (1 - 1 / n))]
    for size in (ODD, EVEN):
        pure = error(size, k, sympy.Integer(0))
        findings += [
            equal(error(size, k, delta), (1 - delta) * pure),
            equal(pure, 1 - counting.alpha_closed_form(size, k)),
            equal(sympy.limit(pure, t, 0, "+"), (size - 1) / size),
        ]
    return all_of(*findings)
