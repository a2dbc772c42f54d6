"""What the record of every claim of the project says beside its verdict."""

from provedp.verify.ledger import registry
from provedp.verify.ledger.claim import Role, Verdict

CLAIMS = registry.claims().values()


def test_every_refuted_statement_of_a_paper_says_how_it_is_wrong() -> None:
    wrong = [c for c in CLAIMS if c.role is Role.PUBLISHED and c.verdict is Verdict.REFUTED]
    assert wrong
    assert [c.id for c in wrong if c.defect is None] == []


def test_only_refuted_statements_of_papers_have_a_defect() -> None:
    named = [c for c in CLAIMS if c.defect is not None]
    assert all(c.role is Role.PUBLISHED and c.verdict is Verdict.REFUTED for c in named)


def test_every_proof_says_which_steps_are_argued() -> None:
    proofs = [c for c in CLAIMS if c.verdict is Verdict.PROVED]
    assert proofs
    assert [c.id for c in proofs if c.argued is None] == []


def test_argued_steps_are_lines() -> None:
    steps = [step for c in CLAIMS for step in c.argued or ()]
    assert steps
    assert all(step.strip() and "\n" not in step and len(step) <= 300 for step in steps)


def test_no_verdict_is_above_what_it_rests_on() -> None:
    for claim in CLAIMS:
        standing = registry.standing(claim)
        assert standing.fault == "", claim.id
        whole = claim.theorems and not claim.part  # a machine-checked proof is of all instances
        if claim.verdict is not Verdict.REFUTED and not whole:
            assert standing.verdict <= claim.verdict, claim.id
