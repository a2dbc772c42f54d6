"""`provedp release mixture` and `provedp diagnose mixture`, from files of every kind."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from provedp.cli.main import main
from provedp.mechanisms.mixture.private import release as steps

HEADER = ["length", "width", "kind"]
PUBLIC = ["--bound", "5", "--epsilon", "1", "--delta", "1/50000"]
KINDS = ["--label", "kind", "--classes", "a,b"]
ROWS = [[f"{0.01 * i}", "1", "a" if i % 2 else "b"] for i in range(60)]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return call


def write_csv(path: str, rows: list[list[str]], header: list[str] = HEADER) -> str:
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def write_any(path: str) -> str:
    """Write ROWS as what the name says; labels are 0 and 1 in an array."""
    if path.endswith(".csv"):
        return write_csv(path, ROWS)
    numbers = [[float(row[0]), float(row[1])] for row in ROWS]
    if path.endswith(".parquet"):
        columns = [pa.array([row[i] for row in numbers]) for i in (0, 1)]
        table = pa.table([*columns, pa.array([row[2] for row in ROWS])], names=HEADER)
        pyarrow.parquet.write_table(table, path)
    else:
        np.save(
            path, [[*row, float(text[2] == "b")] for row, text in zip(numbers, ROWS, strict=True)]
        )
    return path


@pytest.mark.parametrize("name", ["data.csv", "data.parquet", "data.npy", "DATA.CSV"])
@pytest.mark.parametrize("adjacency", ["label", "replace-one", "add-remove"])
def test_every_kind_of_file_is_released(run: Callable[..., Any], name: str, adjacency: str) -> None:
    write_any(name.lower())
    Path(name.lower()).rename(name)
    label = ["--label", "2", "--classes", "0,1"] if name.endswith("npy") else KINDS
    status, out, err = run(
        "release", "mixture", name, *label, *PUBLIC, "--adjacency", adjacency, "--json",
        "--output", "model.json", "--synthetic", "7", "synthetic.csv",
    )  # fmt: skip
    assert (status, err) == (0, "")
    printed, written = json.loads(out), json.loads(Path("model.json").read_text())
    assert printed == written
    assert written["claim"].startswith("mixture.private_mixture_hides_")
    assert len(written["mixture"]["means"]) == 2
    assert written["divergence"] == "from-fitted"  # which synthetic records need
    rows = list(csv.reader(Path("synthetic.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0] == [*written["features"], written["label"]]
    assert len(rows) == 8
    assert all(np.isfinite(float(cell)) for row in rows[1:] for cell in row[:2])


def changed(row: int, column: int, cell: str) -> list[list[str]]:
    rows = [list(each) for each in ROWS]
    rows[row][column] = cell
    return rows


@pytest.mark.parametrize(
    ("rows", "named", "in_full"),
    [
        (changed(3, 0, "x"), "column length", "row 4: 'x' is not a finite decimal number"),
        (changed(3, 0, ""), "column length", "row 4: an empty cell is not a finite decimal"),
        (changed(50, 1, "nan"), "column width", "row 51: 'nan' is not a finite decimal"),
        (changed(0, 1, "inf"), "column width", "row 1: 'inf' is not a finite decimal number"),
        (changed(9, 2, ""), "column kind", "row 10: an empty cell is not a label"),
        (changed(9, 2, "c"), "column kind", "row 10: 'c' is not one of the declared classes"),
    ],
)
def test_what_does_not_fit_is_quoted_on_demand_and_nothing_is_drawn(
    run: Callable[..., Any],
    rows: list[list[str]],
    named: str,
    in_full: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(steps, "release_moments", lambda *_: pytest.fail("noise was drawn"))
    command = ["release", "mixture", write_csv("data.csv", rows), *KINDS, *PUBLIC]
    status, out, err = run(*command, "--output", "model.json")
    assert (status, out) == (2, "")
    assert f"{named}: a cell is not" in err
    assert "row" not in err
    shown = run(*command, "--output", "model.json", "--show-values")
    assert shown[:2] == (2, "")
    assert f"{named}, {in_full}" in shown[2]
    assert shown[2].startswith("provedp: PRIVATE")
    assert err.count("\n") == shown[2].count("\n") == 1
    assert not Path("model.json").exists()


def test_no_records_are_refused(run: Callable[..., Any]) -> None:
    file = write_csv("data.csv", [])
    status, out, err = run("release", "mixture", file, *KINDS, *PUBLIC, "--output", "model.json")
    assert (status, out) == (2, "")
    assert "'X' has no records" in err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--label", "kind", *PUBLIC], "'--classes' must name the labels"),
        ([*KINDS, "--epsilon", "1", "--delta", "1e-5"], "'bound' must be given"),
        (["--label", "sort", "--classes", "a,b", *PUBLIC], "no column 'sort'"),
        ([*KINDS, *PUBLIC, "--features", "length,depth"], "no column 'depth'"),
        ([*KINDS, *PUBLIC, "--features", "length,length"], "each once"),
        ([*KINDS, *PUBLIC, "--features", "kind"], "other columns than 'kind'"),
        ([*KINDS, *PUBLIC, "--location", "1,x"], "'--location'"),
        ([*KINDS, *PUBLIC, "--location", "1,2,3"], "'X'"),
        ([*KINDS, *PUBLIC, "--shape", "absent.csv"], "absent.csv"),
        ([*KINDS, *PUBLIC, "--synthetic", "0", "s.csv"], "'--synthetic'"),
        ([*KINDS, *PUBLIC, "--synthetic", "99999999999999", "s.csv"], "'--synthetic'"),
        ([*KINDS, *PUBLIC, "--seed", "-1"], "--seed"),
        ([*KINDS, *PUBLIC, "--synthetic", "5", "absent/s.csv"], "absent/s.csv cannot be written"),
        ([*KINDS, *PUBLIC, "--adjacency", "rows"], "adjacency"),
        ([*KINDS, *PUBLIC, "--epsilon", "0"], "'epsilon' must be positive"),
        ([*KINDS, *PUBLIC, "--delta", "0"], "'delta' must be in (0, 1)"),
        ([*KINDS, *PUBLIC, "--delta", "nan"], "delta"),
        ([*KINDS, *PUBLIC, "--floor", "100"], "floor"),
    ],
)
def test_bad_requests_are_one_line_and_status_two(
    run: Callable[..., Any], arguments: list[str], named: str
) -> None:
    file = write_csv("data.csv", ROWS)
    status, out, err = run("release", "mixture", file, *arguments, "--output", "model.json")
    assert (status, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1
    assert not list(Path().glob("*model.json*"))


@pytest.mark.parametrize(
    "name",
    ["absent.csv", "data.txt", "empty.csv", "text.npy", "cube.npy", "ragged.csv", "twice.csv"],
)
def test_unreadable_files_are_named(run: Callable[..., Any], name: str) -> None:
    Path("data.txt").write_text("a,b\n")
    Path("empty.csv").write_text("")
    Path("text.npy").write_text("no array")
    Path("ragged.csv").write_text("a,kind\n1,a\n2\n")
    Path("twice.csv").write_text("a,a,kind\n1,2,a\n")
    np.save("cube.npy", np.zeros((2, 2, 2)))
    status, _, err = run("release", "mixture", name, *KINDS, *PUBLIC, "--output", "model.json")
    assert status == 2
    assert name in err
    assert err.count("\n") == 1


def test_a_later_cell_that_is_no_number_is_found_in_a_long_file(run: Callable[..., Any]) -> None:
    """A file is read in blocks."""
    rows = [["1.5", "2", "a"]] * 200_000
    rows = [*rows, ["oops", "2", "b"]]
    file = write_csv("data.csv", rows)
    command = ["release", "mixture", file, *KINDS, *PUBLIC, "--output", "model.json"]
    status, _, err = run(*command, "--show-values")
    assert status == 2
    assert "column length, row 200001: 'oops'" in err


def released(run: Callable[..., Any], rows: list[list[str]], classes: str, *more: str) -> Any:
    file = write_csv("data.csv", rows)
    arguments = ["--label", "kind", "--classes", classes, "--epsilon", "8", "--delta", "0.01"]
    status, _, err = run(
        "release", "mixture", file, *arguments, "--bound", "5", *more, "--output", "m.json"
    )
    return json.loads(Path("m.json").read_text()) if status == 0 else err


@pytest.mark.parametrize(
    ("classes", "first", "second"),
    [
        ("1,2,x", "1", "x"),
        ("12:00,x", "12:00", "x"),
        ("NA,1", "NA", "1"),
        ("true,false", "true", "false"),
        ("1,2", "1", "2.0"),
    ],
)
def test_how_a_label_is_read_does_not_depend_on_others(
    run: Callable[..., Any], classes: str, first: str, second: str
) -> None:
    """Both files are released, and the classes are the declared ones in both."""
    for last in (first, second):
        rows = [["0.5", "1", first]] * 40 + [["0.5", "1", last]]
        found = released(run, rows, classes)
        assert [str(each) for each in found["mixture"]["classes"]] == classes.split(",")


def test_large_integer_labels_are_told_apart(run: Callable[..., Any]) -> None:
    """2⁵³ and 2⁵³ + 1 are one float; one cell written as a float must not move the others."""
    for last in ("9007199254740993", "9007199254740992.0"):
        rows = [["0.5", "1", "9007199254740993"]] * 400 + [["0.5", "1", last]]
        found = released(run, rows, "9007199254740992,9007199254740993")
        assert found["mixture"]["weights"][1] > 0.8


def test_types_of_an_empty_file_are_those_of_another(run: Callable[..., Any]) -> None:
    for rows in ([], ROWS[:1]):
        labelled = [[*row[:2], "1"] for row in rows]
        found = released(run, labelled, "1,2", "--adjacency", "add-remove")
        assert found["mixture"]["classes"] == [1, 2]


@pytest.mark.parametrize(
    "more",
    [
        ["--output", "data.csv"],
        ["--output", "m.json", "--synthetic", "5", "m.json"],
        ["--output", "m.json", "--synthetic", "5", "./data.csv"],
    ],
)
def test_no_file_destroys_another(run: Callable[..., Any], more: list[str]) -> None:
    file = write_csv("data.csv", ROWS)
    before = Path(file).read_bytes()
    status, _, err = run("release", "mixture", file, *KINDS, *PUBLIC, *more)
    assert status == 2
    assert "are the same file" in err
    assert Path(file).read_bytes() == before
    assert not Path("m.json").exists()


def test_seeds_replay_and_cost_the_guarantee(run: Callable[..., Any]) -> None:
    file = write_csv("data.csv", ROWS)
    command = ["release", "mixture", file, *KINDS, *PUBLIC, "--output", "model.json", "--seed", "3"]
    first = run(*command)
    model = Path("model.json").read_text()
    assert "no guarantee" in first[1]
    assert json.loads(model)["claim"] is None
    assert run(*command) == first
    assert Path("model.json").read_text() == model


def test_occurring_classes_may_be_declared_public(run: Callable[..., Any]) -> None:
    file = write_csv("data.csv", ROWS)
    declared = ["--label", "kind", "--occurring-classes-are-public"]
    status, out, _ = run("release", "mixture", file, *declared, *PUBLIC, "--output", "m.json")
    assert status == 0
    assert json.loads(Path("m.json").read_text())["mixture"]["classes"] == ["a", "b"]
    both = [*declared, "--classes", "a,b"]
    assert run("release", "mixture", file, *both, *PUBLIC, "--output", "m.json")[0] == 2


def test_no_class_occurs_without_records(run: Callable[..., Any]) -> None:
    words = [write_csv("data.csv", []), "--label", "kind", "--occurring-classes-are-public"]
    status, _, err = run("release", "mixture", *words, *PUBLIC, "--output", "m.json")
    assert (status, err.count("\n")) == (2, 1)
    assert "no records" in err


def test_diagnosis_says_that_it_is_private(run: Callable[..., Any]) -> None:
    file = write_csv("data.csv", [*ROWS, ["30", "1", "a"]])
    status, out, _ = run("diagnose", "mixture", file, *KINDS, "--bound", "5", "--json")
    found = json.loads(out)
    assert status == 0
    assert "CONFIDENTIAL" in found["warning"]
    assert found["clipped_records"] == 1
    assert found["class_sizes"] == {"a": 31, "b": 30}
    assert found["constant_features"] == ["width"]
    assert found["longest_record"] == pytest.approx(np.hypot(30, 1))
    words = run("diagnose", "mixture", file, *KINDS, "--bound", "5")[1]
    assert words.startswith("CONFIDENTIAL")
