"""δ at a given ε, as the parameter that an audit bounds."""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from provedp.theory.arrays import Floats
from provedp.theory.domain import check_argument, reals
from provedp.verify.notions.notions import EPSILON, OUTWARD


@dataclass(frozen=True)
class DeltaAt:
    """(ε, δ)-differential privacy with ε given: P(A) − e^ε Q(A) ≤ δ.

    >>> DeltaAt(epsilon=0.0, delta=0.25).most(np.array([0.5])).round(6)
    array([0.75])
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        check_argument("DeltaAt", "epsilon", EPSILON, self.epsilon)
        check_argument("DeltaAt", "delta", reals(0, 1), self.delta)

    @property
    def notion(self) -> str:
        """δ at the given ε."""
        return f"delta at epsilon = {self.epsilon:g}"

    @property
    def level(self) -> float:
        """δ."""
        return self.delta

    @property
    def pure(self) -> bool:
        """False: δ bounds no ratio."""
        return False

    def at(self, level: float) -> Self:
        """Return (ε, level)."""
        return replace(self, delta=min(level, 1.0))

    def most(self, q: Floats) -> Floats:
        """Return e^ε q + δ, at most 1."""
        allowed: Floats = np.minimum(1.0, (math.exp(self.epsilon) * q + self.delta) * OUTWARD)
        return allowed

    def least_level(self, p: Floats, q: Floats) -> Floats:
        """Return p − e^ε q, or 0."""
        return np.asarray(np.maximum(p - math.exp(self.epsilon) * q, 0.0))

    def __str__(self) -> str:
        return f"({self.epsilon:g}, {self.delta:g})-DP"
