"""Run many claims, in parallel, so that the outcome does not depend on how many at a time."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from provedp.verify.ledger import mutants, record, registry
from provedp.verify.ledger.claim import Claim, Verdict
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.mutants import MutantReport, Outcome
from provedp.verify.ledger.pool import LostError, Pool
from provedp.verify.ledger.run import Result, run
from provedp.verify.ledger.seen import Evidence

T = TypeVar("T")


def _run(file: str | None, name: str, level: Level) -> tuple[Result, record.Entry]:
    claim = registry.find(name, file)
    return _with_entry(claim, run(claim, registry.repairs_of(claim, file), level), file, level)


def _with_entry(
    claim: Claim, result: Result, file: str | None, level: Level
) -> tuple[Result, record.Entry]:
    standing = registry.standing(claim, result.verdict, file)
    if standing.fault:
        result = result.with_fault(standing.fault)
    ids = tuple(repair.id for repair in registry.repairs_of(claim, file))
    return result, record.entry(claim, result, ids, standing, level)


def _judge(file: str | None, name: str, level: Level) -> MutantReport:
    return mutants.judge(registry.find(name, file), level)


def _lost_run(file: str | None, name: str, level: Level, how: str) -> tuple[Result, record.Entry]:
    """Return a claim whose check took its process with it: that is a fault of the check."""
    claim = registry.find(name, file)
    result = Result(claim.id, Verdict.FAULT, claim.verdict, Evidence(fault=how), how)
    return _with_entry(claim, result, file, level)


def _lost_judge(file: str | None, name: str, level: Level, how: str) -> MutantReport:
    claim = registry.find(name, file)
    none: dict[Outcome, tuple[str, ...]] = {outcome: () for outcome in Outcome}
    return MutantReport(claim.id, none, {}, how, mutants.applies_to(claim))


def run_all(
    names: list[str], *, file: str | None, level: Level, jobs: int
) -> Iterator[tuple[Result, record.Entry]]:
    """Yield each claim's result and ledger entry, in the order of `names`."""
    return _in_parallel(_run, _lost_run, names, file, level, jobs)


def judge_all(
    names: list[str], *, file: str | None, level: Level, jobs: int
) -> Iterator[MutantReport]:
    """Yield each claim's mutant report, in the order of `names`."""
    return _in_parallel(_judge, _lost_judge, names, file, level, jobs)


def _in_parallel(
    task: Callable[[str | None, str, Level], T],
    lost: Callable[[str | None, str, Level, str], T],
    names: list[str],
    file: str | None,
    level: Level,
    jobs: int,
) -> Iterator[T]:
    if min(jobs, len(names)) <= 1:
        yield from (task(file, name, level) for name in names)
        return
    with Pool(min(jobs, len(names))) as pool:
        found = pool.map(task, [(file, name, level) for name in names])
        for name, answer in zip(names, found, strict=True):
            yield lost(file, name, level, str(answer)) if isinstance(answer, LostError) else answer
