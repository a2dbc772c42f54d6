"""Bounds and conditions behind a channel: known values, one formula in five fields, properties."""

import math
from fractions import Fraction as F

import flint
import numpy as np
import pytest
import sympy
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.theory import channels
from provedp.theory.counting import error, release_matrix, worst_case_error
from provedp.theory.matrices import inverse, matrix, product
from provedp.theory.numbers import Field, ball, ball_contains
from provedp.theory.privacy import path_delta

FLOAT_ERROR = 1e-12  # conditioning of P* and T below 1e3, times rounding
PROPERTY = settings(derandomize=True, deadline=None, max_examples=80)

PAPER = [["1/2", "2/5", "1/10"], ["3/10", "1/5", "1/2"], ["1/5", "1/5", "3/5"]]
GENERIC = [["3/5", "1/4", "3/20"], ["1/5", "11/20", "1/4"], ["1/10", "3/10", "3/5"]]
BOUNDARY = [["2/3", "1/3", "0"], ["0", "1", "0"], ["0", "1/3", "2/3"]]
RANK_ONE = [["1/2", "1/3", "1/6"]] * 3
TWO = [["2/3", "1/3"], ["1/3", "2/3"]]
CIRCULANT = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]


def fractions(rows):
    return [[F(entry) for entry in row] for row in rows]


def test_assignment_of_the_papers_example():
    chosen = channels.assignment(fractions(PAPER))
    assert chosen.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert channels.assignment_error(fractions(PAPER)) == F(3, 5)


def test_ties_go_to_the_lowest_row():
    channel = [[F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)]]
    assert channels.assignment(channel).tolist() == [[1, 0], [1, 0]]
    last = [[F(1, 3), F(2, 3)], [F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)]]
    square = [[*row, F(0)] for row in last]
    assert channels.assignment(square).tolist() == [[0, 1, 0], [1, 0, 0], [1, 0, 0]]


def test_ties_of_balls_are_undecided_and_strict_maxima_are_not():
    third = arb(1) / 3
    with pytest.raises(ValueError, match="column 1 is not decided"):
        channels.assignment([[third, 1 - third], [third, 1 - third]])
    strict = channels.assignment([[third, 1 - third], [2 * third, 1 - 2 * third]])
    assert [[int(float(entry)) for entry in row] for row in strict] == [[0, 1], [1, 0]]


def test_a_ball_that_may_tie_with_a_later_row_is_undecided():
    low = arb(0.25, 0.125)
    top = low.mid() + low.rad()
    assert low <= top and not low < top
    with pytest.raises(ValueError, match="column 1 is not decided"):
        channels.assignment([[low, 1 - low], [top, 1 - top]])


def test_an_undecided_empty_set_is_refused():
    third = arb(1) / 3
    with pytest.raises(ValueError, match="raise the precision"):
        channels.spectral_step([[2 * third, third]] * 2, arb(2), arb(0), [1, -1])


@pytest.mark.parametrize(
    ("rows", "k", "known", "weight", "beta", "printed"),
    [
        (GENERIC, 2, ["9/20", "5/8", "87/160", "47/80"], "13/20", "1/6", "47/80"),
        (GENERIC, 8, ["9/20", "101/200", "531/1130", "9/20"], "13/113", "7/6", "529/1200"),
        (TWO, 3, ["1/3", "5/12", "1/3", "1/3"], "1/2", "2", "1/4"),
    ],
)
def test_bounds_have_their_exact_values(rows, k, known, weight, beta, printed):
    found = channels.bounds(fractions(rows), k, 0)
    assert [found[name] for name in ("l", "u0", "u1", "u3")] == [F(value) for value in known]
    assert found["u3_as_printed"] == F(printed)
    assert channels.mixing_weight(fractions(rows), k, 0) == F(weight)
    assert channels.mixing_weight_as_printed(fractions(rows), k, 0) == F(weight)
    assert channels.assignment_mixing_weight_as_printed(fractions(rows), k, 0) == F(beta)


def test_printed_third_bound_is_below_the_lower_bound():
    channel = fractions(TWO)
    assert channels.assignment_mixing_error_as_printed(channel, 3, 0) == F(1, 4)
    assert channels.assignment_error(channel) == F(1, 3)
    mechanism = channels.assignment_mixing_matrix_as_printed(channel, 3, 0)
    assert mechanism.tolist() == [[F(5, 4), F(-1, 4)], [F(-1, 4), F(5, 4)]]


def test_second_form_of_the_mixing_weight_is_not_the_first():
    # T = P* at k = 2, release at k = 3/2: by hand P* = (3/5, 2/5) and P* T⁻¹ = (4/5, 1/5).
    channel = fractions(TWO)
    assert channels.mixing_weight(channel, F(3, 2), 0) == 1
    assert channels.mixing_weight_as_printed(channel, F(3, 2), 0) == 2
    assert channels.mixing_error_as_printed(channel, F(3, 2), 0) == F(1, 3)
    assert channels.mixing_error(channel, F(3, 2), 0) == error(2, F(3, 2), 0) == F(2, 5)


def test_spectral_bound_depends_on_the_direction_where_the_singular_value_is_multiple():
    channel = fractions(CIRCULANT)
    assert channels.trivial_error(channel, 2, 0) == F(5, 8)
    assert channels.spectral_error(channel, 2, 0, [1, 0, -1]) == F(5, 8)
    assert channels.spectral_error(channel, 2, 0, [1, -2, 1]) == F(19, 32)
    assert channels.spectral_error(channel, 2, 0) == F(19, 32)


@pytest.mark.parametrize("scale", [F(-1), F(7, 3), F(1, 1000)])
def test_length_and_sign_of_the_direction_do_not_matter(scale):
    direction = [F(2), F(1), F(-3)]
    scaled = [scale * entry for entry in direction]
    one = channels.spectral_matrix(fractions(GENERIC), 2, F(1, 10), direction)
    other = channels.spectral_matrix(fractions(GENERIC), 2, F(1, 10), scaled)
    assert one.tolist() == other.tolist()


@pytest.mark.parametrize("direction", [[1, 1, -1], [1, -1], [0, 0, 0], [0.5, -0.4, 0.0]])
def test_directions_must_be_orthogonal_to_one(direction):
    with pytest.raises(ValueError, match="'direction' parameter"):
        channels.spectral_step(fractions(GENERIC), 2, 0, direction)


def test_step_of_two_counts_by_hand():
    # v = (1, −1)/√2 gives θ* = 3/2; twice the squared length halves the step.
    assert channels.spectral_step(fractions(TWO), 3, 0, [1, -1]) == F(3, 4)
    assert channels.spectral_error(fractions(TWO), 3, 0, [1, -1]) == F(1, 3)


def test_conventions_for_a_rank_one_channel():
    found = channels.bounds(fractions(RANK_ONE), 2, 0)
    assert found["l"] == found["u0"] == found["u2"] == found["u3"] == F(5, 6)
    assert found["u1"] is None and found["u1_as_printed"] is None
    assert found["u3_as_printed"] is None
    assert channels.spectral_step(fractions(RANK_ONE), 2, 0) == 0
    assert channels.assignment_mixing_weight(fractions(RANK_ONE), 2, 0) == 1


def test_what_is_undefined_says_so():
    with pytest.raises(ValueError, match="T is singular"):
        channels.undisturbed(fractions(RANK_ONE), 2, 0)
    with pytest.raises(ValueError, match="singular at ε = δ = 0"):
        channels.spectral_error(fractions(GENERIC), 1, 0)
    with pytest.raises(ValueError, match="singular at ε = δ = 0"):
        channels.assignment_mixing_error(np.array(fractions(GENERIC), dtype=float), 1.0, 0.0)
    with pytest.raises(ValueError, match="empty set"):
        channels.assignment_mixing_weight_as_printed(fractions(RANK_ONE), 2, 0)
    with pytest.raises(ValueError, match="default direction"):
        a = sympy.Symbol("a", positive=True)
        channels.spectral_direction([[a, 1 - a], [1 - a, a]])
    at_zero = channels.bounds(fractions(GENERIC), 1, 0)
    assert at_zero["u1"] is not None
    assert at_zero["u2"] is None and at_zero["u3"] is None


PSK_BOUNDS = [
    # decibels, ε, l, u0, u1, u3 and β_R of 8-PSK, from exact rational arithmetic
    (
        0,
        "1/2",
        ["0.57690557732", "0.79307265740", "0.72546921622", "0.77151652874"],
        "0.0997197568",
    ),
    (0, "1", ["0.57690557732", "0.71894290110", "0.67468250287", "0.65867182175"], "0.4243326876"),
    (5, "2", ["0.33522605378", "0.46056372759", "0.42068250931", "0.42570735644"], "0.2780997133"),
    (10, "4", ["0.08700476012", "0.11831168697", "0.11268520272", "0.11767866485"], "0.0202198741"),
]


@pytest.mark.parametrize(("decibels", "epsilon", "known", "beta"), PSK_BOUNDS)
def test_bounds_of_phase_shift_keying(decibels, epsilon, known, beta):
    channel = channels.psk_matrix(8, float(decibels))
    k = math.exp(F(epsilon))
    found = channels.bounds(channel, k, 0.0)
    values = [found[name] for name in ("l", "u0", "u1", "u3")]
    assert values == pytest.approx([float(value) for value in known], abs=2e-10)
    weight = channels.assignment_mixing_weight_as_printed(channel, k, 0.0)
    assert weight == pytest.approx(float(beta), abs=1e-9)
    with flint.ctx.workprec(128):
        certified = channels.bounds(
            channels.psk_matrix(8, arb(decibels)), ball(F(epsilon)).exp(), arb(0)
        )
        for name, value in zip(("l", "u0", "u1", "u3"), values, strict=True):
            assert abs(certified[name] - arb(value)) <= FLOAT_ERROR
            assert certified[name].rad() < 1e-28


def test_printed_bounds_fail_for_phase_shift_keying():
    with flint.ctx.workprec(128):
        noisy = channels.psk_matrix(8, arb(0))
        printed = channels.assignment_mixing_error_as_printed(noisy, ball(F(3, 2)).exp(), arb(0))
        assert printed < channels.assignment_error(noisy)
        assert abs(printed - arb("0.57185524318227806988")) < 1e-19
        clear = channels.psk_matrix(8, arb(10))
        k = arb(2).exp()
        assert channels.mixing_error_as_printed(clear, k, arb(0)) < error(8, k, arb(0)) - arb(
            "0.06"
        )
        weight = channels.mixing_weight_as_printed(clear, k, arb(0))
        assert abs(weight - arb("2.1396176705338161117")) < 1e-18


FIELDS = {
    Field.FLINT: lambda value: fmpq(value.numerator, value.denominator),
    Field.FLOAT: float,
    Field.BALL: ball,
    Field.SYMBOL: lambda value: sympy.Rational(value.numerator, value.denominator),
}
MATRIX_FORMULAS = ["undisturbed", "mixing_matrix", "assignment_mixing_matrix", "spectral_matrix"]
NUMBER_FORMULAS = [
    "trivial_error",
    "mixing_weight",
    "mixing_weight_as_printed",
    "mixing_error",
    "mixing_error_as_printed",
    "assignment_mixing_weight",
    "assignment_mixing_weight_as_printed",
    "assignment_mixing_error",
    "assignment_mixing_error_as_printed",
    "spectral_step",
    "spectral_error",
    "no_loss_margin",
    "no_loss_margin_by_entries",
    "no_loss_margin_by_rows",
    "loss_threshold",
]


def same(value, exact):
    """Whether a number of any field agrees with a fraction, balls by containment and width."""
    if isinstance(value, arb):
        return ball_contains(value, exact) and value.rad() < 1e-12
    if isinstance(value, float):
        return abs(value - exact) <= FLOAT_ERROR * max(1, abs(exact))
    return F(int(value.p), int(value.q)) == exact


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("name", [*NUMBER_FORMULAS, *MATRIX_FORMULAS])
@pytest.mark.parametrize(("k", "delta"), [(F(2), F(1, 20)), (F(8), F(0))])
def test_one_formula_in_all_fields(field, name, k, delta):
    formula, convert = getattr(channels, name), FIELDS[field]
    extra = [F(2), F(1), F(-3)] if name.startswith("spectral") else None
    exact = formula(fractions(GENERIC), k, delta, *([extra] if extra else []))
    lifted = [[convert(entry) for entry in row] for row in fractions(GENERIC)]
    more = [[convert(entry) for entry in extra]] if extra else []
    value = formula(lifted, convert(k), convert(delta), *more)
    pairs = zip(np.ravel(np.array(value, object)), np.ravel(np.array(exact, object)), strict=True)
    assert all(same(left, right) for left, right in pairs)


@pytest.mark.parametrize("convert", [F, *FIELDS.values()][:-1])
def test_default_direction_is_near_the_singular_vector(convert):
    rows = np.array(fractions(GENERIC), dtype=float)
    stretch = np.linalg.norm(rows.T @ (np.eye(3) - 1 / 3), ord=2)
    lifted = [[convert(entry) for entry in row] for row in fractions(GENERIC)]
    direction = matrix([channels.spectral_direction(lifted)], Field.FLOAT)[0]
    assert abs(direction.sum()) < 1e-12
    ratio = np.linalg.norm(rows.T @ direction) / np.linalg.norm(direction)
    assert ratio == pytest.approx(stretch, rel=1e-9)


@st.composite
def stochastic(draw, size, least=0):
    weights = draw(
        st.lists(
            st.lists(st.integers(least, 9), min_size=size, max_size=size).filter(any),
            min_size=size,
            max_size=size,
        )
    )
    return [[F(entry, sum(row)) for entry in row] for row in weights]


CHANNELS = st.integers(2, 5).flatmap(stochastic)
RATIOS = st.fractions(1, 12, max_denominator=10)
DELTAS = st.sampled_from([F(0), F(1, 100), F(1, 5), F(7, 10)])


def is_private_mechanism(mechanism, channel, k, delta):
    stochastic_rows = all(sum(row) == 1 and min(row) >= 0 for row in mechanism)
    return stochastic_rows and path_delta(product(mechanism, matrix(channel)), k) <= delta


@PROPERTY
@given(CHANNELS, RATIOS, DELTAS)
def test_constructions_are_private_mechanisms_and_their_errors_are_bounds(channel, k, delta):
    size = len(channel)
    lower = max(channels.assignment_error(channel), error(size, k, delta))
    trivial = channels.trivial_error(channel, k, delta)
    for name in ("mixing", "assignment_mixing", "spectral"):
        try:
            mechanism = getattr(channels, f"{name}_matrix")(channel, k, delta)
        except ValueError as undefined:
            assert "singular" in str(undefined)
            continue
        assert is_private_mechanism(mechanism, channel, k, delta)
        bound = getattr(channels, f"{name}_error")(channel, k, delta)
        assert bound == worst_case_error(product(mechanism, matrix(channel)))
        assert lower <= bound <= trivial


@PROPERTY
@given(CHANNELS, RATIOS.filter(lambda k: k > 1), DELTAS)
def test_steps_are_maximal(channel, k, delta):
    """A little further, an entry of P*⁻¹ G T is negative, unless the cap of 1 is reached."""
    weight = channels.assignment_mixing_weight(channel, k, delta)
    if weight == 1:
        return
    release = release_matrix(len(channel), k, delta)
    further = weight + F(1, 1000)
    mixed = further * channels.assignment(channel) + (1 - further) * release
    assert min(product(inverse(release), product(mixed, matrix(channel))).ravel()) < 0


@PROPERTY
@given(st.integers(2, 5).flatmap(lambda m: stochastic(m, least=1)), RATIOS, DELTAS)
def test_sufficient_conditions_imply_one_another(channel, k, delta):
    try:
        undo = channels.undisturbed(channel, k, delta)
    except ValueError:
        return
    margin = channels.no_loss_margin(channel, k, delta)
    assert channels.no_loss_margin_by_rows(channel, k, delta) <= margin
    if margin < 0:
        assert channels.no_loss_margin_by_entries(channel, k, delta) < 0
    else:
        assert min(undo.ravel()) >= 0
    least, threshold = channels.loss_threshold(channel, k, delta)
    assert least == min(undo.ravel())
    assert threshold <= 0


@pytest.mark.parametrize("wrong", [F(1, 50), F(1, 200)])
def test_conditions_of_nearly_clear_channels_hold(wrong):
    channel = [
        [1 - 2 * wrong, wrong, wrong],
        [wrong, 1 - 2 * wrong, wrong],
        [wrong] * 2 + [1 - 2 * wrong],
    ]
    assert channels.no_loss_margin(channel, 2, 0) > 0
    assert channels.mixing_weight(channel, 2, 0) == 1
    assert channels.mixing_error(channel, 2, 0) == error(3, 2, 0)


def test_conditions_by_hand():
    # T⁻¹ = [[2, −1, 0], [0, 1, 0], [0, 0, 1]]; at k = 1, δ = 1/10: φ = 3/10 and γ* = 2/5.
    channel = fractions([["1/2", "1/2", "0"], ["0", "1", "0"], ["0", "0", "1"]])
    assert channels.no_loss_margin(channel, 1, F(1, 10)) == F(3, 10) - 1
    assert channels.no_loss_margin_by_entries(channel, 1, F(1, 10)) == F(1, 4) - 1
    assert channels.no_loss_margin_by_rows(channel, 1, F(1, 10)) == F(3, 10) - 2
    # At δ = 1/20, R_3 = 3/20, the largest column sum is 2 (a row has 3), and [P* T⁻¹]_12 = −1/20.
    assert channels.loss_threshold(channel, 1, F(1, 20)) == (F(-1, 20), F(-3, 10))


def test_cone_coordinates_by_hand():
    # The paper's T has T⁻¹ 1 = 1 but column sums (2, −2, 3).
    assert channels.cone_coordinates(fractions(PAPER)).tolist() == [2, -2, 3]
    assert channels.cone_coordinates(fractions(BOUNDARY)).tolist() == [F(3, 2), 0, F(3, 2)]
    assert channels.cone_coordinates(fractions(CIRCULANT)).tolist() == [1, 1, 1]


def test_undisturbed_on_the_boundary_of_the_cone():
    assert min(channels.undisturbed(fractions(BOUNDARY), 2, 0).ravel()) == F(-1, 8)


@pytest.mark.parametrize(
    ("decibels", "limit"), [(0, 0.402034571855862), (5, 1.38134130847005), (15, 6.74864293356399)]
)
def test_undisturbed_turns_negative_at_the_known_epsilon(decibels, limit):
    with flint.ctx.workprec(128):
        channel = channels.psk_matrix(8, arb(decibels))
        below = channels.undisturbed(channel, arb(limit - 1e-9).exp(), arb(0))
        above = channels.undisturbed(channel, arb(limit + 1e-9).exp(), arb(0))
    assert all(entry > 0 for entry in below.ravel())
    assert any(entry < 0 for entry in above.ravel())


def test_symbolic_bounds_are_formulas():
    a, k = sympy.Symbol("a", positive=True), sympy.Symbol("k", positive=True)
    channel = [[1 - a, a], [a, 1 - a]]
    matrix_ = channels.undisturbed(channel, k, 0)
    expected = (k * (1 - a) - a) / ((1 + k) * (1 - 2 * a))
    assert sympy.simplify(matrix_[0, 0] - expected) == 0
    assert [sympy.simplify(x) for x in channels.cone_coordinates(channel)] == [1, 1]


def test_direction_of_a_rank_one_channel_whose_singular_values_are_rounding():
    # Its projected transpose is zero, but not in floats: the leading vector was the all-one vector.
    row = [F(7, 69), F(13, 23), F(1, 3)]
    direction = channels.spectral_direction([row, row, row])
    assert sum(direction) == 0
    assert any(direction)
    assert channels.spectral_step([row, row, row], F(2), F(0)) == 0
