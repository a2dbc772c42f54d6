"""How a receiver rounds a count with continuous noise."""

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from provedp.theory.counting.canonical import canonical_cells, canonical_cuts, canonical_reach
from provedp.theory.counting.losses import LOSSES, loss_matrix
from provedp.theory.domain import argument_error
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import rational

if TYPE_CHECKING:
    from provedp.mechanisms.counting.universal import NoisyCount

WHERE = "UniversalCount.remap"
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
        Exact mean loss under the prior.
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
    weights = _weights(prior)
    m = len(weights)
    costs = _costs(loss, m)
    if m + (canonical_reach(k, delta) if delta else 0) > MOST_CELLS:
        allowed = f"for so few counts that with the reach of the noise they are {MOST_CELLS}"
        raise argument_error(WHERE, "prior", allowed, f"{m} weights")
    cells = canonical_cells(m, k, delta).tolist()
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
    moved = tuple(rational(cut) + first - 1 for cut in canonical_cuts(m, k, delta))
    return Rounding(moved, tuple(chosen), matrix(law), total)


def _weights(prior: Sequence[Any]) -> list[Fraction]:
    allowed = "at least two rational weights ≥ 0 that sum to 1"
    weights = [_exact(each, "prior", allowed) for each in prior]
    if len(weights) < 2 or min(weights) < 0 or sum(weights) != 1:
        raise argument_error(WHERE, "prior", allowed, f"{len(weights)} of sum {sum(weights)}")
    return weights


def _costs(loss: Any, m: int) -> Sequence[Sequence[Fraction]]:
    allowed = f"{', '.join(LOSSES)} or {m} equally long rows of rational numbers ≥ 0"
    if isinstance(loss, str):
        if loss not in LOSSES:
            raise argument_error(WHERE, "loss", allowed, repr(loss))
        return loss_matrix(loss, m)
    rows = [[_exact(entry, "loss", allowed) for entry in row] for row in loss]
    widths = {len(row) for row in rows}
    if len(rows) != m or len(widths) != 1 or 0 in widths or min(map(min, rows)) < 0:
        raise argument_error(WHERE, "loss", allowed, "another table")
    return rows


def _exact(value: Any, name: str, allowed: str) -> Fraction:
    try:
        return Fraction(value) if isinstance(value, str) else rational(value)
    except (ValueError, TypeError, ZeroDivisionError):
        raise argument_error(WHERE, name, allowed, repr(value)) from None
