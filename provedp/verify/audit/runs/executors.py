"""Who runs the chunks of an audit: one child after the other's chunk, or several at a time."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from provedp.theory.domain import Objects, check_argument
from provedp.verify.audit.runs.chunks import Done, Executor, Task, run_chunk
from provedp.verify.audit.targets.runner import Runner
from provedp.verify.audit.targets.target import Target


class ClosableExecutor(Executor, Protocol):
    """An executor that holds children or a connection."""

    def close(self) -> None:
        """End them."""
        ...


class Serial:
    """Runs one chunk after the other in one child."""

    def __init__(self, target: Target, datasets: Sequence[Any]):
        self._runner = Runner(target, datasets)

    def map(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Return the results in order."""
        for task in tasks:
            self._runner.target = task.target
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

    def map(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Return the results in order."""
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
TASK = Objects("a task of an audit", kinds=(Task,))


def run_task(task: Task) -> Done:
    """Run a chunk in a child that this thread keeps for the next one: for workers elsewhere."""
    check_argument("run_task", "task", TASK, task)
    key = (task.target, len(task.datasets))
    if getattr(_LOCAL, "key", None) != key:
        if hasattr(_LOCAL, "runner"):
            _LOCAL.runner.close()
        _LOCAL.key, _LOCAL.runner = key, Runner(task.target, task.datasets)
    runner: Runner = _LOCAL.runner
    return run_chunk(task, runner)
