"""Notions of privacy that an audit can test: which pairs of probabilities of an event they allow.

Each notion bounds P(A) by a concave, increasing function of Q(A), for all events A and both orders
of the two laws. Its parameter is named: a bound on one notion is never reported as another.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
from scipy import special

from provedp.theory.arrays import Floats
from provedp.theory.domain import check_argument, check_float, reals
from provedp.verify.notions.renyi_borders import greatest_probability
from provedp.verify.tagged_records import TaggedUnion

OUTWARD = 1 + 1e-12  # relative error of the special functions below, with room to spare
ORDERS = (1.125, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0, 64.0, 128.0)
LARGEST = 700  # beyond, e^ε is no float
EPSILON = reals(0, LARGEST)
DELTA = reals(0, 1, open_high=True)


class PrivacyNotion(Protocol):
    """A notion of privacy with its claimed level, the parameter that an audit bounds from below."""

    def __hash__(self) -> int: ...

    @property
    def notion(self) -> str:
        """The name of the parameter that is bounded."""
        ...

    @property
    def level(self) -> float:
        """The claimed value of that parameter."""
        ...

    @property
    def pure(self) -> bool:
        """Whether the claim is P(A) ≤ e^level Q(A)."""
        ...

    def at(self, level: float) -> Self:
        """Return the claim with another value of the parameter."""
        ...

    def most(self, q: Floats) -> Floats:
        """Return an upper bound on the greatest P(A) that the claim allows where Q(A) = q."""
        ...

    def least_level(self, p: Floats, q: Floats) -> Floats:
        """Return the least parameter that allows P(A) = p and Q(A) = q (0 if p ≤ q)."""
        ...


@dataclass(frozen=True)
class ApproximateDP:
    """(ε, δ)-differential privacy: P(A) ≤ e^ε Q(A) + δ.

    >>> ApproximateDP(1.0, 0.01).most(np.array([0.1])).round(6)
    array([0.281828])
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        check_argument("ApproximateDP", "epsilon", EPSILON, self.epsilon)
        check_argument("ApproximateDP", "delta", DELTA, self.delta)

    @property
    def notion(self) -> str:
        """ε at the claimed δ."""
        return "epsilon" if self.delta == 0 else f"epsilon at delta = {self.delta:g}"

    @property
    def level(self) -> float:
        """ε."""
        return self.epsilon

    @property
    def pure(self) -> bool:
        """Whether δ = 0."""
        return self.delta == 0

    def at(self, level: float) -> Self:
        """Return (level, δ)."""
        return replace(self, epsilon=level)

    def most(self, q: Floats) -> Floats:
        """Return e^ε q + δ, at most 1."""
        allowed: Floats = np.minimum(1.0, (math.exp(self.epsilon) * q + self.delta) * OUTWARD)
        return allowed

    def least_level(self, p: Floats, q: Floats) -> Floats:
        """Return ln((p − δ)/q)."""
        excess = np.maximum(p - self.delta, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            level = np.where(excess > q, np.log(excess / q), 0.0)
        return np.asarray(level)

    def __str__(self) -> str:
        return f"({self.epsilon:g}, {self.delta:g})-DP"


@dataclass(frozen=True)
class GaussianDP:
    """μ-Gaussian differential privacy: P(A) ≤ Φ(Φ⁻¹(Q(A)) + μ).

    >>> GaussianDP(1.0).most(np.array([0.5])).round(6)
    array([0.841345])
    """

    mu: float

    def __post_init__(self) -> None:
        check_argument("GaussianDP", "mu", reals(0, 35), self.mu)

    @property
    def notion(self) -> str:
        """μ."""
        return "mu"

    @property
    def level(self) -> float:
        """μ."""
        return self.mu

    @property
    def pure(self) -> bool:
        """False: μ bounds no ratio."""
        return False

    def at(self, level: float) -> Self:
        """Return level-GDP."""
        return replace(self, mu=level)

    def most(self, q: Floats) -> Floats:
        """Return Φ(Φ⁻¹(q) + μ)."""
        allowed: Floats = np.minimum(1.0, special.ndtr(special.ndtri(q) + self.mu) * OUTWARD)
        return allowed

    def least_level(self, p: Floats, q: Floats) -> Floats:
        """Return Φ⁻¹(p) − Φ⁻¹(q)."""
        with np.errstate(invalid="ignore"):
            level = np.where(p > q, special.ndtri(p) - special.ndtri(q), 0.0)
        return np.asarray(level)

    def __str__(self) -> str:
        return f"{self.mu:g}-GDP"


@dataclass(frozen=True)
class RenyiDP:
    """Rényi differential privacy: divergence of the order at most `divergence`.

    For an event, p^a q^(1−a) + (1 − p)^a (1 − q)^(1−a) ≤ e^((a−1) divergence), a the order. This
    set of (p, q) is convex, so that the greatest p is concave in q.
    """

    divergence: float
    order: float

    def __post_init__(self) -> None:
        check_argument("RenyiDP", "divergence", EPSILON, self.divergence)
        check_argument("RenyiDP", "order", reals(1, 10**4, open_low=True), self.order)

    @property
    def notion(self) -> str:
        """The divergence of the claimed order."""
        return f"Renyi divergence of order {self.order:g}"

    @property
    def level(self) -> float:
        """The divergence."""
        return self.divergence

    @property
    def pure(self) -> bool:
        """False: the divergence bounds no ratio."""
        return False

    def at(self, level: float) -> Self:
        """Return the claim of another divergence."""
        return replace(self, divergence=level)

    def most(self, q: Floats) -> Floats:
        """Return an upper bound on the greatest p."""
        return greatest_probability(q, np.array([self.order]), np.array([self.divergence]))

    def least_level(self, p: Floats, q: Floats) -> Floats:
        """Return the divergence of (p, 1 − p) from (q, 1 − q)."""
        return binary_renyi(p, q, self.order)

    def __str__(self) -> str:
        return f"({self.order:g}, {self.divergence:g})-Renyi DP"


@dataclass(frozen=True)
class ZeroConcentratedDP:
    """ρ-zero-concentrated differential privacy: Rényi divergence at most ρ a for each order a > 1.

    Of the orders only those in `ORDERS` are used, which can only weaken a refutation.
    """

    rho: float

    def __post_init__(self) -> None:
        check_argument("ZeroConcentratedDP", "rho", EPSILON, self.rho)

    @property
    def notion(self) -> str:
        """ρ."""
        return "rho"

    @property
    def level(self) -> float:
        """ρ."""
        return self.rho

    @property
    def pure(self) -> bool:
        """False: ρ bounds no ratio."""
        return False

    def at(self, level: float) -> Self:
        """Return level-zCDP."""
        return replace(self, rho=level)

    def most(self, q: Floats) -> Floats:
        """Return an upper bound on the greatest p that all orders allow."""
        orders = np.array(ORDERS)
        return greatest_probability(q, orders, self.rho * orders * OUTWARD)

    def least_level(self, p: Floats, q: Floats) -> Floats:
        """Return the greatest divergence per order."""
        ratios = [binary_renyi(p, q, order) / order for order in ORDERS]
        return np.asarray(np.max(ratios, axis=0))

    def __str__(self) -> str:
        return f"{self.rho:g}-zCDP"


def binary_renyi(p: Floats, q: Floats, order: float) -> Floats:
    """Return the Rényi divergence of (p, 1 − p) from (q, 1 − q), or 0 where p ≤ q."""
    with np.errstate(divide="ignore", invalid="ignore"):
        here = order * np.log(p) + (1 - order) * np.log(q)
        there = np.where(p < 1, order * np.log1p(-p) + (1 - order) * np.log1p(-q), -np.inf)
        divergence = np.logaddexp(here, there) / (order - 1)
    return np.where(p > q, np.maximum(divergence, 0.0), 0.0)


NOTIONS = TaggedUnion[PrivacyNotion]((ApproximateDP, GaussianDP, RenyiDP, ZeroConcentratedDP))


def as_notion(function: str, claim: Any) -> PrivacyNotion:
    """Return a claim, and for a number ε that of (ε, 0)-DP.

    Raises
    ------
    ValueError
        If it is neither; `function` is whose argument it is.
    """
    if hasattr(claim, "level"):
        notion: PrivacyNotion = claim
        return notion
    return ApproximateDP(check_float(function, "claim", reals(0), claim))


def notion_from(record: dict[str, Any]) -> PrivacyNotion:
    """Return the notion that `tagged_records.record_of` wrote."""
    return NOTIONS.read(record)
