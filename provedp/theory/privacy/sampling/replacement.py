"""Subsampling with replacement: m draws out of n records, when one record is replaced.

A draw is the record at stake with probability q = 1/n, so that the sample holds it j times, j
binomial. `k` stands for e^ε (ε in nats), so that rationals stay rational.
"""

import math
from typing import NamedTuple

import numpy as np
from flint import arb, ctx

from provedp.theory.domain import RealVector, check_argument, domain, integers
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.functions import log, normal_cdf, numeric
from provedp.theory.privacy.noise.gaussian import SHIFT, gaussian_delta
from provedp.theory.privacy.sampling.mixtures import RATE, RATIO, component_ratio, subsampled_ratio
from provedp.theory.sharp_floats import as_asked

__all__ = [
    "replacement_delta",
    "replacement_gaussian_attained",
    "replacement_gaussian_delta",
    "replacement_rate",
    "replacement_ratio",
]

GUARD_BITS = 64  # differences of tails of comparable size
LEFT_OUT_BITS = 256  # beyond the working precision, of the probability of many copies left out
DRAWS = integers(1)
BISECTIONS = 80
NOWHERE = 50.0  # standard deviations, beyond which no threshold is sought


class Copies(NamedTuple):
    """The probabilities of j = 0, 1, … copies in the sample, and that of more than are listed."""

    weights: list[arb]
    rest: arb


@domain(draws=DRAWS, share=RATE)
def replacement_rate(draws: int, share: Number) -> Number:
    """Probability that a record is in a sample that is drawn with replacement.

    θ = 1 − (1 − q)^m

    Parameters
    ----------
    draws
        m; it may exceed the number of records.
    share
        q = 1/n, the probability that one draw is the record.

    Returns
    -------
    θ in (0, 1], over the field of q.

    Source: m independent draws.

    >>> from fractions import Fraction as F
    >>> replacement_rate(2, F(1, 3))
    Fraction(5, 9)
    """
    return 1 - (1 - share) ** draws


@domain(k=RATIO, draws=DRAWS, share=RATE)
def replacement_ratio(k: Number, draws: int, share: Number) -> Number:
    """Ratio for the whole data set that a release about a sample with replacement gives.

    k' = 1 + θ (k − 1), θ = 1 − (1 − q)^m, with the additive part of `replacement_delta`

    Parameters
    ----------
    k
        e^ε of the release about the sample.
    draws
        m.
    share
        q = 1/n, the probability that one draw is the record.

    Returns
    -------
    e^ε' for the whole, over the field of the arguments.

    Source: Balle, Barthe and Gaboardi, Privacy Amplification by Subsampling, Theorem 10.

    >>> from fractions import Fraction as F
    >>> replacement_ratio(F(10), 2, F(1, 3))
    Fraction(6, 1)
    """
    return subsampled_ratio(k, replacement_rate(draws, share))


@domain(deltas=RealVector(), share=RATE)
def replacement_delta(deltas: Matrix, share: Number) -> Number:
    """Additive part for the whole data set that a release about a sample with replacement gives.

    δ' = Σ_{j=1}^{m} C(m, j) q^j (1 − q)^(m−j) δ_j

    Given that the sample holds the record or its replacement, the two laws are P and Q, else both
    are R: with k' = 1 + θ(k − 1) and β = k'/k the divergence at k' is θ E_k(P ‖ (1 − β) R + β Q).
    Coupled copy by copy, j copies against j replacements, or against j fresh draws of the others,
    are j records apart.

    Parameters
    ----------
    deltas
        δ_1, …, δ_m at k of the release about the sample, when j records of it are replaced.
    share
        q = 1/n, the probability that one draw is the record.

    Returns
    -------
    δ' at k' = `replacement_ratio`, over the field of the arguments.

    Source: Balle, Barthe and Gaboardi, Privacy Amplification by Subsampling, Theorem 10.

    >>> from fractions import Fraction as F
    >>> replacement_delta([F(1, 10), F(2, 5)], F(1, 2))
    Fraction(3, 20)
    """
    check_argument("privacy.replacement_delta", "draws", DRAWS, len(deltas))
    return sum(
        (
            math.comb(len(deltas), j) * share**j * (1 - share) ** (len(deltas) - j) * delta
            for j, delta in enumerate(deltas, start=1)
        ),
        start=0 * share,
    )


@domain(mu=SHIFT, draws=DRAWS, share=RATE, k=RATIO)
def replacement_gaussian_delta(mu: Number, draws: int, share: Number, k: Number) -> Number:
    """Bound on the divergence of Gaussian noise on a sample with replacement.

    Σ_{j=1}^{m} C(m, j) q^j (1 − q)^(m−j) δ_{jμ}(ln κ), κ = 1 + (k − 1)/θ, θ = 1 − (1 − q)^m

    Exact for m = 1; `replacement_gaussian_bound` is sharper otherwise.

    Parameters
    ----------
    mu
        Largest distance of the sums of samples that differ in one record, over the standard
        deviation; positive.
    draws
        m.
    share
        q = 1/n, the probability that one draw is the record.
    k
        e^ε for the whole data set.

    Returns
    -------
    An upper bound on δ: a ball that contains the sum, or for floats a float that is right to its
    last digits.

    Source: Balle, Barthe and Gaboardi, Privacy Amplification by Subsampling, Theorem 10; j copies
    move the sum by at most jμ.

    >>> round(replacement_gaussian_delta(1.0, 10, 0.01, 1.5), 10)
    0.0043268339
    """

    def total() -> arb:
        shift, rate, ratio = (ball(numeric(number)) for number in (mu, share, k))
        copies = copies_in_sample(draws, rate)
        epsilon = log(component_ratio(ratio, replacement_rate(draws, rate)))
        parts = (
            weight * ball(gaussian_delta(j * shift, epsilon))
            for j, weight in enumerate(copies.weights[1:], start=1)
        )
        return sum(parts, start=_unknown(copies.rest))

    return as_asked((mu, share, k), total, GUARD_BITS)


@domain(mu=SHIFT, draws=DRAWS, share=RATE, k=RATIO)
def replacement_gaussian_attained(mu: Number, draws: int, share: Number, k: Number) -> Number:
    """Divergence that some data attain under Gaussian noise on a sample with replacement.

    max over (a, b) = (μ, 0), (0, −μ), (μ/2, −μ/2) of E_k(P ‖ Q), P = Σ_j b_j N(ja, 1) and
    Q = Σ_j b_j N(jb, 1), b_j = C(m, j) q^j (1 − q)^(m−j): all other records are at 0

    Every half-line {x > c} bounds E_k from below; c is a float next to where p = kq, so that the
    bound is E_k up to the square of that rounding.

    Parameters
    ----------
    mu
        Largest distance of the sums of samples that differ in one record, over the standard
        deviation; positive.
    draws
        m.
    share
        q = 1/n, the probability that one draw is the record.
    k
        e^ε for the whole data set.

    Returns
    -------
    A lower bound on δ: a ball that contains what the half-lines attain, or for floats a float that
    is right to its last digits.

    Source: ours.

    >>> round(replacement_gaussian_attained(1.0, 10, 0.01, 1.5), 10)
    0.0041330482
    """

    def best() -> arb:
        shift, rate, ratio = (ball(numeric(number)) for number in (mu, share, k))
        copies = copies_in_sample(draws, rate)
        zero, found = arb(0), arb(0)
        for first, second in ((shift, zero), (zero, -shift), (shift / 2, -shift / 2)):
            found = found.max(_beyond_threshold(copies, first, second, ratio))
        return found

    return as_asked((mu, share, k), best, GUARD_BITS)


def copies_in_sample(draws: int, share: arb, negligible: arb | None = None) -> Copies:
    """Return balls for C(m, j) q^j (1 − q)^(m−j), without a negligible rest at large j.

    The terms fall at least geometrically once their ratio is below 1, which bounds the rest.
    """
    if share == 1:
        return Copies([arb(0)] * draws + [arb(1)], arb(0))
    bound = arb(2) ** -(ctx.prec + LEFT_OUT_BITS) if negligible is None else negligible
    odds, weights = share / (1 - share), [(1 - share) ** draws]
    for j in range(draws):
        step = (draws - j) * odds / (j + 1)
        following = weights[-1] * step
        if step < 0.5 and 2 * following < bound:
            return Copies(weights, arb((2 * following).upper()))
        weights.append(following)
    return Copies(weights, arb(0))


def _beyond_threshold(copies: Copies, first: arb, second: arb, k: arb) -> arb:
    """Return P(X > c) − k Q(X > c), where c is next to where ln(p/q) = ln k."""
    logs = np.array([float(weight.log().mid()) if weight > 0 else -np.inf for weight in copies[0]])
    a, b = float(first), float(second)
    low, high = -NOWHERE + len(logs) * b, NOWHERE + len(logs) * a
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        reached = _log_mixture(logs, a, middle) - _log_mixture(logs, b, middle) > float(k.log())
        low, high = (low, middle) if reached else (middle, high)
    threshold = arb(high)
    p, q = (_mass_beyond(copies, step, threshold) for step in (first, second))
    return p - k * q


def _log_mixture(logs: Matrix, step: float, x: float) -> float:
    if step == 0:
        return 0.0
    places = step * np.arange(len(logs))
    return float(np.logaddexp.reduce(logs + places * x - places * places / 2))


def _mass_beyond(copies: Copies, step: arb, threshold: arb) -> arb:
    if step == 0:
        return normal_cdf(-threshold)
    total = _unknown(copies.rest)
    for j, weight in enumerate(copies.weights):
        total += weight * normal_cdf(j * step - threshold)
    return total


def _unknown(bound: arb) -> arb:
    """Return a ball for a number in [0, bound]."""
    return arb(0).union(bound)
