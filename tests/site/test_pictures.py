"""What the pictures show is what the claims say."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from provedp.site.audits.trade_off import RATES, misses
from provedp.site.drawing import VARIABLES
from provedp.site.pictures import PICTURES, counting, mixture, modes
from provedp.verify.ledger import committed
from provedp.verify.notions.notions import ApproximateDP, GaussianDP

BY_ID = {entry.id: entry for entry in committed.entries()}


def found(claim: str) -> str:
    return str(BY_ID[claim].data["evidence"]["found"])


def test_every_picture_belongs_to_a_claim_and_takes_its_colours_from_the_page() -> None:
    assert set(PICTURES) <= set(BY_ID)
    for draws in PICTURES.values():
        for draw in draws:
            body = str(draw().body)
            assert not [stand_in for stand_in in VARIABLES if stand_in in body]
            assert not re.search("#[0-9a-f]{6}", body)
            assert "<metadata" not in body
            assert body == str(draw().body)  # the same in every run


def test_the_forced_entries_are_the_diagonal_the_middle_and_what_lies_between() -> None:
    body = str(counting.forced_entries().body)
    rows = re.findall("<tr>(.*?)</tr>", body)[1:]
    forced = {
        (i, j)
        for i, row in enumerate(rows, 1)
        for j, cell in enumerate(re.findall("<td(.*?)</td>", row), 1)
        if 'class="forced"' in cell
    }
    middle = 3
    # Between the diagonal and the middle row, column by column (Theorem 1, statement 3).
    assert forced == {(i, j) for i in range(1, 6) for j in range(1, 6)
                      if min(j, middle) <= i <= max(j, middle)}  # fmt: skip
    entries = re.findall(r">(\d+/\d+)<", rows[0])
    assert sum(map(Fraction, entries)) == 1


def test_the_numbers_in_captions_are_those_of_the_claims() -> None:
    lost = 1 - math.exp(-4 / 3)
    assert found("mixture.published_covariance_noise_is_pure").startswith(f"[{lost:.10f}"[:12])
    assert f"{lost:.3f}" in mixture.wishart_laws().caption
    assert found("mixture.smoothing_as_published_makes_weights_private").startswith("6998/5")
    shown = re.findall(r"0\.\d{4}", modes.kink().caption)
    told = found("modes.joint_scores_move_within_their_noise")
    assert [f"{float(x):.4f}" for x in re.findall(r"≈ ([\d.]+)", told)] == shown
    assert found("counting.third_upper_bound_holds") == "1/3 > 1/4"


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_the_trade_off_of_pure_privacy_is_known(epsilon: float) -> None:
    k = math.exp(epsilon)
    known = np.maximum.reduce([1 - k * RATES, (1 - RATES) / k, 0 * RATES])
    assert np.abs(misses(ApproximateDP(epsilon)) - known).max() < 2e-3  # two points' distance


def test_the_trade_off_of_gaussian_privacy_is_known() -> None:
    inner = RATES[1:-1]
    known = special.ndtr(special.ndtri(1 - inner) - 1.5)
    assert np.abs(misses(GaussianDP(1.5))[1:-1] - known).max() < 2e-3


def test_bounds_as_printed_fall_below_the_optimum_and_repaired_ones_do_not() -> None:
    for ratio in counting.RATIOS:
        row = counting.bounds(counting.CHANNEL, ratio, Fraction(0))
        least = counting.least_error_behind(counting.CHANNEL, ratio, Fraction(0))
        assert least.upper == least.lower
        assert all(row[name] >= least.upper for name in ("u0", "u1", "u3"))
        assert min(row["u1_as_printed"], row["u3_as_printed"]) < least.upper or ratio == 2
