"""Rounds on samples with replacement: pairs that dominate, against sums over the plane."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.releases import SampledWithReplacementGaussian
from provedp.verify.accounting.replaced_records import TOLD, DrawnRecord, drawn_record
from provedp.verify.accounting.tilting import Composed

STEP = 0.04
KINK = 2e-3  # relative error of a sum across the line where p = kq


def mixtures(draws: int, share: float, a: complex, b: complex) -> tuple[np.ndarray, np.ndarray]:
    """Both laws in the plane, where every copy moves the mean by a, or by b; others are at 0."""
    x, y = np.meshgrid(np.arange(-8, 14, STEP), np.arange(-8, 14, STEP))
    found = []
    for step in (a, b):
        total = np.zeros_like(x)
        for j in range(draws + 1):
            mean = j * step
            density = np.exp(-((x - mean.real) ** 2 + (y - mean.imag) ** 2) / 2) / (2 * math.pi)
            total += stats.binom.pmf(j, draws, share) * density
        found.append(total)
    return found[0], found[1]


@pytest.mark.parametrize("told", [TOLD[0], TOLD[1], TOLD[2]])
@pytest.mark.parametrize("angle", [0.0, math.pi / 3])
def test_no_record_exceeds_the_pairs(told: float, angle: float) -> None:
    mu, draws, size = 1.0, 3, 40
    p, q = mixtures(draws, 1 / size, mu + 0j, mu * angle / (math.pi / 3) * np.exp(1j * angle))
    record = DrawnRecord(mu, draws, F(1, size), told)
    assert record.weight <= 0.5
    grid, last = record.deepest / 1500, 1500
    laws = [Composed([(law, 1)], True) for law in record.laws(grid, last)]
    alone = Composed([(record.alone(grid, last), 1)], True)
    for k in (1.0, 1.1, 2.0, 5.0):
        for first, second in ((p, q), (q, p)):
            exact = float(np.maximum(first - k * second, 0).sum()) * STEP * STEP
            assert exact * (1 - KINK) <= alone.delta(math.log(k))
            # Above k = 1 the first interval holds what is there, whichever triangle it is.
            assert exact * (1 - KINK) <= laws[0].delta(math.log(k))


def test_weights_and_rates_give_the_probabilities_of_copies() -> None:
    record = DrawnRecord(0.7, 6, F(1, 40), 0.1)
    first, once, often, rest = record._parts
    chances = [first * once.rate, *(weight * other.rate for weight, other in often)]
    for j, chance in enumerate(chances, start=1):
        assert chance == pytest.approx(float(stats.binom.pmf(j, 6, 1 / 40)), rel=1e-12)
    assert first + sum(weight for weight, _ in often) + rest == pytest.approx(1, abs=1e-14)
    assert [other.mu for _, other in often] == pytest.approx(
        [0.7 * j for j in range(2, len(often) + 2)]
    )
    assert rest >= float(stats.binom.sf(len(often) + 1, 6, 1 / 40)) * (1 - 1e-9)


def test_a_bracket_of_many_rounds_is_narrow() -> None:
    low, high = compose([(SampledWithReplacementGaussian(1, 10, 1000), 100)]).epsilon(1e-5)
    assert 0.784 <= low <= high <= 0.825  # 2.673 if the number of copies is told


def test_records_that_are_drawn_often_have_the_pair_that_tells_all() -> None:
    assert drawn_record(1.0, 90, F(1, 100), 5) is None
    event = SampledWithReplacementGaussian(0.5, 40, 100)
    assert event.blocks(5) == []
    low, high = compose([(event, 5)]).delta(1.0)
    assert 0 < low < high < 1


@pytest.mark.slow
def test_little_noise_and_many_copies() -> None:
    low, high = compose([(SampledWithReplacementGaussian(7.9, 20, 1000), 3)]).epsilon(1e-3)
    assert 0 < low < high < 1000
