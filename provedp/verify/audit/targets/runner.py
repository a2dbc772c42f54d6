"""Runs of a target: in a child process that is started when first needed, or here."""

import atexit
import contextlib
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from provedp.verify.audit.targets.callables import Run, run_of
from provedp.verify.audit.targets.child import Child
from provedp.verify.audit.targets.failures import RunEndedError, one_by_one
from provedp.verify.audit.targets.outputs import Batch, batch_of_list, joined
from provedp.verify.audit.targets.target import Target, TargetError

LATER = "later"  # how the names of processes begin whose clock is set forward
YEAR = 365.25 * 86_400  # seconds
COPIES = 16  # processes that are copies of one that was started

_IDLE: list[Child] = []  # without a target


@atexit.register
def _close_idle() -> None:
    while _IDLE:
        _IDLE.pop().close()


@dataclass
class Runner:
    """Runs a target: in a child process, started when first needed, or here.

    Attributes
    ----------
    target, datasets
        What to run, and all data sets on which it may be.
    seconds
        That the last request took.
    process
        The name of the process that the next requests go to, '' for the usual one: that of a
        target that is not isolated is this one. Under another name there is another process, whose
        clock is set forward if the name begins with LATER.
    """

    target: Target
    datasets: Sequence[Any] = ()
    seconds: float = 0.0
    process: str = ""
    _child: Child | None = None
    _current: str | None = None
    _here: Run | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def run(self, data: Any, seed: Sequence[int], count: int) -> Batch:
        """Return the outputs of `count` runs on `data`.

        Raises
        ------
        TargetError
            If the target cannot be loaded or writes what is no output; if errors are no outcomes,
            also if it raises, ends or exceeds a limit.
        """
        if count == 0:
            return batch_of_list([])
        if self.target.fresh and count > 1:
            return self._run_apart(data, list(seed), count)
        if not (self.target.isolated or self.target.fresh or self.process):
            return self._run_here(data, list(seed), count)
        try:
            batch, self.seconds = self._started().run(data, seed, count)
        except RunEndedError as error:
            if self.target.errors == "fail" or self._current is None:
                raise
            if count > 1:
                return one_by_one(lambda index: self.run(data, [*seed, index], 1), count)
            batch = error.batch
        if self.target.fresh:
            self._current = None
        return batch

    def _run_apart(self, data: Any, seed: list[int], count: int) -> Batch:
        """Run each in a process of its own, with a seed of its own."""
        batches, seconds = [], 0.0
        for turn in range(count):
            batches.append(self.run(data, [*seed, turn], 1))
            seconds += self.seconds
        self.seconds = seconds
        return joined(batches)

    def close(self) -> None:
        """End the child and all that it started."""
        child, self._child = self._child, None
        if child is None:
            return
        if self.target.isolated or not child.is_open or self._current is None:
            child.close()
            return
        with contextlib.suppress(TargetError):
            child.unload()
            _IDLE.append(child)

    def _started(self) -> Child:
        """Return the child, with the target loaded in the process that is wanted."""
        if self._child is None or not self._child.is_open:
            self._child, self._current = self._new_child(), None
        elif self._current != self.process and self._child.copies < COPIES:
            self._current = None
            self._child.unload()
        elif self._current != self.process:
            self._child.close()
            self._child, self._current = Child(self.target), None
        if self._current != self.process:
            self._current = None
            self._child.load(self.datasets, self._later)
            self._current = self.process
        return self._child

    @property
    def _later(self) -> float:
        """Seconds by which the clock is set forward: up to a year, by the name of the process."""
        if not self.process.startswith(LATER):
            return 0.0
        return YEAR * (zlib.crc32(self.process.encode()) / 2**32)

    def _new_child(self) -> Child:
        """Start one; those of targets that are not isolated, which need it rarely, are kept."""
        if not self.target.isolated and _IDLE:
            child = _IDLE.pop()
            child.serve(self.target)
            return child
        return Child(self.target)

    def _run_here(self, data: Any, seed: list[int], count: int) -> Batch:
        start = time.perf_counter()
        try:
            if self._here is None:
                self._here = run_of(self.target.what, self.target.errors)
            batch = self._here(data, seed, count)
        except Exception as error:
            raise TargetError(f"{type(error).__name__}: {error}") from error
        self.seconds = time.perf_counter() - start
        return batch
