"""Sources: what the papers number, what a claim may name, and how it is told."""

import pytest

from provedp.verify.ledger import Paper, Reference, Source, papers
from provedp.verify.ledger.source import in_words

BOOK = Reference("Dwork and Roth", "The Algorithmic Foundations of Differential Privacy", 2014)


def test_a_source_is_told_in_words() -> None:
    assert str(Source(Paper.COUNTING, "Theorem 1", "statement 2")) == (
        "counting paper, Theorem 1, statement 2"
    )
    assert str(Source(BOOK, "Theorem 3.16")) == "Dwork and Roth (2014), Theorem 3.16"
    assert str(Source(None, "PrivateModes", "as it is run")) == "PrivateModes, as it is run"


def test_a_text_and_a_shared_part_are_named_once() -> None:
    tables = [Source(Paper.MODES, f"Table {n}", "the printed errors") for n in (2, 3)]
    assert in_words(tables) == "modes paper, Table 2; Table 3, the printed errors"
    others = [Source(Paper.MODES, "eq. (9)"), Source(BOOK, "Theorem A.1"), Source(None, "noise")]
    assert in_words(others) == "modes paper, eq. (9); Dwork and Roth (2014), Theorem A.1; noise"


@pytest.mark.parametrize(
    "source", [Source(Paper.MODES, "eq. (9)", "the noise"), Source(BOOK, "Claim 3.9")]
)
def test_a_source_survives_json(source: Source) -> None:
    assert Source.of_data(source.as_data()) == source


@pytest.mark.parametrize(
    ("paper", "item", "message"),
    [
        (Paper.COUNTING, "Theorem 3", "no item 'Theorem 3'"),
        (Paper.COUNTING, "Theorem 4.1", "no item"),
        ("counting", "Theorem 1", "must be a Paper, a Reference or None"),
        (None, " ", "blank"),
        (None, 3, "text"),
    ],
)
def test_what_is_no_source_is_refused(paper: object, item: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Source(paper, item)  # type: ignore[arg-type]


def test_a_reference_names_somebody() -> None:
    with pytest.raises(ValueError, match="authors"):
        Reference(" ")


def test_items_stand_in_their_sections() -> None:
    assert Source(Paper.COUNTING, "eq. (48)").section == "Appendix B"
    assert Source(Paper.MIXTURE, "Algorithm 1").section == "Section IV-B"
    assert Source(Paper.MODES, "Section 5.1").section == "Section 5.1"
    assert Source(BOOK, "Theorem 2.2").section == ""


@pytest.mark.parametrize("paper", Paper)
def test_every_section_stands_before_its_items(paper: Paper) -> None:
    known = papers.items(paper)
    names = list(known)
    for place, item in enumerate(known.values()):
        assert names.index(item.section) <= place
        assert bool(item.title) == (item.name == item.section)
