"""Releases that are optimal for one question and not for another, each with its witness."""

from provedp.theory import counting
from provedp.theory.counting import canonical, rivals
from provedp.theory.counting.losses import loss_matrix
from provedp.theory.privacy import hockey_stick
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import (
    AWAN_RAMASETHU,
    CORMODE,
    DESFONTAINES,
    GENG,
    GENG_VISWANATH,
    KAIROUZ_LOCAL,
    MCKENNA,
)
from provedp.verify.solvers.linear_programs.rational import LinearProgram, solve
from provedp.verify.solvers.release import graphs
from provedp.verify.solvers.release.problem import ReleaseProblem
from provedp.verify.solvers.release.remapped import least_remapped_loss
from provedp.verify.solvers.release.solver import enclosed

FAIR = Source(CORMODE, "the explicit fair mechanism")
LOCAL = Source(KAIROUZ_LOCAL, "randomised response")


@ours(FAIR, Source(COUNTING, "Theorem 1"), formula=rivals.fair_matrix)
@certified(m=range(2, 9), k=(Q(11, 10), Q(2), Q(7)))
def fair_error_is_alpha(fair: Formula, m: int, k: Q) -> Finding:
    """The explicit fair mechanism is (ln k, 0)-private, its constant diagonal is α_M of the
    counting paper, and no fair release has a smaller mean error under the uniform prior: for M up
    to 8.
    """
    law = fair(m, k)
    uniform = tuple(Q(1, m) for _ in range(m))
    edges = graphs.path(m)
    problem = ReleaseProblem(loss_matrix("zero-one", m), uniform, edges, k, Q(0), ("fair",))
    best = enclosed(problem)
    return all_of(
        equal([sum(row, start=Q(0)) for row in law], [Q(1)] * m),
        at_most(0, [*(k * law[1:] - law[:-1]).ravel(), *(k * law[:-1] - law[1:]).ravel()]),
        equal(list(law.diagonal()), [rational(counting.alpha(m, k))] * m),
        equal(best.lower, best.upper, counting.error(m, k, Q(0))),
    )


@ours(LOCAL, formula=counting.randomized_response_matrix)
@certified(m=range(2, 8), k=(Q(1), Q(3, 2), Q(7)), delta=(Q(0), Q(1, 10)))
def randomized_response_is_optimal_if_zero_one(
    response: Formula, m: int, k: Q, delta: Q
) -> Finding:
    """Among releases that protect any two values from each other, randomised response, which with
    probability δ tells the value, errs least in the worst case: (1 − δ)(M − 1)/(k + M − 1), for M
    up to 7.
    """
    law = response(m, k)
    told = [[(1 - delta) * law[i, j] + delta * int(i == j) for j in range(m)] for i in range(m)]
    rows = matrix(told)
    best = enclosed(ReleaseProblem(loss_matrix("zero-one", m), None, graphs.within(m, m), k, delta))
    gaps = [max(p - k * q, Q(0)) for p, q in zip(rows[0], rows[1], strict=True)]
    return all_of(
        equal([sum(row, start=Q(0)) for row in rows], [Q(1)] * m),
        at_most(sum(gaps, start=Q(0)), delta),
        equal(1 - min(rows.diagonal()), best.lower, best.upper),
        equal(best.upper, (1 - delta) * (m - 1) / (k + m - 1)),
    )


@ours(LOCAL)
@refuted(m=4, k=Q(2))
def randomized_response_is_optimal(m: int, k: Q) -> Finding:
    """Among releases that protect any two values from each other, randomised response, remapped as
    is best, has the least absolute error in the worst case: for four values at k = 2 it has 6/5,
    and the least is 13/12.
    """
    loss = loss_matrix("absolute", m)
    law = counting.randomized_response_matrix(m, k).tolist()
    best = enclosed(ReleaseProblem(loss, None, graphs.within(m, m), k, Q(0)))
    return at_most(least_remapped_loss(law, loss, None), best.upper)


@ours(Source(GENG_VISWANATH, "staircase noise"))
@refuted(m=6, k=Q(4), reach=2)
def staircase_is_optimal_on_bounded_range(m: int, k: Q, reach: int) -> Finding:
    """For counts that differ by at most 2, some staircase noise, remapped as is best, has the least
    absolute error in the worst case: over six counts at k = 4 the better of the two has more than
    0.831, and the least is 2471/3053.
    """
    loss = loss_matrix("absolute", m)
    laws = [rivals.staircase_matrix(m, k, reach, step) for step in range(1, reach + 1)]
    private = [
        at_most(hockey_stick(law[a - 1], law[b - 1], k), Q(0))
        for law in laws
        for one, two in graphs.within(m, reach)
        for a, b in ((one, two), (two, one))
    ]
    best = enclosed(ReleaseProblem(loss, None, graphs.within(m, reach), k, Q(0)))
    least = min(least_remapped_loss(law.tolist(), loss, None) for law in laws)
    return all_of(*private, at_most(least, best.upper))


@ours(Source(AWAN_RAMASETHU, "discrete canonical noise"), formula=canonical.canonical_integer_law)
@certified(
    k=(Q(3, 2), Q(2), Q(3)),
    delta=(Q(1, 100), Q(1, 10)),
    cost=("zero-one", "absolute", "squared"),
)
def integer_canonical_noise_is_smallest_integer_noise(
    law: Formula, k: Q, delta: Q, cost: str
) -> Finding:
    """Among (ln k, δ)-private noise on integers, up to two steps beyond its own support, canonical
    noise rounded to integers has the least probability of error, mean absolute and mean squared
    error.
    """
    right = law(k, delta)
    own = {n: right[abs(n)] for n in range(1 - len(right), len(right))}
    price = [
        Q(n != 0) if cost == "zero-one" else Q(n ** (1 + (cost == "squared"))) for n in range(99)
    ]
    mean = sum((p * price[abs(n)] for n, p in own.items()), start=Q(0))
    return equal(mean, _least_noise_cost(price, len(right) + 1, k, delta))


def _least_noise_cost(price: list[Q], reach: int, k: Q, delta: Q) -> Q:
    """Return the least mean price of private noise on −reach, …, reach."""
    places = range(-reach, reach + 1)
    column = {n: n + reach for n in places}
    size = len(column)
    rows: Any = []
    ends = range(-reach, reach + 2)
    for side, (one, two) in enumerate(((0, -1), (-1, 0))):
        slack = {n: size * (1 + side) + side + n + reach for n in ends}
        for n in ends:
            row = {slack[n]: Q(-1)}
            for shift, factor in ((one, Q(1)), (two, -k)):
                if n + shift in column:
                    row[column[n + shift]] = row.get(column[n + shift], Q(0)) + factor
            rows.append((row, Q(0)))
        rows.append((dict.fromkeys(slack.values(), 1), delta))
    total = size + 2 * (size + 1)
    objective = {column[n]: -price[abs(n)] for n in places}
    whole = [(dict.fromkeys(column.values(), 1), Q(1))]
    return -solve(LinearProgram(total, objective, rows, whole)).value


SELECTION = Source(MCKENNA, "permute-and-flip", "two candidates, scores that change by one")
GAPS = range(-6, 7)


def _least_choice_error(k: Q, gap: int) -> Q:
    """Return the least probability of the worse of two candidates, at gaps −6, …, 6."""
    loss = tuple((Q(d < 0), Q(d > 0)) for d in GAPS)
    prior = tuple(Q(1, 2) if abs(d) == gap else Q(0) for d in GAPS)
    return enclosed(ReleaseProblem(loss, prior, graphs.within(len(GAPS), 2), k, Q(0))).upper


@ours(SELECTION, formula=rivals.permute_and_flip_error)
@refuted(root=Q(2), gap=1)
def permute_and_flip_is_pareto_optimal(error: Formula, root: Q, gap: int) -> Finding:
    """No private choice among two candidates with integer scores, which change by at most 1, is
    better than permute-and-flip at some gap and nowhere worse. `coarse_choice_error` is as good at
    every even gap, and at gap 1 it errs with 1/5 at k = 4 where permute-and-flip does with 1/4.
    """
    k = root**2
    better = [rivals.coarse_choice_error(k, d) for d in range(7)]
    signed = [better[d] if d >= 0 else 1 - better[-d] for d in GAPS]
    law = matrix([[1 - p, p] for p in signed])
    private = [
        at_most(hockey_stick(law[a - 1], law[b - 1], k), Q(0))
        for one, two in graphs.within(len(GAPS), 2)
        for a, b in ((one, two), (two, one))
    ]
    nowhere_worse = [at_most(better[d], error(root, d)) for d in range(7)]
    return all_of(*private, *nowhere_worse, at_most(error(root, gap), better[gap]))


@repairs(permute_and_flip_is_pareto_optimal, formula=rivals.permute_and_flip_error)
@certified(root=(Q(11, 10), Q(2), Q(3)), gap=(2, 4))
def permute_and_flip_is_optimal_on_its_lattice(error: Formula, root: Q, gap: int) -> Finding:
    """At the even gaps 2 and 4 no private choice errs less often than permute-and-flip."""
    return equal(error(root, gap), _least_choice_error(root**2, gap))


@ours(SELECTION, formula=rivals.coarse_choice_error)
@certified(k=(Q(3, 2), Q(4), Q(9)), gap=range(1, 6))
def coarse_choice_errs_least_at_every_gap(error: Formula, k: Q, gap: int) -> Finding:
    """Among two candidates the coarse choice has the least probability of the worse at each gap
    from 1 to 5, all at once.
    """
    return equal(error(k, gap), _least_choice_error(k, gap))


@ours(Source(DESFONTAINES, "the optimal probabilities"), formula=rivals.kept_probabilities)
@certified(k=(Q(3, 2), Q(2), Q(3)), delta=(Q(1, 100), Q(1, 10)), count=range(1, 7))
def partition_selection_is_optimal(kept: Formula, k: Q, delta: Q, count: int) -> Finding:
    """No (ln k, δ)-private choice whether to show a group shows one of n people, n up to 6, with a
    larger probability than the recursion, if a group of nobody is never shown.
    """
    loss = [(Q(0), Q(0)) for _ in range(7)]
    loss[0], loss[count] = (Q(0), Q(10**6)), (Q(1), Q(0))
    prior = tuple(Q(1, 2) if i in (0, count) else Q(0) for i in range(7))
    problem = ReleaseProblem(tuple(loss), prior, graphs.path(7), k, delta)
    return equal((1 - kept(k, delta, 6)[count]) / 2, enclosed(problem).upper)


@ours(Source(GENG, "truncated Laplace noise"))
@refuted(bits=128, epsilon=Q(3), delta=Q(1, 10**6))
def truncated_laplace_is_the_smallest_noise(epsilon: Q, delta: Q) -> Finding:
    """Truncated Laplace noise has the least mean size among (ε, δ)-private noise: at ε = 3 and δ =
    10⁻⁶ it has more than 0.33, and staircase noise, which has δ = 0, less than 0.24.
    """
    level = ball(epsilon)
    far = (1 + (level.exp() - 1) / (2 * ball(delta))).log()
    mean = (1 - far * (-far).exp() / (1 - (-far).exp())) / level
    staircase = (level / 2).exp() / (level.exp() - 1)
    return at_most(mean, staircase)
