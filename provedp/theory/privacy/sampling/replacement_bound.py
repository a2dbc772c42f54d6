"""A sharper bound for Gaussian noise on samples with replacement, from the tests themselves.

Let others fill all m places of the sample, and the record at stake, or its replacement, then take a
set of j of them, j binomial. An event A has probability Φ(z) for the others alone, and for j copies
P_j = Φ(t_j) ≤ Φ(z + jμ) and Q_j ≥ max {Φ(z − jμ), Φ(t_j − jμ)} by Neyman and Pearson's lemma. So

δ(k) ≤ max_z [b_0 (1 − k) Φ(z) + Σ_{j ≥ 1} b_j g_j(min {max {τ_j, z}, z + jμ})],

where g_j(t) = Φ(t) − k Φ(t − jμ) increases up to τ_j = jμ/2 − ln k/(jμ) and decreases from there.
Where every minimum is z + jμ, this is the divergence of Σ_j b_j N(jμ, 1) and N(0, 1), which data
attain.
"""

import functools
from dataclasses import dataclass

from flint import arb

from provedp.theory.domain import domain
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.functions import log, normal_cdf, numeric
from provedp.theory.privacy.noise.gaussian import SHIFT
from provedp.theory.privacy.sampling.mixtures import RATE, RATIO
from provedp.theory.privacy.sampling.replacement import (
    DRAWS,
    GUARD_BITS,
    Copies,
    copies_in_sample,
    replacement_gaussian_delta,
)
from provedp.theory.sharp_floats import as_asked

__all__ = ["replacement_gaussian_bound"]

NARROWEST = 2.0**-12  # interval of z that is not split further
START, LAST = 8, 8  # the interval of z that is looked at first; beyond its upper end no more is
FARTHEST = 1 << 10  # of −z
SLACK = 2.0**-18  # relative, that the bound may have
NEGLIGIBLE = 2.0**-150  # or absolute
LEFT_OUT = 2.0**-200  # probability of many copies, each told for certain


@domain(mu=SHIFT, draws=DRAWS, share=RATE, k=RATIO)
def replacement_gaussian_bound(mu: Number, draws: int, share: Number, k: Number) -> Number:
    """Sharp bound on the divergence of Gaussian noise on a sample with replacement.

    max_z [b_0 (1 − k) Φ(z) + Σ_{j=1}^{m} b_j g_j(min {max {τ_j, z}, z + jμ})], from above

    with b_j = C(m, j) q^j (1 − q)^(m−j), g_j(t) = Φ(t) − k Φ(t − jμ), τ_j = jμ/2 − ln k/(jμ).

    Parameters
    ----------
    mu
        Largest distance of the answers for samples that differ in one record, over the standard
        deviation; positive.
    draws
        m.
    share
        q = 1/n, the probability that one draw is the record.
    k
        e^ε for the whole data set.

    Returns
    -------
    An upper bound on δ, at most `replacement_gaussian_delta` and about 1e-5 above the maximum: a
    ball, or for floats the float next to it.

    Source: ours.

    >>> round(replacement_gaussian_bound(1.0, 10, 0.01, 1.5), 6)
    0.004133
    """
    numbers = (mu, share, k)

    def found() -> arb:
        shift, rate, ratio = (ball(numeric(number)) for number in numbers)
        theorem = ball(replacement_gaussian_delta(shift, draws, rate, ratio))
        tests = Attacks(copies_in_sample(draws, rate, arb(LEFT_OUT)), shift, ratio)
        return arb(tests.largest().min(theorem).upper())

    return as_asked(numbers, found, GUARD_BITS)


@dataclass(frozen=True)
class Attacks:
    """Events, by z = Φ⁻¹ of their probability for the others alone, and what they attain."""

    copies: Copies
    mu: arb
    k: arb

    def largest(self) -> arb:
        """Return a bound on the maximum over z, by bisection of the intervals that may hold it."""
        known = arb(self._at(self._good()).lower())
        enough = (known * (1 + SLACK)).max(arb(NEGLIGIBLE))
        found = arb(known.max(self._beyond(arb(LAST))).upper())
        cells, end = [(arb(-START), arb(LAST))], -START
        while not self._before(arb(end)) <= enough and end > -FARTHEST:
            cells.append((arb(2 * end), arb(end)))
            end *= 2
        found = arb(found.max(self._before(arb(end))).upper())
        while cells:
            low, high = cells.pop()
            bound = self._between(low, high)
            if bound <= enough or high - low <= NARROWEST:
                found = arb(found.max(bound).upper())
                continue
            middle = (low + high) / 2
            cells += [(low, middle), (middle, high)]
        return found

    def _good(self) -> arb:
        """Return a z near the maximum, by steps that are halved."""
        best, step = arb(0), arb(2)
        value = self._at(best)
        while step > NARROWEST / 8:
            left, right = self._at(best - step), self._at(best + step)
            if left > value:
                best, value = best - step, left
            elif right > value:
                best, value = best + step, right
            else:
                step /= 2
        return best

    @functools.cached_property
    def _copies(self) -> list[tuple[arb, arb, arb]]:
        """The b_j, jμ and τ_j."""
        return [
            (weight, j * self.mu, j * self.mu / 2 - log(self.k) / (j * self.mu))
            for j, weight in enumerate(self.copies.weights)
            if j > 0 and weight > 0
        ]

    def _gain(self, t: arb, shift: arb) -> arb:
        return normal_cdf(t) - self.k * normal_cdf(t - shift)

    def _slope(self, t: arb, shift: arb) -> arb:
        return _density(t) - self.k * _density(t - shift)

    def _at(self, z: arb) -> arb:
        """Return what is attained at z."""
        total = self.copies.rest - self.copies.weights[0] * (self.k - 1) * normal_cdf(z)
        for weight, shift, peak in self._copies:
            total += weight * self._gain(peak.max(z).min(z + shift), shift)
        return total

    def _between(self, low: arb, high: arb) -> arb:
        """Return a bound on an interval, from its middle and the slopes."""
        middle, half = (low + high) / 2, (high - low) / 2
        whole = low.union(high)
        slope = -self.copies.weights[0] * (self.k - 1) * _density(whole)
        for weight, shift, _ in self._copies:
            rising, falling = self._slope(whole + shift, shift), self._slope(whole, shift)
            slope += weight * (rising.max(arb(0)) + falling.min(arb(0)))
        return self._at(middle) + half * abs(slope).upper()

    def _before(self, high: arb) -> arb:
        """Return a bound for z ≤ high."""
        parts = (w * self._gain(peak.min(high + shift), shift) for w, shift, peak in self._copies)
        return sum(parts, start=self.copies.rest)

    def _beyond(self, low: arb) -> arb:
        """Return a bound for z ≥ low."""
        total = self.copies.rest - self.copies.weights[0] * (self.k - 1) * normal_cdf(low)
        parts = (w * self._gain(peak.max(low), shift) for w, shift, peak in self._copies)
        return sum(parts, start=total)


def _density(x: arb) -> arb:
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()
