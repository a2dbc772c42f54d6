"""Runs whose noise is scripted, or forced to what another run gave, at every meeting with it.

The places are few: `added_to` of `RoundedGaussian` and of `TwoSidedGeometric`, `added_to_occupied`
of the former, `added_to` and `refine` of `RefinableGeometric`, and `noisy` of mechanisms for
counts. A mechanism that takes random numbers elsewhere
meets a source that refuses.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction as Q
from random import Random
from typing import Any, Protocol
from unittest import mock

from provedp.mechanisms.counting import CountMechanism
from provedp.mechanisms.exact import sampling
from provedp.mechanisms.exact.refinable_geometric import RefinableGeometric
from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.verify.spending.meetings import (
    Counted,
    Gaussian,
    Geometric,
    Meeting,
    Occupied,
    Refined,
)

__all__ = ["Forced", "Scripted", "SequenceError", "UnseenNoiseError", "recording"]


class SequenceError(Exception):
    """A run meets noise in another form, or another number of times, than the one before."""


class UnseenNoiseError(Exception):
    """A mechanism draws random numbers where no recorder sees what they are added to."""


class Noise(Protocol):
    """Where a recorded run takes its noisy numbers from."""

    met: list[Meeting]

    def gaussian(self, scale: Q, exact: tuple[int, ...]) -> Gaussian:
        """Return integers with noisy ones."""
        ...

    def geometric(self, ratio: Q, exact: tuple[int, ...]) -> Geometric:
        """Return integers with noisy ones."""
        ...

    def refined(self, before: Q, ratio: Q, exact: tuple[int, ...]) -> Refined:
        """Return integers with less noisy ones than before."""
        ...

    def occupied(self, scale: Q, least: int, exact: Mapping[Hashable, int]) -> Occupied:
        """Return counts of occupied groups with noisy ones."""
        ...

    def counted(self, mechanism: CountMechanism, row: int) -> Counted:
        """Return a count with a noisy one."""
        ...


class Scripted:
    """Noise of `factor` times the right size, from a seed; some groups are kept below thresholds.

    The proofs are about all noisy numbers that can come out, so that any factor will do.
    """

    def __init__(self, seed: int, factor: Q, hidden: frozenset[Hashable] = frozenset()):
        self.met: list[Meeting] = []
        self._random, self._factor, self._hidden = Random(seed), factor, hidden

    def gaussian(self, scale: Q, exact: tuple[int, ...]) -> Gaussian:
        """Return integers with scripted noise."""
        return Gaussian(scale, exact, tuple(value + self._step(scale) for value in exact))

    def geometric(self, ratio: Q, exact: tuple[int, ...]) -> Geometric:
        """Return integers with scripted noise."""
        scale = 1 / (ratio - 1)
        return Geometric(ratio, exact, tuple(value + self._step(scale) for value in exact))

    def refined(self, before: Q, ratio: Q, exact: tuple[int, ...]) -> Refined:
        """Return integers with scripted noise."""
        return Refined(before, ratio, exact, self.geometric(ratio, exact).noisy)

    def occupied(self, scale: Q, least: int, exact: Mapping[Hashable, int]) -> Occupied:
        """Return counts with scripted noise; hidden ones just miss the threshold."""
        noisy = {group: count + self._step(scale) for group, count in exact.items()}
        noisy.update({group: least - 1 for group in exact if group in self._hidden})
        return Occupied(scale, least, exact, noisy)

    def counted(self, mechanism: CountMechanism, row: int) -> Counted:
        """Return a count moved around its circle."""
        moved = (row + self._step(1 / (mechanism.ratio - 1))) % mechanism.m
        return _counted(mechanism, row, mechanism.first + moved)

    def _step(self, scale: Q) -> int:
        return round(self._factor * scale * Q(self._random.gauss(0, 1)))


class Forced:
    """The noisy numbers of another run, whatever the exact ones are."""

    def __init__(self, before: Iterable[Meeting]):
        self.met: list[Meeting] = []
        self._before = list(before)

    def gaussian(self, scale: Q, exact: tuple[int, ...]) -> Gaussian:
        """Return integers with the other run's noisy ones."""
        before = self._next(Gaussian, Gaussian(scale, exact, ()))
        return Gaussian(scale, exact, before.noisy)

    def geometric(self, ratio: Q, exact: tuple[int, ...]) -> Geometric:
        """Return integers with the other run's noisy ones."""
        before = self._next(Geometric, Geometric(ratio, exact, ()))
        return Geometric(ratio, exact, before.noisy)

    def refined(self, before: Q, ratio: Q, exact: tuple[int, ...]) -> Refined:
        """Return integers with the other run's noisy ones."""
        known = self._next(Refined, Refined(before, ratio, exact, ()))
        return Refined(before, ratio, exact, known.noisy)

    def occupied(self, scale: Q, least: int, exact: Mapping[Hashable, int]) -> Occupied:
        """Return counts with the other run's noisy ones; groups it did not have stay hidden."""
        before = self._next(Occupied, Occupied(scale, least, {}, {}))
        noisy = {group: before.noisy.get(group, least - 1) for group in exact}
        return Occupied(scale, least, exact, noisy)

    def counted(self, mechanism: CountMechanism, row: int) -> Counted:
        """Return a count with the other run's noisy one."""
        before = self._next(Counted, _counted(mechanism, row, 0))
        return _counted(mechanism, row, before.noisy)

    def _next(self, kind: type[Any], found: Meeting) -> Any:
        place = len(self.met)
        if place == len(self._before):
            raise SequenceError(f"There are more than {place} meetings with noise.")
        before = self._before[place]
        if not isinstance(before, kind) or before.form != found.form:
            raise SequenceError(f"Meeting {place + 1} is of another form.")
        return before


def _counted(mechanism: CountMechanism, row: int, noisy: int) -> Counted:
    law = type(mechanism).__name__, mechanism.m, mechanism.first
    return Counted(law, mechanism.ratio, mechanism.delta, row, noisy)


class _Refinable:
    """Stands for `Refinable`: looks at the noise again where it is refined."""

    def __init__(self, law: RefinableGeometric, exact: tuple[int, ...], noise: Noise):
        met = noise.geometric(law.first.ratio, exact)
        noise.met.append(met)
        self.noisy = list(met.noisy)
        self._law, self._exact, self._noise = law, exact, noise

    def refine(self) -> list[int]:
        met = self._noise.refined(self._law.first.ratio, self._law.last.ratio, self._exact)
        self._noise.met.append(met)
        return list(met.noisy)


class _Refusing:
    """Stands for the operating system's source, and for a generator."""

    def __getattr__(self, name: str) -> Any:
        raise UnseenNoiseError(f"Random numbers ({name}) are drawn where nobody looks.")


@contextmanager
def recording(noise: Noise) -> Iterator[None]:
    """Let every meeting with noise inside take its noisy numbers from `noise`, in `noise.met`."""

    def added_to(self: RoundedGaussian, exact: Iterable[int], rng: Any = None) -> list[int]:
        met = noise.gaussian(self.sigma, tuple(int(value) for value in exact))
        noise.met.append(met)
        return list(met.noisy)

    def geometric_added_to(
        self: TwoSidedGeometric, exact: Iterable[int], rng: Any = None
    ) -> list[int]:
        met = noise.geometric(self.ratio, tuple(int(value) for value in exact))
        noise.met.append(met)
        return list(met.noisy)

    def refinably_added_to(
        self: RefinableGeometric, exact: Iterable[int], rng: Any = None
    ) -> _Refinable:
        return _Refinable(self, tuple(int(value) for value in exact), noise)

    def added_to_occupied(
        self: RoundedGaussian, counts: Mapping[Any, int], least: int, rng: Any = None
    ) -> dict[Any, int]:
        met = noise.occupied(self.sigma, least, {g: int(count) for g, count in counts.items()})
        noise.met.append(met)
        return {group: count for group, count in met.noisy.items() if count >= least}

    def noisy(self: CountMechanism, row: int, rng: Any = None) -> int:
        met = noise.counted(self, row)
        noise.met.append(met)
        return met.noisy

    with (
        mock.patch.object(sampling, "secrets", _Refusing()),
        mock.patch.object(RoundedGaussian, "added_to", added_to),
        mock.patch.object(RoundedGaussian, "added_to_occupied", added_to_occupied),
        mock.patch.object(TwoSidedGeometric, "added_to", geometric_added_to),
        mock.patch.object(RefinableGeometric, "added_to", refinably_added_to),
        mock.patch.object(CountMechanism, "noisy", noisy),
    ):
        yield
