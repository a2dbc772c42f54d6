"""The tables of the modes paper: the program's numbers are the printed ones, to the last digit."""

import json
import math

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score

from provedp.experiments.catalogue import EXPERIMENTS
from provedp.experiments.columns import captions
from provedp.experiments.modes import regressions as modes_regressions
from provedp.experiments.modes.clusters import private_clusters
from provedp.experiments.modes.peaks import peaks, shifted_modes
from provedp.experiments.modes.regressions import loss, private_scores, published_loss, shifted_loss
from provedp.verify.claims.modes.instances import printed
from provedp.verify.claims.modes.instances.runs import errors, mean_and_error, released
from provedp.verify.claims.modes.instances.samples import (
    SIZES,
    blobs,
    digits,
    five_peaks,
    four_corners,
    regression_seed,
    sinusoid,
    steps,
)
from provedp.verify.claims.modes.instances.settings import (
    BLOBS_CODE,
    BLOBS_EPSILONS,
    BLOBS_SEED,
    CORNERS_CODE,
    EPSILONS,
    PEAKS_CODE,
    blob_seeds,
    cluster_scores,
    peak_seeds,
)

RUNS = 20
QUICK = SIZES[:2]
DECIMALS = 4
PEAK_TABLES = {
    2: (four_corners, CORNERS_CODE, printed.TABLE2, printed.TABLE2_MEAN_SHIFT),
    3: (five_peaks, PEAKS_CODE, printed.TABLE3, printed.TABLE3_MEAN_SHIFT),
}
CURVE_TABLES = {
    4: (steps, modes_regressions.STEP_SIZES, printed.TABLE4_MEAN_SHIFT),
    5: (sinusoid, modes_regressions.SINE_SIZES, printed.TABLE5_MEAN_SHIFT),
}


def unless_quick(cases, is_quick):
    """Mark what takes long."""
    marks = {False: [pytest.mark.slow], True: []}
    return [pytest.param(*case, marks=marks[is_quick(*case)]) for case in cases]


def agree(found, printed_value, decimals=DECIMALS):
    """Return whether a number rounds to the printed one."""
    return abs(found - printed_value) <= 0.5 * 10.0**-decimals * (1 + 1e-9)


def three_digits(value):
    return 2 - math.floor(math.log10(value))


@pytest.mark.parametrize(
    ("number", "records"),
    unless_quick([(t, n) for t in PEAK_TABLES for n in SIZES], lambda t, n: n in QUICK[: 4 - t]),
)
def test_program_gives_tables_2_and_3(number, records):
    make, code, cells, _ = PEAK_TABLES[number]
    sample = make(records)
    for epsilon in EPSILONS:
        model = clone(code).set_params(epsilon=epsilon)
        runs = released(model, sample.points, peak_seeds(records, epsilon, RUNS))
        found = mean_and_error(errors(sample, runs))
        assert all(map(agree, found, cells[records, epsilon])), (epsilon, found)


@pytest.mark.parametrize(
    ("number", "records"),
    unless_quick([(t, n) for t in PEAK_TABLES for n in SIZES], lambda t, n: n in QUICK),
)
def test_mean_shift_gives_tables_2_and_3(number, records):
    make, _, _, shifts = PEAK_TABLES[number]
    sample = make(records)
    found = errors(sample, [shifted_modes(sample.points)])[0]
    assert agree(found, shifts[records], 5)


@pytest.mark.parametrize(
    "records", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in SIZES]
)
def test_program_gives_table_6(records):
    sample = blobs(records, 1000 * (1 + SIZES.index(records)) + BLOBS_SEED)
    for epsilon in BLOBS_EPSILONS:
        model = clone(BLOBS_CODE).set_params(epsilon=epsilon)
        runs = released(model, sample.points, blob_seeds(records, epsilon, RUNS))
        scores = np.array([cluster_scores(sample, centres) for centres in runs])
        cells = printed.TABLE6[records, epsilon]
        for values, cell, is_mse in zip(scores.T, cells, (False, False, True), strict=True):
            for found, value in zip(mean_and_error(values), cell, strict=True):
                assert agree(found, value, three_digits(value) if is_mse else 3), (epsilon, cell)


def test_table_1():
    *papers, private = EXPERIMENTS["modes.table1"].run(1)
    for row in papers:
        for measure, decimals in (("ari", 3), ("nmi", 3), ("mse", 4)):
            assert agree(row[measure], row[f"paper_{measure}"], decimals), row
    privacy = {row["method"]: row["privacy"] for row in papers}
    assert privacy["Mean shift"] == privacy["k-Means"] == "no privacy"
    assert privacy["DP-GRAMS-C"].startswith("refuted: its ascent spends ε ≥ ")
    assert private["privacy"] == "proved: ε = 1, δ = 1e-06"
    assert private["paper_ari"] is None
    assert private["ari"] > 0.5


@pytest.mark.parametrize(
    ("number", "records"),
    unless_quick([(t, n) for t, c in CURVE_TABLES.items() for n in c[1]], lambda t, n: n == 200),
)
def test_partial_mean_shift_gives_tables_4_and_5(number, records):
    make, _, cells = CURVE_TABLES[number]
    for epsilon in modes_regressions.EPSILONS:
        seeds = [regression_seed(records, epsilon, run) for run in range(RUNS)]
        found = mean_and_error(shifted_loss(make(records, seed)) for seed in seeds)
        assert all(map(agree, found, cells[records, epsilon])), (epsilon, found)


def test_samples_have_the_sizes_and_centres_of_the_paper():
    for make in (four_corners, five_peaks):
        sample = make(700)
        assert sample.points.shape == (700, 2)
        per_mode = 700 // len(sample.reference)
        for place, mode in enumerate(sample.reference):
            part = sample.points[place * per_mode : (place + 1) * per_mode]
            assert np.abs(np.median(part, axis=0) - mode).max() < 0.35
    sample = digits()
    assert sample.points.shape == (1797, 6)
    assert sample.reference.shape == (10, 64)
    assert sample.lift(sample.points[:3]).shape == (3, 64)
    sample = blobs(700, 3)
    assert sample.points.std(axis=0) == pytest.approx([1, 1])


def test_regressions_scatter_around_their_modes():
    for make, noise in ((sinusoid, 0.15), (steps, 0.2)):
        data = make(3000, 1)
        found = loss(data, data.predictors, data.responses)
        assert found == pytest.approx(noise**2, rel=0.1)
    assert steps(30, 1).modes(0.45).tolist() == [3.0, 2.0]
    assert sinusoid(30, 1).modes(0.0).tolist() == [0.0, 1.5]
    assert math.isnan(loss(data, data.predictors, np.full(3000, np.nan)))


def test_scores_of_centres():
    sample = blobs(700, 3)
    ari, nmi, mse = cluster_scores(sample, sample.reference)
    assert mse == 0
    labels = np.linalg.norm(sample.points[:, None] - sample.reference, axis=2).argmin(axis=1)
    assert ari == adjusted_rand_score(sample.labels, labels)
    assert 0 < nmi < 1
    assert all(map(math.isnan, cluster_scores(sample, np.zeros((0, 2)))))


def test_means_and_errors():
    assert mean_and_error([1.0, 2.0, 3.0]) == pytest.approx([2.0, 1 / math.sqrt(3)])
    assert mean_and_error([math.nan, 5.0]) == [5.0, 0.0]
    assert all(map(math.isnan, mean_and_error([])))


def test_a_row_has_what_is_printed_published_spent_and_private():
    row = peaks(four_corners(700), CORNERS_CODE, 1.0, 2)
    json.dumps(row)
    assert row["published_claimed_ascent_epsilon"] == 0.5
    assert row["published_ascent_epsilon_at_least"] > 4
    assert row["published_delta_at_least"] > 1 - 1e-12
    assert row["published_algorithm"][0] > 100  # with the noise that the paper prints
    assert row["private"][0] < 0.2
    assert row["private_modes"] == 4


def test_private_regressions_and_clusters_run():
    data = sinusoid(1200, 7)
    found, branches = private_scores(data, 5.0, 0)
    assert found < 0.1
    assert 1.5 < branches <= 2
    assert published_loss(data, 1.0, 0) < 0.2
    found = private_clusters(blobs(1000, 1), 5.0, 1e-6, 2)
    assert found["private_ari"][0] > 0.5
    assert found["private_clusters"] == 4


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(EXPERIMENTS))
def test_every_experiment_has_its_rows_and_captions(name):
    experiment = EXPERIMENTS[name]
    rows = list(experiment.run(1))
    assert len(rows) == experiment.size(1)
    assert len({tuple(row) for row in rows}) == 1
    assert all(captions(rows[0]).values())
    json.dumps(rows)
    experiment.draw(name, rows)
