"""Pools that run the chunks of an audit: joblib on this machine, or a dask cluster.

A chunk depends on its own seed alone, so that it does not matter who runs it, nor in which order;
one that is lost with its worker is run again by another and counted once.
"""

import itertools
import threading
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import joblib

from provedp.theory.domain import check_argument, integers
from provedp.verify.audit.runs.chunks import Done, Task, run_chunk
from provedp.verify.audit.targets.runner import Runner
from provedp.verify.audit.targets.target import TargetError

CONNECT_SECONDS = 10.0
WORKER_SECONDS = 20.0


@dataclass
class _Children:
    """The children of a job in this process: all of them, and those that have nothing to do."""

    every: list[Runner] = field(default_factory=list)
    idle: list[Runner] = field(default_factory=list)


_jobs: dict[str, _Children] = {}
_lock = threading.Lock()


def run_in_child(job: str, task: Task) -> Done:
    """Run a chunk in a child of the job that has nothing to do, or in a new one."""
    with _lock:
        children = _jobs.setdefault(job, _Children())
        if not children.idle:
            children.every.append(Runner(task.target, task.datasets))
            children.idle.append(children.every[-1])
        runner = children.idle.pop()
    done = run_chunk(task, runner)
    with _lock:
        children.idle.append(runner)
    return done


def close_children(job: str) -> None:
    """End the children of a job in this process."""
    with _lock:
        children = _jobs.pop(job, _Children())
    for runner in children.every:
        runner.close()


class Joblib:
    """Threads of joblib, each with a child of its own.

    Parameters
    ----------
    workers
        How many.
    """

    def __init__(self, workers: int):
        self._workers = check_argument("Joblib", "workers", integers(1), workers)
        self._job = uuid.uuid4().hex
        self._stopped = False

    def map(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Return the results as they come."""
        call = joblib.delayed(self._run)
        pool = joblib.Parallel(
            n_jobs=self._workers,
            require="sharedmem",
            return_as="generator_unordered",
            batch_size=1,
            pre_dispatch=2 * self._workers,
        )
        results = pool(call(task) for task in tasks)
        try:
            for result in results:
                if isinstance(result, Exception):
                    raise result
                yield result
        except BaseException:
            self._stopped = True
            self.close()
            # joblib wants to be asked for all results; those that are left come at once.
            for _ in results:
                pass
            raise

    def _run(self, task: Task) -> "Done | Exception":
        """Run a chunk; an error is handed over, so that children elsewhere can be ended first."""
        if self._stopped:
            return TargetError("the audit was stopped")
        try:
            return run_in_child(self._job, task)
        except Exception as error:
            return error

    def close(self) -> None:
        """End the children; runs that are going on are lost."""
        close_children(self._job)


class Dask:
    """The workers of a dask cluster (install `provedp[cluster]`).

    Parameters
    ----------
    address
        Of its scheduler: 'tcp://host:8786'.

    Raises
    ------
    ValueError
        If dask is not installed, nothing answers there within 10 seconds, or the scheduler that
        does has no worker for 20 seconds.
    """

    def __init__(self, address: str):
        try:
            from distributed import Client
        except ImportError:
            raise ValueError(
                "A cluster needs the package 'distributed': install provedp[cluster]."
            ) from None
        try:
            self._client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise ValueError(f"No dask scheduler answers at {address}: {reason}") from None
        try:
            self._client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError:
            self._client.close()
            raise ValueError(
                f"The dask scheduler at {address} has had no worker for {WORKER_SECONDS:g} seconds."
            ) from None
        self._job = uuid.uuid4().hex

    def map(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Return the results as they come; chunks of a worker that is lost are run elsewhere."""
        from distributed import as_completed

        listed = iter(tasks)
        first = next(listed, None)
        if first is None:
            return
        # What all chunks share is sent once, as a task that can be done again if it is lost.
        shared = self._client.submit(_same, first, pure=False)
        futures = [
            self._client.submit(
                _run_part,
                self._job,
                shared,
                (task.chunk, task.size, task.process),
                pure=False,
                retries=2,
            )
            for task in itertools.chain([first], listed)
        ]
        for future in as_completed(futures, loop=self._client.loop):
            yield future.result()
            future.release()

    def close(self) -> None:
        """End the children of the workers, and the connection."""
        try:
            self._client.run(close_children, self._job, on_error="ignore")
        finally:
            self._client.close()


def _same(task: Task) -> Task:
    return task


def _run_part(job: str, shared: Task, own: tuple[int, int, str]) -> Done:
    chunk, size, process = own
    return run_in_child(job, replace(shared, chunk=chunk, size=size, process=process))
