"""Two laws in the plane that share a component, which three normal laws are mixed from."""

import functools
import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from provedp.theory.arrays import Floats
from provedp.verify.accounting.dominating_pairs import (
    DEPTHS,
    TAIL_ERROR,
    GaussianPair,
    normal_masses,
)
from provedp.verify.accounting.rounding import MASS_ERROR, UNIT, Masses, Rounded, rounded_up

TELLING = 0.15  # factors e of the rate between neighbouring values of what is disclosed
USUAL = 4.5  # standard deviations within which these are as close; beyond, by half a deviation
FAR_STEP = 0.5
OUTERMOST = 8.5  # standard deviations beyond which the rate counts as 0 or 1
# Of a mass of N(0, 1) between points that are not close (`normal_mass_error`): the hazard rate
# leaves at most 20 times the mass in the tail there, and its error counts twice.
ANY_MASS_ERROR = UNIT * (16 + TAIL_ERROR * (DEPTHS[-1] + 1) ** 2) * 41
LARGEST_RATE = 1 - 2.0**-30  # beyond which it counts as 1


@dataclass(frozen=True)
class Triangle:
    """P = (1 − r) N(0, 1) + r N(a, 1) against Q = (1 − r) N(0, 1) + r N(b, 1), in the plane.

    The triangle has |a| = |a − b| = μ. In the direction of a − b both pairs are those of one
    dimension; the other coordinate v has the same law under P and Q, and given v the laws are
    `GaussianPair`s whose rate r_v depends on it. E_k is convex in the rate, so that rates between
    two of a list may be replaced by both of them, with the same mean: the pair that results
    dominates.

    Parameters
    ----------
    mu
        μ, positive.
    rate
        r in (0, 1).
    square
        |b|², in [0, μ²]: at 0 the pair is the one-dimensional one for a record that is removed.
    """

    mu: float
    rate: float
    square: float

    @functools.cached_property
    def parts(self) -> tuple[list[tuple[float, GaussianPair]], float]:
        """Pairs of one dimension with their weights, and the weight of two equal laws."""
        b = -self.square / (2 * self.mu)
        a = b + self.mu
        height = math.sqrt(max(self.square - b * b, 0.0))
        if height == 0:
            return [(1.0, GaussianPair(self.mu, 0.0, self.rate))], 0.0
        places = _places(height)
        moved = self.rate * np.exp(height * places - height * height / 2)
        told = moved / (1 - self.rate + moved)
        places, told = places[told < LARGEST_RATE], told[told < LARGEST_RATE]
        rates = np.concatenate(([0.0], told, [1.0]))
        weights = self._weights(places, height, rates)
        pairs = [
            (float(weight), GaussianPair(a, b, float(rate)))
            for weight, rate in zip(weights[1:], rates[1:], strict=True)
            if weight > 0
        ]
        return pairs, float(weights[0])

    def _weights(self, places: Floats, height: float, rates: Floats) -> Floats:
        """Return the weights of rates that keep the masses of both components in each interval."""
        without = (1 - self.rate) * _between(places)
        with_record = self.rate * _between(places - height)
        both = without + with_record
        high = np.clip((with_record - both * rates[:-1]) / np.diff(rates), 0.0, both)
        weights = np.zeros(len(rates))
        weights[1:] += high
        weights[:-1] += both - high
        return weights

    def up(self, grid: float, last: int) -> Rounded:
        """Return the loss rounded up to the grid from −last to last."""
        losses: Floats = np.arange(-last, last + 1, dtype=np.float64) * grid
        pairs, equal = self.parts
        p, q = np.zeros(2 * last), np.zeros(2 * last)
        below, above = 0.0, 0.0
        for weight, pair in pairs:
            x = pair.where(losses)
            shared = (1 - pair.rate) * normal_masses(x)
            p += weight * (shared + pair.rate * normal_masses(x - pair.a))
            q += weight * (shared + pair.rate * normal_masses(x - pair.b))
            for rate, mean in ((1 - pair.rate, 0.0), (pair.rate, pair.a)):
                below += weight * rate * float(special.ndtr(x[0] - mean))
                above += weight * rate * float(special.ndtr(mean - x[-1]))
        relative = ANY_MASS_ERROR + 2 * MASS_ERROR + len(pairs) * 2 * UNIT
        rounded = rounded_up(Masses(p, q, below, above, relative), -last, grid)
        probabilities = rounded.probabilities.copy()
        probabilities[-rounded.first] += equal
        return replace(rounded, probabilities=probabilities)


def _places(height: float) -> Floats:
    """Return values of v, close where nearly all of it is."""
    low, high = -USUAL, height + USUAL
    inner = np.linspace(low, high, max(2, math.ceil((high - low) * height / TELLING)))
    outer = np.arange(FAR_STEP, OUTERMOST - USUAL + FAR_STEP / 2, FAR_STEP)
    return np.concatenate((low - outer[::-1], inner, high + outer))


def _between(x: Floats) -> Floats:
    """Return the mass of N(0, 1) below, between consecutive, and above some points."""
    left = np.concatenate(([0.0], special.ndtr(x), [1.0]))
    right = np.concatenate(([1.0], special.ndtr(-x), [0.0]))
    return np.where(left[1:] < 0.5, np.diff(left), -np.diff(right))
