"""Section V: the mixture with the assignment (u₃) and Proposition 1, as printed and repaired."""

from provedp.theory import channels, counting
from provedp.theory.channels import step_size
from provedp.theory.matrices import identity
from provedp.theory.numbers import Field
from provedp.verify.claims.counting.assignment import third_error
from provedp.verify.claims.counting.bounds import BINARY, bounds_above, is_private_mechanism
from provedp.verify.claims.counting.channel import bounds_from_above, bounds_from_below
from provedp.verify.claims.counting.instances import generators
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel.optimum import least_error_behind


@published(
    Source(COUNTING, "eq. (46)"),
    formula=channels.assignment_mixing_matrix_as_printed,
    defect=Defect.FALSE,
)
@machine_checked("refutations.mixture_with_the_assignment_is_no_mechanism")
@refuted(channel=BINARY, k=Q(3), delta=Q(0))
def mixture_with_the_assignment_is_a_mechanism(
    mixture: Formula, channel: Any, k: Q, delta: Q
) -> Finding:
    """G₃ = β* Q_T + (1 − β*) P* is a mechanism and G₃ T is private. (43) asks only that T₂ be
    stochastic, never that G₃ ≥ 0.
    """
    assume(k > 1 or delta > 0)
    return is_private_mechanism(mixture(channel, k, delta), channel, k, delta)


@repairs(mixture_with_the_assignment_is_a_mechanism, formula=channels.assignment_mixing_matrix)
@certified(**generators.POSITIVE_CHANNEL)
def capped_mixture_with_the_assignment_is_private(
    mixture: Formula, channel: Any, k: Q, delta: Q
) -> Finding:
    """With β* = min(1, β_R), and 1 for an empty minimum, G₃ is a mechanism and G₃ T is private;
    since P* > 0 and Q_T has zeros, no share above 1 would do.
    """
    return mixture_with_the_assignment_is_a_mechanism(mixture, channel, k, delta)


@published(
    Source(COUNTING, "Proposition 1", "u₃"),
    Source(COUNTING, "eq. (47)", "u₃"),
    formula=channels.assignment_mixing_error_as_printed,
    defect=Defect.FALSE,
)
@machine_checked("proposition.third_upper_bound_fails")
@refuted(channel=BINARY, k=Q(3), delta=Q(0))
def third_upper_bound_holds(error: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """u₃(T) is an upper bound on p_e*(T). (The paper defines the bar of 1 − β for β in [0, 1], but
    'the feasible set for β becomes [0, β_R]' and 'we set β* ≜ β_R', which is 2 here.)
    """
    assume(k > 1 or delta > 0)
    return bounds_above(error(channel, k, delta), channel, k, delta)


@repairs(third_upper_bound_holds, formula=channels.assignment_mixing_error)
@certified(**generators.POSITIVE_CHANNEL)
def capped_third_upper_bound_holds(error: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """With β* = min(1, β_R), u₃(T) is an upper bound on p_e*(T), at most u₀(T); and β_R ≥ 1 means
    that Q_T T is private, so that p_e*(T) = l(T) = u₃(T).
    """
    holds = third_upper_bound_holds(error, channel, k, delta)
    found = error(channel, k, delta)
    below = at_most(found, channels.trivial_error(channel, k, delta))
    if channels.assignment_mixing_weight(channel, k, delta) < 1:
        return all_of(holds, below)
    return all_of(holds, below, equal(found, channels.assignment_error(channel)))


@ours(
    Source(COUNTING, "Section V", "β*"),
    formula=channels.assignment_mixing_error_as_printed,
    mutants=(channels.assignment_mixing_error,),
)
@certified(m=range(2, 6), pair=((Q(3), Q(2)), (Q(2), Q(3, 2)), (Q(3, 2), Q(11, 10))))
def uncapped_third_bound_fails_for_every_small_size(
    error: Formula, m: int, pair: tuple[Q, Q]
) -> Finding:
    """The refutation is no accident of M = 2: for T = P* at k′ < k, the printed u₃, which is 1 −
    γ(G₃ T) with Q_T = I and β_R > 1, is below p_e*(T) for M = 2, …, 5.
    """
    k, channel_k = pair
    channel = counting.release_matrix(m, channel_k, Q(0)).tolist()
    found, unit = error(channel, k, Q(0)), matrix(identity(m, Field.RATIONAL))
    return all_of(
        less(found, least_error_behind(channel, k, Q(0)).lower),
        equal(found, third_error(matrix(channel), unit, k, Q(0), capped=False)),
    )


@published(
    Source(COUNTING, "eq. (43)"),
    Source(COUNTING, "eq. (45)"),
    formula=channels.assignment,
)
@certified(**generators.POSITIVE_CHANNEL)
def assignment_has_the_largest_diagonal(
    assignment: Formula, channel: Any, k: Q, delta: Q
) -> Finding:
    """γ(Q_T T) ≥ γ(P* T), entry by entry on the diagonal, which for Q_T T holds the largest entry
    of each column of T, so mixing towards Q_T does not lose.
    """
    table = matrix(channel)
    release = counting.release_matrix(len(channel), k, delta)
    best = product(assignment(channel), table).diagonal()
    return all_of(
        at_most(list(product(release, table).diagonal()), list(best)),
        equal(list(best), [max(column) for column in table.T]),
    )


@repairs(third_upper_bound_holds)
@certified(**generators.POSITIVE_CHANNEL)
def repaired_bounds_enclose_the_optimum(channel: Any, k: Q, delta: Q) -> Finding:
    """Proposition 1 put right: max{p_e*, l(T)} ≤ p_e*(T) ≤ min{u₁, u₂, u₃} with λ* and β* capped at
    1, wherever the bounds are defined: T invertible for u₁, (ε, δ) ≠ (0, 0) for u₂ and u₃.
    """
    found: dict[str, Any] = channels.bounds(channel, k, delta)
    upper: list[Any] = [found[n] for n in ("u1", "u2", "u3") if found[n] is not None]
    assume(bool(upper))
    best = least_error_behind(channel, k, delta)
    lower = max(counting.error(len(channel), k, delta), found["l"])
    return all_of(bounds_from_below(lower, best), *(bounds_from_above(u, best) for u in upper))


@published(
    Source(COUNTING, "Proposition 1", "'for a given T'"),
    formula=channels.assignment_mixing_weight_as_printed,
    defect=Defect.DEGENERATE,
)
@machine_checked("refutations.third_share_is_not_defined")
@refuted(channel=[[Q(1, 2), Q(1, 2)], [Q(1, 2), Q(1, 2)]], k=Q(2), delta=Q(0))
def third_share_is_defined(weight: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """β_R, the minimum of t_ij/c_ij over c_ij > 0, is a number for every positive T: the set is not
    empty. (No convention is given for β_R, unlike for θ_R.)
    """
    assume(min(entry for row in channel for entry in row) > 0, k > 1 or delta > 0)
    try:
        return less(0, weight(channel, k, delta))
    except step_size.UndefinedError:
        return holds(False, "the minimum is over a set with an element")


@repairs(third_share_is_defined, formula=channels.assignment_mixing_weight)
@certified(**generators.POSITIVE_CHANNEL)
def capped_third_share_is_defined(weight: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """min(1, β_R), 1 for an empty set, is defined and positive for every positive T and (ε, δ) ≠
    (0, 0); it is the largest share in [0, 1] that keeps T₂ ≥ 0.
    """
    defined = third_share_is_defined(weight, channel, k, delta)
    found = weight(channel, k, delta)
    table = matrix(channel)
    target = product(channels.assignment(channel), table)
    change = product(step_size.release_inverse(len(channel), k, delta), target) - table
    kept = at_most(0, table + found * change)
    if found == 1:
        return all_of(defined, kept)
    return all_of(defined, kept, less((table + found * Q(10001, 10000) * change).min(), 0))
