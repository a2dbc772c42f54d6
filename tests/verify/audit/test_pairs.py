"""Adjacency, pairs from files and strategies, the search."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from provedp.verify.audit import (
    ApproximateDP,
    Options,
    Pair,
    TargetError,
    audit,
    drawn_pairs,
    known_patterns,
    read_data,
    read_pairs,
    shrunk,
    target,
)
from provedp.verify.audit.procedures.pair_search import smaller_refutation, taken
from provedp.verify.pairs.adjacency import require_adjacent
from provedp.verify.pairs.pair import as_pairs
from provedp.verify.pairs.shapes import shapes

ADJACENT: list[tuple[str, Any, Any]] = [
    ("replace-one", [1, 2, 2], [2, 1, 3]),
    ("replace-one", np.array([[1, 2], [3, 4]]), np.array([[1, 2], [9, 9]])),
    ("add-remove", [1, 2], [2]),
    ("add-remove", [], [{"age": 3}]),
    ("neighbouring-counts", 3, 4),
    ("label", [[1, 0], [2, 1]], [[1, 1], [2, 1]]),
    ("label", (np.zeros((2, 2)), np.array([0, 1])), (np.zeros((2, 2)), np.array([1, 1]))),
    ("l1", [0.0, 0.0], [0.5, -0.5]),
    ("l2", 0.0, 1.0),
    ("linf:2", [0, 0], [2, -2]),
    ("any", None, "x"),
]
APART: list[tuple[str, Any, Any, str]] = [
    ("replace-one", [1, 2], [3, 4], "2 records differ"),
    ("replace-one", [1], [1, 2], "1 and 2 records"),
    ("add-remove", [1, 2], [1, 3], "1 records are in the first only"),
    ("neighbouring-counts", 3, 5, "3 and 5"),
    ("neighbouring-counts", 3.0, 4.0, "not counts"),
    ("label", [[1, 0]], [[2, 0]], "more than the label"),
    ("l1", [0, 0], [1, 1], "distance 2, not 1"),
    ("l2", [0, 0], [0], "vectors of 2 and 1 numbers"),
    ("linf", ["a"], ["b"], "no vectors"),
]


@pytest.mark.parametrize(("adjacency", "first", "second"), ADJACENT)
def test_adjacent_pairs_pass_in_both_orders(adjacency: str, first: Any, second: Any) -> None:
    require_adjacent(first, second, adjacency)
    require_adjacent(second, first, adjacency)


@pytest.mark.parametrize(("adjacency", "first", "second", "words"), APART)
def test_other_pairs_are_refused(adjacency: str, first: Any, second: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        as_pairs((first, second), adjacency)


@pytest.mark.parametrize("adjacency", ["near", "l2:0", "l2:x", "replace-one:2"])
def test_unknown_adjacencies(adjacency: str) -> None:
    with pytest.raises(ValueError, match="'adjacency'"):
        require_adjacent(0, 0, adjacency)


def test_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age,name\n3,Ann\n4.5,Bob\n")
    (tmp_path / "b.csv").write_text("1\n2\n")
    np.save(tmp_path / "c.npy", np.eye(2))
    assert read_data(tmp_path / "a.csv") == [[3, "Ann"], [4.5, "Bob"]]
    assert read_data(tmp_path / "b.csv") == [1, 2]
    assert read_data(tmp_path / "c.npy").tolist() == [[1, 0], [0, 1]]
    pairs = [[[1], [2]], {"first": "@b.csv", "second": [1, 3], "name": "from files"}]
    (tmp_path / "pairs.json").write_text(json.dumps(pairs))
    assert read_pairs(tmp_path / "pairs.json") == [
        Pair([1], [2]),
        Pair([1, 2], [1, 3], "from files"),
    ]


@pytest.mark.parametrize("text", ["", "{}", "[]", "[1]", '[{"first": 1}]', '[["@x.csv", 1]]'])
def test_bad_files(tmp_path: Path, text: str) -> None:
    (tmp_path / "pairs.json").write_text(text)
    with pytest.raises(ValueError, match=r"pairs\.json|x\.csv"):
        read_pairs(tmp_path / "pairs.json")
    with pytest.raises(ValueError, match=r"\.json, \.csv or \.npy"):
        read_data(tmp_path / "data.parquet")


def test_npy_files_with_objects_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "o.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="cannot be read"):
        read_data(tmp_path / "o.npy")


def test_pairs_from_a_strategy_are_different_and_the_same_in_every_call() -> None:
    strategy = st.integers(0, 50).map(lambda n: (n, n + 1))
    pairs = drawn_pairs(strategy, 8)
    assert len({pair.first for pair in pairs}) == 8
    assert pairs == drawn_pairs(strategy, 8)


@pytest.mark.parametrize(
    "adjacency", ["neighbouring-counts", "l1", "l2:0.5", "linf", "replace-one", "add-remove"]
)
def test_known_patterns_are_adjacent(adjacency: str) -> None:
    pairs = known_patterns(adjacency)
    assert pairs
    assert as_pairs(pairs, adjacency) == pairs


def test_no_patterns_for_labels() -> None:
    with pytest.raises(ValueError, match="for a search"):
        known_patterns("label")


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove", "label", "l2"])
def test_every_shape_is_adjacent_and_in_the_range(adjacency: str) -> None:
    kinds = set()
    for low, high in ((2.0, 3.0), (None, None)):
        for shape in shapes(adjacency, low, high):
            assert as_pairs(shape, adjacency) == shape
            kinds |= {type(pair.first) for pair in shape}
            if low is not None and adjacency != "l2":
                held = [x for pair in shape for x in numbers_in((pair.first, pair.second))]
                assert all(2.0 <= x <= 3.0 for x in held)
    assert tuple in kinds or adjacency == "l2"


def numbers_in(data: Any) -> list[float]:
    """All numbers of features, not the labels."""
    if isinstance(data, np.ndarray):
        return data.ravel().tolist() if data.dtype == np.float64 else []
    if isinstance(data, (list, tuple)):
        return [x for item in data for x in numbers_in(item)]
    return [data] if isinstance(data, float) else []  # labels are integers


def test_far_values_need_a_search_without_a_range() -> None:
    assert any(1e6 in pair.second for pair in known_patterns("add-remove"))
    assert not any(1e6 in pair.second for pair in known_patterns("add-remove", 0.0, 1.0))


def test_a_search_says_what_it_leaves_out() -> None:
    def total(data: list[list[float]], rng: np.random.Generator) -> float:
        return float(sum(row[0] for row in data))

    found = taken(target(total, isolated=False), shapes("add-remove", 0.0, 1.0))
    assert {name.partition(":")[0] for name, _ in found.left_out} > {"array"}
    assert {pair.name.partition(":")[0] for pair in found.tried} == {"rows"}
    reasons = {reason for _, reason in found.left_out}
    assert any(reason.startswith("TypeError: 'float' object is not") for reason in reasons)
    record = found.record()
    assert len(record["tried"]) == len(found.tried) > 0
    assert len(record["left_out"]) == len(found.left_out)
    assert f"{len(found.left_out)} left out that the target does not take" in str(found)
    with pytest.raises(TargetError, match="ZeroDivisionError"):
        taken(target(lambda data, rng: 1 / 0, isolated=False), shapes("l1", None, None))


@pytest.mark.parametrize(
    ("takes", "shape"),
    [
        (lambda data, rng: float(np.sum(data)), "0 added"),
        (lambda data, rng: data.mean(axis=1).size, "table"),
        (lambda data, rng: data[1].shape[0] + data[0].shape[1], "(X, y)"),
        (lambda data, rng: ",".join(data), "texts"),
    ],
)
def test_the_first_shape_that_is_taken_is_enough(takes: Any, shape: str) -> None:
    found = taken(target(takes, isolated=False), shapes("add-remove", 0.0, 1.0))
    assert any(pair.name.startswith(shape) for pair in found.tried)
    kinds = {type(pair.first) for pair in found.tried}
    assert len(kinds) == 1


def test_shrinking_keeps_to_the_range() -> None:
    small = shrunk(Pair([5, 7, 9], [5, 7, 6]), "replace-one", lambda tried: True, (5, 9))
    assert {*small.first, *small.second} <= {5, 6, 7, 9}


def test_equal_data_sets_are_refused() -> None:
    for first, second in (([1], [1]), (np.zeros(2), np.zeros(2)), ({"a": 1}, {"a": 1})):
        with pytest.raises(ValueError, match="pair 1 are equal"):
            as_pairs([(0, 1), (first, second)])
    assert as_pairs(([1, 2], [2, 1]))


def test_shrinking_leaves_what_is_needed() -> None:
    pair = Pair([7, 3, 9, 1], [7, 3, 9, 8])

    def fails(tried: Pair) -> bool:
        return 8 in tried.second and 8 not in tried.first

    small = shrunk(pair, "replace-one", fails)
    assert fails(small)
    assert len(small.first) == len(small.second) == 1


@pytest.mark.parametrize("given", [[], "ab", 3, [1, 2], [(1, 2, 3)]])
def test_what_is_no_pair(given: Any) -> None:
    with pytest.raises(ValueError, match="'pairs'"):
        as_pairs(given)


def test_a_smaller_pair_is_refuted_by_runs_of_its_own() -> None:
    """Its seed is neither that of the first audit nor one with which smaller pairs were tried."""

    def total(data: list[int], rng: np.random.Generator, count: int) -> Any:
        return sum(data) + rng.laplace(scale=0.2, size=count)

    what, claim = target(total, isolated=False), ApproximateDP(1.0)
    options = Options(runs=200, seed=7, adjacency="add-remove")
    pair = Pair([3, 1, 4, 1, 5], [3, 1, 4, 1, 5, 9])
    first = audit(what, pair, claim, options=options)
    again, smallest = smaller_refutation(what, pair, claim, first, options)
    assert first.refuted and again.refuted
    assert len(smallest.second) == 1
    tried = (again.runs - first.runs) // (2 * options.runs) - 1
    assert tried > 0
    assert abs(again.seed - options.seed) > 10**6
    assert again.counts == audit(what, smallest, claim, options=options, seed=again.seed).counts
