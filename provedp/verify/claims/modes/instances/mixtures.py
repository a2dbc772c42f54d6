"""Mixtures of normal laws of variance 1 on a line: density, masses and greedy draws, in balls."""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.functions import normal_cdf


@dataclass(frozen=True)
class NormalMixture:
    """weight N(0, 1) + (1 − weight) N(separation, 1)."""

    weight: Fraction
    separation: Fraction

    def density(self, x: Number) -> arb:
        """Return p(x)."""
        first, second = self._parts(ball(x))
        return first + second

    def log_curvature(self, x: Number) -> arb:
        """Return (ln p)″(x) = −1 + separation² w(1 − w), w the second component's share at x."""
        first, second = self._parts(ball(x))
        share = second / (first + second)
        return ball(self.separation) ** 2 * share * (1 - share) - 1

    def mass(self, x: Number, radius: Number) -> arb:
        """Return the probability of [x − radius, x + radius]."""
        low, high = ball(x) - ball(radius), ball(x) + ball(radius)
        shift, part = ball(self.separation), ball(self.weight)
        first = normal_cdf(high) - normal_cdf(low)
        second = normal_cdf(high - shift) - normal_cdf(low - shift)
        return part * first + (1 - part) * second

    def slope(self, x: Number) -> arb:
        """Return p′(x)."""
        first, second = self._parts(ball(x))
        return -ball(x) * first + (ball(self.separation) - ball(x)) * second

    def _parts(self, x: arb) -> tuple[arb, arb]:
        scale = 1 / (2 * arb.pi()).sqrt()
        part, shift = ball(self.weight), x - ball(self.separation)
        return part * scale * (-x * x / 2).exp(), (1 - part) * scale * (-shift * shift / 2).exp()


def greedy_draws(
    law: NormalMixture, grid: list[Fraction], radius: Fraction, reach: Fraction, draws: int
) -> list[Fraction]:
    """Return the draws of DAP in the limit of many records: the active candidate of most mass.

    Masses that decide and are not certainly different end the check as undecided.

    Raises
    ------
    ValueError
        If no candidate is left.
    """
    masses = {place: law.mass(place, radius) for place in grid}
    active, found = list(grid), list[Fraction]()
    for _ in range(draws):
        if not active:
            raise ValueError(f"No candidate is left after {len(found)} draws.")
        best = max(active, key=masses.__getitem__)
        found.append(best)
        active = [place for place in active if abs(place - best) > reach]
    return found
