"""Data sets and pairs of them, from the command line."""

import json
from pathlib import Path
from typing import Any

from provedp.verify.pairs.pair import Pair, as_pairs, read_data, read_pairs
from provedp.verify.pairs.shapes import shapes

SUFFIXES = (".json", ".csv", ".npy")
SHOWN = 80  # characters of a wrong text that are quoted


def data_of(text: str) -> Any:
    """Return a data set: a file if the text ends in .json, .csv or .npy, else JSON.

    Raises
    ------
    ValueError
        If the file cannot be read, or the text is no JSON.
    """
    if Path(text).suffix.lower() in SUFFIXES:
        try:
            return read_data(text)
        except EOFError:
            raise ValueError(f"{text} cannot be read: it is empty.") from None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        raise ValueError(
            f"A data set must be JSON, or a .json, .csv or .npy file. Got {shown!r} instead."
        ) from None


def shapes_of(
    given: tuple[tuple[str, str], ...],
    file: str | None,
    adjacency: str,
    ends: tuple[float, float] | None,
) -> list[list[Pair]]:
    """Return the patterns to search through: pairs of one shape after the other.

    Raises
    ------
    ValueError
        If pairs were given as well, or the range or the adjacency is none.
    """
    if given or file is not None:
        raise ValueError("Give pairs, or --search for them: not both.")
    if ends is not None and not ends[0] < ends[1]:
        raise ValueError(f"--range needs two numbers, the smaller one first. Got {ends} instead.")
    return list(shapes(adjacency, *(ends or (None, None))))


def pairs_of(
    given: tuple[tuple[str, str], ...],
    file: str | None,
    adjacency: str,
    ends: tuple[float, float] | None,
) -> list[Pair]:
    """Return the pairs that were given, checked.

    Raises
    ------
    ValueError
        If there are none, or a pair is not adjacent, or its data sets are equal.
    """
    if ends is not None:
        raise ValueError("--range goes with --search only.")
    pairs = [Pair(data_of(first), data_of(second)) for first, second in given]
    if file is not None:
        pairs += read_pairs(file)
    if not pairs:
        raise ValueError("Give data sets: --pair A B, --pairs FILE, or --search.")
    return as_pairs(pairs, adjacency)
