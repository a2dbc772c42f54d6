"""The record of the proofs stands for what is here, lapses if that changes, and says no more."""

import ast
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

import pytest
import sympy

import provedp
from provedp.cli.main import main
from provedp.theory import counting
from provedp.verify.formal import agreement, record, sources, terms
from provedp.verify.ledger import Claim, equal, machine_checked, ours, proved, registry, theorems
from provedp.verify.ledger import certified as certified_record
from provedp.verify.ledger.chain import Standing
from provedp.verify.ledger.claim import Verdict
from provedp.verify.ledger.run import run
from provedp.verify.proving import assistant, build, guarantees, mutants, page

HERE = pytest.mark.skipif(not sources.present(), reason="an installation without the sources")
PRIVATE = "counting.canonical_release_is_private"


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the sources, which a test may change."""
    folder = tmp_path / "proofs"
    shutil.copytree(sources.FOLDER, folder)
    monkeypatch.setattr(sources, "FOLDER", folder)
    monkeypatch.setattr(sources.read, "__defaults__", (folder,))
    monkeypatch.setattr(sources.names, "__defaults__", (folder,))
    monkeypatch.setattr(sources.other_options, "__defaults__", (folder,))
    record.forget()
    yield folder
    monkeypatch.undo()
    record.forget()


@pytest.fixture
def fresh() -> Iterator[None]:
    record.forget()
    yield
    record.forget()


def known() -> record.Record:
    found = record.recorded()
    assert found is not None
    return found


def test_the_record_stands() -> None:
    assert record.differences() == []
    assert set(known().claims) == {n for n, c in registry.claims().items() if c.theorems}
    assert not any(theorems.lapse(registry.find(name)) for name in known().claims)


def test_no_theorem_rests_on_anything() -> None:
    found = known().theorems
    assert len(found) >= 50
    assert {theorem.assumptions for theorem in found.values()} == {record.CLOSED}


@HERE
def test_each_statement_is_that_of_a_source() -> None:
    texts = sources.read()
    for theorem in known().theorems.values():
        name = theorem.name.partition(".")[2]
        assert re.search(rf"^(Theorem|Corollary|Lemma) {name}\b", texts[theorem.source], re.M)


@HERE
@pytest.mark.usefixtures("fresh")
def test_a_changed_source_lapses_what_needs_it(copied: Path) -> None:
    path = copied / "structure.v"
    path.write_text(path.read_text().replace("1 <= k -> 0 <= delta < 1", "1 <= k", 1))
    record.forget()
    assert record.differences() == ["proofs: structure.v has changed since"]
    forced = registry.find("counting.diagonal_and_partial_sums_are_forced")
    assert "structure.v has changed since" in theorems.lapse(forced)
    assert theorems.lapse(registry.find(PRIVATE)) == ""
    assert theorems.proof_data(forced) is None
    assert "its machine-checked proof has lapsed" in run(forced).fault


@HERE
@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("words", ["Admitted.", "Axiom a : False.", "Unset Guard Checking."])
def test_a_word_that_weakens_the_kernel_lapses(copied: Path, words: str) -> None:
    path = copied / "privacy.v"
    path.write_text(f"{path.read_text()}\n{words}\n")
    record.forget()
    assert "privacy.v weakens the kernel" in record.differences()[0]
    assert theorems.lapse(registry.find(PRIVATE))


@HERE
@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("option", ["-type-in-type", "-arg -type-in-type", "-R other provedp"])
def test_an_option_of_the_assistant_lapses(copied: Path, option: str) -> None:
    path = copied / sources.PROJECT
    path.write_text(f"{option}\n{path.read_text()}")
    record.forget()
    (line,) = record.differences()
    assert line.startswith("proofs: _CoqProject has other options") and option in line
    assert option in theorems.lapse(registry.find(PRIVATE))
    with pytest.raises(assistant.ProofError, match="other options"):
        build.record_data(copied, sources.read())


@HERE
@pytest.mark.usefixtures("fresh")
def test_a_source_that_is_gone_lapses(copied: Path) -> None:
    path = copied / sources.PROJECT
    path.write_text(path.read_text().replace("privacy.v\n", ""))
    record.forget()
    assert record.differences() == ["proofs: privacy.v is not there"]
    assert "privacy.v is not there" in theorems.lapse(registry.find(PRIVATE))


@pytest.fixture
def rewritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The data of the record, which a test may change before it asks for the record."""
    data = json.loads(record.FILE.read_text(encoding="utf-8"))

    class Written:
        def is_file(self) -> bool:
            return True

        def read_text(self, encoding: str) -> str:
            return json.dumps(data)

    monkeypatch.setattr(record, "FILE", Written())
    record.forget()
    yield data
    monkeypatch.undo()
    record.forget()


def test_a_theorem_that_is_not_on_record_lapses(rewritten: dict[str, Any]) -> None:
    del rewritten["theorems"]["optimum.canonical_release_is_private"]
    why = theorems.lapse(registry.find(PRIVATE))
    assert why == "the record has no theorem optimum.canonical_release_is_private"
    assert why in run(registry.find(PRIVATE)).fault


def test_a_theorem_with_an_assumption_lapses(rewritten: dict[str, Any]) -> None:
    theorem = rewritten["theorems"]["optimum.canonical_release_is_private"]
    theorem["assumptions"] = "Axioms: a : False"
    assert "rests on assumptions: Axioms: a : False" in theorems.lapse(registry.find(PRIVATE))


@pytest.mark.parametrize("part", record.PARTS)
def test_a_record_that_lacks_a_part_is_refused(part: str) -> None:
    data = json.loads(record.FILE.read_text(encoding="utf-8"))
    del data[part]
    with pytest.raises(ValueError, match=rf"proofs\.json .* lacks {part}\."):
        record.of_data(data)


@pytest.mark.usefixtures("fresh")
def test_a_record_that_is_no_json_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "proofs.json").write_text("{")
    monkeypatch.setattr(record, "FILE", tmp_path / "proofs.json")
    record.forget()
    with pytest.raises(ValueError, match=r"proofs\.json is no record of proofs"):
        record.recorded()


def test_a_claim_that_is_not_on_record_lapses(rewritten: dict[str, Any]) -> None:
    del rewritten["claims"][PRIVATE]
    assert "the record names other theorems" in theorems.lapse(registry.find(PRIVATE))


@pytest.mark.usefixtures("fresh")
def test_verify_and_show_say_that_a_proof_has_lapsed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(counting, "release_entry", perturbed("release_entry"))
    record.forget()
    for command in ("verify", "show"):
        with pytest.raises(SystemExit) as end:
            main([command, PRIVATE])
        printed = "".join(capsys.readouterr())
        assert end.value.code == 1
        assert "lapsed" in printed and "release_entry is not the formula" in printed


def test_without_the_assistant_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(build, "PLACE", tmp_path / "place")
    assert build.main([]) == 2
    said = capsys.readouterr().err
    assert all(package in said for package in assistant.PACKAGES) and "Nothing was done." in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        *("Admitted.", "Proof. admit. Qed.", "Axiom a : False.", "Parameter a : nat.", "Abort."),
        *("Conjecture a : False.", "Unset  Guard\nChecking.", "Unset Positivity Checking."),
        *("#[bypass_check(guard)] Fixpoint f := f.", "Load other.", 'Declare ML Module "m".'),
        *("Hypothesis h : False.", "Section A. End A. Variable v : nat.", "Context (a : nat)."),
        *("Module M. End M.", "Set Universe Checking.", "exact_no_check p."),
    ],
)
def test_words_that_weaken_are_found(text: str) -> None:
    assert sources.weakened(text)


@pytest.mark.parametrize(
    "text",
    ["(* Axiom, (* Admitted *) *) Lemma a : b.", "Section A. Hypothesis h : b. End A.", "admitted"],
)
def test_other_words_are_not(text: str) -> None:
    assert sources.weakened(text) == []


@HERE
def test_the_sources_are_sound() -> None:
    assert {name: sources.weakened(text) for name, text in sources.read().items()} == {
        name: [] for name in known().digests
    }


@HERE
def test_the_agreement_is_generated() -> None:
    committed = (sources.FOLDER / sources.AGREEMENT).read_text(encoding="utf-8")
    assert committed == agreement.agreement()


NUMBERS = ("release_matrix", "canonical_reach", "canonical_cdf", "radius_upper", "radius_of_three")


def perturbed(name: str) -> Any:
    (right,) = (one.function for one in agreement.AGREEMENTS if one.formula == name)
    if name == "cyclic_distance":
        return lambda m, i, j: right(m, i, j) + (i == m)
    factor = Q(10001, 10000) if name in NUMBERS else sympy.Rational(10001, 10000)
    return lambda *arguments: right(*arguments) * factor


@pytest.mark.parametrize("one", agreement.AGREEMENTS, ids=lambda one: one.formula)
def test_a_perturbed_formula_says_something_else(one: agreement.Agreement) -> None:
    assert one.text(perturbed(one.formula)) != one.text()


@pytest.mark.usefixtures("fresh")
def test_a_changed_formula_lapses_what_speaks_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "release_entry", perturbed("release_entry"))
    record.forget()
    assert record.differences() == ["proofs: counting.release_entry has changed since"]
    assert "release_entry is not the formula" in theorems.lapse(registry.find(PRIVATE))
    assert theorems.lapse(registry.find("privacy.guarantees_compose")) == ""


@pytest.mark.usefixtures("fresh")
def test_a_formula_that_breaks_lapses_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any) -> Any:
        raise ArithmeticError

    monkeypatch.setattr(counting, "error", broken)
    record.forget()
    assert record.changed_formulas() == {"error"}


@pytest.mark.usefixtures("fresh")
def test_without_sources_it_is_recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sources, "FOLDER", tmp_path / "nowhere")
    record.forget()
    assert record.differences() == []
    assert record.standing_in_words().startswith("recorded, and their sources are not here")
    monkeypatch.setattr(counting, "error", lambda m, k, delta: k)
    record.forget()
    assert record.differences() == ["proofs: counting.error has changed since"]


@pytest.mark.usefixtures("fresh")
def test_without_a_record_nothing_is_machine_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "FILE", Path("/nowhere"))
    record.forget()
    assert theorems.lapse(registry.find(PRIVATE)) == "no record of proofs came with the package"
    assert record.differences() == ["proofs: no record came with the package"]


@HERE
def test_checked_here_is_about_just_these_sources(copied: Path) -> None:
    (copied / record.CHECKED).write_text(json.dumps(dict(known().digests)))
    assert record.standing_in_words() == "checked here"
    (copied / record.CHECKED).write_text(json.dumps({"privacy.v": "0"}))
    assert record.standing_in_words().startswith("recorded, not checked here")
    (copied / record.CHECKED).write_text("{")
    assert not record.was_checked_here()


def claim_with(*names: str, part: str = "") -> Claim:
    @ours("a test")
    @machine_checked(*names, part=part)
    @certified_record(m=range(3))
    def numbers_are_themselves(m: int) -> Any:
        """m = m."""
        return equal(m, m)

    return numbers_are_themselves


def test_a_claim_with_other_theorems_than_recorded_has_a_fault() -> None:
    result = run(claim_with("optimum.theorem_1"))
    assert "the record names other theorems for it" in result.fault


def test_a_decorator_that_is_put_wrongly_is_a_fault() -> None:
    @ours("a test")
    @proved(argued=())
    @machine_checked("optimum.theorem_1")
    def misplaced() -> Any:
        """1 = 1."""
        return equal(1, 1)

    assert "@machine_checked stands neither" in misplaced.fault or misplaced.fault
    assert "names no theorems" in claim_with("theorem").fault


def test_a_whole_proof_lifts_and_a_part_does_not() -> None:
    attained = registry.find("counting.canonical_release_attains_the_error")
    assert attained.verdict is Verdict.CERTIFIED
    assert registry.standing(attained) == Standing(Verdict.PROVED, "", (attained.id,))
    part = replace(attained, part="a half")
    assert registry.standing(part).verdict is Verdict.CERTIFIED
    assert registry.standing(attained, Verdict.UNDECIDED).verdict is Verdict.UNDECIDED
    assert registry.standing(attained, Verdict.REFUTED).verdict is Verdict.REFUTED


def test_a_maximum_of_two_is_a_term_in_an_order_of_its_own() -> None:
    a, n = sympy.symbols("a n", positive=True)
    assert terms.field_term(sympy.Max(n, a)) == "(Num.max a n)" == terms.field_term(sympy.Max(a, n))


@pytest.mark.parametrize(
    "value",
    [
        *(sympy.sqrt(2), sympy.pi, sympy.Symbol("k") ** sympy.Rational(1, 2)),
        *(sympy.Max(*sympy.symbols("a b c")), sympy.Min(*sympy.symbols("a b"))),
    ],
)
def test_what_is_no_term_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="term"):
        terms.field_term(value)


@HERE
def test_mutants_change_something() -> None:
    assert len({mutant.text() for mutant in mutants.MUTANTS}) == len(mutants.MUTANTS) >= 15


@HERE
def test_the_page_is_that_of_the_record() -> None:
    committed = (sources.FOLDER.parent / page.PAGE).read_text(encoding="utf-8")
    assert committed == page.text(known())


def test_what_guarantees_of_counts_cite_is_machine_checked() -> None:
    cited = guarantees.cited()
    kinds = {what: guarantees.evidence(registry.find(claim)) for what, claim in cited.items()}
    finite = {each.__name__ for each in guarantees.COUNTS}
    finite |= {"several releases", "what is computed from a release", "groups"}
    assert {kinds[what] for what in finite} == {"machine-checked"}
    assert all(kind.split(",")[0].split(";")[0] != "refuted" for kind in kinds.values())


def test_every_claim_that_a_mechanism_cites_is_in_the_table() -> None:
    place = Path(provedp.__file__).parent
    files = [*(place / "mechanisms").rglob("*.py"), place / "theory" / "privacy" / "definitions.py"]
    words = {
        node.value
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    named = {name for name in words if name in registry.claims()}
    kept = {name for name in named if registry.find(name).verdict is not Verdict.REFUTED}
    assert kept == set(guarantees.cited().values())


def test_show_prints_the_theorem(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["show", PRIVATE])
    assert end.value.code == 0
    printed = capsys.readouterr().out
    assert f"{PRIVATE}: proved" in printed
    assert "theorem     optimum.canonical_release_is_private" in printed
    assert "private k delta (release k delta)" in printed
    assert "recorded" in printed or "checked here" in printed
