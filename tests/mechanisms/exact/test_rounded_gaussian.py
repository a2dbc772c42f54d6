"""Rounded Gaussian noise: the quantile of a uniform number, rounded where all its bits agree."""

from fractions import Fraction as Q

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from provedp.mechanisms.exact.rounded_gaussian import FIRST_BITS, RoundedGaussian

SIGMAS = [Q(1, 3), Q(1), Q(7, 2), Q(10**9), Q(10**30) + Q(1, 7)]


class Bits:
    """A byte source that gives prepared bits, in order."""

    def __init__(self, *parts: tuple[int, int]):
        self.parts = list(parts)

    def bytes(self, length: int, /) -> bytes:
        bits, value = self.parts.pop(0)
        assert bits == 8 * length
        return value.to_bytes(length, "little")


def quantile(sigma: Q, u: mpmath.mpf) -> mpmath.mpf:
    scale = mpmath.mpf(sigma.numerator) / sigma.denominator
    return scale * mpmath.sqrt(2) * mpmath.erfinv(2 * u - 1)


@given(st.integers(2**80, 2**128 - 2**80), st.sampled_from(SIGMAS[:4]))
def test_draw_is_the_rounded_quantile(uniform: int, sigma: Q) -> None:
    found = RoundedGaussian(sigma)._rounded(uniform, FIRST_BITS)
    with mpmath.workdps(80):
        ends = [quantile(sigma, mpmath.mpf(uniform + end) / 2**128) for end in (0, 1)]
        rounded = {int(mpmath.floor(end + mpmath.mpf(1) / 2)) for end in ends}
    assert rounded == {found} or (found is None and len(rounded) == 2)


@pytest.mark.parametrize("sigma", SIGMAS[:3])
def test_more_bits_are_drawn_where_the_first_leave_two_integers(sigma: Q) -> None:
    with mpmath.workdps(120):
        half = mpmath.mpf(1) / 2
        edge = mpmath.erfc(
            -half / (mpmath.mpf(sigma.numerator) / sigma.denominator * mpmath.sqrt(2))
        )
        first = int(mpmath.floor(edge / 2 * 2**128))
    noise = RoundedGaussian(sigma)
    assert noise._rounded(first, FIRST_BITS) is None
    assert noise.draw(Bits((128, first), (64, 0))) == 0
    assert noise.draw(Bits((128, first), (64, 2**64 - 1))) == 1


@pytest.mark.parametrize("end", [0, 2**128 - 1])
def test_the_ends_of_the_unit_interval_need_more_bits(end: int) -> None:
    noise = RoundedGaussian(Q(5))
    assert noise._rounded(end, FIRST_BITS) is None
    low = end == 0
    found = noise.draw(Bits((128, end), (64, 2**63)))
    with mpmath.workdps(80):
        u = (mpmath.mpf(end) + mpmath.mpf(1) / 2) / 2**128
        assert found == int(mpmath.floor(quantile(Q(5), u) + mpmath.mpf(1) / 2))
    assert (found < -60) if low else (found > 60)


def test_frequencies_are_those_of_the_rounded_normal_law() -> None:
    """One chi-square test at level 1e-6, fixed seed."""
    draws = np.array(RoundedGaussian(Q(3, 2)).added_to([0] * 20_000, np.random.default_rng(5)))
    cells = np.arange(-4, 5)
    edges = np.concatenate([[-np.inf], np.arange(-4.5, 5), [np.inf]])[1:-1]
    probabilities = np.diff(stats.norm.cdf(edges / 1.5), prepend=0, append=1)
    counts = np.bincount(np.clip(draws, -5, 5) + 5, minlength=11)
    assert len(counts) == len(probabilities) == len(cells) + 2
    assert stats.chisquare(counts, probabilities * len(draws)).pvalue > 1e-6


def test_secret_draws_differ() -> None:
    assert len(set(RoundedGaussian(Q(10**30)).added_to([0] * 4))) == 4


@pytest.mark.parametrize("sigma", [Q(0), Q(-1)])
def test_a_deviation_that_is_not_positive_is_refused(sigma: Q) -> None:
    with pytest.raises(ValueError, match="'sigma' must be a positive number"):
        RoundedGaussian(sigma)
