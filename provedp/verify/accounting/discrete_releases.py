"""Releases that are, or are bounded by, laws over few outcomes: guarantees and integer noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx

from provedp.theory.domain import Integers, Range, check_argument, reals
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Field, Number, ball, dyadic, field_of, rational
from provedp.theory.privacy.definitions import Adjacency
from provedp.theory.privacy.finite import hockey_stick
from provedp.theory.privacy.functions import exp
from provedp.theory.privacy.noise.discrete_gaussian import WIDEST, discrete_gaussian_delta
from provedp.theory.privacy.noise.laplace import DECAY, geometric_delta
from provedp.verify.accounting.dominating_pairs import Attained, DominatingPair, FinitePair

BITS = 128  # of the fractions that stand for irrational numbers, from both sides
FAR = 12.0  # standard deviations of integer noise beyond which outcomes are not told apart


@dataclass(frozen=True, eq=False)
class Guaranteed:
    """Any (ε, δ)-private release: it is a function of one with four outcomes, which attains it.

    Parameters
    ----------
    ratio
        e^ε ≥ 1 (ε in nats), exact or a ball.
    additive
        δ in [0, 1).
    adjacency
        The inputs that the guarantee compares; None if it is those of the releases beside it.

    Source: Kairouz, Oh and Viswanath, The Composition Theorem for Differential Privacy, Theorem
    3.2; Murtagh and Vadhan for different guarantees.
    """

    ratio: Number
    additive: Number
    adjacency: Adjacency | None = None

    def __post_init__(self) -> None:
        _checked(self, "ratio", reals(1))
        _checked(self, "additive", reals(0, 1, open_high=True))

    @property
    def uppers(self) -> Sequence[DominatingPair]:
        """The four outcomes, the same in both directions; e^ε is rounded up."""
        return (FinitePair(*self.laws(up=True)),)

    @property
    def lowers(self) -> Sequence[Attained]:
        """The same, with e^ε rounded down."""
        return (FinitePair(*self.laws(up=False)),)

    def laws(self, up: bool) -> tuple[Matrix, Matrix]:
        """Return the laws of the four outcomes, as fractions."""
        k, slack = _fraction(self.ratio, up), _fraction(self.additive, up)
        rest = (1 - slack) / (1 + k)
        p = np.array([slack, k * rest, rest, Fraction(0)], dtype=object)
        return p, p[::-1].copy()

    def delta(self, epsilon: Number) -> Number:
        """Return δ(ε) of one round as a ball."""
        ratio = exp(ball(epsilon))
        ends = [ball(hockey_stick(*self.laws(up), ratio)) for up in (False, True)]
        return ends[0].union(ends[1])


@dataclass(frozen=True)
class Geometric:
    """Two-sided geometric noise (discrete Laplace) on an integer answer.

    Between 0 and the shift each outcome has its own likelihood ratio; below and above it is one.

    Parameters
    ----------
    decay
        r in (0, 1): the noise is x with probability proportional to r^|x|; exact or a ball.
    shift
        Δ, the largest difference of the answers for adjacent inputs.
    """

    decay: Number
    shift: int
    adjacency: Adjacency | None = None

    def __post_init__(self) -> None:
        _checked(self, "decay", DECAY)
        _checked(self, "shift", Integers(1, 10_000))

    @property
    def uppers(self) -> Sequence[DominatingPair]:
        """The merged laws; a smaller decay is less private."""
        return (FinitePair(*self.laws(up=True)),)

    @property
    def lowers(self) -> Sequence[Attained]:
        """The merged laws, at a larger decay."""
        return (FinitePair(*self.laws(up=False)),)

    def laws(self, up: bool) -> tuple[Matrix, Matrix]:
        """Return the laws of {≤ 0}, 1, …, Δ − 1, {≥ Δ}, as fractions."""
        r = _fraction(self.decay, not up)
        inner = [(1 - r) * r**x / (1 + r) for x in range(1, self.shift)]
        p = np.array([1 / (1 + r), *inner, r**self.shift / (1 + r)], dtype=object)
        return p, p[::-1].copy()

    def delta(self, epsilon: Number) -> Number:
        """Return δ(ε) of one round as a ball."""
        return geometric_delta(exp(ball(epsilon)), ball(self.decay), self.shift)


@dataclass(frozen=True)
class DiscreteGaussian:
    """Discrete Gaussian noise on an integer answer: p(x) ∝ e^(−x²/(2σ²)).

    Parameters
    ----------
    sigma
        σ, in (0, 10000].
    shift
        Δ, the largest difference of the answers for adjacent inputs.
    """

    sigma: Number
    shift: int = 1
    adjacency: Adjacency | None = None

    def __post_init__(self) -> None:
        _checked(self, "sigma", reals(0, WIDEST, open_low=True))
        _checked(self, "shift", Integers(1, 10_000))

    @property
    def uppers(self) -> Sequence[DominatingPair]:
        """The outcomes near both centres; what is far from them counts as an infinite loss."""
        p, q, rest = self._laws()
        return (FinitePair(np.append(p, rest), np.append(q, 0.0)),)

    @property
    def lowers(self) -> Sequence[Attained]:
        """The same, without what is far."""
        p, q, _ = self._laws()
        return (FinitePair(p, q),)

    def _laws(self) -> tuple[Matrix, Matrix, float]:
        """Return both laws on a range of integers, and a bound on the mass of P outside."""
        width = float(ball(self.sigma).upper())
        reach = int(FAR * width) + 2 + self.shift
        with ctx.workprec(BITS):
            rate = 1 / (2 * ball(self.sigma) ** 2)
            half = [(-rate * x * x).exp() for x in range(reach + self.shift + 1)]
            first = half[reach + self.shift]
            beyond = arb(0).union((first / (1 - (-rate * (2 * reach)).exp())).upper())
            total = half[0] + 2 * (sum(half[1:], start=arb(0)) + beyond)
            weight = [float(each / total) for each in half]
            inside = sum((half[abs(x)] for x in range(-reach, reach + 1)), start=arb(0))
            rest = float((1 - inside / total).upper())
        p = np.array([weight[abs(x)] for x in range(-reach, reach + 1)])
        q = np.array([weight[abs(x - self.shift)] for x in range(-reach, reach + 1)])
        return p, q, max(rest, 0.0)

    def delta(self, epsilon: Number) -> Number:
        """Return δ(ε) of one round as a ball."""
        return discrete_gaussian_delta(ball(self.sigma), ball(epsilon), self.shift)


def _fraction(value: Number, up: bool) -> Fraction:
    """Return an exact number as it is, and the upper or lower end of a ball."""
    if field_of(value) is not Field.BALL:
        return rational(value)
    with ctx.workprec(BITS):
        return dyadic(ball(value).upper() if up else ball(value).lower())


def _checked(release: Any, name: str, allowed: Range) -> None:
    where = f"privacy.{type(release).__name__}"
    object.__setattr__(release, name, check_argument(where, name, allowed, getattr(release, name)))
