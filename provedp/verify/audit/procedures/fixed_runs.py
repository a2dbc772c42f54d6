"""Audits with a fixed number of runs: learn an event on a first part, count it on the rest."""

import operator
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from provedp.verify.audit.events.learning import learn
from provedp.verify.audit.events.tallies import Tally
from provedp.verify.audit.procedures.states import CountingState, FixedState
from provedp.verify.audit.results.result import AuditResult, fixed_result
from provedp.verify.audit.runs.chunks import Done
from provedp.verify.audit.runs.outputs import require_outputs
from provedp.verify.audit.runs.plan import Plan
from provedp.verify.audit.targets.outputs import Batch, joined

LEARNED_NUMBERS = 3 << 24  # of the outputs of a pair that are learned from: 400 MB
FEWEST_ROWS = 4  # of a chunk, on each data set


def run_fixed(plan: Plan) -> AuditResult:
    """Run an audit, from its last checkpoint if there is one."""
    state = plan.saved(FixedState.from_record) or _learned(plan)
    counts = state.event.counts_of(counted(plan, state))
    return fixed_result(plan, state.event, state.pair, counts)


def counted(plan: Plan, state: CountingState) -> Tally:
    """Count what is left of the runs on the pair of a state; return the tally of all of them.

    What comes of each chunk is kept with the checkpoint of the plan.
    """
    record, tallies = state.record(), list(state.done.values())
    total = 2 * plan.options.runs - plan.learning
    finished = sum(sum(tally.runs) for tally in tallies)
    for done in plan.executor.map(plan.tasks(state.pair, total, state.countable, state.done)):
        tallies.append(done.tally)
        finished += sum(done.tally.runs)
        record["done"][str(done.chunk)] = done.tally.record()
        plan.report("count", finished, total)
        plan.save(record)
    return reduce(operator.add, tallies)


def learning_outputs(plan: Plan) -> Iterator[tuple[Batch, Batch]]:
    """Yield outputs on both data sets of each pair, from the runs that are learned from."""
    each = max(10, plan.learning // len(plan.pairs))
    for pair in range(len(plan.pairs)):
        tasks = plan.tasks(pair, each, None)
        share = LEARNED_NUMBERS // len(tasks)
        outputs = _outputs([_within(done, share) for done in plan.executor.map(tasks)])
        plan.report("learn", each * (pair + 1), plan.learning)
        require_outputs(plan.target, plan.datasets[2 * pair : 2 * pair + 2], outputs)
        yield outputs


def _learned(plan: Plan) -> FixedState:
    """Learn an event on each pair; return the state of an audit of the most promising one."""
    runs, channel = plan.options.runs, plan.options.channel
    learned = [
        learn(first, second, plan.claim, runs, channel) for first, second in learning_outputs(plan)
    ]
    pair = max(range(len(learned)), key=lambda index: learned[index].level)
    state = FixedState(pair, learned[pair].event, {})
    plan.save(state.record())
    return state


def _within(done: Done, numbers: int) -> Done:
    """Return the outputs of a chunk, the first ones only if they have more numbers than that."""
    if sum(batch.size for batch in done.outputs) <= numbers:
        return done
    widest = max(1, *(batch.numbers.shape[1] for batch in done.outputs))
    rows = slice(0, max(FEWEST_ROWS, numbers // widest // 2))
    first, second = (batch.rows(rows).copy() for batch in done.outputs)
    return replace(done, outputs=(first, second))


def _outputs(chunks: list[Done]) -> tuple[Batch, Batch]:
    outputs = [done.outputs for done in sorted(chunks, key=lambda done: done.chunk)]
    first = joined([pair[0] for pair in outputs])
    return first, joined([pair[1] for pair in outputs])
