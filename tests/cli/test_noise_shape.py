"""`provedp solve noise-shape`: values from closed forms, and wrong files."""

import json
from pathlib import Path

import numpy as np
import pytest

from provedp.cli.main import main


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(("solve", "noise-shape", *arguments))
    captured = capsys.readouterr()
    return int(end.value.code or 0), captured.out, captured.err


def written(path: Path, content: str) -> str:
    path.write_text(content, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("header", ["", "x,y\n", '"first name",second\n'])
def test_right_angle(tmp_path: Path, capsys: pytest.CaptureFixture[str], header: str) -> None:
    points = written(tmp_path / "points.csv", header + "3,0\n0,4\n\n1,1e0\n")
    status, out, err = call(capsys, points, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["lower"] <= 25 <= found["upper"]
    assert found["lower"] <= found["value"] <= found["upper"]
    assert found["upper"] / found["lower"] - 1 <= found["gap"] <= 1e-9
    assert found["support"] == [0, 1]
    assert found["shape"][0] == pytest.approx([9, 0], abs=1e-7)
    assert found["shape"][1] == pytest.approx([0, 16], abs=1e-7)


def test_covariance_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points = written(tmp_path / "points.csv", "3,0\n0,4\n")
    sigma = written(tmp_path / "sigma.csv", "9,0\n0,16\n")
    status, out, _ = call(capsys, points, "--covariance", sigma, "--json")
    assert status == 0
    assert json.loads(out)["value"] == pytest.approx(2, rel=1e-9)


def test_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, written(tmp_path / "points.csv", "1\n-2\n"))
    assert status == 0
    assert "support     1 of the points: 1" in out
    assert "  4.000000000e+00" in out


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        (" \n", "' ' is not"),
        ("a,b\n", "has no rows"),
        ("1,2\n3\n", "line 2 is '3', but a line must have as many cells as the first"),
        ("1,2\n3,x\n", "column 2, row 2: 'x' is not a finite decimal number"),
        ("1,x\n3,4\n", "column 2, row 1: 'x' is not"),
        ("1,2\n3,\n", "column 2, row 2: an empty cell is not"),
        ("1,2\n3,nan\n", "column 2, row 2: 'nan' is not"),
        ("1,inf\n", "column 2, row 1: 'inf' is not"),
        ("nan,inf\n1,2\n", "column 1, row 1: 'nan' is not"),  # no names: they are no numbers
        ("0x10,0x2\n1,2\n", "column 1, row 1: '0x10' is not"),
        ("x,1e999\n1,2\n", "column 1, row 1: 'x' is not"),
        ('x,y\n"1,2\n3",4\n', "line 2 is"),
    ],
)
def test_wrong_points(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, complaint: str
) -> None:
    status, out, err = call(capsys, written(tmp_path / "points.csv", content), "--json")
    assert (status, out, len(err.strip().splitlines())) == (2, "", 1)
    assert complaint in err


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "is empty"),
        ("1,0.1\n0.2,1\n", "0.1 and 0.2"),
        ("1,2\n2,1\n", "not positive definite"),
        ("1,0,0\n0,1,0\n0,0,1\n", "shape 3×3"),
        ("1,0\n", "shape 1×2"),
        ("1,0\n0,nan\n", "row 2: 'nan'"),
    ],
)
def test_wrong_covariances(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, complaint: str
) -> None:
    points = written(tmp_path / "points.csv", "1,0\n0,1\n")
    sigma = written(tmp_path / "sigma.csv", content)
    status, out, err = call(capsys, points, "--covariance", sigma)
    assert (status, out, len(err.strip().splitlines())) == (2, "", 1)
    assert complaint in err


@pytest.mark.parametrize("end", ["points.npy", "points.parquet", "points.csv", "points.txt"])
def test_every_kind_of_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str) -> None:
    path, points = tmp_path / end, np.asfortranarray([[3.0, 0.0], [0.0, 4.0]])
    if end.endswith(".npy"):
        np.save(path, points.astype(">f8"))
    elif end.endswith(".parquet"):
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.table({"x": points[:, 0], "y": points[:, 1]}), path)
    else:
        path.write_bytes(b"\xef\xbb\xbfx,y\r\n3,0\r\n0,4")
    status, out, _ = call(capsys, str(path), "--json")
    assert status == 0
    assert json.loads(out)["value"] == pytest.approx(25, rel=1e-9)


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = tmp_path / "points.csv"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (str(binary), str(tmp_path), str(tmp_path / "absent.csv")):
        status, _, err = call(capsys, path)
        assert (status, len(err.strip().splitlines())) == (2, 1)
        assert "cannot be read" in err
