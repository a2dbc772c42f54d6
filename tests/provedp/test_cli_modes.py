"""`provedp release modes`: modes, clusters and regressions from files, and wrong requests."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.cli.main import main
from provedp.mechanisms.modes import private

PUBLIC = ["--epsilon", "2", "--delta", "1e-6"]
BOX = ["--box", "-6:6,-6:6", "--bandwidth", "1.4"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["release", "modes", *arguments])
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return call


@pytest.fixture
def points(run: Any) -> str:
    """Two clusters at (±3, ±3)."""
    rng = np.random.default_rng(1)
    centres = np.where(rng.random(2000) < 0.5, 3.0, -3.0)[:, None]
    rows = centres + rng.standard_normal((2000, 2)) * 0.7
    with Path("points.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["a", "b"], *rows.tolist()])
    return "points.csv"


def near(found: list[list[float]], wanted: list[list[float]], tolerance: float) -> bool:
    return all(min(np.linalg.norm(np.subtract(f, w)) for f in found) < tolerance for w in wanted)


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
@pytest.mark.parametrize("choice", [["--modes", "2"], ["--cluster", "2"], []])
def test_modes_and_centres(
    run: Callable[..., Any], points: str, adjacency: str, choice: list[str]
) -> None:
    status, out, err = run(
        points, *PUBLIC, *BOX, *choice, "--adjacency", adjacency, "--json", "--output", "out.json"
    )
    assert (status, err) == (0, "")
    report = json.loads(out)
    assert report == json.loads(Path("out.json").read_text(encoding="utf-8"))
    found = report["centres" if choice[:1] == ["--cluster"] else "modes"]
    assert len(found) == 2
    assert near(found, [[3, 3], [-3, -3]], 0.5)
    assert report["claim"].startswith("modes.private_field_hides_")


def test_a_private_box_is_paid_for(run: Callable[..., Any], points: str) -> None:
    status, out, _ = run(points, "--epsilon", "8", "--delta", "1e-6", "--private-box", "--json")
    assert status == 0
    report = json.loads(out)
    for low, high in report["box"]:
        assert -12 <= low < 0 < high <= 12
    assert near(report["modes"], [[3, 3], [-3, -3]], 0.5)


def test_regression(run: Callable[..., Any]) -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 6, 3000)
    np.save("sine.npy", np.column_stack([x, np.sin(x) + 0.1 * rng.standard_normal(3000)]))
    status, out, _ = run(
        "sine.npy",
        *PUBLIC,
        "--box",
        "0:6,-2:2",
        "--bandwidth",
        "0.5,0.3",
        "--regress",
        "1",
        "--json",
    )
    assert status == 0
    report = json.loads(out)
    responses = np.array(report["responses"], dtype=float)[10:-10, 0]
    assert np.abs(responses - np.sin(report["places"])[10:-10]).mean() < 0.15


def test_words_and_seed(run: Callable[..., Any], points: str) -> None:
    words = run(points, *PUBLIC, *BOX)[1]
    assert "Budget spent: ε = 2" in words
    seeded = run(points, *PUBLIC, *BOX, "--seed", "1")
    assert "no guarantee" in seeded[1]
    assert run(points, *PUBLIC, *BOX, "--seed", "1") == seeded


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([*PUBLIC, "--bandwidth", "1"], "'--box' must give the public intervals"),
        ([*PUBLIC, *BOX, "--private-box"], "'--box'"),
        ([*PUBLIC, "--box", "-6:6,-6:6"], "bandwidth"),
        ([*PUBLIC, "--box", "-6,6", "--bandwidth", "1"], "no list of intervals"),
        ([*PUBLIC, "--box", "6:-6,0:1", "--bandwidth", "1"], "box"),
        ([*PUBLIC, "--box", "a:b", "--bandwidth", "1"], "'--box'"),
        ([*PUBLIC, "--box", "-6:nan,0:1", "--bandwidth", "1"], "box"),
        ([*PUBLIC, "--box", "-6:6", "--bandwidth", "1"], "'X'"),
        ([*PUBLIC, "--box", "-6:6,-6:6", "--bandwidth", "0"], "bandwidth"),
        ([*PUBLIC, "--box", "-6:6,-6:6", "--bandwidth", "13"], "bandwidth"),
        (
            [*PUBLIC, "--box", "-6:6,-6:6", "--bandwidth", "1e-3", "--method", "field"],
            "a larger bandwidth",
        ),
        ([*PUBLIC, *BOX, "--modes", "2", "--cluster", "2"], "Only one of"),
        ([*PUBLIC, *BOX, "--modes", "0"], "modes"),
        ([*PUBLIC, *BOX, "--columns", "a,c"], "no column 'c'"),
        ([*PUBLIC, *BOX, "--columns", "a,a"], "each once"),
        ([*PUBLIC, *BOX, "--regress", "c"], "no column 'c'"),
        ([*PUBLIC, *BOX, "--columns", "a", "--regress", "a"], "'--regress'"),
        (["--epsilon", "0", "--delta", "1e-6", *BOX], "'epsilon' must be positive"),
        (["--epsilon", "1", "--delta", "0", *BOX], "'delta' must be in (0, 1)"),
        (["--epsilon", "nan", "--delta", "1e-6", *BOX], "epsilon"),
        ([*PUBLIC, *BOX, "--output", "absent/out.json"], "cannot be written"),
    ],
)
def test_wrong_requests_are_one_line(
    run: Callable[..., Any],
    points: str,
    arguments: list[str],
    named: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(private, "release_field", lambda *_: pytest.fail("noise was drawn"))
    status, out, err = run(points, *arguments)
    assert (status, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1


def test_a_cell_that_is_no_number_is_named(run: Callable[..., Any]) -> None:
    Path("bad.csv").write_text("a,b\n1,2\n3,x\n", encoding="utf-8")
    status, _, err = run("bad.csv", *PUBLIC, *BOX)
    assert status == 2
    assert "column b, row 2: 'x' is not a finite number" in err
