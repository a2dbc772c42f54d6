"""The harness notices what it is there for: wrong mechanisms on purpose, and its own parts."""

import warnings
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from flint import ctx

from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.exact.sampling import random_bits, uniform_below
from provedp.theory.numbers import ball
from provedp.theory.privacy import Adjacency, Guarantee, gaussian_delta
from provedp.verify.spending import mutants
from provedp.verify.spending.meetings import Cost
from provedp.verify.spending.outcomes import canonical
from provedp.verify.spending.promises import delta_spent, keeps, share
from provedp.verify.spending.recorder import Scripted, UnseenNoiseError, recording
from provedp.verify.spending.replay import replayed
from provedp.verify.spending.suite import case_names, replay_count

SIGMA = Q(3)
NOISE = RoundedGaussian(SIGMA)


def sound(data: list[int]) -> Any:
    return NOISE.added_to(data, None)


def test_the_cost_of_a_sound_release_is_that_of_its_change() -> None:
    found = replayed(sound, [1, 5, 0], [2, 3, 0])
    assert found.difference == ""
    assert found.cost == Cost(Q(1 + 4, 9))
    assert found.numbers == 3


def in_clear(data: list[int]) -> Any:
    return [*sound(data), sum(data)]


def one_draw_more(data: list[int]) -> Any:
    return sound(data) if sum(data) % 2 else [*sound(data), *sound([0])]


def scale_by_data(data: list[int]) -> Any:
    return RoundedGaussian(SIGMA + sum(data)).added_to(data, None)


def warns(data: list[int]) -> Any:
    if sum(data) % 2:
        warnings.warn("odd", UserWarning, stacklevel=1)
    return sound(data)


def refuses(data: list[int]) -> Any:
    found = sound(data)
    if sum(data) % 2:
        raise ValueError("odd")
    return found


def quotes(data: list[int]) -> Any:
    raise ValueError(f"got {data}")


def in_order(data: list[int]) -> Any:
    found = dict(zip(data, sound(data), strict=True))
    return [found[key] for key in sorted(found)]


def elsewhere(data: list[int]) -> Any:
    return [value + uniform_below(3) for value in data]


@pytest.mark.parametrize(
    "run", [in_clear, one_draw_more, scale_by_data, warns, refuses, quotes, in_order, elsewhere]
)
def test_what_depends_on_the_data_but_through_noise_is_seen(run: Any) -> None:
    assert replayed(run, [2, 1, 0], [2, 2, 0]).difference
    assert replayed(run, [2, 2, 0], [2, 1, 0]).difference


def test_no_random_number_is_drawn_unseen() -> None:
    with recording(Scripted(0, Q(1))):
        for draw in (lambda: uniform_below(2), lambda: random_bits(8), NOISE.draw):
            with pytest.raises(UnseenNoiseError):
                draw()
    assert uniform_below(1) == 0
    assert abs(NOISE.draw()) < 100


def occupied(least: int) -> Any:
    return lambda data: NOISE.added_to_occupied({g: data.count(g) for g in data}, least, None)


def test_a_group_of_one_side_alone_stays_below_the_threshold() -> None:
    for factor in (Q(0), Q(1), Q(30)):
        one, two = ["a"] * 50 + ["b"], ["a"] * 50 + ["c"]
        found = replayed(occupied(40), one, two, 3, factor)
        assert found.difference == ""
        assert found.cost.square == Q(2, 9)
        assert found.cost.alone == 1
        # Φ(−x) ≈ φ(x) (1 − 1/x²)/x at x = 39.5/3
        assert float(found.cost.tail) == pytest.approx(6.83e-40, rel=0.01)


def test_two_groups_alone_are_too_many() -> None:
    found = replayed(occupied(40), ["a", "b"], ["c", "d"])
    promise = Guarantee(Q(20), "3", Q(1, 2), Adjacency.REPLACE_ONE, "")
    assert found.cost.alone == 2
    assert keeps(found.cost, promise) is False


def test_profiles_of_parts_are_those_of_theory() -> None:
    k, square = Q(3), Q(1, 2)
    with ctx.workprec(128):
        alone = ball(gaussian_delta(ball(square).sqrt(), ball(k).log()))
    assert delta_spent(Cost(square), k).overlaps(alone)
    assert delta_spent(Cost(square, tail=ball(Q(1, 100))), k).overlaps(alone + ball(Q(4, 100)))
    # A release of ratio 5 alone needs (5 − 3)/(5 + 1), one of ratio 3 nothing.
    assert delta_spent(Cost(ratio=Q(5)), k).overlaps(ball(Q(1, 3)))
    assert delta_spent(Cost(ratio=Q(3)), k) == 0
    both = delta_spent(Cost(square, Q(2)), k)
    assert alone < both < alone + ball(Q(1, 2))


def test_a_share_of_one_is_what_is_allowed() -> None:
    promise = Guarantee(Q(3), "ln(3)", Q(1, 100), Adjacency.REPLACE_ONE, "")
    allowed = Q(1, 3) / share(Cost(Q(1, 3)), promise)
    assert keeps(Cost(allowed), promise) is True
    assert keeps(Cost(allowed * (1 + Q(1, 10**12))), promise) is False


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (0.0, -0.0),
        (1, 1.0),
        (1.0, np.float32(1.0)),
        ([1, 2], [2, 1]),
        ([1], (1,)),
        (np.zeros((1, 2)), np.zeros((2, 1))),
        (np.zeros(2), np.array([0.0, -0.0])),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (True, 1),
        ("1", 1),
        (Q(1), 1),
        (5e-324, 0.0),
    ],
)
def test_texts_of_outcomes_tell_all_bits(one: Any, two: Any) -> None:
    assert canonical(one) != canonical(two)
    assert canonical(one) == canonical(one)


def wrong_ones() -> list[Any]:
    mixture = "PrivateMixture, add-remove, two rounds, 2 classes"
    local = "PrivateModes, replace-one, local, private box"
    fields = "PrivateModes, replace-one, field, public box"
    box = "PrivateModes, add-remove, field, private box"
    return [
        (mutants.half_the_scale, mixture),
        (mutants.second_moments_without_noise, mixture),
        (mutants.distances_without_noise, mixture),
        (mutants.records_outside_the_ball, mixture),
        (mutants.exact_number_of_records, mixture),
        (mutants.free_box, local),
        (mutants.field_for_presence, fields),
        (mutants.exact_number_for_the_box, box),
        (mutants.low_threshold, local),
    ]


@pytest.mark.parametrize(
    ("wrong", "name"), wrong_ones(), ids=lambda each: getattr(each, "__name__", each)
)
def test_wrong_mechanisms_are_seen(wrong: Any, name: str) -> None:
    assert name in case_names("Private")
    found = mutants.spent_with(wrong)(name)
    assert min(found["same"], found["kept"]) < replay_count(name)
