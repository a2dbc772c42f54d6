"""The sparse vector technique: Lyu, Su and Li's Algorithm 1 and those of others that they list."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb
from scipy import integrate, stats

from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    noisy_threshold_between,
    released_value_probability,
    sparse_vector_probability,
)
from provedp.verify.audit.zoo.cells import Cells
from provedp.verify.audit.zoo.entry import Entry, Generator, Mechanism, Outputs
from provedp.verify.audit.zoo.verdicts import level_beyond, ratio_beyond

THRESHOLD = 0.5
SIX = ([1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1])
RISING = ([0.5, 0.5, 0.5, 0.5, 0.5], [1.5, 1.5, 1.5, 1.5, -0.5])
TEN = ([1] * 10, [0] * 10)
BELOW, AFTER = -1000.0, -2000.0
VALUES = np.linspace(-20, 20, 161)  # edges of released values
DENSE = np.linspace(-80, 60, 28_001)


def above_threshold(threshold_scale: float, query_scale: float, cut: int = 1) -> Mechanism:
    """Return above threshold: 0 and 1 until the `cut`-th 1, then −1."""

    def release(data: Any, rng: Generator, count: int) -> Outputs:
        threshold = THRESHOLD + rng.laplace(scale=threshold_scale, size=(count, 1))
        noise = rng.laplace(scale=query_scale, size=(count, len(data))) if query_scale else 0.0
        above = np.array(data) + noise >= threshold
        before: Outputs = np.cumsum(above, axis=1) - above
        return np.where(before < cut, above, -1).astype(float)

    return release


def no_query_noise(data: Any, rng: Generator, count: int) -> Outputs:
    """Alg. 5: noise on the threshold only, no cut-off."""
    return (np.array(data) >= THRESHOLD + rng.laplace(scale=2.0, size=(count, 1))).astype(float)


def releases_the_value(data: Any, rng: Generator, count: int) -> Outputs:
    """Alg. 3: the compared noisy value comes out, with the same noise."""
    threshold = THRESHOLD + rng.laplace(scale=2.0, size=(count, 1))
    noisy = np.array(data) + rng.laplace(scale=2.0, size=(count, len(data)))
    above = noisy >= threshold
    first = (np.cumsum(above, axis=1) - above) < 1
    return np.where(first, np.where(above, noisy, BELOW), AFTER)


def new_thresholds(data: Any, rng: Generator, count: int) -> Outputs:
    """Alg. 2 (Dwork and Roth), cut-off 2: new noise on the threshold after the first 'above'."""
    thresholds = THRESHOLD + rng.laplace(scale=4.0, size=(count, 2))
    noisy = np.array(data) + rng.laplace(scale=8.0, size=(count, len(data)))
    seen = np.zeros(count, dtype=int)
    out = np.empty_like(noisy)
    for index in range(len(data)):
        above = noisy[:, index] >= thresholds[np.arange(count), np.minimum(seen, 1)]
        out[:, index] = np.where(seen < 2, above, -1)
        seen += above & (seen < 2)
    return out


def _codes(outputs: Any) -> Any:
    """Return one integer per row of answers."""
    rows = np.asarray(outputs).astype(int) + 1
    return rows @ 3 ** np.arange(rows.shape[1])


@dataclass(frozen=True)
class Variant:
    """Scales of the noise as 1/(rate · unit), a cut-off, and whether thresholds are renewed."""

    pair: tuple[Sequence[float], Sequence[float]]
    rates: tuple[int, int]
    unit: Fraction
    cut: int
    renewed: bool = False

    @property
    def rows(self) -> list[list[int]]:
        """All rows of answers: after the `cut`-th 1 comes −1."""
        size, rows = len(self.pair[0]), []
        for answers in product((0, 1), repeat=size):
            ends = [i + 1 for i in range(size) if sum(answers[: i + 1]) >= self.cut] or [size]
            row = [*answers[: ends[0]], *[-1] * (size - ends[0])]
            if row not in rows:
                rows.append(row)
        return rows

    def probability(self, row: Sequence[int], data: Sequence[float]) -> arb:
        """Return the exact probability of answers, as a ball."""
        margins = [self.unit * Fraction(q - THRESHOLD) for q in data]
        answered = [pair for pair in zip(row, margins, strict=True) if pair[0] >= 0]
        ends = [i + 1 for i, (answer, _) in enumerate(answered) if answer] if self.renewed else []
        cuts = [0, *ends, len(answered)]
        parts = [answered[i:j] for i, j in zip(cuts, cuts[1:], strict=False) if i < j]
        return math.prod((self._one_threshold(part) for part in parts), start=arb(1))

    def _one_threshold(self, answered: Sequence[tuple[int, Fraction]]) -> arb:
        law: Any = sparse_vector_probability  # it reads lists of numbers too
        sides = [[margin for answer, margin in answered if answer == side] for side in (0, 1)]
        return ball(law(*self.rates, sides[0] or None, sides[1] or None))

    def law(self) -> Cells:
        """Return the probabilities of all rows."""
        laws = [
            [float(self.probability(row, data).mid()) for row in self.rows] for data in self.pair
        ]
        return _by_code(self.rows, laws)

    def worst(self) -> arb:
        """Return the largest ratio of probabilities of the same answers, in either direction."""
        ratios = []
        for row in self.rows:
            p, q = (self.probability(row, data) for data in self.pair)
            ratios += [p / q, q / p]
        return max(ratios, key=lambda ratio: float(ratio.mid()))


def _by_code(rows: list[list[int]], laws: Sequence[Sequence[float]]) -> Cells:
    codes = _codes(rows)
    order = np.argsort(codes)

    def cell_index(outputs: Any) -> Any:
        return np.searchsorted(codes[order], _codes(outputs))

    return Cells(cell_index, *(np.array(law)[order] for law in laws))


def _noiseless() -> Cells:
    """Return the law of Alg. 5 on `SIX`: the noise is below both margins, between, or above."""
    rows = [[1] * 6, [1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1], [0] * 6]
    middle = float(noisy_threshold_between(-0.5, 0.5, 2.0))
    end = (1 - middle) / 2
    return _by_code(rows, [[end, middle, 0.0, end], [end, 0.0, middle, end]])


def _released() -> Cells:
    """Return the law of Alg. 3 on `TEN`: how many are below first, and the value then."""
    laws = []
    for query in (1.0, 0.0):
        inside = stats.laplace.pdf(DENSE, THRESHOLD, 2)
        law = []
        for _ in range(len(TEN[0])):
            beyond = integrate.cumulative_trapezoid(inside, DENSE, initial=0.0)
            mass = integrate.cumulative_trapezoid(
                beyond * stats.laplace.pdf(DENSE, query, 2), DENSE, initial=0.0
            )
            ends = np.interp(VALUES, DENSE, mass)
            law.append(np.diff(np.concatenate([[0.0], ends, [mass[-1]]])))
            inside = inside * stats.laplace.cdf(DENSE, query, 2)
        law.append(np.array([integrate.trapezoid(inside, DENSE)]))
        laws.append(np.concatenate(law))
    return Cells(_value_index, *laws)


def _value_index(outputs: Any) -> Any:
    rows = np.asarray(outputs)
    below = np.sum(rows == BELOW, axis=1)
    value = rows[np.arange(len(rows)), np.minimum(below, rows.shape[1] - 1)]
    return below * (len(VALUES) + 1) + np.where(below < 10, np.searchsorted(VALUES, value), 0)


def _released_ratio() -> arb:
    """Return the ratio for nine that are below and then a value of at most 0.

    There all queries are at or below their centres, so that each, the value too, gives e^(1/2).
    """
    step = (-arb(1) / 2).exp()
    first = released_value_probability(9, 1, 1, arb(1))
    return ball(first / released_value_probability(9, 1, 1, step) / step)


ONE = Variant(SIX, (2, 1), Fraction(1, 4), 1)  # scales 2 and 4
TWO = Variant(SIX, (2, 1), Fraction(1, 8), 2, renewed=True)  # scales 4 and 8
FOUR = Variant(RISING, (1, 3), Fraction(1, 4), 1)  # scales 4 and 4/3
NO_CUT = Variant(SIX, (1, 1), Fraction(1, 2), 7)  # scales 2 and 2
ENTRIES = [
    Entry("sparse vector", above_threshold(2.0, 4.0), SIX, 1, 0, ONE.law().loss,
          "Lyu et al., Alg. 1: at most 1", False, "privacy.sparse_vector_is_private",
          ONE.law, lambda: ratio_beyond(ONE.worst, 1)),
    Entry("sparse vector, Alg. 2", new_thresholds, SIX, 1, 0, TWO.law().loss,
          "two of Alg. 1 at 1/2: at most 1", False, "privacy.sparse_vector_is_private",
          TWO.law, lambda: ratio_beyond(TWO.worst, 1)),
    Entry("sparse vector, Alg. 4", above_threshold(4.0, 4 / 3), RISING, 1, 0, FOUR.law().loss,
          "integral; sup over pairs is 7/4", True,
          "privacy.sparse_vector_epsilon_is_least", FOUR.law,
          lambda: ratio_beyond(FOUR.worst, 1)),
    Entry("sparse vector, Alg. 5", no_query_noise, SIX, 1, 0, math.inf,
          "111000 never from 000111", True, "privacy.queries_without_noise_have_no_epsilon",
          _noiseless, lambda: level_beyond(
              lambda: noisy_threshold_between(arb(-0.5), arb(0.5), arb(2)), 0)),
    Entry("sparse vector, Alg. 3", releases_the_value, TEN, 1, 0, 5,
          "nine below cost 9/2, the value 1/2; sup over pairs is infinite", True,
          "privacy.released_answers_cost_every_query", _released,
          lambda: ratio_beyond(_released_ratio, 1)),
    Entry("sparse vector, Alg. 6", above_threshold(2.0, 2.0, 7), SIX, 1, 0, NO_CUT.law().loss,
          "integral; sup over pairs is infinite", True,
          "privacy.answers_without_cutoff_have_no_epsilon", NO_CUT.law,
          lambda: ratio_beyond(NO_CUT.worst, 1)),
]  # fmt: skip
