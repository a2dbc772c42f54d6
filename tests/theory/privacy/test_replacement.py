"""Sampling with replacement: all samples by brute force; products of finite laws: all outcomes."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    exact_composition_delta,
    hockey_stick,
    replacement_delta,
    replacement_gaussian_attained,
    replacement_gaussian_bound,
    replacement_gaussian_delta,
    replacement_rate,
    replacement_ratio,
    subsampled_gaussian_delta,
)

Law = list[F]
OUTCOMES = 3

laws = st.lists(st.integers(0, 5), min_size=OUTCOMES, max_size=OUTCOMES).filter(any)
laws = laws.map(lambda found: [F(w, sum(found)) for w in found])
repeat = settings(derandomize=True, deadline=None, max_examples=40)


def released(records: str, draws: int, release: Callable[[str], Law]) -> Law:
    """The law of a release about a sample, over all n^m equally likely sequences of draws."""
    samples = list(itertools.product(records, repeat=draws))
    given_sample = [release("".join(sorted(sample))) for sample in samples]
    return [sum(column, F(0)) / len(samples) for column in zip(*given_sample, strict=True)]


@given(
    size=st.integers(1, 3),
    draws=st.integers(1, 3),
    table=st.lists(laws, min_size=60, max_size=60),
    k=st.fractions(1, 4, max_denominator=5),
)
@repeat
def test_no_finite_release_exceeds_the_bound(size: int, draws: int, table: list[Law], k: F) -> None:
    # Records "a", "b" and "x" or "y" in its place; every multiset of them has a law of its own.
    multisets = ["".join(m) for m in itertools.combinations_with_replacement("abxy", draws)]
    release = dict(zip(multisets, table, strict=False)).__getitem__
    others = "ab"[: size - 1]
    first, second = (released(others + record, draws, release) for record in "xy")

    def apart(left: str, right: str) -> int:
        return draws - sum(min(left.count(c), right.count(c)) for c in "abxy")

    def group(j: int) -> F:
        pairs = itertools.product(multisets, repeat=2)
        close = ((release(a), release(b)) for a, b in pairs if apart(a, b) <= j)
        return max(hockey_stick(p, q, k) for p, q in close)

    whole = replacement_ratio(k, draws, F(1, size))
    bound = replacement_delta([group(j) for j in range(1, draws + 1)], F(1, size))
    assert hockey_stick(first, second, whole) <= bound


def test_the_bound_is_attained_by_a_release_of_the_number_of_copies() -> None:
    # Everything is certain once the record is in the sample: δ_j = 1, δ' = θ.
    assert (
        replacement_delta([F(1)] * 4, F(1, 7)) == replacement_rate(4, F(1, 7)) == 1 - F(6, 7) ** 4
    )


@pytest.mark.parametrize("k", [F(1), F(3, 2), F(8)])
@pytest.mark.parametrize("mu", [F(1, 3), F(2)])
def test_one_draw_is_a_sample_of_one_without_replacement(mu: F, k: F) -> None:
    exact = subsampled_gaussian_delta(mu, F(1, 10), k)
    for bound in (replacement_gaussian_delta, replacement_gaussian_attained):
        assert abs(bound(mu, 1, F(1, 10), k) - exact) <= ball(F(1, 10**14))


def gaussian(mu: float, epsilon: mpmath.mpf) -> mpmath.mpf:
    tail = mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)
    return mpmath.ncdf(mu / 2 - epsilon / mu) - tail


@pytest.mark.parametrize(("mu", "draws", "size", "k"), [(1.0, 10, 100, 1.5), (0.5, 7, 3, 4.0)])
def test_gaussian_noise_by_quadrature(mu: float, draws: int, size: int, k: float) -> None:
    with mpmath.workdps(30):
        q = mpmath.mpf(1) / size
        weights = [math.comb(draws, j) * q**j * (1 - q) ** (draws - j) for j in range(draws + 1)]
        epsilon = mpmath.log(1 + (k - 1) / (1 - (1 - q) ** draws))
        bound = sum(weights[j] * gaussian(j * mu, epsilon) for j in range(1, draws + 1))

        def gap(x: mpmath.mpf, a: float, b: float) -> mpmath.mpf:
            p, other = (
                sum(w * mpmath.npdf(x - j * step) for j, w in enumerate(weights)) for step in (a, b)
            )
            return p - k * other

        attained = mpmath.mpf(0)
        for a, b in ((mu, 0.0), (0.0, mu), (mu / 2, -mu / 2)):
            steps = [mpmath.mpf(x) / 4 for x in range(-60, 80)]
            changes = [
                mpmath.findroot(lambda x, a=a, b=b: gap(x, a, b), (left, right), solver="anderson")
                for left, right in itertools.pairwise(steps)
                if gap(left, a, b) * gap(right, a, b) < 0
            ]
            edges = [steps[0], *changes, steps[-1]]
            areas = (
                mpmath.quad(lambda x, a=a, b=b: gap(x, a, b), mpmath.linspace(left, right, 9))
                for left, right in itertools.pairwise(edges)
            )
            attained = max(attained, sum(area for area in areas if area > 0))
    share = F(1, size)
    assert abs(replacement_gaussian_delta(mu, draws, ball(share), k) - float(bound)) < 1e-15
    found = replacement_gaussian_attained(mu, draws, ball(share), k)
    assert abs(found - float(attained)) < 1e-14
    assert found <= replacement_gaussian_delta(mu, draws, ball(share), k)


@given(
    records=st.lists(st.complex_numbers(max_magnitude=1), min_size=0, max_size=3),
    replaced=st.tuples(*[st.complex_numbers(max_magnitude=1)] * 2),
    draws=st.integers(1, 3),
    size=st.floats(0.2, 2.0),
    k=st.floats(1.05, 6.0),
)
@settings(derandomize=True, deadline=None, max_examples=8)
def test_no_sum_of_records_in_the_plane_exceeds_the_sharp_bound(
    records: list[complex], replaced: tuple[complex, complex], draws: int, size: float, k: float
) -> None:
    everyone = [*records, *replaced]
    distance = max(abs(a - b) for a in everyone for b in everyone)
    scale = size / max(distance, 0.01)
    grid = np.arange(-12, 12, 0.1)
    points = grid[:, None] + 1j * grid[None, :]

    def law(record: complex) -> np.ndarray:
        samples = itertools.product([*records, record], repeat=draws)
        means = [sum(sample) * scale for sample in samples]
        middle = draws * replaced[0] * scale
        return sum(np.exp(-(abs(points - m + middle) ** 2) / 2) for m in means) / len(means)

    first, second = (law(record) / (2 * math.pi) for record in replaced)
    delta = float(np.maximum(first - k * second, 0).sum()) * 0.1**2
    share = F(1, len(records) + 1)
    mu = max(distance * scale, 0.05)
    bound = replacement_gaussian_bound(mu * (1 + 1e-9), draws, ball(share), k)
    assert delta <= bound + 5e-5  # of the sum over a grid, across a kink


@pytest.mark.parametrize(
    ("mu", "draws", "size", "k", "gap"),
    [
        (F(1), 10, 100, F(2), 1e-5),
        (F(1, 2), 100, 1000, F(3, 2), 1e-5),
        (F(1, 3), 10**5, 10**6, F(2), 1e-4),
        (F(1, 3), 5, 5, F(10), 2.0),
        (F(2), 20, 5, F(3, 2), 3e-3),
    ],
)
def test_the_sharp_bound_is_nearly_attained(mu: F, draws: int, size: int, k: F, gap: float) -> None:
    arguments = mu, draws, ball(F(1, size)), k
    attained, bound, theorem = (
        float(function(*arguments))
        for function in (
            replacement_gaussian_attained,
            replacement_gaussian_bound,
            replacement_gaussian_delta,
        )
    )
    assert attained <= bound <= theorem
    assert bound <= (1 + gap) * attained
    # The maximum over z, on a grid.
    shift, ratio, share = float(mu), float(k), 1 / size
    j = np.arange(1, min(draws, 60) + 1)
    weights = stats.binom.pmf(j, draws, share)
    z = np.linspace(-12, 4, 4001)[:, None]
    t = np.clip(j * shift / 2 - math.log(ratio) / (j * shift), z, z + j * shift)
    gains = (special.ndtr(t) - ratio * special.ndtr(t - j * shift)) @ weights
    best = np.max(gains + (1 - share) ** draws * (1 - ratio) * special.ndtr(z[:, 0]))
    assert best * (1 - 1e-9) <= bound <= best * (1 + 1e-4)


def test_a_single_record_is_drawn_every_time() -> None:
    exact = subsampled_gaussian_delta(F(5, 2), F(1), F(3))
    assert abs(replacement_gaussian_delta(F(1, 2), 5, F(1), F(3)) - exact) <= ball(F(1, 10**14))


@given(pairs=st.lists(st.tuples(laws, laws), min_size=1, max_size=4), k=st.fractions(0, 5))
@repeat
def test_products_of_finite_laws_by_brute_force(pairs: list[tuple[Law, Law]], k: F) -> None:
    outcomes = itertools.product(range(OUTCOMES), repeat=len(pairs))
    gaps = (
        math.prod(p[i] for (p, _), i in zip(pairs, each, strict=True))
        - k * math.prod(q[i] for (_, q), i in zip(pairs, each, strict=True))
        for each in outcomes
    )
    assert exact_composition_delta(pairs, k) == sum((max(gap, F(0)) for gap in gaps), F(0))


@pytest.mark.parametrize(
    ("attempt", "complaint"),
    [
        (lambda: replacement_rate(0, F(1, 2)), "'draws' parameter"),
        (lambda: replacement_rate(2, F(0)), "'share' parameter"),
        (lambda: replacement_ratio(F(1, 2), 2, F(1, 2)), "'k' parameter"),
        (lambda: replacement_delta([], F(1, 2)), "parameter of privacy.replacement_delta"),
        (lambda: replacement_gaussian_delta(0, 2, F(1, 2), 2), "'mu' parameter"),
        (lambda: replacement_gaussian_delta(1, 2.5, F(1, 2), 2), "'draws' parameter"),
        (lambda: replacement_gaussian_attained(1, 2, F(3, 2), 2), "'share' parameter"),
        (lambda: replacement_gaussian_attained(1, 2, F(1, 2), math.nan), "'k' parameter"),
        (lambda: replacement_gaussian_bound(1, 2, F(1, 2), F(1, 2)), "'k' parameter"),
        (lambda: replacement_gaussian_bound(1, 2, F(0), 2), "'share' parameter"),
        (lambda: exact_composition_delta([], 2), "no releases"),
        (lambda: exact_composition_delta([([F(1, 2)] * 2, [F(1)])], 2), "2 and 1 outcomes"),
        (lambda: exact_composition_delta([([0.5, 0.5], [0.5, 0.5])], 2), "exact numbers"),
        (lambda: exact_composition_delta([([F(1, 2)] * 2, [F(1, 2)] * 2)], 1.5), "exact numbers"),
        (lambda: exact_composition_delta([([F(1, 2)] * 2, [F(1, 3)] * 2)], 2), "sums to 2/3"),
        (lambda: exact_composition_delta([([F(1, 2)] * 2, [F(1, 2)] * 2)], -1), "'k' parameter"),
        (lambda: exact_composition_delta([many(p) for p in (2, 3, 5)], 1), "more than 200000"),
    ],
)
def test_wrong_requests(attempt: Callable[[], object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        attempt()


def many(seed: int) -> tuple[Law, Law]:
    """Laws over 80 outcomes with as many ratios."""
    p = [F(i * i + seed) for i in range(1, 81)]
    q = [F(i + seed) for i in range(1, 81)]
    return [a / sum(p) for a in p], [b / sum(q) for b in q]
