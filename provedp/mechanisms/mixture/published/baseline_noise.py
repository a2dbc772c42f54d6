"""How the baselines of the mixture paper spend a target, and the noise scales that follow.

A flip changes five released parameters: the weights, and mean and covariance of two classes. By
basic composition, as in Theorem 1: ε/3 for the weights, ε/6 for each mean and each covariance, and
δ/5 for each of the five.
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction as Q

from flint import arb, ctx

from provedp.theory.mixture import (
    covariance_sensitivity,
    mean_sensitivity,
    singular_gaussian_variance,
    weight_sensitivity,
)
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy import classical_sigma, gaussian_sigma
from provedp.theory.privacy.functions import sqrt

BITS = 128
WEIGHTS, MEAN, COVARIANCE = Q(1, 3), Q(1, 6), Q(1, 6)  # of ε: 1/3 + 2 (1/6 + 1/6) = 1
RELEASES = 5  # that a flip changes
CONSTANT = 2  # in σ = Δ √(2 ln(2/δ))/ε, as in Lemma 1 (there with δ/2)


@dataclass(frozen=True)
class Target:
    """(ln `ratio`, `delta`) for all parameters together."""

    ratio: Q
    delta: Q = Q(0)

    def epsilon(self, share: Q) -> arb:
        """Return the ε of one release."""
        with ctx.workprec(BITS):
            return ball(self.ratio).log() * ball(share)

    @property
    def each(self) -> Q:
        """The δ of one release."""
        return self.delta / RELEASES

    def laplace(self, sensitivity: Number, share: Q) -> float:
        """Return the scale Δ₁/ε of Laplace noise."""
        with ctx.workprec(BITS):
            return _above(ball(sensitivity) / self.epsilon(share))

    def classical(self, sensitivity: Number, share: Q) -> float:
        """Return the standard deviation of the classical Gaussian mechanism."""
        with ctx.workprec(BITS):
            epsilon = self.epsilon(share)
            return _above(classical_sigma(epsilon, self.each, ball(sensitivity), CONSTANT))

    def least(self, sensitivity: Number, share: Q) -> float:
        """Return the least standard deviation of Gaussian noise: it holds at every ε."""
        with ctx.workprec(BITS):
            return _above(ball(sensitivity) * _least_sigma(self.ratio, self.each, share))

    def singular(self, sensitivity: Number, share: Q, dimension: int) -> float:
        """Return the standard deviation of R1SMG along its direction."""
        with ctx.workprec(BITS):
            given = dimension, ball(sensitivity), self.epsilon(share), ball(self.each)
            return _above(sqrt(singular_gaussian_variance(*given)))


@dataclass(frozen=True)
class Scales:
    """Scales of noise: on each weight, and on each entry of the means and covariances of a class.

    Attributes
    ----------
    weights
        One for all.
    means, covariances
        One for each class.
    """

    weights: float
    means: tuple[float, ...]
    covariances: tuple[float, ...]


@dataclass(frozen=True)
class Sizes:
    """What calibrates: N, d, B and for each class the size that stands for it.

    Attributes
    ----------
    records, dimension
        N and d, public.
    bound
        B > 0 with ‖x‖ ≤ B for every record.
    classes
        Sizes with the record that leaves or joins, each at least 4.
    """

    records: int
    dimension: int
    bound: Q
    classes: tuple[int, ...]

    @classmethod
    def private(cls, counts: Sequence[int], dimension: int, bound: Q) -> "Sizes":
        """Return the sizes of the data themselves, as published.

        A class of three cannot lose a record: what moves it is a fourth.
        """
        return cls(sum(counts), dimension, bound, tuple(max(count, 4) for count in counts))

    @classmethod
    def public(cls, counts: Sequence[int], dimension: int, bound: Q, least: int) -> "Sizes":
        """Return sizes that hold for all data whose classes have at least `least` records."""
        return cls(sum(counts), dimension, bound, (least + 1,) * len(counts))

    def scales(self, scale: Callable[[Number, Q], float], norm: int) -> Scales:
        """Return the scale of every kind of noise, for sensitivities in ℓ₁ or ℓ₂."""
        return Scales(
            scale(weight_sensitivity(self.records, norm), WEIGHTS),
            tuple(scale(self.mean(count, norm), MEAN) for count in self.classes),
            tuple(scale(self.covariance(count, norm), COVARIANCE) for count in self.classes),
        )

    def mean(self, count: int, norm: int) -> Number:
        """Return the sensitivity of the mean of a class of that size."""
        return mean_sensitivity(self.bound, count, self.dimension, norm)

    def covariance(self, count: int, norm: int) -> Number:
        """Return the sensitivity of its covariance."""
        return covariance_sensitivity(self.bound, count, self.dimension, norm)


@functools.lru_cache(maxsize=64)
def _least_sigma(ratio: Q, delta: Q, share: Q) -> arb:
    """Return the least standard deviation for a sensitivity of one."""
    return arb(gaussian_sigma(Target(ratio).epsilon(share), delta).value)


def _above(value: Number) -> float:
    """Return a float above the ball."""
    return math.nextafter(float(ball(value).upper()), math.inf)
