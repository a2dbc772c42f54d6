"""Steps from peaks: what one record adds, how far they lead, and when they are made."""

from fractions import Fraction as Q
from math import erf, exp, pi, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from provedp.mechanisms.exact.refinable_geometric import RefinableGeometric
from provedp.mechanisms.modes import PrivateModalClustering, PrivateModalRegression, PrivateModes
from provedp.mechanisms.modes.private import peaks as peaks_module
from provedp.mechanisms.modes.private.field import Axis
from provedp.mechanisms.modes.private.planning import WIDTHS, bins_layouts
from provedp.mechanisms.modes.private.step_planning import (
    RATE,
    SHARES,
    SOFTNESSES,
    Moves,
    StepPlan,
    clear_level,
)
from provedp.mechanisms.modes.private.steps import (
    NARROWER,
    WHOLE,
    StepRule,
    half_side,
    half_sides,
    release_slopes,
    slope_of_normal,
    slopes,
    step_noise,
    within,
)

BOX = [(-6, 6)] * 2
COORDINATE = st.one_of(
    st.floats(-9, 9), st.sampled_from([0.0, 1.5, -1.5, 1e300, -1e300, 5e-324, 1 + 2**-52])
)
POINT = st.tuples(COORDINATE, COORDINATE)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=5), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_the_nearest_point_has_no_nearer_one(point: list[float], random: Any) -> None:
    """p is nearest to t in a convex set iff (t − p)(y − p) ≤ 0 for all y of it."""
    t = np.array([point])
    nearest = within(t)
    assert np.abs(nearest).sum() <= 1 + 1e-12
    for axis in range(len(point)):
        for sign in (1, -1):  # a linear function is largest at a corner
            corner = sign * np.eye(len(point))[axis]
            assert ((t - nearest) @ (corner - nearest[0]))[0] <= 1e-12
    if np.abs(t).sum() <= 1:
        assert nearest == pytest.approx(t)


@given(POINT, POINT, st.tuples(POINT, POINT, POINT), st.sampled_from([0.25, 0.5]))
@settings(max_examples=150)
def test_a_record_adds_at_one_place_and_no_more_than_its_parts(
    one: Any, two: Any, places: Any, softness: float
) -> None:
    where = np.clip(np.array(places), -6, 6)
    added = [slopes(np.array([each]), where, np.array([0.7, 1.1]), softness) for each in (one, two)]
    for each in added:
        assert np.abs(each).sum() <= WHOLE
        assert (each != 0).any(axis=1).sum() <= 1
    assert np.abs(added[0] - added[1]).sum() <= 2 * WHOLE
    both = slopes(np.array([one, two]), where, np.array([0.7, 1.1]), softness)
    assert (both == added[0] + added[1]).all()


def test_a_far_record_adds_one_unit_along_its_farthest_coordinate() -> None:
    places = np.zeros((1, 2))
    points = np.array([[1.0, 0.3], [-0.2, -1.2], [0.1, 0.05], [3.0, 0.0]])
    each = [slopes(point[None], places, np.ones(2), 0.25)[0] / WHOLE for point in points]
    assert each[0].tolist() == [1, 0]
    assert each[1].tolist() == [0, -1]
    assert each[2] == pytest.approx([0.4, 0.2], abs=1e-3)
    assert each[3].tolist() == [0, 0]  # beyond the cube


def test_cubes_end_half_way_to_the_next_peak() -> None:
    places, widths = np.array([[0.0, 0.0], [1.0, 0.5], [50.0, 0.0]]), np.array([1.0, 0.25])
    assert half_sides(places, widths) == pytest.approx([1.0, 1.0, half_side(2)])


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_the_cube_is_narrower_than_that_of_variance_one(columns: int) -> None:
    """By quadrature over r = max |tᵢ|, whose shells have a mean square of r² (d + 2)/(3d)."""
    side = half_side(columns) / NARROWER
    mass = quad(lambda r: r ** (columns - 1) * (side - r), 0, side)[0]
    square = quad(lambda r: r ** (columns + 1) * (side - r), 0, side)[0]
    assert square / mass * (columns + 2) / (3 * columns) == pytest.approx(1)


def normal(x: float) -> float:
    return exp(-x * x / 2) / sqrt(2 * pi)


@pytest.mark.parametrize("width", [0.5, 0.75, 1.2])
@pytest.mark.parametrize("softness", [0.25, 0.5, 1.0])
def test_slopes_of_a_normal_mode_are_its_truncated_moments(width: float, softness: float) -> None:
    """By hand in one coordinate; two coordinates have E max |zᵢ| = 2/√π."""
    side, end = 2.0 / width, softness / width
    inner = width**2 * (erf(end / sqrt(2)) - 2 * end * normal(end)) / softness
    fall = (inner + 2 * width * (normal(end) - normal(side))) / width**2
    square = inner / softness + erf(side / sqrt(2)) - erf(end / sqrt(2))
    found = slope_of_normal(1, 2.0, softness, width)
    assert found == pytest.approx((fall, square), rel=0.01)
    sharp = slope_of_normal(2, 1e3, 1e-6, width)
    assert sharp[0] == pytest.approx(1 / (sqrt(pi) * width), rel=0.02)
    assert sharp[1] == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize("share", [Q(3, 10), Q(1, 2)])
def test_parts_of_the_budget_multiply_to_the_whole(share: Q) -> None:
    ratio = Q(271, 100)
    before, rest = StepRule(share, 0.25).parts(ratio)
    assert before * rest == ratio
    assert 1 < before <= float(ratio) ** float(1 - share) * (1 + 1e-12)


def test_noise_of_slopes_is_what_it_says() -> None:
    """Without records, 2000 numbers: the deviation to a tenth, and no two alike."""
    noise, rng = step_noise("replace-one", Q(3)), np.random.default_rng(1)
    places, axes = np.zeros((1000, 2)), [Axis(-6.0, 6.0, 1.0)] * 2
    found = release_slopes(np.zeros((0, 2)), places, axes, 0.25, noise, rng)
    assert found.std() == pytest.approx(noise.deviation / WHOLE, rel=0.1)
    assert len(np.unique(found)) > 1900
    assert noise.deviation / WHOLE == pytest.approx(sqrt(2) * 2 / np.log(3), rel=2e-3)


def corners(seed: int, records: int = 1000) -> np.ndarray:
    rng = np.random.default_rng(seed)
    modes = np.array([[a, b] for a in (-3.0, 3.0) for b in (-3.0, 3.0)])
    return modes[rng.integers(0, 4, records)] + rng.standard_normal((records, 2))


def errors(model: PrivateModes, seeds: range) -> float:
    found = []
    for seed in seeds:
        places = model.set_params(random_state=seed).fit(corners(seed)).modes_
        found += [((places - [a, b]) ** 2).sum(axis=1).min() for a in (-3, 3) for b in (-3, 3)]
    return float(np.minimum(found, 9).mean())


@pytest.mark.parametrize("epsilon", ["1/2", "1"])
def test_steps_bring_modes_nearer(epsilon: str) -> None:
    """60 releases of 1000 records at four corners, on the mean."""
    model = PrivateModes(epsilon, 0, box=BOX, bandwidth=1.2, modes=4)
    assert model.plan(1000).step_share is not None
    stepped = errors(model, range(60))
    model.set_params(steps=False)
    assert model.plan(1000).step_share is None
    assert stepped < errors(model, range(60))


@pytest.mark.parametrize(("columns", "most"), [(1, 1 / 20), (2, 1 / 20), (5, 1 / 10)])
@pytest.mark.parametrize("width", [0.6, 0.75, 1.0])
def test_skewness_moves_modes_of_both_kernels_nearly_alike(
    columns: int, most: float, width: float
) -> None:
    """To first order in the skewness, by E[ψ₁ He₃(z₁)]/6 over the slope; Gaussian kernels by hand.

    A Gaussian kernel moves the mode of a density with third cumulant γs³ by γs³/(2(1 + s²)) from
    its mean.
    """
    z = np.random.default_rng(0).standard_normal((200_000, columns))
    inside = np.abs(width * z).max(axis=1) < half_side(columns)
    for softness in SOFTNESSES:
        parts = within(width * z / softness) * inside[:, None]
        moved = -width * (parts * (z**3 - 3 * z)).mean() / 6 / (parts * z).mean()
        assert abs(moved - width**3 / (2 * (1 + width**2))) < most + 0.003


SQUARE = st.floats(1e-4, 10)


@given(SQUARE, SQUARE, SQUARE, SQUARE, SQUARE, st.floats(1, 1e4))
@settings(max_examples=100)
def test_the_best_part_of_a_step_has_the_least_variance(
    noise: float, aliasing: float, drawn: float, step: float, step_drawn: float, records: float
) -> None:
    """By a search over parts of two places whose draws have the smaller variance in common."""
    moves = Moves(noise, aliasing, drawn, step, step_drawn)
    first = noise / records**2 + aliasing + drawn / records
    last = step / records**2 + step_drawn / records
    both = min(drawn, step_drawn) / records
    parts = np.linspace(0, 1, 100_001)
    errors = (1 - parts) ** 2 * first + parts**2 * last + 2 * parts * (1 - parts) * both
    before, after = moves.parts(records)
    assert before / (before + after) == pytest.approx(parts[errors.argmin()], abs=1e-2)
    wrong = moves.error(records) - errors.min()
    assert wrong == pytest.approx(0.2**2 * noise / records**2 + aliasing, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("epsilon", "records"), [("1/2", 1000), (1, 1000), (5, 1000), (1, 150)])
def test_a_plan_with_steps_has_the_least_error_of_all_that_show_every_peak(
    epsilon: Any, records: int
) -> None:
    model = PrivateModes(epsilon, 0, box=BOX, bandwidth=1.2, modes=4)
    plan, public = model.plan(records), model._settings()
    axes, (_, ratio) = public.axes(public.box), public.pure_parts
    grids, held = bins_layouts(axes, "replace-one", ratio), records / 4
    least = {None: min(grid.mean_error(held, WIDTHS) for grid in grids)}
    for grid in grids:
        for share in SHARES:
            for softness in SOFTNESSES:
                steps = StepPlan(grid, ratio, "replace-one", StepRule(share, softness))
                level = clear_level(steps.first, True) + 2
                if steps.first.height * held >= level * steps.first.height_noise:
                    least[steps] = steps.mean_error(held, WIDTHS)
    best = min(least, key=lambda steps: least[steps])
    found = None if plan.step_share is None else plan.steps(public, axes)
    assert found == best


def test_peaks_are_clear_above_what_noise_reaches_at_one_place_on_the_mean() -> None:
    """Gaussian noise, 22² places: 484 · 2(1 − Φ(t/1.12)) is below one, or a twentieth, not far."""
    model = PrivateModes("1/2", 0, box=[(-6, 6)] * 2, bandwidth=1.2, modes=4)
    noise = model.plan(1000).steps(model._settings(), model._settings().axes(np.array(BOX))).first
    known, unknown = (clear_level(noise, each) / 1.12 for each in (True, False))
    assert 0.1 < 484 * (1 - erf(known / sqrt(2))) < 1
    assert 0.002 < 484 * (1 - erf(unknown / sqrt(2))) < 0.05


def test_softer_steps_are_for_less_noise() -> None:
    """By rows of ε: sharp tops waste least of the noise, soft ones least of the records."""
    at = [PrivateModes(e, 0, box=BOX, bandwidth=1.2, modes=4).plan(1000) for e in ("1/2", 5)]
    assert [each.softness for each in at] == [0.5, 1.0]


def test_steps_are_not_made_where_a_peak_is_in_doubt() -> None:
    """Four modes are asked for and one is there: all of ε goes into the counts."""
    model = PrivateModes("1/2", 0, box=BOX, bandwidth=1.2, modes=4, random_state=0)
    assert model.fit(corners(0)).stepped_
    noisy = model.field_.deviation
    one = np.random.default_rng(0).normal(3, 1, (1000, 2))
    assert not model.fit(one).stepped_
    assert model.field_.deviation < 0.6 * noisy
    clusters = PrivateModalClustering("1/2", 0, box=BOX, bandwidth=1.2, clusters=4, random_state=0)
    assert not clusters.fit(corners(0)).stepped_
    assert clusters.set_params(steps=True).fit(corners(0)).stepped_


def test_sure_peaks_of_either_estimate_share_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    right = peaks_module.noise_reach
    monkeypatch.setattr(
        peaks_module, "noise_reach", lambda n, g, rate: seen.append(rate) or right(n, g, rate)
    )
    model = PrivateModes("1/2", 0, box=BOX, bandwidth=1.2, modes=4, random_state=0)
    model.fit(np.random.default_rng(0).normal(3, 1, (1000, 2)))
    assert seen == [RATE, RATE]
    assert 2 * RATE == 0.05


@pytest.mark.parametrize("value", ["no", None, 0.5])
def test_steps_are_allowed_or_not(value: Any) -> None:
    model = PrivateModes(1, 0, box=BOX, bandwidth=1.2, steps=value)
    with pytest.raises(ValueError, match="The 'steps' parameter of PrivateModes must be"):
        model.fit(corners(0))


def test_plans_without_steps_have_none() -> None:
    weak = PrivateModes("1/20", 0, box=BOX, bandwidth=1.2, modes=4).plan(1000)
    strong = PrivateModes(5, 0, box=BOX, bandwidth=1.2, modes=4).plan(10**5)
    hidden = PrivateModes("1/2", 0, box=BOX, bandwidth=1.2, modes=4, adjacency="add-remove").plan()
    field = PrivateModes("1/2", "1/3", box=BOX, bandwidth=1.2, method="field").plan(1000)
    line = PrivateModalRegression("1/2", 0, box=BOX, bandwidth=1.2).plan(1000)
    assert {each.step_share for each in (weak, strong, hidden, field, line)} == {None}


# ----------------------------------------------------------------------- noise that is refined
def law(k: Q, n: int) -> Q:
    return (k - 1) / (k + 1) / k ** abs(n)


@pytest.mark.parametrize(("first", "last"), [(Q(3, 2), Q(3)), (Q(2), Q(2)), (Q(9, 8), Q(50))])
def test_noisier_numbers_have_the_first_law(first: Q, last: Q) -> None:
    """The two parts convolved, in fractions, but for tails beyond 300, which are below 1e-12."""
    p = RefinableGeometric(first, last).unchanged
    assert 0 < p <= 1
    for n in (0, 1, -2, 7):
        more = sum(law(last, m) * law(first, n - m) for m in range(-300, 301))
        assert float(p * law(last, n) + (1 - p) * more - law(first, n)) == pytest.approx(
            0, abs=1e-12
        )


def test_a_refined_ratio_is_not_below_the_first() -> None:
    with pytest.raises(ValueError, match="'last' must be at least 3; got 2"):
        RefinableGeometric(Q(3), Q(2))
