"""Runs of a target in chunks: who runs which, with which seed, and what is kept.

The runs of an audit are cut into chunks that do not depend on the number of workers. In each, a
fair coin per run decides the data set; chunk c of pair j has seeds of its own. A chunk that is done
is counted once and never run again. Runs that are learned from are kept, all others only counted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from provedp.verify.audit.events.tallies import Sides, Tally
from provedp.verify.audit.targets.outputs import Batch, batch_of_list
from provedp.verify.audit.targets.runner import Runner
from provedp.verify.audit.targets.target import Target

LARGEST_CHUNK = 10_000
LEAST_CHUNKS = 20
LEARN, COUNT = 0, 1  # first word of the seed of a chunk, after that of the audit


class Countable(Protocol):
    """An event, or several: whatever counts runs."""

    def counts(self, batch: Batch) -> tuple[Sides, ...]:
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
    """What came of a chunk: the runs and what was counted in them, or else their outputs.

    `outputs` holds those on the first and on the second data set.
    """

    pair: int
    chunk: int
    tally: Tally
    outputs: tuple[Batch, ...] = ()


class Executor(Protocol):
    """Whatever runs tasks, in any order; `run_task` runs one, anywhere."""

    def map(self, tasks: Iterable[Task]) -> Iterable[Done]:
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
    words = [task.seed, kind, task.pair, task.chunk]
    coins = np.random.default_rng(np.random.SeedSequence(words))
    first = int(coins.binomial(task.size, 0.5))
    runs = (first, task.size - first)
    if task.target.timed:
        batches = _seconds(task, runner, words, coins.permutation(task.size) >= first)
    else:
        batches = [
            runner.run(task.datasets[2 * task.pair + side], [*words, side + 1], count)
            for side, count in enumerate(runs)
        ]
    if task.event is None:
        return Done(task.pair, task.chunk, Tally(runs), (batches[0], batches[1]))
    on_first, on_second = map(task.event.counts, batches)
    return Done(task.pair, task.chunk, Tally(runs, on_first, on_second))


def _seconds(task: Task, runner: Runner, words: list[int], sides: Iterable[bool]) -> list[Batch]:
    """Time single runs, in random order so that the load of the machine tells nothing."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for turn, side in enumerate(sides):
        runner.run(task.datasets[2 * task.pair + int(side)], [*words, turn + 1], 1)
        seconds[int(side)].append(runner.seconds)
    return [batch_of_list(each) for each in seconds]
