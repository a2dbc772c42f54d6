"""Audits with a fixed number of runs: learn an event on a first part, count it on the rest."""

from collections.abc import Iterator
from typing import Any

from provedp.verify.audit.events.learning import event_from, learn
from provedp.verify.audit.results.result import AuditResult, counts_of, fixed_result
from provedp.verify.audit.runs.chunks import Countable, Done, run_task
from provedp.verify.audit.runs.plan import Plan
from provedp.verify.audit.targets.outputs import Batch, joined


def run_fixed(plan: Plan) -> AuditResult:
    """Run an audit, from its last checkpoint if there is one."""
    state = (plan.checkpoint.load() if plan.checkpoint else None) or _learned(plan)
    event = event_from(state["event"])
    return fixed_result(plan, event, state["pair"], counts_of(event, counted(plan, event, state)))


def counted(plan: Plan, event: Countable, state: dict[str, Any]) -> list[int]:
    """Count what is left of the runs on the pair of a state; return the sums of all its columns.

    The columns are the runs on both data sets and the counts of `Done`; each chunk that is done is
    kept in the state, and with the checkpoint of the plan.
    """
    done: dict[str, list[int]] = state["done"]
    total = 2 * plan.runs - plan.learning
    finished = sum(each[0] + each[1] for each in done.values())
    for result in plan.executor.map(
        run_task, plan.tasks(state["pair"], total, event, {int(key) for key in done})
    ):
        done[str(result.chunk)] = [*result.runs, *(result.counts or ())]
        finished += sum(result.runs)
        plan.progress("count", finished, total)
        if plan.checkpoint:
            plan.checkpoint.save(state)
    return [sum(column) for column in zip(*done.values(), strict=True)]


def learning_outputs(plan: Plan) -> Iterator[tuple[Batch, Batch]]:
    """Yield outputs on both data sets of each pair, from the runs that are learned from."""
    each = max(10, plan.learning // len(plan.pairs))
    for pair in range(len(plan.pairs)):
        found = list(plan.executor.map(run_task, plan.tasks(pair, each, None)))
        plan.progress("learn", each * (pair + 1), plan.learning)
        yield _kept(found)


def _learned(plan: Plan) -> dict[str, Any]:
    """Learn an event on each pair; return the state of an audit of the most promising one."""
    learned = [
        learn(first, second, plan.claim, plan.runs, plan.channel)
        for first, second in learning_outputs(plan)
    ]
    pair = max(range(len(learned)), key=lambda place: learned[place].level)
    state = {"pair": pair, "event": learned[pair].event.record(), "done": {}}
    if plan.checkpoint:
        plan.checkpoint.save(state)
    return state


def _kept(found: list[Done]) -> tuple[Batch, Batch]:
    outputs = [done.outputs for done in sorted(found, key=lambda done: done.chunk)]
    first, second = (joined([pair[side] for pair in outputs]) for side in (0, 1))
    return first, second
