"""Graphs of neighbouring counts, by name."""

import itertools
from collections.abc import Callable, Iterable, Sequence

from provedp.theory.domain import argument_error

__all__ = ["NAMES", "Edges", "checked", "named"]

Edges = tuple[tuple[int, int], ...]

NAMES = "path, complete, circle, within:2, grid:3x4, hypercube:3 or a list of edges"
MOST_VERTICES = 1000  # of a name, so that it is refused before a list of its edges is made


def path(m: int) -> Edges:
    """Return counts in a row."""
    return within(m, 1)


def within(m: int, reach: int) -> Edges:
    """Return counts that differ by at most `reach`."""
    return tuple((a, b) for a in range(1, m + 1) for b in range(a + 1, min(a + reach, m) + 1))


def circle(m: int) -> Edges:
    """Return counts around a circle; of two, one edge."""
    return (*path(m), (1, m)) if m > 2 else path(m)


def grid(rows: int, columns: int) -> Edges:
    """Return pairs of counts, row by row, of which one changes by one."""
    places = {place: n for n, place in enumerate(itertools.product(range(rows), range(columns)), 1)}
    steps = ((0, 1), (1, 0))
    moved = ((place, (place[0] + r, place[1] + c)) for place in places for r, c in steps)
    return tuple((places[one], places[two]) for one, two in moved if two in places)


def hypercube(dimension: int) -> Edges:
    """Return words of bits, of which one changes."""
    words = range(1 << dimension)
    flips = ((word, word | 1 << bit) for word in words for bit in range(dimension))
    return tuple((one + 1, two + 1) for one, two in flips if one != two)


def named(where: str, name: str, m: int) -> Edges:
    """Return the edges of a graph on m counts by its name.

    Raises
    ------
    ValueError
        If there is no such name, or that graph has another number of vertices.
    """
    kind, sign, size = name.partition(":")
    parts = size.split("x") if sign else []
    expected = {"path": 0, "circle": 0, "complete": 0, "within": 1, "grid": 2, "hypercube": 1}
    numbers = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 5]
    if len(numbers) != len(parts) or expected.get(kind) != len(parts) or 0 in numbers:
        raise argument_error(where, "graph", NAMES, repr(name))
    vertices = {"grid": lambda: numbers[0] * numbers[1], "hypercube": lambda: 1 << numbers[0]}
    if kind in vertices:
        small = all(number <= MOST_VERTICES for number in numbers)
        count = vertices[kind]() if small else None
        if count != m:
            found = f"{name}, which has {count or 'far more'}"
            raise argument_error(
                where, "graph", f"a graph with {m} vertices, as many as counts", found
            )
    return _BUILT[kind](m, numbers)


_BUILT: dict[str, Callable[[int, Sequence[int]], Edges]] = {
    "path": lambda m, _: path(m),
    "circle": lambda m, _: circle(m),
    "complete": lambda m, _: within(m, m),
    "within": lambda m, numbers: within(m, numbers[0]),
    "grid": lambda m, numbers: grid(numbers[0], numbers[1]),
    "hypercube": lambda m, numbers: hypercube(numbers[0]),
}


def checked(where: str, edges: Iterable[Iterable[int]], m: int) -> Edges:
    """Return edges whose ends are two counts, none of them twice, that connect all counts.

    Raises
    ------
    ValueError
        If they are none.
    """
    found: list[tuple[int, int]] = []
    seen: set[frozenset[int]] = set()
    for entry in edges:
        ends = tuple(entry) if isinstance(entry, (list, tuple)) else ()
        if len(ends) != 2 or not all(type(end) is int and 1 <= end <= m for end in ends):
            allowed = f"a list of pairs of counts from 1 to {m}"
            raise argument_error(where, "graph", allowed, f"the edge {entry}")
        edge = frozenset(ends)
        if len(edge) == 1 or edge in seen:
            fault = "from a count to itself" if len(edge) == 1 else "that is there twice"
            allowed = "a graph whose edges join two counts, each pair once"
            raise argument_error(where, "graph", allowed, f"the edge {entry} {fault}")
        seen.add(edge)
        found.append((ends[0], ends[1]))
    unreached = set(range(1, m + 1)) - reached(m, found)
    if unreached:
        lost = f"no way from count 1 to count {min(unreached)}"
        raise argument_error(where, "graph", f"a connected graph on {m} counts", lost)
    return tuple(found)


def reached(m: int, edges: Iterable[tuple[int, int]]) -> set[int]:
    """Return the counts that edges connect to the first."""
    around: dict[int, set[int]] = {i: set() for i in range(1, m + 1)}
    for a, b in edges:
        around[a].add(b)
        around[b].add(a)
    known, waiting = {1}, [1]
    while waiting:
        new = around[waiting.pop()] - known
        known |= new
        waiting += new
    return known
