"""`provedp compare counting` and `provedp release counting --loss`: values and wrong requests."""

import json
from pathlib import Path
from typing import Any

import pytest

from provedp.cli.main import main


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    captured = capsys.readouterr()
    return int(end.value.code or 0), captured.out, captured.err


def test_rivals_beside_the_optimum(capsys: pytest.CaptureFixture[str]) -> None:
    """Values of another program: five counts, k = 2, δ = 1/10, absolute loss."""
    options = ["--m", "5", "--epsilon", "ln(2)", "--delta", "1/10", "--loss", "absolute", "--json"]
    status, out, _ = call(capsys, "compare", "counting", *options)
    found: dict[str, Any] = json.loads(out)
    losses = {each["name"]: (each["loss"], each["remapped"]) for each in found["mechanisms"]}
    assert status == 0 and found["optimum"] == [["67/105", "67/105"]]
    assert losses["P* of the counting paper"][0] == ["27/20"]
    assert losses["canonical noise, to integers"][0] == ["4/5"]


def test_the_mean_over_all_counts(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--m", "5", "--epsilon", "ln(2)", "--loss", "zero-one", "--uniform", "--json"]
    found = json.loads(call(capsys, "compare", "counting", *options)[1])
    assert found["optimum"] == [["8/15", "8/15"]]
    losses = {each["name"]: each["loss"] for each in found["mechanisms"]}
    assert losses["truncated geometric"] == ["8/15"]
    assert losses["P* of the counting paper"] == ["3/5"]


def test_a_figure_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "f.svg"
    options = ["--m", "3", "--epsilon", "1", "--loss", "absolute", "--figure", str(file)]
    assert call(capsys, "compare", "counting", *options)[0] == 0
    drawn = file.read_text(encoding="utf-8")
    assert drawn.lstrip().startswith("<?xml") and "</svg>" in drawn


@pytest.mark.parametrize(
    "options",
    [
        ["--m", "1", "--epsilon", "1"],
        ["--m", "21", "--epsilon", "1"],
        ["--m", "5", "--epsilon", "1e-400"],
        ["--m", "3", "--epsilon", "-1"],
        ["--m", "3", "--epsilon", "1", "--delta", "1"],
        ["--m", "3", "--epsilon", "1", "--loss", "cubic"],
        ["--m", "3", "--epsilon", "1", "--figure", "f.txt"],
    ],
)
def test_wrong_comparisons_end_in_one_line(
    options: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: Any, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = call(capsys, "compare", "counting", *options)
    assert (status, out, err.count("\n"), list(tmp_path.iterdir())) == (2, "", 1, [])


@pytest.fixture
def wards(tmp_path: Path) -> str:
    path = tmp_path / "wards.csv"
    path.write_text("cases\n0\n3\n4\n2\n")
    return str(path)


def released(capsys: pytest.CaptureFixture[str], wards: str, *more: str) -> tuple[int, str, str]:
    options = ["--column", "cases", "--m", "5", "--epsilon", "ln(2)", *more]
    return call(capsys, "release", "counting", wards, *options)


def test_counts_are_released_by_the_optimum(wards: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(released(capsys, wards, "--loss", "absolute", "--json")[1])
    assert report["loss_lower"] == report["loss_upper"] == "36/43"
    assert report["claim"] == "counting.matrix_release_is_private"
    assert len(report["released"]) == 4 and set(report["released"]) <= set(range(5))
    circle = json.loads(
        released(capsys, wards, "--loss", "absolute", "--graph", "circle", "--json")[1]
    )
    assert circle["loss_upper"] == "18/13"
    assert circle["adjacency"] == "counts that an edge of the given graph joins"
    mean = json.loads(
        released(capsys, wards, "--loss", "zero-one", "--prior", "uniform", "--json")[1]
    )
    assert mean["loss_upper"] == "8/15"


@pytest.mark.parametrize(
    "more",
    [
        ["--prior", "uniform"],
        ["--graph", "circle"],
        ["--loss", "absolute", "--mechanism", "exponential"],
        ["--loss", "cubic"],
        ["--loss", "absolute", "--graph", "star"],
    ],
)
def test_wrong_releases_end_in_one_line(
    more: list[str], wards: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = released(capsys, wards, *more)
    assert (status, out, err.count("\n")) == (2, "", 1)
