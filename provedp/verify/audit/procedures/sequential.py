"""Audits that stop as soon as the claim is refuted."""

import math
from dataclasses import dataclass
from operator import index
from typing import Any, Self

import numpy as np
from scipy import special

from provedp.theory.arrays import Floats
from provedp.verify.audit.procedures.bettor import Bettor, BettorState, batch_size
from provedp.verify.audit.procedures.confirmation import confirmed_by_fresh_runs
from provedp.verify.audit.results.result import AuditResult, sight
from provedp.verify.audit.runs.chunks import LARGEST_CHUNK, Done, Task
from provedp.verify.audit.runs.outputs import require_outputs
from provedp.verify.audit.runs.plan import KEPT_NUMBERS, Plan
from provedp.verify.audit.statistics.exact_test import Counts

HOPEFUL = 3  # of this many batches, all but one go to the most promising pair


@dataclass(frozen=True)
class SequentialState:
    """How far an audit is: the next turn, the peaks of the mean wealth, and all bettors."""

    turn: int
    peaks: tuple[float, ...]
    bettors: tuple[BettorState, ...]

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        bettors = [bettor.record() for bettor in self.bettors]
        return {"turn": self.turn, "peaks": list(self.peaks), "bettors": bettors}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Return what `record` wrote."""
        bettors = tuple(map(BettorState.from_record, record["bettors"]))
        return cls(index(record["turn"]), tuple(record["peaks"]), bettors)


def run_sequentially(plan: Plan) -> AuditResult:
    """Run an audit until the claim is refuted or the runs are spent, from its last checkpoint.

    With several pairs the wealth is the mean of theirs, which can as little be expected to grow.
    """
    options = plan.options
    bettors = [
        Bettor(plan.claim, options.channel, KEPT_NUMBERS // len(plan.pairs)) for _ in plan.pairs
    ]
    turn, peaks = _restored(bettors, plan.saved(SequentialState.from_record))
    alpha, limit = 1 - options.confidence, 2 * options.runs
    spent = sum(bettor.runs for bettor in bettors)
    while spent < limit and peaks[bettors[0].wealth.claimed] < -math.log(alpha):
        pair = _next_pair(bettors, turn)
        size = min(batch_size(bettors[pair].runs), limit - spent)
        _see_batch(plan, bettors[pair], pair, turn, size)
        peaks = np.maximum(peaks, mean_wealth(bettors))
        turn, spent = turn + 1, spent + size
        plan.report("count", spent, limit)
        states = tuple(bettor.state for bettor in bettors)
        plan.save(SequentialState(turn, tuple(peaks.tolist()), states).record())
    result = _result(plan, bettors, peaks, spent)
    return confirmed_by_fresh_runs(plan, result, bettors[result.pair].event)


def _restored(bettors: list[Bettor], state: SequentialState | None) -> tuple[int, Floats]:
    """Return the next turn and the peaks, with the bettors as they were."""
    if state is None:
        return 0, bettors[0].wealth.logs.copy()
    if len(state.bettors) != len(bettors):
        raise ValueError(
            f"The checkpoint holds the state of an audit of {len(state.bettors)} pairs, not of"
            f" {len(bettors)}."
        )
    for bettor, kept in zip(bettors, state.bettors, strict=True):
        bettor.resume(kept)
    return state.turn, np.array(state.peaks)


def mean_wealth(bettors: list[Bettor]) -> Any:
    """Return the logarithm of the mean wealth at each level."""
    logs = np.array([bettor.wealth.logs for bettor in bettors])
    return special.logsumexp(logs, axis=0) - math.log(len(bettors))


def _next_pair(bettors: list[Bettor], turn: int) -> int:
    """Return the pair with the fewest runs, or mostly the one whose wealth should grow fastest."""
    runs = [bettor.runs for bettor in bettors]
    if min(runs) == 0 or turn % HOPEFUL == 0:
        return int(np.argmin(runs))
    hopes = [bettor.wealth.logs[bettor.wealth.claimed] + 100 * bettor.growth for bettor in bettors]
    return int(np.argmax(hopes))


def _see_batch(plan: Plan, bettor: Bettor, pair: int, turn: int, size: int) -> None:
    """Run a batch, in chunks numbered by its turn, and settle the bets."""
    parts = -(-size // LARGEST_CHUNK)
    tasks = [
        Task(
            plan.target,
            plan.datasets,
            pair,
            turn * LARGEST_CHUNK + part,
            size // parts + (part < size % parts),
            plan.options.seed,
            None,
        )
        for part in range(parts)
    ]
    done: list[Done] = sorted(plan.executor.map(tasks), key=lambda each: each.chunk)
    for each in done:
        first, second = each.outputs
        if bettor.runs == 0:
            require_outputs(plan.target, plan.datasets[2 * pair : 2 * pair + 2], (first, second))
        bettor.see(first, second)


def _result(plan: Plan, bettors: list[Bettor], peaks: Floats, spent: int) -> AuditResult:
    options = plan.options
    alpha = 1 - options.confidence
    pair = int(np.argmax([bettor.wealth.logs[bettor.wealth.claimed] for bettor in bettors]))
    bettor = bettors[pair]
    wealth = bettor.wealth
    reached = peaks >= -math.log(alpha)
    steps = int(np.argmin(reached)) if not reached.all() else len(reached)
    bound = float(wealth.levels[steps - 1]) if steps else 0.0
    refuted = bool(reached[wealth.claimed])
    counted, counted_runs = bettor.counted, max(1, bettor.counted.runs)
    counts = Counts(counted.successes, counted_runs, counted.failures, counted_runs, folded=True)
    event = bettor.event
    return AuditResult(
        refuted=refuted,
        epsilon_lower=max(bound, plan.claim.level) if refuted else min(bound, plan.claim.level),
        confidence=options.confidence,
        notion=plan.claim.notion,
        claim=str(plan.claim),
        claimed=plan.claim.level,
        p_value=min(1.0, math.exp(-float(peaks[wealth.claimed]))),
        channel=options.channel,
        event="none was learned" if event is None else event.words,
        pair=pair,
        counts=counts,
        runs=spent,
        **sight(counts, plan.claim, options.confidence),
        seed=options.seed,
        target=plan.target.name,
        event_record={} if event is None else event.record(),
        processes=plan.most_processes,
    )
