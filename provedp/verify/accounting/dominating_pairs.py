"""Pairs of laws, and the masses of their privacy loss: Gaussian mixtures and finite laws."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import special

from provedp.theory.arrays import Floats
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import rational
from provedp.verify.accounting.rounding import (
    MASS_ERROR,
    Atoms,
    Masses,
    Rounded,
    atoms_rounded_down,
    atoms_rounded_up,
    excesses,
    rounded_down,
    rounded_up,
)

FARTHEST = 10.0  # standard deviations; the mass beyond, below 1e-23, is rounded whole
LARGEST_LOSS = 600.0  # beyond which e^loss is too large for a float; such losses are infinite
NOWHERE = 40.0  # beyond which a normal law has no mass that a float can hold
NARROW = 0.05  # width up to which 4 Gauss–Legendre nodes give a normal mass to a few units
NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)


Elementwise = Callable[[Floats], Floats]


class DominatingPair(Protocol):
    """An ordered pair of laws (P, Q)."""

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        ...

    @property
    def span(self) -> float:
        """The length of the range of the finite privacy losses that are told apart."""
        ...

    def up(self, grid: float) -> Rounded:
        """Return the privacy loss rounded up."""
        ...


class Attained(Protocol):
    """A pair of laws that some adjacent inputs have, so that it bounds δ from below."""

    def down(self, grid: float) -> Rounded:
        """Return the privacy loss rounded down."""
        ...


class AttainedPair(DominatingPair, Attained, Protocol):
    """A pair of laws that some adjacent inputs have and that bounds δ from above as well."""


@dataclass(frozen=True)
class GaussianPair:
    """P = (1 − r) N(0, 1) + r N(a, 1) against Q = (1 − r) N(0, 1) + r N(b, 1), with b ≤ 0 ≤ a.

    One of a and b is 0, or a = −b, so that the loss can be inverted; it increases.
    """

    a: float
    b: float
    rate: float

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        shift = self.a - self.b
        return min(shift, self.rate * math.sqrt(math.expm1(min(shift * shift, 1.0))))

    @property
    def ends(self) -> tuple[float, float]:
        """The privacy losses at the ends of the range outside which nothing is told apart."""
        least = self.a if self.rate == 1 else 0.0
        low, high = self.loss(least - FARTHEST), self.loss(self.a + FARTHEST)
        return max(low, -LARGEST_LOSS), min(high, LARGEST_LOSS)

    @property
    def span(self) -> float:
        """The length of that range."""
        low, high = self.ends
        return high - low

    def loss(self, x: float) -> float:
        """Return ln(p/q) at x."""
        return self._log_ratio(self.a, x) - self._log_ratio(self.b, x)

    def _log_ratio(self, mean: float, x: float) -> float:
        rest = math.log1p(-self.rate) if self.rate < 1 else -math.inf
        return float(np.logaddexp(rest, math.log(self.rate) + mean * x - mean * mean / 2))

    def where(self, losses: Floats) -> Floats:
        """Return x with these losses, or one beyond all mass if there is none."""
        if self.b == 0:
            return _where_above(losses, self.a, self.rate)
        if self.a == 0:
            return -_where_above(-losses, -self.b, self.rate)
        return np.sign(losses) * _where_symmetric(np.abs(losses), self.a, self.rate)

    def masses(self, losses: Floats) -> Masses:
        """Return the masses between consecutive losses."""
        x = self.where(losses)
        p, q = (self._mixed(normal_masses, mean, x) for mean in (self.a, self.b))
        below = float(self._mixed(lower_tail, self.a, x[:1])[0])
        above = float(self._mixed(upper_tail, self.a, x[-1:])[0])
        wide = np.diff(x) > NARROW
        tails = [self._mixed(smaller_tail, mean, x[:-1][wide]) for mean in (self.a, self.b)]
        error = MASS_ERROR * (1 + float(tails[0].sum() + np.exp(losses[:-1][wide]) @ tails[1]))
        return Masses(p, q, below, above, error)

    def _mixed(self, function: Elementwise, mean: float, x: Floats) -> Floats:
        moved: Floats = function(x - mean)
        if mean == 0 or self.rate == 1:
            return moved
        return np.asarray((1 - self.rate) * function(x) + self.rate * moved)

    def up(self, grid: float) -> Rounded:
        """Return the privacy loss rounded up."""
        first, last = self._grid_ends(grid)
        losses = np.asarray(np.arange(first, last + 1) * grid, dtype=np.float64)
        return rounded_up(self.masses(losses), first, grid)

    def down(self, grid: float) -> Rounded:
        """Return the privacy loss rounded down."""
        return merged_down(self.masses, *self._grid_ends(grid), grid)

    def _grid_ends(self, grid: float) -> tuple[int, int]:
        low, high = self.ends
        return math.floor(low / grid), math.ceil(high / grid)


def merged_down(masses: Callable[[Floats], Masses], first: int, last: int, grid: float) -> Rounded:
    """Return the privacy loss rounded down, on intervals around the grid points.

    The ends of the intervals are moved from the middles by the excess found there.
    """
    middles = np.asarray((np.arange(first, last + 2) - 0.5) * grid, dtype=np.float64)
    excess = np.clip(excesses(masses(middles), first, grid), -grid / 4, grid / 4)
    ends = middles - np.convolve(excess, [0.5, 0.5])
    return rounded_down(masses(np.sort(ends)), first, grid)


def _where_above(losses: Floats, mean: float, rate: float) -> Floats:
    """Return x with ln(1 − r + r e^(ax − a²/2)) = loss."""
    growth = np.expm1(losses) / rate
    inside = growth > -1
    x = np.full(len(losses), -NOWHERE)
    x[inside] = np.log1p(growth[inside]) / mean + mean / 2
    return x


def _where_symmetric(losses: Floats, mean: float, rate: float) -> Floats:
    """Return x ≥ 0 with (1 − r + s y)/(1 − r + s/y) = e^loss, y = e^(ax), s = r e^(−a²/2)."""
    rest, scale = 1 - rate, rate * math.exp(-mean * mean / 2)
    shrink = np.exp(-losses)
    linear = rest * (1 - shrink)
    root = np.sqrt(linear * linear + 4 * scale * scale * shrink)
    return np.asarray((losses + np.log((linear + root) / (2 * scale))) / mean)


def normal_masses(x: Floats) -> Floats:
    """Return the mass of N(0, 1) between consecutive points, by nodes where they are close."""
    low, high = x[:-1], x[1:]
    far, near = np.where(low > 0, -low, high), np.where(low > 0, -high, low)
    masses = np.asarray(special.ndtr(far) - special.ndtr(near))
    close = np.flatnonzero(high - low <= NARROW)
    half, middle = (high[close] - low[close]) / 2, (high[close] + low[close]) / 2
    nodes = middle[:, None] + half[:, None] * NODES
    masses[close] = half / math.sqrt(2 * math.pi) * (np.exp(-nodes * nodes / 2) @ WEIGHTS)
    return masses


def lower_tail(x: Floats) -> Floats:
    """Return the mass of N(0, 1) below each point."""
    return np.asarray(special.ndtr(x))


def upper_tail(x: Floats) -> Floats:
    """Return the mass of N(0, 1) above each point."""
    return np.asarray(special.ndtr(-x))


def smaller_tail(x: Floats) -> Floats:
    """Return the smaller one."""
    return np.asarray(special.ndtr(-np.abs(x)))


@dataclass(frozen=True)
class ReplacedPair:
    """A pair that dominates Gaussian noise on a sample of fixed size when one record is replaced.

    Its profile is that of `GaussianPair(μ, 0, r)` for k ≥ 1 and is its own mirror image: P has
    those losses above 0, Q their negatives, and the rest of the mass is at loss 0.
    """

    mu: float
    rate: float

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        return GaussianPair(self.mu, 0.0, self.rate).spread

    @property
    def span(self) -> float:
        """The length of the range of the privacy losses that are told apart."""
        return 2 * GaussianPair(self.mu, 0.0, self.rate).ends[1]

    def up(self, grid: float) -> Rounded:
        """Return the privacy loss rounded up."""
        one_way = GaussianPair(self.mu, 0.0, self.rate)
        last = math.ceil(one_way.ends[1] / grid)
        losses: Floats = np.arange(last + 1, dtype=np.float64) * grid
        half = one_way.masses(losses)
        above_q = float(special.ndtr(-one_way.where(losses[-1:]))[0])
        return mirrored_up(half, above_q, grid)


def mirrored_up(half: Masses, above_q: float, grid: float) -> Rounded:
    """Return losses above 0 and their mirror image, rounded up; what is left of P is at 0.

    Parameters
    ----------
    half
        The masses between 0, grid, …, and that of P above.
    above_q
        That of Q above.
    grid
        Step of the grid.
    """
    last = len(half.p)
    p, q = np.concatenate((half.q[::-1], half.p)), np.concatenate((half.p[::-1], half.q))
    equal = max(0.0, 1 - math.fsum(p) - half.above - above_q)
    p[last] += equal
    q[last] += equal
    return rounded_up(Masses(p, q, above_q, half.above, 2 * half.error), -last, grid)


@dataclass(frozen=True)
class FinitePair:
    """Two laws over finitely many outcomes, as exact numbers or floats."""

    p: Matrix
    q: Matrix

    @property
    def spread(self) -> float:
        """The standard deviation of the finite privacy losses."""
        losses, mass = self._losses()
        mean = losses @ mass / mass.sum()
        return math.sqrt(float(((losses - mean) ** 2) @ mass / mass.sum()))

    @property
    def span(self) -> float:
        """The length of the range of the finite privacy losses."""
        return float(np.ptp(self._losses()[0]))

    def up(self, grid: float) -> Rounded:
        """Return the privacy loss rounded up."""
        return atoms_rounded_up(self._atoms(grid), grid)

    def down(self, grid: float) -> Rounded:
        """Return the privacy loss rounded down."""
        return atoms_rounded_down(self._atoms(grid), grid)

    def _losses(self) -> tuple[Floats, Floats]:
        common = [(a, b) for a, b in zip(self.p, self.q, strict=True) if a > 0 and b > 0]
        losses = [math.log(rational(a) / rational(b)) for a, b in common]
        return np.array(losses), np.array([float(a) for a, _ in common])

    def _atoms(self, grid: float) -> Atoms:
        losses, mass = self._losses()
        index = np.round(losses / grid).astype(np.int64)
        infinite = math.fsum(float(a) for a, b in zip(self.p, self.q, strict=True) if b == 0)
        return Atoms(index, losses - index * grid, mass, infinite)
