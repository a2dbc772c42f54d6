"""After counting: whether the counts stand, and if a claim is refuted, a last look at restarts.

A refutation at confidence 1 − α from n independent runs says nothing if the n runs are one draw.
How many processes have to agree until chance has not made kept draws look like a law? If each
process were one draw of an event A of a mechanism that keeps its claim, and P(A) ≥ 1/2 on one data
set, then it is at least s on the other, the least that the claim allows; all of N processes look
alike with probability at most (1 − s)^N. N is chosen so that this is at most α, as far as runs and
time allow, and what was not allowed is said. The clocks of these processes are set forward, each by
another part of a year, so that noise which is read off the clock is not taken for a law.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from scipy import special

from provedp.verify.audit.events.event import Event
from provedp.verify.audit.results.profile import ProfileResult
from provedp.verify.audit.results.result import AuditResult
from provedp.verify.audit.runs.checks import (
    STRICT,
    counts_checked,
    outputs_checked,
    require_independent,
)
from provedp.verify.audit.runs.chunks import CONFIRM, Countable, Done, Task, recounted
from provedp.verify.audit.runs.independence import Diagnostic
from provedp.verify.audit.runs.plan import Plan
from provedp.verify.audit.statistics.exact_test import clopper_pearson
from provedp.verify.audit.targets.runner import LATER
from provedp.verify.audit.targets.target import TargetError
from provedp.verify.notions.notions import PrivacyNotion

SHARE = 0.1  # of the runs of an audit, at most, for checks alone
RUNS = (2, 100)  # least and most per process
HALF = 0.5  # probability of an event that a kept draw could decide
FEWEST = 2  # processes
CHECKED = 4000  # runs in all for the checks of an audit that stops early, at most …
EACH = 4  # … and at least so many for each process that may be started
SHARE_OF_SHARES = 1e-3  # error of the interval for the share of an event, in that of the check


Result = TypeVar("Result", AuditResult, ProfileResult)


def confirmed(
    plan: Plan,
    result: Result,
    countable: Countable,
    chunks: Sequence[Done],
    budget: int | None = None,
) -> Result:
    """Return a result with what was found about its runs; `budget` more of them at most.

    Raises
    ------
    DependentRuns
        If the runs share more than their law; with a claim that is refuted, p-values of the checks
        have to be above 10⁻⁴ and not only above 10⁻⁶, and further fresh processes have to agree.
    """
    if not plan.checks:
        return result
    found: list[Diagnostic] = counts_checked(
        chunks, STRICT if result.refuted else plan.options.check_error / 2
    )
    spent = 0
    if result.refuted and all(each.passed for each in found):
        most = int(SHARE * 2 * plan.options.runs) if budget is None else budget
        last, spent = restarted(plan, result.pair, countable, chunks, most)
        found.append(last)
    checks = require_independent(merged([*result.checks, *found]))
    return replace(result, checks=checks, check_runs=result.check_runs + spent)


def confirmed_by_fresh_runs(plan: Plan, result: AuditResult, event: Event | None) -> AuditResult:
    """Return the result of a sequential audit with what was found about runs like its own.

    Raises
    ------
    DependentRuns
        If they share more than their law.
    """
    if not plan.checks:
        return result
    repeats = (plan.pilot.repeats,) if plan.pilot.repeats else ()
    result = replace(result, checks=repeats)
    if event is None:
        return result
    runs = min(CHECKED, max(int(SHARE * 2 * plan.options.runs), EACH * plan.most_processes))
    chunks = list(plan.executor.map(plan.check_tasks(result.pair, runs)))
    found = require_independent(outputs_checked(chunks, plan.options.check_error / 2))
    result = replace(result, checks=(*found, *repeats), check_runs=runs)
    return confirmed(plan, result, event, [recounted(each, event) for each in chunks], runs)


def merged(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return one diagnostic of each name: the worst."""
    by_name: dict[str, Diagnostic] = {}
    for each in found:
        known = by_name.get(each.name)
        by_name[each.name] = each if known is None or _rank(each) < _rank(known) else known
    return list(by_name.values())


def _rank(each: Diagnostic) -> tuple[bool, float]:
    return each.passed, 1.0 if each.p_value is None else each.p_value


def restarted(
    plan: Plan, pair: int, countable: Countable, chunks: Sequence[Done], budget: int
) -> tuple[Diagnostic, int]:
    """Run fresh processes and compare each with all runs before; return also how many runs."""
    if not plan.restartable:
        words = f"not started anew: {plan.pilot.stays}"
        return Diagnostic("restarted", True, None, words), 0
    wanted = processes_needed(plan.claim, 1 - plan.options.confidence)
    number = min(wanted, plan.most_processes)
    size = int(np.clip(budget // number, *RUNS))
    number = min(number, budget // size)
    if number < FEWEST:
        words = "not started anew: a tenth of these runs is too few"
        return Diagnostic("restarted", True, None, words), 0
    try:
        fresh = _fresh_runs(plan, pair, countable, number, size, LATER)
    except TargetError:  # it may not bear another time
        fresh = _fresh_runs(plan, pair, countable, number, size, "now")
    p = _p_value(chunks, fresh)
    if p <= STRICT:
        words = f"of {number} fresh processes some are unlike the others"
        return Diagnostic("processes", False, p, words), number * size
    rest = f", of the {wanted} that would rule out noise kept for a process at this claim"
    words = f"alike in {number} more fresh processes{rest if number < wanted else ''}"
    return Diagnostic("restarted", True, p, words), number * size


def _fresh_runs(
    plan: Plan, pair: int, countable: Countable, number: int, size: int, name: str
) -> list[Done]:
    """Run that many processes, with names that begin like this, and so many runs in each."""
    seed = plan.options.seed
    tasks = [
        Task(
            plan.target,
            plan.datasets,
            pair,
            index,
            size,
            seed,
            countable,
            f"{name}.{index}",
            CONFIRM,
        )
        for index in range(CHECKED, CHECKED + number)
    ]
    return list(plan.executor.map(tasks))


def processes_needed(claim: PrivacyNotion, alpha: float) -> int:
    """Return how many processes have to look alike: see the top of this module.

    >>> from provedp.verify.notions.notions import ApproximateDP
    >>> processes_needed(ApproximateDP(1.0), 0.05), processes_needed(ApproximateDP(1.0), 1e-6)
    (15, 68)
    """
    low, high = 0.0, HALF
    for _ in range(60):
        middle = (low + high) / 2
        enough = float(claim.most(np.array([middle]))[0]) >= HALF
        low, high = (low, middle) if enough else (middle, high)
    return math.ceil(math.log(alpha) / math.log1p(-high)) if high > 1e-12 else 1 << 40


def _p_value(chunks: Sequence[Done], fresh: Sequence[Done]) -> float:
    """Test whether fresh processes, each and together, have the shares that runs before had."""
    tests = [test for side in (0, 1) for test in _shares(chunks, fresh, side)]
    return min(1.0, min((len(tests) * test for test in tests), default=1.0))


def _shares(chunks: Sequence[Done], fresh: Sequence[Done], side: int) -> list[float]:
    before = _counts(chunks, side).sum(axis=0)
    runs, values = int(before[0]), []
    each = _counts(fresh, side)
    table = np.vstack([each, each.sum(axis=0)])  # a few runs of many processes tell together
    for x, own in zip(before[1:].tolist(), table[:, 1:].T, strict=True):
        low, high = clopper_pearson(int(x), runs, SHARE_OF_SHARES * STRICT)
        few = special.bdtr(own, table[:, 0], np.full(len(own), low))
        many = np.where(own > 0, special.bdtrc(own - 1, table[:, 0], np.full(len(own), high)), 1.0)
        values.append(float(min(1.0, 2 * len(own) * min(few.min(), many.min()))))
    return values


def _counts(chunks: Sequence[Done], side: int) -> np.ndarray:
    """Return a row for each chunk: its runs on a data set, and how many have each event."""
    rows = []
    for each in chunks:
        tally = each.tally
        events = tally.on_second if side else tally.on_first
        rows.append([tally.runs[side], *(count for sides in events for count in sides)])
    return np.array(rows, dtype=np.int64)
