"""Algorithm 1 on one exact feature: costs as balls, the law of the weights in rationals.

With d = 1 the expected divergence (14) is a closed form, so that balls decide the order of the
outputs, and with a rational e^{ε₀} the column (28) is exact. Outputs tie if the terms of their
costs have the same exact inputs, up to the order of the classes; the first then comes first.
"""

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from provedp.theory.matrices import Matrix, matrix
from provedp.theory.mixture import (
    LabelledData,
    class_covariances,
    filled_column,
    grid_gamma,
    histograms,
    mean_budget,
    mean_displacements,
    neighbour_histograms,
    output_cost,
    scalar_expected_kl,
    uniform_count_law,
)
from provedp.theory.mixture.columns import cost_order
from provedp.theory.mixture.neighbours import Histogram
from provedp.theory.numbers import Number, ball, minimum
from provedp.theory.privacy.functions import log

__all__ = ["Pair", "ScalarRun", "aligned", "chosen_place", "mean_share", "run"]

Part = tuple[int, Fraction, Fraction]

GRID = 10
DELTA = Fraction(2, 10**5)


@dataclass(frozen=True)
class ScalarRun:
    """A round of Algorithm 1 on one feature.

    Attributes
    ----------
    outputs
        The true histogram, then its neighbours.
    costs
        g of (13) for each output, as balls.
    column
        f′(· | π), exact for a rational e^{ε₀}.
    class_costs
        Expected divergence of each component, as balls.
    order
        The outputs, cheapest first.
    """

    outputs: tuple[Histogram, ...]
    costs: tuple[arb, ...]
    column: tuple[Number, ...]
    class_costs: tuple[arb, ...]
    order: tuple[Histogram, ...]

    @property
    def law(self) -> dict[Histogram, Number]:
        """The probability of each output before smoothing."""
        return dict(zip(self.outputs, self.column, strict=True))

    def objective(self, smoothing: Number) -> arb:
        """Return (22a): the expected divergence, smoothing included."""
        reduced = sum(
            (ball(p) * g for p, g in zip(self.column, self.costs, strict=True)), start=arb(0)
        )
        share = ball(smoothing)
        return (1 - share) * reduced + share * self.uniform_cost()

    def uniform_cost(self) -> arb:
        """Return the mean of g over all histograms of the set S."""
        counts = self.outputs[0]
        size = sum(counts)
        total = arb(0)
        for m, chance in enumerate(uniform_count_law(size, len(counts)), start=1):
            for count, cost in zip(counts, self.class_costs, strict=True):
                share = ball(chance * Fraction(m, size))
                total += share * (log(Fraction(m, count)) + cost)
        return total


@dataclass(frozen=True)
class Pair:
    """The laws of two runs over a common list of outputs, before smoothing."""

    p: Matrix
    q: Matrix
    outputs: int


def run(
    data: LabelledData, epsilon: Number, k: Number, delta: Number = DELTA, grid: int = GRID
) -> ScalarRun:
    """Run a round of Algorithm 1 with ε₀ = ln k.

    Parameters
    ----------
    data
        One exact feature; every class has at least three records, not all equal.
    epsilon
        ε, exact or a ball, above ln k.
    k
        e^{ε₀}, a fraction for an exact column.
    delta, grid
        δ, and L of (24).

    Raises
    ------
    ValueError
        If the data have more than one feature, or balls do not decide the order of the outputs.
    """
    if data.dimension != 1:
        raise ValueError(f"There must be one feature. Got {data.dimension} instead.")
    parts = _parts(data)
    level, weights = ball(epsilon), ball(k).log()
    class_costs = tuple(component_cost(part, level, weights, delta, grid) for part in parts)
    outputs = (data.counts, *neighbour_histograms(matrix([data.counts])[0]))
    costs = tuple(_output_cost(found, data.counts, class_costs) for found in outputs)
    places = _order(costs, [sorted(zip(found, parts, strict=True)) for found in outputs])
    filled = filled_column(len(outputs) - 1, k)
    column = [filled[places.index(i)] for i in range(len(outputs))]
    order = tuple(outputs[i] for i in places)
    return ScalarRun(outputs, costs, tuple(column), class_costs, order)


def _parts(data: LabelledData) -> list[Part]:
    """Return N_k, σ_k² and the largest displacement of the mean of each class."""
    return [
        (count, covariance[0, 0], max(abs(step) for step in mean_displacements(data, k)[:, 0]))
        for k, (count, covariance) in enumerate(
            zip(data.counts, class_covariances(data), strict=True)
        )
    ]


def component_cost(part: Part, epsilon: arb, weights: arb, delta: Number, grid: int) -> arb:
    """Return the least expected divergence of a component on the grid (24), as a ball."""
    return functools.reduce(minimum, _grid_costs(part, epsilon, weights, delta, grid))


def _grid_costs(part: Part, epsilon: arb, weights: arb, delta: Number, grid: int) -> list[arb]:
    """Return the expected divergence of a component for every γ of the grid (24)."""
    count, variance, largest = part
    costs = []
    for place in range(1, grid + 1):
        gamma = grid_gamma(epsilon, weights, count, place, grid)
        mean = (epsilon - weights) * ball(mean_share(place, grid)) / 2
        noise = ball(largest) ** 2 / mean_budget(mean, delta)
        costs.append(ball(scalar_expected_kl(ball(variance), gamma, noise)))
    return costs


def mean_share(place: int, grid: int = GRID) -> Fraction:
    """Return 2ε_k/(ε − ε₀) for a γ of the grid (24)."""
    return 1 - Fraction(place, grid + 1)


def chosen_place(data: LabelledData, k: int, epsilon: Number, weights: Number) -> int:
    """Return the place ℓ on the grid (24) that Algorithm 1 chooses for class k.

    Raises
    ------
    ValueError
        If balls do not decide which is best.
    """
    costs = _grid_costs(_parts(data)[k], ball(epsilon), ball(weights), DELTA, GRID)
    return cost_order(costs)[0] + 1


def _order(costs: tuple[arb, ...], terms: list[Any]) -> list[int]:
    """Return the places of the costs, cheapest first; equal terms tie and keep their order."""
    first = [terms.index(term) for term in terms]
    distinct = sorted(set(first))
    ranked = [distinct[i] for i in cost_order([costs[i] for i in distinct])]
    return sorted(range(len(costs)), key=lambda i: ranked.index(first[i]))


def _output_cost(found: Histogram, true: Histogram, class_costs: tuple[arb, ...]) -> arb:
    rows = (matrix([row])[0] for row in (found, true, class_costs))
    return ball(output_cost(*rows))


def aligned(first: ScalarRun, second: ScalarRun) -> Pair:
    """Return the laws of two runs on data of one size over the union of their outputs."""
    union = sorted({*first.outputs, *second.outputs})
    counts = first.outputs[0]
    p, q = (
        matrix([[law.get(output, Fraction(0)) for output in union]])[0]
        for law in (first.law, second.law)
    )
    return Pair(p, q, histograms(sum(counts), len(counts)))
