"""Outputs of every kind become arrays and tokens, and come back unchanged from a pipe."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provedp.verify.audit.events.scores.score import outcomes
from provedp.verify.audit.targets.outputs import (
    batch_from,
    batch_of_array,
    batch_of_list,
    bytes_of,
    header_of,
    joined,
)

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(VALUES, min_size=1, max_size=8))
def test_batches_survive_the_pipe_and_joining(values: list[object]) -> None:
    batch = batch_of_list(values)
    again = batch_from(header_of(batch), bytes_of(batch))
    np.testing.assert_array_equal(batch.numbers, again.numbers)
    assert again.tokens == batch.tokens
    twice = joined([batch, again])
    names, places = outcomes(twice)
    assert [names[i] for i in places[: len(values)]] == [names[i] for i in places[len(values) :]]


@given(st.lists(st.sampled_from([None, 1, 1.5, "a", [1, 2], [1, None], [], {"k": 2}]), min_size=2))
def test_outcomes_tell_different_values_apart(values: list[object]) -> None:
    names, places = outcomes(batch_of_list(values))
    shown = [names[place] for place in places]
    for i, own in enumerate(values):
        for j, other in enumerate(values):
            assert (shown[i] == shown[j]) == (own == other)


def test_equal_outcomes_have_equal_names_in_different_batches() -> None:
    one, other = batch_of_list([None, 2, "a"]), batch_of_list(["a", None, "b", 2])
    assert set(outcomes(one)[0]) < set(outcomes(other)[0])


def test_arrays_lists_and_tuples_are_alike() -> None:
    rows = [[1.0, 2.0], [3.0, 4.0]]
    batches = [
        batch_of_array(np.array(rows)),
        batch_of_list(rows),
        batch_of_list([np.array(row) for row in rows]),
        batch_of_list([tuple(row) for row in rows]),
    ]
    assert {batch.tokens for batch in batches} == {("[#*2]",)}


def test_large_integers_stay_exact() -> None:
    names, _ = outcomes(batch_of_list([2**60, 2**60 + 1]))
    assert sorted(names) == [str(2**60), str(2**60 + 1)]
    assert len(outcomes(batch_of_array(np.array([2**60, 2**60 + 1])))[0]) == 2


def test_infinities_and_nan() -> None:
    batch = batch_of_list([math.inf, -math.inf, math.nan, 0.0])
    assert sorted(outcomes(batch)[0]) == ["-inf", "0", "inf", "nan"]


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        batch_of_list([object()])


def test_no_runs() -> None:
    assert len(batch_of_list([])) == len(batch_of_array(np.zeros((0, 3)))) == 0
    assert len(joined([batch_of_list([]), batch_of_list([1.0])])) == 1
