"""Lower bounds on what the program behind the modes tables spends, against runs of the program."""

import math
import warnings

import numpy as np
import pytest
from scipy.stats import beta

from provedp.mechanisms.modes.published.ascent import Schedule, ascend
from provedp.mechanisms.modes.published.bandwidths import rate_bandwidth
from provedp.mechanisms.modes.published.program import TINY, ClippedShares, PublishedModesCode
from provedp.mechanisms.modes.published.regression import PublishedModalRegression
from provedp.mechanisms.published import RefutedGuaranteeWarning
from provedp.verify.accounting import published_modes as published_privacy
from provedp.verify.accounting.published_modes import (
    AscentStage,
    ascent_stage,
    program_delta_at_least,
    regression_stage,
    stage_epsilon_at_least,
)
from provedp.verify.claims.modes.instances.samples import four_corners

# From an exact calculation of the same two laws elsewhere, with the record one bandwidth away.
KNOWN = {1000: 8.5, 2000: 27.9}
FALSE_ALARM = 1e-4


@pytest.mark.parametrize("records", sorted(KNOWN))
def test_the_bound_is_near_the_exact_value(records):
    stage = ascent_stage(PublishedModesCode(1.0, 1e-6), four_corners(records).points)
    assert stage_epsilon_at_least(stage, 1e-6) == pytest.approx(KNOWN[records], rel=0.03)


def test_the_bound_grows_with_delta_falling_back_to_nothing():
    stage = ascent_stage(PublishedModesCode(1.0, 1e-6), four_corners(700).points)
    found = [stage_epsilon_at_least(stage, delta) for delta in (1e-12, 1e-6, 1e-2, 0.999)]
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0


@pytest.mark.parametrize("step", [1.0, 2.0])
def test_the_ascent_does_what_the_bound_says(step):
    """Ends of the ascent with and without the moved record, in the planned direction."""
    stage = AscentStage(200, 2, 60, 4, 1.0, 0.2, 0.1, step)
    reach, runs = 5.0, 3000
    far = np.full((stage.records, 2), [-1e3, 0.0])
    near = far.copy()
    near[0] = reach * stage.bandwidth, 0.0
    schedule = Schedule(stage.rounds, stage.batch, stage.bandwidth, stage.sigma, step)
    shares = ClippedShares(stage.bandwidth, stage.clip, 2, TINY)
    rng = np.random.default_rng(8)
    thresholds = step * np.array([0.1, 0.3, 0.5])
    there, here = published_privacy._probabilities(stage, reach, 5.0, thresholds)
    for data, least, most in ((near, there, np.ones(3)), (far, None, np.exp(here))):
        ends = np.array(
            [ascend(np.zeros((1, 2)), data, shares, schedule, rng)[0, 0] for _ in range(runs)]
        )
        for place, threshold in enumerate(thresholds):
            above = int((ends > threshold).sum())
            low = beta.ppf(FALSE_ALARM, above, runs - above + 1) if above else 0.0
            high = beta.ppf(1 - FALSE_ALARM, above + 1, runs - above)
            assert low <= most[place]
            assert high >= (most if least is None else least)[place]


def test_one_far_record_puts_all_modes_on_the_grid():
    points = four_corners(1000).points
    moved = points.copy()
    moved[0] = published_privacy.FAR
    spacing = rate_bandwidth(*points.shape)
    on_grid = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefutedGuaranteeWarning)
        for data in (points, moved):
            modes = PublishedModesCode(1.0, random_state=2).fit(data).modes_ / spacing
            counts = np.arange(1, 13)[:, None, None]
            gaps = np.abs(modes * counts - np.round(modes * counts)).max(axis=2).min(axis=0)
            on_grid.append((gaps < 1e-9).tolist())
    assert not any(on_grid[0])
    assert all(on_grid[1])
    assert program_delta_at_least(PublishedModesCode(1.0), points) > 1 - 1e-12


def test_the_bound_needs_a_clip_that_follows_the_bandwidth_and_a_grid():
    with pytest.raises(ValueError, match="two features"):
        program_delta_at_least(PublishedModesCode(), np.arange(9.0)[:, None])
    with pytest.raises(ValueError, match="a grid"):
        program_delta_at_least(PublishedModesCode(candidates=[[0.0, 0.0]]), np.eye(9)[:, :2])


def test_a_stage_without_leakage_gives_nothing():
    stage = AscentStage(100, 2, 10, 3, 1.0, 1e-6, 10.0)
    assert stage_epsilon_at_least(stage, 1e-6) == 0
    assert math.isfinite(stage.deviation)


def test_the_stage_has_the_settings_of_the_model():
    """m is a share of n, and η multiplies what moves and what hides it: ηC and η σ √T."""
    points = four_corners(1000).points
    plain, changed = (
        ascent_stage(PublishedModesCode(1.0, 1e-6, **settings), points)
        for settings in ({}, {"batch_share": 0.25, "step": 3.0})
    )
    assert (plain.batch, changed.batch) == (int(1000 / math.log(1000)), 250)
    assert changed.reach == pytest.approx(3 * plain.clip)
    assert changed.deviation / changed.sigma == pytest.approx(3 * plain.deviation / plain.sigma)
    line = regression_stage(PublishedModalRegression(1.0, batch_share=0.5, step=2.0), 200)
    assert (line.batch, line.step, line.dimension) == (100, 2.0, 1)


def test_a_step_is_a_larger_clip_with_more_noise():
    """x + η(g + Z) with clip C and noise σ has the law of x + g + Z with ηC and ησ."""
    stepped = AscentStage(1000, 2, 144, 7, 0.8, 0.02, 0.01, 2.0)
    scaled = AscentStage(1000, 2, 144, 7, 0.8, 0.04, 0.02)
    plain = AscentStage(1000, 2, 144, 7, 0.8, 0.02, 0.01)
    found = [stage_epsilon_at_least(stage, 1e-6) for stage in (stepped, scaled, plain)]
    assert found[0] == pytest.approx(found[1], rel=1e-9)
    assert found[0] != pytest.approx(found[2], rel=1e-3)
    assert found[0] > 0.5
