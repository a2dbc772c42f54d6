"""The ledger speaks of everything that the papers number, and guarantees cite what is proved."""

import re
from pathlib import Path

import pytest

from provedp import mechanisms
from provedp.mechanisms.counting.base import CountMechanism
from provedp.theory.privacy import definitions
from provedp.verify.ledger import registry
from provedp.verify.ledger.claim import Role, Verdict

SHARED = Path(__file__).resolve().parents[3] / "shared" / "inventory.md"
COUNTING = (
    "**counting** — eq. (2), (4)–(6), (8)–(14), (18), (19), (22)–(29), (32)–(49), (50), (51); "
    "Lemma 1, 2; Theorem 1 (optimality, P*, statements 1–4, the count of shared entries), "
    "Theorem 2 (items 1–6); Corollary 1.1, 2.1; Proposition 1; the example with M = 5; the "
    "reduction of 2(M−1)2^M constraints; footnote 2; Appendix A–D; Section VI (saturation, "
    "high-privacy coincidence, 10 dB)."
)
EQUATIONS = [2, 4, 5, 6, *range(8, 15), 18, 19, *range(22, 30), *range(32, 50), 50, 51]
ITEMS = [
    "Lemma 1",
    "Lemma 2",
    "Theorem 1",
    *(f"Theorem 1, statement {n}" for n in range(1, 5)),
    "count of shared entries",
    *(f"Theorem 2, statement {n}" for n in range(1, 7)),
    "Corollary 1.1",
    "Corollary 2.1",
    "Proposition 1",
    "example with M = 5",
    "2(M−1)2^M",
    "footnote 2",
    "Appendix A",
    "Appendix B",
    "Appendix C",
    "Appendix D",
    "Section VI",
    "saturate",
    "high-privacy",
    "10 dB",
]


def sources(subject: str) -> list[str]:
    known = registry.claims().values()
    return [c.source for c in known if c.id.startswith(subject) and c.role is not Role.OURS]


def equations_named_in(text: str) -> set[int]:
    """Return the equation numbers in a source; (14)–(16) names all three."""
    numbers = {int(n) for n in re.findall(r"\((\d+)\)", text)}
    for low, high in re.findall(r"\((\d+)\)–\((\d+)\)", text):
        numbers |= set(range(int(low), int(high) + 1))
    return numbers


@pytest.mark.parametrize("number", EQUATIONS)
def test_every_equation_is_in_a_source(number: int) -> None:
    assert any(number in equations_named_in(source) for source in sources("counting"))


@pytest.mark.parametrize("item", ITEMS)
def test_every_item_is_in_a_source(item: str) -> None:
    assert any(item in source for source in sources("counting"))


@pytest.mark.skipif(not SHARED.exists(), reason="the inventory is not beside the project")
def test_the_copied_inventory_is_the_inventory() -> None:
    assert COUNTING in SHARED.read_text(encoding="utf-8")


def test_numbers_in_the_inventory_are_those_in_the_lists() -> None:
    equations = COUNTING.split(";")[0]
    assert equations_named_in(equations) == set(EQUATIONS)


@pytest.mark.parametrize(
    "mechanism", [m for m in vars(mechanisms.counting).values() if isinstance(m, type)]
)
def test_every_guarantee_cites_a_claim_that_holds(mechanism: type) -> None:
    assert issubclass(mechanism, CountMechanism)
    if mechanism is CountMechanism:
        return
    cited = registry.find(mechanism.claim)
    assert cited.verdict in (Verdict.PROVED, Verdict.CERTIFIED)


@pytest.mark.parametrize(
    "name", [definitions.BASIC_COMPOSITION, definitions.POST_PROCESSING, definitions.GROUP_PRIVACY]
)
def test_what_is_derived_from_guarantees_cites_a_proof(name: str) -> None:
    assert registry.find(name).verdict is Verdict.PROVED
