"""Searching for a pair: leave out those that a target does not take, make a found one smaller."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace

from provedp.verify.audit.procedures.audit import audit
from provedp.verify.audit.results.result import AuditResult
from provedp.verify.audit.runs.options import Options
from provedp.verify.audit.targets.failures import failing
from provedp.verify.audit.targets.runner import Runner
from provedp.verify.audit.targets.shown import shown
from provedp.verify.audit.targets.target import Target, TargetError
from provedp.verify.notions.notions import PrivacyNotion
from provedp.verify.pairs.pair import Pair, listed_data
from provedp.verify.pairs.patterns import shrunk

TRIAL_RUNS = 5000  # per data set and smaller pair


def taken(target: Target, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs on one of whose data sets, at least, the target has an output.

    If errors are no outcomes, they are those on both of which it has.

    Raises
    ------
    TargetError
        If there are none; the error is that on the last pair.
    """
    suitable, last = [], TargetError("there are no pairs")
    with Runner(target, listed_data(pairs)) as runner:
        for index, pair in enumerate(pairs):
            try:
                runs = [
                    runner.run(data, [index, side], 1)
                    for side, data in enumerate((pair.first, pair.second))
                ]
                if all(failing(run).any() for run in runs):
                    raise TargetError(shown(runs[1].tokens[0], []))
                suitable.append(pair)
            except TargetError as error:
                last = error
    if not suitable:
        raise last
    return suitable


def smaller_refutation(
    target: Target, pair: Pair, claim: PrivacyNotion, result: AuditResult, options: Options
) -> tuple[AuditResult, Pair]:
    """Return a refutation on a smaller pair, from fresh runs, or the one that is given.

    Smaller pairs are tried with few runs each; the last that was refuted is then audited with
    fresh ones, so that its confidence is its own.

    Parameters
    ----------
    target, claim
        What is audited.
    pair, result
        The pair that was refuted, and how.
    options
        Of the audit; its executor and its checkpoint are not used.
    """
    fresh = options.but(executor=None, checkpoint=None, progress=None)
    trial = fresh.but(runs=min(options.runs, TRIAL_RUNS))
    spent = 0

    def fails(smaller: Pair) -> bool:
        nonlocal spent
        spent += 1
        with contextlib.suppress(TargetError):
            return audit(target, smaller, claim, options=trial, seed=options.seed + spent).refuted
        return False

    smallest = shrunk(pair, options.adjacency, fails)
    if smallest == pair:
        return result, pair
    again = audit(target, smallest, claim, options=fresh, seed=options.seed + spent + 1)
    if not again.refuted:
        return result, pair
    tried = 2 * trial.runs * spent
    return replace(again, runs=again.runs + result.runs + tried), smallest
