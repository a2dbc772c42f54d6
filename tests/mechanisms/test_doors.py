"""What every mechanism with a guarantee has in common: replayable noise promises nothing, and
refusals do not depend on how many records there are. The mechanisms are found by walking.
"""

import importlib
import inspect
import json
import pkgutil
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import provedp.mechanisms
from provedp.cli.main import main
from provedp.cli.release.command import HOMES
from provedp.mechanisms import counting
from provedp.mechanisms.exact.sampling import ReplayableNoiseWarning
from provedp.mechanisms.mixture import PrivateMixture
from provedp.mechanisms.modes import PrivateModalClustering, PrivateModalRegression, PrivateModes
from provedp.mechanisms.modes.private.estimators import FieldEstimator
from provedp.mechanisms.published import PublishedMechanism

SEEDS = {"rng", "random_state", "seed", "generator"}
BOX = {"box": [(-4, 4)] * 2, "bandwidth": 1}
CHANNEL = [[0.75, 0.25], [0.25, 0.75]]
POINTS = np.zeros((30, 2))
LABELS = [0, 1] * 15
COUNTS = {
    each: (lambda each=each: each(8, 1))
    for each in (
        counting.OptimalCount,
        counting.TruncatedGeometric,
        counting.RandomizedResponse,
        counting.RoundedLaplace,
        counting.ExponentialMechanism,
    )
} | {
    counting.BehindChannel: lambda: counting.BehindChannel(CHANNEL, 1),
    counting.MatrixRelease: lambda: counting.MatrixRelease(CHANNEL, "ln(3)"),
    counting.UniversalCount: lambda: counting.UniversalCount(1),
}
ESTIMATORS: Mapping[type, Callable[..., Any]] = {
    PrivateMixture: lambda **more: PrivateMixture(2, 0.01, bound=4, classes=(0, 1), **more),
    PrivateModes: lambda **more: PrivateModes(2, 0.01, **BOX, **more),
    PrivateModalClustering: lambda **more: PrivateModalClustering(2, 0.01, **BOX, **more),
    PrivateModalRegression: lambda **more: PrivateModalRegression(2, 0.01, **BOX, **more),
}
DATA = {
    PrivateMixture: (POINTS, LABELS),
    PrivateModes: POINTS,
    PrivateModalClustering: POINTS,
    PrivateModalRegression: (POINTS[:, :1], POINTS[:, 1]),
}
BASES = {counting.CountMechanism, FieldEstimator}


def walked() -> Iterator[type]:
    """Yield the classes of all modules of mechanisms, where they are defined."""
    for module in pkgutil.walk_packages(provedp.mechanisms.__path__, "provedp.mechanisms."):
        for each in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(each) and each.__module__ == module.name:
                yield each


def test_every_class_that_is_given_a_seed_is_here() -> None:
    """A class with a release or a guarantee, or fitted with a seed: in a table, or published."""
    found = {
        each
        for each in walked()
        if not issubclass(each, PublishedMechanism)
        and not each.__name__.startswith("_")
        and (hasattr(each, "guarantee") or hasattr(each, "release"))
    }
    assert found == {*COUNTS, *ESTIMATORS, *BASES}
    fitted = {each for each in walked() if hasattr(each, "fit")}
    seeded = {each for each in fitted if SEEDS & set(inspect.signature(each).parameters)}
    assert {each for each in seeded if not issubclass(each, PublishedMechanism)} == {*ESTIMATORS}


def released(kind: type, *rng: Any) -> list[warnings.WarningMessage]:
    """Return the warnings of one release."""
    mechanism = COUNTS[kind]() if kind in COUNTS else ESTIMATORS[kind]()
    data: Any = 1 if kind in COUNTS else DATA[kind]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mechanism.release(data, *rng)
    return caught


@pytest.mark.parametrize("kind", [*COUNTS, *ESTIMATORS])
def test_a_release_with_a_generator_says_that_it_carries_no_guarantee(kind: type) -> None:
    assert released(kind) == []
    (warned,) = released(kind, np.random.default_rng(0))
    assert warned.category is ReplayableNoiseWarning
    assert f"{kind.__name__}.release" in str(warned.message)
    assert "carries no guarantee" in str(warned.message)
    assert warned.filename == __file__
    assert "no guarantee" in inspect.getdoc(kind.release)  # type: ignore[attr-defined, operator]


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize("state", [0, 7, np.random.default_rng(0)])
def test_an_estimator_with_a_seed_has_no_guarantee(kind: type, state: Any) -> None:
    assert ESTIMATORS[kind]().guarantee is not None
    assert ESTIMATORS[kind](random_state=state).guarantee is None
    assert "None if the noise is replayable" in inspect.getdoc(kind.guarantee)  # type: ignore


def test_published_mechanisms_have_no_guarantee_in_any_case() -> None:
    published = [each for each in walked() if issubclass(each, PublishedMechanism)]
    assert len(published) > 5
    assert all(each.guarantee.fget(None) is None for each in published)  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------- the command line
ASKED = {
    "counting": ["--column", "a", "--m", "9", "--epsilon", "1"],
    "mixture": ["--label", "b", "--classes", "0,1", "--bound", "4", "--epsilon", "2"]
    + ["--delta", "0.01", "--output", "out.json"],
    "modes": ["--box", "-4:4,-4:4", "--bandwidth", "1", "--epsilon", "2", "--delta", "0.01"],
}


@pytest.mark.parametrize("command", HOMES)
def test_every_command_that_releases_says_what_a_seed_undoes(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text("a,b\n" + "1,0\n2,1\n" * 10, encoding="utf-8")
    request = ["release", command, "in.csv", *ASKED[command]]
    said = {}
    for seed in ((), ("--seed", "0")):
        for form in ((), ("--json",)):
            with pytest.raises(SystemExit) as ended:
                main([*request, *seed, *form])
            assert not ended.value.code
            printed = capsys.readouterr()
            said[seed, form] = printed.out if form else printed.out + printed.err
    with_seed = "--seed", "0"
    assert "no guarantee" in said[with_seed, ()] and "no guarantee" not in said[(), ()]
    reports = [json.loads(said[seed, ("--json",)]) for seed in ((), with_seed)]
    assert [each["replayable"] for each in reports] == [False, True]
    assert reports[0]["claim"] and reports[1]["claim"] is None


def test_seeds_of_commands_that_release_say_what_they_are_for() -> None:
    for command in HOMES.values():
        module, name = command.split(":")
        options = {
            each.name: each for each in getattr(importlib.import_module(module), name).params
        }
        assert isinstance(options["seed"], click.Option)
        assert "protects nobody" in str(options["seed"].help)


# ------------------------------------------------------------------------ numbers of records
SIZES = (1, 2, 61, 73)


def bad(name: str, records: int) -> tuple[Any, Any]:
    """Return features and labels with one fault, for any number of records."""
    points = np.ones((records, 2))
    labels: Any = [0] * records
    spoiled = points.copy()
    spoiled[0, 1] = np.nan
    return {
        "one column too many": (np.ones((records, 3)), labels),
        "no columns": (np.ones((records, 0)), labels),
        "one dimension": (np.ones(records), labels),
        "three dimensions": (np.ones((records, 2, 1)), labels),
        "not finite": (spoiled, labels),
        "texts": ([["a", "b"]] * records, labels),
        "complex": (points * 1j, labels),
        "masked": (np.ma.masked_array(points, mask=points > 0), labels),
        "a label too many": (points, [*labels, 0]),
        "a label too few": (points, labels[1:]),
        "labels in columns": (points, np.zeros((records, 2))),
        "no labels": (points, None),
        "a label of none": (points, [*labels[1:], "none"]),
    }[name]


FAULTS = [
    "one column too many",
    "no columns",
    "one dimension",
    "three dimensions",
    "not finite",
    "texts",
    "complex",
    "masked",
]
OF_LABELS = ["a label too many", "a label too few", "labels in columns", "no labels"]
OF_LABELS += ["a label of none"]


def refusal(kind: type, name: str, records: int, adjacency: str) -> str:
    """Return the message that refuses a fault."""
    more = {"location": [0, 0]} if kind is PrivateMixture else {}
    if kind is PrivateModalRegression:
        more = {"box": [(-4, 4)] * 3}
    model = ESTIMATORS[kind](adjacency=adjacency).set_params(**more)
    features, labels = bad(name, records)
    pair = kind in (PrivateMixture, PrivateModalRegression)
    with pytest.raises(ValueError) as fitted:
        model.fit(features, labels) if pair else model.fit(features)
    with pytest.raises(ValueError) as once:
        model.release((features, labels) if pair else features)
    assert str(once.value) == str(fitted.value)
    return str(once.value)


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize("kind", ESTIMATORS)
def test_refusals_do_not_tell_how_many_records_there_are(kind: type, adjacency: str) -> None:
    pair = kind in (PrivateMixture, PrivateModalRegression)
    for name in FAULTS + (OF_LABELS if pair else []):
        told = {refusal(kind, name, records, adjacency) for records in SIZES}
        assert len(told) == 1, (name, told)
        assert not any(str(size) in message for size in SIZES[2:] for message in told)


EMPTY = [([], []), (np.zeros(0), np.zeros(0)), (np.zeros((0, 2)), [])]


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize("empty", EMPTY, ids=["lists", "one axis", "two axes"])
def test_no_records_are_records_under_add_remove(kind: type, empty: Any) -> None:
    """As many columns as are public, whatever no records come as."""
    model = ESTIMATORS[kind](adjacency="add-remove")
    features, labels = empty
    if kind is PrivateMixture:
        model.set_params(location=[0, 0], records=40)
    if kind is PrivateModalRegression and np.ndim(features) == 2:
        features = features[:, :1]
    pair = kind in (PrivateMixture, PrivateModalRegression)
    model.release((features, labels) if pair else features)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_lists_need_a_public_number_of_columns_however_many_records_there_are(kind: type) -> None:
    model = ESTIMATORS[kind](adjacency="add-remove")
    if kind is not PrivateMixture:
        model.set_params(box="private", bandwidth=None)
    pair = kind in (PrivateMixture, PrivateModalRegression)
    told = set()
    for records in (0, 1, 2, 50):
        features, labels = [[1.0, 2.0]] * records, [0] * records
        with pytest.raises(ValueError, match="rows in a list") as caught:
            model.release((features, labels) if pair else features)
        told.add(str(caught.value))
    assert len(told) == 1
