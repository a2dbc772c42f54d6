"""No check that cannot fail: put perturbed formulas in the place of the one under test."""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from flint import arb

from provedp.verify.ledger.claim import Claim, Verdict
from provedp.verify.ledger.instances import InvalidMutantError, Level
from provedp.verify.ledger.perturbations import mutants_of
from provedp.verify.ledger.run import gather, verdict_of
from provedp.verify.ledger.seen import Evidence

Formula = Callable[..., Any]

LONGEST = 60  # seconds that one mutant gets; the slowest check on record takes 8


class Outcome(StrEnum):
    """How a mutant fared; only a decided refutation kills."""

    KILLED = "killed"
    ALIVE = "alive"
    UNDECIDED = "undecided"
    VACUOUS = "vacuous"
    CRASHED = "crashed"
    INVALID = "invalid"
    SAME = "the same on the domain"


@dataclass(frozen=True)
class MutantReport:
    """How a claim's check fared with perturbed formulas, and with the right one once more.

    Parameters
    ----------
    id
        The claim.
    outcomes
        The names of the mutants, by outcome: refuted by the check; passed; not decided; no instance
        left; the check broke; the formula cannot be evaluated; or it gave the very values of the
        right formula wherever it was called, such as 2δ for δ = 0.
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
    noun = "formula" if len(reports) == 1 else "formulas"
    lines = [f"{len(reports)} {noun}: {counts[Outcome.KILLED]} mutants killed{share}, {told}."]
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
    watched = _Watched(mutant, claim.formula)
    try:
        with _at_most_seconds(LONGEST):
            evidence = gather(claim, watched, level, shrink=False)
    except TooLongError:
        return Outcome.UNDECIDED
    except InvalidMutantError:
        return Outcome.INVALID
    verdict = verdict_of(claim, evidence)
    if verdict > Verdict.REFUTED and watched.calls and not watched.differs:
        return Outcome.SAME
    if verdict is Verdict.REFUTED:
        return Outcome.KILLED
    if verdict is Verdict.UNDECIDED and claim.verdict is Verdict.SUPPORTED and evidence.witness:
        return Outcome.KILLED  # a failure as strong as the evidence of the claim
    return {
        Verdict.FAULT: Outcome.CRASHED,
        Verdict.VACUOUS: Outcome.VACUOUS,
        Verdict.UNDECIDED: Outcome.UNDECIDED,
    }.get(verdict, Outcome.ALIVE)


class TooLongError(InvalidMutantError):
    """A mutant that simplification does not get to the end of."""


@contextmanager
def _at_most_seconds(seconds: float) -> Iterator[None]:
    """Interrupt what runs longer, again and again; in the main thread alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise TooLongError("it does not end")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Watched:
    """A mutant that notes whether it ever gave another value than the right formula."""

    def __init__(self, mutant: Formula, right: Formula | None) -> None:
        self.mutant = mutant
        self.right = right
        self.calls = 0
        self.differs = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        value = self.mutant(*args, **kwargs)
        self.calls += 1
        if self.right is not None and not self.differs:
            self.differs = not _is_same(value, self.right(*args, **kwargs))
        return value


def _is_same(left: Any, right: Any) -> bool:
    """Return whether two values are certainly the same; balls must have the same bounds."""
    if isinstance(left, arb) and isinstance(right, arb):
        return bool(left.mid() == right.mid() and left.rad() == right.rad())
    if isinstance(left, (list, tuple, np.ndarray)) and isinstance(right, (list, tuple, np.ndarray)):
        one, other = (np.asarray(part, dtype=object).ravel() for part in (left, right))
        return len(one) == len(other) and all(map(_is_same, one, other))
    return type(left) is type(right) and bool(left == right)


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
