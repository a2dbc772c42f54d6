"""Log-ratios of frequencies between the edges of one coordinate, alone or added up."""

import numpy as np
from scipy.special import xlogy

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.scores.score import Additive, Bins, Coordinate
from provedp.verify.audit.targets.outputs import Batch

CELLS = 48
FEWER_CELLS = 24
ATOM = 5  # repetitions that make a value an atom
ATOM_SHARE = 1 / 500  # of all runs that an atom must have
CELL_RUNS = 40
PRIOR = 0.5  # runs added to each count of an estimated ratio
DIFFERENT = 10.0  # deviance, of χ² with one degree of freedom, that keeps neighbours apart


def fit_bins(first: Batch, second: Batch, index: int, single: bool) -> Bins:
    """Return the logarithm of the ratio of frequencies between quantiles and around atoms."""
    edges, counts = _table(first, second, index, CELLS)
    values = log_ratio(counts, len(first), len(second))
    return Bins(index, tuple(edges.tolist()), tuple(values.tolist()), single)


def fit_merged(first: Batch, second: Batch, index: int) -> Bins:
    """Return the same with neighbours of like ratios merged, a constant 0 if all are alike.

    What is left varies by more than chance, so that coordinates that say nothing add nothing to a
    sum, and outputs with the same likelihood ratio have the same score.
    """
    edges, counts = merged(*_table(first, second, index, FEWER_CELLS))
    if len(edges) == 0:
        return Bins(index, (), (0.0,), False)
    values = log_ratio(counts, len(first), len(second))
    return Bins(index, tuple(edges.tolist()), tuple(values.tolist()), False)


def fit_additive(first: Batch, second: Batch) -> Additive:
    """Return the sum of the merged log-ratios of all coordinates."""
    width = min(first.numbers.shape[1], second.numbers.shape[1])
    parts = [fit_merged(first, second, index) for index in range(width)]
    return Additive(tuple(part.edges for part in parts), tuple(part.values for part in parts))


def atoms_of(values: Floats) -> Floats:
    """Return the finite values that come up again and again.

    >>> atoms_of(np.array([1.0] * 5 + [2.0, 3.0])).tolist()
    [1.0]
    """
    finite = values[np.isfinite(values)]
    different, repeated = np.unique(finite, return_counts=True)
    return np.asarray(different[repeated >= max(ATOM, len(finite) * ATOM_SHARE)][:CELLS])


def log_ratio(counts: Floats, first: int, second: int) -> Floats:
    """Return the log-ratios of two rows of counts out of `first` and `second` runs."""
    scale = first / second if first and second else 1.0
    return np.asarray(np.log((counts[0] + PRIOR) / (counts[1] * scale + PRIOR)))


def merged(edges: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Return edges and counts after merging the most alike neighbours, until all differ.

    >>> edges, counts = np.array([0.0, 1.0]), np.array([[50.0, 50.0, 10.0], [20.0, 20.0, 70.0]])
    >>> merged(edges, counts)[0].tolist()
    [1.0]
    """
    while len(edges):
        loss = _likelihood(counts[:, :-1]) + _likelihood(counts[:, 1:])
        loss -= _likelihood(counts[:, :-1] + counts[:, 1:])
        index = int(np.argmin(loss))
        if 2 * loss[index] >= DIFFERENT:
            break
        edges = np.delete(edges, index)
        counts[:, index + 1] += counts[:, index]
        counts = np.delete(counts, index, axis=1)
    return edges, counts


def _likelihood(counts: Floats) -> Floats:
    """Return the greatest log-likelihood of the counts of each cell, given their total."""
    total = counts.sum(0)
    return np.asarray(xlogy(counts, counts / np.maximum(total, 1)).sum(0))


def _table(first: Batch, second: Batch, index: int, cells: int) -> tuple[Floats, Floats]:
    """Return edges at quantiles and around atoms, and the counts between them."""
    parts = [Coordinate(index).of(batch) for batch in (first, second)]
    pooled = np.sort(np.concatenate(parts))
    pooled = pooled[np.isfinite(pooled)]
    if len(pooled) == 0:
        return np.empty(0), np.array([[len(x)] for x in parts], dtype=np.float64)
    many = max(2, min(cells, len(pooled) // CELL_RUNS))
    quantiles = pooled[np.linspace(0, len(pooled) - 1, many + 1).astype(int)]
    atoms = atoms_of(pooled)
    with np.errstate(over="ignore"):  # infinity is next to the largest number
        beyond = np.nextafter(atoms, np.inf)
    edges = np.unique(np.concatenate([quantiles, atoms, beyond]))
    indices = [np.searchsorted(edges, x, side="right") for x in parts]
    counts = [np.bincount(each, minlength=len(edges) + 1) for each in indices]
    return edges, np.array(counts, dtype=np.float64)
