"""Pairs of laws for Gaussian noise on samples with replacement, which hold a record many times."""

import functools
import math
from dataclasses import dataclass

import numpy as np
from flint import arb, ctx
from scipy import special

from provedp.theory.arrays import Floats
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.sampling.replacement import copies_in_sample, replacement_rate
from provedp.verify.accounting.dominating_pairs import (
    FARTHEST,
    LARGEST_LOSS,
    Elementwise,
    GaussianPair,
    least_mass,
    lower_tail,
    merged_down,
    mirrored_up,
    normal_mass_error,
    normal_masses,
    upper_tail,
)
from provedp.verify.accounting.rounding import MASS_ERROR, Masses, Rounded

BITS = 128  # of the balls for the probabilities of copies
DISCLOSED_REST = 1e-30  # probability of more copies than are told apart, each a loss of infinity
MIXED_REST = 1e-60  # the same where it is taken from P and added to Q wherever Q is asked for
FAR = float(special.ndtr(-FARTHEST))  # mass that is rounded whole
KNOTS = 1 << 14  # of the table from which a loss is inverted, which need not be exact
HALVINGS = 60


@dataclass(frozen=True)
class DisclosedCopies:
    """A pair that dominates Gaussian noise on m of n records with replacement, replace one.

    With θ = 1 − (1 − 1/n)^m, the number j ≥ 1 of copies is disclosed with the probability that it
    has if there are any, and then comes the mirror-image pair of a fixed-size sample at rate θ and
    shift jμ. Its profile for k ≥ 1 is Balle, Barthe and Gaboardi's bound (Theorem 10).
    """

    mu: float
    draws: int
    share: Number

    @functools.cached_property
    def parts(self) -> tuple[list[tuple[float, GaussianPair]], float]:
        """The probabilities of j = 1, 2, … with their pairs, and that of more."""
        with ctx.workprec(BITS):
            share = ball(self.share)
            rate = replacement_rate(self.draws, share)
            copies = copies_in_sample(self.draws, share, ball(DISCLOSED_REST * rate))
            q = float(rate)
            weights = [float(weight / rate) for weight in copies.weights]
            pairs = [
                (weight, GaussianPair(j * self.mu, 0.0, q))
                for j, weight in enumerate(weights)
                if j > 0 and weight > 0
            ]
            return pairs, float(ball(copies.rest / rate).upper())

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        return math.sqrt(sum(weight * pair.spread**2 for weight, pair in self.parts[0]))

    def span(self, far: float = FARTHEST) -> float:
        """Return the length of the range of the losses that are told apart, at any depth."""
        return 2 * self._end

    @functools.cached_property
    def _end(self) -> float:
        """A loss above which there is about as little mass as beyond FARTHEST."""
        low, high = 0.0, LARGEST_LOSS
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._above(middle)[0] > FAR else (low, middle)
        return high

    def _above(self, loss: float) -> tuple[float, float]:
        """Return the masses of P and Q where the loss is larger."""
        p, q = self.parts[1], 0.0
        for weight, pair in self.parts[0]:
            x = float(pair.where(np.array([loss]))[0])
            unmoved = float(special.ndtr(-x))
            q += weight * unmoved
            p += weight * ((1 - pair.rate) * unmoved + pair.rate * float(special.ndtr(pair.a - x)))
        return p, q

    def up(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded up."""
        losses: Floats = np.arange(math.ceil(self._end / grid) + 1, dtype=np.float64) * grid
        p, q, relative = np.zeros(len(losses) - 1), np.zeros(len(losses) - 1), 0.0
        for weight, pair in self.parts[0]:
            half = pair.masses(losses)
            p += weight * half.p
            q += weight * half.q
            relative = max(relative, half.relative + MASS_ERROR)
        above_p, above_q = self._above(float(losses[-1]))
        return mirrored_up(Masses(p, q, 0.0, above_p, relative), above_q, grid, least_mass(far))


@dataclass(frozen=True)
class MixedCopies:
    """P = Σ_j b_j N(ja, 1) against Q = Σ_j b_j N(jb, 1), with b ≤ 0 ≤ a and binomial b_j.

    Only rounded down: the mass of very many copies is left out of P and counted in Q everywhere.
    """

    a: float
    b: float
    draws: int
    share: Number

    @functools.cached_property
    def copies(self) -> tuple[Floats, float]:
        """The probabilities of j = 0, 1, … copies, and that of more."""
        with ctx.workprec(BITS):
            copies = copies_in_sample(self.draws, ball(self.share), arb(MIXED_REST))
            return np.array([float(weight) for weight in copies.weights]), float(
                copies.rest.upper()
            )

    @functools.cached_property
    def _table(self) -> tuple[Floats, Floats]:
        """Points and the losses there."""
        x = np.linspace(*self._ends, KNOTS)
        losses = self._log_mixture(self.a, x) - self._log_mixture(self.b, x)
        return x, np.maximum.accumulate(losses)

    @property
    def _ends(self) -> tuple[float, float]:
        """Points between which nearly all of P is."""
        most = len(self.copies[0]) * self.a
        return self._edge(lower_tail, most, -FARTHEST), self._edge(upper_tail, 0.0, most + FARTHEST)

    def _edge(self, tail: Elementwise, inner: float, outer: float) -> float:
        """Return where a tail of P is about as small as beyond FARTHEST, from both its sides."""
        for _ in range(HALVINGS):
            middle = (inner + outer) / 2
            mass = float(self._mixed(tail, self.a, np.array([middle]))[0])
            inner, outer = (middle, outer) if mass > FAR else (inner, middle)
        return outer

    def _log_mixture(self, step: float, x: Floats) -> Floats:
        if step == 0:
            return np.zeros_like(x)
        total = np.full_like(x, -np.inf)
        for j in np.flatnonzero(self.copies[0]):
            mean = j * step
            total = np.logaddexp(total, math.log(self.copies[0][j]) + mean * x - mean * mean / 2)
        return total

    def _mixed(self, function: Elementwise, step: float, x: Floats) -> Floats:
        if step == 0:
            return function(x)
        weights = self.copies[0]
        parts = (weights[j] * function(x - j * step) for j in np.flatnonzero(weights))
        return np.asarray(sum(parts))

    def masses(self, losses: Floats) -> Masses:
        """Return the masses between points whose losses are close to these."""
        points, known = self._table
        x = np.interp(losses, known, points)
        p, q = (self._mixed(normal_masses, step, x) for step in (self.a, self.b))
        if self.b != 0:
            q = q + self.copies[1]
        above = float(self._mixed(upper_tail, self.a, x[-1:])[0])
        means = {j * step for step in (self.a, self.b) for j in np.flatnonzero(self.copies[0])}
        relative = max(normal_mass_error(x - mean) for mean in means) + MASS_ERROR
        return Masses(p, q, 0.0, above, relative)

    def down(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded down."""
        known = self._table[1]
        low, high = max(float(known[0]), -LARGEST_LOSS), min(float(known[-1]), LARGEST_LOSS)
        return merged_down(self.masses, math.floor(low / grid), math.ceil(high / grid), grid)
