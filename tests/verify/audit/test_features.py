"""Features of outputs by hand: rows that come again, numbers that are missing."""

import math

import numpy as np

from provedp.verify.audit.events.features.description import Item, argument_of, counts, special
from provedp.verify.audit.events.features.reading import describe
from provedp.verify.audit.events.features.vocabulary import Moments
from provedp.verify.audit.targets.shown import shown
from provedp.verify.audit.targets.trees import tree_of


def test_rows_are_counted_if_all_of_them_is_there() -> None:
    items = [Item("row", (0, 1)), Item("row", (2, 3))]
    numbers = np.array([[1.0, 2.0, 1.0, 2.0], [1.0, 2.0, 1.0, 3.0], [2.0, 1.0, 1.0, 3.0]])
    assert counts(items, argument_of("row", [1.0, 2.0]), numbers).tolist() == [2.0, 1.0, 0.0]


def test_missing_numbers_have_no_part_in_means() -> None:
    moments = Moments()
    moments.add(np.array([3.0, math.nan, 5.0]), 3)
    assert (moments.runs, moments.mean, moments.variance) == (2, 4.0, 1.0)
    moments.add(6.0, 2)
    assert (moments.runs, moments.mean) == (4, 5.0)


def test_integers_beyond_floats_have_a_logarithm() -> None:
    found = describe(tree_of({"n": -(2**4000)})[0])
    assert found.constants["log2", "output['n']", ""] == 4000
    assert not any(kind == "log2" for kind, _, _ in describe(tree_of([2**60 + 1])[0]).constants)


def test_numbers_are_shown_as_what_they_are() -> None:
    values = [True, 2, 2.0, np.float32(0.5), 2**70, math.inf, -0.0]
    text = "[True, 2, 2.0, float32(0.5), 1180591620717411303424, inf, -0.0]"
    assert shown(*tree_of(values)) == text


def test_special_numbers_are_marked() -> None:
    values = np.array([0.0, -0.0, math.nan, math.inf, -math.inf, 1.0])
    for place, kind in enumerate(("-0", "nan", "inf", "-inf"), start=1):
        assert np.flatnonzero(special(kind, values)).tolist() == [place]


def test_keys_have_places() -> None:
    constants = describe(tree_of({"x": 1, "y": [2]})[0]).constants
    assert [constants["place", "output", key] for key in "xy"] == [0.0, 1.0]


def test_json_in_text_is_read_and_the_text_is_text() -> None:
    constants = describe(tree_of('{"n": "[2.5]"}')[0]).constants
    assert constants["value", "json(json(output)['n'])[0]", ""] == 2.5
    assert constants["length", "output", ""] == 14.0
    assert constants["number", "output", "0"] == 2.5
