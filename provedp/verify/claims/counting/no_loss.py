"""Theorem 2 and Corollary 2.1: when a fixed channel costs nothing."""

from provedp.theory import channels, counting
from provedp.theory.matrices import identity
from provedp.theory.numbers import Field
from provedp.verify.claims.counting.channel import (
    BOUNDARY,
    PAPER,
    costs_nothing,
    costs_something,
    is_invertible,
)
from provedp.verify.claims.counting.instances import generators
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel.optimum import least_error_behind


def _inverse(channel: Any) -> Matrix:
    rows = fmpq_matrix(matrix(channel)).inv().tolist()
    return matrix([[Q(int(entry.p), int(entry.q)) for entry in row] for row in rows])


def _largest_change(channel: Any) -> Q:
    """Return ‖T⁻¹ − I‖_max."""
    change = _inverse(channel) - matrix(identity(len(channel), Field.RATIONAL))
    return Q(abs(change).max())


def without_a_threshold(channel: Any, k: Q, delta: Q) -> tuple[Q, Q]:
    """Put every channel below the threshold."""
    return Q(0), Q(1)


@published(
    Source(COUNTING, "Theorem 2", "statement 1"),
    Source(COUNTING, "eq. (25)"),
    Source(COUNTING, "eq. (26)"),
    formula=channels.loss_threshold,
    mutants=(without_a_threshold,),
)
@certified(**generators.ANY_CHANNEL)
def entry_below_the_threshold_costs(threshold: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """If an entry of P* T⁻¹ is below −R_M ‖T⁻¹‖₁, then p_e*(T) > p_e*."""
    assume(is_invertible(channel))
    least, bound = threshold(channel, k, delta)
    assume(least < bound)
    size, undo = len(channel), _inverse(channel)
    norm = max(sum(abs(entry) for entry in column) for column in undo.T)
    return all_of(
        equal(least, product(counting.release_matrix(size, k, delta), undo).min()),
        equal(bound, -counting.radius_upper(size, k, delta) * norm),
        costs_something(channel, k, delta),
    )


def without_a_condition(channel: Any, k: Q, delta: Q) -> Q:
    """Accept every channel, in the place of a margin."""
    return Q(1)


@published(
    Source(COUNTING, "Theorem 2", "statement 2"),
    Source(COUNTING, "eq. (27)"),
    formula=channels.no_loss_margin_by_rows,
    mutants=(without_a_condition,),
)
@certified(**generators.NEAR_IDENTITY)
def channel_near_the_identity_by_rows_costs_nothing(
    margin: Formula, channel: Any, k: Q, delta: Q
) -> Finding:
    """If ‖T⁻¹ − I‖_∞ ≤ (1 − δ) α_M k^(−⌊M/2⌋), the least entry of P*, then p_e*(T) = p_e*."""
    assume(is_invertible(channel))
    found = margin(channel, k, delta)
    assume(found >= 0)
    size = len(channel)
    change = _inverse(channel) - matrix(identity(size, Field.RATIONAL))
    norm = max(sum(abs(entry) for entry in row) for row in change)
    allowed = counting.release_matrix(size, k, delta).min()
    return all_of(equal(found, allowed - norm), costs_nothing(channel, k, delta))


@published(
    Source(COUNTING, "Theorem 2", "statement 2"),
    Source(COUNTING, "eq. (28)"),
    formula=channels.no_loss_margin_by_entries,
    mutants=(without_a_condition,),
)
@certified(**generators.NEAR_IDENTITY)
def channel_near_the_identity_by_entries_costs_nothing(
    margin: Formula, channel: Any, k: Q, delta: Q
) -> Finding:
    """If ‖T⁻¹ − I‖_max ≤ (1 − δ) α_M k^(−⌊M/2⌋) / (M((1 − δ) α_M + δ)), the least entry of P* over
    M times the largest, then p_e*(T) = p_e*.
    """
    assume(is_invertible(channel))
    found = margin(channel, k, delta)
    assume(found >= 0)
    release = counting.release_matrix(len(channel), k, delta)
    allowed = release.min() / (len(channel) * release.max())
    return all_of(
        equal(found, allowed - _largest_change(channel)), costs_nothing(channel, k, delta)
    )


@ours(
    Source(COUNTING, "Theorem 2", "statement 2"),
    Source(COUNTING, "eq. (27)"),
    Source(COUNTING, "eq. (28)"),
    formula=channels.no_loss_margin,
    mutants=(without_a_condition,),
)
@certified(**generators.NEAR_IDENTITY)
def largest_entry_of_the_difference_decides(
    margin: Formula, channel: Any, k: Q, delta: Q
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
    allowed = counting.release_matrix(len(channel), k, delta).min()
    implied = all_of(at_most(printed, best), equal(best, allowed - _largest_change(channel)))
    return all_of(implied, costs_nothing(channel, k, delta)) if best >= 0 else implied


@published(
    Source(COUNTING, "Theorem 2", "statement 3"),
    Source(COUNTING, "eq. (29)"),
    formula=channels.cone_coordinates,
)
@certified(channel=generators.channels(2, 4), examples=generators.TRIALS)
def channel_with_one_inside_the_cone_is_free_at_high_privacy(
    coordinates: Formula, channel: Any
) -> Finding:
    """If 1ᵀ is a combination of the rows of T with positive weights only, there are ε₀, δ₀ > 0
    below which p_e*(T) = p_e*. With s the least weight, n = ‖T⁻¹‖_max and c = s/(M² n): P* T⁻¹ ≥ 0
    on the whole box ε ≤ ln(1 + c/4), δ ≤ c/4, by ball arithmetic, and at its corner an exact
    program has the value p_e*.
    """
    assume(is_invertible(channel))
    least = min(coordinates(channel))
    assume(least > 0)
    size = len(channel)
    inverse = channels.undisturbed(channel, Q(1), Q(0))  # J T⁻¹ / M: rows of weights over M
    largest = max(abs(entry) for entry in fmpq_matrix(matrix(channel)).inv().entries())
    reach = least / (4 * size**2 * Q(int(largest.p), int(largest.q)))
    box = arb(1).union(ball(1 + reach)), arb(0).union(ball(reach))
    return all_of(
        equal(list(inverse[0]), [weight / size for weight in coordinates(channel)]),
        at_most(0, channels.undisturbed(matrix(channel), *box)),
        costs_nothing(channel, 1 + reach, reach),
    )


@published(
    Source(COUNTING, "Theorem 2", "statement 4"),
    Source(COUNTING, "eq. (29)"),
    formula=channels.cone_coordinates,
)
@certified(channel=generators.channels(2, 4), examples=generators.TRIALS)
def channel_with_one_outside_the_cone_costs_at_every_high_privacy(
    coordinates: Formula, channel: Any
) -> Finding:
    """If 1ᵀ is outside the cone of the rows of T, p_e*(T) > p_e* at (0, 0), so (29) holds for no
    ε₀, δ₀ > 0. The weights λ of 1ᵀ = Σ λ_i t_i, one of them negative, are unique; they are M times
    a row of J T⁻¹/M, the only matrix that leads to the only optimal release.
    """
    assume(is_invertible(channel))
    weights = coordinates(channel)
    assume(min(weights) < 0)
    return all_of(
        equal(list(product(matrix([weights]), matrix(channel))[0]), [Q(1)] * len(channel)),
        costs_something(channel, Q(1), Q(0)),
    )


@ours(Source(COUNTING, "Theorem 2", "statement 4"))
@certified(k=(Q(1), Q(1001, 1000), Q(11, 10), Q(2)))
def loss_outside_the_cone_is_not_only_at_zero(k: Q) -> Finding:
    """The paper's proof of statement 4 shows a loss at ε = δ = 0 alone; both sides are continuous
    there, so the loss extends: the paper's own T costs 24/35 − 2/3 at (0, 0) and something at
    every k tried.
    """
    zero = least_error_behind(PAPER, Q(1), Q(0))
    return all_of(equal(zero.lower, zero.upper, Q(24, 35)), costs_something(PAPER, k, Q(0)))


@ours(Source(COUNTING, "Theorem 2", "statements 3 and 4"))
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


@published(
    Source(COUNTING, "Corollary 2.1"),
    formula=channels.cone_coordinates,
)
@certified(channel=generators.doubly_stochastic(2, 5), examples=generators.TRIALS)
def doubly_stochastic_channel_costs_nothing_at_high_privacy(
    coordinates: Formula, channel: Any
) -> Finding:
    """For an invertible doubly stochastic T the utility can be preserved at high privacy: 1ᵀ T = 1ᵀ
    gives 1ᵀ T⁻¹ = 1ᵀ > 0, so statement 3 applies.
    """
    assume(is_invertible(channel))
    return all_of(
        equal(list(coordinates(channel)), [Q(1)] * len(channel)),
        channel_with_one_inside_the_cone_is_free_at_high_privacy(coordinates, channel),
    )


@published(Source(COUNTING, "Corollary 2.1", "the reason given"), defect=Defect.GAP)
@machine_checked("refutations.unit_row_sums_of_the_inverse_do_not_suffice")
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
@certified(channel=generators.channels(2, 4), examples=generators.TRIALS)
def unit_column_sums_of_the_inverse_suffice(channel: Any) -> Finding:
    """What is needed are column sums: with 1ᵀ T⁻¹ = 1ᵀ, or any positive 1ᵀ T⁻¹, an invertible T
    costs nothing at ε = δ = 0. The corollary follows from statement 3, not from statement 1.
    """
    assume(is_invertible(channel))
    assume(min(channels.cone_coordinates(channel)) > 0)
    return costs_nothing(channel, Q(1), Q(0))
