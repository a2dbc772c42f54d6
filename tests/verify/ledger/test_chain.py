"""Verdicts are capped by what they rest on; circles and unknown ids are faults."""

import pytest

from provedp.verify.ledger import Claim, Defect, Finding, equal, open_, ours, published, refuted
from provedp.verify.ledger import certified as certified_record
from provedp.verify.ledger import proved as proved_record
from provedp.verify.ledger.chain import Standing, cap, standing
from provedp.verify.ledger.claim import Verdict
from provedp.verify.ledger.run import run


@ours("a test")
@open_("nobody knows")
def conjecture() -> Finding:
    """A statement that nobody has proved."""
    raise NotImplementedError


@ours("a test")
@certified_record(m=range(3))
def lemma(m: int) -> Finding:
    """m = m for some m."""
    return equal(m, m)


@ours("a test", rests_on=(lemma,))
@proved_record()
def theorem() -> Finding:
    """A proof that uses the lemma."""
    return equal(1, 1)


@ours("a test", rests_on=("test_chain.theorem", conjecture))
@proved_record()
def corollary() -> Finding:
    """A proof that uses the theorem and the conjecture."""
    return equal(1, 1)


@ours("a test", rests_on=("test_chain.second",))
@proved_record()
def first() -> Finding:
    """A statement that rests on the next."""
    return equal(1, 1)


@ours("a test", rests_on=(first,))
@proved_record()
def second() -> Finding:
    """A statement that rests on the one before."""
    return equal(1, 1)


@ours("a test", rests_on=("test_chain.nowhere",))
@proved_record()
def unfounded() -> Finding:
    """A statement that rests on nothing that is known."""
    return equal(1, 1)


KNOWN = {claim.id: claim for claim in (conjecture, lemma, theorem, corollary, first, second)}


def standing_of(claim: Claim) -> Standing:
    return standing(claim, claim.verdict, KNOWN.get)


def test_a_verdict_is_capped_by_the_weakest_below() -> None:
    assert standing_of(lemma) == Standing(Verdict.CERTIFIED, "", (lemma.id,))
    assert standing_of(theorem) == Standing(Verdict.CERTIFIED, lemma.id, (theorem.id, lemma.id))
    below = standing_of(corollary)
    assert (below.verdict, below.capped_by) == (Verdict.OPEN, conjecture.id)
    assert below.chain == (corollary.id, theorem.id, lemma.id)


def test_circles_and_unknown_ids_are_faults() -> None:
    assert standing_of(first).verdict is Verdict.FAULT
    assert "test_chain.first → test_chain.second → test_chain.first" in standing_of(first).fault
    assert "'test_chain.nowhere', which is unknown" in standing_of(unfounded).fault


@pytest.mark.parametrize(
    ("own", "foundation", "left"),
    [
        ("proved", "proved", "proved"),
        ("proved", "certified", "certified"),
        ("proved", "supported", "supported"),
        ("certified", "proved", "certified"),
        ("supported", "certified", "supported"),
        ("proved", "refuted", "open"),
        ("certified", "undecided", "open"),
        ("certified", "vacuous", "open"),
        ("certified", "fault", "open"),
        ("refuted", "certified", "refuted"),
        ("refuted", "supported", "open"),
        ("refuted", "open", "open"),
        ("undecided", "open", "undecided"),
        ("fault", "proved", "fault"),
    ],
)
def test_caps(own: str, foundation: str, left: str) -> None:
    assert str(cap(Verdict[own.upper()], Verdict[foundation.upper()])) == left


def test_records_that_say_nothing_are_faults() -> None:
    named = published("eq. (1)", defect="wrong")  # type: ignore[arg-type]
    assert "must be a Defect" in named(refuted(m=1)(lemma.check)).fault
    holding = published("eq. (1)", defect=Defect.FALSE)(certified_record(m=[1])(lemma.check))
    assert "recorded as certified" in run(holding).fault
    told = ours("a test")(proved_record(argued="by symmetry")(lemma.check))  # type: ignore[arg-type]
    assert "argued" in run(told).fault


@pytest.mark.parametrize(
    "claim",
    [
        ours("a test")(proved_record(lemma.check)),  # type: ignore[arg-type]
        ours("a test")(open_(lemma.check)),
        ours(certified_record(m=[1])(lemma.check)),  # type: ignore[arg-type]
        ours(lemma.check),  # type: ignore[arg-type]
    ],
)
def test_a_decorator_without_its_call_is_a_fault_of_its_claim(claim: Claim) -> None:
    assert "lacks its call" in run(claim).fault
    assert run(claim).verdict is Verdict.FAULT
