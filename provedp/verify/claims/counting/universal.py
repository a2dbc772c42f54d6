"""One release of a count for everyone: continuous canonical noise, and where that fails."""

import functools
from collections.abc import Callable

from provedp.theory import counting, privacy
from provedp.theory.counting import canonical
from provedp.theory.counting.losses import loss_matrix
from provedp.theory.privacy import path_delta
from provedp.verify.claims.counting.instances.private_matrices import (
    RATIOS,
    SLACKS,
    private_matrix,
    random_problem,
)
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import AWAN_VADHAN, GHOSH, GUPTE
from provedp.verify.solvers.release import graphs
from provedp.verify.solvers.release.problem import ReleaseProblem
from provedp.verify.solvers.release.remapped import least_remapped_loss
from provedp.verify.solvers.release.solver import enclosed

NOISE = Source(None, "UniversalCount")
HALF_LINES = (
    "the density of the noise is k times, or 1/k times, that one step away, or one of them is 0, "
    "and the first comes before the second, so that the worst event is a half line"
)
EVENTS = "a trade-off function says what events of probability φ may have at a neighbour"
INDUCTION = "induction on |i − j|, away from the count j where both are equal"
THRESHOLD = (
    "F is continuous, and increasing where it is neither 0 nor 1, so that a threshold gives every "
    "probability; 0 and 1 are given by the ends of the support, or by infinite thresholds"
)
LAYERS = (
    "a loss that does not fall away from i is a sum of multiples ≥ 0 of indicators of outputs "
    "above j ≥ i and of outputs up to j < i"
)


def trade_off(alpha: Any, k: Any, delta: Any) -> Any:
    """Return f(α) of (ln k, δ)-privacy."""
    return sympy.Max(0, 1 - delta - k * alpha, (1 - delta - alpha) / k)


@ours(NOISE, Source(AWAN_VADHAN, "canonical noise"), formula=canonical.canonical_cdf)
@machine_checked("noise.canonical_noise_meets_its_trade_off")
@certified(
    k=(Q(1), Q(11, 10), Q(3, 2), Q(7)),
    delta=(Q(0), Q(1, 100), Q(1, 10), Q(2, 5)),
    x=tuple(Q(n, 6) for n in range(-30, 31)),
)
def canonical_noise_meets_its_trade_off(cdf: Formula, k: Q, delta: Q, x: Q) -> Finding:
    """F(x − 1) = f(1 − F(x)) wherever 0 < F(x) < 1, for the trade-off function f of (ln k, δ) and
    the distribution function F of canonical noise, which is symmetric. (Beyond the end of the
    support it fails for δ > 0: there F(x) = 1 and f(0) = 1 − δ, but F(x − 1) may be more.)
    """
    assume(k > 1 or delta > 0)
    value = cdf(x, k, delta)
    assume(0 < value < 1)
    alpha = 1 - value
    least = max(Q(0), 1 - delta - k * alpha, (1 - delta - alpha) / k)
    return all_of(equal(cdf(x - 1, k, delta), least), equal(cdf(-x, k, delta), 1 - value))


@ours(NOISE, Source(AWAN_VADHAN, "canonical noise"), formula=canonical.canonical_edge)
@machine_checked(
    "intervals.canonical_noise_is_private", part="for finite unions of intervals, as events"
)
@proved(argued=(HALF_LINES, "symmetry extends the equation from x ≤ 1/2 to all x"))
def canonical_noise_is_private(edge: Formula) -> Finding:
    """A count plus canonical noise is (ln k, δ)-private. With c = (1 − δ)/(1 + k), f(c) = c; for
    y = F(x) from δ to 1 − c, f(1 − y) = (y − δ)/k, which is F(x − 1) by definition; and for
    the mirror image, with g = (z − δ)/k, f(g) = 1 − z. So every half line has exactly what the
    trade-off function allows, and by the order of the densities no event has more.
    """
    k, delta, y, c = sympy.symbols("k delta y c", real=True)
    inside = [k >= 1, delta >= 0, delta < 1, c * (1 + k) <= 1 - delta, c * (1 + k) >= 1 - delta]
    middle = [*inside, y >= delta, y <= 1 - c]
    below = (y - delta) / k
    ratio, slack = (sympy.Symbol(name, positive=True) for name in ("k", "delta"))
    level = edge(ratio, slack)
    return all_of(
        equal(1 - slack - ratio * level, level),
        entails(middle, sympy.Eq(trade_off(1 - y, k, delta), below)),
        entails(middle, sympy.Eq(trade_off(below, k, delta), 1 - y)),
    )


def _unit_parts(reach: Q) -> tuple[int, list[tuple[Q, bool]]]:
    """Return the whole steps, and the parts of the last unit with whether they are in reach."""
    steps = -((Q(1, 2) - reach) // 1)
    over = reach - steps
    rest = Q(1, 2) - abs(over)
    return int(steps), [(rest, True), (2 * abs(over), over > 0), (rest, False)]


def _cell_law(reach: Q, k: Q, count: int) -> list[Q]:
    """Return the law of the cells that count 0 or its neighbour 1 can release."""
    last, parts = _unit_parts(reach)
    weights = []
    for unit in range(-last, last + 2):
        n = unit - count
        outwards = parts if n > 0 else parts[::-1]
        for width, inside in outwards:
            held = abs(n) < last or (abs(n) == last and inside)
            weights.append(width * k ** -abs(n) * held)
    total = sum(weights, start=Q(0))
    return [weight / total for weight in weights]


@ours(
    Source(None, "UniversalCount"),
    formula=canonical.canonical_reach,
    rests_on=("privacy.post_processing_keeps_guarantees",),
)
@machine_checked(
    "universal.cells_of_canonical_noise_are_private", "universal.geometric_cells_are_private"
)
@certified(
    k=(Q(1), Q(11, 10), Q(3, 2), Q(2), Q(7)), delta=(Q(1, 1000), Q(1, 100), Q(1, 10), Q(2, 5))
)
def cells_of_canonical_noise_are_private(reach: Formula, k: Q, delta: Q) -> Finding:
    """The cell that `UniversalCount` releases is (ln k, δ)-private. For δ > 0 it is n whole steps
    from the count, with weight k^(−|n|), and one of the parts [−1/2, −v], [−v, v], [v, 1/2] of the
    unit there, with its length for a weight; cells beyond ±S are refused, S = L + v or L − v. A
    weight is at most k times that one step nearer to the neighbour, or exactly so, but for the last
    cells, which the neighbour does not reach: they are what Σ (p − k q)⁺ has, and add up to δ. For
    δ = 0 and k > 1 units are released, none is refused, and every set of finitely many of them is
    at most k times as likely at the neighbour. (The bits within a cell are uniform whatever the
    count is, and so post-processing.)
    """
    laws = matrix([_cell_law(rational(reach(k, delta)), k, count) for count in (0, 1)])
    return all_of(
        equal(privacy.hockey_stick(laws[0], laws[1], k), delta),
        equal(privacy.hockey_stick(laws[1], laws[0], k), delta),
    )


@ours(NOISE, rests_on=(canonical_noise_is_private,))
@machine_checked(
    "noise.canonical_noise_is_universally_optimal",
    "dominance.canonical_noise_is_universally_optimal",
)
@proved(argued=(EVENTS, INDUCTION, THRESHOLD, LAYERS))
def canonical_noise_is_universally_optimal() -> Finding:
    """For every (ln k, δ)-private release P of a count in {1, …, M} there are thresholds τ_1 ≤ … ≤
    τ_(M−1) such that "1 + the number of τ_j below the count plus canonical noise" loses at most as
    much at every count, for every loss that does not fall away from the count. With φ_j(i) = P(out
    > j | i), privacy gives φ_j(i + 1) ≤ 1 − f(φ_j(i)) and φ_j(i − 1) ≥ f(1 − φ_j(i)). Choose τ_j so
    that φ′_j = P(i + N > τ_j) has φ′_j(j) = φ_j(j): both are equations for φ′_j away from j, as
    long as φ′_j is not 0 below or 1 above j, where nothing is to be shown. Both right sides rise
    with φ, so that φ′_j ≤ φ_j below j and φ′_j ≥ φ_j above. At j + 1 that gives φ′_(j+1) ≤ φ′_j, so
    that thresholds ascend.
    """
    k, delta, a, b, more = sympy.symbols("k delta a b more", real=True)
    inside = [k >= 1, delta >= 0, delta < 1, a >= 0, a <= 1, b >= 0, b <= 1]
    private = [*inside, a <= k * b + delta, 1 - b <= k * (1 - a) + delta]
    rising = [*inside, more >= b, more <= 1]
    up = [1 - trade_off(value, k, delta) for value in (b, more)]
    down = [trade_off(1 - value, k, delta) for value in (b, more)]
    other = [*inside, b <= k * a + delta, 1 - a <= k * (1 - b) + delta]
    first, second, third = sympy.symbols("first second third", real=True)
    return all_of(
        entails(private, a <= up[0]),
        entails(other, a >= down[0]),
        entails(rising, sympy.And(up[0] <= up[1], down[0] <= down[1])),
        entails([first <= second, second <= third], first <= third),
    )


def clamped_integer_cdf(x: Q, k: Q, delta: Q) -> Q:
    """Return the distribution function of the noise that is rounded to integers."""
    return rational(canonical.canonical_cdf(Q(x // 1) + Q(1, 2), k, delta))


@ours(
    NOISE,
    formula=canonical.canonical_cdf,
    mutants=(clamped_integer_cdf,),
    rests_on=(canonical_noise_is_private,),
)
@certified(seed=levels(range(6), range(200)), k=RATIOS, delta=SLACKS)
def canonical_noise_dominates_private_releases(cdf: Formula, seed: int, k: Q, delta: Q) -> Finding:
    """Every vertex of the private releases that was tried, for random costs of three to five
    counts, is dominated: with τ_j from its own probabilities, ascending, P(i + N > τ_j) is at
    least P(out > j | i) above j and at most that up to j. (3200 vertices in a full run.)
    """
    law = private_matrix(seed, k, delta)
    cuts = canonical.canonical_thresholds(law, k, delta)
    finite = [cut for cut in cuts if cut is not None]
    found = [at_most(a, b) for a, b in zip(finite, finite[1:], strict=False)]
    for j, cut in enumerate(cuts):
        for i in range(len(law)):
            before = sum(law[i, j + 1 :], start=Q(0))
            end = Q(int(law[j, j + 1 :].sum() > 0))
            after = end if cut is None else 1 - cdf(cut - i - 1, k, delta)
            found.append(at_most(after, before) if i <= j else at_most(before, after))
    return all_of(*found)


def integer_cells(m: int, k: Q, delta: Q) -> Matrix:
    """Return the law of a count plus canonical noise that is rounded to integers."""
    if delta == 0:
        return counting.truncated_geometric_matrix(m, k)
    right = [rational(p) for p in canonical.canonical_integer_law(k, delta)]
    reach = len(right) - 1
    noise = {n: right[abs(n)] for n in range(-reach, reach + 1)}
    return matrix(
        [[noise.get(j - i, Q(0)) for j in range(1 - reach, m + reach + 1)] for i in range(1, m + 1)]
    )


@ours(
    NOISE,
    formula=canonical.canonical_cells,
    mutants=(integer_cells,),
    rests_on=(canonical_noise_is_universally_optimal,),
)
@certified(seed=levels(range(6), range(160)), k=RATIOS, delta=SLACKS)
def canonical_noise_attains_every_optimum(cells: Formula, seed: int, k: Q, delta: Q) -> Finding:
    """The best rounding of canonical noise attains the least loss over all private releases: random
    losses that do not fall away from the count, of two to six counts, with random priors or in the
    worst case. (2560 problems in a full run; both optima are exact.)
    """
    problem = random_problem(seed, k, delta)
    law = cells(problem.counts, k, delta).tolist()
    best = enclosed(problem)
    rounded = least_remapped_loss(law, problem.loss, problem.prior)
    return all_of(equal(best.lower, best.upper), equal(rounded, best.upper))


@ours(
    NOISE, Source(AWAN_VADHAN, "the Gaussian"), rests_on=(canonical_noise_is_universally_optimal,)
)
@proved(
    argued=(
        "Φ is continuous and increasing, and G_μ(α) = Φ(Φ⁻¹(1 − α) − μ) is the trade-off function",
        "the proof of `canonical_noise_is_universally_optimal` uses of f no more than that",
    )
)
def gaussian_is_universally_optimal_if_gdp() -> Finding:
    """Under μ-Gaussian privacy the count plus Gaussian noise of variance 1/μ² is universally
    optimal, although under (ε, δ) it is not: F(x) = Φ(μx) has F(x − 1) = Φ(Φ⁻¹(F(x)) − μ), which is
    G_μ(1 − F(x)), for every x.
    """
    x, mu = sympy.symbols("x mu", real=True)
    return equal(mu * (x - 1), mu * x - mu)


BEST = Source(GHOSH, "universal optimality"), Source(GUPTE, "minimax agents")


@published(
    *BEST,
    formula=canonical.canonical_cells,
    rests_on=(canonical_noise_is_universally_optimal,),
)
@certified(m=range(2, 9), k=RATIOS)
def geometric_is_optimal_if_unimodal(cells: Formula, m: int, k: Q) -> Finding:
    """At δ = 0 geometric noise, moved to the nearest count, is as good as continuous noise: between
    half-integers every count has a constant density, and the probabilities of these cells are the
    truncated geometric law (M up to 8). So a rounding of it is optimal for every prior, every worst
    case and every loss that does not fall away from the count.
    """
    return equal(cells(m, k, Q(0)), counting.truncated_geometric_matrix(m, k))


def parity(m: int) -> Any:
    """Return the loss that is 1 if the error is odd."""
    return tuple(tuple(Q((i - j) % 2) for j in range(m)) for i in range(m))


def _geometric_attains(problem: ReleaseProblem) -> Finding:
    law = counting.truncated_geometric_matrix(problem.counts, problem.k).tolist()
    return at_most(least_remapped_loss(law, problem.loss, problem.prior), enclosed(problem).upper)


@ours(*BEST)
@refuted(m=3, k=Q(2))
def geometric_is_optimal(m: int, k: Q) -> Finding:
    """Some post-processing of geometric noise has the least worst-case loss whatever the loss is:
    for the parity of the error among three counts it loses 4/9 at k = 2, and randomised response of
    the parity 1/3.
    """
    return _geometric_attains(ReleaseProblem(parity(m), None, graphs.path(m), k, Q(0)))


@ours(*BEST)
@machine_checked("witnesses.clamped_geometric_is_not_optimal")
@refuted(m=3, k=Q(2))
def clamped_geometric_is_optimal_without_remap(m: int, k: Q) -> Finding:
    """Geometric noise moved to the nearest count has the least worst-case absolute error: it has
    2/3 for three counts at k = 2, and rounded otherwise 4/7.
    """
    loss = loss_matrix("absolute", m)
    law = counting.truncated_geometric_matrix(m, k)
    worst = max(
        sum(x * p for x, p in zip(*rows, strict=True)) for rows in zip(loss, law, strict=True)
    )
    return at_most(worst, enclosed(ReleaseProblem(loss, None, graphs.path(m), k, Q(0))).upper)


@ours(Source(COUNTING, "Theorem 1"), Source(GUPTE, "derivability"))
@refuted(m=3, k=Q(2))
def optimal_release_is_derivable_from_geometric(m: int, k: Q) -> Finding:
    """P* is a post-processing of geometric noise: every column x would have (1 + k²) x_i ≥ k
    (x_(i−1) + x_(i+1)) inside and k x ≥ the next at the ends. (Another optimal release is one, by
    `some_optimal_release_is_derivable`.)
    """
    law = counting.release_matrix(m, k, Q(0))
    inner = law[1:-1] * (1 + k**2) - k * (law[:-2] + law[2:])
    ends = [k * law[0] - law[1], k * law[-1] - law[-2]]
    return at_most(0, [*inner.ravel(), *ends[0], *ends[1]])


@ours(Source(COUNTING, "Theorem 1"), Source(GUPTE, "derivability"), formula=counting.error)
@certified(m=range(2, 9), k=(Q(11, 10), Q(2), Q(7)))
def some_optimal_release_is_derivable(error: Formula, m: int, k: Q) -> Finding:
    """Some post-processing of geometric noise has the error of P*, for M up to 8."""
    law = counting.truncated_geometric_matrix(m, k).tolist()
    return equal(least_remapped_loss(law, loss_matrix("zero-one", m), None), error(m, k, Q(0)))


@ours(NOISE)
@refuted(m=3, k=Q(3, 2), delta=Q(1, 10))
def integer_canonical_noise_is_universally_optimal(m: int, k: Q, delta: Q) -> Finding:
    """Canonical noise may be rounded to integers before it is released: then the best rounding
    loses 59/75 for three counts and squared error at k = 3/2, δ = 1/10, in the worst case. The
    least is 3/4, which continuous noise attains.
    """
    loss = loss_matrix("squared", m)
    law = integer_cells(m, k, delta)
    private = at_most(path_delta(law, k), delta)
    best = enclosed(ReleaseProblem(loss, None, graphs.path(m), k, delta)).upper
    return all_of(private, at_most(least_remapped_loss(law.tolist(), loss, None), best))


def _serves_both(
    edges: graphs.Edges, size: int, k: Q, priors: tuple[Any, Any], law: Callable[[Q], Matrix]
) -> Finding:
    """Find that an optimum for the first prior, remapped, is one for the second."""
    loss = loss_matrix("zero-one", size)
    least = [enclosed(ReleaseProblem(loss, prior, edges, k, Q(0))).upper for prior in priors]
    remapped = [least_remapped_loss(law(k).tolist(), loss, prior) for prior in priors]
    return all_of(equal(remapped[0], least[0]), at_most(remapped[1], least[1]))


@ours(Source(None, "universal optimality", "beyond one count"))
@machine_checked("witnesses.no_universally_optimal_release_on_the_triangle")
@refuted(k=Q(2))
def universally_optimal_release_exists_on_triangle(k: Q) -> Finding:
    """Three values that are all neighbours: randomised response, the one optimum for the uniform
    prior, has the least error for the prior (1/2, 1/2, 0) as well, after the best remap: it errs
    with 3/8 at k = 2, where 1/3 is least.
    """
    priors = tuple(Q(1, 3) for _ in range(3)), (Q(1, 2), Q(1, 2), Q(0))
    law = functools.partial(counting.randomized_response_matrix, 3)
    return _serves_both(graphs.within(3, 3), 3, k, priors, law)


def product_of_two_responses(k: Q) -> Matrix:
    """Return the law of two yes/no counts, each answered by randomised response."""
    one = counting.randomized_response_matrix(2, k)
    places = [(a, b) for a in range(2) for b in range(2)]
    return matrix([[one[a, c] * one[b, d] for c, d in places] for a, b in places])


@ours(Source(None, "universal optimality", "of two counts at once"))
@machine_checked("witnesses.no_universally_optimal_release_on_the_square")
@refuted(k=Q(2))
def universally_optimal_release_exists_on_square(k: Q) -> Finding:
    """Two yes/no counts: the product of randomised responses, the one optimum for the uniform
    prior, has the least error for the prior 1/2 on (0, 0) and on (1, 1) as well, after the best
    remap: it errs with 1/3 at k = 2, where 1/4 is least.
    """
    priors = tuple(Q(1, 4) for _ in range(4)), (Q(1, 2), Q(0), Q(0), Q(1, 2))
    return _serves_both(graphs.grid(2, 2), 4, k, priors, product_of_two_responses)
