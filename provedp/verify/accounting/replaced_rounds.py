"""Rounds of Gaussian noise on samples of fixed size, whatever is asked after each of them.

Let V_t(k) be the largest E_k of t rounds, each chosen by what the ones before said. Then

    V_(t+1)(k) = sup ∫ p(x) V_t(k q(x)/p(x)) dx,   V_0(k) = (1 − k)⁺,

over the pairs (P, Q) of one round. The right side is jointly convex in them, so that samples may be
coupled: P = (1 − r) N(0, 1) + r N(a, 1) against the same with b, where |a|, |b| and |a − b| are at
most μ. Write f(Z) for the integrand as a function of the three densities. Along a path of squared
distances D² its integral changes by −½ Σ_(i<j) (D²_ij)′ E[Z_i Z_j ∂_ij f] (Kahane's interpolation;
f is homogeneous). So it grows

- with |a − b|, as ∂_ab f ≤ 0;
- if |a|² and |b|² grow alike, which moves the shared component out of the plane.

What is left are the triangles |a| = |a − b| = μ, |b|² = y ≤ μ², and their mirror images. There the
formula gives that E_k falls with y for k ≥ 1 and grows for k ≤ 1. So what has y between y₀ and y₁
is at most the pair whose profile is that of y₀ for k ≥ 1 and that of y₁ for k ≤ 1, and the maximum
over a few such intervals is an upper bound on V_(t+1). Rounds of other releases between these do
not help: a maximum inside an average is at least one outside it.

With U = V − V_0, and as the mirror image of a pair gives e^l U(−l) = U(l), a round of a pair with
masses m of P and m′ of Q at the losses l_i is

    U(l) ↦ max {U_m(l) + Σ m_i U(l − l_i), U_m′(l) + Σ m′_i U(l + l_i)},  l ≥ 0,

with U_m and U_m′ those of the pair and of its mirror image. Errors of U add up.

Source: ours. Kahane, Une inégalité du type de Slepian et Gordon sur les processus gaussiens, for
the interpolation.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.accounting.dominating_pairs import (
    FARTHEST,
    LARGEST_LOSS,
    DominatingPair,
)
from provedp.verify.accounting.replaced_records import PARTS, RoundSource
from provedp.verify.accounting.rounding import MASS_ERROR, UNIT, Rounded
from provedp.verify.accounting.tilting import PRODUCT, STAGE, Composed

ROUND_POINTS = 8  # grid points in a standard deviation of the loss of one round
MOST_POINTS = 1 << 14  # of the range of a profile on one side
MOST_LOSSES = 1 << 12  # of the losses of one round on one side
LEAST_DELTA = 1e-12  # from whose ε on the profile counts as constant
MOST_WORK = 2e8  # rounds · points · pairs, after which a new block begins


@dataclass(frozen=True)
class Law:
    """A pair of one round in one of its directions, on a grid.

    Parameters
    ----------
    profile
        U of one round at 0, grid, …, N · grid.
    kernel
        Masses of the losses −K · grid, …, K · grid.
    """

    profile: Floats
    kernel: Floats


@dataclass(frozen=True)
class ReplacedRounds:
    """A pair that dominates some rounds together, however each is chosen.

    Parameters
    ----------
    rounds
        How many there are: the most that the recursion goes to, or one less.
    recursion
        What they are computed by.
    """

    rounds: int
    recursion: "Recursion"

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        return self.recursion.spread * math.sqrt(self.rounds)

    def span(self, far: float = FARTHEST) -> float:
        """Return the length of the range of the losses that are told apart, at any depth."""
        return 2 * self.recursion.reach

    def up(self, grid: float, far: float = FARTHEST) -> Rounded:
        """Return the privacy loss rounded up."""
        return self.recursion.after(self.rounds, grid)


def blocks(source: RoundSource, rounds: int) -> list[tuple[DominatingPair, int]]:
    """Return pairs for all rounds together: as few blocks of rounds as take seconds.

    Between blocks the maximum is taken inside the average, which costs some percent of ε.
    """
    size = rounds
    while size > 1 and (work := Recursion(source, size).work) > MOST_WORK:
        size = max(1, min(size - 1, int(size * MOST_WORK / work)))
    count = -(-rounds // size)
    shorter, longer = rounds // count, rounds % count
    recursion = Recursion(source, shorter + (longer > 0))
    parts: list[tuple[DominatingPair, int]] = [(ReplacedRounds(shorter, recursion), count - longer)]
    return [*parts, (ReplacedRounds(shorter + 1, recursion), longer)] if longer else parts


@dataclass(frozen=True)
class Recursion:
    """Upper bounds on the profile of so many rounds, and of one less.

    Parameters
    ----------
    source
        What is replaced in a round.
    most
        How many rounds.
    """

    source: RoundSource
    most: int

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss of one round."""
        return self.source.spread

    @property
    def deepest(self) -> float:
        """The loss beyond which those of one round count as infinite."""
        return self.source.deepest

    @functools.cached_property
    def reach(self) -> float:
        """About the ε at which δ is 1e-12, by the pair that dominates each round alone.

        Beyond 600, e^ε is no float: there the pairs bound nothing.
        """
        step = max(self.spread / ROUND_POINTS, self.deepest / MOST_LOSSES)
        alone = self.source.alone(step, math.ceil(self.deepest / step))
        composed = Composed([(alone, self.most)], True)
        low, high = 0.0, composed.reach(LEAST_DELTA) + self.spread
        while high - low > high / 16:
            middle = (low + high) / 2
            low, high = (middle, high) if composed.delta(middle) > LEAST_DELTA else (low, middle)
        return min(high, LARGEST_LOSS)

    @property
    def step(self) -> float:
        """The grid that is enough."""
        finest = max(self.reach / MOST_POINTS, self.deepest / MOST_LOSSES)
        return max(self.spread / ROUND_POINTS, finest)

    @property
    def work(self) -> float:
        """Rounds · points · pairs."""
        return self.most * PARTS * 2 * (self.reach + self.deepest) / self.step

    def after(self, rounds: int, grid: float) -> Rounded:
        """Return the loss of a pair that dominates so many rounds, on a grid."""
        stride = max(1, math.floor(self.step / grid))
        profile, loss_error = self._computed(stride * grid)[rounds]
        masses, infinite = symmetric_pair(profile, stride * grid)
        spaced = np.zeros((len(masses) - 1) * stride + 1)
        spaced[::stride] = masses
        first = -(len(spaced) // 2)
        return Rounded(grid, first, spaced, infinite, -loss_error, 4 * MASS_ERROR, MASS_ERROR)

    def _computed(self, grid: float) -> dict[int, tuple[Floats, float]]:
        """Return for the rounds that are asked for U at 0, grid, …, and what a loss may be off."""
        if grid not in self._known:
            last, size = math.ceil(self.deepest / grid), math.ceil(self.reach / grid)
            laws = self.source.laws(grid, last)
            relative = 4 * max(law.relative for law in laws)  # of the mass at 0, as of the others
            loss_error = max(law.loss_error for law in laws)
            beyond = self.source.beyond(last * grid)
            profiles = _recursion(
                [way for law in laws for way in _directions(law, size)], grid, self.most, beyond
            )
            self._known[grid] = {
                rounds: (profile * (1 + rounds * relative), rounds * loss_error)
                for rounds, profile in profiles.items()
            }
        return self._known[grid]

    @functools.cached_property
    def _known(self) -> dict[float, dict[int, tuple[Floats, float]]]:
        return {}


def _directions(law: Rounded, size: int) -> list[Law]:
    """Return both directions of a pair, for k ≥ 1."""
    last = law.last
    ahead: Floats = np.arange(last + 1, dtype=np.float64) * law.grid
    reverse = (law.probabilities * np.exp(-np.arange(-last, last + 1) * law.grid))[::-1]
    found = []
    for masses, infinite in ((law.probabilities, law.infinite), (reverse, 0.0)):
        near = _hinges(masses[last + 1 :], ahead) + infinite
        profile = near[np.minimum(np.arange(size + 1), last)]
        found.append(Law(profile, masses))
    return found


def _hinges(masses: Floats, ahead: Floats) -> Floats:
    """Return Σ_i m_i (1 − e^(l − l_i))⁺ at each l of 0, l_1, l_2, …, by steps from above.

    Between neighbours it falls by (1 − e^(−step)) Σ_(i ≥ next) m_i e^(l_next − l_i).
    """
    shares = masses * np.exp(-ahead[1:])
    tails = np.cumsum(shares[::-1])[::-1] * np.exp(ahead[1:])
    falls = tails * -np.expm1(-np.diff(ahead))
    return np.concatenate((np.cumsum(falls[::-1])[::-1], [0.0]))


def _recursion(laws: Sequence[Law], grid: float, most: int, beyond: float) -> dict[int, Floats]:
    """Return upper bounds on U at 0, grid, … after the last two numbers of rounds.

    Parameters
    ----------
    beyond
        Mass of a loss of −∞ in the reverse direction, where it is one of ∞.
    """
    size, last = len(laws[0].profile) - 1, len(laws[0].kernel) // 2
    length = 1 << (size + 2 * last).bit_length()
    kernels = np.fft.rfft(np.array([law.kernel for law in laws]), length)
    profiles = np.array([law.profile for law in laws])
    stages = STAGE * math.log2(length)
    widest = max(float(np.linalg.norm(law.kernel)) for law in laws)
    left = np.exp(-np.arange(last, 0, -1) * grid)
    mirror = np.minimum(np.arange(last, 0, -1), size)
    values, error = np.zeros(size + 1), 0.0
    found: dict[int, Floats] = {}
    for rounds in range(1, most + 1):
        known = np.concatenate((left * values[mirror], values, np.full(last, values[-1])))
        units = (2 * stages + PRODUCT) * widest + stages
        error += 1.1 * UNIT * units * float(np.linalg.norm(known)) + beyond + 8 * UNIT
        moved = np.fft.irfft(kernels * np.fft.rfft(known, length), length)
        largest = (profiles + moved[:, 2 * last : 2 * last + size + 1]).max(axis=0)
        values = np.minimum.accumulate(largest)
        if rounds >= most - 1:
            found[rounds] = values + error
    return found


def symmetric_pair(profile: Floats, grid: float) -> tuple[Floats, float]:
    """Return the masses of a loss, and of an infinite one, with at least a profile.

    It is its own mirror image; its masses are those of the largest convex decreasing function under
    the profile, and so much is added to the infinite loss as rounding may have taken away.

    Parameters
    ----------
    profile
        Bounds on E_k at k = 1, e^grid, e^(2 grid), …
    grid
        Step of the grid.
    """
    falling = np.minimum.accumulate(profile)
    ahead: Floats = np.arange(len(falling), dtype=np.float64) * grid
    ratios = np.exp(ahead)
    corners = _lower_hull(ratios, falling)
    slopes = np.append(np.diff(falling[corners]) / np.diff(ratios[corners]), 0.0)
    masses = np.zeros(len(falling))
    masses[corners[1:]] = np.maximum(np.diff(slopes), 0.0) * ratios[corners[1:]]
    infinite = float(falling[-1])
    lacking = float((falling - _hinges(masses[1:], ahead)).max())
    infinite = max(infinite, lacking) + 4 * MASS_ERROR * float(falling[0])
    mirrored = (masses / ratios)[:0:-1]
    masses[0] = max(0.0, 1 - math.fsum(masses) - math.fsum(mirrored) - infinite)
    return np.concatenate((mirrored, masses)), infinite


def _lower_hull(x: Floats, y: Floats) -> list[int]:
    """Return the indices of the corners of the largest convex function below points."""
    corners: list[int] = []
    for index in range(len(x)):
        while len(corners) > 1:
            left, middle = corners[-2], corners[-1]
            chord = (y[index] - y[left]) * (x[middle] - x[left])
            if (y[middle] - y[left]) * (x[index] - x[left]) < chord:
                break
            corners.pop()
        corners.append(index)
    return corners
