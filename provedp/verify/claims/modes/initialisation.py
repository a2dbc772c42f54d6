"""Algorithm 2, Theorem 4.1 and eq. (3): the density-aware initialisation and what it spends."""

from itertools import combinations_with_replacement

from hypothesis import strategies as st

from provedp.theory import modes
from provedp.verify.claims.prelude import *

LINE = [[Q(0)], [Q(1)], [Q(2)], [Q(3)]]  # candidates
SETS = tuple(combinations_with_replacement((Q(0), Q(1), Q(5, 2)), 2))  # of two records
FAR = 100  # farther apart than any radius


def neighbours(data: tuple[Q, ...]) -> list[tuple[Q, ...]]:
    """Return the data with the first record replaced by each of three places and by a far one."""
    return [(place, *data[1:]) for place in (Q(0), Q(1), Q(5, 2), Q(FAR))]


def law_of(law: Formula, data: tuple[Q, ...], draws: int, radius: Q, reach: Q, ratio: Q) -> Any:
    """Return the law of DAP on four candidates on a line."""
    counts = modes.dap_counts(LINE, [[record] for record in data], radius)
    return law(counts, LINE, draws, reach, ratio)


@published(Source(MODES, "eq. (3)"), formula=modes.dap_counts)
@certified(
    data=st.lists(st.fractions(-1, 4, max_denominator=4), min_size=1, max_size=4),
    record=st.fractions(-1, 4, max_denominator=4),
    radius=st.sampled_from([Q(0), Q(1, 2), Q(1), Q(3, 2)]),
    examples=levels(30, 500),
)
def utilities_count_and_move_by_one(
    counts: Formula, data: list[Q], record: Q, radius: Q
) -> Finding:
    """The weights' exponent n u_j is the number of records within h_DAP of z_j, and one replaced
    record changes it by at most 1 at every candidate.
    """
    found = counts(LINE, [[place] for place in data], radius)
    direct = [sum(abs(place - z[0]) <= radius for place in data) for z in LINE]
    moved = counts(LINE, [[place] for place in [record, *data[1:]]], radius)
    moves = [abs(Q(a) - Q(b)) for a, b in zip(found, moved, strict=True)]
    return all_of(equal([Q(c) for c in found], [Q(c) for c in direct]), at_most(max(moves), 1))


@published(
    Source(MODES, "Theorem 4.1"),
    Source(MODES, "Algorithm 2"),
    formula=modes.dap_law,
    rests_on=("modes.every_draw_spends_at_most_its_part",),
)
@certified(
    data=SETS,
    draws=(1, 2, 3),
    radius=(Q(1, 2), Q(1)),
    reach=(Q(0), Q(1), Q(2)),
    ratio=(Q(3, 2),),
)
def initialisation_is_private(
    law: Formula, data: tuple[Q, ...], draws: int, radius: Q, reach: Q, ratio: Q
) -> Finding:
    """No sequence of draws is more than e^ε_init = r^(2k) times as likely when one record is
    replaced, r = e^(ε_draw/2), resets included: the whole law, for all neighbours on a small grid.
    """
    here = law_of(law, data, draws, radius, reach, ratio)
    total = equal(sum(here.values()), 1)
    ratios = [
        modes.dap_ratio(here, law_of(law, other, draws, radius, reach, ratio))
        for other in neighbours(data)
    ]
    return all_of(total, *(at_most(found, ratio ** (2 * draws)) for found in ratios))


@published(Source(MODES, "Theorem 4.1", "the proof"), rests_on=("privacy.guarantees_compose",))
@proved(
    argued=(
        "each count moves by at most 1, so that each weight and any sum of weights moves by a "
        "factor of at most r",
        "the candidates of a draw are a function of the draws before, so that chances multiply",
    )
)
def every_draw_spends_at_most_its_part() -> Finding:
    """On any public set of candidates a draw's chance w_j/Σ w changes by at most e^ε_draw = r²:
    each weight r^(n u_j) by at most r, and so does the sum. k draws multiply to r^(2k) = e^ε_init.
    """
    own, own2, rest, rest2, r = sympy.symbols("w v Z Y r", positive=True)
    close = [r >= 1, own2 <= r * own, own <= r * own2, rest2 <= r * rest, rest <= r * rest2]
    bound = entails([*close, own <= rest, own2 <= rest2], own * rest2 <= r**2 * own2 * rest)
    draws, level = sympy.symbols("k e", positive=True)
    part = sympy.exp(level / draws / 2)  # r = e^(ε_draw/2), ε_draw = ε_init/k
    return all_of(bound, equal(part ** (2 * draws), sympy.exp(level)))


@ours(
    Source(MODES, "Theorem 4.1", "the budget that is spent"),
    formula=modes.dap_budget_factor,
    rests_on=("modes.at_most_one_draw_of_an_epoch_costs_both_parts",),
)
@certified(data=SETS, draws=(1, 2), radius=(Q(1, 2),), reach=(Q(1),), ratio=(Q(3, 2), Q(4)))
def initialisation_spends_part_of_its_budget(
    factor: Formula, data: tuple[Q, ...], draws: int, radius: Q, reach: Q, ratio: Q
) -> Finding:
    """With ρ_init ≥ 2 h_DAP and no reset, no sequence is more than e^(ε_init (k + 1)/(2k)) = r^(k +
    1) times as likely: the whole law, for all neighbours on a small grid.
    """
    assume(reach >= 2 * radius)
    spent = factor(draws) * 2 * draws
    here = law_of(modes.dap_law, data, draws, radius, reach, ratio)
    ratios = [
        modes.dap_ratio(here, law_of(modes.dap_law, other, draws, radius, reach, ratio))
        for other in neighbours(data)
    ]
    return all_of(
        equal(spent, draws + 1), *(at_most(found, ratio ** int(spent)) for found in ratios)
    )


@ours(Source(MODES, "Theorem 4.1", "the budget that is spent"))
@proved(
    argued=(
        "a replaced record leaves some counts and enters others; of those that it enters, all are "
        "within h_DAP of one place, in any dimension by the triangle inequality",
        "of k draws in E epochs, E at most gain r², and all others r",
    )
)
def at_most_one_draw_of_an_epoch_costs_both_parts() -> Finding:
    """Two candidates whose counts one place enters are at most 2 h_DAP ≤ ρ_init apart, so a draw of
    one suppresses the other until a reset: in an epoch at most one draw gains r from its own
    weight, all gain at most r from the sum. With E epochs r^(k + E), which is (k + E)/(2k) of
    ε_init.
    """
    first, second, place, radius, reach = sympy.symbols("a b x h rho", real=True)
    near = [
        sympy.Abs(first - place) <= radius,
        sympy.Abs(second - place) <= radius,
        reach >= 2 * radius,
    ]
    own, own2, rest, rest2, r = sympy.symbols("w v Z Y r", positive=True)
    close = [r >= 1, rest2 <= r * rest]
    draws, epochs = sympy.symbols("k E", positive=True)
    spent = (draws + epochs) / (2 * draws)
    return all_of(
        entails(near, sympy.Abs(first - second) <= reach),
        entails([*close, own <= own2], own * rest2 <= r * own2 * rest),
        entails([*close, own <= r * own2], own * rest2 <= r**2 * own2 * rest),
        equal((r**2) ** epochs * r ** (draws - epochs), r ** (draws + epochs)),
        # of r^(2k) = e^ε_init
        equal(sympy.log(r ** (draws + epochs)) / sympy.log(r ** (2 * draws)), spent),
    )


def without_the_one(draws: int, epochs: int = 1) -> Q:
    """Return 1/2, the part that the sums alone would spend."""
    return Q(1, 2)


@ours(
    Source(MODES, "Theorem 4.1", "the budget that is spent"),
    formula=modes.dap_budget_factor,
    mutants=(without_the_one,),
)
@certified(draws=(1, 2, 3), bulk=levels((30,), (30, 60)))
def smaller_budget_is_nearly_spent(factor: Formula, draws: int, bulk: int) -> Finding:
    """The factor (k + 1)/(2k) is least: where most records are at the place that gains one, all
    draws gain from the sum and the first one from its own weight too, up to a part that falls like
    r^(−bulk).
    """
    ratio = Q(2)
    places = [[Q(10 * i)] for i in range(draws + 1)]
    first = modes.dap_law([1, bulk, *[0] * (draws - 1)], places, draws, Q(1), ratio)
    second = modes.dap_law([0, bulk + 1, *[0] * (draws - 1)], places, draws, Q(1), ratio)
    wanted = Q(ratio ** int(2 * draws * factor(draws)))
    found = modes.dap_ratio(first, second)
    return all_of(
        equal(2 * draws * factor(draws), draws + 1),
        at_most(found, wanted),
        less(wanted * (1 - Q(8 * draws, ratio**bulk)), found),
    )


@published(Source(MODES, "Algorithm 2", "the reset"), formula=modes.dap_law)
@certified(draws=(4, 5), ratio=(Q(1), Q(3, 2)))
def all_candidates_are_reopened(law: Formula, draws: int, ratio: Q) -> Finding:
    """Each draw suppresses itself alone at ρ_init = 0, so that four draws from four candidates are
    the permutations, and a fifth is from all four again.
    """
    found = law([2, 1, 0, 1], LINE, draws, Q(0), ratio)
    first = {key[:4] for key in found}
    return all_of(
        equal(Q(len(first)), Q(24)),
        equal(Q(len(found)), Q(24) * 4 ** (draws - 4)),
        equal(sum(found.values()), 1),
    )


@published(Source(MODES, "Algorithm 4", "initialisation"), formula=modes.dap_law)
@certified(data=SETS, ratio=(Q(3, 2),), starts=(1, 2, 3))
def response_anchors_are_private(
    law: Formula, data: tuple[Q, ...], ratio: Q, starts: int
) -> Finding:
    """With public predictors the utilities N_j u_j(z) are counts of responses, so an anchor drawn
    with weights r^(N_j u_j), r = e^(ε_draw/2), is (ε_draw, 0)-private, and k independent ones
    (ε_init, 0).
    """
    here = law_of(law, data, 1, Q(1), Q(0), ratio)
    ratios = [
        modes.dap_ratio(here, law_of(law, other, 1, Q(1), Q(0), ratio))
        for other in neighbours(data)
    ]
    return all_of(
        equal(sum(here.values()), 1),
        *(at_most(found**starts, ratio ** (2 * starts)) for found in ratios),
    )
