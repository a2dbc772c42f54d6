"""Privacy losses rounded to a grid, up or down, and their compositions by dp-accounting.

The privacy loss of P against Q is ln(dP/dQ) under P, and δ(ε) = E[(1 − e^(ε − loss))⁺] increases
with it. A loss that is too large bounds δ from above, one that is too small from below:

- *up*: each loss between two grid points is split between them so that the masses of P and of Q
  both stay ("connect the dots"): P and Q are a function of what is split, so δ only grows;
- *down*: the losses of an interval are merged, which is a function of the output and only lowers δ,
  and then rounded down to the grid moved by the shift that costs least. Intervals whose ends are
  placed so that the merged losses are almost on the grid need almost no shift.

Both err by O(grid²) a round where the loss has a smooth density. Neither is exact arithmetic: each
pmf carries a bound on the floating-point error of its δ.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from provedp import extras

if TYPE_CHECKING:
    from dp_accounting.pld import pld_pmf

from provedp.theory.arrays import Floats, Integers

UNIT = 2.0**-53  # rounding of one floating-point operation
FFT_STAGE = 6.0  # units by which one stage of a fast Fourier transform may be off
MASS_ERROR = 16 * UNIT  # of all masses of one law together, each computed to a few units
TAIL = 1e-15  # mass that a composition may move; dp-accounting's own default
NEGLIGIBLE = 1e-25  # mass at either end of a loss that is rounded whole
ON_GRID = 1e-12  # of a grid step: a loss as close as this below a grid point counts as on it


@dataclass(frozen=True)
class Rounded:
    """A privacy loss on a grid.

    Parameters
    ----------
    pmf
        The probabilities of the multiples of the grid, and of an infinite loss.
    probabilities
        Those of one round, as an array.
    shift
        What is to be subtracted from every loss.
    error
        Bound on the floating-point error of δ.
    """

    pmf: "pld_pmf.DensePLDPmf"
    probabilities: Floats
    shift: float
    error: float

    def delta(self, epsilon: float) -> float:
        """Return δ(ε), without the error."""
        return float(self.pmf.get_delta_for_epsilon(epsilon + self.shift))


@dataclass(frozen=True)
class Masses:
    """The masses of P and Q where the privacy loss is in consecutive intervals.

    Parameters
    ----------
    p, q
        The masses.
    below, above
        Mass of P where the loss is below the first interval, or above the last one (or infinite).
    error
        Bound on the error of the masses together, in δ.
    """

    p: Floats
    q: Floats
    below: float
    above: float
    error: float


@dataclass(frozen=True)
class Atoms:
    """Losses index · grid + excess, their masses, and the mass of an infinite loss."""

    index: Integers
    excess: Floats
    mass: Floats
    infinite: float


def rounded_up(masses: Masses, first: int, grid: float) -> Rounded:
    """Return the loss split between the grid points first, first + 1, … that end the intervals.

    All losses below are rounded up to the first of them, all above the last one to infinity.
    """
    ratio = np.exp((first + np.arange(len(masses.p))) * grid)
    high = np.clip((masses.p - ratio * masses.q) / -math.expm1(-grid), 0.0, masses.p)
    probabilities = np.zeros(len(high) + 1)
    probabilities[:-1] += masses.p - high
    probabilities[1:] += high
    probabilities[0] += masses.below
    return _trimmed(probabilities, first, masses, grid)


def _pmf(
    grid: float, first: int, probabilities: Floats, infinite: float, is_upper: bool
) -> "pld_pmf.DensePLDPmf":
    """Return the loss as dp-accounting holds it, which exact audits do without."""
    pmfs = extras.load("dp_accounting.pld.pld_pmf")
    return pmfs.DensePLDPmf(grid, first, probabilities, infinite, is_upper)


def _trimmed(probabilities: Floats, first: int, masses: Masses, grid: float) -> Rounded:
    """Return the loss without negligible ends: the lower one is rounded up, the upper infinite."""
    start = int(np.searchsorted(np.cumsum(probabilities), NEGLIGIBLE))
    end = len(probabilities) - int(np.searchsorted(np.cumsum(probabilities[::-1]), NEGLIGIBLE))
    kept = probabilities[start:end].copy()
    kept[0] += probabilities[:start].sum()
    infinite = masses.above + float(probabilities[end:].sum())
    pmf = _pmf(grid, first + start, kept, infinite, True)
    return Rounded(pmf, kept, 0.0, masses.error)


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
    return _lowered(Atoms(first + np.flatnonzero(known), excess, mass, 0.0), masses.error, grid)


def atoms_rounded_up(atoms: Atoms, grid: float) -> Rounded:
    """Return finitely many losses, each split between the neighbouring grid points."""
    index = atoms.index + np.floor(atoms.excess / grid).astype(np.int64)
    inside = atoms.excess - (index - atoms.index) * grid
    high = atoms.mass * np.expm1(-inside) / math.expm1(-grid)
    first = int(index.min())
    probabilities = np.zeros(int(np.ptp(index)) + 2)
    np.add.at(probabilities, index - first, atoms.mass - high)
    np.add.at(probabilities, index - first + 1, high)
    pmf = _pmf(grid, first, probabilities, atoms.infinite, True)
    return Rounded(pmf, probabilities, 0.0, MASS_ERROR)


def atoms_rounded_down(atoms: Atoms, grid: float) -> Rounded:
    """Return finitely many losses, each rounded down to the moved grid."""
    return _lowered(atoms, MASS_ERROR, grid)


def _lowered(atoms: Atoms, error: float, grid: float) -> Rounded:
    shift = _cheapest_shift(atoms, grid)
    moved = np.floor((shift + atoms.excess) / grid + ON_GRID).astype(np.int64)
    index = atoms.index + moved
    first = int(index.min())
    probabilities = np.zeros(int(np.ptp(index)) + 1)
    np.add.at(probabilities, index - first, atoms.mass)
    pmf = _pmf(grid, first, probabilities, atoms.infinite, False)
    return Rounded(pmf, probabilities, shift, error + ON_GRID * grid)


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


def composed(parts: Sequence[tuple[Rounded, int]]) -> Rounded:
    """Return the loss of all rounds of all parts together, which are on one grid."""
    first, *others = (_repeated(part, rounds) for part, rounds in parts)
    for other in others:
        first = _convolved(first, other)
    return first


def _repeated(part: Rounded, rounds: int) -> Rounded:
    if rounds == 1:
        return part
    pmf = part.pmf.self_compose(rounds, TAIL)
    error = rounds * part.error + _power_error(part.probabilities, rounds, pmf.size)
    return Rounded(pmf, part.probabilities, rounds * part.shift, error)


def _convolved(left: Rounded, right: Rounded) -> Rounded:
    pmf = left.pmf.compose(right.pmf, TAIL)
    stages = FFT_STAGE * UNIT * math.log2(pmf.size + 1)
    error = left.error + right.error + stages * math.sqrt(pmf.size)
    return Rounded(pmf, left.probabilities, left.shift + right.shift, error)


def _power_error(probabilities: Floats, rounds: int, size: int) -> float:
    """Return what a T-fold convolution by Fourier transforms of length N may add to δ.

    Each coefficient f̂ of the transform is off by e = FFT_STAGE · UNIT · log₂ N, its power by
    T |f̂|^(T−1) e; the sum of N entries is off by √N times the root mean square of that, times √N.
    The mean over N coefficients is bounded by that over fewer, because f ≥ 0. The tail is cut by
    Chernoff's bound, and wraps around: TAIL each.
    """
    coefficients = np.abs(np.fft.fft(probabilities))
    mean_square = float(np.mean(coefficients ** (2 * rounds - 2)))
    stages = FFT_STAGE * UNIT * math.log2(size + 1)
    return rounds * stages * math.sqrt(size * mean_square) + 2 * TAIL
