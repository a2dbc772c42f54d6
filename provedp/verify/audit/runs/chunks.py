"""Runs of a target in chunks: who runs which, with which seed, and what is kept.

The runs of an audit are cut into chunks that do not depend on the number of workers. In each, a
fair coin per run decides the data set; chunk c of pair j has seeds of its own. A chunk is a number
of requests of different sizes, in random order so that what moves within a process, or with the
load of the machine, moves runs on both data sets alike; each request has a seed of its own. The
counts of every request are kept, so that it can be seen whether runs share more than their law. A
chunk that is done is counted once and never run again. Runs that are learned from are kept, all
others only counted.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from provedp.verify.audit.events.tallies import Marks, Sides, Tally, total
from provedp.verify.audit.targets.outputs import Batch, batch_of_list, joined
from provedp.verify.audit.targets.runner import Runner
from provedp.verify.audit.targets.target import Target

LARGEST_CHUNK = 10_000
LEAST_CHUNKS = 20
REQUESTS = 8  # in a chunk, per data set
LEAST_REQUEST = 4  # runs, at about which a chunk has fewer requests
UNEVEN = (0.5, 1.5)  # sizes of requests over their mean
LEARN, COUNT, CONFIRM, PILOT = 0, 1, 2, 3  # first word of the seed of a chunk, after the audit's


class Countable(Protocol):
    """An event, or several: whatever counts runs."""

    def all_marks(self, batch: Batch) -> tuple[Marks, ...]:
        """Return which runs speak for the first and for the second data set, event by event."""
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
    process
        The name of the process to run it in: see `Runner`.
    kind
        Of its seeds: LEARN, COUNT or CONFIRM; by default the first two, by whether it is counted.
    """

    target: Target
    datasets: tuple[Any, ...]
    pair: int
    chunk: int
    size: int
    seed: int
    event: Countable | None
    process: str = ""
    kind: int | None = None


@dataclass(frozen=True)
class Done:
    """What came of a chunk.

    Attributes
    ----------
    pair, chunk, process
        Of the task.
    parts
        The runs of each request, all on one data set, and what was counted in them.
    outputs
        Those on the first and on the second data set, in the order of the requests, if kept.
    """

    pair: int
    chunk: int
    parts: tuple[Tally, ...]
    outputs: tuple[Batch, ...] = ()
    process: str = ""

    @property
    def tally(self) -> Tally:
        """The runs of all requests, and what was counted in them."""
        return total(self.parts)


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
    kind = task.kind if task.kind is not None else LEARN if task.event is None else COUNT
    words = [task.seed, kind, task.pair, task.chunk]
    coins = np.random.default_rng(np.random.SeedSequence(words))
    first = int(coins.binomial(task.size, 0.5))
    runner.process = task.process
    requests = _requests(coins, (first, task.size - first), task.target.timed)
    batches: tuple[list[Batch], list[Batch]] = ([], [])
    for turn, (side, count) in enumerate(requests):
        batch = runner.run(task.datasets[2 * task.pair + side], [*words, turn + 1], count)
        batches[side].append(batch_of_list([runner.seconds]) if task.target.timed else batch)
    outputs = joined(batches[0]), joined(batches[1])
    parts = _parts(task.event, requests, outputs)
    kept = outputs if task.event is None else ()
    return Done(task.pair, task.chunk, parts, kept, task.process)


def recounted(done: Done, event: Countable) -> Done:
    """Return a chunk whose outputs were kept with the counts of an event."""
    requests = [(int(part.runs[0] == 0), sum(part.runs)) for part in done.parts]
    first, second = done.outputs
    return replace(done, parts=_parts(event, requests, (first, second)))


def shortened(done: Done, rows: int) -> Done:
    """Return a chunk whose outputs were kept with the first of them on each data set."""
    left, parts = [rows, rows], []
    for part in done.parts:
        runs = (min(part.runs[0], left[0]), min(part.runs[1], left[1]))
        left = [have - used for have, used in zip(left, runs, strict=True)]
        parts += [Tally(runs)] if any(runs) else []
    first, second = (batch.rows(slice(0, rows)).copy() for batch in done.outputs)
    return replace(done, parts=tuple(parts), outputs=(first, second))


def _requests(
    coins: np.random.Generator, runs: tuple[int, int], single: bool
) -> list[tuple[int, int]]:
    """Return (side, runs) of each request, in random order; `single`: one run in each."""
    requests = [
        (side, int(size))
        for side, count in enumerate(runs)
        for size in ([1] * count if single else _uneven(coins, count))
        if size
    ]
    return [requests[index] for index in coins.permutation(len(requests))]


def _uneven(coins: np.random.Generator, count: int) -> Iterable[int]:
    """Return numbers of different sizes that add up to `count`."""
    parts = max(1, min(REQUESTS, count // LEAST_REQUEST))
    ends = np.cumsum(coins.uniform(*UNEVEN, size=parts))
    cuts = np.round(count * ends / ends[-1]).astype(int)
    return [int(size) for size in np.diff(np.append(0, cuts))]


def _parts(
    event: Countable | None, requests: list[tuple[int, int]], outputs: tuple[Batch, Batch]
) -> tuple[Tally, ...]:
    """Return the tally of each request."""
    marks = [() if event is None else event.all_marks(batch) for batch in outputs]
    counts = [[np.cumsum(np.append(0, each)) for m in of for each in m] for of in marks]
    parts, start = [], [0, 0]
    for side, size in requests:
        stop = start[side] + size
        own = [int(sums[stop] - sums[start[side]]) for sums in counts[side]]
        start[side] = stop
        sides = tuple(Sides(*each) for each in zip(own[::2], own[1::2], strict=True))
        none = tuple(Sides(0, 0) for _ in sides)
        parts.append(Tally((size, 0), sides, none) if side == 0 else Tally((0, size), none, sides))
    return tuple(parts)
