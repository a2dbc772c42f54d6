"""Audits of mechanisms whose privacy is known in closed form."""

import json
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from provedp.verify.audit import (
    ApproximateDP,
    AuditResult,
    GaussianDP,
    Pair,
    RenyiDP,
    audit,
    target,
)
from provedp.verify.audit.events.event import event_from
from provedp.verify.audit.runs.chunks import Done, Task
from provedp.verify.audit.runs.executors import run_task
from provedp.verify.audit.targets.outputs import batch_of_array, batch_of_list

RNG = np.random.Generator
PURE = ApproximateDP(1.0)


def laplace(scale: float) -> Any:
    return here(lambda data, rng, count: data + rng.laplace(scale=scale, size=count))


def gaussian(sigma: float) -> Any:
    return here(lambda data, rng, count: data + sigma * rng.normal(size=count))


def here(function: Any) -> Any:
    return target(function, isolated=False)


def bounds(
    what: Any, pair: Any, claim: Any, runs: int, seeds: int = 5, **options: Any
) -> list[float]:
    options = {"checks": False, **options}
    found = [audit(what, pair, claim, runs=runs, seed=s, **options) for s in range(seeds)]
    return [result.epsilon_lower for result in found]


def test_bounds_come_close_to_the_truth_and_correct_mechanisms_pass() -> None:
    for scale, least in ((1.0, 0.97), (0.5, 1.95)):
        found = bounds(laplace(scale), (0.0, 1.0), PURE, 100_000)
        assert least <= np.median(found) <= 1 / scale
    truth = ApproximateDP(1.0, 1e-5)
    assert 0.5 <= np.median(bounds(gaussian(3.7306), (0.0, 1.0), truth, 100_000)) <= 1.0
    assert 1.3 <= np.median(bounds(gaussian(3.7306 / 2), (0.0, 1.0), truth, 100_000)) <= 2.155


def test_discrete_outputs_and_one_direction() -> None:
    def noisy_max(data: Any, rng: RNG, count: int) -> Any:
        return np.argmax(np.array(data) + rng.laplace(scale=2, size=(count, 5)), axis=1)

    pair = ([1, 1, 1, 1, 1], [2, 0, 0, 0, 0])
    assert 0.74 <= np.median(bounds(here(noisy_max), pair, PURE, 100_000)) <= 0.7787


def test_events_without_end_are_found() -> None:
    """The sparse vector technique without noise on the queries: no finite ε."""

    def sparse(data: Any, rng: RNG, count: int) -> Any:
        return (np.array(data) >= 0.5 + rng.laplace(scale=4, size=(count, 1))).astype(float)

    result = audit(here(sparse), ([1, 1, 0, 0], [0, 0, 1, 1]), PURE, runs=20_000)
    assert result.refuted
    assert result.epsilon_lower > 5
    assert result.counts.y == 0


def test_strings_none_and_varying_length() -> None:
    def answer(data: int, rng: RNG) -> Any:
        if rng.random() < 1 / (1 + math.e):
            data = 1 - data
        return [None, "yes", [1, 2]][data + int(rng.random() < 0.5)]

    found = bounds(here(answer), (0, 1), PURE, 4000)
    assert 0.75 <= np.median(found) <= 1.0


def test_vectors_are_told_apart_by_learned_scores() -> None:
    def release(data: Any, rng: RNG, count: int) -> Any:
        return np.array(data) + 1.8653 * rng.normal(size=(count, 10))

    pair = ([0.0] * 10, [10**-0.5] * 10)
    result = audit(here(release), pair, ApproximateDP(1.0, 1e-5), runs=50_000)
    assert result.refuted
    assert 1.1 < result.epsilon_lower < 2.155


def test_gdp_and_renyi_bounds_have_their_own_names() -> None:
    result = audit(gaussian(1.0), (0.0, 1.0), GaussianDP(0.5), runs=10_000)
    assert result.refuted
    assert result.notion == "mu"
    assert 0.9 < result.epsilon_lower < 1.0
    result = audit(gaussian(1.0), (0.0, 1.0), RenyiDP(0.2, 2.0), runs=10_000)
    assert result.notion == "Renyi divergence of order 2"
    assert 0.25 < result.epsilon_lower < 1.0


def test_bits_betray_numpys_laplace_and_not_a_grid() -> None:
    porous = bounds(laplace(1.0), (0.0, 1.0), PURE, 1000, channel="bits")
    assert min(porous) > 1

    def on_grid(data: float, rng: RNG, count: int) -> Any:
        return np.round((data + rng.laplace(size=count)) * 1024) / 1024

    assert max(bounds(here(on_grid), (0.0, 1.0), PURE, 1000, channel="bits")) < 1


def test_channels_are_never_mixed() -> None:
    """Values alone cannot refute numpy's Laplace; a shift by the grid leaves the bits alike."""
    assert max(bounds(laplace(1.0), (0.0, 1.0), PURE, 20_000, seeds=3)) < 1.02

    def shifted(data: float, rng: RNG, count: int) -> Any:
        return 10.0 * data + rng.integers(0, 2, size=count)

    assert audit(here(shifted), (0.0, 2.0), PURE, runs=1000).refuted
    result = audit(here(shifted), (0.0, 2.0), PURE, runs=1000, channel="bits")
    assert result.channel == "bits"


def test_sequential_audits_stop_early() -> None:
    options = {"runs": 5000, "sequential": True}
    found = [audit(laplace(0.5), (0.0, 1.0), PURE, seed=s, **options) for s in range(21)]
    assert np.median([result.runs / 2 for result in found]) <= 70
    assert all(result.refuted and result.p_value <= 0.05 for result in found)


@pytest.mark.slow
def test_sequential_false_alarms_stay_below_alpha() -> None:
    """Randomised response at its claim, 80 audits: at most 5 % + 3 standard errors."""

    def response(data: int, rng: RNG, count: int) -> Any:
        return np.where(rng.random(count) < 1 / (1 + math.e), 1 - data, data)

    options = {"runs": 150, "sequential": True}
    found = [audit(here(response), (0, 1), PURE, seed=s, **options).refuted for s in range(80)]
    assert np.mean(found) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 80)


def test_sequential_with_several_pairs_finds_the_bad_one() -> None:
    pairs = [(0.0, 0.1), (0.0, 1.0), (0.0, 0.01)]
    result = audit(laplace(0.25), pairs, PURE, runs=5000, sequential=True)
    assert result.refuted
    assert result.pair == 1


def test_the_most_telling_pair_is_chosen() -> None:
    result = audit(laplace(1.0), [(0.0, 0.1), (0.0, 1.0), (0.0, 0.5)], PURE, runs=20_000)
    assert result.pair == 1


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    def release(data: float, rng: RNG) -> float:
        return data + rng.laplace()

    results = [audit(release, (0.0, 1.0), PURE, runs=2000, workers=w) for w in (1, 3)]
    assert results[0] == results[1]


class Backwards:
    """An executor that returns results in another order."""

    def map(self, tasks: Iterable[Task]) -> list[Done]:
        return [run_task(task) for task in reversed(list(tasks))]


def test_other_executors_may_return_results_in_any_order() -> None:
    own = audit(laplace(1.0), (0.0, 1.0), PURE, runs=3000)
    assert audit(laplace(1.0), (0.0, 1.0), PURE, runs=3000, executor=Backwards()) == own


class Memory:
    """A checkpoint in memory that interrupts after some saves."""

    def __init__(self, saves: int) -> None:
        self.text, self.left = "null", saves

    def load(self) -> Any:
        return json.loads(self.text)

    def save(self, state: Any) -> None:
        self.text = json.dumps(state)
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("sequential", [False, True])
def test_interrupted_audits_go_on_where_they_were(sequential: bool) -> None:
    checkpoint = Memory(7)
    options: dict[str, Any] = {"runs": 4000, "sequential": sequential, "seed": 3}
    with pytest.raises(KeyboardInterrupt):
        audit(laplace(1.0), (0.0, 1.0), PURE, checkpoint=checkpoint, **options)
    result = audit(laplace(1.0), (0.0, 1.0), PURE, checkpoint=checkpoint, **options)
    assert result.runs == 8000
    if not sequential:
        assert result == audit(laplace(1.0), (0.0, 1.0), PURE, **options)


def test_progress_ends_at_the_total() -> None:
    seen: list[tuple[str, int, int]] = []
    audit(laplace(1.0), (0, 1), PURE, runs=1000, progress=lambda *step: seen.append(step))
    assert seen[0][0] == "learn"
    assert seen[-1][0] == "count"
    assert seen[-1][1] == seen[-1][2]


def test_result_is_json_and_its_event_can_be_replayed() -> None:
    result = audit(laplace(0.5), (0.0, 1.0), PURE, runs=5000)
    record = json.loads(json.dumps(result.record()))
    assert {"refuted", "epsilon_lower", "confidence", "channel", "event", "pair"} <= set(record)
    assert {"runs", "resolution", "power", "seed", "counts"} <= set(record)
    event = event_from(record["event_record"])
    rng = np.random.default_rng(5)
    first = event.sides(batch_of_array(rng.laplace(scale=0.5, size=20_000)))[0]
    second = event.sides(batch_of_array(1 + rng.laplace(scale=0.5, size=20_000)))[0]
    assert first > 3 * second


def test_power_and_resolution() -> None:
    result = audit(laplace(1.0), (0.0, 1.0), PURE, runs=10_000)
    assert result.power["1.1"] < result.power["1.5"] <= result.power["2"]
    assert result.power["2"] > 0.99
    # x of 14 000 runs, none on the other side, refutes ε = 1 if (e/(1 + e))^x or a little less is
    # below 0.05: six to ten, of 7000 runs on one side.
    assert 5 / 7000 < result.resolution < 11 / 7000
    assert 1.0 < result.found_from < 1.5
    assert isinstance(result, AuditResult)
    assert "not refuted" in str(result)


@pytest.mark.slow
def test_a_million_runs_of_a_vector_stay_small() -> None:
    """Only runs that are learned from are kept: 1 GB of outputs never is in memory."""
    import tracemalloc

    def release(data: float, rng: RNG, count: int) -> Any:
        return data + rng.normal(size=(count, 64))

    tracemalloc.start()
    audit(here(release), (0.0, 0.1), ApproximateDP(1.0, 0.1), runs=1_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1e9


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"runs": 3}, "runs"),
        ({"confidence": 1.0}, "confidence"),
        ({"seed": -1}, "seed"),
        ({"channel": "both"}, "channel"),
        ({"workers": 0}, "workers"),
        ({"pairs": []}, "pairs"),
        ({"claim": math.nan}, "claim"),
        ({"adjacency": "near"}, "adjacency"),
        ({"adjacency": "l1:0.5"}, "not adjacent"),
    ],
)
def test_bad_requests_are_named(change: dict[str, Any], named: str) -> None:
    arguments = {"what": laplace(1.0), "pairs": (0.0, 1.0), "claim": PURE, **change}
    with pytest.raises(ValueError, match=named):
        audit(**arguments)


def test_tasks_can_be_run_anywhere() -> None:
    task = Task(target(lambda data, rng: data), (1.0, 2.0), 0, 0, 20, 0, None)
    done = run_task(task)
    assert sum(done.tally.runs) == 20
    assert [len(batch) for batch in done.outputs] == list(done.tally.runs)
    assert Pair(1, 2).name == ""
    assert len(batch_of_list([1])) == 1
