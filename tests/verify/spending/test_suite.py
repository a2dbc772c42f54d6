"""Every mechanism with a guarantee spends what it promises, on neighbours of all kinds."""

import importlib
import inspect
import pkgutil
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction as Q
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import provedp.mechanisms
from provedp.mechanisms.mixture import PrivateMixture
from provedp.mechanisms.mixture.private import settings as of_mixtures
from provedp.mechanisms.mixture.private.moments import CELLS, RADIUS, release_distances
from provedp.mechanisms.modes import PrivateModalRegression, PrivateModes
from provedp.mechanisms.modes.private import settings as of_modes
from provedp.mechanisms.modes.private.field import Axis
from provedp.mechanisms.modes.private.sparse import CellNoise, release_cells
from provedp.mechanisms.published import PublishedMechanism
from provedp.verify.claims.counting import spending as of_counts
from provedp.verify.spending.cases import PLANS, Case, cases
from provedp.verify.spending.meetings import Occupied
from provedp.verify.spending.neighbours import EDGES, LARGEST
from provedp.verify.spending.outcomes import canonical
from provedp.verify.spending.promises import keeps
from provedp.verify.spending.recorder import Scripted, recording
from provedp.verify.spending.replay import replayed
from provedp.verify.spending.suite import Tally, tally

CASES = {case.name: case for case in cases()}


def with_guarantee() -> Iterator[type]:
    """Yield the public classes that release something and promise something."""
    for module in pkgutil.walk_packages(provedp.mechanisms.__path__, "provedp.mechanisms."):
        for name, each in vars(importlib.import_module(module.name)).items():
            if name.startswith("_") or getattr(each, "__module__", None) != module.name:
                continue
            if not inspect.isclass(each) or inspect.isabstract(each):
                continue
            if hasattr(each, "release") and hasattr(each, "guarantee"):
                if not issubclass(each, PublishedMechanism):
                    yield each


def test_every_mechanism_with_a_guarantee_is_in_the_suite() -> None:
    counts = of_counts.draws_of_counts_spend_what_they_promise.instances
    universal = of_counts.draws_of_universal_counts_spend_what_they_promise.instances
    here = {type(case.mechanism).__name__ for case in CASES.values()}
    found = {each.__name__ for each in with_guarantee()}
    assert found == here | set(counts.values["name"]) | set(universal.values["name"])


def test_every_adjacency_method_and_option_is_in_the_suite() -> None:
    promised = {case.guarantee.claim for case in CASES.values()}
    assert promised == {*of_mixtures.CLAIMS.values(), *of_modes.CLAIMS.values()}
    settings_of: dict[type, list[dict[str, Any]]] = {}
    for case in CASES.values():
        settings_of.setdefault(type(case.mechanism), []).append(case.mechanism.get_params())
    for kind, given_settings in settings_of.items():
        for name, choices in {
            "adjacency": of_mixtures.CLAIMS if kind is PrivateMixture else of_modes.ADJACENCIES,
            "method": of_modes.METHOD.names,
            "divergence": of_mixtures.DIVERGENCE.names,
        }.items():
            if name in given_settings[0] and kind is not PrivateModes:
                assert {each[name] for each in given_settings} == set(choices), (kind, name)
        # What is left out in one case is given in another, or the other way round.
        options = {"shape", "location", "floor", "bandwidth", "modes", "clusters", "records"}
        for name in options & set(given_settings[0]):
            assert {each[name] is None for each in given_settings} >= {False}, (kind, name)


@pytest.mark.parametrize("case", [c for c in CASES.values() if "PrivateMixture" in c.name])
def test_plans_are_those_that_the_names_say(case: Case) -> None:
    plan = next((name for name in PLANS if name in case.name), "one round")
    first, _ = next(iter(case.pairs.values()))
    with recording(Scripted(0, Q(1))):
        rounds = case.fit(first)["release_"].plan.rounds
    assert len(rounds) == ["means only", "one round", "two rounds"].index(plan)


def fails(found: Tally, case: Case) -> list[str]:
    """Return what is wrong, if anything."""
    wrong = [*found.different, *(f"{name}: spends more" for name in found.overspent)]
    if found.released < found.replays:
        wrong.append(f"{found.replays - found.released} of {found.replays} refuse")
    if found.share < case.attains:
        wrong.append(f"spends {float(found.share):.3f} at most")
    return wrong


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_replays_spend_what_is_promised_and_say_nothing_else(case: Case) -> None:
    assert fails(tally(case), case) == []


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_replays_in_all_ways_spend_what_is_promised(case: Case) -> None:
    assert fails(tally(case, quick=False), case) == []


# ---------------------------------------------------------------- neighbours that hypothesis finds
NUMBERS = st.one_of(
    st.sampled_from([each * 4 for each in EDGES] + [LARGEST, -LARGEST]),
    st.floats(-20, 20),
    st.floats(allow_nan=False, allow_infinity=False),
)
FACTOR = st.sampled_from([Q(0), Q(1), Q(30)])
FOUND = ("one round, 3 classes", "two rounds, 2 classes")
MIXTURES = [c for c in CASES.values() if c.name.endswith(FOUND)]
LOCAL = [c for c in CASES.values() if c.name.startswith("PrivateModes,") and "all" not in c.name]


def holds(case: Case, first: Any, second: Any, factor: Q) -> None:
    found = replayed(case.fit, first, second, 1, factor)
    assert found.difference == ""
    assert found.released
    assert keeps(found.cost, case.guarantee) is True


@pytest.mark.parametrize("case", MIXTURES, ids=lambda case: case.name)
@settings(max_examples=12)
@given(st.data())
def test_neighbours_that_are_found_spend_no_more(case: Case, data: st.DataObject) -> None:
    adjacency = case.mechanism.adjacency
    classes = len(case.mechanism.classes)
    record = st.tuples(st.tuples(NUMBERS, NUMBERS), st.integers(0, classes - 1))
    rest = data.draw(st.lists(record, max_size=6))
    point, label = data.draw(record)
    other = data.draw(record)
    changed = {
        "label": [*rest, (point, (label + 1) % classes)],
        "replace-one": [*rest, other],
        "add-remove": rest,
    }[adjacency]
    holds(case, table([*rest, (point, label)]), table(changed), data.draw(FACTOR))


def table(records: list[Any]) -> tuple[Any, list[int]]:
    """Return features and labels."""
    points = np.array([point for point, _ in records], dtype=np.float64).reshape(-1, 2)
    return points, [label for _, label in records]


@pytest.mark.parametrize("case", LOCAL, ids=lambda case: case.name)
@settings(max_examples=12)
@given(st.data())
def test_points_that_are_found_spend_no_more(case: Case, data: st.DataObject) -> None:
    dimension = next(iter(case.pairs.values()))[0].shape[1]
    record = st.lists(NUMBERS, min_size=dimension, max_size=dimension)
    rest = data.draw(st.lists(record, max_size=6))
    ends = [[*rest, data.draw(record)], [*rest, data.draw(record)]]
    if case.mechanism.adjacency == "add-remove":
        ends[1] = rest
    first, second = (np.array(end, dtype=np.float64).reshape(-1, dimension) for end in ends)
    holds(case, first, second, data.draw(FACTOR))


def test_records_at_a_centre_are_in_the_last_cell_of_the_histogram() -> None:
    """A cell of their own would say that there are some: there are as many cells without them."""
    noise: Any = SimpleNamespace(count=Q(3))
    far, near = np.array([[float(RADIUS), 0.0]]), np.zeros((2, 2))
    with recording(Scripted(0, Q(0))):
        alone = release_distances([far], noise, None)
        both = release_distances([far, near], noise, None)
    assert len(alone) == len(both) == CELLS
    assert (both - alone).tolist() == [0.0] * (CELLS - 1) + [2.0]


class Tied(Scripted):
    """All noisy counts of occupied groups are the same."""

    def occupied(self, scale: Q, least: int, exact: Mapping[Hashable, int]) -> Occupied:
        return Occupied(scale, least, exact, dict.fromkeys(exact, least + 1))


def test_ties_of_noisy_counts_are_broken_by_places_alone() -> None:
    """Whichever of four cells holds more records, the same cells come out in the same order."""
    places = np.array([[-7.0, -7.0], [-1.0, 3.0], [5.0, 5.0], [5.0, -3.0]])
    axes, found = [Axis(-8.0, 8.0, 1.0)] * 2, []
    for sizes in ([9, 2, 5, 7], [2, 9, 7, 5], [5, 7, 2, 9]):
        with recording(Tied(0, Q(1))):
            points = np.repeat(places, sizes, axis=0)
            found.append(canonical(release_cells(points, axes, CellNoise(Q(9), 5), None)))
    assert len(set(found)) == 1


# ------------------------------------------------------------------------------------- refusals
REFUSED = {
    "a label that is none": (CASES["PrivateMixture, replace-one, one round, 3 classes"], "y"),
    "no number": (CASES["PrivateModes, replace-one, field, private box"], "X"),
    "no number, local": (CASES["PrivateModes, add-remove, local, public box"], "X"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_come_before_any_noise(name: str) -> None:
    case, what = REFUSED[name]
    first, _ = next(iter(case.pairs.values()))
    if what == "y":
        data: Any = (first[0], [*first[1][:-1], 7])
    else:
        data = np.vstack([first[:-1], np.full((1, first.shape[1]), np.nan)])
    noise = Scripted(0, Q(1))
    with recording(noise), pytest.raises(ValueError, match=f"'{what}' parameter"):
        case.fit(data)
    assert noise.met == []


def test_regression_is_by_a_field_alone() -> None:
    assert "method" not in PrivateModalRegression().get_params()
    assert {*of_counts.ATTAINED} <= {each.__name__ for each in with_guarantee()}
