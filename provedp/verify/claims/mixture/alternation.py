"""Algorithm 1: it ends where it starts."""

import functools

import numpy as np

from provedp.mechanisms.mixture.published.alternation import Alternation, Budget, alternate
from provedp.mechanisms.mixture.published.component import (
    Component,
    ReusedDraws,
    components,
    expected_costs,
)
from provedp.theory import mixture
from provedp.verify.claims.mixture.instances.iris import iris_feature, standardised_iris
from provedp.verify.claims.mixture.instances.scalar_runs import run
from provedp.verify.claims.mixture.instances.synthetic import synthetic_data
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.mixture.design_problem import design_optimum

SHARE = Q(1, 1000)  # λ in Section V-A
DELTA = 2e-5  # δ in Section V-A
EPSILONS = (0.5, 1.0, 2.0, 5.0)
SEED = 42  # as the paper's, for another generator
ROUNDING = 1e-12  # relative; a round is a few hundred operations on floats


def _after_one_round(
    left: Formula, total: Any, start: Any, means: list[Any], counts: list[Any]
) -> Any:
    """Return ε₀ by (27) after a round with γ_k by (23) for given ε_k."""
    charges = [
        mixture.covariance_epsilon(mixture.wishart_gamma(total, start, mean, count), count)
        for mean, count in zip(means, counts, strict=True)
    ]
    return left(total, *_rows(means, charges))


def _rows(means: list[Any], charges: list[Any]) -> tuple[Matrix, Matrix]:
    return matrix([means])[0], matrix([charges])[0]


@published(
    Source(MIXTURE, "Section I-A", "'reallocated'"),
    Source(MIXTURE, "Remark 3", "'dynamic reallocation'"),
    Source(MIXTURE, "Algorithm 1"),
    defect=Defect.FALSE,
)
@refuted(total=Q(1), start=Q(1, 3), means=(Q(1, 5), Q(1, 4)), counts=(4, 7))
def budgets_are_reallocated_during_the_updates(
    total: Q, start: Q, means: tuple[Q, ...], counts: tuple[int, ...]
) -> Finding:
    """The alternating updates move budget between ε₀ and the components: after step 2 of a round,
    ε₀ is not what step 1 was given.
    """
    after = _after_one_round(mixture.left_for_weights, total, start, list(means), list(counts))
    return negation(equal(after, start))


@repairs(
    budgets_are_reallocated_during_the_updates,
    formula=mixture.left_for_weights,
    rests_on=("mixture.best_gamma_is_the_largest", "mixture.one_shape_serves_every_budget"),
)
@proved(
    argued=(
        "a maximum over any number of equal costs is that cost: decided for one class and three",
        "step 1 has no other input than ε₀, so equal ε₀ give equal rounds; a class whose means no "
        "flip moves has free ε_k, and is left out",
    )
)
def weight_budget_stays_where_it_starts(left: Formula) -> Finding:
    """Step 1 leaves every class with ε_k + 3γ_k/(2N_k) = (ε − ε₀)/2, by (23), whatever ε_k the grid
    or the program chooses. So the maximum in (27) is (ε − ε₀)/2 for any number of classes, and
    (27) returns ε₀. A round is determined by its ε₀, so all rounds are the same.
    """
    total, start = sympy.symbols("epsilon epsilon_0", positive=True)
    means = sympy.symbols("a b c", positive=True)
    counts = sympy.symbols("N_1 N_2 N_3", integer=True, positive=True)
    costs = [
        mean + mixture.covariance_epsilon(mixture.wishart_gamma(total, start, mean, count), count)
        for mean, count in zip(means, counts, strict=True)
    ]
    same = sympy.Symbol("half", positive=True)
    return all_of(
        *(equal(cost, (total - start) / 2) for cost in costs),
        *(
            equal(left(2 * same + start, *_rows([same] * classes, [0 * same] * classes)), start)
            for classes in (1, 3)
        ),
    )


@published(
    Source(MIXTURE, "Algorithm 1", "non-increasing objectives, convergence"),
    rests_on=(weight_budget_stays_where_it_starts,),
)
@certified(
    total=(Q(1, 2), Q(1), Q(5)),
    share=(Q(1, 20), Q(1, 3), Q(4, 5)),
    places=((1, 1), (4, 7), (10, 2)),
    counts=((4, 7), (50, 50)),
)
def objectives_do_not_increase(
    total: Q, share: Q, places: tuple[int, ...], counts: tuple[int, ...]
) -> Finding:
    """The objectives of the rounds do not increase, and converge: they are equal, as each round
    starts from the same ε₀ as the one before, exactly, whatever the choices on the grid (24).
    """
    start = total * share
    means = [(1 - Q(place, 11)) * (total - start) / 2 for place in places]
    after = start
    findings = []
    for _ in range(3):
        after = _after_one_round(mixture.left_for_weights, total, after, means, list(counts))
        findings.append(equal(after, start))
    return all_of(*findings)


@functools.cache
def _parts(name: str) -> list[Component]:
    data = standardised_iris() if name == "Iris" else synthetic_data(SEED)
    return components(data, 0.0, "all", expected_costs)


def _run(name: str, epsilon: float, share: float) -> Alternation:
    return alternate(_parts(name), Budget(epsilon, DELTA, start=share * epsilon))


@published(
    Source(MIXTURE, "Figure 2", "convergence within five or ten iterations"),
    rests_on=(weight_budget_stays_where_it_starts,),
)
@supported(name=("synthetic", "Iris"), epsilon=EPSILONS)
def early_stop_comes_after_two_rounds(name: str, epsilon: float) -> Finding:
    """Algorithm 1 stops within five iterations. On synthetic data as in Section V-A (seed 42) and
    on Iris it stops at the first chance, after two, with objectives that agree to rounding and
    ε₀ = ε/3, for ε from 1/2 to 5.
    """
    found = _run(name, epsilon, 1 / 3)
    first, last = found.rounds[0], found.last
    return all_of(
        equal(len(found.rounds), 2),
        close(last.objective / first.objective, 1.0, tolerance=ROUNDING),
        close(last.weights / epsilon, 1 / 3, tolerance=ROUNDING),
    )


@functools.cache
def objective_on_a_line(index: int, epsilon: Q, share: Q) -> arb:
    """Return the final objective on one feature of Iris for ε₀ = share · ε at the start."""
    return run(iris_feature(index), epsilon, ball(epsilon * share).exp()).objective(SHARE)


@published(
    Source(MIXTURE, "Section IV-B", "'relatively robust to different … initial … allocations'"),
    defect=Defect.FALSE,
)
@refuted(index=2, epsilon=Q(1), low=Q(1, 20), high=Q(4, 5))
def result_is_robust_to_the_initial_allocation(index: int, epsilon: Q, low: Q, high: Q) -> Finding:
    """Different feasible ε₀ at the start lead to final divergences within a factor of two.

    Counterexample: one feature of Iris (petal length) at ε = 1, from ε₀ = ε/20 and 4ε/5. ("Robust"
    has no number in the paper; between these starts the divergence grows eightfold.)
    """
    best, worst = (objective_on_a_line(index, epsilon, share) for share in (low, high))
    return less(worst, 2 * best)


@repairs(result_is_robust_to_the_initial_allocation)
@certified(
    index=range(4),
    epsilon=(Q(1, 2), Q(1), Q(2)),
    low=(Q(1, 20), Q(1, 10), Q(1, 5), Q(1, 3)),
    high=(Q(1, 5), Q(1, 2), Q(4, 5)),
)
def result_grows_with_the_initial_allocation(index: int, epsilon: Q, low: Q, high: Q) -> Finding:
    """The final divergence is the objective at the ε₀ of the start, and on every feature of Iris it
    grows with it, at least like 1/(ε − ε₀): from ε/20 to 4ε/5, at ε = 1/2, 1 and 2.
    """
    assume(low < high)
    best, worst = (objective_on_a_line(index, epsilon, share) for share in (low, high))
    return less(best * ball((1 - low) / (1 - high)), worst)


@ours(Source(MIXTURE, "Algorithm 1", "on Iris, from several starts"))
@supported(epsilon=EPSILONS)
def objective_on_iris_grows_elevenfold(epsilon: float) -> Finding:
    """On Iris, four standardised features, δ = 2·10⁻⁵, the final divergence is about 11 times as
    large from ε₀ = 4ε/5 as from ε/20, for ε = 1/2, 1, 2 and 5 (9 to 13.5 times).
    """
    low, high = (_run("Iris", epsilon, share).last.objective for share in (0.05, 0.8))
    return close(np.log(high / low), np.log(11.0), tolerance=0.2)


@ours(Source(MIXTURE, "(P2)", "on Iris, searched along ε₀"))
@supported(epsilon=EPSILONS)
def nothing_for_the_weights_is_optimal_on_iris(epsilon: float) -> Finding:
    """On Iris, four standardised features, the search along ε₀ ends at 0, and the condition under
    which that is the optimum holds with nearly all of the objective to spare (within 6 %).
    Algorithm 1 ends 83 % above it (within 4 points), for ε = 1/2, 1, 2 and 5.
    """
    draws = ReusedDraws(1000, np.random.default_rng(20250101))
    parts = components(standardised_iris(), 0.0, "all", draws)
    found = design_optimum(parts, Budget(epsilon, DELTA))
    return all_of(
        close(found.weights, 0.0, tolerance=ROUNDING),
        close(found.margin / found.objective, 1.0, tolerance=0.06),
        close(found.published / found.objective, 1.83, tolerance=0.04),
    )
