"""ε and δ are read exactly and rounded towards privacy."""

import math
from fractions import Fraction as F

import flint
import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.mechanisms.exact.parameters import delta_below, ratio_below, simplest_between
from provedp.theory.numbers import ball

PROPERTY = settings(derandomize=True, deadline=None, max_examples=150)


def assert_just_below(ratio, exponent):
    """ln ratio ≤ exponent, and by no more than 10⁻¹² min(1, exponent), certified."""
    with flint.ctx.workprec(4000):
        logarithm = ball(ratio).log()
        assert logarithm <= ball(exponent) or (ratio == 1 and exponent == 0)
        assert logarithm >= ball(exponent - F(1, 10**12) * min(F(1), exponent))


@PROPERTY
@given(st.fractions(0, 60, max_denominator=10**9), st.integers(1, 3))
def test_ratio_is_certainly_below_and_near(epsilon, parts):
    assert_just_below(ratio_below(epsilon, parts=parts), epsilon / parts)


@pytest.mark.parametrize("epsilon", [F(1, 10**30), F(1, 10**15), F(1, 3), F(1000)])
def test_ratio_at_extreme_epsilon(epsilon):
    assert_just_below(ratio_below(epsilon), epsilon)


@pytest.mark.parametrize(
    ("epsilon", "exact"),
    [
        ("1", F(1)),
        (" 0.5 ", F(1, 2)),
        ("1/2", F(1, 2)),
        ("1e-3", F(1, 1000)),
        (np.float64(0.1), F(1, 10)),  # 0.1 is above 1/10, so the decimal is the smaller reading
        (0.3, F(0.3)),  # 0.3 is below 3/10, so the dyadic value is
        (np.float32(0.5), F(1, 2)),
        (np.int64(2), F(2)),
        (fmpq(1, 3), F(1, 3)),
    ],
)
def test_readings_of_epsilon(epsilon, exact):
    assert ratio_below(epsilon) == ratio_below(exact)
    assert_just_below(ratio_below(epsilon), exact)


def test_zero_is_one_and_logarithms_are_exact():
    assert ratio_below(0) == ratio_below("0") == ratio_below(0.0) == ratio_below("ln(1)") == 1
    assert ratio_below("ln(3/2)") == F(3, 2)
    assert ratio_below(" ln ( 2.5 ) ") == F(5, 2)
    assert ratio_below("ln(27/8)", parts=3) == F(3, 2)
    root = ratio_below("ln(2)", parts=2)
    assert root**2 < 2 < root**2 * (1 + F(1, 10**11))


@pytest.mark.parametrize(
    "bad",
    [-1, -0.1, 1001, "ln(1/2)", "ln(0)", "ln()", "ln(ln(2))", "1/0", "x", "", "nan", "inf"]
    + ["1e999999999", "9" * 500, math.nan, math.inf, None, True, [1], 1j, arb(1)],
)
def test_bad_epsilon_is_refused(bad):
    with pytest.raises(ValueError, match=r"^The 'epsilon' parameter of Some must be a number in"):
        ratio_below(bad, "Some")


@pytest.mark.parametrize("bad", [-1, 1, 1.0, "1", "-1e-9", math.nan, None, False, "x"])
def test_bad_delta_is_refused(bad):
    with pytest.raises(ValueError, match=r"^The 'delta' parameter of Some must be a number in"):
        delta_below(bad, "Some")


def test_readings_of_delta():
    assert delta_below(0.1) == F(1, 10)
    assert delta_below(0.3) == F(0.3) < F(3, 10)
    assert delta_below("1e-6") == F(1, 10**6)
    assert delta_below(0) == 0


@PROPERTY
@given(st.fractions(0, 5, max_denominator=60), st.fractions(0, 5, max_denominator=60))
def test_simplest_fraction_by_search(a, b):
    low, high = min(a, b), max(a, b)
    found = simplest_between(low, high)
    assert low <= found <= high
    smaller = range(1, found.denominator)
    assert all(math.ceil(low * d) > math.floor(high * d) for d in smaller)
