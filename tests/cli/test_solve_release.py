"""`provedp solve release`: values, files, structure, and wrong requests."""

import json
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

import pytest

from provedp.cli.main import main


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    captured = capsys.readouterr()
    return int(end.value.code or 0), captured.out, captured.err


def solved(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, out, err = call(capsys, "solve", "release", *arguments, "--json")
    assert (status, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def written(path: Path, data: Any) -> str:
    path.write_text(json.dumps(data))
    return str(path)


def test_the_optimum_is_exact_with_its_mechanism(capsys: pytest.CaptureFixture[str]) -> None:
    found = solved(capsys, "--m", "5", "--epsilon", "ln(2)", "--loss", "absolute")
    assert found["value_lower"] == found["value_upper"] == "36/43"
    assert found["mechanism"][0][:2] == ["20/43", "29/86"]
    assert found["structure"]["worst_counts"] == [1, 2, 3, 4, 5]
    assert found["structure"]["remaps_geometric"] is True


def test_an_irrational_ratio_gives_a_narrow_bracket(capsys: pytest.CaptureFixture[str]) -> None:
    found = solved(capsys, "--m", "3", "--epsilon", "1", "--loss", "absolute")
    low, high = Q(found["value_lower"]), Q(found["value_upper"])
    # 2k/(k² + 2k − 1) at k = e, to twenty digits.
    assert low < Q("0.4597275888419516459") < high < low + Q(1, 10**11)


def test_files_of_loss_prior_and_edges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The double star of seven counts, zero-one loss, k = 3: 6/11, above the 32/59 of balls."""
    edges = written(tmp_path / "e.json", [[1, 2], [1, 3], [1, 4], [2, 5], [5, 6], [5, 7]])
    star = solved(capsys, "--m", "7", "--epsilon", "ln(3)", "--graph", edges)
    assert star["value_upper"] == "6/11"
    loss = tmp_path / "loss.csv"
    loss.write_text("0,1\n0.5,1/2\n1,0\n")
    prior = written(tmp_path / "prior.json", ["1/4", "1/2", "1/4"])
    found = solved(capsys, "--epsilon", "ln(2)", "--loss", str(loss), "--prior", prior)
    # The middle answers by a fair coin, so that an end errs with probability 1/4: 1/8 + 1/4.
    assert (found["criterion"], found["value_upper"]) == ("bayes", "3/8")


def test_the_certificate_is_checked_and_the_matrix_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate, table = tmp_path / "c.json", tmp_path / "p.csv"
    options = ["--m", "9", "--epsilon", "ln(2)", "--graph", "grid:3x3", "--delta", "1/100"]
    files = ["--certificate", str(certificate), "--mechanism", str(table)]
    assert call(capsys, "solve", "release", *options, *files)[0] == 0
    status, out, _ = call(capsys, "check", str(certificate))
    assert status == 0 and "worst-case loss at most 297/400" in out  # 99/100 of 3/4
    rows = [[Q(cell) for cell in line.split(",")] for line in table.read_text().split()]
    assert [sum(row) for row in rows] == [1] * 9


def test_conditions_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--m", "5", "--epsilon", "ln(10/9)", "--prior", "uniform"]
    found = solved(capsys, *options, "--side", "symmetric,monotone,honest,weakly-honest")
    assert found["value_upper"] == "1564/2025"
    fair = solved(capsys, *options, "--side", "symmetric,monotone,fair,honest")
    assert fair["value_upper"] == "171/221"
    assert len({row[i] for i, row in enumerate(fair["mechanism"])}) == 1


def test_outputs_between_the_counts(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--m", "2", "--epsilon", "ln(2)", "--loss", "squared", "--prior", "uniform"]
    assert solved(capsys, *options)["value_upper"] == "1/3"
    between = solved(capsys, *options, "--outputs", "4/3,5/3")
    assert between["value_upper"] == "2/9"  # the mean of the count given the answer: variance


WRONG: dict[str, list[str]] = {
    "one count": ["--m", "1"],
    "no counts": [],
    "too many counts": ["--m", "1001"],
    "epsilon below zero": ["--m", "3", "--epsilon", "-1"],
    "epsilon beyond all": ["--m", "3", "--epsilon", "5000"],
    "delta of one": ["--m", "3", "--delta", "1"],
    "a loss that is absent": ["--m", "3", "--loss", "absent.csv"],
    "a negative loss": ["--m", "2", "--loss", "negative.json"],
    "a ragged loss": ["--m", "2", "--loss", "ragged.json"],
    "a loss in one list": ["--m", "2", "--loss", "list.json"],
    "a loss of other size": ["--m", "3", "--loss", "square.json"],
    "an irrational loss": ["--m", "2", "--loss", "irrational.json"],
    "a loss of words": ["--m", "2", "--loss", "words.json"],
    "a prior of sum two": ["--m", "2", "--prior", "twice.json"],
    "a negative prior": ["--m", "2", "--prior", "signed.json"],
    "a short prior": ["--m", "3", "--prior", "list.json"],
    "a prior of the worst case": ["--m", "2", "--prior", "uniform", "--criterion", "worst-case"],
    "no prior for bayes": ["--m", "2", "--criterion", "bayes"],
    "a graph of no name": ["--m", "4", "--graph", "star"],
    "a grid of other size": ["--m", "4", "--graph", "grid:2x3"],
    "a huge cube": ["--m", "4", "--graph", "hypercube:9999"],
    "a graph with no size after its colon": ["--m", "4", "--graph", "complete:"],
    "a grid without rows": ["--m", "4", "--graph", "grid:0x4"],
    "a cube of far more": ["--m", "4", "--graph", "hypercube:64"],
    "a graph from a folder": ["--m", "4", "--graph", "folder.json"],
    "a graph of a long file": ["--m", "4", "--graph", "long.json"],
    "a loss from a folder": ["--m", "2", "--loss", "folder.json"],
    "a loss from a device": ["--m", "2", "--loss", "/dev/zero"],
    "a loss that is no text": ["--m", "2", "--loss", "bytes.csv"],
    "an empty loss": ["--m", "2", "--loss", "empty.csv"],
    "a deep loss": ["--m", "2", "--loss", "deep.json"],
    "a wide loss": ["--m", "2", "--loss", "wide.json"],
    "a long loss": ["--m", "2", "--loss", "long.json"],
    "a loss that is no number": ["--m", "2", "--loss", "nan.json"],
    "a loss without end": ["--m", "2", "--loss", "infinite.json"],
    "a prior from a device": ["--m", "2", "--prior", "/dev/zero"],
    "a prior from a folder": ["--m", "2", "--prior", "folder.json"],
    "a wide prior": ["--m", "2", "--prior", "wide.json"],
    "a prior of no number": ["--m", "2", "--prior", "nan.json"],
    "an edge of fractions": ["--m", "2", "--graph", "halves.json"],
    "epsilon beyond floats": ["--m", "3", "--epsilon", "1e999"],
    "delta of no number": ["--m", "3", "--delta", "nan"],
    "a folder to write to": ["--m", "3", "--certificate", "folder.json"],
    "a place that is absent": ["--m", "3", "--mechanism", "absent/p.json"],
    "a graph in two parts": ["--m", "4", "--graph", "parts.json"],
    "an edge twice": ["--m", "3", "--graph", "double.json"],
    "an edge backwards": ["--m", "3", "--graph", "back.json"],
    "a loop": ["--m", "2", "--graph", "loop.json"],
    "an edge to nowhere": ["--m", "2", "--graph", "far.json"],
    "no edges": ["--m", "2", "--graph", "words.json"],
    "edges that are no JSON": ["--m", "2", "--graph", "broken.json"],
    "a condition of no name": ["--m", "3", "--side", "handsome"],
    "a condition on other outputs": ["--m", "3", "--side", "fair", "--outputs", "1,2"],
    "an output twice": ["--m", "3", "--outputs", "1,1"],
    "an output of no number": ["--m", "3", "--outputs", "1,x"],
    "a file of another kind": ["--m", "3", "--mechanism", "p.txt"],
    "one file for two": ["--m", "3", "--mechanism", "p.json", "--certificate", "p.json"],
}
FILES: dict[str, Any] = {
    "negative.json": [["0", "-1"], ["1", "0"]],
    "ragged.json": [["0"], ["1", "0"]],
    "list.json": ["1/2", "1/2"],
    "square.json": [["0", "1"], ["1", "0"]],
    "irrational.json": [["0", "sqrt(2)"], ["1", "0"]],
    "words.json": "words",
    "twice.json": ["1", "1"],
    "signed.json": ["-1", "2"],
    "parts.json": [[1, 2], [3, 4]],
    "double.json": [[1, 2], [2, 3], [1, 2]],
    "back.json": [[1, 2], [2, 3], [2, 1]],
    "loop.json": [[1, 2], [2, 2]],
    "far.json": [[1, 2], [2, 3]],
    "nan.json": [["0", "nan"], ["1", "0"]],
    "infinite.json": [["0", "inf"], ["1", "0"]],
    "halves.json": [[1, 1.5]],
    "wide.json": [["0"] * 1001, ["1"]],
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_requests_end_in_one_line(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, data in FILES.items():
        written(tmp_path / name, data)
    (tmp_path / "broken.json").write_text("[[1, 2]")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "long.json").write_text(" " * 20_000_001 + "[]")
    (tmp_path / "bytes.csv").write_bytes(bytes(range(256)))
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "folder.json").mkdir()
    options = WRONG[case] if "--epsilon" in WRONG[case] else [*WRONG[case], "--epsilon", "1"]
    before = sorted(tmp_path.iterdir())
    status, out, err = call(capsys, "solve", "release", *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sorted(tmp_path.iterdir()) == before
