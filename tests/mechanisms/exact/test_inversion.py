"""Draws by inversion: what every number with the drawn bits reaches; more bits if need be."""

from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from provedp.mechanisms.exact.geometric import CappedGeometric, Geometric, GeometricDigit, IsBeyond
from provedp.mechanisms.exact.inversion import WORD, ExactSampler
from provedp.mechanisms.exact.sampling import random_bits
from provedp.verify.spending.laws import decides_as_it_says

LAW = [F(1, 12), F(0), F(5, 12), F(1, 4), F(1, 4), F(0)]


class Words:
    """A source with a few words in it."""

    def __init__(self, *words):
        self.words = list(words)

    def bytes(self, length):
        return self.words.pop(0).to_bytes(length, "little")


def test_places_by_hand():
    """1/12, 1/12, 1/2, 3/4, 1 of 2^64: the middle of each place, and the cuts that are dyadic."""
    sampler = ExactSampler(LAW)
    for share, place in [(F(1, 24), 0), (F(1, 4), 2), (F(5, 8), 3), (F(7, 8), 4)]:
        assert sampler.draw(Words(int(share * 2**WORD))) == place
    half = 1 << (WORD - 1)
    assert [sampler.draw(Words(word)) for word in (half - 1, half)] == [2, 3]
    assert [sampler.draw(Words(word)) for word in (0, 2**WORD - 1)] == [0, 4]


def test_a_word_that_does_not_decide_is_followed_by_another():
    """2^64/12 is between two integers: with the lower one, the next word says on which side."""
    sampler, low = ExactSampler(LAW), 2**WORD // 12
    rest = F(2**WORD, 12) - low
    for word, place in [(int(rest * 2**WORD) - 1, 0), (int(rest * 2**WORD) + 1, 2)]:
        source = Words(low, word)
        assert sampler.draw(source) == place
        assert source.words == []


def test_tiny_probabilities_are_drawn_without_rounding():
    tiny = F(1, 3**200)
    sampler = ExactSampler([tiny, 1 - tiny])
    assert sampler.draw(Words(1)) == 1
    assert sampler.draw(Words(0, 0, 0, 0, 0, 0)) == 0  # 2^320/3^200 is 8.02
    assert [sampler.draw(Words(0, 0, 0, 0, word)) for word in (7, 9)] == [0, 1]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=30).filter(any))
def test_exact_samplers_decide_rightly(weights):
    assert decides_as_it_says(ExactSampler([F(weight, sum(weights)) for weight in weights]))


RATIOS = [F(3), F(4), F(3, 2), 1 + F(1, 10**9), 1 + F(1, 10**30), F(10**40)]


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize(("unit", "size"), [(1, 2), (1, 16), (16, 4)])
def test_digits_decide_rightly(ratio, unit, size):
    assert decides_as_it_says(GeometricDigit(ratio, unit, size))
    assert decides_as_it_says(IsBeyond(ratio, unit * size))


@pytest.mark.parametrize("error", [-50, -60])
def test_a_wrong_digit_is_seen(error):
    class Wrong(GeometricDigit):
        def cuts(self, bits):
            with ctx.workprec(bits + 64):
                return [cut + arb(2) ** error for cut in super().cuts(bits)]

    assert decides_as_it_says(GeometricDigit(F(3, 2), 1, 8))
    assert not decides_as_it_says(Wrong(F(3, 2), 1, 8))


def test_digits_of_a_geometric_number_are_its_digits():
    """P(d) ∝ k^(−d): products of digits' probabilities, by hand for 10 bits of two digits."""
    k = F(11, 10)
    low, high = GeometricDigit(k, 1, 256), GeometricDigit(k, 256, 4)
    total = sum(k**-d for d in range(1024))
    for d in (0, 1, 255, 256, 700, 1023):
        product = low.probabilities()[d % 256] * high.probabilities()[d // 256]
        assert product == k**-d / total


def test_geometric_numbers_have_the_mean_of_their_law():
    """1/(k − 1) = 1000, deviation 1000.5: of 4000 draws, the mean is within five of 15.8."""
    rng, noise = np.random.default_rng(5), Geometric(1 + F(1, 1000), 20)
    drawn = [noise.draw(rng) for _ in range(4000)]
    assert abs(np.mean(drawn) - 1000) < 5 * 15.8


def test_capped_numbers_gather_at_the_cap():
    """P(D ≥ 3) = 1/8 for k = 2: of 4000 draws, 500 with a deviation of 20.9."""
    rng, noise = np.random.default_rng(6), CappedGeometric(F(2), 3)
    drawn = [noise.draw(rng) for _ in range(4000)]
    assert set(drawn) == {0, 1, 2, 3}
    assert abs(drawn.count(3) - 500) < 5 * 21


def test_secret_draws_differ():
    noise = Geometric(1 + F(1, 10**30), 120)
    assert len({noise.draw() for _ in range(20)}) == 20
    assert random_bits(64) != random_bits(64)
