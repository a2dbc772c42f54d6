"""Audits with a fixed number of runs: learn an event on a first part, count it on the rest."""

from collections.abc import Iterator
from dataclasses import dataclass

from provedp.verify.audit.events.learning import learn
from provedp.verify.audit.events.tallies import total
from provedp.verify.audit.procedures.confirmation import confirmed
from provedp.verify.audit.procedures.states import CountingState, FixedState, records_of
from provedp.verify.audit.results.result import AuditResult, fixed_result
from provedp.verify.audit.runs.checks import outputs_checked, require_independent
from provedp.verify.audit.runs.chunks import Done, shortened
from provedp.verify.audit.runs.independence import Diagnostic
from provedp.verify.audit.runs.outputs import require_outputs
from provedp.verify.audit.runs.plan import Plan
from provedp.verify.audit.targets.outputs import Batch, joined

LEARNED_NUMBERS = 3 << 24  # of the outputs of a pair that are learned from: 400 MB
FEWEST_ROWS = 4  # of a chunk, on each data set


@dataclass(frozen=True)
class Learnable:
    """Outputs on both data sets of a pair to learn from, and what was found about their runs."""

    first: Batch
    second: Batch
    checks: tuple[Diagnostic, ...]


def run_fixed(plan: Plan) -> AuditResult:
    """Run an audit, from its last checkpoint if there is one.

    Raises
    ------
    DependentRuns
        If runs share more than their law.
    """
    state = plan.saved(FixedState.from_record) or _learned(plan)
    done = counted(plan, state)
    tally = total([each.tally for each in done])
    counts = state.event.counts_of(tally)
    result = fixed_result(plan, state.event, state.pair, counts, state.checks)
    return confirmed(plan, result, state.countable, done)


def counted(plan: Plan, state: CountingState) -> list[Done]:
    """Count what is left of the runs on the pair of a state; return all chunks that were counted.

    What comes of each chunk is kept with the checkpoint of the plan.
    """
    record = state.record()
    runs = 2 * plan.options.runs - plan.learning
    chunks = [
        Done(state.pair, chunk, parts, process=plan.process(state.pair, runs, chunk))
        for chunk, parts in state.done.items()
    ]
    finished = sum(sum(each.tally.runs) for each in chunks)
    for done in plan.executor.map(plan.tasks(state.pair, runs, state.countable, state.done)):
        chunks.append(done)
        finished += sum(done.tally.runs)
        record["done"][str(done.chunk)] = records_of(done.parts)
        plan.report("count", finished, runs)
        plan.save(record)
    return chunks


def learning_outputs(plan: Plan, runs: int | None = None) -> Iterator[Learnable]:
    """Yield outputs on both data sets of each pair, from the runs that are learned from.

    Parameters
    ----------
    plan
        The audit.
    runs
        Runs on both data sets of a pair; an equal share of what the plan learns from unless given.

    Raises
    ------
    DependentRuns
        If they share more than their law.
    """
    each = max(10, plan.learning // len(plan.pairs)) if runs is None else runs
    for pair in range(len(plan.pairs)):
        yield _learnable(plan, pair, each)


def _learnable(plan: Plan, pair: int, runs: int) -> Learnable:
    """Return outputs on a pair; the chunks are let go of, which take as much memory."""
    tasks = plan.tasks(pair, runs, None)
    share = LEARNED_NUMBERS // len(tasks)
    chunks = [_within(done, share) for done in plan.executor.map(tasks)]
    plan.report("learn", runs * (pair + 1), plan.learning)
    outputs = _outputs(chunks)
    require_outputs(plan.target, plan.datasets[2 * pair : 2 * pair + 2], outputs)
    error = plan.options.check_error / (2 * len(plan.pairs))
    checks = require_independent(outputs_checked(chunks, error)) if plan.checks else ()
    repeats = plan.pilot.repeats if plan.checks else None
    return Learnable(*outputs, checks + ((repeats,) if repeats else ()))


def _learned(plan: Plan) -> FixedState:
    """Learn an event on each pair; return the state of an audit of the most promising one."""
    runs, channel = plan.options.runs, plan.options.channel
    learned, checks = [], []
    for each in learning_outputs(plan):
        learned.append(learn(each.first, each.second, plan.claim, runs, channel))
        checks.append(each.checks)
    pair = max(range(len(learned)), key=lambda index: learned[index].level)
    state = FixedState(pair, learned[pair].event, {}, checks[pair])
    plan.save(state.record())
    return state


def _within(done: Done, numbers: int) -> Done:
    """Return a chunk, its first outputs only if they have more numbers than that."""
    if sum(batch.size for batch in done.outputs) <= numbers:
        return done
    widest = max(1, *(batch.numbers.shape[1] for batch in done.outputs))
    return shortened(done, max(FEWEST_ROWS, numbers // widest // 2))


def _outputs(chunks: list[Done]) -> tuple[Batch, Batch]:
    outputs = [done.outputs for done in sorted(chunks, key=lambda done: done.chunk)]
    first = joined([pair[0] for pair in outputs])
    return first, joined([pair[1] for pair in outputs])
