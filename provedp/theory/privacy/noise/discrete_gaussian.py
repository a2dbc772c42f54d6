"""The discrete Gaussian law against an integer shift."""

from flint import arb, ctx

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.functions import numeric, positive_part
from provedp.theory.sharp_floats import as_asked

__all__ = ["discrete_gaussian_delta"]

GUARD_BITS = 64  # neighbouring terms agree in many bits
WIDEST = 10**4  # the sums have about 15 σ terms


@domain(sigma=reals(0, WIDEST, open_low=True), epsilon=reals(0, 700), shift=integers(1))
def discrete_gaussian_delta(sigma: Number, epsilon: Number, shift: int = 1) -> Number:
    """Privacy profile of discrete Gaussian noise.

    δ(ε) = Σ_x (p(x) − e^ε p(x + Δ))⁺, p(x) ∝ e^(−x²/(2σ²)) over the integers

    Parameters
    ----------
    sigma
        σ, which is the standard deviation but for a relative error that is tiny unless σ is.
    shift
        Δ.

    Returns
    -------
    The hockey-stick divergence, the same in both directions: a ball, or for floats a float
    that is right to its last digits. Some integers on both sides are summed, the rest is bounded by
    a geometric series.

    Source: Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy, Theorem 7.

    >>> round(discrete_gaussian_delta(3.7306, 1.0), 9)
    1.0347e-05
    """
    numbers = (sigma, epsilon)

    def delta() -> arb:
        width, level = (ball(numeric(number)) for number in numbers)
        return _excess(1 / (2 * width * width), level.exp(), shift) / _total(width)

    return as_asked(numbers, delta, GUARD_BITS)


def _last(rate: arb) -> int:
    """Return an integer beyond which the weights are too small to matter."""
    return int(float(((ctx.prec * arb(2).log()) / rate).sqrt().upper())) + 2


def _tail(rate: arb, last: int) -> arb:
    """Return a ball that contains Σ_{x > last} e^(−rate x²): its ratios fall."""
    first = (-rate * (last + 1) ** 2).exp()
    return arb(0).union((first / (1 - (-rate * (2 * last + 3)).exp())).upper())


def _total(width: arb) -> arb:
    """Return Σ e^(−x²/(2σ²)) over all integers."""
    rate = 1 / (2 * width * width)
    last = _last(rate)
    half = sum(((-rate * x * x).exp() for x in range(1, last + 1)), start=arb(0))
    return 1 + 2 * (half + _tail(rate, last))


def _excess(rate: arb, k: arb, shift: int) -> arb:
    """Return Σ_x (e^(−rate x²) − k e^(−rate (x + Δ)²))⁺, of which terms far to the left are 0."""
    last = _last(rate)

    def term(x: int) -> arb:
        here = (-rate * x * x).exp()
        found: arb = positive_part(here - k * (-rate * (x + shift) ** 2).exp())
        return found

    # The ratio of a term's two parts increases with x and is at most 1 at x = −Δ/2, for k ≥ 1.
    return sum((term(x) for x in range(-(shift // 2), last + 1)), start=_tail(rate, last))
