"""Run many claims, in parallel, so that the outcome does not depend on how many at a time."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeVar

from joblib import Parallel, delayed

from provedp.verify.ledger import mutants, record, registry
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.mutants import MutantReport
from provedp.verify.ledger.run import Result, run

T = TypeVar("T")

WATCHED = 0.5  # seconds between two looks at the parent


def _run(file: str | None, name: str, level: Level) -> tuple[Result, record.Entry]:
    claim = registry.find(name, file)
    repairs = registry.repairs_of(claim, file)
    result = run(claim, repairs, level)
    standing = registry.standing(claim, result.verdict, file)
    if standing.fault:
        result = result.with_fault(standing.fault)
    ids = tuple(repair.id for repair in repairs)
    return result, record.entry(claim, result, ids, standing, level)


def _judge(file: str | None, name: str, level: Level) -> MutantReport:
    return mutants.judge(registry.find(name, file), level)


def run_all(
    names: list[str], *, file: str | None, level: Level, jobs: int
) -> Iterator[tuple[Result, record.Entry]]:
    """Yield each claim's result and ledger entry, in the order of `names`."""
    return _in_parallel(_run, names, file, level, jobs)


def judge_all(
    names: list[str], *, file: str | None, level: Level, jobs: int
) -> Iterator[MutantReport]:
    """Yield each claim's mutant report, in the order of `names`."""
    return _in_parallel(_judge, names, file, level, jobs)


def _in_parallel(
    task: Callable[[str | None, str, Level], T],
    names: list[str],
    file: str | None,
    level: Level,
    jobs: int,
) -> Iterator[T]:
    pool = Parallel(n_jobs=max(1, min(jobs, len(names))), return_as="generator")
    parent = os.getpid()
    yield from pool(delayed(_of)(parent, task, file, name, level) for name in names)


def _of(
    parent: int,
    task: Callable[[str | None, str, Level], T],
    file: str | None,
    name: str,
    level: Level,
) -> T:
    """Run a task, in a worker that does not outlive who asked for it."""
    if os.getpid() != parent:
        _watch(parent)
    return task(file, name, level)


@cache
def _watch(parent: int) -> None:
    """End this process once its parent is another one: that one was killed, and nobody waits."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCHED)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
