"""Run a claim: recompute its verdict from the evidence."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import assume as keep_generating_unless
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy

from provedp.verify.ledger import journal, theorems
from provedp.verify.ledger.claim import Claim, Role, Verdict
from provedp.verify.ledger.findings import Finding, Kind
from provedp.verify.ledger.hypotheses import UndecidedHypothesis, UnmetHypothesis
from provedp.verify.ledger.instances import Instance, InvalidMutantError, Level
from provedp.verify.ledger.seen import Evidence, instance_in_words

FLOATS = (
    "it compares floats, or makes them exact, unseen: use close, float_at_most, as_dyadic (the "
    "number that a float is) or as_printed"
)
HOUSE = "provedp.verify.claims"  # where a refuted statement must have a repair
MOST_BASE_CASES = 8  # a proof starts from a few cases; many of them are an enumeration


@dataclass(frozen=True)
class Result:
    """A claim's verdict in this run, its evidence, and what is wrong with its record."""

    id: str
    verdict: Verdict
    recorded: Verdict
    evidence: Evidence = field(compare=False)
    fault: str = ""

    def with_fault(self, fault: str) -> "Result":
        """Return the same result with one fault more."""
        return replace(self, fault="; ".join(part for part in (self.fault, fault) if part))


class _Refuted(Exception):
    """Carries the failing instance out of a generator of instances."""

    def __init__(self, instance: Instance, finding: Finding, kind: Kind) -> None:
        super().__init__(finding.note)
        self.instance = instance
        self.finding = finding
        self.kind = kind


class BrokenCheckError(Exception):
    """A check that raises, exits, returns no finding, or compares what cannot be compared."""

    def __init__(self, instance: Instance, what: str) -> None:
        super().__init__(f"{what} at {instance}" if instance else what)
        self.instance = instance


Formula = Callable[..., Any] | None


def check_instance(claim: Claim, formula: Formula, instance: Instance, evidence: Evidence) -> bool:
    """Check one instance into `evidence`; return whether its hypotheses were met.

    Raises
    ------
    _Refuted
        If the conclusion fails.
    BrokenCheckError
        If the check is itself at fault.
    """
    with journal.opened() as notes:
        finding = _returned(claim, formula, instance)
    if notes.faults:
        raise BrokenCheckError(instance, notes.faults[0])
    if notes.undecided:
        evidence.undecided += 1
        return False
    if notes.unmet:
        evidence.skipped += 1
        return False
    if not isinstance(finding, Finding):
        raise BrokenCheckError(instance, f"it returns {_shortly(finding)}, which is no finding")
    if finding.origin != notes.serial:
        raise BrokenCheckError(instance, "it returns a finding that another run has made")
    if notes.floats and finding.kind > Kind.FLOAT:
        raise BrokenCheckError(instance, FLOATS)
    evidence.add(finding, notes)
    if finding.holds is False:
        kind = min(finding.kind, Kind.FLOAT) if notes.weak else finding.kind
        raise _Refuted(instance, finding, kind)
    return True


def _returned(claim: Claim, formula: Formula, instance: Instance) -> object:
    try:
        return claim.find(formula, **instance)
    except (UnmetHypothesis, UndecidedHypothesis):
        return None  # the journal says which
    except (InvalidMutantError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a claim that breaks must not take the others with it
        what = f"the check raises {type(error).__name__}: {error}"
        raise BrokenCheckError(instance, what) from error


def _shortly(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"a {type(value).__name__}"


def gather(claim: Claim, formula: Formula, level: Level, *, shrink: bool = True) -> Evidence:
    """Run a claim over its domain until it fails; return the evidence.

    With `shrink`, a generated instance that fails is made as small as hypothesis can.
    """
    evidence = Evidence()
    start = time.perf_counter()
    try:
        strategy = claim.instances.strategy(level)
        if strategy is None:
            for instance in claim.instances.listed(level):
                check_instance(claim, formula, instance, evidence)
        else:
            _generate(claim, formula, strategy, claim.instances.count(level), shrink, evidence)
    except _Refuted as refutation:
        evidence.witness = refutation.instance
        evidence.found = refutation.finding.note
        evidence.kind = refutation.kind
    except BrokenCheckError as broken:
        evidence.kind = None
        evidence.fault = str(broken)
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
    except (_Refuted, BrokenCheckError, InvalidMutantError):
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a strategy that breaks, or a check that is not repeatable
        raise BrokenCheckError({}, f"generating raises {type(error).__name__}: {error}") from error


def verdict_of(claim: Claim, evidence: Evidence) -> Verdict:
    """Return the verdict that the evidence supports, whatever the record says."""
    if claim.verdict is Verdict.OPEN:
        return Verdict.OPEN
    if evidence.fault:
        return Verdict.FAULT
    if evidence.witness is not None:
        exact = evidence.kind is not None and evidence.kind >= Kind.BALL
        return Verdict.REFUTED if exact else Verdict.UNDECIDED
    if evidence.undecided:
        return Verdict.UNDECIDED
    if evidence.kind is None:
        return Verdict.VACUOUS
    if evidence.kind is Kind.SYMBOLIC and not claim.instances.are_enumerated:
        beside = evidence.base <= MOST_BASE_CASES and evidence.base < evidence.checks
        return Verdict.PROVED if beside else Verdict.CERTIFIED
    return Verdict.CERTIFIED if evidence.kind >= Kind.BALL else Verdict.SUPPORTED


def run(claim: Claim, repairs: tuple[Claim, ...] = (), level: Level = Level.QUICK) -> Result:
    """Recompute the verdict of one claim and hold it against its record."""
    if claim.fault:
        evidence = Evidence(fault=claim.fault)
        return Result(claim.id, Verdict.FAULT, claim.verdict, evidence, claim.fault)
    evidence = Evidence() if claim.verdict is Verdict.OPEN else gather(claim, claim.formula, level)
    verdict = verdict_of(claim, evidence)
    faults = list(_faults(claim, verdict, evidence, repairs))
    return Result(claim.id, verdict, claim.verdict, evidence, "; ".join(faults))


def _faults(
    claim: Claim, verdict: Verdict, evidence: Evidence, repairs: tuple[Claim, ...]
) -> Iterator[str]:
    if evidence.fault:
        yield evidence.fault
    elif verdict is not claim.verdict:
        more = "more than" if claim.verdict > verdict else "other than"
        detail = _detail(claim, verdict, evidence)
        why = f" ({detail})" if detail else ""
        yield f"the record says {claim.verdict}, {more} the evidence: {verdict}{why}"
    lapsed = theorems.lapse(claim)
    if lapsed:
        yield f"its machine-checked proof has lapsed: {lapsed}"
    if claim.verdict is Verdict.OPEN and not claim.reason:
        yield "an open claim needs a reason"
    if claim.role is Role.PUBLISHED and claim.verdict is Verdict.REFUTED and not evidence.fault:
        if not repairs and claim.check.__module__.startswith(f"{HOUSE}."):
            yield "a refuted statement of a paper needs a repair"
        for repair in repairs:
            yield from _faults_of_repair(claim, repair, evidence)


def _detail(claim: Claim, verdict: Verdict, evidence: Evidence) -> str:
    """Return why the verdict is not the recorded one: where the claim fails, or what is amiss."""
    if evidence.witness is not None:
        return f"{evidence.found} at {instance_in_words(evidence.witness)}".strip()
    if claim.verdict is Verdict.PROVED and verdict is Verdict.CERTIFIED:
        if evidence.kind is Kind.SYMBOLIC and claim.instances.are_enumerated:
            return "a proof has no listed instances: make its symbols inside the check"
    return evidence.found


def _faults_of_repair(claim: Claim, repair: Claim, evidence: Evidence) -> Iterator[str]:
    if repair.verdict < Verdict.SUPPORTED:
        yield f"the repair {repair.id} is itself {repair.verdict}"
        return
    evidence.repair = repair_at_witness(claim, repair)
    if evidence.repair not in ("holds at the witness", "excludes the witness", "proved in general"):
        yield f"the repair {repair.id} {evidence.repair}"


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
    except BrokenCheckError as error:
        return f"cannot be put in its place: {error}"
    if evidence.undecided:
        return "is undecided at the witness"
    return "holds at the witness" if met else "excludes the witness"


def _accepts(claim: Claim, instance: Instance) -> bool:
    code = claim.check.__code__
    names = set(code.co_varnames[: code.co_argcount])
    return set(instance) <= names
