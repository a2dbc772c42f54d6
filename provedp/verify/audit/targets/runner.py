"""Runs of a target: in a child process that is started when first needed, or here."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from provedp.verify.audit.targets.callables import run_of
from provedp.verify.audit.targets.child import Child
from provedp.verify.audit.targets.failures import RunEndedError, one_by_one
from provedp.verify.audit.targets.outputs import Batch, batch_of_list
from provedp.verify.audit.targets.target import Target, TargetError


@dataclass
class Runner:
    """Runs a target: in a child process, started when first needed, or here.

    Attributes
    ----------
    target, datasets
        What to run, and all data sets on which it may be.
    seconds
        That the last request took.
    """

    target: Target
    datasets: Sequence[Any] = ()
    seconds: float = 0.0
    _child: Child | None = None
    _loaded: bool = False

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
        if not self.target.isolated:
            return self._run_here(data, list(seed), count)
        try:
            batch, self.seconds = self._started().run(data, seed, count)
        except RunEndedError as error:
            if self.target.errors == "fail" or not self._loaded:
                raise
            if count == 1:
                return error.batch
            return one_by_one(lambda index: self.run(data, [*seed, index], 1), count)
        return batch

    def close(self) -> None:
        """End the child and all that it started."""
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def _started(self) -> Child:
        if self._child is None or not self._child.is_open:
            self._child, self._loaded = Child(self.target), False
            self._child.load(self.datasets)
            self._loaded = True
        return self._child

    def _run_here(self, data: Any, seed: list[int], count: int) -> Batch:
        start = time.perf_counter()
        try:
            batch = run_of(self.target.what, self.target.errors)(data, seed, count)
        except Exception as error:
            raise TargetError(f"{type(error).__name__}: {error}") from error
        self.seconds = time.perf_counter() - start
        return batch
