"""`provedp solve gaussian` and `provedp solve profile`: published values, exact ones, bad input."""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from scipy import special

from provedp.cli.main import main

REPLACED = ["--epsilon", "1", "--delta", "1e-5", "--sampling", "with-replacement", "--sample"]


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(("solve", *arguments))
    captured = capsys.readouterr()
    return int(end.value.code or 0), captured.out, captured.err


def solved(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, out, err = call(capsys, *arguments, "--json")
    assert status == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def noise(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    return solved(capsys, "gaussian", "--delta", "1e-5", *arguments)


def test_published_value_of_the_analytic_gaussian_mechanism(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = noise(capsys, "--epsilon", "1", "--sensitivity", "1")
    # Balle and Wang's own program prints 3.730632 for (1, 1e-5).
    assert found["sigma"] == pytest.approx(3.730632, abs=1e-6)
    assert found["sigma_classical"] == pytest.approx(math.sqrt(2 * math.log(1.25e5)), rel=1e-12)
    assert found["classical_is_private"] is True
    lower, upper = found["delta_at_sigma"]
    assert 1e-5 * (1 - 1e-12) <= lower <= upper <= 1e-5
    assert (found["rounds"], found["sample"]) == (1, None)


def test_rounds_cost_the_root_of_their_number(capsys: pytest.CaptureFixture[str]) -> None:
    once = noise(capsys, "--epsilon", "ln(3/2)", "--sensitivity", "1/2")["sigma"]
    often = noise(capsys, "--epsilon", "ln(3/2)", "--sensitivity", "1/2", "--rounds", "49")
    assert often["sigma"] == pytest.approx(7 * once, rel=1e-14)
    assert often["delta_at_sigma"][1] <= 1e-5


@pytest.mark.parametrize("sampling", ["without-replacement", "poisson"])
def test_one_sampled_release(capsys: pytest.CaptureFixture[str], sampling: str) -> None:
    found = noise(capsys, "--epsilon", "1", "--sample", "3/100", "--sampling", sampling)
    mu, inner = 1 / found["sigma"], math.log1p(math.expm1(1) / 0.03)
    delta = special.ndtr(mu / 2 - inner / mu)
    delta -= math.exp(inner) * special.ndtr(-mu / 2 - inner / mu)
    assert 0.03 * delta == pytest.approx(1e-5, rel=1e-9)
    assert found["is_least"] is True
    assert ("one size" in found["adjacency"]) == (sampling == "without-replacement")


def test_several_sampled_releases(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--epsilon", "1", "--sample", "1/10", "--rounds", "10"]
    fixed = noise(capsys, *options)
    poisson = noise(capsys, *options, "--sampling", "poisson")
    lower, upper = poisson["delta_at_sigma"]
    assert 1e-5 * (1 - 1e-3) <= lower <= upper <= 1e-5
    assert fixed["sigma"] >= poisson["sigma"] * (1 - 1e-5)
    assert fixed["delta_at_sigma"][1] <= 1e-5
    assert poisson["is_least"] is False


def test_releases_about_draws_with_replacement(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--epsilon", "1", "--sampling", "with-replacement"]
    found = noise(capsys, *options, "--sample", "3/60")
    fixed = noise(capsys, "--epsilon", "1", "--sample", "3/60")
    lower, upper = found["delta_at_sigma"]
    assert 1e-5 * (1 - 1e-3) <= lower < upper <= 1e-5
    assert found["sigma"] > fixed["sigma"]
    assert (found["is_least"], found["sample"]) == (False, "3/60")
    assert "one size" in found["adjacency"]
    # One draw is a sample of one without replacement.
    once = noise(capsys, *options, "--sample", "1/60")["sigma"]
    assert once == pytest.approx(noise(capsys, "--epsilon", "1", "--sample", "1/60")["sigma"], 1e-5)
    # More draws than records are possible.
    assert noise(capsys, *options, "--sample", "12/4")["sigma"] > found["sigma"]
    status, out, _ = call(capsys, "gaussian", "--delta", "1e-5", *options, "--sample", "3/60")
    assert (status, "if the bracket for δ is wide" in out) == (0, True)


def test_noise_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "gaussian", "--epsilon", "0", "--delta", "1e-5")
    assert status == 0
    assert "not defined at ε = 0" in out
    status, out, _ = call(capsys, "gaussian", "--epsilon", "12", "--delta", "1e-5")
    assert "not private: ε is beyond its range" in out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--epsilon", "1", "--delta", "0"], "no Gaussian noise gives δ = 0"),
        (["--epsilon", "1", "--delta", "1"], "'delta' parameter"),
        (["--epsilon", "1", "--delta", "nan"], "'nan' is not a number"),
        (["--epsilon", "nan", "--delta", "1e-5"], "'nan' is not a number"),
        (["--epsilon", "-1", "--delta", "1e-5"], "'epsilon' parameter"),
        (["--epsilon", "ln(-1)", "--delta", "1e-5"], "'epsilon' parameter"),
        (["--epsilon", "1", "--delta", "1e-5", "--sensitivity", "0"], "'sensitivity' parameter"),
        (["--epsilon", "1", "--delta", "1e-5", "--sensitivity", "-2"], "'sensitivity' parameter"),
        (["--epsilon", "1", "--delta", "1e-5", "--rounds", "0"], "'rounds' parameter"),
        (["--epsilon", "1", "--delta", "1e-5", "--rounds", "1.5"], "--rounds"),
        (["--epsilon", "1", "--delta", "1e-5", "--sample", "0"], "'sample' parameter"),
        (["--epsilon", "1", "--delta", "1e-5", "--sample", "5/4"], "'sample' parameter"),
        (["--epsilon", "1", "--delta", "1e-5", "--sample", "1/0"], "not a finite number"),
        (["--epsilon", "1", "--delta", "1/2", "--sample", "1/2"], "without noise"),
        (["--epsilon", "1"], "--delta"),
        ([*REPLACED, "1/x"], "two whole numbers"),
        ([*REPLACED, "0.5"], "two whole numbers"),
        ([*REPLACED, "-1/4"], "two whole numbers"),
        ([*REPLACED, "0/4"], "'draws' parameter"),
        ([*REPLACED, "4/0"], "'size' parameter"),
        ([*REPLACED, "1000/4"], "'draws' parameter"),
        (["--epsilon", "1", "--delta", "3/4", *REPLACED[4:], "2/2"], "without noise"),
    ],
)
def test_wrong_requests_for_noise(
    capsys: pytest.CaptureFixture[str], options: list[str], complaint: str
) -> None:
    status, out, err = call(capsys, "gaussian", *options)
    assert (status, out) == (2, "")
    assert complaint in err
    assert len(err.strip().splitlines()) == 1


def profile(
    capsys: pytest.CaptureFixture[str], path: Path, content: str, *options: str
) -> dict[str, Any]:
    path.write_text(content)
    return solved(capsys, "profile", str(path), *options)


def test_profile_of_a_matrix_is_exact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "2/3,1/3,0\n1/4,1/2,1/4\n0.1,0.2,0.7\n"
    found = profile(capsys, tmp_path / "m.csv", rows, "--epsilon", "ln(3/2)")
    # Row 2 against row 1: 7/10 − 3/2 · 1/4; row 0 against 1: 2/3 − 3/8; row 1 against 2: 13/40 − …
    assert found["delta_exact"] == "13/40"
    assert found["worst_pair"] == [2, 1]
    assert found["worst_event"] == [2]
    assert Fraction(found["delta"][0]) <= Fraction(13, 40) <= Fraction(found["delta"][1])


def test_profile_of_a_pair_at_an_irrational_ratio(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = '{"p": ["3/4", 0.25], "q": ["1/4", "3/4"]}'
    found = profile(capsys, tmp_path / "pair.json", pair, "--epsilon", "1")
    assert found["delta_exact"] is None
    lower, upper = found["delta"]
    assert lower - 1e-16 <= 0.75 - math.e / 4 <= upper + 1e-16
    assert upper - lower <= 1e-15
    assert found["worst_pair"] == [0, 1]


def test_least_epsilon_at_a_delta(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = '[["2/3", "1/3"], ["1/3", "2/3"]]'
    found = profile(capsys, tmp_path / "m.json", rows, "--delta", "1/6")
    assert (found["k"], found["delta_exact"]) == ("3/2", "1/6")
    assert found["epsilon"] == pytest.approx(math.log(1.5), rel=1e-15)
    assert found["epsilon"] >= math.log(1.5)
    pure = profile(capsys, tmp_path / "m.json", rows, "--delta", "0")
    assert pure["k"] == "2"
    loose = profile(capsys, tmp_path / "m.json", rows, "--delta", "1/2")
    assert (loose["k"], loose["epsilon"]) == ("1", 0.0)


def test_no_epsilon_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.csv"
    path.write_text("1/2,1/2\n0,1\n")
    status, out, _ = call(capsys, "profile", str(path), "--delta", "1/3")
    assert (status, "no ε is enough" in out) == (0, True)


def test_floats_are_divided_by_their_sums(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.csv"
    rows = "0.1,0.2,0.7000000000000001\n0.3333333333,0.3333333333,0.3333333333\n"
    path.write_text(rows)
    status, _, err = call(capsys, "profile", str(path), "--epsilon", "0")
    assert (status, "row 1 that sums to" in err) == (2, True)
    found = profile(capsys, path, rows, "--epsilon", "0", "--floats")
    assert found["delta"][0] == pytest.approx(0.7 - 1 / 3, abs=1e-9)
    path.write_text("0.1,0.2,0.6999999\n0.3,0.3,0.4\n")
    status, _, err = call(capsys, "profile", str(path), "--epsilon", "0", "--floats")
    assert (status, "row 1 that sums to" in err) == (2, True)


def test_profile_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.csv"
    path.write_text("2/3,1/3\n1/3,2/3\n")
    status, out, _ = call(capsys, "profile", str(path), "--epsilon", "ln(3/2)")
    assert status == 0
    assert "= 1/6" in out
    assert "row 0 against row 1" in out


@pytest.mark.parametrize(
    ("content", "options", "complaint"),
    [
        ("1/2,1/3\n1/2,1/2\n", ["--epsilon", "1"], "row 1 that sums to 5/6"),
        ("1/2,1/2\n", ["--epsilon", "1"], "one row"),
        ("1/2,1/2\n", ["--delta", "1/2"], "one row"),
        ("3/2,-1/2\n1/2,1/2\n", ["--epsilon", "1"], "-1/2 in row 1, column 2"),
        ("[[1, 0], [nan, 1]]", ["--epsilon", "1"], "not valid JSON"),
        ("1,0\nnan,1\n", ["--epsilon", "1"], "'nan' is not a number"),
        ('{"p": [1, 0], "q": ["1/2", "1/4", "1/4"]}', ["--epsilon", "1"], "2 and 3 outcomes"),
        ("1/2,1/2\n1,0\n1/3,1/3,1/3\n", ["--epsilon", "1"], "different"),
        ("[1, 0]", ["--epsilon", "1"], "holds one list"),
        ("", ["--epsilon", "1"], "is empty"),
        ("1,0\n0,1\n", [], "either --epsilon or --delta"),
        ("1,0\n0,1\n", ["--epsilon", "1", "--delta", "0"], "either --epsilon or --delta"),
        ("1,0\n0,1\n", ["--epsilon", "-1"], "'epsilon' parameter"),
        ("1,0\n0,1\n", ["--delta", "1"], "'delta' parameter"),
        ("exp(-1),1-exp(-1)\n1/2,1/2\n", ["--delta", "0"], "rational entries alone"),
        ("exp(-1),1-exp(-1)\n1/2,1/2\n", ["--epsilon", "0", "--floats"], "decimals or fractions"),
    ],
)
def test_wrong_requests_for_a_profile(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    content: str,
    options: list[str],
    complaint: str,
) -> None:
    path = tmp_path / "file.csv"
    path.write_text(content)
    status, out, err = call(capsys, "profile", str(path), *options)
    assert (status, out) == (2, "")
    assert complaint in err
    assert len(err.strip().splitlines()) == 1


def test_unreadable_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "absent.csv", tmp_path, binary):
        status, _, err = call(capsys, "profile", str(path), "--epsilon", "1")
        assert (status, "cannot be read" in err) == (2, True)


@pytest.mark.parametrize("sampling", ["poisson", "without-replacement", "with-replacement"])
def test_sampling_without_a_sample_is_refused(
    capsys: pytest.CaptureFixture[str], sampling: str
) -> None:
    options = ["gaussian", "--epsilon", "1", "--delta", "1e-5", "--rounds", "2"]
    status, out, err = call(capsys, *options, "--sampling", sampling)
    assert (status, out) == (2, "")
    assert "give both" in err
