"""Meetings of exact numbers with noise: what a recorder keeps of them, and what a change costs."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction as Q

from flint import arb, ctx

from provedp.theory.numbers import ball
from provedp.theory.privacy.functions import normal_cdf

BITS = 128
ZERO, ONE = Q(0), Q(1)


@dataclass(frozen=True)
class Cost:
    """What changed numbers cost: of Gaussian noise, of a pure release, of a threshold.

    Parameters
    ----------
    square
        Σ (change/σ)² over all numbers with Gaussian noise.
    ratio
        e^ε of the numbers with pure noise.
    tail
        Probability that noise alone takes an empty group over a threshold.
    alone
        Most groups that one data set occupies and the other does not.
    """

    square: Q = ZERO
    ratio: Q = ONE
    tail: arb = arb(0)
    alone: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        with ctx.workprec(BITS):
            return Cost(
                self.square + other.square,
                self.ratio * other.ratio,
                self.tail + other.tail,
                max(self.alone, other.alone),
            )


@dataclass(frozen=True)
class Gaussian:
    """Integers that met rounded Gaussian noise of one standard deviation."""

    scale: Q
    exact: tuple[int, ...]
    noisy: tuple[int, ...]

    @property
    def form(self) -> tuple[Hashable, ...]:
        """What must not depend on the records."""
        return "Gaussian", self.scale, len(self.exact)

    @property
    def numbers(self) -> int:
        """How many numbers met noise."""
        return len(self.exact)

    def cost(self, other: "Gaussian") -> Cost:
        """Return what the difference of the exact numbers costs."""
        changes = zip(self.exact, other.exact, strict=True)
        return Cost(sum(((a - b) ** 2 for a, b in changes), start=0) / self.scale**2)


@dataclass(frozen=True)
class Geometric:
    """Integers that met two-sided geometric noise of one ratio."""

    ratio: Q
    exact: tuple[int, ...]
    noisy: tuple[int, ...]

    @property
    def form(self) -> tuple[Hashable, ...]:
        """What must not depend on the records."""
        return "Geometric", self.ratio, len(self.exact)

    @property
    def numbers(self) -> int:
        """How many numbers met noise."""
        return len(self.exact)

    def cost(self, other: "Geometric") -> Cost:
        """Return what the difference of the exact numbers costs: the ratio for every step."""
        changes = zip(self.exact, other.exact, strict=True)
        return Cost(ratio=self.ratio ** sum(abs(a - b) for a, b in changes))


@dataclass(frozen=True)
class Refined:
    """Integers of which noisier ones were seen before, with geometric noise of a lower ratio."""

    before: Q
    ratio: Q
    exact: tuple[int, ...]
    noisy: tuple[int, ...]

    @property
    def form(self) -> tuple[Hashable, ...]:
        """What must not depend on the records."""
        return "Refined", self.before, self.ratio, len(self.exact)

    @property
    def numbers(self) -> int:
        """How many numbers met noise."""
        return len(self.exact)

    def cost(self, other: "Refined") -> Cost:
        """Return what both releases cost beyond the first: together they cost the last."""
        changes = zip(self.exact, other.exact, strict=True)
        return Cost(ratio=(self.ratio / self.before) ** sum(abs(a - b) for a, b in changes))


@dataclass(frozen=True)
class Occupied:
    """Counts of the groups with records, of which those from `least` on were released."""

    scale: Q
    least: int
    exact: Mapping[Hashable, int]
    noisy: Mapping[Hashable, int]

    @property
    def form(self) -> tuple[Hashable, ...]:
        """What must not depend on the records; which groups are occupied may."""
        return "Occupied", self.scale, self.least

    @property
    def numbers(self) -> int:
        """How many numbers met noise."""
        return len(self.exact)

    def cost(self, other: "Occupied") -> Cost:
        """Return what the counts cost: a group of one alone is one of the other with count 0.

        That the other leaves it out is the threshold's part.
        """
        groups = {**self.exact, **other.exact}
        changes = [self.exact.get(g, 0) - other.exact.get(g, 0) for g in groups]
        alone = max(len(groups) - len(self.exact), len(groups) - len(other.exact))
        with ctx.workprec(BITS):
            tail = normal_cdf(-ball((self.least - Q(1, 2)) / self.scale))
            square = Q(sum(change**2 for change in changes)) / self.scale**2
            return Cost(square, tail=ball(tail), alone=alone)


@dataclass(frozen=True)
class Counted:
    """A count that met the noise of a `CountMechanism`."""

    law: tuple[Hashable, ...]
    ratio: Q
    delta: Q
    row: int
    noisy: int

    @property
    def form(self) -> tuple[Hashable, ...]:
        """What must not depend on the records."""
        return "Counted", *self.law, self.ratio, self.delta

    @property
    def numbers(self) -> int:
        """How many numbers met noise."""
        return 1

    def cost(self, other: "Counted") -> Cost:
        """Return what so many steps of the count cost; a δ of its own is not composed here."""
        if self.delta:
            raise ValueError("A count with δ > 0 within a larger release is not accounted for.")
        return Cost(ratio=self.ratio ** abs(self.row - other.row))


Meeting = Gaussian | Geometric | Refined | Occupied | Counted
