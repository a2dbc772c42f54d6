"""What one record moves: by exhaustive pairs on a small grid, exactly."""

import itertools
from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provedp.theory import mixture

GRID = [(Q(x, 5), Q(y, 5)) for x in range(-5, 6) for y in range(-5, 6) if x * x + y * y <= 25]
SPHERE = [(Q(3, 5), Q(4, 5)), (Q(-3, 5), Q(4, 5)), (Q(1), Q(0)), (Q(0), Q(-1)), (Q(-1), Q(0))]
PARTS = st.fractions(0, 4)


def moments(z):
    """Return the coordinates of (1, z, z zᵀ) with entries beside the diagonal counted twice."""
    x, y = z
    return [Q(1)], [x, y], [x * x, y * y, x * y, x * y]


def weighted(parts, changes):
    return sum(
        weight * sum(value**2 for value in change)
        for weight, change in zip(parts, changes, strict=True)
    )


def minus(one, two):
    return [[a - b for a, b in zip(p, q, strict=True)] for p, q in zip(one, two, strict=True)]


@given(PARTS, PARTS, PARTS, st.sampled_from(GRID), st.sampled_from(GRID))
def test_costs_bound_every_change(n, a, b, z, w) -> None:
    parts = (n, a, b)
    apart = weighted(parts, moments(z)) + weighted(parts, moments(w))
    within = weighted(parts, minus(moments(z), moments(w)))
    assert apart <= mixture.moment_cost("label", *parts)
    assert max(apart, within) <= mixture.moment_cost("replace-one", *parts)
    assert weighted(parts, moments(z)) <= mixture.moment_cost("add-remove", *parts)


@given(PARTS, PARTS, PARTS)
def test_costs_of_flips_and_of_presence_are_attained(n, a, b) -> None:
    parts, z = (n, a, b), SPHERE[0]
    assert 2 * weighted(parts, moments(z)) == mixture.moment_cost("label", *parts)
    assert weighted(parts, moments(z)) == mixture.moment_cost("add-remove", *parts)
    opposite = weighted((n, a, Q(0)), minus(moments(z), moments((-z[0], -z[1]))))
    assert opposite == mixture.moment_cost("replace-one", Q(0), a, Q(0))


@given(PARTS, PARTS, st.sampled_from(GRID), st.sampled_from(GRID))
def test_pooled_costs_bound_every_change(square, second, z, w) -> None:
    def pooled(change):
        return square * (change[0] + change[1]) ** 2 + second * sum(x**2 for x in change)

    (changed,) = minus([moments(z)[2]], [moments(w)[2]])
    for adjacency in ("label", "replace-one"):
        assert pooled(changed) <= mixture.pooled_cost(adjacency, square, second)
    assert pooled(moments(z)[2]) <= mixture.pooled_cost("add-remove", square, second)


@given(PARTS, PARTS)
def test_pooled_costs_are_attained(square, second) -> None:
    across = minus([moments(SPHERE[2])[2]], [moments(SPHERE[3])[2]])[0]
    assert second * sum(x**2 for x in across) == mixture.pooled_cost("label", 0, second)
    # From the sphere to the centre, and from nothing to the sphere.
    assert square == mixture.pooled_cost("replace-one", square, 0)
    assert square + second == mixture.pooled_cost("add-remove", square, second)


def mean(points):
    return [sum(p[i] for p in points) / len(points) for i in (0, 1)]


def scatter(points):
    m = mean(points)
    return [
        sum((p[i] - m[i]) * (p[j] - m[j]) for p in points)
        for i, j in ((0, 0), (1, 1), (0, 1), (1, 0))
    ]


def squared(one, two):
    return sum((a - b) ** 2 for a, b in zip(one, two, strict=True))


SETS = list(itertools.combinations_with_replacement(SPHERE, 3))


def test_means_move_by_at_most_two_bounds_over_the_size() -> None:
    largest = max(squared(mean(s), mean(s[:k] + s[k + 1 :])) for s in SETS for k in range(3))
    assert largest == mixture.leave_sensitivity(Q(1), 3) ** 2 == Q(4, 9)
    moved = max(squared(mean(s), mean((z, *s[1:]))) for s in SETS for z in SPHERE)
    assert moved == mixture.feature_change_sensitivity(Q(1), 3) ** 2


def test_scatters_move_by_less_than_four_squared_bounds() -> None:
    largest = max(squared(scatter(s), scatter(s[:k] + s[k + 1 :])) for s in SETS for k in range(3))
    assert largest == mixture.scatter_sensitivity("label", Q(1), 3) ** 2 == Q(64, 9)


@pytest.mark.parametrize("adjacency", ["label", "replace-one", "feature", "add-remove"])
def test_sums_and_counts_of_two_classes(adjacency) -> None:
    def state(records):
        kept = [[z for k, z in records if k == label] for label in (0, 1)]
        counts = [Q(len(part)) for part in kept]
        return counts, [sum((z[i] for z in part), start=Q(0)) for part in kept for i in (0, 1)]

    before = [(0, SPHERE[0])]
    others = {
        "label": [[(1, SPHERE[0])]],
        "replace-one": [
            [(k, z)] for k in (0, 1) for z in [*SPHERE, (-SPHERE[0][0], -SPHERE[0][1])]
        ],
        "feature": [[(0, z)] for z in [*SPHERE, (-SPHERE[0][0], -SPHERE[0][1])]],
        "add-remove": [[]],
    }[adjacency]
    found = [
        (squared(state(before)[0], state(after)[0]), squared(state(before)[1], state(after)[1]))
        for after in others
    ]
    counts, sums = (max(pair[i] for pair in found) for i in (0, 1))
    assert abs(float(mixture.count_sensitivity(adjacency)) ** 2 - float(counts)) < 1e-12
    assert abs(float(mixture.sum_sensitivity(adjacency, Q(1))) ** 2 - float(sums)) < 1e-12


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: mixture.moment_cost("rows", 1, 1, 1), "adjacency"),
        (lambda: mixture.moment_cost("label", -1, 1, 1), "count"),
        (lambda: mixture.moment_cost("label", 1, float("nan"), 1), "first"),
        (lambda: mixture.histogram_cost("label", -1), "count"),
        (lambda: mixture.sum_sensitivity("label", 0), "bound"),
        (lambda: mixture.scatter_sensitivity("replace-one", 1, 3), "adjacency"),
        (lambda: mixture.count_sensitivity("none"), "adjacency"),
    ],
)
def test_arguments_outside_their_range_are_named(call, named) -> None:
    with pytest.raises(ValueError, match=named):
        call()
