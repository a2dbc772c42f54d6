"""`provedp audit` on files: kinds of files, statuses, looks, and one line for a wrong request."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.cli.main import main

CLAIM = ("--claim-epsilon", "1")
POINT = ("--claim-point", "1", "0.1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    for name, scale in (("leak", 0.4), ("right", 1.0)):
        for place, side in enumerate("ab"):
            rows = place + rng.laplace(scale=scale, size=600)
            np.save(f"{name}-{side}.npy", rows)
            text = "\n".join(map(repr, map(float, rows))) + "\n"
            Path(f"{name}-{side}.csv").write_text(f"x\n{text}")
            Path(f"{name}-{side}.jsonl").write_text(text)
    coins = rng.random(600) < 0.5
    scores = coins + rng.normal(size=600) / 4
    write_canaries("s.csv", coins, scores)
    write_canaries("again.csv", coins, -scores)
    return tmp_path


def write_canaries(name: str, coins: Any, scores: Any) -> None:
    rows = (f"{int(c)},{float(s)!r}" for c, s in zip(coins, scores, strict=True))
    Path(name).write_text("included,score\n" + "\n".join(rows) + "\n")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(["audit", *words])
    found = capsys.readouterr()
    assert end.value.code is None or isinstance(end.value.code, int)
    return end.value.code or 0, found.out, found.err


@pytest.mark.parametrize("suffix", ["npy", "csv", "jsonl", "parquet"])
def test_recorded_outputs_of_every_kind(suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    if suffix == "parquet":
        pa = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        for side in "ab":
            parquet.write_table(
                pa.table({"x": np.load(f"leak-{side}.npy")}), f"leak-{side}.parquet"
            )
    status, out, _ = run(
        capsys, "--outputs", f"leak-a.{suffix}", f"leak-b.{suffix}", *CLAIM, "--json", "--out", "o"
    )
    found = json.loads(out)
    assert (status, found["refuted"]) == (1, True)
    assert json.loads(Path("o/result.json").read_text()) == found


def test_private_outputs_have_status_zero(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--outputs", "right-a.npy", "right-b.npy", *CLAIM)
    assert status == 0 and "not refuted" in out


def test_looks_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--canaries", "s.csv", *CLAIM, "--guesses", "100", "--out", "o")
    assert run(capsys, *words)[0] == 1
    assert run(capsys, *words)[0] == 1  # the same question has the same answer
    for other in (
        ("--canaries", "s.csv", *CLAIM, "--guesses", "200", "--out", "o"),
        ("--canaries", "again.csv", *CLAIM, "--guesses", "100", "--out", "o"),
        ("--canaries", "again.csv", *CLAIM, "--guesses", "100", "--out", "o", "--looks", "2"),
    ):
        status, _, err = run(capsys, *other)
        assert status == 2 and "audited before" in err


def test_a_claim_beyond_the_cap_has_status_three(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--canaries", "s.csv", "--claim-epsilon", "7.05")
    assert status == 3 and "NO VERDICT" in out and "not refuted" not in out


def test_points_of_a_profile_are_one_claim(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--canaries", "s.csv", *POINT, "--claim-point", "2", "1/1000", "--guesses", "100")
    status, out, _ = run(capsys, *words, "--json", "--out", "o")
    found = json.loads(out)
    assert (status, found["verdict"]) == (1, "REFUTED")
    assert found["notion"] == "factor of every claimed epsilon"
    other = ("--canaries", "s.csv", *POINT, "--claim-point", "2.0000001", "1/1000")
    status, _, err = run(capsys, *other, "--guesses", "100", "--out", "o")
    assert status == 2 and "audited before" in err


def write_columns(name: str, **columns: Any) -> None:
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    lines = [",".join(columns), *(",".join(map(repr, row)) for row in rows)]
    Path(name).write_text("\n".join(lines) + "\n")


def test_several_scores_are_learned_from(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(3)
    coins = rng.integers(0, 2, 2000)
    first, second = (coins * 1.5 + rng.normal(size=2000) for _ in range(2))
    higher = ("--claim-epsilon", "3")
    write_columns("two.csv", included=coins, first=first, second=-second)
    words = ("--canaries", "two.csv", *higher, "--score", "first", "--score", "second")
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "") and "Say on which share (--learn 0.5" in err
    status, out, _ = run(capsys, *words, "--learn", "0.25", "--json")
    found = json.loads(out)
    assert (status, found["learning"]) == (1, 500)
    assert found["weights"][0] > 0 > found["weights"][1]
    assert run(capsys, "--canaries", "two.csv", *higher, "--score", "first")[0] == 0
    status, _, err = run(capsys, *words[:-2], "--score", "first")
    assert status == 2 and "names a column twice" in err


def test_several_runs_are_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    """The same units in three runs with coins of their own; without 'run' they are in and out."""
    rng = np.random.default_rng(4)
    coins = rng.integers(0, 2, 900)
    scores = coins + rng.normal(size=900) / 2
    runs, units = np.repeat([1, 2, 3], 300), np.tile(np.arange(300), 3)
    write_columns("runs.csv", run=runs, unit=units, included=coins, score=scores)
    status, out, _ = run(capsys, "--canaries", "runs.csv", *CLAIM, "--json")
    assert (status, json.loads(out)["canaries"]) == (1, 900)
    write_columns("joined.csv", unit=units, included=coins, score=scores)
    status, _, err = run(capsys, "--canaries", "joined.csv", *CLAIM)
    assert status == 2 and "both in and out" in err


def test_a_control_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(5)
    for name, noise in (("weak.csv", 4.0), ("none.csv", 0.05)):
        coins = rng.integers(0, 2, 500)
        write_columns(name, included=coins, score=coins + noise * rng.normal(size=500))
    status, out, _ = run(capsys, "--canaries", "weak.csv", *CLAIM, "--control", "none.csv")
    # More than 200 are in, and out, so that 400 guesses are right: q^400 = 5 % at e^ε = q/(1 − q).
    most = -math.log(0.05 ** (-1 / 400) - 1)
    assert status == 0 and f"the same guesses on the control show {most:.3g}" in out


def test_losses_turn_the_scores(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--canaries", "again.csv", *CLAIM)[0] == 0
    assert run(capsys, "--canaries", "again.csv", *CLAIM, "--losses")[0] == 1


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("--outputs", "leak-a.npy", "gone.npy", *CLAIM), "no such file"),
        (("--outputs", "leak-a.npy", "leak-a.npy", *CLAIM), "copy"),
        (("--outputs", "leak-a.npy", "leak-b.npy"), "Say what is claimed"),
        (("--outputs", "leak-a.npy", "leak-b.npy", *CLAIM, "--runs", "100"), "--runs does not go"),
        (("--outputs", "objects.npy", "leak-b.npy", *CLAIM), "no whole .npy"),
        (("--outputs", "leak-a.txt", "leak-b.npy", *CLAIM), "must end in"),
        (("--outputs", "leak-a.csv", "named.csv", *CLAIM), "columns of both files differ"),
        (("--outputs", "leak-a.npy", "leak-b.npy", *CLAIM, "--channel", "time"), "channel"),
        (("mine:f", "--outputs", "leak-a.npy", "leak-b.npy", *CLAIM), "A target does not go"),
        (("--canaries", "gone.csv", *CLAIM), "no such file"),
        (("--canaries", "leak-a.csv", *CLAIM), "no column 'included'"),
        (("--canaries", "s.csv", *CLAIM, "--score", "loss"), "no column of scores"),
        (("--canaries", "s.csv", *CLAIM, "--inclusion", "often"), "--inclusion"),
        (("--canaries", "s.csv", *CLAIM, "--certificate", "p.json"), "fix the number of guesses"),
        (("--canaries", "s.csv", "--claim-rho", "1", "--inclusion", "0.6"), "probability 1/2"),
        (("--canaries", "s.csv", "--claim-rho", "1", "--threshold", "1", "0"), "Thresholds go"),
        (("--canaries", "s.csv", *CLAIM, "--claim-point", "1", "0.1"), "are the whole claim"),
        (("--canaries", "s.csv", "--claim-point", "0", "0.1"), "'epsilon' parameter of ProfileDP"),
        (("--canaries", "s.csv", "--claim-point", "1", "x"), "x"),
        (("--outputs", "leak-a.npy", "leak-b.npy", *POINT), "--claim-point does not go"),
        (
            ("base64:b64encode", "--pair", "0", "1", *POINT),
            "--claim-point goes with --profile or --canaries only",
        ),
        (("--canaries", "s.csv", *CLAIM, "--learn", "0.5", "--threshold", "1", "0"), "one score"),
        (("--canaries", "s.csv", *CLAIM, "--learn", "0.01"), "too few to learn"),
        (("mine:f", "--learn", "0.5", *CLAIM), "--learn goes with --canaries only"),
        (("--canaries", "s.csv", *CLAIM, "--search"), "--search does not go"),
        (("--canaries", "bad.csv", *CLAIM), "neither 0 nor 1"),
        (("mine:f", "--guesses", "5", *CLAIM), "--guesses goes with --canaries only"),
        (("mine:f", "--ldp", "0..99", *CLAIM), "module"),
    ],
)
def test_wrong_requests_are_one_line(
    words: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save("objects.npy", np.array([None] * 100, dtype=object), allow_pickle=True)
    Path("named.csv").write_text("y\n" + "1.5\n" * 100)
    Path("bad.csv").write_text("included,score\n2,1\n")
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert complaint in err and err.count("\n") == 1
    assert not Path("p.json").exists()
