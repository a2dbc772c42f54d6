"""Bounds on the Rényi divergences of releases, for totals with claims of zCDP or Rényi DP.

Divergences of one order add up over rounds, also if these are chosen adaptively. A total that
holds at one order is converted as a claim of that order is (`renyi_claims.conversion`).
"""

import functools
import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np
from flint import arb, ctx

from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number, ball
from provedp.verify.accounting.discrete_releases import DiscreteGaussian, Geometric, Guaranteed
from provedp.verify.accounting.finite_mechanisms import FiniteMechanism
from provedp.verify.accounting.laplace import Laplace
from provedp.verify.accounting.releases import (
    Finite,
    FixedSizeSampledGaussian,
    Gaussian,
    PoissonSampledGaussian,
    Release,
)
from provedp.verify.accounting.renyi_claims import (
    BITS,
    RenyiClaim,
    conversion,
    log_delta_by_moments,
)

Event = Release | FiniteMechanism | RenyiClaim
SampledGaussian = PoissonSampledGaussian | FixedSizeSampledGaussian
LARGEST_ORDER = 1024
ORDERS = tuple(
    sorted({1 + s if s < 8 else float(round(s)) for s in np.geomspace(0.01, LARGEST_ORDER, 120)})
)  # from 8 on whole, as samples have closed forms there
STEPS = (6, 2)  # to orders next to the one that promises the least δ, which are tried as well


def renyi_bound(release: Event, order: float) -> arb | None:
    """Return a bound on D_α in both directions, for any adjacent inputs.

    None if a claim says nothing at this order. Sampled noise has closed forms at whole orders;
    (α − 1) D_α is convex, so that between them a chord bounds it.

    Raises
    ------
    NotImplementedError
        If the divergence is infinite, or there is no closed bound here.
    """
    if isinstance(release, RenyiClaim):
        return release.at(order)
    if isinstance(release, (PoissonSampledGaussian, FixedSizeSampledGaussian)):
        low = math.floor(order)
        found = _sampled_cumulant(release, low)
        if order > low:
            part = ball(order) - low
            found = (1 - part) * found + part * _sampled_cumulant(release, low + 1)
        return found / (ball(order) - 1)
    return _unsampled(release, ball(order))


def _unsampled(release: Event, order: arb) -> arb:
    if isinstance(release, Gaussian):
        return order * ball(release.mu) ** 2 / 2
    if isinstance(release, DiscreteGaussian):  # Canonne, Kamath and Steinke, Proposition 5
        return order * (release.shift / ball(release.sigma)) ** 2 / 2
    if isinstance(release, Laplace):  # Mironov, Rényi Differential Privacy, Table II
        shift, twice = ball(release.shift), 2 * order - 1
        rise, fall = ((order - 1) * shift).exp() * order, (-order * shift).exp() * (order - 1)
        return ((rise + fall) / twice).log() / (order - 1)
    if isinstance(release, Guaranteed) and release.additive == 0:
        ratio = ball(release.ratio)
        return _divergence([ratio / (1 + ratio), 1 / (1 + ratio)], order)
    if isinstance(release, Geometric):
        return _divergence(list(release.laws(up=True)[0]), order)
    pairs: list[tuple[Matrix, Matrix]] = []
    if isinstance(release, Finite):
        pairs = [(release.p, release.q), (release.q, release.p)]
    if isinstance(release, FiniteMechanism):
        pairs = list(permutations(release.rows, 2))
    if not pairs or any((a == 0) != (b == 0) for p, q in pairs for a, b in zip(p, q, strict=True)):
        raise NotImplementedError
    found = (_divergence(list(p), order, list(q)) for p, q in pairs)
    return functools.reduce(arb.max, found)


def _divergence(p: list[Number], order: arb, q: list[Number] | None = None) -> arb:
    """Return D_α of two laws with equal supports; of a law and its mirror image without q."""
    other = p[::-1] if q is None else q
    terms = (
        ball(a) * (ball(a) / ball(b)) ** (order - 1)
        for a, b in zip(p, other, strict=True)
        if a != 0
    )
    return sum(terms, start=arb(0)).log() / (order - 1)


def _sampled_cumulant(release: SampledGaussian, order: int) -> arb:
    """Return a bound on (α − 1) D_α at a whole order α ≥ 1.

    Source: Mironov, Talwar and Zhang, Rényi Differential Privacy of the Sampled Gaussian Mechanism
    (exact, and the larger direction), for Poisson samples; Wang, Balle and Kasiviswanathan,
    Subsampled Rényi Differential Privacy and Analytical Moments Accountant, Theorem 9, for samples
    of fixed size.
    """
    if order == 1:
        return arb(0)
    square, share = ball(release.mu) ** 2, ball(release.rate)
    chosen = [ball(math.comb(order, j)) * share**j for j in range(order + 1)]
    moments = [(j * (j - 1) * square / 2).exp() for j in range(order + 1)]
    if isinstance(release, PoissonSampledGaussian):
        terms = (c * (1 - share) ** (order - j) * moments[j] for j, c in enumerate(chosen))
        return sum(terms, start=arb(0)).log()
    total = 1 + chosen[2] * (4 * (moments[2] - 1)).min(2 * moments[2])
    total += 2 * sum((chosen[j] * moments[j] for j in range(3, order + 1)), start=arb(0))
    return total.log().min(order * (order - 1) * square / 2)


class Total:
    """The Rényi curve of releases together, beside probabilities that all is disclosed.

    Parameters
    ----------
    parts
        The releases, how many rounds of each there are, and what each is called.

    Raises
    ------
    ValueError
        If one has no bound on its divergences (it is named), or claims have no order in common.
    """

    def __init__(self, parts: Sequence[tuple[Event, int, str]]) -> None:
        kept = arb(1)
        self._curve: dict[float, arb] = {}
        claimed = {
            order for each, *_ in parts if isinstance(each, RenyiClaim) for order in each.bounds
        }
        with ctx.workprec(BITS):
            split = [(_pure(each), rounds, words) for each, rounds, words in parts]
            for each, rounds, _ in parts:
                if isinstance(each, Guaranteed):
                    kept *= (1 - ball(each.additive)) ** rounds
            for order in sorted(claimed) or ORDERS:
                bounds = [(_named_bound(each, order, words), n) for each, n, words in split]
                known = [bound * n for bound, n in bounds if bound is not None]
                if len(known) == len(bounds):
                    self._curve[order] = sum(known, start=arb(0))
        if not self._curve:
            raise ValueError("The Rényi claims have no order in common.")
        self._disclosed = 1 - kept

    def upper(self, epsilon: Number) -> float:
        """Return a bound on δ(ε) as a float that is not below it."""
        level = float(ball(epsilon).mid())
        orders = list(self._curve)
        best = min(
            range(len(orders)),
            key=lambda i: log_delta_by_moments(orders[i], float(self._curve[orders[i]]), level),
        )
        with ctx.workprec(BITS):
            tried = {best: self._converted(orders[best], epsilon)}
            for step in STEPS:
                for near in (best - step, best + step):
                    if 0 <= near < len(orders):
                        tried[near] = self._converted(orders[near], epsilon)
                best = min(tried, key=lambda i: float(tried[i]))
            found = functools.reduce(arb.min, tried.values())
            total = (self._disclosed + (1 - self._disclosed) * found).upper()
            nearest = float(total)
            above = nearest if arb(nearest) == total else math.nextafter(nearest, math.inf)
            return min(above, 1.0)

    def _converted(self, order: float, epsilon: Number) -> arb:
        return conversion(order, self._curve[order], epsilon)[1]


def _pure(release: Event) -> Event:
    """Return a release without its probability that all is disclosed, which is split off."""
    if not isinstance(release, Guaranteed):
        return release
    return Guaranteed(release.ratio, Fraction(0), release.adjacency)


def _named_bound(release: Event, order: float, words: str) -> arb | None:
    try:
        return renyi_bound(release, order)
    except NotImplementedError:
        raise ValueError(
            f"There is no bound on the Rényi divergences of {words}, which a claim of zCDP or "
            "Rényi DP beside it needs."
        ) from None
