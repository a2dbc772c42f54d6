"""Theorem 2, statements 5 and 6: circulant channels and singular ones."""

from provedp.theory import channels, counting
from provedp.verify.claims.counting.channel import costs_nothing, costs_something, is_invertible
from provedp.verify.claims.counting.instances import generators
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel.optimum import least_error_behind
from provedp.verify.solvers.channel.singular import optimum_with_kernel


def circulant(*first_row: Q) -> Any:
    """Return the circulant channel with this first row."""
    size = len(first_row)
    return [[first_row[(j - i) % size] for j in range(size)] for i in range(size)]


def with_signs_exchanged(channel: Any, k: Q, delta: Q) -> Any:
    """Return −P* T⁻¹."""
    return -channels.undisturbed(channel, k, delta)


@published(
    Source(COUNTING, "Theorem 2", "statement 5"),
    formula=channels.undisturbed,
    mutants=(with_signs_exchanged,),
)
@machine_checked("circulants.circulant_channel_costs_nothing_iff_undone")
@certified(channel=generators.circulants(3, 5), k=generators.ratios(), examples=generators.TRIALS)
def circulant_channel_costs_nothing_iff_undone(undisturbed: Formula, channel: Any, k: Q) -> Finding:
    """For an invertible circulant T, δ = 0 and every ε ≥ 0, p_e*(T) = p_e* if and only if P* T⁻¹ ≥
    0: all optimal releases share a middle row, where a negative entry would appear. (At ε = 0 the
    optimum is unique, and P* T⁻¹ = P*.)
    """
    assume(is_invertible(channel))
    undone = undisturbed(channel, k, Q(0))
    canonical = counting.release_matrix(len(channel), k, Q(0))
    leads = equal(product(undone, matrix(channel)), canonical)
    costs = costs_nothing if min(undone.ravel()) >= 0 else costs_something
    return all_of(leads, costs(channel, k, Q(0)))


@ours(Source(COUNTING, "Theorem 2", "statement 5"))
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


@published(Source(COUNTING, "Theorem 2", "statement 6"))
@machine_checked("ranks.singular_channel_costs")
@certified(
    channel=generators.singular_channels(3, 4),
    k=generators.ratios(),
    delta=generators.slacks(),
    examples=generators.TRIALS,
)
def singular_channel_costs(channel: Any, k: Q, delta: Q) -> Finding:
    """If T is singular, and (1 − δ) α_M + δ > 1/2, or M = 3 and ε > 0, or M = 4, ε > 0 and δ = 0,
    then p_e*(T) > p_e*. (The theorem's header, 'for an invertible T', excludes its own case.)
    """
    size = len(channel)
    dominant = counting.diagonal(size, k, delta) > Q(1, 2)
    small = k > 1 and (size == 3 or (size == 4 and delta == 0))
    assume(not is_invertible(channel), bool(dominant) or small)
    return costs_something(channel, k, delta)


@ours(Source(COUNTING, "Theorem 2", "statement 6"))
@certified()
def singular_channel_may_cost_nothing() -> Finding:
    """The hypotheses of statement 6 are needed: a singular optimal release for M = 4, k = 11/10,
    δ = 1/10, used as the channel, costs nothing: send the count as it is.
    """
    k, delta = Q(11, 10), Q(1, 10)
    channel = optimum_with_kernel(4, k, delta, [1, -2, 2, -1])
    return all_of(equal(fmpq_matrix(channel).det(), 0), costs_nothing(channel.tolist(), k, delta))


@published(Source(COUNTING, "Theorem 2", "the header and statement 6"), defect=Defect.MISPRINT)
@machine_checked("refutations.singular_channel_is_not_invertible")
@refuted(channel=[[Q(1, 2), Q(1, 2)], [Q(1, 2), Q(1, 2)]])
def every_statement_is_for_an_invertible_channel(channel: Any) -> Finding:
    """'For an invertible T, the following statements hold': a channel to which statement 6 applies
    is invertible. (The header only; statement 6 says 'if T is singular' itself.)
    """
    return holds(is_invertible(channel), "the channel is invertible")


@repairs(every_statement_is_for_an_invertible_channel)
@certified(cases=[dict(channel=[[Q(1, 2), Q(1, 2)], [Q(1, 2), Q(1, 2)]])])
def sixth_statement_is_for_a_singular_channel(channel: Any) -> Finding:
    """Statements 1 to 5 are for an invertible T, statement 6 for a singular one, where it holds."""
    return all_of(
        holds(not is_invertible(channel), "the channel is singular"),
        costs_something(channel, Q(2), Q(0)),
    )
