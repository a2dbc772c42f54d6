"""Section V: the assignment Q_T and the lower bounds on the error behind a channel."""

from provedp.theory import channels, counting
from provedp.theory.channels.step_size import release_inverse
from provedp.verify.claims.counting.channel import PAPER, bounds_from_below
from provedp.verify.claims.counting.instances import generators
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel.optimum import least_error_behind


@published(Source(COUNTING, "Section V", "the example after eq. (33)"), formula=channels.assignment)
@certified()
def example_assignment_is_as_printed(assignment: Formula) -> Finding:
    """The printed 3 × 3 example of Q_T and Q_T T is right."""
    found = assignment(PAPER)
    printed = [[Q(1), Q(0), Q(0)], [Q(1), Q(0), Q(0)], [Q(0), Q(0), Q(1)]]
    return all_of(
        equal(found, printed), equal(found @ matrix(PAPER), [PAPER[0], PAPER[0], PAPER[2]])
    )


@ours(Source(COUNTING, "eq. (32)", "without the sentence before it"))
@machine_checked("witnesses.indicator_defines_no_assignment")
@refuted(channel=[[Q(1, 2), Q(1, 2)], [Q(1, 2), Q(1, 2)]])
def indicator_defines_an_assignment(channel: Any) -> Finding:
    """[Q_T]_ij = 1{j ∈ argmax_k t_ki}, taken alone, has exactly one 1 in each row. (The sentence
    before it chooses one of several maximizers 'arbitrarily'; `tie_rule_changes_the_third_bound`.)
    """
    columns = list(zip(*channel, strict=True))
    return all_of(*(equal(sum(entry == max(column) for entry in column), 1) for column in columns))


@published(Source(COUNTING, "eq. (32)", "the sentence before it"), formula=channels.assignment)
@certified(channel=generators.channels(2, 5), examples=generators.TRIALS)
def lowest_maximum_defines_an_assignment(assignment: Formula, channel: Any) -> Finding:
    """Q_T has one 1 in each row, at a maximum of the column; 'if multiple maximizers exist, one is
    selected arbitrarily', here the lowest row.
    """
    found = assignment(channel)
    table = matrix(channel)
    chosen = (found @ table).diagonal()
    ones = all_of(
        equal([sum(row) for row in found], [Q(1)] * len(channel)),
        holds(all(entry in (0, 1) for entry in found.ravel()), "all entries are 0 or 1"),
    )
    if not ones.holds:
        return ones
    return all_of(
        ones,
        equal(list(chosen), [max(column) for column in table.T]),
        *(
            less([Q(-1), *table[:row, column]], table[row, column])
            for column, row in enumerate([list(line).index(1) for line in found])
        ),
    )


@ours(Source(COUNTING, "eq. (32)"))
@certified()
def tie_rule_changes_the_third_bound() -> Finding:
    """u₃ depends on how ties in (32) are broken, l(T) does not: column 2 of this T has two maxima,
    and at k = 2 the two choices of Q_T give u₃ = 33/50 and 13/20.
    """
    channel = matrix([[1, 1, 3], [1, 2, 2], [2, 2, 1]]) / 5
    low = channels.assignment(channel)
    high = low.copy()
    high[1] = matrix([[0, 0, 1]])[0]
    alone = [counting.worst_case_error(product(chosen, channel)) for chosen in (low, high)]
    mixed = [third_error(channel, chosen, Q(2), Q(0)) for chosen in (low, high)]
    return all_of(equal(*alone), equal(mixed, [Q(33, 50), Q(13, 20)]))


def third_error(channel: Any, chosen: Any, k: Q, delta: Q, *, capped: bool = True) -> Q:
    """Return 1 − γ(β Q T + (1 − β) P* T) with β = min(1, β_R), or β_R, for a choice of Q_T."""
    size = len(channel)
    release = counting.release_matrix(size, k, delta)
    change = product(release_inverse(size, k, delta), product(chosen, channel)) - channel
    steps = [t / -c for t, c in zip(channel.ravel(), change.ravel(), strict=True) if c < 0]
    beta = min([Q(1), *steps] if capped else steps)
    mixed = beta * chosen + (1 - beta) * release
    return rational(counting.worst_case_error(product(mixed, channel)))


@published(
    Source(COUNTING, "eq. (33)"), Source(COUNTING, "eq. (34)"), formula=channels.assignment_error
)
@machine_checked("channels.column_maxima_bound_the_error")
@certified(**generators.ANY_CHANNEL)
def error_is_at_least_that_of_the_assignment(
    error: Formula, channel: Any, k: Q, delta: Q
) -> Finding:
    """[PT]_ii ≤ [Q_T T]_ii for mechanisms P (an optimal one and P* are tried): l(T) ≤ p_e*(T)."""
    best = least_error_behind(channel, k, delta)
    table = matrix(channel)
    most = list((channels.assignment(channel) @ table).diagonal())
    canonical = counting.release_matrix(len(channel), k, delta)
    return all_of(
        *(at_most(list((matrix(p) @ table).diagonal()), most) for p in (best.primal, canonical)),
        bounds_from_below(error(channel), best),
        equal(error(channel), 1 - min(max(column) for column in table.T)),
    )


@published(Source(COUNTING, "eq. (35)"), formula=channels.assignment_error)
@machine_checked("channels.error_is_at_least_both_lower_bounds")
@certified(**generators.ANY_CHANNEL)
def error_is_at_least_both_lower_bounds(error: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """p_e*(T) ≥ max{p_e*, l(T)}."""
    best = least_error_behind(channel, k, delta)
    lower = max(counting.error(len(channel), k, delta), error(channel))
    return all_of(
        bounds_from_below(lower, best),
        equal(error(channel), 1 - min(max(column) for column in zip(*channel, strict=True))),
    )


@published(Source(COUNTING, "Section V", "after eq. (33)"), formula=channels.assignment_error)
@certified(channel=generators.positive_channels(2, 4), examples=generators.TRIALS)
def error_without_privacy_is_that_of_the_assignment(error: Formula, channel: Any) -> Finding:
    """Without a privacy constraint Q_T is optimal: p_e*(T) = l(T) as soon as e^ε is the ratio of
    the largest to the smallest entry of T, where every release through T is private.
    """
    entries = [entry for row in channel for entry in row]
    free = least_error_behind(channel, max(entries) / min(entries), Q(0))
    return equal(error(channel), free.lower, free.upper)
