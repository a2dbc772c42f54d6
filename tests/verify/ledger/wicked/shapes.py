"""Statements that hold because nothing, or the wrong thing, is compared."""

import numpy as np

from provedp.verify.claims.prelude import *

EXPECTED = {
    "keys_do_not_matter": "fault: shapes differ",
    "key_of_a_mapping_is_a_number_or_text": "fault: shapes differ",
    "shapes_do_not_matter": "fault: shapes differ",
    "transposed_row_is_a_column": "fault: shapes differ",
    "ragged_lists": "fault: shapes differ",
    "nesting_does_not_matter": "fault: shapes differ",
    "missing_entry_refutes": "fault: shapes differ",
    "empty_lists_are_equal": "fault: nothing to compare",
    "empty_mappings_are_equal": "fault: nothing to compare",
    "empty_array_is_below_anything": "fault: nothing to compare",
    "empty_part_is_overlooked": "fault: nothing to compare",
    "empty_list_against_a_number": "fault: nothing to compare",
    "empty_sets_are_the_same": "fault: nothing to compare",
    "conjunction_of_nothing": "fault: cannot fail",
    "one_value_is_equal": "fault: at least two",
    "set_of_floats_is_the_same": "fault: float",
    "list_is_a_set": "fault: is no set",
    "empty_name_is_a_name": "fault: is no name",
}


@ours("wicked")
@certified()
def keys_do_not_matter():
    """{a: 1} = {b: 1}."""
    return equal({"a": 1}, {"b": 1})


@ours("wicked")
@certified()
def key_of_a_mapping_is_a_number_or_text():
    """{1: 1} = {'1': 1}."""
    return equal({1: 1, "2": 2}, {"1": 1, 2: 2})


@ours("wicked")
@certified()
def shapes_do_not_matter():
    """A 2 × 3 matrix is its own 3 × 2 rearrangement."""
    table = np.array([[Q(1), Q(2), Q(3)], [Q(4), Q(5), Q(6)]], dtype=object)
    return equal(table, table.reshape(3, 2))


@ours("wicked")
@certified()
def transposed_row_is_a_column():
    """A row is a column."""
    row = np.array([[Q(1), Q(2)]], dtype=object)
    return at_most(row, row.T)


@ours("wicked")
@certified()
def ragged_lists():
    """[[1, 2], [3]] = [[1], [2, 3]]."""
    return equal([[1, 2], [3]], [[1], [2, 3]])


@ours("wicked")
@certified()
def nesting_does_not_matter():
    """[1, [2]] = [[1], 2]."""
    return equal([1, [2]], [[1], 2])


@ours("wicked")
@refuted()
def missing_entry_refutes():
    """(x, 2) has two entries: refuted by a list of three."""
    x = sympy.Symbol("x")
    return equal([x, 2], [x, 2, 3])


@ours("wicked")
@certified()
def empty_lists_are_equal():
    """All entries of nothing are equal."""
    return equal([], [])


@ours("wicked")
@certified()
def empty_mappings_are_equal():
    """All entries of nothing are equal, by name."""
    return equal({}, {})


@ours("wicked")
@certified()
def empty_array_is_below_anything():
    """All entries of an empty array are below −1."""
    return less(np.empty((0, 3), dtype=object), -1)


@ours("wicked")
@certified()
def empty_part_is_overlooked():
    """[1, []] = [1, []]."""
    return equal([1, []], [1, []])


@ours("wicked")
@certified()
def empty_list_against_a_number():
    """All elements of an empty list are 7."""
    return equal([], 7)


@ours("wicked")
@certified()
def empty_sets_are_the_same():
    """∅ = ∅, of which the check expected more."""
    return same_set(set(), frozenset())


@ours("wicked")
@certified()
def conjunction_of_nothing():
    """All of no findings hold."""
    return all_of(*[])


@ours("wicked")
@certified()
def one_value_is_equal():
    """Everything is equal."""
    return equal(Q(1))


@ours("wicked")
@certified()
def set_of_floats_is_the_same():
    """{0.1 + 0.2} = {0.30000000000000004}."""
    return same_set({0.1 + 0.2}, {0.30000000000000004})


@ours("wicked")
@certified()
def list_is_a_set():
    """[1, 1] = {1}."""
    return same_set([1, 1], {1})


@ours("wicked")
@certified()
def empty_name_is_a_name():
    """The name of nothing is the name of nothing."""
    return same_name("", "")
