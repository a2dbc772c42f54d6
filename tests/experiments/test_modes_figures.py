"""Figures of the modes paper: the default settings give what is printed, and hand values hold."""

import math

import numpy as np
import pytest

from provedp.experiments.modes import cluster_settings, peak_settings, regression_settings
from provedp.experiments.modes.kernel_choice import density_peaks, kernel_columns, legendre
from provedp.experiments.modes.repeated import nearest, own_points
from provedp.experiments.modes.settings import STEP as STEP_NAME
from provedp.experiments.modes.settings import Setting, batches, clips, steps
from provedp.verify.claims.modes.instances import printed
from provedp.verify.claims.modes.instances.samples import Sample

RUNS = 20  # as many as the paper's


def default(settings):
    return [setting for setting in settings if setting.is_default]


@pytest.mark.parametrize(
    ("density", "settings", "cells"),
    [
        (peak_settings.CORNERS, default(clips(0.1)), printed.TABLE2),
        (peak_settings.CORNERS, default(steps()), printed.TABLE2),
        (peak_settings.PEAKS, default(batches()), printed.TABLE3),
        (peak_settings.PEAKS, default(clips(0.5)), printed.TABLE3),
    ],
)
def test_the_default_gives_the_table(density, settings, cells):
    (row,) = peak_settings.setting_rows(density, 700, settings, RUNS)
    assert row["paper"] == list(cells[700, 1.0])
    assert row["published"] == pytest.approx(row["paper"], abs=5.1e-5)
    assert row["published_claimed_ascent_epsilon"] == 0.5
    assert row["published_ascent_epsilon_at_least"] > 2
    assert row["private_modes"] > 2


def test_the_default_gives_table_6_and_the_captions_value_does_not():
    """C_* = 1, which Figure 20's caption calls the default, has 80 times the printed error."""
    chosen = [s for s in clips(0.05, cluster_settings.BLOB_CLIPS) if s.value in (0.05, 1.0)]
    table, caption = cluster_settings.blob_rows(700, chosen, RUNS)
    assert table["published_ari"] == pytest.approx([0.759, 0.003], abs=5.1e-4)
    assert table["published_mse"] == pytest.approx([0.0589, 0.0059], abs=5.1e-5)
    assert caption["published_mse"][0] > 50 * 0.0589
    assert caption["paper_mse"] is None


def test_a_clip_far_from_the_default_costs_much():
    """'The MSE is relatively stable around the default': ten times as large it is not."""
    far = [s for s in clips(0.1) if s.value in (0.01, 1.0)]
    rows = list(peak_settings.setting_rows(peak_settings.CORNERS, 700, far, RUNS))
    assert all(row["published"][0] > 5 * 0.0590 for row in rows)
    assert all(row["paper"] is None for row in rows)


def test_settings_are_in_order_and_the_default_is_among_them():
    for made in (list(clips(0.05, (0.01, 0.1))), list(steps()), list(batches((0.05, 0.5)))):
        values = [setting.columns(700)["value"] for setting in made]
        assert values == sorted(values)
        assert len(default(made)) == 1
    (plain,) = default(batches())
    assert plain.parameters == {"batch_share": None}
    assert plain.columns(700) == {"setting": "minibatch m/n", "value": 106 / 700}  # ⌊700/log 700⌋
    assert [s.value for s in clips(0.1)] == [0.01, 0.05, 0.1, 0.2, 1.0]


def test_regressions_are_swept_beside_what_is_printed():
    rows = list(regression_settings.design_rows(regression_settings.SINES, 200, 2))
    assert len(rows) == 10
    (first, second) = (row for row in rows if row["paper"])
    assert first["paper"] == [0.1102, 0.0061] == second["paper"]
    assert first["published"] == second["published"]  # both are the default
    assert first["paper_mean_shift"] == [0.0339, 0.0018]
    assert all(row["published_claimed_ascent_epsilon"] == 0.5 for row in rows)


def test_digits_stand_beside_table_7():
    chosen = [s for s in batches(cluster_settings.DIGIT_SHARES) if s.is_default]
    (row,) = cluster_settings.digit_rows(chosen, 1)
    assert row["paper_ari"] == [0.376, 0.011]
    assert row["paper_mse"] == [27.69, 2.11]
    assert "published_delta_at_least" not in row  # its candidates are public
    assert row["published_ascent_epsilon_at_least"] > row["published_claimed_ascent_epsilon"]
    assert row["k_means_ari"][0] > row["private_ari"][0]


def test_a_setting_out_of_range_is_refused():
    wrong = [Setting(STEP_NAME, -1.0, False)]
    with pytest.raises(ValueError, match="'step' parameter"):
        list(peak_settings.setting_rows(peak_settings.CORNERS, 700, wrong, 1))


def test_maxima_of_a_density_by_hand():
    """A maximum at each of two far points; the kernel of order 4 has more, at its edges.

    There it jumps: K(1)/K(0) = (15/16)/(225/128) = 8/15 is above one half, and (8/15)² is not.
    """
    points = np.array([[-3.0, 1.0], [3.0, -1.0]])
    box = ((-6.0, 6.0), (-6.0, 6.0))
    assert density_peaks(points, box, 0.5) == pytest.approx(points, abs=1e-9)
    found = density_peaks(points, box, 0.5, legendre())
    steps_aside = np.array([(0, 0), (0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5)])
    expected = (points[:, None] + steps_aside).reshape(-1, 2)
    assert {tuple(p) for p in found.round(9)} == {tuple(p) for p in expected}
    assert legendre()[0] == pytest.approx(225 / 128)
    assert legendre().sum() == pytest.approx(15 / 16)


def test_many_maxima_hide_a_large_error():
    """(14) divides by the larger number; `per_mode` takes that back."""
    rng = np.random.default_rng(4)
    points = rng.uniform(-6, 6, (60, 2))
    sample = Sample(points, np.array([(3.0, 3.0), (-3.0, -3.0)]), ((-6.0, 6.0),) * 2)
    row = kernel_columns(sample, "order4", legendre())
    assert row["order4_maxima"] > 10
    ratio = row["order4_per_mode"] / row["order4_kernel"]
    assert ratio == pytest.approx(row["order4_maxima"] / 2)


def test_modes_of_runs_are_counted_where_they_are():
    reference = np.array([(0.0, 0.0), (6.0, 0.0)])
    runs = [np.array([(0.0, 3.0), (6.0, 1.0)]), np.zeros((0, 2)), np.array([(0.5, 0.0)])]
    gaps = nearest(runs, reference)
    assert gaps.tolist() == [[3.0, 1.0], [math.inf, math.inf], [0.5, 5.5]]
    assert own_points(runs, reference, 0) == [[0.0, 3.0], [0.5, 0.0]]
    assert own_points(runs, reference, 1) == [[6.0, 1.0]]
