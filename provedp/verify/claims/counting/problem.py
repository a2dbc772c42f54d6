"""The linear program behind the best consistent release (Sections II and III)."""

import itertools

from provedp.theory import counting, privacy
from provedp.verify.claims.counting.instances.generators import distributions, mechanisms, ratios
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel import programs as model


@published(Source(COUNTING, "eq. (2)"))
@machine_checked("guarantees.private_mechanisms_are_convex")
@proved(argued=())
def private_mechanisms_are_convex() -> Finding:
    """A mixture of two (ln k, δ)-private mechanisms is (ln k, δ)-private: each constraint of (2),
    x ≤ k y + δ for the probabilities x, y of an event under neighbouring counts, survives mixing,
    and so do p_ij ≥ 0 and rows of sum one.
    """
    a, b, c, d, k, delta, mix = sympy.symbols("a b c d k delta mix", real=True)
    keep = sympy.And(mix >= 0, mix <= 1)
    mixed = mix * a + (1 - mix) * c <= k * (mix * b + (1 - mix) * d) + delta
    return all_of(
        entails([a <= k * b + delta, c <= k * d + delta, keep], mixed),
        entails([a >= 0, c >= 0, keep], mix * a + (1 - mix) * c >= 0),
        entails([sympy.Eq(a, 1), sympy.Eq(c, 1), keep], sympy.Eq(mix * a + (1 - mix) * c, 1)),
    )


@published(Source(COUNTING, "eq. (2)"))
@machine_checked("laws.trivial_events_constrain_nothing")
@proved(argued=())
def trivial_events_constrain_nothing() -> Finding:
    """The events ∅ and {1, …, M} add no constraint to (2), so whether 'U ⊂ {1, …, M}' is meant
    strictly does not matter: 0 ≤ δ and 1 ≤ k + δ.
    """
    k, delta = sympy.symbols("k delta", real=True)
    allowed = [k >= 1, delta >= 0]
    return all_of(entails(allowed, 0 <= k * 0 + delta), entails(allowed, 1 <= k + delta))


@published(
    Source(COUNTING, "eq. (4)"), Source(COUNTING, "eq. (5)"), formula=counting.worst_case_error
)
@certified(mechanism=mechanisms(2, 5))
def worst_input_is_the_least_diagonal_entry(error: Any, mechanism: Any) -> Finding:
    """The error that the worst input distribution makes is 1 − γ(P): none of M distributions over
    the counts (the rows of P, drawn at random) makes more, and the one at the least diagonal entry
    makes as much.
    """
    found = error(mechanism)
    diagonal = [row[i] for i, row in enumerate(mechanism)]
    under = [1 - sum(w * p for w, p in zip(inputs, diagonal, strict=True)) for inputs in mechanism]
    return all_of(at_most(under, found), equal(found, 1 - min(diagonal)))


@published(Source(COUNTING, "eq. (4)"), Source(COUNTING, "eq. (5)"))
@machine_checked("laws.no_input_makes_more_errors")
@proved(argued=("induction on the number of counts that are summed",))
def no_input_makes_more_errors_at_every_size() -> Finding:
    """Σ_i w_i p_ii ≥ γ(P) Σ_i w_i for weights w_i ≥ 0, one count more at a time, so that no input
    distribution errs with probability above 1 − γ(P); all weight on one count i errs with 1 − p_ii.
    """
    w, p, least, mass, partial = sympy.symbols("w p gamma W S", real=True)
    more = [w >= 0, p >= least, partial >= least * mass]
    return all_of(
        entails(more, partial + w * p >= least * (mass + w)),
        entails([sympy.Eq(mass, 1), partial >= least * mass], 1 - partial <= 1 - least),
        entails([sympy.Eq(w, 1), sympy.Eq(p, least)], sympy.Eq(1 - w * p, 1 - least)),
    )


@published(Source(COUNTING, "eq. (6)"), formula=counting.error)
@certified(
    cases=[
        dict(m=m, k=k, delta=delta)
        for m in (2, 3, 4)
        for k in (Q(1), Q(3, 2), Q(3))
        for delta in (Q(0), Q(1, 20), Q(1, 2))
    ]
)
def program_with_all_events_has_the_stated_optimum(error: Any, m: int, k: Q, delta: Q) -> Finding:
    """The linear program (6) with its 2(M − 1)2^M event constraints has the value 1 − p_e*: an
    exactly feasible primal and an exactly feasible dual point meet there.
    """
    optimum = model.solve_with_all_events(m, k, delta)
    return equal(error(m, k, delta), 1 - optimum.value)


@published(
    Source(COUNTING, "Theorem 1", "proof: the reduction of 2(M−1)2^M constraints"),
    formula=privacy.hockey_stick,
)
@machine_checked("laws.events_reduce_to_positive_parts")
@certified(pair=distributions(2, 7), k=ratios())
def events_reduce_to_positive_parts(divergence: Any, pair: Any, k: Q) -> Finding:
    """The largest of p(U) − k q(U) over all 2^M events U is Σ_j (p_j − k q_j)⁺, so that the 2^M
    constraints of a pair of neighbours are one.
    """
    p, q = pair
    indices = range(len(p))
    events = itertools.chain.from_iterable(
        itertools.combinations(indices, size) for size in range(len(p) + 1)
    )
    worst = max(sum((p[j] - k * q[j] for j in event), start=Q(0)) for event in events)
    return equal(divergence(p, q, k), worst)


@published(Source(COUNTING, "Theorem 1", "proof: the reduction of 2(M−1)2^M constraints"))
@certified(m=range(2, 6))
def constraint_counts_are_as_stated(m: int) -> Finding:
    """For M = 2, …, 5 the events give 2(M − 1)2^M constraints, the positive parts with their
    auxiliary variables 2(M − 1)(2M + 1): per ordered pair of neighbours M bounds s_j ≥ p_j − k q_j,
    M bounds s_j ≥ 0 and one Σ s_j ≤ δ.
    """
    return all_of(
        equal(model.count_event_constraints(m), 2 * (m - 1) * 2**m),
        equal(model.count_reduced_constraints(m), 2 * (m - 1) * (2 * m + 1)),
    )


@ours(
    Source(COUNTING, "Theorem 1", "proof: the reduction of 2(M−1)2^M constraints"),
    formula=privacy.path_delta,
)
@certified(mechanism=mechanisms(2, 5), k=ratios())
def neighbouring_rows_suffice(path_delta: Any, mechanism: Any, k: Q) -> Finding:
    """The least δ of a mechanism on counts is the largest divergence E_k over neighbouring rows,
    in both orders.
    """
    divergences = [
        privacy.hockey_stick(mechanism[a], mechanism[b], k)
        for a, b in itertools.permutations(range(len(mechanism)), 2)
        if abs(a - b) == 1
    ]
    found = path_delta(mechanism, k)
    return all_of(at_most(divergences, found), equal(found, max(divergences)))
