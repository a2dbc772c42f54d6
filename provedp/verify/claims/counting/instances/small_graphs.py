"""Connected graphs, one of each shape."""

import functools
import itertools

from provedp.verify.solvers.release.graphs import Edges

DOUBLE_STAR: Edges = ((1, 2), (1, 3), (1, 4), (2, 5), (5, 6), (5, 7))
ONE_PAIR_JOINED: Edges = ((1, 2), (1, 4), (1, 5), (2, 3), (3, 6), (3, 7), (6, 7))
BOTH_PAIRS_JOINED: Edges = ((1, 2), (1, 5), (2, 5), (3, 4), (3, 6), (4, 6), (4, 7), (5, 7))
NOT_TIGHT = (DOUBLE_STAR, ONE_PAIR_JOINED, BOTH_PAIRS_JOINED)


@functools.cache
def connected_graphs(size: int) -> tuple[Edges, ...]:
    """Return every connected graph with so many vertices, from 1: one more vertex at a time."""
    if size == 1:
        return ((),)
    found: dict[int, Edges] = {}
    for edges in connected_graphs(size - 1):
        for ends in _subsets(size - 1):
            grown = (*edges, *((v, size) for v in ends))
            found.setdefault(shape(size, grown), grown)
    return tuple(found[key] for key in sorted(found))


def _subsets(size: int) -> list[tuple[int, ...]]:
    vertices = range(1, size + 1)
    counts = range(1, size + 1)
    return [each for n in counts for each in itertools.combinations(vertices, n)]


def shape(size: int, edges: Edges) -> int:
    """Return a number that graphs have in common exactly if they are the same but for names."""
    joined = {frozenset(edge) for edge in edges}
    classes = _classes(size, joined)
    orders = itertools.product(*(itertools.permutations(each) for each in classes))
    return min(_mask([v for part in order for v in part], joined) for order in orders)


def _classes(size: int, joined: set[frozenset[int]]) -> list[list[int]]:
    """Return the vertices by colours that do not depend on names."""
    vertices = range(1, size + 1)
    colours = dict.fromkeys(vertices, 0)
    for _ in vertices:
        seen = {
            v: (colours[v], sorted(colours[u] for u in vertices if frozenset((u, v)) in joined))
            for v in vertices
        }
        ranks = sorted({str(each) for each in seen.values()})
        colours = {v: ranks.index(str(seen[v])) for v in vertices}
    return [[v for v in vertices if colours[v] == c] for c in sorted(set(colours.values()))]


def _mask(order: list[int], joined: set[frozenset[int]]) -> int:
    pairs = itertools.combinations(order, 2)
    return sum(1 << place for place, pair in enumerate(pairs) if frozenset(pair) in joined)
