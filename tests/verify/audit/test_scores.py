"""Learned scores against likelihood ratios derived by hand."""

import json

import numpy as np
import pytest
from scipy import stats

from provedp.verify.audit.events.scores.classifiers import fit_linear
from provedp.verify.audit.events.scores.decorrelated import are_correlated, fit_whitened
from provedp.verify.audit.events.scores.histograms import fit_additive, fit_merged
from provedp.verify.audit.events.scores.noise_families import Family, Power, fit_family, is_family
from provedp.verify.audit.events.scores.patterns import fit_patterns, has_patterns
from provedp.verify.audit.events.scores.reading import KINDS, score_from
from provedp.verify.audit.events.scores.score import Bins, Score
from provedp.verify.audit.targets.outputs import Batch, batch_of_array, batch_of_list
from provedp.verify.notions.notions import notion_from
from provedp.verify.tagged_records import TaggedUnion, record_of

RUNS = 20_000


def _again(score: Score) -> Score:
    return score_from(json.loads(json.dumps(score.record())))


def _rank_correlation(score: Score, batch: Batch, truth: np.ndarray) -> float:
    return float(stats.spearmanr(score.of(batch), truth).statistic)


def test_whitened_sums_are_the_likelihood_ratio() -> None:
    """Sums of two Laplace noises about 1 or 0: the ratio is that of x₁ and of x₂ − x₁."""
    rng = np.random.default_rng(1)
    parts = [np.cumsum(centre + rng.laplace(size=(RUNS, 2)), 1) for centre in (1.0, 0.0)]
    first, second = map(batch_of_array, parts)
    steps = np.diff(parts[0], prepend=0.0, axis=1)
    truth = (np.abs(steps) - np.abs(steps - 1.0)).sum(1)
    assert are_correlated(first, second)
    score = fit_whitened(first, second)
    assert _rank_correlation(score, first, truth) > 0.98
    assert _rank_correlation(fit_additive(first, second), first, truth) < 0.95
    assert np.array(score.matrix) == pytest.approx(np.array([[1, 0], [-1, 1]]), abs=0.03)


def test_independent_coordinates_are_not_whitened() -> None:
    rng = np.random.default_rng(2)
    first, second = (batch_of_array(rng.normal(size=(RUNS, 3))) for _ in range(2))
    assert not are_correlated(first, second)


def test_coordinates_that_say_nothing_add_nothing() -> None:
    """Of six bits only two differ, so that three scores are left: both, one or none agree."""
    rng = np.random.default_rng(3)
    shares = np.array([[0.6, 0.6, 0.5, 0.5, 0.5, 0.5], [0.4, 0.4, 0.5, 0.5, 0.5, 0.5]])
    first, second = (batch_of_array((rng.random((RUNS, 6)) < p) * 1.0) for p in shares)
    for score in (fit_additive(first, second), fit_linear(first, second, squares=False)):
        best = np.max(score.of(first))
        chosen = score.of(first) >= best
        assert np.array_equal(chosen, first.numbers[:, :2].sum(1) == 2)


def test_merged_ratios_have_the_steps_of_the_densities() -> None:
    """The ratio of 3/2 and 1/2 on two halves of [0, 1] to 1 is 3/2 below 1/2, 1/2 above."""
    rng = np.random.default_rng(4)
    u = rng.random(RUNS)
    first = batch_of_array(np.where(rng.random(RUNS) < 0.75, u / 2, (u + 1) / 2))
    score = fit_merged(first, batch_of_array(rng.random(RUNS)), 0)
    found = score.of(batch_of_array(np.array([0.1, 0.3, 0.7, 0.9])))
    assert np.exp(found) == pytest.approx([1.5, 1.5, 0.5, 0.5], abs=0.05)


def test_family_of_two_scales() -> None:
    """Laplace laws of scales 1/2 and 1/3 about 1: the log-ratio is |x − 1| and a constant."""
    rng = np.random.default_rng(5)
    first, second = (batch_of_array(1 + rng.laplace(scale=s, size=RUNS)) for s in (1 / 2, 1 / 3))
    score = fit_family(first, second)
    values = score.of(batch_of_array(np.array([-4.0, 1.0, 6.0])))
    assert score.power == 1
    assert np.diff(values) == pytest.approx([-5, 5], rel=0.06)
    normal = fit_family(*(batch_of_array(s * rng.normal(size=RUNS)) for s in (1, 2)))
    spread = normal.of(batch_of_array(np.array([0.0, 2.0])))  # x²/8 − x²/2 = −3/2 at 2
    assert (normal.power, spread[1] - spread[0]) == (2, pytest.approx(-1.5, rel=0.06))


def test_families_are_tried_where_scales_differ_and_laws_fit() -> None:
    rng = np.random.default_rng(8)
    noise = rng.laplace(size=(2, RUNS))
    wide, other = map(batch_of_array, noise)
    assert is_family(wide, batch_of_array(noise[1] / 2))
    assert not is_family(wide, other)
    assert not is_family(wide, batch_of_array(rng.random(RUNS)))


def test_patterns_and_what_is_free_in_them() -> None:
    """A marker with probability 1/4 or 1/2, else Laplace noise about 1 or 0."""
    rng = np.random.default_rng(6)
    marked = [rng.random(RUNS) < share for share in (0.25, 0.5)]
    noise = [centre + rng.laplace(size=RUNS) for centre in (1.0, 0.0)]
    first, second = (
        batch_of_array(np.column_stack([np.where(m, -9.0, x), np.where(m, x, -9.0)]))
        for m, x in zip(marked, noise, strict=True)
    )
    assert has_patterns(first)
    found = fit_patterns(first, second).of(
        batch_of_array(np.array([[-9.0, 3.0], [-9.0, -3.0], [3.0, -9.0], [-3.0, -9.0]]))
    )
    truth = np.log([1 / 2, 1 / 2, 3 / 2, 3 / 2]) + [1, -1, 1, -1]
    assert found == pytest.approx(truth, abs=0.1)


@pytest.mark.parametrize("fit", [fit_whitened, fit_patterns, fit_additive])
def test_awkward_outputs(fit: type) -> None:
    """Missing numbers, constant and equal columns, infinities and other widths do no harm."""
    rng = np.random.default_rng(7)
    columns = rng.laplace(size=(400, 4))
    columns[:, 1], columns[:, 2], columns[:7, 3] = 5.0, columns[:, 0], np.inf
    rows = [row[: 3 + (i % 2)] for i, row in enumerate(columns.tolist())]
    first, second = batch_of_list(rows), batch_of_list([row[:3] for row in rows])
    score = fit(first, second)
    assert _again(score) == score
    narrow = batch_of_list([[1.0, 2.0], [0.0, 5.0]])
    for batch in (first, second, narrow):
        values = _again(score).of(batch)
        assert np.array_equal(values, score.of(batch))
        assert np.isfinite(values).all()
    assert score.words(0.5, True).endswith(">= 0.5")


def test_family_of_awkward_numbers() -> None:
    """A constant and a missing number; all missing."""
    constant, missing = batch_of_array(np.ones(10)), batch_of_array(np.full(10, np.nan))
    score = fit_family(constant, batch_of_array(np.arange(10.0)))
    assert _again(score) == score
    assert np.all(score.of(missing) == -np.inf)
    assert not np.isnan(score.of(batch_of_array(np.array([1.0, 2.0, np.inf])))).any()
    assert np.isfinite(fit_family(missing, missing).of(constant)).all()


def test_a_score_is_read_back_by_its_tag_alone() -> None:
    assert {kind.kind for kind in KINDS} == {each.kind for each in Score.__subclasses__()}
    with pytest.raises(ValueError, match="'kind' must be one of coordinate, .*Got 'tea'"):
        score_from({"kind": "tea", "index": 0})
    with pytest.raises(ValueError, match="tag 'bins'"):
        TaggedUnion([Bins, Bins])


def test_records_are_as_they_were_always_written() -> None:
    family = Family(Power.NORMAL, (0.0, 1.0), (1.0, 2.0))
    record = {"kind": "family", "power": 2, "centres": [0.0, 1.0], "scales": [1.0, 2.0]}
    assert json.loads(json.dumps(family.record())) == record
    assert score_from(record) == family
    assert type(family.record()["power"]) is int
    with pytest.raises(ValueError, match="3 is not a valid Power"):
        score_from({**record, "power": 3})
    claim = {"kind": "RenyiDP", "divergence": 0.5, "order": 2.0}
    assert record_of(notion_from(claim)) == claim
