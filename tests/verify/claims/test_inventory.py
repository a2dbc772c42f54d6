"""The ledger speaks of everything that the papers number, and guarantees cite what is proved."""

import re
from typing import Any

import pytest

from provedp import mechanisms
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
from provedp.verify.ledger import registry
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
EQUATIONS = {
    "counting": [2, 4, 5, 6, *range(8, 15), 18, 19, *range(22, 30), *range(32, 50), 50, 51],
    "mixture": [2, 3, 4, *range(8, 38)],
    "modes": [*range(1, 21)],
}
# Kinds of items whose numbers a source may list, as in "Lemma 12, 13" or "Tables 1–3".
NUMBERED = {
    "Definition": [str(n) for n in range(1, 7)],
    "Assumption": [str(n) for n in range(1, 5)],
    "Lemma": [str(n) for n in range(1, 23)],
    "Theorem": ["4.1", "4.3", "4.5", "4.6"],
    "Corollary": ["4.2"],
    "Proposition": ["4.4", *(f"A.{n}" for n in range(1, 6))],
    "Remark": ["4.1", "4.2", "4.3"],
    "Algorithm": [str(n) for n in range(1, 5)],
    "Section": ["5.1", "5.2", "5.4", "5.5"],
    "Table": [str(n) for n in range(1, 10)],
}
ITEMS = {
    "counting": [
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
        *(f"Appendix {letter}" for letter in "ABCD"),
        "Section VI",
        "saturate",
        "high-privacy",
        "10 dB",
    ],
    "mixture": [
        "Definition 1",
        "Theorem 1",
        *(f"Lemma {n}" for n in range(1, 5)),
        "Proposition 1",
        "Proposition 2",
        *(f"Remark {n}" for n in range(1, 5)),
        "Algorithm 1",
        "reallocat",
        "non-increasing",
        "convergence",
        "10⁻³",
        "|S|",
        "|S′|",
        "(P1)",
        "(P2)",
        "Section IV-C, at most K neighbours",
        "Changing one feature",
        "Adding one",
        "scalable variant",
        "Example 3",
        "Section V-A",
        *(f"Figure {n}" for n in (2, 4, 5, 6, 7, 8, 9)),
        "Figures 11, 12, 13",
        "Figures 14, 15",
        "V-E",
        "Table I",
        *(f"Appendix {letter}" for letter in "ABC"),
    ],
}


def standing_of(name: str) -> Verdict:
    """Return a claim's verdict as capped by all that it rests on."""
    return registry.standing(registry.find(name)).verdict


def sources(subject: str) -> list[str]:
    known = registry.claims().values()
    return [c.source for c in known if c.id.startswith(subject) and c.role is not Role.OURS]


def equations_named_in(text: str) -> set[int]:
    """Return the equation numbers in a source; (14)–(16) names all three."""
    numbers = {int(n) for n in re.findall(r"\((\d+)[a-e]?\)", text)}
    for low, high in re.findall(r"\((\d+)[a-e]?\)–\((\d+)[a-e]?\)", text):
        numbers |= set(range(int(low), int(high) + 1))
    return numbers


def numbers_named_in(text: str, kind: str) -> set[str]:
    """Return the numbers after a kind of item: all of "1, 3–5 and A.2"."""
    found: set[str] = set()
    for listed in re.findall(kind + r"s? ((?:[\dA.]+(?:–|, | and )?)+)", text):
        for part in re.split(r", | and ", listed):
            first, _, last = part.rstrip(".").partition("–")
            head, dot, low = first.rpartition(".")
            high = last.rpartition(".")[2]
            ends = (int(low), int(high)) if last else None
            found |= {head + dot + str(n) for n in range(ends[0], ends[1] + 1)} if ends else {first}
    return found


@pytest.mark.parametrize(("kind", "number"), [(k, n) for k in NUMBERED for n in NUMBERED[k]])
def test_every_numbered_item_of_the_modes_paper_is_in_a_source(kind: str, number: str) -> None:
    assert any(number in numbers_named_in(source, kind) for source in sources("modes"))


@pytest.mark.parametrize(
    ("subject", "number"), [(subject, n) for subject in EQUATIONS for n in EQUATIONS[subject]]
)
def test_every_equation_is_in_a_source(subject: str, number: int) -> None:
    assert any(number in equations_named_in(source) for source in sources(subject))


@pytest.mark.parametrize(
    ("subject", "item"), [(subject, item) for subject in ITEMS for item in ITEMS[subject]]
)
def test_every_item_is_in_a_source(subject: str, item: str) -> None:
    assert any(item in source for source in sources(subject))


@pytest.mark.parametrize("subject", INVENTORY)
def test_numbers_in_the_inventory_are_those_in_the_lists(subject: str) -> None:
    equations = next(part for part in INVENTORY[subject].split("; ") if "eq. (" in part)
    assert equations_named_in(equations) == set(EQUATIONS[subject])


@pytest.mark.parametrize(
    "mechanism", [m for m in vars(mechanisms.counting).values() if isinstance(m, type)]
)
def test_every_guarantee_cites_a_claim_that_holds(mechanism: type) -> None:
    assert issubclass(mechanism, CountMechanism)
    if mechanism is CountMechanism:
        return
    cited = registry.standing(registry.find(mechanism.claim))
    assert cited.verdict in (Verdict.PROVED, Verdict.CERTIFIED)


@pytest.mark.parametrize("claims", [mixture_settings.CLAIMS, modes_settings.CLAIMS])
def test_every_guarantee_of_an_estimator_cites_a_proof_and_its_runs(claims: dict[str, str]) -> None:
    for name in claims.values():
        assert registry.find(name).verdict is Verdict.PROVED
        standing = registry.standing(registry.find(name))
        assert standing.verdict is Verdict.CERTIFIED
        assert "_spend_what_they_promise" in str(standing.capped_by)


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
