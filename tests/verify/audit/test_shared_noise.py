"""Noise that runs share: no verdict, and the reason; other mechanisms, right or wrong, have one.

All mechanisms of SHARED keep ε = 1 in each output, so that a refutation of it is false; counted as
independent runs, most of them would be refuted at any confidence.
"""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.pytest_plugin import PrivacyViolation, assert_private
from provedp.verify.audit import ApproximateDP, audit, audit_profile, target
from provedp.verify.audit.events.event import Event
from provedp.verify.audit.events.scores.score import Coordinate
from provedp.verify.audit.events.tallies import Sides, Tally
from provedp.verify.audit.procedures.confirmation import processes_needed
from provedp.verify.audit.runs.checks import DependentRuns, counts_checked
from provedp.verify.audit.runs.chunks import Done, Task, recounted, run_chunk
from provedp.verify.audit.statistics.dispersion import (
    dispersion_p_values,
    shared_outcomes_p_value,
)
from provedp.verify.audit.targets.runner import Runner

MODULE = """
import functools, itertools, random, time
from datetime import datetime
from pathlib import Path
import numpy as np

Z = np.random.laplace()
LIE = random.random() < 1 / (1 + np.e)
POOL = np.random.default_rng().laplace(size=100)
FIXED = np.random.default_rng(0)

def imported(data):
    return data + Z

def imported_and_more(data, rng):
    return data + Z + 0.05 * rng.normal()

def kept_response(data):
    return int(data) ^ int(LIE)

@functools.lru_cache
def remembered(data):
    return data + np.random.laplace()

class Kept:
    noise = None

def on_the_class(data, rng):
    if Kept.noise is None:
        Kept.noise = rng.laplace()
    return data + Kept.noise

def from_a_pool(data, rng):
    return data + POOL[rng.integers(100)]

def second_only(data, rng):
    return data + (Z if data else rng.laplace())

def in_a_file(data, rng):
    path = Path("noise.txt")
    if not path.exists():
        path.write_text(str(rng.laplace()))
    return data + float(path.read_text())

def per_request(data, rng, count):
    return data + rng.laplace() + rng.laplace(scale=0.2, size=count)

def response_per_request(data, rng, count):
    return np.full(count, int(data) ^ int(rng.random() < 1 / (1 + np.e)))

def antithetic(data, rng, count):
    half = rng.laplace(size=(count + 1) // 2)
    return data + np.concatenate([half, -half])[:count]

def signs_in_turn(data, rng, count):
    return data + np.abs(rng.laplace(size=count)) * np.where(np.arange(count) % 2, 1, -1)

def by_the_minute(data):
    return data + np.random.default_rng(int(time.time() / 60)).laplace()

def by_the_day(data, rng):
    return data + np.random.default_rng(datetime.now().toordinal()).laplace() + 0.1 * rng.normal()

def advanced(data):
    return data + FIXED.laplace()

def right(data, rng, count):
    return data + rng.laplace(size=count)

def half(data, rng, count):
    return data + rng.laplace(scale=0.5, size=count)

def own_generator(data):
    return data + np.random.default_rng().laplace()

def fixed_seed(data):
    return data + np.random.default_rng(7).laplace()

def no_noise(data):
    return float(data)
"""
PER_PROCESS = [
    "imported", "imported_and_more", "kept_response", "remembered", "on_the_class", "from_a_pool",
    "second_only", "in_a_file",
]  # fmt: skip
PER_REQUEST = ["per_request", "response_per_request", "antithetic"]
OTHERWISE = ["signs_in_turn", "advanced"]
CLOCK = ["by_the_minute", "by_the_day"]
SURE = 1 - 1e-6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("shared")
    (path / "shared_noise.py").write_text(MODULE, encoding="utf-8")
    sys.path.insert(0, str(path))
    yield path
    sys.path.remove(str(path))


def audited(folder: Path, name: str, **options: Any) -> Any:
    what = target(f"shared_noise:{name}", directory=str(folder))
    return audit(what, (0, 1), 1.0, **{"runs": 2000, **options})


@pytest.mark.parametrize("name", PER_PROCESS)
def test_noise_of_a_process_is_no_verdict(folder: Path, name: str) -> None:
    with pytest.raises(DependentRuns, match="one process share.*--fresh"):
        audited(folder, name)


@pytest.mark.parametrize("name", PER_REQUEST)
def test_noise_of_a_request_is_no_verdict(folder: Path, name: str) -> None:
    with pytest.raises(DependentRuns, match="one request share.*as one output"):
        audited(folder, name)


@pytest.mark.parametrize("name", OTHERWISE)
def test_other_dependence_is_no_verdict(folder: Path, name: str) -> None:
    with pytest.raises(DependentRuns, match="not independent"):
        audited(folder, name)


@pytest.mark.parametrize("name", CLOCK)
def test_noise_that_is_read_off_the_clock_is_not_taken_for_a_law(folder: Path, name: str) -> None:
    """All processes of one minute agree; those of the last look have other times."""
    for options in ({"seed": 1}, {"seed": 1, "sequential": True}):
        try:
            assert not audited(folder, name, **options).refuted
        except DependentRuns as error:
            assert "process" in str(error)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("per_request", {"seed": 1, "sequential": True}),
        ("from_a_pool", {"seed": 0, "sequential": True}),
        ("by_the_day", {"seed": 0, "confidence": SURE}),
    ],
)
def test_small_audits_see_it_too(folder: Path, name: str, options: dict[str, Any]) -> None:
    with pytest.raises(DependentRuns):
        audited(folder, name, runs=500, **options)


@pytest.mark.slow
@pytest.mark.parametrize("runs", [500, 10_000])
@pytest.mark.parametrize("name", [*PER_PROCESS, *PER_REQUEST, *OTHERWISE, *CLOCK])
def test_none_of_them_is_ever_refuted(folder: Path, name: str, runs: int) -> None:
    for seed in range(4):
        for options in ({"confidence": SURE}, {"sequential": True}, {"confidence": SURE}):
            try:
                assert not audited(folder, name, runs=runs, seed=seed, **options).refuted
            except DependentRuns:
                continue


@pytest.mark.parametrize("name", ["imported", "kept_response", "per_request"])
def test_in_this_process_as_well(folder: Path, name: str) -> None:
    function = getattr(importlib.import_module("shared_noise"), name)
    with pytest.raises(DependentRuns):
        audit(target(function, isolated=False), (0, 1), 1.0, runs=2000)
    with pytest.raises(DependentRuns):
        assert_private(function, (0, 1), epsilon=1.0, runs=2000)


@pytest.mark.parametrize("name", ["imported", "per_request"])
def test_early_stopping_and_profiles_look_as_well(folder: Path, name: str) -> None:
    with pytest.raises(DependentRuns):
        audited(folder, name, sequential=True, runs=20_000)
    what = target(f"shared_noise:{name}", directory=str(folder))
    with pytest.raises(DependentRuns):
        audit_profile(what, (0, 1), [ApproximateDP(1.0)], runs=2000)


@pytest.mark.parametrize("name", ["right", "own_generator"])
def test_independent_runs_pass(folder: Path, name: str) -> None:
    for seed in range(3):
        result = audited(folder, name, seed=seed, confidence=SURE)
        assert not result.refuted
        assert {each.name for each in result.checks} >= {"requests", "processes", "independent"}


@pytest.mark.parametrize("name", ["half", "fixed_seed", "no_noise"])
def test_what_is_wrong_is_refuted(folder: Path, name: str) -> None:
    """No noise, and noise of a fixed seed, come out the same in every process: that is a law."""
    result = audited(folder, name, runs=4000, confidence=SURE)
    assert result.refuted
    assert "more fresh processes" in {each.name: each.words for each in result.checks}["restarted"]
    assert result.check_runs <= 0.1 * 2 * 4000
    assert audited(folder, name, sequential=True).refuted


def test_a_process_for_each_run_audits_kept_noise(folder: Path) -> None:
    kept, wrong = (
        target(f"shared_noise:{name}", directory=str(folder), fresh=True)
        for name in ("kept_response", "no_noise")
    )
    assert not audit(kept, (0, 1), 1.0, runs=60, confidence=SURE).refuted
    assert audit(wrong, (0, 1), 1.0, runs=60).refuted


def test_without_checks_the_runs_are_counted(folder: Path) -> None:
    assert audited(folder, "imported", checks=False, seed=1).checks == ()


def test_what_cannot_be_started_anew_is_said() -> None:
    import threading

    lock = threading.Lock()

    def locked(data: float, rng: Any, count: int) -> Any:
        with lock:
            return data + rng.laplace(scale=0.5, size=count)

    result = audit(target(locked, isolated=False), (0.0, 1.0), 1.0, runs=2000)
    assert result.refuted
    assert "not started anew" in {each.name: each.words for each in result.checks}["restarted"]


def test_a_patch_that_fresh_processes_lack_is_told(folder: Path) -> None:
    module = importlib.import_module("shared_noise")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "Z", 50.0)
        with pytest.raises(DependentRuns):
            assert_private(module.imported_and_more, (0, 1), epsilon=1.0, runs=2000)
    with pytest.raises(PrivacyViolation, match="if all runs are independent"):
        assert_private(module.half, (0, 1), epsilon=1.0, runs=2000)


# The tests by themselves.


def table(rng: np.random.Generator, rows: int, size: int, chances: Any) -> Any:
    return np.array(rng.multinomial(rng.integers(size // 2, 2 * size, rows), chances))


@pytest.mark.parametrize(
    ("rows", "size", "chances"),
    [
        (160, 7, [0.5, 0.5]), (160, 70, [0.002, 0.998]), (12, 300, [0.27, 0.73]),
        (12, 20, [0.5, 0.5]), (2, 12, [0.5, 0.5]), (12, 100, [0.125] * 8), (8, 12, [0.125] * 8),
    ],
)  # fmt: skip
def test_dispersion_has_the_level_that_it_states(rows: int, size: int, chances: Any) -> None:
    rng = np.random.default_rng(3)
    found = np.array([dispersion_p_values(table(rng, rows, size, chances)) for _ in range(3000)])
    for tail in (0, 1):  # 2.4 standard errors above 3 × 0.01: missed by chance once in 10⁴
        assert np.mean(found[:, tail] <= 0.01) <= 0.03


def test_dispersion_sees_groups_that_differ_and_groups_too_alike() -> None:
    rng = np.random.default_rng(4)
    shares = rng.beta(20, 20, size=100)
    apart = np.array([rng.multinomial(200, [share, 1 - share]) for share in shares])
    assert dispersion_p_values(apart)[0] < 1e-10
    assert dispersion_p_values(np.full((100, 2), 100))[1] < 1e-10
    assert dispersion_p_values(np.array([[8, 8], [8, 8]])) == (pytest.approx(1), 1.0)


def test_outcomes_that_stay_in_their_group() -> None:
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(10), 50)
    kept = groups * 1000 + rng.integers(40, size=500)
    assert shared_outcomes_p_value(kept, groups) < 1e-20
    found = [
        shared_outcomes_p_value(np.random.default_rng(seed).integers(400, size=500), groups)
        for seed in range(400)
    ]
    assert 0.0 <= np.mean(np.array(found) <= 0.05) <= 0.1


def test_processes_needed_by_hand() -> None:
    """P(A) ≥ 1/2 makes Q(A) ≥ 1/(2e): N = ln α / ln(1 − 1/(2e)) = 14.7 at α = 0.05."""
    assert processes_needed(ApproximateDP(1.0), 0.05) == 15
    assert processes_needed(ApproximateDP(3.0), 0.05) == 119
    assert processes_needed(ApproximateDP(1.0, 0.5), 0.05) > 10**6


def test_requests_are_many_of_different_sizes_and_mixed() -> None:
    what = target(lambda data, rng, count: data + rng.laplace(size=count), isolated=False)
    event = Event(Coordinate(0), 0.5, None)
    with Runner(what) as runner:
        done = run_chunk(Task(what, (0.0, 1.0), 0, 0, 1000, 1, None), runner)
        counted = run_chunk(Task(what, (0.0, 1.0), 0, 0, 1000, 1, event, kind=0), runner)
    sizes = [sum(part.runs) for part in done.parts]
    assert sum(sizes) == 1000 and len(sizes) == 16 and len(set(sizes)) > 8
    sides = [part.runs[0] > 0 for part in done.parts]
    assert sides != sorted(sides) and sides != sorted(sides, reverse=True)
    assert recounted(done, event).parts == counted.parts
    assert counted.tally.on_first == event.counts(done.outputs[0])
    assert counted.tally.on_second == event.counts(done.outputs[1])


def test_counts_of_one_side_are_enough_to_see_it() -> None:
    rng = np.random.default_rng(6)

    def chunk(index: int, chance: float) -> Done:
        x, y = int(rng.binomial(200, chance)), int(rng.binomial(200, 0.3))
        first = Tally((200, 0), (Sides(x, 0),), (Sides(0, 0),))
        second = Tally((0, 200), (Sides(0, 0),), (Sides(y, 0),))
        return Done(0, index, (first, second), (), str(index))

    def failed(chances: Any) -> bool:
        found = counts_checked([chunk(i, chance) for i, chance in enumerate(chances)], 1e-6)
        return any(not each.passed for each in found)

    assert not failed([0.5] * 12)
    assert failed([0.5, 0.2] * 6)
