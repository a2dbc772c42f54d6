"""Figures of the mixture paper: values by other ways, and claims that the ledger knows."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from provedp.experiments.columns import COLUMNS
from provedp.experiments.mixture import baselines, bounded, marginals, trials
from provedp.experiments.mixture.data import synthetic
from provedp.experiments.mixture.release import fitted_parts, released, sure_delta, sweep
from provedp.mechanisms.mixture.published.alternation import Budget, alternate
from provedp.theory.mixture import feature_change_variance

LEDGER = Path(__file__).resolve().parents[2] / "provedp/ledger.json"
SMALL = synthetic(3, records=60, dimension=3, classes=2)


def verdicts() -> dict[str, str]:
    found = json.loads(LEDGER.read_text(encoding="utf-8"))
    return {claim["id"]: claim["verdict"] for claim in found["claims"]}


@pytest.mark.parametrize("name", baselines.BASELINES)
def test_a_baseline_is_called_refuted_by_its_own_claim(name: str) -> None:
    claim = baselines.BASELINES[name].refuted_claim
    assert f"is refuted by {claim}:" in COLUMNS[name][1]
    assert verdicts()[claim] == "refuted"


@pytest.mark.parametrize("column", baselines.REPAIRED)
def test_a_repaired_baseline_is_private_by_a_claim_that_holds(column: str) -> None:
    mechanism = baselines.BASELINES[column.split()[0]]
    settings = {"bound": SMALL.bound, "calibration": "public", "least_size": 3}
    assert mechanism(1.0, **settings).refuted_by == ()
    assert f"private by label by {mechanism.public_claim}:" in COLUMNS[column][1]
    assert verdicts()[mechanism.public_claim] in ("proved", "certified")


def test_a_baseline_in_a_row_is_the_baseline() -> None:
    """Quartiles of three releases: their least, middle and largest, halfway."""
    target = SMALL.fitted()
    models = [
        baselines.fitted_quietly(baselines.BASELINES["gaussian"](1.0, random_state=seed), SMALL)
        for seed in range(3)
    ]
    low, middle, high = sorted(model.mixture_.kl_to(target) for model in models)
    (row,) = sweep("records", [(60, SMALL)], 3, optimum=False)
    assert row["gaussian"] == pytest.approx([(low + middle) / 2, middle, (middle + high) / 2])
    assert set(baselines.KEPT) < set(row) and "singular" not in row
    assert "published_optimum" not in row


def test_public_sizes_give_noise_that_does_not_follow_the_data() -> None:
    """The same scales for all classes, whose sizes differ."""
    model = baselines.BASELINES["laplace"](
        1.0, bound=SMALL.bound, calibration="public", least_size=3, random_state=0
    )
    assert len(set(baselines.fitted_quietly(model, SMALL).scales_.means)) == 1
    published = baselines.fitted_quietly(baselines.BASELINES["laplace"](1.0), SMALL)
    assert len(set(published.scales_.means)) == 2


def test_the_first_round_is_that_of_the_algorithm_and_no_other_comes() -> None:
    parts, budget = fitted_parts(SMALL), Budget(1.0, 2e-5)
    rounds = list(trials.played(parts, budget, 4))
    assert rounds[0].objective == alternate(parts, budget).rounds[0].objective
    assert [each.objective for each in rounds] == pytest.approx([rounds[0].objective] * 4)


def test_an_interval_is_students() -> None:
    values = [1.0, 4.0, 2.5, 3.0, 9.0]
    low, mean, high = trials.interval(values)
    tested = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    assert (low, high) == pytest.approx((tested.low, tested.high))
    assert mean == np.mean(values)
    assert np.isnan(trials.interval([1.0])).tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((0, 1), (0, 1)),
        ((0, 1), (1, 1)),
        ((0, 1), (0, 3)),
        ((-1, 0.4), (2, 1.5)),
        ((0, 1), (90, 2)),
    ],
)
def test_total_variation_is_half_the_area_between(
    one: tuple[float, float], other: tuple[float, float]
) -> None:
    places = np.linspace(-20, 110, 1_300_001)
    apart = np.abs(stats.norm.pdf(places, *one) - stats.norm.pdf(places, *other))
    area = float(np.trapezoid(apart, places)) / 2
    for found in (marginals.total_variation(one, other), marginals.total_variation(other, one)):
        assert found == pytest.approx(area, abs=1e-6)


def test_white_noise_for_a_changed_record_is_that_of_the_paper() -> None:
    """(34): the least variance is 8B² ln(2/δ)/(N_k² ε_k²)."""
    for part in fitted_parts(SMALL):
        noise = bounded.white(part, 2.5).noises(1.0, 0.0, 2 * 2e-5, [0.4])[0]
        least = float(feature_change_variance(2.5, part.count, noise.epsilon, 2e-5))
        assert noise.covariance == pytest.approx(least * np.eye(3))
        price = np.trace(np.linalg.inv(part.covariance)) * least / 2
        alone = part.costs(part.covariance, [noise.gamma])[0]
        assert noise.cost == pytest.approx(alone + price)


def test_the_delta_of_changes_is_that_of_the_worst_one() -> None:
    """By putting every record opposite to the mean of the others of its class."""
    data = replace(SMALL, bound=float(np.linalg.norm(SMALL.features, axis=1).max()))
    gammas = np.array([0.01, 0.02])
    worst = 0.0
    for record, label in enumerate(data.labels):
        others = (data.labels == label) & (np.arange(60) != record)
        middle = data.features[others].mean(axis=0)
        changed = data.features.copy()
        changed[record] = -data.bound * middle / np.linalg.norm(middle)
        inside = data.labels == label
        rise = np.trace(np.cov(changed[inside].T) - np.cov(data.features[inside].T))
        worst = max(worst, sure_delta(gammas[label], rise))
    assert bounded.change_delta(data, gammas) == pytest.approx(worst, rel=1e-9)


def test_nothing_is_clipped_by_the_bound_of_the_data() -> None:
    """Then the divergence to the fit of the records as they are is the other one."""
    rows = {row["bound"]: row for row in bounded.figure16(1)}
    bound = synthetic(42).bound
    assert rows[bound]["replace-one unclipped"] == rows[bound]["replace-one"]
    assert rows[2.0]["replace-one unclipped"] != rows[2.0]["replace-one"]
    assert all(row["published_true_delta_at_least"] > 0.5 for row in rows.values())


def test_densities_are_of_the_class() -> None:
    """Fitted marginals of standardised sepal lengths, and bars of all 50 records."""
    rows = list(marginals.figure10(1))
    assert [row["class"] for row in rows] == list(marginals.SPECIES)
    weighted = np.mean([row["fitted_marginal"][0] for row in rows])
    assert weighted == pytest.approx(0, abs=1e-12)  # standardised, classes of equal size
    for row in rows:
        area = sum(height for _, height in row["histogram_points"]) * 0.25
        assert area == pytest.approx(1)
        assert 0 < row["label_variation"][1] < 1


@pytest.mark.slow
def test_algorithm_1_has_the_mean_that_it_expects() -> None:
    """On average over 200 trials, within their 99.99 % interval."""
    rows = list(trials.figure1(200))
    for row in rows:
        low, mean, _ = row["published_trials"]
        assert abs(mean - row["published"]) < 2 * (mean - low)


@pytest.mark.slow
def test_private_trials_are_private_releases() -> None:
    data = synthetic(42)
    target = data.fitted()
    expected = [model.mixture_.kl_to(target) for model in released(data, 1.0, "label", 5)]
    row = list(trials.figure1(5))[1]
    assert row["private_trials"][1] == pytest.approx(np.mean(expected))
