"""Run a claim: recompute its verdict from the evidence."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import assume as keep_generating_unless
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy

from provedp.verify.ledger.claim import Claim, Role, Verdict
from provedp.verify.ledger.evidence import Finding, Kind
from provedp.verify.ledger.hypotheses import UndecidedHypothesis, UnmetHypothesis
from provedp.verify.ledger.instances import Instance, InvalidMutantError, Level

_WORDS = {
    Kind.SYMBOLIC: "symbolic",
    Kind.EXACT: "exact",
    Kind.BALL: "ball arithmetic",
    Kind.FLOAT: "floating point",
    Kind.STATISTICAL: "statistical",
}


@dataclass
class Evidence:
    """What a run of one claim saw.

    Parameters
    ----------
    kind
        The weakest kind of finding, None before any.
    met, skipped, undecided
        Instances that met the hypotheses, that did not, and that could not be decided.
    checks
        Elementary comparisons in all.
    margin
        Smallest distance from failing, where comparisons have one.
    tolerance, confidence
        For floating point and statistics alone.
    witness
        The first instance that fails, and what was found there.
    repair
        For a refuted claim with a repair: how the repair fares at the witness.
    seconds
        Wall time.
    """

    kind: Kind | None = None
    met: int = 0
    skipped: int = 0
    undecided: int = 0
    checks: int = 0
    margin: float | None = None
    tolerance: float | None = None
    confidence: float | None = None
    witness: Instance | None = None
    found: str = ""
    repair: str = ""
    seconds: float = 0.0

    def add(self, finding: Finding) -> None:
        """Count one finding on an instance that met the hypotheses."""
        self.met += 1
        self.checks += finding.checks
        self.kind = finding.kind if self.kind is None else min(self.kind, finding.kind)
        self.margin = _least(self.margin, finding.margin)
        self.confidence = _least(self.confidence, finding.confidence)
        if finding.tolerance is not None:
            self.tolerance = max(self.tolerance or 0.0, finding.tolerance)
        if finding.holds is None:
            self.undecided += 1

    def in_words(self) -> str:
        """Say in a few words what was seen."""
        if self.kind is None:
            return (
                f"no instance met the hypotheses ({self.skipped} skipped)" if self.skipped else ""
            )
        words = [_WORDS[self.kind], f"{self.checks} check{'s' if self.checks != 1 else ''}"]
        if self.met > 1 or self.skipped:
            words.append(f"{self.met} instances")
        if self.skipped:
            words.append(f"{self.skipped} skipped")
        if self.undecided:
            words.append(f"{self.undecided} undecided")
        if self.tolerance is not None:
            words.append(f"within {self.tolerance:g}")
        if self.confidence is not None:
            words.append(f"confidence {self.confidence:.9g}")
        if self.witness is not None:
            words.append(f"fails: {self.found}")
        return ", ".join(words)


@dataclass(frozen=True)
class Result:
    """A claim's verdict in this run, its evidence, and what is wrong with its record."""

    id: str
    verdict: Verdict
    recorded: Verdict
    evidence: Evidence = field(compare=False)
    fault: str = ""

    @property
    def as_recorded(self) -> bool:
        """Whether the run bears out the record."""
        return not self.fault

    def with_fault(self, fault: str) -> "Result":
        """Return the same result with one fault more."""
        return replace(self, fault="; ".join(part for part in (self.fault, fault) if part))


class _Refuted(Exception):
    """Carries the failing instance out of a generator of instances."""

    def __init__(self, instance: Instance, finding: Finding) -> None:
        super().__init__(finding.note)
        self.instance = instance
        self.finding = finding


class BrokenCheckError(Exception):
    """A check that raises something else than an unmet hypothesis."""

    def __init__(self, instance: Instance, error: Exception) -> None:
        super().__init__(f"the check raises {type(error).__name__}: {error}")
        self.instance = instance


Formula = Callable[..., Any] | None


def check_instance(claim: Claim, formula: Formula, instance: Instance, evidence: Evidence) -> bool:
    """Check one instance into `evidence`; return whether its hypotheses were met.

    Raises
    ------
    _Refuted
        If the conclusion fails.
    BrokenCheckError
        If the check raises anything but an unmet hypothesis.
    """
    try:
        finding = claim.find(formula, **instance)
    except UnmetHypothesis:
        evidence.skipped += 1
        return False
    except UndecidedHypothesis:
        evidence.undecided += 1
        return False
    except InvalidMutantError:
        raise
    except Exception as error:  # a claim that breaks must not take the others with it
        raise BrokenCheckError(instance, error) from error
    if not isinstance(finding, Finding):
        raise TypeError(f"{claim.id} returned {finding!r}: a check returns a finding.")
    evidence.add(finding)
    if finding.holds is False:
        raise _Refuted(instance, finding)
    return True


def gather(claim: Claim, formula: Formula, level: Level, *, shrink: bool = True) -> Evidence:
    """Run a claim over its domain until it fails; return the evidence.

    With `shrink`, a generated instance that fails is made as small as hypothesis can.
    """
    evidence = Evidence()
    start = time.perf_counter()
    strategy = claim.instances.strategy(level)
    try:
        if strategy is None:
            for instance in claim.instances.listed(level):
                check_instance(claim, formula, instance, evidence)
        else:
            _generate(claim, formula, strategy, claim.instances.count(level), shrink, evidence)
    except _Refuted as refutation:
        evidence.witness = refutation.instance
        evidence.found = refutation.finding.note
        evidence.kind = refutation.finding.kind
    except BrokenCheckError as broken:
        evidence.undecided += 1
        evidence.kind = None
        evidence.found = f"{broken} at {broken.instance}"
    evidence.seconds = time.perf_counter() - start
    return evidence


def _generate(
    claim: Claim,
    formula: Formula,
    strategy: SearchStrategy[Instance],
    count: int,
    shrink: bool,
    evidence: Evidence,
) -> None:
    """Check generated instances."""

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(instance=strategy)
    def body(instance: Instance) -> None:
        keep_generating_unless(check_instance(claim, formula, instance, evidence))

    try:
        body()
    except Unsatisfiable:
        return  # no instance met the hypotheses: the evidence says so


def verdict_of(claim: Claim, evidence: Evidence) -> Verdict:
    """Return the verdict that the evidence supports, whatever the record says."""
    if claim.verdict is Verdict.OPEN:
        return Verdict.OPEN
    if evidence.witness is not None:
        exact = evidence.kind is not None and evidence.kind >= Kind.BALL
        return Verdict.REFUTED if exact else Verdict.UNDECIDED
    if evidence.undecided:
        return Verdict.UNDECIDED
    if evidence.kind is None:
        return Verdict.VACUOUS
    if evidence.kind is Kind.SYMBOLIC and not claim.instances.are_enumerated:
        return Verdict.PROVED
    return Verdict.CERTIFIED if evidence.kind >= Kind.BALL else Verdict.SUPPORTED


def run(claim: Claim, repairs: tuple[Claim, ...] = (), level: Level = Level.QUICK) -> Result:
    """Recompute the verdict of one claim and hold it against its record."""
    if claim.fault:
        return Result(claim.id, Verdict.FAULT, claim.verdict, Evidence(), claim.fault)
    evidence = Evidence() if claim.verdict is Verdict.OPEN else gather(claim, claim.formula, level)
    verdict = verdict_of(claim, evidence)
    faults = list(_faults(claim, verdict, evidence, repairs))
    return Result(claim.id, verdict, claim.verdict, evidence, "; ".join(faults))


def _faults(
    claim: Claim, verdict: Verdict, evidence: Evidence, repairs: tuple[Claim, ...]
) -> Iterator[str]:
    if verdict is not claim.verdict:
        more = "more than" if claim.verdict > verdict else "other than"
        detail = f" ({evidence.found})" if evidence.found else ""
        yield f"the record says {claim.verdict}, {more} the evidence: {verdict}{detail}"
    if claim.verdict is Verdict.OPEN and not claim.reason:
        yield "an open claim needs a reason"
    if claim.role is Role.PUBLISHED and claim.verdict is Verdict.REFUTED:
        if not repairs:
            yield "a refuted statement of a paper needs a repair"
        for repair in repairs:
            outcome = repair_at_witness(claim, repair)
            evidence.repair = outcome
            if outcome not in ("holds at the witness", "excludes the witness", "proved in general"):
                yield f"the repair {repair.id} {outcome}"


def repair_at_witness(broken: Claim, repair: Claim) -> str:
    """Say how a repair fares where the broken claim fails."""
    witness = next(broken.instances.listed(Level.FULL))
    if not repair.instances.are_enumerated and not _accepts(repair, witness):
        return "proved in general" if repair.verdict is Verdict.PROVED else "is not checked there"
    evidence = Evidence()
    target = (
        replace(broken, formula=repair.formula) if repair.formula and broken.formula else repair
    )
    try:
        met = check_instance(target, target.formula, witness, evidence)
    except _Refuted as refutation:
        return f"fails at the witness too: {refutation.finding.note}"
    except BrokenCheckError as broken:
        return f"cannot be put in its place: {broken}"
    if evidence.undecided:
        return "is undecided at the witness"
    return "holds at the witness" if met else "excludes the witness"


def _accepts(claim: Claim, instance: Instance) -> bool:
    code = claim.check.__code__
    names = set(code.co_varnames[: code.co_argcount])
    return set(instance) <= names


def _least(left: float | None, right: float | None) -> float | None:
    present = [value for value in (left, right) if value is not None]
    return min(present, default=None)
