"""The fitted mixture and its neighbours: numpy, brute force over flips, and counts by hand."""

import itertools
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.theory.mixture import (
    LabelledData,
    add_one_histograms,
    admissible_flip_count,
    admissible_flips,
    class_covariances,
    class_means,
    class_weights,
    histogram_set,
    histograms,
    mean_displacements,
    neighbour_histogram_count,
    neighbour_histograms,
    remove_one_histograms,
    uniform_count_law,
)

repeat = settings(derandomize=True, deadline=None, max_examples=40)
COUNTS = st.lists(st.integers(3, 6), min_size=2, max_size=4)


def data_with(counts, dimension=2, seed=0):
    rng = np.random.default_rng(seed)
    labels = [k for k, count in enumerate(counts) for _ in range(count)]
    rng.shuffle(labels)
    points = [
        [F(int(x), 8) for x in row] for row in rng.integers(-40, 40, (len(labels), dimension))
    ]
    return LabelledData(points, labels, len(counts))


@repeat
@given(COUNTS, st.integers(0, 10**6))
def test_fit_is_numpys(counts, seed):
    data = data_with(counts, seed=seed)
    floats = data.points.astype(float)
    labels = np.array(data.labels)
    assert list(class_weights(data)) == [F(count, sum(counts)) for count in counts]
    for k in range(len(counts)):
        chosen = floats[labels == k]
        assert class_means(data)[k].astype(float) == pytest.approx(chosen.mean(axis=0))
        spread = class_covariances(data, F(1, 4))[k].astype(float)
        assert spread == pytest.approx(np.cov(chosen.T) + np.eye(2) / 4)


@repeat
@given(COUNTS, st.integers(0, 10**6))
def test_exact_floats_and_balls_agree(counts, seed):
    exact = data_with(counts, seed=seed)
    floats = LabelledData(exact.points.astype(float), exact.labels, exact.classes)
    balls = LabelledData(
        [[arb(float(x)) for x in row] for row in exact.points], *(exact.labels, exact.classes)
    )
    for k, covariance in enumerate(class_covariances(exact, F(1, 4))):
        assert class_covariances(floats, 0.25)[k] == pytest.approx(covariance.astype(float))
        certified = class_covariances(balls, F(1, 4))[k]
        for (i, j), entry in np.ndenumerate(covariance):
            assert abs(certified[i, j] - arb(entry.numerator) / entry.denominator) < 1e-12


@repeat
@given(COUNTS, st.integers(0, 10**6))
def test_displacements_are_those_of_all_flips(counts, seed):
    data = data_with(counts, seed=seed)
    means = class_means(data)
    for k in range(len(counts)):
        every, removals = set(), set()
        for record, label in admissible_flips(data):
            moved = tuple(means[k] - class_means(data.flipped(record, label))[k])
            if k in (label, data.labels[record]):
                every.add(moved)
            if k == data.labels[record]:
                removals.add(moved)
        assert set(map(tuple, mean_displacements(data, k))) == every
        assert set(map(tuple, mean_displacements(data, k, "removals"))) == removals
        assert len(mean_displacements(data, k)) <= data.size


@repeat
@given(COUNTS)
def test_neighbours_by_brute_force(counts):
    data = data_with(counts)
    flips = [
        (n, k)
        for n, k in itertools.product(range(data.size), range(len(counts)))
        if k != data.labels[n] and min(data.flipped(n, k).counts) > 2
    ]
    assert admissible_flips(data) == flips
    assert admissible_flip_count(counts) == len(flips) <= data.size * (len(counts) - 1)
    found = {data.flipped(n, k).counts for n, k in flips}
    assert set(neighbour_histograms(counts)) == found
    assert len(neighbour_histograms(counts)) == neighbour_histogram_count(counts) == len(found)
    by_norms = {
        m
        for m in histogram_set(sum(counts), len(counts))
        if sum(a != b for a, b in zip(m, counts, strict=True)) == 2
        and sum(abs(a - b) for a, b in zip(m, counts, strict=True)) == 2
        and min(m) > 2
    }
    assert by_norms == found


@pytest.mark.parametrize(
    ("n", "classes", "count"),
    [
        (150, 3, 11026),
        (1000, 5, 41251456251),
        (1409, 6, 45787218212736),
        (60000, 10, 27750606710213707003953109321699574499),
    ],
)
def test_numbers_of_histograms(n, classes, count):
    assert histograms(n, classes) == count


@pytest.mark.parametrize(("n", "classes"), [(1, 2), (5, 2), (7, 3), (9, 4), (4, 4)])
def test_histograms_by_enumeration(n, classes):
    every = [m for m in itertools.product(range(1, n + 1), repeat=classes) if sum(m) == n]
    assert histogram_set(n, classes) == every
    assert histograms(n, classes) == len(every)
    if n >= classes:
        law = uniform_count_law(n, classes)
        for k in range(classes):
            assert law == [F(sum(m[k] == c for m in every), len(every)) for c in range(1, n)]


@repeat
@given(COUNTS)
def test_one_record_less_or_more(counts):
    less, more = remove_one_histograms(counts), add_one_histograms(counts)
    assert len(less) == sum(count > 3 for count in counts)
    assert len(more) == len(counts)
    for m, step in [*((m, -1) for m in less), *((m, 1) for m in more)]:
        assert sum(m) == sum(counts) + step
        assert sum(abs(a - b) for a, b in zip(m, counts, strict=True)) == 1
        assert min(m) > 2


def test_data_without_neighbours():
    assert neighbour_histograms([3, 3, 3]) == []
    data = data_with([3, 3])
    assert admissible_flips(data) == []
    assert mean_displacements(data, 0).shape == (0, 2)


BAD = [
    (dict(points=[[1.0], [float("nan")]]), "'points'.* nan in row 2, column 1"),
    (dict(points=[1.0, 2.0]), "'points'"),
    (dict(points=np.array([[1.0], [-np.inf]])), "'points'.* -inf in row 2, column 1"),
    (dict(points=np.zeros((2, 0))), "'points'.* shape 2×0"),
    (dict(points=[[1.0], [2.0, 3.0]]), "'points'"),
    (dict(labels=[0]), "'labels'.* Got 1 labels"),
    (dict(labels=[0, 2]), "'labels'.* Got 2 for record 1"),
    (dict(labels=[0, 0.5]), "'labels'.* Got 0.5 for record 1"),
    (dict(labels=3), "'labels'"),
    (dict(classes=0), "'classes'.* Got 0"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_data_are_named(change, message):
    good = dict(points=[[1.0], [2.0]], labels=[0, 1], classes=2)
    with pytest.raises(ValueError, match=message):
        LabelledData(**{**good, **change})


def test_classes_that_are_too_small_are_named():
    data = LabelledData([[1]] * 6, [0, 0, 0, 0, 1, 1], 2)
    for refused in (admissible_flips, lambda d: mean_displacements(d, 0)):
        with pytest.raises(ValueError, match="at least 3 records. Got 2 in class 1"):
            refused(data)
    with pytest.raises(ValueError, match="at least 1 records"):
        class_means(LabelledData([[1]], [0], 2))
    with pytest.raises(ValueError, match="at least 2 records"):
        class_covariances(LabelledData([[1], [2]], [0, 1], 2))
    with pytest.raises(ValueError, match="'ridge'"):
        class_covariances(data, -1)


@pytest.mark.parametrize(
    "call",
    [
        lambda data: data.flipped(7, 0),
        lambda data: data.flipped(0, 2),
        lambda data: mean_displacements(data, 2),
        lambda data: mean_displacements(data, 0, "some"),
    ],
)
def test_bad_places_are_refused(call):
    with pytest.raises(ValueError, match="parameter of mixture"):
        call(data_with([4, 3]))


@pytest.mark.parametrize("counts", [[4], [4, 2], [4, 3.5], [4, float("nan")], "ab", 4])
@pytest.mark.parametrize(
    "formula",
    [neighbour_histograms, neighbour_histogram_count, admissible_flip_count, remove_one_histograms],
)
def test_bad_counts_are_refused(formula, counts):
    with pytest.raises(ValueError, match="'counts'"):
        formula(counts)


def test_fewer_records_than_classes():
    with pytest.raises(ValueError, match="as many records"):
        uniform_count_law(2, 3)
