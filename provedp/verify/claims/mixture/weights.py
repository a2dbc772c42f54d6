"""Equations (12), (17)–(19), (35): when randomised class weights are private, and when not."""

import itertools

import numpy as np

from provedp.theory import mixture
from provedp.verify.claims.mixture.instances.scalar_runs import aligned
from provedp.verify.claims.mixture.instances.two_data_sets import (
    PUBLISHED_SHARE,
    RATIO,
    THREE_CLASSES,
    TWO_CLASSES,
    both_runs,
    data_on_a_line,
    pair_of_runs,
)
from provedp.verify.claims.prelude import *


@published(
    Source(MIXTURE, "eq. (12)", "equivalent to the privacy of the weights"),
    Source(MIXTURE, "eq. (35)"),
    Source(MIXTURE, "Appendix A"),
    defect=Defect.GAP,
)
@refuted(left=(4, 4), right=(3, 5), ratio=Q(1))
def ratio_bound_in_every_matrix_makes_weights_private(
    left: tuple[int, ...], right: tuple[int, ...], ratio: Q
) -> Finding:
    """If for every data set D the matrix F(D) that is used for D meets (12), all its columns being
    within a factor e^{ε₀} of that of π(D), then the released weights are (ε₀, 0)-private.

    Counterexample: F(D) with all columns equal to the unit vector of π(D) meets (12) with ε₀ = 0
    and releases π(D) as it is. (Appendix A reads (12) with one f; Algorithm 1 has one for each D.)
    """
    every = mixture.histogram_set(sum(left), len(left))
    columns = {m: matrix([[Q(int(m == other)) for other in every]])[0] for m in (left, right)}
    for column in columns.values():  # F(D) has this column in every place
        assume(all(a <= ratio * b for a, b in zip(column, column, strict=True)))
    delta = mixture.smoothed_delta(columns[left], columns[right], 0, len(every), ratio)
    return equal(delta, Q(0))


@repairs(ratio_bound_in_every_matrix_makes_weights_private)
@machine_checked("releases.ratio_bound_in_one_matrix_is_privacy")
@proved(argued=("induction over the outputs in an event: the union of one more, disjoint, event",))
def ratio_bound_in_one_matrix_is_privacy_of_the_weights() -> Finding:
    """If one matrix F, fixed in advance, serves all data, then (12) for every admissible pair is
    equivalent to (ε₀, 0)-privacy of the released weights. An event is a set of outputs: a ratio
    bound for two disjoint events gives it for their union, by induction for all events; and a
    single output is an event.
    """
    a, b, c, d, k = sympy.symbols("a b c d k", real=True)
    zero = sympy.Symbol("zero", nonnegative=True)
    return all_of(
        entails([k >= 1, sympy.Eq(zero, 0)], zero <= k * zero),  # the empty event
        entails([k >= 1, a <= k * b, c <= k * d], a + c <= k * (b + d)),
    )


@ours(Source(MIXTURE, "eq. (17)", "'a sufficiently large λ'"), formula=mixture.smoothed_ratio)
@certified(
    points=[TWO_CLASSES, THREE_CLASSES],
    smoothing=(Q(1, 10**9), Q(1, 10**3), Q(1, 10), Q(1, 2)),
)
def equal_supports_do_not_bound_the_ratio(
    ratio: Formula, points: tuple[str, ...], smoothing: Q
) -> Finding:
    """With any λ > 0 the laws of two runs of Algorithm 1 have the same support, the set S, but an
    output of probability x before smoothing in one run and 0 in the other is (1 − λ)|S| x/λ + 1
    times as likely: without bound as λ falls, and more than e^{ε₀} at λ = 1/2 still.
    """
    pair = pair_of_runs(points)
    laws = [(pair.p, pair.q), (pair.q, pair.p)]
    alone = max(a for p, q in laws for a, b in zip(p, q, strict=True) if b == 0)
    found = ratio(pair.p, pair.q, smoothing, pair.outputs)
    return all_of(
        equal(found, (1 - smoothing) * pair.outputs * alone / smoothing + 1), less(RATIO, found)
    )


@published(
    Source(MIXTURE, "eq. (17)"),
    Source(MIXTURE, "Section V-A", "λ = 10⁻³"),
    formula=mixture.smoothed_ratio,
    defect=Defect.FALSE,
)
@refuted(points=TWO_CLASSES)
def smoothing_as_published_makes_weights_private(
    ratio: Formula, points: tuple[str, ...]
) -> Finding:
    """With λ = 10⁻³ the smoothed laws of two neighbours are within a factor e^{ε₀} of each other.

    Counterexample with K = 2, N = 8: the output (5, 3) is 6998/5 times as likely for one of two
    neighbours, where e^{ε₀} = 2.
    """
    pair = pair_of_runs(points)
    return at_most(ratio(pair.p, pair.q, PUBLISHED_SHARE, pair.outputs), RATIO)


@ours(Source(MIXTURE, "eq. (17)", "'a sufficiently large λ'"), formula=mixture.smoothed_ratio)
@certified(
    points=[TWO_CLASSES, THREE_CLASSES],
    smoothing=(Q(1, 10**9), Q(1, 2), Q(58333, 10**5), Q(7, 12), Q(19, 20), Q(999, 1000)),
)
def enough_smoothing_makes_weights_private(
    ratio: Formula, points: tuple[str, ...], smoothing: Q
) -> Finding:
    """No output is more than e^{ε₀} times as likely in one of two runs as in the other exactly if
    λ is at least the largest x/(x + e^{ε₀} − 1), x = |S| (p − e^{ε₀} q)⁺ for the probabilities p
    and q of an output before smoothing, in either order.
    """
    pair = pair_of_runs(points)
    found = ratio(pair.p, pair.q, smoothing, pair.outputs)
    if smoothing >= mixture.least_smoothing(pair.p, pair.q, pair.outputs, RATIO):
        return at_most(found, RATIO)
    return less(RATIO, found)


@repairs(smoothing_as_published_makes_weights_private)
@certified(points=[TWO_CLASSES, THREE_CLASSES])
def fixed_channel_protects_both_examples(points: tuple[str, ...]) -> Finding:
    """With the exponential mechanism on S in the place of (17) and (28) no output is more than
    e^{ε₀} times as likely for one of the two data sets as for the other.
    """
    data = data_on_a_line(points)
    root = Q(7, 5)  # its square is below e^{ε₀}
    p, q = (
        mixture.exponential_weight_law(np.array(counts), root)
        for counts in (data.counts, data.flipped(3, 1).counts)
    )
    return all_of(
        at_most(root**2, RATIO),
        at_most(list(p), list(RATIO * q)),
        at_most(list(q), list(RATIO * p)),
        less(Q(0), list(q)),
    )


@ours(
    Source(None, "the exponential mechanism on histograms"), formula=mixture.exponential_weight_law
)
@certified(n=(6, 7, 9), classes=(2, 3), root=(Q(1), Q(11, 10), Q(2)))
def fixed_channel_makes_weights_private(law: Formula, n: int, classes: int, root: Q) -> Finding:
    """The exponential mechanism on S with weight e^{−(ε₀/2) N ‖π̃ − π‖₁/2} is one matrix for all
    data and (ε₀, 0)-private: laws of histograms one flip apart are within a factor e^{ε₀}.
    """
    every = mixture.histogram_set(n, classes)
    laws = {m: law(list(m), root) for m in every}
    pairs = [
        (laws[m], laws[o])
        for m, o in itertools.permutations(every, 2)
        if mixture.flip_distance(np.array(m), np.array(o)) == 1
    ]
    return all_of(
        *(equal(sum(found), Q(1)) for found in laws.values()),
        *(at_most(list(p), [root**2 * b for b in q]) for p, q in pairs),
    )


@ours(Source(None, "the exponential mechanism on histograms"))
@machine_checked("releases.fixed_channel_is_private")
@proved(
    argued=(
        "the distance is half the sum over classes of |x − z|, two of which change, by at most one",
        "a sum of weights that each change by at most the factor r changes by at most r",
    )
)
def fixed_channel_is_private_for_every_size() -> Finding:
    """The same for all N and K: a flip changes the distance to every histogram by at most one, so a
    weight w changes at most by the factor r = e^{ε₀/2} either way, hence so does the sum of the
    weights, and w/W by at most r².
    """
    w, v, total, other, r = sympy.symbols("w v W V r", positive=True)
    steps = sympy.symbols("a b c", integer=True)
    near = [w <= r * v, other <= r * total, r >= 1]
    a, b, c = steps
    return all_of(
        # |x − z| ≤ |x − y| + |y − z| in each place; a flip is two places by one each.
        entails([], sympy.Abs(a - c) <= sympy.Abs(a - b) + sympy.Abs(b - c)),
        entails(near, w * other <= r**2 * v * total),
    )


@published(
    Source(MIXTURE, "eq. (18)", "'the original constraint (12) becomes'"), defect=Defect.FALSE
)
@refuted(points=TWO_CLASSES)
def reduced_constraint_replaces_the_original_one(points: tuple[str, ...]) -> Finding:
    """If the columns of each reduced matrix meet (18), then (12) holds for two neighbours.

    Each run's own matrix meets (18); the neighbour is run with its own matrix, not with a column
    of this one.
    """
    runs = both_runs(points)
    for found in runs:
        column = matrix([list(found.column)])[0]
        others = mixture.other_columns(column)
        pairs = list(zip(column, others, strict=True))
        assume(all(a <= RATIO * b and b <= RATIO * a for a, b in pairs))
    pair = aligned(*runs)
    assume(any(pair.q == 0))
    return at_most(mixture.smoothed_ratio(pair.p, pair.q, PUBLISHED_SHARE, pair.outputs), RATIO)


@repairs(reduced_constraint_replaces_the_original_one, formula=mixture.smoothed)
@machine_checked("releases.reduced_constraint_gives_the_original_one", part="that (18) gives (12)")
@proved(argued=("histograms that are no neighbours may have any columns: (12) at D spares them",))
def reduced_constraint_gives_the_original_one_in_one_matrix(
    smoothed: Formula,
) -> Finding:
    """Within one matrix (18) gives (12): if two entries are within a factor e^{ε₀}, so are
    (1 − λ) f′ + λ/|S| of them. So (P2) is feasible for (P1) at one fixed data set, with columns
    that no other data set uses.
    """
    p, q, k, share = sympy.symbols("p q k lambda", real=True)
    count = sympy.Symbol("S", integer=True, positive=True)
    ends = [k >= 1, share >= 0, share <= 1, p >= 0, q >= 0]
    left, right = (smoothed(mass, share, count) for mass in (p, q))
    return all_of(
        entails([*ends, p <= k * q], left <= k * right),
        equal(left, (1 - share) * p + share / count),
    )


@published(Source(MIXTURE, "eq. (18)"), Source(MIXTURE, "eq. (19)"))
@proved(
    argued=("a function with a positive derivative increases, so |ln r| ≤ ε₀ is r, 1/r ≤ e^ε₀",)
)
def log_ratio_bound_is_two_linear_inequalities() -> Finding:
    """|ln(a/b)| ≤ ε₀ for positive a, b exactly if e^{−ε₀} a ≤ b ≤ e^{ε₀} a, since ln increases; for
    a = b = 0, where the ratio is undefined, the linear form holds.
    """
    a, b, k, x = sympy.symbols("a b k x", positive=True)
    bounds = sympy.And(a / b <= k, b / a <= k)
    linear = sympy.And(a / k <= b, b <= k * a)
    zero = sympy.Symbol("zero", nonnegative=True)
    return all_of(
        entails([k >= 1, bounds], linear),
        entails([k >= 1, linear], bounds),
        less(0, sympy.diff(sympy.log(x), x)),
        entails([k >= 1, sympy.Eq(zero, 0)], sympy.And(zero / k <= zero, zero <= k * zero)),
    )


@published(
    Source(MIXTURE, "(P2)", "feasible for (P1)"), Source(MIXTURE, "eq. (22)", "feasible for (P1)")
)
@certified(counts=[(3, 4), (4, 4), (4, 3, 3)], ratio=(Q(1), Q(2)), share=(PUBLISHED_SHARE, Q(1, 2)))
def solutions_of_the_second_problem_meet_the_first(
    counts: tuple[int, ...], ratio: Q, share: Q
) -> Finding:
    """A solution of (P2) gives a matrix F that meets (12) and (15e) at the data at hand: its
    reduced columns, smoothed by (17), and any other columns for histograms that are no neighbours.
    That is all that (P1) asks, and why it does not amount to privacy.
    """
    every = mixture.histogram_set(sum(counts), len(counts))
    near = mixture.neighbour_histograms(np.array(counts))
    costs = matrix([[Q(m[0] * m[0]) for m in (counts, *near)]])[0]
    column = mixture.weight_column(costs, ratio)
    rest = mixture.other_columns(column)
    full = {}
    for true, reduced in [(counts, column), *((m, rest) for m in near)]:
        masses = dict(zip((counts, *near), reduced, strict=True))
        full[tuple(true)] = [
            mixture.smoothed(masses.get(m, Q(0)), share, len(every)) for m in every
        ]
    own = full[counts]
    return all_of(
        *(equal(sum(found), Q(1)) for found in full.values()),
        *(at_most(own, [ratio * q for q in full[tuple(m)]]) for m in near),
        *(at_most(full[tuple(m)], [ratio * q for q in own]) for m in near),
    )
