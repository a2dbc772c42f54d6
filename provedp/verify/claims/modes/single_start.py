"""Definition 1, Lemma 2 and eq. (6): the noise of one start, from the budget of all rounds."""

from functools import reduce
from itertools import combinations

from provedp.theory import modes, privacy
from provedp.theory.numbers import maximum
from provedp.verify.claims.prelude import *

WIDTH = 1e-40  # of a comparison of balls at that precision
SCHEDULES = [  # T = ⌈ln n⌉ and m = ⌈n/ln n⌉ of Section 5, a small case, and one full batch
    dict(n=700, m=107, rounds=7),
    dict(n=5000, m=588, rounds=9),
    dict(n=10, m=2, rounds=3),
    dict(n=400, m=400, rounds=1),
]
BUDGETS = [(Q(1, 10), Q(1, 10**6)), (Q(1), Q(1, 10**6)), (Q(5), Q(1, 100)), (Q(50), Q(1, 10**5))]


@published(Source(MODES, "Definition 1"), formula=privacy.hockey_stick)
@certified(k=(Q(1), Q(3, 2), Q(4)), p=((Q(1, 2), Q(1, 3), Q(1, 6)), (Q(0), Q(1, 4), Q(3, 4))))
def definition_bounds_the_hockey_stick(divergence: Formula, k: Q, p: tuple[Q, ...]) -> Finding:
    """Pr[M(D) ∈ S] ≤ e^ε Pr[M(D′) ∈ S] + δ for every event S says that the hockey-stick divergence
    is at most δ: it is the largest excess, here over all events of three outcomes.
    """
    q = (Q(1, 5), Q(3, 5), Q(1, 5))
    events = [event for size in range(4) for event in combinations(range(3), size)]
    largest = max(sum((p[i] - k * q[i] for i in event), start=Q(0)) for event in events)
    return equal(divergence(matrix([p])[0], matrix([q])[0], k), largest)


@published(Source(MODES, "Lemma 2", "the proof: composition of the rounds"))
@proved(
    argued=(
        "advanced composition: T rounds at (x, δ/(2T)) spend √(2T ln(2/δ)) x + T x (e^x − 1) and δ",
        "e^x − 1 ≤ (e − 1) x on [0, 1] by convexity, and e − 1 < 1.72",
    )
)
def caps_keep_the_budget_of_all_rounds() -> Finding:
    """With ε_iter = x ≤ min{ε/(2√(2T ln(2/δ))), √(ε/(4T))} and x ≤ 1, advanced composition of T
    rounds at (x, δ/(2T)) with slack δ/2 gives at most (ε, δ): e^x − 1 ≤ (e − 1) x ≤ 2x on [0, 1] by
    convexity.
    """
    x, level, rounds, root, growth = sympy.symbols("x e T s y", positive=True)
    delta = sympy.Symbol("delta", positive=True)
    caps = [2 * root * x <= level, 4 * rounds * x**2 <= level, growth <= 2 * x]
    total = entails(caps, root * x + rounds * x * growth <= level)
    chord = entails([x <= 1, growth <= sympy.Rational(172, 100) * x], growth <= 2 * x)
    return all_of(total, chord, equal(delta / 2 + rounds * (delta / (2 * rounds)), delta))


@published(Source(MODES, "Lemma 2", "the proof: the Gaussian mechanism at ε* ≤ 1"))
@certified(delta=tuple(Q(1, 10**j) for j in (1, 2, 4, 6, 9, 12)) + (Q(1, 2), Q(9, 10)))
def classical_noise_holds_up_to_one(delta: Q) -> Finding:
    """The classical Gaussian mechanism, stated for ε < 1, keeps its promise also at ε* = 1, which
    the first cap of ε_iter allows.
    """
    limit = privacy.classical_epsilon_limit(delta, Q(5, 4)).value
    return less(Q(1), as_dyadic(limit))


@published(Source(MODES, "eq. (6)", "the definition of ε_iter"), formula=modes.iteration_epsilon)
@certified(bits=192, schedule=SCHEDULES, budget=BUDGETS)
def iteration_budget_is_the_least_cap(
    least: Formula, schedule: dict[str, int], budget: tuple[Q, Q]
) -> Finding:
    """ε_iter is the least of ln(1 + (e − 1)m/n), ε/(2√(2T ln(2/δ))) and √(ε/(4T)): it is below each
    and equal to one.
    """
    n, m, rounds = schedule["n"], schedule["m"], schedule["rounds"]
    level, delta = ball(budget[0]), ball(budget[1])
    found = least(*budget, **schedule)
    caps = [
        (found.exp() - 1) * n / ((ball(1).exp() - 1) * m),
        found * 2 * (2 * rounds * (2 / delta).log()).sqrt() / level,
        found**2 * 4 * rounds / level,
    ]
    tight = reduce(maximum, caps)
    return all_of(
        close(tight, 1, tolerance=WIDTH), *(at_most(cap, 1 + Q(1, 10**40)) for cap in caps)
    )


@published(
    Source(MODES, "Lemma 2", "σ for every δ"),
    Source(MODES, "eq. (6)", "σ for every δ"),
    defect=Defect.DEGENERATE,
)
@refuted(bits=128, n=1000, m=1, rounds=1, delta=Q(1, 2))
def noise_scale_is_a_number(n: int, m: int, rounds: int, delta: Q) -> Finding:
    """For every m ≤ n, T and δ < 1 the logarithm under the root of (6), ln(2.5mT/(nδ)), is
    positive. (It is ln(1/200) at n = 1000, m = T = 1 and δ = 1/2.)
    """
    assume(m <= n, delta < 1)
    return less(0, (ball(Q(5, 2)) * m * rounds / (n * ball(delta))).log())


@repairs(noise_scale_is_a_number)
@proved(argued=("a logarithm is positive for numbers above 1",))
def noise_scale_is_a_number_for_the_papers_schedule() -> Finding:
    """With the paper's m = ⌈n/ln n⌉ and T = ⌈ln n⌉, mT ≥ n, so that 2.5mT > nδ for every δ < 1."""
    n, m, rounds, log, delta = sympy.symbols("n m T L delta", positive=True)
    return entails([m * log >= n, rounds >= log, delta < 1], 5 * m * rounds / 2 > n * delta)


@published(
    Source(MODES, "Lemma 2"),
    Source(MODES, "eq. (6)"),
    formula=modes.noise_scale,
    rests_on=(
        caps_keep_the_budget_of_all_rounds,
        classical_noise_holds_up_to_one,
        iteration_budget_is_the_least_cap,
        "modes.one_record_moves_the_score_by_the_bound",
    ),
)
@certified(bits=192, schedule=SCHEDULES, budget=BUDGETS)
def single_start_is_private(
    scale: Formula, schedule: dict[str, int], budget: tuple[Q, Q]
) -> Finding:
    """With σ of (6) all rounds of one start are (ε, δ)-private. On a minibatch a round has the
    exact profile of Gaussian noise, at most δ* at ε*; as a sample of m of n it is (ε_iter,
    δ/(2T))-private; and advanced composition of T such rounds is within the budget.
    """
    n, m, rounds = schedule["n"], schedule["m"], schedule["rounds"]
    level, delta = ball(budget[0]), ball(budget[1])
    sensitivity = Q(7, 3)
    sigma = scale(sensitivity, *budget, **schedule)
    small = delta * n / (2 * m * rounds)
    whole = ball(sensitivity) / m * (2 * (ball(Q(5, 4)) / small).log()).sqrt() / sigma
    sampled = ball(privacy.subsampled_ratio(whole.exp(), ball(Q(m, n)))).log()
    slack = delta / 2
    return all_of(
        at_most(privacy.gaussian_delta(ball(sensitivity) / m / sigma, whole), small),
        close(sampled / modes.iteration_epsilon(*budget, **schedule), 1, tolerance=WIDTH),
        at_most(privacy.advanced_composition_epsilon(rounds, sampled, slack), level),
        close(privacy.composition_delta(rounds, small * m / n, slack) / delta, 1, tolerance=WIDTH),
    )


@ours(
    Source(MODES, "eq. (6)", "how much noise is spare"),
    formula=modes.noise_scale,
)
@certified(
    bits=192,
    cases=[
        dict(schedule=SCHEDULES[3], epsilon=Q(1), delta=Q(1, 10**6), ratio=Q(1384228, 10**5)),
        dict(schedule=SCHEDULES[3], epsilon=Q(5), delta=Q(1, 10**6), ratio=Q(1193393, 10**5)),
    ],
)
def one_full_round_needs_much_less(
    scale: Formula, schedule: dict[str, int], epsilon: Q, delta: Q, ratio: Q
) -> Finding:
    """For one round on all records the least Gaussian noise for (1, 10⁻⁶) is more than 13.8 times
    less than σ of (6), and for (5, 10⁻⁶) more than 11.9 times.
    """
    needed = privacy.gaussian_sigma(epsilon, delta, Q(1, schedule["m"])).value
    found = scale(Q(1), epsilon, delta, **schedule) / ball(as_dyadic(needed))
    return all_of(less(ratio, found), less(found, ratio * Q(100001, 10**5)))
