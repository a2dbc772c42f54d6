"""Audits that stop as soon as the claim is refuted."""

import math
from typing import Any

import numpy as np
from scipy import special

from provedp.verify.audit.events.learning import event_from
from provedp.verify.audit.procedures.bettor import Bettor, batch_size
from provedp.verify.audit.results.result import FACTORS, AuditResult
from provedp.verify.audit.runs.chunks import LARGEST_CHUNK, Done, Task, run_task
from provedp.verify.audit.runs.plan import KEPT_NUMBERS, Plan
from provedp.verify.audit.statistics.exact_test import Counts
from provedp.verify.audit.statistics.power import power_against

HOPEFUL = 3  # of this many batches, all but one go to the most promising pair


def run_sequentially(plan: Plan) -> AuditResult:
    """Run an audit until the claim is refuted or the runs are spent, from its last checkpoint.

    With several pairs the wealth is the mean of theirs, which can as little be expected to grow.
    """
    bettors = [
        Bettor(plan.claim, plan.channel, KEPT_NUMBERS // len(plan.pairs)) for _ in plan.pairs
    ]
    state = plan.checkpoint.load() if plan.checkpoint else None
    turn, peaks = _restored(bettors, state)
    alpha, limit = 1 - plan.confidence, 2 * plan.runs
    spent = sum(bettor.runs for bettor in bettors)
    while spent < limit and peaks[bettors[0].wealth.claimed] < -math.log(alpha):
        pair = _next_pair(bettors, turn)
        size = min(batch_size(bettors[pair].runs), limit - spent)
        _see_batch(plan, bettors[pair], pair, turn, size)
        peaks = np.maximum(peaks, mean_wealth(bettors))
        turn, spent = turn + 1, spent + size
        plan.progress("count", spent, limit)
        if plan.checkpoint:
            plan.checkpoint.save(_state(bettors, turn, peaks))
    return _result(plan, bettors, peaks, spent)


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
            plan.seed,
            None,
        )
        for part in range(parts)
    ]
    done: list[Done] = sorted(plan.executor.map(run_task, tasks), key=lambda each: each.chunk)
    for each in done:
        first, second = each.outputs
        bettor.see(first, second)


def _state(bettors: list[Bettor], turn: int, peaks: Any) -> dict[str, Any]:
    return {
        "turn": turn,
        "peaks": peaks.tolist(),
        "bettors": [
            {
                "logs": bettor.wealth.logs.tolist(),
                "event": None if bettor.event is None else bettor.event.record(),
                "expected": list(bettor.expected),
                "growth": bettor.growth,
                "runs": bettor.runs,
                "counted": list(bettor.counted),
            }
            for bettor in bettors
        ],
    }


def _restored(bettors: list[Bettor], state: dict[str, Any] | None) -> tuple[int, Any]:
    """Return the next turn and the peaks; only what was learned is kept, not the outputs."""
    if state is None:
        return 0, bettors[0].wealth.logs.copy()
    for bettor, each in zip(bettors, state["bettors"], strict=True):
        bettor.wealth.logs = np.array(each["logs"])
        bettor.growth, bettor.runs = each["growth"], each["runs"]
        bettor.counted = tuple(each["counted"])
        if each["event"] is not None:
            bettor.resume(event_from(each["event"]), *each["expected"])
    return state["turn"], np.array(state["peaks"])


def _result(plan: Plan, bettors: list[Bettor], peaks: Any, spent: int) -> AuditResult:
    alpha = 1 - plan.confidence
    pair = int(np.argmax([bettor.wealth.logs[bettor.wealth.claimed] for bettor in bettors]))
    bettor = bettors[pair]
    wealth = bettor.wealth
    reached = peaks >= -math.log(alpha)
    steps = int(np.argmin(reached)) if not reached.all() else len(reached)
    bound = float(wealth.levels[steps - 1]) if steps else 0.0
    refuted = bool(reached[wealth.claimed])
    success, failure, runs = bettor.counted
    counts = Counts(success, max(1, runs), failure, max(1, runs), folded=True)
    event = bettor.event
    return AuditResult(
        refuted=refuted,
        epsilon_lower=max(bound, plan.claim.level) if refuted else min(bound, plan.claim.level),
        confidence=plan.confidence,
        notion=plan.claim.notion,
        claim=str(plan.claim),
        p_value=min(1.0, math.exp(-float(peaks[wealth.claimed]))),
        channel=plan.channel,
        event="none was learned" if event is None else event.words,
        pair=pair,
        counts=counts,
        runs=spent,
        resolution=min(1.0, 3 / counts.n),
        power={f"{c:g}": power_against(c, counts, plan.claim, plan.confidence) for c in FACTORS},
        seed=plan.seed,
        target=plan.target.name,
        event_record={} if event is None else event.record(),
    )
