"""Each command has its function, and both give the same."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import provedp
from provedp.cli.main import commands, main

PAGE = Path(__file__).resolve().parents[1] / "docs/reference/python.md"
ROW = re.compile(r"^\| `provedp ([a-z -]+)` \| (`.*`) \|", re.MULTILINE)
TABLE = {
    command: re.findall(r"`provedp\.(\w+)`", names)
    for command, names in ROW.findall(PAGE.read_text("utf-8"))
}


def run(*words: str, capsys: pytest.CaptureFixture[str], status: int = 0) -> str:
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(list(words))
    assert end.value.code == status
    return capsys.readouterr().out.strip()


def test_every_command_has_its_function() -> None:
    known = {command.partition(" ")[0] for command in TABLE}
    assert known == set(commands.list_commands(click.Context(commands)))
    names = [name for names in TABLE.values() for name in names]
    assert names
    for name in names:
        assert name in provedp.__all__
        assert (getattr(provedp, name).__doc__ or "").strip(), name


@pytest.mark.parametrize("group", ["solve", "release", "diagnose"])
def test_every_command_of_a_group_has_one(group: str) -> None:
    found = commands.get_command(click.Context(commands), group)
    assert isinstance(found, click.Group)
    below = {f"{group} {name}" for name in found.list_commands(click.Context(found))}
    assert below == {command for command in TABLE if command.startswith(f"{group} ")}


def test_values_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    for given in ({"m": 8, "k": 2}, {"m": 8, "k": "exp(1)"}):
        words = [f"{name}={each}" for name, each in given.items()]
        printed = run("value", "counting.alpha", *words, capsys=capsys)
        assert str(provedp.value("counting.alpha", given)) == printed
    symbolic = run("value", "counting.alpha", "m=8", "k=k", "--symbolic", capsys=capsys)
    assert str(provedp.value("counting.alpha", m=8, k="k", symbolic=True)) == symbolic
    assert set(provedp.formulas()) == {
        line.split()[0] for line in run("value", capsys=capsys).splitlines() if line[0] != " "
    }


def test_a_value_of_a_matrix_takes_lists(capsys: pytest.CaptureFixture[str]) -> None:
    """E_2 of (3/4, 1/4) from (1/4, 3/4) is 3/4 − 2/4."""
    found = provedp.value("privacy.hockey_stick", p=["3/4", "1/4"], q=["1/4", "3/4"], k=2)
    assert (str(found), found.is_exact) == ("1/4", True)
    words = ('p=["3/4", "1/4"]', 'q=["1/4", "3/4"]', "k=2")
    assert run("value", "privacy.hockey_stick", *words, capsys=capsys) == "1/4"


@pytest.mark.parametrize(
    "call",
    [
        lambda: provedp.value("counting.alpha", m=8, k=0.1),
        lambda: provedp.solve_counting(3, 0.1),
        lambda: provedp.solve_gaussian(1, 1e-5),
        lambda: provedp.solve_profile([[0.5, 0.5], [0.5, 0.5]], epsilon=1),
    ],
)
def test_floats_are_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match="must be a whole number, a fraction or a text"):
        call()


def test_no_formula_has_an_argument_of_the_name_of_an_option() -> None:
    from provedp.cli.formulas import formulas

    for formula in formulas().values():
        names = set(formula.signature.parameters)
        assert not {"digits", "symbolic", "formula", "arguments"} & names


def test_optima_are_those_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "best.json"
    words = ("--m", "4", "--epsilon", "ln(3)", "--delta", "1/100", "--certificate", str(file))
    printed = json.loads(run("solve", "counting", *words, "--json", capsys=capsys))
    best = provedp.solve_counting(4, "ln(3)", "1/100")
    assert printed["exact"]["error_upper"] == str(best.upper) == printed["exact"]["error_lower"]
    assert json.loads(file.read_text("utf-8")) == best.certificate()
    checked = provedp.check_certificate(file)
    assert checked
    assert str(checked) == run("check", str(file), capsys=capsys)
    assert checked == provedp.check_certificate(best.certificate())


def test_a_channel_is_taken_as_rows() -> None:
    """The counterexample of the README, from which the least error is 1/3."""
    best = provedp.solve_counting(None, "ln(3)", channel=[["2/3", "1/3"], ["1/3", "2/3"]])
    assert str(best.lower) == str(best.upper) == "1/3"
    with pytest.raises(ValueError, match="'m' is 3, but the channel has 2 rows"):
        provedp.solve_counting(3, 1, channel=[["2/3", "1/3"], ["1/3", "2/3"]])


def test_an_irrational_problem_has_no_certificate() -> None:
    best = provedp.solve_counting(3, 1)
    assert best.lower < best.upper
    with pytest.raises(ValueError, match="A certificate holds rationals alone"):
        best.certificate()


def test_a_wrong_certificate_is_not_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = provedp.solve_counting(3, "ln(2)").certificate()
    document["claim"]["error_lower"] = "51/100"
    checked = provedp.check_certificate(document)
    assert not checked
    assert "The multipliers prove only 0.5" in checked.fault
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    run("check", str(file), capsys=capsys, status=1)
    with pytest.raises(ValueError, match="cannot be read as a certificate"):
        provedp.check_certificate(tmp_path / "none.json")
    with pytest.raises(ValueError, match="lacks or garbles"):
        provedp.check_certificate({})


def test_noise_is_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--epsilon", "1", "--delta", "1e-5", "--sensitivity", "2", "--json")
    printed = json.loads(run("solve", "gaussian", *words, capsys=capsys))
    assert provedp.solve_gaussian(1, "1e-5", 2).sigma == printed["sigma"]


def test_profiles_are_those_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "matrix.csv"
    file.write_text("3/4,1/4\n1/4,3/4\n", encoding="utf-8")
    rows = [["3/4", "1/4"], ["1/4", "3/4"]]
    for option in ({"epsilon": "ln(2)"}, {"delta": "1/10"}):
        ((name, text),) = option.items()
        words = (str(file), f"--{name}", text, "--json")
        printed = json.loads(run("solve", "profile", *words, capsys=capsys))
        found = provedp.solve_profile(rows, **option)  # type: ignore[arg-type]
        assert printed["k"] == str(found.ratio)
        assert printed["delta_exact"] == str(found.delta)
        assert found.pair == tuple(printed["worst_pair"])
    assert provedp.solve_profile([[1, 0], [0, 1]], delta=0).ratio is None
    with pytest.raises(ValueError, match="either 'epsilon' or 'delta'"):
        provedp.solve_profile(rows)


def test_shapes_are_those_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "points.csv"
    file.write_text("1,0\n0,2\n", encoding="utf-8")
    printed = json.loads(run("solve", "noise-shape", str(file), "--json", capsys=capsys))
    assert provedp.solve_noise_shape(np.array([[1.0, 0.0], [0.0, 2.0]])).value == printed["value"]


def test_a_release_is_that_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "wards.csv"
    file.write_text("cases\n3\n17\n42\n", encoding="utf-8")
    words = (str(file), "--column", "cases", "--m", "101", "--epsilon", "1", "--seed", "7")
    printed = json.loads(run("release", "counting", *words, "--json", capsys=capsys))
    mechanism = provedp.OptimalCount(101, "1")
    assert mechanism.release([3, 17, 42], np.random.default_rng(7)) == printed["released"]


def test_a_diagnosis_is_that_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Records at distances 10, 1 and 5 from (1, 0), in units of the shape: 5, 1/2 and 5/2."""
    file, guess = tmp_path / "people.csv", tmp_path / "shape.csv"
    file.write_text("x,y,kind\n7,8,a\n2,0,b\n1,5,b\n", encoding="utf-8")
    guess.write_text("4,0\n0,4\n", encoding="utf-8")
    words = ("diagnose", "mixture", str(file), "--label", "kind", "--classes", "a,b,c")
    more = ("--bound", "2.5", "--location", "1,0", "--shape", str(guess))
    found = provedp.diagnose_mixture(
        [[7, 8], [2, 0], [1, 5]],
        ["a", "b", "b"],
        bound=2.5,
        classes=["a", "b", "c"],
        location=[1, 0],
        shape=[[4, 0], [0, 4]],
        features=["x", "y"],
    )
    assert (found.clipped_records, found.longest_record) == (1, 5.0)
    assert found.class_sizes == {"a": 1, "b": 2, "c": 0}
    assert run(*words, *more, capsys=capsys) == str(found) == repr(found)
    assert json.loads(run(*words, *more, "--json", capsys=capsys)) == found.as_dict()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bound": None}, "'bound' must be given"),
        ({"bound": float("nan")}, "'bound'"),
        ({"classes": ["b"]}, "'y'"),
        ({"X": [[float("nan"), 1]]}, "'X'"),
        ({"X": [["secret", 1]]}, "'X'"),
        ({"X": []}, "'X'"),
        ({"features": ["x"]}, "'features' must be 2 names"),
        ({"location": [0]}, "'X'"),
        ({"shape": [[1, 2], [2, 1]]}, "'shape'"),
    ],
)
def test_a_diagnosis_of_what_does_not_fit_is_refused(change: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"X": [[7, 8]], "y": ["a"], "bound": 9, "classes": ["a", "b"]}
    with pytest.raises(ValueError, match=said) as refusal:
        provedp.diagnose_mixture(**(given | change))
    assert "secret" not in str(refusal.value)


def test_an_audit_and_its_replay_are_those_of_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "def half(data, rng):\n    return len(data) + rng.laplace(scale=0.5)\n"
    (tmp_path / "mine_half.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    words = ("audit", "mine_half:half", "--claim-epsilon", "1", "--pair", "[1]", "[]")
    more = ("--runs", "1000", "--no-checks", "--out", "found", "--json")
    printed = json.loads(run(*words, *more, capsys=capsys, status=1))
    found = provedp.audit("mine_half:half", ([1], []), 1.0, runs=1000, checks=False)
    assert found.epsilon_lower == printed["epsilon_lower"]
    replayed = provedp.replay("found/counterexample.json", "mine_half:half", fresh_seed=3)
    assert replayed.same
    assert replayed.refuted_again
    words = ("replay", "found/counterexample.json", "--target", "mine_half:half")
    status = 1 if replayed.refuted_fresh else 0
    again = run(*words, "--fresh-seed", "3", "--json", capsys=capsys, status=status)
    assert json.loads(again)["epsilon_fresh"] == replayed.epsilon_fresh


def test_a_wrong_experiment_is_refused() -> None:
    with pytest.raises(ValueError, match="No experiment is called 'nothing'"):
        provedp.reproduce("nothing", 1)
    with pytest.raises(ValueError, match="'seeds' must be at least 1"):
        provedp.reproduce("modes.table2", 0)
