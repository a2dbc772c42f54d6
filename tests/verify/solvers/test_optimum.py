import math
from fractions import Fraction as Q

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.theory.channels import psk_matrix
from provedp.theory.counting import dual_weights, release_matrix
from provedp.theory.matrices import circulant, identity, matrix
from provedp.theory.numbers import Field
from provedp.verify.solvers.channel import irrational as balls
from provedp.verify.solvers.channel import solver
from provedp.verify.solvers.channel.bracket import Dual, Problem
from provedp.verify.solvers.channel.canonical import canonical_dual
from provedp.verify.solvers.channel.irrational import channel_perturbation
from provedp.verify.solvers.channel.optimum import (
    check_dual,
    check_primal,
    least_error,
    least_error_behind,
    least_error_behind_balls,
    least_error_of_ball,
)
from provedp.verify.solvers.channel.programs import (
    least_error_of_literal_substitution,
    program_behind,
    solve_with_all_events,
)
from provedp.verify.solvers.check import CertificateError
from provedp.verify.solvers.linear_programs.rational import solve

PAPER = [
    [Q(1, 2), Q(2, 5), Q(1, 10)],
    [Q(3, 10), Q(1, 5), Q(1, 2)],
    [Q(1, 5), Q(1, 5), Q(3, 5)],
]
GENERIC = [
    [Q(3, 5), Q(1, 4), Q(3, 20)],
    [Q(1, 5), Q(11, 20), Q(1, 4)],
    [Q(1, 10), Q(3, 10), Q(3, 5)],
]
BOUNDARY = [[Q(2, 3), Q(1, 3), Q(0)], [Q(0), Q(1), Q(0)], [Q(0), Q(1, 3), Q(2, 3)]]
CYCLIC = circulant([Q(1, 2), Q(1, 4), Q(1, 4)])
WITHOUT_CHANNEL = [  # M, k, δ, p_e*
    (4, Q(11, 10), Q(1, 10), Q(32, 49)),
    (6, Q(3, 2), Q(1, 1000), Q(16983, 23750)),
    (2, Q(1), Q(1, 10), Q(9, 20)),
    (8, Q(2), Q(0), Q(29, 45)),
    (40, Q(3, 2), Q(1, 3), Q(27883789448, 52286037375)),
]
BEHIND = [  # T, k, δ, p_e*(T)
    (PAPER, Q(1), Q(0), Q(24, 35)),
    (PAPER, Q(2), Q(0), Q(19, 30)),
    (PAPER, Q(2), Q(1, 10), Q(37, 60)),
    (BOUNDARY, Q(2), Q(0), Q(1, 2)),
    (CYCLIC, Q(3), Q(0), Q(1, 2)),
    ([[Q(1, 2), Q(1, 3), Q(1, 6)]] * 3, Q(2), Q(0), Q(5, 6)),
    (GENERIC, Q(2), Q(0), Q(1, 2)),
    (GENERIC, Q(8), Q(0), Q(9, 20)),
    ([[Q(2, 3), Q(1, 3)], [Q(1, 3), Q(2, 3)]], Q(3), Q(0), Q(1, 3)),
    (circulant([Q(0), Q(1, 5), Q(2, 5), Q(2, 5)]), Q(11, 10), Q(1, 10), Q(32, 49)),
]
PHASE_SHIFT_KEYING = [  # decibels, ε, p_e*(T) for 8 points at δ = 0, to 20 digits
    (0, Q(1, 2), "0.71710583327558348675"),
    (0, Q(1), "0.62779137870288450048"),
    (5, Q(2), "0.36298536519832934975"),
    (10, Q(2), "0.23815027193239073764"),
    (10, Q(4), "0.088563344410110141137"),
]


def rows(size):
    return st.lists(st.integers(0, 5), min_size=size, max_size=size).filter(any)


@st.composite
def channels(draw):
    size = draw(st.integers(2, 4))
    whole = draw(st.lists(rows(size), min_size=size, max_size=size))
    return [[Q(entry, sum(row)) for entry in row] for row in whole]


RATIOS = st.sampled_from([Q(1), Q(11, 10), Q(2), Q(7)])
SLACKS = st.sampled_from([Q(0), Q(1, 20), Q(1, 2)])


@pytest.mark.parametrize(("m", "k", "delta", "error"), WITHOUT_CHANNEL)
def test_optimum_without_a_channel(m, k, delta, error):
    best = least_error(m, k, delta)
    assert best.lower == best.upper == error


@pytest.mark.parametrize(("m", "k", "delta", "error"), WITHOUT_CHANNEL[:3])
def test_all_events_give_the_same_optimum(m, k, delta, error):
    assert 1 - solve_with_all_events(m, k, delta).value == error


@pytest.mark.parametrize(("channel", "k", "delta", "error"), BEHIND)
def test_optimum_behind_a_channel(channel, k, delta, error):
    best = least_error_behind(channel, k, delta)
    assert best.lower == best.upper == error


@pytest.mark.parametrize(
    ("channel", "k", "decided_by"),
    [(BOUNDARY, Q(1, 1), "linear program"), (CYCLIC, Q(11, 10), "undisturbed optimum")]
    + [(GENERIC, Q(8), "assignment"), (GENERIC, Q(2), "linear program")],
)
def test_the_deciding_method_is_named(channel, k, decided_by):
    assert least_error_behind(channel, k, Q(0)).decided_by == decided_by


def around_the_circle(size, beside, opposite):
    """Return the channel that moves a message to a neighbour, or half around the circle."""
    step = np.roll(np.eye(size, dtype=int), 1, axis=1)
    far = np.linalg.matrix_power(step, size // 2)
    stays = 1 - 2 * beside - opposite
    return stays * np.eye(size, dtype=int) + beside * (step + step.T) + opposite * far


@pytest.mark.parametrize(
    ("opposite", "decided_by"),
    [(Q(0), "undisturbed optimum"), (Q(1, 2**54), "nearly undisturbed optimum")],
)
def test_a_channel_that_takes_next_to_nothing_is_told_from_one_that_takes_nothing(
    opposite, decided_by
):
    """P* has entries k^(−10) = 10^(−30) half around, where T⁻¹ takes 5·10⁻¹⁷ away."""
    channel, k = around_the_circle(20, Q(1, 2**12), opposite), Q(1000)
    best = least_error_behind(channel, k, Q(0))
    assert best.decided_by == decided_by
    assert best.lower >= least_error(20, k, Q(0)).lower - Q(1, 10**30)
    assert 0 <= best.gap <= (Q(1, 10**12) if opposite else 0)
    assert (best.gap > 0) == (opposite > 0)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(channels(), RATIOS, SLACKS)
def test_the_bracket_is_the_optimum_of_the_program(channel, k, delta):
    best = least_error_behind(channel, k, delta)
    exact = solve(program_behind(matrix(channel), k, delta)).value
    assert best.lower == best.upper == 1 - exact
    assert check_primal(best.primal, k, delta, channel) == best.upper


@settings(derandomize=True, deadline=None, max_examples=40)
@given(channels(), st.sampled_from([Q(11, 10), Q(2), Q(7)]), SLACKS)
def test_the_repaired_float_optimum_encloses_the_exact_one(channel, k, delta):
    table = matrix(channel)
    found = solver.approximate(Problem(table, k, delta), table)
    exact = 1 - solve(program_behind(table, k, delta)).value
    assert found.lower <= exact <= found.upper
    assert found.gap <= Q(1, 10**9)


def test_literal_substitution_gives_less_than_the_least_error():
    assert least_error_of_literal_substitution(CYCLIC, Q(3), Q(0)) == Q(2, 5)
    assert least_error_behind(CYCLIC, Q(3), Q(0)).lower == Q(1, 2)


def test_a_wrong_release_is_not_private():
    wrong = release_matrix(5, Q(2), Q(0))
    wrong[0] = [Q(1), Q(0), Q(0), Q(0), Q(0)]
    with pytest.raises(CertificateError, match="Row 1"):
        check_primal(wrong, Q(2), Q(0))


def test_a_release_for_a_larger_ratio_is_not_private():
    with pytest.raises(CertificateError):
        check_primal(release_matrix(6, Q(2) + Q(1, 10**9), Q(0)), Q(2), Q(0))


def test_any_other_middle_row_gives_a_weaker_bound():
    exact = least_error(5, Q(2), Q(1, 20))
    weights = dual_weights(5, Q(2), 1)
    total = sum(weights)
    shifted = Dual(tuple(weight / total for weight in weights), exact.dual.multipliers)
    assert check_dual(shifted.weights, shifted.multipliers, Q(2), Q(1, 20)) < exact.lower


def test_doubled_multipliers_prove_less():
    dual = canonical_dual(6, Q(3, 2))
    doubled = {pair: [2 * value for value in row] for pair, row in dual.multipliers.items()}
    assert (
        check_dual(dual.weights, doubled, Q(3, 2), Q(1, 20))
        < least_error(6, Q(3, 2), Q(1, 20)).lower
    )


def test_weights_must_be_a_distribution():
    with pytest.raises(CertificateError, match="distribution"):
        check_dual([Q(1), Q(1, 10)], {}, Q(2), Q(0))


@pytest.mark.parametrize(("decibels", "epsilon", "digits"), PHASE_SHIFT_KEYING)
def test_phase_shift_keying_to_twenty_digits(decibels, epsilon, digits):
    with ctx.workprec(200):
        channel = psk_matrix(8, arb(decibels))
        ratio = arb(fmpq(epsilon.numerator, epsilon.denominator)).exp()
        best = least_error_behind_balls(channel, ratio, Q(0))
    assert best.gap < Q(1, 10**20) and best.widening < Q(1, 10**20)
    last_digit = Q(1, 10 ** len(digits.split(".")[1]))
    assert best.lower - last_digit <= Q(digits) <= best.upper + last_digit


@pytest.mark.parametrize("delta", [Q(0), Q(1, 20)])
def test_extreme_ratios_behind_a_nearly_noiseless_channel(delta):
    with ctx.workprec(200):
        best = least_error_behind_balls(psk_matrix(16, arb(15)), arb(10).exp(), delta)
    assert best.gap <= Q(1, 10**9)


@pytest.mark.parametrize(
    ("m", "decibels", "delta"),
    [(9, 10, Q(0)), (9, 5, Q(1, 20)), (16, 10, Q(0)), (16, 20, Q(1, 20)), (32, 10, Q(1, 20))]
    + [pytest.param(64, 20, delta, marks=pytest.mark.slow) for delta in (Q(0), Q(1, 20))],
)
def test_the_linear_program_leaves_a_narrow_gap(m, decibels, delta):
    with ctx.workprec(200):
        channel, _ = balls.neighbour(psk_matrix(m, arb(decibels)))
    best = solver.by_linear_program(Problem(channel, Q(math.e), delta), channel)
    assert best.gap <= Q(1, 10**9)


def test_odd_counts_may_be_halved_too():
    channel = circulant([Q(3, 5), Q(1, 10), Q(1, 10), Q(1, 10), Q(1, 10)])
    problem = Problem(channel, Q(3), Q(0))
    exact = solve(program_behind(channel, Q(3), Q(0))).value
    found = solver.approximate(problem, channel)
    assert found.lower <= 1 - exact <= found.upper and found.gap < Q(1, 10**9)


def test_the_ball_of_a_ratio_is_covered():
    low, high = least_error(5, Q(27, 10), Q(0)).lower, least_error(5, Q(28, 10), Q(0)).lower
    with ctx.workprec(100):
        wide = arb("2.75", "0.05")
        best = least_error_of_ball(5, wide, Q(0))
    assert best.lower <= high < low <= best.upper


@settings(derandomize=True, deadline=None, max_examples=30)
@given(channels(), channels(), st.sampled_from([Q(11, 10), Q(3)]), SLACKS, st.integers(2, 9))
def test_a_nearby_channel_has_a_nearby_optimum(channel, other, k, delta, exponent):
    if len(channel) != len(other):
        other = identity(len(channel), Field.RATIONAL).tolist()
    share = Q(1, 10**exponent)
    table = matrix(channel)
    moved = (1 - share) * table + share * matrix(other)
    distance = max(abs(table - moved).ravel())
    means = [sum(column) / len(table) for pair in (table, moved) for column in pair.T]
    change = abs(
        least_error_behind(table, k, delta).lower - least_error_behind(moved, k, delta).lower
    )
    if delta == 0 and min(means) == 0:
        return
    assert change <= channel_perturbation(len(table), k, delta, distance, min(means))


def test_inexact_channels_need_a_ratio_above_one():
    with ctx.workprec(100), pytest.raises(ValueError, match="not bounded for k = 1"):
        least_error_behind_balls([[arb("2/3"), arb("1/3")]] * 2, arb(1), Q(0))


@pytest.mark.parametrize(
    ("channel", "complaint"),
    [
        ([[Q(1, 2), Q(1, 2)], [Q(1, 2), Q(1, 3)]], "row 2 that sums to 5/6"),
        ([[Q(3, 2), Q(-1, 2)], [Q(0), Q(1)]], "-1/2 in row 1, column 2"),
        ([[Q(1), Q(0), Q(0)], [Q(0), Q(1), Q(0)]], "shape 2×3"),
        ([[math.nan, 1.0], [0.5, 0.5]], "nan in row 1, column 1"),
        ([[0.5, 0.5], [0.5, 0.5]], "not rational"),
        ([[Q(1, 2), Q(1, 2)], [Q(1)]], "rows of different"),
    ],
)
def test_bad_channels_are_named(channel, complaint):
    with pytest.raises(ValueError, match=f"'channel' parameter.*{complaint}"):
        least_error_behind(channel, Q(2), Q(0))


@pytest.mark.parametrize(
    ("name", "k", "delta"),
    [("k", Q(1, 2), Q(0)), ("k", math.nan, Q(0)), ("k", 2.5, Q(0))]
    + [("delta", Q(2), Q(1)), ("delta", Q(2), Q(-1, 10)), ("delta", Q(2), math.nan)],
)
@pytest.mark.parametrize("function", [least_error, least_error_behind])
def test_bad_parameters_are_named(function, name, k, delta):
    first = 3 if function is least_error else PAPER
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        function(first, k, delta)


def test_the_closed_certificate_for_many_counts():
    for m in range(2, 41):
        assert least_error(m, Q(3, 2), Q(1, 20)).gap == 0


@pytest.mark.slow
def test_the_closed_certificate_for_a_thousand_counts():
    assert least_error(1000, Q(3, 2), Q(1, 20)).gap == 0


def test_points_are_matrices_of_fractions():
    best = least_error_behind(GENERIC, Q(2), Q(0))
    assert isinstance(best.primal, np.ndarray)
    assert all(isinstance(entry, Q) for entry in best.primal.ravel())
