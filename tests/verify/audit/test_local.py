"""Audits of a local mechanism on all pairs of a small domain, and from the command line."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.cli.audit.local import values_of
from provedp.cli.main import main
from provedp.verify.audit.procedures.local import audit_local

CLAIM = ("--claim-epsilon", "1")
RUNS = 2000
MECHANISMS = """
import numpy as np

def response(value, rng, count):
    # k-ary randomised response with ε = ln 2: each other of 4 values has probability 1/5
    return np.where(rng.random(count) < 1 / 5, value, rng.integers(0, 4, count))

def partial(value, rng, count):
    # only the last value is told apart
    honest = rng.random(count) < (0.9 if value == 3 else 0.0)
    return np.where(honest, value, rng.integers(0, 4, count))

def words(value, rng, count):
    chance = 0.6 if value == "yes" else 0.4
    return ["yes" if rng.random() < chance else "no" for _ in range(count)]
"""


def response(value: int, rng: np.random.Generator, count: int) -> Any:
    return np.where(rng.random(count) < 1 / 5, value, rng.integers(0, 4, count))


def partial(value: int, rng: np.random.Generator, count: int) -> Any:
    honest = rng.random(count) < (0.9 if value == 3 else 0.0)
    return np.where(honest, value, rng.integers(0, 4, count))


def test_a_mechanism_that_keeps_its_claim_is_not_refuted() -> None:
    # 1/5 + 4/5 · 1/4 = 2/5 against 1/5: a ratio of 2.
    found = audit_local(response, range(4), 1.0, runs=RUNS, seed=1)
    assert not found.result.refuted
    assert found.result.epsilon_lower <= math.log(2)
    table = np.array(found.estimates)
    assert table.shape == (4, 4) and np.array_equal(table, table.T)
    assert found.learning_runs > 0


def test_the_one_value_that_is_told_apart_is_found_among_all_pairs() -> None:
    found = audit_local(partial, range(4), 1.0, runs=RUNS, seed=1)
    assert found.result.refuted and 3 in found.pair
    # 0.925 against 0.25 in one direction, 0.25 against 0.025 in the other: ln 10.
    assert 1 < found.result.epsilon_lower <= math.log(10)
    table = np.array(found.estimates)
    assert table[3, :3].min() > table[:3, :3].max()


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ([1], "2 to 24 values. Got 1"),
        ([], "2 to 24 values. Got 0"),
        (range(25), "2 to 24 values. Got 25"),
        ([1, 2, 1], "the same"),
        (["a", "a"], "the same"),
    ],
)
def test_domains_that_are_none(values: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        audit_local(response, values, 1.0, runs=RUNS)


def test_an_audit_over_a_domain_has_its_runs_fixed() -> None:
    with pytest.raises(ValueError, match="fixed number of runs"):
        audit_local(response, range(4), 1.0, runs=RUNS, sequential=True)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0..3", [0, 1, 2, 3]),
        (" -1..1 ", [-1, 0, 1]),
        ('["yes", "no"]', ["yes", "no"]),
        ("[[1, 2], [1, 3]]", [[1, 2], [1, 3]]),
    ],
)
def test_values_are_read(text: str, values: list[Any]) -> None:
    assert values_of(text) == values


def test_values_are_read_from_files(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text("[0, 2, 5]")
    np.save(tmp_path / "v.npy", np.array([0.5, 1.5]))
    assert values_of(str(tmp_path / "v.json")) == [0, 2, 5]
    assert values_of(str(tmp_path / "v.npy")) == [0.5, 1.5]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.chdir(tmp_path)
    Path("localmechanisms.py").write_text(MECHANISMS)
    Path("text.json").write_text('"abc"')

    def call(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main(["audit", *words])
        found = capsys.readouterr()
        assert end.value.code is None or isinstance(end.value.code, int)
        return end.value.code or 0, found.out, found.err

    return call


@pytest.mark.parametrize(("name", "status"), [("response", 0), ("partial", 1)])
def test_statuses_and_json(run: Any, name: str, status: int) -> None:
    words = (f"localmechanisms:{name}", "--ldp", "0..3", *CLAIM, "--runs", str(RUNS))
    found_status, out, _ = run(*words, "--json", "--out", "o", "--seed", "1")
    found = json.loads(out)
    assert (found_status, found["refuted"]) == (status, status == 1)
    assert found["values"] == [0, 1, 2, 3]
    assert len(found["of_values"]) == 2 and len(found["estimates"]) == 4
    assert json.loads(Path("o/result.json").read_text()) == found


def test_words_say_which_pair_and_that_estimates_are_none(run: Any) -> None:
    words = ("localmechanisms:words", "--ldp", '["yes", "no"]', "--runs", str(RUNS))
    status, out, _ = run(*words, *CLAIM)
    assert status == 0 and "not refuted" in out
    assert "2 values" in out and "none is a bound" in out


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ("[1]", "2 to 24 values"),
        ("3..3", "2 to 24 values"),
        ("5..2", "2 to 24 values"),
        ("0..24", "2 to 24 values"),
        ("[1, 1]", "the same"),
        ("[1, 2", "no JSON"),
        ("[" * 5000, "no JSON"),
        ("yes,no", "a range 0..7, a JSON list"),
        ("0..1e3", "a range 0..7, a JSON list"),
        ("gone.json", "gone.json"),
        ("text.json", "no list"),
    ],
)
def test_wrong_values_are_one_line(run: Any, values: str, complaint: str) -> None:
    status, out, err = run("localmechanisms:response", "--ldp", values, *CLAIM)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert complaint in err


@pytest.mark.parametrize("other", [("--pair", "1", "2"), ("--search",), ("--canaries", "s.csv")])
def test_what_goes_with_pairs_does_not_go_with_values(run: Any, other: tuple[str, ...]) -> None:
    status, out, err = run("localmechanisms:response", "--ldp", "0..3", *CLAIM, *other)
    assert (status, out, err.count("\n")) == (2, "", 1)
