"""Proposition 2 and Appendix C: the optimal law of the class weights for a given budget."""

import itertools

from provedp.theory import mixture
from provedp.verify.claims.mixture.instances.two_data_sets import (
    THREE_CLASSES,
    TWO_CLASSES,
    both_runs,
)
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.mixture.weight_programs import reduced_weight_optimum

COSTS = [
    [Q(4)],
    [Q(2), Q(1)],
    [Q(3), Q(1), Q(2)],
    [Q(1), Q(1), Q(0), Q(1)],
    [Q(0), Q(0), Q(0)],
    [Q(5), Q(-1), Q(7, 2), Q(1, 3), Q(-1)],
]
LONG = [*COSTS, [Q(n * n % 7) for n in range(7)]]
RATIOS = (Q(1), Q(11, 10), Q(2), Q(7))

k, f = sympy.symbols("k f", positive=True)
s = sympy.Symbol("s", integer=True, positive=True)


def _dearest_first(costs: Matrix, k: Any) -> Matrix:
    column: Matrix = mixture.weight_column(matrix([[-cost for cost in costs]])[0], k)
    return column


@published(
    Source(MIXTURE, "Proposition 2"),
    Source(MIXTURE, "eq. (26)"),
    Source(MIXTURE, "eq. (28)"),
    formula=mixture.weight_column,
    mutants=(_dearest_first,),
)
@certified(costs=levels(COSTS, LONG), ratio=RATIOS)
def column_is_the_optimum_of_the_program(column: Formula, costs: list[Q], ratio: Q) -> Finding:
    """The column (28) attains the optimum of (26) over all reduced matrices at a fixed ε₀: exact
    primal and dual points of the whole program have its objective. Ties and an empty S′ included.
    """
    found = column(costs, ratio)
    value = sum((g * p for g, p in zip(costs, found, strict=True)), start=Q(0))
    return all_of(equal(value, reduced_weight_optimum(costs, ratio)), equal(sum(found), Q(1)))


@published(
    Source(MIXTURE, "Proposition 2"), Source(MIXTURE, "eq. (29)"), formula=mixture.other_columns
)
@certified(costs=[c for c in COSTS if len(c) > 1], ratio=RATIOS)
def completion_meets_the_constraints(others: Formula, costs: list[Q], ratio: Q) -> Finding:
    """With (29) for the other columns every row and column of F′ sums to one, no entry is negative,
    and all columns, the other ones among themselves too, are within a factor e^{ε₀}.
    """
    column = mixture.weight_column(matrix([costs])[0], ratio)
    rest = others(column)
    size = len(costs) - 1
    return all_of(
        equal(list(column + size * rest), [Q(1)] * len(costs)),
        equal(sum(rest), Q(1)),
        at_most(Q(0), list(rest)),
        at_most(list(rest), list(ratio * column)),
        at_most(list(column), list(ratio * rest)),
    )


@published(
    Source(MIXTURE, "Proposition 2"),
    Source(MIXTURE, "eq. (29)"),
    Source(MIXTURE, "Appendix C", "first part"),
    formula=mixture.column_lower,
)
@machine_checked("releases.bounds_of_the_column_are_those_of_the_matrix")
@proved(
    argued=(
        "a sum of s entries, each between F/k and kF, is between sF/k and skF, and can be any such",
    )
)
def bounds_of_the_column_are_those_of_the_matrix(lower: Formula) -> Finding:
    """For every s = |S′| ≥ 1 and k = e^{ε₀} ≥ 1. Summing F_{ij} between F_{ij*}/k and k F_{ij*}
    over the s other columns gives 1 − F_{ij*}, hence the bounds 1/(1 + s k) and 1/(1 + s/k); and
    under them (1 − F)/s is within a factor k of F, so (29) completes any such column. Its columns
    sum to (s + 1 − 1)/s = 1.
    """
    low, high = lower(s, k), mixture.column_upper(s, k)
    rest, total = (1 - f) / s, sympy.Symbol("total")
    size = sympy.Symbol("s", positive=True)  # as a real, which z3 decides
    summed = sympy.And(size * f / k <= 1 - f, 1 - f <= size * k * f)
    inside = sympy.And(f >= 1 / (1 + size * k), f <= k / (k + size))
    return all_of(
        equal(low, 1 / (1 + s * k)),
        equal(high, k / (k + s)),
        entails([k >= 1, size >= 1, summed], inside),
        entails([k >= 1, size >= 1, inside], summed),
        base_case(equal(((s + 1 - total) / s).subs(total, 1), 1)),
        equal(s * rest, 1 - f),
    )


@published(
    Source(MIXTURE, "Proposition 2"),
    Source(MIXTURE, "eq. (28)"),
    Source(MIXTURE, "Appendix C", "second part"),
    formula=mixture.filled_column,
)
@certified(neighbours=levels(range(0, 9), range(0, 31)), ratio=RATIOS)
def filling_uses_up_the_mass(filled: Formula, neighbours: int, ratio: Q) -> Finding:
    """(28) is a distribution within its bounds: ⌊(s + k)/(k + 1)⌋ entries at the upper end (all of
    them at k = 1), then at most one in between, then the lower end.
    """
    found = filled(neighbours, ratio)
    low = mixture.column_lower(neighbours, ratio)
    high = mixture.column_upper(neighbours, ratio)
    full = (neighbours + ratio) // (ratio + 1) if ratio > 1 and neighbours else neighbours + 1
    between = [entry for entry in found if low < entry < high]
    return all_of(
        equal(sum(found), Q(1)),
        at_most(low, list(found)),
        at_most(list(found), high),
        at_most(list(found[1:]), list(found[:-1])) if neighbours else equal(list(found), [Q(1)]),
        at_most(len(between), 1),
        equal(sum(entry == high for entry in found), int(full)),
    )


@published(
    Source(MIXTURE, "Proposition 2"),
    Source(MIXTURE, "eq. (28)"),
    Source(MIXTURE, "Appendix C", "second part"),
)
@machine_checked("releases.cheap_outputs_are_filled_first")
@proved(argued=("an optimum exists, and the only column without such a pair is (28), up to ties",))
def cheap_outputs_are_filled_first() -> Finding:
    """If g_a < g_b, moving a mass t > 0 from b to a changes the objective by t(g_a − g_b) < 0; with
    F_a below its upper and F_b above its lower end a small t keeps the bounds. So an optimal column
    has no such pair, and that is (28), up to ties, between which mass moves at no cost.
    """
    a, b, t, p, q, low, high = sympy.symbols("g_a g_b t p q L U", real=True)
    before, after = a * p + b * q, a * (p + t) + b * (q - t)
    room = [p < high, q > low, t > 0, t <= high - p, t <= q - low]
    return all_of(
        equal(after - before, t * (a - b)),
        entails([a < b, *room], after < before),
        entails(room, sympy.And(p + t <= high, q - t >= low)),
        equal((after - before).subs(b, a), sympy.Integer(0)),
    )


@published(
    Source(MIXTURE, "Proposition 2"),
    Source(MIXTURE, "eq. (27)"),
    Source(MIXTURE, "Appendix C", "last part"),
    formula=mixture.column_upper,
    survivors={"plus 1e-4; minus 1e-4": "only the slopes are compared"},
    rests_on=(bounds_of_the_column_are_those_of_the_matrix,),
)
@machine_checked("releases.larger_budget_for_weights_is_never_worse")
@proved(
    argued=(
        "ends whose derivatives are signed are monotone, and a minimum over more is not larger",
    )
)
def larger_budget_for_weights_is_never_worse(upper: Formula) -> Finding:
    """As ε₀ grows the lower end 1/(1 + s k) falls and the upper end k/(k + s) rises, for every s ≥
    1, so the columns that (26) allows become more and its optimum does not rise: the largest ε₀
    that (26) allows, (27), is optimal in it.
    """
    low, high = symbol(mixture.column_lower(s, k)), upper(s, k)
    return all_of(
        equal(sympy.diff(high, k), s / (k + s) ** 2),
        equal(sympy.diff(low, k), -s / (1 + s * k) ** 2),
        less(0, s / (k + s) ** 2),
        less(-s / (1 + s * k) ** 2, 0),
    )


@published(Source(MIXTURE, "Proposition 2", "ε₀ = 0 and S′ empty"), formula=mixture.weight_column)
@certified(costs=LONG)
def columns_at_the_ends(column: Formula, costs: list[Q]) -> Finding:
    """At ε₀ = 0 every entry is 1/(|S′| + 1), whatever the costs; without neighbours the entry is
    1 at every ε₀.
    """
    share = Q(1, len(costs))
    return all_of(
        equal(list(column(costs, Q(1))), [share] * len(costs)),
        equal(list(column(costs[:1], Q(5))), [Q(1)]),
    )


@ours(Source(None, "the reduced matrix without balanced rows"), formula=reduced_weight_optimum)
@certified(costs=COSTS, ratio=RATIOS)
def without_balanced_rows_the_weights_are_free(
    optimum: Formula, costs: list[Q], ratio: Q
) -> Finding:
    """Row sums of one are all that keeps (26) from a trivial answer: without them the optimum is
    min g at every ε₀, even 0, by sending every input to one cheapest output.
    """
    return equal(optimum(costs, ratio, balanced=False), min(costs))


@ours(Source(None, "a matrix for all pairs of neighbours"), formula=mixture.other_columns)
@certified(costs=[c for c in COSTS if len(c) > 2], ratio=RATIOS)
def all_pairs_cost_nothing(others: Formula, costs: list[Q], ratio: Q) -> Finding:
    """(19) compares columns with that of π(D) alone, but bounds between all pairs of columns would
    not change the optimum: (29) makes the other columns equal to each other.
    """
    column = mixture.weight_column(matrix([costs])[0], ratio)
    size = len(costs)
    rest = others(column)
    table = matrix([list(column), *([list(rest)] * (size - 1))]).T
    pairs = itertools.product(range(size), repeat=2)
    value = sum((g * p for g, p in zip(costs, table[:, 0], strict=True)), start=Q(0))
    return all_of(
        equal(list(table.sum(axis=1)), [Q(1)] * size),
        equal(value, reduced_weight_optimum(costs, ratio)),
        *(at_most(list(table[:, a]), list(ratio * table[:, b])) for a, b in pairs),
    )


@ours(Source(None, "where the optimal column puts the true histogram"))
@certified(cases=[dict(points=THREE_CLASSES, share=Q(1, 13)), dict(points=TWO_CLASSES, share=None)])
def true_weights_may_be_least_likely(points: tuple[str, ...], share: Q | None) -> Finding:
    """The optimal column moves mass to histograms with more of the cheap classes. On one of the two
    examples the true histogram has probability 1/13, the least that is allowed and below the 1/7
    of a uniform draw; on the other, which is symmetric, it comes first.
    """
    first, _ = both_runs(points)
    true = first.law[first.outputs[0]]
    if share is None:
        return equal(true, max(first.column), mixture.column_upper(2, Q(2)))
    return all_of(
        equal(true, share, min(first.column), mixture.column_lower(6, Q(2))), less(true, Q(1, 7))
    )
