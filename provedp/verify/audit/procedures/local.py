"""Audits over a small domain of values: all pairs are learned from, one event is counted once."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from provedp.verify.audit.events.learning import Learned, learn
from provedp.verify.audit.events.tallies import total
from provedp.verify.audit.procedures.audit import checked_claim, planned
from provedp.verify.audit.procedures.confirmation import confirmed
from provedp.verify.audit.procedures.fixed_runs import counted, learning_outputs
from provedp.verify.audit.procedures.states import FixedState
from provedp.verify.audit.results.result import AuditResult, fixed_result
from provedp.verify.audit.runs.independence import Diagnostic
from provedp.verify.audit.runs.options import OptionKeywords, Options
from provedp.verify.audit.runs.plan import Plan
from provedp.verify.audit.targets.outputs import Batch
from provedp.verify.notions.notions import PrivacyNotion
from provedp.verify.pairs.fingerprints import fingerprint
from provedp.verify.pairs.pair import Pair

MOST_VALUES = 24
SHARE = 0.25  # of the runs on a value that are learned from
SCREENED = 4000  # runs on each value from which all pairs are compared
KEPT = 4  # pairs whose event is learned from all of them


@dataclass(frozen=True)
class LocalResult:
    """What an audit over a domain found.

    Attributes
    ----------
    result
        Of the one pair that was counted.
    values
        The domain.
    pair
        The indices of this pair in it.
    estimates
        For each two values, about the bound that their learned event promised: none of them holds
        with any confidence.
    learning_runs
        Runs on all values together that were only learned from.
    """

    result: AuditResult
    values: tuple[Any, ...]
    pair: tuple[int, int]
    estimates: tuple[tuple[float, ...], ...]
    learning_runs: int


def audit_local(
    what: Any,
    values: Sequence[Any],
    claim: PrivacyNotion | float,
    *,
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> LocalResult:
    """Test a local mechanism on all pairs of a small domain, from one batch of runs for each value.

    Parameters
    ----------
    what
        The target: see `target`; its data is one value.
    values
        The domain: 2 to 24 different values, each adjacent to each.
    claim, options, **keywords
        As for `audit`; `runs` is per value.

    Returns
    -------
    A `LocalResult`, whose one bound holds with the confidence.

    Raises
    ------
    ValueError
        If the request is wrong.
    TargetError
        If the target fails.

    >>> def response(value, rng, count):
    ...     return np.where(rng.random(count) < 0.7, value, rng.integers(0, 3, count))
    >>> audit_local(response, [0, 1, 2], 1.0, runs=2000).result.refuted
    True
    """
    domain = _domain(values)
    chosen = (options or Options()).but(**keywords)
    if chosen.sequential or chosen.checkpoint is not None:
        raise ValueError("An audit over a domain has a fixed number of runs, and no checkpoint.")
    asked = checked_claim(claim)
    with planned(what, _couples(domain), asked, chosen) as plan:
        batches, checks, spent = _learned_from(plan, len(domain))
    first, second, event, estimates = _best(batches, asked, chosen)
    with planned(what, [Pair(domain[first], domain[second])], asked, chosen) as plan:
        state = FixedState(0, event, {}, checks)
        done = counted(plan, state)
        counts = event.counts_of(total([each.tally for each in done]))
        result = fixed_result(plan, event, 0, counts, checks)
        result = confirmed(plan, result, state.countable, done)
    return LocalResult(result, domain, (first, second), estimates, spent)


def _domain(values: Sequence[Any]) -> tuple[Any, ...]:
    domain = tuple(values)
    if not 2 <= len(domain) <= MOST_VALUES:
        raise ValueError(f"A domain has 2 to {MOST_VALUES} values. Got {len(domain)} instead.")
    if len({fingerprint(value) for value in domain}) < len(domain):
        raise ValueError("Two values of the domain are the same.")
    return domain


def _couples(domain: tuple[Any, ...]) -> list[Pair]:
    """Return all values two by two, to be run once; of an odd number the last with the first."""
    ends = (*domain, domain[0]) if len(domain) % 2 else domain
    return [Pair(a, b) for a, b in zip(ends[::2], ends[1::2], strict=True)]


def _learned_from(plan: Plan, values: int) -> tuple[list[Batch], tuple[Diagnostic, ...], int]:
    """Return the runs on each value that are learned from, what was found of them, and how many."""
    each = max(20, round(2 * SHARE * plan.options.runs))
    batches: list[Batch] = []
    checks: tuple[Diagnostic, ...] = ()
    for learnable in learning_outputs(plan, each):
        batches += [learnable.first, learnable.second]
        checks = checks or learnable.checks
    return batches[:values], checks, sum(map(len, batches))


def _best(
    batches: list[Batch], claim: PrivacyNotion, options: Options
) -> tuple[int, int, Any, tuple[tuple[float, ...], ...]]:
    """Return the pair and event that promise the highest bound, and what each pair promises."""
    few = [batch.rows(slice(0, SCREENED)) for batch in batches]
    estimates = np.zeros((len(few), len(few)))
    for i, j in itertools.combinations(range(len(few)), 2):
        level = learn(few[i], few[j], claim, options.runs, options.channel).level
        estimates[i, j] = estimates[j, i] = level
    pairs = sorted(itertools.combinations(range(len(few)), 2), key=lambda pair: -estimates[pair])
    learned: dict[tuple[int, int], Learned] = {
        (i, j): learn(batches[i], batches[j], claim, options.runs, options.channel)
        for i, j in pairs[:KEPT]
    }
    first, second = max(learned, key=lambda pair: learned[pair].level)
    table = tuple(tuple(map(float, row)) for row in estimates)
    return first, second, learned[first, second].event, table
