"""What one round on a sample shows of a record that is replaced: pairs that dominate all.

The pairs are explained in `replaced_rounds`, which composes them.
"""

import functools
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import numpy as np
from flint import arb, ctx
from scipy import special

from provedp.theory.arrays import Floats
from provedp.theory.numbers import ball
from provedp.theory.privacy.sampling.replacement import copies_in_sample
from provedp.verify.accounting.dominating_pairs import LARGEST_LOSS, GaussianPair, mirrored_up
from provedp.verify.accounting.rounding import MASS_ERROR, Rounded
from provedp.verify.accounting.tilting import Composed
from provedp.verify.accounting.triangles import Triangle

PARTS = 16  # intervals of |b|²/μ², closer at both ends, where the worst pair is
SQUARES = tuple(math.sin(i * math.pi / (2 * PARTS)) ** 2 for i in range(PARTS + 1))
DEEPEST = 7.5  # standard deviations beyond which losses of one round count as infinite
NEAR_END = 1 / 16  # of e^loss − 1, by which k is below e^loss in a bound on a tail
BITS = 128  # of the balls for the probabilities of copies
TOLD = (0.3, 0.15, 0.07, 0.04, 0.02, 0.01)  # of c_2 over the probability of any copies
FALLING = 0.2  # factor from c_j to the next
MOST_WEIGHT = 0.5  # of j ≥ 2
USUAL_DELTA = 1e-5  # at which c_2 is chosen
POINTS = 4096  # of the grid for that


class RoundSource(Protocol):
    """All pairs of laws of one round."""

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        ...

    @property
    def deepest(self) -> float:
        """A loss beyond which losses may count as infinite."""
        ...

    def laws(self, grid: float, last: int) -> list[Rounded]:
        """Return losses from −last to last; each pair or its mirror image is dominated by one."""
        ...

    def alone(self, grid: float, last: int) -> Rounded:
        """Return the loss of a pair that dominates all."""
        ...

    def beyond(self, loss: float) -> float:
        """Return a bound on the mass of Q where the loss is below −loss."""
        ...


@dataclass(frozen=True)
class ReplacedRecord:
    """A record that is in the sample once or not at all.

    Parameters
    ----------
    mu, rate
        As of `FixedSizeSampledGaussian`; the rate below 1.
    """

    mu: float
    rate: float

    @functools.cached_property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        return self._removed.spread

    @functools.cached_property
    def deepest(self) -> float:
        """The loss at 7.5 standard deviations."""
        return self._removed.ends(DEEPEST)[1]

    @property
    def _removed(self) -> GaussianPair:
        return GaussianPair(self.mu, 0.0, self.rate)

    def laws(self, grid: float, last: int) -> list[Rounded]:
        """Return for each interval of |b|² the loss of a pair that dominates what lies in it."""
        ends = [
            Triangle(self.mu, self.rate, share * self.mu * self.mu).up(grid, last)
            for share in SQUARES
        ]
        return [_joined(low, high) for low, high in zip(ends, ends[1:], strict=False)]

    def alone(self, grid: float, last: int) -> Rounded:
        """Return the loss of `ReplacedPair`."""
        losses: Floats = np.arange(last + 1, dtype=np.float64) * grid
        half = self._removed.masses(losses)
        above_q = float(special.ndtr(-self._removed.where(losses[-1:]))[0])
        return mirrored_up(half, above_q, grid, 0.0)

    def beyond(self, loss: float) -> float:
        """Return a bound on the mass of Q where the loss is below −loss.

        For k between 1 and e^loss, q − kp ≥ q (1 − k e^(−loss)) there, so that the mass is at most
        E_k(Q ‖ P) over this factor; and E_k is at most r times that of Gaussian noise.
        """
        left = NEAR_END * math.expm1(loss)
        inner = math.log1p((math.expm1(loss) - left) / self.rate)
        tail = float(special.ndtr(self.mu / 2 - inner / self.mu))
        return self.rate * tail / (left * math.exp(-loss))


@dataclass(frozen=True)
class DrawnRecord:
    """A record that is in the sample j times, with probability b_j, as m draws have it.

    With weights w_j of sum 1 and rates c_j = b_j/w_j, both laws are mixtures of those of samples
    that have the record j times with probability c_j, or not: E_k is convex, and the j-th pair
    is one of `ReplacedRecord` with jμ and c_j. For j ≥ 2, which is rare, it is bounded alone. Any
    choice of c_j is valid; small ones hide j ≥ 2 and take rounds from j = 1.

    Parameters
    ----------
    mu, draws, share
        As of `SampledWithReplacementGaussian`; at most one draw for four records.
    told
        c_2 over the probability of any copies; each further c_j is a fifth of the one before.
    """

    mu: float
    draws: int
    share: Fraction
    told: float

    @functools.cached_property
    def _parts(self) -> tuple[float, ReplacedRecord, list[tuple[float, ReplacedRecord]], float]:
        """w_1 and its record, those of j ≥ 2, and the probability of more copies."""
        with ctx.workprec(BITS):
            share = ball(self.share)
            once = self.draws * share * (1 - share) ** (self.draws - 1)
            least = once * arb(float(special.ndtr(-DEEPEST)))
            copies = copies_in_sample(self.draws, share, least)
            chances = [float(weight.upper()) for weight in copies.weights]
            rest = float(copies.rest.upper())
        any_copies, often = sum(chances[1:]), []
        for j, chance in enumerate(chances[2:], start=2):
            rate = max(self.told * any_copies * FALLING ** (j - 2), 2 * chance)
            often.append((chance / rate, ReplacedRecord(j * self.mu, rate)))
        first = 1 - sum(weight for weight, _ in often) - rest
        return first, ReplacedRecord(self.mu, chances[1] / first), often, rest

    @property
    def weight(self) -> float:
        """The weight of j ≥ 2."""
        return 1 - self._parts[0]

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        return self._parts[1].spread

    @functools.cached_property
    def deepest(self) -> float:
        """A loss that any number of copies exceeds as rarely as one does 7.5 deviations."""
        _, once, often, _ = self._parts
        least, found = once.rate * float(special.ndtr(-DEEPEST)), once.deepest
        for weight, record in often:
            depth = -float(special.ndtri(min(0.5, least / (weight * record.rate))))
            found = max(found, GaussianPair(record.mu, 0.0, record.rate).loss(record.mu + depth))
        return min(found, LARGEST_LOSS)

    def laws(self, grid: float, last: int) -> list[Rounded]:
        """Return for each interval of |b|² of one copy the loss of a pair that dominates that."""
        return [self._mixed(law, grid, last) for law in self._parts[1].laws(grid, last)]

    def alone(self, grid: float, last: int) -> Rounded:
        """Return the loss of a pair that dominates all."""
        return self._mixed(self._parts[1].alone(grid, last), grid, last)

    def _mixed(self, law: Rounded, grid: float, last: int) -> Rounded:
        first, _, _, rest = self._parts
        others = self._others(grid, last)
        return replace(
            law,
            probabilities=first * law.probabilities
            + sum(w * each.probabilities for w, each in others),
            infinite=first * law.infinite + sum(w * each.infinite for w, each in others) + rest,
            relative=max(law.relative, *(each.relative for _, each in others)) + MASS_ERROR,
        )

    @functools.lru_cache(maxsize=4)  # noqa: B019
    def _others(self, grid: float, last: int) -> list[tuple[float, Rounded]]:
        return [(weight, record.alone(grid, last)) for weight, record in self._parts[2]]

    def beyond(self, loss: float) -> float:
        """Return a bound on the mass of Q where the loss is below −loss."""
        first, once, often, rest = self._parts
        parts = [(first, once), *often]
        return rest + sum(weight * record.beyond(loss) for weight, record in parts)


def drawn_record(mu: float, draws: int, share: Fraction, rounds: int) -> DrawnRecord | None:
    """Return the record with the c_2 that is about the best; None if it is drawn too often."""
    records = [DrawnRecord(mu, draws, share, told) for told in TOLD]
    usable = [record for record in records if record.weight <= MOST_WEIGHT]
    return min(usable, key=lambda record: _reach(record, rounds), default=None)


def _reach(record: DrawnRecord, rounds: int) -> float:
    """Return about the ε at a usual δ by the pair that dominates each round alone."""
    alone = Composed([(record.alone(record.deepest / POINTS, POINTS), rounds)], True)
    low, high = 0.0, alone.reach(USUAL_DELTA)
    while high - low > 0.01 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if alone.delta(middle) > USUAL_DELTA else (low, middle)
    return high


def _joined(low: Rounded, high: Rounded) -> Rounded:
    """Return the loss whose profile is that of the first for k ≥ 1, and of the second for k ≤ 1."""
    last = low.last
    masses = np.concatenate((high.probabilities[:last], [0.0], low.probabilities[last + 1 :]))
    masses[last] = max(0.0, 1 - math.fsum(masses) - low.infinite)
    relative = max(low.relative, high.relative)
    return Rounded(low.grid, -last, masses, low.infinite, 0.0, relative)
