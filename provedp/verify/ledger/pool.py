"""Processes that run tasks, and of which nothing is left when this one is killed.

They share a connection each with this process and nothing else: no semaphore, no shared memory and
no folder that somebody would have to remove.
"""

import json
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Pipe
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")

START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from provedp.verify.ledger.worker import main; main()"
)


class LostError(Exception):
    """A process ended in the middle of a task; the message says how."""


class Pool:
    """Several processes, each served by a thread and started when that has its first task.

    Parameters
    ----------
    size
        How many.
    """

    def __init__(self, size: int):
        self._threads = ThreadPoolExecutor(size)
        self._own = threading.local()
        self._lock = threading.Lock()
        self._workers: list[_Worker] = []
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._closed = True
            for worker in self._workers:
                worker.kill()
        self._threads.shutdown(cancel_futures=True)

    def map(
        self, task: Callable[..., T], arguments: Sequence[tuple[Any, ...]]
    ) -> Iterator["T | LostError"]:
        """Return what a task makes of each of its arguments, in order; an error is raised here.

        A process that ends in the middle of a task is an answer of its own; the next task gets a
        new one.
        """
        return self._threads.map(lambda each: self._run(task, each), arguments)

    def _run(self, task: Callable[..., T], arguments: tuple[Any, ...]) -> "T | LostError":
        try:
            found: T = self._worker().run(task, arguments)
        except LostError as lost:
            self._own.worker = None
            return lost
        return found

    def _worker(self) -> "_Worker":
        if getattr(self._own, "worker", None) is None:
            with self._lock:
                if self._closed:
                    raise LostError("it was not started")
                self._own.worker = _Worker()
                self._workers.append(self._own.worker)
        own: _Worker = self._own.worker
        return own


class _Worker:
    """One process."""

    def __init__(self) -> None:
        self._link, theirs = Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, json.dumps(sys.path), str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()

    def run(self, task: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        """Return what a task returns; raise what it raises, or `LostError`."""
        try:
            self._link.send_bytes(pickle.dumps((task, arguments)))
            found, error = pickle.loads(self._link.recv_bytes())
        except (EOFError, OSError):
            raise LostError(self._end()) from None
        if error is not None:
            raise error
        value: T = found
        return value

    def kill(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.wait()

    def _end(self) -> str:
        code = self._process.wait()
        self._link.close()
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"
        return f"its process ended with {how}"
