"""Runs of Algorithm 1 in balls are those of the algorithm in floats, and never decide too much."""

from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx
from sklearn.base import clone

from provedp.mechanisms.modes.published.ascent import Schedule, ascend
from provedp.mechanisms.modes.published.merging import merge_to, merge_within
from provedp.theory.modes import (
    joint_sensitivity,
    matching_error,
    noise_scale,
    stabilised_score,
)
from provedp.theory.numbers import ball
from provedp.verify.claims.modes.instances import ball_runs
from provedp.verify.claims.modes.instances.runs import quietly
from provedp.verify.claims.modes.instances.samples import four_corners
from provedp.verify.claims.modes.instances.settings import CORNERS_CODE
from provedp.verify.ledger.hypotheses import UndecidedHypothesis

POINTS = np.random.default_rng(3).normal(size=(9, 2)) * 3
CENTRES = np.array([(3.0, 3.0), (-3.0, 1.0), (0.0, -4.0)])


def floats(found):
    return np.array([[float(x.mid()) for x in row] for row in found])


def test_ascent_in_balls_is_the_one_in_floats():
    sample = four_corners(700)
    program = clone(CORNERS_CODE).set_params(epsilon=1.0, random_state=5)
    with ctx.workprec(128):
        setting = ball_runs.oracle(sample.points, sample.reference)
        setting = ball_runs.Setting(setting.bandwidth, setting.clip, setting.floor, 3, 60)
        budget = (ball(F(1, 2)), ball(F(1, 10**6)))
        found = ball_runs.ascended(program, sample.points, setting, budget)
        assert max(float(x.rad()) for x in found.ravel()) < 1e-15
    h, clip, floor = (float(x) for x in (setting.bandwidth, setting.clip, setting.floor))
    sigma = noise_scale(joint_sensitivity(h, 2, clip, floor), 0.5, 1e-6, 700, 60, 3)
    starts = quietly(program.fit, sample.points).starts_
    truth = ascend(
        starts,
        sample.points,
        lambda x, batch: stabilised_score(x, batch, h, clip, floor),
        Schedule(3, 60, h, sigma, h * h),
        np.random.default_rng(5),
    )
    # Floats add 1e-8 to the diagonal of the correlation of the noise.
    assert floats(found) == pytest.approx(truth, rel=1e-6, abs=1e-4)


def test_merging_in_balls_is_the_one_in_floats():
    exact = ball_runs.exactly(POINTS)
    for radius in (0.5, 2.0, 5.0):
        found = ball_runs.merged_within(exact, arb(radius))
        assert floats(found) == pytest.approx(merge_within(POINTS, radius), rel=1e-12)
    for count in (1, 3, 9):
        found, truth = floats(ball_runs.merged_to(exact, count)), merge_to(POINTS, count)
        assert found[found[:, 0].argsort()] == pytest.approx(truth[truth[:, 0].argsort()])


def test_what_balls_leave_open_is_refused():
    wide = np.array([[arb(0, 1)], [arb(2)], [arb(9)]], dtype=object)
    with pytest.raises(UndecidedHypothesis):
        ball_runs.merged_within(wide, arb(2))
    with pytest.raises(UndecidedHypothesis):
        ball_runs.merged_to(np.array([[arb(0)], [arb(1, 0.1)], [arb(2)]], dtype=object), 2)


@pytest.mark.parametrize("points", [POINTS, POINTS[:2], CENTRES + 0.1])
def test_error_is_at_most_that_of_the_best_matching(points):
    found = float(ball_runs.error_at_least(CENTRES, ball_runs.exactly(points)))
    truth = matching_error(CENTRES, points)
    assert found <= truth + 1e-12
    if points is not POINTS:
        assert found > 0.4 * truth


def test_error_of_moved_centres_is_that_of_the_move():
    found = ball_runs.error_at_least(CENTRES, ball_runs.exactly(CENTRES + [0.3, 0.4]))
    assert float(found) == pytest.approx(0.25, rel=1e-12)


def test_roots_of_correlations_are_numpys():
    matrix = np.array([[1.0, 0.5, 0.25], [0.5, 1.0, 0.5], [0.25, 0.5, 1.0]])
    found = ball_runs.cholesky(ball_runs.exactly(matrix))
    assert floats(found) == pytest.approx(np.linalg.cholesky(matrix), rel=1e-12)


def test_oracle_is_near_the_density():
    sample = four_corners(1000)
    setting = ball_runs.oracle(sample.points, sample.reference)
    spread = 1 + float(setting.bandwidth) ** 2
    height = 1 / (8 * np.pi * spread)
    assert float(setting.floor) == pytest.approx(height / 2, rel=0.15)
    assert float(setting.clip) == pytest.approx(1.1 * height / spread**0.5 * 0.55, rel=0.3)
    assert (setting.rounds, setting.batch) == (7, 145)
