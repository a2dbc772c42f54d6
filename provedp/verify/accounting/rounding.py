"""Privacy losses rounded to a grid, up or down.

The privacy loss of P against Q is ln(dP/dQ) under P, and δ(ε) = E[(1 − e^(ε − loss))⁺] increases
with it. A loss that is too large bounds δ from above, one that is too small from below:

- *up*: each loss between two grid points is split between them so that the masses of P and of Q
  both stay ("connect the dots"): P and Q are a function of what is split, so δ only grows;
- *down*: the losses of an interval are merged, which is a function of the output and only lowers δ,
  and then rounded down to the grid moved by the shift that costs least. Intervals whose ends are
  placed so that the merged losses are almost on the grid need almost no shift.

Both err by O(grid²) a round where the loss has a smooth density. Neither is exact arithmetic: each
carries bounds on its floating-point errors, which `tilting` adds to δ.
"""

import math
from dataclasses import dataclass

import numpy as np

from provedp.theory.arrays import Floats, Integers

UNIT = 2.0**-53  # rounding of one floating-point operation
MASS_ERROR = 16 * UNIT  # of a mass that a few operations yield, relative
LOSS_ERROR = 8 * UNIT  # of a loss that a few operations yield, relative to 1 + |loss|
NEGLIGIBLE = 0.01  # of the mass that is told apart at all: ends with less are rounded whole
ON_GRID = 1e-12  # of a grid step: a loss as close as this below a grid point counts as on it


@dataclass(frozen=True)
class Rounded:
    """A privacy loss on a grid.

    Parameters
    ----------
    grid, first
        Step of the grid, and the index of its first point.
    probabilities
        Those of the losses first · grid, (first + 1) · grid, …
    infinite
        That of an infinite loss.
    shift
        What is to be subtracted from every loss.
    relative
        Bound on the relative floating-point error of each probability.
    middle
        Bound on the absolute one of that of the loss 0.
    """

    grid: float
    first: int
    probabilities: Floats
    infinite: float
    shift: float
    relative: float
    middle: float = 0.0

    @property
    def last(self) -> int:
        """The index of the last grid point."""
        return self.first + len(self.probabilities) - 1

    @property
    def loss_error(self) -> float:
        """By how much a loss may be off, also because a mass of Q is."""
        farthest = max(abs(self.first), abs(self.last)) * self.grid
        return LOSS_ERROR * (1 + farthest) + 4 * self.relative + ON_GRID * self.grid


@dataclass(frozen=True)
class Masses:
    """The masses of P and Q where the privacy loss is in consecutive intervals.

    Parameters
    ----------
    p, q
        The masses.
    below, above
        Mass of P where the loss is below the first interval, or above the last one (or infinite).
    relative
        Bound on the relative floating-point error of each.
    middle
        Bound on the absolute one of what is at loss 0.
    """

    p: Floats
    q: Floats
    below: float
    above: float
    relative: float
    middle: float = 0.0


@dataclass(frozen=True)
class Atoms:
    """Losses index · grid + excess, their masses, and the mass of an infinite loss."""

    index: Integers
    excess: Floats
    mass: Floats
    infinite: float


def rounded_up(masses: Masses, first: int, grid: float, least: float = 0.0) -> Rounded:
    """Return the loss split between the grid points first, first + 1, … that end the intervals.

    All losses below are rounded up to the first of them, all above the last one to infinity; so are
    ends that hold no more than the least mass.
    """
    ratio = np.exp((first + np.arange(len(masses.p))) * grid)
    high = np.clip((masses.p - ratio * masses.q) / -math.expm1(-grid), 0.0, masses.p)
    probabilities = np.zeros(len(high) + 1)
    probabilities[:-1] += masses.p - high
    probabilities[1:] += high
    probabilities[0] += masses.below
    start = int(np.searchsorted(np.cumsum(probabilities), least))
    end = len(probabilities) - int(np.searchsorted(np.cumsum(probabilities[::-1]), least))
    kept = probabilities[start:end].copy()
    kept[0] += probabilities[:start].sum()
    infinite = masses.above + float(probabilities[end:].sum())
    return Rounded(grid, first + start, kept, infinite, 0.0, masses.relative, masses.middle)


def excesses(masses: Masses, first: int, grid: float) -> Floats:
    """Return by how much the merged loss of each interval exceeds first, first + 1, … · grid.

    Intervals without mass count as on the grid.
    """
    known = (masses.p > 0) & (masses.q > 0)
    excess = np.zeros(len(known))
    index = first + np.flatnonzero(known)
    excess[known] = np.log(masses.p[known] / masses.q[known]) - index * grid
    return excess


def rounded_down(masses: Masses, first: int, grid: float) -> Rounded:
    """Return the loss merged in each interval and rounded down.

    The merged losses are near the grid points first, first + 1, …; what is below is left out.
    """
    known = (masses.p > 0) & (masses.q > 0)
    mass = masses.p[known]
    mass[-1] += masses.above
    excess = excesses(masses, first, grid)[known]
    atoms = Atoms(first + np.flatnonzero(known), excess, mass, 0.0)
    return _lowered(atoms, masses.relative, grid)


def atoms_rounded_up(atoms: Atoms, grid: float) -> Rounded:
    """Return finitely many losses, each split between the neighbouring grid points."""
    index = atoms.index + np.floor(atoms.excess / grid).astype(np.int64)
    inside = atoms.excess - (index - atoms.index) * grid
    high = atoms.mass * np.expm1(-inside) / math.expm1(-grid)
    first = int(index.min())
    probabilities = np.zeros(int(np.ptp(index)) + 2)
    np.add.at(probabilities, index - first, atoms.mass - high)
    np.add.at(probabilities, index - first + 1, high)
    relative = MASS_ERROR + _sums(index)
    return Rounded(grid, first, probabilities, atoms.infinite, 0.0, relative)


def atoms_rounded_down(atoms: Atoms, grid: float) -> Rounded:
    """Return finitely many losses, each rounded down to the moved grid."""
    return _lowered(atoms, MASS_ERROR, grid)


def _lowered(atoms: Atoms, relative: float, grid: float) -> Rounded:
    shift = _cheapest_shift(atoms, grid)
    moved = np.floor((shift + atoms.excess) / grid + ON_GRID).astype(np.int64)
    index = atoms.index + moved
    first = int(index.min())
    probabilities = np.zeros(int(np.ptp(index)) + 1)
    np.add.at(probabilities, index - first, atoms.mass)
    return Rounded(grid, first, probabilities, atoms.infinite, shift, relative + _sums(index))


def _sums(index: Integers) -> float:
    """Return the relative error of adding up the masses that go to one grid point."""
    return 2 * UNIT * int(np.bincount(index - index.min()).max())


def _cheapest_shift(atoms: Atoms, grid: float) -> float:
    """Return the shift c of the grid for which the losses are rounded down least, on average.

    A loss l goes down by (c + l) mod grid = (c − r) mod grid with r = −l mod grid, so that the
    average is piecewise linear in c, and least where c is one of the r.
    """
    residue = np.mod(-atoms.excess, grid)
    order = np.argsort(residue)
    sorted_residue, mass = residue[order], atoms.mass[order]
    beyond = mass.sum() - np.cumsum(mass)
    cost = sorted_residue * mass.sum() + grid * beyond
    return float(sorted_residue[int(np.argmin(cost))])
