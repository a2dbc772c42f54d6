"""Phase-shift keying against published values, closed forms and an independent integral."""

import math
from fractions import Fraction as F

import flint
import numpy as np
import pytest
from flint import arb
from scipy.integrate import quad
from scipy.special import ndtr

from provedp.theory.channels import psk_matrix, psk_row
from provedp.theory.numbers import ball_contains

FLOAT_ERROR = 2e-15  # the stated accuracy of float rows
INTEGRAL_ERROR = 1e-11  # quad's own tolerance, with a margin

# First half rows, from two independent integrals that agree to 1e-40.
ROWS = {
    (8, 0): (
        "0.42309442267823097898",
        "0.21518668455255488699",
        "0.050851617446228414904",
        "0.016681062704334273296",
        "0.011466847915533870634",
    ),
    (8, 5): (
        "0.66477394621552832235",
        "0.15891557521189708658",
        "0.0073169791630355736497",
        "0.0010686107356534787093",
        "0.0006237235632993997674",
    ),
    (8, 10): (
        "0.91299523988309671173",
        "0.043485029316461209049",
        "0.000016698139875890165846",
        "5.2201356048123782644e-7",
        "2.611771081273622313e-7",
    ),
    (16, 10): (
        "0.61704834054833196819",
        "0.18499092250627463022",
        "0.0063851222257888430675",
        "0.000095058997956756655629",
        "3.6847237893852553351e-6",
        "5.9986285488535366605e-7",
        "2.3283851072735871041e-7",
        "1.4554992516333472828e-7",
        "1.260414672493109109e-7",
    ),
    (3, 3): ("0.92585557420737829428", "0.037072212896310852858"),
}


@pytest.mark.parametrize(("m", "decibels"), ROWS)
def test_floats_have_the_stated_accuracy(m, decibels):
    row = psk_matrix(m, float(decibels))[0]
    for entry, known in zip(row, ROWS[m, decibels], strict=False):
        assert abs(entry - float(known)) <= FLOAT_ERROR


@pytest.mark.parametrize(("m", "decibels"), ROWS)
def test_balls_contain_the_known_digits_and_are_narrow(m, decibels):
    with flint.ctx.workprec(128):
        row = psk_matrix(m, arb(decibels))[0]
        for entry, known in zip(row, ROWS[m, decibels], strict=False):
            digits = len(known.split("e")[0].replace("0.", "", 1).lstrip("0").replace(".", ""))
            last_digit = arb(known) * arb(10) ** (1 - digits)
            assert (entry - arb(known)).overlaps(arb(0, last_digit.upper()))
            assert entry.rad() < 1e-33


@pytest.mark.parametrize("m", [2, 3, 4, 7, 8, 64, 129])
@pytest.mark.parametrize("decibels", [-20, 0, 7, 20, 40])
def test_floats_agree_with_balls(m, decibels):
    floats = psk_matrix(m, float(decibels))[0]
    with flint.ctx.workprec(96):
        balls = psk_matrix(m, arb(decibels))[0]
        assert all(abs(b - arb(f)) <= FLOAT_ERROR for f, b in zip(floats, balls, strict=True))


@pytest.mark.parametrize("m", [2, 3, 4, 5, 8, 16, 64])
@pytest.mark.parametrize("decibels", [-10.0, 3.0, 15.0, 60.0])
def test_the_matrix_is_a_symmetric_circulant_law(m, decibels):
    matrix = psk_matrix(m, decibels)
    assert np.all(matrix >= 0)
    assert np.max(np.abs(matrix.sum(axis=1) - 1)) <= 1e-12
    assert np.array_equal(matrix, matrix.T)
    assert all(np.array_equal(np.roll(matrix[0], i), matrix[i]) for i in range(m))


@pytest.mark.parametrize("snr", [0.0, 0.3, 1.0, 4.0, 25.0])
def test_two_and_four_points_have_their_closed_forms(snr):
    wrong = ndtr(-math.sqrt(2 * snr))
    assert psk_row(2, snr) == pytest.approx([1 - wrong, wrong], abs=FLOAT_ERROR)
    q = ndtr(-math.sqrt(snr))
    expected = [(1 - q) ** 2, q * (1 - q), q**2, q * (1 - q)]
    assert psk_row(4, snr) == pytest.approx(expected, abs=FLOAT_ERROR)


@pytest.mark.parametrize("snr", [0.5, 1.0, 10.0])
def test_pairs_of_sectors_of_eight_points_are_products(snr):
    # Sectors r and r + 1 of eight make a quadrant, in whose axes the noise is independent.
    row = psk_row(8, snr)
    for r in range(4):
        edge, sent = math.pi * (2 * r - 1) / 8, math.sqrt(2 * snr)
        quadrant = ndtr(sent * math.cos(edge)) * ndtr(-sent * math.sin(edge))
        assert row[r] + row[r + 1] == pytest.approx(quadrant, abs=FLOAT_ERROR)


def craig(angle, snr):
    """Probability of a phase error beyond ±angle."""
    integral, _ = quad(
        lambda x: math.exp(-snr * math.sin(angle) ** 2 / math.sin(x) ** 2) if x else 0.0,
        0,
        math.pi - angle,
        epsabs=1e-13,
    )
    return integral / math.pi


@pytest.mark.parametrize("m", [3, 5, 8, 12])
@pytest.mark.parametrize("snr", [0.2, 2.0, 9.0])
def test_rows_agree_with_craigs_integral(m, snr):
    row = psk_row(m, snr)
    assert 1 - row[0] == pytest.approx(craig(math.pi / m, snr), abs=INTEGRAL_ERROR)
    beyond = craig(math.pi / m, snr) - craig(3 * math.pi / m, snr) if m > 3 else 1 - row[0]
    assert 2 * row[1] == pytest.approx(beyond, abs=INTEGRAL_ERROR)


def test_without_signal_all_points_are_equally_likely():
    assert psk_row(5, 0.0) == pytest.approx([0.2] * 5, abs=FLOAT_ERROR)
    assert all(ball_contains(entry, F(1, 7)) for entry in psk_row(7, arb(0)))


def test_conventions_are_scalings_of_one_another():
    assert np.array_equal(psk_row(8, 6.0, "dimension"), psk_row(8, 3.0))
    assert psk_row(8, 1.0, "bit") == pytest.approx(psk_row(8, 3.0), abs=FLOAT_ERROR)
    ball, symbol = psk_row(8, arb(1), "bit"), psk_row(8, arb(3))
    assert all(left.overlaps(right) for left, right in zip(ball, symbol, strict=True))


def test_a_wide_ball_contains_the_rows_of_its_points():
    wide = psk_row(8, arb(2, 0.01))
    for snr in (arb("1.991"), arb(2), arb("2.0099")):
        assert all(w.contains(p) for w, p in zip(wide, psk_row(8, snr), strict=True))
    assert max(float(entry.rad()) for entry in wide) < 0.05
    assert all(entry.is_finite() for entry in psk_row(4, arb(0, 1e-3)))
