"""Compositions of finite laws as sums of fractions, as long as these stay few and short."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import ctx

from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Field, Number, ball, dyadic, field_of
from provedp.theory.privacy.composition.exact import (
    Classes,
    classes_of_product,
    divergence_of_classes,
)
from provedp.verify.accounting.discrete_releases import Geometric, Guaranteed
from provedp.verify.accounting.releases import Finite, Release

Laws = tuple[Matrix, Matrix]

MOST_ROUNDS = 40  # whose fractions stay short
MOST_RATIOS = 5000  # of all rounds together
BITS = 128  # of the fractions on both sides of e^ε


@dataclass(frozen=True)
class ExactBounds:
    """Bounds on δ as sums of fractions.

    Parameters
    ----------
    below, above
        For each direction, the mass of P for each likelihood ratio q/p.
    """

    below: Sequence[Classes]
    above: Sequence[Classes]

    def at(self, k: Fraction) -> tuple[Fraction, Fraction]:
        """Return both bounds at e^ε = k."""
        return _largest(self.below, k), _largest(self.above, k)

    def lower(self, epsilon: Number) -> float:
        """Return a lower bound on δ(ε)."""
        return float_down(_largest(self.below, _ratio(epsilon, up=True)))

    def upper(self, epsilon: Number) -> float:
        """Return an upper bound on δ(ε)."""
        return 0.0 - float_down(-_largest(self.above, _ratio(epsilon, up=False)))


def exact_bounds(parts: Sequence[tuple[Release, int]]) -> ExactBounds | None:
    """Return bounds on δ from sums of fractions; None if there is other noise, or too much."""
    if not all(_is_exact(release) for release, _ in parts) or not _is_small(parts):
        return None
    below, above = (
        [classes_of_product(pairs) for pairs in _products(parts, up)] for up in (False, True)
    )
    return ExactBounds(below, above)


def _largest(ways: Sequence[Classes], k: Fraction) -> Fraction:
    return max(divergence_of_classes(classes, k) for classes in ways)


def _is_exact(release: Release) -> bool:
    if isinstance(release, (Guaranteed, Geometric)):
        return True
    return isinstance(release, Finite) and field_of(release.p[0]) <= Field.FLINT


def _is_small(parts: Sequence[tuple[Release, int]]) -> bool:
    if sum(rounds for _, rounds in parts) > MOST_ROUNDS:
        return False
    return math.prod(_ratios(each, rounds) for each, rounds in parts) <= MOST_RATIOS


def _ratios(release: Release, rounds: int) -> int:
    """Return a bound on the number of likelihood ratios of several rounds, with 0."""
    if isinstance(release, Guaranteed):
        return 2 * rounds + 2  # powers of e^ε
    if isinstance(release, Geometric):
        return 2 * rounds * release.shift + 1  # powers of the decay
    outcomes = len(_laws(release, True)[0])
    return math.comb(rounds + outcomes - 1, rounds)


def _laws(release: Release, up: bool) -> Laws:
    if isinstance(release, (Guaranteed, Geometric)):
        return release.laws(up)
    assert isinstance(release, Finite)
    return release.p, release.q


def _products(parts: Sequence[tuple[Release, int]], up: bool) -> list[list[Laws]]:
    """Return the laws of all rounds, in both directions."""
    forward = [laws for each, rounds in parts for laws in [_laws(each, up)] * rounds]
    return [forward, [(q, p) for p, q in forward]]


def _ratio(epsilon: Number, up: bool) -> Fraction:
    with ctx.workprec(BITS):
        ratio = ball(epsilon).exp()
        return dyadic(ratio.upper() if up else ratio.lower())


def float_down(value: Fraction) -> float:
    """Return a float that is at most a fraction, and next to it."""
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)
