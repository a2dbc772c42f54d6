"""Claims as functions, with the record in their decorators.

The docstring is the statement, `assume` holds the hypotheses, and the first parameter is the
formula under test, so that a wrong one can be put in its place.

    @published(
        Source(COUNTING, "Theorem 1"),
        Source(COUNTING, "eq. (10)"),
        formula=counting.error,
        rests_on=(kernel_is_tight, "counting.radius_bound_holds"),
    )
    @certified(m=range(2, 41), k=[Q(3, 2), Q(7)], delta=[Q(0), Q(1, 100)])
    def error_is_optimal(error, m, k, delta):
        '''No consistent (ln k, δ)-private release errs with probability below …'''
        assume(k > 1)
        return equal(error(m, k, delta), …)

`@published`, `@ours` and `@repairs` say whose statement it is. The first two name its sources:
where it stands, or, as a text, what it is about.

`rests_on`
    Claims, or their ids as text, that the argument uses. The verdict decorator records what the
    check itself decides; the ledger shows that verdict *capped* by the weakest claim that it rests
    on, directly or not. On proved nothing is lost, on certified the cap is certified, on supported
    supported; on anything else (open, refuted, undecided, vacuous) the claim is open. A refutation
    stands on proved and certified claims and is open on weaker ones. A cycle or an unknown id is a
    fault.
`defect`
    For `@published` with `@refuted`: how the paper is wrong, `Defect.FALSE`, `Defect.GAP` (in the
    proof), `Defect.DEGENERATE` (a degenerate case) or `Defect.MISPRINT`.
`mutants`, `survivors`
    Wrong formulas of one's own, and why mutants may live: {"doubled; halved": "homogeneous"}.

`@proved`, `@certified` and `@supported` say what the check decides:

`argued`
    Steps that the machine does not check, one line each. `argued=()` says that the decided formula
    *is* the statement (the proof is whole); unset says that nobody has looked yet.
`bits`
    Precision of balls. All other keywords are the domain: see `instances_of`.

`@machine_checked`, between the verdict and the role, names the theorems that a proof assistant has
checked, `part` what of the statement they say if not all.
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Protocol

from flint import ctx

from provedp.verify.ledger.findings import Finding
from provedp.verify.ledger.instances import Instances
from provedp.verify.ledger.source import Source

Check = Callable[..., Finding]


class Formula(Protocol):
    """The formula under test: numbers in, a number, a matrix or a choice of them out."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return the value at these arguments."""
        ...


class Verdict(IntEnum):
    """What is known of a claim, in order; below open stands a check that is itself at fault."""

    FAULT = -1
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


class Defect(StrEnum):
    """How a published statement that is refuted is wrong."""

    FALSE = "false"
    GAP = "gap in the proof"
    DEGENERATE = "degenerate case"
    MISPRINT = "misprint"


@dataclass(frozen=True)
class Recorded:
    """A check with its verdict on record, before a role makes it a claim."""

    check: Check
    verdict: Verdict
    instances: Instances
    reason: str = ""
    bits: int | None = None
    argued: tuple[str, ...] | None = None
    fault: str = ""
    theorems: tuple[str, ...] = ()
    part: str = ""


@dataclass(frozen=True, eq=False)
class Claim:
    """A statement, its check and the record.

    `verdict` is what the check is recorded to decide; `chain.capped` gives what a reader may
    believe. Calling a claim calls its check, so that a repair can call the claim it repairs.
    """

    check: Check
    sources: tuple[Source, ...]
    role: Role
    verdict: Verdict
    instances: Instances
    formula: Callable[..., Any] | None = None
    repairs: "Claim | None" = None
    mutants: tuple[Callable[..., Any], ...] = ()
    survivors: Mapping[str, str] = field(default_factory=dict)
    rests_on: "tuple[Claim | str, ...]" = ()
    defect: Defect | None = None
    argued: tuple[str, ...] | None = None
    reason: str = ""
    subject: str = field(default="")
    bits: int | None = None
    fault: str = ""
    theorems: tuple[str, ...] = ()
    part: str = ""

    @property
    def id(self) -> str:
        """Subject and conclusion, such as `counting.error_is_optimal`."""
        return f"{self.subject or _subject(self.check)}.{self.check.__name__}"

    @property
    def statement(self) -> str:
        """The docstring of the check, in one paragraph."""
        return " ".join(inspect.cleandoc(self.check.__doc__ or "").split())

    @property
    def foundations(self) -> tuple[str, ...]:
        """The ids of the claims that it rests on."""
        return tuple(other if isinstance(other, str) else other.id for other in self.rests_on)

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
