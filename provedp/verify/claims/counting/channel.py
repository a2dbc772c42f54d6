"""Section V: what a fixed channel T costs (Theorem 2 and Corollary 2.1)."""

from provedp.theory import channels, counting
from provedp.theory.matrices import identity
from provedp.theory.numbers import Field
from provedp.verify.claims.counting.instances import generators
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel.bracket import Bracket
from provedp.verify.solvers.channel.optimum import least_error_behind
from provedp.verify.solvers.channel.programs import least_error_of_literal_substitution

PAPER: Any = [
    [Q(1, 2), Q(2, 5), Q(1, 10)],
    [Q(3, 10), Q(1, 5), Q(1, 2)],
    [Q(1, 5), Q(1, 5), Q(3, 5)],
]


CYCLIC: Any = [
    [Q(1, 2), Q(1, 4), Q(1, 4)],
    [Q(1, 4), Q(1, 2), Q(1, 4)],
    [Q(1, 4), Q(1, 4), Q(1, 2)],
]


BOUNDARY: Any = [[Q(2, 3), Q(1, 3), Q(0)], [Q(0), Q(1), Q(0)], [Q(0), Q(1, 3), Q(2, 3)]]


def is_invertible(channel: Any) -> bool:
    """Return whether an exact channel is invertible."""
    return bool(fmpq_matrix(matrix(channel)).det() != 0)


def bounds_from_above(bound: Q, best: Bracket) -> Finding:
    """Find whether a number is at least an optimum, of which only the enclosure is known."""
    if bound < best.lower or best.upper <= bound:
        return at_most(best.upper, bound)
    return at_most(ball(best.lower).union(ball(best.upper)), ball(bound))


def bounds_from_below(bound: Q, best: Bracket) -> Finding:
    """Find whether a number is at most an optimum, of which only the enclosure is known."""
    if bound > best.upper or best.lower >= bound:
        return at_most(bound, best.lower)
    return at_most(ball(bound), ball(best.lower).union(ball(best.upper)))


def costs_nothing(channel: Any, k: Q, delta: Q) -> Finding:
    """Find that p_e*(T) = p_e*, from exactly feasible points of both values."""
    best = least_error_behind(channel, k, delta)
    free = counting.error(len(channel), k, delta)
    return equal(free, best.lower, best.upper)


def costs_something(channel: Any, k: Q, delta: Q) -> Finding:
    """Find that p_e*(T) > p_e*, from a dual point."""
    best = least_error_behind(channel, k, delta)
    return less(counting.error(len(channel), k, delta), best.lower)


@published(Source(COUNTING, "eq. (24)"), formula=counting.error)
@certified(**generators.ANY_CHANNEL)
def no_channel_helps(error: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """p_e*(T) ≥ p_e* for every channel T; with T the identity they are equal."""
    size = len(channel)
    nothing = least_error_behind(identity(size, Field.RATIONAL), k, delta)
    behind = least_error_behind(channel, k, delta)
    free = error(size, k, delta)
    return all_of(bounds_from_below(free, behind), equal(free, nothing.lower, nothing.upper))


@published(Source(COUNTING, "Section V", "before eq. (24)"), defect=Defect.MISPRINT)
@refuted(channel=CYCLIC, k=Q(3), delta=Q(0))
def replacing_every_entry_gives_the_optimum(channel: Any, k: Q, delta: Q) -> Finding:
    """'p_e*(T) can be obtained by solving the LP (6) with p_ij replaced by [PT]_ij': the program
    with every p_ij replaced, those in p_ij ≥ 0 too, has the value 1 − p_e*(T). (As the words are;
    that P itself is stochastic is said before.)
    """
    best = least_error_behind(channel, k, delta)
    literal = least_error_of_literal_substitution(channel, k, delta)
    return equal(literal, best.lower, best.upper)


@repairs(replacing_every_entry_gives_the_optimum)
@certified(
    channel=generators.channels(2, 3),
    k=generators.ratios(),
    delta=generators.slacks(),
    examples=generators.TRIALS,
)
def replacing_every_entry_gives_a_lower_bound(channel: Any, k: Q, delta: Q) -> Finding:
    """P ≥ 0 must stay a constraint on P: taken literally, the program may use a P with negative
    entries, so its error is a lower bound on p_e*(T). For an invertible T every optimal release
    has its P = P* T⁻¹, so that the program has the value p_e* then.
    """
    best = least_error_behind(channel, k, delta)
    literal = least_error_of_literal_substitution(channel, k, delta)
    below = bounds_from_below(literal, best)
    if not is_invertible(channel):
        return below
    return all_of(below, equal(literal, counting.error(len(channel), k, delta)))


@published(
    Source(COUNTING, "Section V", "after eq. (24)"),
    formula=channels.undisturbed,
)
@certified(**generators.ANY_CHANNEL)
def undoing_the_channel_is_optimal_where_possible(
    undisturbed: Formula, channel: Any, k: Q, delta: Q
) -> Finding:
    """If T is invertible, P* T⁻¹ leads through T to P* and has rows of sum one; and if P* T⁻¹ ≥ 0,
    then p_e*(T) = p_e*.
    """
    assume(is_invertible(channel))
    undone = undisturbed(channel, k, delta)
    size = len(channel)
    leads = all_of(
        equal([sum(row, start=Q(0)) for row in undone], [Q(1)] * size),
        equal(product(undone, matrix(channel)), counting.release_matrix(size, k, delta)),
    )
    if min(undone.ravel()) < 0:
        return leads
    return all_of(leads, costs_nothing(channel, k, delta))


@published(Source(COUNTING, "footnote 2"))
@certified(k=(Q(11, 10), Q(2), Q(5, 2), Q(3)))
def negative_entries_need_not_cost(k: Q) -> Finding:
    """A negative entry in P* T⁻¹ does not imply p_e*(T) > p_e*: there is a T with one where another
    optimal release goes through T.
    """
    undone = channels.undisturbed(BOUNDARY, k, Q(0))
    return all_of(less(min(undone.ravel()), 0), costs_nothing(BOUNDARY, k, Q(0)))
