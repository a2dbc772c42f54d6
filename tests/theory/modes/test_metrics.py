"""Matching error and regression loss, against all matchings and by their properties."""

import itertools
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.theory.modes import matching_error, regression_loss

repeat = settings(derandomize=True, deadline=None, max_examples=60)
small = st.integers(-6, 6).map(lambda n: F(n, 3))
point_sets = st.lists(st.tuples(small, small), min_size=1, max_size=4).map(
    lambda rows: [list(row) for row in rows]
)


def by_all_matchings(reference, estimate):
    short, long = sorted((reference, estimate), key=len)
    totals = (
        sum(
            (a - b) ** 2
            for left, right in zip(short, chosen, strict=True)
            for a, b in zip(left, right, strict=True)
        )
        for chosen in itertools.permutations(long, len(short))
    )
    return min(totals) / len(long)


@repeat
@given(point_sets, point_sets)
def test_error_is_the_least_over_all_matchings(reference, estimate):
    found = matching_error(reference, estimate)
    assert found == by_all_matchings(reference, estimate)
    assert found == matching_error(estimate, reference)
    assert float(found) == pytest.approx(
        matching_error(np.array(reference, float), np.array(estimate, float)), abs=1e-12
    )


@repeat
@given(small, st.lists(small, min_size=1, max_size=4))
def test_loss_is_that_of_the_nearest_mode(estimate, modes):
    assert regression_loss(estimate, modes) == min((estimate - mode) ** 2 for mode in modes)


def test_unmatched_modes_dilute_the_error():
    assert matching_error([[F(0)]], [[F(2)]]) == 4
    assert matching_error([[F(0)]], [[F(2)], [F(9)]]) == 2


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (matching_error, ([[0.0]], [[0.0, 1.0]]), "'estimate'.*1 coordinates. Got 2"),
        (matching_error, ([], [[0.0]]), "'reference'"),
        (matching_error, ([[0.0]], [[np.nan]]), "'estimate'"),
        (regression_loss, (np.inf, [1.0]), "'estimate'.*inf"),
        (regression_loss, (0.0, []), "'modes'"),
        (regression_loss, (0.0, [np.nan]), "'modes'.*nan"),
    ],
)
def test_bad_arguments_are_named(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
