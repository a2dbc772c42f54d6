"""The ledger speaks of everything that the papers number, and guarantees cite what is proved."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from provedp import mechanisms
from provedp.mechanisms.counting import UniversalCount
from provedp.mechanisms.counting.base import CountMechanism
from provedp.mechanisms.mixture.private import settings as mixture_settings
from provedp.mechanisms.mixture.published.baselines import (
    ColouredGaussian,
    IndependentGaussian,
    LaplaceMixture,
)
from provedp.mechanisms.mixture.published.release import PublishedMixture
from provedp.mechanisms.modes.private import settings as modes_settings
from provedp.mechanisms.modes.published.clustering import (
    PublishedModalClustering,
    PublishedModalClusteringCode,
)
from provedp.mechanisms.modes.published.modes import PublishedModes
from provedp.mechanisms.modes.published.program import PublishedModesCode
from provedp.mechanisms.modes.published.regression import PublishedModalRegression
from provedp.theory.privacy import definitions
from provedp.verify import claims as claims_package
from provedp.verify.ledger import Paper, papers, registry
from provedp.verify.ledger.claim import Role, Verdict

INVENTORY = {
    "counting": (
        "**counting** — eq. (2), (4)–(6), (8)–(14), (18), (19), (22)–(29), (32)–(49), (50), (51); "
        "Lemma 1, 2; Theorem 1 (optimality, P*, statements 1–4, the count of shared entries), "
        "Theorem 2 (items 1–6); Corollary 1.1, 2.1; Proposition 1; the example with M = 5; the "
        "reduction of 2(M−1)2^M constraints; footnote 2; Appendix A–D; Section VI (saturation, "
        "high-privacy coincidence, 10 dB)."
    ),
    "mixture": (
        "**mixture** — Definition 1; eq. (2)–(4), (8)–(37); Theorem 1; Lemma 1–4; Proposition 1, "
        "2; Remark 1–4; Algorithm 1 (fixed point, monotone, convergence, early stop); |S|, |S′|; "
        "(P1) and (P2); Section IV-C (remove, change, add, scalable variant); Section V-A "
        "(baselines' privacy), V-E; Table I; Appendix A–C."
    ),
    "modes": (
        "**modes** — Definition 1–6; Assumption 1–4; eq. (1)–(20); Lemma 1–22; Theorem 4.1, 4.3, "
        "4.5, 4.6; Corollary 4.2; Proposition 4.4, A.1–A.5; Remark 4.1–4.3; Algorithm 1–4; Section "
        "5.1 (clipping, metric), 5.2 (kernels), 5.4, 5.5; Tables 1–9."
    ),
}
# What the inventory lists, as sources name it.
ITEMS = {
    "counting": [
        *(f"eq. ({n})" for n in [2, 4, 5, 6, *range(8, 15), 18, 19, *range(22, 30)]),
        *(f"eq. ({n})" for n in [*range(32, 50), 50, 51]),
        *("Lemma 1", "Lemma 2", "Theorem 1", "Theorem 2", "Corollary 1.1", "Corollary 2.1"),
        *("Proposition 1", "footnote 2", "Section VI"),
        *(f"Appendix {letter}" for letter in "ABCD"),
    ],
    "mixture": [
        *("Definition 1", "Theorem 1", "Proposition 1", "Proposition 2", "Algorithm 1"),
        *(f"eq. ({n})" for n in [2, 3, 4, *range(8, 38)]),
        *(f"Lemma {n}" for n in range(1, 5)),
        *(f"Remark {n}" for n in range(1, 5)),
        *("(P1)", "(P2)", "Section IV-C", "Section V-A", "Section V-E", "Table I", "Example 3"),
        *(f"Figure {n}" for n in (2, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15)),
        *(f"Appendix {letter}" for letter in "ABC"),
    ],
    "modes": [
        *(f"eq. ({n})" for n in range(1, 21)),
        *(f"Definition {n}" for n in range(1, 7)),
        *(f"Assumption {n}" for n in range(1, 5)),
        *(f"Lemma {n}" for n in range(1, 23)),
        *(f"Theorem {n}" for n in ("4.1", "4.3", "4.5", "4.6")),
        *("Corollary 4.2", "Proposition 4.4"),
        *(f"Proposition A.{n}" for n in range(1, 6)),
        *(f"Remark 4.{n}" for n in range(1, 4)),
        *(f"Algorithm {n}" for n in range(1, 5)),
        *(f"Section {n}" for n in ("5.1", "5.2", "5.4", "5.5")),
        *(f"Table {n}" for n in range(1, 10)),
    ],
}
# What an item's parts must speak of, where the inventory says so.
PARTS = {
    ("counting", "Theorem 1"): [
        *(f"statement {n}" for n in range(1, 5)),
        *("count of shared entries", "2(M−1)2^M"),
    ],
    ("counting", "Theorem 2"): [f"statement {n}" for n in range(1, 7)],
    ("counting", "Corollary 1.1"): ["example with M = 5"],
    ("counting", "Section VI"): ["saturate", "high-privacy", "10 dB"],
    ("mixture", "Algorithm 1"): ["non-increasing", "convergence"],
    ("mixture", "eq. (3)"): ["|S|"],
    ("mixture", "eq. (16)"): ["|S′|"],
    ("mixture", "Section I-A"): ["reallocat"],
    ("mixture", "Section V-A"): ["10⁻³"],
    ("mixture", "Section IV-C"): [
        *("at most K neighbours", "Changing one feature", "Adding one", "scalable variant"),
    ],
}


def standing_of(name: str) -> Verdict:
    """Return a claim's verdict as capped by all that it rests on."""
    return registry.standing(registry.find(name)).verdict


def parts(subject: str, item: str) -> list[str]:
    """Return the part of each source that names an item, or one within, in a claim not ours."""
    known = [c for c in registry.claims().values() if c.role is not Role.OURS]
    listed = [source for claim in known for source in claim.sources]
    there = [source for source in listed if source.paper == subject]
    return [s.part for s in there if s.item == item or papers.is_within(s.section, item)]


def equations_named_in(text: str) -> set[int]:
    """Return the equation numbers in a text; (14)–(16) names all three."""
    numbers = {int(n) for n in re.findall(r"\((\d+)\)", text)}
    for low, high in re.findall(r"\((\d+)\)–\((\d+)\)", text):
        numbers |= set(range(int(low), int(high) + 1))
    return numbers


@pytest.mark.parametrize(
    ("subject", "item"), [(subject, item) for subject in ITEMS for item in ITEMS[subject]]
)
def test_every_item_is_in_a_source(subject: str, item: str) -> None:
    assert parts(subject, item)


@pytest.mark.parametrize(
    ("subject", "item", "part"), [(*where, part) for where in PARTS for part in PARTS[where]]
)
def test_every_part_is_in_a_source(subject: str, item: str, part: str) -> None:
    assert any(part in named for named in parts(subject, item))


def test_the_papers_number_their_equations_without_a_gap() -> None:
    for paper, last in ((Paper.COUNTING, 51), (Paper.MIXTURE, 37), (Paper.MODES, 20)):
        numbered = [name for name in papers.items(paper) if name.startswith("eq. ")]
        assert numbered == [f"eq. ({n})" for n in range(1, last + 1)]


def test_own_claims_name_sources_and_not_texts() -> None:
    folder = Path(claims_package.__file__).parent
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("published", "ours"):
                assert node.args, (path, node.lineno)
                assert not any(isinstance(a, ast.Constant | ast.JoinedStr) for a in node.args)


@pytest.mark.parametrize("subject", INVENTORY)
def test_numbers_in_the_inventory_are_those_in_the_lists(subject: str) -> None:
    equations = next(part for part in INVENTORY[subject].split("; ") if "eq. (" in part)
    assert equations_named_in(equations) == {
        int(name[5:-1]) for name in ITEMS[subject] if name.startswith("eq. ")
    }


@pytest.mark.parametrize(
    "mechanism", [m for m in vars(mechanisms.counting).values() if isinstance(m, type)]
)
def test_every_guarantee_cites_a_claim_that_holds(mechanism: type) -> None:
    assert issubclass(mechanism, (CountMechanism, UniversalCount))
    if mechanism is CountMechanism:
        return
    cited = registry.standing(registry.find(mechanism.claim))
    assert cited.verdict in (Verdict.PROVED, Verdict.CERTIFIED)


def _below(name: str) -> set[str]:
    """Return the ids of all claims that a claim rests on, however far down."""
    foundations = registry.find(name).foundations
    return set(foundations).union(*(_below(each) for each in foundations))


@pytest.mark.parametrize("claims", [mixture_settings.CLAIMS, modes_settings.CLAIMS])
def test_every_guarantee_of_an_estimator_cites_a_proof_and_its_runs(claims: dict[str, str]) -> None:
    for name in claims.values():
        assert registry.find(name).verdict is Verdict.PROVED
        standing = registry.standing(registry.find(name))
        assert standing.verdict is Verdict.CERTIFIED
        assert any(each.endswith("_spend_what_they_promise") for each in _below(name))


@pytest.mark.parametrize(
    "estimator",
    [
        PublishedMixture,
        LaplaceMixture,
        IndependentGaussian,
        ColouredGaussian,
        PublishedModes,
        PublishedModesCode,
        PublishedModalClustering,
        PublishedModalClusteringCode,
        PublishedModalRegression,
    ],
)
def test_what_is_refuted_cites_its_refutation(estimator: Any) -> None:
    names = estimator().refuted_by
    assert names
    for name in names:
        assert standing_of(name) is Verdict.REFUTED


@pytest.mark.parametrize(
    "name", [definitions.BASIC_COMPOSITION, definitions.POST_PROCESSING, definitions.GROUP_PRIVACY]
)
def test_what_is_derived_from_guarantees_cites_a_proof(name: str) -> None:
    assert standing_of(name) is Verdict.PROVED
