"""Subsampled Gaussian noise: mixtures of normal laws of one variance that share a component."""

import functools
from typing import NamedTuple

from flint import arb

from provedp.theory.domain import Choice, domain, reals
from provedp.theory.numbers import Number, ball, maximum
from provedp.theory.privacy.functions import log, normal_cdf, numeric, transcendental
from provedp.theory.privacy.noise.gaussian import SHIFT, gaussian_delta
from provedp.theory.privacy.roots import increasing_root
from provedp.theory.privacy.sampling.mixtures import (
    RATE,
    RATIO,
    component_ratio,
    component_ratio_reversed,
)
from provedp.theory.sharp_floats import as_asked

__all__ = ["gaussian_mixture_delta", "subsampled_gaussian_delta"]

GUARD_BITS = 64  # differences of tails of comparable size
DIRECTION = Choice(("both", "removed", "added"))


class Term(NamedTuple):
    """A function c e^(ax)."""

    exponent: arb
    coefficient: arb

    def tilted(self, by: arb, x: arb) -> arb:
        """Return c e^((a − by) x)."""
        return self.coefficient * ((self.exponent - by) * x).exp()


class Mixtures(NamedTuple):
    """The laws (1 − r) N(0, 1) + r N(a, 1) and (1 − r) N(0, 1) + r N(b, 1), and the ratio k."""

    first: arb
    second: arb
    rate: arb
    k: arb

    def beyond(self, x: arb) -> arb:
        """Return P(X > x) − k Q(X > x)."""
        differing = normal_cdf(self.first - x) - self.k * normal_cdf(self.second - x)
        return (1 - self.rate) * (1 - self.k) * normal_cdf(-x) + self.rate * differing

    def gain(self) -> Term:
        """The term of (p − kq)/φ that is positive, if a ≠ 0."""
        return Term(self.first, self.rate * (-self.first * self.first / 2).exp())

    def losses(self) -> list[Term]:
        """The terms of (p − kq)/φ that are negative, if a ≠ 0, without their sign."""
        shared = Term(arb(0), (self.k - 1) * (1 - self.rate))
        other = self.k * self.rate * (-self.second * self.second / 2).exp()
        return [term for term in (shared, Term(self.second, other)) if term.coefficient != 0]

    def mirrored(self) -> "Mixtures":
        """The laws of −X, which are as far apart."""
        return Mixtures(-self.first, -self.second, self.rate, self.k)


@domain(mu=SHIFT, rate=RATE, k=RATIO, direction=DIRECTION)
def subsampled_gaussian_delta(
    mu: Number, rate: Number, k: Number, direction: str = "both"
) -> Number:
    """Privacy profile of Gaussian noise on a random sample, when a record is added or removed.

    removed: E_k((1 − q)N(0, 1) + qN(μ, 1) ‖ N(0, 1)) = q δ_μ(ln(1 + (k − 1)/q));
    added: E_k(N(0, 1) ‖ (1 − q)N(0, 1) + qN(μ, 1)) = (1 − k(1 − q)) δ_μ(ln(kq/(1 − k(1 − q))))

    The first is also the worst case over all laws when samples of fixed size are drawn without
    replacement and one record is replaced, with q = m/n.

    Parameters
    ----------
    rate
        q, the probability that the record is in the sample.
    direction
        "removed", "added" or "both": the larger of the two.

    Returns
    -------
    The divergence: a float for floats, a ball for balls and exact numbers.

    Source: Balle, Barthe and Gaboardi, Privacy Amplification by Subsampling, Theorems 2 and 9.

    >>> round(subsampled_gaussian_delta(1.0, 0.1, 1.5), 10)
    0.0032461648
    """
    removed = transcendental(rate) * gaussian_delta(mu, log(component_ratio(k, rate)))
    ratio = component_ratio_reversed(k, rate)
    added = 0 * removed
    if ratio is not None:
        added = transcendental(1 - k * (1 - rate)) * gaussian_delta(mu, log(ratio))
    both = maximum(removed, added)
    return {"removed": removed, "added": added, "both": both}[direction]


@domain(first=reals(), second=reals(), rate=RATE, k=RATIO)
def gaussian_mixture_delta(first: Number, second: Number, rate: Number, k: Number) -> Number:
    """Divergence of a subsampled Gaussian release, when one record is replaced by another.

    E_k((1 − r)N(0, 1) + rN(a, 1) ‖ (1 − r)N(0, 1) + rN(b, 1))

    (p − kq)/φ is a sum of three exponentials of which one, e^(ax), has a positive coefficient. If a
    is not between 0 and b it changes sign once, and the worst event is a half-line; otherwise at
    most twice, and the worst event is an interval or empty.

    Parameters
    ----------
    first, second
        a and b, in units of the noise: where the one and the other record move the mean.
    rate
        r, the probability that the record is in the sample.

    Returns
    -------
    The divergence, in this order: a ball, or for floats a float that is right to its
    last digits.

    Source: ours.

    >>> round(gaussian_mixture_delta(0.5, -0.5, 0.1, 1.1), 10)
    0.0092393316
    """
    numbers = (first, second, rate, k)

    def delta() -> arb:
        laws = Mixtures(*(ball(numeric(number)) for number in numbers))
        return _delta(laws if _points_right(laws) else laws.mirrored())

    return as_asked(numbers, delta, GUARD_BITS)


def _points_right(laws: Mixtures) -> bool:
    return bool(laws.first > 0 or (laws.first == 0 and laws.second <= 0))


def _delta(laws: Mixtures) -> arb:
    """Return the divergence for a > 0, or a = 0 ≥ b."""
    if laws.first == 0:
        return _delta_from_shared(laws)
    if laws.second < laws.first:
        return _half_line(laws)
    if laws.second > laws.first:
        return _interval(laws) if len(laws.losses()) > 1 else _half_line(laws.mirrored())
    return _almost_equal(laws)


def _almost_equal(laws: Mixtures) -> arb:
    """Return a ball for the divergence if a and b are not told apart: at most r times theirs."""
    distance = arb(abs(laws.first - laws.second).upper())
    if distance == 0:
        return arb(0)
    theirs = ball(gaussian_delta(distance, laws.k.log().max(arb(0))))
    return arb(0).union((laws.rate * theirs).upper())


def _delta_from_shared(laws: Mixtures) -> arb:
    """Return the divergence for a = 0 ≥ b, where (p − kq)/φ = c − kr e^(bx − b²/2)."""
    rest = 1 - laws.k * (1 - laws.rate)
    if laws.second == 0 or rest <= 0:
        return arb(0)
    if not rest > 0:
        return arb(0).union(rest.upper())
    ends = (rest / (laws.k * laws.rate)).log() / laws.second + laws.second / 2
    return laws.beyond(ends)


def _half_line(laws: Mixtures) -> arb:
    """Return P − kQ of {x > root}, for a above b, and above 0 unless that term is missing."""
    gain, losses = laws.gain(), laws.losses()
    highest = functools.reduce(arb.max, (term.exponent for term in losses))

    def increasing(x: arb) -> arb:
        lost = (term.tilted(highest, x) for term in losses)
        return gain.tilted(highest, x) - sum(lost, start=arb(0))

    return laws.beyond(increasing_root(increasing))


def _interval(laws: Mixtures) -> arb:
    """Return P − kQ of the interval where p > kq, for 0 < a < b."""
    gain, (shared, other) = laws.gain(), laws.losses()

    def concave(x: arb) -> arb:
        return gain.coefficient - shared.tilted(gain.exponent, x) - other.tilted(gain.exponent, x)

    slopes = shared.coefficient * laws.first / (other.coefficient * (laws.second - laws.first))
    top = (slopes.log() / laws.second).mid()
    if not concave(top) > 0:
        return _almost_empty(laws, concave(slopes.log() / laws.second))
    low = increasing_root(concave, top)
    high = -increasing_root(lambda x: concave(-x), -top)
    return laws.beyond(low) - laws.beyond(high)


def _almost_empty(laws: Mixtures, top: arb) -> arb:
    """Return a ball for the divergence if (p − kq)/(φ e^(ax)) ≤ top, which is not certainly > 0."""
    if top <= 0:
        return arb(0)
    return arb(0).union((top * (laws.first * laws.first / 2).exp()).upper())
