"""How a receiver rounds a count with continuous noise: for a prior, or as well as a release."""

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from provedp.theory.counting.canonical import (
    canonical_cdf,
    canonical_cells,
    canonical_cuts,
    canonical_reach,
    canonical_thresholds,
)
from provedp.theory.counting.losses import LOSSES, loss_matrix
from provedp.theory.domain import argument_error, check_argument, integers
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import flint_rational, rational

if TYPE_CHECKING:
    from provedp.mechanisms.counting.universal import NoisyCount

WHERE = "UniversalCount.remap"
DOMINATE = "UniversalCount.dominate"
MOST_CELLS = 150  # counts and steps of noise: seconds of exact arithmetic


@dataclass(frozen=True, eq=False)
class Rounding:
    """An output for each cell of the line; it is a function of a release, and costs no privacy.

    Attributes
    ----------
    cuts
        Ends of the cells, ascending: rational numbers.
    outputs
        The output of the cell below the first cut, of the next, …
    law
        Matrix of the probabilities of outputs first, first + 1, … for each count.
    expected_loss
        Exact mean loss under the prior; without a prior, that of the count that loses most.
    """

    cuts: tuple[Fraction, ...]
    outputs: tuple[int, ...]
    law: Matrix
    expected_loss: Fraction

    def __call__(self, released: "NoisyCount") -> int:
        """Return the output of a release."""
        low = bisect.bisect_right(self.cuts, released.low)
        high = bisect.bisect_left(self.cuts, released.high)
        while low < high:
            middle = (low + high) // 2
            if released.exceeds(self.cuts[middle]):
                low = middle + 1
            else:
                high = middle
        return self.outputs[low]


def best_rounding(
    k: Fraction, delta: Fraction, prior: Sequence[Any], loss: Any, first: int
) -> Rounding:
    """Return for each cell the output that loses least under the prior given the cell."""
    first = check_argument(WHERE, "first", integers(), first)
    weights = _weights(prior)
    m = len(weights)
    costs = _costs(WHERE, loss, m)
    level = flint_rational(k), flint_rational(delta)
    if m + (rational(canonical_reach(*level)) if delta else 0) > MOST_CELLS:
        allowed = f"for so few counts that with the reach of the noise they are {MOST_CELLS}"
        raise argument_error(WHERE, "prior", allowed, f"{m} weights")
    cells = [[rational(p) for p in row] for row in canonical_cells(m, *level).tolist()]
    width = len(costs[0])
    chosen = []
    total = Fraction(0)
    law = [[Fraction(0)] * width for _ in range(m)]
    for column in zip(*cells, strict=True):
        likely = [w * p for w, p in zip(weights, column, strict=True)]
        lost = [sum(x * row[j] for x, row in zip(likely, costs, strict=True)) for j in range(width)]
        best = lost.index(min(lost))
        chosen.append(first + best)
        total += lost[best]
        for row, p in zip(law, column, strict=True):
            row[best] += p
    moved = tuple(rational(cut) + first - 1 for cut in canonical_cuts(m, *level))
    return Rounding(moved, tuple(chosen), matrix(law), total)


def dominating_rounding(
    k: Fraction, delta: Fraction, law: Matrix, loss: Any, first: int
) -> Rounding:
    """Return a monotone rounding that loses at most as much as a private release at every count.

    `counting.canonical_noise_is_universally_optimal` proves it, and has the thresholds.
    """
    first = check_argument(DOMINATE, "first", integers(), first)
    m = len(law)
    costs = unimodal_costs(DOMINATE, loss, m)
    cuts: list[Fraction] = []
    lowest = 0
    level = flint_rational(k), flint_rational(delta)
    for j, cut in enumerate(canonical_thresholds(law, *level)):
        if cut is not None:
            cuts.append(rational(cut))
        elif law[j, : j + 1].sum() == 0:
            lowest = j + 1
    rows = []
    for i in range(1, m + 1):
        below = [rational(canonical_cdf(cut - i, *level)) for cut in cuts]
        ends = [Fraction(0), *below, Fraction(1)]
        inside = [b - a for a, b in zip(ends, ends[1:], strict=False)]
        rows.append([Fraction(0)] * lowest + inside + [Fraction(0)] * (m - lowest - len(inside)))
    lost = [
        sum((x * p for x, p in zip(*pair, strict=True)), start=Fraction(0))
        for pair in zip(costs, rows, strict=True)
    ]
    outputs = tuple(first + lowest + j for j in range(len(cuts) + 1))
    moved = tuple(cut + first - 1 for cut in cuts)
    return Rounding(moved, outputs, matrix(rows), max(lost))


def unimodal_costs(where: str, loss: Any, m: int) -> Sequence[Sequence[Fraction]]:
    """Return ℓ_ij for m counts and as many outputs.

    Raises
    ------
    ValueError
        If a loss falls away from its count: nothing is proved for those.
    """
    costs = _costs(where, loss, m)
    for i, row in enumerate(costs):
        away = (row[i::-1], row[i:])
        if len(row) != m or any(list(side) != sorted(side) for side in away):
            allowed = f"a {m} × {m} matrix of losses that do not fall away from the count"
            raise argument_error(where, "loss", allowed, f"one whose row {i + 1} is not so")
    return costs


def _weights(prior: Sequence[Any]) -> list[Fraction]:
    allowed = "at least two rational weights ≥ 0 that sum to 1"
    listed = _listed(WHERE, "prior", prior, allowed)
    weights = [_exact(WHERE, each, "prior", allowed) for each in listed]
    if len(weights) < 2 or min(weights) < 0 or sum(weights) != 1:
        raise argument_error(WHERE, "prior", allowed, f"{len(weights)} of sum {sum(weights)}")
    return weights


def _costs(where: str, loss: Any, m: int) -> Sequence[Sequence[Fraction]]:
    allowed = f"{', '.join(LOSSES)} or {m} equally long rows of rational numbers ≥ 0"
    if isinstance(loss, str):
        if loss not in LOSSES:
            raise argument_error(where, "loss", allowed, repr(loss))
        return loss_matrix(loss, m)
    rows = [
        [_exact(where, entry, "loss", allowed) for entry in _listed(where, "loss", row, allowed)]
        for row in _listed(where, "loss", loss, allowed)
    ]
    widths = {len(row) for row in rows}
    if len(rows) != m or len(widths) != 1 or 0 in widths or min(map(min, rows)) < 0:
        raise argument_error(where, "loss", allowed, "another table")
    return rows


def _listed(where: str, name: str, values: Any, allowed: str) -> list[Any]:
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise argument_error(where, name, allowed, repr(values))
    return list(values)


def _exact(where: str, value: Any, name: str, allowed: str) -> Fraction:
    try:
        return Fraction(value) if isinstance(value, str) else rational(value)
    except (ValueError, TypeError, ZeroDivisionError):
        raise argument_error(where, name, allowed, repr(value)) from None
