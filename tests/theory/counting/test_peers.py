"""Totals of the exponential mechanism's rows against their sums."""

from fractions import Fraction as F

import pytest
from flint import arb

from provedp.theory.counting import exponential_total, exponential_weight


@pytest.mark.parametrize("m", [2, 3, 7])
@pytest.mark.parametrize("r", [F(1), F(3, 2), F(10)])
def test_totals_are_sums_of_weights(m: int, r: F) -> None:
    for i in range(1, m + 1):
        weights = [exponential_weight(r, abs(i - n)) for n in range(1, m + 1)]
        assert exponential_total(m, r, i) == sum(weights)


def test_totals_of_balls_hold_the_exact_ones() -> None:
    assert exponential_total(9, arb(3), 4).contains(
        arb(int(exponential_total(9, F(3), 4) * 3**8)) / 3**8
    )
