"""The tree of an output: a function of it alone, and equal if and only if type and value are."""

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import itertools
import math
import struct
import types
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from provedp.verify.audit.events.scores.score import outcomes
from provedp.verify.audit.targets.outputs import (
    Batch,
    batch_from,
    batch_of_array,
    batch_of_list,
    bytes_of,
    header_of,
    joined,
    kept,
)
from provedp.verify.audit.targets.shown import shown
from provedp.verify.audit.targets.trees import tree_of

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=3)
    | st.binary(max_size=3)
    | st.decimals(allow_nan=False, places=2)
    | st.fractions(max_denominator=9)
    | st.dates()
    | st.complex_numbers(allow_nan=False)
    | st.floats(width=32, allow_nan=False).map(np.float32)
    | st.integers(-(2**62), 2**62).map(np.int64)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=2) | st.integers(0, 3), inner, max_size=3)
        | st.frozensets(st.integers(0, 2**60) | st.text(max_size=2), max_size=3)
        | st.lists(st.floats(), max_size=3).map(np.array)
    ),
    max_leaves=8,
)


class Colour(enum.Enum):
    RED, GREEN = 1, 2


class Point(NamedTuple):
    x: float
    y: float


@dataclasses.dataclass
class Record:
    x: Any
    y: Any = 0


class Text(str):
    pass


def _bits(value: float) -> Any:
    """Return what tells floats apart, all NaN alike."""
    return "nan" if value != value else struct.pack("<d", value)


def _same(one: Any, two: Any) -> bool:
    """Decide by recursion whether two values are equal in type and value: the definition."""
    if type(one) is not type(two):
        return False
    if isinstance(one, float):
        return bool(_bits(one) == _bits(two))
    if isinstance(one, complex):
        return _same(one.real, two.real) and _same(one.imag, two.imag)
    if isinstance(one, np.ndarray):
        alike = one.dtype == two.dtype and one.shape == two.shape
        return alike and _same(one.ravel().tolist(), two.ravel().tolist())
    if isinstance(one, dict):
        return _same(list(one.items()), list(two.items()))
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(_same, one, two))
    if isinstance(one, frozenset):
        return len(one) == len(two) and all(any(_same(x, y) for y in two) for x in one)
    if isinstance(one, decimal.Decimal):
        return one.as_tuple() == two.as_tuple()
    return bool(one == two)


def _tree(value: Any) -> Any:
    token, numbers = tree_of(value)
    return token, tuple(map(_bits, numbers))


@given(VALUES, VALUES)
def test_trees_are_equal_if_and_only_if_type_and_value_are(one: Any, two: Any) -> None:
    assert (_tree(one) == _tree(two)) == _same(one, two)
    assert _tree(one) == _tree(one)


@given(st.lists(VALUES, min_size=1, max_size=6), VALUES)
def test_a_run_is_represented_alone_as_in_any_batch(values: list[Any], other: Any) -> None:
    for batch in (batch_of_list(values), batch_of_list([*values, other])):
        for place, value in enumerate(values):
            token, numbers = tree_of(value)
            assert batch.tokens[batch.codes[place]] == token
            row = batch.numbers[place].tolist()
            assert list(map(_bits, row[: len(numbers)])) == list(map(_bits, numbers))
            assert all(math.isnan(rest) for rest in row[len(numbers) :])


@given(st.lists(VALUES, min_size=1, max_size=6))
def test_batches_survive_the_pipe_and_joining(values: list[Any]) -> None:
    batch = batch_of_list(values)
    again = batch_from(header_of(batch), bytes_of(batch))
    names, places = outcomes(joined([batch, again]))
    assert [names[i] for i in places[: len(values)]] == [names[i] for i in places[len(values) :]]


@given(st.lists(VALUES, min_size=2, max_size=5))
def test_outcomes_tell_what_differs_apart_and_can_be_shown(values: list[Any]) -> None:
    names, places = outcomes(batch_of_list(values))
    for i, j in itertools.combinations(range(len(values)), 2):
        assert (names[places[i]] == names[places[j]]) == _same(values[i], values[j])
    for value in values:
        assert shown(*tree_of(value))


UNIFORM = [
    st.floats(),
    st.integers(-(2**70), 2**70),
    st.integers(-9, 9),
    st.booleans(),
    st.floats().map(np.float64),
    st.floats(width=32).map(np.float32),
    st.integers(-(2**60), 2**60).map(np.int64),
    st.lists(st.floats(), min_size=2, max_size=2),
    st.tuples(st.integers(-9, 9), st.integers(-9, 2**60)),
    st.lists(st.floats(), min_size=1, max_size=2).map(np.array),
]


@given(st.sampled_from(UNIFORM).flatmap(lambda kind: st.lists(kind, min_size=1, max_size=5)))
def test_fast_paths_agree_with_single_runs(values: list[Any]) -> None:
    whole = batch_of_list(values)
    _assert_alike(whole, joined([batch_of_list([value]) for value in values]))
    _assert_alike(whole, batch_of_list([kept(value) for value in values]))
    token, numbers = tree_of(values[0])
    assert whole.tokens[whole.codes[0]] == token
    assert list(map(_bits, whole.numbers[0, : len(numbers)])) == list(map(_bits, numbers))


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "u1", "?", "U3", "M8[s]", "c16", "O"])
@pytest.mark.parametrize("shape", [(4,), (4, 2), (4, 2, 3), (4, 0)])
def test_rows_of_an_array_are_their_own_trees(dtype: str, shape: tuple[int, ...]) -> None:
    array = np.arange(math.prod(shape)).astype(dtype).reshape(shape)
    _assert_alike(batch_of_array(array), joined([batch_of_list([row]) for row in array]))


def _assert_alike(one: Batch, two: Batch) -> None:
    assert [one.tokens[c] for c in one.codes] == [two.tokens[c] for c in two.codes]
    assert one.numbers.shape == two.numbers.shape
    assert list(map(_bits, one.numbers.ravel())) == list(map(_bits, two.numbers.ravel()))


NAN, INF = math.nan, math.inf
UTC, CET = datetime.UTC, datetime.timezone(datetime.timedelta(hours=1))
NOON = datetime.datetime(2020, 1, 1, 12)
DIFFERENT = [
    [1, 1.0, True, np.int64(1), np.int32(1), np.float64(1), np.float32(1), np.bool_(True), "1",
     b"1", [1], (1,), {1}, frozenset({1}), {"1": 1}, np.array(1), np.array([1]), 1 + 0j,
     decimal.Decimal(1), fractions.Fraction(1), Text("1"), bytearray(b"1"), range(1), None],
    [0.0, -0.0, NAN, INF, -INF, 5e-324],
    [2**53, 2**53 + 1, 2**60, 2**60 + 1, -(2**60), 2**200, 2**200 + 1, 10**400, 10**400 + 1],
    [np.int64(2**60), np.int64(2**60 + 1), np.uint64(2**60), 2**60],
    ["é", "e\u0301", "e", "E", " e", "e ", "e\n", "", "\ud800"],
    ["1.5", "1.50", "1.5 ", "15e-1"],
    [decimal.Decimal("1.5"), decimal.Decimal("1.50"), decimal.Decimal("NaN")],
    [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1}, {"a": 2, "b": 1},
     collections.OrderedDict(a=1, b=2), collections.Counter(a=1, b=2), types.MappingProxyType({})],
    [{1: 0}, {1.0: 0}, {"1": 0}, {(1,): 0}, {True: 0}],
    [[1, 2], [2, 1], [1, 2, 2], [1, [2]], [[1], 2], []],
    [{1, 2}, {1, 3}, {1}, set()],
    [np.zeros(0), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros(0, "f4"), np.array([], "U1")],
    [np.zeros(6), np.zeros((2, 3)), np.zeros((3, 2)), np.zeros(6, "f4")],
    [np.array([2**60]), np.array([2**60 + 1]), np.array([1])],
    [np.array([1, None], "O"), np.array([None, 1], "O")],
    [np.array([(1, 2.0)], [("x", "i4"), (name, "f8")]) for name in "yz"],
    [np.datetime64("2020-01-01"), np.datetime64("2020-01-01T00"), np.datetime64("NaT"),
     np.timedelta64(1, "D"), np.array(["2020-01-01"], "M8[D]"), np.array(["2020-01-01"], "M8[ns]")],
    [np.ma.masked_array([1.0, 2.0], [0, 1]), np.ma.masked_array([1.0, 2.0], [1, 0])],
    [scipy.sparse.csr_matrix([[1.0, 0.0]]), scipy.sparse.csr_matrix([[0.0, 1.0]]),
     scipy.sparse.csc_matrix([[1.0, 0.0]]), scipy.sparse.csr_array([[1.0, 0.0]]),
     scipy.sparse.csr_matrix(([1.0, 0.0], ([0, 0], [0, 1])), shape=(1, 2))],
    [NOON, NOON.replace(tzinfo=UTC), NOON.replace(tzinfo=CET), NOON.replace(fold=1), NOON.date(),
     NOON.time(), NOON + datetime.timedelta(microseconds=1), datetime.timedelta(days=1)],
    [Colour.RED, Colour.GREEN, "RED", 1],
    [Point(1, 2), Point(2, 1), (1, 2), Record(1, 2), {"x": 1, "y": 2}],
    [1 + 2j, 2 + 1j, complex(0.0, -0.0), complex(0.0, 0.0), np.complex64(1 + 2j)],
    [ValueError("a"), ValueError("b"), KeyError("a")],
    [datetime.datetime(2020, 1, 1, tzinfo=zone) for zone in (
        None, datetime.UTC, datetime.timezone(datetime.timedelta(0), "GMT"),
        datetime.timezone(datetime.timedelta(hours=1)))],
    [scipy.sparse.csr_matrix(([1.0], ([0], [0])), shape=shape) for shape in ((2, 2), (2, 3))],
    [np.ma.array([1.0, 5.0], mask=mask, fill_value=5.0) for mask in ([0, 0], [0, 1], [1, 1])],
]  # fmt: skip


@pytest.mark.parametrize("values", DIFFERENT, ids=str)
def test_what_differs_in_type_or_value_has_different_trees(values: list[Any]) -> None:
    trees = [_tree(value) for value in values]
    assert len(set(trees)) == len(values)
    assert len(set(outcomes(batch_of_list(values))[1].tolist())) == len(values)


def test_pandas_tables_have_names_index_dtypes_and_order() -> None:
    pd = pytest.importorskip("pandas")
    base = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    others = [
        base[["b", "a"]],
        base.rename(columns={"a": "c"}),
        base.set_axis(["p", "q"], axis=0),
        base.rename_axis("i"),
        base.iloc[::-1],
        base.astype({"a": "float64"}),
        base.astype({"a": "Int64"}),
        base.astype({"b": "category"}),
        base.iloc[:0],
        base["a"],
        base["a"].rename("c"),
        base.index,
        base.assign(a=pd.to_datetime(["2020", "2021"])),
        base.assign(a=pd.to_datetime(["2020", "2021"]).tz_localize("UTC")),
        base.assign(a=[pd.NaT, pd.NA]),
        pd.Categorical(["x", "y"]),
        pd.Categorical(["x", "y"], ordered=True),
        pd.Categorical(["x", "y"], categories=["y", "x"]),
        pd.MultiIndex.from_tuples([("a", 1)]),
    ]
    trees = [_tree(value) for value in (base, *others)]
    assert len(set(trees)) == len(trees)
    assert _tree(base.copy()) == trees[0]


def test_tables_of_arrow_have_names_types_and_order() -> None:
    pa = pytest.importorskip("pyarrow")
    base = pa.table({"a": pa.array([1, 2], pa.int64()), "b": ["x", "y"]})
    others = [
        base.select(["b", "a"]),
        base.rename_columns(["c", "b"]),
        base.set_column(0, "a", pa.array([1, 2], pa.int32())),
        base.slice(0, 1),
        base.take([1, 0]),
    ]
    trees = [_tree(value) for value in (base, *others)]
    assert len(set(trees)) == len(trees)
    assert _tree(pa.table({"a": [1, 2], "b": ["x", "y"]})) == trees[0]


def test_tables_of_polars_have_names_types_and_order() -> None:
    """By what polars promises of a table: `schema`, and `to_dict` with lists."""

    class Table:
        def __init__(self, columns: dict[str, list[Any]], **schema: str):
            self._columns, self.schema = columns, schema

        def to_dict(self, as_series: bool = True) -> dict[str, list[Any]]:
            assert not as_series
            return self._columns

    Table.__module__ = "polars.dataframe.frame"
    tables = [
        Table({"a": [1], "b": ["x"]}, a="Int64", b="String"),
        Table({"b": ["x"], "a": [1]}, b="String", a="Int64"),
        Table({"a": [1], "b": ["x"]}, a="Int32", b="String"),
        Table({"a": [2], "b": ["x"]}, a="Int64", b="String"),
        Table({"a": [1, 1], "b": ["x", "x"]}, a="Int64", b="String"),
    ]
    trees = [_tree(table) for table in tables]
    assert len(set(trees)) == len(trees)


def test_sets_of_equal_elements_have_one_order() -> None:
    values = [(0.0, 1), (-0.0, 2), (float("nan"), 3), (1.0, 4)]
    trees = {_tree(frozenset(order)) for order in itertools.permutations(values)}
    assert len(trees) == 1
    one, other = {8, 0}, {0, 8}
    assert list(one) != list(other)
    assert _tree(one) == _tree(other)
    assert len({_tree({(x,) for x in (0.0, 1.0)}), _tree({(x,) for x in (-0.0, 1.0)})}) == 2


def test_generators_cycles_and_depth_end_in_one_clear_outcome() -> None:
    assert tree_of(iter([1, 2])) == ('{"iterator":{"list":1,"n":2}}', [1.0, 2.0])
    assert "too many items" in tree_of(itertools.count())[0]
    cycle: list[Any] = [1.0]
    cycle.append(cycle)
    assert tree_of(cycle) == ('[0,{"cut":"it contains itself"}]', [1.0])
    loop: dict[str, Any] = {}
    loop["a"] = [loop]
    assert "it contains itself" in tree_of(loop)[0]
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert tree_of(deep)[0].count("it is too deep") == 1
    twice = [0.5]
    assert tree_of([twice, twice]) == tree_of([[0.5], [0.5]])


def test_other_types_are_refused_with_what_to_return() -> None:
    for value in (object(), [object()], lambda: 0):
        with pytest.raises(TypeError, match="cannot be compared; return numbers, text, bytes"):
            batch_of_list([value])


def test_what_a_target_does_later_to_what_it_returned_changes_nothing() -> None:
    inner: list[float] = [1.0]
    values: list[Any] = [inner, [inner, 2], {"a": inner}, np.array([1.0])]
    taken = [kept(value) for value in values]
    inner[0], values[3][0] = 5.0, 5.0
    batch = batch_of_list(taken)
    assert batch.numbers[:, 0].tolist() == [1.0, 1.0, 1.0, 1.0]


def test_no_runs() -> None:
    assert len(batch_of_list([])) == len(batch_of_array(np.zeros((0, 3)))) == 0
    assert len(joined([batch_of_list([]), batch_of_list([1.0])])) == 1
