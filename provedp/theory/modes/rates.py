"""Rates of the modes paper: bandwidths, errors and the threshold, as exponents and bounds."""

from typing import NamedTuple

from provedp.theory.domain import Flag, Range, domain, integers, reals
from provedp.theory.numbers import Count, Number
from provedp.theory.privacy.functions import exp, log, transcendental

__all__ = [
    "bandwidth_exponent",
    "error_exponent",
    "local_error",
    "lower_bound_exponents",
    "public_bandwidth",
    "threshold_exponents",
]

SMOOTHNESS = reals(1, open_low=True)
DIMENSION = integers(1, symbolic=True)
POSITIVE = reals(0, open_low=True)
SHAPE: dict[str, Range] = dict(d=DIMENSION, beta=SMOOTHNESS)


class Exponents(NamedTuple):
    """A product of powers of n and of ln n."""

    n: Number
    log_n: Number


@domain(private=Flag(), **SHAPE)
def bandwidth_exponent(d: Count, beta: Number, private: bool = False) -> Number:
    """Exponent of the best bandwidth.

    h ∝ (ln n/n)^(1/(d + 2β)), or A_n^(1/(2d + 2β)) where privacy costs more than sampling

    Parameters
    ----------
    beta
        β, the smoothness.
    private
        Whether the privacy term dominates.

    Returns
    -------
    The exponent of ln n/n or of A_n = T d polylog/(n ε)², over the field of β.

    Source: modes paper, eq. (11) and (12).

    >>> bandwidth_exponent(2, 3), bandwidth_exponent(2, 3, True)
    (Fraction(1, 8), Fraction(1, 10))
    """
    return 1 / (2 * d + 2 * beta) if private else 1 / (d + 2 * beta)


@domain(private=Flag(), **SHAPE)
def error_exponent(d: Count, beta: Number, private: bool = False) -> Number:
    """Exponent of the mean squared error at the best bandwidth.

    (ln n/n)^(2(β − 1)/(d + 2β)), or A_n^((β − 1)/(d + β)) where privacy costs more

    Parameters
    ----------
    d, beta, private
        As for `bandwidth_exponent`.

    Returns
    -------
    The exponent of ln n/n or of A_n, over the field of β.

    Source: modes paper, Theorem 4.3 and eq. (17).

    >>> error_exponent(2, 3), error_exponent(2, 3, True)
    (Fraction(1, 2), Fraction(2, 5))
    """
    return (beta - 1) / (d + beta) if private else 2 * (beta - 1) / (d + 2 * beta)


@domain(**SHAPE)
def threshold_exponents(d: Count, beta: Number) -> Exponents:
    """Exponents of the ε at which privacy begins to cost more than sampling.

    ε_thr ∝ (ln n/n)^(−d/(2(d + 2β))) (n ln n)^(−1/2) = n^(−β/(d + 2β)) (ln n)^(−(d + β)/(d + 2β))

    Parameters
    ----------
    d, beta
        As for `bandwidth_exponent`.

    Returns
    -------
    The exponents of n and of ln n, over the field of β.

    Source: modes paper, eq. (11).

    >>> [str(part) for part in threshold_exponents(2, 3)]
    ['-3/8', '-5/8']
    """
    whole = d + 2 * beta
    return Exponents(-beta / whole, -(d + beta) / whole)


@domain(**SHAPE)
def lower_bound_exponents(d: Count, beta: Number) -> tuple[Number, Number]:
    """Exponents of the minimax lower bound.

    n^(−2(β − 1)/(d + 2β)) + (n ε)^(−2(β − 1)/(d + β))

    Parameters
    ----------
    d, beta
        As for `bandwidth_exponent`.

    Returns
    -------
    The exponents of 1/n and of 1/(n ε), over the field of β.

    Source: modes paper, Theorem 4.6.

    >>> [str(part) for part in lower_bound_exponents(2, 3)]
    ['1/2', '4/5']
    """
    return error_exponent(d, beta), 2 * error_exponent(d, beta, True)


@domain(h=POSITIVE, sampling=reals(0), privacy=reals(0), **SHAPE)
def local_error(h: Number, d: Count, beta: Number, sampling: Number, privacy: Number) -> Number:
    """Bound on the mean squared error of one start in a basin, up to a constant.

    R_n(h) = h^(2(β − 1)) + sampling h^(−(d + 2)) + privacy h^(−2(d + 1))

    Parameters
    ----------
    d, beta
        As for `bandwidth_exponent`.
    sampling
        ln n/n.
    privacy
        A_n.

    Returns
    -------
    R_n(h): a float for floats, an expression for symbols, a ball for balls and exact numbers.

    Source: modes paper, eq. (16).

    >>> round(local_error(0.5, 1, 3.0, 0.01, 0.001), 6)
    0.1585
    """
    width = transcendental(h)
    bias = width ** (2 * (transcendental(beta) - 1))
    noise = transcendental(privacy) * width ** (-2 * (d + 1))
    return bias + transcendental(sampling) * width ** -(d + 2) + noise


@domain(n=integers(2), d=integers(1))
def public_bandwidth(n: int, d: int) -> Number:
    """Bandwidth that does not look at the data.

    h = (ln n/n)^(1/(d + 6)), the best rate for β = 3

    Parameters
    ----------
    n
        Number of records, public.

    Returns
    -------
    h, a ball.

    Source: modes paper, Section 5.1.

    >>> public_bandwidth(1000, 2)
    [0.536929317376795 +/- 5.80e-16]
    """
    size = transcendental(n)
    return exp(log(log(size) / size) / (d + 6))
