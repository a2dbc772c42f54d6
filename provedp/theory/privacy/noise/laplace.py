"""Laplace, exponential and geometric noise against a shift, in closed form.

`k` stands for e^ε (ε in nats), so that rationals stay rational.
"""

import functools
import math

from flint import arb

from provedp.theory.domain import Choice, domain, integers, reals
from provedp.theory.numbers import Number, ball, maximum, rational
from provedp.theory.privacy.calibration import DELTA, Calibration, Exact, calibrated_float, log_of
from provedp.theory.privacy.functions import positive_part

__all__ = [
    "geometric_delta",
    "geometric_least_ratio",
    "geometric_noise",
    "laplace_delta",
    "support_loss_delta",
]

RATIO = reals(1)
DECAY = reals(0, 1, open_low=True, open_high=True)
DIRECTION = Choice(("both", "from", "onto"))


@domain(root=RATIO, decay=DECAY)
def laplace_delta(root: Number, decay: Number) -> Number:
    """Privacy profile of Laplace noise.

    δ = (1 − √k √a)⁺ = (1 − e^((ε − Δ/b)/2))⁺, a = e^(−Δ/b)

    Parameters
    ----------
    root
        √k = e^(ε/2).
    decay
        √a = e^(−Δ/(2b)), for a shift Δ and noise of density e^(−|x|/b)/(2b).

    Returns
    -------
    The hockey-stick divergence, the same in both directions, over the field of the arguments.

    Source: ours; the worst event is a half-line that ends halfway between the two centres, moved by
    bε/2 away from the shift.

    >>> from fractions import Fraction as F
    >>> laplace_delta(F(3, 2), F(1, 2))
    Fraction(1, 4)
    """
    return positive_part(1 - root * decay)


@domain(k=RATIO, decay=DECAY, direction=DIRECTION)
def support_loss_delta(k: Number, decay: Number, direction: str = "both") -> Number:
    """Privacy profile of noise whose likelihood ratio is constant where both laws live.

    E_k(P ‖ Q) = 1 − a, E_k(Q ‖ P) = (1 − k a)⁺, for Q = P + shift, k ≥ 1 and p = a q on supp Q

    One-sided exponential noise of scale b has a = e^(−Δ/b) for a shift Δ, one-sided geometric noise
    r^Δ, and Wishart noise W_d(V, d + 1) e^(−tr(V⁻¹E)/2) for a positive semidefinite shift E.
    The larger one is 1 − a for every ε: no ε buys a smaller δ.

    Parameters
    ----------
    decay
        a, the probability under P of the support of Q.
    direction
        "from": E_k(P ‖ Q), from the unshifted law; "onto": E_k(Q ‖ P); "both": the larger.

    Returns
    -------
    The divergence, over the field of the arguments.

    Source: ours.

    >>> from fractions import Fraction as F
    >>> [str(support_loss_delta(F(3, 2), F(1, 2), way)) for way in ("both", "from", "onto")]
    ['1/2', '1/2', '1/4']
    """
    return positive_part(1 - k * decay) if direction == "onto" else 1 - decay


@domain(k=RATIO, decay=DECAY, shift=integers(1))
def geometric_delta(k: Number, decay: Number, shift: int) -> Number:
    """Privacy profile of two-sided geometric noise (discrete Laplace) against an integer shift.

    δ = max over 0 ≤ t < Δ/2 of (1 − (r^(t+1) + k r^(Δ−t))/(1 + r))⁺, for P(x) ∝ r^|x|

    Parameters
    ----------
    decay
        r; e^(−1/b) for a discrete Laplace law of scale b.
    shift
        Δ.

    Returns
    -------
    The hockey-stick divergence, the same in both directions, over the field of the arguments, in
    O(Δ) operations.

    Source: ours; the worst event is {x ≤ t} for some t.

    >>> from fractions import Fraction as F
    >>> geometric_delta(F(3, 2), F(1, 2), 1), geometric_delta(F(2), F(1, 2), 1)
    (Fraction(1, 6), Fraction(0, 1))
    """
    gaps = (
        1 - (decay ** (t + 1) + k * decay ** (shift - t)) / (1 + decay)
        for t in range((shift + 1) // 2)
    )
    return functools.reduce(maximum, gaps, 0 * k)


@domain(decay=DECAY, delta=reals(0, 1, open_high=True), shift=integers(1))
def geometric_least_ratio(decay: Number, delta: Number, shift: int) -> Number:
    """Least k for which two-sided geometric noise is (ln k, δ)-private against an integer shift.

    k = max(1, max over 0 ≤ t < Δ/2 of ((1 − δ)(1 + r) − r^(t+1)) / r^(Δ−t))

    Parameters
    ----------
    decay
        r.
    shift
        Δ.

    Returns
    -------
    e^ε for the least ε, over the field of the arguments; r^(−Δ) for δ = 0.

    Source: ours, `geometric_delta` solved for k.

    >>> from fractions import Fraction as F
    >>> geometric_least_ratio(F(1, 2), F(0), 3), geometric_least_ratio(F(1, 2), F(1, 6), 1)
    (Fraction(8, 1), Fraction(3, 2))
    """
    inside = (1 - delta) * (1 + decay)
    ratios = ((inside - decay ** (t + 1)) / decay ** (shift - t) for t in range((shift + 1) // 2))
    return functools.reduce(maximum, ratios, 0 * decay + 1)


@domain(k=Exact(1), delta=DELTA, shift=integers(1))
def geometric_noise(k: Number, delta: Number, shift: int) -> Calibration:
    """Least two-sided geometric noise for a target (ln k, δ) against an integer shift.

    min {r : δ(k, r, Δ) ≤ δ}; for Δ = 1 the real minimum is r = (1 − δ)/(k + δ)

    δ falls as r grows: the noise of ratio r' > r is that of ratio r plus independent noise, which
    is 0 with probability (r/r') ((1 − r')/(1 − r))² and otherwise of ratio r'.

    Parameters
    ----------
    k
        e^ε; not both k = 1 and δ = 0. Floats are the dyadic numbers they are; of a ball, the
        end on the side of privacy counts.
    delta
        δ, likewise.
    shift
        Δ.

    Returns
    -------
    The least float r that meets the target and its δ, and the next smaller float, which does not.

    Raises
    ------
    ValueError
        If no float r < 1 meets the target.

    Source: ours.

    >>> geometric_noise(2, 0, 1).value, geometric_noise(2, 0, 1).delta_at_value
    (0.5, 0)
    """
    if k == 1 and delta == 0:
        raise ValueError("No geometric noise has ε = 0 and δ = 0.")

    def delta_at(decay: float) -> arb:
        return ball(geometric_delta(k, Exact(0).read(decay), shift)) if decay < 1 else arb(0)

    guess = math.exp(-log_of(k) / shift) if k > 1 else 0.5
    found = calibrated_float(delta_at, rational(delta), guess, +1)
    if found.value >= 1:
        raise ValueError(f"No float r < 1 meets δ = {delta} at k = {k}.")
    return found
