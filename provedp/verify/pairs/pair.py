"""Pairs of data sets: given, read from files, drawn from hypothesis strategies."""

import csv
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from provedp.verify.pairs.adjacency import require_adjacent
from provedp.verify.pairs.fingerprints import fingerprint


@dataclass(frozen=True)
class Pair:
    """Two data sets that the claim calls adjacent."""

    first: Any
    second: Any
    name: str = ""


def as_pairs(given: Any, adjacency: str = "any") -> list[Pair]:
    """Return one pair (first, second), a `Pair`, or a sequence of these, as a list.

    A tuple of two is one pair; a list is a list of pairs.

    Raises
    ------
    ValueError
        If there is no pair, or one is not adjacent, or its two data sets are equal.

    >>> as_pairs((0, 1))
    [Pair(first=0, second=1, name='')]
    """
    pairs = _listed(given)
    for index, pair in enumerate(pairs):
        if are_equal(pair):
            raise ValueError(
                f"The data sets of pair {index} are equal: no mechanism can be refuted on them, so"
                " that an audit would say nothing."
            )
        require_adjacent(pair.first, pair.second, adjacency)
    return pairs


def are_equal(pair: Pair) -> bool:
    """Return whether both data sets are the same, type by type and value by value."""
    return fingerprint(pair.first) == fingerprint(pair.second)


def _listed(given: Any) -> list[Pair]:
    if isinstance(given, Pair):
        return [given]
    if isinstance(given, tuple) and len(given) == 2:
        return [Pair(*given)]
    single = not isinstance(given, Sequence) or isinstance(given, str) or len(given) == 0
    if single or not all(isinstance(each, Pair) or _is_two(each) for each in given):
        raise ValueError(
            "The 'pairs' parameter must be a tuple (first, second) or a list of them."
            f" Got {given!r} instead."
        )
    return [each if isinstance(each, Pair) else Pair(*each) for each in given]


def _is_two(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2


def listed_data(pairs: Sequence[Pair]) -> tuple[Any, ...]:
    """Return all data sets, those of pair j at 2j and 2j + 1."""
    return tuple(data for pair in pairs for data in (pair.first, pair.second))


def read_data(path: str | Path) -> Any:
    """Return the data set in a file: any JSON value, the rows of a CSV file, or an npy array.

    The rows of a CSV file are lists; a field that reads as a number is one; a first row without
    any number is a header and left out. A single column is a plain list.

    Raises
    ------
    ValueError
        If the file cannot be read as what its name says.
    """
    source = Path(path)
    try:
        if source.suffix == ".npy":
            # A mapped file is never larger than its header says; a header may say anything.
            return np.array(np.lib.format.open_memmap(source, mode="r"))
        if source.suffix == ".csv":
            with source.open(newline="", encoding="utf-8") as file:
                return _csv_rows(list(csv.reader(file)))
        if source.suffix == ".json":
            return json.loads(source.read_text(encoding="utf-8"))
    except (OSError, ValueError, EOFError, csv.Error) as error:
        raise ValueError(f"{source} cannot be read: {error}") from None
    except RecursionError:
        raise ValueError(f"{source} cannot be read: it is nested too deeply.") from None
    raise ValueError(f"A data set must be a .json, .csv or .npy file. Got {source} instead.")


def read_pairs(path: str | Path) -> list[Pair]:
    """Return the pairs of a JSON file: a list of [first, second] or {"first", "second", "name"}.

    A text that begins with '@' stands for the data set in that file, from the same directory.

    Raises
    ------
    ValueError
        If the file holds no pairs.
    """
    source = Path(path)
    listed = read_data(source)
    if not isinstance(listed, list) or not listed:
        raise ValueError(f"{source} must hold a list of pairs.")
    return [_pair_from(each, source) for each in listed]


def _pair_from(entry: Any, source: Path) -> Pair:
    if isinstance(entry, dict) and {"first", "second"} <= set(entry) <= {"first", "second", "name"}:
        first, second, name = entry["first"], entry["second"], str(entry.get("name", ""))
    elif _is_two(entry):
        (first, second), name = entry, ""
    else:
        raise ValueError(f"{source} holds {entry!r}, which is no pair.")
    return Pair(_resolved(first, source), _resolved(second, source), name)


def _resolved(data: Any, source: Path) -> Any:
    if isinstance(data, str) and data.startswith("@"):
        return read_data(source.parent / data[1:])
    return data


def drawn_pairs(strategy: Any, count: int) -> list[Pair]:
    """Return different pairs of unequal data sets from a hypothesis strategy, always the same."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    drawn: dict[str, Pair] = {}

    @seed(0)
    @settings(
        max_examples=4 * count,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        deadline=None,
    )
    @given(strategy)
    def draw(value: Any) -> None:
        pair = _listed(tuple(value) if _is_two(value) else value)[0]
        if not are_equal(pair):
            drawn.setdefault(repr(pair), pair)

    draw()
    return list(itertools.islice(drawn.values(), count))


def _csv_rows(rows: list[list[str]]) -> list[Any]:
    parsed = [[_field(field) for field in row] for row in rows if row]
    if len(parsed) > 1 and all(isinstance(field, str) for field in parsed[0]):
        below = [field for row in parsed[1:] for field in row]
        if any(not isinstance(field, str) for field in below):
            parsed = parsed[1:]
    return [row[0] for row in parsed] if all(len(row) == 1 for row in parsed) else parsed


def _field(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
