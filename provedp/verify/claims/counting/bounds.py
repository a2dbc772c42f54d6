"""Section V: the upper bounds u₀ … u₃ and Proposition 1, as printed and repaired."""

from provedp.theory import channels, counting
from provedp.theory.channels.step_size import release_inverse
from provedp.theory.privacy import path_delta
from provedp.verify.claims.counting.channel import CYCLIC, bounds_from_above, is_invertible
from provedp.verify.claims.counting.instances import generators
from provedp.verify.claims.counting.instances.matrices import is_stochastic
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel.optimum import least_error_behind

BINARY: Any = [[Q(2, 3), Q(1, 3)], [Q(1, 3), Q(2, 3)]]


def bounds_above(error: Q, channel: Any, k: Q, delta: Q) -> Finding:
    """Find that a number is at least p_e*(T): at least what an exact primal point attains."""
    return bounds_from_above(error, least_error_behind(channel, k, delta))


def is_private_mechanism(mechanism: Any, channel: Any, k: Q, delta: Q) -> Finding:
    """Find that a matrix is stochastic and private behind the channel."""
    stochastic = is_stochastic(mechanism)
    if not stochastic.holds:
        return stochastic
    return all_of(
        stochastic,
        at_most(path_delta(product(mechanism, matrix(channel)), k), delta),
    )


@published(Source(COUNTING, "eq. (36)"), formula=channels.trivial_error)
@machine_checked("channels.sent_release_is_allowed")
@certified(**generators.ANY_CHANNEL)
def post_processing_bounds_the_error(error: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """p_e*(T) ≤ u₀(T) = 1 − γ(P* T): P* T is private, being P* post-processed."""
    release = counting.release_matrix(len(channel), k, delta)
    through = product(release, matrix(channel))
    return all_of(
        at_most(path_delta(through, k), delta),
        equal(error(channel, k, delta), 1 - min(through.diagonal())),
        bounds_above(error(channel, k, delta), channel, k, delta),
    )


@published(
    Source(COUNTING, "Section V", "the two forms of λ*"),
    formula=channels.mixing_weight_as_printed,
    defect=Defect.FALSE,
)
@machine_checked("refutations.quotient_exceeds_one")
@refuted(channel=BINARY, k=Q(3, 2), delta=Q(0))
def two_forms_of_the_mixing_weight_agree(weight: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """λ* = max{λ ∈ (0, 1] : λ P* T⁻¹ + (1 − λ) P* ≥ 0} equals the minimum of p*/(p* − [P* T⁻¹])
    over the entries with [P* T⁻¹]_ij < p*_ij: in particular that minimum is at most 1.
    """
    assume(is_invertible(channel))
    found = weight(channel, k, delta)
    mixed = channels.undisturbed(channel, k, delta)
    release = counting.release_matrix(len(channel), k, delta)
    return all_of(
        less(0, found), at_most(found, 1), at_most(0, found * mixed + (1 - found) * release)
    )


@repairs(two_forms_of_the_mixing_weight_agree, formula=channels.mixing_weight)
@certified(**generators.POSITIVE_CHANNEL)
def capped_mixing_weight_is_the_maximum(weight: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """λ* is the minimum of 1 and that quotient (an empty minimum being 1): it is in (0, 1], gives a
    mechanism, and no larger λ ≤ 1 does.
    """
    assume(is_invertible(channel))
    found = weight(channel, k, delta)
    holds = two_forms_of_the_mixing_weight_agree(weight, channel, k, delta)
    if found == 1:
        return holds
    more = found * Q(10001, 10000)
    mixed = channels.undisturbed(channel, k, delta)
    release = counting.release_matrix(len(channel), k, delta)
    return all_of(holds, less(min((more * mixed + (1 - more) * release).ravel()), 0))


@published(
    Source(COUNTING, "Proposition 1", "u₁ with λ* by the quotient"),
    Source(COUNTING, "eq. (47)", "u₁ with λ* by the quotient"),
    formula=channels.mixing_error_as_printed,
    defect=Defect.FALSE,
)
@machine_checked("refutations.first_upper_bound_fails")
@refuted(channel=[[Q(9, 10), Q(1, 10)], [Q(1, 10), Q(9, 10)]], k=Q(2), delta=Q(0))
def first_upper_bound_holds_with_the_printed_quotient(
    error: Formula, channel: Any, k: Q, delta: Q
) -> Finding:
    """u₁(T), with λ* computed by the printed quotient, is an upper bound on p_e*(T)."""
    assume(is_invertible(channel))
    return bounds_above(error(channel, k, delta), channel, k, delta)


@repairs(
    first_upper_bound_holds_with_the_printed_quotient,
    formula=channels.mixing_error,
)
@certified(**generators.POSITIVE_CHANNEL)
def first_upper_bound_holds(error: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """With λ* ≤ 1, u₁(T) is an upper bound on p_e*(T), at most u₀(T), and p_e* itself at λ* = 1."""
    holds = first_upper_bound_holds_with_the_printed_quotient(error, channel, k, delta)
    found = error(channel, k, delta)
    below = at_most(found, channels.trivial_error(channel, k, delta))
    if channels.mixing_weight(channel, k, delta) < 1:
        return all_of(holds, below)
    return all_of(holds, below, equal(found, counting.error(len(channel), k, delta)))


@published(Source(COUNTING, "eq. (37)"), formula=channels.mixing_matrix)
@certified(**generators.POSITIVE_CHANNEL)
def mixture_with_the_undone_channel_is_private(
    mixture: Formula, channel: Any, k: Q, delta: Q
) -> Finding:
    """G₁ is a mechanism, G₁ T is private, and u₁ = 1 − λ* γ(P*) − (1 − λ*) γ(P* T)."""
    assume(is_invertible(channel))
    found = mixture(channel, k, delta)
    share = channels.mixing_weight(channel, k, delta)
    error = share * counting.error(len(channel), k, delta) + (1 - share) * channels.trivial_error(
        channel, k, delta
    )
    private = is_private_mechanism(found, channel, k, delta)
    if not private.holds:
        return private
    return all_of(
        private,
        equal(counting.worst_case_error(product(found, matrix(channel))), error),
    )


@published(
    Source(COUNTING, "eq. (40)", "the superadditivity of γ"),
    Source(COUNTING, "eq. (44)", "the superadditivity of γ"),
)
@machine_checked("laws.least_diagonal_is_superadditive")
@proved(argued=())
def least_diagonal_is_superadditive() -> Finding:
    """γ(A + B) ≥ γ(A) + γ(B): each diagonal entry of the sum is at least the sum of the least ones,
    the least too.
    """
    a, b, least_a, least_b = sympy.symbols("a b least_a least_b", real=True)
    return entails([a >= least_a, b >= least_b], a + b >= least_a + least_b)


@published(
    Source(COUNTING, "eq. (38)"),
    Source(COUNTING, "eq. (39)"),
    Source(COUNTING, "eq. (42)"),
    formula=channels.spectral_matrix,
)
@certified(**generators.POSITIVE_CHANNEL)
def spectral_step_is_private(perturbed: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """G₂ = P* + θ* Tᵀ v vᵀ is a mechanism and G₂ T is private, for a direction v ⊥ 1 near the top
    singular vector. Invertibility of I + X plays no part.
    """
    assume(k > 1 or delta > 0)
    return is_private_mechanism(perturbed(channel, k, delta), channel, k, delta)


@published(Source(COUNTING, "eq. (39)"), formula=channels.spectral_step)
@certified(**generators.POSITIVE_CHANNEL)
def spectral_step_is_the_longest(step: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """θ* is the largest θ with (38) and (39): both hold at θ*, one fails just beyond it; and it is
    positive when all entries of T are.
    """
    assume(k > 1 or delta > 0, bool(channels.assignment_error(channel) < 1))
    v = matrix([channels.spectral_direction(channel)])
    image = product(v, matrix(channel))
    assume(any(image.ravel()))
    release = counting.release_matrix(len(channel), k, delta)
    lifted = product(release_inverse(len(channel), k, delta), image.T)
    found = step(channel, k, delta)
    lows = [
        min(
            (release + theta * product(image.T, v)).min(),
            (matrix(channel) + theta * product(lifted, image)).min(),
        )
        for theta in (found, found * Q(10001, 10000))
    ]
    return all_of(less(0, found), at_most(0, lows[0]), less(lows[1], 0))


@published(
    Source(COUNTING, "Section V", "'since P* is invertible', before eq. (40)"),
    formula=counting.release_matrix,
    defect=Defect.DEGENERATE,
)
@machine_checked("refutations.release_is_not_invertible")
@refuted(m=2, k=Q(1), delta=Q(0))
def release_is_invertible(release: Formula, m: int, k: Q, delta: Q) -> Finding:
    """P* is invertible 'according to Theorem 1', so that u = P*⁻¹ Tᵀ v and Q_T's P*⁻¹ exist for
    every ε ≥ 0 and δ ≥ 0.
    """
    return negation(equal(fmpq_matrix(release(m, k, delta)).det(), 0))


@repairs(release_is_invertible)
@machine_checked("invertible.release_is_invertible")
@certified(m=range(2, 12), k=(Q(1), Q(11, 10), Q(3)), delta=(Q(0), Q(1, 20)))
def release_is_invertible_unless_nothing_leaks(m: int, k: Q, delta: Q) -> Finding:
    """P* is invertible unless ε = δ = 0, the exception of Theorem 1, statement 1; u₂ and u₃ are not
    defined there. For M up to 11 here, in general by
    `canonical_release_is_positive_definite_at_every_size`.
    """
    assume(k > 1 or delta > 0)
    return release_is_invertible(counting.release_matrix, m, k, delta)


@published(Source(COUNTING, "Section V", "θ_R, before eq. (42)"), defect=Defect.DEGENERATE)
@refuted(channel=[[Q(1, 2), Q(1, 2)], [Q(1, 2), Q(1, 2)]], k=Q(2), delta=Q(0))
def some_step_is_too_long(channel: Any, k: Q, delta: Q) -> Finding:
    """For a positive T the step θ_R is finite, as θ* = θ_R and G₂ = P* + θ* Tᵀ v vᵀ need: an
    entry of (38) or of (39) falls along the direction v. (A minimum over the empty set is +∞ by
    the paper's convention, and G₂ is then ∞ · 0.)
    """
    assume(min(entry for row in channel for entry in row) > 0, k > 1 or delta > 0)
    table = matrix(channel)
    v = matrix([channels.spectral_direction(table)])
    image = product(v, table)
    lifted = product(release_inverse(len(table), k, delta), image.T)
    falls = [*product(image.T, v).ravel(), *product(lifted, image).ravel()]
    return less(min(falls), 0)


@repairs(some_step_is_too_long)
@certified(**generators.POSITIVE_CHANNEL)
def some_step_is_too_long_unless_the_image_vanishes(channel: Any, k: Q, delta: Q) -> Finding:
    """θ_R is finite unless Tᵀ v = 0, as for every v when T has rank one; then every step leaves
    P* as it is, and u₂ = u₀.
    """
    table = matrix(channel)
    assume(any(product(matrix([channels.spectral_direction(table)]), table).ravel()))
    return some_step_is_too_long(channel, k, delta)


@published(
    Source(COUNTING, "eq. (41)"), Source(COUNTING, "Proposition 1"), formula=channels.spectral_error
)
@certified(**generators.POSITIVE_CHANNEL)
def second_upper_bound_holds(error: Formula, channel: Any, k: Q, delta: Q) -> Finding:
    """u₂(T) is an upper bound on p_e*(T), at most u₀(T), for (ε, δ) ≠ (0, 0)."""
    assume(k > 1 or delta > 0)
    found = error(channel, k, delta)
    return all_of(
        bounds_above(found, channel, k, delta),
        at_most(found, channels.trivial_error(channel, k, delta)),
    )


@ours(Source(COUNTING, "eq. (42)", "the choice of v"), formula=channels.spectral_error)
@certified()
def second_upper_bound_depends_on_the_direction(error: Formula) -> Finding:
    """u₂ is not a function of T alone: for circ(1/2, 1/4, 1/4) and k = 2 the largest singular value
    is double, and two of its vectors give 5/8 and 19/32.
    """
    k, delta = Q(2), Q(0)
    return all_of(
        equal(error(CYCLIC, k, delta, [Q(1), Q(0), Q(-1)]), Q(5, 8)),
        equal(error(CYCLIC, k, delta, [Q(1), Q(-2), Q(1)]), Q(19, 32)),
    )


@ours(
    Source(COUNTING, "Section V", "before the first bound: 'outperform', read strictly"),
    formula=channels.spectral_error,
)
@refuted(channel=CYCLIC, k=Q(2), delta=Q(0), direction=[Q(1), Q(0), Q(-1)])
def second_upper_bound_outperforms_the_trivial_one(
    error: Formula, channel: Any, k: Q, delta: Q, direction: Any
) -> Finding:
    """The three bounds 'outperform the trivial bound if T is invertible or has positive entries',
    read strictly: u₂(T) < u₀(T) for a T with positive entries. (What the paper derives is u₂ ≤ u₀:
    `upper_bounds_do_not_exceed_the_trivial_one`.)
    """
    assume(min(entry for row in channel for entry in row) > 0)
    return less(error(channel, k, delta, direction), channels.trivial_error(channel, k, delta))


@published(
    Source(COUNTING, "eq. (37)", "below it: u₁ ≤ u₀"),
    Source(COUNTING, "eq. (42)", "below it: u₂ ≤ u₀"),
    Source(COUNTING, "eq. (46)", "below it: u₃ ≤ u₀"),
)
@certified(
    cases=[
        dict(channel=CYCLIC, k=k, delta=delta, direction=direction)
        for k in (Q(3, 2), Q(2), Q(3))
        for delta in (Q(0), Q(1, 20))
        for direction in ([Q(1), Q(0), Q(-1)], [Q(1), Q(-2), Q(1)])
    ]
)
def upper_bounds_do_not_exceed_the_trivial_one(
    channel: Any, k: Q, delta: Q, direction: Any
) -> Finding:
    """None of u₁, u₂, u₃ exceeds u₀ (with λ*, β* ≤ 1), here for a T where equality occurs."""
    trivial = channels.trivial_error(channel, k, delta)
    return all_of(
        at_most(channels.spectral_error(channel, k, delta, direction), trivial),
        at_most(channels.mixing_error(channel, k, delta), trivial),
        at_most(channels.assignment_mixing_error(channel, k, delta), trivial),
    )
