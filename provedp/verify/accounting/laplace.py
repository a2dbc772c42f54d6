"""Laplace noise: a privacy loss with two atoms and a density between them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provedp.theory.arrays import Floats
from provedp.theory.domain import check_argument
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.definitions import Adjacency
from provedp.theory.privacy.functions import exp, positive_part
from provedp.theory.privacy.noise.gaussian import SHIFT
from provedp.verify.accounting.dominating_pairs import (
    FARTHEST,
    LARGEST_LOSS,
    AttainedPair,
    merged_down,
)
from provedp.verify.accounting.rounding import MASS_ERROR, Masses, Rounded, rounded_up


@dataclass(frozen=True)
class LaplacePair:
    """P with density e^(−|x|)/2 against Q = P + a: the same pair in both directions.

    The loss is a for x ≤ 0, −a for x ≥ a, and a − 2x between.
    """

    shift: float

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        return min(self.shift, 1.0)

    def span(self, far: float = FARTHEST) -> float:
        """Return the length of the range of the privacy losses, of which all are kept."""
        return 2 * self.shift

    def masses(self, losses: Floats) -> Masses:
        """Return the masses where the loss is in (l_i, l_(i+1)], with the atoms."""
        a = self.shift
        ends = np.clip(losses, -a, a)
        width = -np.expm1(-np.diff(ends) / 2) / 2
        p = np.exp((ends[1:] - a) / 2) * width
        q = np.exp(-(ends[:-1] + a) / 2) * width
        for atom, mass, other in ((a, 0.5, math.exp(-a) / 2), (-a, math.exp(-a) / 2, 0.5)):
            holds = (losses[:-1] < atom) & (atom <= losses[1:])
            p[holds] += mass
            q[holds] += other
        return Masses(p, q, 0.0, 0.0, MASS_ERROR)

    def up(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded up."""
        first, last = self._grid_ends(grid)
        losses: Floats = np.arange(first, last + 1, dtype=np.float64) * grid
        return rounded_up(self.masses(losses), first, grid)

    def down(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded down."""
        return merged_down(self.masses, *self._grid_ends(grid), grid)

    def _grid_ends(self, grid: float) -> tuple[int, int]:
        return math.floor(-self.shift / grid) - 1, math.ceil(self.shift / grid) + 1


@dataclass(frozen=True)
class Laplace:
    """Laplace noise on a number, or on numbers that move by the shift in all.

    Several numbers with ℓ₁ sensitivity Δ are less than one that moves by Δ: each event of the one
    is attained by the vector that moves in one coordinate.

    Parameters
    ----------
    shift
        a, the ℓ₁ sensitivity over the scale of the noise; positive.
    """

    shift: Number
    adjacency: Adjacency | None = None

    def __post_init__(self) -> None:
        read = check_argument("privacy.Laplace", "shift", SHIFT, self.shift)
        if not ball(read) < LARGEST_LOSS:
            raise ValueError(f"Laplace noise with ε = {float(ball(read)):.6g} protects nothing.")
        object.__setattr__(self, "shift", read)

    @property
    def uppers(self) -> Sequence[AttainedPair]:
        """The pair, which is its own mirror image."""
        return (LaplacePair(float(ball(self.shift))),)

    @property
    def lowers(self) -> Sequence[AttainedPair]:
        """The same pair."""
        return self.uppers

    def delta(self, epsilon: Number) -> Number:
        """Return δ(ε) of one round as a ball."""
        return positive_part(1 - ball(exp((ball(epsilon) - ball(self.shift)) / 2)))
