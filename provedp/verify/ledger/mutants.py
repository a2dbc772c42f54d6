"""No check that cannot fail: put perturbed formulas in the place of the one under test."""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np

from provedp.theory.domain import Integers
from provedp.verify.ledger.claim import Claim, Verdict
from provedp.verify.ledger.instances import InvalidMutantError, Level
from provedp.verify.ledger.run import gather, verdict_of
from provedp.verify.ledger.seen import Evidence

Formula = Callable[..., Any]

INTEGERS = Integers()  # what a parameter called m is taken for, unless its formula says otherwise
PARTS = 10_000  # a mutant is off by one of them


class Outcome(StrEnum):
    """How a mutant fared; only a decided refutation kills."""

    KILLED = "killed"
    ALIVE = "alive"
    UNDECIDED = "undecided"
    VACUOUS = "vacuous"
    CRASHED = "crashed"
    INVALID = "invalid"


@dataclass(frozen=True)
class MutantReport:
    """How a claim's check fared with perturbed formulas, and with the right one once more.

    Parameters
    ----------
    id
        The claim.
    outcomes
        The names of the mutants, by outcome: refuted by the check; passed; not decided; no instance
        left; the check broke; the formula cannot be evaluated.
    explained
        Why some mutants may live, by name.
    unstable
        What a second run with the right formula saw differently, "" if nothing.
    has_formula
        Whether there is a formula to perturb.
    """

    id: str
    outcomes: Mapping[Outcome, tuple[str, ...]]
    explained: Mapping[str, str]
    unstable: str = ""
    has_formula: bool = True

    @property
    def killed(self) -> tuple[str, ...]:
        """The mutants that the check refutes."""
        return self.outcomes[Outcome.KILLED]

    @property
    def alive(self) -> tuple[str, ...]:
        """The mutants that pass."""
        return self.outcomes[Outcome.ALIVE]

    @property
    def unexplained(self) -> tuple[str, ...]:
        """The mutants that pass without a word on the record why."""
        return tuple(name for name in self.alive if name not in self.explained)

    @property
    def is_blind(self) -> bool:
        """Whether there is a formula and the check refutes no mutant of it."""
        return self.has_formula and not self.killed

    @property
    def faults(self) -> list[str]:
        """What is wrong: a blind check, a run that does not repeat, explanations of the dead."""
        stale = [name for name in self.explained if name not in self.alive]
        found = []
        if self.is_blind:
            found.append("its check notices no wrong formula")
        if self.unstable:
            found.append(f"a second run differs: {self.unstable}")
        if stale:
            found.append(f"the record explains mutants that do not live: {', '.join(stale)}")
        return found


def summary(reports: list[MutantReport]) -> list[str]:
    """Return the totals by outcome, the share of decided mutants that died, and who lives on."""
    counts = {o: sum(len(report.outcomes[o]) for report in reports) for o in Outcome}
    decided = counts[Outcome.KILLED] + counts[Outcome.ALIVE]
    share = f" ({counts[Outcome.KILLED] / decided:.1%} of those decided)" if decided else ""
    told = ", ".join(f"{n} {o}" for o, n in counts.items() if o is not Outcome.KILLED)
    lines = [f"{len(reports)} formulas: {counts[Outcome.KILLED]} mutants killed{share}, {told}."]
    for report in reports:
        for name in report.alive:
            why = report.explained.get(name, "not explained")
            lines.append(f"{report.id}: {name} lives: {why}")
    return lines


def applies_to(claim: Claim) -> bool:
    """Whether a claim has mutants: it has a formula under test and is on record as holding.

    A refuted claim is a check that fails; that it can pass is shown by its repair instead.
    """
    return claim.formula is not None and claim.verdict > Verdict.REFUTED and not claim.fault


def judge(claim: Claim, level: Level = Level.QUICK) -> MutantReport:
    """Run a claim twice with its own formula, then against each mutant of it."""
    outcomes: dict[Outcome, list[str]] = {outcome: [] for outcome in Outcome}
    if applies_to(claim):
        for name, mutant in mutants_of(claim):
            outcomes[_outcome(claim, mutant, level)].append(name)
    return MutantReport(
        claim.id,
        {outcome: tuple(names) for outcome, names in outcomes.items()},
        claim.survivors,
        _unstable(claim, level),
        applies_to(claim),
    )


def _outcome(claim: Claim, mutant: Formula, level: Level) -> Outcome:
    try:
        evidence = gather(claim, mutant, level, shrink=False)
    except InvalidMutantError:
        return Outcome.INVALID
    verdict = verdict_of(claim, evidence)
    if verdict is Verdict.REFUTED:
        return Outcome.KILLED
    if verdict is Verdict.UNDECIDED and claim.verdict is Verdict.SUPPORTED and evidence.witness:
        return Outcome.KILLED  # a failure as strong as the evidence of the claim
    return {
        Verdict.FAULT: Outcome.CRASHED,
        Verdict.VACUOUS: Outcome.VACUOUS,
        Verdict.UNDECIDED: Outcome.UNDECIDED,
    }.get(verdict, Outcome.ALIVE)


def _unstable(claim: Claim, level: Level) -> str:
    """Say how two runs of a check in one process differ: it would depend on time or on itself."""
    if claim.verdict is Verdict.OPEN or claim.fault:
        return ""
    first, second = (gather(claim, claim.formula, level) for _ in range(2))
    return ", ".join(
        f"{name} was {getattr(first, name)!r}, then {getattr(second, name)!r}"
        for name in ("kind", "met", "skipped", "undecided", "checks", "found", "fault")
        if _differ(name, first, second)
    )


def _differ(name: str, first: Evidence, second: Evidence) -> bool:
    return bool(getattr(first, name) != getattr(second, name))


def mutants_of(claim: Claim) -> Iterator[tuple[str, Formula]]:
    """Yield the name and the function of each mutant of a claim's formula."""
    formula = claim.formula
    if formula is None:
        return
    yield "times 1 + 1e-4", _changed(formula, lambda number: number * (PARTS + 1) / PARTS)
    yield "times 1 − 1e-4", _changed(formula, lambda number: number * (PARTS - 1) / PARTS)
    yield "plus 1e-4", _changed(formula, lambda number: (number * PARTS + 1) / PARTS)
    yield "minus 1e-4", _changed(formula, lambda number: (number * PARTS - 1) / PARTS)
    parameters = list(inspect.signature(formula).parameters)
    ranges: Mapping[str, Any] = getattr(formula, "ranges", {})
    if "m" in parameters and isinstance(ranges.get("m", INTEGERS), Integers):
        yield "size off by one", _with(formula, "m", lambda m: m + 1)
    if "k" in parameters:
        yield "ε for −ε", _with(formula, "k", lambda k: 1 / _exact(k))
        yield "ε for 2ε", _with(formula, "k", lambda k: k * k)
    if "delta" in parameters:
        yield "δ for 2δ", _with(formula, "delta", lambda delta: 2 * delta)
    if "channel" in parameters:
        yield "channel transposed", _with(formula, "channel", np.transpose)
    for mutant in claim.mutants:
        yield mutant.__name__, _guarded(mutant)


def _exact(value: Any) -> Any:
    return Fraction(value) if isinstance(value, int) else value


def _changed(formula: Formula, change: Callable[[Any], Any]) -> Formula:
    return _guarded(lambda *args, **kwargs: changed(formula(*args, **kwargs), change))


def _with(formula: Formula, name: str, change: Callable[[Any], Any]) -> Formula:
    """Return the formula, without its domain check, with one argument changed."""
    signature = inspect.signature(formula)
    unchecked = getattr(formula, "unchecked", formula)

    def perturbed(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        bound.arguments[name] = change(bound.arguments[name])
        return unchecked(*bound.args, **bound.kwargs)

    return _guarded(perturbed)


def _guarded(mutant: Formula) -> Formula:
    @functools.wraps(mutant)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        try:
            return mutant(*args, **kwargs)
        except (ArithmeticError, ValueError, TypeError, IndexError, KeyError) as error:
            raise InvalidMutantError(str(error)) from error

    return guarded


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return `value` with every number in it changed; from a set, one element is dropped."""
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, Mapping):
        return {key: changed(part, change) for key, part in value.items()}
    if isinstance(value, Set):
        return frozenset(sorted(value)[1:])
    if isinstance(value, (list, tuple)):
        return [changed(part, change) for part in value]
    if isinstance(value, np.ndarray):
        return np.frompyfunc(lambda entry: change(_exact(entry)), 1, 1)(value)
    return change(_exact(value))
