"""Pairs of laws, and the masses of their privacy loss: Gaussian mixtures and finite laws."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from provedp.theory.arrays import Floats
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import rational
from provedp.verify.accounting.rounding import (
    MASS_ERROR,
    NEGLIGIBLE,
    UNIT,
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
DEPTHS = (FARTHEST, 20.0, 36.0)  # the same where δ is so small that this mass would count
LARGEST_SHIFT = 1e6  # standard deviations of the noise
LARGEST_LOSS = 600.0  # beyond which e^loss is too large for a float; such losses are infinite
NOWHERE = 40.0  # beyond which a normal law has no mass that a float can hold
NARROW = 0.1  # width · max(1, |x|) up to which 4 Gauss–Legendre nodes give a mass to a few units
TAIL_ERROR = 2.0  # x² of these units, and 16 more, is the relative error of scipy's normal law
LEAST_MASS = 1e-300  # below which a float has fewer digits; a mass of Q counts as none there
SPREAD_POINTS = 2001  # of the sum that a standard deviation is taken from
INVERSION_KNOTS = 1 << 12  # of a table of losses, whose inverse Newton's method makes precise
NEWTON_STEPS = 3
NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)


Elementwise = Callable[[Floats], Floats]


class DominatingPair(Protocol):
    """An ordered pair of laws (P, Q)."""

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        ...

    def span(self, far: float = FARTHEST) -> float:
        """Return the length of the range of the finite privacy losses that are told apart.

        Parameters
        ----------
        far
            Standard deviations of normal noise beyond which nothing is.
        """
        ...

    def up(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded up."""
        ...


class Attained(Protocol):
    """A pair of laws that some adjacent inputs have, so that it bounds δ from below."""

    def down(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded down."""
        ...


class AttainedPair(DominatingPair, Attained, Protocol):
    """A pair of laws that some adjacent inputs have and that bounds δ from above as well."""


@dataclass(frozen=True)
class GaussianPair:
    """P = (1 − r) N(0, 1) + r N(a, 1) against Q = (1 − r) N(0, 1) + r N(b, 1), with b ≤ 0 ≤ a.

    The loss increases.

    Raises
    ------
    ValueError
        If a − b is above 10⁶.
    """

    a: float
    b: float
    rate: float

    def __post_init__(self) -> None:
        if not self.a - self.b <= LARGEST_SHIFT:
            raise ValueError(
                f"Samples with Gaussian noise: the sensitivity must be at most {LARGEST_SHIFT:g} "
                "standard deviations of the noise. Got more."
            )

    @functools.cached_property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        x = np.linspace(-FARTHEST, self.a + FARTHEST, SPREAD_POINTS)
        mass: Floats = self._mixed(lambda y: np.exp(-y * y / 2), self.a, x)
        losses = self._log_ratios(self.a, x) - self._log_ratios(self.b, x)
        losses = np.clip(losses, -LARGEST_LOSS, LARGEST_LOSS)
        mean = losses @ mass / mass.sum()
        return math.sqrt(float((losses - mean) ** 2 @ mass / mass.sum()))

    def ends(self, far: float = FARTHEST) -> tuple[float, float]:
        """Return the privacy losses outside which nothing is told apart."""
        least = self.a if self.rate == 1 else 0.0
        low, high = self.loss(least - far), self.loss(self.a + far)
        return max(low, -LARGEST_LOSS), min(high, LARGEST_LOSS)

    def span(self, far: float = FARTHEST) -> float:
        """Return the length of that range."""
        low, high = self.ends(far)
        return high - low

    def loss(self, x: float) -> float:
        """Return ln(p/q) at x."""
        at = np.array([x])
        return float((self._log_ratios(self.a, at) - self._log_ratios(self.b, at))[0])

    def _log_ratios(self, mean: float, x: Floats) -> Floats:
        rest = math.log1p(-self.rate) if self.rate < 1 else -math.inf
        return np.logaddexp(rest, math.log(self.rate) + mean * x - mean * mean / 2)

    def where(self, losses: Floats) -> Floats:
        """Return x with these losses, or one beyond all mass if there is none."""
        if self.b == 0:
            return _where_above(losses, self.a, self.rate)
        if self.a == 0:
            return -_where_above(-losses, -self.b, self.rate)
        if self.a == -self.b:
            return np.sign(losses) * _where_symmetric(np.abs(losses), self.a, self.rate)
        return self._where_between(losses)

    def _where_between(self, losses: Floats) -> Floats:
        """Return x with these losses, by a table and Newton's steps; an end of it if there is none.

        The losses increase. Each step squares the error, at first below the distance of two knots.
        """
        knots = np.linspace(self.b - NOWHERE, self.a + NOWHERE, INVERSION_KNOTS)
        width = float(knots[1] - knots[0])
        known = np.maximum.accumulate(self._losses_and_slopes(knots)[0])
        x = np.interp(losses, known, knots)
        for _ in range(NEWTON_STEPS):
            found, slopes = self._losses_and_slopes(x)
            x = x - np.clip((found - losses) / slopes, -width, width)
        return np.maximum.accumulate(np.clip(x, knots[0], knots[-1]))

    def _losses_and_slopes(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the losses, and their derivatives, where a − b is moderate."""
        rest = 1 - self.rate
        losses, slopes = np.zeros_like(x), np.zeros_like(x)
        for mean, sign in ((self.a, 1.0), (self.b, -1.0)):
            moved = self.rate * np.exp(mean * x - mean * mean / 2)
            losses += sign * np.log(rest + moved)
            slopes += sign * mean * moved / (rest + moved)
        return losses, slopes

    def masses(self, losses: Floats) -> Masses:
        """Return the masses between consecutive losses."""
        x = self.where(losses)
        p, q = (self._mixed(normal_masses, mean, x) for mean in (self.a, self.b))
        below = float(self._mixed(lower_tail, self.a, x[:1])[0])
        above = float(self._mixed(upper_tail, self.a, x[-1:])[0])
        q[q < LEAST_MASS] = 0.0
        relative = max(normal_mass_error(x - mean) for mean in (0.0, self.a, self.b))
        return Masses(p, q, below, above, relative)

    def _mixed(self, function: Elementwise, mean: float, x: Floats) -> Floats:
        moved: Floats = function(x - mean)
        if mean == 0 or self.rate == 1:
            return moved
        return np.asarray((1 - self.rate) * function(x) + self.rate * moved)

    def up(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded up."""
        first, last = self._grid_ends(grid, far)
        losses = np.asarray(np.arange(first, last + 1) * grid, dtype=np.float64)
        return rounded_up(self.masses(losses), first, grid, least_mass(far))

    def down(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded down."""
        return merged_down(self.masses, *self._grid_ends(grid, far), grid)

    def _grid_ends(self, grid: float, far: float) -> tuple[int, int]:
        low, high = self.ends(far)
        return math.floor(low / grid), math.ceil(high / grid)


def least_mass(far: float) -> float:
    """Return a mass that is less than what lies beyond a number of standard deviations."""
    return NEGLIGIBLE * float(special.ndtr(-far))


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
    # In logarithms: the scale is 0 in floats from about 38 deviations on, and x then 0 at loss 0.
    known = linear + root > 0
    logs = np.log(linear + root, out=np.zeros(len(losses)), where=known)
    return np.where(known, losses + logs - math.log(2 * rate) + mean * mean / 2, 0.0) / mean


def normal_masses(x: Floats) -> Floats:
    """Return the mass of N(0, 1) between consecutive points, by nodes where they are close."""
    low, high = x[:-1], x[1:]
    far, near = np.where(low > 0, -low, high), np.where(low > 0, -high, low)
    masses = np.asarray(special.ndtr(far) - special.ndtr(near))
    close = np.flatnonzero(_is_close(x))
    half, middle = (high[close] - low[close]) / 2, (high[close] + low[close]) / 2
    nodes = middle[:, None] + half[:, None] * NODES
    masses[close] = half / math.sqrt(2 * math.pi) * (np.exp(-nodes * nodes / 2) @ WEIGHTS)
    return masses


def _is_close(x: Floats) -> NDArray[np.bool_]:
    """Return which consecutive points are so close that the density is a short polynomial."""
    farther = np.maximum(np.abs(x[:-1]), np.abs(x[1:]))
    return np.asarray(np.diff(x) * np.maximum(farther, 1.0) <= NARROW)


def normal_mass_error(x: Floats) -> float:
    """Return a bound on the relative error of the masses of N(0, 1) between consecutive points.

    A difference of tails has the errors of both; elsewhere it is that of the exponential function
    at −x²/2. Points beyond all mass do not count.
    """
    inside = np.abs(x) <= DEPTHS[-1] + 1
    farthest = float(np.abs(x[inside]).max(initial=0.0))
    low, high = x[:-1], x[1:]
    wide = np.flatnonzero(~_is_close(x) & (high > low) & inside[:-1] & inside[1:])
    far = special.ndtr(np.where(low[wide] > 0, -low[wide], high[wide]))
    mass = far - special.ndtr(np.where(low[wide] > 0, -high[wide], low[wide]))
    worst = float(np.max(2 * far / mass, initial=2.0))
    return UNIT * (16 + TAIL_ERROR * farthest**2) * worst


def lower_tail(x: Floats) -> Floats:
    """Return the mass of N(0, 1) below each point."""
    return np.asarray(special.ndtr(x))


def upper_tail(x: Floats) -> Floats:
    """Return the mass of N(0, 1) above each point."""
    return np.asarray(special.ndtr(-x))


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

    def span(self, far: float = FARTHEST) -> float:
        """Return the length of the range of the privacy losses that are told apart."""
        return 2 * GaussianPair(self.mu, 0.0, self.rate).ends(far)[1]

    def up(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded up."""
        one_way = GaussianPair(self.mu, 0.0, self.rate)
        last = math.ceil(one_way.ends(far)[1] / grid)
        losses: Floats = np.arange(last + 1, dtype=np.float64) * grid
        half = one_way.masses(losses)
        above_q = float(special.ndtr(-one_way.where(losses[-1:]))[0])
        return mirrored_up(half, above_q, grid, least_mass(far))


def mirrored_up(half: Masses, above_q: float, grid: float, least: float) -> Rounded:
    """Return losses above 0 and their mirror image, rounded up; what is left of P is at 0.

    Parameters
    ----------
    half
        The masses between 0, grid, …, and that of P above.
    above_q
        That of Q above.
    grid
        Step of the grid.
    least
        Mass of an end that is rounded whole.
    """
    last = len(half.p)
    p, q = np.concatenate((half.q[::-1], half.p)), np.concatenate((half.p[::-1], half.q))
    equal = max(0.0, 1 - math.fsum(p) - half.above - above_q)
    p[last] += equal
    q[last] += equal
    middle = 2 * half.relative + MASS_ERROR
    mirrored = Masses(p, q, above_q, half.above, half.relative, middle)
    return rounded_up(mirrored, -last, grid, least)


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

    def span(self, far: float = FARTHEST) -> float:
        """Return the length of the range of the finite privacy losses, of which all are kept."""
        return float(np.ptp(self._losses()[0]))

    def up(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded up."""
        return atoms_rounded_up(self._atoms(grid), grid)

    def down(self, grid: float, far: float = FARTHEST) -> Rounded:
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
