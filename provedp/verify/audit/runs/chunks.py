"""Runs of a target in chunks: who runs which, with which seed, and what is kept.

The runs of an audit are cut into chunks that do not depend on the number of workers. In each, a
fair coin per run decides the data set; chunk c of pair j has seeds of its own. A chunk that is done
is counted once and never run again. Runs that are learned from are kept, all others only counted.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from provedp.verify.audit.targets.outputs import Batch, batch_of_list
from provedp.verify.audit.targets.runner import Runner
from provedp.verify.audit.targets.target import Target

LARGEST_CHUNK = 10_000
LEAST_CHUNKS = 20
LEARN, COUNT = 0, 1  # first word of the seed of a chunk, after that of the audit


class Countable(Protocol):
    """An event, or several: whatever counts runs."""

    def sides(self, batch: Batch) -> tuple[int, ...]:
        """Return how many runs speak for the first and for the second data set, event by event."""
        ...


@dataclass(frozen=True)
class Task:
    """A chunk of runs.

    Attributes
    ----------
    target
        What to run.
    datasets
        All data sets of the audit; those of pair j at 2j and 2j + 1.
    pair, chunk, size
        Which pair, which chunk of it, how many runs on both data sets together.
    seed
        The seed of the audit.
    event
        What to count; None keeps the outputs.
    """

    target: Target
    datasets: tuple[Any, ...]
    pair: int
    chunk: int
    size: int
    seed: int
    event: Countable | None


@dataclass(frozen=True)
class Done:
    """What came of a chunk: runs of each data set, and either outputs or counts.

    `outputs` holds those on the first and on the second data set. `counts` is (first in S, first in
    S', second in S, second in S'), S and S' the sides of the event that speak for the first and for
    the second data set; of several events, first all counts on the first data set.
    """

    pair: int
    chunk: int
    runs: tuple[int, int]
    outputs: tuple[Batch, ...] = ()
    counts: tuple[int, ...] = ()


class Executor(Protocol):
    """Whatever maps tasks to results, in any order."""

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task]) -> Iterable[Done]:
        """Return the results as they come."""
        ...


def sizes(runs: int) -> list[int]:
    """Return the sizes of the chunks of `runs` runs.

    >>> sizes(25_000)[:2], len(sizes(25_000)), sum(sizes(25_000))
    ([1250, 1250], 20, 25000)
    """
    chunk = max(1, min(LARGEST_CHUNK, -(-runs // LEAST_CHUNKS)))
    whole, rest = divmod(runs, chunk)
    return [chunk] * whole + ([rest] if rest else [])


def run_chunk(task: Task, runner: Runner) -> Done:
    """Run a chunk."""
    kind = LEARN if task.event is None else COUNT
    place = [task.seed, kind, task.pair, task.chunk]
    coins = np.random.default_rng(np.random.SeedSequence(place))
    first = int(coins.binomial(task.size, 0.5))
    runs = (first, task.size - first)
    if task.target.timed:
        batches = _seconds(task, runner, place, coins.permutation(task.size) >= first)
    else:
        batches = [
            runner.run(task.datasets[2 * task.pair + side], [*place, side + 1], count)
            for side, count in enumerate(runs)
        ]
    if task.event is None:
        return Done(task.pair, task.chunk, runs, outputs=(batches[0], batches[1]))
    counted = [task.event.sides(batch) for batch in batches]
    return Done(task.pair, task.chunk, runs, counts=(*counted[0], *counted[1]))


def _seconds(task: Task, runner: Runner, place: list[int], sides: Iterable[bool]) -> list[Batch]:
    """Time single runs, in random order so that the load of the machine tells nothing."""
    found: tuple[list[float], list[float]] = ([], [])
    for turn, side in enumerate(sides):
        runner.run(task.datasets[2 * task.pair + int(side)], [*place, turn + 1], 1)
        found[int(side)].append(runner.seconds)
    return [batch_of_list(seconds) for seconds in found]


class Serial:
    """Runs one chunk after the other in one child."""

    def __init__(self, target: Target, datasets: Sequence[Any]):
        self._runner = Runner(target, datasets)

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task]) -> Iterator[Done]:
        """Return the results in order."""
        del function
        for task in tasks:
            yield run_chunk(task, self._runner)

    def close(self) -> None:
        """End the child."""
        self._runner.close()


class Threads:
    """Runs chunks in several children, each served by a thread."""

    def __init__(self, target: Target, datasets: Sequence[Any], workers: int):
        self._local = threading.local()
        self._arguments = (target, datasets)
        self._runners: list[Runner] = []
        self._pool = ThreadPoolExecutor(workers)

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task]) -> Iterator[Done]:
        """Return the results in order."""
        del function
        yield from self._pool.map(self._run, tasks)

    def _run(self, task: Task) -> Done:
        runner = getattr(self._local, "runner", None)
        if runner is None:
            runner = self._local.runner = Runner(*self._arguments)
            self._runners.append(runner)
        return run_chunk(task, runner)

    def close(self) -> None:
        """End the children."""
        self._pool.shutdown(cancel_futures=True)
        for runner in self._runners:
            runner.close()


_LOCAL = threading.local()


def run_task(task: Task) -> Done:
    """Run a chunk in a child that this thread keeps for the next one: for workers elsewhere."""
    key = (task.target, len(task.datasets))
    if getattr(_LOCAL, "key", None) != key:
        if hasattr(_LOCAL, "runner"):
            _LOCAL.runner.close()
        _LOCAL.key, _LOCAL.runner = key, Runner(task.target, task.datasets)
    runner: Runner = _LOCAL.runner
    return run_chunk(task, runner)
