"""One release of a count for every receiver: continuous canonical noise, rounded by who gets it."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final, overload

from provedp.mechanisms.counting.base import CountMechanism
from provedp.mechanisms.counting.rounding import (
    DOMINATE,
    Rounding,
    best_rounding,
    dominating_rounding,
)
from provedp.mechanisms.exact.inversion import ExactSampler
from provedp.mechanisms.exact.parameters import ExactStochasticMatrix, delta_below, ratio_below
from provedp.mechanisms.exact.sampling import (
    ByteSource,
    random_bits,
    uniform_below,
    warn_if_replayable,
)
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.theory.counting.canonical import canonical_reach
from provedp.theory.domain import OutsideError, argument_error, check_argument, integers
from provedp.theory.numbers import flint_rational, rational
from provedp.theory.privacy import Adjacency, Guarantee, path_delta

WORD = 64  # bits that are drawn at a time

HALF = Fraction(1, 2)


class NoisyCount:
    """A count plus continuous noise: a real number whose bits are drawn when they are asked for.

    What is released is the cell [low, high): in it the noisy count is uniform, whatever the count
    is, so that whoever holds the release draws its bits. They are remembered.

    Parameters
    ----------
    low, high
        Ends of the cell.
    rng
        As for `UniversalCount.release`.
    """

    def __init__(self, low: Fraction, high: Fraction, rng: ByteSource | None = None):
        self.low, self.high, self._rng = low, high, rng
        self._bits, self._drawn = 0, 0

    def exceeds(self, threshold: Fraction) -> bool:
        """Return whether the noisy count is above a threshold, from as many bits as it takes."""
        place = (Fraction(threshold) - self.low) / (self.high - self.low)
        while True:
            scaled = place * (1 << self._bits)
            if self._drawn >= scaled:
                return True
            if self._drawn + 1 <= scaled:
                return False
            self._drawn = (self._drawn << WORD) | random_bits(WORD, self._rng)
            self._bits += WORD

    def fixed_point(self, bits: int = 32) -> Fraction:
        """Return the noisy count rounded down to a multiple of 2^(−bits)."""
        unit = Fraction(1, 1 << bits)
        first, last = self.low // unit, -(-self.high // unit) - 1
        while first < last:
            middle = (first + last + 1) // 2
            first, last = (middle, last) if self.exceeds(middle * unit) else (first, middle - 1)
        return first * unit

    def __float__(self) -> float:
        return float(self.fixed_point())

    def __repr__(self) -> str:
        return f"NoisyCount({float(self):.6g})"


@dataclass(frozen=True)
class _Cells:
    """Where a unit of the line around an integer is cut, and what of the last one is in reach."""

    last: int | None
    middle: Fraction
    inside: tuple[bool, bool, bool]

    @classmethod
    def of(cls, ratio: Fraction, delta: Fraction) -> "_Cells":
        if delta == 0:
            return cls(None, HALF, (True, True, True))
        reach = rational(canonical_reach(flint_rational(ratio), flint_rational(delta)))
        last = -((HALF - reach) // 1)
        end = reach - last
        return cls(int(last), abs(end), (True, end > 0, False))

    def ends(self, part: int) -> tuple[Fraction, Fraction]:
        places = (-HALF, -self.middle, self.middle, HALF)
        return places[part], places[part + 1]

    def reaches(self, steps: int, part: int) -> bool:
        """Return whether noise of `steps` and this part of the unit is within ±S."""
        if self.last is None or abs(steps) < self.last:
            return True
        return abs(steps) == self.last and self.inside[part if steps > 0 else 2 - part]


@final
class UniversalCount:
    """A count plus continuous canonical noise: the best release for every receiver at once.

    For every other (ε, δ)-private release of a count there is a monotone rounding of this one that
    is not worse at any count, for every loss that does not fall away from the count; the receiver
    chooses it (`remap`), after the release. The noise is two-sided geometric plus a uniform number
    in [−1/2, 1/2], refused beyond ±S if δ > 0, drawn exactly, and not dependent on the count.

    Parameters
    ----------
    epsilon, delta
        As for `CountMechanism`; not both 0.

    Attributes
    ----------
    ratio
        The rational k with ln k ≤ ε for which the guarantee holds.
    delta
        δ as a fraction.

    Raises
    ------
    ValueError
        If an argument is outside its range, or no noise is enough.

    Source: ours; the noise is that of Awan and Slavković (2018).

    >>> mechanism = UniversalCount("ln(3/2)", "1/10")
    >>> released = mechanism.release(12)
    >>> 8 < released.fixed_point(20) < 16
    True
    >>> rounding = mechanism.remap(prior=["1/3", "1/3", "1/3"], loss="absolute")
    >>> str(rounding.expected_loss)
    '17/30'
    """

    claim = "counting.cells_of_canonical_noise_are_private"

    def __init__(self, epsilon: Any, delta: Any = 0):
        self.epsilon = str(epsilon)
        self.ratio = ratio_below(epsilon, "UniversalCount")
        self.delta = delta_below(delta, "UniversalCount")
        if self.ratio == 1 and self.delta == 0:
            allowed = "above 0 if δ = 0: no noise tells nothing"
            raise argument_error("UniversalCount", "epsilon", allowed, epsilon)
        self._cells = _Cells.of(self.ratio, self.delta)
        rest = HALF - self._cells.middle
        self._part = ExactSampler([rest, 2 * self._cells.middle, rest])

    @property
    def guarantee(self) -> Guarantee:
        """What is promised, and the claim that proves it."""
        return Guarantee(
            ratio=self.ratio,
            epsilon=self.epsilon,
            delta=self.delta,
            adjacency=Adjacency.NEIGHBOURING_COUNTS,
            claim=self.claim,
        )

    @property
    def claimed(self) -> Guarantee:
        """What its authors promise: the same."""
        return self.guarantee

    @overload
    def release(self, counts: int, rng: ByteSource | None = None) -> NoisyCount: ...

    @overload
    def release(self, counts: Iterable[int], rng: ByteSource | None = None) -> list[NoisyCount]: ...

    def release(
        self, counts: int | Iterable[int], rng: ByteSource | None = None
    ) -> NoisyCount | list[NoisyCount]:
        """Release one count, or several, each with fresh noise.

        Parameters
        ----------
        counts
            An integer, or an iterable of integers, without bounds.
        rng
            None for secret noise. With a generator the noise can be replayed, for a study, and
            there is no guarantee, as `ReplayableNoiseWarning` says.

        Raises
        ------
        ValueError
            If a count is no integer; nothing is drawn then.
        """
        warn_if_replayable("UniversalCount", rng)
        if isinstance(counts, Iterable):
            return [self._noisy(count, rng) for count in [_integer(each) for each in counts]]
        return self._noisy(_integer(counts), rng)

    def remap(
        self,
        prior: Sequence[Any],
        loss: str | Sequence[Sequence[Any]] = "absolute",
        first: int = 0,
    ) -> Rounding:
        """Return the rounding of a release that loses least, for who believes a prior.

        Parameters
        ----------
        prior
            Weights of the counts first, …, first + m − 1: numbers or texts, of sum one.
        loss
            'zero-one', 'absolute', 'squared', or rows ℓ_ij ≥ 0.
        first
            The least count.

        Raises
        ------
        ValueError
            If an argument is outside its range.
        """
        return best_rounding(self.ratio, self.delta, prior, loss, first)

    def dominate(
        self, matrix: Any, loss: str | Sequence[Sequence[Any]] = "absolute", first: int = 0
    ) -> Rounding:
        """Return a monotone rounding that is nowhere worse than another private release.

        It does not depend on the loss, which only tells what `expected_loss` is: for every loss
        that does not fall away from the count, and at every count, it loses at most as much.

        Parameters
        ----------
        matrix
            Law of the other release, private at the same level: a row for each of the counts
            first, …, first + m − 1, and a column for each output, which are the same. Read as by
            `MatrixRelease`.
        loss
            As for `remap`.
        first
            The least count.

        Raises
        ------
        ValueError
            If an argument is outside its range, or the matrix is not private.

        >>> mechanism = UniversalCount("ln(2)")
        >>> half, quarter = Fraction(1, 2), Fraction(1, 4)
        >>> rows = [[half, quarter, quarter], [quarter, half, quarter], [quarter, quarter, half]]
        >>> rounding = mechanism.dominate(rows)  # of P*, whose worst count loses 3/4
        >>> [str(cut) for cut in rounding.cuts], str(rounding.expected_loss)
        (['0', '2'], '5/8')
        """
        law = check_argument(DOMINATE, "matrix", ExactStochasticMatrix(), matrix)
        needed = path_delta(law, self.ratio)
        if needed > self.delta:
            allowed = f"private for ε = {self.epsilon} and δ = {self.delta}"
            raise argument_error(DOMINATE, "matrix", allowed, f"rows that need δ ≥ {needed}")
        return dominating_rounding(self.ratio, self.delta, law, loss, first)

    def _noisy(self, count: int, rng: ByteSource | None) -> NoisyCount:
        """Return a cell around the count plus noise: here, and only here, a count meets noise."""
        steps, part = CountMechanism.accepted(lambda: self._noise(rng))
        low, high = self._cells.ends(part)
        return NoisyCount(count + steps + low, count + steps + high, rng)

    def _noise(self, rng: ByteSource | None) -> tuple[int, int] | None:
        """Return whole steps and the part of a unit, or None if they lead beyond ±S."""
        steps, part = self._steps(rng), self._part.draw(rng)
        return (steps, part) if self._cells.reaches(steps, part) else None

    @functools.cached_property
    def _steps(self) -> Callable[[ByteSource | None], int]:
        if self.ratio > 1:
            return TwoSidedGeometric(self.ratio).draw
        last = self._cells.last or 0  # at k = 1 there is one, since δ > 0
        return lambda rng: uniform_below(2 * last + 1, rng) - last


def _integer(count: Any) -> int:
    try:
        return int(integers().read(count))
    except (OutsideError, TypeError, OverflowError):
        where = "UniversalCount.release"
        raise argument_error(where, "counts", integers(), "something else") from None
