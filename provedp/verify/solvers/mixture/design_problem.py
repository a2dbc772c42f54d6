"""Problem (P2) as a search along ε₀, and a condition under which ε₀ = 0 is its optimum.

For a fixed ε₀ the components separate and Proposition 2 gives the weights, so what is left is a
function of one number. Let h_k be the costs of the components at ε₀ = 0, A_i = Σ_k π̃_k h_k and
D_i = Σ_k π̃_k ln(π̃_k/π_k) for the outputs i, and s + 1 their number.

* At ε₀ every component costs at least r = ε/(ε − ε₀) times as much: noise on the mean costs r², and
  u − ln(1 + u) ≤ u · d/du (u − ln(1 + u)), so Wishart noise costs at least r.
* A column at ε₀ is within ε₀/2 of the uniform one in total variation (`column_deviation`).

So the objective is at least mean(r A + D) − (ε₀/2) spread(r A + D), which is at least its value
mean(A + D) at ε₀ = 0 if mean A ≥ (ε/2)(spread A + spread D). The uniform part of (17) only adds a
mean of the h_k.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from provedp.mechanisms.mixture.published.alternation import Budget, output_costs, play
from provedp.mechanisms.mixture.published.component import Component
from provedp.theory.mixture import neighbour_histograms
from provedp.theory.mixture.neighbours import Histogram

__all__ = ["DesignOptimum", "design_optimum", "zero_is_optimal_margin"]

STEPS = 64  # of the search along ε₀
NEAREST = 1 - 1e-3  # of ε: beyond, hardly anything is left for the components


@dataclass(frozen=True)
class DesignOptimum:
    """The best ε₀ that was found for (P2).

    Attributes
    ----------
    weights
        ε₀.
    objective
        (22a) there.
    published
        (22a) where Algorithm 1 ends, which is where it starts: ε₀ = ε/3.
    margin
        `zero_is_optimal_margin`; if it is positive, ε₀ = 0 is the optimum.
    """

    weights: float
    objective: float
    published: float
    margin: float


def design_optimum(parts: list[Component], budget: Budget) -> DesignOptimum:
    """Search (P2) along ε₀, on a grid and between the neighbours of its best point.

    Parameters
    ----------
    parts
        The components, with costs that do not change from call to call.
    budget
        ε, δ, λ and the grid of (24).

    Returns
    -------
    The best point met. Floats: what proves it optimal is a positive margin.

    Source: mixture paper, (P2), eq. (22).
    """
    outputs = _outputs(parts)

    def objective(weights: float) -> float:
        return play(parts, outputs, budget, weights).objective

    points = np.linspace(0, NEAREST * budget.epsilon, STEPS + 1)
    values = [objective(float(point)) for point in points]
    best = int(np.argmin(values))
    bounds = points[max(best - 1, 0)], points[min(best + 1, STEPS)]
    refined = minimize_scalar(objective, bounds=bounds, method="bounded")
    value, place = min((values[best], float(points[best])), (float(refined.fun), float(refined.x)))
    return DesignOptimum(
        place, value, objective(budget.first), zero_is_optimal_margin(parts, budget)
    )


def zero_is_optimal_margin(parts: list[Component], budget: Budget) -> float:
    """Return mean A − (ε/2)(spread A + spread D): if it is ≥ 0, ε₀ = 0 is optimal in (P2)."""
    outputs = _outputs(parts)
    noises = play(parts, outputs, budget, 0.0).noises
    divergences = output_costs(outputs, [0.0] * len(noises))
    components = output_costs(outputs, [noise.cost for noise in noises]) - divergences
    spread = float(np.ptp(components) + np.ptp(divergences))
    return float(components.mean()) - budget.epsilon / 2 * spread


def _outputs(parts: list[Component]) -> tuple[Histogram, ...]:
    counts = tuple(part.count for part in parts)
    return (counts, *neighbour_histograms(np.array(counts)))
