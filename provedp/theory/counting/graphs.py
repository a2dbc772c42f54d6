"""Counts whose neighbours are the edges of a graph: a bound on the error from sums over balls."""

from collections.abc import Iterable

from provedp.theory.counting.release import COUNTS, RATIO, SLACK
from provedp.theory.domain import domain
from provedp.theory.numbers import Number

__all__ = ["ball_bound", "ball_sums", "distances"]

Edges = Iterable[tuple[int, int]]


def distances(m: int, edges: Edges, start: int) -> list[int]:
    """Return how many edges lead from a count to each other one, counts from 1.

    Raises
    ------
    ValueError
        If there is no way to one of them.

    >>> distances(3, [(1, 2), (2, 3)], 1)
    [0, 1, 2]
    """
    around: dict[int, set[int]] = {i: set() for i in range(1, m + 1)}
    for a, b in edges:
        around[a].add(b)
        around[b].add(a)
    found, waiting = {start: 0}, [start]
    while waiting:
        here = waiting.pop(0)
        for other in around[here] - found.keys():
            found[other] = found[here] + 1
            waiting.append(other)
    if len(found) < m:
        raise ValueError("The edges do not connect all counts.")
    return [found[i] for i in range(1, m + 1)]


def ball_sums(m: int, edges: Edges, k: Number) -> list[Number]:
    """Return S_v = Σ_j k^(−d(v, j)) for every count v.

    >>> from fractions import Fraction as F
    >>> [str(total) for total in ball_sums(3, [(1, 2), (2, 3)], F(2))]
    ['7/4', '2', '7/4']
    """
    listed = list(edges)
    return [sum((k**-d for d in distances(m, listed, v)), start=0 * k) for v in range(1, m + 1)]


@domain(m=COUNTS, k=RATIO, delta=SLACK)
def ball_bound(m: int, edges: Edges, k: Number, delta: Number) -> Number:
    """Return a bound below which no (ln k, δ)-private release errs, if edges join neighbours.

    (1 − δ)(1 − 1/S), S = max_v Σ_j k^(−d(v, j))

    Parameters
    ----------
    edges
        Pairs of counts from 1 to m that connect all of them.

    Returns
    -------
    A probability. It is the least error on paths, circles, complete graphs and all others with up
    to six vertices that were tried; not on every graph.

    Source: ours; on a path the bound of the counting paper, Theorem 1.

    >>> from fractions import Fraction as F
    >>> ball_bound(3, [(1, 2), (2, 3)], F(2), F(0))
    Fraction(1, 2)
    """
    return (1 - delta) * (1 - 1 / max(ball_sums(m, edges, k)))
