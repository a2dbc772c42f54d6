"""Certificates, the draws of P*, and other graphs than the path: for every size at once."""

from hypothesis import strategies as st

from provedp.theory import counting
from provedp.theory.numbers import rational
from provedp.verify.claims.counting.instances import generators
from provedp.verify.claims.prelude import *
from provedp.verify.solvers import check
from provedp.verify.solvers.channel.optimum import least_error_behind

EDGES = "check.py"
SLACKS = (Q(0), Q(1, 20), Q(1, 2))


def _pairs(m: int) -> list[tuple[int, int]]:
    """Return neighbouring counts, in both orders."""
    return [pair for a in range(1, m) for pair in ((a, a + 1), (a + 1, a))]


def _multipliers() -> st.SearchStrategy[Any]:
    """A channel, weights y, and a row of multipliers for each pair of neighbours, all at random."""
    rows = generators.mechanisms
    return st.integers(2, 4).flatmap(
        lambda m: st.tuples(
            rows(m, m),
            rows(m, m).map(lambda found: found[0]),
            st.tuples(*[rows(m, m).map(lambda found: found[0]) for _ in _pairs(m)]),
        )
    )


def _best(m: int, k: Q) -> tuple[list[Q], dict[tuple[int, int], list[Q]]]:
    """Return the dual point of P*: y_i for the entries of row i on the outer side, and on it."""
    y, middle = [rational(each) for each in counting.dual_weights(m, k)], (m + 1) // 2
    mu = {
        (a, b): [y[a - 1] if (j - a) * (a - b) >= 0 else Q(0) for j in range(1, m + 1)]
        for a, b in _pairs(m)
        if abs(b - middle) < abs(a - middle)
    }
    return y, mu


@ours(Source(COUNTING, "eq. (24)"), Source(None, EDGES), formula=check.check_dual)
@machine_checked(
    "certificates.multipliers_bound_every_release",
    "certificates.multipliers_bound_every_release_without_a_channel",
    "certificates.primal_point_is_allowed",
)
@certified(
    drawn=_multipliers(), k=generators.ratios(), delta=generators.slacks(), examples=levels(30, 300)
)
def multipliers_bound_every_release(bound: Formula, drawn: Any, k: Q, delta: Q) -> Finding:
    """What the checker of certificates computes is a bound: with y ≥ 0 of sum one, μ_abj ≥ 0 on
    neighbouring rows and g_ij = y_i [i = j] − Σ_b μ_ibj + k Σ_a μ_aij, every release P that is
    (ln k, δ)-private once through T errs with probability 1 − Σ_i max_l Σ_j T_lj g_ij − δ Σ_ab
    max_j μ_abj at least (without a channel T is the identity); and a P whose positive parts Σ_j
    (q_aj − k q_bj)⁺ are at most δ in Q = P T is such a release. With y and μ at random the bound is
    at most the optimum, and those of P* give its error.
    """
    channel, y, rows = drawn
    m = len(channel)
    loose = bound(y, dict(zip(_pairs(m), rows, strict=True)), k, delta, channel)
    return all_of(
        at_most(loose, least_error_behind(matrix(channel), k, delta).upper),
        equal(bound(*_best(m, k), k, delta), counting.error(m, k, delta)),
    )


@ours(Source(None, EDGES), formula=check.check_release_dual)
@machine_checked("certificates.multipliers_bound_every_loss")
@certified(
    drawn=_multipliers(), k=generators.ratios(), delta=generators.slacks(), examples=levels(60, 600)
)
def multipliers_bound_every_loss(bound: Formula, drawn: Any, k: Q, delta: Q) -> Finding:
    """So it is for any loss L, any neighbours and further rows r_n·P ≤ s_n: with c_ij = y_i L_ij +
    Σ_b μ_ibj − k Σ_b μ_bij + Σ_n ν_n r_nij, a release loses Σ_i min_j c_ij − δ Σ_ab max_j μ_abj −
    Σ_n ν_n s_n at least, weighted by y, and so in its worst row if y sums to one. Here the loss is
    drawn at random, and the release is P*; and with the loss of an error and the multipliers of P*
    the bound is its error.
    """
    loss, y, rows = drawn
    m = len(y)
    found = counting.release_matrix(m, k, delta)
    edges = [(a, a + 1) for a in range(1, m)]
    problem = check.Release(loss, y, edges, k, k, delta)
    dual = check.ReleaseDual(y, dict(zip(_pairs(m), rows, strict=True)))
    lost = sum((y[i] * loss[i][j] * found[i, j] for i in range(m) for j in range(m)), start=Q(0))
    errors = [[Q(i != j) for j in range(m)] for i in range(m)]
    worst = check.Release(errors, None, edges, k, k, delta)
    return all_of(
        at_most(bound(dual, problem), lost),
        equal(bound(check.ReleaseDual(*_best(m, k)), worst), counting.error(m, k, delta)),
    )


def _law_of_draws(m: int, k: Q, delta: Q) -> Matrix:
    """Return the law of: the count with probability δ, else steps until one is accepted."""
    steps = [(d, k**-d * k / (k + 1)) for d in range((m + 1) // 2)]
    steps += [(-d - 1, k**-d / (k + 1)) for d in range(m // 2)]
    whole = sum((weight for _, weight in steps), start=Q(0))
    law = [[delta if i == j else Q(0) for j in range(m)] for i in range(m)]
    for i in range(m):
        for step, weight in steps:
            law[i][(i + step) % m] += (1 - delta) * weight / whole
    return matrix(law)


@ours(Source(None, "OptimalCount"), formula=counting.release_matrix)
@machine_checked("draws.draws_follow_the_release", "draws.draws_follow_the_release_at_one")
@certified(m=range(2, 10), k=(Q(1), Q(11, 10), Q(3, 2), Q(3)), delta=SLACKS)
def draws_follow_the_release(release: Formula, m: int, k: Q, delta: Q) -> Finding:
    """A draw of `OptimalCount` has the law P*, for every M: it is the count with probability δ,
    else a step around the circle, tried until it is accepted: backwards with probability
    1/(k + 1), by d + 1 with d < ⌊M/2⌋, or forwards, by d < ⌈M/2⌉, each d with probability c k^(−d),
    whatever c > 0; at k = 1 every step is as likely.
    """
    return equal(release(m, k, delta), _law_of_draws(m, k, delta))


def _distances(edges: list[tuple[int, int]], m: int, start: int) -> list[int]:
    """Return the distances of counts from one of them, along edges."""
    found, front = {start: 0}, [start]
    while front:
        front = [b for a in front for e in edges if a in e for b in e if b not in found]
        found |= {b: max(found.values()) + 1 for b in front}
    return [found[i] for i in range(m)]


def _bound(edges: list[tuple[int, int]], m: int, k: Q, delta: Q) -> Q:
    """Return (1 − δ)(1 − 1/S), S the largest sum of k^(−d) about a vertex."""
    sums = [sum((k**-d for d in _distances(edges, m, v)), start=Q(0)) for v in range(m)]
    return (1 - delta) * (1 - 1 / max(sums))


@ours(Source(COUNTING, "Theorem 1", "on other graphs than the path"), formula=counting.error)
@machine_checked(
    "graphs.graph_distances_bound_the_error",
    "graphs.bound_on_the_path_is_the_error",
    "graphs.bound_on_the_complete_graph_is_that_of_response",
)
@certified(m=range(2, 9), k=(Q(1), Q(11, 10), Q(3)), delta=SLACKS)
def graph_distances_bound_the_error(error: Formula, m: int, k: Q, delta: Q) -> Finding:
    """Whatever the connected graph of neighbours, a (ln k, δ)-private release errs in its worst
    case with probability (1 − δ)(1 − 1/S) at least, S = Σ_j k^(−d(v, j)) about any vertex v. On the
    path of M counts that is p_e*, at the middle; on the complete graph it is the error of
    randomised response, at δ = 0.
    """
    path = [(i, i + 1) for i in range(m - 1)]
    complete = [(i, j) for i in range(m) for j in range(i)]
    response = counting.worst_case_error(counting.randomized_response_matrix(m, k))
    return all_of(
        equal(_bound(path, m, k, delta), error(m, k, delta)),
        equal(_bound(complete, m, k, Q(0)), response),
    )
