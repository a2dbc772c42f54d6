"""Audits with a fixed number of runs: learn an event on a first part, count it on the rest."""

from typing import Any

from provedp.verify.audit.events import Learned, event_from, learn
from provedp.verify.audit.outputs import Batch, joined
from provedp.verify.audit.plan import Plan
from provedp.verify.audit.result import AuditResult, counts_of, fixed_result
from provedp.verify.audit.runs import Done, run_task


def run_fixed(plan: Plan) -> AuditResult:
    """Run an audit, from its last checkpoint if there is one."""
    state = (plan.checkpoint.load() if plan.checkpoint else None) or _learned(plan)
    event, pair = event_from(state["event"]), state["pair"]
    done: dict[str, list[int]] = state["done"]
    total = 2 * plan.runs - plan.learning
    finished = sum(each[0] + each[1] for each in done.values())
    for result in plan.executor.map(
        run_task, plan.tasks(pair, total, event, {int(key) for key in done})
    ):
        assert result.counts is not None
        done[str(result.chunk)] = [*result.runs, *result.counts]
        finished += sum(result.runs)
        plan.progress("count", finished, total)
        if plan.checkpoint:
            plan.checkpoint.save(state)
    sums = [sum(column) for column in zip(*done.values(), strict=True)]
    return fixed_result(plan, event, pair, counts_of(event, sums))


def _learned(plan: Plan) -> dict[str, Any]:
    """Learn an event on each pair; return the state of an audit of the most promising one."""
    best: tuple[Learned, int] | None = None
    each = max(10, plan.learning // len(plan.pairs))
    for pair in range(len(plan.pairs)):
        found = list(plan.executor.map(run_task, plan.tasks(pair, each, None)))
        first, second = _kept(found)
        learned = learn(first, second, plan.claim, plan.runs, plan.channel)
        plan.progress("learn", each * (pair + 1), plan.learning)
        if best is None or learned.level > best[0].level:
            best = (learned, pair)
    assert best is not None
    state = {"pair": best[1], "event": best[0].event.record(), "done": {}}
    if plan.checkpoint:
        plan.checkpoint.save(state)
    return state


def _kept(found: list[Done]) -> tuple[Batch, Batch]:
    outputs = [done.outputs for done in sorted(found, key=lambda done: done.chunk)]
    batches = [joined([pair[side] for pair in outputs if pair is not None]) for side in (0, 1)]
    return batches[0], batches[1]
