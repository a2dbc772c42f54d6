"""What the mechanisms for a count rely on: why their releases are private."""

import functools
import itertools
from collections.abc import Callable

from provedp.mechanisms.counting import BehindChannel
from provedp.theory import counting, privacy
from provedp.verify.claims.counting.channel import bounds_from_above
from provedp.verify.claims.counting.instances import generators
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel.optimum import least_error_behind

EVENTS = "at δ = 0 the constraint of an event is the sum of those of its outcomes"
MATRIX = "the law for a count has these entries, by |i − j| and whether j is at an end"
K = 1 + sympy.Symbol("s", nonnegative=True)  # e^ε, or its square root
GAP = sympy.Symbol("d", integer=True, positive=True)


def _entries_are_close(entry: Callable[[Any], Any], ratio: Any) -> Finding:
    """Find that entries at gaps that differ by one are within `ratio`, both ways, at every gap."""
    first, later = [(0, 1), (1, 0)], [(GAP, GAP + 1), (GAP + 1, GAP)]
    within = [[at_most(entry(b), ratio * entry(a)) for a, b in pairs] for pairs in (first, later)]
    return all_of(base_case(*within[0]), *within[1])


def _entries_sum_to_one(entry: Callable[..., Any]) -> Finding:
    """Find that the entries of a law sum to one: an end at gap d has those beyond d − 1.

    So the entry of an end is that of the gap and of an end one farther, and an entry at gap 0 and
    two ends at gap 1 are everything.
    """
    farther = equal(entry(GAP, at_end=True), entry(GAP, at_end=False) + entry(GAP + 1, at_end=True))
    whole = entry(0, at_end=False) + 2 * entry(1, at_end=True)
    return all_of(farther, base_case(equal(whole, 1)))


@ours(Source(COUNTING, "eq. (2)"), Source(None, "BehindChannel"), formula=privacy.hockey_stick)
@machine_checked(
    "privacy.event_gap_le_hockey_stick",
    "privacy.hockey_stick_is_attained",
    "privacy.close_iff_hockey_stick",
)
@proved(argued=("induction on the number of outcomes; the closed form is compared for three",))
def behind_channel_release_is_private(divergence: Formula) -> Finding:
    """A release through a channel is (ln k, δ)-private if E_k(row a ‖ row b) ≤ δ for all
    neighbouring rows of P T, which `BehindChannel` checks exactly before it releases anything. The
    largest p(U) − k q(U) over all events is the sum of the positive parts: true without outcomes,
    and one more outcome j changes the largest value W to max(W, W + p_j − k q_j) = W + (p_j − k
    q_j)⁺.
    """
    return _events_are_bounded_by_the_divergence(divergence)


def _events_are_bounded_by_the_divergence(divergence: Formula) -> Finding:
    """Find that E_k is the largest p(U) − k q(U), by one more outcome and for three of them."""
    largest, change = sympy.symbols("W d", real=True)
    step = sympy.Eq(sympy.Max(largest, largest + change), largest + sympy.Max(change, 0))
    p, q = sympy.symbols("p1:4", real=True), sympy.symbols("q1:4", real=True)
    k = sympy.Symbol("k", positive=True)
    events = itertools.product((0, 1), repeat=3)
    worst = sympy.Max(
        *(sum(chosen * (a - k * b) for chosen, a, b in zip(e, p, q, strict=True)) for e in events)
    )
    inside = [k >= 1, *(entry >= 0 for entry in (*p, *q))]
    inside += [sympy.Eq(sum(p), 1), sympy.Eq(sum(q), 1)]
    return all_of(entails([], step), entails(inside, sympy.Eq(divergence(p, q, k), worst)))


@ours(Source(None, "MatrixRelease"), formula=privacy.hockey_stick)
@machine_checked(
    "privacy.event_gap_le_hockey_stick",
    "privacy.hockey_stick_is_attained",
    "privacy.close_iff_hockey_stick",
)
@proved(argued=("induction on the number of outcomes; the closed form is compared for three",))
def matrix_release_is_private(divergence: Formula) -> Finding:
    """A release by a matrix is (ln k, δ)-private for neighbours that edges join if E_k(row a ‖ row
    b) ≤ δ for all of them, in both orders, which `MatrixRelease` checks exactly before it releases
    anything: no event has p(U) − k q(U) above it.
    """
    return _events_are_bounded_by_the_divergence(divergence)


@ours(Source(COUNTING, "Section V"), Source(None, "BehindChannel"))
@certified(**generators.ANY_CHANNEL)
def behind_channel_release_is_near_the_optimum(channel: Any, k: Q, delta: Q) -> Finding:
    """The closed forms that `BehindChannel` chooses from give a private release, never better than
    the optimum and never worse than P* sent through the channel.
    """
    mechanism = BehindChannel(channel, f"ln({k})", delta)
    through = mechanism.end_to_end()
    best = least_error_behind(channel, k, delta)
    canonical = counting.release_matrix(len(channel), k, delta)
    trivial = 1 - min((canonical @ mechanism.channel).diagonal())
    return all_of(
        at_most(privacy.path_delta(through, k), delta),
        bounds_from_above(mechanism.worst_case_error, best),
        at_most(mechanism.worst_case_error, trivial),
    )


@ours(Source(None, "TruncatedGeometric"), formula=counting.geometric_entry)
@machine_checked("peers.truncated_geometric_is_private")
@proved(argued=(EVENTS, MATRIX))
def truncated_geometric_is_private(entry: Formula) -> Finding:
    """Two-sided geometric noise, moved to the nearest count, is (ln k, 0)-private for every M: from
    one count to the next every |i − j| changes by one, and every entry by a factor k at most; and
    the entries of every law sum to one.
    """
    return all_of(
        *(_entries_are_close(functools.partial(entry, K, at_end=end), K) for end in (False, True)),
        _entries_sum_to_one(functools.partial(entry, K)),
    )


@ours(Source(None, "RandomizedResponse"), formula=counting.response_entry)
@machine_checked("peers.randomized_response_is_private")
@proved(argued=(EVENTS,))
def randomized_response_is_private(entry: Formula) -> Finding:
    """Randomised response is (ln k, 0)-private for every M and any two counts: an entry is one of
    two numbers with ratio k, and k + (M − 1) of the smaller one make a row.
    """
    m = sympy.Symbol("m", integer=True, positive=True)
    same, other = (entry(m, K, flag) for flag in (True, False))
    return all_of(equal(same, K * other), equal(same + (m - 1) * other, 1))


def laplace_of_half_the_scale(r: Any, gap: Any, at_end: bool) -> Any:
    """Return the entry for noise of scale 1/(2ε)."""
    return counting.laplace_entry(r**2, gap, at_end)


@ours(
    Source(None, "RoundedLaplace"),
    formula=counting.laplace_entry,
    mutants=(laplace_of_half_the_scale,),
)
@machine_checked("peers.rounded_laplace_is_private")
@proved(argued=(EVENTS, MATRIX))
def rounded_laplace_is_private(entry: Formula) -> Finding:
    """Laplace noise of scale 1/ε, moved to the nearest count, is (ε, 0)-private for every M: with
    r = e^(ε/2), every entry changes by a factor r² at most when |i − j| changes by one; and the
    entries of every law sum to one.
    """
    return all_of(
        *(
            _entries_are_close(functools.partial(entry, K, at_end=end), K**2)
            for end in (False, True)
        ),
        _entries_sum_to_one(functools.partial(entry, K)),
    )


def weight_without_the_half(r: Any, gap: Any) -> Any:
    """Return r^(−2 gap): the exponential mechanism without the factor 1/2 in its exponent."""
    return r ** (-2 * gap)


@ours(
    Source(None, "ExponentialMechanism"),
    formula=counting.exponential_weight,
    mutants=(weight_without_the_half,),
)
@machine_checked("peers.exponential_mechanism_is_private")
@proved(argued=(EVENTS, "a sum of weights that change by a factor r at most does so too"))
def exponential_mechanism_is_private(weight: Formula) -> Finding:
    """The exponential mechanism with utility −|i − j| is (ε, 0)-private for every M: with r =
    e^(ε/2), each weight changes by a factor r at most, so their sum does too, and the quotient by
    r². (The weights fall from 1 at the count by the factor r exactly.)
    """
    a, b, total, other, r = sympy.symbols("a b total other r", real=True)
    inside = [r >= 1, b > 0, other > 0, total > 0, a <= r * b, other <= r * total]
    return all_of(
        _entries_are_close(functools.partial(weight, K), K),
        base_case(equal(weight(K, 0), 1)),
        equal(K * weight(K, GAP + 1), weight(K, GAP)),
        entails(inside, a / total <= r**2 * b / other),
    )


PEERS: dict[str, Callable[[int, Q], Matrix]] = {
    "truncated geometric": lambda m, r: counting.truncated_geometric_matrix(m, r**2),
    "randomised response": lambda m, r: counting.randomized_response_matrix(m, r**2),
    "rounded Laplace": counting.rounded_laplace_matrix,
    "exponential mechanism": counting.exponential_mechanism_matrix,
}


@ours(Source(None, "the mechanisms that P* is compared with"))
@certified(peer=tuple(PEERS), m=range(2, 9), r=(Q(1), Q(11, 10), Q(3, 2), Q(3)))
def peers_are_private_and_no_better(peer: str, m: int, r: Q) -> Finding:
    """Each peer's law for up to 8 counts is a stochastic matrix, (2 ln r, 0)-private, and errs at
    least as often as P* in the worst case; no release errs less often, by `error_is_optimal`.
    """
    law = PEERS[peer](m, r)
    return all_of(
        at_most(0, law),
        equal([sum(row, start=Q(0)) for row in law], [Q(1)] * m),
        equal(privacy.path_delta(law, r**2), 0),
        at_most(counting.error(m, r**2, Q(0)), counting.worst_case_error(law)),
    )


@ours(Source(None, "the mechanisms that P* is compared with"))
@certified(m=range(4, 30), r=(Q(11, 10), Q(3, 2), Q(3)))
def peers_are_strictly_worse_from_four_counts_on(m: int, r: Q) -> Finding:
    """For M = 4, …, 29 and ε > 0 all four err strictly more often than P* (for M ≤ 3 randomised
    response is P*); the truncated geometric errs with probability 2/(1 + k), the limit of p_e* for
    large M.
    """
    errors = [counting.worst_case_error(law(m, r)) for law in PEERS.values()]
    return all_of(
        less(counting.error(m, r**2, Q(0)), errors),
        equal(errors[0], counting.error_limit(r**2, Q(0))),
        equal(counting.randomized_response_matrix(3, r), counting.release_matrix(3, r, Q(0))),
    )
