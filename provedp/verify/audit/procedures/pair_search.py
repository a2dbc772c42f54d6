"""Searching for a pair: leave out those that a target does not take, make a found one smaller."""

import contextlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

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
SHRINKING = 4  # word of the seeds of all that comes after a refutation
SHOWN = 120  # characters of a reason


@dataclass(frozen=True)
class Search:
    """Pairs that were searched through.

    Attributes
    ----------
    tried
        Those on both of whose data sets the target could be run.
    left_out
        The name of each other one, and the error of the target, in a line.
    """

    tried: tuple[Pair, ...]
    left_out: tuple[tuple[str, str], ...]

    def record(self) -> dict[str, Any]:
        """Return it as JSON data, with the names of the pairs."""
        left_out = [{"pair": name, "reason": reason} for name, reason in self.left_out]
        return {"tried": [pair.name for pair in self.tried], "left_out": left_out}

    def __str__(self) -> str:
        words = f"{len(self.tried)} pairs tried"
        if not self.left_out:
            return f"{words}, none left out"
        reasons = Counter(reason for _, reason in self.left_out)
        listed = "; ".join(f"{count} × {reason}" for reason, count in reasons.most_common())
        return f"{words}, {len(self.left_out)} left out that the target does not take ({listed})"


def taken(target: Target, shapes: Iterable[Sequence[Pair]]) -> Search:
    """Return the pairs of the first shape that a target can be run on.

    A shape is taken if the target has outputs on both data sets of one of its pairs at least. Of
    such a shape, if errors are outcomes, a pair is left out only if the target fails on both of its
    data sets; else if it fails on either.

    Parameters
    ----------
    target
        What is run, once on each data set.
    shapes
        Pairs of one shape after the other; those of later shapes are neither tried nor left out.

    Raises
    ------
    TargetError
        If it can be run on none; the error is that on the last pair.
    """
    listed = list(map(list, shapes))
    left_out: list[tuple[str, TargetError]] = []
    with Runner(target, listed_data([pair for shape in listed for pair in shape])) as runner:
        for shape in listed:
            suitable = _taken_of(runner, shape, left_out)
            if suitable:
                reasons = tuple((name, _reason(error)) for name, error in left_out)
                return Search(tuple(suitable), reasons)
    raise left_out[-1][1] if left_out else TargetError("there are no pairs")


def _taken_of(
    runner: Runner, shape: Sequence[Pair], left_out: list[tuple[str, TargetError]]
) -> list[Pair]:
    """Return the pairs of a shape that are taken; add the others to those that are left out."""
    errors = [_errors_on(runner, pair, number) for number, pair in enumerate(shape)]
    spared = 1 if runner.target.errors == "outcome" and [] in errors else 0
    kept = []
    for pair, found in zip(shape, errors, strict=True):
        if len(found) <= spared:
            kept.append(pair)
        else:
            left_out.append((pair.name, found[-1]))
    return kept


def _errors_on(runner: Runner, pair: Pair, number: int) -> list[TargetError]:
    """Return the errors of the target on the data sets of a pair, one of each at most."""
    found = []
    for side, data in enumerate((pair.first, pair.second)):
        try:
            run = runner.run(data, [number, side], 1)
        except TargetError as error:
            found.append(error)
        else:
            if failing(run).any():
                found.append(TargetError(shown(run.tokens[0], [])))
    return found


def _reason(error: TargetError) -> str:
    """Return the last line of an error."""
    line = str(error).rstrip().rpartition("\n")[2]
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…"


def smaller_refutation(
    target: Target,
    pair: Pair,
    claim: PrivacyNotion,
    result: AuditResult,
    options: Options,
    simple: tuple[float, float] = (0, 1),
) -> tuple[AuditResult, Pair]:
    """Return a refutation on a smaller pair, from fresh runs, or the one that is given.

    Smaller pairs are tried with few runs each, and the last that was refuted is then audited with
    fresh ones. A true claim is refuted as rarely as by the first audit alone, since that came
    first. Which of two bounds is shown, though, depends on both: the one that is shown is above the
    truth with probability at most twice 1 − confidence.

    Parameters
    ----------
    target, claim
        What is audited.
    pair, result
        The pair that was refuted, and how.
    options
        Of the audit; its executor and its checkpoint are not used.
    simple
        The numbers that others may be replaced by.
    """
    fresh = options.but(executor=None, checkpoint=None, progress=None)
    trial = fresh.but(runs=min(options.runs, TRIAL_RUNS), checks=False)
    seeds = np.random.SeedSequence([options.seed, SHRINKING])
    spent = 0

    def seed() -> int:
        return int(seeds.spawn(1)[0].generate_state(1, np.uint64)[0])

    def fails(smaller: Pair) -> bool:
        nonlocal spent
        spent += 1
        with contextlib.suppress(TargetError):
            return audit(target, smaller, claim, options=trial, seed=seed()).refuted
        return False

    smallest = shrunk(pair, options.adjacency, fails, simple)
    if smallest == pair:
        return result, pair
    again = audit(target, smallest, claim, options=fresh, seed=seed())
    if not again.refuted:
        return result, pair
    tried = 2 * trial.runs * spent
    return replace(again, runs=again.runs + result.runs + tried), smallest
