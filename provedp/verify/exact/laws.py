"""Exact audits of laws whose privacy profile has a closed form, or certified ends."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from flint import arb, ctx

from provedp.mechanisms.exact.parameters import delta_below
from provedp.theory.domain import Objects, check_argument, integers, reals
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number, ball, rational
from provedp.theory.privacy.composition.response_and_gaussian import response_and_gaussian_delta
from provedp.theory.privacy.functions import exp
from provedp.theory.privacy.noise.gaussian import SHIFT
from provedp.theory.privacy.noise.gaussian_covariances import gaussian_pair_delta
from provedp.theory.privacy.noise.laplace import DECAY, RATIO, geometric_delta, laplace_delta
from provedp.verify.accounting.composition import float_below
from provedp.verify.accounting.releases import Gaussian

EPSILON = reals(0, 1000)
DISTANCE = reals(0, open_low=True)
PRECISIONS = (128, 512, 2048)  # bits, one after the other until the claim is decided


class Law(Protocol):
    """What is known of the outputs on the two inputs of a pair.

    The releases of `verify.accounting.releases` are such laws, and so is what `compose` returns for
    several rounds of them.
    """

    def delta(self, epsilon: Number) -> Any:
        """Return the least δ at ε for both orders: a ball, or certified ends."""
        ...


LAW = Objects("a law with a method `delta`", attributes=("delta",))


@dataclass(frozen=True)
class Laplace:
    """Laplace noise on values that differ by so many scales: exactly (distance, 0)-private."""

    distance: Number

    def __post_init__(self) -> None:
        exact = rational(check_argument("Laplace", "distance", DISTANCE, self.distance))
        object.__setattr__(self, "distance", exact)

    def delta(self, epsilon: Number) -> arb:
        """Return 1 − e^((ε − distance)/2), or 0."""
        if rational(self.distance) <= rational(epsilon):
            return arb(0)
        return ball(laplace_delta(exp(ball(epsilon) / 2), exp(-ball(self.distance) / 2)))


@dataclass(frozen=True)
class Geometric:
    """Two-sided geometric noise of this decay on integers that differ by `shift`."""

    decay: Number
    shift: int = 1

    def __post_init__(self) -> None:
        check_argument("Geometric", "decay", DECAY, self.decay)
        check_argument("Geometric", "shift", integers(1), self.shift)

    def delta(self, epsilon: Number) -> arb:
        """Return the closed form of `geometric_delta`."""
        return ball(geometric_delta(exp(ball(epsilon)), ball(self.decay), self.shift))


@dataclass(frozen=True)
class ResponseAndGaussian:
    """A (ln ratio, 0)-private release and Gaussian noise μ standard deviations apart, together."""

    ratio: Number
    mu: Number

    def __post_init__(self) -> None:
        check_argument("ResponseAndGaussian", "ratio", RATIO, self.ratio)
        check_argument("ResponseAndGaussian", "mu", SHIFT, self.mu)

    def delta(self, epsilon: Number) -> arb:
        """Return the closed form of `response_and_gaussian_delta`."""
        return ball(response_and_gaussian_delta(ball(self.ratio), ball(self.mu), ball(epsilon)))


@dataclass(frozen=True)
class GaussianLaws:
    """N(0, first) and N(shift, second): Gaussian noise whose covariance depends on the data."""

    shift: Matrix
    first: Matrix
    second: Matrix

    def delta(self, epsilon: Number) -> arb:
        """Return the larger divergence of the two orders."""
        there = gaussian_pair_delta(self.shift, self.first, self.second, epsilon)
        back = gaussian_pair_delta(self.shift, self.second, self.first, epsilon)
        return there.max(back)


@dataclass(frozen=True)
class LawResult:
    """What an exact audit of a law found.

    Attributes
    ----------
    refuted
        True if the claim is broken, False if it holds, None if the ends do not tell.
    delta_lower, delta_upper
        Certified ends of the least δ at ε.
    claimed_delta
        The claimed one.
    """

    refuted: bool | None
    delta_lower: float
    delta_upper: float
    claimed_delta: Fraction


def audit_law(law: Law, epsilon: Any, delta: Any = 0) -> LawResult:
    """Decide whether a law with a known privacy profile is (ε, δ)-private.

    Parameters
    ----------
    law
        `Laplace`, `Geometric`, `ResponseAndGaussian`, `GaussianLaws`, a release of
        `verify.accounting.releases` (Gaussian noise, with or without samples), or the `compose` of
        some.
    epsilon
        ε in nats.
    delta
        δ in [0, 1).

    Returns
    -------
    A `LawResult`.

    Raises
    ------
    ValueError
        If ε or δ is outside its range.

    >>> result = audit_law(Laplace(2), 1, "0.3934693402873665")
    >>> result.refuted, round(result.delta_lower, 16)
    (True, 0.3934693402873666)
    """
    check_argument("audit_law", "law", LAW, law)
    level = rational(check_argument("audit_law", "epsilon", EPSILON, epsilon))
    allowed = delta_below(delta, "audit_law")
    low, high = arb(0), arb(1)
    refuted: bool | None = None
    for bits in PRECISIONS:
        with ctx.workprec(bits):
            low, high = _ends(law.delta(level))
            refuted = True if low > ball(allowed) else False if high <= ball(allowed) else None
        if refuted is not None:
            break
    ends = max(0.0, float_below(low)), min(1.0, max(0.0, -float_below(-high)))
    return LawResult(refuted, *ends, allowed)


def audit_gaussian(mu: Any, epsilon: Any, delta: Any) -> bool | None:
    """Decide whether Gaussian noise on values μ standard deviations apart is (ε, δ)-private.

    Parameters
    ----------
    mu
        Sensitivity over σ, above 0.
    epsilon, delta
        The claim.

    Returns
    -------
    Whether the claim is refuted; None if the two sides agree to 600 digits.

    >>> audit_gaussian(1 / 0.4845, 10, 1e-5), audit_gaussian(1 / 3.7306, 1, 1.001e-5)
    (True, False)
    """
    return audit_law(Gaussian(mu), epsilon, delta).refuted


def _ends(delta: Any) -> tuple[arb, arb]:
    if isinstance(delta, tuple):
        return arb(delta[0]), arb(delta[1])
    return delta.lower(), delta.upper()
