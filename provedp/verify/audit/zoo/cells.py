"""The law of a mechanism's outputs on two data sets, over cells, and how much runs can show.

By Neyman and Pearson's lemma the best events are the cells with the greatest likelihood ratios: for
the first data set from the top, for the second from the bottom.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from provedp.theory.arrays import Floats
from provedp.verify.audit import Counts, lower_bound
from provedp.verify.notions.notions import PrivacyNotion

QUANTILE = 1.645 / math.sqrt(2)  # by which counts are discounted when events are compared
PROMISING = 0.97  # of the best promise
TRIED = 6  # promising events of each kind that are given to the exact test
SOME = 300  # events from either end that are combined
STEPS = 200  # cells of one coordinate's log-ratio


@dataclass(frozen=True)
class Cells:
    """Cells of outputs: the index of the cell of each output, and their probabilities.

    Those on the first data set are p, those on the second q.
    """

    cell_index: Callable[[Any], NDArray[np.intp]]
    p: Floats
    q: Floats

    @property
    def order(self) -> NDArray[np.intp]:
        """The cells by falling likelihood ratio."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log(self.p) - np.log(self.q)
        return np.argsort(-np.nan_to_num(ratio, nan=0.0), kind="stable")

    @property
    def loss(self) -> float:
        """The largest |ln(p/q)| of a cell."""
        kept = (self.p > 0) | (self.q > 0)
        with np.errstate(divide="ignore"):
            return float(np.max(np.abs(np.log(self.p[kept]) - np.log(self.q[kept]))))


def finite(outcomes: ArrayLike, p: ArrayLike, q: ArrayLike) -> Cells:
    """Return the law of one number per run that is one of `outcomes`, or NaN for the last."""
    order = np.argsort(np.asarray(outcomes))
    known = np.asarray(outcomes, dtype=float)[order]

    def cell_index(outputs: Any) -> NDArray[np.intp]:
        return np.searchsorted(known, np.asarray(outputs, dtype=float))

    return Cells(cell_index, np.asarray(p, dtype=float)[order], np.asarray(q, dtype=float)[order])


def line(edges: Floats, first: Any, second: Any, coordinate: int | None = None) -> Cells:
    """Return the law between edges of one number per run, or of one coordinate.

    `first` and `second` are frozen distributions of scipy or distribution functions.
    """

    def masses(law: Any) -> Floats:
        lower = getattr(law, "cdf", law)
        below = np.concatenate([[0.0], lower(edges), [1.0]])
        if lower is law:
            return np.diff(below)
        above = np.concatenate([[1.0], law.sf(edges), [0.0]])
        return np.asarray(np.where(below[:-1] < 0.5, np.diff(below), -np.diff(above)))

    def cell_index(outputs: Any) -> NDArray[np.intp]:
        x = np.asarray(outputs, dtype=float)
        return np.searchsorted(edges, x if coordinate is None else x[:, coordinate])

    return Cells(cell_index, masses(first), masses(second))


def moved(family: Any, shift: float, scale: float = 1.0, reach: float = 14.0) -> Cells:
    """Return the law of noise of a family of scipy on 0 and on `shift`."""
    edges = np.linspace(-reach * scale, shift + reach * scale, 4001)
    edges = np.union1d(edges, [0.0, shift])
    return line(edges, family(scale=scale), family(loc=shift, scale=scale))


def several_laplace(count: int, shift: float, scale: float) -> Cells:
    """Return the law of the log-ratio of several Laplace variables on 0, and all on `shift`.

    That of each is rounded to one of some steps, so that the law of their sum is exact.
    """
    law = stats.laplace(scale=scale)
    ends = shift * (1 - (np.arange(STEPS) + 0.5) / STEPS)  # x where the rounded log-ratio changes
    below = [np.concatenate([[1.0], law.cdf(ends - centre), [0.0]]) for centre in (0.0, shift)]
    one, two = (-np.diff(each) for each in below)
    p = q = np.ones(1)
    for _ in range(count):
        p, q = np.convolve(p, one), np.convolve(q, two)

    def cell_index(outputs: Any) -> NDArray[np.intp]:
        inside = np.clip(np.asarray(outputs, dtype=float), 0.0, shift)
        rounded = np.rint((1 - inside / shift) * STEPS).astype(np.intp)
        return np.asarray(rounded.reshape(-1, count).sum(1))

    return Cells(cell_index, p, q)


def limit(cells: Cells, claim: PrivacyNotion, runs: int) -> float:
    """Return the bound to be expected of the best event known, after `runs` runs per data set.

    One exact test is given the counts to be expected: of one event, in either direction, or of one
    for each data set and their mirror images, folded (which is for claims without δ the most that a
    test can get out of runs).
    """
    order = cells.order
    tops = np.cumsum(cells.p[order]), np.cumsum(cells.q[order])
    ends = np.cumsum(cells.q[order][::-1]), np.cumsum(cells.p[order][::-1])
    tried = [*_single(*tops, claim, runs), *_single(*ends, claim, runs)]
    tried += _folded(tops, ends, claim, runs)
    return max((lower_bound(counts, claim) for counts in tried), default=0.0)


def _single(success: Floats, failure: Floats, claim: PrivacyNotion, runs: int) -> list[Counts]:
    """Return the expected counts of promising events."""
    promising = _promising(success, failure, claim, runs)
    return [
        Counts(_count(success[i], runs), runs, _count(failure[i], runs), runs) for i in promising
    ]


def _folded(
    tops: tuple[Floats, Floats], ends: tuple[Floats, Floats], claim: PrivacyNotion, runs: int
) -> list[Counts]:
    """Return the expected counts of promising events and their mirror images."""
    size, runs = len(tops[0]), 2 * runs
    indices = np.unique(np.linspace(0, size - 2, min(size - 1, SOME)).astype(int))
    i, j = (axis.ravel() for axis in np.meshgrid(indices, indices, indexing="ij"))
    apart = i + j + 2 <= size
    i, j = i[apart], j[apart]
    success = np.minimum(1.0, (tops[0][i] + ends[0][j]) / 2)
    failure = np.minimum(1 - success, (tops[1][i] + ends[1][j]) / 2)
    counts = []
    for k in _promising(success, failure, claim, runs):
        x = _count(success[k], runs)
        y = min(_count(failure[k], runs), runs - x)
        counts.append(Counts(x, runs, y, runs, folded=True))
    return counts


def _promising(
    success: Floats, failure: Floats, claim: PrivacyNotion, runs: int
) -> NDArray[np.intp]:
    """Return some of the events whose promise is nearly the best."""
    low, high = _end(success, runs, -QUANTILE), _end(failure, runs, QUANTILE)
    levels = np.asarray(claim.least_level(low, high))
    if not levels.max() > 0:
        return np.zeros(0, dtype=np.intp)
    near = np.flatnonzero(levels >= PROMISING * levels.max())
    spread = near[np.linspace(0, len(near) - 1, TRIED).astype(int)]
    return np.union1d(spread, [np.argmax(levels)])


def _count(share: float, runs: int) -> int:
    return min(runs, max(0, round(float(share) * runs)))


def _end(share: Floats, runs: int, z: float) -> Floats:
    """Return an end of the Wilson interval."""
    share = np.clip(share, 0.0, 1.0)
    spread = np.sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs))
    return np.asarray((share + z * z / (2 * runs) + z * spread) / (1 + z * z / runs))
