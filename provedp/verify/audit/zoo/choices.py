"""Report noisy max and the exponential mechanism, and wrong ones."""

import math
from collections.abc import Callable

import numpy as np
from flint import arb
from scipy import stats

from provedp.theory.arrays import Floats
from provedp.theory.numbers import ball
from provedp.theory.privacy import noisy_max_below, noisy_max_probability
from provedp.verify.audit.zoo.cells import Cells, finite, line
from provedp.verify.audit.zoo.entry import Entry, Generator, Mechanism, Outputs
from provedp.verify.audit.zoo.verdicts import ratio_beyond

E = math.e
FIVE_UP = ([1, 1, 1, 1, 1], [2, 0, 0, 0, 0])
FIVE_ALL = ([1, 1, 1, 1, 1], [0, 0, 0, 0, 0])
LEADER = float(noisy_max_probability(5, math.exp(-1)))  # lead 2 at scale 2


def noisy_max(scale: float, value: bool = False) -> Mechanism:
    """Return report noisy max: the index, or the value too."""

    def release(data: list[float], rng: Generator, count: int) -> Outputs:
        noisy = np.array(data) + rng.laplace(scale=scale, size=(count, len(data)))
        return np.asarray(noisy.max(1) if value else noisy.argmax(1))

    return release


def noisy_min(data: list[float], rng: Generator, count: int) -> Outputs:
    """The minimum instead of the maximum."""
    return np.asarray((np.array(data) + rng.laplace(scale=2, size=(count, 5))).argmin(1))


def exponential_without_half(data: list[float], rng: Generator, count: int) -> Outputs:
    """Exponential mechanism with weights e^(ε score) instead of e^(ε score/2)."""
    weights = np.exp(np.array(data, dtype=float))
    return rng.choice(len(data), size=count, p=weights / weights.sum())


def one_of_five() -> Cells:
    """Return the law of the index when all are equal, and when the first leads by two."""
    return finite(range(5), [0.2] * 5, [LEADER, *[(1 - LEADER) / 4] * 4])


def _largest() -> Cells:
    edges = np.linspace(-30, 31, 4001)

    def largest(score: float) -> Callable[[Floats], Floats]:
        return lambda x: np.asarray(stats.laplace.cdf(x, score, 2) ** 5)

    return line(edges, largest(1.0), largest(0.0))


def _value_ratio() -> arb:
    half = arb(1) / 2
    return ball(noisy_max_below(5, arb(1)) / noisy_max_below(5, (-half).exp()))


def _rare_index() -> arb:
    return ball(arb(1) / 2 / (1 - noisy_max_probability(2, arb(-2).exp())))


RARE = float(1 - noisy_max_probability(2, math.exp(-2)))
ENTRIES = [
    Entry("noisy max, index", noisy_max(2), FIVE_UP, 1, 0, math.log(5 * LEADER),
          "P(argmax = 0) in closed form; sup over pairs is 1", False,
          "privacy.noisy_max_on_five_scores", one_of_five,
          lambda: ratio_beyond(lambda: 5 * noisy_max_probability(5, arb(-1).exp()), 1)),
    Entry("noisy max, value", noisy_max(2, True), FIVE_ALL, 1, 0, 2.5, "∏ F(c): n ε/2", True,
          "privacy.noisy_max_value_costs_every_score", _largest,
          lambda: ratio_beyond(_value_ratio, 1)),
    Entry("noisy max, half noise", noisy_max(1), ([1, 1], [2, 0]), 1, 0, math.log(0.5 / RARE),
          "P(index 1) = 1/2 against e⁻²; sup over pairs is 2", True,
          "privacy.noisy_max_with_half_the_noise_costs_twice",
          lambda: finite([0, 1], [0.5, 0.5], [1 - RARE, RARE]),
          lambda: ratio_beyond(_rare_index, 1)),
    Entry("exponential, no half", exponential_without_half, ([0, 0, 0], [1, -1, -1]), 1, 0,
          math.log((E**2 + 2) / 3), "1/3 against 1/(e² + 2); sup over pairs is 2", True,
          "privacy.exponential_mechanism_reaches_the_square",
          lambda: finite(range(3), [1 / 3] * 3, np.array([E**2, 1, 1]) / (E**2 + 2)),
          lambda: ratio_beyond(lambda: (arb(2).exp() + 2) / 3, 1)),
]  # fmt: skip
MIRRORED = Entry(
    "must pass: noisy min", noisy_min, ([1, 1, 1, 1, 1], [0, 2, 2, 2, 2]), 1, 0,
    math.log(5 * LEADER), "opendp #2912: the mirror image of noisy max", False,
    "privacy.noisy_max_is_private", one_of_five,
    lambda: ratio_beyond(lambda: 5 * noisy_max_probability(5, arb(-1).exp()), 1),
)  # fmt: skip
