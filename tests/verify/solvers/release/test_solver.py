"""Least losses against values from elsewhere, against each other, and against hand calculations."""

import itertools
from dataclasses import replace
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.theory import counting
from provedp.verify.solvers.linear_programs.rational import InfeasibleError
from provedp.verify.solvers.release import graphs, program, rounded
from provedp.verify.solvers.release.path import exact_on_path
from provedp.verify.solvers.release.problem import ReleaseProblem, loss_matrix
from provedp.verify.solvers.release.rays import remaps_to
from provedp.verify.solvers.release.solver import enclosed, require_size

from .exact_values import RELEASES, VALUES, problem_of


def on_path(name, m, k, delta=0, prior=None):
    return ReleaseProblem(loss_matrix(name, m), prior, graphs.path(m), Q(k), Q(delta))


@pytest.mark.parametrize("name", RELEASES)
def test_values_from_elsewhere(name):
    best = enclosed(problem_of(name))
    assert best.lower == best.upper == Q(VALUES[name]["value"])


def test_enough_values_are_of_releases():
    assert len(RELEASES) == 95


# Selection, tests of groups and others, as releases with losses of their own.


@pytest.mark.parametrize("gap", [1, 2, 4, 5])
def test_selection_between_two_candidates(gap):
    """Counts 1, …, 13 are score gaps −6, …, 6; outputs name the first or the second candidate."""
    gaps = range(-6, 7)
    loss = tuple((Q(max(0, -d)), Q(max(0, d))) for d in gaps)
    prior = tuple(Q(1, 2) if abs(d) == gap else Q(0) for d in gaps)
    found = enclosed(ReleaseProblem(loss, prior, graphs.within(13, 2), Q(4), Q(0)))
    expected = Q(VALUES[f"selection-2-candidates-gap{gap}-k4"]["value"])
    assert found.lower == found.upper == expected


@pytest.mark.parametrize(
    ("candidates", "top", "criterion"),
    [(2, 2, "worst"), (2, 2, "uniform"), (2, 4, "uniform"), (3, 2, "worst")],
)
def test_selection_over_all_scores(candidates, top, criterion):
    scores = list(itertools.product(range(top + 1), repeat=candidates))
    places = range(len(scores))
    near = [
        (a + 1, b + 1)
        for a in places
        for b in places
        if a < b and max(abs(x - y) for x, y in zip(scores[a], scores[b], strict=True)) <= 1
    ]
    loss = tuple(tuple(Q(max(each) - score) for score in each) for each in scores)
    prior = None if criterion == "worst" else tuple(Q(1, len(scores)) for _ in scores)
    found = enclosed(ReleaseProblem(loss, prior, tuple(near), Q(4), Q(0)))
    name = f"selection-{candidates}-candidates-scores0..{top}-{criterion}-k4"
    assert found.lower == found.upper == Q(VALUES[name]["value"])


@pytest.mark.parametrize("name", ["local-test-M4-groups2vs2-k3", "local-test-M5-groups1vs4-k2"])
def test_telling_two_groups_apart_locally(name):
    inputs = VALUES[name]["inputs"]
    groups, m = inputs["groups"], inputs["M"]
    loss = tuple((Q(i in groups[1]), Q(i in groups[0])) for i in range(1, m + 1))
    prior = tuple(
        next(Q(1, 2 * len(group)) for group in groups if i in group) for i in range(1, m + 1)
    )
    found = enclosed(ReleaseProblem(loss, prior, graphs.within(m, m), Q(inputs["k"]), Q(0)))
    assert found.lower == found.upper == Q(VALUES[name]["value"])


@pytest.mark.parametrize("name", [n for n in VALUES if n.startswith("partition")])
def test_partition_selection(name):
    """A group with nobody in it must not be kept: that costs more than all else together."""
    inputs = VALUES[name]["inputs"]
    for count, kept in enumerate(VALUES[name]["all_counts"]):
        if count == 0:
            continue
        loss = [(Q(0), Q(0)) for _ in range(7)]
        loss[0], loss[count] = (Q(0), Q(10**6)), (Q(1), Q(0))
        prior = tuple(Q(1, 2) if i in (0, count) else Q(0) for i in range(7))
        problem = ReleaseProblem(
            tuple(loss), prior, graphs.path(7), Q(inputs["k"]), Q(inputs["delta"])
        )
        assert enclosed(problem).upper == (1 - Q(kept)) / 2


# Closed values.


@pytest.mark.parametrize("k", [Q(3, 2), Q(17, 10), Q(3)])
def test_three_counts_have_closed_values(k):
    assert enclosed(on_path("absolute", 3, k)).upper == 2 * k / (k * k + 2 * k - 1)
    squared = min(Q(1), (k + 3) / (k * (k + 1)))
    assert enclosed(on_path("squared", 3, k)).upper == squared


def test_below_the_root_of_three_the_middle_is_named_whatever_the_count():
    best = enclosed(on_path("squared", 3, Q(173, 100)))
    assert best.upper == 1
    assert enclosed(on_path("squared", 3, Q(174, 100))).upper < 1


@pytest.mark.parametrize("m", [2, 3, 6])
@pytest.mark.parametrize("delta", [Q(0), Q(1, 10)])
def test_the_parity_of_the_error_is_answered_by_randomised_response(m, delta):
    loss = tuple(tuple(Q((i - j) % 2) for j in range(m)) for i in range(m))
    best = enclosed(ReleaseProblem(loss, None, graphs.path(m), Q(2), delta))
    assert best.upper == (1 - delta) / 3


@pytest.mark.parametrize("m", range(2, 8))
def test_fair_error_is_that_of_the_counting_paper(m):
    uniform = tuple(Q(1, m) for _ in range(m))
    fair = replace(on_path("zero-one", m, 2, prior=uniform), side=("fair",))
    assert enclosed(fair).upper == counting.error(m, Q(2), Q(0))


def test_without_privacy_budget_the_release_is_constant():
    """Absolute loss, uniform weights: the median; worst case over 1, …, 5: half of the range."""
    uniform = tuple(Q(1, 5) for _ in range(5))
    assert enclosed(on_path("absolute", 5, 1, prior=uniform)).upper == Q(6, 5)
    best = enclosed(on_path("absolute", 5, 1))
    assert (best.lower, best.upper, best.decided_by) == (2, 2, "constant release")
    circle = ReleaseProblem(loss_matrix("zero-one", 4), None, graphs.circle(4), Q(1), Q(0))
    assert enclosed(circle).lower == enclosed(circle).upper == Q(3, 4)


def test_of_one_output_the_worst_loss_is_the_largest():
    problem = ReleaseProblem(((Q(1),), (Q(5, 2),)), None, graphs.path(2), Q(2), Q(1, 10))
    assert enclosed(problem).upper == Q(5, 2)


def test_conditions_that_nothing_keeps_are_infeasible():
    rows = loss_matrix("zero-one", 3)
    problem = ReleaseProblem(rows, None, graphs.path(3), Q(1), Q(0), ("fair", "weakly-honest"))
    assert enclosed(problem).upper == Q(2, 3)  # the uniform law keeps them
    with pytest.raises(InfeasibleError):
        program.exact(replace(problem, k=Q(-1)), 100)  # no stochastic matrix: P_a ≤ −P_b


# Two methods.


@st.composite
def problems(draw, least=Q(11, 10)):
    m, n = draw(st.integers(2, 5)), draw(st.integers(1, 5))
    entry = st.integers(0, 9)
    loss = draw(st.lists(st.lists(entry, min_size=n, max_size=n), min_size=m, max_size=m))
    weights = draw(st.none() | st.lists(st.integers(0, 4), min_size=m, max_size=m).filter(any))
    prior = None if weights is None else tuple(Q(w, sum(weights)) for w in weights)
    k = draw(st.sampled_from([least, Q(3, 2), Q(2), Q(7)]))
    exact = tuple(tuple(map(Q, row)) for row in loss)
    return ReleaseProblem(exact, prior, graphs.path(m), k, Q(0))


@settings(max_examples=60)
@given(problems())
def test_rays_and_the_whole_program_agree(problem):
    rays, whole = exact_on_path(problem), program.exact(problem, 500)
    assert rays.lower == rays.upper == whole.lower == whole.upper


@settings(max_examples=30)
@given(problems(), st.sampled_from([Q(0), Q(1, 20)]))
def test_rounded_programs_enclose_the_optimum_narrowly(problem, delta):
    problem = replace(problem, delta=delta)
    near = rounded.rounded_program(problem)
    exact = program.exact(problem, 500).upper
    assert near.lower <= exact <= near.upper <= near.lower + Q(1, 10**7)


@settings(max_examples=20)
@given(
    st.sampled_from(["absolute", "squared"]), st.integers(2, 12), st.sampled_from([Q(21, 20), Q(2)])
)
def test_rounded_rays_enclose_the_optimum_narrowly(name, m, k):
    near = rounded.rounded_on_path(on_path(name, m, k))
    exact = exact_on_path(on_path(name, m, k)).upper
    assert near.lower <= exact <= near.upper <= near.lower + Q(1, 10**9)


# Sizes.


@pytest.mark.parametrize("name", ["absolute", "squared"])
@pytest.mark.parametrize("k", [Q(101, 100), Q(3, 2), Q(2), Q(1000)])
def test_forty_counts_are_solved_exactly_whatever_k_is(name, k):
    best = enclosed(on_path(name, 40, k))
    assert best.lower == best.upper
    assert min(remaps_to(k, best.primal.tolist()).entries()) >= 0


@pytest.mark.parametrize("name", ["absolute", "squared"])
@pytest.mark.parametrize("k", [1 + Q(1, 10**12), 1 + Q(1, 10**40), Q(2**61 - 1, 2**60 + 1)])
def test_forty_counts_are_solved_exactly_at_odd_ratios(name, k):
    """Near 1 a constant release is nearly optimal, and strictly not."""
    best = enclosed(on_path(name, 40, k))
    assert best.lower == best.upper
    if k < Q(3, 2):
        constant = enclosed(on_path(name, 40, 1)).upper
        assert constant - (k - 1) * 40**3 < best.upper < constant


def test_eighty_counts_near_a_ratio_of_one_are_enclosed():
    best = enclosed(on_path("absolute", 80, 1 + Q(1, 10**12)))
    assert best.lower < Q(79, 2) and best.gap < Q(1, 10**8)


@pytest.mark.parametrize("delta", [Q(0), Q(1, 100), 1 - Q(1, 10**12)])
@pytest.mark.parametrize("k", [Q(10**13), Q(10) ** 90])
def test_ratios_beyond_floats_are_enclosed_between_loss_and_no_privacy(delta, k):
    """Without privacy count 2 of this loss loses 1/2; some error in M/k times the loss is left."""
    loss = ((Q(0), Q(5), Q(9)), (Q(3), Q(1, 2), Q(3)), (Q(7), Q(4), Q(0)))
    problem = ReleaseProblem(loss, None, graphs.within(3, 3), k, delta)
    best = enclosed(problem)
    assert best.lower == Q(1, 2) < best.upper < Q(1, 2) + 20 / k
    prior = (Q(1, 2), Q(1, 2), Q(0))
    mean = enclosed(replace(problem, prior=prior))
    assert mean.lower == Q(1, 4) < mean.upper < Q(1, 4) + 20 / k


@pytest.mark.parametrize("name", ["absolute", "squared"])
def test_eighty_counts_are_solved_exactly(name):
    best = enclosed(on_path(name, 80, 2))
    assert best.lower == best.upper


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "k"),
    [
        ("absolute", Q(2)),
        ("absolute", Q(1084483, 398959)),
        ("squared", Q(60360901, 59760300)),
    ],
)
def test_two_hundred_counts_are_enclosed_narrowly(name, k):
    assert enclosed(on_path(name, 200, k)).gap <= Q(1, 10**9)


def test_too_large_requests_are_refused_before_any_work():
    many = ReleaseProblem(((Q(0),),) * 500, None, graphs.path(500), Q(2), Q(0))
    with pytest.raises(ValueError, match="too many"):
        require_size("a test", many)
    with pytest.raises(ValueError, match="privacy constraints"):
        require_size("a test", replace(many, loss=((Q(0),) * 200,) * 500, delta=Q(1, 10)))
