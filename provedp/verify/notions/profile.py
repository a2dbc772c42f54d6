"""Several points of a privacy profile, claimed together."""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from provedp.theory.arrays import Floats
from provedp.theory.domain import check_argument, reals
from provedp.verify.notions.notions import DELTA, LARGEST, OUTWARD, ApproximateDP

POSITIVE = reals(0, LARGEST, open_low=True)
MOST_POINTS = 100


@dataclass(frozen=True)
class ProfileDP:
    """(ε, δ)-differential privacy at several points at once: P(A) ≤ min (e^ε Q(A) + δ).

    The parameter is a factor of all claimed ε, 1 for what is claimed: a profile has no one ε.

    Parameters
    ----------
    points
        Pairs (ε, δ), ε positive, such as an accountant has for one training.
    factor
        Of every ε.

    >>> ProfileDP(((1.0, 0.0), (0.5, 0.25))).most(np.array([0.1, 0.5])).round(6)
    array([0.271828, 1.      ])
    """

    points: tuple[tuple[float, float], ...]
    factor: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.points, (tuple, list)) or not all(
            isinstance(each, (tuple, list)) and len(each) == 2 for each in self.points
        ):
            raise ValueError(
                "The 'points' parameter of ProfileDP must be pairs (epsilon, delta)."
                f" Got {self.points!r:.80} instead."
            )
        if not 1 <= len(self.points) <= MOST_POINTS:
            raise ValueError(
                f"The 'points' parameter of ProfileDP must hold 1 to {MOST_POINTS} pairs."
                f" Got {len(self.points)} instead."
            )
        for epsilon, delta in self.points:
            check_argument("ProfileDP", "epsilon", POSITIVE, epsilon)
            check_argument("ProfileDP", "delta", DELTA, delta)
        check_argument("ProfileDP", "factor", reals(0), self.factor)
        object.__setattr__(self, "points", tuple((float(e), float(d)) for e, d in self.points))

    @property
    def notion(self) -> str:
        """A factor."""
        return "factor of every claimed epsilon"

    @property
    def level(self) -> float:
        """The factor."""
        return self.factor

    @property
    def pure(self) -> bool:
        """False: the factor bounds no ratio."""
        return False

    def at(self, level: float) -> Self:
        """Return the claim with every ε so many times as large as in `points`."""
        return replace(self, factor=level)

    def claims(self) -> tuple[ApproximateDP, ...]:
        """Return what is claimed at each point."""
        return tuple(ApproximateDP(min(self.factor * e, LARGEST), d) for e, d in self.points)

    def most(self, q: Floats) -> Floats:
        """Return the least of e^ε q + δ, at most 1."""
        allowed: Floats = np.min([each.most(q) for each in self.claims()], axis=0)
        return allowed

    def least_probability(self, p: float) -> float:
        """Return the least Q(A) where P(A) = p: the greatest (p − δ)/e^ε, or a little less."""
        inward = p / OUTWARD
        ratios = ((inward - each.delta) * math.exp(-each.epsilon) for each in self.claims())
        return max(0.0, max(ratios)) / OUTWARD

    def least_level(self, p: Floats, q: Floats) -> Floats:
        """Return the greatest of ln((p − δ)/q)/ε."""
        factors = [ApproximateDP(e, d).least_level(p, q) / e for e, d in self.points]
        return np.asarray(np.max(factors, axis=0))

    def __str__(self) -> str:
        shown = [f"({each.epsilon:g}, {each.delta:g})" for each in self.claims()]
        if len(shown) > 3:
            shown = [shown[0], f"{len(shown) - 2} points more", shown[-1]]
        return " and ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown) + "-DP"
