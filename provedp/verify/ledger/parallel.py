"""Run many claims, in parallel, so that the outcome does not depend on how many at a time."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from joblib import Parallel, delayed

from provedp.verify.ledger import mutants, record, registry
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.mutants import MutantReport
from provedp.verify.ledger.run import Result, run

T = TypeVar("T")


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
    yield from pool(delayed(task)(file, name, level) for name in names)
