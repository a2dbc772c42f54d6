"""Algorithm 1 of the mixture paper, as published: alternate between components and class weights.

It is kept for study. Its first round is its last: what the components leave of the budget is what
they were told to leave, so ε₀ stays where it starts.
"""

from dataclasses import dataclass, field

import numpy as np

from provedp.mechanisms.mixture.published.component import Component, ComponentNoise
from provedp.theory.arrays import Floats
from provedp.theory.domain import Range, check_argument, integers, reals
from provedp.theory.mixture import (
    covariance_epsilon,
    left_for_weights,
    neighbour_histograms,
    output_cost,
    uniform_count_law,
    weight_column,
)
from provedp.theory.mixture.neighbours import Histogram
from provedp.theory.privacy.functions import LARGEST_EXPONENT

SETTLED = 1e-3  # change of the objective at which the paper stops
ROUNDS = 10
EPSILON = reals(0, LARGEST_EXPONENT, open_low=True)
OPEN_UNIT = reals(0, 1, open_low=True, open_high=True)


@dataclass(frozen=True)
class Budget:
    """What is promised, and how it is searched.

    Parameters
    ----------
    epsilon, delta
        ε > 0 in nats, and δ in (0, 1).
    smoothing
        λ in (0, 1), eq. (17).
    grid
        L ≥ 1, eq. (24); None for every γ.
    rounds
        Most rounds I ≥ 1.
    start
        ε₀ of the first round, in [0, ε); the paper's is ε/3.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    epsilon: float
    delta: float
    smoothing: float = 1e-3
    grid: int | None = 10
    rounds: int = ROUNDS
    start: float | None = None

    def __post_init__(self) -> None:
        ranges: dict[str, Range] = {
            "epsilon": EPSILON,
            "delta": OPEN_UNIT,
            "smoothing": OPEN_UNIT,
            "rounds": integers(1),
        }
        if self.grid is not None:
            ranges["grid"] = integers(1)
        for name, allowed in ranges.items():
            check_argument("mixture.Budget", name, allowed, getattr(self, name))
        if self.start is not None:
            allowed = reals(0, self.epsilon, open_high=True)
            check_argument("mixture.Budget", "start", allowed, self.start)

    @property
    def first(self) -> float:
        """ε₀ of the first round."""
        return self.epsilon / 3 if self.start is None else self.start


@dataclass(frozen=True)
class Round:
    """One round: the components for the ε₀ it starts with, and the weights that follow.

    Attributes
    ----------
    given, weights
        ε₀ before the round, and after it by (27).
    noises
        The noise on each component.
    column
        f′(· | π): the law over the true histogram and its neighbours.
    objective
        The expected divergence (22a).
    """

    given: float
    weights: float
    noises: tuple[ComponentNoise, ...]
    column: Floats = field(repr=False)
    objective: float


@dataclass(frozen=True)
class Alternation:
    """The rounds of a run.

    Attributes
    ----------
    outputs
        The true histogram, then its neighbours: what `column` is a law over.
    rounds
        In order; the last is what is used.
    """

    outputs: tuple[Histogram, ...]
    rounds: tuple[Round, ...]

    @property
    def last(self) -> Round:
        """The round whose noise is used."""
        return self.rounds[-1]


def alternate(parts: list[Component], budget: Budget) -> Alternation:
    """Run Algorithm 1 up to the draws.

    Parameters
    ----------
    parts
        The components, each with at least three records.
    budget
        ε, δ and the search.

    Returns
    -------
    Every round until the objective changes by at most 1e-3 or the rounds are used up.

    Source: mixture paper, Algorithm 1.
    """
    outputs = reachable(parts)
    rounds = [play(parts, outputs, budget, budget.first)]
    while len(rounds) < budget.rounds:
        rounds.append(play(parts, outputs, budget, rounds[-1].weights))
        if abs(rounds[-1].objective - rounds[-2].objective) <= SETTLED:
            break
    return Alternation(outputs, tuple(rounds))


def reachable(parts: list[Component]) -> tuple[Histogram, ...]:
    """Return the histogram of the components, then its neighbours."""
    counts = tuple(part.count for part in parts)
    return (counts, *neighbour_histograms(np.array(counts)))


def play(
    parts: list[Component], outputs: tuple[Histogram, ...], budget: Budget, given: float
) -> Round:
    """Play one round: (23)–(25) for each component, then (27)–(28)."""
    noises = tuple(
        part.best_noise(budget.epsilon, given, budget.delta, budget.grid) for part in parts
    )
    counts = outputs[0]
    charges = [covariance_epsilon(n.gamma, count) for n, count in zip(noises, counts, strict=True)]
    means = np.array([noise.epsilon for noise in noises])
    left = left_for_weights(budget.epsilon, means, np.array(charges))
    weights = max(0.0, float(left))  # rounding may leave a little less than nothing
    costs = [noise.cost for noise in noises]
    prices = output_costs(outputs, costs)
    column = weight_column(prices, float(np.exp(weights)))
    smooth = uniform_cost(counts, costs)
    objective = (1 - budget.smoothing) * float(column @ prices) + budget.smoothing * smooth
    return Round(given, weights, noises, column, objective)


def output_costs(outputs: tuple[Histogram, ...], costs: list[float]) -> Floats:
    """Return g of (13) for each output, the first of which is the true histogram."""
    table = np.array(outputs, dtype=np.float64)
    return np.array([output_cost(row, table[0], np.array(costs)) for row in table])


def uniform_cost(counts: Histogram, costs: list[float]) -> float:
    """Return the mean of g of (13) over all histograms of the set S."""
    size = sum(counts)
    law = np.array([float(p) for p in uniform_count_law(size, len(counts))])
    share = np.arange(1, size) / size
    terms = [
        law @ (share * (np.log(share * size / count) + cost))
        for count, cost in zip(counts, costs, strict=True)
    ]
    return float(np.sum(terms))
