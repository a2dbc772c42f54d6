"""`provedp solve` and `provedp check`: values from elsewhere, certificates, wrong requests."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from provedp.cli.main import main

PAPER = "1/2,2/5,1/10\n3/10,1/5,1/2\n1/5,1/5,3/5\n"


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    captured = capsys.readouterr()
    return int(end.value.code or 0), captured.out, captured.err


def solved(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    status, out, err = call(capsys, "solve", "counting", *arguments, "--json")
    assert status == 0, err
    found: dict[str, object] = json.loads(out)
    return found


@pytest.mark.parametrize(
    ("epsilon", "delta", "exact"),
    [("0", "0", "24/35"), ("ln(2)", "0", "19/30"), ("ln(2)", "1/10", "37/60")],
)
def test_channel_from_a_file_is_exact(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], epsilon: str, delta: str, exact: str
) -> None:
    # Optima of the paper's 3 × 3 channel, from linear programs re-solved in rationals elsewhere.
    path = tmp_path / "channel.csv"
    path.write_text(PAPER)
    found = solved(capsys, "--epsilon", epsilon, "--delta", delta, "--channel", str(path))
    assert found["exact"]["error_lower"] == found["exact"]["error_upper"] == exact
    assert found["error_lower"] <= Fraction(exact) <= found["error_upper"]


@pytest.mark.parametrize(
    ("decibels", "epsilon", "value"),
    [
        ("0", "1/2", 0.71710583327558348675),
        ("0", "1", 0.62779137870288450048),
        ("5", "2", 0.36298536519832934975),
        ("10", "2", 0.23815027193239073764),
        ("10", "4", 0.088563344410110141137),
    ],
)
def test_phase_shift_keying(
    capsys: pytest.CaptureFixture[str], decibels: str, epsilon: str, value: float
) -> None:
    options = ["--m", "8", "--epsilon", epsilon, "--channel", "psk", "--snr-db", decibels]
    found = solved(capsys, *options)
    # The reference has 20 digits; the bracket is of width 1e-9 at most.
    assert found["error_lower"] - 1e-15 <= value <= found["error_upper"] + 1e-15
    assert found["error_upper"] - found["error_lower"] <= 1e-9


def test_printed_bound_below_the_optimum(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--m", "8", "--epsilon", "3/2", "--channel", "psk", "--snr-db", "0"]
    found = solved(capsys, *options)
    assert found["bounds_as_printed"]["u3"] < found["error_lower"]
    assert found["bounds"]["u3"] >= found["error_lower"]
    assert found["decided_by"] == "assignment"
    assert found["conditions"]["P* T⁻¹ ≥ 0"] is False


def test_without_a_channel(capsys: pytest.CaptureFixture[str]) -> None:
    found = solved(capsys, "--m", "4", "--epsilon", "ln(11/10)", "--delta", "1/10")
    assert found["exact"]["error"] == "32/49"
    assert "bounds" not in found
    status, out, _ = call(capsys, "solve", "counting", "--m", "8", "--epsilon", "1")
    assert status == 0
    assert "0.529260956407" in out


def test_certificate_is_written_checked_and_refused_when_tampered_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "certificate.json"
    channel = tmp_path / "channel.csv"
    channel.write_text(PAPER)
    options = ["--epsilon", "ln(2)", "--channel", str(channel), "--certificate", str(path)]
    solved(capsys, *options)
    status, out, _ = call(capsys, "check", str(path))
    assert (status, "19/30" in out) == (0, True)
    document = json.loads(path.read_text())
    document["claim"]["error_upper"] = "18/30"
    path.write_text(json.dumps(document))
    status, _, err = call(capsys, "check", str(path))
    assert status == 1
    assert err.startswith("INVALID")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--epsilon", "1"], "--m is missing"),
        (["--m", "1", "--epsilon", "1"], "'m' parameter"),
        (["--m", "8", "--epsilon", "-1"], "'epsilon' parameter"),
        (["--m", "8", "--epsilon", "nan"], "'nan' is not a number"),
        (["--m", "8", "--epsilon", "1", "--delta", "1"], "'delta' parameter"),
        (["--m", "8", "--epsilon", "1", "--delta", "-1/9"], "'delta' parameter"),
        (["--m", "8", "--epsilon", "1", "--channel", "psk"], "--snr-db"),
        (["--m", "8", "--epsilon", "1", "--snr-db", "3"], "--snr-db"),
        (["--epsilon", "1", "--channel", "psk", "--snr-db", "3"], "--m is missing"),
        (["--epsilon", "1", "--channel", "absent.csv"], "absent.csv cannot be read"),
        (["--m", "8", "--epsilon", "1", "--certificate", "out.json"], "rationals alone"),
    ],
)
def test_wrong_requests(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    options: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = call(capsys, "solve", "counting", *options)
    assert (status, out) == (2, "")
    assert complaint in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "is empty"),
        ("1/2,1/2\n", "shape 1×2"),
        ("1/2,1/2\n1/3,1/3\n", "row 2 that sums to 2/3"),
        ("3/2,-1/2\n0,1\n", "-1/2 in row 1, column 2"),
        ("1/2,1/2\nx,1\n", "row 2, column 1: 'x' is not a number"),
        ("1/2,1/2\n1\n", "different"),
        ("[1, 2]", "holds one list"),
        ("[[1, 0], [0", "not valid JSON"),
    ],
)
def test_wrong_channels(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, complaint: str
) -> None:
    path = tmp_path / "channel.csv"
    path.write_text(content)
    status, _, err = call(capsys, "solve", "counting", "--epsilon", "1", "--channel", str(path))
    assert status == 2
    assert complaint in err


def test_decimals_in_a_file_are_exact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "channel.json"
    path.write_text("[[0.7, 0.3], [0.1, 0.9]]")
    found = solved(capsys, "--epsilon", "ln(2)", "--channel", str(path))
    assert found["exact"]["error_lower"] is not None


def test_unreadable_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for content in ("", "[]", '{"format": "another"}'):
        path = tmp_path / "certificate.json"
        path.write_text(content)
        status, _, err = call(capsys, "check", str(path))
        assert (status, len(err.strip().splitlines())) == (2, 1)
    assert call(capsys, "check", str(tmp_path / "absent.json"))[0] == 2


@pytest.mark.parametrize("epsilon", ["0", "1", "150", "400"])
def test_the_closed_form_lies_in_its_bracket(
    capsys: pytest.CaptureFixture[str], epsilon: str
) -> None:
    # For large ε, p_e* is about 2 e^(−ε): two of the other counts are at distance one.
    found = solved(capsys, "--m", "8", "--epsilon", epsilon)
    assert found["error_lower"] <= found["error"] <= found["error_upper"]
    if float(epsilon) >= 150:
        assert found["error"] == pytest.approx(2 * math.exp(-float(epsilon)), rel=1e-12)


def test_zero_has_no_sign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("1/2,1/2\n1/2,1/2\n")
    for option in (("--epsilon", "0"), ("--delta", "0")):
        status, out, err = call(capsys, "solve", "profile", str(path), *option, "--json")
        assert status == 0, err
        assert "-0.0" not in out
        assert json.loads(out)["delta"] == [0.0, 0.0]


@pytest.mark.parametrize("m", ["1000001", str(2**63)])
def test_more_counts_than_can_be_solved_for_are_refused(
    m: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["solve", "counting", "--m", m, "--epsilon", "1"])
    captured = capsys.readouterr()
    assert (end.value.code, captured.out) == (2, "")
    assert "[2, 1000000]" in captured.err and captured.err.count("\n") == 1
