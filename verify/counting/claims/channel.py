"""Section V: what a fixed channel T costs (Theorem 2 and Corollary 2.1)."""

from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

from provedp.theory import channels, counting
from provedp.theory.matrices import fmpq_matrix, identity, matrix
from provedp.theory.numbers import Field
from provedp.verify.counting.claims import generators
from provedp.verify.counting.model import least_error_of_literal_substitution
from provedp.verify.counting.optimum import least_error_behind
from provedp.verify.counting.singular import optimum_with_kernel
from provedp.verify.ledger import (
    Finding,
    all_of,
    assume,
    at_most,
    certified,
    equal,
    less,
    levels,
    ours,
    published,
    refuted,
    repairs,
)

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
TRIALS = levels(60, 600)


def circulant(*first_row: Q) -> Any:
    """Return the circulant channel with this first row."""
    size = len(first_row)
    return [[first_row[(j - i) % size] for j in range(size)] for i in range(size)]


def is_invertible(channel: Any) -> bool:
    """Return whether an exact channel is invertible."""
    return bool(fmpq_matrix(matrix(channel)).det() != 0)


def costs_nothing(channel: Any, k: Q, delta: Q) -> Finding:
    """Find that p_e*(T) = p_e*, from exactly feasible points of both values."""
    best = least_error_behind(channel, k, delta)
    free = counting.error(len(channel), k, delta)
    return equal(free, best.lower, best.upper)


def costs_something(channel: Any, k: Q, delta: Q) -> Finding:
    """Find that p_e*(T) > p_e*, from a dual point."""
    best = least_error_behind(channel, k, delta)
    return less(counting.error(len(channel), k, delta), best.lower)


@published("Section V, eq. (24)", formula=counting.error)
@certified(
    channel=generators.channels(2, 4),
    k=generators.ratios(),
    delta=generators.slacks(),
    examples=TRIALS,
)
def no_channel_helps(error: Callable[..., Any], channel: Any, k: Q, delta: Q) -> Finding:
    """p_e*(T) ≥ p_e* for every channel T; with T the identity they are equal."""
    size = len(channel)
    nothing = least_error_behind(identity(size, Field.RATIONAL), k, delta)
    behind = least_error_behind(channel, k, delta)
    free = error(size, k, delta)
    return all_of(at_most(free, behind.upper), equal(free, nothing.lower, nothing.upper))


@published("Section V, before eq. (24)")
@refuted(channel=CYCLIC, k=Q(3), delta=Q(0))
def replacing_every_entry_gives_the_optimum(channel: Any, k: Q, delta: Q) -> Finding:
    """'p_e*(T) can be obtained by solving the LP (6) with p_ij replaced by [PT]_ij': the program
    with every p_ij replaced, those in p_ij ≥ 0 too, has the value 1 − p_e*(T).
    """
    best = least_error_behind(channel, k, delta)
    literal = least_error_of_literal_substitution(channel, k, delta)
    return all_of(at_most(best.lower, literal), at_most(literal, best.upper))


@repairs(replacing_every_entry_gives_the_optimum)
@certified(
    channel=generators.channels(2, 3),
    k=generators.ratios(),
    delta=generators.slacks(),
    examples=TRIALS,
)
def replacing_every_entry_gives_a_lower_bound(channel: Any, k: Q, delta: Q) -> Finding:
    """P ≥ 0 must stay a constraint on P: taken literally, the program may use a P with negative
    entries, so its error is a lower bound, and equal to p_e*(T) where its P is a mechanism.
    """
    best = least_error_behind(channel, k, delta)
    return at_most(least_error_of_literal_substitution(channel, k, delta), best.upper)


@published("Section V, after eq. (24)", formula=channels.undisturbed)
@certified(
    channel=generators.channels(2, 4),
    k=generators.ratios(),
    delta=generators.slacks(),
    examples=TRIALS,
)
def undoing_the_channel_is_optimal_where_possible(
    undisturbed: Callable[..., Any], channel: Any, k: Q, delta: Q
) -> Finding:
    """If T is invertible, the rows of P* T⁻¹ sum to one; and if P* T⁻¹ ≥ 0, then p_e*(T) = p_e*."""
    assume(is_invertible(channel))
    undone = undisturbed(channel, k, delta)
    sums = equal([sum(row, start=Q(0)) for row in undone], [Q(1)] * len(channel))
    if min(undone.ravel()) < 0:
        return sums
    return all_of(sums, costs_nothing(channel, k, delta))


@published("Section V, footnote 2")
@certified(k=(Q(11, 10), Q(2), Q(5, 2), Q(3)))
def negative_entries_need_not_cost(k: Q) -> Finding:
    """A negative entry in P* T⁻¹ does not imply p_e*(T) > p_e*: there is a T with one where another
    optimal release goes through T.
    """
    undone = channels.undisturbed(BOUNDARY, k, Q(0))
    return all_of(less(min(undone.ravel()), 0), costs_nothing(BOUNDARY, k, Q(0)))


def without_a_threshold(channel: Any, k: Q, delta: Q) -> tuple[Q, Q]:
    """Put every channel below the threshold."""
    return Q(0), Q(1)


@published(
    "Theorem 2, statement 1, eq. (25), (26)",
    formula=channels.loss_threshold,
    mutants=(without_a_threshold,),
)
@certified(
    channel=generators.channels(2, 4),
    k=generators.ratios(),
    delta=generators.slacks(),
    examples=TRIALS,
)
def entry_below_the_threshold_costs(
    threshold: Callable[..., Any], channel: Any, k: Q, delta: Q
) -> Finding:
    """If an entry of P* T⁻¹ is below −R_M ‖T⁻¹‖₁, then p_e*(T) > p_e*."""
    assume(is_invertible(channel))
    least, bound = threshold(channel, k, delta)
    assume(least < bound)
    return costs_something(channel, k, delta)


def without_a_condition(channel: Any, k: Q, delta: Q) -> Q:
    """Accept every channel, in the place of a margin."""
    return Q(1)


@published(
    "Theorem 2, statement 2, eq. (27)",
    formula=channels.no_loss_margin_by_rows,
    mutants=(without_a_condition,),
)
@certified(
    channel=generators.near_identity(2, 5),
    k=generators.ratios(),
    delta=generators.slacks(),
    examples=TRIALS,
)
def channel_near_the_identity_by_rows_costs_nothing(
    margin: Callable[..., Any], channel: Any, k: Q, delta: Q
) -> Finding:
    """If ‖T⁻¹ − I‖_∞ ≤ (1 − δ) α_M k^(−⌊M/2⌋), then p_e*(T) = p_e*."""
    assume(is_invertible(channel))
    assume(margin(channel, k, delta) >= 0)
    return costs_nothing(channel, k, delta)


@published(
    "Theorem 2, statement 2, eq. (28)",
    formula=channels.no_loss_margin_by_entries,
    mutants=(without_a_condition,),
)
@certified(
    channel=generators.near_identity(2, 5),
    k=generators.ratios(),
    delta=generators.slacks(),
    examples=TRIALS,
)
def channel_near_the_identity_by_entries_costs_nothing(
    margin: Callable[..., Any], channel: Any, k: Q, delta: Q
) -> Finding:
    """If ‖T⁻¹ − I‖_max ≤ (1 − δ) α_M k^(−⌊M/2⌋) / (M((1 − δ) α_M + δ)), then p_e*(T) = p_e*."""
    assume(is_invertible(channel))
    assume(margin(channel, k, delta) >= 0)
    return costs_nothing(channel, k, delta)


@ours(
    "Theorem 2, statement 2, eq. (27), (28)",
    formula=channels.no_loss_margin,
    mutants=(without_a_condition,),
)
@certified(
    channel=generators.near_identity(2, 5),
    k=generators.ratios(),
    delta=generators.slacks(),
    examples=TRIALS,
)
def largest_entry_of_the_difference_decides(
    margin: Callable[..., Any], channel: Any, k: Q, delta: Q
) -> Finding:
    """Each of (27) and (28) implies ‖T⁻¹ − I‖_max ≤ (1 − δ) α_M k^(−⌊M/2⌋), and that alone gives
    p_e*(T) = p_e*, since ‖P* X‖_max ≤ ‖P*‖_∞ ‖X‖_max = ‖X‖_max: one condition, weaker than both.
    """
    assume(is_invertible(channel))
    best = margin(channel, k, delta)
    printed = max(
        channels.no_loss_margin_by_rows(channel, k, delta),
        channels.no_loss_margin_by_entries(channel, k, delta),
    )
    implied = at_most(printed, best)
    return all_of(implied, costs_nothing(channel, k, delta)) if best >= 0 else implied


def _inside_the_cone(channel: Any) -> bool:
    return is_invertible(channel) and min(channels.cone_coordinates(channel)) > 0


@published("Theorem 2, statement 3, eq. (29)", formula=channels.cone_coordinates)
@certified(channel=generators.channels(2, 4), examples=TRIALS)
def channel_with_one_inside_the_cone_costs_nothing_at_high_privacy(
    coordinates: Callable[..., Any], channel: Any
) -> Finding:
    """If 1ᵀ is a combination of the rows of T with positive weights only, there are ε₀, δ₀ > 0
    below which p_e*(T) = p_e*. With s the least weight and n = ‖T⁻¹‖_max, P* is within
    s/(M² n) of J/M at ε₀ = ln(1 + s/(2M² n)) and δ₀ = s/(4M² n), which are tried.
    """
    assume(is_invertible(channel))
    least = min(coordinates(channel))
    assume(least > 0)
    size = len(channel)
    inverse = channels.undisturbed(channel, Q(1), Q(0))  # J T⁻¹ / M: rows of weights over M
    largest = max(abs(entry) for entry in fmpq_matrix(matrix(channel)).inv().entries())
    reach = least / (size**2 * Q(int(largest.p), int(largest.q)))
    k, delta = 1 + reach / 2, reach / 4
    undone = channels.undisturbed(channel, k, delta)
    return all_of(
        equal(list(inverse[0]), [weight / size for weight in coordinates(channel)]),
        at_most(0, undone),
        costs_nothing(channel, k, delta),
    )


@published("Theorem 2, statement 4, eq. (29)", formula=channels.cone_coordinates)
@certified(channel=generators.channels(2, 4), examples=TRIALS)
def channel_with_one_outside_the_cone_costs_at_every_high_privacy(
    coordinates: Callable[..., Any], channel: Any
) -> Finding:
    """If 1ᵀ is outside the cone of the rows of T, p_e*(T) > p_e* at (0, 0), so (29) holds for no
    ε₀, δ₀ > 0.
    """
    assume(is_invertible(channel))
    assume(min(coordinates(channel)) < 0)
    return costs_something(channel, Q(1), Q(0))


@ours("Theorem 2, statement 4")
@certified(k=(Q(1), Q(1001, 1000), Q(11, 10), Q(2)))
def loss_outside_the_cone_is_not_only_at_zero(k: Q) -> Finding:
    """The paper's proof of statement 4 shows a loss at ε = δ = 0 alone; both sides are continuous
    there, so the loss extends: the paper's own T costs 24/35 − 2/3 at (0, 0) and something at
    every k tried.
    """
    zero = least_error_behind(PAPER, Q(1), Q(0))
    return all_of(equal(zero.lower, zero.upper, Q(24, 35)), costs_something(PAPER, k, Q(0)))


@ours("Theorem 2, statements 3 and 4")
@certified(k=(Q(1001, 1000), Q(11, 10), Q(2), Q(3)))
def boundary_of_the_cone_decides_nothing(k: Q) -> Finding:
    """With 1ᵀ on the boundary of the cone (a zero weight, none negative), which statements 3 and 4
    leave out, both happen: [[1/2, 1/2], [1/4, 3/4]] costs at every k > 1 tried, and the T of
    footnote 2 costs nothing up to k = 3.
    """
    lossy: Any = [[Q(1, 2), Q(1, 2)], [Q(1, 4), Q(3, 4)]]
    zeros = [min(channels.cone_coordinates(channel)) for channel in (lossy, BOUNDARY)]
    return all_of(
        equal(zeros, [Q(0), Q(0)]),
        costs_something(lossy, k, Q(0)),
        costs_nothing(BOUNDARY, k, Q(0)),
    )


def with_signs_exchanged(channel: Any, k: Q, delta: Q) -> Any:
    """Return −P* T⁻¹."""
    return -channels.undisturbed(channel, k, delta)


@published("Theorem 2, statement 5", formula=channels.undisturbed, mutants=(with_signs_exchanged,))
@certified(channel=generators.circulants(3, 5), k=generators.ratios(), examples=TRIALS)
def circulant_channel_costs_nothing_iff_undone(
    undisturbed: Callable[..., Any], channel: Any, k: Q
) -> Finding:
    """For an invertible circulant T and δ = 0, p_e*(T) = p_e* if and only if P* T⁻¹ ≥ 0: all
    optimal releases share a middle row, where a negative entry would appear.
    """
    assume(is_invertible(channel), k > 1)
    if min(undisturbed(channel, k, Q(0)).ravel()) >= 0:
        return costs_nothing(channel, k, Q(0))
    return costs_something(channel, k, Q(0))


@ours("Theorem 2, statement 5")
@certified()
def circulant_equivalence_needs_pure_privacy() -> Finding:
    """For δ > 0 statement 5 fails: T = circ(0, 1/5, 2/5, 2/5) with k = 11/10, δ = 1/10 has an entry
    −1/49 in P* T⁻¹, yet p_e*(T) = p_e* = 32/49.
    """
    channel = circulant(Q(0), Q(1, 5), Q(2, 5), Q(2, 5))
    k, delta = Q(11, 10), Q(1, 10)
    best = least_error_behind(channel, k, delta)
    least = min(channels.undisturbed(channel, k, delta).ravel())
    return all_of(equal(least, Q(-1, 49)), equal(best.lower, best.upper, Q(32, 49)))


@published("Theorem 2, statement 6")
@certified(
    channel=generators.singular_channels(3, 4),
    k=generators.ratios(),
    delta=generators.slacks(),
    examples=TRIALS,
)
def singular_channel_costs(channel: Any, k: Q, delta: Q) -> Finding:
    """If T is singular, and (1 − δ) α_M + δ > 1/2, or M = 3 and ε > 0, or M = 4, ε > 0 and δ = 0,
    then p_e*(T) > p_e*. (The theorem's header, 'for an invertible T', excludes its own case.)
    """
    size = len(channel)
    dominant = counting.diagonal(size, k, delta) > Q(1, 2)
    small = k > 1 and (size == 3 or (size == 4 and delta == 0))
    assume(not is_invertible(channel), dominant or small)
    return costs_something(channel, k, delta)


@ours("Theorem 2, statement 6")
@certified()
def singular_channel_may_cost_nothing() -> Finding:
    """The hypotheses of statement 6 are needed: a singular optimal release for M = 4, k = 11/10,
    δ = 1/10, used as the channel, costs nothing: send the count as it is.
    """
    k, delta = Q(11, 10), Q(1, 10)
    channel = optimum_with_kernel(4, k, delta, [1, -2, 2, -1])
    return all_of(equal(fmpq_matrix(channel).det(), 0), costs_nothing(channel.tolist(), k, delta))


@published("Theorem 2, the header and statement 6")
@refuted(channel=[[Q(1, 2), Q(1, 2)], [Q(1, 2), Q(1, 2)]])
def every_statement_is_for_an_invertible_channel(channel: Any) -> Finding:
    """'For an invertible T, the following statements hold': a channel to which statement 6 applies
    is invertible.
    """
    return equal(is_invertible(channel), True)


@repairs(every_statement_is_for_an_invertible_channel)
@certified(cases=[dict(channel=[[Q(1, 2), Q(1, 2)], [Q(1, 2), Q(1, 2)]])])
def sixth_statement_is_for_a_singular_channel(channel: Any) -> Finding:
    """Statements 1 to 5 are for an invertible T, statement 6 for a singular one, where it holds."""
    return all_of(equal(is_invertible(channel), False), costs_something(channel, Q(2), Q(0)))


@published("Corollary 2.1", formula=channels.cone_coordinates)
@certified(channel=generators.doubly_stochastic(2, 5), examples=TRIALS)
def doubly_stochastic_channel_costs_nothing_at_high_privacy(
    coordinates: Callable[..., Any], channel: Any
) -> Finding:
    """For an invertible doubly stochastic T the utility can be preserved at high privacy: 1ᵀ T = 1ᵀ
    gives 1ᵀ T⁻¹ = 1ᵀ > 0, so statement 3 applies.
    """
    assume(is_invertible(channel))
    return all_of(
        equal(list(coordinates(channel)), [Q(1)] * len(channel)),
        channel_with_one_inside_the_cone_costs_nothing_at_high_privacy(coordinates, channel),
    )


@published("Corollary 2.1, the reason given")
@refuted(channel=PAPER)
def unit_row_sums_of_the_inverse_suffice(channel: Any) -> Finding:
    """'It follows … since T⁻¹ 1 = 1 > 0': an invertible stochastic T with T⁻¹ 1 = 1 costs nothing
    at ε = δ = 0, the limit of high privacy. (T⁻¹ 1 = 1 holds for every invertible stochastic T.)
    """
    assume(is_invertible(channel))
    rows = fmpq_matrix(matrix(channel)).inv().tolist()
    assume(all(sum(row) == 1 for row in rows))
    return costs_nothing(channel, Q(1), Q(0))


@repairs(unit_row_sums_of_the_inverse_suffice)
@certified(channel=generators.channels(2, 4), examples=TRIALS)
def unit_column_sums_of_the_inverse_suffice(channel: Any) -> Finding:
    """What is needed are column sums: with 1ᵀ T⁻¹ = 1ᵀ, or any positive 1ᵀ T⁻¹, an invertible T
    costs nothing at ε = δ = 0. The corollary follows from statement 3, not from statement 1.
    """
    assume(_inside_the_cone(channel))
    return costs_nothing(channel, Q(1), Q(0))
