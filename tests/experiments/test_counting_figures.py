"""The counting paper's figures, against values by hand, floats of another solver, and the text."""

from fractions import Fraction

import flint
import numpy as np
import pytest
from flint import arb
from scipy.optimize import linprog
from scipy.stats import norm

from provedp.experiments.counting.keying import PRECISION, figure2, keying_row
from provedp.experiments.counting.shared import figure1

# Figure 1 of the paper, by hand from (12): between the diagonal and the middle row or rows.
DRAWN = {
    4: ["x...", "xxxx", "xxxx", "...x"],
    5: ["x....", "xx...", "xxxxx", "...xx", "....x"],
}
ROWS = list(figure1(1))


@pytest.mark.parametrize("m", sorted(DRAWN))
def test_shared_entries_are_those_drawn(m: int) -> None:
    for row in (row for row in ROWS if row["m"] == m):
        drawn = DRAWN[m][row["i"] - 1][row["j"] - 1] == "x"
        assert (row["shared"], row["paper_shared"]) == (("yes", "yes") if drawn else ("no", "no"))


def test_the_canonical_release_is_that_of_theorem_1() -> None:
    """At e^ε = 2: 1/α = 1 + 1/2 + 1/4 + 1/2 = 9/4 for M = 4, and 1 + 2/2 + 2/4 = 5/2 for M = 5."""
    found = {(row["m"], row["i"], row["j"]): row["canonical"] for row in ROWS}
    assert [found[4, 1, j] for j in (1, 2, 3, 4)] == ["4/9", "2/9", "1/9", "2/9"]
    assert [found[5, 3, j] for j in (1, 2, 3, 4, 5)] == ["1/10", "1/5", "2/5", "1/5", "1/10"]


@pytest.mark.parametrize(("m", "i", "j"), [(4, 1, 2), (4, 2, 1), (4, 4, 1), (5, 1, 5), (5, 2, 3)])
def test_ranges_are_those_of_another_solver(m: int, i: int, j: int) -> None:
    """By floats: private at e^ε = 2 (each entry at most twice its neighbours), diagonal of P*."""
    (row,) = (row for row in ROWS if (row["m"], row["i"], row["j"]) == (m, i, j))
    size, diagonal = m * m, {4: 4 / 9, 5: 2 / 5}[m]
    sums = np.kron(np.eye(m), np.ones(m))
    bounds = []
    for a in range(m):
        for b in (a - 1, a + 1):
            if 0 <= b < m:
                for column in range(m):
                    bound = np.zeros(size)
                    bound[a * m + column], bound[b * m + column] = 1, -2
                    bounds.append(bound)
    limits = [(diagonal - 1e-12 if p % (m + 1) == 0 else 0, 1) for p in range(size)]
    ends = []
    for sign in (1, -1):
        cost = np.zeros(size)
        cost[(i - 1) * m + j - 1] = sign
        found = linprog(cost, bounds, np.zeros(len(bounds)), sums, np.ones(m), limits)
        ends.append(sign * found.fun)
    exact = [float(Fraction(row["least"])), float(Fraction(row["largest"]))]
    assert ends == pytest.approx(exact, abs=1e-8)


def row_at(decibels: int, epsilon: Fraction) -> dict:
    with flint.ctx.workprec(PRECISION):
        return keying_row(decibels, epsilon)


def test_the_free_error_is_a_sum_of_eight_powers() -> None:
    """p_e* = 1 − 1/(1 + 2q + 2q² + 2q³ + q⁴) with q = e^(−ε), which no channel changes."""
    for epsilon in (Fraction(1, 2), Fraction(3)):
        q = np.exp(-float(epsilon))
        weight = 1 / (1 + 2 * q + 2 * q**2 + 2 * q**3 + q**4)
        assert row_at(10, epsilon)["free_error"] == pytest.approx(1 - weight, abs=1e-12)


def test_no_loss_up_to_two_nats_at_ten_decibels() -> None:
    """'When ε ≤ 2, there is no gain … beyond 10 dB': the optimum is p_e*, and at 0 dB it is not."""
    good, bad = row_at(10, Fraction(2)), row_at(0, Fraction(2))
    assert good["optimum"] == pytest.approx(good["free_error"], abs=1e-15)
    assert bad["optimum"] > bad["free_error"] + 0.1


def test_the_curves_saturate_at_the_channel() -> None:
    """l(T) = 1 − t_0: the error of 8-PSK, by integrating over the angle's law with floats."""
    row = row_at(5, Fraction(8))
    snr = 10**0.5
    axis = np.linspace(0, 12, 4001)
    half = np.tan(np.pi / 8)
    centre = np.sqrt(2 * snr)
    inside = norm.pdf(axis - centre) * (norm.cdf(half * axis) - norm.cdf(-half * axis))
    correct = np.trapezoid(inside, axis) if hasattr(np, "trapezoid") else np.trapz(inside, axis)
    assert row["channel_error"] == pytest.approx(1 - correct, abs=1e-6)
    assert row["optimum"] == pytest.approx(row["channel_error"], abs=1e-12)


def test_the_optimum_is_that_of_another_solver() -> None:
    """Where neither shortcut helps: 5 dB, ε = 2, by HiGHS with floats."""
    row = row_at(5, Fraction(2))
    with flint.ctx.workprec(PRECISION):
        from provedp.theory.channels import psk_matrix

        channel = np.array(
            [[float(entry.mid()) for entry in line] for line in psk_matrix(8, arb(5))]
        )
    ratio = np.exp(2.0)
    above, right = [], []
    for a in range(8):
        for b in (a - 1, a + 1):
            if 0 <= b < 8:
                for column in range(8):
                    bound = np.zeros(65)
                    bound[a * 8 : a * 8 + 8] = channel[:, column]
                    bound[b * 8 : b * 8 + 8] -= ratio * channel[:, column]
                    above.append(bound)
                    right.append(0)
        worst = np.zeros(65)
        worst[a * 8 : a * 8 + 8], worst[64] = -channel[:, a], 1
        above.append(worst)
        right.append(0)
    sums = np.hstack([np.kron(np.eye(8), np.ones(8)), np.zeros((8, 1))])
    cost = np.zeros(65)
    cost[64] = -1
    found = linprog(cost, above, right, sums, np.ones(8), (0, 1))
    assert row["optimum"] == pytest.approx(1 + found.fun, abs=1e-7)
    assert row["gap"] < 1e-30


def test_printed_bounds_below_the_optimum_are_named_and_repaired_ones_never_are() -> None:
    """10 dB, ε = 2: printed u₁ = 0.1728 < p_e* = 0.2381. 0 dB, ε = 3/2: u₃ = 0.5718 < 0.5769."""
    first, third = row_at(10, Fraction(2)), row_at(0, Fraction(3, 2))
    assert (first["below"], third["below"]) == ("u1", "u3")
    assert first["u1_as_printed"] == pytest.approx(0.1728, abs=5e-5)
    assert third["u3_as_printed"] == pytest.approx(0.571855, abs=1e-6)
    for row in (first, third, row_at(5, Fraction(2)), row_at(15, Fraction(7))):
        assert all(row["optimum"] <= row[name] + 1e-12 for name in ("u1", "u2", "u3"))
        assert row["optimum"] >= max(row["free_error"], row["channel_error"]) - 1e-12
    assert row_at(5, Fraction(2))["below"] == "none"


def test_a_few_points_are_a_few_points() -> None:
    rows = list(figure2(1))
    assert [(row["decibels"], row["epsilon"]) for row in rows] == [
        (0, 8.0), (5, 8.0), (10, 8.0), (15, 8.0)
    ]  # fmt: skip
