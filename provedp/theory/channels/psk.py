"""M-ary phase-shift keying over white Gaussian noise, with the nearest-neighbour detector."""

import functools
import math
from collections.abc import Callable

from flint import acb, arb
from scipy.special import ndtr, owens_t

from provedp.theory.domain import Choice, domain, integers, reals
from provedp.theory.matrices import Matrix, circulant, matrix
from provedp.theory.numbers import Number

__all__ = ["psk_matrix", "psk_row"]

CONVENTION = Choice(("symbol", "dimension", "bit"))


@domain(m=integers(2), snr=reals(0), convention=CONVENTION)
def psk_row(m: int, snr: Number, convention: str = "symbol") -> Matrix:
    """Probabilities that the detector is off by 0, 1, …, m − 1 points of the circle.

    t_0 = 1 − 2 G(π/m), t_r = G((2r − 1)π/m) − G((2r + 1)π/m) for 1 ≤ r < m/2,
    t_(m/2) = 2 G((m − 1)π/m), t_(m−r) = t_r, where G(ψ), the probability of a phase error in
    (ψ, π), is Φ(−h)/2 + T(h, cot ψ) with Owen's T and h = √(2 E_s/N₀) sin ψ

    Parameters
    ----------
    m
        Number of points.
    snr
        Signal-to-noise ratio (a ratio, not in decibels).
    convention
        What the ratio is. "symbol": E_s/N₀, with N₀ the total variance of the complex noise, N₀/2
        in each real dimension. "dimension": E_s/σ² with σ² = N₀/2 (so E_s/N₀ = snr/2). "bit":
        E_b/N₀, energy per bit (so E_s/N₀ = snr · log₂ m).

    Returns
    -------
    A vector of length m that sums to one. A ball gives balls that contain the probabilities, at
    flint's current precision; any other number gives floats with an absolute error below 2e-15,
    of which differences that rounding makes negative are returned as 0.

    Raises
    ------
    ValueError
        If the ratio is symbolic.

    Source: counting paper, Section VI.

    >>> psk_row(2, 0).tolist()
    [0.5, 0.5]
    """
    row: Matrix = matrix([_row(m, _symbol_ratio(m, _float_or_ball(snr), convention))])[0]
    return row


@domain(m=integers(2), snr_db=reals(), convention=CONVENTION)
def psk_matrix(m: int, snr_db: Number, convention: str = "symbol") -> Matrix:
    """Transition matrix of m-ary phase-shift keying over white Gaussian noise (T).

    t_ij = t_((j − i) mod m) of `psk_row` at the ratio 10^(snr_db/10)

    Parameters
    ----------
    m
        Number of points.
    snr_db
        Signal-to-noise ratio in decibels.
    convention
        What the ratio is, as for `psk_row`.

    Returns
    -------
    An m × m symmetric circulant row-stochastic matrix, of balls or floats as for `psk_row`.

    Raises
    ------
    ValueError
        If the ratio is symbolic.

    Source: counting paper, Section VI.

    >>> [round(t, 6) for t in psk_matrix(2, 0.0)[0].tolist()]
    [0.92135, 0.07865]
    """
    decibels = _float_or_ball(snr_db)
    ten = arb(10) if isinstance(decibels, arb) else 10.0
    ratio = _symbol_ratio(m, ten ** (decibels / 10), convention)
    return circulant(_row(m, ratio))


def _float_or_ball(value: Number) -> float | arb:
    if isinstance(value, arb):
        return value
    try:
        return float(value)
    except TypeError:
        raise ValueError(f"A signal-to-noise ratio must be a number. Got {value}.") from None


def _symbol_ratio(m: int, snr: Number, convention: str) -> Number:
    """Return E_s/N₀."""
    if convention == "dimension":
        return snr / 2
    if convention == "bit":
        bits = arb(m).log() / arb(2).log() if isinstance(snr, arb) else math.log2(m)
        return snr * bits
    return snr


def _row(m: int, ratio: Number) -> list[Number]:
    if isinstance(ratio, arb):
        return _mirrored(m, functools.partial(_ball_tail, ratio), arb(0))
    return _mirrored(m, functools.partial(_float_tail, float(ratio)), 0.0)


def _mirrored(m: int, tail: Callable[[int, int], Number], zero: Number) -> list[Number]:
    """Return t_0, …, t_(m−1) from G at the odd multiples of π/m."""
    odd = [tail(step, m) for step in range(1, m, 2)]
    sectors = [high - low for high, low in zip(odd, [*odd[1:], zero], strict=True)]
    if m % 2 == 0:
        sectors[-1] = 2 * odd[-1]
    if not isinstance(zero, arb):
        sectors = [max(sector, zero) for sector in sectors]
    others = [sectors[min(gap, m - gap) - 1] for gap in range(1, m)]
    return [1 - 2 * odd[0], *others]


def _float_tail(ratio: float, step: int, m: int) -> float:
    """Return G(π · step/m)."""
    angle = math.pi * step / m
    height = math.sqrt(2 * ratio) * math.sin(angle)
    return float(ndtr(-height) / 2 + owens_t(height, 1 / math.tan(angle)))


def _ball_tail(ratio: arb, step: int, m: int) -> arb:
    """Return G(π · step/m); Owen's T is an integral along the real axis."""
    angle = arb(step) / m
    square = ratio * angle.sin_pi() ** 2

    def integrand(x: acb, analytic: bool) -> acb:
        factor = 1 + x * x
        return (-square * factor).exp() / factor

    owen = acb.integral(integrand, 0, angle.cot_pi()).real / (2 * arb.pi())
    height = (ratio.sqrt() if ratio > 0 else ratio.nonnegative_part().sqrt()) * angle.sin_pi()
    return height.erfc() / 4 + owen
