"""Claims are found by paper and item, verdict, defect, role and words, and shown by them."""

import json
import re

import pytest

import provedp
from provedp.cli.main import main
from provedp.verify.ledger import Paper, committed, papers, registry, search, texts, words
from provedp.verify.ledger.claim import Verdict
from provedp.verify.ledger.entries import entries_of, item_entries, item_entry

Said = tuple[object, str, str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> object:
    def call(*arguments: str) -> Said:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        return end.value.code, *capsys.readouterr()

    return call


def test_items_are_listed_in_the_papers_order(run: object) -> None:
    code, out, error = run("list", "--paper", "counting")  # type: ignore[operator]
    assert (code, error) == (0, "")
    names = re.findall(r"^  (\S+ (?:\(\d+\)|[\dIVX.]+))", out, re.M)
    known = list(papers.items(Paper.COUNTING))
    assert names == sorted(names, key=known.index)
    assert re.search(r"^  Theorem 1 +\d+  refuted \(gap in the proof\)", out, re.M)


@pytest.mark.parametrize("arguments", [[], ["--claims"], ["--verdict", "proved"], ["noise"]])
def test_every_line_fits_and_no_id_is_folded(run: object, arguments: list[str]) -> None:
    code, out, _ = run("list", *arguments)  # type: ignore[operator]
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    if arguments == ["--claims"]:
        ids = {line.split()[-1] for line in out.splitlines() if line}
        assert set(registry.claims()) <= ids


def test_filters_narrow(run: object) -> None:
    words = ["--paper", "modes", "--role", "published", "--defect", "misprint", "--json"]
    code, out, _ = run("list", *words)  # type: ignore[operator]
    found = json.loads(out)
    by_hand = [
        item["id"]
        for item in (committed.ledger() or {})["claims"]
        if item["role"] == "published"
        and item["defect"] == "misprint"
        and any(source["paper"] == "modes" for source in item["sources"])
    ]
    assert code == 0
    assert [item["id"] for item in found] == by_hand != []


def test_a_section_holds_what_stands_in_it() -> None:
    section = {claim.id for claim in provedp.list_claims(paper="counting", item="Appendix C")}
    inside = {claim.id for claim in provedp.list_claims(paper="counting", item="eq. (51)")}
    assert inside and inside < section


def test_words_find_synonyms_and_other_endings() -> None:
    ids = [claim.id for claim in provedp.list_claims(text="optimal errors", paper="counting")]
    assert "counting.error_is_optimal" in ids
    assert len(provedp.list_claims(text="zebra")) == 0
    assert list(provedp.list_claims(text="distribution")) == list(provedp.list_claims(text="law"))


@pytest.mark.parametrize(
    ("written", "cited"),
    [("Thm. 1", "Theorem 1"), ("EQ (10)", "eq. (10)"), ("10", "eq. (10)"), ("app b", "Appendix B")],
)
def test_items_are_written_in_many_ways(written: str, cited: str) -> None:
    assert search.find_item(Paper.COUNTING, written).name == cited


def test_an_item_is_shown_whole(run: object) -> None:
    code, out, error = run("show", "counting, Theorem 1")  # type: ignore[operator]
    assert (code, error) == (0, "")
    head, *rest = out.splitlines()
    assert head == "counting, Theorem 1: refuted (gap in the proof)"
    text = " ".join(" ".join(rest).split())
    assert "statement The least worst-case error is p_e* = (1 − δ)(1 − α_M(ε))" in text
    assert "counting.perturbation_proof_checks_every_tight_event fails: gap in the proof" in text
    assert "m = 4 k = 2 delta = 1/10 found:" in text
    assert "instead counting.perturbation_loosens_every_tight_event: Every tight event" in text
    order = [claim.id for claim in provedp.list_claims(item="counting, Theorem 1")]
    shown = re.findall(r"^(?:proved|certified|refuted) +(\S+)$", out, re.M)
    assert shown == order


def test_an_item_as_json_and_in_python_is_the_same(run: object) -> None:
    _, out, _ = run("show", "mixture, Lemma 2", "--json")  # type: ignore[operator]
    page = provedp.show("mixture, Lemma 2")
    assert json.loads(out) == page.as_data()
    assert page.as_data()["verdict"] == "refuted"
    assert "<pre>mixture, Lemma 2" in page._repr_html_()


def test_the_subject_may_be_left_out() -> None:
    name = "third_upper_bound_holds"
    assert provedp.find_claim(name) is provedp.find_claim(f"counting.{name}")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["show", "countng, Theorem 1"], "No paper is called 'countng': the papers are counting, "),
        (["show", "counting, Theorem 9"], "no item 'Theorem 9'; it has Theorem 1, Theorem 2."),
        (["show", "modes, Lemma 23"], "Lemma 17, Lemma 18, Lemma 19, Lemma 20, Lemma 21, Lemma 22"),
        (["show", "counting, nonsense"], "no item 'nonsense'; it has Theorem 1"),
        (["show", "Theorem 1"], "say 'counting, Theorem 1' or 'mixture, Theorem 1'"),
        (["show", "nope"], "No claim shares its words: `provedp list` shows what there is."),
        (["show", "best_error"], "Did you mean counting.error_is_optimal"),
        (["verify", "nope.*"], "No claim matches 'nope.*'. No claim shares its words"),
        (["list", "--paper", "other"], "must be one of 'counting', 'mixture', 'modes'"),
        (["list", "--item", "Theorem 99"], "No paper has an item 'Theorem 99'"),
        (["list", "--verdict", "true"], "'verdict' must be one of 'proved'"),
        (["list", "--defect", "typo"], "'defect' must be one of 'false'"),
        (["list", "--role", "theirs"], "'role' must be one of 'published'"),
        (["list", "--from", "absent.py"], "absent.py is not a file"),
    ],
)
def test_bad_input_is_one_line(run: object, arguments: list[str], complaint: str) -> None:
    code, out, error = run(*arguments)  # type: ignore[operator]
    assert (code, out) == (2, "")
    (line,) = error.splitlines()
    assert complaint in line


def test_the_worst_verdict_is_of_the_papers_own_claims() -> None:
    entries = entries_of((committed.ledger() or {})["claims"])
    for paper in Paper:
        for found in item_entries(paper, entries):
            own = {claim.verdict for claim in found.claims if str(claim.role) == "published"}
            assert (found.verdict in own) if own else found.verdict is None
            assert (found.verdict is Verdict.REFUTED) == (Verdict.REFUTED in own)
    lemma = item_entry(search.find_item(Paper.COUNTING, "Lemma 1"), entries)
    assert lemma.verdict is Verdict.PROVED


def test_nothing_near_is_no_suggestion() -> None:
    known = {"a.noise_is_small": "The noise is small."}
    assert words.nearest("frogs and princes", known) == []
    assert words.nearest("noisy", known) == ["a.noise_is_small"]


def test_lists_are_sequences() -> None:
    found = provedp.list_claims(paper="mixture", verdict="open")
    assert len(found[:1]) == 1 and found[0].verdict is Verdict.OPEN
    assert str(found[:1]) == repr(found[:1])
    assert found._repr_markdown_().splitlines()[0] == "| claim | verdict | source |"
    items = provedp.list_items(paper="mixture")
    assert [each["item"] for each in items.as_data()] == [each.item.name for each in items]


def test_a_row_is_never_longer_than_a_terminal() -> None:
    assert all(len(texts.claim_line(e)) <= 80 for e in committed.entries())
