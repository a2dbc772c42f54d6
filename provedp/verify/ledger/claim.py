"""Claims as functions, with the record in their decorators.

The docstring is the statement, `assume` holds the hypotheses, and the first parameter is the
formula under test, so that a wrong one can be put in its place.

    @published("Theorem 1, eq. (10)", formula=counting.error)
    @certified(m=range(2, 41), k=[Q(3, 2), Q(7)], delta=[Q(0), Q(1, 100)])
    def error_is_optimal(error, m, k, delta):
        '''No consistent (ln k, δ)-private release errs with probability below …'''
        assume(k > 1)
        return equal(error(m, k, delta), …)
"""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Protocol

from flint import ctx

from provedp.verify.ledger.evidence import Finding
from provedp.verify.ledger.instances import Instances, instances_of

Check = Callable[..., Finding]


class Formula(Protocol):
    """The formula under test: numbers in, a number, a matrix or a choice of them out."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return the value at these arguments."""
        ...


class Verdict(IntEnum):
    """What is known of a claim, in order."""

    OPEN = 0
    VACUOUS = 1
    UNDECIDED = 2
    REFUTED = 3
    SUPPORTED = 4
    CERTIFIED = 5
    PROVED = 6

    def __str__(self) -> str:
        return self.name.lower()


class Role(StrEnum):
    """Whose statement a claim is."""

    PUBLISHED = "published"
    REPAIRED = "repaired"
    OURS = "ours"


class UnmetHypothesis(Exception):
    """An instance outside the claim's hypotheses."""


class UndecidedHypothesis(Exception):
    """An instance of which it is not known whether it meets the hypotheses."""


def assume(*conditions: bool | None) -> None:
    """State the hypotheses of a claim; an instance that does not meet them is skipped."""
    for condition in conditions:
        if condition is None:
            raise UndecidedHypothesis
        if not condition:
            raise UnmetHypothesis


@dataclass(frozen=True)
class Recorded:
    """A check with its verdict on record, before a role makes it a claim."""

    check: Check
    verdict: Verdict
    instances: Instances
    reason: str = ""
    bits: int | None = None


@dataclass(frozen=True, eq=False)
class Claim:
    """A statement, its check and the record.

    Calling a claim calls its check, so that a repair can call the claim it repairs.
    """

    check: Check
    source: str
    role: Role
    verdict: Verdict
    instances: Instances
    formula: Callable[..., Any] | None = None
    repairs: "Claim | None" = None
    mutants: tuple[Callable[..., Any], ...] = ()
    reason: str = ""
    subject: str = field(default="")
    bits: int | None = None

    @property
    def id(self) -> str:
        """Subject and conclusion, such as `counting.error_is_optimal`."""
        return f"{self.subject or _subject(self.check)}.{self.check.__name__}"

    @property
    def statement(self) -> str:
        """The docstring of the check, in one paragraph."""
        return " ".join(inspect.cleandoc(self.check.__doc__ or "").split())

    def __call__(self, *args: Any, **kwargs: Any) -> Finding:
        """Call the check with these arguments, its balls with as many bits as it asks for."""
        with ctx.workprec(self.bits or ctx.prec):
            return self.check(*args, **kwargs)

    def find(self, formula: Callable[..., Any] | None, **instance: Any) -> Finding:
        """Check one instance, with `formula` in the place of the formula under test."""
        return self(**instance) if self.formula is None else self(formula, **instance)


def _subject(check: Check) -> str:
    """Return `SUBJECT` of the check's module or of its package; else the name of the module."""
    package = sys.modules.get(check.__module__.rpartition(".")[0])
    for room in (sys.modules.get(check.__module__), package):
        subject = getattr(room, "SUBJECT", None)
        if subject is not None:
            return str(subject)
    return check.__module__.rpartition(".")[2]


def _record(verdict: Verdict) -> Callable[..., Callable[[Check], Recorded]]:
    def with_domain(*, bits: int | None = None, **domain: Any) -> Callable[[Check], Recorded]:
        return lambda check: Recorded(check, verdict, instances_of(domain), bits=bits)

    return with_domain


proved = _record(Verdict.PROVED)
certified = _record(Verdict.CERTIFIED)
supported = _record(Verdict.SUPPORTED)


def refuted(*, bits: int | None = None, **witness: Any) -> Callable[[Check], Recorded]:
    """Record a refutation: the witness meets every hypothesis and fails the conclusion."""
    instances = instances_of({"cases": [witness]})
    return lambda check: Recorded(check, Verdict.REFUTED, instances, bits=bits)


def open_(reason: str) -> Callable[[Check], Recorded]:
    """Record a claim that cannot be executed, and why."""
    return lambda check: Recorded(check, Verdict.OPEN, instances_of({}), reason)


def _claim(role: Role, recorded: Recorded, source: str, **more: Any) -> Claim:
    if not isinstance(recorded, Recorded):
        raise TypeError(f"{recorded!r} has no verdict on record: decorate it first with one.")
    if not (recorded.check.__doc__ or "").strip():
        raise ValueError(f"{recorded.check.__name__} has no docstring, so it states nothing.")
    return Claim(
        recorded.check,
        source,
        role,
        recorded.verdict,
        recorded.instances,
        reason=recorded.reason,
        bits=recorded.bits,
        **more,
    )


def published(
    source: str,
    *,
    formula: Callable[..., Any] | None = None,
    mutants: tuple[Callable[..., Any], ...] = (),
) -> Callable[[Recorded], Claim]:
    """Make a claim of a statement in a paper; `source` says where it stands."""
    return lambda recorded: _claim(
        Role.PUBLISHED, recorded, source, formula=formula, mutants=mutants
    )


def ours(
    source: str,
    *,
    formula: Callable[..., Any] | None = None,
    mutants: tuple[Callable[..., Any], ...] = (),
) -> Callable[[Recorded], Claim]:
    """Make a claim of a statement that no paper makes; `source` says what it bears on."""
    return lambda recorded: _claim(Role.OURS, recorded, source, formula=formula, mutants=mutants)


def repairs(
    broken: Claim,
    *,
    formula: Callable[..., Any] | None = None,
    mutants: tuple[Callable[..., Any], ...] = (),
) -> Callable[[Recorded], Claim]:
    """Make a claim that puts right a refuted one: another formula, or one hypothesis more."""
    return lambda recorded: _claim(
        Role.REPAIRED, recorded, broken.source, formula=formula, mutants=mutants, repairs=broken
    )
